# SPDX-License-Identifier: Apache-2.0
"""The pages of architectures have one order, and the blocks that the package knows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import architecture_page
import pytest
from architecture_page import SECTIONS, SIZES
from mkdocs_diagrams import FENCE

from montforge.arch import registry
from montforge.store import Result, read_results

PAGES = sorted(
    page
    for page in (Path(__file__).parents[1] / "docs" / "architectures").glob("*.md")
    if page.stem != "index"
)
BLOCKS = {
    "When to take it": ("place",),
    "Contract": ("contract",),
    "Parameters": ("parameters",),
    "Latency": ("latency",),
    "Figures": ("measured",),
    "Sources": ("source",),
}
"""The calls that fill a section, of the page's architecture."""


def faults(name: str, text: str) -> Iterator[str]:
    """Yield the ways in which a page leaves the common order."""
    plain = re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)
    titles = re.findall(r"^## (.*)$", plain, re.MULTILINE)
    if titles != list(SECTIONS):
        yield f"sections {titles}"
        return
    parts = re.split(r"^## .*$", text, flags=re.MULTILINE)
    found = dict(zip(SECTIONS, parts[1:], strict=True))
    if len(parts[0].split()) < 20:
        yield "no first paragraph"
    if not FENCE.search(found["Structure"]):
        yield "no picture of the structure"
    yield from (f"{title} is empty" for title, part in found.items() if len(part.split()) < 5)
    if re.search(r"^(?!<!--|$).*\n<!--=", plain, re.MULTILINE):
        yield "a line inside a paragraph begins with a mark, which would end the paragraph"
    for title, calls in BLOCKS.items() if name in registry() else ():
        for call in calls:
            if f'<!--= {call}("{name}"' not in found[title]:
                yield f"{title} lacks {call}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_has_the_sections_in_order(page: Path) -> None:
    assert list(faults(page.stem, page.read_text(encoding="utf-8"))) == []


def test_a_fault_of_the_order_is_seen() -> None:
    name = "mm_r2"
    sections = dict.fromkeys(SECTIONS, "some five words of text\n\n")
    for title, calls in BLOCKS.items():
        sections[title] += "".join(f'<!--= {call}("{name}") --><!--/-->\n' for call in calls)
    sections["Structure"] += "```dot\ndigraph a { b; }\n```\n"

    def page(parts: dict[str, str]) -> str:
        text = f"# {name}: title\n\n{'words ' * 20}\n\n"
        return text + "".join(f"## {title}\n\n{part}\n" for title, part in parts.items())

    assert not list(faults(name, page(sections)))
    for title in SECTIONS:
        assert list(faults(name, page({k: v for k, v in sections.items() if k != title})))
        assert list(faults(name, page({**sections, title: ""})))
    assert list(faults(name, page(dict(reversed(sections.items())))))
    assert list(faults(name, page({**sections, "Runs": "some five words of text"})))
    assert list(faults(name, page(sections).replace("some five", "some\n<!--= 5 -->5<!--/-->", 1)))
    for calls in BLOCKS.values():
        assert list(faults(name, page(sections).replace(f'{calls[0]}("{name}"', 'none("')))


@pytest.mark.parametrize("name", registry())
def test_blocks_need_no_stored_row(name: str) -> None:
    assert "not measured" in architecture_page.place((), name)
    assert "Not measured" in architecture_page.measured((), name)


def rows(name: str) -> list[Result]:
    return [
        row
        for row in read_results()
        if (row.architecture, row.target, row.effort, row.size) == (name, "nangate45", "quick", 256)
        and row.form == "parallel"
    ]


def scaled(row: Result, area: float, time: float) -> Result:
    assert row.area and row.period
    return replace(row, area=row.area * area, period=row.period * time)


def line(text: str, bits: int) -> str:
    (found,) = [line for line in text.splitlines() if line.startswith(f"- {bits} bits:")]
    return found


def test_the_place_follows_the_rows() -> None:
    own, other = rows("mm_r2")[0], rows("scs_mm")[0]

    def place(*others: Result) -> str:
        return line(architecture_page.place((own, *others), "mm_r2"), 256)

    def like(area: float, time: float) -> Result:
        """``scs_mm`` at multiples of the area and the latency of ``mm_r2``."""
        assert own.area and own.time and other.area and other.time
        return scaled(other, area * own.area / other.area, time * own.time / other.time)

    assert "No other architecture" in architecture_page.place((own,), "mm_r2")
    assert "behind [`scs_mm`](scs_mm.md) (50% less area, 20% less latency)" in place(like(0.5, 0.8))
    assert "on the frontier, the fastest, next to [`scs_mm`]" in place(like(0.5, 2))
    assert "on the frontier, the smallest, next to [`scs_mm`]" in place(like(2, 0.5))
    assert "`default` has the least area times latency of all" in place(like(0.5, 3))
    assert "area times latency" not in place(like(0.5, 1.5))
    quick, small = like(2, 0.5), replace(like(0.5, 2), architecture="scs_mm1")
    small = replace(small, parameters=rows("scs_mm1")[0].parameters)
    both = place(quick, small)
    assert "between [`scs_mm1`](scs_mm1.md) (smaller) and [`scs_mm`](scs_mm.md) (faster)" in both
    worse = replace(like(0.5, 0.5), constant_time=False)
    third = scaled(small, 2, 1)
    assert own.constant_time and small.constant_time
    assert "among those that promise as much (constant time, 0 <= x < n)" not in place(worse)
    assert "behind [`scs_mm`]" in place(worse, third)


def test_widths_without_rows_are_said() -> None:
    text = architecture_page.place([*rows("mm_r2"), *rows("scs_mm")], "mm_r2")
    for bits in SIZES:
        assert ("not measured" in line(text, bits)) == (bits != 256)


def test_figures_are_those_that_no_row_with_the_same_promises_beats() -> None:
    default = next(row for row in rows("unit_csa") if not row.options)
    longer = next(row for row in rows("unit_csa") if row.options == {"digit": 16})
    signed = next(row for row in rows("unit_csa") if row.options == {"result": "signed"})

    def shown(*found: Result) -> str:
        return architecture_page.measured(found, "unit_csa")

    assert "`digit=16`" in shown(default, longer)
    assert "`digit=16`" not in shown(default, scaled(longer, 2, 2))
    assert "`result=signed`" in shown(default, scaled(signed, 2, 2))
    assert "| 256 | default |" in shown(scaled(default, 9, 9), longer)
