# SPDX-License-Identifier: Apache-2.0
"""Modes: the operations that a design is tried with, their number, and their chunks.

A mode is an object; `MODES` lists those that ``--mode`` takes.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import ClassVar

from montforge.arch import Simulated
from montforge.contract import Operation
from montforge.errors import ParameterError, unknown_name
from montforge.verify.bench import Request
from montforge.verify.operations import (
    Case,
    Exhaustive,
    can_chain,
    chain_cases,
    chain_modulus,
    corner_operations,
    exhaustive_choices,
    not_closed,
    with_handshakes,
)
from montforge.verify.stimuli import stimuli
from montforge.verify.vectors import read_vectors
from montforge.work.command import command_line
from montforge.work.limits import check_limits

CHUNK_CYCLES = 1 << 22
"""Simulated cycles that a chunk is cut for at the most: one or two seconds of work."""
CHUNK_OPERATIONS = 1 << 13
MODELLED_PER_SIMULATED = 8
"""Time of the cycle model for an operation over that of its simulation, about."""
EXHAUSTIVE_CHOICES_IN_ALL = 1 << 12
"""Operations under one modulus, splits not counted, up to which mode ``all`` tries all of them."""
EXHAUSTIVE_OPERATIONS_IN_ALL = 1 << 17
"""Operations, splits counted, up to which mode ``all`` tries all of them."""
CHAINS_IN_ALL = 2
ALL = "all"


@dataclass(frozen=True)
class Plan:
    """The settings of `montforge.verify.verify` that decide the operations of a core.

    ``vectors`` is a file of operations in place of those of ``mode``; ``only`` is the number of one
    operation.
    """

    design: Simulated
    seed: int
    operations: int
    chain_length: int = 1
    modulus: int | None = None
    mode: str = ALL
    vectors: Path | None = None
    only: int | None = None

    def __post_init__(self) -> None:
        """Raise MontforgeError for an illegal setting."""
        if self.mode not in MODES:
            raise unknown_name("mode", self.mode, MODES)
        if self.modulus is not None:
            self.design.contract.modulus.check(self.modulus)
        check_limits(operations=self.operations, chain_length=self.chain_length)
        if self.vectors is not None and (self.mode != ALL or self.modulus is not None):
            raise ParameterError(
                "a vectors file has its own operations and moduli; leave the mode and the modulus"
                " out."
            )
        if self.only is not None and self.mode == ALL and self.vectors is None:
            raise ParameterError(
                f"only = {self.only} counts within one mode; name the mode too"
                f" (one of {', '.join(name for name in MODES if name != ALL)})."
            )

    @property
    def needed(self) -> int:
        """The number of operations, enough to have number `only`."""
        return max(self.operations, (self.only or 0) + 1)

    @property
    def size(self) -> int:
        """Operations of a chunk, by their longest latency."""
        latency = self.design.contract.latency.maximum
        return min(CHUNK_OPERATIONS, max(16, CHUNK_CYCLES // latency))

    def chunks(self) -> list[Chunk]:
        """Return all chunks, or the one with `only`. Raises MontforgeError as `Mode.count` does."""
        if self.vectors is not None:
            chunks = VECTORS.chunks(self, read_vectors(self.vectors, self.design.contract))
        else:
            modes = MODES[self.mode]
            chunks = [c for each in modes for c in each.chunks(self, alone=len(modes) == 1)]
        if self.only is None:
            return chunks
        return [chunk_with(chunks, chunks[0].mode.name, self.only)]

    def again(self, mode: str, index: int) -> str:
        """Return the command that repeats an operation and writes its waves."""
        design = self.design.design
        given = {"vectors": self.vectors} if self.vectors else MODES[mode][0].options(self)
        return command_line(
            "verify",
            design.words,
            seed=self.seed,
            **given,
            modulus=None if self.modulus is None else hex(self.modulus),
            only=index,
            waves=f"{design.identifier}-{mode}-{index}.fst",
        )


def chunk_with(chunks: list[Chunk], mode: str, index: int) -> Chunk:
    """Return the chunk with an operation of a mode. Raises ParameterError."""
    ofmode = [chunk for chunk in chunks if chunk.mode.name == mode]
    for chunk in ofmode:
        if chunk.start <= index < chunk.start + chunk.count:
            return chunk
    last = ofmode[-1].start + ofmode[-1].count - 1
    raise ParameterError(
        f"only = {index} is out of range; mode {mode} has operations 0 to {last} here."
    )


class Work(ABC):
    """Operations that are done in chunks. Subclasses have no state."""

    name: ClassVar[str]
    depends: ClassVar[bool] = False
    """Whether operations after a wrong one have no meaning."""
    every_latency: ClassVar[bool] = False
    """Whether each latency is compared with the cycle model, however slow that is."""

    def cut(self, plan: Plan, operations: int, size: int) -> list[Chunk]:
        """Return chunks of ``size`` operations; the last can be smaller."""
        return [
            Chunk(
                plan.design, self, plan.seed, i, start, min(size, operations - start), plan.modulus
            )
            for i, start in enumerate(range(0, operations, size))
        ]


@dataclass(frozen=True)
class Chunk:
    """``count`` operations of ``mode``, the first of which is number ``start``.

    ``vectors``: the plain values of `VECTORS`, with `Function.compute` of them.
    ``until_wrong`` ends it at the first operation that is wrong.
    """

    design: Simulated
    mode: Work
    seed: int
    index: int
    start: int
    count: int
    modulus: int | None = None
    vectors: tuple[Operation, ...] = ()
    until_wrong: bool = False

    def generator(self, stage: int = 0) -> random.Random:
        """Return the generator that all random choices of the chunk, or of a stage, come from."""
        modulus = "" if self.modulus is None else hex(self.modulus)
        place = f"{self.mode.name}/{modulus}/{self.seed}/{self.index}/{stage}"
        return random.Random(f"{self.design.identifier}/{place}".encode())

    def identity(self) -> list[object]:
        """Return the inputs of the outcome beside design and code, as JSON values."""
        modulus = self.modulus and hex(self.modulus)
        vectors = [{k: hex(value) for k, value in vector.items()} for vector in self.vectors]
        position = [self.index, self.start, self.count]
        return [self.mode.name, self.seed, *position, modulus, vectors, self.until_wrong]


class _Vectors(Work):
    """The lines of a file of operations on plain values."""

    name = "vectors"

    def chunks(self, plan: Plan, lines: tuple[Operation, ...]) -> list[Chunk]:
        contract, one = plan.design.contract, list[Operation]()

        def count(operations: list[Operation]) -> list[int]:
            one.extend(operations)
            return [0] * len(operations)

        contract.function.compute(contract, lines[:1], count)
        chunks = self.cut(plan, len(lines), max(1, plan.size // len(one)))
        return [replace(c, vectors=lines[c.start : c.start + c.count]) for c in chunks]


class Mode(Work):
    """Operations that follow from the design and a seed."""

    @abstractmethod
    def count(self, plan: Plan, *, alone: bool = True) -> int:
        """Return the number of operations: those in mode ``all`` unless the mode is ``alone``.

        Raises MontforgeError if the design can't be asked for them.
        """

    def size(self, plan: Plan) -> int:
        """Return the operations of a chunk."""
        return plan.size

    def options(self, plan: Plan) -> dict[str, object]:
        """Return the options of a command that does the mode again."""
        return {"mode": self.name}

    @abstractmethod
    def cases(self, chunk: Chunk, rng: random.Random) -> list[Case]:
        """Return the operations of a chunk with their requests; ``rng`` is its generator."""

    def chunks(self, plan: Plan, *, alone: bool = True) -> list[Chunk]:
        """Return the mode's chunks. Raises MontforgeError as `count` does."""
        return self.cut(plan, self.count(plan, alone=alone), self.size(plan))


