# SPDX-License-Identifier: Apache-2.0
"""The RSA engine as a design: its parameters, its RTL, its turns.

It is no core of a `Contract`: its operands come in words through a window, its operations are
several, and its moduli are products of two primes, which come with a key. So the generic bench does
not fit, and `montforge.verify.engine_bench` drives it over the window.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from pathlib import Path

from montforge.arch import Design, design
from montforge.arch.base import part_wrapper
from montforge.arch.modexp import AUTO, BLOCK
from montforge.contract import NO_DERIVATION, Contract, Derivation
from montforge.errors import ParameterError, unknown_name
from montforge.hardware import Hardware, rtl_root
from montforge.hardware.axi import BUS_FILES
from montforge.hardware.parts import constant_bits
from montforge.programs import rsa
from montforge.programs.rsa import CHECK_PQ, CHECKS

RTL_FILES = (
    "prim/mf_derivation_pkg.sv",
    "prim/mf_ram.sv",
    "modexp/mf_modexp_table.sv",
    "engine/mf_engine_pkg.sv",
    "engine/mf_engine_memory.sv",
    "engine/mf_engine_words.sv",
    "engine/mf_engine_windows.sv",
    "engine/mf_engine_job.sv",
    "engine/mf_engine_guard.sv",
    "engine/mf_engine_wipe.sv",
    "engine/mf_engine_control.sv",
    "rsa/mf_rsa_pkg.sv",
    "rsa/mf_rsa_half.sv",
    "rsa/mf_rsa_exponentiator.sv",
    "rsa/mf_rsa_rows.sv",
    "rsa/mf_rsa_program.sv",
    "rsa/mf_rsa.sv",
)
WORDS = "words"
TABLES = (AUTO, BLOCK, WORDS)
"""Where the tables of powers are: as in ``modexp``, or in block RAM word by word."""
SLOT_VARIABLES, FULL_VARIABLES, ESTIMATE_VARIABLES = 10, 2, 2
WORK_VARIABLES, HOST_VARIABLES = 12, 6
"""As mf_rsa_pkg has them: two values of `Engine.half_words` each."""
CHECKED_BITS = 40
"""Bits of 32 in memory."""
MOST_CORRECTIONS = 6
LARGEST_SCALE = 61
PARAMETERS = "_parameters"
OWN = ("window", "halves", "eblind", "slots", "adder", "min_bits", "check", "table")
"""Parameters beside the bits that are not those of multipliers."""
AXI_TOP = "mf_rsa_axi"
RAISED_ONCE = Derivation("raised", 1)


@dataclass(frozen=True)
class Engine:
    """An RSA engine over a multiplier of half its width.

    ``core``: the multiplier's architecture; ``core_parameters`` its parameters but the width.
    ``bits``, ``min_bits``: of the longest and the shortest n; ``window``: bits of a digit;
    ``halves``: exponentiators; ``eblind``: bits of the exponents' blinding; ``adder``: bits of a
    word; ``public``: 1 for a third exponentiator, of full width, for x^e mod n with the host's n,
    over ``core`` again or over ``public_core`` with parameters of its own; ``check``: a result y is
    released if y^e = c modulo p and q (``pq``), modulo n on the third exponentiator (``n``), or in
    both ways (``both``); ``table``: tables of powers as the tool takes them (``auto``), in block
    RAM of an FPGA (``block``), or there word by word (``words``): few memories, which are read in
    2^window cycles for each word of an operand. Raises ParameterError for values that are not
    legal, and for multipliers that are not closed, not of fixed latency, or whose constants the
    engine can't make.
    """

    bits: int = 2048
    core: str = "booth_csa"
    core_parameters: tuple[tuple[str, int | str], ...] = ()
    window: int = 5
    halves: int = 2
    eblind: int = 64
    slots: int = 1
    adder: int = 32
    min_bits: int = 512
    public: int = 0
    public_core: str = ""
    public_core_parameters: tuple[tuple[str, int | str], ...] = ()
    check: str = CHECK_PQ
    table: str = AUTO

    def __post_init__(self) -> None:
        """Check all parameters."""
        _check("bits", self.bits, range(32, 4097))
        _check("window", self.window, range(2, 7))
        _check("halves", self.halves, (1, 2))
        _check("eblind", self.eblind, (0, 64))
        _check("slots", self.slots, range(1, 17))
        _check("adder", self.adder, (32, 64))
        _check("min_bits", self.min_bits, range(16, self.bits + 1))
        _check("public", self.public, (0, 1))
        for name, legal in (("check", CHECKS), ("table", TABLES)):
            value = getattr(self, name)
            if value not in legal:
                raise ParameterError(str(unknown_name(f"value of {name}", value, legal)))
        if not self.public and (self.public_core or self.check != CHECK_PQ):
            name = "public_core" if self.public_core else "check"
            raise ParameterError(
                f"parameter {name} = {getattr(self, name)} needs the exponentiator of full width:"
                " public must be 1 (nearest legal: public = 1)."
            )
        if self.public_core_parameters and not self.public_core:
            raise ParameterError(
                "public_core.* are parameters of public_core, which is not given; those of core"
                " hold for both exponentiators."
            )
        for part, given in (
            ("core", self.core_parameters),
            ("public_core", self.public_core_parameters),
        ):
            if "width" in dict(given):
                raise ParameterError(f"parameter {part}.width can't be set: it follows from bits.")
        _check_core(self.multiplier, self.half_bits)
        if self.public:
            _check_core(self.public_multiplier, self.bits)
        if self.table == WORDS:
            for halves, multiplier in enumerate(self._multipliers, start=1):
                encoding = multiplier.contract.operand_encoding
                room = halves * self.half_words * self.adder
                if encoding.carry_width or encoding.width > room:
                    raise ParameterError(
                        f"parameter table = {WORDS} is for operands that are binary, of {room} bits"
                        f" here; those of {multiplier} are not (nearest legal: table = {BLOCK})."
                    )

    @cached_property
    def multiplier(self) -> Design:
        """The multiplier of one half."""
        return design(self.core, **dict(self.core_parameters), width=self.half_bits)

    @cached_property
    def public_multiplier(self) -> Design:
        """The multiplier of full width."""
        if not self.public_core:
            return design(self.core, **dict(self.core_parameters), width=self.bits)
        return design(self.public_core, **dict(self.public_core_parameters), width=self.bits)

    @property
    def _multipliers(self) -> list[Design]:
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
        """Cycles between two dependent multiplications."""
        return _turn(self.multiplier)

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
            for found in (rsa.turns("Private", half, self.check) for half in (rsa.P, rsa.Q))
        )
        return (of_p, of_q) if self.halves == 2 else (of_p + of_q,)

    @property
    def slot_variables(self) -> int:
        """Variables of a slot."""
        if self.scale:
            return SLOT_VARIABLES + FULL_VARIABLES + ESTIMATE_VARIABLES
        return SLOT_VARIABLES + FULL_VARIABLES * (self.check != CHECK_PQ)

    @property
    def identifier(self) -> str:
        """A readable identifier, unique for the parameters: bits, those of the others that are
        not the defaults, and the multipliers.
        """
        own = [
            f"{entry.name}{getattr(self, entry.name)}"
            for entry in fields(self)
            if entry.name in OWN and getattr(self, entry.name) != entry.default
        ]
        full = ["public", self.public_multiplier.identifier] if self.public else []
        return "_".join(["rsa", f"bits{self.bits}", *own, self.multiplier.identifier, *full])

    @property
    def parameters(self) -> dict[str, int | str]:
        """The values of all parameters, in the order of declaration."""
        values: dict[str, int | str] = {}
        for entry in fields(self):
            value = getattr(self, entry.name)
            if entry.name.endswith(PARAMETERS):
                part = entry.name.removesuffix(PARAMETERS)
                values |= {f"{part}.{name}": given for name, given in value}
            elif entry.init and value != "":
                values[entry.name] = value
        return values

    @property
    def words(self) -> tuple[str, ...]:
        """What names this engine on a command line."""
        given = (("-p", f"{name}={value}") for name, value in self.parameters.items())
        return ("rsa", *(word for pair in given for word in pair))

    @property
    def memories(self) -> tuple[str, ...]:
        """The modules that are memory macros on a chip."""
        return ("mf_engine_memory", "mf_modexp_table", *(("mf_ram",) if self.table != AUTO else ()))

    @property
    def memory_bits(self) -> int:
        """The bits of all memories: words with their check bits, and tables of powers."""
        slots = (self.slots + self.public) * self.slot_variables
        words = 2 * self.half_words * (slots + WORK_VARIABLES + HOST_VARIABLES)
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
        """The engine without a bus, mf_rsa."""
        return Hardware(
            self.identifier,
            "mf_rsa",
            self._files,
            self._top_parameters,
            self.memories,
            self.memory_bits,
        )

    @property
    def _files(self) -> tuple[Path, ...]:
        """The SystemVerilog files in compile order."""
        parts = {"mf_rsa_multiplier": self.multiplier}
        if self.public:
            parts["mf_rsa_public_multiplier"] = self.public_multiplier
        found = [path for part in parts.values() for path in part.hardware.files]
        found += [part_wrapper(name, part) for name, part in parts.items()]
        found += [rtl_root() / name for name in RTL_FILES]
        return tuple(dict.fromkeys(found))

    @property
    def _top_parameters(self) -> dict[str, int]:
        """Parameter values of the top module."""
        contract = self.multiplier.contract
        operand, result = contract.operand_encoding, contract.result_encoding
        kind, inverse_bits, signed = _constants(contract)
        values = {
            "Bits": self.bits,
            "MinBits": self.min_bits,
            "Window": self.window,
            "Halves": self.halves,
            "Eblind": self.eblind,
            "Slots": self.slots,
            "A": self.adder,
            "RExponent": contract.r.bit_length() - 1,
            "ConstantKind": kind,
            "InverseBits": inverse_bits,
            "InverseSigned": int(signed),
            "ConstantBits": max(1, constant_bits(contract)),
            "SumBits": operand.width,
            "CarryBits": operand.carry_width,
            "ResultSumBits": result.width,
            "ResultCarryBits": result.carry_width,
            "Signed": int(contract.result_bound.signed),
            "Corrections": _corrections(contract),
            "Scale": _scale(contract),
            "TableBlock": int(self.table == BLOCK),
            "TableWords": int(self.table == WORDS),
        }
        if self.public:
            contract = self.public_multiplier.contract
            operand, result = contract.operand_encoding, contract.result_encoding
            kind, inverse_bits, signed = _constants(contract)
            values |= {
                "Public": 1,
                "PublicRExponent": contract.r.bit_length() - 1,
                "PublicConstantKind": kind,
                "PublicInverseBits": inverse_bits,
                "PublicInverseSigned": int(signed),
                "PublicConstantBits": max(1, constant_bits(contract)),
                "PublicSumBits": operand.width,
                "PublicCarryBits": operand.carry_width,
                "PublicResultSumBits": result.width,
                "PublicResultCarryBits": result.carry_width,
                "PublicSigned": int(contract.result_bound.signed),
                "PublicCorrections": _corrections(contract),
                "PublicScale": _scale(contract),
                "Check": CHECKS.index(self.check),
            }
        return values

    def __str__(self) -> str:
        return f"rsa({', '.join(f'{name}={value}' for name, value in self.parameters.items())})"


def axi_hardware(engine: Engine, *, host_random: bool = False) -> Hardware:
    """Return an RSA engine behind AXI4-Lite: mf_rsa_axi.

    With ``host_random`` random words come from register RANDOM, else from the random port.
    """
    files = [rtl_root() / name for name in (*BUS_FILES, f"bus/{AXI_TOP}.sv")]
    return _behind(engine, AXI_TOP, files, {"HostRandom": 1} if host_random else {})


def axis_hardware(engine: Engine) -> Hardware:
    """Return an RSA engine with AXI4-Stream: mf_rsa_axis."""
    return _behind(engine, "mf_rsa_axis", [rtl_root() / "bus/mf_rsa_axis.sv"], {})


def _behind(
    engine: Engine, top: str, files: Sequence[Path], parameters: Mapping[str, int]
) -> Hardware:
    whole = (*engine.hardware.files, *files)
    values = {**engine.hardware.parameters, **parameters}
    return replace(engine.hardware, top=top, files=whole, parameters=values)


def _turn(multiplier: Design) -> int:
    """Return the cycles between two dependent multiplications."""
    contract = multiplier.contract
    return contract.latency.minimum + contract.handover + 2


def _check_core(multiplier: Design, bits: int) -> None:
    """Raise ParameterError for a multiplier of ``bits`` that the engine can't use."""
    contract = multiplier.contract
    for holds, text in (
        (contract.function.name == "montgomery_product", "a Montgomery multiplier"),
        (contract.modulus.only is None, "of any odd modulus"),
        (contract.closed, "closed (results are legal operands)"),
        (contract.latency.is_fixed, "of fixed latency"),
        (contract.r & (contract.r - 1) == 0, "one with R a power of 2"),
        (
            contract.corrections <= MOST_CORRECTIONS or 0 < _scale(contract) <= LARGEST_SCALE,
            f"one whose results take {MOST_CORRECTIONS} subtractions of n at most, or are in"
            f" [0, 2^(s + 1) n) for an s of up to {LARGEST_SCALE}",
        ),
        (_turn(multiplier) <= 4 * bits + 64, "faster (4 bits + 64 cycles a turn at most)"),
    ):
        if not holds:
            raise ParameterError(f"{multiplier} can't be the engine's core: it must be {text}.")
    _constants(contract)


