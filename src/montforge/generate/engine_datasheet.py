# SPDX-License-Identifier: Apache-2.0
"""The datasheet of an RSA engine (README.md of its folder)."""

from __future__ import annotations

from collections.abc import Sequence

from montforge.arch.rsa.engine import Engine
from montforge.arch.rsa.model import (
    FULL,
    LOAD,
    MODEXP_PUBLIC,
    PAIR_LIFE,
    PRIVATE,
    PUBLIC,
    SETUP,
    Error,
)
from montforge.contract import Port
from montforge.generate.text import table
from montforge.host.driver import REASONS

CHECKED = {"pq": "modulo p and q", "n": "modulo n", "both": "modulo p and q, and modulo n"}
PRIVATE_OPERATIONS = (
    (LOAD, "load", "take a key into a slot, and check it"),
    (PRIVATE, "private", "y = x^d mod n with the key of a slot"),
)
PUBLIC_OPERATIONS = (
    (PUBLIC, "public", "y = x^e mod n, n and e from the host"),
    (FULL, "modexp, full", "the same for a secret e of e_bits bits"),
    (MODEXP_PUBLIC, "modexp, public", "the same as 3"),
    (SETUP, "set-up", "the constants of n alone, which the others make if n is new"),
)
PRIVATE_TIMES = (
    ("private", "n_bits and e of the key; pauses of the source of random words"),
    (
        "load",
        "the same; for a key that is refused, on the first group of checks that fails (what can be"
        " compared, qInv, the self-test)",
    ),
)
PUBLIC_TIMES = (
    ("public; modexp, public", "n_bits, and all of e"),
    ("modexp, full", "n_bits and e_bits"),
    ("each of them if n is new; set-up", "also the constants of n: n_bits"),
)


def engine_lines(engine: Engine) -> list[str]:
    """Return what follows from the parameters: turns, cycles a turn, core."""
    e = engine.public_exponent
    turns = max(engine.turns(engine.bits, e))
    full = [f"multiplier of full width: {engine.public_multiplier}"] if engine.public else []
    return [
        f"n: {engine.min_bits} to {engine.bits} bits, {engine.slots} key(s)",
        f"multiplier of a half: {engine.multiplier}, {engine.turn} cycles a turn",
        f"private operation of {engine.bits} bits with e = {e}: {turns} turns of"
        f" {engine.halves} exponentiator(s), {turns * engine.turn} cycles, and word operations"
        " (montforge cycles rsa counts all of them in simulation)",
        f"a result is checked {CHECKED[engine.check]}",
        *full,
    ]


def engine_fields(engine: Engine, ports: Sequence[Port]) -> dict[str, str]:
    """Return the fields of the template README_engine.md of what the engine does."""
    blinded = engine.eblind > 0
    return {
        "engine": str(engine),
        "lines": "\n".join(f"- {line}" for line in engine_lines(engine)),
        "bits": str(engine.bits),
        "min_bits": str(engine.min_bits),
        "operations": table(
            ("code", "operation", "what"),
            (
                (str(code), name, what)
                for code, name, what in (*PRIVATE_OPERATIONS, *PUBLIC_OPERATIONS * engine.public)
            ),
        ),
        "times": "\n".join(
            f"| {name} | {what} |" for name, what in (*PRIVATE_TIMES, *PUBLIC_TIMES * engine.public)
        ),
        "pair_life": str(PAIR_LIFE),
        "eblind": f"blinded exponents (d + k (p - 1), {engine.eblind} fresh bits k for each prime)"
        if blinded
        else "no blinded exponents (eblind = 0)",
        "checked": CHECKED[engine.check],
        "safe_error": " of that operation; the next one has another"
        if blinded
        else ", which is the same in each operation: eblind = 64 has a fresh one",
        "unchecked": "Results of the operations 3 to 5 have no check.\n" * engine.public,
        "errors": table(
            ("code", "name", "what was wrong"),
            (
                (str(int(error)), error.name, REASONS[error])
                for error in Error
                if error is not Error.OK
            ),
        ),
        "ports": table(
            ("port", "direction", "bits", "meaning"),
            ((f"`{p.name}`", p.direction, str(p.width), p.meaning) for p in ports),
        ),
        "memory_bits": f"{engine.memory_bits:,}",
    }
