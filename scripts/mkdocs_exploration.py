# SPDX-License-Identifier: Apache-2.0
"""MkDocs hook: makes the interactive page of each exploration from its results."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from montforge.explore import Exploration
from montforge.explore.page import write_page

FOLDER = "exploration"
RESULTS = "results.json"
PAGE = "explorer.html"


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Add the interactive pages, which the docs link to, one beside each results.json."""
    docs = Path(config.docs_dir)
    for results in sorted((docs / FOLDER).rglob(RESULTS)):
        found = Exploration.from_json(json.loads(results.read_text(encoding="utf-8")))
        name = results.with_name(PAGE).relative_to(docs).as_posix()
        with TemporaryDirectory() as folder:
            page = Path(folder) / "page.html"
            write_page(found, page)
            files.append(File.generated(config, name, content=page.read_text(encoding="utf-8")))
    return files
