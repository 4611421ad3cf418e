// SPDX-License-Identifier: Apache-2.0
// The rules of montforge.store.pick, for rows of browser_rows.py. A test compares both.

const LIMITED = ["area", "latency", "interval"];

// Return what fits a request, the best first, else the nearest misses; the designs that no other
// fitting one beats in area and latency (`frontier`) and in area and interval (`rate_frontier`), by
// growing area; and the estimates that fit, if they are asked for. Keys of a request are those of
// montforge.store.pick.Request; a limit that is missing or null is none.
export function pick(rows, request) {
  const there = rows.filter(row => isOf(row, request));
  const comparable = there.filter(row => !row.between.length);
  const missed = new Map(there.map(row => [row, misses(row, request)]));
  const fitting = some => some.filter(row => missed.get(row).length === 0)
    .sort((one, other) => rank(one, request) - rank(other, request) || one.area - other.area);
  const choices = fitting(comparable);
  const near = comparable.map(row => missed.get(row)).filter(found => found.length === 1).flat();
  near.sort((one, other) => one.excess - other.excess
    || rank(one.row, request) - rank(other.row, request));
  return {
    comparable, choices,
    frontier: frontier(choices, "latency"), rate_frontier: frontier(choices, "interval"),
    misses: choices.length ? [] : near.slice(0, 3),
    estimates: request.estimate ? fitting(there.filter(row => row.between.length)) : [],
  };
}

// Own RTL, which has no width and no function, is compared with designs of any. Figures with wires
// are compared with such ones alone.
function isOf(row, request) {
  return row.target === request.target && row.is_placed === Boolean(request.placed)
    && ["width", "function"].every(name => [null, request[name]].includes(row[name]));
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

function frontier(choices, time) {
  const sorted = [...choices].sort((one, other) => one.area - other.area || one[time] - other[time]);
  const found = [];
  for (const row of sorted) {
    const best = found.at(-1);
    const equal = best && row[time] === best[time] && row.area === best.area;
    if (!best || row[time] < best[time] || equal) found.push(row);
  }
  return found;
}
