# SPDX-License-Identifier: Apache-2.0
"""Users' pages say what is: no commit, no date of a measurement, no time of a machine.

Users' pages are the README and all pages of the navigation but those for contributors.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from test_docs import COMMIT
from test_typed_figures import NUMBER

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
CONTRIBUTORS = "For contributors"
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
DATE = re.compile(
    rf"\b20\d\d-\d\d-\d\d\b|\b\d\d?\.? (?:{MONTHS}),? 20\d\d\b|\b(?:{MONTHS}) \d\d?,? 20\d\d\b"
)
TIMES = "seconds|minutes|hours|days"
MACHINE_TIME = re.compile(
    rf"{NUMBER} (?:(?:processor|CPU)[ -])?(?:{TIMES}|min|h)\b|(?<![\w.])(?:\d\d+|\d+\.\d+) s\b"
    rf"|^\|(?:.*\|)? *(?:(?:processor|CPU)[ -])?(?:{TIMES})\b[^|]*\|.*\n\| *:?---",
    re.MULTILINE,
)
"""A number of seconds and more, or a column of them. Hardware takes ms at most."""
KINDS = {"commit": COMMIT, "date": DATE, "time of a machine": MACHINE_TIME}


def addresses(entry: Any) -> Iterator[str]:
    """Yield the pages of a part of the navigation."""
    if isinstance(entry, str):
        yield entry
    else:
        for part in entry.values() if isinstance(entry, dict) else entry:
            yield from addresses(part)


def navigation() -> dict[str, list[str]]:
    """Return the pages of each section."""
    sections = yaml.safe_load((ROOT / "mkdocs.yml").read_text())["nav"]
    return {name: list(addresses(part)) for section in sections for name, part in section.items()}


def users_pages() -> list[Path]:
    """Return the README and the pages that are not for contributors."""
    pages = [page for name, part in navigation().items() if name != CONTRIBUTORS for page in part]
    return [ROOT / "README.md", *(DOCS / page for page in pages)]


def findings(text: str) -> list[tuple[str, str]]:
    """Return what a users' page must not have, by its kind."""
    shown = COMMENT.sub("", text)
    return [(kind, found[0]) for kind, form in KINDS.items() for found in form.finditer(shown)]


def test_the_navigation_has_each_page_once() -> None:
    named = [page for part in navigation().values() for page in part]
    assert sorted(named) == sorted(p.relative_to(DOCS).as_posix() for p in DOCS.rglob("*.md"))


@pytest.mark.parametrize("page", users_pages(), ids=lambda page: page.relative_to(ROOT).as_posix())
def test_a_users_page_says_what_is(page: Path) -> None:
    assert findings(page.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("commit", "placed and routed at commit 15c06c3"),
        ("commit", "`montforge verify mm_r2` at commit 0123456789abcdef0123456789abcdef01234567"),
        ("date", "measured on 2026-11-25, with Yosys"),
        ("date", "figures of 25 November 2026"),
        ("date", "of November 25, 2026"),
        ("time of a machine", "which takes 3 hours"),
        ("time of a machine", "<!--= t -->1.5 minutes<!--/--> on two cores"),
        ("time of a machine", "took 5,210 processor seconds"),
        ("time of a machine", "took 66 CPU hours"),
        ("time of a machine", "in 12.5 s"),
        ("time of a machine", "| design | seconds |\n| --- | ---: |\n| rmm | 12 |\n"),
        ("time of a machine", "| design | processor seconds of it | area |\n| --- | ---: |\n"),
    ],
)
def test_a_planted_one_is_found(kind: str, text: str) -> None:
    assert kind in [found for found, _ in findings(text)]


@pytest.mark.parametrize(
    "text",
    [
        "takes 12.5 us, and 3 ms", "words of s bits, s >= 2 s", "0xdeadbee, 2^255 - 19", "1024",
        "`--walltime 08:00:00`", "Kuang 2016, in May 1985", "<!-- at commit 15c06c3 -->",
        "feedback",
        "| key | meaning |\n| --- | --- |\n| `seconds` | time |",
    ],
)  # fmt: skip
def test_figures_of_hardware_are_none(text: str) -> None:
    assert findings(text) == []
