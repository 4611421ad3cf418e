# SPDX-License-Identifier: Apache-2.0
"""Write docs/exploration/ from the results of `montforge explore`.

    python scripts/exploration_page.py FOLDER
    python scripts/exploration_page.py FOLDER --page frontier_256 --new unit_csa --new three_pass

FOLDER has the results; the page is docs/exploration/PAGE, or that folder itself. With architectures
that are new it also has the frontier without them, and the distance of each frontier design to the
limit of `montforge.explore.limit`. `scripts/mkdocs_exploration.py` makes the interactive page from
the copy of results.json when the docs are built.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from montforge.explore import Exploration
from montforge.explore.limit import least_limit, row_limit
from montforge.explore.plot import write_plot
from montforge.explore.results import Row, product, scaled_product
from montforge.report import Table

DOCS = Path(__file__).parents[1] / "docs" / "exploration"
TEXT = """# Exploration: {title}

{count} designs on {target}. Made by

```
{command}
```

and `python scripts/exploration_page.py DIR{new}`.
[Interactive page](explorer.html): zoom, hover with all figures, filter by architecture, table
sorted by any column, a command to copy for each design.

![area and latency, the frontier marked](frontier.png)

Areas and periods are comparable within this table: cells only, with the library's wire-load model,
no layout; see [Method of measurement]({up}measurement.md). A row's command gives its figures again.
{netlists}

The run that wrote the results took {minutes:.1f} minutes, the jobs of its designs {processor:.1f}
processor minutes. Seconds in the table are those of the processors, of the job that finished a
design; what an interrupted job before it had finished is not in them. Time is until the response
is valid (`rsp_valid_o`).

Results are kept by the content of everything that was measured; a row's `commit` in
[results.json](results.json) is that of the checkout that measured it first (`-dirty`: with edits
that were not committed yet).

"""


def all_designs(found: Exploration) -> Table:
    """Return every design with its figures, in the order of area."""
    area, time = found.units
    best = {row.design for row in found.frontier}
    rows = sorted(found.measured, key=lambda row: row.area or 0.0)
    return Table(
        "All designs",
        ("design", f"area {area}", f"registers {area}", f"period {time}", "cycles",
         f"time {time}", product(area, time), "frontier", "processor s"),
        tuple(
            (row.label, row.area, row.area_registers, row.period, row.cycles, row.time,
             scaled_product(row), "yes" if row.design in best else "", row.seconds)
            for row in rows
        ),
        tuple(f"Failed: {row.label}: {row.message}" for row in found.failed),
    )  # fmt: skip


def before(found: Exploration, new: Sequence[str]) -> Table:
    """Return the frontier of the designs that are not of a ``new`` architecture."""
    old = tuple(row for row in found.rows if row.architecture not in new)
    return replace(replace(found, rows=old).table(), title=f"Frontier without {', '.join(new)}")


def netlists(found: Exploration) -> str:
    """Return a sentence on the simulation of the mapped netlists."""
    checked = sum(row.netlist_checked is not None for row in found.measured)
    if checked:
        return f"The mapped netlists of {checked} designs were simulated (`netlist_checked`)."
    return (
        "No mapped netlist was simulated: that is part of full effort, and `netlist_checked` is"
        " null in all rows."
    )


def distances(found: Exploration) -> Table:
    """Return each frontier design's area x time beside the limits of the cost model."""
    return Table(
        "Distance to the limit",
        ("design", "mm2 ns", "limit of its row", "ratio", "limit of any row", "ratio"),
        tuple(_distance(row) for row in found.frontier),
        (
            "Limits, in mm2 ns: `montforge.explore.limit`, a cost model of nangate45 cells for"
            " designs of one row of columns, without filling and emptying, growth of operands,"
            " conversion, buffers and sizing. That of its row is for the digit and delay of"
            " unit_csa; that of any row is the least over digits of 2 to 24 bits.",
        ),
    )


def _distance(row: Row) -> tuple[str | float | None, ...]:
    width, found = int(row.parameters["width"]), scaled_product(row)
    assert found is not None
    own: tuple[float | None, float | None] = (None, None)
    if row.architecture == "unit_csa":
        limit = row_limit(width, int(row.parameters["digit"]), int(row.parameters["delay"]))
        own = (limit, found / limit)
    least = least_limit(width)
    return (row.label, found, *own, least, found / least)


def main(
    folder: Annotated[Path, typer.Argument(exists=True, file_okay=False)],
    page: Annotated[str, typer.Option("--page")] = "",
    new: Annotated[list[str] | None, typer.Option("--new")] = None,
) -> None:
    """Write the page."""
    source = folder / "results.json"
    if not source.is_file():
        raise typer.BadParameter(f"{folder} has no results.json: name an exploration's folder")
    results = source.read_text(encoding="utf-8")
    found = Exploration.from_json(json.loads(results))
    docs = DOCS / page
    docs.mkdir(parents=True, exist_ok=True)
    (docs / "results.json").write_text(results, encoding="utf-8")
    write_plot(found, docs / "frontier.png")
    named = f" --page {page}" if page else ""
    text = TEXT.format(
        title=found.title, count=len(found.measured), target=found.target_title,
        command=found.command, up="../../" if page else "../", netlists=netlists(found),
        minutes=found.seconds / 60, processor=sum(row.seconds or 0 for row in found.measured) / 60,
        new=named + "".join(f" --new {name}" for name in new or ()),
    )  # fmt: skip
    tables = [found.table()]
    if new:
        tables += [before(found, new), distances(found)]
    shown = [table.to_markdown() for table in (*tables, all_designs(found))]
    (docs / "index.md").write_text(text + "\n".join(shown).rstrip() + "\n", encoding="utf-8")


if __name__ == "__main__":
    typer.run(main)
