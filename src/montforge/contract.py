# SPDX-License-Identifier: Apache-2.0
"""What a multiplier promises about numbers and time, as a value.

A design computes ``p = a * b * R^-1 (mod n)``. Its `Contract` says for which moduli, within
which bounds, in which encoding, with which constants beside n, and in how many cycles. The
bench, the generator, the reports and the users rely on the contract, never on the architecture.
"""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from montforge.errors import OperandError


@dataclass(frozen=True)
class Bound:
    """An exclusive bound of a value, as a multiple of the modulus n.

    ``multiple`` holds for every n except those with ``n % modulo == residue``, for which
    ``exceptions`` gives ``(modulo, residue, multiple)``. A signed bound M means ``|x| < M``,
    an unsigned one ``0 <= x < M``.
    """

    multiple: int
    signed: bool = False
    exceptions: tuple[tuple[int, int, int], ...] = ()

    def multiple_for(self, n: int) -> int:
        """Return the multiple of n that bounds a value under modulus ``n``."""
        for modulo, residue, multiple in self.exceptions:
            if n % modulo == residue:
                return multiple
        return self.multiple

    def upper(self, n: int) -> int:
        """Return the exclusive upper bound of a value under modulus ``n``."""
        return self.multiple_for(n) * n

    def lower(self, n: int) -> int:
        """Return the inclusive lower bound of a value under modulus ``n``."""
        return 1 - self.upper(n) if self.signed else 0

    def contains(self, value: int, n: int) -> bool:
        """Return whether ``value`` is within the bound under modulus ``n``."""
        return self.lower(n) <= value < self.upper(n)

    def __str__(self) -> str:
        def one(multiple: int) -> str:
            top = "n" if multiple == 1 else f"{multiple}n"
            return f"-{top} < x < {top}" if self.signed else f"0 <= x < {top}"

        extra = "".join(
            f"; {one(multiple)} if n mod {modulo} = {residue}"
            for modulo, residue, multiple in self.exceptions
        )
        return one(self.multiple) + extra


@dataclass(frozen=True)
class Encoding:
    """How a value is carried by ports.

    ``binary``: one vector of ``width`` bits. ``carry_save``: a sum vector of ``width`` bits and
    a carry vector of ``carry_width`` bits whose sum is the value. ``signed`` vectors are two's
    complement (in a carry-save pair the sum vector alone is signed).
    """

    kind: Literal["binary", "carry_save"]
    width: int
    carry_width: int = 0
    signed: bool = False

    @property
    def suffixes(self) -> tuple[str, ...]:
        """Port-name suffixes of the vectors: ``("",)`` or ``("s", "c")`` (sum, carry)."""
        return ("",) if self.kind == "binary" else ("s", "c")

    @property
    def widths(self) -> tuple[int, ...]:
        """Widths in bits of the vectors, in the order of `suffixes`."""
        return (self.width,) if self.kind == "binary" else (self.width, self.carry_width)

    def encode(self, value: int, rng: random.Random | None = None) -> tuple[int, ...]:
        """Return the vectors (as unsigned bit patterns) that carry ``value``.

        A carry-save pair is a random split with ``rng``, often one of the extreme ones, and a
        zero carry vector without.
        Raises OperandError if the value does not fit.
        """
        if self.kind == "binary":
            return (self._pattern(value),)
        carry = self._random_carry(value, rng) if rng else 0
        return (self._pattern(value - carry), carry)

    def encodings(self, value: int) -> Iterator[tuple[int, ...]]:
        """Yield all vectors that carry ``value``: one, or every carry-save split."""
        carries = range(self._max_carry(value) + 1) if self.kind == "carry_save" else range(1)
        for carry in carries:
            yield (self._pattern(value - carry), carry)[: len(self.suffixes)]

    def decode(self, vectors: tuple[int, ...]) -> int:
        """Return the value that ``vectors`` (unsigned bit patterns) carry."""
        top = vectors[0]
        if self.signed and top >> (self.width - 1):
            top -= 1 << self.width
        return top + sum(vectors[1:])

    def _random_carry(self, value: int, rng: random.Random) -> int:
        largest = self._max_carry(value)
        kind = rng.random()
        if kind < 0.1:
            return 0
        if kind < 0.2:
            return largest
        if kind < 0.3:
            return min(largest, (1 << rng.randint(0, self.carry_width)) - 1)
        return rng.randrange(largest + 1)

    def _max_carry(self, value: int) -> int:
        room = value + (1 << (self.width - 1)) if self.signed else value
        return min((1 << self.carry_width) - 1, room)

    def _pattern(self, value: int) -> int:
        low, high = (
            (-(1 << (self.width - 1)), 1 << (self.width - 1))
            if self.signed
            else (0, 1 << self.width)
        )
        if not low <= value < high:
            raise OperandError(
                f"value {value:#x} does not fit its port of {self.width} bits"
                f" ({'two' + chr(39) + 's complement' if self.signed else 'unsigned'})."
            )
        return value & ((1 << self.width) - 1)


