# SPDX-License-Identifier: Apache-2.0
"""``modexp``: modular exponentiation over any closed multiplier of the library."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

from montforge.arch.base import (
    CLOSED_PART,
    MULTIPLIER,
    WIDTH,
    Architecture,
    Citation,
    Design,
    Parameter,
    Parameters,
    ParameterValue,
    Values,
)
from montforge.arch.forms import AXI, NATIVE, WRITER_FILES, Form, Harness, ports
from montforge.arch.parts import constant_bits, pack_constants
from montforge.contract import (
    BitBound,
    Bound,
    Contract,
    Control,
    Cycles,
    Derivation,
    Encoding,
    Field,
    Load,
    ModulusRule,
    Operation,
    Port,
)
from montforge.errors import OperandError, ParameterError
from montforge.functions import Power, power_operands
from montforge.modexp.algorithms import (
    ALGORITHMS,
    F4,
    F4_EXPONENT,
    REGULAR,
    WINDOW,
    WITH_DIGITS,
    WITH_DUMMIES,
    WITH_TWO_MULTIPLIERS,
    Plan,
    Steps,
)

HANDBOOK = Citation(
    authors="A. J. Menezes, P. C. van Oorschot, S. A. Vanstone",
    title="Handbook of Applied Cryptography",
    venue="CRC Press",
    year=1996,
)

DEFAULT_W = 4
F4_BITS = 17
ERROR_BITS = 4
PUBLIC, EXPONENT, FULL = "public", "exponent", "full"
HOST, HARDWARE = "host", "hardware"
AUTO, BLOCK = "auto", "block"
BLOCK_TURN = 11
"""Cycles of a turn from which on no scan of a table that is read in two cycles outlasts its
squarings, w <= 6."""
CONSTANT_KINDS = ("inverse", "scaled", "raised", "words")
"""What mf_modexp_setup derives for a multiplier; 1 to 4 in the RTL."""
SETUP_CONSTANTS = 2
"""So many constants of a multiplier at most."""
_SETUP = ("mf_modexp_setup_pkg", "mf_modexp_setup", "mf_modexp_with_setup")
DUMMIES_NOTE = (
    "Computes products that are dropped: a fault in one leaves the result right and so tells a bit"
    " of the exponent (safe error), also where the result is verified. Not for private keys."
)


class PowerOfF4(Power):
    """y = x^65537 mod n: the exponent of an operation is 65537."""

    formula = "y = x^65537 (mod n), 0 <= y < n"

    def check(self, contract: Contract, operation: Operation) -> None:
        """Raise OperandError for another exponent."""
        _check_f4(operation["e"])
        super().check(contract, operation)

    def check_vector(self, contract: Contract, vector: Operation) -> None:
        """Raise OperandError for another exponent, or as `Power.check_vector`."""
        super().check_vector(contract, vector)
        _check_f4(vector["e"])

    def random_operations(
        self, contract: Contract, rng: random.Random, modulus: int | None
    ) -> Iterator[Operation]:
        """Yield random bases."""
        return map(_with_f4, super().random_operations(contract, rng, modulus))

    def average_operations(self, contract: Contract, rng: random.Random) -> Iterator[Operation]:
        """Yield x uniform below n, n with its top bit set."""
        return map(_with_f4, super().average_operations(contract, rng))

    def corner_operations(self, contract: Contract, n: int) -> Iterator[Operation]:
        """Yield the bases of `Power.corner_operations`."""
        return map(_with_f4, super().corner_operations(contract, n))

    def choices(self, contract: Contract, n: int) -> int:
        """Return the number of bases."""
        return n

    def axes(self, contract: Contract, n: int) -> Sequence[Sequence[Operation]]:
        """Return every x."""
        return [[{"x": x} for x in range(n)], [{"e": F4_EXPONENT, "e_len": F4_BITS}]]

    def sample_operations(
        self, contract: Contract, rng: random.Random, n: int
    ) -> Iterator[Operation]:
        """Yield the bases of `Power.sample_operations`."""
        return map(_with_f4, super().sample_operations(contract, rng, n))

    def example(self, contract: Contract, n: int) -> Operation:
        """Return a residue and the exponent."""
        return {"x": n * 2 // 3, "e": F4_EXPONENT, "n": n}


def _with_f4(operation: Operation) -> Operation:
    return {**operation, "e": F4_EXPONENT, "e_len": F4_BITS}


def _check_f4(e: int) -> None:
    if e != F4_EXPONENT:
        raise OperandError(
            f"exponent e = {e:#x} is not 65537, the only one of algorithm f4; take l2r, sliding or"
            " window for others."
        )


class Modexp(Architecture):
    """x^e mod n for plain x, by the chosen algorithm, on one multiplier or two in lockstep."""

    name = "modexp"
    title = "Modular exponentiation over any Montgomery multiplier"
    family = "modexp"
    citation = HANDBOOK.at("Section 14.6")
    parameters = (
        WIDTH,
        Parameter(
            "multiplier",
            "the multiplier, of the same width",
            "booth_csa",
            needs=(MULTIPLIER, CLOSED_PART),
        ),
        Parameter(
            "algorithm",
            "order of squarings and products; f4 is for e = 65537 alone",
            WINDOW,
            choices=ALGORITHMS,
        ),
        Parameter(
            "w",
            f"bits of a digit of window and sliding; 0: {DEFAULT_W}, or 1 for the others",
            0,
            minimum=0,
            maximum=6,
        ),
        Parameter(
            "multipliers",
            "2: squarings and products at once on two multipliers (r2l, ladder)",
            1,
            numbers=(1, 2),
        ),
        Parameter(
            "chains",
            "above 1: so many exponentiations at a time in turn on one multiplier whose interval is"
            " below its turn; every exponent is run with exponent_bits bits then",
            1,
            minimum=1,
            maximum=8,
        ),
        Parameter(
            "exponent_bits",
            "bits of the longest exponent; 0: width",
            0,
            minimum=0,
            maximum=65535,
        ),
        Parameter("adder", "bits of a word of the final subtraction", 32, minimum=4, maximum=1024),
        Parameter(
            "table",
            "memory of the powers: auto (what the tool takes; on cells bits or a macro), or block"
            " (block RAM of an FPGA, with a register behind it; turns of 11 cycles or more)",
            AUTO,
            choices=(AUTO, BLOCK),
        ),
        Parameter(
            "leakage",
            "what time and addresses may depend on: public (all), exponent (not on e), full"
            " (on the exponent's length alone); refused if algorithm and multiplier can't give it",
            PUBLIC,
            choices=(PUBLIC, EXPONENT, FULL),
        ),
        Parameter(
            "constants",
            "who derives R mod n, R^2 mod n and the multiplier's constants from n: the host, or the"
            " hardware, which then loads n before requests",
            HOST,
            choices=(HOST, HARDWARE),
        ),
    )
    rtl_top = "mf_modexp"
    rtl_files = (
        "modexp/mf_modexp_pkg.sv",
        "modexp/mf_modexp_exponent.sv",
        "modexp/mf_modexp_recoder.sv",
        "prim/mf_ram.sv",
        "modexp/mf_modexp_table.sv",
        "modexp/mf_modexp_control.sv",
        "modexp/mf_modexp_chain.sv",
        "modexp/mf_modexp_multipliers.sv",
        "modexp/mf_modexp_chains.sv",
        "modexp/mf_modexp_setup_pkg.sv",
        "modexp/mf_modexp_setup.sv",
        "modexp/mf_modexp_with_setup.sv",
        "modexp/mf_modexp.sv",
    )
    memories = ("mf_modexp_table",)
    form_rules: ClassVar = {
        NATIVE: "adder a power of two, chains = 1, constants = host",
        AXI: "operands that its windows have room for",
    }
    formulas = (
        ("R", "the multiplier's"),
        ("T", "turn: the multiplier's latency + handover + 2 cycles"),
        ("tau, D", "max(e_len, 1), ceil(tau / w)"),
        ("S, r2l and ladder", "tau + 2 turns with two multipliers, 2 tau + 2 with one"),
        ("S, l2r", "tau + HW(e) + 2 turns"),
        ("S, square_multiply_always", "2 tau + 2 turns"),
        ("S, window", "w (D - 1) + 2^(w-1) - 1 + D + 2^(w-1) turns"),
        ("S, sliding", "depends on e; 19 for 65537 and 4 for 3 with w = 1"),
        ("S, f4", "18 turns"),
        ("sub", "k (1 + ceil((width + 2) / adder)), k = log2 of the results' bound over n"),
        ("first", "max(0, max(words + 2, w + 6) - T), the check of x and the first digit"),
        ("latency", "S T + (D - 1) max(0, 2^w + 1 - w T) + first + sub, the second for window"),
        (
            "latency, chains above 1",
            "max(words + 2, w + 6) + (S - 1) P + T - 1 + sub, P = max(T, chains II), II the"
            " multiplier's interval, words = ceil((width + 2) / adder); for window S has (D - 1)"
            " ceil(max(0, 2^w + 1 - w P) / P) more",
        ),
        ("interval", "latency + 2 cycles; of one of several chains up to a multiple of P"),
        ("table", "2^w operands (window), 2^(w-1) + 1 (sliding)"),
        (
            "load, constants = hardware",
            "k (words + 1) + 2 words + 2 + (2 words + 1) (popcount(x) + 1) + 2 words (x - L)"
            " + (T + sub + 3) floor(log2 x) - 1 cycles, R = 2^x, L = bitlen(n), words ="
            " ceil((width + 2) / adder), k bits of the multiplier's -n^-1 mod 2^k",
        ),
    )

    def check(self, parameters: Parameters) -> None:
        """Raise ParameterError for what algorithm or multiplier can't give."""
        algorithm = str(parameters["algorithm"])
        part = parameters.part("multiplier")
        if parameters.integer("w") > 1 and algorithm not in WITH_DIGITS:
            raise ParameterError(
                f"parameter w = {parameters['w']} is not legal with algorithm = {algorithm}: only"
                f" {' and '.join(WITH_DIGITS)} have digits (nearest legal: 1)."
            )
        if parameters["multipliers"] == 2 and algorithm not in WITH_TWO_MULTIPLIERS:
            raise ParameterError(
                f"parameter multipliers = 2 is not legal with algorithm = {algorithm}: only"
                f" {' and '.join(WITH_TWO_MULTIPLIERS)} have two independent multiplications"
                " (nearest legal: 1)."
            )
        if algorithm == F4 and parameters.integer("exponent_bits") not in (0, F4_BITS):
            raise ParameterError(
                f"parameter exponent_bits = {parameters['exponent_bits']} is not legal with"
                f" algorithm = {F4}, whose exponent is 65537 (nearest legal: {F4_BITS})."
            )
        if _passes(part.contract) > parameters.integer("adder"):
            raise ParameterError(
                f"parameter adder = {parameters['adder']} is too small for results of"
                f" {part.architecture.name}, {part.contract.result_bound}"
                f" (nearest legal: {_passes(part.contract)})."
            )
        if part.contract.result_bound.signed and part.contract.result_bound.multiple > 1:
            raise ParameterError(
                f"parameter multiplier = {part.architecture.name} is not legal with results"
                f" {part.contract.result_bound}: one addition of n does not make them canonical"
                " (take a multiplier, or a form of this one, whose results are within -n and n)."
            )
        if parameters["table"] == BLOCK:
            _check_block(parameters)
        if parameters["constants"] == HARDWARE:
            _check_derivable(part)
        if parameters.integer("chains") > 1:
            _check_chains(parameters)
        wanted, best = str(parameters["leakage"]), leakage(parameters)
        if wanted != PUBLIC and best == PUBLIC:
            reason = (
                f"the time of algorithm {algorithm} depends on the exponent"
                if algorithm not in REGULAR
                else f"the latency of {part.architecture.name} depends on data"
            )
            raise ParameterError(
                f"leakage = {wanted} can't be had: {reason}. Use one of {', '.join(REGULAR)} over a"
                " multiplier of fixed latency."
            )

    def top(self, parameters: Parameters) -> str:
        """Return the top module: with or without the load of a modulus."""
        return self.rtl_top + "_with_setup" * (parameters["constants"] == HARDWARE)

    def files(self, parameters: Parameters) -> tuple[str, ...]:
        """Return the files of the chosen top, which is the last."""
        left_out = {"mf_modexp"} if parameters["constants"] == HARDWARE else set(_SETUP)
        return tuple(name for name in self.rtl_files if Path(name).stem not in left_out)

    def forms(self, parameters: Parameters) -> tuple[Form, ...]:
        """Return the parallel form, and where it can be had the native one, with words."""
        (parallel,) = super().forms(parameters)
        adder = parameters.integer("adder")
        in_turn = parameters.integer("chains") > 1
        if parameters["constants"] == HARDWARE or in_turn or adder & (adder - 1):
            return (parallel,)
        part = parameters.part("multiplier").contract
        width, bits = parameters.integer("width"), _exponent_bits(parameters)
        facing = {"Width": width, "ExponentBits": bits, "Adder": adder}
        facing["ConstantBits"] = max(1, constant_bits(part))
        operand, constants = -(-width // adder), -(-facing["ConstantBits"] // adder)
        exponent = -(-bits // adder)
        inputs = 4 * operand + constants + exponent
        layout = {
            "R mod n": 0,
            "R^2 mod n": operand,
            "n": 2 * operand,
            "constants": 3 * operand,
            "x": 3 * operand + constants,
            "e": inputs - exponent,
        }
        places = ", ".join(f"{name} from {at}" for name, at in layout.items())
        native = Form(
            NATIVE,
            "mf_modexp_words",
            (*parallel.files[:-1], "modexp/mf_modexp_words.sv"),
            parallel.parameters,
            ports=ports(
                ("write_valid_i", 1, "a word of an operand is written"),
                ("write_ready_o", 1, "when both are high"),
                ("write_addr_i", (inputs - 1).bit_length(), f"its place: {places}"),
                ("write_data_i", adder, "the word; of each operand the lowest first"),
                ("req_valid_i", 1, "a power of what was written is asked for"),
                ("req_ready_o", 1, "it is accepted when both are high"),
                ("e_len_i", bits.bit_length(), f"length of e, public, at most {bits}"),
                ("rsp_valid_o", 1, "the result can be read, until the response is taken"),
                ("rsp_ready_i", 1, "it is taken when both are high"),
                ("error_o", ERROR_BITS, "error: 0 none, 1 modulus, 2 length, 3 x, 15 aborted"),
                ("read_addr_i", max(1, (operand - 1).bit_length()), "a word of y"),
                ("read_data_o", adder, "that word, a cycle later"),
                ("abort_i", 1, "ends the operation and overwrites all of it"),
            ),
            harness=Harness(
                "mf_modexp_harness",
                (*WRITER_FILES, "harness/mf_modexp_harness.sv"),
                facing,
                cycles=2 * (inputs + operand) + 11,
            ),
            later=4 * _words(parameters) + constants + operand + 3,
            counting="from acceptance to rsp_valid_o; operands and result are in word memories",
            memory_bits=adder * (max(2, exponent) + 5 * operand + constants),
        )
        return parallel, native

    def part_parameters(self, name: str, parameters: Parameters) -> dict[str, ParameterValue]:
        """Return the width, which is that of the exponentiator."""
        return {"width": parameters["width"]}

    def part_wrappers(self, parameters: Parameters) -> dict[str, Design]:
        """Return the multiplier under the name that the RTL instantiates."""
        return {"mf_modexp_multiplier": parameters.part("multiplier")}

    def contract(self, parameters: Parameters) -> Contract:
        """Return the contract: x and y plain and below n, the latency between all lengths."""
        width, bits = parameters.integer("width"), _exponent_bits(parameters)
        part = parameters.part("multiplier").contract
        plain = Encoding("binary", width)
        names = ", ".join(field.name for field in part.constants_spec)
        latency = _latency(parameters)
        interval = latency.later(2)
        best = leakage(parameters)
        load = None
        constants = (
            Field.constant(
                "constants",
                max(1, constant_bits(part)),
                f"the multiplier's {names}" + ", the first one lowest" * ("," in names)
                if names
                else "0: the multiplier has none",
            ),
            Field.constant("r1", width, "R mod n"),
            Field.constant("r2", width, "R^2 mod n"),
        )
        if parameters["constants"] == HARDWARE:
            longest, shortest = (setup_cycles(parameters, bits) for bits in (2, width))
            load = Load(("n",), Cycles(shortest.minimum, longest.maximum))
        notes = [
            {
                FULL: "Leakage class full: cycles and table addresses depend on e_len alone.",
                PUBLIC: "Leakage class public: cycles depend on the operands; not for secrets.",
            }[best]
        ]
        if parameters["algorithm"] in WITH_DUMMIES:
            notes.append(DUMMIES_NOTE)
        chains = parameters.integer("chains")
        if chains > 1:
            interval = Cycles(part.interval.maximum, round_cycles(parameters), attained=False)
            notes.append(f"{chains} operations are under way at once; e_len doesn't change cycles.")
        if load is not None:
            derived = "R mod n, R^2 mod n" + f", {names}" * bool(names)
            notes.append(
                f"A load derives {derived} from n, in cycles that depend on the bit length of n"
                f"{' alone' if part.latency.is_fixed else ' and on n'}."
            )
        return Contract(
            architecture=self.name,
            parameters=parameters.flat(),
            function=PowerOfF4() if parameters["algorithm"] == F4 else Power(),
            width=width,
            r=part.r,
            modulus=_modulus(parameters),
            fields=(
                *power_operands(width, bits),
                Field("n", "modulus", plain),
                *(() if load else constants),
                Field("y", "result", plain, Bound(1)),
                Field(
                    "error",
                    "result",
                    Encoding("binary", ERROR_BITS),
                    BitBound(ERROR_BITS),
                    meaning="error: 0 none, 1 modulus, 2 length, 3 x not below n, 15 aborted",
                ),
            ),
            latency=latency,
            handover=0,
            interval=interval,
            load=load,
            controls=(
                Control(Port("abort_i", "input", 1, "ends the operation and overwrites all of it")),
            ),
            public=("e_len",) if best == FULL and not latency.is_fixed else (),
            notes=tuple(notes),
        )

    def constants(self, parameters: Parameters, n: int) -> dict[str, int]:
        """Return the multiplier's constants side by side, R mod n and R^2 mod n, or none."""
        if parameters["constants"] == HARDWARE:
            return {}
        part = parameters.part("multiplier")
        r = part.contract.r
        return {
            "constants": pack_constants(part.contract, part.constants(n)),
            "r1": r % n,
            "r2": r * r % n,
        }

    def rtl_parameters(self, parameters: Parameters) -> dict[str, int]:
        """Return the top module's parameters."""
        part = parameters.part("multiplier").contract
        operand, result = part.operand_encoding, part.result_encoding
        found = {
            "Width": parameters.integer("width"),
            "ExponentBits": _exponent_bits(parameters),
            "Algorithm": ALGORITHMS.index(str(parameters["algorithm"])),
            "DigitW": plan(parameters).w,
            "Multipliers": parameters.integer("multipliers"),
            "Adder": parameters.integer("adder"),
            "SumBits": operand.width,
            "CarryBits": operand.carry_width,
            "ResultSumBits": result.width,
            "ResultCarryBits": result.carry_width,
            "Signed": int(part.result_bound.signed),
            "Passes": _passes(part),
        }
        chains = parameters.integer("chains")
        if chains > 1:
            found |= {"Chains": chains, "Period": period(parameters)}
            found |= {"Offset": part.interval.maximum}
        # What is not the default: facts of the multiplier that the RTL refuses, or that it's told.
        told = {
            "Closed": (int(part.closed), 1),
            "FixedLatency": (int(part.latency.is_fixed), 1),
            "TableBlock": (int(parameters["table"] == BLOCK), 0),
            "Leakage": ((PUBLIC, EXPONENT, FULL).index(str(parameters["leakage"])), 0),
        }
        found |= {name: value for name, (value, usual) in told.items() if value != usual}
        if parameters["constants"] == HOST:
            return found | {"ConstantBits": max(1, constant_bits(part))}
        return found | setup_parameters(part)

    def golden(self, parameters: Parameters, x: int, e: int, e_len: int, n: int) -> int:
        """Return x^e mod n, which the core gives exactly."""
        return pow(x, e, n)

    def cycles(self, parameters: Parameters, x: int, e: int, e_len: int, n: int) -> int:
        """Return the turns, each as long as its multiplications take, and what is around them."""
        part = parameters.part("multiplier")
        contract = part.contract
        if contract.latency.is_fixed:
            return _fixed_cycles(parameters, plan(parameters).turns(e, e_len), e_len)
        r = contract.r
        steps = plan(parameters).steps(x, e, e_len, r % n, r * r % n)
        return _data_dependent_cycles(parameters, steps, n)

    def figures(self, parameters: Parameters) -> dict[str, float]:
        """Return the turns and cycles of the longest exponents, and the bits of the table."""
        bits = _exponent_bits(parameters)
        part = parameters.part("multiplier").contract
        fewest, most = plan(parameters).bounds(bits)
        turn = part.latency.later(part.handover + 2)
        figures: dict[str, float] = {"turns at most": most}
        if fewest != most:
            figures["turns of the longest exponents at least"] = fewest
        figures["turn cycles at most"] = turn.maximum
        figures["table bits"] = self.memory_bits(parameters)
        return figures

    def memory_bits(self, parameters: Parameters) -> int:
        """Return the bits of the table."""
        encoding = parameters.part("multiplier").contract.operand_encoding
        entries = plan(parameters).entries() * parameters.integer("chains")
        return entries * sum(encoding.widths)

    def corners(self, parameters: Parameters) -> Iterator[Values]:
        """Yield lengths and exponents around a digit, under a prime, n = m^2 and the ends."""
        width, bits = parameters.integer("width"), _exponent_bits(parameters)
        if parameters["algorithm"] == F4:
            return
        w = plan(parameters).w
        root = (1 << width // 2) - 1
        squares = (root * root,) if root % 2 and root > 1 else ()
        rule = _modulus(parameters)
        moduli = ((1 << width) - 1, (1 << width - 1) + 1, 3, *squares)
        for n in filter(rule.is_legal, moduli if rule.only is None else (rule.only,)):
            for x in dict.fromkeys((0, 1, 2 % n, n - 1, root % n)):
                for length in {0, 1, w - 1, w, w + 1, 2 * w, 3 * w + 1, bits}:
                    if not 0 <= length <= bits:
                        continue
                    ones = (1 << length) - 1
                    holes = sum(((1 << w) - 1) << i for i in range(0, length, 3 * w)) & ones
                    for e in dict.fromkeys((0, ones, ones >> w, ones >> w << w, holes, 2 & ones)):
                        yield x, e, length, n


def _modulus(parameters: Parameters) -> ModulusRule:
    """Return the multiplier's rule, for odd moduli: `mf_modexp_chain` refuses others."""
    rule = parameters.part("multiplier").contract.modulus
    width = parameters.integer("width")
    return replace(rule, width=width, minimum=max(3, rule.minimum), even=False)


def plan(parameters: Parameters) -> Plan:
    """Return the algorithm that the parameters choose."""
    algorithm = str(parameters["algorithm"])
    w = parameters.integer("w") or (DEFAULT_W if algorithm in WITH_DIGITS else 1)
    return Plan(algorithm, w, parameters.integer("multipliers"))


def leakage(parameters: Parameters) -> str:
    """Return the best leakage class that algorithm and multiplier give."""
    fixed = parameters.part("multiplier").contract.latency.is_fixed
    return FULL if fixed and parameters["algorithm"] in REGULAR else PUBLIC


def _check_block(parameters: Parameters) -> None:
    """Raise ParameterError where there is no table, or no time to read it in two cycles."""
    part, algorithm = parameters.part("multiplier"), str(parameters["algorithm"])
    if algorithm not in WITH_DIGITS:
        reason = f"algorithm = {algorithm}, which has no table"
    elif _turn(parameters) < BLOCK_TURN:
        reason = (
            f"multiplier = {part.architecture.name}, whose turn of {_turn(parameters)} cycles is"
            f" below {BLOCK_TURN}"
        )
    else:
        return
    raise ParameterError(
        f"parameter table = {BLOCK} is not legal with {reason} (nearest legal: {AUTO})."
    )


def _check_chains(parameters: Parameters) -> None:
    """Raise ParameterError for what several chains can't be had with."""
    part, chains = parameters.part("multiplier"), parameters.integer("chains")
    contract, algorithm = part.contract, str(parameters["algorithm"])
    refusals = (
        (algorithm not in REGULAR, f"algorithm = {algorithm}: use one of {', '.join(REGULAR)}"),
        (parameters["multipliers"] == 2, "multipliers = 2 (nearest legal: multipliers = 1)"),
        (
            parameters["constants"] == HARDWARE,
            f"constants = {HARDWARE} (nearest legal: constants = {HOST})",
        ),
        (
            not contract.latency.is_fixed,
            f"multiplier = {part.architecture.name}, whose latency depends on data",
        ),
    )
    for holds, reason in refusals:
        if holds:
            raise ParameterError(f"parameter chains = {chains} is not legal with {reason}.")
    filling = -(-_turn(parameters) // contract.interval.maximum)
    if chains > filling:
        raise ParameterError(
            f"parameter chains = {chains} is not legal with multiplier = {part.architecture.name},"
            f" whose interval of {contract.interval.maximum} leaves no place for more than"
            f" {filling} in its turn of {_turn(parameters)} cycles (nearest legal: {filling})."
        )


def _turn(parameters: Parameters) -> int:
    """Return the cycles between dependent multiplications, the fewest if latency isn't fixed."""
    contract = parameters.part("multiplier").contract
    return contract.latency.minimum + contract.handover + 2


def period(parameters: Parameters) -> int:
    """Return the cycles between multiplications of one of several chains."""
    interval = parameters.part("multiplier").contract.interval.maximum
    return max(_turn(parameters), parameters.integer("chains") * interval)


def _in_turn_cycles(parameters: Parameters) -> int:
    """Return the latency of each of several chains, whose exponents all have the longest length."""
    bits, chosen, slots = _exponent_bits(parameters), plan(parameters), period(parameters)
    turns = chosen.bounds(bits)[1]
    if chosen.algorithm == WINDOW:
        digits = -(-bits // chosen.w)
        turns += (digits - 1) * -(-max(0, 2**chosen.w + 1 - chosen.w * slots) // slots)
    ends = _first_turn(parameters) + _turn(parameters) - 1 + _reduction(parameters)
    return ends + (turns - 1) * slots


def round_cycles(parameters: Parameters) -> int:
    """Return the cycles from a request to the next one of the same of several chains."""
    slots = period(parameters)
    return -(-(_in_turn_cycles(parameters) + 2) // slots) * slots


def _check_derivable(part: Design) -> None:
    """Raise ParameterError for a multiplier whose constants mf_modexp_setup can't derive."""
    contract = part.contract
    if any(field.derivation is None for field in contract.constants_spec):
        names = ", ".join(f.name for f in contract.constants_spec if f.derivation is None)
        raise ParameterError(
            f"parameter constants = {HARDWARE} is not legal with {part.architecture.name}: its"
            f" {names} does not follow from n by additions and shifts (nearest legal: {HOST})."
        )
    assert contract.r & (contract.r - 1) == 0
    assert len(contract.constants_spec) <= SETUP_CONSTANTS
    assert len({(d.bits, d.signed) for d in _derivations(contract)}) <= 1


def _derivations(contract: Contract) -> list[Derivation]:
    return [field.derivation for field in contract.constants_spec if field.derivation]


def setup_parameters(contract: Contract) -> dict[str, int]:
    """Return the parameters of mf_modexp_setup for a multiplier with this contract."""
    fields, derivations = contract.constants_spec, _derivations(contract)
    kinds = [CONSTANT_KINDS.index(found.kind) + 1 for found in derivations]
    kinds += [0] * (SETUP_CONSTANTS - len(kinds))
    bits = [field.width for field in fields] + [1] * (SETUP_CONSTANTS - len(fields))
    return {
        "RBits": contract.r.bit_length() - 1,
        "InverseBits": derivations[0].bits if derivations else 0,
        "InverseSigned": int(bool(derivations) and derivations[0].signed),
        "LowKind": kinds[0],
        "LowBits": bits[0],
        "HighKind": kinds[1],
        "HighBits": bits[1],
    }


def setup_cycles(parameters: Parameters, bits: int) -> Cycles:
    """Return the cycles of a load of a modulus of ``bits`` bits: mf_modexp_setup's."""
    part = parameters.part("multiplier").contract
    found = setup_parameters(part)
    x, words = found["RBits"], -(-(parameters.integer("width") + 2) // parameters.integer("adder"))
    doublings = x - bits + 1 + x.bit_count()
    squarings = x.bit_length() - 1
    start = found["InverseBits"] * (words + 1) + 2 * words + 1
    decisions = 1 + squarings + x.bit_count()
    product = part.latency.later(part.handover + 2 + _reduction(parameters))
    around = start + 2 * words * doublings + decisions + 2 * squarings
    return Cycles(
        around + squarings * product.minimum,
        around + squarings * product.maximum,
        part.latency.is_fixed,
    )


def _exponent_bits(parameters: Parameters) -> int:
    if parameters["algorithm"] == F4:
        return F4_BITS
    return parameters.integer("exponent_bits") or parameters.integer("width")


def _passes(contract: Contract) -> int:
    """Return how many conditional subtractions make a result of the multiplier canonical."""
    bound = contract.result_bound
    if bound.signed:
        return 1
    most = max(bound.multiple, *(m for _, _, m in bound.exceptions), 1)
    return (most - 1).bit_length()


def _words(parameters: Parameters) -> int:
    """Return the words of a pass of the word-serial unit."""
    part = parameters.part("multiplier").contract
    bits = parameters.integer("width") + 2
    if not part.result_bound.signed:
        bits = max(bits, part.operand_encoding.width)
    return -(-bits // parameters.integer("adder"))


def _first_turn(parameters: Parameters) -> int:
    """Return what the first turn lasts at least: the check of x, the first digit."""
    return max(_words(parameters) + 2, plan(parameters).w + 6)


def _reduction(parameters: Parameters) -> int:
    return _passes(parameters.part("multiplier").contract) * (1 + _words(parameters))


def _fixed_cycles(parameters: Parameters, turns: int, length: int) -> int:
    """Return the latency over a multiplier of fixed latency."""
    turn = _turn(parameters)
    chosen = plan(parameters)
    waits = 0
    if parameters.integer("chains") > 1:
        return _in_turn_cycles(parameters)
    if chosen.algorithm == WINDOW:
        digits = -(-max(length, 1) // chosen.w)
        waits = (digits - 1) * max(0, 2**chosen.w + 1 - chosen.w * turn)
    first = max(0, _first_turn(parameters) - turn)
    return turns * turn + waits + first + _reduction(parameters)


def _data_dependent_cycles(parameters: Parameters, steps: Steps, n: int) -> int:
    """Return the latency over a multiplier whose latency depends on data: turn after turn."""
    part = parameters.part("multiplier")
    around = part.contract.handover + 2
    chosen = plan(parameters)
    edge, scan_end = 0, 0
    squaring = False
    try:
        turn = next(steps)
        while True:
            if chosen.algorithm == WINDOW:
                if turn.step == "square" and not squaring:
                    scan_end = edge + 2**chosen.w + 1
                if turn.step == "product":
                    edge = max(edge, scan_end)
                squaring = turn.step == "square"
            lasts = max(
                part.architecture.cycles(part.parameters, a=a, b=b, n=n) + around
                for a, b in turn.operands
            )
            edge += max(lasts, _first_turn(parameters)) if turn.step == "enter" else lasts
            turn = steps.send(
                [part.architecture.golden(part.parameters, a=a, b=b, n=n) for a, b in turn.operands]
            )
    except StopIteration:
        return edge + _reduction(parameters)


def latency_of(parameters: Parameters, turns: Cycles, length: int) -> Cycles:
    """Return the latency of ``turns`` for exponents of ``length`` bits: exact, or bounds where the
    multiplier's latency depends on data."""
    part = parameters.part("multiplier").contract
    if part.latency.is_fixed:
        shortest, longest = (
            _fixed_cycles(parameters, number, length) for number in (turns.minimum, turns.maximum)
        )
        return Cycles(shortest, longest)
    chosen = plan(parameters)
    around = part.handover + 2
    shortest, longest = part.latency.minimum + around, part.latency.maximum + around
    digits = -(-max(length, 1) // chosen.w)
    waits = (digits - 1) * max(0, 2**chosen.w + 1 - chosen.w * shortest)
    scans = waits if chosen.algorithm == WINDOW else 0
    ends = _first_turn(parameters) + _reduction(parameters)
    return Cycles(
        turns.minimum * shortest + _reduction(parameters),
        turns.maximum * longest + scans + ends,
        attained=False,
    )


def _latency(parameters: Parameters) -> Cycles:
    """Return the latency between the shortest and the longest exponent."""
    bits, chosen = _exponent_bits(parameters), plan(parameters)
    (fewest, _), (_, most) = chosen.bounds(0), chosen.bounds(bits)
    shortest = latency_of(parameters, Cycles.fixed(fewest), 0)
    longest = latency_of(parameters, Cycles.fixed(most), bits)
    return Cycles(shortest.minimum, longest.maximum, longest.attained)
