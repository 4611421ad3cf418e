# SPDX-License-Identifier: Apache-2.0
"""``booth_csa``: high-radix carry-save multipliers with Booth recoding (Sassaw 2010)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from montforge.arch.base import Citation, Values
from montforge.arch.carry_save_rows import COMPRESSOR_TREE
from montforge.arch.checked import Checked
from montforge.arch.corners import legal, pairs
from montforge.arch.multiplier import (
    centred_reduction,
    montgomery_contract,
    negative_inverse,
    scaled_field,
)
from montforge.arch.parameter import choice, integer, number
from montforge.contract import Bound, Contract, Cycles, Encoding, ModulusRule
from montforge.hardware.check import Tap

SASSAW_2010 = Citation(
    authors="G. Sassaw, C. J. Jimenez, M. Valencia",
    title="High Radix Implementation of Montgomery Multipliers with CSA",
    venue="International Conference on Microelectronics",
    year=2010,
)

RADICES = (4, 8, 16, 64)
BINARY_RADIX = 64
"""The radix whose operands and result are binary; the others take and give carry-save pairs."""
DEFAULT_CONVERTER = 32
SIGNED, NONNEGATIVE = "signed", "nonnegative"
TAIL_CYCLES = 7
"""Two iterations with n itself, of one and two cycles that hold, after the pipelined loop."""

_BLOCKS = (
    *COMPRESSOR_TREE,
    "prim/mf_one_hot_mux.sv",
    "prim/mf_word_serial_adder.sv",
    "booth/mf_negative_inverse.sv",
    "booth/mf_booth_pkg.sv",
    "booth/mf_booth_recoder.sv",
    "booth/mf_booth_multiple.sv",
    "booth/mf_booth_quotient.sv",
    "booth/mf_booth_late_quotient.sv",
    "booth/mf_booth_accumulator.sv",
    "booth/mf_booth_csa_core.sv",
)
_TOPS = (
    "mf_booth_csa_pipelined",
    "mf_booth_csa_binary",
    "mf_booth_csa_binary_pipelined",
    "mf_booth_csa",
)


def _signed_digits(value: int, digits: int, digit_bits: int) -> int:
    """Return the residue of ``value`` mod 2^(digits w) whose w-bit digits are two's complement."""
    modulus = 1 << (digits * digit_bits)
    lowest = (modulus - 1) // ((1 << digit_bits) - 1) << (digit_bits - 1)
    return (value + lowest) % modulus - lowest


