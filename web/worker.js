// SPDX-License-Identifier: Apache-2.0
// The worker that generates folders: Pyodide with the package, loaded at the first request.

import {loadPyodide} from "./pyodide/pyodide.mjs";

let package_; // a promise of the Python module browser_folder and of the function to_js

self.addEventListener("message", async ({data: {number, words, download}}) => {
  const tell = progress => self.postMessage({number, progress});
  try {
    package_ ??= load(tell, download);
    const {folder, convert} = await package_;
    tell({text: "generating"});
    self.postMessage({number, result: convert(folder(words))});
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
  const module = python.pyimport("browser_folder");
  self.loaded = true;
  return {
    folder: words => module.folder(words),
    convert: made => made.toJs({dict_converter: Object.fromEntries}),
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