def _corrections(contract: Contract) -> int:
    """Return the subtractions of n that are left after an estimate of the quotient, if any."""
    return 1 if _scale(contract) else contract.corrections


def _scale(contract: Contract) -> int:
    """Return s for results in [0, 2^(s + 1) n) that take too many subtractions of n, or else 0."""
    if contract.corrections <= MOST_CORRECTIONS or contract.result_bound.signed:
        return 0
    return contract.corrections.bit_length() - 1


def _constants(contract: Contract) -> tuple[int, int, bool]:
    """Return how the engine makes a multiplier's constant: kind, steps, signed."""
    fields = contract.constants_spec
    if not fields:
        return NO_DERIVATION, 1, False
    derivation = fields[0].derivation
    legal = derivation == RAISED_ONCE or (derivation and derivation.kind != RAISED_ONCE.kind)
    if derivation and legal and len(fields) == 1:
        return derivation.number, derivation.bits, derivation.signed
    names = ", ".join(f"{field.name} = {field.meaning}" for field in fields)
    raise ParameterError(
        f"{contract.architecture} can't be the engine's core: the engine makes no {names}; it"
        " has n + 1, and of m = -n^-1 mod 2^b: m, (n m + 1) / 2^b, n 2^b + m."
    )


def _check(name: str, value: int, legal: range | tuple[int, ...]) -> None:
    if value not in legal:
        rule = f"{legal[0]} to {legal[-1]}" if isinstance(legal, range) else f"one of {legal}"
        nearest = min((legal[0], legal[-1]), key=lambda end: abs(end - value))
        raise ParameterError(
            f"parameter {name} = {value} is out of range; {name} must be {rule}"
            f" (nearest legal: {nearest})."
        )
