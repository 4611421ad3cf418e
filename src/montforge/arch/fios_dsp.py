# SPDX-License-Identifier: Apache-2.0
"""``fios_dsp``: the systolic FIOS multiplier on DSP blocks (finely integrated operand scanning)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from montforge.arch.base import Citation, Values
from montforge.arch.checked import Checked
from montforge.arch.corners import legal, pairs
from montforge.arch.multiplier import montgomery_contract, reduction, unit_multiple
from montforge.arch.parameter import choice, integer
from montforge.contract import Bound, Contract, Cycles, Derivation, Encoding, Field, ModulusRule
from montforge.errors import ParameterError
from montforge.hardware.check import Tap
from montforge.hardware.forms import FIFO_FILES, NATIVE, Form, Harness, ports
from montforge.programs.fios.array import Array, fewest_elements
from montforge.programs.fios.microprogram import FAST, PUBLISHED, UNIT, VARIANTS, Element

FOLDED, EXPANDED = "folded", "expanded"
GENERIC, DSP48E2, ECP5 = "generic", "dsp48e2", "ecp5"
BLOCKS = (GENERIC, DSP48E2, ECP5)
PARALLEL_WORDS = 4
"""The fewest words of the parallel form, where the program (fast, pipeline 1) needs two."""
LOAD_CYCLES = 3
"""Cycles from acceptance to the first issue: operand registers, sequencer, stream of steps."""

FIOS_DSP_PAPER = Citation(
    authors="Anonymous",
    title="Scalable DSP optimized Montgomery Multiplier",
    venue="manuscript with public sources, github.com/anonymHost2023/Scalable-DSP-opt-FIOS-MM",
    year=2023,
)


WORD_READER = "fios/mf_word_reader.sv"
"""Files around the core of the parallel form alone."""
_DROPPED = """\
  logic wrong_digit;

  mf_fios_dropped #(
    .WordWidth(WordWidth), .Elements(Elements), .Delay(Pipeline)
  ) u_dropped (
    .clk_i, .rst_ni, .digits_i(quotient_valids), .words_i(result), .wrong_o(wrong_digit)
  );
