# SPDX-License-Identifier: Apache-2.0
"""Designs that `montforge.design` does not make: other files, or values that no rule allows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path

from montforge.arch import Design


def with_files(chosen: Design, files: Sequence[Path]) -> Design:
    """Return ``chosen`` as an architecture from outside, with its RTL in ``files``."""
    names = property(lambda self: tuple(map(str, files)))
    kind = type("Outside", (type(chosen),), {"files": names})
    return kind(**values_of(chosen))


def unchecked(chosen: Design, **values: object) -> Design:
    """Return ``chosen`` with other values of its fields, legal or not."""
    made = object.__new__(type(chosen))
    vars(made).update(values_of(chosen) | values)
    return made


def values_of(chosen: Design) -> dict[str, object]:
    """Return the values of the fields by name."""
    return {entry.name: getattr(chosen, entry.name) for entry in fields(chosen)}
