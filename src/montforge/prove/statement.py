# SPDX-License-Identifier: Apache-2.0
"""Statements about the nets of a design, over the integers: one description for Coq and solver.

A net stands for the unsigned integer of its bits in cycle t, `following` of it in cycle t + 1,
`signed` of it for its two's complement. Widths and constants may hang on ``W``, the design's
width, and on its other parameters, so that one lemma is the same for all designs. `coq_text`
prints lemmas for Coq; `montforge.prove.solver` makes terms of them in which nothing can wrap.
"""

from __future__ import annotations

import hashlib
import operator
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial, reduce
from typing import TypeAlias

Operand: TypeAlias = "Expression | int"
_NETS = ("net", "numbered")


@dataclass(frozen=True)
class Expression:
    """An integer, or a truth value, over the nets of a cycle and the next one.

    ``operation`` is ``int``, ``size``, ``net``, ``numbered`` (a net of an instance), ``part``,
    ``signed``, ``pow2``, ``clog2``, ``min``,
    ``max``, ``if``, ``land``, ``lor``, ``lxor`` (bit by bit), ``bit`` (of the first at the second),
    one of ``+ - * / mod`` (rounded down; divisors of nets are powers of 2,
    but for ``mod`` of integers of at least 0), ``= < <=``, ``and``,
    ``or``, ``holds``: a statement under a name, ``called``: an integer under a name, or ``every``:
    a statement for each value of an index.
    """

    operation: str
    arguments: tuple[Expression | int | str, ...] = ()

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.operation, self.arguments))

    def __add__(self, other: Operand) -> Expression:
        return _of("+", self, other)

    def __radd__(self, other: int) -> Expression:
        return _of("+", other, self)

    def __sub__(self, other: Operand) -> Expression:
        return _of("-", self, other)

    def __rsub__(self, other: int) -> Expression:
        return _of("-", other, self)

    def __mul__(self, other: Operand) -> Expression:
        return _of("*", self, other)

    def __rmul__(self, other: int) -> Expression:
        return _of("*", other, self)

    def __mod__(self, other: Operand) -> Expression:
        return _of("mod", self, other)

    def __floordiv__(self, other: Operand) -> Expression:
        return _of("/", self, other)

    def __lt__(self, other: Operand) -> Expression:
        return _of("<", self, other)

    def __gt__(self, other: Operand) -> Expression:
        return _of("<", other, self)

    def __le__(self, other: Operand) -> Expression:
        return _of("<=", self, other)

    def __ge__(self, other: Operand) -> Expression:
        return _of("<=", other, self)

    def eq(self, other: Operand) -> Expression:
        """Return the statement that both are equal."""
        return _of("=", self, other)

    def __and__(self, other: Expression) -> Expression:
        return _of("and", self, other)

    def __or__(self, other: Expression) -> Expression:
        return _of("or", self, other)

    @cached_property
    def parts(self) -> tuple[Expression, ...]:
        """The arguments that are expressions."""
        return tuple(part for part in self.arguments if isinstance(part, Expression))

    @cached_property
    def nets(self) -> tuple[Expression, ...]:
        """All nets in it, each once."""
        inner = (net for part in self.parts for net in part.nets)
        return (self,) if self.operation == "net" else tuple(dict.fromkeys(inner))

    @cached_property
    def sizes(self) -> tuple[str, ...]:
        """The names of all sizes in it, each once, but for its own indices."""
        own = (str(self.arguments[0]),) if self.operation == "size" else ()
        index = self.arguments[0] if self.operation == "every" else None
        inner = (name for each in self.parts for name in each.sizes if name != index)
        return tuple(dict.fromkeys((*own, *inner)))

    @cached_property
    def operations(self) -> frozenset[str]:
        """All operations in it."""
        return frozenset({self.operation}).union(*(part.operations for part in self.parts))

    def all(self, operation: str) -> Iterator[Expression]:
        """All expressions of an operation in it."""
        if operation not in self.operations:
            return
        if self.operation == operation:
            yield self
        for part in self.parts:
            yield from part.all(operation)


