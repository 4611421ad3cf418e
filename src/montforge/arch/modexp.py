# SPDX-License-Identifier: Apache-2.0
"""``modexp``: modular exponentiation over any closed multiplier of the library."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import ClassVar

from montforge.arch.base import Citation, Core, Values
from montforge.arch.parameter import CLOSED_PART, MULTIPLIER, choice, integer, number, part
from montforge.contract import (
    NO_DERIVATION,
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
from montforge.functions import ERROR_BITS, Power, power_operands, power_results
from montforge.hardware.forms import AXI, AXIS, NATIVE, WRITER_FILES, Form, Harness, ports
from montforge.hardware.parts import carrier_parameters, constant_bits, pack_constants
from montforge.programs.powers import (
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
PUBLIC, EXPONENT, FULL = "public", "exponent", "full"
HOST, HARDWARE = "host", "hardware"
AUTO, BLOCK = "auto", "block"
BLOCK_TURN = 11
"""Cycles of a turn from which on no scan of a table that is read in two cycles outlasts its
squarings, w <= 6."""
SETUP_CONSTANTS = 2
"""Most constants of a multiplier whose modulus the hardware sets up."""
_SETUP = ("mf_derivation_pkg", "mf_modexp_setup", "mf_modexp_with_setup")
DUMMIES_NOTE = (
    "Computes products that are dropped: a fault in one leaves the result right and so tells a bit"
    " of the exponent (safe error), also where the result is verified. Not for private keys."
)


class PowerOfF4(Power):
    """y = x^65537 mod n: the exponent of an operation is 65537."""

    formula = "y = x^65537 (mod n), 0 <= y < n"
    fixed: ClassVar[Operation] = {"e": F4_EXPONENT, "e_len": F4_BITS}

    def check(self, contract: Contract, operation: Operation) -> None:
        """Raise OperandError for another exponent."""
        if operation["e"] != F4_EXPONENT:
            raise OperandError(
                f"exponent e = {operation['e']:#x} is not 65537, the only one of algorithm f4; take"
                " l2r, sliding or window for others."
            )
        super().check(contract, operation)


@dataclass(frozen=True)
class Modexp(Core):
    """x^e mod n for plain x, by the chosen algorithm, on one multiplier or two in lockstep."""

    name = "modexp"
    title = "Modular exponentiation over any Montgomery multiplier"
    family = "modexp"
    citation = HANDBOOK.at("Section 14.6")
    multiplier: Core = part(
        "the multiplier, of the same width", "booth_csa", MULTIPLIER, CLOSED_PART
    )
    algorithm: str = choice(
        "order of squarings and products; f4 is for e = 65537 alone", WINDOW, ALGORITHMS
    )
    w: int = integer(
        f"bits of a digit of window and sliding; 0: {DEFAULT_W}, or 1 for the others",
        0,
        minimum=0,
        maximum=6,
    )
    multipliers: int = number(
        "2: squarings and products at once on two multipliers (r2l, ladder)", 1, (1, 2)
    )
    chains: int = integer(
        "exponentiations in turn on one multiplier; above 1 for a multiplier whose interval is"
        " below its turn; every exponent is run with exponent_bits bits then",
        1,
        minimum=1,
        maximum=8,
    )
    exponent_bits: int = integer(
        "bits of the longest exponent; 0: width", 0, minimum=0, maximum=65535
    )
    adder: int = integer("bits of a word of the final subtraction", 32, minimum=4, maximum=1024)
    table: str = choice(
        "memory of the powers: auto (chosen by the tool; on cells bits or a macro), or block"
        " (block RAM of an FPGA, with a register behind it; turns of 11 cycles or more)",
        AUTO,
        (AUTO, BLOCK),
    )
    leakage: str = choice(
        "values that decide time and addresses: public (all), exponent (all but e), full (the"
        " exponent's length alone); refused if algorithm and multiplier can't give it",
        PUBLIC,
        (PUBLIC, EXPONENT, FULL),
    )
    constants_from: str = choice(
        "source of R mod n, R^2 mod n and the multiplier's constants: the host, or the"
        " hardware, which then loads n before requests",
        HOST,
        (HOST, HARDWARE),
        name="constants",
    )
    library = (
        "modexp/mf_modexp_pkg.sv",
        "modexp/mf_modexp_exponent.sv",
        "modexp/mf_modexp_recoder.sv",
        "prim/mf_ram.sv",
        "modexp/mf_modexp_table.sv",
        "modexp/mf_modexp_entries.sv",
        "modexp/mf_modexp_terms.sv",
        "modexp/mf_modexp_control.sv",
        "modexp/mf_modexp_chain.sv",
        "modexp/mf_modexp_multipliers.sv",
        "modexp/mf_modexp_chains.sv",
        "prim/mf_derivation_pkg.sv",
        "modexp/mf_modexp_setup.sv",
        "modexp/mf_modexp_with_setup.sv",
        "modexp/mf_modexp.sv",
    )
    memory_modules = ("mf_modexp_table",)
    declassified: ClassVar = {
        "*error_enter": "whether the operands of a request are legal",
        "*u_control.error_d": "which of their rules is broken, if any",
    }
    form_rules: ClassVar = {
        NATIVE: "adder a power of two, chains = 1, constants = host",
        AXI: "operands that its windows have room for",
        AXIS: "constants = host, operands that the windows of axi have room for",
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

    def check(self) -> None:
        """Raise ParameterError for options that the algorithm or the multiplier does not have."""
        algorithm = self.algorithm
        part = self.multiplier
        if self.w > 1 and algorithm not in WITH_DIGITS:
            reason = f"{' and '.join(WITH_DIGITS)} alone have digits"
            raise self.illegal("w", f"is not legal with algorithm = {algorithm}: {reason}", 1)
        if self.multipliers == 2 and algorithm not in WITH_TWO_MULTIPLIERS:
            reason = f"{' and '.join(WITH_TWO_MULTIPLIERS)} alone have independent multiplications"
            text = f"is not legal with algorithm = {algorithm}: {reason}"
            raise self.illegal("multipliers", text, 1)
        if algorithm == F4 and self.exponent_bits not in (0, F4_BITS):
            reason = f"is not legal with algorithm = {F4}, whose exponent is 65537"
            raise self.illegal("exponent_bits", reason, F4_BITS)
        if _passes(part.contract) > self.adder:
            reason = f"is too small for results of {part.name}, {part.contract.result_bound}"
            raise self.illegal("adder", reason, _passes(part.contract))
        if part.contract.result_bound.signed and part.contract.result_bound.multiple > 1:
            raise ParameterError(
                f"parameter multiplier = {part.name} is not legal with results"
                f" {part.contract.result_bound}: one addition of n does not make them canonical"
                " (take a multiplier, or a form of this one, whose results are within -n and n)."
            )
        if self.table == BLOCK:
            self._check_block()
        if self.constants_from == HARDWARE:
            _check_derivable(part)
        if self.chains > 1:
            self._check_chains()
        wanted, best = self.leakage, self.best_leakage
        if wanted != PUBLIC and best == PUBLIC:
            reason = (
                f"the time of algorithm {algorithm} depends on the exponent"
                if algorithm not in REGULAR
                else f"the latency of {part.name} depends on data"
            )
            raise ParameterError(
                f"leakage = {wanted} can't be had: {reason}. Use one of {', '.join(REGULAR)} over a"
                " multiplier of fixed latency."
            )

    @property
    def files(self) -> tuple[str, ...]:
        """The files of the chosen top, which is the last."""
        left_out = {"mf_modexp"} if self.constants_from == HARDWARE else set(_SETUP)
        return tuple(name for name in self.library if Path(name).stem not in left_out)

    @property
    def own_forms(self) -> tuple[Form, ...]:
        """The parallel form, and where it can be had the native one, with words."""
        parallel = self.parallel_form
        adder = self.adder
        in_turn = self.chains > 1
        if self.constants_from == HARDWARE or in_turn or adder & (adder - 1):
            return (parallel,)
        part = self.multiplier.contract
        bits = self._exponent_bits
        facing = {"Width": self.width, "ExponentBits": bits, "Adder": adder}
        facing["ConstantBits"] = max(1, constant_bits(part))
        operand, constants = -(-self.width // adder), -(-facing["ConstantBits"] // adder)
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
                ("req_valid_i", 1, "a power of the written operands is asked for"),
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
            later=4 * self._words + constants + operand + 3,
            counting="from acceptance to rsp_valid_o; operands and result are in word memories",
            memory_bits=adder * (max(2, exponent) + 5 * operand + constants),
        )
        return parallel, native

    def part_parameters(self, name: str) -> dict[str, int | str]:
        """Return the width, which is that of the exponentiator."""
        return {"width": self.width}

    @property
    def part_wrappers(self) -> dict[str, Core]:
        """The multiplier under the name that the RTL instantiates."""
        return {"mf_modexp_multiplier": self.multiplier}

    @cached_property
    def parallel_contract(self) -> Contract:
        """The contract: x and y plain and below n, the latency between all lengths."""
        width, bits = self.width, self._exponent_bits
        part = self.multiplier.contract
        names = ", ".join(field.name for field in part.constants_spec)
        latency = self._latency
        interval = latency.later(2)
        best = self.best_leakage
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
        if self.constants_from == HARDWARE:
            longest, shortest = (self.setup_cycles(bits) for bits in (2, width))
            load = Load(("n",), Cycles(shortest.minimum, longest.maximum))
        notes = [
            {
                FULL: "Leakage class full: cycles and table addresses depend on e_len alone.",
                PUBLIC: "Leakage class public: cycles depend on the operands; not for secrets.",
            }[best]
        ]
        if self.algorithm in WITH_DUMMIES:
            notes.append(DUMMIES_NOTE)
        if self.chains > 1:
            interval = Cycles(part.interval.maximum, self.round_cycles, attained=False)
            notes.append(
                f"{self.chains} operations are under way at once; e_len doesn't change cycles."
            )
        if load is not None:
            derived = "R mod n, R^2 mod n" + f", {names}" * bool(names)
            notes.append(
                f"A load derives {derived} from n, in cycles that depend on the bit length of n"
                f"{' alone' if part.latency.is_fixed else ' and on n'}: the leakage class is that"
                " of requests, a load is for a public n."
            )
        return Contract(
            architecture=self.name,
            parameters=tuple(self.parameters.items()),
            function=PowerOfF4() if self.algorithm == F4 else Power(),
            width=width,
            r=part.r,
            modulus=self._modulus,
            fields=(
                *power_operands(width, bits),
                Field("n", "modulus", Encoding("binary", width)),
                *(() if load else constants),
                *power_results(width, "0 none, 1 modulus, 2 length, 3 x not below n, 15 aborted"),
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

    def modulus_constants(self, n: int) -> dict[str, int]:
        """Return the multiplier's constants side by side, R mod n and R^2 mod n, or none."""
        if self.constants_from == HARDWARE:
            return {}
        part = self.multiplier
        r = part.contract.r
        return {
            "constants": pack_constants(part.contract, part.constants(n)),
            "r1": r % n,
            "r2": r * r % n,
        }

    @property
    def top_parameters(self) -> dict[str, int]:
        """The top module's parameters."""
        part = self.multiplier.contract
        found = {
            "Width": self.width,
            "ExponentBits": self._exponent_bits,
            "Algorithm": ALGORITHMS.index(self.algorithm),
            "DigitW": self.plan.w,
            "Multipliers": self.multipliers,
            "Adder": self.adder,
            **carrier_parameters(part),
            "Passes": _passes(part),
        }
        if self.chains > 1:
            found |= {"Chains": self.chains, "Period": self.period}
            found |= {"Offset": part.interval.maximum}
        # Values other than the default: facts of the multiplier that the RTL refuses or is told.
        told = {
            "Closed": (int(part.closed), 1),
            "FixedLatency": (int(part.latency.is_fixed), 1),
            "TableBlock": (int(self.table == BLOCK), 0),
            "Leakage": ((PUBLIC, EXPONENT, FULL).index(self.leakage), 0),
        }
        found |= {name: value for name, (value, usual) in told.items() if value != usual}
        if self.constants_from == HOST:
            return found | {"ConstantBits": max(1, constant_bits(part))}
        return found | setup_parameters(part)

    def golden_model(self, x: int, e: int, e_len: int, n: int) -> int:
        """Return x^e mod n, which the core gives exactly."""
        return pow(x, e, n)

    def cycle_model(self, x: int, e: int, e_len: int, n: int) -> int:
        """Return the turns, each as long as its multiplications, and the cycles around them."""
        part = self.multiplier
        contract = part.contract
        if contract.latency.is_fixed:
            return self._fixed_cycles(self.plan.turns(e, e_len), e_len)
        r = contract.r
        steps = self.plan.steps(x, e, e_len, r % n, r * r % n)
        return self._data_dependent_cycles(steps, n)

    @property
    def figures(self) -> dict[str, float]:
        """The turns and cycles of the longest exponents, and the bits of the table."""
        bits = self._exponent_bits
        part = self.multiplier.contract
        fewest, most = self.plan.bounds(bits)
        least = {"turns of the longest exponents at least": fewest} if fewest != most else {}
        return {
            "turns at most": most,
            **least,
            "turn cycles at most": part.turn.maximum,
            "table bits": self.core_memory_bits,
        }

    @property
    def places(self) -> int:
        """The chains, each of which has one operation under way."""
        return self.chains

    @property
    def reset_wait(self) -> int:
        """The cycles in which the table is overwritten."""
        return self.plan.entries() + 1

    @property
    def core_memory_bits(self) -> int:
        """The bits of the table."""
        widths = self.multiplier.contract.operand_encoding.widths
        return self.plan.entries() * self.chains * sum(widths)

    def corner_values(self) -> Iterator[Values]:
        """Yield lengths and exponents around a digit, under a prime, n = m^2 and the ends."""
        bits = self._exponent_bits
        if self.algorithm == F4:
            return
        w = self.plan.w
        root = (1 << self.width // 2) - 1
        squares = (root * root,) if root % 2 and root > 1 else ()
        rule = self._modulus
        moduli = ((1 << self.width) - 1, (1 << self.width - 1) + 1, 3, *squares)
        for n in filter(rule.is_legal, moduli if rule.only is None else (rule.only,)):
            for x in dict.fromkeys((0, 1, 2 % n, n - 1, root % n)):
                for length in {0, 1, w - 1, w, w + 1, 2 * w, 3 * w + 1, bits}:
                    if not 0 <= length <= bits:
                        continue
                    ones = (1 << length) - 1
                    holes = sum(((1 << w) - 1) << i for i in range(0, length, 3 * w)) & ones
                    for e in dict.fromkeys((0, ones, ones >> w, ones >> w << w, holes, 2 & ones)):
                        yield x, e, length, n

    @property
    def _modulus(self) -> ModulusRule:
        """The multiplier's rule, for odd moduli: `mf_modexp_chain` refuses others."""
        rule = self.multiplier.contract.modulus
        return replace(rule, width=self.width, minimum=max(3, rule.minimum), even=False)

    @property
    def plan(self) -> Plan:
        """The algorithm that the parameters choose."""
        w = self.w or (DEFAULT_W if self.algorithm in WITH_DIGITS else 1)
        return Plan(self.algorithm, w, self.multipliers)

    @property
    def best_leakage(self) -> str:
        """The best leakage class that algorithm and multiplier give."""
        fixed = self.multiplier.contract.latency.is_fixed
        return FULL if fixed and self.algorithm in REGULAR else PUBLIC

    def _check_block(self) -> None:
        """Raise ParameterError where there is no table, or no time to read it in two cycles."""
        part = self.multiplier
        if self.algorithm not in WITH_DIGITS:
            reason = f"algorithm = {self.algorithm}, which has no table"
        elif self._turn < BLOCK_TURN:
            reason = (
                f"multiplier = {part.name}, whose turn of {self._turn} cycles is below {BLOCK_TURN}"
            )
        else:
            return
        raise self.illegal("table", f"is not legal with {reason}", AUTO)

    def _check_chains(self) -> None:
        """Raise ParameterError for options that exclude several chains."""
        part = self.multiplier
        contract = part.contract
        refusals = (
            (
                self.algorithm not in REGULAR,
                f"algorithm = {self.algorithm}: use one of {', '.join(REGULAR)}",
            ),
            (self.multipliers == 2, "multipliers = 2 (nearest legal: multipliers = 1)"),
            (
                self.constants_from == HARDWARE,
                f"constants = {HARDWARE} (nearest legal: constants = {HOST})",
            ),
            (
                not contract.latency.is_fixed,
                f"multiplier = {part.name}, whose latency depends on data",
            ),
        )
        for holds, reason in refusals:
            if holds:
                raise ParameterError(
                    f"parameter chains = {self.chains} is not legal with {reason}."
                )
        filling = -(-self._turn // contract.interval.maximum)
        if self.chains > filling:
            raise self.illegal(
                "chains",
                f"is not legal with multiplier = {part.name}, whose interval of"
                f" {contract.interval.maximum} leaves no place for more than {filling} in its turn"
                f" of {self._turn} cycles",
                filling,
            )

    @property
    def _turn(self) -> int:
        """The cycles between dependent multiplications, the fewest if latency isn't fixed."""
        return self.multiplier.contract.turn.minimum

    @property
    def period(self) -> int:
        """The cycles between multiplications of one of several chains."""
        interval = self.multiplier.contract.interval.maximum
        return max(self._turn, self.chains * interval)

    @property
    def _in_turn_cycles(self) -> int:
        """The latency of each of several chains, whose exponents all have the longest length."""
        bits, chosen, slots = self._exponent_bits, self.plan, self.period
        turns = chosen.bounds(bits)[1]
        if chosen.algorithm == WINDOW:
            digits = -(-bits // chosen.w)
            turns += (digits - 1) * -(-max(0, 2**chosen.w + 1 - chosen.w * slots) // slots)
        ends = self._first_turn + self._turn - 1 + self._reduction
        return ends + (turns - 1) * slots

    @property
    def round_cycles(self) -> int:
        """The cycles from a request to the next one of the same of several chains."""
        slots = self.period
        return -(-(self._in_turn_cycles + 2) // slots) * slots

    def setup_cycles(self, bits: int) -> Cycles:
        """Return the cycles of a load of a modulus of ``bits`` bits: mf_modexp_setup's."""
        part = self.multiplier.contract
        found = setup_parameters(part)
        x, words = found["RBits"], -(-(self.width + 2) // self.adder)
        doublings = x - bits + 1 + x.bit_count()
        squarings = x.bit_length() - 1
        start = found["InverseBits"] * (words + 1) + 2 * words + 1
        decisions = 1 + squarings + x.bit_count()
        product = part.turn.later(self._reduction)
        around = start + 2 * words * doublings + decisions + 2 * squarings
        return Cycles(
            around + squarings * product.minimum,
            around + squarings * product.maximum,
            part.latency.is_fixed,
        )

    @property
    def _exponent_bits(self) -> int:
        if self.algorithm == F4:
            return F4_BITS
        return self.exponent_bits or self.width

    @property
    def _words(self) -> int:
        """The words of a pass of the word-serial unit."""
        part = self.multiplier.contract
        bits = self.width + 2
        if not part.result_bound.signed:
            bits = max(bits, part.operand_encoding.width)
        return -(-bits // self.adder)

    @property
    def _first_turn(self) -> int:
        """Least cycles of the first turn: the check of x, the first digit."""
        return max(self._words + 2, self.plan.w + 6)

    @property
    def _reduction(self) -> int:
        return _passes(self.multiplier.contract) * (1 + self._words)

    def _fixed_cycles(self, turns: int, length: int) -> int:
        """Return the latency over a multiplier of fixed latency."""
        turn = self._turn
        if self.chains > 1:
            return self._in_turn_cycles
        first = max(0, self._first_turn - turn)
        return turns * turn + self._scan_waits(length) + first + self._reduction

    def _scan_waits(self, length: int) -> int:
        """Return the most cycles in which products of a window wait for scans of the table."""
        chosen = self.plan
        if chosen.algorithm != WINDOW:
            return 0
        digits = -(-max(length, 1) // chosen.w)
        return (digits - 1) * max(0, (1 << chosen.w) + 1 - chosen.w * self._turn)

    def _data_dependent_cycles(self, steps: Steps, n: int) -> int:
        """Return the latency over a multiplier whose latency depends on data: turn after turn."""
        part = self.multiplier
        around = part.contract.handover + 2
        chosen = self.plan
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
                lasts = max(part.cycle_model(a=a, b=b, n=n) + around for a, b in turn.operands)
                edge += max(lasts, self._first_turn) if turn.step == "enter" else lasts
                turn = steps.send([part.golden_model(a=a, b=b, n=n) for a, b in turn.operands])
        except StopIteration:
            return edge + self._reduction

    def latency_of(self, turns: Cycles, length: int) -> Cycles:
        """Return the latency of ``turns`` for exponents of ``length`` bits.

        It is exact, or bounds where the multiplier's latency depends on data.
        """
        part = self.multiplier.contract
        if part.latency.is_fixed:
            shortest, longest = (
                self._fixed_cycles(number, length) for number in (turns.minimum, turns.maximum)
            )
            return Cycles(shortest, longest)
        ends = self._scan_waits(length) + self._first_turn + self._reduction
        return Cycles(
            turns.minimum * part.turn.minimum + self._reduction,
            turns.maximum * part.turn.maximum + ends,
            attained=False,
        )

    @property
    def _latency(self) -> Cycles:
        """The latency between the shortest and the longest exponent."""
        bits, chosen = self._exponent_bits, self.plan
        (fewest, _), (_, most) = chosen.bounds(0), chosen.bounds(bits)
        shortest = self.latency_of(Cycles.fixed(fewest), 0)
        longest = self.latency_of(Cycles.fixed(most), bits)
        return Cycles(shortest.minimum, longest.maximum, longest.attained)


def _check_derivable(part: Core) -> None:
    """Raise ParameterError for a multiplier whose constants mf_modexp_setup can't derive."""
    contract = part.contract
    fields = contract.constants_spec
    if others := [each for each in fields if not isinstance(each.derivation, Derivation)]:
        names = ", ".join(field.name for field in others)
        raise ParameterError(
            f"parameter constants = {HARDWARE} is not legal with {part.name}: its"
            f" {names} does not follow from n by additions and shifts (nearest legal: {HOST})."
        )
    assert contract.r & (contract.r - 1) == 0
    assert len(fields) <= SETUP_CONSTANTS
    assert len({(d.bits, d.signed) for d in _derivations(contract)}) <= 1


def _derivations(contract: Contract) -> list[Derivation]:
    found = (field.derivation for field in contract.constants_spec)
    return [each for each in found if isinstance(each, Derivation)]


def setup_parameters(contract: Contract) -> dict[str, int]:
    """Return the parameters of mf_modexp_setup for a multiplier with this contract."""
    fields, derivations = contract.constants_spec, _derivations(contract)
    kinds = [found.number for found in derivations]
    kinds += [NO_DERIVATION] * (SETUP_CONSTANTS - len(kinds))
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


def _passes(contract: Contract) -> int:
    """Return the number of conditional subtractions that make a result canonical."""
    return 1 if contract.result_bound.signed else contract.corrections.bit_length()
