# SPDX-License-Identifier: Apache-2.0
"""The operations that a design is tried with: random, corners, exhaustive, chains of results.

Everything follows from the contract, whose function knows its operations, and a seeded generator,
so that an operation can be found again from the design, the mode, the seed and its index.
"""

from __future__ import annotations

import math
import random
from bisect import bisect_right
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import accumulate, chain, islice, product
from typing import NamedTuple

from montforge.arch import Simulated
from montforge.contract import Contract, Operation
from montforge.errors import OperandError, ParameterError
from montforge.verify.bench import Request
from montforge.verify.stimuli import corner_moduli, random_modulus, stimuli

CORNER_SPLITS = 3
"""Carry-save splits with which a corner is tried."""
EXHAUSTIVE_CHOICES = 1 << 20
"""Operations under one modulus up to which all operations can be tried, splits not counted."""
EXHAUSTIVE_SPLITS = 1 << 24
"""Operations under one modulus up to which all can be tried in every carry-save split."""
LONG_LATENCY, LONG_CYCLES = 20_000, 4_000_000
"""A core whose operation takes more than ``LONG_LATENCY`` cycles does, unless a number is given,
operations for about ``LONG_CYCLES``."""


class Case(NamedTuple):
    """An operation with the request that carries it."""

    operation: Operation
    request: Request


# ---------------------------------------------------------------- corners


