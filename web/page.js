// SPDX-License-Identifier: Apache-2.0
// The page that chooses a design: filter, plot, table, and what is known of the chosen row.

import {showRow, showWords} from "./detail.js";
import {called, FIRST_USE} from "./generator.js";
import {plotIn} from "./plot.js";
import {pick} from "./rules.js";
import {escaped, figure, make} from "./text.js";

/* global libraries, stored */
document.getElementById("missing").remove();
const form = document.getElementById("filter");
const LIMITS = ["max_area", "max_latency", "min_throughput"];
const DEFAULTS = {width: 256, minimise: "product"};
const NO_LIMITS = {max_area: null, max_latency: null, max_interval: null};
const PHONE = 600;
const STEPS = 200;
let hidden = new Set();
let rows = titled(stored.rows); // with those of the user's files, if there are some
let files = [], table, ranked;

const plot = plotIn(document.getElementById("plot"), Object.values(stored.families), {
  toggled: families => { hidden = families; refresh(); },
  chosen: showRow,
});

// Show lines in the table. Its first column of figures, for which a phone has room, is the one that
// designs are ranked by; Tabulator hides others right in a new table alone.
function show(lines, by) {
  const beside = !form.elements.placed.checked && lines.some(line => line.placed);
  if (ranked === `${by} ${beside}`) {
    table.clearSort();
    return table.replaceData(lines);
  }
  ranked = `${by} ${beside}`;
  table?.destroy();
  table = new libraries.Tabulator("#table", {
    data: lines, columns: columns(by, beside), layout: "fitColumns", responsiveLayout: "hide",
    maxHeight: "34rem", placeholder: "Nothing fits.", headerSortClickElement: "header",
    columnDefaults: {headerSortTristate: false, headerWordWrap: true},
  });
  table.on("rowClick", (_, line) => showRow(line.getData().row));
  table.on("tableBuilt", () => {
    document.getElementById("choose").dataset.ready ??= performance.now();
  });
}

function columns(by, beside) {
  const phone = innerWidth < PHONE;
  const number = (title, field, responsive, minWidth = 92, onPhone = 76) => ({
    title, field, responsive, minWidth: phone ? onPhone : minWidth, hozAlign: "right", headerHozAlign: "right", sorter: "number",
    formatter: cell => figure(cell.getValue() ?? "-"),
  });
  const word = (title, field, responsive, minWidth, formatter) => ({
    title, field, responsive, minWidth, formatter, sorter: "alphanum",
  });
  const numbers = [
    number("latency ns", "latency", 1, 84, 64),
    number("area", "area", 0, 80),
    number("area × latency", "product", 2, 110, 86),
    number("results per µs", "throughput", 1),
    number("area per result per µs", "area_per_throughput", 5, 110),
    number("interval ns", "interval", 5, 90),
    number("cycles", "cycles", 4, 80),
    ...beside ? [number("placed: area × latency", "placed.area_time", 4, 110)] : [],
  ];
  return [
    word("design", "label", 0, phone ? 126 : 225, cell => {
      const row = cell.getData();
      const marks = row.marks.map(([mark, title]) => `<span title="${title}">${mark}</span>`);
      return `<span class="marks">${marks.join("")}</span>`
        + `<button type="button">${escaped(row.label).replace(/[(=]|, /g, "$&<wbr>")}</button>`
        + (row.added ? ` <small>your file</small>` : "")
        + (row.between.length ? ` <small>estimate</small>` : "");
    }),
    ...numbers.filter(({field}) => field === by).map(column => ({...column, responsive: 0})),
    ...numbers.filter(({field}) => field !== by),
    word("result", "result", 3, 175, "plaintext"),
    word("constant time", "constant_time", 3, 94, cell => cell.getValue() ? "yes" : "no"),
    word("effort", "effort", 6, 76, cell => cell.getData().between.length ? "not measured"
      : escaped(cell.getValue() || "placed")),
    word("sources", "stale", 6, 95, cell => escaped(cell.getValue() || "today's")),
  ];
}

// Controls

function fillSelect(name, values) {
  const select = form.elements[name], old = select.value;
  const text = value => String(value).replaceAll("_", " ");
  select.replaceChildren(...values.map(value => make("option", {value}, text(value))));
  select.value = values.map(String).includes(old) ? old : values[0];
}

function distinct(name, known) {
  return [...new Set(known.map(row => row[name]))];
}

function titled(given) {
  return given.map(row => ({...row, family: stored.families[row.family]}));
}

function fillPlaces() {
  form.elements.placed.disabled = !rows.some(row => row.is_placed);
  form.elements.placed.checked &&= !form.elements.placed.disabled;
  fillSelect("function", stored.functions.filter(name => rows.some(row => row.function === name)));
  const known = rows.filter(row => row.function === form.elements.function.value
    && row.is_placed === form.elements.placed.checked
    && (form.elements.estimate.checked || !row.between.length));
  fillSelect("target", byCount("target", known));
  const there = known.filter(row => row.target === form.elements.target.value);
  fillSelect("width", distinct("width", there).sort((a, b) => a - b));
}

function byCount(name, known) {
  const count = value => known.filter(row => row[name] === value).length;
  return distinct(name, known).sort((one, other) => count(other) - count(one));
}

