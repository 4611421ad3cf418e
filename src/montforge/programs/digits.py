# SPDX-License-Identifier: Apache-2.0
"""Schedules of digit products for the Rescheduled Montgomery Multiplier (RMM).

Source: Grale and Swartzlander, "Improved Montgomery Multiplication", Section IV.

Operands have k digits of d bits, W = 2^d, R = W^k, and m digit multipliers work in parallel. One
multiplication is three sets of digit products, named phases:

- T = A B: ``T(i, j) = A[i] B[j]``,
- Q = T M' mod R: ``Q(i, j) = T[i] M'[j]`` with i + j < k,
- U = Q M: ``U(i, j) = Q[i] M[j]``.

A product is issued in a cycle; a digit that it reads must be final: all products of T (of Q) of
columns i + j up to that digit must have been issued at least ``latency`` cycles before.
Latency 2 is a multiplier of one stage whose operand multiplexer sees the output of the
accumulator's adder; each further register on the way adds one.

`published` is the paper's policy, which gives the cycle counts of Table VI. `fast` has as few
cycles as any schedule can have. `plan` is the schedule: products placed on multipliers, for one
operation or for two that are interleaved; ``rtl/digit/mf_rmm.sv`` takes it as one integer,
`Plan.packed`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import count, islice
from typing import Literal, NamedTuple

from montforge.errors import ParameterError

Phase = Literal["T", "Q", "U"]
Order = Literal["column", "row"]
Sharing = Literal["none", "half", "one", "free"]
Reduction = Literal["full", "trunc", "tiny"]
Capacity = Callable[[int], int]
Cycles = tuple[tuple["Product", ...], ...]

ISSUE_BITS = 11
"""Bits of `Plan.packed` for a multiplier's step: ``issue_t`` of ``mf_rmm_pkg.sv``."""

_NAMES = {"T": ("A", "B"), "Q": ("T", "M'"), "U": ("Q", "M")}


class Product(NamedTuple):
    """A digit product: T(i, j) = A[i] B[j], Q(i, j) = T[i] M'[j], U(i, j) = Q[i] M[j]."""

    phase: Phase
    i: int
    j: int

    @property
    def column(self) -> int:
        """The digit of the accumulator that the product's low half is added to."""
        return self.i + self.j

    @property
    def label(self) -> str:
        """The product as the paper writes it: ``T[0] x M'[1]``."""
        first, second = _NAMES[self.phase]
        return f"{first}[{self.i}] x {second}[{self.j}]"

    def __str__(self) -> str:
        return f"{self.phase}({self.i},{self.j})"


def first_kept_column(k: int, reduction: Reduction) -> int:
    """Return the lowest column of U that is computed.

    ``full``: 0. ``trunc``: k - 2, the rest is replaced by rounding. ``tiny``: k - 1, column k - 2
    is estimated from the top bits of its digits.
    """
    return {"full": 0, "trunc": max(k - 2, 0), "tiny": k - 1}[reduction]


@cache
def products(k: int, reduction: Reduction = "full") -> tuple[Product, ...]:
    """Return all digit products of one multiplication, phase by phase, in row order."""
    kept = first_kept_column(k, reduction)
    digits = range(k)
    return (
        *(Product("T", i, j) for i in digits for j in digits),
        *(Product("Q", i, j) for i in digits for j in range(k - i)),
        *(Product("U", i, j) for i in digits for j in digits if i + j >= kept),
    )


def published(
    k: int, m: int, *, latency: int = 2, order: Order = "column", sharing: Sharing = "half"
) -> Cycles:
    """Return the paper's schedule: for each cycle the products that are issued in it.

    T, then Q, then U, each in ``order``; a cycle takes the next m products and stops at the first
    whose operand is not final. ``sharing`` says when a cycle that holds the last products of one
    phase may also hold products of the next: never (``none``), if they are at most m / 2
    (``half``: reproduces Table VI), always from T to Q but from Q to U only with one product of Q
    (``one``: reproduces it too), always (``free``).
    """
    _check(k, m, latency)
    return _in_order(k, m, latency, order, sharing, lambda cycle: m)


def fast(k: int, m: int, *, latency: int = 2, reduction: Reduction = "full") -> Cycles:
    """Return a schedule of the fewest cycles (a bound in the tests says that none has fewer).

    List scheduling: low columns of T first, then Q, then high columns of T, then U, whatever is
    ready. U waits until all of Q is issued, so that U may be added on top of T: a digit of T is
    read before U changes it. Row order needs fewer adders in a column and is taken where it is as
    short as column order.
    """
    _check(k, m, latency, reduction)
    return min((_listed(k, m, latency, reduction, p, lambda cycle: m) for p in _POLICIES), key=len)


# ---------------------------------------------------------------- policies


