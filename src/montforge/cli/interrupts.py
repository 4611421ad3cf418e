# SPDX-License-Identifier: Apache-2.0
"""The signals that end the command, from its start on."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

INTERRUPTED = 130
"""The exit status after an interrupt, which Typer turns into SystemExit while a command works."""
ENDINGS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def loading_begins() -> None:
    """End at once from here on: an exception while modules are loaded may come up anywhere."""
    _take(_end_silently)


def work_begins() -> None:
    """Raise KeyboardInterrupt from here on, after `loading_begins`: it ends the command's tools."""
    if _end_silently in map(signal.getsignal, ENDINGS):  # not where others call the commands
        _take(_raise_interrupt)


def work_ends() -> None:
    """Leave signals to the system, which ends the process silently."""
    _take(signal.SIG_DFL)


def _take(handler: Callable[..., NoReturn] | signal.Handlers) -> None:
    for ending in ENDINGS:
        if signal.getsignal(ending) is not signal.SIG_IGN:  # as nohup starts a command
            signal.signal(ending, handler)


def _end_silently(*_: object) -> NoReturn:
    os._exit(INTERRUPTED)


def _raise_interrupt(*_: object) -> NoReturn:
    raise KeyboardInterrupt
