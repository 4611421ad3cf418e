# SPDX-License-Identifier: Apache-2.0
"""Promises of a core about numbers and time, as a value.

A core computes a `Function` of its fields: a multiplier ``p = a * b * R^-1 (mod n)``, an
exponentiator ``y = x^e mod n``. Its `Contract` gives the legal moduli, bounds, encodings, constants
beside n, and numbers of cycles. The bench, the generator, the reports and the users rely on the
contract, never on the architecture.

A contract is data: it can be printed, compared and pickled, and holds no code. Values that follow
from a modulus or from an operation (constants, the exact number of cycles, the exact result) are
methods of the design.
"""

from __future__ import annotations

import dataclasses
import math
import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal

from montforge.errors import OperandError

Operation = Mapping[str, int]
"""The values of one operation by field names: those that a user chooses, and the modulus."""

Run = Callable[[list[Operation]], list[int]]
"""Does operations on a core, or on a model of it, and returns the results in order."""

Role = Literal["operand", "modulus", "constant", "exponent", "message", "result"]
"""Role of a field: an operand is in the Montgomery domain, a message is plain."""


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

    def within(self, other: Bound | BitBound, n: int) -> bool:
        """Return whether each value within this bound is within ``other``, under ``n``."""
        return other.lower(n) <= self.lower(n) and self.upper(n) <= other.upper(n)

    @property
    def largest(self) -> int:
        """The largest multiple, over all moduli."""
        return max(self.multiple, *(multiple for _, _, multiple in self.exceptions), 0)

    @property
    def period(self) -> int:
        """The number such that n modulo it decides which multiple holds."""
        return math.lcm(*(modulo for modulo, _, _ in self.exceptions))

    def __str__(self) -> str:
        def one(multiple: int) -> str:
            top = _multiple(multiple)
            return f"-{top} < x < {top}" if self.signed else f"0 <= x < {top}"

        extra = (f"; {one(m)} if n mod {modulo} = {i}" for modulo, i, m in self.exceptions)
        return one(self.multiple) + "".join(extra)


def _multiple(multiple: int) -> str:
    """Return ``n``, ``3n``, or a large power of 2 as ``2^15 n``."""
    if multiple > 1000 and multiple.bit_count() == 1:
        return f"2^{multiple.bit_length() - 1} n"
    return "n" if multiple == 1 else f"{multiple}n"


