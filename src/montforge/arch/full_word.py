# SPDX-License-Identifier: Apache-2.0
"""Montgomery's algorithm on full words, at once, pipelined, or in three passes over one multiplier:
``full_parallel``, ``full_pipelined``, ``karatsuba``, ``mcivor``.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from montforge.arch.base import Core, Values
from montforge.arch.carry_save_rows import COMPRESSOR_TREE
from montforge.arch.citations import GRALE, KARATSUBA_1962, MCIVOR_2006
from montforge.arch.corners import lazy_corners
from montforge.arch.multiplier import inverse_field, montgomery_contract, reduction
from montforge.arch.parameter import integer, number
from montforge.arch.pipelined_sum import (
    PIPELINED_PRODUCT,
    PRODUCT_FORMULA,
    TREE_FORMULA,
    WIDEST,
    product_cycles,
    sum_cycles,
)
from montforge.contract import Bound, Contract, Cycles, Encoding, ModulusRule

_TRUNCATED = (
    *PIPELINED_PRODUCT,
    "full/mf_full_truncated.sv",
)
ERRATA = (
    "Algorithm 1 subtracts if P > M; it must be P >= M.",
    "T0 + U0 is not added: it is 0 if T0 is, else exactly R.",
)


@dataclass(frozen=True)
class FullWord(Core):
    """The common part of all full-word architectures: R = 2^width, operands and result below n."""

    family = "full"
    citation = GRALE.at("Section V")
    errata: ClassVar[tuple[str, ...]] = ERRATA

    @property
    @abstractmethod
    def latency(self) -> int:
        """The latency in cycles."""

    @property
    def interval(self) -> int:
        """The cycles between two accepted requests."""
        return self.latency + 2

    @cached_property
    def parallel_contract(self) -> Contract:
        """The contract: R = 2^width, operands and result below n, fixed latency."""
        width = self.width
        return montgomery_contract(
            self,
            r=1 << width,
            modulus=ModulusRule(width),
            operand=(Encoding("binary", width), Bound(1)),
            constants=(inverse_field("n_prime", width, "R"),),
            latency=Cycles.fixed(self.latency),
            interval=Cycles.fixed(self.interval),
        )

    def golden_model(self, a: int, b: int, n: int) -> int:
        """Return P = (T + Q n) / R, less n if P >= n."""
        p = reduction(a * b, n, 1 << self.width)
        return p - n if p >= n else p

    def corner_values(self) -> Iterator[Values]:
        """Yield products whose low half is 0, results that are n or 0, and words of ones."""
        return lazy_corners(self.parallel_contract, -(-self.width // 4))


@dataclass(frozen=True)
class FullParallel(FullWord):
    """All three multiplications and both additions in one clock cycle."""

    name = "full_parallel"
    title = "Full-word Montgomery multiplier, fully parallel"
    library = ("full/mf_full_parallel.sv",)
    formulas = (
        ("R", "2^width"),
        ("latency", "1 cycle"),
        ("interval", "3 cycles"),
        ("multipliers", "two of width x width bits and one whose low half is used"),
    )

    @property
    def latency(self) -> int:
        """One cycle."""
        return 1


@dataclass(frozen=True)
class FullPipelined(FullWord):
    """One multiplication a stage, or truncated ones in many stages; a product a cycle."""

    name = "full_pipelined"
    title = "Full-word Montgomery multiplier, pipelined"
    levels: int = integer(
        "0: four stages, as published; 1 or more: truncated products in stages of so many levels of"
        " full adders, operands and results below 2n",
        0,
        minimum=0,
        maximum=16,
    )
    karatsuba: int = integer(
        "Karatsuba levels of T; only with levels of 1 or more", 0, minimum=0, maximum=4
    )
    library = (*_TRUNCATED, "full/mf_full_pipelined.sv")
    formulas = (
        ("R", "2^width; with levels, 2^(width + 2)"),
        (
            "latency",
            "4 cycles: T, Q, U, final sum; with levels, product P + V(floor(width / 2) + 2) + 3 +"
            " V(floor(width / 2) + 4) + 3",
        ),
        TREE_FORMULA,
        PRODUCT_FORMULA,
        ("interval", "1 cycle; up to five requests are under way, with levels latency + 2"),
        (
            "multipliers",
            "two of width x width bits and one whose low half is used; with levels, one and two"
            " halves",
        ),
    )
    errata = (
        *ERRATA,
        "With levels nothing is subtracted: R > 4n. The sum of the columns of T + U that are not"
        " left out is rounded up, which is exact.",
    )

    def check(self) -> None:
        """Raise ParameterError for Karatsuba levels of the published stages, for a wide width."""
        if self.karatsuba and not self.levels:
            raise self.illegal("karatsuba", "is not legal with levels = 0", 0)
        if self.levels and self.width > WIDEST:
            reason = f"is not legal with levels: those products have at most {WIDEST} bits"
            raise self.illegal("width", reason, WIDEST)

    @property
    def files(self) -> tuple[str, ...]:
        """The top with the published stages, or that of truncated products with its blocks."""
        return _TRUNCATED if self.levels else self.library[-1:]

    @property
    def top_parameters(self) -> dict[str, int]:
        """The top module's parameters."""
        values = {"Width": self.width}
        return (
            values | {"Levels": self.levels, "Karatsuba": self.karatsuba} if self.levels else values
        )

    @cached_property
    def parallel_contract(self) -> Contract:
        """The contract; with levels R = 2^(width + 2), operands and results below 2n."""
        if not self.levels:
            return super().parallel_contract
        bits = self.width + 2
        return montgomery_contract(
            self,
            r=1 << bits,
            modulus=ModulusRule(self.width),
            operand=(Encoding("binary", self.width + 1), Bound(2)),
            constants=(inverse_field("n_prime", bits, "R"),),
            latency=Cycles.fixed(self.latency),
            interval=Cycles.fixed(1),
        )

    def golden_model(self, a: int, b: int, n: int) -> int:
        """Return P = (T + Q n) / R; less n if P >= n, without levels."""
        return (
            reduction(a * b, n, 4 << self.width) if self.levels else super().golden_model(a, b, n)
        )

    @property
    def latency(self) -> int:
        """Four cycles: T, Q, U, the final sum; with levels the cycles of three products."""
        if not self.levels:
            return 4
        rows = (self.width + 2) // 2 + 1
        return product_cycles(self.width + 1, self.karatsuba, self.levels) + sum(
            1 + sum_cycles(inputs, self.levels) for inputs in (rows, rows + 2)
        )

    @property
    def interval(self) -> int:
        """One cycle."""
        return 1


