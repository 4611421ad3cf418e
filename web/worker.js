// SPDX-License-Identifier: Apache-2.0
// The worker that calls the package: Pyodide, loaded at the first request.

import {loadPyodide} from "./pyodide/pyodide.mjs";

let package_; // a promise of a function that calls one of `MODULES`
const MODULES = {folder: "browser_folder", rows_with: "browser_rows"};

self.addEventListener("message", async ({data: {number, name, given, download}}) => {
  const tell = progress => self.postMessage({number, progress});
  try {
    package_ ??= load(tell, download);
    const call = await package_;
    tell({text: "working"});
    self.postMessage({number, result: call(name, given)});
  } catch (error) {
    if (!self.loaded) package_ = undefined; // the next request tries again
    self.postMessage({number, result: {error: lastLine(error)}});
  }
});

async function load(tell, total) {
  countFetched(bytes => tell(bytes < total ? {bytes} : {text: "starting Python"}));
  const archive = fetch("package.zip").then(answer => answer.arrayBuffer());
  const python = await loadPyodide({env: {HOME: "/home", MONTFORGE_CACHE: "/tmp/montforge"}});
  tell({text: "starting the package"});
  python.unpackArchive(await archive, "zip", {extractDir: "/package"});
  python.runPython("import sys; sys.path.insert(0, '/package')");
  self.loaded = true;
  return (name, given) => {
    const made = python.pyimport(MODULES[name])[name](...given);
    return made.toJs({dict_converter: Object.fromEntries});
  };
}

// Have `told` called with the number of bytes that fetch has brought.
function countFetched(told) {
  const original = self.fetch;
  let bytes = 0;
  self.fetch = async (...request) => {
    const answer = await original(...request);
    if (!answer.ok) throw new Error(`${answer.url}: ${answer.status} ${answer.statusText}`);
    const count = new TransformStream({
      transform(chunk, controller) {
        bytes += chunk.length;
        told(bytes);
        controller.enqueue(chunk);
      },
    });
    return new Response(answer.body.pipeThrough(count), answer);
  };
}

function lastLine(error) {
  return String(error.message ?? error).trim().split("\n").at(-1);
}
