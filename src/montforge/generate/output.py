# SPDX-License-Identifier: Apache-2.0
"""The output folder, which is replaced whole or not at all.

The marker holds a hash of each file that was written, so that files that somebody edited or added
are recognised.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from montforge.errors import OutputFolderError
from montforge.generate.text import VERSION, json_text
from montforge.work.limits import unwritable

MARKER = ".montforge.json"
"""The file that marks a folder as generated, so that it may be replaced."""

BUILD = "build"
"""The folder, below the output, of files that the generated Makefile and scripts make again."""

NAMES_SHOWN = 10


@contextmanager
def clear_errors(output: Path) -> Iterator[None]:
    """Raise OutputFolderError with a reason in place of an OSError about ``output``."""
    try:
        yield
    except OSError as error:
        raise unwritable(output, error) from None


def check_replaceable(output: Path, *, force: bool = False) -> None:
    """Raise OutputFolderError unless ``output`` is missing, empty, or a folder of ours.

    Also raises if a folder of ours has files that were edited or added since, but with ``force``.
    """
    if output.is_dir():
        ours = (output / MARKER).is_file()
        if not ours and any(output.iterdir()):
            raise OutputFolderError(
                f"the output folder {output} exists and was not made by montforge (it has no"
                f" {MARKER}); name a new or an empty folder."
            )
        changed = changed_files(output) if ours and not force else []
        if changed:
            shown = ", ".join(changed[:NAMES_SHOWN])
            more = f" and {len(changed) - NAMES_SHOWN} more" * (len(changed) > NAMES_SHOWN)
            raise OutputFolderError(
                f"the output folder {output} has files that were edited or added since it was"
                f" made: {shown}{more}; move them away, or replace the folder with them (--force)."
            )
    elif output.exists():
        raise OutputFolderError(
            f"the output {output} exists and is not a folder; name a new or an empty folder."
        )


def changed_files(folder: Path) -> list[str]:
    """Return, in order, the files of a generated folder that were edited or added since."""
    written = _written_hashes(folder)
    found = []
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if (path.is_dir() and not path.is_symlink()) or name == MARKER:
            continue
        regular = path.is_file() and not path.is_symlink()
        ours = regular and written.get(name) == file_hash(path)
        if not ours and not name.startswith(f"{BUILD}/"):
            found.append(name)
    return found


def file_hash(path: Path) -> str:
    """Return the SHA-256 hash of a file, in hexadecimal."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def write_marker(folder: Path, made: Mapping[str, object]) -> None:
    """Write the marker of a folder: each file's hash, and ``made``.

    ``made`` is enough to make the folder again: architecture, parameters as ``-p`` takes them,
    options.
    """
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    hashes = {path.relative_to(folder).as_posix(): file_hash(path) for path in paths}
    record = {
        "generator": "montforge",
        "version": VERSION,
        **made,
        "files": sorted(hashes),
        "sha256": hashes,
    }
    write(folder / MARKER, json_text(record))


def _written_hashes(folder: Path) -> dict[str, object]:
    """Return the hashes of the marker; none if it is broken or of an older version."""
    try:
        hashes = json.loads((folder / MARKER).read_text(encoding="utf-8"))["sha256"]
    except (ValueError, RecursionError, KeyError, TypeError):
        return {}
    return hashes if isinstance(hashes, dict) else {}


def replace_folder(output: Path, fill: Callable[[Path], None], *, force: bool = False) -> None:
    """Put a folder made by ``fill`` in the place of ``output``, or leave all as it was.

    ``output`` is checked again after ``fill``, which can take minutes.
    """
    output.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(
        prefix=f".{output.name}.", dir=output.parent, ignore_cleanup_errors=True
    ) as scratch:
        new, old = Path(scratch) / "new", Path(scratch) / "old"
        new.mkdir()
        fill(new)
        check_replaceable(output, force=force)
        if output.exists():
            output.rename(old)
        try:
            new.rename(output)
        except BaseException:
            if old.exists():
                old.rename(output)
            raise


def write(path: Path, text: str) -> None:
    """Write a file, and the folders above it, with the same bytes on every machine."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")