@dataclass(frozen=True)
class BitBound:
    """A bound of a value that does not depend on the modulus: ``0 <= x < 2^bits``."""

    bits: int
    signed: ClassVar[bool] = False

    def upper(self, n: int) -> int:
        """Return the exclusive upper bound, whatever ``n``."""
        return 1 << self.bits

    def lower(self, n: int) -> int:
        """Return 0, whatever ``n``."""
        return 0

    def contains(self, value: int, n: int) -> bool:
        """Return whether ``value`` is within the bound."""
        return 0 <= value < 1 << self.bits

    def __str__(self) -> str:
        return f"0 <= x < 2^{self.bits}"


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

        With ``rng`` a carry-save pair is a random split, often an extreme one; without, its carry
        vector is zero. Raises OperandError if the value does not fit.
        """
        if self.kind == "binary":
            return (self._pattern(value),)
        carry = self._random_carry(value, rng) if rng else 0
        return (self._pattern(value - carry), carry)

    def splits(self, value: int) -> int:
        """Return the number of vectors, or pairs of them, that carry ``value``."""
        return self._max_carry(value) + 1 if self.kind == "carry_save" else 1

    def encodings(self, value: int) -> Iterator[tuple[int, ...]]:
        """Yield all vectors that carry ``value``: one, or every carry-save split."""
        for carry in range(self.splits(value)):
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
        if kind < 0.2:
            return 0 if kind < 0.1 else largest
        if kind < 0.3:
            return min(largest, (1 << rng.randint(0, self.carry_width)) - 1)
        return rng.randrange(largest + 1)

    def _max_carry(self, value: int) -> int:
        room = value + (1 << (self.width - 1)) if self.signed else value
        return min((1 << self.carry_width) - 1, room)

    def _pattern(self, value: int) -> int:
        size = 1 << self.width
        low = -size // 2 if self.signed else 0
        if not low <= value < low + size:
            kind = "two's complement" if self.signed else "unsigned"
            raise OperandError(
                f"value {value:#x} does not fit its port of {self.width} bits ({kind})."
            )
        return value % size


@dataclass(frozen=True)
class ModulusRule:
    """Which moduli are legal: minimum <= n < 2^width, odd unless ``even``, and coprime to a number.

    ``coprime_to`` is ``(name, integer)``, for example ``("R", 2^1024 - 1)``: the modulus must not
    share a factor with the integer, and ``advice`` names a design that takes a modulus that does.
    With ``only`` that one modulus is legal: it is part of the hardware.
    """

    width: int
    minimum: int = 3
    even: bool = False
    coprime_to: tuple[str, int] | None = None
    advice: str = ""
    only: int | None = None

    def is_legal(self, n: int) -> bool:
        """Return whether ``n`` is legal."""
        if self.only is not None:
            return n == self.only
        return (
            self.minimum <= n < 1 << self.width
            and (self.even or n % 2 == 1)
            and (self.coprime_to is None or math.gcd(n, self.coprime_to[1]) == 1)
        )

    @property
    def least(self) -> int:
        """The least legal modulus."""
        return self.only or next(
            n for n in range(self.minimum, 1 << self.width) if self.is_legal(n)
        )

    def check(self, n: int) -> None:
        """Raise OperandError, naming the rule and the nearest legal modulus, if n is illegal."""
        if self.is_legal(n):
            return
        if self.only is not None:
            raise OperandError(
                f"modulus {_short(n)} is not the one that the design was made for"
                f" (legal: {_short(self.only)}).{' ' * bool(self.advice)}{self.advice}"
            )
        if n < self.minimum:
            reason = f"modulus {n} is below {self.minimum}"
        elif n >= 1 << self.width:
            reason = f"modulus of {n.bit_length()} bits is wider than the design's {self.width}"
        elif not self.even and n % 2 == 0:
            reason = f"modulus {n:#x} is even"
        else:
            assert self.coprime_to is not None
            name, number = self.coprime_to
            factor = math.gcd(n, number)
            reason = f"modulus {_short(n)} shares the factor {_short(factor)} with {name}"
        advice = f" {self.advice}" if self.advice and self.minimum <= n < 1 << self.width else ""
        raise OperandError(
            f"{reason}; a legal modulus is {str(self).replace('odd,', 'odd with')}"
            f" (nearest legal: {_short(self._nearest(n))}).{advice}"
        )

    def _nearest(self, n: int) -> int:
        low, high = self.minimum, (1 << self.width) - 1
        middle = min(max(n if self.even else n | 1, low), high)
        for distance in range(high):
            for candidate in (middle + distance, middle - distance):
                if self.is_legal(candidate):
                    return candidate
        raise AssertionError("a rule that no modulus meets")

    def __str__(self) -> str:
        if self.only is not None:
            return f"n = {self.only:#x}"
        parity, either = ("", ", odd or even") if self.even else ("odd, ", "")
        coprime = f", coprime to {self.coprime_to[0]}" if self.coprime_to else ""
        return f"{parity}{self.minimum} <= n < 2^{self.width}{either}{coprime}"


NO_DERIVATION = 0


@dataclass(frozen=True)
class Derivation:
    """How a constant follows from an odd n by ``bits`` steps of additions and shifts.

    From t = 1, step i has the bit q_i = t mod 2 and makes t <- (t + q_i n) / 2. The bits are
    m = -n^-1 mod 2^bits, the lowest first, and t ends as (n m + 1) / 2^bits. With ``signed`` the
    last step subtracts, and m is in [-2^(bits-1), 2^(bits-1)). The constant is

    ``inverse``: m; ``scaled``: t; ``raised``: 2^bits t = n m + 1; ``words``: n 2^bits + m.
    """

    kind: Literal["inverse", "scaled", "raised", "words"]
    bits: int
    signed: bool = False

    @property
    def number(self) -> int:
        """The number of ``kind`` in ``mf_derivation_pkg``; that of none is `NO_DERIVATION`."""
        return {"inverse": 1, "scaled": 2, "raised": 3, "words": 4}[self.kind]

    def value(self, n: int) -> int:
        """Return the constant of modulus ``n``; negative ones as they are."""
        size = 1 << self.bits
        m = -pow(n, -1, size) % size
        m -= size * (self.signed and 2 * m >= size)
        raised = n * m + 1
        values = {"inverse": m, "scaled": raised >> self.bits, "raised": raised}
        return (values | {"words": (n << self.bits) + m})[self.kind]


@dataclass(frozen=True)
class Reciprocal:
    """How a constant follows from n by a division: it is 2^bits / n, rounded down."""

    bits: int

    def value(self, n: int) -> int:
        """Return the constant of modulus ``n``."""
        return (1 << self.bits) // n


@dataclass(frozen=True)
class Residue:
    """How a constant follows from n by a reduction: it is 2^bits mod n."""

    bits: int

    def value(self, n: int) -> int:
        """Return the constant of modulus ``n``."""
        return pow(2, self.bits, n)


@dataclass(frozen=True)
class Field:
    """One value that crosses a core's ports: its role, its encoding and its bound.

    ``bound`` is None for the modulus, which has a rule, and for constants, which follow from it.
    With ``words`` above 1 the field is an array: its value is the words side by side, the first
    one lowest, and `encoding` is that of a word. ``meaning`` is how a constant follows from n, and
    ``derivation`` the computation: a `Derivation` if hardware can have it by additions and shifts.
    A field that is ``carried`` has no ports: constants that follow from it, too, carry its value.
    """

    name: str
    role: Role
    encoding: Encoding
    bound: Bound | BitBound | None = None
    words: int = 1
    meaning: str = ""
    derivation: Derivation | Reciprocal | Residue | None = None
    carried: bool = False

    @classmethod
    def constant(
        cls,
        name: str,
        width: int,
        formula: str,
        derivation: Derivation | Reciprocal | Residue | None = None,
        *,
        words: int = 1,
    ) -> Field:
        """Return a field for a value of ``width`` bits (a word) that follows from n."""
        encoding = Encoding("binary", width)
        return cls(name, "constant", encoding, None, words, formula, derivation)

    @property
    def width(self) -> int:
        """Bits of the first vector; of all words together in an array."""
        return self.encoding.width * self.words

    @property
    def promise(self) -> str:
        """The bound and the encoding in words: ``0 <= e < 2^9 (binary)``."""
        return f"{self.bound} ({self.encoding.kind})".replace(" x ", f" {self.name} ")

    @property
    def ports(self) -> tuple[Port, ...]:
        """The ports that carry the field: one, or the two vectors of a carry-save pair.

        None of a field that other ones carry.
        """
        if self.carried:
            return ()
        direction: Literal["input", "output"] = "output" if self.role == "result" else "input"
        kind = "constant:" if self.role == "constant" else self.role
        text = f"{kind} {self.meaning or self.name}"
        if self.words > 1:
            text += f", {self.words} words of {self.encoding.width} bits, the first one lowest"
        meanings = {"": "", "s": ", sum vector", "c": ", carry vector"}
        return tuple(
            Port(
                f"{self.name}{'_' if suffix else ''}{suffix}_{direction[0]}",
                direction,
                width * self.words,
                text + meanings[suffix],
            )
            for suffix, width in zip(self.encoding.suffixes, self.encoding.widths, strict=True)
        )

    def encode(self, value: int, rng: random.Random | None = None) -> tuple[int, ...]:
        """Return the bit patterns of `ports` that carry ``value``. Raises OperandError."""
        if self.carried:
            return ()
        if self.words > 1:
            if not 0 <= value < 1 << self.width:
                raise OperandError(f"{self.name} does not fit its {self.width} bits.")
            return (value,)
        return self.encoding.encode(value, rng)

    def decode(self, vectors: tuple[int, ...]) -> int:
        """Return the value that ``vectors``, the bit patterns of `ports`, carry."""
        return vectors[0] if self.words > 1 else self.encoding.decode(vectors)


@dataclass(frozen=True)
class Cycles:
    """A number of clock cycles: fixed, or depending on the data between two inclusive bounds.

    ``attained``: whether some operation takes ``maximum``, which else is a bound.
    """

    minimum: int
    maximum: int
    attained: bool = True

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
        return f"data_dependent({self.minimum}, {self.maximum})" + " at most" * (not self.attained)

    def later(self, cycles: int) -> Cycles:
        """Return the count with ``cycles`` more."""
        return Cycles(self.minimum + cycles, self.maximum + cycles, self.attained)


@dataclass(frozen=True)
class Port:
    """One port of the parallel form: ``direction`` is from the core's side, width in bits."""

    name: str
    direction: Literal["input", "output"]
    width: int
    meaning: str


