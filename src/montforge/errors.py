# SPDX-License-Identifier: Apache-2.0
"""The errors that montforge raises, each worded for the person who reads it.

Every message names the wrong value, the rule that it broke and a legal value. The command prints
the message alone and ends with the error's ``status``.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

CHECK_FAILED, BAD_USAGE, UNDECIDED, FAILED = 1, 2, 3, 4
"""Exit statuses: a check failed; illegal arguments or input; no verdict; a tool or the machine
failed."""


class MontforgeError(Exception):
    """Base of all errors that bad input or a broken environment causes."""

    status = FAILED


class UsageError(MontforgeError):
    """Base of the errors in arguments and in files that the user named."""

    status = BAD_USAGE


class ParameterError(UsageError):
    """A parameter of an architecture is unknown or has an illegal value."""


class OperandError(UsageError):
    """A modulus or an operand breaks the design's contract."""


class UnknownNameError(UsageError):
    """An architecture, target or paper of that name does not exist."""


class EntryPointError(MontforgeError):
    """Another package registers an object that is no architecture."""


class InputFileError(UsageError):
    """A file that the user named is missing, empty or malformed."""


class OutputFolderError(UsageError):
    """An output folder can't be used or written."""


class OutputFailedError(OutputFolderError):
    """An output folder can be used, but the machine failed to write it: a full disk."""

    status = FAILED


class CacheError(MontforgeError):
    """The cache folder can't be written."""


class ToolMissingError(MontforgeError):
    """A tool is not installed; the message names the package to install."""


class ToolFailedError(MontforgeError):
    """A tool stopped with an error or ran out of time; the message names its log."""


class CheckFailedError(MontforgeError):
    """A design broke its contract, so that no figure of it can be given."""

    status = CHECK_FAILED


def unknown_name(kind: str, name: str, known: Iterable[str]) -> UnknownNameError:
    """Return the error for an unknown `name` of a `kind`, with the nearest known name."""
    names = sorted(known)
    hint = did_you_mean(name, names) or "."
    return UnknownNameError(f"unknown {kind} {name!r}{hint} Known: {', '.join(names)}.")


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return the question for the known name that ``name`` is near, or nothing if none is.

    A name is near that has most of the letters in order, or that is the beginning of the other one
    (``fcs``, ``rsa_engine``); capitals, ``-`` and ``_`` do not count.
    """
    plain = {_plain(text): text for text in sorted(known, reverse=True)}
    wanted = _plain(name)
    near = get_close_matches(wanted, plain, n=1)
    if len(wanted) > 2:
        near += [text for text in plain if text.startswith(wanted)]
        near += [text for text in plain if len(text) > 2 and wanted.startswith(text)]
    return f"; did you mean {plain[near[0]]!r}?" if near else ""


def _plain(name: str) -> str:
    return name.lower().replace("-", "").replace("_", "")
