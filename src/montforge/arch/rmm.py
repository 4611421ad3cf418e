# SPDX-License-Identifier: Apache-2.0
"""``rmm``: the Rescheduled Montgomery Multiplier of Grale and Swartzlander."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from montforge.arch.base import Core, Values
from montforge.arch.carry_save_rows import TREE_STAGES
from montforge.arch.citations import GRALE
from montforge.arch.corners import lazy_corners
from montforge.arch.multiplier import inverse_field, montgomery_contract, reduction
from montforge.arch.parameter import choice, integer
from montforge.contract import Bound, Contract, Cycles, Encoding, ModulusRule
from montforge.programs.digits import Plan, Reduction, plan, products

PUBLISHED = "published"
VARIANTS = (PUBLISHED, "in_place", "truncated", "fast")
REDUCTIONS: dict[str, Reduction] = {
    PUBLISHED: "full",
    "in_place": "full",
    "truncated": "trunc",
    "fast": "tiny",
}
MULTIPLIERS = ("inferred", "booth", "booth_carry_save")
ADDERS = ("inferred", "brent_kung", "han_carlson", "kogge_stone")
ACCUMULATORS = ("binary", "carry_save", "registered")


def estimate_bits(k: int) -> int:
    """Return g, the top bits of two digits that ``fast`` multiplies for its estimate.

    The smallest g with 4^g > 2 (k - 1) (2 2^g - 1) or equal; W = 2^d must then be so large that
    4^g (W - 2 (k - 2)) >= 2 (k - 1) (2 2^g - 1) W still holds.
    """
    return 2 if k == 2 else 3 if k == 3 else 4 if k <= 5 else 5 if k <= 9 else 6


def digit_bits(width: int, k: int, variant: str) -> int:
    """Return d: R = 2^(k d) is at least 2^width (published) or 2^(width + 2), d at least 3.

    ``truncated`` needs 2^d >= 2 (k - 2), and ``fast`` room for its estimate.
    """
    log_k = (k - 1).bit_length()
    least = {"truncated": 1 + log_k, "fast": estimate_bits(k) + 1 + log_k}.get(variant, 3)
    return max(-(-(width + (0 if variant == PUBLISHED else 2)) // k), least, 3)


@dataclass(frozen=True)
class Rmm(Core):
    """k digits, m digit multipliers, and a static schedule of the digit products."""

    name = "rmm"
    title = "Rescheduled Montgomery Multiplier (RMM)"
    family = "digit"
    citation = GRALE.at("Section IV, Fig. 5, Table VI")
    k: int = integer("digits of an operand", 4, minimum=2, maximum=16)
    m: int = integer("digit multipliers, at most k^2", 4, minimum=1, maximum=256)
    variant: str = choice(
        "published: three accumulators and a final subtraction, the paper's cycle counts;"
        " in_place: U is added on top of T, R >= 4n, no subtraction; truncated: in place, low"
        " columns of U omitted (k >= 3); fast: one column more is estimated",
        "fast",
        VARIANTS,
    )
    multiplier: str = choice(
        "structure of the digit multipliers: the * operator, Booth recoding with a compressor"
        " tree and a final adder, or the same with a carry-save product",
        "booth_carry_save",
        MULTIPLIERS,
    )
    stages: int = integer("register levels of the digit multipliers", 1, minimum=1, maximum=2)
    accumulator: str = choice(
        "binary: digits are read as they leave the adder; carry_save: no carry chain before the"
        " register, one cycle more (not with the published variant); registered: binary, digits"
        " are read one cycle later, from the register",
        "binary",
        ACCUMULATORS,
    )
    adder: str = choice(
        "style of the accumulators' adders and of the multipliers' final adders", "inferred", ADDERS
    )
    contexts: int = integer("operations that share the multipliers", 1, minimum=1, maximum=2)
    library = (
        *TREE_STAGES,
        "prim/mf_carry_lookahead.sv",
        "prim/mf_adder.sv",
        "prim/mf_one_hot_mux.sv",
        "prim/mf_registered_select.sv",
        "booth/mf_booth_pkg.sv",
        "booth/mf_booth_recoder.sv",
        "digit/mf_booth_selected_rows.sv",
        "digit/mf_booth_rows.sv",
        "digit/mf_digit_multiplier.sv",
        "digit/mf_digit_accumulator.sv",
        "digit/mf_rmm_pkg.sv",
        "digit/mf_rmm_plan_check.sv",
        "digit/mf_rmm_control.sv",
        "digit/mf_rmm_operands.sv",
        "digit/mf_rmm_lanes.sv",
        "digit/mf_rmm_accumulator.sv",
        "digit/mf_rmm_result.sv",
        "digit/mf_rmm_datapath.sv",
        "digit/mf_rmm.sv",
    )
    formulas = (
        ("d", "ceil(width / k) (published), ceil((width + 2) / k) (others); at least 3"),
        ("R", "2^(k d)"),
        ("digit products", "2.5k^2 + 0.5k; truncated: 2k^2 + 2k - 1; fast: 2k^2 + k"),
        (
            "operand latency",
            "L = 2, one more for stages = 2, one more for accumulator = carry_save or registered",
        ),
        ("issue cycles", "I, of the schedule; at least ceil(digit products / m)"),
        (
            "latency",
            "I + 1 + stages, one more for accumulator = carry_save, two more for published",
        ),
        ("interval", "latency + 2; with two contexts two operations in one period of the plan"),
        ("multipliers", "m of d x d bits"),
    )
    errata = (
        "Algorithm 1 subtracts if P > M; it must be P >= M: for M = p q, A = p, B = q the result is"
        " M itself.",
        "Fig. 3 and 4 read digits from the accumulator's register; Table VI needs them one cycle"
        " earlier, from the adder (operand latency 2).",
        "Table V gives 14 cycles for SPS with k = 4, m = 3, Table VI 19 with the pipeline's 4: one"
        " too many. The rule for cycles that two phases share, which the paper does not state, is"
        " chosen here so that all 15 rows are met.",
        "Dependencies can stall for m <= k^2, against Section III: for (4, 7) and an"
        " operand latency of 2 no schedule has ceil(N / m) cycles.",
        "n that is not a multiple of k: d is rounded up and R is 2^(k d).",
    )

    def check(self) -> None:
        """Refuse more than k^2 multipliers, and forms that the variants don't have."""
        k = self.k
        if self.m > k * k:
            raise self.illegal("m", f"is out of range; m must be at most k^2 = {k * k}", k * k)
        if self.variant == "truncated" and k < 3:
            reason = "needs k of at least 3: with two digits it omits nothing"
            raise self.illegal("variant", reason, "k = 3, or variant = in_place")
        if self.variant == PUBLISHED and self.accumulator == "carry_save":
            reason = f"is not legal with variant = {PUBLISHED}, which does not accumulate in place"
            raise self.illegal("accumulator", reason, "binary")

    @property
    def files(self) -> tuple[str, ...]:
        """The library's files, those of Booth rows only for multipliers that have them."""
        booth = self.multiplier != "inferred"
        return tuple(file for file in self.library if booth or "booth" not in file)

    @property
    def plan(self) -> Plan:
        """Products of the multipliers, step by step."""
        return plan(
            self.k,
            self.m,
            variant="published" if self.variant == PUBLISHED else "fast",
            latency=1 + self.stages + (self.accumulator != "binary"),
            reduction=REDUCTIONS[self.variant],
            contexts=self.contexts,
            turnaround=self._drain + 2,
        )

    @property
    def figures(self) -> dict[str, float]:
        """The digit products and issue cycles of an operation, and the multipliers' use.

        The utilisation is the share of multiplier cycles that hold a product when requests never
        wait.
        """
        found = self.plan
        interval = self.parallel_contract.interval
        period = found.period if self.contexts == 2 else interval.minimum
        return {
            "digit products": found.products // self.contexts,
            "issue cycles": found.issue_cycles,
            "multiplier utilisation": found.products / (period * found.m),
        }

    @cached_property
    def parallel_contract(self) -> Contract:
        """The contract: fixed latency; operands below n (published) or 2n (others)."""
        published = self.variant == PUBLISHED
        r_bits = self.k * digit_bits(self.width, self.k, self.variant)
        found = self.plan
        latency = found.issue_cycles + self._drain
        interval = Cycles.fixed(latency + 2)
        if self.contexts == 2:
            gaps = (found.starts[1], found.period - found.starts[1])
            interval = Cycles(min(gaps), max(gaps))
        operand = Encoding("binary", self.width + (not published))
        bound = Bound(1 if published else 2)
        return montgomery_contract(
            self,
            r=1 << r_bits,
            modulus=ModulusRule(self.width),
            operand=(operand, bound),
            constants=(inverse_field("n_prime", r_bits, "R"),),
            latency=Cycles.fixed(latency),
            interval=interval,
        )

    @property
    def slot_wait(self) -> int:
        """A period of the plan, in which each of two contexts begins at a step of its own."""
        return self.plan.period - 1 if self.contexts == 2 else 0

    @property
    def top_parameters(self) -> dict[str, int]:
        """The top module's parameters; the plan is one wide integer."""
        found = self.plan
        return {
            "Width": self.width,
            "K": self.k,
            "M": self.m,
            "Variant": VARIANTS.index(self.variant),
            "Multiplier": MULTIPLIERS.index(self.multiplier),
            "Stages": self.stages,
            "AdderStyle": ADDERS.index(self.adder),
            "Accumulator": ACCUMULATORS.index(self.accumulator),
            "Contexts": self.contexts,
            "Steps": found.period,
            "Plan": found.packed,
        }

    def golden_model(self, a: int, b: int, n: int) -> int:
        """Return the result from the sums of the digit products that the variant keeps."""
        k, variant = self.k, self.variant
        d = digit_bits(self.width, k, variant)
        r = 1 << (k * d)
        if variant == PUBLISHED:
            result = reduction(a * b, n, r)
            return result - n if result >= n else result
        q = a * b * -pow(n, -1, r) % r

        def digit(value: int, at: int) -> int:
            return value >> (at * d) & ((1 << d) - 1)

        total = a * b
        for product in products(k, REDUCTIONS[variant]):
            if product.phase == "U":
                total += digit(q, product.i) * digit(n, product.j) << (product.column * d)
        if variant == "in_place":
            return total // r
        if variant == "fast":
            g = estimate_bits(k)
            total += sum(
                (digit(q, i) >> (d - g)) * (digit(n, k - 2 - i) >> (d - g)) for i in range(k - 1)
            ) << (k * d - 2 * g)
        return (total + r // 2) // r

    def corner_values(self) -> Iterator[Values]:
        """Yield the corners of arithmetic in digits, of those of the variant."""
        return lazy_corners(self.parallel_contract, digit_bits(self.width, self.k, self.variant))

    @property
    def _drain(self) -> int:
        """The cycles from the last issue to the result."""
        carry_save = self.accumulator == "carry_save"
        published = self.variant == PUBLISHED
        return 1 + self.stages + carry_save + 2 * published