@dataclass(frozen=True)
class Control:
    """A control input of one bit beside the handshakes, with the value that has no effect.

    The other value does not change a response that waits to be taken.
    """

    port: Port
    idle: int = 0


@dataclass(frozen=True)
class Load:
    """A phase before requests, in which some fields are taken that then hold for all of them.

    A load is accepted on a rising edge where ``load_valid_i`` and ``load_ready_o`` are high, and no
    request is under way; ``fields`` are sampled on that edge, and are ignored with requests.
    ``cycles`` counts edges from there until ``req_ready_o`` is high. Reset forgets loaded values.
    """

    fields: tuple[str, ...]
    cycles: Cycles

    def later(self, cycles: int) -> Load:
        """Return the load with ``cycles`` more."""
        return Load(self.fields, self.cycles.later(cycles))


@dataclass(frozen=True)
class Function(ABC):
    """The function of a core. Subclasses have no state.

    ``operands`` names the fields that a user chooses, in the order of positional arguments; the
    modulus is the last. ``chained`` names those into which a result can be fed; their ports are
    the first ones. ``plain_operands`` names those from which, with ``n``, a plain answer follows.
    """

    name: ClassVar[str]
    formula: ClassVar[str]
    congruence: ClassVar[str]
    """The value that the result is congruent to modulo n."""
    plain_formula: ClassVar[str]
    """The plain answer."""
    operands: ClassVar[tuple[str, ...]]
    chained: ClassVar[tuple[str, ...]]
    plain_operands: ClassVar[tuple[str, ...]]
    fixed: ClassVar[Operation] = {}
    """The operands that have the same value in every operation."""

    def check(self, contract: Contract, operation: Operation) -> None:  # noqa: B027
        """Raise OperandError for a combination of legal values that is illegal."""

    @abstractmethod
    def residue(self, r: int, operation: Operation) -> int:
        """Return the residue of the result, below n; with ``r`` 1 it is the plain answer."""

    def is_congruent(self, r: int, operation: Operation, value: int) -> bool:
        """Return whether a result is congruent to the function's value."""
        return (value - self.residue(r, operation)) % operation["n"] == 0

    @abstractmethod
    def compute(self, contract: Contract, vectors: Sequence[Operation], run: Run) -> list[int]:
        """Return the plain answers to ``vectors``, by batches of operations that ``run`` does.

        Each vector has the same number of operations, side by side, in each batch.
        """