"""
"""Tells, in a core with a check, whether a digit m_i did not make its sum divisible by the word."""


@dataclass(frozen=True)
class FiosDsp(Checked):
    """Words of x go to processing elements, each of them one multiplier-accumulator."""

    name = "fios_dsp"
    title = "DSP systolic FIOS Montgomery multiplier"
    family = "fios"
    citation = FIOS_DSP_PAPER.at("Algorithm 3, Fig. 3 to 5")
    variant: str = choice(
        "published: the paper's program; fast: without its last step, elements work without"
        " pause; unit: the modulus is made -1 modulo the word, without the product for m_i",
        FAST,
        VARIANTS,
    )
    array: str = choice(
        "folded: a ring in which the iterations go round; expanded: an element for each iteration",
        FOLDED,
        (FOLDED, EXPANDED),
    )
    mac: str = choice(
        "multiplier-accumulator: generic (behavioural), dsp48e2 (AMD UltraScale), ecp5 (Lattice"
        " MULT18X18D)",
        GENERIC,
        BLOCKS,
    )
    word_width: int = integer("bits of a word", 17, minimum=16, maximum=23)
    pipeline: int = integer("cycles from operands to result of the mac", 3, minimum=1, maximum=3)
    c_register: int = integer("register for the mac's addend", 1, minimum=0, maximum=1)
    elements: int = integer(
        "processing elements of the ring; 0: as many as it needs to go round without waiting",
        0,
        minimum=0,
        maximum=514,
    )
    library = (
        "prim/mf_delay_line.sv",
        "prim/mf_full_adder_row.sv",
        "fios/mf_fios_pkg.sv",
        "prim/xilinx/DSP48E2.sv",
        "prim/xilinx/mf_dsp48e2.sv",
        "prim/xilinx/mf_mac_dsp48e2.sv",
        "prim/lattice/MULT18X18D.sv",
        "prim/lattice/mf_word_multiplier_ecp5.sv",
        "prim/lattice/mf_mac_ecp5.sv",
        "fios/mf_mac_generic.sv",
        "fios/mf_mac.sv",
        "fios/mf_fios_element.sv",
        WORD_READER,
        "fios/mf_fios_sequencer.sv",
        "fios/mf_fios_dsp.sv",
        "fios/mf_fios_dsp_par.sv",
    )
    formulas = (
        (
            "words s",
            "ceil((width + 2) / w), unit: ceil((width + w + 2) / w); at least the"
            " program's minimum (5 published, 2 pipeline fast, 4 unit), and at least 4",
        ),
        ("R", "2^(w s)"),
        (
            "slots",
            "2s + 2 published, 2s + 1 fast, 2s (unit, pipeline 1 and 2), 2s + 1 (unit, pipeline 3)",
        ),
        ("context", "slots, and 3 more for published: cycles of an element for an iteration"),
        ("offset D", "5, 6, 8 for pipeline 1, 2, 3; unit: 3, 4, 4; 1 more with the C register"),
        ("elements l", "ceil(context / D) folded, s expanded"),
        (
            "core cycles",
            "(s - 1) D + slots + pipeline; published 11s - 4, fast 11s - 5"
            " (pipeline 3, C register)",
        ),
        (
            "latency",
            "core cycles + 3 (load), and 2 if operations start in different elements in"
            " turn (fast and unit, folded, l does not divide s)",
        ),
        (
            "interval",
            "expanded: context; folded: (s - l) D + context if l divides s or operations"
            " start in turn; at least (s - 1) D + 2",
        ),
        ("fewer elements", "the ring waits: context - l D cycles more in each round"),
    )
    errata = (
        "Algorithm 3, line 12: the loop ends at s - 1, not s - 6.",
        "The multiplier of a DSP48E2 is 27 x 18, not 26 x 18, and the first OPMODE of Table I is"
        " 000100000.",
        "Algorithms 1 and 2 end with a subtraction if P > n; it must be P >= n. Neither the paper's"
        " design nor this one subtracts: R > 4n.",
        'Line 4 of Algorithm 3, "P <- m_i", stands for the product P_0 n0\'.',
        "The example of Fig. 1 has operands above n, and its result is not below 2n.",
        "The published count 11s - 4 is from the first issue to the last word, both included; the"
        " authors' sources count one less. The parallel form adds 3 cycles to load.",
        "Short operands get more words than R > 4n asks for, since the program needs five words"
        " (six in the variant fast).",
    )

    def check(self) -> None:
        """Raise ParameterError where variant, mac, array and the numbers do not go together."""
        if self.variant == PUBLISHED and (self.pipeline != 3 or self.c_register != 1):
            raise ParameterError(
                "variant published is the paper's program: pipeline must be 3 and c_register 1"
                " (use variant fast for others)."
            )
        if self.mac == DSP48E2 and self.word_width != 17:
            reason = f"is not legal with mac = {DSP48E2}, which shifts by 17 bits"
            raise self.illegal("word_width", reason, 17)
        if self.mac == ECP5 and self.word_width > 18:
            reason = f"is too wide for mac = {ECP5}; word_width must be 16 to 18"
            raise self.illegal("word_width", reason, 18)
        chosen, words = self.elements, self._words
        if self.array == EXPANDED and chosen not in (0, words):
            reason = f"is out of range; an expanded array has one for each of its {words} words"
            raise self.illegal("elements", reason, f"0 or {words}")
        if chosen > words:
            reason = "is out of range; elements must be at most the number of words"
            raise self.illegal("elements", reason, words)

    @cached_property
    def parallel_contract(self) -> Contract:
        """The contract: operands and result below 2n, or 2n 2^word_width (unit)."""
        width, word_width = self.width, self.word_width
        unit = self.variant == UNIT
        array = self.schedule
        bound = Bound(2 << word_width if unit else 2)
        residue = Encoding("binary", width + 1 + (word_width if unit else 0))
        n0_prime = f"-n^-1 mod 2^{word_width}"
        if unit:
            modulus = Field.constant(
                "n_words",
                width,
                f"(n ({n0_prime}) + 1) / 2^{word_width}",
                Derivation("scaled", word_width),
            )
        else:
            modulus = Field.constant(
                "n_words",
                width + word_width,
                f"n 2^{word_width} + ({n0_prime})",
                Derivation("words", word_width),
            )
        return montgomery_contract(
            self,
            r=1 << (word_width * array.words),
            modulus=ModulusRule(width),
            operand=(residue, bound),
            constants=(modulus,),
            takes_modulus=False,
            latency=Cycles.fixed(self._latency(array)),
            interval=Cycles.fixed(array.interval),
            notes=(
                f"{array.count} processing elements, {array.words} words of {word_width} bits;"
                f" {array.core_cycles} cycles from the first issue to the last word.",
            ),
        )

    @property
    def tap(self) -> Tap:
        """The digit m_i of each iteration, in the cycle in which its element takes it.

        In variant unit m_i is itself the word that is dropped. In others it is wrong if the lowest
        word of the sum with m_i n_0, which is dropped, is not 0.
        """
        unit = self.variant == UNIT
        array = self.schedule
        return Tap(
            ("mf_fios_dsp_par", "mf_fios_dsp"),
            valid="quotient_valid",
            digit="quotient_digit",
            gap=array.slots + array.element.level - array.digit_slot + array.result_cycles,
            p_shift=self.word_width * array.words,
            modulus="n_words",
            n_from=0 if unit else self.word_width,
            n_shift=self.word_width if unit else 0,
            n_add=-1 if unit else 0,
            bits=self.word_width,
            levels=4,
            wrong="" if unit else "wrong_digit",
            watch="" if unit else _DROPPED,
            files=() if unit else ("fios/mf_fios_dropped.sv",),
        )

    @property
    def top_parameters(self) -> dict[str, int]:
        """The top module's parameters."""
        array = self.schedule
        # A result occupies its place from the acceptance of its request until it is taken, at the
        # earliest in the cycle after the latency. Two cycles later another request can be accepted
        # for that place.
        results = 1 if self.residue else -(-(self._latency(array) + 3) // array.interval)
        return {
            "Width": self.width,
            "WordWidth": self.word_width,
            "Words": array.words,
            "Elements": array.count,
            "Expanded": int(array.expanded),
            "Results": results,
            "Variant": VARIANTS.index(array.element.variant),
            "Pipeline": array.element.level,
            "CRegister": array.element.c_register,
            "Block": BLOCKS.index(self.mac),
        }

    @property
    def own_forms(self) -> tuple[Form, ...]:
        """The parallel form, and the native one, which asks for words."""
        if self.residue:
            return super().own_forms
        parallel = self.parallel_form
        word, given = self.word_width, parallel.parameters
        unit = self.variant == UNIT
        stream = "(n u + 1) / 2^w, u = -n^-1 mod 2^w" if unit else "-n^-1 mod 2^w, and those of n"
        native = Form(
            NATIVE,
            "mf_fios_dsp",
            tuple(name for name in parallel.files[:-1] if name != WORD_READER),
            {name: value for name, value in given.items() if name not in ("Width", "Results")},
            ports=ports(
                ("op_room_next_i", 1, "there is room for a result, if accepted in the next cycle"),
                ("op_valid_i", 1, "an operation is asked for"),
                ("op_ready_o", 1, "it is accepted when both are high"),
                ("op_ready_next_o", 1, "op_ready_o in the next cycle"),
                ("x_next_o", 1, "x_word_i is taken"),
                ("x_word_i", word, "words of x (operand a), lowest first"),
                ("y_next_o", 1, "y_word_i is taken"),
                ("y_word_i", word, "words of y (operand b), lowest first"),
                ("n_next_o", 1, "n_word_i is taken"),
                ("n_word_i", word, f"words of {stream}"),
                ("p_valid_o", 1, "p_word_o is a word of the result"),
                ("p_last_o", 1, "it is the last one (variant fast: the last but one)"),
                ("p_word_o", word, "words of the result, lowest first"),
                ("p_top_o", word, "the last word, with p_last_o (variant fast)"),
            ),
            harness=Harness(
                "mf_fios_dsp_harness",
                (*FIFO_FILES, "harness/mf_fios_dsp_harness.sv"),
                {name: given[name] for name in ("Width", "WordWidth", "Words", "Variant")},
                cycles=2 * (given["Words"] + (not unit)) + 7,
            ),
            counting="from acceptance to the last word of the result",
        )
        return parallel, native

    def golden_model(self, a: int, b: int, n: int) -> int:
        """Return ``(a b + m N) / R``, ``m = -a b N^-1 mod R``; N = n, or u n in variant unit."""
        modulus = unit_multiple(n, self.word_width) if self.variant == UNIT else n
        return reduction(a * b, modulus, 1 << self.word_width * self._words)

    def corner_values(self) -> Iterator[Values]:
        """Yield operations with full accumulators, and moduli of extreme n0' and leading words."""
        top, word = 1 << self.width, 1 << self.word_width
        moduli = {
            top - 1,  # largest accumulator
            top - 3,
            (top >> 1) + 1,
            3,
            (top - 1) // word * word + 1,  # n0' = W - 1
            top - word + 1,
            (top - 1) // word * word - 1,  # n0' = 1
            (top >> 1) - 1,
        }
        bound = self.parallel_contract.operand_bound
        for n in legal(self.parallel_contract, moduli):
            limit = bound.upper(n)
            # (n, 1), (1, n) and (n, n) give n itself, the unreduced zero.
            values = {0, 1, n - 1, n, n + 1, limit - 1, limit - 2, word - 1, word, limit >> 1}
            yield from pairs(n, limit, values)

    @property
    def clearing_operations(self) -> int:
        """One more than can be under way: words that no operation takes go round in the array."""
        return super().clearing_operations + 1

    @property
    def core_cycles(self) -> int:
        """The cycles from the first issue to the last word, as the paper counts."""
        return self.schedule.core_cycles

    @property
    def schedule(self) -> Array:
        """The array with its cycle counts."""
        element, words = self._element, self._words
        if self.array == EXPANDED:
            return Array(element, words, words, expanded=True)
        fewest = min(fewest_elements(element, words), words)
        return Array(element, words, self.elements or fewest)

    @staticmethod
    def _latency(array: Array) -> int:
        return array.core_cycles + LOAD_CYCLES + array.result_cycles

    @property
    def _element(self) -> Element:
        return Element(self.variant, self.pipeline, self.c_register)

    @property
    def _words(self) -> int:
        """The number of words: R > 4n (unit: 4n 2^word_width), and at least the minima."""
        bits = self.width + 2
        bits += self.word_width if self.variant == UNIT else 0
        return max(-(-bits // self.word_width), self._element.minimum_words, PARALLEL_WORDS)
