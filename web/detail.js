// SPDX-License-Identifier: Apache-2.0
// What is known of one design, and its folder.

import {marked} from "marked";

import {called, FIRST_USE, isStarted} from "./generator.js";
import {figure, make} from "./text.js";

const section = document.getElementById("detail");

// Show a row of the store: figures, contract, commands, folder, block diagram.
export function showRow(row) {
  const contract = make("pre", {className: "contract"}, row.promise);
  show(row.label, row.words.join(" "), row.architecture, [
    make("div", {className: "columns"}, figures(row), ...row.promise ? [contract] : []),
    ...row.notes.map(note => make("p", {}, note)),
    make("h3", {}, "Commands"),
    ...row.generate ? [copied(row.generate)] : [],
    copied(row.measure),
  ]);
}

// Generate a design that is given by the words of `montforge generate`.
export function showWords(words) {
  const [name] = words.replace(/^\s*montforge\s+generate\s+/, "").trim().split(/\s+/);
  show(words, words, name, []);
  section.querySelector("button.generate")?.click();
}

function show(title, words, architecture, parts) {
  const diagram = make("div", {});
  section.replaceChildren(make("h2", {}, title), ...parts, diagram, ...words ? [folder(words)] : []);
  section.hidden = false;
  section.scrollIntoView({block: "start"});
  drawing(architecture).then(found => diagram.append(...found));
}

function figures(row) {
  const measured = row.between.length
    ? [`no, area and period lie between those of ${row.between.join(" and ")} bits`]
    : [row.effort && `${row.effort} effort`, row.wires,
      row.netlist_checked ? "netlist simulated" : "netlist not simulated"];
  const lines = [
    ["width, target", `${row.width ? `${row.width} bits` : "not stated"}, ${row.target}`],
    [`area ${row.area_unit}`, figure(row.area)],
    ["latency ns", figure(row.latency)],
    ["interval ns", figure(row.interval)],
    ["results per µs", figure(row.throughput)],
    ["cycles", figure(row.cycles)],
    ["clock period ns", figure(row.period)],
    ["result", row.result],
    ["constant time", row.constant_time ? `yes, by the ${row.constant_time_rests_on}` : "no"],
    ...row.memory_bits ? [["memory bits, not in the area", figure(row.memory_bits)]] : [],
    ["measured", measured.filter(Boolean).join(", ")],
    ...row.placed ? [["with placed wires", wires(row.placed)]] : [],
    ["sources", row.stale ? `older: ${row.stale}` : "today's"],
  ];
  return make("table", {}, make("tbody", {}, ...lines.map(([name, value]) =>
    make("tr", {}, make("th", {scope: "row"}, name), make("td", {}, value)))));
}

function wires(placed) {
  return `${figure(placed.period_placed)} ns, sized ${figure(placed.period_sized)} ns and`
    + ` ${figure(placed.area_sized)} µm²`;
}

function copied(command) {
  const button = make("button", {type: "button", onclick: async () => {
    await navigator.clipboard.writeText(command);
    button.textContent = "copied";
  }}, "copy");
  return make("p", {className: "copied"}, button, make("code", {}, command));
}

// The part that makes the folder: at once if Python is here, else after a click.
function folder(words) {
  const button = make("button", {type: "button", className: "generate md-button"}, "Make the folder");
  const place = make("div", {className: "folder"}, make("h3", {}, "Folder"),
    make("p", {}, button, " ", make("small", {}, FIRST_USE)));
  button.addEventListener("click", () => fill(place, words));
  if (isStarted()) fill(place, words);
  return place;
}

async function fill(place, words) {
  const heading = make("h3", {}, "Folder"), status = make("p", {role: "status"});
  place.replaceChildren(heading, status);
  const made = await called("folder", [words], status);
  if (made.error) place.replaceChildren(heading, make("p", {className: "error"}, made.error));
  else place.replaceChildren(heading, ...shown(made));
}

function shown(made) {
  const href = URL.createObjectURL(new Blob([made.zip], {type: "application/zip"}));
  const names = Object.entries(made.files).map(([name, size]) =>
    make("li", {}, make("code", {}, name), ` ${size.toLocaleString("en")}`));
  const sheet = make("div", {className: "datasheet"});
  sheet.innerHTML = marked.parse(made.datasheet);
  return [
    make("p", {}, make("a", {href, download: `${made.name}.zip`, className: "md-button"},
      `Download ${made.design.split("(")[0]}, ${Math.ceil(made.zip.length / 1000)} kB`)),
    make("p", {}, "Run ", make("code", {}, "make"), " in it for its testbench. The files are those"
      + " of the command; plain Verilog (--flat-verilog), which Yosys makes, is for the command alone."),
    make("details", {}, make("summary", {}, `${names.length} files`), make("ul", {}, ...names)),
    make("details", {}, make("summary", {}, "Contract"), make("pre", {}, made.contract)),
    make("details", {open: true}, make("summary", {}, "Datasheet"), sheet),
  ];
}

// Return the block diagram of an architecture's page, and a link to that page.
async function drawing(architecture) {
  const address = new URL(`../architectures/${architecture}/`, document.baseURI);
  const answer = await fetch(address).catch(() => null);
  if (!answer?.ok) return [];
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const found = page.querySelector(".diagram svg:has(g.graph)");
  const link = make("p", {}, make("a", {href: address.href}, `The page of ${architecture}`));
  if (!found) return [link];
  return [make("h3", {}, "Block diagram"), make("div", {className: "diagram"}, found), link];
}
