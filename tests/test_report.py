# SPDX-License-Identifier: Apache-2.0
"""Tables, charts and pages."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Literal

import pytest
from rich.console import Console

from montforge.report import Table
from montforge.report.chart import Chart, Point
from montforge.report.page import Page

TABLE = Table("T", ("name", "value"), (("a<b", 1234.5), ("c", None), ("d", 12345)), ("note",))


def test_markdown() -> None:
    assert TABLE.to_markdown().splitlines() == [
        "### T",
        "",
        "| name | value |",
        "| --- | ---: |",
        "| a<b | 1,234 |",
        "| c | - |",
        "| d | 12,345 |",
        "",
        "- note",
    ]


def test_a_narrow_terminal_loses_no_character() -> None:
    names = ("unit_csa(digit=4, result=nonnegative, group=16)", "eberle(reduction=subtract)")
    columns = ("design", "area x latency um2 ns", "results per us")
    table = Table("T", columns, tuple((name, 1234567, 12.25) for name in names))
    console = Console(width=53, file=io.StringIO())
    console.print(table.to_rich())
    assert isinstance(console.file, io.StringIO)
    cells = [line.split("\u2502") for line in console.file.getvalue().splitlines()]
    shown = ["".join(line[at].strip() for line in cells if len(line) == 5) for at in (1, 2, 3)]
    assert shown[0] == "".join(names).replace(" ", "")
    assert shown[1:] == ["1,234,567" * 2, "12.25" * 2]


def test_columns_that_are_the_same_in_all_rows_become_a_note() -> None:
    table = Table(
        "T", ("name", "bits", "effort"), (("a", 64, "quick"), ("b", 128, "quick")), ("n",)
    )
    condensed = table.condensed()
    assert condensed.columns == ("name", "bits")
    assert condensed.rows == (("a", 64), ("b", 128))
    assert condensed.notes == ("In all rows: effort quick.", "n")
    assert Table("T", ("name", "bits"), (("a", 64),)).condensed().columns == ("name", "bits")


def test_html_is_escaped() -> None:
    assert '<td class="text">a&lt;b</td>' in TABLE.to_html()


def test_json_rows() -> None:
    assert TABLE.to_json()["rows"][0] == {"name": "a<b", "value": 1234.5}


def test_page_is_self_contained(tmp_path: Path) -> None:
    chart = Chart("C", "bar", "x", "y", (("s", (Point("a", 1.0), Point("b", 2.0))),))
    Page.of("Title", (TABLE, "text", chart), "cmd").write(tmp_path / "p.html")
    text = (tmp_path / "p.html").read_text()
    assert "plotly" in text.lower()
    assert not re.search(r"<(script|link|img)[^>]+(src|href)=", text)


def test_charts_are_drawn(tmp_path: Path) -> None:
    points = (Point("a", 1.0, 3.0), Point("b", 2.0, 4.0))
    series = (("the first label alone", points[:1]), ("both", points))
    for kind in ("bar", "scatter"):
        chart = Chart("C", "bar" if kind == "bar" else "scatter", "x", "y", series)
        chart.write(tmp_path / f"{kind}.png")
        assert (tmp_path / f"{kind}.png").read_bytes().startswith(b"\x89PNG")


def test_a_terminal_that_is_too_narrow_gets_several_tables() -> None:
    names = ("design", *(f"figure_{at}" for at in range(8)))
    rows = tuple((f"name_{at}", *(1000.0 * at + each for each in range(8))) for at in range(3))
    table = Table("T", names, rows, ("note",))
    assert len(table.fitting(200)) == 1
    console = Console(width=60, file=io.StringIO())
    console.print(table.to_rich())
    assert isinstance(console.file, io.StringIO)
    text = console.file.getvalue()
    assert max(map(len, text.splitlines())) <= 60
    for name in names[1:]:
        assert text.count(name) == 1
    parts = len(table.fitting(60))
    assert parts > 1 and text.count("name_2") == text.count("design") == parts
    assert text.count("note") == 1 and text.rstrip().endswith("note")


@pytest.mark.parametrize("columns", [("a", "paper", "paper "), ("a", "b", "b"), (" a", "b", "c")])
def test_columns_are_distinct_keys(columns: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="columns"):
        Table("T", columns, ())


@pytest.mark.parametrize("kind", ["bar", "scatter"])
def test_every_series_of_a_chart_is_drawn_in_its_own_colour(
    kind: Literal["bar", "scatter"],
) -> None:
    names = [f"s{i}" for i in range(20)]
    points = [(Point("a", 1.0 + i, x=1.0 + i),) for i in range(20)]
    chart = Chart("C", kind, "x", "y", tuple(zip(names, points, strict=True)))
    traces = chart.to_plotly().data
    assert [trace.name for trace in traces] == names
    assert len({trace.marker.color for trace in traces}) == 20
    shown = [text.get_text() for text in chart.to_figure().legends[0].get_texts()]
    assert shown == names
