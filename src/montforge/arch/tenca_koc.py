# SPDX-License-Identifier: Apache-2.0
"""``tenca_koc``: the scalable word-serial multiplier MWR2MM, also with neighbours a cycle apart."""

from __future__ import annotations

from collections.abc import Iterator

from montforge.arch.base import WIDTH, Architecture, Parameter, Parameters, Values
from montforge.arch.citations import TENCA_2003
from montforge.arch.corners import lazy_corners
from montforge.arch.forms import FIFO_FILES, NATIVE, Form, Harness, ports
from montforge.contract import Bound, Contract, Cycles, Encoding, ModulusRule
from montforge.functions import montgomery_contract

CLOSED, PUBLISHED = "closed", "published"


class TencaKoc(Architecture):
    """A row of processing elements, each for one bit of a, fed with words of b and n."""

    name = "tenca_koc"
    title = "Scalable radix-2 Montgomery multiplier (Tenca and Koc, MWR2MM)"
    family = "digit"
    citation = TENCA_2003
    parameters = (
        WIDTH,
        Parameter("word", "bits of a word", 16, minimum=2, maximum=256),
        Parameter("elements", "processing elements", 8, minimum=1, maximum=1024),
        Parameter(
            "offset",
            "cycles between the starts of neighbours: 2 as published, 1 as in Huang 2011",
            2,
            numbers=(1, 2),
        ),
        Parameter(
            "variant",
            "closed: two more iterations, operands and results below 2n; published: operands below"
            " n, results below 2n, which can't be fed back",
            CLOSED,
            choices=(CLOSED, PUBLISHED),
        ),
    )
    rtl_top = "mf_tenca_koc_par"
    rtl_files = (
        "digit/mf_tenca_koc_pe.sv",
        "digit/mf_tenca_koc.sv",
        "digit/mf_tenca_koc_par.sv",
    )
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

    def contract(self, parameters: Parameters) -> Contract:
        """Return the contract; the published form is not closed."""
        width = parameters.integer("width")
        closed = parameters["variant"] == CLOSED
        latency = self.cycles(parameters, 0, 0, 3)
        return montgomery_contract(
            architecture=self.name,
            parameters=parameters.flat(),
            r=1 << _iterations(parameters),
            modulus=ModulusRule(width),
            operand=(Encoding("binary", width + closed), Bound(2 if closed else 1)),
            result=(Encoding("binary", width + 1), Bound(2)),
            latency=Cycles.fixed(latency),
            handover=0,
            interval=Cycles.fixed(latency + 2),
            notes=() if closed else ("Results are below 2n, operands must be below n.",),
        )

    def rtl_parameters(self, parameters: Parameters) -> dict[str, int]:
        """Return the top module's parameters."""
        return {
            "Width": parameters.integer("width"),
            "Word": parameters.integer("word"),
            "Elements": parameters.integer("elements"),
            "Offset": parameters.integer("offset"),
            "Closed": int(parameters["variant"] == CLOSED),
        }

    def forms(self, parameters: Parameters) -> tuple[Form, ...]:
        """Return the parallel form, and the native one, whose operands and result are streams."""
        (parallel,) = super().forms(parameters)
        word, iterations = parameters.integer("word"), _iterations(parameters)
        rounds = -(-iterations // parameters.integer("elements"))
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
                ("b_word_i", word, "words of b, lowest first, again for each round"),
                ("n_word_i", word, "words of n, lowest first, again for each round"),
                ("p_valid_o", 1, "p_word_o is a word of the result"),
                ("p_last_o", 1, "it is the last one"),
                ("p_word_o", word, "words of the result, lowest first"),
            ),
            harness=Harness(
                "mf_tenca_koc_harness",
                (*FIFO_FILES, "harness/mf_tenca_koc_harness.sv"),
                {k: value for k, value in parallel.parameters.items() if k != "Offset"},
                cycles=2 * max(iterations, rounds * _words(parameters)) + 7,
            ),
            counting="from acceptance to the last word of the result",
        )
        return parallel, native

    def golden(self, parameters: Parameters, a: int, b: int, n: int) -> int:
        """Return the result, bit of a by bit of a."""
        s = 0
        for i in range(_iterations(parameters)):
            s += (a >> i & 1) * b
            s = (s + (s & 1) * n) >> 1
        return s

    def cycles(self, parameters: Parameters, a: int, b: int, n: int) -> int:
        """Return the start of the last iteration and the time of its words, for all operands."""
        offset, elements = parameters.integer("offset"), parameters.integer("elements")
        busy = _words(parameters) + 1
        starts: list[int] = []
        for i in range(_iterations(parameters)):
            follows = starts[i - 1] + offset if i else 0
            free = starts[i - elements] + busy if i >= elements else 0
            starts.append(max(follows, free))
        return starts[-1] + busy

    def corners(self, parameters: Parameters) -> Iterator[Values]:
        """Yield words of ones (the top carry) and moduli at word boundaries."""
        return lazy_corners(self.contract(parameters), parameters.integer("word"))


def _iterations(parameters: Parameters) -> int:
    return parameters.integer("width") + (2 if parameters["variant"] == CLOSED else 0)


def _words(parameters: Parameters) -> int:
    extra = 2 if parameters["variant"] == CLOSED else 1
    return -(-(parameters.integer("width") + extra) // parameters.integer("word"))
