# SPDX-License-Identifier: Apache-2.0
"""The table of legal parameter sets and their costs, for the command ``parameters``."""

from __future__ import annotations

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
from montforge.report import Table

COLUMNS = (
    *("u", "s", "c", "q", "omega", "phi", "all at once", "slack", "slack at once"),
    *("multiplier blocks", "cycles", "cycles of squaring", "Dai 2018"),
)


def selection(width: int, moduli: str = STANDARD) -> Table:
    """Return the sets of `offered_sets` with slack in bits, blocks and cycles.

    Blocks are those of the ring multiplier, cycles those of the core, from the schedules.
    """
    published = {(p.u, p.s, p.ring_bits, p.all_at_once) for p in published_sets(width)}
    offered = offered_sets(width, moduli)
    rows = [
        _row(chosen, (chosen.u, chosen.s, chosen.ring_bits, chosen.all_at_once) in published)
        for chosen in offered
    ]
    refused = [
        f"Dai 2018's u = {p.u}, s = {p.s}, c = {p.c}{', all at once' if p.all_at_once else ''} is"
        f" not legal here: {'; '.join(p.violations())}."
        for p in published_sets(width)
        if p.violations()
    ]
    return Table(
        f"Parameter sets for {width} bits ({moduli} moduli)",
        COLUMNS,
        tuple(rows),
        (
            "slack: bits by which q exceeds what the sum of two products (eq. 16), or a product of"
            " three at once (eq. 23), needs.",
            *_balanced_notes(offered),
            *refused,
        ),
    )


def _balanced_notes(offered: list[ParameterSet]) -> list[str]:
    """Return which of the sets balanced digits make legal with a product of three at once."""
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


def _row(chosen: ParameterSet, published: bool) -> tuple[str | int | float, ...]:
    levels = default_levels(chosen.ring_bits)
    whole, half = divmod(chosen.half_c, 2)
    phi = f"2^{whole}" + (" sqrt 2" if half else "")
    return (
        chosen.u,
        chosen.s,
        str(chosen.c),
        f"2^{chosen.ring_bits} + 1",
        f"2^{chosen.half_c}",
        phi,
        "yes" if chosen.all_at_once else "no",
        round(chosen.slack, 1),
        round(chosen.slack_all_at_once, 1),
        3**levels,
        schedule(chosen, levels, GENERAL).cycles,
        schedule(chosen, levels, SQUARING).cycles,
        "yes" if published else "",
    )
