# SPDX-License-Identifier: Apache-2.0
"""``unit_dsp``: multiplier of a scaled modulus for DSP blocks: half a row of them, one or two."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from montforge.arch.base import Core, Values
from montforge.arch.citations import ORUP_1995
from montforge.arch.corners import legal, pairs
from montforge.arch.multiplier import montgomery_contract, reduction, scaled_field, unit_multiple
from montforge.arch.parameter import choice, integer, number
from montforge.contract import Bound, Contract, Cycles, Encoding, ModulusRule

DELAY = {1: 1, 2: 2, 4: 4}
"""Words by which the modulus is scaled, by halves of a row of multipliers: a quotient word is used
in the step in which it was found, one step later, or three, since steps take 4, 2 or 1 cycles."""
TAIL_CYCLES = {1: 10, 2: 10, 4: 11}
"""Behind the cycles of the bus: the steps of the delay, bus to columns, and conversion."""
FEWEST_CYCLES = 12
"""Least interval: a result is taken before the request after the next one is accepted."""
LOGIC, CASCADE = "logic", "cascade"
GENERIC, DSP48E2, ECP5 = "generic", "dsp48e2", "ecp5"
WIDEST = {GENERIC: 24, DSP48E2: 17, ECP5: 18}
"""Bits of a word that a multiplier takes."""
CASCADE_WORD = 17
"""Bits by which a DSP48E2 shifts the sum of the block below."""

_BLOCKS = (
    "prim/mf_delay_line.sv",
    "prim/xilinx/DSP48E2.sv",
    "prim/xilinx/mf_dsp48e2.sv",
    "prim/lattice/MULT18X18D.sv",
    "prim/lattice/mf_word_multiplier_ecp5.sv",
    "prim/mf_word_multiplier.sv",
    "prim/mf_carry_lookahead.sv",
    "prim/mf_group_converter.sv",
)
_ONE_ROW = ("unit/mf_unit_dsp_pkg.sv", "unit/mf_unit_column.sv", "unit/mf_unit_dsp.sv")
_CASCADE = (
    "prim/mf_delay_line.sv",
    "prim/xilinx/DSP48E2.sv",
    "prim/xilinx/mf_dsp48e2_cascade.sv",
    "unit/mf_unit_cascade.sv",
    "unit/mf_unit_dsp_cascade.sv",
)
_ROWS = {1: ("unit/mf_unit_dsp_half.sv",), 2: _ONE_ROW, 4: ("unit/mf_unit_dsp_two.sv",)}
"""Files of the top modules, by halves of a row."""


@dataclass(frozen=True)
class UnitDsp(Core):
    """One multiplier for each word of b; words of a and of the quotient take turns on a bus.

    With two rows the words of the quotient have multipliers of their own; with half a row each
    multiplier has two words of b.
    """

    name = "unit_dsp"
    title = "DSP Montgomery multiplier of a unit modulus: half a row of multipliers, one or two"
    family = "unit"
    citation = ORUP_1995.at("quotient without a product, delayed; schedule and form are ours")
    word: int = integer(
        "bits of a word, w: 18 fills an ECP5 block, 17 a DSP48E2",
        18,
        minimum=3,
        maximum=24,
        rtl="WordW",
    )
    multiplier: str = choice(
        "generic (behavioural), ecp5 (Lattice MULT18X18D, words of at most 18 bits) or dsp48e2"
        " (AMD UltraScale+, of at most 17)",
        GENERIC,
        (GENERIC, DSP48E2, ECP5),
        rtl="Block",
    )
    rows: int = number(
        "rows of multipliers: 1, for words of a and of the quotient in turn; 2, one for each,"
        " with a step in each cycle",
        1,
        (1, 2),
        rtl="",
    )
    folding: int = number(
        "words of an operand for each multiplier: 1; 2, for half a row of them (with rows=1)",
        1,
        (1, 2),
        rtl="",
    )
    sums: str = choice(
        "words of products are added in logic, or in the blocks' cascade, a word a cycle later"
        " than the one below (one row; dsp48e2 with words of 17 bits, or generic)",
        LOGIC,
        (LOGIC, CASCADE),
    )
    library = (*_BLOCKS, *_ONE_ROW, *_ROWS[4], *_ROWS[1], *_CASCADE[2:])
    formulas = (
        ("w, L", "word; 2 w, with two rows 4 w, with half a row (folding=2) w"),
        ("K", "ceil((width + L + 2) / w) quotient words"),
        ("R", "2^(w K)"),
        (
            "multipliers",
            "M = ceil((width + L + 1) / w), two rows: ceil(width / w) more, half a row: half of"
            " them; w by w bits",
        ),
        ("latency", "2 K + 10; two rows: K + 11; half a row: 4 K + 10; cascade: 2 K + M + 6"),
        (
            "interval",
            "2 K, but at least 12; two rows: K + 13; half a row: 4 K + 12; cascade: 2 K, but at"
            " least (2 K + M + 8) / 2, made even",
        ),
        ("n-bar", "(n n' + 1) / 2^L, n' = -n^-1 mod 2^L, 0 < n-bar <= n"),
    )
    errata = (
        "Orup's result is reduced modulo n after the loop; here operands may grow by the scale,"
        " so that results are operands without a correction.",
    )

    def check(self) -> None:
        """Raise ParameterError for words that the block does not take, and for two halved rows."""
        kind = self.multiplier
        if self.word > WIDEST[kind]:
            reason = f"is too wide for multiplier = {kind}; word must be 3 to {WIDEST[kind]}"
            raise self.illegal("word", reason, WIDEST[kind])
        if self.folding == 2 and self.rows == 2:
            raise self.illegal(
                "folding", "halves one row of multipliers; rows must be 1 with it", 1
            )
        if not self._cascades:
            return
        if self._halves != 2:
            reason = "is for one row of multipliers; rows and folding must be 1 with it"
            raise self.illegal("sums", reason, LOGIC)
        if kind == ECP5 or (kind == DSP48E2 and self.word != CASCADE_WORD):
            raise self.illegal(
                "sums",
                f"adds words of products in DSP48E2 blocks, {CASCADE_WORD} bits apart;"
                f" multiplier = {kind} with word = {self.word} has no such cascade",
                f"multiplier = {DSP48E2} with word = {CASCADE_WORD}",
            )

    @property
    def files(self) -> tuple[str, ...]:
        """The blocks and those of half a row, of one or of two."""
        if self._cascades:
            return _CASCADE
        return (*_BLOCKS, *_ROWS[self._halves])

    @cached_property
    def parallel_contract(self) -> Contract:
        """The contract: operands and result below 2^(L+1) n, fixed latency."""
        scale = self._scale
        number = (Encoding("binary", self.width + scale + 1), Bound(2 << scale))
        products = 4 // self._halves * self._digits
        overlaps = self._halves == 2
        fewest = self._fewest_cycles
        interval = max(products, fewest) if overlaps else self._latency + 2
        return montgomery_contract(
            self,
            r=1 << self._quotient_bits,
            modulus=ModulusRule(self.width),
            operand=number,
            constants=(scaled_field(self.width, scale, signed=False),),
            takes_modulus=False,
            latency=Cycles.fixed(self._latency),
            interval=Cycles.fixed(interval),
            notes=(
                f"{self.multipliers} multipliers of {self.word} bits;"
                f" {products} of the {interval} cycles of an interval have a product.",
            ),
        )

    def golden_model(self, a: int, b: int, n: int) -> int:
        """Return (a b + N Q) / 2^(w K) with N = n n' and the Q >= 0 that makes it an integer."""
        return reduction(a * b, unit_multiple(n, self._scale), 1 << self._quotient_bits)

    def corner_values(self) -> Iterator[Values]:
        """Yield operands at the bound and ones with extreme words, for moduli of each kind."""
        w = self.word
        top, bits = 1 << self.width, self.width + self._scale + 1
        halves = sum(1 << i for i in range(w - 1, bits, w))
        ones = sum(((1 << w) - 1) << i for i in range(0, bits, 2 * w))  # every other word
        moduli = (top - 1, top - 3, (top >> 1) + 1, top // 3 | 1, 3, 5)
        for n in legal(self.parallel_contract, moduli):
            bound = n << (self._scale + 1)
            values = {0, 1, n - 1, n, bound - 1, bound >> 1, (1 << (w - 1)) % n}
            values |= {halves % bound, ones % bound, (ones << w) % bound}
            values |= {(bound - 1) >> w << w, bound - (1 << w)}
            yield from pairs(n, bound, values)

    @property
    def multipliers(self) -> int:
        """The number of multipliers: each of a word of an operand, of two, or of n-bar, too."""
        row = -(-(self.width + self._scale + 1) // self.word)
        return {1: -(-row // 2), 2: row, 4: row + -(-self.width // self.word)}[self._halves]

    @property
    def slot_wait(self) -> int:
        """One row of multipliers has words of a and of the quotient in turn, in two cycles."""
        return int(self._halves == 2)

    @property
    def _halves(self) -> int:
        """The number of halves of a row of multipliers: 1, 2 or 4."""
        return 2 * self.rows // self.folding

    @property
    def _scale(self) -> int:
        """L, the bits by which the modulus is scaled."""
        return DELAY[self._halves] * self.word

    @property
    def _digits(self) -> int:
        """K, the words of the quotient."""
        return -(-(self.width + self._scale + 2) // self.word)

    @property
    def _cascades(self) -> bool:
        return self.sums == CASCADE

    @property
    def _fewest_cycles(self) -> int:
        """The least interval of a row: two results are on their way at most."""
        if self._cascades:
            return 2 * -(-(self._latency + 2) // 4)
        return FEWEST_CYCLES

    @property
    def _latency(self) -> int:
        halves = self._halves
        if self._cascades:
            return 2 * self._digits + self.multipliers + 6
        return 4 // halves * self._digits + TAIL_CYCLES[halves]

    @property
    def _quotient_bits(self) -> int:
        return self.word * self._digits