function ends(name) {
  const {comparable, estimates} = pick(rows, {...request(), ...NO_LIMITS});
  const values = [...comparable, ...estimates].map(row => row[name.slice(4)]);
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
    constant_time: form.elements.constant_time.checked, estimate: form.elements.estimate.checked,
    placed: form.elements.placed.checked,
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
  if (asked.estimate) words.push("--estimate");
  if (asked.placed) words.push("--placed");
  words.push(...files.map(name => `--with ${name}`));
  return words.join(" ");
}

// The address holds the request, so that it can be linked to.
function readAddress() {
  for (const [name, value] of new URLSearchParams(location.search)) {
    const control = form.elements[name];
    if (!control || control.type === "file") continue;
    if (control.type === "checkbox") control.checked = true;
    else control.value = value;
    if (["placed", "estimate", "function", "target"].includes(name)) fillPlaces();
  }
}

function writeAddress() {
  const given = new URLSearchParams();
  for (const control of form.elements) {
    const open = control.type === "checkbox" ? !control.checked : !control.value;
    if (control.name && !["range", "file"].includes(control.type) && !open)
      given.set(control.name, control.type === "checkbox" ? "1" : control.value);
  }
  history.replaceState(null, "", `?${given}${location.hash}`);
}

function refresh() {
  const asked = request();
  const wanted = form.elements.name.value.trim().toLowerCase();
  const named = rows.filter(row => row.label.toLowerCase().includes(wanted));
  const found = pick(named.filter(row => !hidden.has(row.family)), asked);
  const {comparable} = pick(named, asked);
  const byRate = stored.by_rate.includes(asked.minimise);
  plot.draw({
    ...found, comparable, time: byRate ? "interval" : "latency",
    best: byRate ? found.rate_frontier : found.frontier,
  }, hidden);
  const best = new Set(found.frontier), bestRates = new Set(found.rate_frontier);
  show([...found.choices, ...found.estimates].map(row => ({
    ...row, row, marks: [
      ...best.has(row) ? [["●", "no other is as small and as quick"]] : [],
      ...bestRates.has(row) ? [["+", "no other is as small, with as many results per µs"]] : [],
      ...row.between.length ? [["≈", "an estimate, not measured"]] : [],
    ],
  })), asked.minimise);
  const unit = [...comparable, ...found.estimates][0]?.area_unit ?? "-";
  document.getElementById("count").textContent =
    `${found.choices.length} of ${comparable.length} measured designs of ${asked.width} bits on`
    + ` ${asked.target} fit; ${best.size} are on the frontier of area and latency (●),`
    + ` ${bestRates.size} on that of area and results per µs (+). Area is in ${unit}.`
    + wiresText(asked, named, comparable)
    + (found.estimates.length ? ` ${found.estimates.length} more are estimates (≈), unranked and last:`
      + " area and period lie between those of two measured widths." : "");
  document.getElementById("misses").replaceChildren(...missesOf(found));
  document.getElementById("command").textContent = command(asked);
}

function wiresText(asked, named, comparable) {
  const {comparable: others} = pick(named, {...asked, placed: !asked.placed});
  if (asked.placed)
    return " Area and times are those of placed and sized netlists;"
      + ` ${others.length - comparable.length} measured designs have none and are not ranked.`;
  return others.length ? " Ranked without placed wires;"
    + ` ${comparable.length - others.length} designs have no figures with them.` : "";
}

// Files of the user: rows of the store's format, and figures of own RTL. The package reads them.
async function filesChosen(given) {
  const status = document.getElementById("own_status"), {target} = request();
  const contents = {};
  for (const file of given) contents[file.name] = await file.text();
  const made = given.length ? await called("rows_with", [JSON.stringify(contents), target], status)
    : {rows: "[]", targets: []};
  if (made.error) {
    status.replaceChildren(make("span", {className: "error"}, made.error));
    return;
  }
  const added = JSON.parse(made.rows);
  rows = titled([...stored.rows.filter(row => !made.targets.includes(row.target)), ...added]);
  files = Object.keys(contents);
  const count = added.filter(row => row.added && !row.is_placed).length;
  status.textContent = given.length
    ? `${count} new rows of ${files.join(", ")}, on ${made.targets.join(", ")}` : FIRST_USE;
  fillPlaces();
  LIMITS.forEach(placeSlider);
  refresh();
}

function missesOf({choices, estimates, misses}) {
  if (choices.length || estimates.length) return [];
  if (!misses.length) return ["Each design misses two limits or more; move more than one."];
  const items = misses.map(({row, limit, needs}) => {
    const button = make("button", {type: "button", onclick: () => showRow(row)}, row.label);
    return make("li", {}, button, `: ${limit} ${figure(needs)}`);
  });
  return ["The nearest, each with the one limit that it misses:", make("ul", {}, ...items)];
}

fillPlaces();
fillSelect("result", stored.ranges);
fillSelect("minimise", stored.metrics);
for (const [name, value] of Object.entries(DEFAULTS)) form.elements[name].value = value;
document.getElementById("own_status").textContent = FIRST_USE;
readAddress();
LIMITS.forEach(placeSlider);
form.addEventListener("input", ({target}) => {
  if (target.type === "file") return filesChosen([...target.files]);
  if (["estimate", "placed"].includes(target.name)) fillPlaces();
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
refresh();
