# SPDX-License-Identifier: Apache-2.0
"""The RSA engine of ``NAME=VALUE`` words, as commands have them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from montforge.arch.rsa.engine import PARAMETERS, Engine
from montforge.errors import ParameterError, unknown_name

CORES = ("core", "public_core")
NAMES = (*CORES, "check", "table")
NUMBERS = tuple(
    entry.name
    for entry in fields(Engine)
    if entry.init and entry.name not in NAMES and not entry.name.endswith(PARAMETERS)
)
"""Parameters that are integers."""


def engine_of(words: Sequence[str]) -> Engine:
    """Return the engine with these parameters, such as ``bits=2048``, ``core=booth_csa``,
    ``core.radix=64``, and defaults for the others. Raises ParameterError."""
    values: dict[str, Any] = {}
    parts: dict[str, dict[str, str]] = {core: {} for core in CORES}
    given: set[str] = set()
    for text in words:
        name, _, value = text.partition("=")
        if not value:
            raise ParameterError(
                f"parameter {text!r} has no value; write -p NAME=VALUE, such as -p bits=2048."
            )
        if name in given:
            raise ParameterError(f"parameter {name} is given twice; give it once.")
        given.add(name)
        part, dot, inner = name.partition(".")
        if name in NAMES:
            values[name] = value
        elif dot and part in CORES:
            parts[part][inner] = value
        elif name in NUMBERS:
            values[name] = _integer(name, value)
        else:
            of_cores = (f"{core}.PARAMETER" for core in CORES)
            raise ParameterError(
                str(unknown_name("parameter", name, (*NUMBERS, *NAMES, *of_cores)))
            )
    bits = values.get("bits", Engine.bits)
    values.setdefault("min_bits", min(Engine.min_bits, bits))
    return Engine(
        core_parameters=tuple(parts["core"].items()),
        public_core_parameters=tuple(parts["public_core"].items()),
        **values,
    )


def _integer(name: str, text: str) -> int:
    try:
        return int(text, 0)
    except ValueError:
        raise ParameterError(f"parameter {name} = {text!r} is not an integer.") from None
