# SPDX-License-Identifier: Apache-2.0
"""The verdict on a statement about a design, with its grounds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, TypeAlias

from montforge.errors import UNDECIDED, MontforgeError

Verdict: TypeAlias = Literal["proved", "refuted", "unknown", "not_applicable"]


class ProofError(MontforgeError):
    """A design can't be read as a proof needs it: the verdict is unknown, for this reason."""

    status = UNDECIDED


@dataclass(frozen=True)
class Check:
    """The verdict of one check of a design.

    ``grounds`` are the methods that it rests on, ``assumptions`` what it takes for granted,
    ``path`` the names of the nets on a path that refutes it, ``witness`` values that do, by net.
    ``seconds`` is elapsed time.
    """

    name: str
    verdict: Verdict
    message: str
    grounds: tuple[str, ...] = ()
    assumptions: tuple[str, ...] = ()
    path: tuple[str, ...] = ()
    witness: Mapping[str, int] = field(default_factory=dict)
    seconds: float = 0.0
    parts: tuple[Check, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return JSON-ready values; integers of a witness are hexadecimal."""
        return {
            **asdict(self),
            "witness": {name: hex(value) for name, value in self.witness.items()},
            "parts": [part.to_json() for part in self.parts],
        }


def worst(verdicts: list[Verdict]) -> Verdict:
    """Return the verdict on a statement that needs all of ``verdicts``."""
    for found in ("refuted", "unknown", "proved"):
        if found in verdicts:
            return found
    return "not_applicable"
