# SPDX-License-Identifier: Apache-2.0
"""MkDocs hook: makes picture and interactive page of each exploration from the stored results."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from montforge.explore.page import write_page
from montforge.explore.plot import write_plot
from montforge.store import exploration, read_results

WIDTHS = (256, 1024)


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Add what the pages docs/exploration/*.md link to."""
    results = read_results()
    with TemporaryDirectory() as folder:
        for width in WIDTHS:
            found = exploration(results, width=width, target="nangate45")
            for name, write in (
                (f"explorer_{width}.html", write_page),
                (f"frontier_{width}.png", write_plot),
            ):
                path = Path(folder) / name
                write(found, path)
                files.append(
                    File.generated(config, f"exploration/{name}", content=path.read_bytes())
                )
    return files
