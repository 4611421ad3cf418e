# SPDX-License-Identifier: Apache-2.0
"""The datasheet of an RSA engine (README.md of its folder)."""

from __future__ import annotations

from collections.abc import Sequence

from montforge.arch.rsa.engine import CHECKED, Engine
from montforge.arch.rsa.model import PAIR_LIFE
from montforge.contract import Port
from montforge.generate.text import table


def engine_fields(engine: Engine, ports: Sequence[Port]) -> dict[str, str]:
    """Return the fields of the template README_engine.md about the engine's function."""
    blinded, contract = engine.eblind > 0, engine.contract
    return {
        "engine": str(engine),
        "lines": "\n".join(f"- {line}" for line in contract.summary),
        "bits": str(engine.bits),
        "min_bits": str(engine.min_bits),
        "operations": table(
            ("code", "operation", "what"),
            ((str(found.code), found.name, found.meaning) for found in contract.operations),
        ),
        "times": "\n".join(f"| {found.name} | {found.time} |" for found in contract.operations),
        "pair_life": str(PAIR_LIFE),
        "eblind": f"blinded exponents (d + k (p - 1), {engine.eblind} fresh bits k for each prime)"
        if blinded
        else "no blinded exponents (eblind = 0)",
        "checked": CHECKED[engine.check_by],
        "safe_error": " of that operation; the next one has another"
        if blinded
        else ", which is the same in each operation: eblind = 64 has a fresh one",
        "unchecked": "Results of the operations 3 to 5 have no check.\n" * engine.public,
        "errors": table(
            ("code", "name", "error"),
            ((str(error.code), error.name, error.meaning) for error in contract.errors),
        ),
        "ports": table(
            ("port", "direction", "bits", "meaning"),
            ((f"`{p.name}`", p.direction, str(p.width), p.meaning) for p in ports),
        ),
        "memory_bits": f"{engine.memory_bits:,}",
    }
