# SPDX-License-Identifier: Apache-2.0
"""Sites of the multiplier blocks of a huge design, in the order of their names.

nextpnr's placer ``static`` moves blocks to legal sites one by one: with most of a device's blocks
in use it doubles the length of all wires. Here each chain of blocks, whose names differ in one
index, gets neighbouring columns of all rows of blocks, and its first block, on whose words the
others wait, a site in the middle of them.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

_BLOCK = "MULT18X18D"
_LAST_INDEX = re.compile(r"(.*)\[(\d+)\](?!.*\[\d)")
_CHAIN = 8
"""Blocks from which on some are a chain; others share the columns between the chains."""
_COLUMNS = ((0, 0), (1, 1), (4, 4), (5, 5))
"""Of four blocks of an ECP5: columns from the first one on, and numbers."""


def sites_in_order(
    names: Sequence[str], rows: Sequence[int], columns: Sequence[int]
) -> dict[str, str]:
    """Return the site of each block, of a device with blocks in three rows; none if they don't fit.

    ``names`` are those of the blocks, ``rows`` the rows of the device, ``columns`` the first ones
    of each four blocks.
    """
    chains: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for name in names:
        found = _LAST_INDEX.match(name)
        chains[found[1] if found else ""].append((int(found[2]) if found else 0, name))
    long = [[name for _, name in sorted(chains[key])] for key in sorted(chains)]
    others = [name for chain in long if len(chain) < _CHAIN for name in chain]
    long = [chain for chain in long if len(chain) >= _CHAIN]
    single = [(first + column, number) for first in columns for column, number in _COLUMNS]
    widths = [-(-len(chain) // len(rows)) for chain in long]
    spare = len(single) - sum(widths)
    if spare < -(-len(others) // len(rows)):
        return {}
    found_sites: dict[str, str] = {}
    at, left = 0, (len(long) + 1) // 2
    for number, (chain, width) in enumerate(zip(long, widths, strict=True)):
        at += spare * (number == left)
        found_sites |= zip(chain, _around(single[at : at + width], rows), strict=False)
        at += width
    between = sum(widths[:left])
    middle = single[between : between + spare]
    order = (rows[1], rows[0], rows[2])
    free = [_site(column, row) for column in middle for row in order]
    return found_sites | dict(zip(others, free, strict=False))


def _around(columns: Sequence[tuple[int, int]], rows: Sequence[int]) -> list[str]:
    """Return the sites of some columns, round from the middle on."""
    half = len(columns) // 2
    first, second, third = rows
    back = columns[::-1]
    ways = ((columns[half:], second), (back, first), (columns[:half], second), (back, third))
    return [_site(column, row) for part, row in ways for column in part]


def _site(column: tuple[int, int], row: int) -> str:
    return f"X{column[0]}/Y{row}/MULT18_{column[1]}"


def place_blocks(netlist: dict[str, Any], rows: Sequence[int], columns: Sequence[int]) -> None:
    """Give the blocks of a netlist of Yosys (JSON) their sites, as `sites_in_order` does."""
    for module in netlist["modules"].values():
        blocks = {n: cell for n, cell in module["cells"].items() if cell["type"] == _BLOCK}
        if module.get("attributes", {}).get("top"):
            for name, site in sites_in_order(list(blocks), rows, columns).items():
                blocks[name].setdefault("attributes", {})["BEL"] = site
