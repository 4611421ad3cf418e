# SPDX-License-Identifier: Apache-2.0
"""Lemmas about one step of a design, decided by the solver bitwuzla on its RTL."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from importlib.metadata import PackageNotFoundError, version
from itertools import count
from typing import Any, TypeAlias

from montforge.prove.netlist import Netlist
from montforge.prove.statement import Expression, Lemma
from montforge.prove.terms import Bits, Frame, Statements, Term
from montforge.prove.verdict import Check, ProofError, Verdict
from montforge.work.extras import missing


def solver_version() -> str:
    """Return the version of the bitwuzla wheel. Raises ToolMissingError."""
    try:
        return version("bitwuzla")
    except PackageNotFoundError:
        raise missing("the solver bitwuzla", "prove") from None


def prove_lemmas(
    netlist: Netlist,
    sizes: Mapping[str, int],
    lemmas: Sequence[Lemma],
    *,
    timeout: float,
    with_unused: Callable[[], Netlist] | None = None,
) -> list[Check]:
    """Return a verdict on each of ``lemmas`` in all states that its assumptions hold in.

    ``sizes`` are the design's parameters, ``timeout`` is in seconds a lemma. A lemma that speaks of
    nets that the netlist does not have is decided on that which ``with_unused`` returns: a fault
    may leave them unused. One whose nets neither has, and one whose assumptions nothing satisfies,
    is unknown. Raises ToolMissingError.
    """
    solver_version()
    frames, more = _both_frames(netlist, with_unused)
    return [_decided(frames, more, sizes, lemma, timeout) for lemma in lemmas]


def smt_files(
    netlist: Netlist,
    sizes: Mapping[str, int],
    lemmas: Sequence[Lemma],
    *,
    with_unused: Callable[[], Netlist] | None = None,
) -> dict[str, str]:
    """Return SMT-LIB files by name, which are all unsatisfiable if ``lemmas`` hold.

    Each says that a state meets the assumptions of a lemma, and breaks one of its conclusions.
    ``with_unused`` is as in `prove_lemmas`. Raises ProofError, ToolMissingError.
    """
    solver_version()
    frames, more = _both_frames(netlist, with_unused)
    found: dict[str, str] = {}
    for lemma in lemmas:
        try:
            found |= _questions(frames, sizes, lemma)
        except ProofError:
            if more is None:
                raise
            found |= _questions(more(), sizes, lemma)
    return found


def _questions(frames: _Frames, sizes: Mapping[str, int], lemma: Lemma) -> dict[str, str]:
    """Return the SMT-LIB files of one lemma by name."""
    numbers = count(1)
    found = {}
    for statements in _instances(frames, sizes, lemma):
        solver = _Solver(statements, 1.0)
        for asserted in solver.negations(lemma):
            found[f"{lemma.name}_{next(numbers)}.smt2"] = solver.text(asserted)
    return found


_Frames: TypeAlias = Callable[[tuple[str, ...], tuple[str, ...], bool], tuple[Frame, Frame]]


def _both_frames(
    netlist: Netlist, with_unused: Callable[[], Netlist] | None
) -> tuple[_Frames, Callable[[], _Frames] | None]:
    """Return two steps of the netlist, and of that with its unused nets, which is read at need."""
    frames = cache(partial(_frames, Bits(), netlist))
    more = cache(lambda: cache(partial(_frames, Bits(), with_unused()))) if with_unused else None
    return frames, more


def _frames(
    bits: Bits,
    netlist: Netlist,
    cut: tuple[str, ...],
    cut_later: tuple[str, ...],
    at_reset: bool,
) -> tuple[Frame, Frame]:
    now = Frame(bits, netlist, "now", cut=cut)
    if at_reset:
        now = Frame(bits, netlist, "now", now.reset_registers(), cut)
    return now, now.following("then", cut_later)


def _instances(frames: _Frames, sizes: Mapping[str, int], lemma: Lemma) -> Iterator[Statements]:
    """Yield statements for each value of the index of ``lemma``; for one that has none, once."""
    pair = frames(lemma.cut, lemma.cut_later, lemma.at_reset)
    whole = Statements(*pair, sizes)
    if lemma.each is None:
        yield whole
        return
    index, values = lemma.each
    for value in range(whole.number(values)):
        yield Statements(*pair, {**sizes, index: value})


def _decided(
    frames: _Frames,
    more: Callable[[], _Frames] | None,
    sizes: Mapping[str, int],
    lemma: Lemma,
    timeout: float,
) -> Check:
    began = time.monotonic()
    check = Check(lemma.name, "proved", "its index has no values.")
    try:
        for statements in _instances(frames, sizes, lemma):
            check = _decide(_Solver(statements, timeout), lemma)
            if check.verdict != "proved":
                break
    except ProofError as error:
        if more is not None:
            return _decided(more(), None, sizes, lemma, timeout)
        check = Check(lemma.name, "unknown", str(error))
    return replace(check, seconds=round(time.monotonic() - began, 3))


def _decide(solver: _Solver, lemma: Lemma) -> Check:
    given = [solver.statements.truth(each) for each in lemma.given]
    if (met := solver.satisfiable(given)) is not True:
        reason = "no state meets its assumptions" if met is False else "its assumptions: time limit"
        return Check(lemma.name, "unknown", f"{reason}.")
    for shown, asserted in zip(lemma.shows, solver.negations(lemma), strict=True):
        found = solver.satisfiable(asserted)
        if found is None:
            return Check(lemma.name, "unknown", f"the time limit of {solver.timeout:g} s.")
        if found:
            witness = solver.values([*lemma.given, shown])
            return Check(lemma.name, "refuted", "a state breaks it.", witness=witness)
    proved: Verdict = "proved"
    return Check(lemma.name, proved, "holds in all states.", (f"bitwuzla, {lemma.digest}",))


def asserting(bits: Bits, terms: Iterable[Term], timeout: float) -> Any:
    """Return bitwuzla's solver, which has no types, with ``terms``; ``timeout`` is in seconds."""
    import bitwuzla  # of the extra `prove`

    options = bitwuzla.Options()
    options.set(bitwuzla.Option.PRODUCE_MODELS, True)
    options.set(bitwuzla.Option.TIME_LIMIT_PER, max(1, int(timeout * 1000)))
    solver = bitwuzla.Bitwuzla(bits.manager, options)
    for each in terms:
        solver.assert_formula(each)
    return solver


