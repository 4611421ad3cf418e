# SPDX-License-Identifier: Apache-2.0
"""A lower bound of the cycles of any schedule of digit products."""

from __future__ import annotations

from collections import Counter

from montforge.programs.digits import Reduction, products


def lower_bound(k: int, m: int, *, latency: int = 2, reduction: Reduction = "full") -> int:
    """Return a number of issue cycles that no schedule can beat.

    Each product has a head (no schedule issues it in an earlier cycle) and a tail (the number of
    cycles that must follow its issue). Products with head >= h and tail >= t can't be
    issued before cycle h and t cycles must follow the last of them, so that a schedule has at
    least h + ceil(number / m) + t cycles; the bound is the largest of these.

    Heads: products of T of columns up to e fill ceil(number / m) cycles; only then, after the
    latency, is T[e] read. Q[e] is read after the products of Q of columns up to e, of which each
    has its own head. Tails: all products of U of row e and above follow a product of Q of column
    e, and those of Q of row e and above follow a product of T of column e < k, each with its tail.
    """
    everything = products(k, reduction)
    t = [p for p in everything if p.phase == "T"]
    q = [p for p in everything if p.phase == "Q"]
    u = [p for p in everything if p.phase == "U"]

    def cycles_for(number: int) -> int:
        return -(-number // m)

    # Columns up to e < k have 1 + 2 + ... + (e + 1) products.
    t_ready = [cycles_for((e + 1) * (e + 2) // 2) - 1 + latency for e in range(k)]
    q_head = {p: t_ready[p.i] for p in q}
    q_ready = []
    for e in range(k):
        heads = sorted(q_head[p] for p in q if p.column <= e)
        last = max(h - 1 + cycles_for(len(heads) - at) for at, h in enumerate(heads))
        q_ready.append(last + latency)

    u_after = [latency - 1 + cycles_for(sum(x.i >= e for x in u)) for e in range(k)]
    q_tail = {p: u_after[p.column] for p in q}
    t_tail = []
    for e in range(k):
        tails = sorted((q_tail[p] for p in q if p.i >= e), reverse=True)
        t_tail.append(latency - 1 + max(cycles_for(at + 1) + x for at, x in enumerate(tails)))

    numbers = Counter(
        [
            *((0, t_tail[p.column] if p.column < k else 0) for p in t),
            *((q_head[p], q_tail[p]) for p in q),
            *((q_ready[p.i], 0) for p in u),
        ]
    )
    bound = 0
    for h in {head for head, _ in numbers}:
        for tail in {tail for _, tail in numbers}:
            number = sum(n for (x, y), n in numbers.items() if x >= h and y >= tail)
            if number:
                bound = max(bound, h + cycles_for(number) + tail)
    return bound
