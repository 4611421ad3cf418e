# SPDX-License-Identifier: Apache-2.0
"""The constants of a design under one modulus, as text for software and hardware."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from montforge.arch import Core
from montforge.work.command import command_line
from montforge.work.templates import render

FORMATS = ("hex", "c", "sv")
WORD_BITS = 32
"""Bits of a word of the arrays in C."""


@dataclass(frozen=True)
class Constant:
    """A value of ``width`` bits as its port carries it: ``pattern`` is not negative."""

    name: str
    pattern: int
    width: int
    meaning: str

    @property
    def digits(self) -> str:
        """All hexadecimal digits of the width."""
        return f"{self.pattern:0{-(-self.width // 4)}x}"

    @property
    def words(self) -> list[str]:
        """The words of `WORD_BITS`, the lowest first, in hexadecimal."""
        count = -(-self.width // WORD_BITS)
        mask = (1 << WORD_BITS) - 1
        return [f"0x{self.pattern >> WORD_BITS * at & mask:08x}" for at in range(count)]


def constants_of(design: Core, n: int) -> tuple[Constant, ...]:
    """Return n, R mod n and R^2 mod n, and each value that ``design`` takes beside n.

    A design without a Montgomery domain has no R. Raises OperandError for an illegal modulus.
    """
    contract, values = design.contract, design.constants(n)
    bits = max(design.size, n.bit_length())
    found = [Constant("n", n, bits, "the modulus")]
    if contract.r != 1:
        domain = contract.domain_constants(n)
        found.append(
            Constant("r_mod_n", domain["r_mod_n"], bits, f"R mod n, R = {contract.r_text}")
        )
        found.append(Constant("r2_mod_n", domain["r2_mod_n"], bits, "R^2 mod n"))
    for field in contract.constants_spec:
        for pattern in field.encode(values[field.name]):
            found.append(Constant(field.name, pattern, field.width, field.meaning))
    return tuple(found)


def constants_text(design: Core, n: int, kind: str) -> str:
    """Return the constants as ``hex`` (lines), ``c`` (a header) or ``sv`` (a package)."""
    fields: dict[str, Any] = {
        "design": design,
        "constants": constants_of(design, n),
        "command": command_line("constants", (*design.words, hex(n)), format=kind),
    }
    if kind == "hex":
        return "".join(f"{each.name} = 0x{each.digits}\n" for each in fields["constants"])
    return render({"c": "constants.h.in", "sv": "constants.sv.in"}[kind], fields)


def constants_json(design: Core, n: int) -> dict[str, Any]:
    """Return the constants as JSON values, hexadecimal with 0x."""
    return {
        "architecture": design.name,
        "parameters": dict(design.parameters),
        "constants": [
            {"name": c.name, "value": f"0x{c.digits}", "width": c.width, "meaning": c.meaning}
            for c in constants_of(design, n)
        ],
    }
