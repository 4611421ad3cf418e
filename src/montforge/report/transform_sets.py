# SPDX-License-Identifier: Apache-2.0
"""The table of legal parameter sets and their costs, for the command ``parameters``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from montforge.programs.fft.parameters import (
    BALANCED,
    FAST,
    SINGLE,
    STANDARD,
    ParameterSet,
    offered_sets,
    published_sets,
)
from montforge.programs.fft.program import GENERAL, SQUARING, default_levels, schedule
from montforge.report import Cell, Table


def selection(width: int, moduli: str = STANDARD) -> Table:
    """Return the sets of `offered_sets` with slack in bits, blocks and cycles.

    Blocks are those of the ring multiplier, cycles those of the core, from the schedules.
    """
    published = {(p.u, p.s, p.ring_bits, p.all_at_once) for p in published_sets(width)}
    offered = offered_sets(width, moduli)
    refused = [
        f"Dai 2018's u = {p.u}, s = {p.s}, c = {p.c}{', all at once' if p.all_at_once else ''} is"
        f" not legal here: {'; '.join(p.violations())}."
        for p in published_sets(width)
        if p.violations()
    ]
    columns: dict[str, Callable[[ParameterSet], Cell]] = {
        "u": lambda p: p.u,
        "s": lambda p: p.s,
        "c": lambda p: str(p.c),
        "q": lambda p: f"2^{p.ring_bits} + 1",
        "omega": lambda p: f"2^{p.half_c}",
        "phi": lambda p: f"2^{p.half_c // 2}{' sqrt 2' if p.half_c % 2 else ''}",
        "all at once": lambda p: "yes" if p.all_at_once else "no",
        "slack": lambda p: round(p.slack, 1),
        "slack at once": lambda p: round(p.slack_all_at_once, 1),
        "multiplier blocks": lambda p: 3 ** default_levels(p.ring_bits),
        "cycles": lambda p: _cycles(p, GENERAL),
        "cycles of squaring": lambda p: _cycles(p, SQUARING),
        "Dai 2018": lambda p: "yes" if (p.u, p.s, p.ring_bits, p.all_at_once) in published else "",
    }
    notes = [
        "slack: bits by which q exceeds the need of a sum of two products (eq. 16), or of a product"
        " of three at once (eq. 23).",
        *_balanced_notes(offered),
        *refused,
    ]
    title = f"Parameter sets for {width} bits ({moduli} moduli)"
    return Table.of(title, offered, columns, notes)


def _balanced_notes(offered: list[ParameterSet]) -> list[str]:
    """Return a note on each set that balanced digits make legal with products of three."""
    found = {}
    for each in offered:
        at_once = replace(each, all_at_once=True, variant=FAST, threshold=SINGLE)
        balanced = replace(at_once, digits=BALANCED)
        if at_once.violations() and not balanced.violations():
            found[f"u = {each.u}, s = {each.s}, c = {each.c}"] = balanced.slack_all_at_once
    return [
        f"{name}: all at once with digits = balanced (variant = fast, threshold = single),"
        f" slack {round(slack, 1)}."
        for name, slack in found.items()
    ]


def _cycles(chosen: ParameterSet, form: str) -> int:
    return schedule(chosen, default_levels(chosen.ring_bits), form).cycles
