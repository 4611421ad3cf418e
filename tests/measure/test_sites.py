# SPDX-License-Identifier: Apache-2.0
"""Sites of multiplier blocks by the order of their names."""

from __future__ import annotations

import re
from itertools import pairwise

from montforge.hardware.fpga import find_fpga
from montforge.measure.sites import place_blocks, sites_in_order

ROWS, FIRST = (10, 34, 58), (4, 13, 22, 31, 40, 49, 58, 69, 78, 87, 96, 105, 114)
CHAINS = [f"half[{half}].word[{word}].block" for half in range(2) for word in range(59)]
OTHERS = [f"product.x[{x}].y[{y}].block" for x in range(4) for y in range(4)] + ["alone"]


def place(site: str) -> tuple[int, int]:
    """Return the column, of blocks, and the row of a site."""
    found = re.fullmatch(r"X(\d+)/Y(\d+)/MULT18_([0145])", site)
    assert found
    x, row, number = map(int, found.groups())
    return 4 * FIRST.index(x - number) + (0, 1, 4, 5).index(number), ROWS.index(row)


def test_chains_have_neighbouring_sites() -> None:
    sites = sites_in_order([*CHAINS, *OTHERS], ROWS, FIRST)
    assert len(set(sites.values())) == len(sites) == len(CHAINS) + len(OTHERS)
    for half in range(2):
        places = [place(sites[f"half[{half}].word[{word}].block"]) for word in range(59)]
        columns = [column for column, _ in places]
        assert max(columns) - min(columns) == 19
        steps = [abs(a - c) + abs(b - d) for (a, b), (c, d) in pairwise(places)]
        assert sorted(steps)[-4:] <= [1, 1, 10, 12]
        assert places[0][1] == 1
    halves = [place(sites[name])[0] for name in CHAINS]
    assert max(halves[:59]) < min(place(sites[name])[0] for name in OTHERS)
    assert min(halves[59:]) > max(place(sites[name])[0] for name in OTHERS)


def test_the_device_has_as_many_blocks() -> None:
    target = find_fpga("ecp5-85k")
    assert dict(target.multiplier_sites) == {"rows": [*ROWS], "columns": [*FIRST]}
    assert 4 * len(ROWS) * len(FIRST) == target.capacity["dsp"]


def test_the_placer_chooses_for_too_many() -> None:
    many = [f"half[{half}].word[{word}].block" for half in range(3) for word in range(51)]
    assert len(sites_in_order(many, ROWS, FIRST)) == 153
    assert sites_in_order([*many, *OTHERS], ROWS, FIRST) == {}
    assert sites_in_order([f"word[{word}]" for word in range(157)], ROWS, FIRST) == {}


def test_a_netlist() -> None:
    cells = {f"a[{i}]": {"type": "MULT18X18D"} for i in range(9)} | {"b": {"type": "LUT4"}}
    netlist = {"modules": {"top": {"attributes": {"top": "1"}, "cells": cells}}}
    place_blocks(netlist, ROWS, FIRST)
    placed = [cell.get("attributes", {}).get("BEL") for cell in cells.values()]
    assert len(set(placed[:9])) == 9
    assert placed[9] is None
