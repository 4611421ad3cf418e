# SPDX-License-Identifier: Apache-2.0
"""The lemmas hold, with the integers that they speak of, in the traces of the bench.

Verilator reads the RTL without Yosys and slang, and `evaluated` shares nothing with the printers
for Coq and for the solver: a net or a statement that one of them reads otherwise shows here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count, pairwise, takewhile
from pathlib import Path

import pytest
import pywellen

from montforge.arch import Core, core
from montforge.arch.driven_design import Simulated, driven
from montforge.prove.lemmas import PROOFS, lemmas_of, sizes
from montforge.prove.statement import Expression, Lemma
from montforge.verify.bench import build_bench
from montforge.verify.modes import Mode, Plan
from planted import edited
from proved_forms import OTHERS

Cycle = Mapping[str, int]
"""The values of all nets before a rising edge, by their names below the top."""
WIDTH = 16
OPERATIONS = 40
MEETING: dict[str, dict[str, int | str]] = {
    "scs_mm_ct": {"block": 4},
    "fios_systolic": {"word": 6},
    "mcivor": {"block": 4},
    "tenca_koc": {"word": 4, "elements": 3},
}
"""Parameters with which random operations meet the assumptions of all lemmas in little time."""

ARITHMETIC: dict[str, Callable[[int, int], int]] = {
    "+": int.__add__,
    "-": int.__sub__,
    "*": int.__mul__,
    "/": int.__floordiv__,
    "mod": int.__mod__,
    "=": int.__eq__,
    "<": int.__lt__,
    "<=": int.__le__,
    "land": int.__and__,
    "lor": int.__or__,
    "lxor": int.__xor__,
    "and": lambda a, b: a and b,
    "or": lambda a, b: a or b,
    "min": min,
    "max": max,
}


def evaluated(of: Expression, given: Mapping[str, int], now: Cycle, then: Cycle) -> int:
    """Return the integer, or the truth value, that ``of`` has in a cycle and the one after it."""

    def value(argument: Expression | int | str) -> int:
        assert isinstance(argument, Expression)
        return evaluated(argument, given, now, then)

    match of.operation, of.arguments:
        case "int", (int() as number,):
            return number
        case "size", (str() as name,):
            return given[name]
        case "net", (str() as name, _, later):
            return (then if later else now)[name]
        case "numbered", (str() as name, _, later, at):
            return (then if later else now)[name.format(value(at))]
        case "every", (index, values, statement):
            assert isinstance(statement, Expression)
            return all(
                evaluated(statement, {**given, str(index): each}, now, then)
                for each in range(value(values))
            )
        case "part", (whole, low, width):
            return value(whole) >> value(low) & (1 << value(width)) - 1
        case "signed", (Expression("net" | "part") as inner,):
            found, bits = value(inner), value(inner.arguments[1 + (inner.operation == "part")])
            return found - (found >> (bits - 1) << bits)
        case "pow2", (exponent,):
            return 1 << value(exponent)
        case "clog2", (values,):
            return (value(values) - 1).bit_length()
        case "if", (condition, yes, no):
            return value(yes) if value(condition) else value(no)
        case "holds" | "called", (_, statement):
            return value(statement)
        case "every", (str() as index, number, Expression() as each):
            values = ({**given, index: at} for at in range(value(number)))
            return all(evaluated(each, of_index, now, then) for of_index in values)
        case operation, (a, b):
            return ARITHMETIC[operation](value(a), value(b))
    raise AssertionError(f"no value of {of}")


def traced(simulated: Simulated, lemmas: Sequence[Lemma], path: Path) -> list[tuple[Cycle, Cycle]]:
    """Return the cycles of random operations of the bench, each with the next, without resets.

    The bench stalls, and resets in mid-operation; a cycle has the nets that ``lemmas`` name.
    """
    (chunk,) = Plan(simulated, 1, OPERATIONS, mode="random").chunks()
    assert isinstance(chunk.mode, Mode)
    requests = [case.request for case in chunk.mode.cases(chunk, chunk.generator())]
    build_bench(simulated, traced=True, properties=False).run(requests, waves=path)
    found = pywellen.Waveform(str(path)).all_vars()
    variables = {each.full_name.replace(".[", "["): each for each in found}
    top = f"TOP.{simulated.hardware.top}."
    words = {
        name: [(each.bitwidth, each.signal) for each in of_name(name, top, variables)]
        for family in names(lemmas)
        for name in instances_of(family, top, variables)
    }
    samples = [time - 1 for time, level in variables["TOP.clk_i"].tv if level == 1]
    resets = [time for time, level in variables["TOP.rst_ni"].tv if level == 0]
    cycles = {
        time: {name: value_of(found, time) for name, found in words.items()} for time in samples
    }
    return [
        (cycles[now], cycles[then])
        for now, then in pairwise(samples)
        if not any(now <= reset <= then for reset in resets)
    ]


def instances_of(name: str, top: str, variables: Mapping[str, pywellen.Var]) -> Iterator[str]:
    """Yield the name, or that of each net with a number in place of {}."""
    if "{}" not in name:
        yield name
        return
    yield from takewhile(lambda each: f"{top}{each}" in variables, map(name.format, count()))


def of_name(name: str, top: str, variables: Mapping[str, pywellen.Var]) -> Iterator[pywellen.Var]:
    """Yield the variable, or with ``x[1..].y`` all from ``x[1].y`` on, or the words of an array."""
    before, indexed, after = name.partition("..]")
    if not indexed and f"{top}{name}" in variables:
        yield variables[f"{top}{name}"]
        return
    # Yosys has an array that no address reads as one net, the first word on top.
    whole, _, first = (before if indexed else f"{name}[0").rpartition("[")
    names = (f"{top}{whole}[{at}]{after}" for at in count(int(first)))
    words = list(takewhile(bool, map(variables.get, names)))
    yield from words if indexed else reversed(words)


def value_of(words: Sequence[tuple[int, pywellen.Signal]], time: int) -> int:
    """Return the integer of words side by side, each with its bits, the first one lowest."""
    found = 0
    for bits, signal in reversed(words):
        found = found << bits | signal.value_at(time)
    return found


def names(of: Sequence[Lemma]) -> set[str]:
    statements = (each for lemma in of for each in (*lemma.given, *lemma.shows))
    found = (net for each in statements for net in (*each.nets, *each.all("numbered")))
    return {str(net.arguments[0]) for net in found}


def instances(chosen: Core, lemma: Lemma) -> list[dict[str, int]]:
    """Return the sizes of ``lemma``, once for each value of its index."""
    given = sizes(chosen)
    if lemma.each is None:
        return [given]
    index, number = lemma.each
    return [{**given, index: value} for value in range(evaluated(number, given, {}, {}))]


def holds(
    statements: Sequence[Expression], given: dict[str, int], cycle: tuple[Cycle, Cycle]
) -> bool:
    return all(evaluated(each, given, *cycle) for each in statements)


def broken(chosen: Core, simulated: Simulated, path: Path) -> set[str]:
    """Return the lemmas on ``chosen`` that a cycle breaks; each one's assumptions are met."""
    lemmas = [each for each in lemmas_of(chosen) or () if not each.at_reset]
    cycles = traced(simulated, lemmas, path)
    found = set()
    for lemma in lemmas:
        given_sizes = instances(chosen, lemma)
        met = [
            (given, each)
            for given in given_sizes
            for each in cycles
            if holds(lemma.given, given, each)
        ]
        assert met or not given_sizes, f"no cycle meets the assumptions of {lemma.name}"
        if not all(holds(lemma.shows, *each) for each in met):
            found.add(lemma.name)
    return found


@pytest.mark.parametrize(
    ("name", "parameters"), [*((name, MEETING.get(name, {})) for name in PROOFS), *OTHERS]
)
def test_each_lemma_holds_in_the_traces_of_the_bench(
    name: str, parameters: dict[str, int | str], tmp_path: Path
) -> None:
    chosen = core(name, width=WIDTH, **parameters)
    assert broken(chosen, driven(chosen), tmp_path / "waves.fst") == set()


def test_a_wrong_row_shows_in_a_trace(tmp_path: Path) -> None:
    chosen = core("scs_mm", width=WIDTH)
    wrong = edited(chosen, "quotient_digit = sum1[0]", "quotient_digit = !sum1[0]", tmp_path)
    assert broken(chosen, wrong, tmp_path / "waves.fst") == {"row2"}
