# SPDX-License-Identifier: Apache-2.0
"""The command line that does a piece of work again, for reports, pages and data sheets."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from typing import TypeVar

Value = TypeVar("Value")


def command_line(verb: str, words: Iterable[str] = (), **options: object) -> str:
    """Return the line ``montforge VERB WORDS --NAME VALUE ...``, quoted for a shell.

    An option that is None, False or empty is left out. True stands for the option's name alone, and
    a tuple for the option with each of its values.
    """
    line = ["montforge", verb, *words]
    for name, given in options.items():
        option = f"--{name.replace('_', '-')}"
        for value in given if isinstance(given, tuple) else (given,):
            if value is True:
                line.append(option)
            elif value is not None and value is not False and value != "":
                line += [option, str(value)]
    return shlex.join(line)


def unless(usual: Value, value: Value) -> Value | None:
    """Return ``value``, or None for the ``usual`` one, which an option need not name."""
    return None if value == usual else value