class _Policy(NamedTuple):
    """A policy of `_listed`; ``split``: the high columns of T come after Q, not with the low."""

    order: Order
    split: bool


_POLICIES = (_Policy("row", False), _Policy("row", True), _Policy("column", True))
"""Tried in this order; the shortest schedule is taken, of equal ones the first."""


class _Readiness:
    """The final digits of T and of Q, as products are issued cycle by cycle."""

    def __init__(self, k: int, latency: int) -> None:
        self._k, self._latency = k, latency
        self._missing = {phase: [e + 1 for e in range(k)] for phase in ("T", "Q")}
        self._final: dict[str, list[int]] = {"T": [], "Q": []}

    def readable(self, phase: Phase, cycle: int) -> int:
        """Return the number of lowest digits that operands of ``phase`` may read in ``cycle``."""
        if phase == "T":
            return self._k
        final = self._final["T" if phase == "Q" else "Q"]
        return sum(last + self._latency <= cycle for last in final)

    def issue(self, product: Product) -> None:
        """Note a product as issued in the present cycle."""
        if product.phase != "U" and product.column < self._k:
            self._missing[product.phase][product.column] -= 1

    def end_of_cycle(self, cycle: int) -> None:
        """Note the digits that became final in ``cycle``."""
        for phase, final in self._final.items():
            while len(final) < self._k and not self._missing[phase][len(final)]:
                final.append(cycle)


