# SPDX-License-Identifier: Apache-2.0
"""How long docs/choose takes to be ready in headless Chromium, and to make folders; its bytes.

    make docs && python benchmarks/bench_page.py [--runs 5]

Each run has an empty browser cache and a new worker; site/ comes from a server on this machine.
Status 1 if the median of the runs is ready after more than three seconds.
"""

from __future__ import annotations

import argparse
import gzip
import os
import statistics
import sys
import time
from pathlib import Path

from playwright.sync_api import Browser, Page

ROOT = Path(__file__).parents[1]
sys.path.append(str(ROOT / "tests"))
from browser import chromium, served  # noqa: E402

SITE = ROOT / "site"
FOLDER = SITE / "choose"
LIMIT = 3.0
PARTS = {
    "page and store": ("index.html", "page.js", "page.css", "stored.js"),
    "ECharts and Tabulator": ("libraries.js", "tabulator.css"),
    "Pyodide, at the first folder": ("worker.js", "pyodide/*"),
    "montforge, at the first folder": ("package.zip",),
}
FILTER = """() => {
  const start = performance.now(), input = document.querySelector("[name=max_area]");
  input.value = 40000;
  input.dispatchEvent(new Event("input", {bubbles: true}));
  return (performance.now() - start) / 1000;
}"""
STEPS = ("page is ready", "another filter", "first folder", "second folder")


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--runs", type=int, default=5)
    if not (FOLDER / "package.zip").is_file():
        sys.exit("site/choose is missing; make docs builds it (with npm).")
    with served(SITE) as root, chromium() as browser:
        runs = [run(browser, f"{root}/choose/") for _ in range(options.parse_args().runs)]
    print(f"{os.cpu_count()} processors, load average {os.getloadavg()[0]:.1f}\n")
    print("| step | median s | least s |\n| --- | ---: | ---: |")
    for step, values in zip(STEPS, zip(*runs, strict=True), strict=True):
        print(f"| {step} | {statistics.median(values):.2f} | {min(values):.2f} |")
    print("\n| files | kB | kB with gzip |\n| --- | ---: | ---: |")
    for name, patterns in PARTS.items():
        contents = [path.read_bytes() for each in patterns for path in FOLDER.glob(each)]
        packed = sum(len(gzip.compress(content)) for content in contents)
        print(f"| {name} | {sum(map(len, contents)) / 1e3:,.0f} | {packed / 1e3:,.0f} |")
    return int(statistics.median(ready for ready, *_ in runs) > LIMIT)


def run(browser: Browser, address: str) -> tuple[float, float, float, float]:
    """Return the seconds of `STEPS`."""
    context = browser.new_context(viewport={"width": 1400, "height": 900})
    page = context.new_page()
    page.goto(address)
    page.wait_for_selector("#choose[data-ready]")
    ready = float(page.locator("#choose").get_attribute("data-ready") or "nan") / 1e3
    seconds = (
        ready,
        float(page.evaluate(FILTER)),
        folder(page, "unit_csa -p width=256"),
        folder(page, "scs_mm_ct -p width=256"),
    )
    context.close()
    return seconds


def folder(page: Page, words: str) -> float:
    """Return the seconds until the folder of a design can be downloaded."""
    begin = time.monotonic()
    page.locator("#other input").fill(words)
    page.locator("#other button").click()
    page.locator("#detail a[download]").wait_for(timeout=120_000)
    return time.monotonic() - begin


if __name__ == "__main__":
    sys.exit(main())