@dataclass(frozen=True)
class BoothCsa(Checked):
    """Radix-4, 8, 16 or 64 multiplication, both digits Booth-recoded, in one compressor tree."""

    name = "booth_csa"
    title = "High-radix carry-save Montgomery multiplier with Booth recoding"
    family = "booth"
    citation = SASSAW_2010.at("Section III, Fig. 2 and 3")
    radix: int = number(
        "4, 8 or 16: operands and result are signed carry-save pairs; 64: they are binary"
        " (radix 2 is the architecture fcs_mm1)",
        RADICES[0],
        RADICES,
    )
    pipeline: int = number(
        "0: the quotient digit is found in the cycle that uses it, as in the paper; 1: one"
        " cycle earlier, with a scaled modulus (Orup 1995): a shorter period for a few cycles",
        0,
        (0, 1),
    )
    result: str = choice(
        "signed: |p| < n; nonnegative: radix 64 adds n to a negative result, the others add n"
        " to every result",
        SIGNED,
        (SIGNED, NONNEGATIVE),
    )
    converter: int = integer(
        "bits of a word of the conversion to binary, which radix 64 has; 0 for"
        f" {DEFAULT_CONVERTER}",
        0,
        minimum=0,
        maximum=256,
    )
    library = (*_BLOCKS, *(f"booth/{top}.sv" for top in _TOPS))
    formulas = (
        ("w", "log2(radix), the bits of a digit"),
        ("m", "ceil((width + 2) / w) iterations; ceil((width + 3) / w) with pipeline = 1"),
        ("R", "2^(w m)"),
        ("latency", "m + f; with pipeline = 1, m + 7 + f"),
        (
            "f",
            "1, the flush, for radix 4, 8 and 16; ceil((width + 1) / converter) for radix 64, and"
            " 1 more if nonnegative",
        ),
        ("interval", "latency + 2 cycles"),
        ("adder rows", "3 (radix 4), 6 (radix 8, 16, 64); a row of 4:2 compressors counts as two"),
        ("n-bar", "(n n' + 1) / 2^(2w), n' = -n^-1 mod 2^(2w), -2^(2w-1) <= n' < 2^(2w-1)"),
    )

    def check(self) -> None:
        """Raise ParameterError for a converter where there is none, for a check of late digits."""
        if self.residue and self.pipeline:
            raise self.illegal("check", "is not legal with pipeline = 1, which has two moduli", 0)
        if self.residue and self.radix == BINARY_RADIX and self.result == NONNEGATIVE:
            reason = f"is not legal with radix = {BINARY_RADIX} and result = {NONNEGATIVE}: a wrong"
            raise self.illegal("check", f"{reason} choice whether n is added would not show", 0)
        if self.converter and self.radix != BINARY_RADIX:
            reason = f"only radix {BINARY_RADIX} converts its result"
            raise self.illegal("converter", f"is not legal with radix = {self.radix}: {reason}", 0)

    @property
    def files(self) -> tuple[str, ...]:
        """The blocks and the one top: pairs or binary, with the scaled modulus or without."""
        binary, pipelined = "_binary" * (self.radix == BINARY_RADIX), "_pipelined" * self.pipeline
        return (*_BLOCKS, f"booth/mf_booth_csa{binary}{pipelined}.sv")

    @cached_property
    def parallel_contract(self) -> Contract:
        """The contract: signed operands, |x| < n, fixed latency."""
        width = self.width
        digit_bits = self._digit_bits
        nonnegative = self.result == NONNEGATIVE
        if self.radix == BINARY_RADIX:
            operand = Encoding("binary", width + 1, signed=True)
            result = Encoding("binary", width) if nonnegative else operand
            result_bound = Bound(1, signed=not nonnegative)
        else:
            operand = Encoding("carry_save", width + 3, width + 1, signed=True)
            result = operand
            result_bound = Bound(2) if nonnegative else Bound(1, signed=True)
        scaled = scaled_field(width, 2 * digit_bits, signed=True)
        return montgomery_contract(
            self,
            r=1 << (digit_bits * self._iterations),
            modulus=ModulusRule(width),
            operand=(operand, Bound(1, signed=True)),
            result=(result, result_bound),
            constants=(scaled,) if self.pipeline else (),
            latency=Cycles.fixed(self._latency),
        )

    @property
    def tap(self) -> Tap:
        """The digit of each iteration, in its cycle; a 1 after them if n is added."""
        signed = self.result == SIGNED
        after = " || (phase_q == StFinish)"
        one = "phase_q == StLoop ? q : (3 * Terms)'(3'b100)"
        return Tap(
            (Path(self.files[-1]).stem, "mf_booth_csa_core"),
            valid="phase_q == StLoop" + after * (not signed),
            digit="q" if signed else one,
            gap=1,
            p_shift=self._digit_bits * self._iterations,
            more=0 if signed else self._digit_bits,
            bits=self._digit_bits,
            signed=True,
            levels=2,
        )

    @property
    def top_parameters(self) -> dict[str, int]:
        """The top module's parameters."""
        values = {"Width": self.width, "Nonnegative": int(self.result == NONNEGATIVE)}
        if self.radix == BINARY_RADIX:
            return values | {"ConverterW": self._converter}
        return values | {"Radix": self.radix}

    def golden_model(self, a: int, b: int, n: int) -> int:
        """Return (a b + n Q) / R with the quotient's digits in the loop's ranges, in closed form.

        All quotient digits of the loop are two's complement. The pipelined loop adds multiples of
        n n' and ends one digit early, with 2^w a b instead of a b; its quotient is a centred
        residue, since a Booth recoding is exact. Two iterations with n follow.
        """
        digit_bits, iterations = self._digit_bits, self._iterations
        if self.pipeline:
            kept = digit_bits * (iterations - 1)
            multiple = n * negative_inverse(n, 2 * digit_bits)
            total = centred_reduction(a * b << digit_bits, multiple, kept)
            digits = 2
        else:
            total = a * b
            digits = iterations
        shift = digits * digit_bits
        total += n * _signed_digits(-total * pow(n, -1, 1 << shift), digits, digit_bits)
        result = total >> shift
        if self.result == SIGNED:
            return result
        return result + n if self.radix != BINARY_RADIX or result < 0 else result

    def corner_values(self) -> Iterator[Values]:
        """Yield operands at both bounds and ones with extreme digits, for moduli of each kind."""
        digit_bits = self._digit_bits
        top = 1 << self.width
        highest = sum(
            1 << i for i in range(digit_bits - 1, self.width, digit_bits)
        )  # all digits -2^(w-1)
        moduli = {top - 1, top - 3, (top >> 1) + 1, (top >> 1) + 3, top // 3 | 1, 3, 5, 7}
        for n in legal(self.parallel_contract, moduli):
            values = {0, 1, n - 1, n >> 1, (n >> 1) + 1, highest % n, 2 * highest % n}
            values |= {(1 << digit_bits - 1) % n, (1 << n.bit_length() - 1) % n}
            yield from pairs(n, n, values, signed=True)

    @property
    def _latency(self) -> int:
        finish = 1
        if self.radix == BINARY_RADIX:
            words = -(-(self.width + 1) // self._converter)
            finish = words + int(self.result == NONNEGATIVE)
        return self._iterations + TAIL_CYCLES * self.pipeline + finish

    @property
    def _digit_bits(self) -> int:
        return self.radix.bit_length() - 1

    @property
    def _iterations(self) -> int:
        bits = self.width + 2 + self.pipeline
        return -(-bits // self._digit_bits)

    @property
    def _converter(self) -> int:
        return self.converter or DEFAULT_CONVERTER
