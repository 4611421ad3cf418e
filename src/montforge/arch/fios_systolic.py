# SPDX-License-Identifier: Apache-2.0
"""``fios_systolic``: a line of word elements for cells (Walter 1993; Koc, Acar, Kaliski 1996)."""

from __future__ import annotations

from collections.abc import Iterator

from montforge.arch.base import WIDTH, Architecture, Citation, Parameter, Parameters, Values
from montforge.arch.corners import lazy_corners
from montforge.contract import Bound, Contract, Cycles, Derivation, Encoding, Field, ModulusRule
from montforge.functions import montgomery_contract

WALTER_1993 = Citation(
    authors="C. D. Walter",
    title="Systolic modular multiplication",
    venue="IEEE Transactions on Computers 42(3)",
    year=1993,
)


class FiosSystolic(Architecture):
    """An element with one multiplier for each word of b and n; a and the quotient travel."""

    name = "fios_systolic"
    title = "Word-systolic FIOS Montgomery multiplier for cells"
    family = "fios"
    citation = WALTER_1993.at(
        "linear array; FIOS: Koc, Acar, Kaliski, IEEE Micro 16(3), 1996; one multiplier an element"
        " is ours"
    )
    parameters = (
        WIDTH,
        Parameter("word", "bits of a word, w", 16, minimum=3, maximum=128),
    )
    rtl_top = "mf_fios_systolic"
    rtl_files = (
        "prim/mf_full_adder_row.sv",
        "prim/mf_compressor_tree.sv",
        "prim/mf_carry_lookahead.sv",
        "prim/mf_adder.sv",
        "booth/mf_booth_recoder.sv",
        "digit/mf_booth_selected_rows.sv",
        "digit/mf_booth_rows.sv",
        "digit/mf_truncated_product.sv",
        "fios/mf_fios_systolic_element.sv",
        "fios/mf_fios_systolic.sv",
    )
    formulas = (
        ("s", "ceil((width + 2) / word) words, at least 2; as many elements"),
        ("R", "2^(word s)"),
        ("latency", "3 s - 1 cycles: element j has iteration i at time 2 i + j"),
        ("interval", "latency + 2 cycles"),
        ("multipliers", "s of word x word bits, and one whose low half is used"),
    )
    errata = (
        "The published arrays have two multipliers an element, each idle in every second cycle; one"
        " takes both products here.",
        "The carry of element 0 is added by element 1 in the same cycle: with a register between"
        " them an iteration would take three cycles.",
    )

    def contract(self, parameters: Parameters) -> Contract:
        """Return the contract: operands and results below 2n, fixed latency."""
        width, word = parameters.integer("width"), parameters.integer("word")
        operand = (Encoding("binary", width + 1), Bound(2))
        latency = 3 * _words(parameters) - 1
        return montgomery_contract(
            architecture=self.name,
            parameters=parameters.flat(),
            r=1 << (word * _words(parameters)),
            modulus=ModulusRule(width),
            operand=operand,
            result=operand,
            constants=(
                Field.constant(
                    "n0_prime", word, f"-n^-1 mod 2^{word}", Derivation("inverse", word)
                ),
            ),
            latency=Cycles.fixed(latency),
            handover=0,
            interval=Cycles.fixed(latency + 2),
        )

    def constants(self, parameters: Parameters, n: int) -> dict[str, int]:
        """Return -n^-1 mod 2^word."""
        word = 1 << parameters.integer("word")
        return {"n0_prime": -pow(n, -1, word) % word}

    def rtl_parameters(self, parameters: Parameters) -> dict[str, int]:
        """Return the top module's parameters."""
        return {"Width": parameters.integer("width"), "Word": parameters.integer("word")}

    def golden(self, parameters: Parameters, a: int, b: int, n: int) -> int:
        """Return (a b + n Q) / R, Q = -a b n^-1 mod R."""
        r = 1 << (parameters.integer("word") * _words(parameters))
        return (a * b + n * (-a * b * pow(n, -1, r) % r)) // r

    def cycles(self, parameters: Parameters, a: int, b: int, n: int) -> int:
        """Return the time of the last element's last iteration, whatever the operands."""
        last = _words(parameters) - 1
        start = 1  # element 0 multiplies a word of a ahead
        return start + 2 * last + last + 1

    def corners(self, parameters: Parameters) -> Iterator[Values]:
        """Yield words of ones (the largest carries) and a single word of the quotient."""
        return lazy_corners(self.contract(parameters), parameters.integer("word"))


def _words(parameters: Parameters) -> int:
    """Return s."""
    return max(2, -(-(parameters.integer("width") + 2) // parameters.integer("word")))
