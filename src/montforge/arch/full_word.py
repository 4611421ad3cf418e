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
from montforge.contract import Bound, Contract, Cycles, Encoding, ModulusRule

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
    """One multiplication a stage; a product a cycle."""

    name = "full_pipelined"
    title = "Full-word Montgomery multiplier, pipelined"
    library = ("full/mf_full_pipelined.sv",)
    formulas = (
        ("R", "2^width"),
        ("latency", "4 cycles: T, Q, U, final sum"),
        ("interval", "1 cycle; up to five requests are under way"),
        ("multipliers", "two of width x width bits and one whose low half is used"),
    )

    @property
    def latency(self) -> int:
        """Four cycles: T, Q, U, the final sum."""
        return 4

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
