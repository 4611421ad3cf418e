# SPDX-License-Identifier: Apache-2.0
"""``orup``: high-radix multiplication with quotient pipelining (Orup 1995)."""

from __future__ import annotations

from collections.abc import Iterator

from montforge.arch.base import WIDTH, Architecture, Parameter, Parameters, Values
from montforge.arch.citations import ORUP_1995
from montforge.arch.unit_csa import ACCUMULATOR_FILES, CONVERT_CYCLES
from montforge.contract import Bound, Contract, Cycles, Derivation, Encoding, Field, ModulusRule
from montforge.functions import montgomery_contract


class Orup(Architecture):
    """Radix 2^k with nonnegative digits: a quotient digit is used d steps after it was found."""

    name = "orup"
    title = "High-radix Montgomery multiplier with quotient pipelining (Orup 1995)"
    family = "unit"
    citation = ORUP_1995.at("quotient pipelining; rows and conversion are ours")
    parameters = (
        WIDTH,
        Parameter("digit", "bits of a digit, k", 8, minimum=1, maximum=24),
        Parameter("delay", "steps from a quotient digit to its use, d", 1, numbers=(0, 1, 2)),
        Parameter("group", "bits of a group of the conversion to binary", 8, minimum=4, maximum=64),
    )
    rtl_top = "mf_orup"
    rtl_files = ("prim/mf_one_hot_mux.sv", *ACCUMULATOR_FILES, "unit/mf_orup.sv")
    formulas = (
        ("k, d, L", "digit; delay; k (d + 1), the bits of the scale"),
        ("m", "ceil((width + L + 2) / k) digits of an operand"),
        ("R", "2^(k m)"),
        ("latency", "m + d + 5: m + d + 1 steps, a cycle before them, three of the conversion"),
        ("interval", "latency + 2 cycles"),
        ("n-bar", "(n n' + 1) / 2^L, n' = -n^-1 mod 2^L, 0 < n' < 2^L"),
        ("adder rows", "2 (floor(k / 2) + 1), as many multiples"),
    )
    errata = (
        "The paper's bound of operands and result is 2 M~ = 2 n n', which depends on n'; 2^(L+1) n,"
        " its largest value, is closed as well.",
        "Nonnegative digits are Booth-recoded one by one: an even k has one row more than a k that"
        " is less by one.",
    )

    def contract(self, parameters: Parameters) -> Contract:
        """Return the contract: 0 <= x < 2^(L+1) n, fixed latency."""
        width, scale = parameters.integer("width"), _scale(parameters)
        number = Encoding("binary", width + scale + 1)
        bound = Bound(2 << scale)
        latency = _latency(parameters)
        return montgomery_contract(
            architecture=self.name,
            parameters=parameters.flat(),
            r=1 << _quotient_bits(parameters),
            modulus=ModulusRule(width),
            operand=(number, bound),
            result=(number, bound),
            constants=(
                Field.constant(
                    "n_scaled",
                    width,
                    f"(n n' + 1) / 2^{scale}, n' = -n^-1 mod 2^{scale}",
                    Derivation("scaled", scale),
                ),
            ),
            takes_modulus=False,
            latency=Cycles.fixed(latency),
            handover=0,
            interval=Cycles.fixed(latency + 2),
        )

    def constants(self, parameters: Parameters, n: int) -> dict[str, int]:
        """Return n-bar."""
        scale = _scale(parameters)
        return {"n_scaled": (n * (-pow(n, -1, 1 << scale) % (1 << scale)) + 1) >> scale}

    def rtl_parameters(self, parameters: Parameters) -> dict[str, int]:
        """Return the top module's parameters."""
        return {
            "Width": parameters.integer("width"),
            "DigitW": parameters.integer("digit"),
            "QuotientDelay": parameters.integer("delay"),
            "GroupW": parameters.integer("group"),
        }

    def golden(self, parameters: Parameters, a: int, b: int, n: int) -> int:
        """Return (a b + M~ Q) / 2^(k m), M~ = n n', with the Q that makes it an integer."""
        scale, modulus = _scale(parameters), 1 << _quotient_bits(parameters)
        multiple = n * (-pow(n, -1, 1 << scale) % (1 << scale))
        quotient = -a * b * pow(multiple, -1, modulus) % modulus
        return (a * b + multiple * quotient) // modulus

    def cycles(self, parameters: Parameters, a: int, b: int, n: int) -> int:
        """Return the latency, whatever the operands."""
        return _latency(parameters)

    def corners(self, parameters: Parameters) -> Iterator[Values]:
        """Yield operands at the bound and ones with extreme digits, for moduli of each kind."""
        width, k = parameters.integer("width"), parameters.integer("digit")
        scale = _scale(parameters)
        top, bits = 1 << width, width + scale + 1
        halves = sum(1 << i for i in range(k - 1, bits, k))  # each digit 2^(k-1): a negative term
        ones = sum(0xFFFF << i for i in range(0, bits, 24))  # carries through groups
        for n in sorted({top - 1, top - 3, (top >> 1) + 1, top // 3 | 1, 3, 5} - {1}):
            if n >= top:
                continue
            bound = n << (scale + 1)
            values = {0, 1, n - 1, n, bound - 1, bound >> 1, (1 << (k - 1)) % n}
            values |= {halves % bound, (halves >> 1) % bound, ones % bound, (bound >> 1) - 1}
            for a in sorted(values):
                for b in sorted(values):
                    yield a, b, n


def _scale(parameters: Parameters) -> int:
    """Return L, the bits by which the modulus is scaled."""
    return parameters.integer("digit") * (parameters.integer("delay") + 1)


def _digits(parameters: Parameters) -> int:
    """Return m."""
    return -(-(parameters.integer("width") + _scale(parameters) + 2) // parameters.integer("digit"))


def _quotient_bits(parameters: Parameters) -> int:
    return parameters.integer("digit") * _digits(parameters)


def _latency(parameters: Parameters) -> int:
    return _digits(parameters) + parameters.integer("delay") + 2 + CONVERT_CYCLES
