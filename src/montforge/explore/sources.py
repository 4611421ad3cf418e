# SPDX-License-Identifier: Apache-2.0
"""The sources that travel with a job: montforge itself, the RTL library, the cell library."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path

from montforge.hardware.hardware import rtl_root
from montforge.measure.targets import StandardCells, Target
from montforge.work.sources import COMMIT_FILE, source_commit, source_files

LIBERTY_FOLDER = "liberty"


def pack_sources(target: Target) -> bytes:
    """Return a zip file whose root can be put on Python's path, with the cells of ``target``.

    The worker needs montforge's dependencies, but neither montforge nor any of its files.
    """
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in _files():
            archive.writestr(name, data)
        path = liberty_path(target)
        if path is not None and isinstance(target, StandardCells):
            archive.writestr(path, target.liberty)
    return buffer.getvalue()


def liberty_path(target: Target) -> str | None:
    """Return where `pack_sources` puts the Liberty file of ``target``, if it has one."""
    if isinstance(target, StandardCells) and not target.genlib:
        return f"{LIBERTY_FOLDER}/{target.name}"
    return None


def _files() -> Iterator[tuple[str, bytes]]:
    package = Path(str(files("montforge")))
    roots = {package: "montforge"}
    if not rtl_root().is_relative_to(package):  # as it is in a source checkout
        roots[rtl_root()] = "montforge/rtl"
    for root, place in roots.items():
        for path in source_files(root):
            yield f"{place}/{path.relative_to(root).as_posix()}", path.read_bytes()
    yield COMMIT_FILE, (source_commit() or "").encode()
    number = version("montforge")
    metadata = f"Metadata-Version: 2.1\nName: montforge\nVersion: {number}\n"
    yield f"montforge-{number}.dist-info/METADATA", metadata.encode()
