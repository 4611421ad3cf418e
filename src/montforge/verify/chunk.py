# SPDX-License-Identifier: Apache-2.0
"""One chunk of work: simulate its operations, check every response.

A chunk follows from the design, the mode, the seed and its index alone, and starts from reset, so
that it can be done by any process, recorded, and done again for one of its operations.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from montforge.contract import Operation
from montforge.verify.bench import Bench, ProtocolError, Request, Response, Simulation
from montforge.verify.modes import Chunk, Mode, encoded
from montforge.verify.operations import Case, with_handshakes

FAILURES_KEPT = 10
CYCLES_CHECKED = 50
"""Operations at the start of a chunk whose latency is compared with the cycle model, where the
model is slower than the simulation."""
CHEAP_LATENCY = 128
"""Up to this many cycles the cycle model is run for every operation."""
TRACED_BEFORE = 4
"""Operations that a wave file shows before the one asked for."""


@dataclass(frozen=True)
class Failure:
    """An operation that the hardware got wrong, and how.

    ``index`` is the operation's number in its mode (of the line, with vectors), ``operation`` its
    values by name in hexadecimal, ``expected`` and ``actual`` are the result register's values,
    latencies are those of the contract.
    """

    mode: str
    index: int
    operation: dict[str, str]
    expected: str
    actual: str | None
    latency_expected: int
    latency_actual: int | None
    idle: int
    stall: int
    reset_at: int
    problems: tuple[str, ...]


@dataclass
class Outcome:
    """Outcome of one or more chunks.

    ``latencies``: contract latency -> number of operations. ``answers``: the hardware's answers to
    the lines of a vectors file, in hexadecimal; None where it did not answer.
    """

    operations: int = 0
    mismatches: int = 0
    cycles_checked: int = 0
    model_mismatches: int = 0
    edges: int = 0
    resets: int = 0
    failures: list[Failure] = field(default_factory=list)
    latencies: Counter[int] = field(default_factory=Counter)
    answers: list[str | None] = field(default_factory=list)

    def add(self, other: Outcome) -> None:
        """Add the outcome of another chunk, which follows this one."""
        for name, value in vars(other).items():
            if isinstance(value, int):
                setattr(self, name, getattr(self, name) + value)
        self.failures = (self.failures + other.failures)[:FAILURES_KEPT]
        self.latencies.update(other.latencies)
        self.answers += other.answers

    def to_json(self) -> dict[str, Any]:
        """Return all data as JSON values."""
        latencies = sorted(self.latencies.items())
        return asdict(replace(self, latencies=Counter())) | {"latencies": latencies}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Outcome:
        """Return the outcome that `to_json` gave the values of."""
        failures = [Failure(**{**f, "problems": tuple(f["problems"])}) for f in data["failures"]]
        latencies = Counter({int(k): v for k, v in data["latencies"]})
        return cls(**{**data, "failures": failures, "latencies": latencies})


@dataclass(frozen=True)
class Trace:
    """Where to write waves, with a bench that can."""

    bench: Bench
    path: Path


def run_chunk(
    chunk: Chunk, bench: Bench, *, only: int | None = None, trace: Trace | None = None
) -> Outcome:
    """Simulate and check a chunk.

    With ``only`` (an operation's number in its mode) the operations after that one are left out,
    and that one alone is checked; ``trace`` then writes its waves.
    """
    if not isinstance(chunk.mode, Mode):
        return _run_vectors(chunk, bench, only, trace)
    rng = chunk.generator()
    seed = rng.getrandbits(30)
    cases = chunk.mode.cases(chunk, rng)
    if only is not None:
        cases = cases[: only - chunk.start + 1]
    checker = _Checker(chunk, only)
    requests = (case.request for case in cases)
    simulation = bench.run(requests, seed=seed, until_error=chunk.until_wrong)
    checker.check(cases[: len(simulation.responses)] if chunk.until_wrong else cases, simulation)
    if trace is not None:
        _write_waves(trace, cases, seed)
    checker.outcome.mismatches = len(checker.failed)
    return checker.outcome


def _write_waves(trace: Trace, cases: list[Case], seed: int) -> None:
    requests = (case.request for case in cases)
    first = max(0, len(cases) - 1 - TRACED_BEFORE)
    trace.bench.run(requests, seed=seed, waves=trace.path, first_traced=first)


class _Checker:
    """Compares responses with arithmetic, golden model, cycle model and contract."""

    def __init__(self, chunk: Chunk, only: int | None) -> None:
        self.failed: set[int] = set()
        self.outcome = Outcome()
        self._chunk = chunk
        self._only = only
        self._contract = chunk.design.contract
        self._function = self._contract.function
        # An exhaustive chunk has many splits of the same values.
        self._golden = cache(chunk.design.golden)
        self._cycles = cache(chunk.design.cycles)
        self._result = self._contract.results[0].name
        latency = self._contract.latency
        cheap = latency.is_fixed or latency.maximum <= CHEAP_LATENCY or chunk.mode.every_latency
        self._cycles_left = chunk.count if cheap else CYCLES_CHECKED

    def check(
        self, cases: list[Case], simulation: Simulation, per_index: int = 1
    ) -> list[int | None]:
        """Check the responses of ``cases`` and return the results, None where there is none.

        ``per_index`` cases in a row share one number. A chain ends at its first mismatch: the
        results after it have no meaning.
        """
        self._assertion = simulation.assertion
        self.outcome.edges += simulation.edges
        self.outcome.resets += simulation.resets
        results: list[int | None] = []
        for i, (case, response) in enumerate(zip(cases, simulation.responses, strict=True)):
            if case.request.feed:
                fed = results[-1]
                if fed is None or not self._contract.operand_bound.contains(
                    fed, case.operation["n"]
                ):
                    break
                operation = {**case.operation, **dict.fromkeys(self._function.chained, fed)}
                case = case._replace(operation=operation)
            hung = ProtocolError.HUNG in response.errors
            found = {} if hung else self._contract.decode(response.vectors)
            results.append(found.get(self._result))
            index = self._chunk.start + i // per_index
            if self._only is None or index == self._only:
                problems = self._check_one(case, response, found, index)
                if problems and (self._chunk.mode.depends or self._chunk.until_wrong):
                    break
        return results

    def fail(
        self,
        index: int,
        case: Case,
        problems: list[str],
        *,
        expected: int,
        actual: int | None,
        latency: int | None = None,
    ) -> None:
        """Record the problems of an operation."""
        self.failed.add(index)
        if len(self.outcome.failures) < FAILURES_KEPT:
            self.outcome.failures.append(
                Failure(
                    mode=self._chunk.mode.name,
                    index=index,
                    operation={name: hex(value) for name, value in case.operation.items()},
                    expected=hex(expected),
                    actual=None if actual is None else hex(actual),
                    latency_expected=self._cycles(*self._values(case)),
                    latency_actual=latency,
                    idle=case.request.idle,
                    stall=case.request.stall,
                    reset_at=case.request.reset_at,
                    problems=tuple(problems),
                )
            )

    def _values(self, case: Case) -> tuple[int, ...]:
        return tuple(case.operation[name] for name in self._function.operands)

    def _check_one(
        self, case: Case, response: Response, found: dict[str, int], index: int
    ) -> list[str]:
        expected = self._golden(*self._values(case))
        problems = response.errors.sentences() if response.errors else []
        if ProtocolError.PROPERTY in response.errors:
            problems.append(f"the assertion is {self._assertion}")
        result = latency = None
        if found:
            result = found[self._result]
            latency = response.latency - self._contract.handover
            problems += self._wrong_result(case.operation, found, expected)
            problems += self._wrong_time(case, response, latency)
        self.outcome.operations += 1
        if problems:
            self.fail(index, case, problems, expected=expected, actual=result, latency=latency)
        return problems

    def _wrong_result(
        self, operation: Operation, found: dict[str, int], expected: int
    ) -> list[str]:
        problems = []
        n, result = operation["n"], found[self._result]
        if not self._function.is_congruent(self._contract.r, operation, result):
            problems.append(f"the result is not congruent to {self._function.congruence}")
        bound = self._contract.result_bound
        if not bound.contains(result, n):
            problems.append(f"the result is outside its bound {bound}")
        if result != expected:
            problems.append("the result differs from the golden model's")
        problems += [
            f"{name} = {value:#x} for a legal operation"
            for name, value in found.items()
            if name != self._result and value
        ]
        return problems

    def _wrong_time(self, case: Case, response: Response, latency: int) -> list[str]:
        contract = self._contract
        problems = []
        if not response.stalled:
            self.outcome.latencies[latency] += 1
            if not contract.latency.minimum <= latency <= contract.latency.maximum:
                problems.append(f"latency {latency} is outside the contract's {contract.latency}")
            if self._cycles_left > 0:
                self._cycles_left -= 1
                self.outcome.cycles_checked += 1
                model = self._cycles(*self._values(case))
                if latency != model:
                    self.outcome.model_mismatches += 1
                    problems.append(f"latency {latency} differs from the cycle model's {model}")
        if response.load is not None and contract.load is not None:
            expected = contract.load.cycles
            if not expected.minimum <= response.load <= expected.maximum:
                problems.append(f"the load took {response.load} cycles, outside {expected}")
        gap = response.gap
        if gap and not contract.interval.minimum <= gap <= contract.interval.maximum:
            problems.append(
                f"{gap} cycles since the request before, outside the interval {contract.interval}"
            )
        return problems


def _run_vectors(chunk: Chunk, bench: Bench, only: int | None, trace: Trace | None) -> Outcome:
    """Answer the lines of a vectors file; all operations are the hardware's."""
    design, contract = chunk.design, chunk.design.contract
    function = contract.function
    checker = _Checker(chunk, only)
    vectors = chunk.vectors if only is None else chunk.vectors[: only - chunk.start + 1]
    missing: set[int] = set()
    rounds: list[tuple[bool, list[Case], int]] = []

    def run(operations: list[Operation]) -> list[int]:
        each = len(operations) // len(vectors)
        rng = chunk.generator(stage=len(rounds))
        seed = rng.getrandbits(30)
        cases = with_handshakes(encoded(design, operations, rng), contract, rng)
        failed_before = len(checker.failed)
        simulation = bench.run((case.request for case in cases), seed=seed)
        results = checker.check(cases, simulation, each)
        rounds.append((len(checker.failed) > failed_before, cases, seed))
        missing.update(i // each for i, value in enumerate(results) if value is None)
        return [result or 0 for result in results]

    plain = function.compute(contract, vectors, run)

    key = contract.results[0].name
    answers: list[str | None] = []
    for i, (vector, value) in enumerate(zip(vectors, plain, strict=True)):
        index = chunk.start + i
        if only is None or only == index:
            answer = None if i in missing else value
            answers.append(None if answer is None else hex(answer))
            expected = function.residue(1, vector)
            given = vector.get(key, expected)
            wrong = []
            if answer != expected:
                wrong.append(f"the answer differs from {function.plain_formula}")
            if answer != given:
                wrong.append(f"the answer differs from the file's {key}")
            if wrong and index not in checker.failed:
                case = Case(rounds[0][1][i].operation, Request(()))
                checker.fail(index, case, wrong, expected=given, actual=answer)
    if trace is not None:
        _, cases, seed = next((r for r in rounds if r[0]), rounds[min(1, len(rounds) - 1)])
        _write_waves(trace, cases, seed)
    outcome = checker.outcome
    outcome.operations, outcome.mismatches = len(answers), len(checker.failed)
    outcome.answers = answers
    return outcome
