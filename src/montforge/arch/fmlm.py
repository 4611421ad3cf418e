# SPDX-License-Identifier: Apache-2.0
"""``fmlm``: McLaughlin's multiplication by number-theoretic weighted transforms."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import ClassVar

from montforge.arch.base import Core, Values
from montforge.arch.citations import DAI_2018
from montforge.arch.mclaughlin import coprime_rule, mclaughlin_corners
from montforge.arch.multiplier import montgomery_contract, reduction
from montforge.arch.parameter import choice, integer, number
from montforge.contract import Bound, Contract, Cycles, Encoding, Field, ModulusRule, Port
from montforge.errors import ParameterError
from montforge.functions import CommonProduct, MontgomeryProduct, MontgomerySquare
from montforge.hardware.forms import NATIVE, WRITER_FILES, Form, Harness, ports
from montforge.programs.fft.parameters import (
    BALANCED,
    CANONICAL,
    FAST,
    MINIMUM_DIGITS,
    PUBLISHED,
    RELAXED,
    SINGLE,
    STANDARD,
    SWAPPED,
    UNSIGNED,
    ParameterSet,
    balanced_s,
    smallest_c,
    smallest_u,
)
from montforge.programs.fft.program import (
    COMMON,
    GENERAL,
    SQUARING,
    Schedule,
    Timing,
    default_levels,
    schedule,
)
from montforge.programs.fft.transform import Fmlm as Model

SWAPPED_ADVICE = (
    "moduli=swapped takes most moduli that moduli=standard refuses; a factor of an RSA modulus"
    " that is found this way breaks the key."
)

TOPS = {GENERAL: "mf_fmlm_par", SQUARING: "mf_fmlm_squaring_par", COMMON: "mf_fmlm_common_par"}
"""The parallel form's top for each form, in the order of the RTL's numbers."""

FUNCTIONS = {GENERAL: MontgomeryProduct(), SQUARING: MontgomerySquare(), COMMON: CommonProduct()}

DIGITS = (UNSIGNED, BALANCED)
DIGITS_MEANING = (
    "those of the operands and of n': unsigned, or balanced, from -b/2 to b/2, for which"
    " all_at_once=1 needs two bits less of the ring; with variant=fast, threshold=single and"
    " reduction=canonical"
)

LOADER_FILE = "fft/mf_fft_loader.sv"
"""The first of the files that a parallel form has beside those of the native one."""


@lru_cache(maxsize=32)
def _model(chosen: ParameterSet, n: int) -> Model:
    return Model(chosen, n)


def set_corners(contract: Contract, chosen: ParameterSet) -> Iterator[Values]:
    """Yield the corners of transforms: sums of ones in all digits, ring values 2^N, even moduli.

    Of balanced digits those of the largest size, too.
    """
    top = 1 << chosen.width
    ones = sum(1 << chosen.u * k for k in range(chosen.width // chosen.u))
    moduli = [
        top - 1,
        top - 2,
        top - 3,
        (top >> 1) + 2,
        (top >> 1) - 1,
        top // 3,
        top // 5,
        ones,
        2,
    ]
    legal = sorted({n for n in moduli if contract.modulus.is_legal(n)})
    yield from mclaughlin_corners(contract, iter(legal))
    for n in legal[-3:]:
        values = [top - 1, ones, ones * (chosen.b - 1), top >> 1, chosen.b - 1, chosen.b]
        if chosen.balanced:  # digits b / 2 and -b / 2
            values += [ones << chosen.u - 1, (ones << chosen.u - 1) + 1]
        for value in values:
            for other in (value, 1, n):
                if max(value, other) < 2 * n:
                    yield value, other, n


@dataclass(frozen=True)
class TransformCore(Core):
    """A core with transforms: its parameter set, and the parts that follow from it."""

    family = "fft"
    memory_modules = ("mf_ram",)
    blocks: ClassVar[tuple[str, ...]] = (
        "prim/mf_delay_line.sv",
        "prim/mf_ram.sv",
        "full/mf_karatsuba_multiplier.sv",
        "fft/mf_fft_pkg.sv",
        "fft/mf_fft_memory.sv",
        "fft/mf_fft_balancer.sv",
        "fft/mf_ring_shift.sv",
        "fft/mf_ring_sqrt2.sv",
        "fft/mf_ring_multiplier.sv",
        "fft/mf_fft_butterfly.sv",
        "fft/mf_fft_sequencer.sv",
        "fft/mf_fft_adder.sv",
        "fft/mf_fft_subtractor.sv",
        "fft/mf_fft_direct.sv",
        "fft/mf_fft_control.sv",
        "fft/mf_fft_operands.sv",
        "fft/mf_fft_element.sv",
        "fft/mf_fft_engine.sv",
    )
    """Files of every core with transforms, in compile order."""

    s: int = integer(
        "digits, the length of the transforms, a power of two from 16 on; 0: the fewest of which"
        " none has more than s bits",
        0,
        minimum=0,
        maximum=512,
    )
    u: int = integer("bits of a digit; 0: the fewest", 0, minimum=0, maximum=253)
    ring: int = integer(
        "bits N of the ring q = 2^N + 1, N = c s with c an integer or a half-integer; 0: the"
        " fewest",
        0,
        minimum=0,
        maximum=512,
    )
    all_at_once: int = number("m from the product of three spectra", 0, (0, 1))
    reduction: str = choice(
        "canonical: m below r; relaxed: m may exceed r, without two long additions",
        CANONICAL,
        (CANONICAL, RELAXED),
    )
    moduli: str = choice(
        "standard: r = 2^l - 1, h = 2^l + 1; swapped: exchanged, for moduli that share a factor"
        " with 2^l - 1",
        STANDARD,
        (STANDARD, SWAPPED),
    )
    threshold: str = choice(
        "which coefficients are negative: published (above their largest positive value), single"
        " (above q / 2)",
        PUBLISHED,
        (PUBLISHED, SINGLE),
    )
    variant: str = choice(
        "published: the paper's micro-program; fast: products and passes begin while the transform"
        " that they read is being written, inverse transforms while the product is, the spectrum"
        " of y for h is made beside two products in a row, and stages take their rows in an order"
        " in which the next one need not wait",
        PUBLISHED,
        (PUBLISHED, FAST),
    )
    fused: int = number(
        "four butterflies in place of two, which do two stages of a transform at once; s must be"
        " 16, 64 or 256",
        0,
        (0, 1),
    )
    digits: str = choice(DIGITS_MEANING, UNSIGNED, DIGITS)
    levels: int = integer(
        "Karatsuba levels of the ring multiplier; 0: down to blocks of at most 18 bits",
        0,
        minimum=0,
        maximum=5,
    )

    @cached_property
    def parameter_set(self) -> ParameterSet:
        """The set that the parameters choose, completed; it may be illegal."""
        s = self.s or balanced_s(self.width)
        chosen = ParameterSet(
            self.width,
            self.u or smallest_u(self.width + self._room, s),
            s,
            s // 2,
            bool(self.all_at_once),
            self.reduction,
            self.moduli,
            self.threshold,
            self.variant,
            4 if self.fused else 2,
            self.digits,
        )
        return replace(chosen, ring_bits=self.ring) if self.ring else smallest_c(chosen)

    def check(self) -> None:
        """Raise ParameterError with the conditions, of E1 to E10, that the set breaks."""
        chosen = self.parameter_set
        found = chosen.violations()
        if found:
            s = max(MINIMUM_DIGITS, 1 << (chosen.s - 1).bit_length())
            best = smallest_c(replace(chosen, s=s, u=smallest_u(chosen.width + self._room, s)))
            near = f"legal with s = {s}: u = {best.u}, c = {best.c}; " * (not best.violations())
            raise ParameterError(
                f"u = {chosen.u}, s = {chosen.s}, c = {chosen.c} is not a legal parameter set for"
                f" {chosen.width} bits: {'; '.join(found)} ({near}see"
                f" `montforge parameters fmlm --width {chosen.width}`)."
            )

    @property
    def karatsuba_levels(self) -> int:
        """The Karatsuba levels."""
        return self.levels or default_levels(self.parameter_set.ring_bits)

    @property
    def element_parameters(self) -> dict[str, int]:
        """The parameters that every core with transforms takes."""
        chosen = self.parameter_set
        return {
            "Digits": chosen.s,
            "DigitW": chosen.u,
            "Bits": chosen.ring_bits,
            "Segment": chosen.segment,
            "Levels": self.karatsuba_levels,
            "AllAtOnce": int(chosen.all_at_once),
            "Relaxed": int(chosen.reduction == RELAXED),
            "Single": int(chosen.threshold == SINGLE),
            "Swapped": int(chosen.moduli == SWAPPED),
            "Fast": int(chosen.variant == FAST),
            "Fused": int(chosen.butterflies == 4),
            "Balanced": int(chosen.balanced),
        }

    @property
    def modulus_rule(self) -> ModulusRule:
        """The rule of r, with advice for the moduli that swapped ones take."""
        chosen = self.parameter_set
        swapped = chosen.moduli == SWAPPED
        text = f"2^{chosen.l} {'+' if swapped else '-'} 1"
        return coprime_rule(chosen.width, chosen.r, text, "" if swapped else SWAPPED_ADVICE)

    @property
    def transform_names(self) -> tuple[str, str]:
        """The transforms for r and for h."""
        names = ("cyclic", "nega-cyclic")
        return names if self.moduli == STANDARD else (names[1], names[0])

    def spectrum_fields(self, *rows: tuple[str, str]) -> tuple[Field, ...]:
        """Return the constant fields of spectra, from the name and the meaning of each."""
        chosen = self.parameter_set
        return tuple(
            Field.constant(name, chosen.ring_bits + 1, text, words=chosen.s) for name, text in rows
        )

    def result_ports(self, name: str, operation: str) -> tuple[Port, ...]:
        """Return the ports that start an ``operation`` and give the segments of its result."""
        chosen = self.parameter_set
        return ports(
            ("start_i", 1, f"starts a {operation}; only while none runs"),
            ("done_o", 1, "with the last segment of the result"),
            (f"{name}_valid_o", 1, f"{name}_o is a segment of the result"),
            (f"{name}_row_o", (chosen.s // 4 - 1).bit_length() + 1, "which one"),
            (f"{name}_o", chosen.segment * chosen.u, "digits of the result, lowest first"),
        )

    def memory_ports(
        self, constants: int, names: tuple[str, str], meanings: tuple[str, str]
    ) -> tuple[Port, ...]:
        """Return the ports by which a core with transforms is given its operands.

        These are rows of four digits of two numbers, and as many ring words of constants.
        """
        chosen = self.parameter_set
        rows = chosen.s // 4
        return ports(
            ("digits_valid_i", 1, "four digits of each operand are written"),
            ("digits_row_i", (rows - 1).bit_length(), "digits 4 row to 4 row + 3"),
            *(
                (name, 4 * chosen.u, f"digits of {meaning}, lowest first")
                for name, meaning in zip(names, meanings, strict=True)
            ),
            ("constant_valid_i", 1, "a ring word of the constants is written"),
            ("constant_index_i", (constants * chosen.s - 1).bit_length(), "which one"),
            ("constant_i", chosen.ring_bits + 1, "the constants in order, each of s words"),
        )

    def native_form(
        self,
        top: str,
        own_ports: tuple[Port, ...],
        spectra: int,
        later: int,
        facing: Mapping[str, int],
        *,
        files: tuple[str, ...] = (),
        connections: Mapping[str, str] = MappingProxyType({}),
    ) -> Form:
        """Return the native form, into which digits and ``spectra`` spectra are written.

        Its harness takes the parameters ``facing``, too, and has ``files`` beside the common ones.
        """
        parallel = self.parallel_form
        given = parallel.parameters
        widths = {name: given[name] for name in ("Width", "Digits", "DigitW", "Bits", "Segment")}
        return Form(
            NATIVE,
            top,
            parallel.files[: parallel.files.index(LOADER_FILE)],
            {name: value for name, value in given.items() if name != "Width"},
            ports=own_ports,
            harness=Harness(
                f"{top}_harness",
                (*WRITER_FILES, "harness/mf_fmlm_harness.sv", *files),
                {**widths, **facing},
                2 * spectra * self.parameter_set.s + 7,
                connections,
            ),
            later=later,
            counting="from start_i to the last segment",
        )

    def model(self, n: int) -> Model:
        """Return the functional model under a modulus."""
        return _model(self.parameter_set, n)

    def packed(self, **spectra: list[int]) -> dict[str, int]:
        """Return the ring words of each field side by side, the first one lowest."""
        bits = self.parameter_set.ring_bits + 1
        return {
            name: sum(word << k * bits for k, word in enumerate(words))
            for name, words in spectra.items()
        }

    def bits_of_memories(
        self, *, elements: int, constants: int, operands: int, contexts: int = 1
    ) -> int:
        """Return the bits of all memories: spectra of constants, and those of each element.

        These are the stages' two halves, and for each context S0, S1, S2, Time, the digits of the
        operands, which have a bit more if they are balanced or redundant, and of m.
        """
        chosen = self.parameter_set
        spectrum = chosen.s * (chosen.ring_bits + 1)
        operand = chosen.s * (chosen.u + (chosen.digits != UNSIGNED))
        context = 4 * spectrum + operands * operand + chosen.s * (chosen.u + 1)
        return constants * spectrum + elements * (2 * spectrum + contexts * context)

    def utilisation(self, found: Schedule) -> dict[str, float]:
        """Return the cycles of a program, and the share in which each unit of an element works."""
        chosen, cycles = self.parameter_set, found.cycles
        timing = Timing(chosen, self.karatsuba_levels)
        rows = len(found.transforms) * (chosen.v * 2 // chosen.butterflies) * chosen.s // 4
        return {
            "core cycles": cycles,
            "butterflies busy": rows / cycles,
            "FFT operator taken": len(found.transforms) * timing.occupancy / cycles,
            "ring multiplier busy": len(found.products) * chosen.s / cycles,
        }

    @property
    def _room(self) -> int:
        """The bits of r beyond the two of r > 4n: m may exceed r, or digits have signs."""
        return int(self.reduction == RELAXED or self.digits == BALANCED)


@dataclass(frozen=True)
class Fmlm(TransformCore):
    """One processing element: FFT operator, ring multiplier, adder."""

    name = "fmlm"
    title = "FFT-based McLaughlin multiplier (Dai 2018)"
    citation = DAI_2018.at("Algorithm 4, Section 6, Table 6")
    kind: str = choice(
        "general: a b; squaring: a^2; common: a b with b as transforms of b n' mod r (with"
        " all_at_once the product of those of b and n') and of b, made by software",
        GENERAL,
        (GENERAL, SQUARING, COMMON),
        name="form",
    )
    library = (
        *TransformCore.blocks,
        "fft/mf_fmlm.sv",
        LOADER_FILE,
        "fft/mf_fmlm_loader.sv",
        *(f"fft/{top}.sv" for top in TOPS.values()),
    )
    formulas = (
        ("R", "r = 2^l - 1 (standard) or 2^l + 1 (swapped), l = u s"),
        ("ring", "q = 2^N + 1, N = c s"),
        (
            "stage P",
            "max(s/4, s/8 + d) cycles; d = 11, 13 with a half-integer c (four butterflies: s/4,"
            " 3s/16 + d for two stages; d = 19, 21); fast: d = 8, 10 (13, 15), and less where rows"
            " in rotated order are there earlier",
        ),
        ("transform", "F = O + d, O = (v - 1) P + s/4, s = 2^v (fast: the sum of all P)"),
        ("multiplier", "latency 5 + levels, 5 + 2 levels from three levels on"),
        (
            "core cycles",
            "5O + 2F + s + multiplier + 2 s/segment + 12 for general all_at_once (standard, integer"
            " c, no unit waits otherwise); else from the schedule",
        ),
        ("latency", "core cycles + s/4 (operands are loaded)"),
        ("interval", "latency + 2 cycles"),
    )
    errata = (
        "Bit-reversed input and the factors of the inverse transforms, of which the paper says"
        " nothing, are in the memories' map and in the adder's lanes.",
        "B_u (eq. 34) is counted up, not kept in a memory.",
        "Zero operands are legal (eq. 33), and even moduli.",
        "The bound of an accumulation's carry is a bit below the paper's; all at once has"
        " 2u + 2v bits.",
        "c may be a half-integer (c = 3/2, 5/2, ...), which makes q smaller.",
        "relaxed: results stay below 2n; the 3n and the final subtraction of Section 8 are not"
        " needed.",
    )

    @property
    def files(self) -> tuple[str, ...]:
        """The files without the tops of the other forms."""
        others = {f"fft/{top}.sv" for kind, top in TOPS.items() if kind != self.kind}
        return tuple(name for name in self.library if name not in others)

    @cached_property
    def parallel_contract(self) -> Contract:
        """The contract: operands and result below 2n, transforms of n', n, and b."""
        chosen, form = self.parameter_set, self.kind
        latency = chosen.s // 4 + self.schedule.cycles
        names = self.transform_names
        n_spectrum = ("n_spectrum", f"{names[1]} transform of n")
        if form == COMMON:
            first = (
                f"{names[0]} transforms of b and of n' = -n^-1 mod r, multiplied"
                if chosen.all_at_once
                else f"{names[0]} transform of b n' mod r, n' = -n^-1 mod r"
            )
            second = f"{names[1]} transform of b"
            spectra = [n_spectrum, ("b_prime_spectrum", first), ("b_spectrum", second)]
        else:
            text = f"{names[0]} transform of n' = -n^-1 mod r"
            spectra = [("n_prime_spectrum", text), n_spectrum]
        return montgomery_contract(
            self,
            r=chosen.r,
            modulus=self.modulus_rule,
            operand=(Encoding("binary", chosen.width + 1), Bound(2)),
            constants=self.spectrum_fields(*spectra),
            takes_modulus=False,
            function=FUNCTIONS[str(form)],
            latency=Cycles.fixed(latency),
            notes=(
                f"u = {chosen.u}, s = {chosen.s}, c = {chosen.c}: q = 2^{chosen.ring_bits} + 1;"
                f" {latency - chosen.s // 4} cycles without the loading of operands.",
            ),
        )

    def modulus_constants(self, n: int) -> dict[str, int]:
        """Return the transforms of n' and of n."""
        found = self.model(n)
        spectra = self.packed(n_spectrum=found.spectrum_n)
        if self.kind != COMMON:
            spectra |= self.packed(n_prime_spectrum=found.spectrum_n_prime)
        return spectra

    def carried_constants(self, operation: Mapping[str, int]) -> dict[str, int]:
        """Return the transforms that carry the common multiplicand."""
        if self.kind != COMMON:
            return {}
        first, second = self._multiplicand(operation["b"], operation["n"])
        return self.packed(b_prime_spectrum=first, b_spectrum=second)

    @property
    def top_parameters(self) -> dict[str, int]:
        """The top module's parameters."""
        return {"Width": self.width, "Form": list(TOPS).index(self.kind), **self.element_parameters}

    @property
    def own_forms(self) -> tuple[Form, ...]:
        """The parallel form, and the native one, into which digits and words are written."""
        contract = self.parallel_contract
        operands = [port.name for port in contract.operand_ports if port.name in ("a_i", "b_i")]
        spectra = [f"{field.name}_i" for field in contract.constants_spec]
        native = self.native_form(
            "mf_fmlm",
            (
                *self.memory_ports(len(spectra), ("x_i", "y_i"), ("x", "y (a, or a and b)")),
                *self.result_ports("p", "multiplication"),
            ),
            len(spectra),
            -(self.parameter_set.s // 4),
            {"Spectra": len(spectra)},
            connections={
                "x_i": "a_i" if len(operands) > 1 else "'0",
                "y_i": operands[-1],
                "constants_i": f"{{{', '.join(reversed(spectra))}}}",
                "p_o": "p_o",
            },
        )
        return self.parallel_form, native

    def golden_model(self, a: int, n: int, b: int | None = None) -> int:
        """Return (a b + m n) / r, a squaring's b being a; relaxed m are found by transforms."""
        chosen = self.parameter_set
        if chosen.reduction == RELAXED:
            found = self.model(n)
            if b is None:
                return found.squaring(a)
            if self.kind == COMMON:
                return found.common(a, *self._multiplicand(b, n))
            return found.general(a, b)
        return reduction(a * (a if b is None else b), n, chosen.r)

    @property
    def core_memory_bits(self) -> int:
        """The bits of constants, spectra and digits."""
        return self.bits_of_memories(
            elements=1,
            constants=3 if self.kind == COMMON else 2,
            operands=2 if self.kind == GENERAL else 1,
        )

    @property
    def core_cycles(self) -> int:
        """The cycles without the loading of operands, which the paper does not count."""
        return self.schedule.cycles

    @property
    def figures(self) -> dict[str, float]:
        """The utilisation of the units, and the ring multiplier's blocks."""
        return {
            **self.utilisation(self.schedule),
            "blocks of the ring multiplier": 3**self.karatsuba_levels,
            "memory bits": self.core_memory_bits,
        }

    def corner_values(self) -> Iterator[Values]:
        """Yield the corners of the transforms' parameter set."""
        found = set_corners(self.parallel_contract, self.parameter_set)
        if self.kind == SQUARING:
            return iter(dict.fromkeys((value, n) for a, b, n in found for value in (a, b)))
        return found

    @property
    def schedule(self) -> Schedule:
        """When each step of the micro-program runs."""
        return schedule(self.parameter_set, self.karatsuba_levels, self.kind)

    def _multiplicand(self, b: int, n: int) -> tuple[list[int], list[int]]:
        """Return the spectra of a common multiplicand."""
        return self.model(n).common_multiplicand(b, at_once=self.parameter_set.all_at_once)
