# SPDX-License-Identifier: Apache-2.0
"""``scs_mm_new``: the SCS-MM-New multiplier of Kuang 2016 (Fig. 10 to 12)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from montforge.arch.base import Values
from montforge.arch.carry_save_rows import double_half_adder_row, full_adder_row, settled
from montforge.arch.checked import Checked
from montforge.arch.citations import KUANG_2016
from montforge.arch.corners import skipping_corners
from montforge.arch.multiplier import montgomery_contract, reduction
from montforge.arch.parameter import choice
from montforge.contract import Bound, Contract, Cycles, Derivation, Encoding, Field, ModulusRule
from montforge.hardware.check import Tap

CLOSED, PUBLISHED = "closed", "published"
OPERAND_SHIFT = 3
"""B-hat = 8 B, so that quotient digits do not depend on the operand being added."""


def n_hat(n: int) -> int:
    """Return N-hat of equation (4): a multiple of 4, one more than n or than 3n."""
    return n + 1 if n % 4 == 3 else 3 * n + 1


def skipping_tap(module: str, loop: str, quotient: str, p_shift: int) -> Tap:
    """Return the tap behind the skip detector, in the cycles of ``loop``.

    The digits are those of the iterations up to the next one that adds something, a cycle before
    it. After the last iteration but one, the last one may be skipped, too.
    """
    ends = "(phase_q == StLoop && last_but_one_q && skip_d)"
    return Tap(
        (module,),
        valid=f"{{{loop} && skip_d, ({loop} && !skip_d) || {ends}}}",
        digit=f"{{2{{{loop} && {quotient}}}}} & {{skip_d, !skip_d}}",
        gap=1,
        p_shift=p_shift,
        ab_shift=OPERAND_SHIFT,
        modulus="n_hat",
        n_add=-1,
        bits=2,
        varying=True,
    )


@dataclass(frozen=True)
class ScsMmNew(Checked):
    """Semi-carry-save multiplication on one configurable adder row, with skipped additions."""

    name = "scs_mm_new"
    title = (
        "Semi-carry-save Montgomery multiplier with configurable adder and skipping (SCS-MM-New)"
    )
    family = "carry_save"
    citation = KUANG_2016.at("Fig. 10 to 12")
    variant: str = choice(
        "closed: two more iterations than the paper, results are legal operands for every odd"
        " n; published: the paper's number of iterations",
        CLOSED,
        (CLOSED, PUBLISHED),
    )
    library: ClassVar[tuple[str, ...]] = (
        "prim/mf_zero_detector.sv",
        "carry_save/mf_ccsa.sv",
        "carry_save/mf_sm3.sv",
        "carry_save/mf_operand_mux.sv",
        "carry_save/mf_skip_detector.sv",
        "carry_save/mf_scs_mm_new.sv",
    )
    formulas: ClassVar[tuple[tuple[str, str], ...]] = (
        ("R", "2^(width + 4) (closed), 2^(width + 2) (published)"),
        ("N-hat", "n + 1 if n mod 4 = 3, else 3n + 1"),
        ("D-hat", "8 b + N-hat"),
        ("latency", "resolve + loop + convert, all three data dependent"),
        ("resolve", "1 + ceil((L - 1) / 2), L half-adder rows to add 8b and N-hat"),
        ("loop", "width + 8 (closed) or width + 6 (published), less one for each skipped addition"),
        ("convert", "max(1, ceil(L / 2)), L half-adder rows to add the final pair"),
        ("average latency", "about 0.806 width + 14 cycles for random operands"),
        ("interval", "latency + 3 cycles"),
    )
    errata: ClassVar[tuple[str, ...]] = (
        "E1: for n mod 4 = 1 the published form is not closed: operands below 2n give results"
        " up to 4n, and a chain of squarings diverges (shown for n = 2^64 - 3). The closed variant"
        " runs two more iterations, R = 2^(width + 4), with operands and results below 4n.",
        "E2: the skip must be masked in the last iteration. As published, the loop can leave with"
        " a shift too many. Both variants mask it.",
        "E4: the shift of an iteration is done in the next cycle, so the first cycle of the format"
        " conversion is always needed, and the test for a zero carry vector applies after it.",
        "E9: 3n + 1 can't be computed by the datapath; N-hat is an input.",
        "The iteration i = -1 of Fig. 10 is merged into the cycle that detects the zero carry"
        " vector of D-hat. The number of cycles is that of Fig. 10.",
    )

    @cached_property
    def parallel_contract(self) -> Contract:
        """The contract; operand and result bounds depend on the variant."""
        width = self.width
        closed = self.variant == CLOSED
        iterations = self._iterations
        state_width = width + (6 if closed else 5)
        half_adder_edges = -(-state_width // 2)
        # No operation has the longest carries of both conversions and skips no iteration.
        longest = 1 + iterations + 2 * half_adder_edges
        latency = Cycles(2 + -(-iterations // 2), longest, attained=False)
        notes = (
            ()
            if closed
            else (
                "n mod 4 = 3: closed, chains of any length.",
                "n mod 4 = 1: a chain of one; the product is right, but it can exceed the operand"
                " bound and must be reduced below 2n before it is used again.",
            )
        )
        return montgomery_contract(
            self,
            r=self._r,
            modulus=ModulusRule(width),
            operand=(Encoding("binary", width + (2 if closed else 1)), Bound(4 if closed else 2)),
            result=(
                Encoding("binary", width + 2),
                Bound(4) if closed else Bound(2, exceptions=((4, 1, 4),)),
            ),
            constants=(
                Field.constant(
                    "n_hat", width + 2, "n + 1 if n mod 4 = 3, else 3n + 1", Derivation("raised", 2)
                ),
            ),
            takes_modulus=False,
            latency=latency,
            handover=1,
            notes=notes,
        )

    @property
    def tap(self) -> Tap:
        """The quotient digits."""
        shift = self._r.bit_length() - 1 + OPERAND_SHIFT
        return skipping_tap("mf_scs_mm_new", "enters_loop", "quotient_bit_d", shift)

    @property
    def top_parameters(self) -> dict[str, int]:
        """The width, and whether the form is closed."""
        return super().top_parameters | {"Closed": int(self.variant == CLOSED)}

    def golden_model(self, a: int, b: int, n: int) -> int:
        """Return ``(a b + m N') / R`` with ``m = -a b N'^-1 mod R``, N' = N-hat - 1.

        The loop adds multiples of N' and halves; the first three quotient digits are 0 because
        B-hat = 8 b, so the other log2(R) digits are m, which is unique.
        """
        return reduction(a * b, n_hat(n) - 1, self._r)

    def cycle_model(self, a: int, b: int, n: int) -> int:
        """Return the edges of Fig. 10: the additions that are not skipped and both conversions."""
        hat, b_hat = n_hat(n), b << OPERAND_SHIFT
        d_hat, rows = settled(*full_adder_row(b_hat, hat, 0), double_half_adder_row)
        edges = 1 + rows

        last = self._iterations - 2
        operands = ((0, hat), (b_hat, d_hat))
        n2 = hat >> 2 & 1
        s = c = a_bit = q = 0
        i, shift = -1, 0
        while i <= last:
            edges += 1
            s, c = s >> shift, c >> shift
            a_next = a >> (i + 1) & 1
            delta1, delta0 = (s ^ c) >> 1 & 1, s & c & 1
            if a_next | delta1 | delta0 or i == last:
                following = delta1 ^ delta0, a_next, 1
            else:
                q_after_next = ((s ^ c) >> 2 & 1) ^ (q & n2) ^ ((s & c) >> 1 & 1)
                following = q_after_next, a >> (i + 2) & 1, 2
            s, c = full_adder_row(s, c, operands[a_bit][q])
            q, a_bit, shift = following
            i += shift

        s, c = double_half_adder_row(s >> shift, c >> shift)
        return edges + 1 + settled(s, c, double_half_adder_row)[1]

    def corner_values(self) -> Iterator[Values]:
        """Yield the corners of multipliers that skip additions."""
        return skipping_corners(self, OPERAND_SHIFT)

    @property
    def _r(self) -> int:
        return 1 << self.width + (4 if self.variant == CLOSED else 2)

    @property
    def _iterations(self) -> int:
        """The number of iterations from i = -1 to the last, none skipped."""
        return self.width + (8 if self.variant == CLOSED else 6)
