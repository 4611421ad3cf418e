# SPDX-License-Identifier: Apache-2.0
"""The pages of the documentation as Chromium shows them.

No text leaves its box, of a diagram or of the page, and no page is wider than the window.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from mkdocs_diagrams import FENCE

from browser import chromium, served

DOCS = Path(__file__).parents[1] / "docs"
WIDTHS = (1400, 390)  # of the window, in pixels: a desktop's and a telephone's
FAULTS = """() => {
  const union = elements => {
    const boxes = elements.map(element => element.getBoundingClientRect());
    return {
      left: Math.min(...boxes.map(box => box.left)),
      right: Math.max(...boxes.map(box => box.right)),
      top: Math.min(...boxes.map(box => box.top)),
      bottom: Math.max(...boxes.map(box => box.bottom)),
    };
  };
  // a node of Graphviz with a shape
  const nodeBox = text => {
    const shapes = text.closest("g.node, g.cluster")?.querySelectorAll("polygon, ellipse, path");
    return shapes?.length ? union([...shapes]) : null;
  };
  // a value in a lane of WaveDrom lies between two changes, whose slopes are 6 units wide
  const valueBox = (text, svg, box) => {
    const lane = text.closest("g[id^=wavelane_draw_]");
    if (!lane) return null;
    const slope = 6 * svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
    const {left: start, right: end, top, bottom} = union([...lane.querySelectorAll("use")]);
    const changes = [...lane.querySelectorAll("use")]
      .filter(use => use.href.baseVal.includes("m"))
      .map(use => use.getBoundingClientRect().left + slope / 2);
    const middle = (box.left + box.right) / 2;
    return {
      left: Math.max(start, ...changes.filter(change => change < middle)),
      right: Math.min(end, ...changes.filter(change => change > middle)),
      top, bottom,
    };
  };
  const outside = (inner, outer) => Math.max(
    outer.left - inner.left, inner.right - outer.right,
    outer.top - inner.top, inner.bottom - outer.bottom,
  ) > 0.5;
  const meet = (a, b) =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 0.3 * Math.min(a.height, b.height);

  const faults = [];
  const figures = [...document.querySelectorAll("svg")].filter(svg => svg.querySelector("text"));
  for (const svg of figures) {
    const texts = [...svg.querySelectorAll("text")]
      .map(text => ({text, name: text.textContent, box: text.getBoundingClientRect()}))
      .filter(({box}) => box.width > 0);
    for (const {text, name, box} of texts) {
      if (outside(box, svg.getBoundingClientRect())) faults.push(`${name}: leaves the figure`);
      const own = nodeBox(text) ?? valueBox(text, svg, box);
      if (own && outside(box, own)) faults.push(`${name}: leaves its box`);
    }
    texts.forEach((a, i) => texts.slice(i + 1).filter(b => meet(a.box, b.box))
      .forEach(b => faults.push(`${a.name}: lies on ${b.name}`)));
  }
  return {figures: figures.length, faults};
}"""
OUTSIDE = """() => [
  ...document.querySelectorAll("html, article :is(p, li, td, th, h1, h2, h3, h4)"),
 ].filter(box => box.clientWidth && box.scrollWidth > box.clientWidth + 4)
 .filter(box => !box.closest(".diagram"))
 .map(box => `${box.tagName}: ${box.textContent.trim().slice(0, 40)}`)"""
"""Boxes, that of the page among them, that their text leaves by more than the margin of code."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if shutil.which("dot") is None:
        pytest.skip("Graphviz is not installed (apt-get install graphviz)")
    folder = tmp_path_factory.mktemp("site")
    subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--quiet", "--site-dir", folder],
        cwd=DOCS.parent,
        check=True,
        capture_output=True,
    )
    return folder


def addresses() -> dict[str, Path]:
    """The pages by their addresses."""
    pages = DOCS.rglob("*.md")
    return {p.relative_to(DOCS).with_suffix("").as_posix().removesuffix("index"): p for p in pages}


def figures() -> dict[str, int]:
    """Addresses of the pages with diagrams, and how many each page has."""
    found = {at: len(FENCE.findall(page.read_text())) for at, page in addresses().items()}
    return {address: number for address, number in found.items() if number}


@pytest.mark.slow
def test_no_text_leaves_its_box_and_no_page_is_wider_than_a_telephone(site: Path) -> None:
    faults = []
    diagrams = figures() | {"overview.svg": 1}
    with chromium() as browser, served(site) as root:
        for width in WIDTHS:
            page = browser.new_page(viewport={"width": width, "height": 900})
            for address in diagrams if width != min(WIDTHS) else {**addresses(), **diagrams}:
                page.goto(f"{root}/{address}", wait_until="domcontentloaded")
                found = page.evaluate(OUTSIDE) if width == min(WIDTHS) else []
                if address in diagrams:
                    seen = page.evaluate(FAULTS)
                    assert seen["figures"] == diagrams[address], address
                    found += seen["faults"]
                faults += [f"{address} at {width} pixels: {fault}" for fault in found]
    assert not faults, "\n".join(faults)


def test_what_is_too_wide_is_seen() -> None:
    with chromium() as browser:
        page = browser.new_page(viewport={"width": min(WIDTHS), "height": 900})
        page.set_content("<div style='width: 999px'>wide</div>")
        assert "HTML: wide" in page.evaluate(OUTSIDE)
        page.set_content("<article style='width: 9em; overflow: hidden'><p>" + 99 * "w")
        assert [fault[:4] for fault in page.evaluate(OUTSIDE)] == ["P: w"]
