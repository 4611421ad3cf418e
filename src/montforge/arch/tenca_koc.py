# SPDX-License-Identifier: Apache-2.0
"""``tenca_koc``: the scalable word-serial multiplier MWR2MM, also with neighbours a cycle apart."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from montforge.arch.base import Core, Values
from montforge.arch.citations import TENCA_2003
from montforge.arch.corners import lazy_corners
from montforge.arch.multiplier import montgomery_contract, reduction
from montforge.arch.parameter import choice, integer, number
from montforge.contract import Bound, Contract, Cycles, Encoding, ModulusRule
from montforge.hardware.forms import FIFO_FILES, NATIVE, Form, Harness, ports

CLOSED, PUBLISHED = "closed", "published"


@dataclass(frozen=True)
class TencaKoc(Core):
    """A row of processing elements, each for one bit of a, fed with words of b and n."""

    name = "tenca_koc"
    title = "Scalable radix-2 Montgomery multiplier (Tenca and Koc, MWR2MM)"
    family = "digit"
    citation = TENCA_2003
    word: int = integer("bits of a word", 16, minimum=2, maximum=256)
    elements: int = integer("processing elements", 8, minimum=1, maximum=1024)
    offset: int = number(
        "cycles between the starts of neighbours: 2 as published, 1 as in Huang 2011", 2, (1, 2)
    )
    variant: str = choice(
        "closed: two more iterations, operands and results below 2n; published: operands below"
        " n, results below 2n, which can't be fed back",
        CLOSED,
        (CLOSED, PUBLISHED),
    )
    library = ("digit/mf_tenca_koc_pe.sv", "digit/mf_tenca_koc.sv", "digit/mf_tenca_koc_par.sv")
    formulas = (
        ("R", "2^(width + 2) (closed), 2^width (published)"),
        ("words", "e = ceil((width + 2) / word) (closed), ceil((width + 1) / word) (published)"),
        ("start of iteration i", "s(i) = max(s(i - 1) + offset, s(i - elements) + e + 1)"),
        ("latency", "s(log2(R) - 1) + e + 1; 2 width + e - 1 for published with enough elements"),
        ("interval", "latency + 2 cycles"),
    )
    errata = (
        "The paper's 2n + k - 1 cycles with k = n / w words ignore the sum's bit beyond the width:"
        " n + 1 bits need ceil((n + 1) / w) words.",
        "offset = 1: Huang, Gaj and El-Ghazawi (2011) compute a word for both values of its top bit"
        " and select. That bit depends on three XORs, so that it is used directly here.",
    )

    @cached_property
    def parallel_contract(self) -> Contract:
        """The contract; the published form is not closed."""
        closed = self.variant == CLOSED
        latency = self.cycle_model(0, 0, 3)
        return montgomery_contract(
            self,
            r=1 << self._iterations,
            modulus=ModulusRule(self.width),
            operand=(Encoding("binary", self.width + closed), Bound(2 if closed else 1)),
            result=(Encoding("binary", self.width + 1), Bound(2)),
            latency=Cycles.fixed(latency),
            notes=() if closed else ("Results are below 2n, operands must be below n.",),
        )

    @property
    def top_parameters(self) -> dict[str, int]:
        """The integers, and whether the form is closed."""
        return super().top_parameters | {"Closed": int(self.variant == CLOSED)}

    @property
    def own_forms(self) -> tuple[Form, ...]:
        """The parallel form, and the native one, whose operands and result are streams."""
        parallel = self.parallel_form
        iterations = self._iterations
        rounds = -(-iterations // self.elements)
        native = Form(
            NATIVE,
            "mf_tenca_koc",
            parallel.files[:-1],
            parallel.parameters,
            ports=ports(
                ("req_valid_i", 1, "an operation is asked for"),
                ("req_ready_o", 1, "it is accepted when both are high"),
                ("a_taken_o", 1, "a_bit_i is taken"),
                ("a_bit_i", 1, "bits of a, lowest first"),
                ("word_taken_o", 1, "b_word_i and n_word_i are taken"),
                ("b_word_i", self.word, "words of b, lowest first, again for each round"),
                ("n_word_i", self.word, "words of n, lowest first, again for each round"),
                ("p_valid_o", 1, "p_word_o is a word of the result"),
                ("p_last_o", 1, "it is the last one"),
                ("p_word_o", self.word, "words of the result, lowest first"),
            ),
            harness=Harness(
                "mf_tenca_koc_harness",
                (*FIFO_FILES, "harness/mf_tenca_koc_harness.sv"),
                {k: value for k, value in parallel.parameters.items() if k != "Offset"},
                cycles=2 * max(iterations, rounds * self._words) + 7,
            ),
            counting="from acceptance to the last word of the result",
        )
        return parallel, native

    def golden_model(self, a: int, b: int, n: int) -> int:
        """Return the sum after the last bit of a."""
        return reduction(a * b, n, 1 << self._iterations)

    def cycle_model(self, a: int, b: int, n: int) -> int:
        """Return the start of the last iteration and the time of its words, for all operands."""
        busy = self._words + 1
        starts: list[int] = []
        for i in range(self._iterations):
            follows = starts[i - 1] + self.offset if i else 0
            free = starts[i - self.elements] + busy if i >= self.elements else 0
            starts.append(max(follows, free))
        return starts[-1] + busy

    def corner_values(self) -> Iterator[Values]:
        """Yield words of ones (the top carry) and moduli at word boundaries."""
        return lazy_corners(self.parallel_contract, self.word)

    @property
    def _iterations(self) -> int:
        return self.width + (2 if self.variant == CLOSED else 0)

    @property
    def _words(self) -> int:
        extra = 2 if self.variant == CLOSED else 1
        return -(-(self.width + extra) // self.word)
