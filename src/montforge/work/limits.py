# SPDX-License-Identifier: Apache-2.0
"""Checks of a caller's arguments, before any work is done: numbers, and folders to write to."""

from __future__ import annotations

import errno
import os
import tempfile
from contextlib import suppress
from pathlib import Path

from montforge.errors import OutputFailedError, OutputFolderError, ParameterError

COUNTS = {
    "operations": 100_000_000,
    "samples": 10_000_000,
    "chain_length": 100_000_000,
    "workers": 1024,
    "seeds": 1000,
    "frequency": 1000,
    "trials": 1_000_000,
    "time_limit": 10_000_000,
    "memory_limit": 100_000_000,
}
"""The largest legal values, of operations, processes, placements, MHz, designs, seconds and MB."""


def check_limits(*, least: float = 1, **values: float | None) -> None:
    """Raise ParameterError for a value that is not from ``least`` to its maximum in `COUNTS`.

    None stands for a default and is legal; NaN is not.
    """
    for name, value in values.items():
        if value is not None and not least <= value <= COUNTS[name]:
            shown = f"{value:g}" if isinstance(value, float) else value
            raise ParameterError(
                f"{name} = {shown} is not legal; {name} must be from {least:g} to {COUNTS[name]:,}."
            )


def usual_workers() -> int:
    """Return ``$MONTFORGE_WORKERS``, or without it the number of cores that this process may use.

    Raises ParameterError if the variable is not a legal number of workers.
    """
    named = os.environ.get("MONTFORGE_WORKERS")
    if not named:
        return len(os.sched_getaffinity(0))
    if not named.isdecimal() or not 1 <= int(named) <= COUNTS["workers"]:
        raise ParameterError(
            f"MONTFORGE_WORKERS = {named!r} is not legal; it must be a number from 1 to"
            f" {COUNTS['workers']:,}."
        )
    return int(named)


def check_output_folder(folder: Path) -> None:
    """Raise OutputFolderError if ``folder`` can't be made or written to. Nothing is left there."""
    missing = []
    nearest = folder
    while not os.path.lexists(nearest) and nearest != nearest.parent:
        missing.append(nearest)
        nearest = nearest.parent
    if not nearest.is_dir():
        what = "is" if nearest == folder else f"can't be made: {nearest} is"
        raise OutputFolderError(f"the output folder {folder} {what} a file; name a folder.")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(b"0")
    except OSError as error:
        raise unwritable(folder, error) from None
    finally:
        for made in missing:
            with suppress(OSError):
                made.rmdir()


def unwritable(folder: Path, error: OSError) -> OutputFolderError:
    """Return the error for an output folder at which ``error`` came.

    It is OutputFailedError where another folder of the same disk would not help.
    """
    failed = error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EIO)
    return (OutputFailedError if failed else OutputFolderError)(
        f"the output folder {folder} can't be written: {error.strerror or error}."
        " Free disk space, fix the permissions, or name another folder."
    )
