# SPDX-License-Identifier: Apache-2.0
"""Full-carry-save multipliers: ``fcs_mm1``, ``fcs_mm2``, ``fcs_mmm42``.

Operands and result are carry-save pairs; every bound is that of a pair's sum.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from montforge.arch.base import Core
from montforge.arch.checked import Checked
from montforge.arch.citations import KUANG_2013, MCIVOR_2004
from montforge.arch.radix2 import PAIR_NOTE, Radix2CarrySave, loop_tap
from montforge.arch.scs_mm_new import ScsMmNew, n_hat, skipping_tap
from montforge.contract import Contract, Cycles, Encoding
from montforge.hardware.check import Tap
from montforge.hardware.forms import Form

CONVERT = ("prim/mf_word_serial_adder.sv", "carry_save/mf_countdown.sv", "carry_save/mf_convert.sv")
"""The helper that turns a result into binary."""
BOUND_NOTE = (
    "E9: the operands' bound is that of the sums, a_s + a_c < 2n and b_s + b_c < 2n; two"
    " vectors below 2n each are not a legal pair."
)


@dataclass(frozen=True)
class _PairResult(Core):
    """The common part of multipliers whose results are pairs."""

    @property
    def own_forms(self) -> tuple[Form, ...]:
        """The parallel form, with the converter beside it."""
        return tuple(replace(form, companions=CONVERT) for form in super().own_forms)


@dataclass(frozen=True)
class FcsMm1(_PairResult, Radix2CarrySave, Checked):
    """Fig. 5 and 6 of Kuang 2016 (McIvor 2004): a five-to-two adder."""

    name = "fcs_mm1"
    title = "Full-carry-save Montgomery multiplier with a five-to-two adder (FCS-MM-1)"
    citation = MCIVOR_2004
    encoding = "carry_save"
    library = (
        "prim/mf_full_adder_row.sv",
        "prim/mf_one_hot_mux.sv",
        "prim/mf_barrel_register_full_adder.sv",
        "carry_save/mf_countdown.sv",
        "carry_save/mf_fcs_mm1.sv",
    )
    formulas = (
        ("R", "2^(width + 2)"),
        ("latency", "width + 2 cycles"),
        ("interval", "width + 4 cycles"),
        ("adders", "three rows of width + 3 full adders"),
        ("registers", "7 width + 8 bits, counter and phase"),
    )
    errata = (
        BOUND_NOTE,
        "E3: the paper counts k bits for every register and row; the sum below 3n needs k + 2, the"
        " rows k + 3.",
        "Table III gives 3 cycles more than the algorithm at both sizes (load and output).",
    )

    @property
    def latency(self) -> Cycles:
        """The iterations."""
        return Cycles.fixed(self.iterations)

    @property
    def tap(self) -> Tap:
        """The digit of each iteration, in its cycle."""
        return loop_tap(self, "mf_fcs_mm1", "quotient_digit", gap=1)


@dataclass(frozen=True)
class FcsMm2(_PairResult, Radix2CarrySave, Checked):
    """Section II-C of Kuang 2016 (McIvor 2004): D = B + N precomputed, a four-to-two adder."""

    name = "fcs_mm2"
    title = "Full-carry-save Montgomery multiplier with a four-to-two adder (FCS-MM-2)"
    citation = MCIVOR_2004
    encoding = "carry_save"
    library = (
        "prim/mf_full_adder_row.sv",
        "prim/mf_one_hot_mux.sv",
        "prim/mf_barrel_register_full_adder.sv",
        "carry_save/mf_sm3.sv",
        "carry_save/mf_countdown.sv",
        "carry_save/mf_fcs_mm2.sv",
    )
    formulas = (
        ("R", "2^(width + 2)"),
        ("D", "b + n as a carry-save pair, from the adder's first row"),
        ("latency", "width + 3 cycles: D and width + 2 iterations"),
        ("interval", "width + 5 cycles"),
        ("adders", "two rows of width + 2 full adders"),
        ("registers", "9 width + 10 bits, counter and phase"),
    )
    errata = (
        BOUND_NOTE,
        "E3: the paper counts k bits for every register and row; the pairs have k + 1, the rows"
        " k + 2.",
        "Table III gives 2 cycles more than the algorithm at both sizes (load and output).",
    )

    @property
    def latency(self) -> Cycles:
        """D and the iterations."""
        return Cycles.fixed(self.iterations + 1)

    @property
    def tap(self) -> Tap:
        """The digit of each iteration, in its cycle."""
        return loop_tap(self, "mf_fcs_mm2", "quotient_digit", gap=1)


@dataclass(frozen=True)
class FcsMmm42(_PairResult, ScsMmNew):
    """Kuang 2013: SCS-MM-New's iteration on pairs, with a four-to-two adder and no conversion."""

    name = "fcs_mmm42"
    title = "Full-carry-save Montgomery multiplier with skipped additions (FCS-MMM42)"
    citation = KUANG_2013
    library = (
        "prim/mf_full_adder_row.sv",
        "prim/mf_one_hot_mux.sv",
        "prim/mf_barrel_register_full_adder2.sv",
        "carry_save/mf_sm3.sv",
        "carry_save/mf_operand_mux.sv",
        "carry_save/mf_skip_detector.sv",
        "carry_save/mf_fcs_mmm42.sv",
    )
    formulas = (
        ("R", "2^(width + 4) (closed), 2^(width + 2) (published)"),
        ("N-hat", "n + 1 if n mod 4 = 3, else 3n + 1"),
        ("D-hat", "8 b + N-hat as a carry-save pair, from the adder's first row"),
        (
            "latency",
            "1 + width + 8 (closed) or 1 + width + 6 (published), less one for each skipped"
            " addition",
        ),
        ("average latency", "about 0.8 width + 5 cycles for random operands"),
        ("interval", "latency + 2 cycles"),
    )
    errata = (
        "E1: for n mod 4 = 1 the published form is not closed: operands below 2n give results"
        " up to 4n. The closed variant runs two more iterations, R = 2^(width + 4), with operands"
        " and results below 4n.",
        "E2: the skip must be masked in the last iteration; both variants mask it.",
        "E9: the operands' bound is that of the sums; 3n + 1 can't be computed by the datapath, so"
        " N-hat is an input.",
        "The design is reconstructed from its mention in the paper of 2016. Its published average"
        " of 822 (1024 bits) and 1636 (2048 bits) cycles needs a skip probability of 0.258 for"
        " each cycle; independent random bits give 0.25, 823.8 and 1643.9 cycles.",
    )

    @cached_property
    def parallel_contract(self) -> Contract:
        """SCS-MM-New's contract with pairs for operands and result, and its own latency."""
        binary = super().parallel_contract
        iterations = self._iterations
        latency = Cycles(1 + -(-iterations // 2), 1 + iterations)
        pairs = tuple(
            replace(field, encoding=_pair(field.encoding))
            if field.role in ("operand", "result")
            else field
            for field in binary.fields
        )
        return replace(
            binary,
            fields=pairs,
            latency=latency,
            handover=0,
            interval=latency.later(2),
            notes=(PAIR_NOTE, *binary.notes),
        )

    @property
    def tap(self) -> Tap:
        """The quotient digits."""
        shift = super().tap.p_shift
        return skipping_tap("mf_fcs_mmm42", "stays_in_loop", "quotient_digit_d", shift)

    def cycle_model(self, a: int, b: int, n: int) -> int:
        """Return the precomputation and the iterations that are not skipped.

        An iteration is skipped if it adds nothing, A_i = q_i = 0, unless it is the last one. The
        quotient digits follow from the value of the sum, not from how a pair splits it.
        """
        multiple = n_hat(n) - 1
        last = self._iterations - 2
        added = []  # for each iteration whether it adds something
        s = 0
        for i in range(last + 1):
            a_i, q_i = a >> i & 1, s & 1
            added.append(a_i | q_i)
            s = (s + a_i * 8 * b + q_i * multiple) >> 1
        edges, i = 1, -1
        while i <= last:
            edges += 1
            i += 1 if i == last or added[i + 1] else 2
        return edges


def _pair(binary: Encoding) -> Encoding:
    """Return the encoding of a carry-save pair whose vectors both have the width of ``binary``."""
    return Encoding("carry_save", binary.width, binary.width)