@dataclass(frozen=True)
class ModulusRule:
    """Which moduli are legal: odd, 3 <= n < 2^width, and an extra rule where one is stated."""

    width: int

    def check(self, n: int) -> None:
        """Raise OperandError, naming the rule and the nearest legal modulus, if n is illegal."""
        top = (1 << self.width) - 1
        if n >= 3 and n <= top and n % 2 == 1:
            return
        nearest = min(max(n | 1, 3), top)
        if n < 3:
            reason = f"modulus {n} is below 3"
        elif n > top:
            reason = f"modulus of {n.bit_length()} bits is wider than the design's {self.width}"
        else:
            reason = f"modulus {n:#x} is even"
        raise OperandError(
            f"{reason}; a legal modulus is odd with 3 <= n < 2^{self.width}"
            f" (nearest legal: {_short(nearest)})."
        )

    def __str__(self) -> str:
        return f"odd, 3 <= n < 2^{self.width}"


@dataclass(frozen=True)
class ConstantSpec:
    """A value that the hardware takes beside or instead of n.

    ``name`` is also the port name without ``_i``; ``width`` is in bits; ``formula`` says how
    it follows from n.
    """

    name: str
    width: int
    formula: str


@dataclass(frozen=True)
class Cycles:
    """A number of clock cycles: fixed, or depending on the data between two inclusive bounds."""

    minimum: int
    maximum: int

    @classmethod
    def fixed(cls, cycles: int) -> Cycles:
        """Return a count that never depends on data."""
        return cls(cycles, cycles)

    @property
    def is_fixed(self) -> bool:
        """Whether the count is the same for all operands and moduli."""
        return self.minimum == self.maximum

    def __str__(self) -> str:
        if self.is_fixed:
            return f"fixed({self.minimum})"
        return f"data_dependent({self.minimum}, {self.maximum})"


@dataclass(frozen=True)
class Port:
    """One port of the parallel form: ``direction`` is from the core's side, width in bits."""

    name: str
    direction: Literal["input", "output"]
    width: int
    meaning: str


ConstantsFunction = Callable[[int], Mapping[str, int]]
CycleFunction = Callable[[int, int, int], int]