def _in_order(
    k: int, m: int, latency: int, order: Order, sharing: Sharing, capacity: Capacity
) -> Cycles:
    waiting = [
        p for phase in "TQU" for p in _sorted((p for p in products(k) if p.phase == phase), order)
    ]
    most = {"none": (0, 0), "half": (m // 2, m // 2), "one": (m, 1), "free": (m, m)}[sharing]
    digits = _Readiness(k, latency)
    cycles: list[tuple[Product, ...]] = []
    while waiting:
        now: list[Product] = []
        while waiting and len(now) < capacity(len(cycles)):
            head = waiting[0]
            changes_phase = bool(now) and now[-1].phase != head.phase
            if changes_phase and len(now) > most[head.phase == "U"]:
                break
            if head.i >= digits.readable(head.phase, len(cycles)):
                break
            digits.issue(head)
            now.append(waiting.pop(0))
        digits.end_of_cycle(len(cycles))
        cycles.append(tuple(now))
    return tuple(cycles)


def _listed(
    k: int, m: int, latency: int, reduction: Reduction, policy: _Policy, capacity: Capacity
) -> Cycles:
    everything = products(k, reduction)
    low = [p for p in everything if p.phase == "T" and (p.column < k or not policy.split)]
    high = [p for p in everything if p.phase == "T" and p.column >= k and policy.split]
    q = [p for p in everything if p.phase == "Q"]
    u = [p for p in everything if p.phase == "U"]
    classes = [_sorted(group, policy.order) for group in (low, q, high, u)]
    digits = _Readiness(k, latency)
    cycles: list[tuple[Product, ...]] = []
    while any(classes):
        now: list[Product] = []
        room = capacity(len(cycles))
        for waiting in classes:
            if waiting is classes[3] and classes[1]:
                break  # U waits for the last product of Q
            readable = digits.readable(waiting[0].phase, len(cycles)) if waiting else 0
            now += _taken(waiting, readable, room - len(now))
        for product in now:
            digits.issue(product)
        digits.end_of_cycle(len(cycles))
        cycles.append(tuple(now))
    return tuple(cycles)


def _taken(waiting: list[Product], readable: int, room: int) -> list[Product]:
    """Remove the first ``room`` products that read the lowest ``readable`` digits only."""
    places = list(islice((at for at, p in enumerate(waiting) if p.i < readable), room))
    taken = [waiting[at] for at in places]
    for at in reversed(places):
        del waiting[at]
    return taken


def _sorted(group: Iterable[Product], order: Order) -> list[Product]:
    if order == "row":
        return sorted(group, key=lambda p: (p.i, p.j))
    return sorted(group, key=lambda p: (p.column, p.i))


# ---------------------------------------------------------------- plans


class Issue(NamedTuple):
    """A product on a multiplier, for the operation in ``context`` 0 or 1."""

    context: int
    product: Product


@dataclass(frozen=True)
class Plan:
    """Products of the multipliers: ``steps[step][multiplier]``, repeated every ``period`` steps.

    The operation in context c issues its first product in step ``starts[c]`` at the earliest and
    its last within ``issue_cycles`` steps, without a step beyond the period.
    """

    k: int
    m: int
    starts: tuple[int, ...]
    issue_cycles: int
    steps: tuple[tuple[Issue | None, ...], ...]

    @property
    def period(self) -> int:
        """Steps after which the plan repeats, with an operation done in each context."""
        return len(self.steps)

    @property
    def packed(self) -> int:
        """The plan as the parameter ``Plan`` of ``mf_rmm``, `ISSUE_BITS` for each issue.

        Multiplier x of step s is at bit ``ISSUE_BITS * (s * m + x)``: from the top down the context
        (1 bit), the phase (2: 0 nothing, 1 T, 2 Q, 3 U), i (4) and j (4). Above all is a 1, so that
        the number of bits shows the size.
        """
        value = 1 << (ISSUE_BITS * self.m * self.period)
        for at, issue in enumerate(issue for step in self.steps for issue in step):
            if issue is not None:
                phase, i, j = issue.product
                code = issue.context << 10 | ("TQU".index(phase) + 1) << 8 | i << 4 | j
                value |= code << (ISSUE_BITS * at)
        return value

    @property
    def products(self) -> int:
        """Digit products of one period, of all contexts."""
        return sum(issue is not None for step in self.steps for issue in step)

    @property
    def utilisation(self) -> float:
        """Share of the multipliers' cycles that hold a product, when requests never wait.

        With one context the steps between two operations are not counted.
        """
        return self.products / (self.m * self.period)


@cache
def plan(
    k: int,
    m: int,
    *,
    variant: Literal["published", "fast"] = "fast",
    latency: int = 2,
    reduction: Reduction = "full",
    contexts: int = 1,
    turnaround: int = 0,
) -> Plan:
    """Return the plan of ``contexts`` = 1 or 2 interleaved operations.

    With two, both are issued within one period: the first as if it were alone, the second as late
    as the free multipliers allow. ``turnaround`` is the number of cycles that must lie between an
    operation's last issue and the next first issue in the same context. The period is the
    smallest for which this is possible.
    """
    _check(k, m, latency, reduction)
    if contexts not in (1, 2):
        raise ParameterError(f"contexts = {contexts} is out of range; contexts must be 1 or 2.")

    if variant == "published":

        def scheduler(capacity: Capacity) -> Cycles:
            return _in_order(k, m, latency, "column", "half", capacity)

    else:
        alone = [_listed(k, m, latency, reduction, p, lambda cycle: m) for p in _POLICIES]
        policy = _POLICIES[min(range(len(alone)), key=lambda at: len(alone[at]))]

        def scheduler(capacity: Capacity) -> Cycles:
            return _listed(k, m, latency, reduction, policy, capacity)

    first = scheduler(lambda cycle: m)
    if contexts == 1:
        return _placed(k, m, [first], [0], len(first))
    number = sum(map(len, first))
    for period in count(max(-(-2 * number // m), len(first) + turnaround)):
        free = [m - (len(first[t]) if t < len(first) else 0) for t in range(period)]
        start = period
        while sum(free[start:]) < number:
            start -= 1
        while start >= 0:
            capacities = free[start:]
            second = scheduler(lambda t: capacities[t] if t < len(capacities) else m)  # noqa: B023
            if len(second) <= len(capacities):
                break
            start -= 1
        if start >= 0 and len(second) + turnaround <= period:
            return _placed(k, m, [first, second], [0, start], period)
    raise AssertionError("some period is long enough")


def _placed(
    k: int, m: int, schedules: Sequence[Cycles], starts: Sequence[int], period: int
) -> Plan:
    """Put each product on multiplier (column mod m) if that is free, else on the next free one.

    A multiplier then serves few columns, and its product goes to few places of the accumulator.
    """
    steps: list[list[Issue | None]] = [[None] * m for _ in range(period)]
    for context, (cycles, start) in enumerate(zip(schedules, starts, strict=True)):
        for at, now in enumerate(cycles):
            for product in now:
                slot = product.column % m
                while steps[start + at][slot] is not None:
                    slot = (slot + 1) % m
                steps[start + at][slot] = Issue(context, product)
    longest = max(map(len, schedules))
    return Plan(k, m, tuple(starts), longest, tuple(map(tuple, steps)))


def check_range(name: str, value: int, low: int, high: int) -> None:
    """Raise ParameterError, with the nearest legal value, unless low <= value <= high."""
    if not low <= value <= high:
        raise ParameterError(
            f"{name} = {value} is out of range; {name} must be an integer from {low} to {high}"
            f" (nearest legal: {min(max(value, low), high)})."
        )


def _check(k: int, m: int, latency: int, reduction: Reduction = "full") -> None:
    check_range("k", k, 2, 16)
    check_range("m", m, 1, k * k)
    check_range("latency", latency, 1, 8)
    if reduction == "trunc" and k < 3:
        raise ParameterError(
            f"reduction = trunc needs k of at least 3; k = {k} has nothing to omit."
        )
