# SPDX-License-Identifier: Apache-2.0
"""The operations that a design is tried with: random, corners, exhaustive, chains of squarings.

Everything follows from the contract and a seeded generator, so that an operation can be found
again from the design, the mode, the seed and its index.
"""

from __future__ import annotations

import random
from bisect import bisect_right
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import accumulate, islice, product
from typing import NamedTuple

from montforge.arch import Design, Operation
from montforge.contract import Bound, Contract
from montforge.errors import OperandError, ParameterError
from montforge.verify.bench import FEED_A, FEED_B, Request

CORNER_SPLITS = 3
"""How often a corner is tried with another carry-save split."""
EXHAUSTIVE_PAIRS = 1 << 20
"""Pairs of operands under one modulus up to which all operations can be tried."""


class Case(NamedTuple):
    """An operation with the request that carries it."""

    a: int
    b: int
    n: int
    request: Request


# ---------------------------------------------------------------- random operations


def random_modulus(rng: random.Random, width: int) -> int:
    """Return an odd modulus 3 <= n < 2^width, of any residue mod 8, often with clear top bits."""
    kind = rng.random()
    top = 1 << (width - 1)
    if kind < 0.55:
        n = rng.getrandbits(width) | top
    elif kind < 0.75:
        bits = rng.randint(2, width)
        n = rng.getrandbits(bits) | 1 << (bits - 1)
    elif kind < 0.85:
        n = top | sparse(rng, width)
    elif kind < 0.95:
        n = (2 * top - 1) ^ sparse(rng, width)
    else:
        n = rng.choice((3, 2 * top - 1, top + 1))
    return max(n | 1, 3)


def sparse(rng: random.Random, width: int) -> int:
    """Return ``width`` bits with one to three of them set."""
    value = 0
    for _ in range(rng.randint(1, 3)):
        value |= 1 << rng.randrange(width)
    return value


def random_operand(rng: random.Random, bound: Bound, n: int) -> int:
    """Return an operand within ``bound``: uniform, or where adders and detectors break."""
    low, high = bound.lower(n), bound.upper(n)
    kind = rng.random()
    if kind < 0.5:
        return rng.randrange(low, high)
    bits = high.bit_length()
    if kind < 0.58:
        value = rng.getrandbits(rng.randint(1, 8))
    elif kind < 0.68:
        value = high - 1 - rng.getrandbits(rng.randint(1, 8))
    elif kind < 0.74:
        value = n + rng.randint(-2, 2)
    elif kind < 0.82:
        value = sparse(rng, bits)
    elif kind < 0.9:
        value = high - 1 & ~sparse(rng, bits)
    else:
        value = (1 << rng.randrange(bits)) + rng.randint(-1, 1)
    if bound.signed and rng.random() < 0.5:
        value = -value
    return low + (value - low) % (high - low)


def random_operations(
    contract: Contract, rng: random.Random, modulus: int | None
) -> Iterator[Operation]:
    """Yield random operations without end, all under ``modulus`` if it is given."""
    bound = contract.operand_bound
    while True:
        n = modulus or random_modulus(rng, contract.width)
        a = random_operand(rng, bound, n)
        kind = rng.random()
        if kind < 0.05:
            b = a
        elif kind < 0.07:
            b = bound.lower(n) + (n - a - bound.lower(n)) % (bound.upper(n) - bound.lower(n))
        else:
            b = random_operand(rng, bound, n)
        yield a, b, n


def average_operations(contract: Contract, rng: random.Random) -> Iterator[Operation]:
    """Yield what published averages are over: n odd with its top bit set, a and b below n."""
    width = contract.width
    while True:
        n = rng.getrandbits(width) | 1 << (width - 1) | 1
        yield rng.randrange(n), rng.randrange(n), n


# ---------------------------------------------------------------- corners


