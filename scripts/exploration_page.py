# SPDX-License-Identifier: Apache-2.0
"""Write docs/exploration/ from the results of `montforge explore`.

    python scripts/exploration_page.py FOLDER

FOLDER has the results. `scripts/mkdocs_exploration.py` makes the interactive page from the copy of
results.json when the docs are built.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from montforge.explore import Exploration
from montforge.explore.plot import write_plot
from montforge.explore.results import product, scaled_product
from montforge.report import Table

DOCS = Path(__file__).parents[1] / "docs" / "exploration"
TEXT = """# Exploration: {title}

{count} designs on {target}. Made by

```
{command}
```

and `python scripts/exploration_page.py DIR`. [Interactive page](explorer.html): zoom, hover with
all figures, filter by architecture, table sorted by any column, a command to copy for each design.

![area and latency, the frontier marked](frontier.png)

Areas and periods are comparable within this table: cells only, with the library's wire-load model,
no layout; see [Method of measurement](../measurement.md). A row's command gives its figures again.
Seconds are those of the processors, of the job that finished a design; what an interrupted job
before it had finished is not in them, and rows of 2026-11-22 have none. Time is until the response
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


def main(arguments: list[str]) -> int:
    """Write the page and return the exit status."""
    if len(arguments) != 1 or not (Path(arguments[0]) / "results.json").is_file():
        print(f"{arguments}: name the folder that has an exploration's results.json")
        return 2
    source = Path(arguments[0]) / "results.json"
    found = Exploration.from_json(json.loads(source.read_text(encoding="utf-8")))
    DOCS.mkdir(exist_ok=True)
    (DOCS / "results.json").write_text(source.read_text(encoding="utf-8"), encoding="utf-8")
    write_plot(found, DOCS / "frontier.png")
    text = TEXT.format(
        title=found.title, count=len(found.measured), target=found.target_title,
        command=found.command,
    )  # fmt: skip
    tables = [found.table().to_markdown(), all_designs(found).to_markdown()]
    (DOCS / "index.md").write_text(text + "\n".join(tables).rstrip() + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
