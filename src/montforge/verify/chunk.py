# SPDX-License-Identifier: Apache-2.0
"""One chunk of work: generate its operations, simulate them, check every response.

A chunk follows from the design, the mode, the seed and its index alone, and starts from reset, so
that it can be done by any process, recorded, and done again for one of its operations.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any

from gmpy2 import mpz

from montforge.arch import Design, Operation
from montforge.contract import Contract
from montforge.verify.bench import Bench, ProtocolError, Request, Response, Simulation
from montforge.verify.operations import (
    Case,
    Exhaustive,
    average_operations,
    chain_cases,
    chain_modulus,
    corner_operations,
    random_operations,
    with_handshakes,
)

FAILURES_KEPT = 10
CYCLES_CHECKED = 50
"""Operations at the start of a chunk whose latency is compared with the cycle model, where the
model is slower than the simulation."""
CHEAP_LATENCY = 128
"""Up to this many cycles the cycle model is run for every operation."""
TRACED_BEFORE = 4
"""Operations that a wave file shows before the one asked for."""


@dataclass(frozen=True)
class Chunk:
    """``count`` operations of ``mode``, the first of which is number ``start``.

    ``mode`` is ``random``, ``corners``, ``exhaustive``, ``values``, ``chain`` (one chain),
    ``cycles`` or ``vectors`` (plain residues ``(a, b, n)`` in ``products``, four operations each).
    """

    design: Design
    mode: str
    seed: int
    index: int
    start: int
    count: int
    modulus: int | None = None
    products: tuple[Operation, ...] = ()

    def generator(self, stage: int = 0) -> random.Random:
        """Return the generator that all random choices of the chunk, or of a stage, come from."""
        modulus = "" if self.modulus is None else hex(self.modulus)
        return random.Random(
            f"{self.design.name}/{self.mode}/{modulus}/{self.seed}/{self.index}/{stage}".encode()
        )

    def identity(self) -> list[object]:
        """Return what, beside the design and the code, decides the outcome, as JSON values."""
        modulus = None if self.modulus is None else hex(self.modulus)
        products = [[hex(v) for v in product] for product in self.products]
        return [self.mode, self.seed, self.index, self.start, self.count, modulus, products]


@dataclass(frozen=True)
class Failure:
    """An operation that the hardware got wrong, and how.

    ``index`` is the operation's number in its mode (of the product, with vectors), ``expected``
    and ``actual`` are the result register's values, latencies are those of the contract.
    """

    mode: str
    index: int
    a: str
    b: str
    n: str
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
    """What came of one or more chunks. ``latencies``: contract latency -> number of operations."""

    operations: int = 0
    mismatches: int = 0
    cycles_checked: int = 0
    model_mismatches: int = 0
    edges: int = 0
    resets: int = 0
    failures: list[Failure] = field(default_factory=list)
    latencies: Counter[int] = field(default_factory=Counter)
    products: list[str | None] = field(default_factory=list)

    def add(self, other: Outcome) -> None:
        """Add what came of another chunk, which follows this one."""
        for name in (
            "operations",
            "mismatches",
            "cycles_checked",
            "model_mismatches",
            "edges",
            "resets",
        ):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.failures = (self.failures + other.failures)[:FAILURES_KEPT]
        self.latencies.update(other.latencies)
        self.products += other.products

    def to_json(self) -> dict[str, Any]:
        """Return all data as JSON values."""
        return asdict(replace(self, latencies=Counter())) | {
            "latencies": sorted(self.latencies.items())
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Outcome:
        """Return what `to_json` was made of."""
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

    With ``only`` (an operation's number in its mode) what comes after that operation is left
    out, and that operation alone is checked; ``trace`` then writes its waves.
    """
    if chunk.mode == "vectors":
        return _run_products(chunk, bench, only, trace)
    rng = chunk.generator()
    seed = rng.getrandbits(30)
    cases = chunk_cases(chunk, rng)
    if only is not None:
        cases = cases[: only - chunk.start + 1]
    checker = _Checker(chunk, only)
    checker.check(cases, bench.run((case.request for case in cases), seed=seed))
    if trace is not None:
        _write_waves(trace, cases, seed)
    checker.outcome.mismatches = len(checker.failed)
    return checker.outcome