def _lifted(value: Operand) -> Expression:
    return value if isinstance(value, Expression) else Expression("int", (value,))


def _of(operation: str, *operands: Operand) -> Expression:
    return Expression(operation, tuple(_lifted(each) for each in operands))


def size(name: str) -> Expression:
    """Return the parameter ``name`` of the design, an integer of at least 0."""
    return Expression("size", (name,))


W = size("W")
"""The width of the design."""


def net(name: str, width: Operand = 1) -> Expression:
    """Return the net ``name`` of ``width`` bits in this cycle."""
    return Expression("net", (name, _lifted(width), 0))


def numbered(name: str, at: Operand, width: Operand = 1) -> Expression:
    """Return the net ``name``, in which {} is the number ``at``, of ``width`` bits."""
    return Expression("numbered", (name, _lifted(width), 0, _lifted(at)))


def following(of: Expression) -> Expression:
    """Return the net ``of``, or an integer under a name, in the next cycle."""
    if of.operation == "called":
        return later(of)
    name, width, _, *at = of.arguments
    return Expression(of.operation, (name, width, 1, *at))


def part(of: Expression, low: Operand, width: Operand = 1) -> Expression:
    """Return ``width`` bits of a net from bit ``low`` on."""
    return _of("part", of, low, width)


def signed(of: Expression) -> Expression:
    """Return the two's complement of a net, or of a part of one."""
    return Expression("signed", (of,))


def pow2(exponent: Operand) -> Expression:
    """Return 2 to the power of ``exponent``."""
    return _of("pow2", exponent)


def clog2(values: Operand) -> Expression:
    """Return the bits of a counter of ``values`` values: the logarithm to base 2, rounded up."""
    return _of("clog2", values)


def least(a: Operand, b: Operand) -> Expression:
    """Return the smaller one of two sizes."""
    return _of("min", a, b)


def greatest(a: Operand, b: Operand) -> Expression:
    """Return the larger one of two sizes."""
    return _of("max", a, b)


def bits_and(a: Operand, b: Operand) -> Expression:
    """Return the integer of the bits that both have, of integers of at least 0."""
    return _of("land", a, b)


def bits_or(a: Operand, b: Operand) -> Expression:
    """Return the integer of the bits that one has at least, of integers of at least 0."""
    return _of("lor", a, b)


def bits_xor(a: Operand, b: Operand) -> Expression:
    """Return the integer of the bits that one has alone, of integers of at least 0."""
    return _of("lxor", a, b)


def bit_at(of: Operand, place: Operand) -> Expression:
    """Return bit ``place``, which may be a net, of an integer of at least 0."""
    return _of("bit", of, place)


def holds(name: str, *statements: Expression) -> Expression:
    """Return the statement ``name``, that all of ``statements``, on this cycle alone, hold."""
    return Expression("holds", (name, reduce(operator.and_, statements)))


def called(name: str, of: Expression) -> Expression:
    """Return the integer ``name``, which is ``of``, of nets in this cycle."""
    return Expression("called", (name, of))


def every(index: str, count: Operand, *statements: Expression) -> Expression:
    """Return that all of ``statements`` hold for each value of the size ``index`` below ``count``.

    Its values begin with 0.
    """
    return Expression("every", (index, _lifted(count), reduce(operator.and_, statements)))


def later(of: Expression) -> Expression:
    """Return a statement on this cycle as one on the next cycle."""
    if of.operation in _NETS:
        return following(of)
    parts = (later(part) if isinstance(part, Expression) else part for part in of.arguments)
    return Expression(of.operation, tuple(parts))


def either(condition: Expression, yes: Operand, no: Operand) -> Expression:
    """Return ``yes`` if the condition holds, else ``no``."""
    return _of("if", condition, yes, no)


