// SPDX-License-Identifier: Apache-2.0
// Numbers and elements.

// Return a figure with four digits, of large ones all before the point.
export function figure(value) {
  if (value === null || value === undefined) return "-";
  if (typeof value !== "number") return String(value);
  if (Math.abs(value) >= 1000) return Math.round(value).toLocaleString("en");
  return String(Number(value.toPrecision(4)));
}

export function escaped(text) {
  return String(text).replace(/&/g, "&amp;").replace(/</g, "&lt;");
}

// Make an element with attributes (and properties) and children.
export function make(tag, attributes = {}, ...children) {
  const element = Object.assign(document.createElement(tag), attributes);
  element.append(...children);
  return element;
}
