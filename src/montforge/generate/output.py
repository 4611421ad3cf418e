# SPDX-License-Identifier: Apache-2.0
"""The output folder: ours, replaced whole or not at all."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from montforge.errors import OutputFolderError

MARKER = ".montforge.json"
"""The file by which a folder is known to be one of ours, which may be replaced."""


@contextmanager
def clear_errors(output: Path) -> Iterator[None]:
    """Raise OutputFolderError with a reason in place of an OSError about ``output``."""
    try:
        yield
    except OSError as error:
        raise OutputFolderError(
            f"the output folder {output} can't be written: {error.strerror or error}."
            " Free disk space, fix the permissions, or name another folder."
        ) from None


def check_replaceable(output: Path) -> None:
    """Raise OutputFolderError unless ``output`` is missing, empty, or a folder of ours."""
    if output.is_dir():
        ours = (output / MARKER).is_file()
        if not ours and any(output.iterdir()):
            raise OutputFolderError(
                f"the output folder {output} exists and was not made by montforge (it has no"
                f" {MARKER}); name a new or an empty folder."
            )
    elif output.exists():
        raise OutputFolderError(
            f"the output {output} exists and is not a folder; name a new or an empty folder."
        )


def replace_folder(output: Path, fill: Callable[[Path], None]) -> None:
    """Put a folder made by ``fill`` in the place of ``output``, or leave all as it was."""
    output.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(
        prefix=f".{output.name}.", dir=output.parent, ignore_cleanup_errors=True
    ) as scratch:
        new, old = Path(scratch) / "new", Path(scratch) / "old"
        new.mkdir()
        fill(new)
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