@dataclass(frozen=True)
class Lemma:
    """In every cycle in which all of ``given`` hold, all of ``shows`` hold.

    It is shown for any value of the nets ``cut``, so without the logic before them: for more than
    is needed, and often much faster. ``cut_later`` are those with any value in the next cycle. One
    that is ``at_reset`` speaks of the first cycle alone, in which all registers with a reset have
    its value. With ``each``, a name and a number, the name is a size in it, and the lemma holds
    for each value of it from 0 to below the number.
    """

    name: str
    given: tuple[Expression, ...]
    shows: tuple[Expression, ...]
    note: str = ""
    cut: tuple[str, ...] = ()
    at_reset: bool = False
    each: tuple[str, Expression] | None = None
    cut_later: tuple[str, ...] = ()

    @cached_property
    def operations(self) -> frozenset[str]:
        """All operations in its statements."""
        return frozenset().union(*(each.operations for each in (*self.given, *self.shows)))

    @property
    def digest(self) -> str:
        """The hash of the statement."""
        text = f"{self.name}|{self.given!r}|{self.shows!r}|{self.at_reset}|{self.each!r}"
        return hashlib.sha256(text.encode()).hexdigest()[:16]


def within(prefix: str, lemma: Lemma) -> Lemma:
    """Return ``lemma`` on an instance, whose nets have names that begin with ``prefix``."""

    def named(of: Expression) -> Expression:
        if of.operation in _NETS:
            name, *others = of.arguments
            return Expression(of.operation, (f"{prefix}{name}", *others))
        parts = (named(part) if isinstance(part, Expression) else part for part in of.arguments)
        return Expression(of.operation, tuple(parts))

    return replace(
        lemma,
        name=f"{prefix}{lemma.name}",
        given=tuple(map(named, lemma.given)),
        shows=tuple(map(named, lemma.shows)),
        cut=tuple(f"{prefix}{name}" for name in lemma.cut),
        cut_later=tuple(f"{prefix}{name}" for name in lemma.cut_later),
    )


_HEAD = """\
(* Generated by montforge: the statements that were given to the solver. *)
From Coq Require Import ZArith String.
Require Import {}.
Open Scope string_scope.
Open Scope Z_scope.
"""


def coq_text(lemmas: Sequence[Lemma]) -> str:
    """Return a Coq file with a definition of each lemma, and of the ranges of all nets in them."""
    widths = {
        str(found.arguments[0]): found.arguments[1]
        for lemma in lemmas
        for statement in (*lemma.given, *lemma.shows)
        for found in statement.nets
    }
    ranges = " /\\\n".join(
        f'  0 <= net "{name}" t < 2 ^ {_coq(width)}'
        for name, width in widths.items()
        if isinstance(width, Expression)
    )
    names = " ".join(size_names(lemmas))
    parameters = _PARAMETERS.format(names)
    text = [_HEAD.format(" ".join(required(lemmas))), f"Definition ranges {parameters}{ranges}.\n"]
    for name, inner in _named(lemmas, "called").items():
        own = _with_own(inner, names)
        text.append(f"Definition {name} {_VALUE_AT_A_CYCLE.format(own)}  {_coq(inner, names)}.\n")
    for name, inner in _named(lemmas, "holds").items():
        parts = _coq(inner, names).replace(" /\\ ", " /\\\n  ")
        text.append(f"Definition {name} {_AT_A_CYCLE.format(names)}  {parts}.\n")
    for lemma in lemmas:
        note = f"(* {lemma.note} *)\n" if lemma.note else ""
        given = "".join(f"  {_coq(each, names)} ->\n" for each in lemma.given)
        given = f"  t = O ->\n{given}" if lemma.at_reset else given
        if lemma.each is not None:
            index, count = lemma.each
            given = f"  forall {index} : Z, 0 <= {index} < {_coq(count)} ->\n{given}"
        shows = " /\\\n  ".join(_coq(each, names) for each in lemma.shows)
        text.append(f"{note}Definition {lemma.name} {parameters}{given}  {shows}.\n")
    return "\n".join(text)


def required(lemmas: Sequence[Lemma]) -> tuple[str, ...]:
    """Return the Coq modules that the definitions of ``lemmas`` are written with."""
    used = frozenset[str]().union(*(lemma.operations for lemma in lemmas))
    modules = {"part": "Bits", "numbered": "Numbered"}
    return ("Contract", *(name for operation, name in modules.items() if operation in used))