@dataclass(frozen=True)
class Contract:
    """What a design promises. Two contracts are equal if all of their data are.

    A request is accepted on a rising edge where ``req_valid_i`` and ``req_ready_o`` are high.
    ``latency`` counts rising edges from there to the one that loads the final result;
    ``handover`` is how many edges later ``rsp_valid_o`` is high; ``interval`` is the distance of
    two acceptances when the consumer is always ready, for the same operation.
    """

    architecture: str
    parameters: tuple[tuple[str, int | str], ...]
    width: int
    r: int
    modulus: ModulusRule
    operand_bound: Bound
    result_bound: Bound
    operand_encoding: Encoding
    result_encoding: Encoding
    constants_spec: tuple[ConstantSpec, ...]
    takes_modulus: bool
    latency: Cycles
    handover: int
    interval: Cycles
    notes: tuple[str, ...] = ()
    constants_function: ConstantsFunction = field(
        default=lambda n: {}, repr=False, compare=False, kw_only=True
    )
    cycle_function: CycleFunction = field(repr=False, compare=False, kw_only=True)

    def constants(self, n: int) -> dict[str, int]:
        """Return the hardware constants of modulus ``n``, by name. Raises OperandError."""
        self.modulus.check(n)
        return dict(self.constants_function(n))

    def domain_constants(self, n: int) -> dict[str, int]:
        """Return ``R mod n`` and ``R^2 mod n``, which convert into the Montgomery domain."""
        self.modulus.check(n)
        return {"r_mod_n": self.r % n, "r2_mod_n": self.r * self.r % n}

    def cycles(self, a: int, b: int, n: int) -> int:
        """Return the exact latency of one operation, in cycles, from the cycle model."""
        self.check_operands(a, b, n)
        return self.cycle_function(a, b, n)

    def is_closed(self, n: int) -> bool:
        """Return whether a result under ``n`` may be fed back as an operand without limit."""
        return self.result_bound.upper(n) <= self.operand_bound.upper(n)

    def check_operands(self, a: int, b: int, n: int) -> None:
        """Raise OperandError if the modulus or an operand breaks the contract."""
        self.modulus.check(n)
        for name, value in (("a", a), ("b", b)):
            if not self.operand_bound.contains(value, n):
                raise OperandError(
                    f"operand {name} = {_short(value)} is outside its bound"
                    f" {self.operand_bound} for n = {_short(n)}"
                    f" (legal: {_short(self.operand_bound.lower(n))}"
                    f" to {_short(self.operand_bound.upper(n) - 1)})."
                )

    def product(self, a: int, b: int, n: int) -> int:
        """Return ``a * b * R^-1 mod n``, the residue that a result must be congruent to."""
        return a * b * pow(self.r, -1, n) % n

    @property
    def r_text(self) -> str:
        """R as ``2^x`` or ``2^x - 1``, else in hexadecimal."""
        for offset, suffix in ((0, ""), (1, " - 1")):
            power = self.r + offset
            if power & (power - 1) == 0:
                return f"2^{power.bit_length() - 1}{suffix}"
        return hex(self.r)

    @property
    def operand_ports(self) -> tuple[Port, ...]:
        """The data inputs in port order: a, b (each one or two vectors), n, constants."""
        ports = [
            Port(f"{name}{suffix}_i", "input", width, f"operand {name}{meaning}")
            for name in "ab"
            for suffix, width, meaning in self._vectors(self.operand_encoding)
        ]
        if self.takes_modulus:
            ports.append(Port("n_i", "input", self.width, "modulus n"))
        ports += [
            Port(f"{c.name}_i", "input", c.width, f"constant: {c.formula}")
            for c in self.constants_spec
        ]
        return tuple(ports)

    @property
    def result_ports(self) -> tuple[Port, ...]:
        """The data outputs in port order: p as one or two vectors."""
        return tuple(
            Port(f"p{suffix}_o", "output", width, f"result p{meaning}")
            for suffix, width, meaning in self._vectors(self.result_encoding)
        )

    @property
    def ports(self) -> tuple[Port, ...]:
        """All ports of the parallel form, in order."""
        return (
            Port("clk_i", "input", 1, "clock, rising edge"),
            Port("rst_ni", "input", 1, "asynchronous reset, active low"),
            Port("req_valid_i", "input", 1, "operands are valid"),
            Port("req_ready_o", "output", 1, "a request is accepted when both are high"),
            *self.operand_ports,
            Port("rsp_valid_o", "output", 1, "the result is valid until it is taken"),
            Port("rsp_ready_i", "input", 1, "the result is taken when both are high"),
            *self.result_ports,
        )

    def encode_operands(
        self, a: int, b: int, n: int, rng: random.Random | None = None
    ) -> tuple[int, ...]:
        """Return the bit patterns of `operand_ports` for one operation.

        ``rng`` makes random carry-save splits; without it carry vectors are zero.
        Raises OperandError if the contract does not allow the operation.
        """
        self.check_operands(a, b, n)
        constants = self.constants_function(n)
        return (
            *self.operand_encoding.encode(a, rng),
            *self.operand_encoding.encode(b, rng),
            *((n,) if self.takes_modulus else ()),
            *(constants[c.name] for c in self.constants_spec),
        )

    def to_json(self) -> dict[str, Any]:
        """Return all data as JSON-ready values; R is a hexadecimal string."""
        data = {f.name: getattr(self, f.name) for f in dataclasses.fields(self) if f.compare}
        data["parameters"] = dict(self.parameters)
        data["r"] = hex(self.r)
        data["modulus"] = str(self.modulus)
        for name in ("operand_bound", "result_bound", "latency", "interval"):
            data[name] = {**dataclasses.asdict(data[name]), "text": str(data[name])}
        for name in ("operand_encoding", "result_encoding"):
            data[name] = dataclasses.asdict(data[name])
        data["constants"] = [dataclasses.asdict(c) for c in data.pop("constants_spec")]
        data["ports"] = [dataclasses.asdict(p) for p in self.ports]
        data["notes"] = list(self.notes)
        return data

    def __str__(self) -> str:
        parameters = ", ".join(f"{k}={v}" for k, v in self.parameters)
        lines = [
            f"{self.architecture}({parameters}): p = a * b * R^-1 (mod n)",
            f"  R         {self.r_text}",
            f"  modulus   {self.modulus}",
            f"  operands  {self.operand_bound} ({self.operand_encoding.kind})",
            f"  result    {self.result_bound} ({self.result_encoding.kind})",
            *(f"  constant  {c.name} = {c.formula} ({c.width} bits)" for c in self.constants_spec),
            f"  latency   {self.latency} cycles; rsp_valid_o {self.handover} cycles later",
            f"  interval  {self.interval} cycles",
            *(f"  note      {note}" for note in self.notes),
        ]
        return "\n".join(lines)

    @staticmethod
    def _vectors(encoding: Encoding) -> list[tuple[str, int, str]]:
        meanings = {"": "", "s": ", sum vector", "c": ", carry vector"}
        return [
            (f"_{suffix}" if suffix else "", width, meanings[suffix])
            for suffix, width in zip(encoding.suffixes, encoding.widths, strict=True)
        ]


def _short(value: int) -> str:
    """Return ``value`` in hexadecimal, shortened in the middle if it is long."""
    text = hex(value)
    return text if len(text) <= 40 else f"{text[:20]}...{text[-12:]}"
