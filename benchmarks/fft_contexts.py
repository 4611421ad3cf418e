# SPDX-License-Identifier: Apache-2.0
"""How much of the time the butterflies would work if two contexts shared one element.

    python benchmarks/fft_contexts.py

A model, not a design: no RTL runs two contexts. Each context squares without end, with its own
memories; the units of one element are shared. A transform is taken stage by stage, so that one
context's stages fill the cycles in which the other one's wait for their data. The first request
that can be served is served; products and passes as in `montforge.fft.program`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from rich.console import Console

from montforge.fft.parameters import CANONICAL, FAST, PUBLISHED, RELAXED, ParameterSet
from montforge.fft.program import (
    SQUARING,
    Pass,
    Product,
    Program,
    Timing,
    Transform,
    default_levels,
    program,
    schedule,
    variant_of,
)
from montforge.report import Table

SETS = ((1024, 17, 64, 64), (2048, 33, 64, 128), (4096, 33, 128, 128))
ROUNDS = 24
FFT, MULTIPLIER, ADDER = range(3)


@dataclass
class Context:
    """What one context has done of its program, again and again."""

    start: int = 0
    rounds: list[int] = field(default_factory=list)
    done: tuple[list[int], list[int], list[int]] = field(default_factory=lambda: ([], [], []))
    stage: int = 0
    stage_ready: int = 0


def contexts(timing: Timing, steps: Program, count: int, *, by_stages: bool) -> float:
    """Return the cycles for a squaring of each of ``count`` contexts, in the steady state."""
    chosen = timing.chosen
    lists = (steps.transforms, steps.products, steps.passes)
    stages = chosen.v if by_stages else 1
    busy = chosen.s // 4 if by_stages else timing.occupancy
    free = [0, 0, 0]
    all_contexts = [Context() for _ in range(count)]
    while any(len(context.rounds) < ROUNDS for context in all_contexts):
        best = None
        for number, context in enumerate(all_contexts):
            for unit, steps_of_unit in enumerate(lists):
                if len(context.done[unit]) == len(steps_of_unit):
                    continue
                step = steps_of_unit[len(context.done[unit])]
                ready = _ready(timing, steps, context, step)
                if ready is None:
                    continue
                if unit == FFT and context.stage:
                    ready = context.stage_ready
                key = (max(free[unit], ready), len(context.rounds), -context.stage, number)
                if best is None or key < best[0]:
                    best = (key, context, unit, step)
        assert best is not None
        (start, *_), context, unit, step = best
        if unit == FFT:
            free[unit] = start + busy
            context.stage += 1
            context.stage_ready = start + (*timing.periods, 0)[context.stage - 1]
            if context.stage < stages:
                continue
            context.stage = 0
            taken = chosen.s // 4 + timing.butterfly_latency if by_stages else timing.transform
        elif isinstance(step, Product):
            taken = chosen.s + timing.multiplier_latency
            free[unit] = start + chosen.s
        else:
            assert isinstance(step, Pass)
            taken = timing.of_pass(step.kind)
            free[unit] = start + taken
        context.done[unit].append(start + taken)
        if all(len(done) == len(todo) for done, todo in zip(context.done, lists, strict=True)):
            context.start = max(context.done[ADDER])
            context.rounds.append(context.start)
            context.done = ([], [], [])
    half = ROUNDS // 2
    ends = [context.rounds for context in all_contexts]
    return max((rounds[ROUNDS - 1] - rounds[half - 1]) / half for rounds in ends)


def _ready(
    timing: Timing, steps: Program, context: Context, step: Transform | Product | Pass
) -> int | None:
    """Return when what a step waits for is there, or None while that is not known."""
    if any(len(context.done[unit]) < step.wait[unit] for unit in range(3)):
        return None
    before = steps.products[step.wait.products - 1] if step.wait.products else None
    ready = [context.done[unit][step.wait[unit] - 1] for unit in range(3) if step.wait[unit]]
    if ready:
        ready[0] -= timing.ahead(step, before)
    return max([context.start, *ready])


def main() -> None:
    """Print the table."""
    rows = []
    for width, u, s, ring in SETS:
        for variant, reduction in ((PUBLISHED, CANONICAL), (FAST, CANONICAL), (FAST, RELAXED)):
            chosen = ParameterSet(width, u, s, ring, True, reduction, variant=variant)
            timing = Timing(chosen, default_levels(ring))
            steps = program(variant_of(chosen, SQUARING))
            work = len(steps.transforms) * chosen.v * s // 4
            alone = schedule(chosen, timing.levels, SQUARING).cycles
            assert contexts(timing, steps, 1, by_stages=False) == alone
            whole = contexts(timing, steps, 2, by_stages=False)
            mixed = contexts(timing, steps, 2, by_stages=True)
            rows.append(
                (
                    *(width, variant, reduction, alone, round(100 * work / alone, 1)),
                    *(round(whole), round(200 * work / whole, 1)),
                    *(round(mixed), round(200 * work / mixed, 1)),
                )
            )
    columns = (
        *("width", "variant", "reduction", "alone", "busy %", "two, by transforms", "busy % "),
        *("two, by stages", "busy %  "),
    )
    Console().print(Table("Cycles for a squaring of each context", columns, tuple(rows)).to_rich())


if __name__ == "__main__":
    main()
