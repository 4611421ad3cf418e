# SPDX-License-Identifier: Apache-2.0
"""``full_parallel``, ``full_pipelined``: Montgomery's algorithm on full words."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import ClassVar

from montforge.arch.base import WIDTH, Architecture, Parameters, Values
from montforge.arch.citations import GRALE
from montforge.arch.corners import lazy_corners
from montforge.contract import Bound, Contract, Cycles, Derivation, Encoding, Field, ModulusRule
from montforge.functions import montgomery_contract

FULL_WORD_ERRATA = (
    "Algorithm 1 subtracts if P > M; it must be P >= M.",
    "T0 + U0 is not added: it is 0 if T0 is, else exactly R.",
)


class FullWord(Architecture):
    """What all full-word architectures have in common: R = 2^width, operands and result below n."""

    family = "full"
    citation = GRALE.at("Section V")
    errata: ClassVar[tuple[str, ...]] = FULL_WORD_ERRATA

    @abstractmethod
    def latency(self, parameters: Parameters) -> int:
        """Return the latency in cycles."""

    def interval(self, parameters: Parameters) -> int:
        """Return the cycles between two accepted requests."""
        return self.latency(parameters) + 2

    def contract(self, parameters: Parameters) -> Contract:
        """Return the contract: R = 2^width, operands and result below n, fixed latency."""
        width = parameters.integer("width")
        residue = Encoding("binary", width)
        return montgomery_contract(
            architecture=self.name,
            parameters=parameters.flat(),
            r=1 << width,
            modulus=ModulusRule(width),
            operand=(residue, Bound(1)),
            result=(residue, Bound(1)),
            constants=(
                Field.constant("n_prime", width, "-n^-1 mod R", Derivation("inverse", width)),
            ),
            latency=Cycles.fixed(self.latency(parameters)),
            handover=0,
            interval=Cycles.fixed(self.interval(parameters)),
        )

    def constants(self, parameters: Parameters, n: int) -> dict[str, int]:
        """Return -n^-1 mod R."""
        r = 1 << parameters.integer("width")
        return {"n_prime": -pow(n, -1, r) % r}

    def rtl_parameters(self, parameters: Parameters) -> dict[str, int]:
        """Return the top module's parameters."""
        return {name.capitalize(): parameters.integer(name) for name in parameters}

    def golden(self, parameters: Parameters, a: int, b: int, n: int) -> int:
        """Return P = (T + Q n) / R, less n if P >= n."""
        r = 1 << parameters.integer("width")
        t = a * b
        p = (t + (t * -pow(n, -1, r) % r) * n) // r
        return p - n if p >= n else p

    def cycles(self, parameters: Parameters, a: int, b: int, n: int) -> int:
        """Return the latency, whatever the operands."""
        return self.latency(parameters)

    def corners(self, parameters: Parameters) -> Iterator[Values]:
        """Yield products whose low half is 0, results that are n or 0, and words of ones."""
        return lazy_corners(self.contract(parameters), -(-parameters.integer("width") // 4))


class FullParallel(FullWord):
    """All three multiplications and both additions in one clock cycle."""

    name = "full_parallel"
    title = "Full-word Montgomery multiplier, fully parallel"
    parameters = (WIDTH,)
    rtl_top = "mf_full_parallel"
    rtl_files = ("full/mf_full_parallel.sv",)
    formulas = (
        ("R", "2^width"),
        ("latency", "1 cycle"),
        ("interval", "3 cycles"),
        ("multipliers", "two of width x width bits and one whose low half is used"),
    )

    def latency(self, parameters: Parameters) -> int:
        """Return 1."""
        return 1


class FullPipelined(FullWord):
    """One multiplication a stage; a product a cycle."""

    name = "full_pipelined"
    title = "Full-word Montgomery multiplier, pipelined"
    parameters = (WIDTH,)
    rtl_top = "mf_full_pipelined"
    rtl_files = ("full/mf_full_pipelined.sv",)
    formulas = (
        ("R", "2^width"),
        ("latency", "4 cycles: T, Q, U, final sum"),
        ("interval", "1 cycle; up to five requests are under way"),
        ("multipliers", "two of width x width bits and one whose low half is used"),
    )

    def latency(self, parameters: Parameters) -> int:
        """Return 4."""
        return 4

    def interval(self, parameters: Parameters) -> int:
        """Return 1."""
        return 1
