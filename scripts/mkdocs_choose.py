# SPDX-License-Identifier: Apache-2.0
"""MkDocs hook: makes the files of the page docs/choose from the store and the folder web/.

`make libraries` installs the JavaScript libraries that are bundled here; without them the page says
that it is missing, and all others are built.
"""

from __future__ import annotations

import json
import logging
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from architecture_index import FAMILIES
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from montforge.errors import ParameterError
from montforge.store import read_results
from montforge.store.pick import FUNCTIONS, RANGES, Choice, Request, pick

WEB = Path(__file__).parents[1] / "web"
MODULES = WEB / "node_modules"
BUNDLES = {"libraries.js": "--global-name=libraries", "page.js": "--format=iife"}
"""Files of the page that esbuild makes from those of the same name, and its option for each."""
log = logging.getLogger("mkdocs.hooks.choose")


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Add the files that docs/choose/index.md loads."""
    if not MODULES.is_dir():
        log.info("web/node_modules is missing (make libraries, which needs npm): no choose page")
        return files
    for name, content in page_files().items():
        files.append(File.generated(config, f"choose/{name}", content=content))
    return files


def page_files() -> dict[str, bytes]:
    """Return the files of the page by name."""
    text = json.dumps(stored(), separators=(",", ":"))
    return {
        "stored.js": f"const stored = {text};\n".encode(),
        "page.css": (WEB / "page.css").read_bytes(),
        "tabulator.css": (MODULES / "tabulator-tables/dist/css/tabulator.min.css").read_bytes(),
        **bundles(),
    }


def bundles() -> dict[str, bytes]:
    """Return the JavaScript files, minified, with the licences of the libraries in them."""
    with TemporaryDirectory() as folder:
        for name, option in BUNDLES.items():
            subprocess.run(
                [
                    MODULES / ".bin/esbuild", WEB / name, "--bundle", "--minify", option,
                    "--legal-comments=eof", "--log-level=warning", f"--outfile={folder}/{name}",
                ],
                check=True,
            )  # fmt: skip
        return {name: (Path(folder) / name).read_bytes() for name in BUNDLES}


def stored() -> dict[str, Any]:
    """Return the rows that `montforge.store.pick` ranks, and the names that a request may have."""
    rows: dict[str, dict[str, Any]] = {}
    results = read_results()
    places = sorted({(row.target, row.chosen.size) for row in results if not row.is_own})
    for target, width in places:
        for function in FUNCTIONS:
            for name in RANGES:
                request = Request(width=width, target=target, function=function, result=name)
                try:
                    found = pick(request, results)
                except ParameterError:  # no row at all
                    break
                for choice in found.choices:
                    row = rows.setdefault(str(choice.stored.key), described(choice, request))
                    row["ranges"].append(name)
    return {
        "rows": list(rows.values()),
        "ranges": list(RANGES),
        "functions": list(FUNCTIONS),
        "families": list(FAMILIES.values()),
    }


def described(choice: Choice, request: Request) -> dict[str, Any]:
    """Return a row: that of ``montforge pick --json``, and the words by which it is shown."""
    row = choice.stored
    return {
        **choice.to_json(),
        "label": row.label,
        "family": FAMILIES[row.chosen.family],
        "width": request.width,
        "target": request.target,
        "function": request.function,
        "ranges": [],
        "period": row.period,
        "words": row.chosen.words,
        "promise": str(row.chosen.contract),
    }
