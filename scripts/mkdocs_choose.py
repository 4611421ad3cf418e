# SPDX-License-Identifier: Apache-2.0
"""MkDocs hook: makes the files of the page docs/choose from the store and the folder web/.

`make libraries` installs the JavaScript libraries that are bundled here; without them the page says
that it is missing, and all others are built.
"""

from __future__ import annotations

import json
import logging
import subprocess
import sys
from importlib.metadata import distribution
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from architecture_index import FAMILIES
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from montforge.report.chart import COLOURS, FRONTIER_COLOUR
from montforge.store import read_results
from montforge.store.pick import BY_RATE, FUNCTIONS, METRICS, RANGES

WEB = Path(__file__).parents[1] / "web"
sys.path.append(str(WEB))
from browser_rows import page_rows  # noqa: E402

MODULES = WEB / "node_modules"
BUNDLES = {"libraries.js": "--global-name=libraries", "page.js": "--format=iife"}
"""Files of the page that esbuild makes from those of the same name, and its option for each."""
PYODIDE = ("pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
PYODIDE_MODULES = ("pyodide.mjs", "pyodide.asm.mjs")
IN_BROWSER = ("jinja2", "markupsafe", "filelock")
"""Packages that `montforge.generate` imports, all of Python alone (or with a twin that is)."""
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
    fetched = {
        "package.zip": package(),
        **{f"pyodide/{name}": (MODULES / "pyodide" / name).read_bytes() for name in PYODIDE},
    }
    data = {**stored(), "download": sum(map(len, fetched.values()))}
    text = json.dumps(data, separators=(",", ":"))
    modules = {f"pyodide/{n}": (MODULES / "pyodide" / n).read_bytes() for n in PYODIDE_MODULES}
    return {
        **fetched,
        **modules,
        "worker.js": (WEB / "worker.js").read_bytes(),
        "stored.js": f"const stored = {text};\n".encode(),
        "page.css": (WEB / "page.css").read_bytes(),
        "tabulator.css": (MODULES / "tabulator-tables/dist/css/tabulator.min.css").read_bytes(),
        **bundles(),
    }


def package() -> bytes:
    """Return a zip of the wheel of montforge, its packages, and the worker's modules.

    The same sources give the same bytes.
    """
    contents = {path.name: path.read_bytes() for path in WEB.glob("browser_*.py")}
    with TemporaryDirectory() as folder:
        subprocess.run(
            [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder],
            cwd=WEB.parent, check=True, capture_output=True,
        )  # fmt: skip
        (wheel,) = Path(folder).glob("*.whl")
        with ZipFile(wheel) as archive:
            contents |= {name: archive.read(name) for name in archive.namelist()}
    for name in IN_BROWSER:
        for path in distribution(name).files or ():
            if path.suffix == ".py" or "licenses" in path.parts:
                contents[path.as_posix()] = path.read_binary()
    target = BytesIO()
    with ZipFile(target, "w", ZIP_DEFLATED) as archive:
        for name in sorted(contents):
            archive.writestr(ZipInfo(name), contents[name], ZIP_DEFLATED)
    return target.getvalue()


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
    results = read_results()
    return {
        "rows": page_rows(results, sorted({row.target for row in results})),
        "ranges": list(RANGES),
        "functions": list(FUNCTIONS),
        "metrics": list(METRICS),
        "by_rate": BY_RATE,
        "families": {**FAMILIES, "engine": "Engines", "own": "Own RTL"},
        "colours": COLOURS,
        "frontier_colour": FRONTIER_COLOUR,
    }