@dataclass(frozen=True)
class Karatsuba(FullWord):
    """T, Q and U one after the other on a multiplier of 3^levels leaves."""

    name = "karatsuba"
    title = "Montgomery multiplier on a pipelined Karatsuba-Ofman multiplier"
    citation = KARATSUBA_1962
    levels: int = integer("levels of splitting", 2, minimum=0, maximum=6)
    library = (
        "full/mf_multiplier_passes.sv",
        "prim/mf_delay_line.sv",
        "full/mf_karatsuba_multiplier.sv",
        "full/mf_karatsuba.sv",
    )
    formulas = (
        ("R", "2^width"),
        ("multiplier", "latency 2 levels + 1, 3^levels leaves of width / 2^levels bits or so"),
        ("latency", "3 (2 levels + 1) + 2 cycles"),
        ("interval", "latency + 2 cycles"),
    )
    errata = (
        *ERRATA,
        "Grale and Swartzlander give neither levels nor cycles of their design.",
    )

    @property
    def latency(self) -> int:
        """Three passes and two additions."""
        return 3 * (2 * self.levels + 1) + 2


@dataclass(frozen=True)
class McIvor(FullWord):
    """T, Q and U one after the other on a pipelined multiplier of DSP-sized blocks."""

    name = "mcivor"
    title = "Montgomery multiplier on one pipelined full-word multiplier (McIvor 2006)"
    citation = MCIVOR_2006
    block: int = integer("bits of a block multiplier", 16, minimum=2, maximum=64)
    stages: int = number("register levels of the multiplier", 3, (2, 3))
    library = (
        *COMPRESSOR_TREE,
        "full/mf_multiplier_passes.sv",
        "full/mf_block_multiplier.sv",
        "full/mf_mcivor.sv",
    )
    formulas = (
        ("R", "2^width"),
        ("multiplier", "ceil(width / block)^2 blocks, latency of `stages` cycles"),
        ("latency", "3 stages + 2 cycles"),
        ("interval", "latency + 2 cycles"),
    )
    errata = (
        *ERRATA,
        "Reconstructed: the papers give neither the multiplier's pipeline nor a cycle count.",
    )

    @property
    def latency(self) -> int:
        """Three passes and two additions."""
        return 3 * self.stages + 2