@lru_cache(maxsize=4)
def corner_operations(design: Simulated, modulus: int | None) -> tuple[Operation, ...]:
    """Return the corners of the function and of the architecture, under ``modulus`` if given.

    They come several times where carry-save operands have several splits. Of a core whose
    operations take very long they are a share, spread over all.
    """
    contract = design.contract
    moduli = corner_moduli(contract.modulus) if modulus is None else [modulus]
    own = (o for o in design.corners() if modulus is None or o["n"] == modulus)
    found: dict[tuple[int, ...], Operation] = {}
    for operation in (*(o for n in moduli for o in stimuli(contract).corners(n)), *own):
        found.setdefault(tuple(operation.values()), operation)
    legal = tuple(filter(contract.is_legal, found.values()))
    pairs = any(field.encoding.kind == "carry_save" for field in contract.inputs)
    every = legal * CORNER_SPLITS if pairs else legal
    return every[:: -(-len(every) // affordable(contract, len(every)))] if every else every


def affordable(contract: Contract, operations: int) -> int:
    """Return ``operations``, or fewer, at least 8, of a core whose latency is long."""
    longest = contract.latency.maximum
    if longest <= LONG_LATENCY:
        return operations
    return min(operations, max(8, LONG_CYCLES // longest))


# ---------------------------------------------------------------- exhaustive


def exhaustive_choices(contract: Contract, modulus: int | None) -> int:
    """Return the number of operations of the widest modulus, without splits of pairs."""
    return stimuli(contract).choices(modulus or (1 << contract.width) - 1)


class Exhaustive:
    """All operations of a design, numbered: every legal n, every value, every carry-save split.

    Without ``splits`` every value once: the cases' operands are in no particular split.
    """

    def __init__(
        self, design: Simulated, modulus: int | None = None, *, splits: bool = True
    ) -> None:
        """Number the operations, under ``modulus`` if given. Raises ParameterError if too many."""
        contract = design.contract
        if exhaustive_choices(contract, modulus) > EXHAUSTIVE_CHOICES:
            raise ParameterError(
                f"width = {contract.width} has too many operations to try them all: modes"
                f" exhaustive and values take moduli with up to {EXHAUSTIVE_CHOICES} operations"
                " (width 8 to 10 of a multiplier; width + exponent_bits at most 19 of modexp)."
            )
        self._design = design
        self._contract = contract
        self._splits = splits
        rule = contract.modulus
        every = range(rule.minimum, 1 << contract.width)
        only = modulus or rule.only
        self._moduli = [only] if only else [n for n in every if rule.is_legal(n)]
        if splits and self._size(self._moduli[-1]) > EXHAUSTIVE_SPLITS:
            raise ParameterError(
                f"width = {contract.width} has too many carry-save splits to try them all: mode"
                f" exhaustive takes moduli with up to {EXHAUSTIVE_SPLITS} operations, splits"
                " counted (width 3 or 4); mode values takes each value in one split."
            )
        self._ends = list(accumulate(map(self._size, self._moduli)))

    def __len__(self) -> int:
        return self._ends[-1]

    def cases(self, start: int, count: int) -> Iterator[Case]:
        """Yield ``count`` operations from number ``start`` on."""
        end = min(start + count, len(self))
        # Constants that carry operands are not the same for all operations under a modulus.
        carried = any(field.carried for field in self._contract.inputs)
        while start < end:
            which = bisect_right(self._ends, start)
            n = self._moduli[which]
            first = self._ends[which - 1] if which else 0
            stop = min(end, self._ends[which]) - first
            fixed = {"n": n} if carried else {"n": n} | self._design.constants(n)
            given = {
                field.name: field.encode(fixed[field.name])
                for field in self._contract.inputs
                if field.name in fixed
            }
            for chosen in islice(product(*self._axes(n)), start - first, stop):
                operation: dict[str, int] = {}
                patterns = dict(given)
                for values, vectors in chosen:
                    operation.update(values)
                    patterns.update(vectors)
                operation["n"] = n
                if carried:
                    yield Case(operation, Request(self._design.encode(rng=None, **operation)))
                    continue
                ports = (patterns[field.name] for field in self._contract.inputs)
                yield Case(operation, Request(tuple(chain.from_iterable(ports))))
            start = self._ends[which]

    def _size(self, n: int) -> int:
        """Return the number of operations under ``n``; none of them is made."""
        axes = stimuli(self._contract)
        if not self._splits:
            return axes.choices(n)

        def splits(choice: Operation) -> int:
            field = self._contract.field
            return math.prod(field(name).encoding.splits(value) for name, value in choice.items())

        return math.prod(sum(map(splits, axis)) for axis in axes.axes(n))

    def _axes(self, n: int) -> list[list[tuple[Operation, dict[str, tuple[int, ...]]]]]:
        """Return for each axis of the function its choices, in every split, with their patterns."""
        limit = None if self._splits else 1

        def patterns(name: str, value: int) -> Iterator[tuple[int, ...]]:
            return islice(self._contract.field(name).encoding.encodings(value), limit)

        return [
            [
                (choice, dict(zip(choice, vectors, strict=True)))
                for choice in axis
                for vectors in product(*(patterns(name, value) for name, value in choice.items()))
            ]
            for axis in stimuli(self._contract).axes(n)
        ]


# ---------------------------------------------------------------- chains


def can_chain(contract: Contract, modulus: int | None) -> bool:
    """Return whether results can be fed back as operands: always, or under ``modulus``."""
    fits = len(contract.result_encoding.suffixes) <= len(contract.operand_encoding.suffixes)
    return fits and (contract.is_closed(modulus) if modulus else bool(_closed_edges(contract)))


def chain_modulus(contract: Contract, rng: random.Random, index: int) -> int:
    """Return the modulus of chain ``index``, one for which the contract is closed.

    The first are next to the ends of the range, the others random.
    """
    edges = _closed_edges(contract)
    if index < len(edges):
        return edges[index]
    while True:
        n = random_modulus(rng, contract.modulus)
        if contract.is_closed(n):
            return n


def _closed_edges(contract: Contract) -> list[int]:
    top = 1 << (contract.width - 1)
    only = contract.modulus.only
    edges = dict.fromkeys((2 * top - 3, 2 * top - 1, top + 1, top + 3) if only is None else (only,))
    return [n for n in edges if contract.modulus.is_legal(n) and contract.is_closed(n)]


def not_closed(contract: Contract, modulus: int | None) -> OperandError:
    """Return the error for a chain where results can't be fed back."""
    which = "any modulus" if modulus is None else f"n = {modulus:#x}"
    return OperandError(
        f"results of {contract.architecture} can't be chained under {which}: they"
        f" ({contract.result_bound}) are not within the operands' bound ({contract.operand_bound});"
        " use another mode, or a modulus for which the design is closed."
    )


def chain_cases(design: Simulated, rng: random.Random, n: int, length: int) -> Iterator[Case]:
    """Yield a random operation and ``length - 1`` that take the result of the one before."""
    contract = design.contract
    feed = (1 << len(contract.function.chained)) - 1
    for i, operation in enumerate(stimuli(contract).chain(rng, n, length)):
        yield Case(operation, Request(design.encode(rng=rng, **operation), feed=feed if i else 0))


# ---------------------------------------------------------------- handshakes


def handshakes(contract: Contract, rng: random.Random) -> Callable[[], tuple[int, int, int]]:
    """Return a generator of ``(idle, stall, reset_at)``: mostly 0 (back to back, always ready).

    One operation in eight comes after idle cycles, one in eight waits for its response to be
    taken, one in 25 is aborted by a reset: right after its acceptance, at work, or while its
    response waits.
    """
    shortest = contract.latency.minimum + contract.handover
    longest = contract.latency.maximum + contract.handover
    # Where operations overlap, two more end while a response waits: all places for results fill.
    overlapped = 2 * contract.interval.maximum if contract.interval.maximum < shortest else 0

    def cycles(more: int = 0) -> int:
        return rng.randint(1, 6) if rng.random() < 0.9 else rng.randint(1, longest + 4 + more)

    def draw() -> tuple[int, int, int]:
        kind = rng.random()
        if kind < 0.72:
            return 0, 0, 0
        if kind < 0.84:
            return cycles(), 0, 0
        if kind < 0.94:
            return 0, cycles(overlapped), 0
        if kind < 0.96:
            return cycles(), cycles(overlapped), 0
        idle = rng.choice((0, 0, 1, cycles()))
        if kind < 0.97:
            return idle, 0, 1
        if kind < 0.98:
            waits = rng.randint(1, 4)
            return idle, waits + rng.randint(1, 3), -waits
        return idle, 0, rng.randint(1, rng.choice((shortest, longest)))

    return draw


def with_handshakes(cases: Iterator[Case], contract: Contract, rng: random.Random) -> list[Case]:
    """Return ``cases`` with random idle cycles, back-pressure and resets."""
    draw = handshakes(contract, rng)
    return [
        Case(operation, Request(request.operands, *draw(), request.feed))
        for operation, request in cases
    ]