def satisfiable(bits: Bits, terms: Iterable[Term], timeout: float) -> bool | None:
    """Return whether all ``terms`` can hold at once; None at the time limit."""
    return _answer(asserting(bits, terms, timeout))


def _answer(solver: Any) -> bool | None:
    import bitwuzla

    found = {bitwuzla.Result.SAT: True, bitwuzla.Result.UNSAT: False}
    return found.get(solver.check_sat())


class _Solver:
    """One solver for each question, as bitwuzla's answers do not depend on those before then."""

    def __init__(self, statements: Statements, timeout: float) -> None:
        self.statements, self.timeout = statements, timeout

    def negations(self, lemma: Lemma) -> Iterator[list[Term]]:
        """Yield for each conclusion terms that hold at once in a state that breaks it."""
        given = [self.statements.truth(each) for each in lemma.given]
        for shown in lemma.shows:
            yield [*given, self.statements.bits.make("NOT", self.statements.truth(shown))]

    def satisfiable(self, asserted: list[Term]) -> bool | None:
        """Return whether all of ``asserted`` can hold at once; None at the time limit."""
        return _answer(self._asserting(asserted))

    def text(self, asserted: list[Term]) -> str:
        """Return the question whether all of ``asserted`` can hold at once, in SMT-LIB.

        bitwuzla names what it defines @def0 and so on; SMT-LIB reserves names with an @.
        """
        printed = str(self._asserting(asserted).print_formula("smt2", 16))
        return re.sub(r"@(def\d+)", r"\1", printed)

    def _asserting(self, asserted: list[Term]) -> Any:
        self._solver = asserting(self.statements.bits, asserted, self.timeout)
        return self._solver

    def values(self, of: Sequence[Expression]) -> dict[str, int]:
        """Return the values of all nets of statements in the state that was found.

        Nets whose number is the index of a statement are left out.
        """
        found = {}
        for net in (net for each in of for net in (*each.nets, *each.all("numbered"))):
            later = int(str(net.arguments[2]))
            try:
                name = self.statements.name(net)
            except ProofError:
                continue
            term = self.statements.frames[later].net(name)
            value = self._solver.get_value(term)
            found[f"{name} (next)" if later else str(name)] = int(value.value(2), 2)
        return found
