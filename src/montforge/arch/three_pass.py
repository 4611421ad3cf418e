# SPDX-License-Identifier: Apache-2.0
"""``three_pass``: T, Q and U one after the other on one array of Booth rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from montforge.arch.base import Core, Values
from montforge.arch.carry_save_rows import TREE_STAGES
from montforge.arch.citations import MONTGOMERY_1985
from montforge.arch.corners import legal, pairs
from montforge.arch.multiplier import centred, centred_reduction, montgomery_contract
from montforge.arch.parameter import integer
from montforge.contract import Bound, Contract, Cycles, Derivation, Encoding, Field, ModulusRule

FEWEST_CYCLES = 3
"""From the selects of a digit to those of the next pass: two for the array, one for the adder."""


@dataclass(frozen=True)
class ThreePass(Core):
    """A pass has ``issues`` digits, one a cycle; a digit's low bits are the next pass's digit."""

    name = "three_pass"
    title = "Montgomery multiplier in three passes through one array of Booth rows"
    family = "full"
    citation = MONTGOMERY_1985.at("full words; digits, pairs and schedule are ours")
    issues: int = integer(
        "digits of a pass: the array has 1 / issues of the rows of a whole product",
        3,
        minimum=1,
        maximum=16,
    )
    levels: int = integer(
        "delay of the first stage of the array's tree, in levels of full adders",
        3,
        minimum=1,
        maximum=16,
    )
    library = (
        *TREE_STAGES,
        "prim/mf_carry_lookahead.sv",
        "prim/mf_adder.sv",
        "prim/mf_delay_line.sv",
        "prim/mf_credit_buffer.sv",
        "booth/mf_booth_pkg.sv",
        "booth/mf_booth_recoder.sv",
        "booth/mf_booth_multiple.sv",
        "full/mf_three_pass_pkg.sv",
        "full/mf_pass_array.sv",
        "full/mf_three_pass.sv",
    )
    formulas = (
        ("rows", "ceil((width + 1) / (2 issues)), of 2 issues rows bits each"),
        ("R", "4^(issues rows)"),
        ("P", "the most of 3 and issues, cycles from a pass to the next"),
        ("latency", "2 P + issues + 2"),
        ("interval", "2 P + issues; two requests can be under way"),
    )
    errata = (
        "T0 and U0 are not added: with U = -Q n they are equal, and the carry of U0 follows from"
        " its topmost bits.",
    )

    @cached_property
    def parallel_contract(self) -> Contract:
        """The contract: two's complement, |x| < n, fixed latency."""
        number = (Encoding("binary", self.width + 1, signed=True), Bound(1, signed=True))
        bits = self.operand_bits
        inverse = Field.constant(
            "n_prime", bits, "-n^-1 mod R", Derivation("inverse", bits, signed=True)
        )
        return montgomery_contract(
            self,
            r=1 << bits,
            modulus=ModulusRule(self.width),
            operand=number,
            constants=(inverse,),
            latency=Cycles.fixed(self._interval + 2),
            interval=Cycles.fixed(self._interval),
        )

    def golden_model(self, a: int, b: int, n: int) -> int:
        """Return (a b + Q n) / R, Q in [-R/2, R/2)."""
        return centred_reduction(a * b, n, self.operand_bits)

    def corner_values(self) -> Iterator[Values]:
        """Yield bounds, runs of Booth terms, and products with extreme low halves and quotients."""
        width, bits = self.width, self.operand_bits
        top, r = 1 << width, 1 << bits
        half_digit = bits // self.issues - 1
        digits = sum(1 << i for i in range(half_digit, width, half_digit + 1))
        terms = sum(1 << i for i in range(0, width, 2))
        moduli = (top - 1, top - 3, (top >> 1) + 1, top // 3 | 1, 3, 5)
        for n in legal(self.parallel_contract, moduli):
            values = {0, 1, n - 1, n - 2, n >> 1, top >> 1, digits, digits >> 1, terms, 2 * terms}
            yield from pairs(n, n, values, signed=True)
            # Low halves of T: 0, 1, the least and the most, and with such quotients.
            for low in (0, 1, r >> 1, (r >> 1) - 1, r - 1, -n, -n * (r >> 1), -n * (r - 1)):
                for a in (1, 3, n - 2, 2 - n):
                    if a % 2 and abs(a) < n:
                        b = centred(low * pow(a, -1, r), bits)
                        if abs(b) < n:
                            yield a, b, n
            # T = R and its multiples of R: the low half is 0, that of U as well.
            for i in range(max(0, bits - width + 1), width):
                if max(1 << i, r >> i) < n:
                    yield -(1 << i), r >> i, n

    @property
    def operand_bits(self) -> int:
        """Log2 R, the bits of all digits of a pass."""
        return 2 * self.issues * -(-(self.width + 1) // (2 * self.issues))

    @property
    def _interval(self) -> int:
        return 2 * max(FEWEST_CYCLES, self.issues) + self.issues
