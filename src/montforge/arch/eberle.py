# SPDX-License-Identifier: Apache-2.0
"""``eberle``: digit-serial Montgomery multiplication on one multiply-accumulate unit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from montforge.arch.base import Core, Values
from montforge.arch.citations import EBERLE_2004
from montforge.arch.corners import lazy_corners
from montforge.arch.multiplier import inverse_field, montgomery_contract, reduction
from montforge.arch.parameter import choice, integer
from montforge.contract import Bound, Contract, Cycles, Encoding, ModulusRule
from montforge.hardware.forms import FIFO_FILES, NATIVE, Form, Harness, ports

LAZY, SUBTRACT = "lazy", "subtract"


def reduction_field() -> str:
    """Return the field that says how the serial architectures keep results legal as operands."""
    return choice(
        "lazy: R >= 4n, operands and results below 2n, no subtraction; subtract: operands and"
        " results below n",
        LAZY,
        (LAZY, SUBTRACT),
    )


@dataclass(frozen=True)
class Eberle(Core):
    """CIOS with one digit multiplier."""

    name = "eberle"
    title = "Digit-serial Montgomery multiplier on one multiply-accumulate unit (Eberle 2004)"
    family = "digit"
    citation = EBERLE_2004
    k: int = integer("digits of an operand", 4, minimum=2, maximum=128)
    reduction: str = reduction_field()
    library = ("digit/mf_eberle.sv", "digit/mf_eberle_par.sv")
    formulas = (
        ("d", "ceil(width / k) (subtract), ceil((width + 2) / k) (lazy); at least 2"),
        ("R", "2^(k d)"),
        ("latency", "2k^2 + k cycles (lazy), 2k^2 + k + 1 (subtract)"),
        ("interval", "latency + 2 cycles"),
        ("multipliers", "one of d x d bits, with two additions, in one cycle"),
    )
    errata = (
        "Reconstructed from Grale and Swartzlander's Table II, whose 2k^2 + k cycles leave the"
        " final subtraction out.",
        "The sum of an operand's row needs one bit more than k + 1 digits if R < 4n.",
    )

    @cached_property
    def parallel_contract(self) -> Contract:
        """The contract: operands and results below 2n (lazy) or n."""
        k = self.k
        lazy = self.reduction == LAZY
        d = self._digit_bits
        latency = 2 * k * k + k + (not lazy)
        return montgomery_contract(
            self,
            r=1 << (k * d),
            modulus=ModulusRule(self.width),
            operand=(Encoding("binary", self.width + lazy), Bound(1 + lazy)),
            constants=(inverse_field("n0_prime", d, "2^d"),),
            latency=Cycles.fixed(latency),
        )

    @property
    def top_parameters(self) -> dict[str, int]:
        """The integers, and whether the reduction is lazy."""
        return super().top_parameters | {"Lazy": int(self.reduction == LAZY)}

    @property
    def own_forms(self) -> tuple[Form, ...]:
        """The parallel form, and the native one, which reads and is read by digits."""
        parallel = self.parallel_form
        k, d = self.k, self._digit_bits
        lazy = self.reduction == LAZY
        native = Form(
            NATIVE,
            "mf_eberle",
            ("digit/mf_eberle.sv",),
            parallel.parameters,
            ports=ports(
                ("req_valid_i", 1, "an operation is asked for"),
                ("req_ready_o", 1, "it is accepted when both are high"),
                ("a_taken_o", 1, "a_digit_i is taken"),
                ("a_digit_i", d, "digits of a, lowest first, a again for each digit of b"),
                ("b_taken_o", 1, "b_digit_i is taken, at the end of its row"),
                ("b_digit_i", d, "digits of b, lowest first"),
                ("n_taken_o", 1, "n_digit_i is taken"),
                ("n_digit_i", d, "digits of n, lowest first, n again for each digit of b"),
                ("n0_prime_i", d, "-n^-1 mod 2^d, held from the first row to the last"),
                ("p_valid_o", 1, "the result is there, until the next operation is accepted"),
                ("p_next_i", 1, "the result turns by a digit"),
                ("p_o", k * d + 1, "the result, and the bit above its digits"),
            ),
            harness=Harness(
                "mf_eberle_harness",
                (*FIFO_FILES, "harness/mf_eberle_harness.sv"),
                parallel.parameters,
                cycles=2 * k * k + 2 * k + 12,
            ),
            later=0 if lazy else -1,
            counting="from acceptance to p_valid_o"
            + ("" if lazy else "; p_o is below 2n, and the subtraction is the reader's"),
        )
        return parallel, native

    def golden_model(self, a: int, b: int, n: int) -> int:
        """Return the sum after the last digit of b, less n where it is subtracted."""
        t = reduction(a * b, n, 1 << self.k * self._digit_bits)
        return t - n if self.reduction == SUBTRACT and t >= n else t

    def corner_values(self) -> Iterator[Values]:
        """Yield digits of ones (the extra bit), and results at the edge of the subtraction."""
        return lazy_corners(self.parallel_contract, self._digit_bits)

    @property
    def _digit_bits(self) -> int:
        spare = 2 if self.reduction == LAZY else 0
        return max(2, -(-(self.width + spare) // self.k))
