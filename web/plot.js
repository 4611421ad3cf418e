// SPDX-License-Identifier: Apache-2.0
// The plot of area and time, both logarithmic: a colour and a mark for each family.

import {escaped, figure} from "./text.js";

/* global libraries, stored */
const SYMBOLS = ["circle", "rect", "triangle", "diamond", "path://M0,0 L10,0 L5,9 Z",
  "path://M3,0h4v3h3v4h-3v3h-4v-3h-3v-4h3z",
  "path://M5,0 L6.5,3.5 L10,3.8 L7.3,6.2 L8.2,10 L5,7.9 L1.8,10 L2.7,6.2 L0,3.8 L3.5,3.5 Z",
  "path://M2,0 L5,3 L8,0 L10,2 L7,5 L10,8 L8,10 L5,7 L2,10 L0,8 L3,5 L0,2 Z",
  "path://M0,5 L9,0 L9,10 Z", "path://M0,0 L9,5 L0,10 Z", "path://M0,2 h10 v6 h-10 Z"];
// A finger scrolls the page.
const ZOOM = {
  type: "inside", filterMode: "none", zoomOnMouseWheel: "ctrl",
  disabled: !globalThis.matchMedia?.("(pointer: fine)").matches,
};
const FRONTIER = "frontier", OTHERS = "does not fit", ESTIMATES = "estimate, not measured";
const TIMES = {latency: "latency, ns", interval: "time between two operations, ns"};

// Return an object with draw(found, hidden) into an element; `found.time` is the row's time that is
// drawn, `found.best` the frontier. `toggled` is called with the families that the legend hides,
// `chosen` with the row of a clicked mark.
export function plotIn(element, families, {toggled, chosen}) {
  const chart = libraries.init(element);
  let rows = [], time = "latency";
  chart.on("legendselectchanged", ({selected}) =>
    toggled(new Set(families.filter(name => selected[name] === false))));
  chart.on("click", ({data}) => data?.row && chosen(data.row));
  chart.on("datazoom", () => chart.setOption(axes(chart, rows, time)));
  chart.getZr().on("dblclick", () => {
    for (const dataZoomIndex of [0, 1])
      chart.dispatchAction({type: "dataZoom", dataZoomIndex, start: 0, end: 100});
  });
  new ResizeObserver(() => {
    chart.resize();
    if (rows.length) chart.setOption(layout(element.clientWidth));
  }).observe(element);

  function draw(found, hidden) {
    rows = [...found.comparable, ...found.estimates];
    time = found.time;
    const place = row => [Math.log10(row.area), Math.log10(row[time])];
    const scatter = (name, drawn, style, own = () => ({})) => ({
      type: "scatter", name, ...style,
      data: drawn.map(row => ({value: place(row), row, ...own(row)})),
    });
    const known = families.filter(family => rows.some(row => row.family === family));
    const fits = new Set(found.choices), best = new Set(found.best);
    const estimates = found.estimates.filter(row => !hidden.has(row.family));
    const marks = known.map(family => {
      const at = families.indexOf(family);
      return scatter(family, rows.filter(row => row.family === family && fits.has(row)), {
        symbol: SYMBOLS[at % SYMBOLS.length],
        symbolSize: (_, {data}) => best.has(data.row) ? 15 : 10,
        itemStyle: {color: stored.colours[at % stored.colours.length]},
      }, row => best.has(row) ? {itemStyle: {borderColor: stored.frontier_colour, borderWidth: 1.5}} : {});
    });
    const {legend, grid} = layout(element.clientWidth);
    chart.setOption({
      animation: false, grid, ...axes(chart, rows, time),
      legend: {
        ...legend, data: [...known, FRONTIER, OTHERS, ...estimates.length ? [ESTIMATES] : []],
        selected: Object.fromEntries(known.map(name => [name, !hidden.has(name)])),
      },
      tooltip: {trigger: "item", confine: true, formatter: ({data}) => data?.row ? hover(data.row) : ""},
      dataZoom: [{...ZOOM, xAxisIndex: 0}, {...ZOOM, yAxisIndex: 0}],
      series: [
        scatter(OTHERS, found.comparable.filter(row => !fits.has(row) && !hidden.has(row.family)),
          {symbol: "circle", symbolSize: 5, itemStyle: {color: "#b5bcc4"}}),
        {
          type: "line", name: FRONTIER, step: "end", showSymbol: false, silent: true,
          lineStyle: {color: stored.frontier_colour, width: 1.2},
          itemStyle: {color: stored.frontier_colour},
          data: found.best.map(place),
        },
        scatter(ESTIMATES, estimates, {
          symbol: "emptyDiamond", symbolSize: 11, itemStyle: {color: "#777"},
        }),
        ...marks,
      ],
    }, {replaceMerge: ["series"]});
  }

  return {draw};
}

function layout(width) {
  const narrow = width < 600;
  return {
    legend: {top: 0, left: 0, right: 0, itemGap: narrow ? 8 : 14, itemWidth: 14, itemHeight: 10,
      textStyle: {fontSize: narrow ? 11 : 13}, type: "plain"},
    grid: {left: narrow ? 52 : 62, right: 16, top: narrow ? 110 : 56, bottom: 44},
  };
}

function axes(chart, rows, time) {
  const unit = rows[0]?.area_unit ?? "";
  const zoom = chart.getOption()?.dataZoom ?? [];
  return {
    xAxis: axis(rows.map(row => row.area), `area, ${unit}`, 28, zoom[0]),
    yAxis: axis(rows.map(row => row[time]), TIMES[time], 44, zoom[1]),
  };
}

// An axis of logarithms with ticks at plain numbers of the part that is shown.
function axis(values, name, nameGap, zoom) {
  const ends = [Math.min(...values), Math.max(...values)].map(Math.log10);
  const room = 0.05 * (ends[1] - ends[0]) + 0.02;
  const [min, max] = [ends[0] - room, ends[1] + room];
  const part = percent => min + (max - min) * percent / 100;
  const ticks = logTicks(part(zoom?.start ?? 0), part(zoom?.end ?? 100));
  return {
    type: "value", min, max, name, nameLocation: "middle", nameGap,
    axisLine: {show: true, onZero: false},
    axisTick: {show: true, customValues: ticks},
    axisLabel: {customValues: ticks, hideOverlap: true, formatter: at => figure(10 ** at)},
    splitLine: {show: false},
  };
}

// Return logarithms of 1, 2, 5 times powers of ten between two logarithms; of more digits where
// there are less than four of these.
export function logTicks(low, high) {
  for (const steps of [[1, 2, 5], [1, 1.5, 2, 3, 4, 5, 6, 8], range(10, 100).map(n => n / 10)]) {
    const found = range(Math.floor(low), Math.ceil(high))
      .flatMap(decade => steps.map(step => decade + Math.log10(step)))
      .filter(at => at >= low && at <= high);
    if (found.length >= 3) return found;
  }
  return [low, high];
}

function range(start, end) {
  return Array.from({length: Math.max(0, end - start)}, (_, at) => start + at);
}

function hover(row) {
  const lines = [
    `area ${figure(row.area)} ${row.area_unit}`, `latency ${figure(row.latency)} ns`,
    `${figure(row.throughput)} results per µs`, `${figure(row.cycles)} cycles`, row.result,
    row.constant_time ? "constant time" : "time depends on data",
    ...row.between.length ? [`estimate between ${row.between.join(" and ")} bits`] : [],
  ];
  return `<b>${escaped(row.label)}</b><br>${lines.map(escaped).join("<br>")}`;
}
