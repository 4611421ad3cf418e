# SPDX-License-Identifier: Apache-2.0
"""MkDocs hook: makes the picture of each exploration from the stored results."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from montforge.explore.plot import write_plot
from montforge.store import exploration, read_results

WIDTHS = (256, 1024)


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Add the pictures of the pages docs/exploration/*.md."""
    results = read_results()
    with TemporaryDirectory() as folder:
        for width in WIDTHS:
            found = exploration(results, width=width, target="nangate45")
            path = Path(folder) / f"frontier_{width}.png"
            write_plot(found, path)
            place = f"exploration/{path.name}"
            files.append(File.generated(config, place, content=path.read_bytes()))
    return files
