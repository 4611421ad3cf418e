# SPDX-License-Identifier: Apache-2.0
"""``fixed_prime``, ``fixed_square``: pipelines for one modulus, which is part of the hardware."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from math import isqrt
from typing import ClassVar

from montforge.arch.base import Core, Values
from montforge.arch.citations import MONTGOMERY_1985
from montforge.arch.multiplier import montgomery_contract
from montforge.arch.parameter import choice, integer
from montforge.arch.pipelined_sum import (
    PIPELINED_PRODUCT,
    PRODUCT_FORMULA,
    TREE_FORMULA,
    WIDEST,
    product_cycles,
    sum_cycles,
)
from montforge.contract import Bound, Contract, Cycles, Encoding, ModulusRule
from montforge.errors import ParameterError
from montforge.functions import MontgomerySquare
from montforge.programs.primes import PRIMES

NONE = "none"
MONTGOMERY, FOLD = "montgomery", "fold"


def typical_modulus(width: int) -> int:
    """Return floor(2^(width - 1/2)), made odd: its digits are those of the square root of 2."""
    return isqrt(1 << (2 * width - 1)) | 1


def signed_digits(value: int) -> list[int]:
    """Return the non-adjacent digits -1, 0, 1 of a positive value, the lowest first."""
    digits = []
    while value:
        digit = 2 - value % 4 if value % 2 else 0
        digits.append(digit)
        value = (value - digit) // 2
    return digits


@dataclass(frozen=True)
class FixedModulus(Core):
    """T, the quotient and its multiple one behind the other; constants in signed digits."""

    family = "fixed"
    citation = MONTGOMERY_1985.at("full words; constants in signed digits, truncated, are ours")
    width: int = integer("bits of the modulus", 256, minimum=3, maximum=WIDEST)
    prime: str = choice(
        "the modulus: one of these primes (width is its bits), or parameter modulus",
        NONE,
        (NONE, *PRIMES),
    )
    modulus: int = integer(
        "the modulus if prime = none: odd, of width bits; 0: floor(2^(width - 1/2)) made odd,"
        " whose digits are those of the square root of 2",
        0,
        minimum=0,
        maximum=(1 << WIDEST) - 1,
    )
    karatsuba: int = integer("Karatsuba levels of the product", 0, minimum=0, maximum=4)
    levels: int = integer(
        "delay between registers of a tree, in levels of full adders", 3, minimum=1, maximum=16
    )
    word: int = integer(
        "bits that a step of the reduction clears, at most width + 2; 0: all in one step",
        0,
        minimum=0,
        maximum=WIDEST + 2,
    )
    only: str = field(default="", init=False)  # parameters prime and modulus are in its place
    reduction: str = choice(
        "montgomery; fold: no Montgomery domain, for moduli 2^width - c with a small c",
        MONTGOMERY,
        (MONTGOMERY, FOLD),
        rtl="Fold",
    )
    blocks: ClassVar[tuple[str, ...]] = (
        *PIPELINED_PRODUCT,
        "fixed/mf_fixed_pkg.sv",
        "fixed/mf_constant_rows.sv",
        "fixed/mf_fixed_step.sv",
        "fixed/mf_fixed_fold.sv",
        "fixed/mf_fixed_core.sv",
    )
    formulas = (
        ("w", "word, or width + 2"),
        ("S", "ceil((width + 2) / w) steps; ceil((width + 3) / w) if n = 1 mod 2^w"),
        ("R", "2^(w S); fold: 1"),
        TREE_FORMULA,
        (
            "latency",
            "product P + S (V(digits of n' + 1) + 2 + V(digits of n + 2) + 2); fold: P + 2"
            " (V(digits of c + 2) + 2)",
        ),
        PRODUCT_FORMULA,
        ("interval", "1 cycle; up to latency + 2 requests are under way"),
    )
    errata = (
        "T0 + U0 is not added: columns of U below a few guard bits are left out, and the sum is"
        " rounded up, which is exact.",
    )
    square: ClassVar[bool]

    @classmethod
    def defaults(cls, given: Mapping[str, object]) -> Mapping[str, object]:
        """Return the width of the modulus that is given, if one is."""
        (spec,) = (spec for spec in cls.specs() if spec.name == "modulus")
        n = PRIMES.get(str(given.get("prime"))) or int(spec.parse(given.get("modulus", 0)))
        return {"width": n.bit_length()} if n else {}

    def check(self) -> None:
        """Raise ParameterError unless the modulus has the width, and the reduction takes it."""
        width, prime = self.width, self.prime
        given = self.modulus
        if prime != NONE and given:
            raise ParameterError(
                f"parameter modulus = {given:#x} is not legal with prime = {prime}: only prime ="
                f" {NONE} takes a modulus (nearest legal: 0)."
            )
        n = self.only_modulus
        if n.bit_length() != width and prime != NONE:
            bits = n.bit_length()
            reason = f"is not legal with prime = {prime}, which has {bits} bits"
            raise self.illegal("width", reason, bits)
        if n.bit_length() != width or n % 2 == 0:
            raise ParameterError(
                f"parameter modulus = {n:#x} must be odd and have {width} bits, the width"
                f" (nearest legal: {min(max(n | 1, 1 << (width - 1) | 1), (1 << width) - 1):#x})."
            )
        word = self.word
        if word == 1 or word > width + 2:
            nearest = 2 if word == 1 else width + 2
            raise self.illegal("word", f"must be 0, or 2 to width + 2 = {width + 2}", nearest)
        c = (1 << width) - n
        if self.reduction == FOLD and 4 * c * c + 2 * c > 1 << width:
            reason = f"takes moduli 2^width - c with 4 c^2 + 2 c <= 2^width, and c is {c:#x}"
            raise self.illegal("reduction", reason, MONTGOMERY)

    @cached_property
    def parallel_contract(self) -> Contract:
        """The contract: one modulus n, operands and result below 2n, a result a cycle."""
        number = (Encoding("binary", self.width + 1), Bound(2))
        return montgomery_contract(
            self,
            r=1 << self._r_bits,
            modulus=ModulusRule(self.width, only=self.only_modulus),
            operand=number,
            takes_modulus=False,
            function=MontgomerySquare() if self.square else None,
            latency=Cycles.fixed(self.latency),
            interval=Cycles.fixed(1),
        )

    @property
    def top_parameters(self) -> dict[str, int]:
        """The integers, with the modulus that the parameters name."""
        return super().top_parameters | {"Modulus": self.only_modulus}

    @property
    def latency(self) -> int:
        """The cycles of the product and of the reduction."""
        cycles = product_cycles(self.width + 1, self.karatsuba, self.levels, square=self.square)
        n = self.only_modulus

        def digits_cycles(constant: int, more: int, places: int = -1) -> int:
            """A row for each digit, one for a constant, ``more`` others."""
            digits = signed_digits(constant)[: places if places > 0 else None]
            return sum_cycles(sum(map(abs, digits)) + 1 + more, self.levels)

        if self.reduction == FOLD:
            return cycles + 2 * digits_cycles((1 << self.width) - n, 1)
        w = self._word
        sign = _unit(n, w)
        step = digits_cycles((n - sign) >> w, 1) if sign else digits_cycles(n, 1)
        if not sign:
            step += digits_cycles(-pow(n, -1, 1 << w) % (1 << w), 0, w)
        return cycles + self._steps * step

    def reduced(self, value: int) -> int:
        """Return (value + Q n) / R, Q by digits of w bits; fold: value, folded twice.

        A digit is that in [0, 2^w) which clears w bits; if n = 1 mod 2^w, that in [1, 2^w].
        """
        n = self.only_modulus
        if self.reduction == FOLD:
            c = (1 << self.width) - n
            for _ in range(2):
                value = value % (1 << self.width) + c * (value >> self.width)
            return value
        w = self._word
        for _ in range(self._steps):
            q = value * -pow(n, -1, 1 << w) % (1 << w)
            if q == 0 and n % (1 << w) == 1:
                q = 1 << w
            value = (value + q * n) >> w
        return value

    @property
    def only_modulus(self) -> int:
        """The modulus that the parameters name."""
        if self.prime != NONE:
            return PRIMES[self.prime]
        return self.modulus or typical_modulus(self.width)

    @property
    def _word(self) -> int:
        return self.word or self.width + 2

    @property
    def _steps(self) -> int:
        w = self._word
        room = 3 if _unit(self.only_modulus, w) == 1 else 2
        return -(-(self.width + room) // w)

    @property
    def _r_bits(self) -> int:
        return 0 if self.reduction == FOLD else self._word * self._steps


@dataclass(frozen=True)
class FixedPrime(FixedModulus):
    """`FixedModulus` for products."""

    name = "fixed_prime"
    title = "Montgomery multiplier for one modulus, a result a cycle"
    library = (*FixedModulus.blocks, "fixed/mf_fixed_prime.sv")
    square = False

    def golden_model(self, a: int, b: int, n: int) -> int:
        """Return `reduced` of the product."""
        return self.reduced(a * b)

    def corner_values(self) -> Iterator[Values]:
        """Yield operands at the bounds, and products with extreme quotients and low halves."""
        n = self.only_modulus
        for a, b in product(_corner_operands(n), repeat=2):
            yield a, b, n
        # Quotients 1, -1, alternating bits: a b = -Q n mod R.
        r = 1 << max(self._r_bits, self.width)
        for quotient in (1, 2, r - 1, r // 2, r // 3, 2 * r // 3, r // 2 - 1):
            for a in (1, 3, 5, n, 2 * n - 1, n + 2, n - 2, (1 << self.width) - 3):
                b = -quotient * n * pow(a, -1, r) % r
                if a < 2 * n and b < 2 * n:
                    yield a, b, n
        for low in range(self.width + 1):
            if 1 << low < 2 * n and r >> low < 2 * n:
                yield 1 << low, r >> low, n


@dataclass(frozen=True)
class FixedSquare(FixedModulus):
    """`FixedModulus` for squares: half of the partial products."""

    name = "fixed_square"
    title = "Montgomery squarer for one modulus, a result a cycle"
    library = (*FixedModulus.blocks, "fixed/mf_fixed_prime.sv", "fixed/mf_fixed_square.sv")
    square = True

    def golden_model(self, a: int, n: int) -> int:
        """Return `reduced` of the square."""
        return self.reduced(a * a)

    def corner_values(self) -> Iterator[Values]:
        """Yield operands at the bounds, powers of two, and runs of each Booth term."""
        n = self.only_modulus
        values = {*_corner_operands(n), *(1 << i for i in range(self.width + 1))}
        values |= {(1 << self.width) - (1 << i) for i in range(self.width)}
        for a in sorted(value for value in values if value < 2 * n):
            yield a, n


def _corner_operands(n: int) -> list[int]:
    """Return operands at the bounds, and with Booth terms that are all alike."""
    width = n.bit_length()
    values = {0, 1, 2, n - 1, n, n + 1, 2 * n - 1, 2 * n - 2, 1 << width, (1 << width) - 1}
    values |= {sum(1 << i for i in range(0, width, 2)), sum(3 << i for i in range(0, width, 4))}
    return sorted(value for value in values if value < 2 * n)


def _unit(n: int, w: int) -> int:
    """Return 1 or -1 if n is that modulo 2^w, else 0."""
    return 1 if n % (1 << w) == 1 else -1 if (n + 1) % (1 << w) == 0 else 0
