# SPDX-License-Identifier: Apache-2.0
"""``fmlm``: McLaughlin's multiplication by number-theoretic weighted transforms."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache

from montforge.arch.base import WIDTH, Architecture, Parameter, Parameters, Values
from montforge.arch.citations import DAI_2018
from montforge.arch.forms import NATIVE, WRITER_FILES, Form, Harness, ports
from montforge.arch.mclaughlin import coprime_rule, mclaughlin_corners
from montforge.contract import Bound, Contract, Cycles, Encoding, Field, Port
from montforge.errors import ParameterError
from montforge.fft.parameters import (
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
from montforge.fft.program import (
    COMMON,
    GENERAL,
    SQUARING,
    Schedule,
    Timing,
    default_levels,
    schedule,
)
from montforge.fft.transform import Fmlm as Model
from montforge.functions import (
    CommonProduct,
    MontgomeryProduct,
    MontgomerySquare,
    montgomery_contract,
)

SWAPPED_ADVICE = (
    "moduli=swapped takes most moduli that moduli=standard refuses; a factor of an RSA modulus"
    " that is found this way breaks the key."
)

TOPS = {
    GENERAL: "mf_fmlm_par",
    SQUARING: "mf_fmlm_squaring_par",
    COMMON: "mf_fmlm_common_par",
}
"""The parallel form's top for each form, in the order of the RTL's numbers."""

FUNCTIONS = {
    GENERAL: MontgomeryProduct(),
    SQUARING: MontgomerySquare(),
    COMMON: CommonProduct(),
}

SET_PARAMETERS = (
    Parameter(
        "s",
        "digits, the length of the transforms, a power of two from 16 on; 0: the fewest of which"
        " none has more than s bits",
        0,
        minimum=0,
        maximum=512,
    ),
    Parameter("u", "bits of a digit; 0: the fewest", 0, minimum=0, maximum=253),
    Parameter(
        "ring",
        "bits N of the ring q = 2^N + 1, N = c s with c an integer or a half-integer; 0: the"
        " fewest",
        0,
        minimum=0,
        maximum=512,
    ),
    Parameter("all_at_once", "m from the product of three spectra", 0, numbers=(0, 1)),
    Parameter(
        "reduction",
        "canonical: m below r; relaxed: m may exceed r, without two long additions",
        CANONICAL,
        choices=(CANONICAL, RELAXED),
    ),
    Parameter(
        "moduli",
        "standard: r = 2^l - 1, h = 2^l + 1; swapped: exchanged, for moduli that share a factor"
        " with 2^l - 1",
        STANDARD,
        choices=(STANDARD, SWAPPED),
    ),
    Parameter(
        "threshold",
        "which coefficients are negative: published (above their largest positive value), single"
        " (above q / 2)",
        PUBLISHED,
        choices=(PUBLISHED, SINGLE),
    ),
    Parameter(
        "variant",
        "published: the paper's micro-program; fast: products and passes begin while the transform"
        " that they read is being written, inverse transforms while the product is, the spectrum"
        " of y for h is made beside two products in a row, and stages take their rows in an order"
        " in which the next one need not wait",
        PUBLISHED,
        choices=(PUBLISHED, FAST),
    ),
    Parameter(
        "fused",
        "four butterflies in place of two, which do two stages of a transform at once; s must be"
        " 16, 64 or 256",
        0,
        numbers=(0, 1),
    ),
    Parameter(
        "digits",
        "those of the operands and of n': unsigned, or balanced, from -b/2 to b/2, for which"
        " all_at_once=1 needs two bits less of the ring; with variant=fast, threshold=single and"
        " reduction=canonical",
        UNSIGNED,
        choices=(UNSIGNED, BALANCED),
    ),
    Parameter(
        "levels",
        "Karatsuba levels of the ring multiplier; 0: down to blocks of at most 18 bits",
        0,
        minimum=0,
        maximum=5,
    ),
)
"""The parameters of every core with transforms, beside the width."""

RTL_FILES = (
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
    "fft/mf_fft_element.sv",
    "fft/mf_fft_engine.sv",
)
"""What every core with transforms is made of, in compile order."""

LOADER_FILE = "fft/mf_fft_loader.sv"
"""The first of the files that a parallel form has beside those of the native one."""

MEMORIES = ("mf_ram",)
"""The modules that are its memories."""


def parameter_set(parameters: Parameters) -> ParameterSet:
    """Return the set that ``parameters`` choose, with what they leave open; it may be illegal."""
    width = parameters.integer("width")
    s = parameters.integer("s") or balanced_s(width)
    chosen = ParameterSet(
        width,
        parameters.integer("u") or smallest_u(width + _room(parameters), s),
        s,
        s // 2,
        bool(parameters["all_at_once"]),
        str(parameters["reduction"]),
        str(parameters["moduli"]),
        str(parameters["threshold"]),
        str(parameters["variant"]),
        4 if parameters["fused"] else 2,
        str(parameters["digits"]),
    )
    ring = parameters.integer("ring")
    return replace(chosen, ring_bits=ring) if ring else smallest_c(chosen)


def check_set(parameters: Parameters) -> None:
    """Raise ParameterError with the conditions that the chosen set breaks."""
    chosen = parameter_set(parameters)
    found = chosen.violations()
    if found:
        s = max(MINIMUM_DIGITS, 1 << (chosen.s - 1).bit_length())
        best = smallest_c(replace(chosen, s=s, u=smallest_u(chosen.width + _room(parameters), s)))
        near = f"legal with s = {s}: u = {best.u}, c = {best.c}; " * (not best.violations())
        raise ParameterError(
            f"u = {chosen.u}, s = {chosen.s}, c = {chosen.c} is not a legal parameter set for"
            f" {chosen.width} bits: {'; '.join(found)} ({near}see"
            f" `montforge parameters fmlm --width {chosen.width}`)."
        )


def levels_of(parameters: Parameters) -> int:
    """Return the Karatsuba levels."""
    return parameters.integer("levels") or default_levels(parameter_set(parameters).ring_bits)


def packed(words: list[int], chosen: ParameterSet) -> int:
    """Return ring words side by side, the first one lowest."""
    return sum(word << k * (chosen.ring_bits + 1) for k, word in enumerate(words))


@lru_cache(maxsize=32)
def model(chosen: ParameterSet, n: int) -> Model:
    """Return the functional model under a modulus."""
    return Model(chosen, n)


def element_parameters(parameters: Parameters) -> dict[str, int]:
    """Return the parameters that every core with transforms takes."""
    chosen = parameter_set(parameters)
    return {
        "Digits": chosen.s,
        "DigitW": chosen.u,
        "Bits": chosen.ring_bits,
        "Segment": chosen.segment,
        "Levels": levels_of(parameters),
        "AllAtOnce": int(chosen.all_at_once),
        "Relaxed": int(chosen.reduction == RELAXED),
        "Single": int(chosen.threshold == SINGLE),
        "Swapped": int(chosen.moduli == SWAPPED),
        "Fast": int(chosen.variant == FAST),
        "Fused": int(chosen.butterflies == 4),
        "Balanced": int(chosen.balanced),
    }


def memory_ports(
    parameters: Parameters, constants: int, names: tuple[str, str], meanings: tuple[str, str]
) -> tuple[Port, ...]:
    """Return the ports by which a core with transforms is given its operands.

    These are rows of four digits of two numbers, and as many ring words of constants.
    """
    chosen = parameter_set(parameters)
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


HARNESS_FILES = (*WRITER_FILES, "harness/mf_fmlm_harness.sv")


def harness_parameters(given: Mapping[str, int]) -> dict[str, int]:
    """Return those of the parallel parameters that decide the ports of a harness."""
    return {name: given[name] for name in ("Width", "Digits", "DigitW", "Bits", "Segment")}


def harness_cycles(chosen: ParameterSet, spectra: int) -> int:
    """Return the cycles in which a harness writes the digits and that many spectra."""
    return 2 * spectra * chosen.s + 7


def engine_memory_bits(
    chosen: ParameterSet, *, elements: int, constants: int, operands: int, contexts: int = 1
) -> int:
    """Return the bits of all memories: spectra of constants, and those of each element.

    These are the stages' two halves, and for each context S0, S1, S2, Time, the digits of the
    operands, which have a bit more if they are balanced or redundant, and of m.
    """
    spectrum = chosen.s * (chosen.ring_bits + 1)
    operand = chosen.s * (chosen.u + (chosen.digits != UNSIGNED))
    context = 4 * spectrum + operands * operand + chosen.s * (chosen.u + 1)
    return constants * spectrum + elements * (2 * spectrum + contexts * context)


def utilisation(chosen: ParameterSet, levels: int, found: Schedule) -> dict[str, float]:
    """Return the cycles of a program, and which part of them the units of an element work."""
    timing = Timing(chosen, levels)
    rows = len(found.transforms) * (chosen.v * 2 // chosen.butterflies) * chosen.s // 4
    return {
        "core cycles": found.cycles,
        "butterflies busy": rows / found.cycles,
        "FFT operator taken": len(found.transforms) * timing.occupancy / found.cycles,
        "ring multiplier busy": len(found.products) * chosen.s / found.cycles,
    }


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


class Fmlm(Architecture):
    """One processing element: FFT operator, ring multiplier, adder."""

    name = "fmlm"
    title = "FFT-based McLaughlin multiplier (Dai 2018)"
    family = "fft"
    citation = DAI_2018.at("Algorithm 4, Section 6, Table 6")
    parameters = (
        WIDTH,
        Parameter(
            "form",
            "general: a b; squaring: a^2; common: a b with b as transforms of b n' mod r (with"
            " all_at_once the product of those of b and n') and of b, made by software",
            GENERAL,
            choices=(GENERAL, SQUARING, COMMON),
        ),
        *SET_PARAMETERS,
    )
    rtl_top = "mf_fmlm_par"
    rtl_files = (
        *RTL_FILES,
        "fft/mf_fmlm.sv",
        LOADER_FILE,
        "fft/mf_fmlm_loader.sv",
        *(f"fft/{top}.sv" for top in TOPS.values()),
    )
    memories = MEMORIES
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

    def check(self, parameters: Parameters) -> None:
        """Raise ParameterError with the violated conditions E1 to E10."""
        check_set(parameters)

    def top(self, parameters: Parameters) -> str:
        """Return the top of the form."""
        return TOPS[str(parameters["form"])]

    def files(self, parameters: Parameters) -> tuple[str, ...]:
        """Return the files without the tops of the other forms."""
        others = {f"fft/{top}.sv" for top in TOPS.values() if top != self.top(parameters)}
        return tuple(name for name in self.rtl_files if name not in others)

    def contract(self, parameters: Parameters) -> Contract:
        """Return the contract: operands and result below 2n, transforms of n', n, and b."""
        chosen, form = parameter_set(parameters), parameters["form"]
        latency = chosen.s // 4 + self.schedule(parameters).cycles
        operand = (Encoding("binary", chosen.width + 1), Bound(2))
        swapped = chosen.moduli == SWAPPED
        sign = "+" if swapped else "-"
        names = ("nega-cyclic", "cyclic") if swapped else ("cyclic", "nega-cyclic")
        word = chosen.ring_bits + 1
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
            architecture=self.name,
            parameters=parameters.flat(),
            r=chosen.r,
            modulus=coprime_rule(
                chosen.width, chosen.r, f"2^{chosen.l} {sign} 1", "" if swapped else SWAPPED_ADVICE
            ),
            operand=operand,
            result=operand,
            constants=tuple(
                Field.constant(name, word, text, words=chosen.s) for name, text in spectra
            ),
            takes_modulus=False,
            function=FUNCTIONS[str(form)],
            carried=("b",) if form == COMMON else (),
            latency=Cycles.fixed(latency),
            handover=0,
            interval=Cycles.fixed(latency + 2),
            notes=(
                f"u = {chosen.u}, s = {chosen.s}, c = {chosen.c}: q = 2^{chosen.ring_bits} + 1;"
                f" {latency - chosen.s // 4} cycles without the loading of operands.",
            ),
        )

    def constants(self, parameters: Parameters, n: int) -> dict[str, int]:
        """Return the transforms of n' and of n."""
        chosen = parameter_set(parameters)
        found = model(chosen, n)
        spectra = {"n_spectrum": packed(found.spectrum_n, chosen)}
        if parameters["form"] != COMMON:
            spectra["n_prime_spectrum"] = packed(found.spectrum_n_prime, chosen)
        return spectra

    def carried_constants(
        self, parameters: Parameters, operation: Mapping[str, int]
    ) -> dict[str, int]:
        """Return the transforms that carry the common multiplicand."""
        if parameters["form"] != COMMON:
            return {}
        chosen = parameter_set(parameters)
        first, second = _multiplicand(chosen, operation["b"], operation["n"])
        return {
            "b_prime_spectrum": packed(first, chosen),
            "b_spectrum": packed(second, chosen),
        }

    def rtl_parameters(self, parameters: Parameters) -> dict[str, int]:
        """Return the top module's parameters."""
        return {
            "Width": parameters.integer("width"),
            "Form": list(TOPS).index(str(parameters["form"])),
            **element_parameters(parameters),
        }

    def forms(self, parameters: Parameters) -> tuple[Form, ...]:
        """Return the parallel form, and the native one, into which digits and words are written."""
        (parallel,) = super().forms(parameters)
        chosen, contract = parameter_set(parameters), self.contract(parameters)
        operands = [
            f"{port.name}" for port in contract.operand_ports if port.name in ("a_i", "b_i")
        ]
        spectra = [f"{field.name}_i" for field in contract.constants_spec]
        connections = {
            "x_i": "a_i" if len(operands) > 1 else "'0",
            "y_i": operands[-1],
            "constants_i": f"{{{', '.join(reversed(spectra))}}}",
            "p_o": "p_o",
        }
        native = Form(
            NATIVE,
            "mf_fmlm",
            parallel.files[: parallel.files.index(LOADER_FILE)],
            {name: value for name, value in parallel.parameters.items() if name != "Width"},
            ports=(
                *memory_ports(parameters, len(spectra), ("x_i", "y_i"), ("x", "y (a, or a and b)")),
                *ports(
                    ("start_i", 1, "starts a multiplication; only while none runs"),
                    ("done_o", 1, "with the last segment of the result"),
                    ("p_valid_o", 1, "p_o is a segment of the result"),
                    ("p_row_o", (chosen.s // 4 - 1).bit_length() + 1, "which one"),
                    ("p_o", chosen.segment * chosen.u, "digits of the result, lowest first"),
                ),
            ),
            harness=Harness(
                "mf_fmlm_harness",
                HARNESS_FILES,
                {**harness_parameters(parallel.parameters), "Spectra": len(spectra)},
                harness_cycles(chosen, len(spectra)),
                connections,
            ),
            later=-(chosen.s // 4),
            counting="from start_i to the last segment",
        )
        return parallel, native

    def golden(self, parameters: Parameters, a: int, n: int, b: int | None = None) -> int:
        """Return (a b + m n) / r, a squaring's b being a; relaxed m are found by transforms."""
        chosen = parameter_set(parameters)
        if chosen.reduction == RELAXED:
            found = model(chosen, n)
            if b is None:
                return found.squaring(a)
            if parameters["form"] == COMMON:
                return found.common(a, *_multiplicand(chosen, b, n))
            return found.general(a, b)
        product = a * (a if b is None else b)
        m = product * (-pow(n, -1, chosen.r) % chosen.r) % chosen.r
        return (product + m * n) // chosen.r

    def cycles(self, parameters: Parameters, a: int, n: int, b: int | None = None) -> int:
        """Return the scheduler's count, whatever the operands."""
        return parameter_set(parameters).s // 4 + self.schedule(parameters).cycles

    def memory_bits(self, parameters: Parameters) -> int:
        """Return the bits of constants, spectra and digits."""
        form = parameters["form"]
        return engine_memory_bits(
            parameter_set(parameters),
            elements=1,
            constants=3 if form == COMMON else 2,
            operands=2 if form == GENERAL else 1,
        )

    def core_cycles(self, parameters: Parameters) -> int:
        """Return the cycles without the loading of operands, which the paper does not count."""
        return self.schedule(parameters).cycles

    def figures(self, parameters: Parameters) -> dict[str, float]:
        """Return the utilisation of the units, and the ring multiplier's blocks."""
        levels = levels_of(parameters)
        return {
            **utilisation(parameter_set(parameters), levels, self.schedule(parameters)),
            "blocks of the ring multiplier": 3**levels,
            "memory bits": self.memory_bits(parameters),
        }

    def corners(self, parameters: Parameters) -> Iterator[Values]:
        """Yield the corners of the specification's section 4."""
        found = set_corners(self.contract(parameters), parameter_set(parameters))
        if parameters["form"] == SQUARING:
            return iter(dict.fromkeys((value, n) for a, b, n in found for value in (a, b)))
        return found

    def schedule(self, parameters: Parameters) -> Schedule:
        """Return when each step of the micro-program runs."""
        form = str(parameters["form"])
        return schedule(parameter_set(parameters), levels_of(parameters), form)


def _multiplicand(chosen: ParameterSet, b: int, n: int) -> tuple[list[int], list[int]]:
    """Return the spectra of a common multiplicand."""
    return model(chosen, n).common_multiplicand(b, at_once=chosen.all_at_once)


def _room(parameters: Parameters) -> int:
    """Return how many bits r has beyond the two of r > 4n: m may exceed r, or digits have signs."""
    return int(parameters["reduction"] == RELAXED or parameters["digits"] == BALANCED)