class _Random(Mode):
    """Uniform and biased operations."""

    name = "random"

    def count(self, plan: Plan, *, alone: bool = True) -> int:
        return plan.needed

    def cases(self, chunk: Chunk, rng: random.Random) -> list[Case]:
        return _handed(chunk, stimuli(chunk.design.contract).random(rng, chunk.modulus), rng)


class _Average(_Random):
    """The operations of published averages, back to back, for latencies."""

    name = "cycles"
    every_latency = True

    def size(self, plan: Plan) -> int:
        return max(16, plan.size // MODELLED_PER_SIMULATED)

    def cases(self, chunk: Chunk, rng: random.Random) -> list[Case]:
        operations = stimuli(chunk.design.contract).average(rng)
        return list(islice(encoded(chunk.design, operations, rng), chunk.count))


class _Corners(Mode):
    """The corners of the function and of the architecture."""

    name = "corners"

    def count(self, plan: Plan, *, alone: bool = True) -> int:
        return len(corner_operations(plan.design, plan.modulus))

    def cases(self, chunk: Chunk, rng: random.Random) -> list[Case]:
        every = corner_operations(chunk.design, chunk.modulus)
        return _handed(chunk, every[chunk.start :], rng)


class _Every(Mode):
    """All operations of a small design, in every carry-save split."""

    name = "exhaustive"

    def count(self, plan: Plan, *, alone: bool = True) -> int:
        choices = 0 if alone else exhaustive_choices(plan.design.contract, plan.modulus)
        if choices > EXHAUSTIVE_CHOICES_IN_ALL:
            return 0
        every = len(Exhaustive(plan.design, plan.modulus))
        return every if alone or every <= EXHAUSTIVE_OPERATIONS_IN_ALL else 0

    def cases(self, chunk: Chunk, rng: random.Random) -> list[Case]:
        cases = Exhaustive(chunk.design, chunk.modulus).cases(chunk.start, chunk.count)
        return with_handshakes(cases, chunk.design.contract, rng)


class _Values(Mode):
    """All values of a small design's operations, in a random split each."""

    name = "values"

    def count(self, plan: Plan, *, alone: bool = True) -> int:
        return len(Exhaustive(plan.design, plan.modulus, splits=False))

    def cases(self, chunk: Chunk, rng: random.Random) -> list[Case]:
        every = Exhaustive(chunk.design, chunk.modulus, splits=False)
        operations = (case.operation for case in every.cases(chunk.start, chunk.count))
        return _handed(chunk, operations, rng)


class _Chain(Mode):
    """Chains of operations on the result before; a chunk is a chain."""

    name = "chain"
    depends = True

    def count(self, plan: Plan, *, alone: bool = True) -> int:
        chained = can_chain(plan.design.contract, plan.modulus)
        if not alone:
            return CHAINS_IN_ALL * plan.chain_length if chained else 0
        if not chained:
            raise not_closed(plan.design.contract, plan.modulus)
        return -(-plan.needed // plan.chain_length) * plan.chain_length

    def size(self, plan: Plan) -> int:
        return plan.chain_length

    def options(self, plan: Plan) -> dict[str, object]:
        return {**super().options(plan), "chain_length": plan.chain_length}

    def cases(self, chunk: Chunk, rng: random.Random) -> list[Case]:
        n = chunk.modulus or chain_modulus(chunk.design.contract, rng, chunk.index)
        return list(chain_cases(chunk.design, rng, n, chunk.count))


MODES: dict[str, tuple[Mode, ...]] = {ALL: (_Corners(), _Every(), _Random(), _Chain())} | {
    mode.name: (mode,) for mode in (_Random(), _Corners(), _Every(), _Values(), _Chain())
}
"""The modes by the names that ``--mode`` takes; ``all`` is several of them."""
CYCLES, VECTORS = _Average(), _Vectors()


def encoded(
    design: Simulated, operations: Iterable[Operation], rng: random.Random
) -> Iterator[Case]:
    """Yield operations with their requests, in random carry-save splits."""
    for operation in operations:
        yield Case(operation, Request(design.encode(rng=rng, **operation)))


def _handed(chunk: Chunk, operations: Iterable[Operation], rng: random.Random) -> list[Case]:
    cases = islice(encoded(chunk.design, operations, rng), chunk.count)
    return with_handshakes(cases, chunk.design.contract, rng)