def size_names(lemmas: Sequence[Lemma]) -> list[str]:
    """Return the sizes that ``lemmas`` hang on, the parameters of their definitions in Coq."""
    used = (
        name
        for lemma in lemmas
        for statement in (*lemma.given, *lemma.shows, *(lemma.each or ())[1:])
        for name in statement.sizes
        if lemma.each is None or name != lemma.each[0]
    )
    return list(dict.fromkeys(["W", *used]))


_AT_A_CYCLE = "({} : Z) (net : trace) (t : nat) : Prop :=\n"
_VALUE_AT_A_CYCLE = "({} : Z) (net : trace) (t : nat) : Z :=\n"
_PARAMETERS = "({} : Z) (net : trace) : Prop := forall t : nat,\n"
_SYMBOLS = {"and": "/\\", "or": "\\/"}


def _coq(of: Expression | int | str, names: str = "W") -> str:
    """Return an expression as Coq takes it, closed in parentheses where it is not one word.

    ``names`` are the sizes that a statement with a name hangs on; an integer with a name hangs on
    its own ones, too.
    """
    coq = partial(_coq, names=names)
    if not isinstance(of, Expression):
        return f"({of})" if isinstance(of, int) and of < 0 else str(of)
    match of.operation, of.arguments:
        case "int", (value,):
            return coq(value)
        case "size", (name,):
            return str(name)
        case ("min" | "max" | "land" | "lor" | "lxor") as function, (a, b):
            return f"(Z.{function} {coq(a)} {coq(b)})"
        case "clog2", (values,):
            return f"(Z.log2_up {coq(values)})"
        case "pow2", (exponent,):
            return f"(2 ^ {coq(exponent)})"
        case "net", (name, _, _):
            return f'(net "{name}" {_cycle(of)})'
        case "numbered", (name, _, later, at):
            before, _, after = str(name).partition("{}")
            cycle = "(S t)" if later else "t"
            return f'(net (numbered "{before}" {coq(at)} "{after}") {cycle})'
        case "part", (of_net, low, width):
            return f"(part {coq(of_net)} {coq(low)} {coq(width)})"
        case "signed", (Expression("net", (_, width, _)) as inner,):
            return f"(two {coq(width)} {coq(inner)})"
        case "signed", (Expression("part", (_, _, width)) as inner,):
            return f"(two {coq(width)} {coq(inner)})"
        case "if", (Expression(relation, (a, b)), yes, no):
            return f"(if {coq(a)} {relation}? {coq(b)} then {coq(yes)} else {coq(no)})"
        case "bit", (a, place):
            return f"(({coq(a)} / 2 ^ {coq(place)}) mod 2)"
        case "every", (index, count, inner):
            return f"(forall {index} : Z, 0 <= {index} < {coq(count)} -> {coq(inner)})"
        case "holds", (name, inner):
            return f"({name} {names} net {_cycle(of)})"
        case "called", (name, Expression() as inner):
            return f"({name} {_with_own(inner, names)} net {_cycle(of)})"
        case operation, (a, b):
            return f"({coq(a)} {_SYMBOLS.get(operation, operation)} {coq(b)})"
    raise ValueError(f"no Coq for {of}")


def _cycle(of: Expression) -> str:
    """Return the cycle of an expression's first net."""
    return "(S t)" if of.nets[0].arguments[2] else "t"


def _with_own(of: Expression, names: str) -> str:
    """Return ``names`` and the other sizes in ``of``."""
    return " ".join(dict.fromkeys((*names.split(), *of.sizes)))


def _named(lemmas: Sequence[Lemma], operation: str) -> dict[str, Expression]:
    """Return the statements or integers with a name, by their names, those on this cycle."""
    found = (
        each.arguments
        for lemma in lemmas
        for statement in (*lemma.given, *lemma.shows)
        for each in statement.all(operation)
        if _cycle(each) == "t"
    )
    return {str(name): inner for name, inner in found if isinstance(inner, Expression)}
