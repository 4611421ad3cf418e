# SPDX-License-Identifier: Apache-2.0
"""The page in headless Chromium: offline, zoom, hover, filters, sorting, copied commands."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from browser import chromium
from montforge.explore import Exploration, Row, write_exploration
from montforge.explore.files import PAGE

FIGURES = [  # architecture, area, time
    ("mm_r2", 14_000.0, 320.0),
    ("mm_r2", 15_000.0, 350.0),
    ("rmm", 90_000.0, 31.0),
    ("rmm", 9_000.0, 400.0),
    ("rmm", 140_000.0, 16.5),
    ("<b>odd</b>", 120_000.0, 25.0),
]


def row(number: int, architecture: str, area: float | None, time: float | None) -> Row:
    label = f"{architecture}(k={number})"
    return Row(
        design=f"{architecture}_k{number}",
        label=label,
        architecture=architecture,
        parameters={"width": 256, "k": number},
        status="failed" if area is None else "measured",
        message="it needs more than 9 MB (--memory-limit)" if area is None else "",
        area=area,
        area_unit="um2" if area else None,
        area_registers=area and area / 2,
        resources=None,
        period=1.5,
        period_no_wires=1.4,
        time_unit="ns" if area else None,
        fmax_mhz=666.0,
        cycles=10.0,
        handover=1,
        interval="12",
        latency=time and time - 1.5,
        area_latency=area * (time - 1.5) if area and time else None,
        time=time,
        area_time=area * time if area and time else None,
        critical_path="a_q[0] -> s_q[1]",
        tools={"yosys": "0.70"},
        command=f"montforge measure {architecture} -p width=256 -p k={number} --target nangate45",
        commit=None,
        inputs="0",
        seconds=1.0,
        peak_mb=100.0,
    )


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rows = [row(number, *figures) for number, figures in enumerate(FIGURES, 1)]
    rows.append(row(7, "rmm", None, None))
    found = Exploration(
        title="256 bits on nangate45",
        target="nangate45",
        target_title="a library",
        command="montforge explore --width 256 --target nangate45 -o DIR",
        rows=tuple(rows),
        left_out=3,
        seconds=60.0,
    )
    folder = tmp_path_factory.mktemp("page")
    write_exploration(found, folder)
    return folder / PAGE


@pytest.fixture(scope="module")
def opened(file: Path) -> Iterator[tuple[Page, list[str]]]:
    """The page in a browser without network, and what went wrong or was asked for."""
    problems: list[str] = []
    with chromium() as browser:
        context = browser.new_context(
            offline=True,
            viewport={"width": 1400, "height": 1100},
            permissions=["clipboard-read", "clipboard-write"],
        )
        page = context.new_page()
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", lambda m: problems.append(m.text) if m.type == "error" else None)
        page.on("request", lambda r: problems.append(r.url) if r.url != file.as_uri() else None)
        page.goto(file.as_uri())
        yield page, problems


@pytest.fixture
def page(opened: tuple[Page, list[str]]) -> Page:
    opened[0].reload()
    opened[0].wait_for_selector("#plot .scatterlayer .point")
    return opened[0]


def labels(page: Page) -> list[str]:
    cells = page.locator("#table tbody tr td:first-child")
    return [text.removeprefix("\u25cf").strip() for text in cells.all_inner_texts()]


def markers(page: Page) -> int:
    return page.locator("#plot .scatterlayer .point").count()


def test_nothing_is_loaded_and_nothing_fails(page: Page, opened: tuple[Page, list[str]]) -> None:
    assert opened[1] == []
    assert page.title() == "Area and latency: 256 bits on nangate45"
    assert page.locator("h1").inner_text() == page.title()


def test_all_rows_and_points_are_shown(page: Page) -> None:
    assert len(labels(page)) == 7
    assert markers(page) == 6
    assert page.locator("tr.frontier").count() == 5
    assert page.locator("tr.failed").get_attribute("title") == (
        "it needs more than 9 MB (--memory-limit)"
    )
    assert page.evaluate("document.getElementById('plot')._fullLayout.yaxis.type") == "log"


@pytest.mark.parametrize(("key", "first", "last"), [
    ("area", "rmm(k=4)", "rmm(k=5)"),
    ("time", "rmm(k=5)", "rmm(k=4)"),
    ("product", "rmm(k=5)", "mm_r2(k=2)"),
])  # fmt: skip
def test_sorting(page: Page, key: str, first: str, last: str) -> None:
    head = page.locator(f'th[data-key="{key}"]')
    if key != "area":  # the table comes sorted by area
        head.click()
    found = labels(page)
    assert head.get_attribute("aria-sort") == "ascending"
    assert found[0] == first
    assert found[-1] == "rmm(k=7)"  # without figures: always last
    head.click()
    assert head.get_attribute("aria-sort") == "descending"
    assert labels(page)[:-1] == found[:-1][::-1]
    assert labels(page)[0] == last


def test_every_column_can_be_sorted(page: Page) -> None:
    for head in page.locator("#table th[data-key]").all():
        head.click()
        head.click()
        assert head.get_attribute("aria-sort") in ("ascending", "descending")
        assert len(labels(page)) == 7


def test_filter_by_architecture(page: Page) -> None:
    page.get_by_label("rmm").uncheck()
    assert len(labels(page)) == 3
    assert markers(page) == 3
    assert "3 of 7 designs shown" in page.locator("#shown").inner_text()
    page.get_by_label("rmm").check()
    page.get_by_label("only the frontier").check()
    assert len(labels(page)) == markers(page) == 5


def test_hover_shows_all_figures(page: Page) -> None:
    page.locator("#plot .scatterlayer .point").first.hover(force=True)
    text = page.locator("#plot .hoverlayer").text_content(timeout=5000) or ""
    for part in ("mm_r2(k=1)", "14,000", "time ns: 320", "cycles: 10", "yosys 0.70", "4.48"):
        assert part in text


def test_zoom(page: Page) -> None:
    ranges = "document.getElementById('plot')._fullLayout.xaxis.range"
    before = page.evaluate(ranges)
    box: Any = page.locator("#plot .nsewdrag").bounding_box()
    page.mouse.move(box["x"] + box["width"] * 0.3, box["y"] + box["height"] * 0.3)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.6, box["y"] + box["height"] * 0.7, steps=8)
    page.mouse.up()
    page.wait_for_timeout(600)
    after = page.evaluate(ranges)
    assert after[1] - after[0] < 0.5 * (before[1] - before[0])


def test_ticks_are_whole_numbers(page: Page) -> None:
    for axis, least, most in (("x", 9_000, 140_000), ("y", 16.5, 400)):
        texts = page.locator(f"#plot .{axis}tick text").all_text_contents()
        ticks = [float(text.replace(",", "")) for text in texts]
        assert len(ticks) >= 3
        assert ticks == sorted(ticks)
        assert 0.5 * least <= ticks[0] < ticks[-1] <= 2 * most


def test_the_plane_fills_a_phone(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.reload()
    page.wait_for_selector("#plot .scatterlayer .point")
    plane: Any = page.locator("#plot .nsewdrag").bounding_box()
    legend: Any = page.locator("#plot .legend").bounding_box()
    below: Any = page.locator("#shown").bounding_box()
    assert plane["width"] > 0.6 * 390
    for text in page.locator("#plot .xtick text").all():
        tick: Any = text.bounding_box()
        assert plane["y"] + plane["height"] <= tick["y"]
        assert tick["y"] + tick["height"] <= legend["y"]
    assert legend["y"] + legend["height"] <= below["y"]
    page.set_viewport_size({"width": 1400, "height": 1100})


def test_click_marks_the_row(page: Page) -> None:
    page.locator("#plot .scatterlayer .point").first.click(force=True)
    assert "mm_r2(k=1)" in page.locator("tr.marked td").first.inner_text()


def test_command_is_copied(page: Page) -> None:
    line = page.locator('tr[data-label="rmm(k=3)"]')
    line.get_by_role("button", name="copy").click()
    page.wait_for_selector('button:text("copied")')
    assert page.evaluate("navigator.clipboard.readText()") == (
        "montforge measure rmm -p width=256 -p k=3 --target nangate45"
    )
