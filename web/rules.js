// SPDX-License-Identifier: Apache-2.0
// The rules of montforge.store.pick, for rows of scripts/mkdocs_choose.py. A test compares both.

export const METRICS = ["product", "latency", "area", "interval", "cycles", "throughput"];
const LIMITED = ["area", "latency", "interval"];

// Return what fits a request, the best first, else the nearest misses; and the designs that no
// other fitting one beats in area and latency, by growing area. Keys of a request are those of
// montforge.store.pick.Request; a limit that is missing or null is none.
export function pick(rows, request) {
  const comparable = rows.filter(row => ["width", "target", "function"]
    .every(name => row[name] === request[name]));
  const missed = new Map(comparable.map(row => [row, misses(row, request)]));
  const choices = comparable.filter(row => missed.get(row).length === 0);
  choices.sort((one, other) => rank(one, request) - rank(other, request) || one.area - other.area);
  const near = [...missed.values()].filter(found => found.length === 1).map(([miss]) => miss);
  near.sort((one, other) => one.excess - other.excess
    || rank(one.row, request) - rank(other.row, request));
  return {
    comparable, choices, frontier: frontier(choices), misses: choices.length ? [] : near.slice(0, 3),
  };
}

function rank(row, request) {
  const value = row[request.minimise];
  return request.minimise === "throughput" ? -value : value;
}

function misses(row, request) {
  const found = [];
  for (const name of LIMITED) {
    const limit = request[`max_${name}`] ?? Infinity;
    if (row[name] > limit)
      found.push({row, limit: `--max-${name}`, needs: row[name], excess: row[name] / limit - 1});
  }
  if (request.constant_time && !row.constant_time)
    found.push({row, limit: "--constant-time", needs: "left out", excess: 1});
  if (!row.ranges.includes(request.result))
    found.push({row, limit: "--result", needs: row.result, excess: 1});
  return found;
}

function frontier(choices) {
  const sorted = [...choices].sort((one, other) => one.area - other.area
    || one.latency - other.latency);
  const found = [];
  for (const row of sorted) {
    const best = found.at(-1);
    const equal = best && row.latency === best.latency && row.area === best.area;
    if (!best || row.latency < best.latency || equal) found.push(row);
  }
  return found;
}
