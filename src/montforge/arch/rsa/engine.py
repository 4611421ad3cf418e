# SPDX-License-Identifier: Apache-2.0
"""The RSA engine as a design: its parameters, its RTL, its turns.

It is no `Core` of one function: its operands come in words through a window, its operations are
several, and its moduli are products of two primes, which come with a key.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import ClassVar

from montforge.arch.base import Citation, Core, Design, part_files
from montforge.arch.engine_contract import EngineContract
from montforge.arch.modexp import AUTO, BLOCK
from montforge.arch.parameter import (
    CLOSED_PART,
    FIXED_LATENCY,
    MULTIPLIER,
    Need,
    choice,
    integer,
    number,
    optional_part,
    part,
)
from montforge.arch.rsa.contract import contract_of
from montforge.arch.rsa.ports import bus_ports
from montforge.contract import NO_DERIVATION, Contract, Derivation, Port
from montforge.errors import ParameterError
from montforge.hardware import Hardware, rtl_root
from montforge.hardware.axi import BUS_FILES
from montforge.hardware.forms import AXI, AXIS
from montforge.hardware.parts import carrier_parameters, constant_bits
from montforge.programs import rsa
from montforge.programs.rsa import CHECK_PQ, CHECKS

RTL_FILES = (
    "prim/mf_derivation_pkg.sv",
    "prim/mf_ram.sv",
    "modexp/mf_modexp_table.sv",
    "prim/xilinx/DSP48E2.sv",
    "prim/xilinx/mf_dsp48e2.sv",
    "prim/lattice/MULT18X18D.sv",
    "prim/lattice/mf_word_multiplier_ecp5.sv",
    "prim/mf_word_multiplier.sv",
    "engine/mf_engine_pkg.sv",
    "engine/mf_engine_memory.sv",
    "engine/mf_engine_step.sv",
    "engine/mf_engine_product.sv",
    "engine/mf_engine_words.sv",
    "engine/mf_engine_windows.sv",
    "engine/mf_engine_job.sv",
    "engine/mf_engine_guard.sv",
    "engine/mf_engine_wipe.sv",
    "engine/mf_engine_control.sv",
    "rsa/mf_rsa_pkg.sv",
    "rsa/mf_rsa_exponentiator.sv",
    "rsa/mf_rsa_rows.sv",
    "rsa/mf_rsa_program.sv",
    "rsa/mf_rsa.sv",
)
HALF_CLOCK = "half_clk_i"
"""The exponentiators' clock, if they have one of their own."""
WORDS = "words"
TABLES = (AUTO, BLOCK, WORDS)
"""Where the tables of powers are: as in ``modexp``, or in block RAM word by word."""
COUNTS = re.compile(r"int unsigned (\w+)Variables = (\d+);")
DSP_BLOCKS = {"dsp48e2": 1, "ecp5": 2}
"""Numbers of DSP blocks in the RTL, by the values of a multiplier's parameters that name them."""
CHECKED_BITS = 40
"""Bits of 32 in memory."""
MOST_CORRECTIONS = 6
LARGEST_SCALE = 61
WINDOW = "window"
"""The form without a bus: the words of the engine."""
TOPS = {WINDOW: "mf_rsa", AXI: "mf_rsa_axi", AXIS: "mf_rsa_axis"}
BUS: dict[str, tuple[str, ...]] = {
    WINDOW: (),
    AXI: (*BUS_FILES, "bus/mf_rsa_axi.sv"),
    AXIS: ("bus/mf_rsa_axis.sv",),
}
MIN_BITS = 512
CHECKED = {"pq": "modulo p and q", "n": "modulo n", "both": "modulo p and q, and modulo n"}
NEEDS = (
    MULTIPLIER,
    Need("of any odd modulus", lambda contract: contract.modulus.only is None),
    CLOSED_PART,
    FIXED_LATENCY,
    Need("one with R a power of 2", lambda contract: contract.r & (contract.r - 1) == 0),
    Need(
        f"one whose results take {MOST_CORRECTIONS} subtractions of n at most, or are in"
        f" [0, 2^(s + 1) n) for an s of up to {LARGEST_SCALE}",
        lambda contract: (
            contract.corrections <= MOST_CORRECTIONS or 0 < _scale(contract) <= LARGEST_SCALE
        ),
    ),
)
RAISED_ONCE = Derivation("raised", 1)


