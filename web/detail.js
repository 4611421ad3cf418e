// SPDX-License-Identifier: Apache-2.0
// What is known of one stored design.

import {figure, make} from "./text.js";

export function showDetail(row, place) {
  place.replaceChildren(
    make("h2", {}, row.label),
    make("div", {className: "columns"}, figures(row), make("pre", {className: "contract"}, row.promise)),
    make("h3", {}, "Commands"),
    ...row.generate ? [copied(row.generate)] : [],
    copied(row.measure),
  );
  place.hidden = false;
  place.scrollIntoView({block: "start"});
  diagram(row.architecture).then(found => place.append(...found));
}

function figures(row) {
  const measured = [row.effort && `${row.effort} effort`, row.wires,
    row.netlist_checked ? "netlist simulated" : "netlist not simulated"];
  const lines = [
    ["width, target", `${row.width} bits, ${row.target}`],
    [`area ${row.area_unit}`, figure(row.area)],
    ["latency ns", figure(row.latency)],
    ["interval ns", figure(row.interval)],
    ["results per µs", figure(row.throughput)],
    ["cycles", figure(row.cycles)],
    ["clock period ns", figure(row.period)],
    ["result", row.result],
    ["constant time", row.constant_time ? "yes, by the contract" : "no"],
    ["measured", measured.filter(Boolean).join(", ")],
    ["sources", row.stale ? `older: ${row.stale}` : "today's"],
  ];
  return make("table", {}, make("tbody", {}, ...lines.map(([name, value]) =>
    make("tr", {}, make("th", {scope: "row"}, name), make("td", {}, value)))));
}

function copied(command) {
  const button = make("button", {type: "button", onclick: async () => {
    await navigator.clipboard.writeText(command);
    button.textContent = "copied";
  }}, "copy");
  return make("p", {className: "copied"}, button, make("code", {}, command));
}

// Return the block diagram of an architecture's page, and a link to that page.
async function diagram(architecture) {
  const address = new URL(`../architectures/${architecture}/`, document.baseURI);
  const link = make("p", {}, make("a", {href: address.href}, `The page of ${architecture}`));
  const answer = await fetch(address).catch(() => null);
  if (!answer?.ok) return [];
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const drawing = page.querySelector(".diagram svg:has(g.graph)");
  if (!drawing) return [link];
  return [make("h3", {}, "Block diagram"), make("div", {className: "diagram"}, drawing), link];
}
