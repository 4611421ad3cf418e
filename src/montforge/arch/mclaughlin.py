# SPDX-License-Identifier: Apache-2.0
"""``mlm``, ``mlws``: McLaughlin's multiplication on a digit-serial core, for the algebra alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from montforge.arch.base import Core, Values
from montforge.arch.citations import DAI_2018
from montforge.arch.multiplier import montgomery_contract
from montforge.arch.parameter import integer
from montforge.contract import Bound, Contract, Cycles, Encoding, Field, ModulusRule

NEGATIVE_INVERSE = "-n^-1 mod r"
"""What the constant of the family is."""


def coprime_rule(width: int, r: int, r_text: str, advice: str = "") -> ModulusRule:
    """Return the rule of the family: n from 2 on, even or odd, without a common factor with r."""
    return ModulusRule(width, minimum=2, even=True, coprime_to=(f"r = {r_text}", r), advice=advice)


def mclaughlin_corners(contract: Contract, moduli: Iterator[int]) -> Iterator[Values]:
    """Yield operations of the family's corners under each legal one of ``moduli``.

    Zero operands; results that are n; products that are 0 modulo r = 2^l - 1 without an operand
    that is 0, x = i (2^(l/2) - 1), y = j (2^(l/2) + 1); operands of ones.
    """
    half = 1 << contract.r.bit_length() // 2
    for n in moduli:
        if not contract.modulus.is_legal(n):
            continue
        limit = contract.operand_bound.upper(n)
        values = {0, 1, 2, n - 1, n, limit - 1, contract.r % n, (1 << contract.width) - 1}
        factors = [(i * (half - 1), j * (half + 1)) for i in (1, 2, 3) for j in (1, 2)]
        chosen = {(a, b) for a in values for b in values} | {
            *factors,
            *((b, a) for a, b in factors),
        }
        for a, b in sorted(chosen):
            if a < limit and b < limit:
                yield a, b, n


@dataclass(frozen=True)
class _DigitSerial(Core):
    """Three passes over the digits: x y, its product with n', and m n; then the result from g."""

    family = "fft"
    room: ClassVar[int] = 0
    """The bits that l has at least above the width."""
    digit: int = integer("bits of a digit", 8, minimum=1, maximum=64)

    @property
    def _length(self) -> int:
        """L: a multiple of the digit, two digits or more, for the widest modulus."""
        return self.digit * max(2, -(-(self.width + self.room) // self.digit))

    @property
    def _passes(self) -> int:
        return 3 * self._length // self.digit

    def _contract(self, multiple: int, latency: Cycles) -> Contract:
        length = self._length
        r = (1 << length) - 1
        operand = (Encoding("binary", self.width + multiple - 1), Bound(multiple))
        return montgomery_contract(
            self,
            r=r,
            modulus=coprime_rule(self.width, r, f"2^{length} - 1"),
            operand=operand,
            constants=(Field.constant("n_prime", length, NEGATIVE_INVERSE),),
            latency=latency,
        )

    def modulus_constants(self, n: int) -> dict[str, int]:
        """Return -n^-1 mod r."""
        r = (1 << self._length) - 1
        return {"n_prime": -pow(n, -1, r) % r}

    def corner_values(self) -> Iterator[Values]:
        """Yield zeros, results n, products that are 0 modulo r, operands of ones."""
        contract = self.parallel_contract
        top = 1 << contract.width
        moduli = (top - 1, top - 2, top - 3, (top >> 1) + 2, (top >> 1) - 1, top // 3, 2, 4)
        return mclaughlin_corners(contract, iter(moduli))


@dataclass(frozen=True)
class Mlm(_DigitSerial):
    """Algorithm 2, with its three conditional selections."""

    name = "mlm"
    title = "McLaughlin's Montgomery multiplication, digit-serial"
    citation = DAI_2018.at("Algorithm 2, Section 2.4")
    library = ("fft/mf_mclaughlin_core.sv", "fft/mf_mlm.sv")
    formulas = (
        ("R", "r = 2^l - 1, l = digit max(2, ceil(width / digit)); h = 2^l + 1"),
        ("latency", "3 l / digit + 7 cycles, and one for each of f + h, w + h, t - n"),
        ("interval", "latency + 2 cycles"),
    )
    errata = (
        "The additions of steps 4 to 6 take a cycle each only when they take place: the leak that"
        " Section 2.4 describes.",
    )

    @cached_property
    def parallel_contract(self) -> Contract:
        """The contract: operands and result below n, a latency that depends on the data."""
        fixed = self._passes + 7
        attained = 4 < self._length == self.width
        return self._contract(1, Cycles(fixed, fixed + 3, attained))

    def golden_model(self, a: int, b: int, n: int) -> int:
        """Return t, of steps 1 to 6."""
        return self._steps(a, b, n)[0]

    def cycle_model(self, a: int, b: int, n: int) -> int:
        """Return the passes and the conditional additions of this operation."""
        return self._passes + 7 + self._steps(a, b, n)[1]

    def _steps(self, x: int, y: int, n: int) -> tuple[int, int]:
        """Return t, and the number of conditional operations that were done, of three."""
        length = self._length
        r, h = (1 << length) - 1, (1 << length) + 1
        total = x * y + x * y * (-pow(n, -1, r) % r) % r * n
        f = -total % h
        w = (f + h) // 2 if f % 2 else f // 2
        t = w + h if (total - w) % 2 else w
        done = f % 2 + (t != w) + (t >= n)
        return t - n if t >= n else t, done


@dataclass(frozen=True)
class Mlws(_DigitSerial):
    """Algorithm 3, without conditional selections."""

    name = "mlws"
    title = "McLaughlin's multiplication without conditional selections, digit-serial"
    citation = DAI_2018.at("Algorithm 3, eq. 33")
    room = 2
    library = ("fft/mf_mclaughlin_core.sv", "fft/mf_mlws.sv")
    formulas = (
        ("R", "r = 2^l - 1, l = digit max(2, ceil((width + 2) / digit)); h = 2^l + 1"),
        ("latency", "3 l / digit + 4 cycles"),
        ("interval", "latency + 2 cycles"),
    )
    errata = (
        "Algorithm 3 returns 2^(l-1) for x y = 0; eq. 33, which is taken here, returns 0.",
        "gcd(r, h) = 1 always: two odd numbers that differ by 2.",
    )

    @cached_property
    def parallel_contract(self) -> Contract:
        """The contract: operands and result below 2n, fixed latency."""
        return self._contract(2, Cycles.fixed(self._passes + 4))

    def golden_model(self, a: int, b: int, n: int) -> int:
        """Return (1 - g) mod 2^l, halved."""
        length = self._length
        r, h = (1 << length) - 1, (1 << length) + 1
        m = a * b * (-pow(n, -1, r) % r) % r
        return (1 - (a * b + m * n) % h) % (1 << length) >> 1
