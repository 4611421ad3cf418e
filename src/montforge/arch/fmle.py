# SPDX-License-Identifier: Apache-2.0
"""``fmle``: modular exponentiation on two elements with transforms, with or without a ladder."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from montforge.arch.base import Values
from montforge.arch.citations import DAI_2018
from montforge.arch.fmlm import DIGITS, DIGITS_MEANING, LOADER_FILE, TransformCore
from montforge.arch.multiplier import reduction
from montforge.arch.parameter import choice, integer, number
from montforge.contract import Contract, Cycles, Field
from montforge.errors import ParameterError
from montforge.functions import Power, power_operands, power_results
from montforge.hardware.forms import Form, ports
from montforge.programs.fft.parameters import FAST, REDUNDANT, UNSIGNED, ParameterSet
from montforge.programs.fft.program import COMMON, LAST, PAIR, SQUARING, Schedule, schedule

NONE, LADDER = "none", "ladder"
ENABLES_NOTE = (
    "Leakage class public: cycles depend on e_len alone, but write enables of the memories depend"
    " on the bits of e. Take protection = ladder for a secret exponent."
)
HALVES_NOTE = "The half of the memories that is addressed depends on the bits of e."


@dataclass(frozen=True)
class Fmle(TransformCore):
    """A squaring and a multiplication for each bit, on two elements in lockstep, or on one."""

    name = "fmle"
    title = "FFT-based McLaughlin exponentiation (Dai 2018)"
    citation = DAI_2018.at("Algorithm 5, Fig. 8, Table 4")
    exponent_bits: int = integer(
        "bits of the longest exponent; 0: as many as the modulus", 0, minimum=0, maximum=65535
    )
    elements: int = number(
        "2: in lockstep, as published; 1: its two contexts take turns, with variant=fast and"
        " all_at_once=1",
        2,
        (1, 2),
    )
    protection: str = choice(
        "none: right to left, a product for a bit 0 is dropped; ladder: both elements do the"
        " same for each bit",
        NONE,
        (NONE, LADDER),
    )
    digits: str = choice(
        f"{DIGITS_MEANING}; or redundant: the last digit of the lowest segment of a result keeps"
        " a carry, so that no pass of the adder follows the accumulation; with all_at_once=1,"
        " variant=fast and reduction=relaxed",
        UNSIGNED,
        (*DIGITS, REDUNDANT),
    )
    library = (*TransformCore.blocks, "fft/mf_fmle.sv", LOADER_FILE, "fft/mf_fmle_par.sv")
    formulas = (
        ("R", "r = 2^l - 1 (standard) or 2^l + 1 (swapped), l = u s"),
        (
            "T, all at once",
            "3F + 2O + 3s + 2 multiplier + 2 s/segment + 12; F, O and multiplier as for fmlm"
            " (integer c, canonical, standard)",
        ),
        (
            "T, one element",
            "10O + d + 2 s/segment + 12, where the FFT operator never waits (integer c, standard),"
            " less the cycles by which passes begin early",
        ),
        ("T, else", "5F + 2O + 3 (s + multiplier) + 5 s/segment + 28"),
        ("latency", "4s (constants are loaded) + T_enter + e_len T + T_leave"),
        ("interval", "latency + 2 cycles"),
    )
    errata = (
        "Fig. 8 ends with FMLM(t, t); right is FMLM(t, 1).",
        "Entering and leaving the domain take fewer cycles than an iteration (eq. 26 counts one):"
        " they have no product with N'.",
        "FMLM(t, 1) is n, not 0, for t = n (x^e = 0 modulo n with x other than 0); y is 0 then.",
        "Algorithm 5 without protection drops element B's product for a bit 0: its power shows the"
        " bit, its time does not.",
    )

    def check(self) -> None:
        """Raise ParameterError with the violated conditions E1 to E10, or of one element."""
        super().check()
        chosen = self.parameter_set
        if self._pairs and not (chosen.variant == FAST and chosen.all_at_once):
            raise ParameterError(
                "elements = 1 has a micro-program for variant = fast with all_at_once = 1 only; set"
                " these, or elements = 2."
            )

    @cached_property
    def parallel_contract(self) -> Contract:
        """The contract: x and y below n."""
        chosen, bits = self.parameter_set, self._exponent_bits
        first, second = self.transform_names
        latency = Cycles(self._latency(0), self._latency(bits))
        spectra = (
            ("n_prime_spectrum", f"{first} transform of n' = -n^-1 mod r"),
            ("n_spectrum", f"{second} transform of n"),
            ("a_spectrum", f"{first} transform of r1 n' mod r, r1 = r^2 mod n"),
            ("r1_spectrum", f"{second} transform of r1"),
        )
        return Contract(
            architecture=self.name,
            parameters=tuple(self.parameters.items()),
            function=Power(),
            width=chosen.width,
            r=chosen.r,
            modulus=self.modulus_rule,
            fields=(
                *power_operands(chosen.width, bits),
                *self.spectrum_fields(*spectra),
                Field.constant("r_mod_n", chosen.width, "r mod n"),
                *power_results(chosen.width, "0 none, 2 length"),
            ),
            latency=latency,
            handover=0,
            interval=latency.later(2),
            public=("e_len",),
            notes=(
                f"u = {chosen.u}, s = {chosen.s}, c = {chosen.c}: q = 2^{chosen.ring_bits} + 1;"
                f" {self.core_cycles} cycles for each bit of e.",
                *[ENABLES_NOTE] * (self.protection == NONE),
                *[HALVES_NOTE] * (self.protection == LADDER and self.elements == 1),
            ),
        )

    def modulus_constants(self, n: int) -> dict[str, int]:
        """Return the four spectra, and r mod n."""
        r, found = self.parameter_set.r, self.model(n)
        a, r1 = found.common_multiplicand(r * r % n)
        spectra = self.packed(
            n_prime_spectrum=found.spectrum_n_prime,
            n_spectrum=found.spectrum_n,
            a_spectrum=a,
            r1_spectrum=r1,
        )
        return {**spectra, "r_mod_n": r % n}

    @property
    def top_parameters(self) -> dict[str, int]:
        """The top module's parameters."""
        return {
            "Width": self.width,
            "ExponentBits": self._exponent_bits,
            "Elements": self.elements,
            "Ladder": int(self.protection == LADDER),
            **self.element_parameters,
            "Redundant": int(self.parameter_set.redundant),
        }

    @property
    def own_forms(self) -> tuple[Form, ...]:
        """The parallel form, and the native one, into which digits and words are written."""
        bits = self._exponent_bits
        native = self.native_form(
            "mf_fmle",
            (
                *self.memory_ports(4, ("x_i", "r_mod_n_i"), ("x", "r mod n")),
                *ports(
                    ("e_i", bits, "the exponent, held until done_o"),
                    ("e_len_i", bits.bit_length(), f"its length, public, at most {bits}, held"),
                ),
                *self.result_ports("y", "power"),
            ),
            4,
            -4 * self.parameter_set.s,
            {"ExponentBits": bits},
            files=("harness/mf_fmle_harness.sv",),
        )
        return self.parallel_form, native

    def golden_model(self, x: int, e: int, e_len: int, n: int) -> int:
        """Return the last FMLM(t, 1), or 0 for n, after Algorithm 5 or the ladder."""
        r = self.parameter_set.r

        def fmlm(x: int, y: int) -> int:
            return reduction(x * y, n, r)

        y, t = fmlm(x, r * r % n), r % n
        if self.protection == LADDER:
            for k in reversed(range(e_len)):
                if e >> k & 1:
                    y, t = fmlm(y, y), fmlm(t, y)
                else:
                    y, t = fmlm(y, t), fmlm(t, t)
        else:
            for k in range(e_len):
                if e >> k & 1:
                    t = fmlm(t, y)
                y = fmlm(y, y)
        return fmlm(t, 1) % n

    def cycle_model(self, x: int, e: int, e_len: int, n: int) -> int:
        """Return the count that follows from the public length of the exponent."""
        return self._latency(e_len)

    @property
    def core_memory_bits(self) -> int:
        """The bits of constants, spectra and digits of both elements."""
        contexts = 2 if self._pairs else 1
        return self.bits_of_memories(
            elements=2 // contexts, contexts=contexts, constants=4, operands=1
        )

    @property
    def figures(self) -> dict[str, float]:
        """The utilisation of the units in an iteration, and the memories' bits."""
        return {
            **self.utilisation(self._schedule(SQUARING)),
            "blocks of the ring multipliers": self.elements * 3**self.karatsuba_levels,
            "memory bits": self.core_memory_bits,
        }

    @property
    def core_cycles(self) -> int:
        """The cycles of an iteration, which the paper counts as an FMLM."""
        return self._steps(SQUARING)

    def corner_values(self) -> Iterator[Values]:
        """Yield powers of small bases, of which some are 0 modulo n, even moduli.

        Of redundant digits first powers of 1 that keep a carry in each step.
        """
        contract, bits = self.parallel_contract, self._exponent_bits
        chosen = self.parameter_set
        top = 1 << contract.width
        if chosen.redundant:
            for n in carrying_moduli(chosen):
                if contract.modulus.is_legal(n):
                    yield from ((x, (1 << bits) - 1, bits, n) for x in (1, n - 1, n // 2))
        root = (1 << contract.width // 2) - 2
        for n in (top - 1, top - 2, top - 3, root * root, top // 3, (top >> 1) + 2, 2):
            if contract.modulus.is_legal(n):
                for x in sorted({0, 1, n - 1, root % n, n // 2}):
                    for e, length in (
                        (0, 0),
                        (2, 2),
                        ((1 << bits) - 1, bits),
                        (1 << bits - 1, bits),
                    ):
                        if length <= bits:
                            yield x, e, length, n

    def _steps(self, form: str) -> int:
        return self._schedule(form).cycles

    def _schedule(self, form: str) -> Schedule:
        if form == SQUARING and self._pairs:
            form = PAIR
        ladder = self.protection == LADDER
        return schedule(self.parameter_set, self.karatsuba_levels, form, ladder=ladder)

    def _latency(self, e_len: int) -> int:
        loading = 4 * self.parameter_set.s
        ends = self._steps(COMMON) + self._steps(LAST)
        return loading + ends + e_len * self._steps(SQUARING)

    @property
    def _pairs(self) -> bool:
        return self.elements == 1

    @property
    def _exponent_bits(self) -> int:
        return self.exponent_bits or self.width


def carrying_moduli(chosen: ParameterSet) -> Iterator[int]:
    """Yield moduli n with r mod n = j B, B the lowest segment's size.

    Powers of 1 are r mod n in the domain, whose lowest segment is 0: the value added to it there
    always carries, and into a digit that stays redundant, as the segment above, j, was even before.
    """
    segment = chosen.b**chosen.segment
    factor = (1 << chosen.l - chosen.width) + 1
    j = chosen.r * pow(segment, -1, factor) % factor
    for _ in range(8):
        n = (chosen.r - j * segment) // factor
        if j * segment < n:
            yield n
        j += factor
