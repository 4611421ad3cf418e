# SPDX-License-Identifier: Apache-2.0
"""The files of an exploration: tables, pictures and the page, in one folder."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from montforge.errors import OutputFolderError
from montforge.explore.page import write_page
from montforge.explore.plot import frontier_chart
from montforge.explore.results import Exploration
from montforge.work.limits import check_output_folder, unwritable

FILES = (
    *("results.csv", "results.json", "results.parquet"),
    *("frontier.md", "frontier.tex", "frontier.csv", "frontier.png", "frontier.pdf"),
)
PAGE = "index.html"


def write_exploration(found: Exploration, folder: Path) -> None:
    """Write the files `FILES` and the page `PAGE` into ``folder``.

    Raises OutputFolderError if it can't be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        text = json.dumps(found.to_json(), indent=1)
        (folder / "results.json").write_text(text + "\n", encoding="utf-8")
        _write_tables(found.records(), folder)
        table = found.table()
        (folder / "frontier.md").write_text(table.to_markdown(), encoding="utf-8")
        (folder / "frontier.tex").write_text(table.to_latex(found.command), encoding="utf-8")
        (folder / "frontier.csv").write_text(table.to_csv(), encoding="utf-8")
        for name in ("frontier.png", "frontier.pdf"):
            frontier_chart(found).write(folder / name)
        write_page(found, folder / PAGE)
    except OSError as error:
        raise unwritable(folder, error) from None


def check_folder(folder: Path) -> None:
    """Raise OutputFolderError if ``folder`` can't be an exploration's: before any work is done."""
    check_output_folder(folder)
    if folder.is_dir() and not (folder / PAGE).is_file() and any(folder.iterdir()):
        raise OutputFolderError(
            f"the output folder {folder} has other files and no earlier exploration; name a new or"
            " an empty folder."
        )
    for path in (folder / name for name in (*FILES, PAGE)):
        if path.exists() and not (path.is_file() and os.access(path, os.W_OK)):
            raise OutputFolderError(
                f"the output folder {folder} can't be written: {path.name} is there and is no file"
                " that can be replaced; name another folder."
            )


def _write_tables(records: Sequence[dict[str, Any]], folder: Path) -> None:
    import pandas as pd

    frame = pd.DataFrame.from_records(list(records))
    for name in frame.columns:
        values = frame[name].dropna()
        if len(values) and all(type(value) is int for value in values):
            frame[name] = frame[name].astype("Int64")
        elif len({type(value) for value in values}) > 1:  # one column, one type
            frame[name] = frame[name].map(lambda v: None if v is None else str(v))
    frame.to_csv(folder / "results.csv", index=False)
    frame.to_parquet(folder / "results.parquet", index=False)
