# SPDX-License-Identifier: Apache-2.0
"""The contract of an engine: operations, registers and errors of a core with slots and a bus."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Operation:
    """An operation that the host starts by its code. ``time``: the values its cycles follow."""

    code: int
    name: str
    meaning: str
    time: str


@dataclass(frozen=True)
class Register:
    """A register of 32 bits, or a window of words, at a byte address of the bus."""

    address: int
    name: str
    meaning: str


@dataclass(frozen=True)
class ErrorCode:
    """A code that an operation ends with, and its cause."""

    code: int
    name: str
    meaning: str


@dataclass(frozen=True)
class EngineContract:
    """Contract of an engine. ``summary`` has a line for each fact that its parameters decide."""

    architecture: str
    summary: tuple[str, ...]
    operations: tuple[Operation, ...]
    registers: tuple[Register, ...]
    errors: tuple[ErrorCode, ...]
    handover: int = 0

    def to_json(self) -> dict[str, Any]:
        """Return the contract as JSON-ready values."""
        return asdict(self)

    def __str__(self) -> str:
        lines = [f"contract of {self.architecture}", *(f"  {line}" for line in self.summary)]
        lines += ["  operations"]
        lines += [f"    {o.code} {o.name}: {o.meaning}; time by {o.time}" for o in self.operations]
        lines += ["  registers"]
        lines += [f"    {r.address:#06x} {r.name}: {r.meaning}" for r in self.registers]
        lines += ["  errors", *(f"    {e.code} {e.name}: {e.meaning}" for e in self.errors)]
        return "\n".join(lines)
