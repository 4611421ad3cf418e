// SPDX-License-Identifier: Apache-2.0
// The page that chooses a design: filter, plot, table, and what is known of the chosen row.

import {showRow, showWords} from "./detail.js";
import {plotIn} from "./plot.js";
import {METRICS, pick} from "./rules.js";
import {escaped, figure, make} from "./text.js";

/* global libraries, stored */
document.getElementById("missing").remove();
const form = document.getElementById("filter");
const LIMITS = ["max_area", "max_latency", "min_throughput"];
const DEFAULT_WIDTH = 256;
const PHONE = 600;
const STEPS = 200;
let hidden = new Set();

const table = new libraries.Tabulator("#table", {
  data: [], columns: columns(), layout: "fitColumns", responsiveLayout: "hide", maxHeight: "34rem",
  placeholder: "Nothing fits.", headerSortClickElement: "header",
  columnDefaults: {headerSortTristate: false, headerWordWrap: true},
});
const plot = plotIn(document.getElementById("plot"), stored.families, {
  toggled: families => { hidden = families; refresh(); },
  chosen: showRow,
});

function columns() {
  const number = (title, field, responsive, minWidth = 92) => ({
    title, field, responsive, minWidth, hozAlign: "right", headerHozAlign: "right", sorter: "number",
    formatter: cell => figure(cell.getValue()),
  });
  const word = (title, field, responsive, minWidth, formatter) => ({
    title, field, responsive, minWidth, formatter, sorter: "alphanum",
  });
  return [
    word("design", "label", 0, innerWidth < PHONE ? 130 : 225, cell => {
      const row = cell.getData();
      return `<span class="best" title="on the frontier">${row.best ? "●" : ""}</span>`
        + `<button type="button">${escaped(row.label).replace(/[(=]|, /g, "$&<wbr>")}</button>`;
    }),
    number("latency ns", "latency", 0, 80),
    number("area", "area", 0, 80),
    number("area × latency", "product", 2, 110),
    number("results per µs", "throughput", 1),
    number("area per result per µs", "area_per_throughput", 5, 110),
    number("cycles", "cycles", 4, 80),
    word("result", "result", 3, 175, "plaintext"),
    word("constant time", "constant_time", 3, 80, cell => cell.getValue() ? "yes" : "no"),
    word("effort", "effort", 6, 76, cell => escaped(cell.getValue() || "placed")),
    word("sources", "stale", 6, 95, cell => escaped(cell.getValue() || "today's")),
  ];
}

// Controls

function fillSelect(name, values) {
  const select = form.elements[name], old = select.value;
  select.replaceChildren(...values.map(value => make("option", {value}, String(value))));
  select.value = values.map(String).includes(old) ? old : values[0];
}

function distinct(name, rows) {
  return [...new Set(rows.map(row => row[name]))];
}

function fillPlaces() {
  fillSelect("function", stored.functions.filter(name =>
    stored.rows.some(row => row.function === name)));
  const rows = stored.rows.filter(row => row.function === form.elements.function.value);
  fillSelect("target", byCount("target", rows));
  const there = rows.filter(row => row.target === form.elements.target.value);
  fillSelect("width", distinct("width", there).sort((a, b) => a - b));
}

function byCount(name, rows) {
  const count = value => rows.filter(row => row[name] === value).length;
  return distinct(name, rows).sort((one, other) => count(other) - count(one));
}

function ends(name) {
  const {width, target} = request();
  const field = name.slice(4);
  const values = stored.rows.filter(row => row.width === width && row.target === target)
    .map(row => row[field]);
  return [Math.min(...values), Math.max(...values)].map(Math.log);
}

// A slider is logarithmic over the figures there are; at its open end there is no limit.
function sliderMoved(name) {
  const position = Number(form.elements[`${name}_slider`].value) / STEPS;
  const [low, high] = ends(name);
  const open = name.startsWith("max") ? position === 1 : position === 0;
  const value = Math.exp(low + (high - low) * position);
  form.elements[name].value = open ? "" : Number(value.toPrecision(3));
}

function placeSlider(name) {
  const value = limit(name), [low, high] = ends(name);
  const position = value === null ? (name.startsWith("max") ? 1 : 0)
    : (Math.log(value) - low) / (high - low);
  form.elements[`${name}_slider`].value = Math.round(STEPS * position);
}

