# SPDX-License-Identifier: Apache-2.0
"""The nets of a design, and statements about them, as bit-vector terms of the solver bitwuzla.

A `Frame` is one clock cycle with reset inactive: its nets are terms over the registers and the
inputs of that cycle. The next cycle's frame has terms in place of registers, made when asked for.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache, partial, reduce
from itertools import count, groupby, takewhile
from typing import Any, TypeAlias

from montforge.prove.netlist import Bit, Cell, Netlist
from montforge.prove.statement import Expression
from montforge.prove.verdict import ProofError

Term: TypeAlias = Any
"""A term of bitwuzla, whose wheel has no types."""

RESET = "rst_ni"
_INDICES = re.compile(r"(.*)\[(\d+)\.\.\](.*)")


class Bits:
    """Makers of bit-vector terms."""

    def __init__(self) -> None:
        import bitwuzla  # of the extra `prove`

        self.kinds = bitwuzla.Kind
        self.manager = bitwuzla.TermManager()
        self.numbers = count()

    def value(self, width: int, value: int) -> Term:
        """Return the constant ``value`` modulo 2^width."""
        return self.manager.mk_bv_value(self.manager.mk_bv_sort(width), value % (1 << width))

    def unknown(self, width: int, name: str) -> Term:
        """Return a new free variable."""
        return self.manager.mk_const(self.manager.mk_bv_sort(width), name)

    def make(self, kind: str, *terms: Term, indices: tuple[int, ...] = ()) -> Term:
        """Return the term of a kind of bitwuzla, such as ``BV_ADD``."""
        found = getattr(self.kinds, kind)
        return (
            self.manager.mk_term(found, list(terms), list(indices))
            if indices
            else (self.manager.mk_term(found, list(terms)))
        )

    @staticmethod
    def width(term: Term) -> int:
        """Return the bits of ``term``."""
        return int(term.sort().bv_size())

    def extract(self, term: Term, low: int, width: int) -> Term:
        """Return ``width`` bits of ``term`` from bit ``low``."""
        if low == 0 and width == self.width(term):
            return term
        return self.make("BV_EXTRACT", term, indices=(low + width - 1, low))

    def fit(self, term: Term, width: int, *, signed: bool) -> Term:
        """Return ``term`` cut or extended to ``width`` bits."""
        own = self.width(term)
        if width <= own:
            return self.extract(term, 0, width)
        kind = "BV_SIGN_EXTEND" if signed else "BV_ZERO_EXTEND"
        return self.make(kind, term, indices=(width - own,))

    def bit(self, truth: Term) -> Term:
        """Return a truth value as one bit."""
        return self.make("ITE", truth, self.value(1, 1), self.value(1, 0))

    def is_set(self, term: Term) -> Term:
        """Return whether any bit of ``term`` is set."""
        return self.make("DISTINCT", term, self.value(self.width(term), 0))

    def concatenated(self, lowest_first: list[Term]) -> Term:
        """Return the vectors side by side."""
        if len(lowest_first) == 1:
            return lowest_first[0]
        return self.make("BV_CONCAT", *reversed(lowest_first))


class Frame:
    """One cycle of ``netlist``; ``registers`` and ``inputs`` are terms of those that are not free.

    All registers are those of the cycle after ``before``, if it is given.
    The nets ``cut`` are free, whatever drives them. Raises ProofError if there is none of a name.
    """

    def __init__(
        self,
        bits: Bits,
        netlist: Netlist,
        label: str,
        registers: dict[str, Term] | None = None,
        cut: Iterable[str] = (),
        inputs: Mapping[str, Term] | None = None,
        before: Frame | None = None,
    ) -> None:
        self.bits, self.netlist, self._before = bits, netlist, before
        self._named: dict[str, Term] = {}
        self._words: dict[tuple[str, str], Term] = {}
        for name, nets in netlist.inputs.items():
            given = bits.value(1, 1) if name == RESET else (inputs or {}).get(name)
            free = bits.unknown(len(nets), f"{label}.{name}") if given is None else given
            self._words["", name] = free
        for cell in netlist.registers if before is None else ():
            given = (registers or {}).get(cell.name)
            width = len(cell.outputs["Q"])
            self._words[cell.name, "Q"] = (
                bits.unknown(width, f"{label}.{cell.name}") if given is None else given
            )
        self._source = dict(netlist.sources)
        for name in cut:
            nets = self._nets(name)
            self._words["", name] = bits.unknown(len(nets), f"{label}.{name}")
            self._source |= {bit: (None, name, at) for at, bit in enumerate(nets)}

    def net(self, name: str) -> Term:
        """Return the value of a named net. Raises ProofError if there is none of that name."""
        if name not in self._named:
            self._named[name] = self.word(self._nets(name))
        return self._named[name]

    def _nets(self, name: str) -> list[Bit]:
        found = self.netlist.nets.get(name) or self._words_of(name)
        whole, _, place = name.removesuffix("]").rpartition("[")
        if found is None and place.isdecimal() and whole in self.netlist.nets:
            found = self.netlist.nets[whole][int(place) :][:1]
        if not found:
            raise ProofError(
                f"the design has no net {name!r} (it may have been optimised away, or renamed)."
            )
        return found

    def _words_of(self, name: str) -> list[Bit] | None:
        """Return the bits of the words of a memory side by side, the first one lowest.

        ``x[2..].y`` has those of ``x[2].y``, ``x[3].y`` and so on.
        """
        named = _INDICES.fullmatch(name)
        before, first, after = named.groups() if named else (name, "0", "")
        names = (f"{before}[{at}]{after}" for at in count(int(first)))
        words = takewhile(bool, map(self.netlist.nets.get, names))
        return [bit for word in words if word for bit in word] or None

    def word(self, nets: list[Bit]) -> Term:
        """Return the value of ``nets``, the lowest first."""
        self._evaluate(nets)
        return self._assembled(nets)

    def reset_registers(self) -> dict[str, Term]:
        """Return the values of the registers with a reset, just after it."""
        return {
            cell.name: self.bits.value(len(cell.outputs["Q"]), cell.parameters["ARST_VALUE"])
            for cell in self.netlist.registers
            if "ARST" in cell.inputs
        }

    def following(self, label: str, cut: Iterable[str] = ()) -> Frame:
        """Return the next cycle, in which the nets ``cut`` are free."""
        return Frame(self.bits, self.netlist, label, cut=cut, before=self)

    def _assembled(self, nets: list[Bit]) -> Term:
        pieces: list[Term] = []

        def place(item: tuple[int, Bit]) -> tuple[object, ...]:
            at, bit = item
            if isinstance(bit, str):
                return ("", bit)
            cell, port, index = self._source[bit]
            return (cell.name if cell else "", port, index - at)

        for _, group in groupby(enumerate(nets), key=place):
            items = list(group)
            first = items[0][1]
            if isinstance(first, str):
                pieces.append(self._constant(len(items), first))
            else:
                cell, port, index = self._source[first]
                word = self._words[cell.name if cell else "", port]
                pieces.append(self.bits.extract(word, index, len(items)))
        return self.bits.concatenated(pieces)

    def _constant(self, width: int, bit: str) -> Term:
        """Return ``width`` bits of a constant; those that are undefined may have any value."""
        if bit in {"0", "1"}:
            return self.bits.value(width, -int(bit))
        return self.bits.unknown(width, f"undefined.{next(self.bits.numbers)}")

    def _evaluate(self, nets: Iterable[Bit]) -> None:
        """Make the words of all cells that ``nets`` need, those before them first."""
        waiting: list[tuple[Cell, bool]] = [(cell, False) for cell in self._needed(nets)]
        under_way: set[str] = set()
        while waiting:
            cell, ready = waiting.pop()
            if (cell.name, "Y") in self._words:
                continue
            if ready:
                self._words[cell.name, "Y"] = self._output(cell)
            elif cell.name in under_way:
                raise ProofError(f"the nets before {cell.name} form a loop of whole words.")
            else:
                under_way.add(cell.name)
                waiting.append((cell, True))
                inputs = (bit for port in cell.inputs.values() for bit in port)
                waiting += [(each, False) for each in self._needed(inputs)]

    def _needed(self, nets: Iterable[Bit]) -> list[Cell]:
        found: dict[str, Cell] = {}
        for bit in nets:
            if isinstance(bit, int):
                if bit not in self._source:
                    raise ProofError(f"net {self.netlist.names.get(bit, bit)} is not driven.")
                cell, port, _ = self._source[bit]
                if cell is not None and (cell.name, port) not in self._words:
                    if cell.is_register:
                        self._held(cell)
                        continue
                    if port != "Y":
                        raise ProofError(f"cells of type {cell.type} can't be read.")
                    found[cell.name] = cell
        return list(found.values())

    def _held(self, cell: Cell) -> Term:
        """Return what a register holds: of the next cycle, what the cycle before gives it."""
        if (cell.name, "Q") not in self._words:
            assert self._before is not None
            self._words[cell.name, "Q"] = self._before._next(cell)
        return self._words[cell.name, "Q"]

    def _next(self, cell: Cell) -> Term:
        kinds, make = self.bits, self.bits.make
        self._evaluate(bit for nets in cell.inputs.values() for bit in nets)
        held = self._held(cell)
        width = kinds.width(held)

        def active(port: str) -> Term:
            at_one = cell.parameters.get(f"{port}_POLARITY", 1)
            return make("EQUAL", self._assembled(cell.inputs[port]), kinds.value(1, at_one))

        value = self._assembled(cell.inputs["D"])
        if "SRST" in cell.inputs and cell.type != "$sdffce":
            reset = kinds.value(width, cell.parameters["SRST_VALUE"])
            value = make("ITE", active("SRST"), reset, value)
            if "EN" in cell.inputs:
                enabled = make("OR", active("EN"), active("SRST"))
                value = make("ITE", enabled, value, held)
        elif "SRST" in cell.inputs:
            reset = kinds.value(width, cell.parameters["SRST_VALUE"])
            value = make("ITE", active("SRST"), reset, value)
            value = make("ITE", active("EN"), value, held)
        elif "EN" in cell.inputs:
            value = make("ITE", active("EN"), value, held)
        if "ARST" in cell.inputs:
            reset = kinds.value(width, cell.parameters["ARST_VALUE"])
            value = make("ITE", active("ARST"), reset, value)
        if {"SET", "CLR", "AD"} & set(cell.inputs):
            raise ProofError(f"registers of type {cell.type} can't be read.")
        return value

    def _output(self, cell: Cell) -> Term:
        width = len(cell.outputs["Y"])
        maker = _CELLS.get(cell.type)
        if maker is None:
            raise ProofError(f"cells of type {cell.type} can't be read.")
        return maker(self, cell, width)

    def operand(self, cell: Cell, port: str, width: int | None = None) -> Term:
        """Return an input of ``cell``, extended to ``width`` bits as the cell does."""
        signs = {
            bool(cell.parameters.get(f"{name}_SIGNED")) for name in cell.inputs if name in "AB"
        }
        if width is not None and len(signs) > 1:
            raise ProofError(f"operands of which one is signed ({cell.name}) can't be read.")
        word = self._assembled(cell.inputs[port])
        is_signed = bool(cell.parameters.get(f"{port}_SIGNED"))
        return word if width is None else self.bits.fit(word, width, signed=is_signed)


_Maker: TypeAlias = Callable[[Frame, Cell, int], Term]


def _bitwise(kind: str) -> _Maker:
    return lambda f, c, w: f.bits.make(kind, f.operand(c, "A", w), f.operand(c, "B", w))


def _unary(kind: str) -> _Maker:
    return lambda f, c, w: f.bits.make(kind, f.operand(c, "A", w))


def _truth(found: Callable[[Frame, Cell], Term]) -> _Maker:
    return lambda f, c, w: f.bits.fit(f.bits.bit(found(f, c)), w, signed=False)


def _compared(kind: str) -> _Maker:
    def relation(f: Frame, c: Cell) -> Term:
        width = max(len(c.inputs["A"]), len(c.inputs["B"]))
        is_signed = c.parameters.get("A_SIGNED") and c.parameters.get("B_SIGNED")
        name = kind.replace("?", "S" if is_signed else "U")
        return f.bits.make(name, f.operand(c, "A", width), f.operand(c, "B", width))

    return _truth(relation)


def _any(f: Frame, c: Cell, port: str = "A") -> Term:
    return f.bits.is_set(f.operand(c, port))


def _all(f: Frame, c: Cell) -> Term:
    word = f.operand(c, "A")
    return f.bits.make("EQUAL", word, f.bits.value(f.bits.width(word), -1))


def _shifted(kind: str) -> _Maker:
    def shift(f: Frame, c: Cell, w: int) -> Term:
        if c.parameters.get("A_SIGNED") or c.parameters.get("B_SIGNED"):
            raise ProofError(f"shifts of signed words ({c.name}) can't be read.")
        width = max(w, len(c.inputs["A"]), len(c.inputs["B"]) + 1)
        amount = f.bits.fit(f.operand(c, "B"), width, signed=False)
        word = f.operand(c, "A", width)
        return f.bits.extract(f.bits.make(kind, word, amount), 0, w)

    return shift


def _indexed(f: Frame, c: Cell, w: int) -> Term:
    """Return ``w`` bits from the place B on; those above the word A have any value."""
    if c.parameters.get("B_SIGNED"):
        raise ProofError(f"signed places of words ({c.name}) can't be read.")
    above = (1 << len(c.inputs["B"])) + w
    word = f.bits.concatenated(
        [f.operand(c, "A"), f.bits.unknown(above, f"undefined.{next(f.bits.numbers)}")]
    )
    place = f.bits.fit(f.operand(c, "B"), f.bits.width(word), signed=False)
    return f.bits.extract(f.bits.make("BV_SHR", word, place), 0, w)


def _parity(f: Frame, c: Cell, w: int) -> Term:
    return f.bits.fit(f.bits.make("BV_REDXOR", f.operand(c, "A")), w, signed=False)


def _mux(f: Frame, c: Cell, w: int) -> Term:
    return f.bits.make("ITE", _any(f, c, "S"), f.operand(c, "B"), f.operand(c, "A"))


def _pmux(f: Frame, c: Cell, w: int) -> Term:
    """Return the choice of the lowest select; more than one at once is not what the RTL says."""
    selects, choices = f.operand(c, "S"), f.operand(c, "B")
    chosen = f.operand(c, "A")
    for at in reversed(range(len(c.inputs["S"]))):
        is_set = f.bits.is_set(f.bits.extract(selects, at, 1))
        chosen = f.bits.make("ITE", is_set, f.bits.extract(choices, at * w, w), chosen)
    return chosen


def _table(f: Frame, c: Cell, w: int) -> Term:
    """Return the entry of ``A`` whose number is ``S``."""
    entries, number = f.operand(c, "A"), f.operand(c, "S")
    chosen = [f.bits.extract(entries, at, w) for at in range(0, f.bits.width(entries), w)]
    for at in range(len(c.inputs["S"])):
        is_set = f.bits.is_set(f.bits.extract(number, at, 1))
        pairs = zip(chosen[::2], chosen[1::2], strict=True)
        chosen = [f.bits.make("ITE", is_set, odd, even) for even, odd in pairs]
    return chosen[0]


_CELLS: dict[str, _Maker] = {
    "$not": _unary("BV_NOT"),
    "$neg": _unary("BV_NEG"),
    "$pos": lambda f, c, w: f.operand(c, "A", w),
    "$and": _bitwise("BV_AND"),
    "$or": _bitwise("BV_OR"),
    "$xor": _bitwise("BV_XOR"),
    "$xnor": _bitwise("BV_XNOR"),
    "$add": _bitwise("BV_ADD"),
    "$sub": _bitwise("BV_SUB"),
    "$mul": _bitwise("BV_MUL"),
    "$shiftx": _indexed,
    "$shl": _shifted("BV_SHL"),
    "$shr": _shifted("BV_SHR"),
    "$sshl": _shifted("BV_SHL"),
    "$sshr": _shifted("BV_SHR"),
    "$eq": _compared("EQUAL"),
    "$ne": _compared("DISTINCT"),
    "$lt": _compared("BV_?LT"),
    "$le": _compared("BV_?LE"),
    "$gt": _compared("BV_?GT"),
    "$ge": _compared("BV_?GE"),
    "$reduce_and": _truth(_all),
    "$reduce_or": _truth(_any),
    "$reduce_bool": _truth(_any),
    "$reduce_xor": _parity,
    "$logic_not": _truth(lambda f, c: f.bits.make("NOT", _any(f, c))),
    "$logic_and": _truth(lambda f, c: f.bits.make("AND", _any(f, c), _any(f, c, "B"))),
    "$logic_or": _truth(lambda f, c: f.bits.make("OR", _any(f, c), _any(f, c, "B"))),
    "$mux": _mux,
    "$pmux": _pmux,
    "$bmux": _table,
}


_ARITHMETIC: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.floordiv,
    "mod": operator.mod,
    "min": min,
    "max": max,
}


_BITWISE = {"land": "BV_AND", "lor": "BV_OR", "lxor": "BV_XOR"}


class Statements:
    """Statements about ``now`` and ``then``, the next cycle, of a design with ``sizes``.

    Each integer gets as many bits as its range needs, so that nothing wraps.
    """

    def __init__(self, now: Frame, then: Frame, sizes: Mapping[str, int]) -> None:
        self.bits, self.frames, self.sizes = now.bits, (now, then), sizes
        self._terms: dict[tuple[Expression, int], Term] = {}
        self._range = cache(self._range_of)

    def truth(self, of: Expression) -> Term:
        """Return a statement as a term that is true or false."""
        if of.operation == "holds":
            return self.truth(of.parts[0])
        if of.operation == "every":
            return self._every(of)
        if of.operation in {"and", "or"}:
            return self.bits.make(of.operation.upper(), *map(self.truth, of.parts))
        kinds = {"=": "EQUAL", "<": "BV_SLT", "<=": "BV_SLE"}
        ranges = [self._range(part) for part in of.parts]
        width = _bits_of(min(low for low, _ in ranges), max(high for _, high in ranges))
        return self.bits.make(kinds[of.operation], *(self._term(p, width) for p in of.parts))

    def _every(self, of: Expression) -> Term:
        index, (count, inner) = str(of.arguments[0]), of.parts
        values = range(self.number(count))
        given = (Statements(*self.frames, {**self.sizes, index: value}) for value in values)
        found = [each.truth(inner) for each in given]
        return reduce(partial(self.bits.make, "AND"), found, self.bits.manager.mk_true())

    def _value(self, of: Expression) -> int | None:
        """Return the value of an expression without nets; None of others."""
        match of.operation, of.arguments:
            case "int", (int() as value,):
                return value
            case "size", (str() as name,):
                if name not in self.sizes:
                    raise ProofError(f"the design has no parameter {name!r}.")
                return self.sizes[name]
            case "clog2", (Expression() as values,):
                count = self._value(values)
                return None if count is None else (count - 1).bit_length()
            case "pow2", (Expression() as exponent,):
                places = self._value(exponent)
                return None if places is None else 1 << places
            case operation, (Expression() as a, Expression() as b) if operation in _ARITHMETIC:
                x, y = self._value(a), self._value(b)
                return None if x is None or y is None else _ARITHMETIC[operation](x, y)
        return None

    def number(self, of: Expression) -> int:
        """Return the value of an expression without nets. Raises ProofError for others."""
        value = self._value(of)
        if value is None:
            raise ProofError(f"{of} has to be a number.")
        return value

    def _range_of(self, of: Expression) -> tuple[int, int]:
        value = self._value(of)
        if value is not None:
            return value, value
        match of.operation, of.arguments:
            case "called", (_, Expression() as inner):
                return self._range(inner)
            case "net" | "numbered", (_, Expression() as width, *_):
                return 0, (1 << self.number(width)) - 1
            case "part", (_, _, Expression() as width):
                return 0, (1 << self.number(width)) - 1
            case "signed", (Expression() as inner,):
                half = (self._range(inner)[1] + 1) // 2
                return -half, half - 1
            case "if", (_, Expression() as yes, Expression() as no):
                ranges = self._range(yes), self._range(no)
                return min(r[0] for r in ranges), max(r[1] for r in ranges)
            case "bit", _:
                return 0, 1
            case "mod", (_, Expression() as divisor):
                return 0, self.number(divisor) - 1
            case "/", (Expression() as a, Expression() as divisor):
                low, high = self._range(a)
                return low // self.number(divisor), high // self.number(divisor)
            case operation, (Expression() as a, Expression() as b):
                (low, high), (least, most) = self._range(a), self._range(b)
                if operation in _BITWISE:
                    if min(low, least) < 0:
                        raise ProofError("a bit-by-bit operand may be negative.")
                    ones = (1 << max(high, most).bit_length()) - 1
                    return 0, min(high, most) if operation == "land" else ones
                if operation == "+":
                    return low + least, high + most
                if operation == "-":
                    return low - most, high - least
                products = [x * y for x in (low, high) for y in (least, most)]
                return min(products), max(products)
        raise ProofError(f"{of} has no range.")

    def _term(self, of: Expression, width: int) -> Term:
        """Return ``of`` modulo 2^width."""
        if (of, width) not in self._terms:
            self._terms[of, width] = self._made(of, width)
        return self._terms[of, width]

    def name(self, of: Expression) -> str:
        """Return the name of a net. Raises ProofError if its number has no value."""
        name, _, _, *at = of.arguments
        return str(name).format(*(self.number(each) for each in at if isinstance(each, Expression)))

    def _net(self, of: Expression) -> Term:
        name, (_, width, later, *_) = self.name(of), of.arguments
        found = self.frames[int(str(later))].net(name)
        expected = self.number(width) if isinstance(width, Expression) else 0
        if self.bits.width(found) != expected:
            raise ProofError(
                f"net {name} has {self.bits.width(found)} bits; the lemma speaks of {expected}."
            )
        return found

    def _part(self, of: Expression, low: Expression, width: Expression) -> Term:
        found, first, count = self._net(of), self.number(low), self.number(width)
        if count < 1 or first + count > self.bits.width(found):
            raise ProofError(f"{of.arguments[0]} has no {count} bits from bit {first} on.")
        return self.bits.extract(found, first, count)

    def _made(self, of: Expression, width: int) -> Term:
        bits = self.bits
        value = self._value(of)
        if value is not None:
            return bits.value(width, value)
        if of.operation == "called":
            return self._term(of.parts[0], width)
        if of.operation in {"net", "numbered"}:
            return bits.fit(self._net(of), width, signed=False)
        if of.operation == "part":
            return bits.fit(self._part(*of.parts), width, signed=False)
        if of.operation == "signed":
            (inner,) = of.parts
            own = self._range(inner)[1].bit_length()
            return bits.fit(self._term(inner, own), width, signed=True)
        if of.operation == "if":
            condition, yes, no = of.parts
            return bits.make(
                "ITE", self.truth(condition), self._term(yes, width), self._term(no, width)
            )
        a, b = of.parts
        if of.operation == "bit":
            own = max(_bits_of(*self._range(each)) for each in (a, b))
            shifted = bits.make("BV_SHR", self._term(a, own), self._term(b, own))
            return bits.fit(bits.extract(shifted, 0, 1), width, signed=False)
        if of.operation in {"mod", "/"}:
            places = self.number(b).bit_length() - 1
            if self.number(b) != 1 << places:
                return self._remainder(of, a, self.number(b), width)
            if of.operation == "mod":
                if places == 0:
                    return bits.value(width, 0)
                return bits.fit(self._term(a, places), width, signed=False)
            own = max(_bits_of(*self._range(a)), places + 1)
            quotient = bits.extract(self._term(a, own), places, own - places)
            return bits.fit(quotient, width, signed=True)
        if of.operation == "*":
            for one, other in ((a, b), (b, a)):
                if self._range(one) == (0, 1):  # a factor that selects
                    chosen = bits.is_set(self._term(one, 1))
                    return bits.make("ITE", chosen, self._term(other, width), bits.value(width, 0))
            low, high = self._range(of)
            own = max(1, high.bit_length())
            if low >= 0 and own < width:  # as a multiplier of the RTL has it
                return bits.fit(self._term(of, own), width, signed=False)
        kind = ({"+": "BV_ADD", "-": "BV_SUB", "*": "BV_MUL"} | _BITWISE)[of.operation]
        return bits.make(kind, self._term(a, width), self._term(b, width))

    def _remainder(self, of: Expression, a: Expression, divisor: int, width: int) -> Term:
        """Return ``a`` modulo a number that is no power of 2, of an integer of at least 0."""
        low, high = self._range(a)
        if of.operation == "/" or low < 0:
            raise ProofError(f"{divisor} is no power of 2.")
        own = max(high, divisor).bit_length()
        found = self.bits.make("BV_UREM", self._term(a, own), self.bits.value(own, divisor))
        return self.bits.fit(found, width, signed=False)


def _bits_of(low: int, high: int) -> int:
    """Return the bits of two's complement that hold all integers from ``low`` to ``high``."""
    return max(low.bit_length() if low >= 0 else (~low).bit_length(), high.bit_length()) + 1