def chunk_cases(chunk: Chunk, rng: random.Random) -> list[Case]:
    """Return the operations of a chunk, with their requests. ``rng`` is the chunk's generator."""
    contract = chunk.design.contract
    end = chunk.start + chunk.count
    if chunk.mode == "chain":
        n = chunk.modulus or chain_modulus(contract, rng, chunk.index)
        return list(chain_cases(contract, rng, n, chunk.count))
    if chunk.mode == "exhaustive":
        cases = Exhaustive(contract, chunk.modulus).cases(chunk.start, chunk.count)
        return with_handshakes(cases, contract, rng)
    operations: Iterable[Operation]
    if chunk.mode == "values":
        every = Exhaustive(contract, chunk.modulus, splits=False)
        operations = ((c.a, c.b, c.n) for c in every.cases(chunk.start, chunk.count))
        return with_handshakes(_encoded(contract, operations, rng), contract, rng)
    if chunk.mode == "corners":
        operations = corner_operations(chunk.design, chunk.modulus)[chunk.start : end]
    elif chunk.mode == "random":
        operations = random_operations(contract, rng, chunk.modulus)
    else:
        operations = islice(average_operations(contract, rng), chunk.count)
        return list(_encoded(contract, operations, rng))
    cases = _encoded(contract, operations, rng)
    return with_handshakes(islice(cases, chunk.count), contract, rng)


def _encoded(
    contract: Contract, operations: Iterable[Operation], rng: random.Random
) -> Iterator[Case]:
    for a, b, n in operations:
        yield Case(a, b, n, Request(contract.encode_operands(a, b, n, rng)))


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
        self._design = chunk.design
        self._contract = chunk.design.contract
        self._r = mpz(self._contract.r)
        latency = self._contract.latency
        cheap = latency.is_fixed or latency.maximum <= CHEAP_LATENCY or chunk.mode == "cycles"
        self._cycles_left = chunk.count if cheap else CYCLES_CHECKED

    def check(
        self, cases: list[Case], simulation: Simulation, per_index: int = 1
    ) -> list[int | None]:
        """Check the responses of ``cases`` and return the results, None where there is none.

        ``per_index`` cases in a row share one number. A chain ends at its first mismatch: what
        follows has no meaning.
        """
        self.outcome.edges += simulation.edges
        self.outcome.resets += simulation.resets
        decode = self._contract.result_encoding.decode
        results: list[int | None] = []
        for i, (case, response) in enumerate(zip(cases, simulation.responses, strict=True)):
            if case.request.feed:
                fed = results[-1]
                if fed is None or not self._contract.operand_bound.contains(fed, case.n):
                    break
                case = case._replace(a=fed, b=fed)
            hung = ProtocolError.HUNG in response.errors
            results.append(None if hung else decode(response.vectors))
            index = self._chunk.start + i // per_index
            if self._only is None or index == self._only:
                problems = self._check_one(case, response, results[-1], index)
                if problems and self._chunk.mode == "chain":
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
        """Record what is wrong with an operation."""
        self.failed.add(index)
        if len(self.outcome.failures) < FAILURES_KEPT:
            self.outcome.failures.append(
                Failure(
                    mode=self._chunk.mode,
                    index=index,
                    a=hex(case.a),
                    b=hex(case.b),
                    n=hex(case.n),
                    expected=hex(expected),
                    actual=None if actual is None else hex(actual),
                    latency_expected=self._design.cycles(case.a, case.b, case.n),
                    latency_actual=latency,
                    idle=case.request.idle,
                    stall=case.request.stall,
                    reset_at=case.request.reset_at,
                    problems=tuple(problems),
                )
            )

    def _check_one(
        self, case: Case, response: Response, result: int | None, index: int
    ) -> list[str]:
        expected = self._design.golden(case.a, case.b, case.n)
        problems = response.errors.sentences() if response.errors else []
        latency = None
        if result is not None:
            latency = response.latency - self._contract.handover
            problems += self._wrong_result(case, result, expected)
            problems += self._wrong_time(case, response, latency)
        self.outcome.operations += 1
        if problems:
            self.fail(index, case, problems, expected=expected, actual=result, latency=latency)
        return problems

    def _wrong_result(self, case: Case, result: int, expected: int) -> list[str]:
        problems = []
        if (result * self._r - mpz(case.a) * case.b) % case.n:
            problems.append("the result is not congruent to a * b * R^-1 mod n")
        bound = self._contract.result_bound
        if not bound.contains(result, case.n):
            problems.append(f"the result is outside its bound {bound}")
        if result != expected:
            problems.append("the result differs from the golden model's")
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
                model = self._design.cycles(case.a, case.b, case.n)
                if latency != model:
                    self.outcome.model_mismatches += 1
                    problems.append(f"latency {latency} differs from the cycle model's {model}")
        gap = response.gap
        if gap and not contract.interval.minimum <= gap <= contract.interval.maximum:
            problems.append(
                f"{gap} cycles since the request before, outside the interval {contract.interval}"
            )
        return problems


