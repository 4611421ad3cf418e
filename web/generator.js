// SPDX-License-Identifier: Apache-2.0
// Calls of the package in the worker, which is started at the first one.

import {make} from "./text.js";

/* global stored */
const NO_WORKER = "The worker did not start: folders are made, and files are read, where the page comes"
  + " from a web server, not from a file. The table and the plot of the store need none.";
const waiting = new Map();
let worker, count = 0;

// What the first call brings, in words.
export const FIRST_USE = `fetches Python and the package at the first use, ${megabytes(stored.download)}`;

// Whether the worker was started, so that another call needs no download.
export function isStarted() {
  return worker !== undefined;
}

// Return what a function of browser_folder.py or browser_rows.py returns for `given`; `place` shows
// its progress meanwhile.
export async function called(name, given, place) {
  const text = make("span"), bar = make("progress", {max: stored.download});
  place.replaceChildren(bar, " ", text);
  const begin = Date.now();
  let told = {text: "waiting for the worker"};
  const tell = () => {
    const seconds = Math.round((Date.now() - begin) / 1000);
    if (told.bytes) bar.value = told.bytes;
    else bar.removeAttribute("value");
    const loaded = told.bytes && `loading ${megabytes(told.bytes)} of ${megabytes(stored.download)}`;
    text.textContent = `${loaded || told.text}, ${seconds} s`;
  };
  const clock = setInterval(tell, 500);
  const made = await result(name, given, progress => { told = progress; tell(); });
  clearInterval(clock);
  place.replaceChildren();
  return made;
}

async function result(name, given, told) {
  try {
    worker ??= started();
  } catch {
    return {error: NO_WORKER};
  }
  count += 1;
  const number = count;
  return new Promise(done => {
    waiting.set(number, {done, told});
    worker.postMessage({number, name, given, download: stored.download});
  });
}

function started() {
  const made = new Worker("worker.js", {type: "module"});
  made.addEventListener("message", ({data: {number, progress, result}}) => {
    const {done, told} = waiting.get(number);
    if (progress) return told(progress);
    waiting.delete(number);
    done(result);
  });
  made.addEventListener("error", () => {
    for (const {done} of waiting.values()) done({error: NO_WORKER});
    waiting.clear();
    worker = undefined;
  });
  return made;
}

function megabytes(bytes) {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
