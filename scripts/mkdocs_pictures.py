# SPDX-License-Identifier: Apache-2.0
"""MkDocs hook: draws explorations from the stored results, and reproductions from stored runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from figures import best, lut_equivalents, reproduced
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from montforge.explore.plot import frontier_chart
from montforge.report.chart import Chart, Point
from montforge.store import Result, exploration, multipliers, read_results

WIDTHS = (256, 1024)
LIBRARIES = ("nangate45", "osu018")
DEVICE = (("multiplier", "ecp5"), ("mac", "ecp5"), ("word_width", 18))
"""Options that suit a design to an ECP5."""
Row = dict[str, Any]
Series = tuple[str, tuple[Point, ...]]


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Add the pictures of the pages docs/exploration/*.md and docs/reproduction/*.md."""
    results = read_results()
    with TemporaryDirectory() as folder:
        for width in WIDTHS:
            found = exploration(results, width=width, target="nangate45")
            frontier_chart(found).write(Path(folder) / f"exploration-frontier_{width}.png")
        fpga(results).write(Path(folder) / "exploration-ecp5_256.png")
        for paper, chart in REPRODUCTIONS.items():
            chart().write(Path(folder) / f"reproduction-{paper}.png")
        for path in sorted(Path(folder).iterdir()):
            place = path.name.replace("-", "/")
            files.append(File.generated(config, place, content=path.read_bytes()))
    return files


def fpga(results: Sequence[Result]) -> Chart:
    """Return LUT equivalents and time of each multiplier of 256 bits on an ECP5."""
    found = multipliers(results, width=256, target="ecp5-85k", effort=None)
    corners = best(found)

    def point(row: Result) -> Point:
        assert row.time is not None
        given = [f"{k}={v}" for k, v in row.options.items() if (k, v) not in DEVICE]
        name = row.architecture + (f"({', '.join(given)})" if given else "")
        return Point(name if row in corners else "", row.time / 1e3, lut_equivalents(row))

    series = tuple(
        (name, tuple(point(row) for row in found if row.architecture == name))
        for name in dict.fromkeys(row.architecture for row in found)
    )
    steps = tuple((point(row).x, point(row).y) for row in corners)
    title = "256 bits on ecp5-85k"
    axes = "LUT equivalents", "time, us"
    return Chart(title, "scatter", *axes, series, steps=steps)


def kuang2016() -> Chart:
    """Return the product of area and time of each multiplier."""
    found = reproduced("kuang2016 --table 3 --effort quick")
    tables = {name: found[f"Ratios to FCS-MM-1 on {name}, 1024 bits"] for name in LIBRARIES}
    return _beside("Area x time, 1024 bits", "multiplier", "FCS-MM-1 = 1", tables, "area*time")


def sassaw2010() -> Chart:
    """Return the product of area and latency over the radix."""
    found = reproduced("sassaw2010 --effort quick")
    tables = {name: found[f"Ratios to radix 2 on {name}, 1024 bits"] for name in LIBRARIES}
    return _beside("Area x latency, 1024 bits", "radix", "radix 2 = 1", tables, "area*latency")


def _beside(title: str, label: str, unit: str, tables: dict[str, list[Row]], figure: str) -> Chart:
    """Return bars of a figure on each target and in the paper, over the column ``label``."""
    series = [_bars(f"measured, {name}", rows, label, figure) for name, rows in tables.items()]
    paper = _bars("published", next(iter(tables.values())), label, f"{figure}, paper")
    return Chart(title, "bar", label, unit, (*series, paper))


def _bars(name: str, rows: Iterable[Row], label: str, figure: str) -> Series:
    points = (Point(row[label], row[figure]) for row in rows if row[figure] is not None)
    return name, tuple(points)


def grale2020() -> Chart:
    """Return area and latency of RMM: published, measured in that form, and in the fast ones."""
    found = reproduced("grale2020 --effort quick")
    rows = found["Table VI and comparison designs on nangate45, 256 bits"]
    area, latency = "area 1e3 um2", "latency ns"
    forms = {
        "measured": [row for row in rows if row["cycles, paper"]],
        "measured, fast": [row for row in rows if row["design"].endswith(" fast")],
        "measured, fast, 2 stages": [row for row in rows if row["design"].endswith(" 2 stages")],
    }
    series = [(name, _points(each, area, latency)) for name, each in forms.items()]
    published = _points(forms["measured"], f"{area}, paper", f"{latency}, paper")
    axes = "area, 1e3 um2", "latency, ns"
    title = "RMM(k,m), nangate45, 256 bits"
    return Chart(title, "scatter", *axes, (*series, ("published", published)))


def _points(rows: Iterable[Row], x: str, y: str) -> tuple[Point, ...]:
    """Return points, named where they are on the frontier."""
    return tuple(Point(_name(row) if row["frontier"] else "", row[y], row[x]) for row in rows)


def _name(row: Row) -> str:
    return str(row["design"]).removeprefix("RMM").split()[0]


def fios_dsp() -> Chart:
    """Return LUT equivalents and time of the variants at 256 bits."""
    rows = [
        row
        for row in reproduced("fios_dsp --table 6")["Variants on ecp5-85k"]
        if row["width"] == 256 and not isinstance(row["LUT equivalents"], str)
    ]
    kinds = {"published": "published", "fast": "fast", "unit": "unit", "public": "public RTL"}
    series = tuple(
        (
            name,
            tuple(
                Point(_form(row), row["time us"], row["LUT equivalents"])
                for row in rows
                if row["design"].startswith(kind)
            ),
        )
        for kind, name in kinds.items()
    )
    axes = "LUT equivalents", "time, us"
    return Chart("Variants of fios_dsp, ecp5-85k, 256 bits", "scatter", *axes, series)


def _form(row: Row) -> str:
    """Return the label of a variant without its name, which the legend has."""
    return str(row["design"]).partition(", ")[2]


def dai2018() -> Chart:
    """Return the cycles of an exponent's bit in FMLE, and of FMLM."""
    found = reproduced("dai2018 --samples 20")
    bits = (row for row in found["Table 4: cycles"] if row["protection"] == "none")
    rows = [
        *((f"FMLE {row['key bits']}", row["cycles for a bit"], row["paper"]) for row in bits),
        *(
            (f"FMLM {row['key bits']}", row["cycles"], row["paper"])
            for row in found["Table 6: cycles"]
        ),
    ]
    measured = tuple(Point(label, cycles) for label, cycles, _ in rows)
    published = tuple(Point(label, paper) for label, _, paper in rows if paper)
    series = (("measured", measured), ("published", published))
    title = "Cycles of FMLE for a bit of the exponent, and of FMLM"
    return Chart(title, "bar", "design, key bits", "cycles", series)


_DRAWN = (kuang2016, sassaw2010, grale2020, fios_dsp, dai2018)
REPRODUCTIONS: dict[str, Callable[[], Chart]] = {each.__name__: each for each in _DRAWN}
"""The picture of each reproduction, by its page."""