def _run_products(chunk: Chunk, bench: Bench, only: int | None, trace: Trace | None) -> Outcome:
    """Multiply plain residues: into the Montgomery domain, product, and out again.

    All four multiplications are the hardware's. A result that exceeds the operand bound (where
    the contract is not closed) is reduced mod n before it is used again.
    """
    contract = chunk.design.contract
    checker = _Checker(chunk, only)
    products = chunk.products if only is None else chunk.products[: only - chunk.start + 1]
    missing: set[int] = set()
    rounds: list[tuple[bool, list[Case], int]] = []

    def multiply(operations: list[Operation], per_product: int) -> list[int]:
        rng = chunk.generator(stage=len(rounds))
        seed = rng.getrandbits(30)
        cases = with_handshakes(_encoded(contract, operations, rng), contract, rng)
        failed_before = len(checker.failed)
        simulation = bench.run((case.request for case in cases), seed=seed)
        results = checker.check(cases, simulation, per_product)
        rounds.append((len(checker.failed) > failed_before, cases, seed))
        missing.update(i // per_product for i, value in enumerate(results) if value is None)
        return [
            value if contract.operand_bound.contains(value, n) else value % n
            for value, (_, _, n) in zip((r or 0 for r in results), operations, strict=True)
        ]

    moduli = [n for _, _, n in products]
    r2 = [contract.r * contract.r % n for n in moduli]
    into = [
        (operand, square, n)
        for (a, b, n), square in zip(products, r2, strict=True)
        for operand in (a, b)
    ]
    inside = multiply(into, 2)
    product = multiply(list(zip(inside[::2], inside[1::2], moduli, strict=True)), 1)
    plain = multiply([(value, 1, n) for value, n in zip(product, moduli, strict=True)], 1)

    answers: list[str | None] = []
    for i, ((a, b, n), value) in enumerate(zip(products, plain, strict=True)):
        index = chunk.start + i
        if only is None or only == index:
            answer = None if i in missing else value % n
            answers.append(None if answer is None else hex(answer))
            if answer != a * b % n and index not in checker.failed:
                case = Case(a, b, n, Request(()))
                wrong = ["the product differs from a * b mod n"]
                checker.fail(index, case, wrong, expected=a * b % n, actual=answer)
    if trace is not None:
        _, cases, seed = next((r for r in rounds if r[0]), rounds[1])
        _write_waves(trace, cases, seed)
    outcome = checker.outcome
    outcome.operations, outcome.mismatches = len(answers), len(checker.failed)
    outcome.products = answers
    return outcome
