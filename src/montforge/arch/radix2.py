# SPDX-License-Identifier: Apache-2.0
"""The common part of the radix-2 multipliers, most of them with a carry-save intermediate sum."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Literal

from montforge.arch.base import Core, Values
from montforge.arch.corners import legal, pairs
from montforge.arch.multiplier import montgomery_contract, reduction
from montforge.contract import Bound, Contract, Cycles, Encoding, ModulusRule
from montforge.hardware.check import Tap

PAIR_NOTE = "Bounds of operands and result are those of a pair's sum."


@dataclass(frozen=True)
class Radix2CarrySave(Core):
    """Base of the multipliers that take n itself and do ``log2(R)`` iterations, none skipped."""

    family = "carry_save"
    encoding: ClassVar[Literal["binary", "carry_save"]] = "binary"
    """How operands and result are carried."""
    multiple: ClassVar[int] = 2
    """Operands and result are below this multiple of n."""
    handover: ClassVar[int] = 0
    """Cycles from the result to rsp_valid_o."""

    @property
    @abstractmethod
    def latency(self) -> Cycles:
        """The latency, or its bounds."""

    @property
    def iterations(self) -> int:
        """Log2(R): two more than the width, so that no subtraction is needed."""
        return self.width + 2

    @cached_property
    def parallel_contract(self) -> Contract:
        """The contract: closed for every odd n."""
        bound = Bound(self.multiple)
        vector = self.width + self.multiple - 1
        pairs = self.encoding == "carry_save"
        vectors = Encoding(self.encoding, vector, vector if pairs else 0)
        return montgomery_contract(
            self,
            r=1 << self.iterations,
            modulus=ModulusRule(self.width),
            operand=(vectors, bound),
            latency=self.latency,
            handover=self.handover,
            notes=(PAIR_NOTE,) if pairs else (),
        )

    def golden_model(self, a: int, b: int, n: int) -> int:
        """Return the value after the last iteration, in closed form."""
        return reduction(a * b, n, 1 << self.iterations)

    def corner_values(self) -> Iterator[Values]:
        """Yield operations with operands at their bound and around the powers of two and n."""
        top = 1 << self.width
        third = (2 * top // 3) | 1  # the least moduli for which 2^(k+1) - n is an operand
        moduli = {top - 1, top - 3, (top >> 1) + 1, (top >> 1) + 3, third, third + 2, 3, 5, 7}
        for n in legal(self.parallel_contract, moduli):
            limit = self.multiple * n
            multipliers = {0, 1, limit - 1, top, (top >> 1) - 1, n, n - 1}
            multiplicands = {
                0,
                1,
                limit - 1,
                2 * top - n,  # with a = 2^k, a carry chain over the whole final pair
                2 * top - 2 * n,
                top - n,  # the longest carry chain in b + n
                n,
            }
            yield from pairs(n, limit, multipliers, multiplicands)


def loop_tap(design: Radix2CarrySave, module: str, digit: str, *, gap: int) -> Tap:
    """Return the tap of a core that has a digit in each cycle of its phase StLoop."""
    return Tap((module,), "phase_q == StLoop", digit, gap=gap, p_shift=design.iterations)


@dataclass(frozen=True)
class Subtracting(Radix2CarrySave):
    """The common part of those that subtract n at the end: operands and result are below n."""

    multiple = 1

    @property
    def iterations(self) -> int:
        """The width: the subtraction makes up for the two iterations."""
        return self.width

    def golden_model(self, a: int, b: int, n: int) -> int:
        """Return the value after the last iteration, reduced below n."""
        s = super().golden_model(a, b, n)
        return s - n if s >= n else s
