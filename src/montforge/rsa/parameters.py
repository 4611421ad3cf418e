# SPDX-License-Identifier: Apache-2.0
"""The RSA engine of ``NAME=VALUE`` words, as commands have them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields

from montforge.errors import ParameterError, unknown_name
from montforge.rsa.engine import Engine

CORE = "core"
NUMBERS = tuple(
    entry.name
    for entry in fields(Engine)
    if entry.init and entry.name not in (CORE, "core_parameters")
)
"""Parameters that are integers."""


def engine_of(words: Sequence[str]) -> Engine:
    """Return the engine with these parameters, such as ``bits=2048``, ``core=booth_csa``,
    ``core.radix=64``, and defaults for the others. Raises ParameterError."""
    numbers: dict[str, int] = {}
    core = Engine.core
    core_parameters: dict[str, str] = {}
    for text in words:
        name, equals, value = text.partition("=")
        if not equals:
            raise ParameterError(
                f"parameter {text!r} has no value; write -p NAME=VALUE, such as -p bits=2048."
            )
        if name == CORE:
            core = value
        elif name.startswith(f"{CORE}."):
            core_parameters[name.removeprefix(f"{CORE}.")] = value
        elif name in NUMBERS:
            numbers[name] = _integer(name, value)
        else:
            raise ParameterError(
                str(unknown_name("parameter", name, (*NUMBERS, CORE, f"{CORE}.PARAMETER")))
            )
    bits = numbers.get("bits", Engine.bits)
    numbers.setdefault("min_bits", min(Engine.min_bits, bits))
    return Engine(core=core, core_parameters=tuple(core_parameters.items()), **numbers)


def _integer(name: str, text: str) -> int:
    try:
        return int(text, 0)
    except ValueError:
        raise ParameterError(f"parameter {name} = {text!r} is not an integer.") from None
