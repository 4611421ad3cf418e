# SPDX-License-Identifier: Apache-2.0
"""MkDocs hook: makes the interactive page of the exploration from its results."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from montforge.explore import Exploration
from montforge.explore.page import write_page

RESULTS = "exploration/results.json"
PAGE = "exploration/explorer.html"


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Add the page, which the docs link to."""
    results = Path(config.docs_dir) / RESULTS
    found = Exploration.from_json(json.loads(results.read_text(encoding="utf-8")))
    with TemporaryDirectory() as folder:
        page = Path(folder) / "page.html"
        write_page(found, page)
        files.append(File.generated(config, PAGE, content=page.read_text(encoding="utf-8")))
    return files