def corner_moduli(width: int) -> list[int]:
    """Return the moduli that every contract is tried with: edges of the range, n = pq, clear top.

    All residues mod 8 occur near both ends of the range.
    """
    top = 1 << (width - 1)
    moduli = [3, 5, 7, 9]
    moduli += [2 * top - k for k in (1, 3, 5, 7)]
    moduli += [top + k for k in (1, 3, 5, 7)]
    moduli += [top - 1, (1 << width // 2) + 1, composite(width)[0], 2 * top // 3 | 1]
    return sorted({n for n in moduli if 3 <= n < 2 * top and n % 2})


def composite(width: int) -> tuple[int, int, int]:
    """Return ``(n, p, q)`` with n = p q of about ``width`` bits, p and q odd and near sqrt(n)."""
    p = (1 << width // 2) - 1
    q = ((1 << width) - 1) // p - 1 | 1
    return p * q, p, q


def corner_operands(contract: Contract, n: int) -> tuple[list[int], list[int]]:
    """Return operands within the bound: those to pair with all others, and those others."""
    bound = contract.operand_bound
    low, high = bound.lower(n), bound.upper(n)
    top = 1 << (high - 1).bit_length() - 1
    r = contract.r
    first = [0, 1, high - 1, n - 1, n, r % n, r * r % n, top, low]
    further = [2, high - 2, n + 1, top - 1, pow(r % n, -1, n), -1, low + 1]
    further += [int("5" * len(hex(top)[2:]), 16) % top, int("a" * len(hex(top)[2:]), 16) % top]
    ordered = [list(dict.fromkeys(v for v in vs if low <= v < high)) for vs in (first, further)]
    return ordered[0], [v for v in ordered[1] if v not in ordered[0]]


@lru_cache(maxsize=4)
def corner_operations(design: Design, modulus: int | None) -> tuple[Operation, ...]:
    """Return the corners of every contract and of the architecture, under ``modulus`` if given.

    They come several times where carry-save operands have several splits.
    """
    contract = design.contract
    found: dict[Operation, None] = {}
    moduli = corner_moduli(contract.width) if modulus is None else [modulus]
    for n in moduli:
        first, further = corner_operands(contract, n)
        for a, b in product(first, first):
            found[a, b, n] = None
        for value in further:
            for other in (value, first[0], first[-1], n - 1, 1):
                found[value, other, n] = None
                found[other, value, n] = None
    n, p, q = composite(contract.width)
    for i, j in ((1, 1), (q - 1, p - 1), (1, p - 1), (2 % q, 1)):
        found[i * p, j * q, n] = None
        found[j * q, i * p, n] = None
    found.update(dict.fromkeys(design.corners()))
    legal = tuple(
        (a, b, n)
        for a, b, n in found
        if (modulus is None or n == modulus)
        and n >= 3
        and contract.operand_bound.contains(a, n)
        and contract.operand_bound.contains(b, n)
    )
    return legal if contract.operand_encoding.kind == "binary" else legal * CORNER_SPLITS


# ---------------------------------------------------------------- exhaustive


def exhaustive_pairs(contract: Contract, modulus: int | None) -> int:
    """Return how many pairs of operands the widest modulus has."""
    n = modulus or (1 << contract.width) - 1
    return (contract.operand_bound.upper(n) - contract.operand_bound.lower(n)) ** 2


class Exhaustive:
    """All operations of a design, numbered: every odd n, every a and b, every carry-save split.

    Without ``splits`` every a and b once: the cases' operands are in no particular split.
    """

    def __init__(
        self, contract: Contract, modulus: int | None = None, *, splits: bool = True
    ) -> None:
        """Number the operations, under ``modulus`` if given. Raises ParameterError if too many."""
        if exhaustive_pairs(contract, modulus) > EXHAUSTIVE_PAIRS:
            raise ParameterError(
                f"width = {contract.width} has too many operations to try them all: modes"
                f" exhaustive and values take moduli with up to {EXHAUSTIVE_PAIRS} pairs of"
                " operands (width 8 to 10)."
            )
        self._contract = contract
        self._splits = splits
        self._moduli = [modulus] if modulus else list(range(3, 1 << contract.width, 2))
        self._ends = list(accumulate(len(self._encoded(n)) ** 2 for n in self._moduli))

    def __len__(self) -> int:
        return self._ends[-1]

    def cases(self, start: int, count: int) -> Iterator[Case]:
        """Yield ``count`` operations from number ``start`` on."""
        end = min(start + count, len(self))
        while start < end:
            which = bisect_right(self._ends, start)
            n = self._moduli[which]
            first = self._ends[which - 1] if which else 0
            encoded = self._encoded(n)
            constants = self._contract.encode_operands(0, 0, n)[2 * len(encoded[0][1]) :]
            for index in range(start - first, min(end, self._ends[which]) - first):
                (a, a_vectors), (b, b_vectors) = (encoded[i] for i in divmod(index, len(encoded)))
                yield Case(a, b, n, Request((*a_vectors, *b_vectors, *constants)))
            start = self._ends[which]

    def _encoded(self, n: int) -> list[tuple[int, tuple[int, ...]]]:
        bound, encoding = self._contract.operand_bound, self._contract.operand_encoding
        values = range(bound.lower(n), bound.upper(n))
        splits = None if self._splits else 1
        return [
            (value, vectors)
            for value in values
            for vectors in islice(encoding.encodings(value), splits)
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
        n = random_modulus(rng, contract.width)
        if contract.is_closed(n):
            return n


def _closed_edges(contract: Contract) -> list[int]:
    top = 1 << (contract.width - 1)
    edges = (2 * top - 3, 2 * top - 1, top + 1, top + 3)
    return [n for n in dict.fromkeys(edges) if 3 <= n < 2 * top and contract.is_closed(n)]


def not_closed(contract: Contract, modulus: int | None) -> OperandError:
    """Return the error for a chain where results can't be fed back."""
    which = "any modulus" if modulus is None else f"n = {modulus:#x}"
    return OperandError(
        f"results of {contract.architecture} can't be chained under {which}: they"
        f" ({contract.result_bound}) are not within the operands' bound ({contract.operand_bound});"
        " use another mode, or a modulus for which the design is closed."
    )


def chain_cases(contract: Contract, rng: random.Random, n: int, length: int) -> Iterator[Case]:
    """Yield a random squaring and ``length - 1`` squarings of the result before (a = b = -1)."""
    a = random_operand(rng, contract.operand_bound, n)
    yield Case(a, a, n, Request(contract.encode_operands(a, a, n, rng)))
    fed = Request(contract.encode_operands(0, 0, n), feed=FEED_A | FEED_B)
    for _ in range(length - 1):
        yield Case(-1, -1, n, fed)


# ---------------------------------------------------------------- handshakes


def handshakes(contract: Contract, rng: random.Random) -> Callable[[], tuple[int, int, int]]:
    """Return a generator of ``(idle, stall, reset_at)``: mostly 0 (back to back, always ready).

    One operation in eight comes after idle cycles, one in eight waits for its response to be
    taken, one in 25 is aborted by a reset: right after its acceptance, at work, or while its
    response waits.
    """
    shortest = contract.latency.minimum + contract.handover
    longest = contract.latency.maximum + contract.handover

    def cycles() -> int:
        return rng.randint(1, 6) if rng.random() < 0.9 else rng.randint(1, longest + 4)

    def draw() -> tuple[int, int, int]:
        kind = rng.random()
        if kind < 0.72:
            return 0, 0, 0
        if kind < 0.84:
            return cycles(), 0, 0
        if kind < 0.94:
            return 0, cycles(), 0
        if kind < 0.96:
            return cycles(), cycles(), 0
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
    found = []
    for case in cases:
        idle, stall, reset_at = draw()
        request = case.request._replace(idle=idle, stall=stall, reset_at=reset_at)
        found.append(case._replace(request=request))
    return found