function limit(name) {
  const value = Number(form.elements[name].value);
  return value > 0 ? value : null;
}

function request() {
  const {width, target, result, minimise} = form.elements;
  const throughput = limit("min_throughput");
  return {
    width: Number(width.value), target: target.value, function: form.elements.function.value,
    result: result.value, minimise: minimise.value,
    constant_time: form.elements.constant_time.checked,
    max_area: limit("max_area"), max_latency: limit("max_latency"),
    max_interval: throughput === null ? null : Number((1e3 / throughput).toPrecision(6)),
  };
}

function command(asked) {
  const words = ["montforge pick", `--width ${asked.width}`, `--target ${asked.target}`];
  for (const name of ["area", "latency", "interval"])
    if (asked[`max_${name}`] !== null) words.push(`--max-${name} ${asked[`max_${name}`]}`);
  if (asked.constant_time) words.push("--constant-time");
  if (asked.result !== "any") words.push(`--result ${asked.result}`);
  if (asked.function !== "multiply") words.push(`--function ${asked.function}`);
  words.push(`--min ${asked.minimise}`);
  return words.join(" ");
}

// The address holds the request, so that it can be linked to.
function readAddress() {
  for (const [name, value] of new URLSearchParams(location.search)) {
    const control = form.elements[name];
    if (!control) continue;
    if (control.type === "checkbox") control.checked = true;
    else control.value = value;
    if (["function", "target"].includes(name)) fillPlaces();
  }
}

function writeAddress() {
  const given = new URLSearchParams();
  for (const control of form.elements) {
    const open = control.type === "checkbox" ? !control.checked : !control.value;
    if (control.name && control.type !== "range" && !open)
      given.set(control.name, control.type === "checkbox" ? "1" : control.value);
  }
  history.replaceState(null, "", `?${given}${location.hash}`);
}

function refresh() {
  const asked = request();
  const wanted = form.elements.name.value.trim().toLowerCase();
  const named = stored.rows.filter(row => row.label.toLowerCase().includes(wanted));
  const found = pick(named.filter(row => !hidden.has(row.family)), asked);
  const comparable = named.filter(row => ["width", "target", "function"]
    .every(name => row[name] === asked[name]));
  plot.draw({...found, comparable}, hidden);
  const best = new Set(found.frontier);
  table.clearSort();
  table.replaceData(found.choices.map(row => ({...row, best: best.has(row), row})));
  document.getElementById("count").textContent =
    `${found.choices.length} of ${comparable.length} measured designs of ${asked.width} bits on`
    + ` ${asked.target} fit; ${found.frontier.length} are on the frontier (●). `
    + `Area is in ${comparable[0]?.area_unit ?? "-"}.`;
  document.getElementById("misses").replaceChildren(...missesOf(found));
  document.getElementById("command").textContent = command(asked);
}

function missesOf({choices, misses}) {
  if (choices.length) return [];
  if (!misses.length) return ["Each design misses two limits or more; move more than one."];
  const items = misses.map(({row, limit, needs}) => {
    const button = make("button", {type: "button", onclick: () => showRow(row)}, row.label);
    return make("li", {}, button, `: ${limit} ${figure(needs)}`);
  });
  return ["The nearest, each with the one limit that it misses:", make("ul", {}, ...items)];
}

fillPlaces();
form.elements.width.value = DEFAULT_WIDTH;
fillSelect("result", stored.ranges);
fillSelect("minimise", METRICS);
readAddress();
LIMITS.forEach(placeSlider);
form.addEventListener("input", ({target}) => {
  if (["function", "target", "width"].includes(target.name)) {
    fillPlaces();
    for (const name of LIMITS) form.elements[name].value = "";
  }
  if (target.type === "range") sliderMoved(target.name.replace("_slider", ""));
  else LIMITS.forEach(placeSlider);
  writeAddress();
  refresh();
});
form.addEventListener("submit", event => event.preventDefault());
document.getElementById("other").addEventListener("submit", event => {
  event.preventDefault();
  showWords(event.target.elements.words.value);
});
table.on("rowClick", (_, line) => showRow(line.getData().row));
table.on("tableBuilt", () => {
  refresh();
  document.getElementById("choose").dataset.ready = performance.now();
});