@dataclass(frozen=True)
class Engine(Design):
    """An RSA engine over a multiplier of half its width, and for ``public`` one of full width.

    Beside the range of each parameter: multipliers are closed, of fixed latency, of any odd
    modulus, with R a power of 2 and constants that the engine can make.
    """

    name = "rsa"
    title = "RSA engine: private operations by CRT with blinding and a check before release"
    family = "engine"
    citation = Citation(
        "J.-J. Quisquater, C. Couvreur",
        "Fast decipherment algorithm for RSA public-key cryptosystem",
        "Electronics Letters 18(21)",
        1982,
    )
    formulas = (
        ("turn", "latency + handover of the multiplier + 2 cycles"),
        ("bits of p and q", "ceil(bits / 2)"),
        ("blinded exponent", "d + k (p - 1), k of eblind fresh bits"),
    )
    default_form = WINDOW
    folder_form = AXI
    size_parameter = "bits"
    declassified: ClassVar = {
        "*public_word": "a public exponent",
        "*public_nonzero": "whether a public exponent is zero",
        "*u_guard.holds_o": "which conditions of the program's rows hold",
        "*u_control.integrity_i": "whether check bits or copies differ, as faults make them",
        "*u_windows.read_bad": "whether those of a word that the host reads do",
        "*u_control.random_error_i": "whether four random words in a row are equal",
    }
    netlist_is_always_simulated = False  # as that takes long for engines of many bits

    bits: int = integer("bits of the longest n", 2048, minimum=32, maximum=4096)
    core: Core = part("the multiplier of a half", "booth_csa", *NEEDS)
    window: int = integer("bits of a digit of the exponent", 5, minimum=2, maximum=6)
    halves: int = number("exponentiators", 2, (1, 2))
    eblind: int = number("bits of the exponents' blinding", 64, (0, 64))
    slots: int = integer("keys", 1, minimum=1, maximum=16)
    adder: int = number("bits of a word", 32, (32, 64))
    min_bits: int = integer("bits of the shortest n", 512, minimum=16, maximum=4096)
    public: int = number("1: a third exponentiator, for x^e mod n with the host's n", 0, (0, 1))
    public_core: Core | None = optional_part("its multiplier, if not core's", *NEEDS)
    check_by: str = choice(
        "a result y is released if y^e = c modulo p and q (pq), modulo n on the third"
        " exponentiator (n), or in both ways (both)",
        CHECK_PQ,
        CHECKS,
        name="check",
    )
    table: str = choice(
        "tables of powers as the tool takes them (auto), in block RAM of an FPGA (block), or there"
        " word by word (words): few memories, read in 2^window cycles for each word of an operand",
        AUTO,
        TABLES,
    )
    half_clock: int = integer(
        "cycles of the exponentiators' clock in one of the others'; 1: one clock for all",
        1,
        minimum=1,
        maximum=4,
    )
    form: str = field(default=WINDOW, kw_only=True)

    @classmethod
    def defaults(cls, given: Mapping[str, object]) -> Mapping[str, object]:
        """Return a shortest n that is no longer than the longest one."""
        bits = given.get("bits", MIN_BITS)
        number = int(bits, 0) if isinstance(bits, str) and bits.isdecimal() else bits
        return {"min_bits": min(MIN_BITS, number)} if isinstance(number, int) else {}

    def part_parameters(self, name: str) -> dict[str, int | str]:
        """Return the width of a multiplier."""
        return {"width": self.half_bits if name == "core" else self.bits}

    def check(self) -> None:
        """Refuse values that contradict others, and multipliers that the engine can't use."""
        if self.min_bits > self.bits:
            reason = "is out of range; min_bits must be at most bits"
            raise self.illegal("min_bits", reason, self.bits)
        if not self.public and (self.public_core or self.check_by != CHECK_PQ):
            name = "public_core" if self.public_core else "check"
            raise self.illegal(name, "needs the exponentiator of full width", "public = 1")
        _check_core(self.multiplier, self.half_bits)
        if self.public:
            _check_core(self.public_multiplier, self.bits)
        if self.table == WORDS:
            for halves, multiplier in enumerate(self._multipliers, start=1):
                encoding = multiplier.contract.operand_encoding
                room = halves * self.half_words * self.adder
                if encoding.carry_width or encoding.width > room:
                    reason = f"is for binary operands, here of {room} bits; {multiplier} has others"
                    raise self.illegal("table", reason, BLOCK)

    @property
    def multiplier(self) -> Core:
        """The multiplier of one half."""
        return self.core

    @cached_property
    def public_multiplier(self) -> Core:
        """The multiplier of full width."""
        return self.public_core or self.core.replace(width=self.bits)

    @property
    def _multipliers(self) -> list[Core]:
        """The multipliers that are different."""
        return [self.multiplier, *([self.public_multiplier] if self.public else [])]

    @property
    def half_bits(self) -> int:
        """Bits of the longest p and q."""
        return -(-self.bits // 2)

    @property
    def half_words(self) -> int:
        """Words of a half's value: two bits more than it has, its constants, at least 64 bits.

        With a scaled multiplier, its results, and the product that a quotient is estimated by.
        """
        scale = self.scale
        bits = max(self.half_bits + 2 + scale, constant_bits(self.multiplier.contract), 64)
        if self.public:
            bits = max(bits, -(-constant_bits(self.public_multiplier.contract) // 2))
        if scale:
            bits = max(bits, 2 * scale + 6)
        return -(-bits // self.adder)

    @property
    def scale(self) -> int:
        """Results of a scaled multiplier are below 2^(scale + 1) n; 0 if none is scaled."""
        return max(_scale(multiplier.contract) for multiplier in self._multipliers)

    @property
    def turn(self) -> int:
        """Cycles of the exponentiators' clock between two dependent multiplications."""
        return self.multiplier.contract.turn.minimum

    def turn_cycles(self, turns: int) -> int:
        """Return the cycles of clk_i that ``turns`` take at least."""
        return turns * self.turn // self.half_clock

    @property
    def _of_clock(self) -> str:
        return f" of {HALF_CLOCK}, {self.half_clock} in one of clk_i" * (self.half_clock > 1)

    @property
    def public_exponent(self) -> int:
        """The public exponent that figures are for: 65537, or 17 if primes can be shorter."""
        return 65537 if self.half_bits > 17 else 17

    def turns(self, n_bits: int, e: int) -> tuple[int, ...]:
        """Return the multiplications of each exponentiator in a private operation."""
        digits = -(-(-(-n_bits // 2) + self.eblind) // self.window)
        window = 2**self.window - 2 + (digits - 1) * (self.window + 1)
        power = e.bit_length() + e.bit_count() - 2
        of_p, of_q = (
            found.products + found.windows * window + found.powers * power
            for found in (rsa.turns("Private", half, self.check_by) for half in (rsa.P, rsa.Q))
        )
        return (of_p, of_q) if self.halves == 2 else (of_p + of_q,)

    @property
    def slot_variables(self) -> int:
        """Variables of a slot."""
        count = variables()
        if self.scale:
            return count["Slot"] + count["Full"] + count["Estimate"]
        return count["Slot"] + count["Full"] * (self.check_by != CHECK_PQ)

    @property
    def identifier(self) -> str:
        """A readable identifier, unique for the parameters and the bus: bits, those of the others
        that are not the defaults, and the multipliers.
        """
        own = [
            f"{spec.name}{value}"
            for spec in self.specs()
            if not spec.is_part
            and spec.name not in ("bits", "public")
            and (value := getattr(self, spec.attribute)) != spec.default
        ]
        full = ["public", self.public_multiplier.identifier] if self.public else []
        names = ["rsa", f"bits{self.bits}", *own, self.multiplier.identifier, *full]
        return "_".join([*names, *[AXIS] * (self.form == AXIS)])

    @property
    def forms(self) -> tuple[str, ...]:
        """The window of words without a bus, AXI4-Lite registers, AXI4-Stream packets."""
        return (WINDOW, AXI, AXIS)

    @property
    def timing(self) -> str:
        """The public values that a private operation's cycles follow."""
        return "by n_bits, e"

    @property
    def notes(self) -> tuple[str, ...]:
        """The top that is measured, and the operation whose cycles a row has."""
        bus = ("Of mf_rsa, without a bus.",) if self.form == WINDOW else ()
        ratio = self.half_clock
        clocks = f"Cycles and period are those of clk_i; {HALF_CLOCK} has {ratio} in one of clk_i."
        return (
            *bus,
            *([clocks] if ratio > 1 else []),
            f"Cycles and latency are those of a private operation of {self.bits} bits,"
            f" e = {self.public_exponent}.",
        )

    @property
    def figures(self) -> dict[str, float]:
        """Cycles of a turn, and turns of a private operation of all bits."""
        turns = self.turns(self.bits, self.public_exponent)
        return {"turn_cycles": self.turn, "turns": max(turns), "memory bits": self.memory_bits}

    @property
    def contract(self) -> EngineContract:
        """Operations, registers and errors."""
        return contract_of(self.summary, public=bool(self.public))

    @property
    def summary(self) -> tuple[str, ...]:
        """Facts that the parameters decide: turns, cycles of a turn, multipliers."""
        e = self.public_exponent
        turns = max(self.turns(self.bits, e))
        full = [f"multiplier of full width: {self.public_multiplier}"] if self.public else []
        return (
            f"n: {self.min_bits} to {self.bits} bits, {self.slots} key(s)",
            f"multiplier of a half: {self.multiplier}, {self.turn} cycles a turn{self._of_clock}",
            f"private operation of {self.bits} bits with e = {e}: {turns} turns of"
            f" {self.halves} exponentiator(s), {self.turn_cycles(turns)} cycles, and word"
            " operations (montforge cycles rsa counts all of them in simulation)",
            f"a result is checked {CHECKED[self.check_by]}",
            *full,
        )

    @property
    def ports(self) -> tuple[Port, ...]:
        """The ports of the top of a form with a bus, whose widths do not depend on parameters."""
        if self.form == WINDOW:
            return ()
        return tuple(
            port
            for port in bus_ports(TOPS[self.form])
            if self.half_clock > 1 or port.name != HALF_CLOCK
        )

    @property
    def connections(self) -> Mapping[str, str]:
        """The signals at the ports of the top: a clock that is not used is the other one."""
        return {HALF_CLOCK: "clk_i"} | dict(super().connections)

    @property
    def memories(self) -> tuple[str, ...]:
        """The modules that are memory macros on a chip."""
        return ("mf_engine_memory", "mf_modexp_table", *(("mf_ram",) if self.table != AUTO else ()))

    @property
    def memory_bits(self) -> int:
        """The bits of all memories: words with their check bits, and tables of powers."""
        slots = (self.slots + self.public) * self.slot_variables
        count = variables()
        words = 2 * self.half_words * (slots + count["Work"] + count["Host"])
        if self.table == WORDS:
            table = (self.halves + 2 * self.public) * self.half_words * self.adder
        else:
            entries = [self.multiplier] * self.halves + [self.public_multiplier] * self.public
            table = sum(
                encoding.width + max(1, encoding.carry_width)
                for encoding in (part.contract.operand_encoding for part in entries)
            )
        return words * self.adder // 32 * CHECKED_BITS + (table << self.window)

    @cached_property
    def hardware(self) -> Hardware:
        """The engine, mf_rsa, behind the bus of its form."""
        behind = [rtl_root() / name for name in BUS[self.form]]
        return Hardware(
            self.identifier,
            TOPS[self.form],
            (*self._files, *behind),
            self._top_parameters,
            self.memories,
            self.memory_bits,
            fast_clocks={HALF_CLOCK: self.half_clock} if self.half_clock > 1 else {},
        )

    @property
    def _files(self) -> tuple[Path, ...]:
        """The SystemVerilog files in compile order."""
        parts = {"mf_rsa_multiplier": self.multiplier}
        if self.public:
            parts["mf_rsa_public_multiplier"] = self.public_multiplier
        found = part_files(parts) + [rtl_root() / name for name in RTL_FILES]
        return tuple(dict.fromkeys(found))

    @property
    def _block(self) -> int:
        """The DSP block of the multiplier, which the word unit's products take too; 0: none."""
        named = DSP_BLOCKS.keys() & self.multiplier.parameters.values()
        return max((DSP_BLOCKS[name] for name in named), default=0)

    @property
    def _top_parameters(self) -> dict[str, int]:
        """Parameter values of the top module."""
        values = {
            "Bits": self.bits,
            "MinBits": self.min_bits,
            "Window": self.window,
            "Halves": self.halves,
            "Eblind": self.eblind,
            "Slots": self.slots,
            "A": self.adder,
            **_facts(self.multiplier.contract),
            "TableBlock": int(self.table == BLOCK),
            "TableWords": int(self.table == WORDS),
            "HalfClock": self.half_clock,
            "Block": self._block,
        }
        if self.public:
            facts = _facts(self.public_multiplier.contract)
            values |= {"Public": 1, **{f"Public{name}": value for name, value in facts.items()}}
            values["Check"] = CHECKS.index(self.check_by)
        return values


@cache
def variables() -> dict[str, int]:
    """Return the numbers of variables in ``mf_rsa_pkg``, by region: two values of a half each."""
    found = COUNTS.findall((rtl_root() / "rsa/mf_rsa_pkg.sv").read_text(encoding="utf-8"))
    return {region: int(number) for region, number in found}


def _check_core(multiplier: Core, bits: int) -> None:
    """Raise ParameterError for a multiplier of ``bits`` that is too slow, or has odd constants."""
    if multiplier.contract.turn.minimum > 4 * bits + 64:
        raise ParameterError(
            f"{multiplier} can't be the engine's core: it must be faster (4 bits + 64 cycles a"
            " turn at most)."
        )
    _constants(multiplier.contract)


def _facts(contract: Contract) -> dict[str, int]:
    """Return the RTL parameters that follow from a multiplier's contract."""
    kind, inverse_bits, signed = _constants(contract)
    scale = _scale(contract)
    return {
        "RExponent": contract.r.bit_length() - 1,
        "ConstantKind": kind,
        "InverseBits": inverse_bits,
        "InverseSigned": int(signed),
        "ConstantBits": max(1, constant_bits(contract)),
        **carrier_parameters(contract),
        "Corrections": 1 if scale else contract.corrections,  # one after an estimate
        "Scale": scale,
    }


def _scale(contract: Contract) -> int:
    """Return s for results in [0, 2^(s + 1) n) that take too many subtractions of n, or else 0."""
    if contract.corrections <= MOST_CORRECTIONS or contract.result_bound.signed:
        return 0
    return contract.corrections.bit_length() - 1


def _is_made(derivation: Derivation) -> bool:
    return derivation == RAISED_ONCE or derivation.kind != RAISED_ONCE.kind


def _constants(contract: Contract) -> tuple[int, int, bool]:
    """Return how the engine makes a multiplier's constant: kind, steps, signed."""
    fields = contract.constants_spec
    if not fields:
        return NO_DERIVATION, 1, False
    found = fields[0].derivation
    if len(fields) == 1 and isinstance(found, Derivation) and _is_made(found):
        return found.number, found.bits, found.signed
    names = ", ".join(f"{field.name} = {field.meaning}" for field in fields)
    raise ParameterError(
        f"{contract.architecture} can't be the engine's core: the engine makes no {names}; it"
        " has n + 1, and of m = -n^-1 mod 2^b: m, (n m + 1) / 2^b, n 2^b + m."
    )
