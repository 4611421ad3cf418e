# SPDX-License-Identifier: Apache-2.0
"""Reproduction pages begin with findings; published figures on them are those of the papers."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from figures import reproduced
from mkdocs_pictures import REPRODUCTIONS

from montforge.papers.data import paper, paper_names
from montforge.report.table import format_cell

DOCS = Path(__file__).parents[1] / "docs"
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
Row = dict[str, Any]


@pytest.mark.parametrize("name", REPRODUCTIONS)
def test_a_page_begins_with_three_sentences_and_a_picture(name: str) -> None:
    text = COMMENT.sub("", (DOCS / "reproduction" / f"{name}.md").read_text(encoding="utf-8"))
    head, tables, method = re.split(r"^## .*\n", text, flags=re.MULTILINE)
    title, findings, picture = re.split(r"\n{2,}", head.strip())
    assert title.startswith("# Reproduction of ")
    assert len(re.findall(r"\.(?= [A-Z]|\s*$)", findings.replace("\n", " "))) == 3
    assert re.fullmatch(rf"\[!\[[^\]]+\]\({name}\.png\)\]\({name}\.png\)", picture)
    assert tables.count("\n### ") and "|" not in method


def test_each_paper_has_a_page_and_a_picture() -> None:
    assert set(paper_names()) == set(REPRODUCTIONS)


@pytest.mark.parametrize("name", REPRODUCTIONS)
def test_a_picture_has_measured_and_published_points(name: str) -> None:
    series = dict(REPRODUCTIONS[name]().series)
    assert len(series["published"]) >= 1
    assert all(points for points in series.values()) and len(series) >= 2


def by_bits(row: Row) -> tuple[Any, ...]:
    return row["key bits"], row["protection"]


PRINTED: tuple[
    tuple[str, str, str, Callable[[Row], Any], Callable[[Row], Any], dict[str, str]], ...
] = (
    *(
        (
            "kuang2016 --table 3 --effort quick",
            f"Table III on {library}, {width} bits",
            "table3_results",
            lambda row, width=width: (width, row["multiplier"]),
            lambda row: (row["key_bits"], row["multiplier"]),
            {
                "cycles, paper": "cycles",
                "change %, paper": "delta_cycles_percent_vs_FCS_MM_1",
                "period ns, paper": "delay_ns",
                "area um2, paper": "area_um2",
                "time us, paper": "time_us",
                "Mbit/s, paper": "throughput_mbps",
                "area*time 1e3 um2 us, paper": "atp",
            },
        )
        for library in ("nangate45", "osu018")
        for width in (1024, 2048)
    ),
    (
        "grale2020 --effort quick",
        "Table VI and comparison designs on nangate45, 256 bits",
        "table6_rmm_pareto",
        lambda row: row["design"],
        lambda row: row["design"],
        {
            "cycles, paper": "cycles",
            "area 1e3 um2, paper": "area_kum2",
            "period ns, paper": "period_ns",
            "latency ns, paper": "latency_ns",
            "area*latency 1e6 um2 ns, paper": "area_latency",
        },
    ),
    (
        "sassaw2010 --effort quick",
        "Table I: cycles, 1024 bits",
        "table1_fpga",
        lambda row: str(row["radix"]),
        lambda row: str(row["radix"]),
        {"paper's cycles": "cycles"},
    ),
    (
        "sassaw2010 --effort quick",
        "Table II on nangate45, 1024 bits",
        "table2_asic",
        lambda row: str(row["radix"]),
        lambda row: str(row["radix"]),
        {
            "paper's delay ns": "delay_ns",
            "paper's MHz": "f_mhz",
            "paper's latency ns": "latency_ns_from_text",
        },
    ),
    (
        "fios_dsp --table 2",
        "Table II",
        "table2",
        lambda row: (row["design"], row["width"]),
        lambda row: (row["design"], row["width"]),
        {"MHz": "f_mhz", "cycles": "cycles", "DSP": "dsp", "LUT": "lut", "AT": "at"},
    ),
    (
        "dai2018 --samples 20",
        "Table 4: cycles",
        "table4_fmle_virtex6_speed3",
        by_bits,
        lambda row: (row["key_bits"], "ladder" if row["spa"] else "none"),
        {"paper": "cycles_per_fmlm"},
    ),
)  # fmt: skip
"""Stored run, title and the paper's table; a row's name in each; columns of printed figures."""


@pytest.mark.parametrize(("run", "title", "table", "name", "printed", "columns"), PRINTED)
def test_printed_figures_are_those_of_the_paper(
    run: str,
    title: str,
    table: str,
    name: Callable[[Row], Any],
    printed: Callable[[Row], Any],
    columns: dict[str, str],
) -> None:
    published = {printed(row): row for row in paper(run.split()[0]).rows(table)}
    rows = {name(row): row for row in reproduced(run)[title]}
    both = rows.keys() & published.keys()
    assert len(both) >= 4
    for each in both:
        for column, key in columns.items():
            assert format_cell(rows[each][column]) == format_cell(published[each][key]), each
    for each in rows.keys() - both:
        assert all(rows[each][column] is None for column in columns), each
