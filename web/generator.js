// SPDX-License-Identifier: Apache-2.0
// Folders from the worker, which is started at the first use.

/* global stored */
const NO_WORKER = "The worker did not start: folders are made where the page comes from a web server,"
  + " not from a file. The table and the plot need none.";
const waiting = new Map();
let worker, count = 0;

// Whether the worker was started, so that another folder needs no download.
export function isStarted() {
  return worker !== undefined;
}

// Return a promise of what browser_folder.folder returns; `told` gets {text} or {bytes}, fetched so far, meanwhile.
export async function generated(words, told) {
  try {
    worker ??= started();
  } catch {
    return {error: NO_WORKER};
  }
  count += 1;
  const number = count;
  return new Promise(done => {
    waiting.set(number, {done, told});
    worker.postMessage({number, words, download: stored.download});
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
