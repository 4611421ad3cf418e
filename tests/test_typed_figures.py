# SPDX-License-Identifier: Apache-2.0
"""No page has a measured or counted figure that somebody typed.

A figure is rendered (``<!--= expression -->``), or quoted from a named source
(``<!--" source -->``). Typed numbers are parameters and formulas: bits, words, radices, "latency +
2 cycles", "2^k cycles".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from render_docs import pages

FOREIGN = re.compile(
    r"<!--[=\"] .*?<!--/-->|<!--.*?-->|^```.*?^```|^    \S[^\n]*$|`[^`\n]*`|\]\([^)\n]*\)",
    re.DOTALL | re.MULTILINE,
)
"""What is not typed prose: rendered or quoted figures, code, addresses of links."""
MEASURED = (
    r"[num]s|um2|mm2|[kMG]Hz|mW|[kKMG]B|[kM](?=[\s.,;)|])|(?:processor )?(?:seconds|minutes|hours)"
    r"|thousand|million|times|processor"
)
COUNTED = (
    r"cycles?|turns?|operations?|calls|LUT\w*|FFs?|flip-flops|DSPs?(?: blocks)?|block RAMs?|BRAMs?"
    r"|carry cells|cells|gates|registers|wires|connections|points|designs|rows|faults"
    r"|(?:planted )?bugs|mutants|tests|lines|vectors|numbers|messages"
)
NUMBER = r"(?<![\w.^*/+-])(?<![+*/^-]\s)\d(?:[\d,.]*\d)?"
FIGURE = re.compile(
    rf"{NUMBER}\s?%|{NUMBER}\s(?:{MEASURED})\b|(?<![\w.])(?:\d\d+|\d+\.\d+) s\b"
    rf"|(?:{NUMBER}(?<=\d\d))\s(?:{COUNTED})\b"
)
"""Numbers with a unit; of what is counted those of two digits and more."""
PARAMETERS = ("bits", "width", "butterflies")
"""Heads of columns whose numbers are parameters."""
CELL = re.compile(
    rf"[*~]*\d[\d,.]*(?:\s*(?:%|to|and|;|,|/|s|M|{MEASURED}|{COUNTED}|\d[\d,.]*))*[*]*"
)


def typed_figures(text: str) -> list[str]:
    """Return the figures of a page that are neither rendered nor quoted, in text and tables."""
    plain = FOREIGN.sub("", text)
    return [*FIGURE.findall(plain), *typed_cells(plain)]


def typed_cells(text: str) -> Iterator[str]:
    """Yield cells that are numbers of two digits and more, of columns that are not parameters."""
    head: list[str] = []
    for line in text.splitlines():
        if not line.startswith("|"):
            head = []
            continue
        cells = [cell.strip() for cell in line.strip()[1:-1].split("|")]
        if not head:
            head = cells
            continue
        for name, cell in zip(head[1:], cells[1:], strict=False):
            if name not in PARAMETERS and CELL.fullmatch(cell) and re.search(r"\d[.,]?\d", cell):
                yield f"{name}: {cell}"


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.name)
def test_a_page_has_no_typed_figure(page: Path) -> None:
    assert not typed_figures(page.read_text(encoding="utf-8"))


UNITS = (
    "1.5 ns", "3 us", "12 ms", "8,519 um2", "1.21 mm2", "72.04 MHz", "73 mW", "38 MB", "4.28 M",
    "12.6 minutes", "20 seconds", "66 processor", "0.5 s", "300 s", "2%", "95.6%", "1.58 times",
    "789 thousand", "35,741 cycles", "44 cycles", "1256 turns", "200,000 operations",
    "303 operations", "4,980 LUTs", "22 LUT4s", "34,729 flip-flops", "154 DSP", "136 DSP blocks",
    "72 block RAMs", "141 points", "68 designs", "25 planted bugs", "2000 faults", "515 wires",
    "13 tests",
)  # fmt: skip


@pytest.mark.parametrize("figure", UNITS)
def test_a_planted_figure_is_seen(figure: str) -> None:
    assert typed_figures(f"It takes {figure}, as we saw.") == [figure]
    assert typed_figures(f"It takes (say {figure}) at 256 bits.")
    text = f'`{figure}`, <!--= 1 -->{figure}<!--/-->, <!--" Orup 1995 -->{figure}<!--/-->'
    assert not typed_figures(f"{text}\n\n```\n{figure}\n```\n")


@pytest.mark.parametrize("head", ["cycles", "area um2", "chain", "of it busy", "MHz", "operations"])
@pytest.mark.parametrize(
    "cell", ["914", "1.639", "12,844", "75.9%", "**72.04**", "36 20 18", "1.7 ms"]
)
def test_a_planted_cell_is_seen(head: str, cell: str) -> None:
    table = f"| design | {head} |\n| --- | ---: |\n| unit_csa | {{}} |\n"
    assert typed_figures(table.format(cell))
    assert not typed_figures(table.format(f"<!--= 914 -->{cell}<!--/-->"))


@pytest.mark.parametrize(
    "text",
    [
        "latency + 2 cycles", "2K + 10 cycles at 256 bits", "within 2^16 cycles",
        "words of 32 bits", "takes 3 cycles", "| turns |\n| --- |\n| 2 |",
        "| | cycles |\n| --- | --- |\n| a | k + 2 |",
        "q > 4 s (b - 1)^2", "radix 64 and 17, s, N", "1024 and 2048 bits", "4.522 r + 6",
    ],
)  # fmt: skip
def test_parameters_and_formulas_are_no_figures(text: str) -> None:
    assert not typed_figures(text)
