# SPDX-License-Identifier: Apache-2.0
"""The steps of a demonstration on the terminal: a name while one is under way, then its time."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NoReturn, TypeVar

from rich.console import Console

from montforge.errors import MontforgeError, ToolMissingError

Result = TypeVar("Result")
console = Console()


def say(text: str, style: str = "") -> None:
    """Print a line as it is."""
    console.print(text, style=style, markup=False, highlight=False, soft_wrap=True)


@contextmanager
def step(name: str) -> Iterator[None]:
    """Show that a step is under way, then its time."""
    started = time.monotonic()
    with console.status(f"{name} ..."):
        yield
    say(f"  {name}: {time.monotonic() - started:.0f} s")


def attempt(name: str, work: Callable[[], Result]) -> Result | None:
    """Return the result of ``work`` as a step, or None, with a message, if a tool is missing."""
    try:
        with step(name):
            return work()
    except ToolMissingError as error:
        say(f"  left out: {name}: {error}")
        return None


def end_with(main: Callable[[], int]) -> NoReturn:
    """End the process with the status of ``main``, or with that of its error, which is said."""
    try:
        sys.exit(main())
    except MontforgeError as error:
        say(f"montforge: {error}")
        sys.exit(error.status)
