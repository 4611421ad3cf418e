# SPDX-License-Identifier: Apache-2.0
"""Planning of exponentiations: turns and cycles of a design before anything is built."""

from __future__ import annotations

from dataclasses import dataclass

from montforge.arch.base import Core
from montforge.arch.modexp import Modexp
from montforge.contract import Cycles
from montforge.errors import OperandError, ParameterError
from montforge.functions import exponent_bits


@dataclass(frozen=True)
class PowerCycles:
    """Cycles and products of exponentiations of one length.

    ``turns`` are dependent multiplications, with the two that enter and leave the domain;
    ``turn`` is the cycles of one; ``cycles`` the latency; ``leakage`` the class.
    ``utilisation`` is the share of the cycles in which the multiplier has work, at most: of the
    latency with one chain, and of the time in which each of several chains ends one operation.
    """

    turns: Cycles
    turn: Cycles
    cycles: Cycles
    leakage: str
    utilisation: float


def power_cycles(
    design: Core, *, length: int | None = None, exponent: int | None = None
) -> PowerCycles:
    """Return turns and cycles of an exponentiator for exponents of ``length`` bits.

    ``length`` defaults to the exponent's, or to the longest; with ``exponent`` the counts are
    those of this one, else bounds over all. Over a multiplier whose latency depends on data the
    cycles are bounds. Raises ParameterError for a design that is no exponentiator over a
    multiplier, and OperandError for a length or an exponent that does not fit.
    """
    if not isinstance(design, Modexp):
        raise ParameterError(
            f"{design.name} is no exponentiator over a multiplier; power_cycles takes"
            " designs of modexp."
        )
    most = exponent_bits(design.contract)
    if length is None:
        length = most if exponent is None else exponent.bit_length()
    if not 0 <= length <= most:
        raise OperandError(f"length = {length} is out of range; an exponent has 0 to {most} bits.")
    if exponent is not None and not 0 <= exponent < 1 << length:
        raise OperandError(
            f"exponent has {exponent.bit_length()} bits; legal: 0 <= e < 2^{length}."
        )
    part = design.multiplier.contract
    chosen = design.plan
    if exponent is None:
        turns = Cycles(*chosen.bounds(length))
    else:
        turns = Cycles.fixed(chosen.turns(exponent, length))
    cycles = design.latency_of(turns, length)
    if design.chains > 1:
        busy = design.chains * turns.maximum * part.interval.maximum / design.round_cycles
    else:
        busy = turns.maximum * (part.turn.maximum - 2) / cycles.maximum
    return PowerCycles(turns, part.turn, cycles, design.best_leakage, busy)