@dataclass(frozen=True)
class Contract:
    """The promises of a design. Two contracts are equal if all of their data are.

    ``fields`` are in the order of ports. The first result is the function's; any further one is a
    status, which is 0 for legal operations.

    A request is accepted on a rising edge where ``req_valid_i`` and ``req_ready_o`` are high.
    ``latency`` counts rising edges from there to the one that loads the final result;
    ``handover`` counts edges from there until ``rsp_valid_o`` is high; ``interval`` is the distance
    of two acceptances when the consumer is always ready, for the same operation. ``public`` names
    inputs that are public and from which alone a latency that is not fixed follows. A request that
    comes when the core is idle, or after reset, waits at most ``clearing`` cycles while the core
    overwrites its registers; 0: it does not. With ``checked`` each response is checked modulo
    2^checked - 1, and ``err_o`` is 1 with one that is wrong; 0: there is no such port.
    """

    architecture: str
    parameters: tuple[tuple[str, int | str], ...]
    function: Function
    width: int
    r: int
    modulus: ModulusRule
    fields: tuple[Field, ...]
    latency: Cycles
    handover: int
    interval: Cycles
    load: Load | None = None
    controls: tuple[Control, ...] = ()
    public: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    clearing: int = 0
    checked: int = 0

    def field(self, name: str) -> Field:
        """Return the field of that name."""
        return next(field for field in self.fields if field.name == name)

    @cached_property
    def inputs(self) -> tuple[Field, ...]:
        """The fields that come with a request, in port order."""
        return tuple(field for field in self.fields if field.role != "result")

    @cached_property
    def results(self) -> tuple[Field, ...]:
        """The fields of a response, in port order; the function's result is the first."""
        return tuple(field for field in self.fields if field.role == "result")

    @property
    def constants_spec(self) -> tuple[Field, ...]:
        """The fields of values that follow from n (and from fields that they carry)."""
        return tuple(field for field in self.fields if field.role == "constant")

    @property
    def takes_modulus(self) -> bool:
        """Whether n itself is an input."""
        return any(field.role == "modulus" for field in self.fields)

    @property
    def operand_encoding(self) -> Encoding:
        """The encoding of the operands that results are fed back to."""
        return self.field(self.function.chained[0]).encoding

    @property
    def operand_bound(self) -> Bound:
        """The bound of the operands that results are fed back to."""
        return _bound(self.field(self.function.chained[0]))

    @property
    def result_encoding(self) -> Encoding:
        """The encoding of the function's result."""
        return self.results[0].encoding

    @property
    def result_bound(self) -> Bound:
        """The bound of the function's result."""
        return _bound(self.results[0])

    def operation(self, *values: int, **named: int) -> dict[str, int]:
        """Return an operation from values in the order of `Function.operands`, or by name.

        Raises OperandError if one is missing or unknown.
        """
        names = self.function.operands
        found = dict(zip(names, values, strict=False)) | named
        if len(values) > len(names) or set(found) != set(names):
            given = ", ".join([*found, *map(str, values[len(names) :])]) or "none"
            raise OperandError(
                f"an operation of {self.architecture} has the values {', '.join(names)};"
                f" {given} was given."
            )
        return found

    def residue(self, *values: int, **named: int) -> int:
        """Return the residue below n that the result of an operation must be congruent to."""
        return self.function.residue(self.r, self.operation(*values, **named))

    def domain_constants(self, n: int) -> dict[str, int]:
        """Return ``R mod n`` and ``R^2 mod n``, which convert into the Montgomery domain."""
        self.modulus.check(n)
        return {"r_mod_n": self.r % n, "r2_mod_n": self.r * self.r % n}

    def is_closed(self, n: int) -> bool:
        """Return whether a result under ``n`` may be fed back as an operand without limit."""
        bounds = [self.field(name).bound for name in self.function.chained]
        return all(bound is not None and self.result_bound.within(bound, n) for bound in bounds)

    @property
    def turn(self) -> Cycles:
        """The cycles between two multiplications of which one needs the result of the other."""
        return self.latency.later(self.handover + 2)

    @property
    def overlaps(self) -> bool:
        """Whether a request may be accepted before the response to the one before is taken."""
        return self.interval.minimum < self.turn.minimum

    @property
    def constant_time(self) -> bool:
        """Whether the latency is fixed, or follows from `public` inputs alone."""
        return self.latency.is_fixed or bool(self.public)

    def cycles_text(self, cycles: Cycles) -> str:
        """Return a count with the values that it depends on, such as ``by_e_len(9, 70)``."""
        if cycles.is_fixed or not self.public:
            return str(cycles)
        return str(cycles).replace("data_dependent", f"by_{'_and_'.join(self.public)}")

    @property
    def closed(self) -> bool:
        """Whether results may be fed back without limit under every legal modulus."""
        if self.modulus.only is not None:
            return self.is_closed(self.modulus.only)
        period = math.lcm(self.result_bound.period, self.operand_bound.period)
        odd = 1 if self.modulus.even else 2
        return all(self.is_closed(n) for n in range(3, 3 + odd * period, odd))

    def canonical(self, value: int, n: int) -> int:
        """Return the residue below ``n`` of a result's value, whatever its encoding and bound."""
        return value % n

    @property
    def corrections(self) -> int:
        """The most subtractions of n until a result (with n added, if negative) is below n."""
        return self.result_bound.largest - 1

    @property
    def leaving(self) -> tuple[str, ...]:
        """The steps that make a result a plain residue below n, for this encoding and bound."""
        result, name = self.results[0], self.results[0].name
        steps = []
        if result.encoding.kind == "carry_save":
            signed = " (two's complement)" if result.encoding.signed else ""
            steps.append(f"add the vectors: {name} = {name}_s{signed} + {name}_c")
        elif result.encoding.signed:
            steps.append(f"read {name} as two's complement")
        if self.result_bound.signed:
            steps.append(f"if {name} < 0, add n" + (" until it is not" if self.corrections else ""))
        if self.corrections > MANY_CORRECTIONS:
            bits = self.corrections.bit_length()
            steps.append(
                f"reduce {name} modulo n by a division: the quotient has up to {bits} bits, too"
                " many for subtractions"
            )
        elif self.corrections:
            times = "once" if self.corrections == 1 else f"up to {self.corrections} times"
            steps.append(f"while {name} >= n, subtract n ({times}; {name} = n stands for 0)")
        return tuple(steps)

    def check(self, operation: Operation) -> None:
        """Raise OperandError if the modulus or another value breaks the contract."""
        n = operation["n"]
        self.modulus.check(n)
        for field in self.inputs:
            bound = field.bound
            if bound is not None and not bound.contains(value := operation[field.name], n):
                raise OperandError(
                    f"{field.role} {field.name} = {_short(value)} is outside its bound {bound} for"
                    f" n = {_short(n)} (legal: {_short(bound.lower(n))} to"
                    f" {_short(bound.upper(n) - 1)})."
                )
        self.function.check(self, operation)

    def is_legal(self, operation: Operation) -> bool:
        """Return whether the contract allows the operation."""
        try:
            self.check(operation)
        except OperandError:
            return False
        return True

    def encode(
        self, operation: Operation, constants: Mapping[str, int], rng: random.Random | None = None
    ) -> tuple[int, ...]:
        """Return the bit patterns of `operand_ports` for one operation, which is not checked.

        ``rng`` makes random carry-save splits; without it carry vectors are zero.
        """
        values = {**constants, **operation}
        return tuple(
            pattern for field in self.inputs for pattern in field.encode(values[field.name], rng)
        )

    def decode(self, vectors: Sequence[int]) -> dict[str, int]:
        """Return the results that the bit patterns of `result_ports` carry, by field name."""
        found, at = {}, 0
        for field in self.results:
            size = len(field.encoding.suffixes)
            found[field.name] = field.decode(tuple(vectors[at : at + size]))
            at += size
        return found

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
        """The data inputs, in port order."""
        return tuple(port for field in self.inputs for port in field.ports)

    @property
    def load_ports(self) -> tuple[Port, ...]:
        """The handshake of the load phase, if there is one."""
        if self.load is None:
            return ()
        return (
            Port("load_valid_i", "input", 1, "the values to be loaded are valid"),
            Port("load_ready_o", "output", 1, "a load is accepted when both are high"),
        )

    @property
    def result_ports(self) -> tuple[Port, ...]:
        """The data outputs, in port order."""
        return tuple(port for field in self.results for port in field.ports)

    @property
    def error_ports(self) -> tuple[Port, ...]:
        """The output of the check, if there is one."""
        meaning = "the response is wrong; valid with rsp_valid_o"
        return (Port("err_o", "output", 1, meaning),) if self.checked else ()

    @property
    def ports(self) -> tuple[Port, ...]:
        """All ports of the parallel form, in order."""
        return (
            Port("clk_i", "input", 1, "clock, rising edge"),
            Port("rst_ni", "input", 1, "asynchronous reset, active low"),
            *self.load_ports,
            Port("req_valid_i", "input", 1, "operands are valid"),
            Port("req_ready_o", "output", 1, "a request is accepted when both are high"),
            *self.operand_ports,
            *(control.port for control in self.controls),
            Port("rsp_valid_o", "output", 1, "the result is valid until it is taken"),
            Port("rsp_ready_i", "input", 1, "the result is taken when both are high"),
            *self.result_ports,
            *self.error_ports,
        )

    def to_json(self) -> dict[str, Any]:
        """Return all data as JSON-ready values; R is a hexadecimal string."""
        load = self.load
        return {
            "architecture": self.architecture,
            "parameters": dict(self.parameters),
            "function": {"name": self.function.name, "formula": self.function.formula},
            "width": self.width,
            "r": hex(self.r),
            "modulus": str(self.modulus),
            "fields": [_field_json(field) for field in self.fields],
            "operand_bound": _with_text(self.operand_bound),
            "result_bound": _with_text(self.result_bound),
            "operand_encoding": dataclasses.asdict(self.operand_encoding),
            "result_encoding": dataclasses.asdict(self.result_encoding),
            "takes_modulus": self.takes_modulus,
            "closed": self.closed,
            "leaving": list(self.leaving),
            "latency": _with_text(self.latency) | {"text": self.cycles_text(self.latency)},
            "handover": self.handover,
            "interval": _with_text(self.interval) | {"text": self.cycles_text(self.interval)},
            "public": list(self.public),
            "load": load and {"fields": list(load.fields), "cycles": _with_text(load.cycles)},
            **({"clearing": self.clearing} if self.clearing else {}),
            **({"checked": self.checked} if self.checked else {}),
            "constants": [
                {"name": field.name, "width": field.width, "formula": field.meaning}
                for field in self.constants_spec
            ],
            "ports": [dataclasses.asdict(port) for port in self.ports],
            "notes": list(self.notes),
        }

    def __str__(self) -> str:
        parameters = ", ".join(f"{k}={v}" for k, v in self.parameters)
        rows: list[tuple[str, str]] = [("R", self.r_text), ("modulus", str(self.modulus))]
        groups: dict[tuple[str, str], list[Field]] = {}
        for field in self.fields:
            if field.bound is not None:
                text = f"{field.bound} ({field.encoding.kind})"
                groups.setdefault((field.role, text), []).append(field)
        for (role, text), fields in groups.items():
            promise = text if len(fields) > 1 else fields[0].promise
            rows.append((role, f"{', '.join(field.name for field in fields)}: {promise}"))
        for each in self.constants_spec:
            rows.append(("constant", f"{each.name} = {each.meaning} ({each.width} bits)"))
        then = f"rsp_valid_o {self.handover} cycles later"
        rows.append(("latency", f"{self.cycles_text(self.latency)} cycles; {then}"))
        rows.append(("interval", f"{self.cycles_text(self.interval)} cycles"))
        if self.load:
            rows.append(("load", f"{', '.join(self.load.fields)}: {self.load.cycles} cycles"))
        if self.clearing:
            rows.append(("clearing", f"a request waits {self.clearing} cycles for it at most"))
        if self.checked:
            rows.append(("check", f"modulo 2^{self.checked} - 1: err_o is 1 with a wrong result"))
        rows += [("note", note) for note in self.notes]
        first = f"{self.architecture}({parameters}): {self.function.formula}"
        return "\n".join([first, *(f"  {name:<9} {text}" for name, text in rows)])


MANY_CORRECTIONS = 8
"""The most subtractions that `Contract.leaving` proposes; for more it has a division."""


def _bound(field: Field) -> Bound:
    """Return the bound of a field that has one as a multiple of n."""
    assert isinstance(field.bound, Bound)
    return field.bound


def _with_text(value: Bound | BitBound | Cycles) -> dict[str, Any]:
    return {**dataclasses.asdict(value), "text": str(value)}


def _field_json(field: Field) -> dict[str, Any]:
    data = dataclasses.asdict(field) | {"bound": field.bound and _with_text(field.bound)}
    del data["carried"]
    if isinstance(field.derivation, Reciprocal | Residue):
        data["derivation"] = None  # which is one by additions and shifts; the meaning says it
    return data


def _short(value: int) -> str:
    """Return ``value`` in hexadecimal, shortened in the middle if it is long."""
    text = hex(value)
    return text if len(text) <= 40 else f"{text[:20]}...{text[-12:]}"
