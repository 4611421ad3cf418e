# SPDX-License-Identifier: Apache-2.0
"""What the RSA engine's micro-program lets time follow, by the rows of the RTL itself.

The netlist shows that data reach the engine's time through named nets alone: conditions of rows,
the public exponent, whether it is zero. `released` follows the values of variables through the rows
of ``mf_rsa_rows.sv``, in their order, and says which values those rows let out in operations with
secrets. A row of whose result two values are chosen is taken in both ways, a segment that is called
several times until nothing changes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from montforge.hardware import Hardware
from montforge.prove.verdict import ProofError

ROWS, NAMES = "mf_rsa_rows.sv", "mf_rsa_pkg.sv"
_SEGMENT = re.compile(r"rows\[(\d+):(\d+)\] = \{\d+\{segment_i inside \{([^}]+)\}")
_FIRST = re.compile(r"rows\[\d+:(\d+)\] = \{rows\[[^]]+\], (\d+)'d0\}")
"""Of the rows of a segment the first ones, which only some checks have."""
_NAME = re.compile(r"\bSeg\w+")
_ROW = re.compile(r"rows_q\[(\d+)\], (.*?)\);", re.S)
_NUMBER = re.compile(r"localparam variable_t (\w+) += 7'h(\w+);")
_OPERAND = re.compile(r"\b(half|full|wide|of_p|of_q|short64)\((\w+)\)")
_CALL = re.compile(r"call\((Seg\w+), (Times\w+)\)")
_CONDITION = re.compile(r"\b(If\w+)(?:, (\w+))?\)$")
_CONSTANTS = {"Zero", "One", "Two"}
_NO_VALUE = {"IfLength", "IfTurns"}
"""Conditions on lengths and counts, not on words."""
_END, _SKIPPED = "Nothing", ""

MESSAGE, RANDOM, KEY = "message", "random", "key"
"""Origins of secret values: the operand of the host, the random source, anything else."""
ERRORS = {
    "ErrMessage": ({MESSAGE}, "whether the message is below n"),
    "ErrFault": ({MESSAGE, RANDOM, KEY}, "whether a check fails, which only a fault makes it do"),
    "Again": ({RANDOM}, "whether a random blinding value is below 2, and drawn again"),
}
"""Errors of conditions: the origins of the values that they may follow, and the fact let out."""


@dataclass(frozen=True)
class Operation:
    """An operation with secrets: its first segment, its public variables, the calls it lacks."""

    name: str
    segment: str
    public: tuple[tuple[str, int], ...]
    without: tuple[str, ...] = ()


OPERATIONS = (
    # n of the slot; e, which is beside qInv, in the half of q.
    Operation("private", "SegPrivate", (("SlotM", 0), ("SlotM", 1), ("SlotQInv", 1))),
    Operation("modexp, full", "SegModulus", (("HostN", 0), ("HostN", 1)), ("TimesPublic",)),
)

Origins = frozenset[str]
_ANY: Origins = frozenset({KEY})


@dataclass
class _Values:
    """Origins of the secrets in each variable and half; of what flag and comparison have."""

    kept: dict[tuple[int, int], Origins]
    flag: Origins = frozenset()
    compared: Origins = frozenset()

    def copy(self) -> _Values:
        return _Values(dict(self.kept), self.flag, self.compared)

    def join(self, other: _Values) -> None:
        for place in self.kept.keys() | other.kept.keys():
            self.kept[place] = self.kept.get(place, _ANY) | other.kept.get(place, _ANY)
        self.flag |= other.flag
        self.compared |= other.compared


@dataclass
class _Run:
    segments: Mapping[str, list[tuple[str, ...]]]
    numbers: Mapping[str, int]
    without: tuple[str, ...]
    facts: set[str] = field(default_factory=set)
    leaks: list[tuple[str, ...]] = field(default_factory=list)

    def places(self, form: str, name: str) -> list[tuple[int, int]]:
        """Return the halves that an operand has."""
        number = self.numbers[name]
        halves = {"of_p": (0,), "of_q": (1,)}.get(form, (0, 1))
        return [(number + n, half) for n in range(1 + (form == "wide")) for half in halves]

    def origins(self, values: _Values, operands: list[tuple[str, str]]) -> Origins:
        """Return the origins of all of ``operands``."""
        read = [at for form, name in operands for at in self.places(form, name)
                if name not in _CONSTANTS]  # fmt: skip
        return frozenset().union(*(values.kept.get(at, _ANY) for at in read))

    def segment(self, name: str, values: _Values, path: tuple[str, ...]) -> None:
        """Run a segment; ``values`` become those at all of its ends."""
        ends = []
        for number, *ways in self.segments[name]:
            before = values.copy()
            states = [values, *(before.copy() for _ in ways[1:])]
            for way, state in zip(ways, states, strict=True):
                self.row(way, state, (*path, f"{name} {number}"))
            ends += [state for way, state in zip(ways, states, strict=True) if way == _END]
            for state in states[1:]:
                values.join(state)
        for state in ends:
            values.join(state)

    def row(self, text: str, values: _Values, path: tuple[str, ...]) -> None:
        """Run a row."""
        if called := _CALL.search(text):
            self.call(called[1], called[2], values, path)
            return
        operands = _OPERAND.findall(text)
        if not operands:
            return
        unary = re.search(r"\b(unary|copy|put|reduce|compare|go)\(", text)
        sources = operands if unary and unary[1] not in {"unary", "copy"} else operands[1:]
        origins = self.origins(values, sources)
        if "WordLoadPublic" in text and origins:
            self.leaks.append((*path, text))
        if "WordRandom" in text:
            origins = frozenset({RANDOM})
        if "WordSelect" in text:
            origins |= values.flag
        if re.search(r"\b(put|go|reduce)\(", text):
            origins |= _ANY
        if re.search(r"\b(compare|reduce|put)\(|Word(Sub|Compare|Low)\b", text):
            values.flag = origins if "WordAdd" not in text else values.flag | origins
        values.compared = origins
        if not re.search(r"\b(compare|go)\(|WordCompare|WordLoad", text):
            for place in self.places(*operands[0]):
                values.kept[place] = origins
        condition = _CONDITION.search(text)
        if condition and condition[1] not in _NO_VALUE:
            self.release(condition[2] or "ErrFault", origins, (*path, text))

    def call(self, name: str, times: str, values: _Values, path: tuple[str, ...]) -> None:
        """Run a segment as often as it can be called."""
        if times in self.without:
            return
        if times == "TimesNonzero" and values.compared:
            self.leaks.append((*path, times))
        skipped = values.copy()
        self.segment(name, values, path)
        if times == "TimesOnce":
            return
        while True:
            values.join(skipped)
            skipped = values.copy()
            self.segment(name, values, path)
            values.join(skipped)
            if values == skipped:
                return

    def release(self, error: str, origins: Origins, path: tuple[str, ...]) -> None:
        """Note what a condition lets out."""
        allowed, fact = ERRORS.get(error, (set[str](), ""))
        if origins <= allowed:
            self.facts |= {fact} if origins else set()
        else:
            self.leaks.append(path)


def released(hardware: Hardware) -> tuple[list[str], list[tuple[str, ...]]]:
    """Return the facts that operations with secrets let out, and rows that let out more.

    Of such a row the calls that lead to it, and its text. Raises ProofError for RTL that has no
    such rows.
    """
    code = {path.name: path for path in hardware.files}
    if ROWS not in code or NAMES not in code:
        raise ProofError(f"the RTL has no {ROWS} or no {NAMES}.")
    segments = dict(_segments(code[ROWS]))
    numbers = {name: int(at, 16) for name, at in _NUMBER.findall(code[NAMES].read_text("utf-8"))}
    numbers |= {name: 0x60 + at for at, name in enumerate(("Zero", "One", "Two"))}
    facts: set[str] = set()
    leaks = []
    for operation in OPERATIONS:
        kept = {(numbers[name], half): frozenset[str]() for name, half in operation.public}
        kept |= {(numbers["HostX"], half): frozenset({MESSAGE}) for half in (0, 1)}
        run = _Run(segments, numbers, operation.without)
        run.segment(operation.segment, _Values(kept), (operation.name,))
        facts |= run.facts
        leaks += run.leaks
    return sorted(facts), leaks


def _segments(path: Path) -> Iterator[tuple[str, list[tuple[str, ...]]]]:
    """Yield the segments by name: of each row its number, and the ways that it can be."""
    text = re.sub(r"//.*", "", path.read_text(encoding="utf-8"))
    rows = {int(number): " ".join(row.split()) for number, row in _ROW.findall(text)}
    more = {int(base): int(count) for base, count in _FIRST.findall(text)}
    for last, base, names in _SEGMENT.findall(text):
        later = int(base) + more.get(int(base), 0)
        first = [(f"{n}", rows[n], _SKIPPED) for n in range(int(base), later)]
        others = [(f"{n}", *_ways(rows[n])) for n in range(later, int(last) + 1)]
        for name in _NAME.findall(names):
            yield name, first + others


def _ways(row: str) -> tuple[str, ...]:
    """Return the alternatives of ``condition ? a : b`` outside parentheses, or the row."""
    depth, cuts = 0, []
    for at, letter in enumerate(row):
        depth += (letter == "(") - (letter == ")")
        if depth == 0 and letter in "?:":
            cuts.append(at)
    if not cuts:
        return (row,)
    return (row[cuts[0] + 1 : cuts[1]].strip(), row[cuts[1] + 1 :].strip())
