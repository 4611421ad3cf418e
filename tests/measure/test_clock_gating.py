# SPDX-License-Identifier: Apache-2.0
"""Gated clocks: as many registers, no multiplexers before them, and netlists that still work."""

from __future__ import annotations

import re
import shutil
from functools import cache
from pathlib import Path

import pytest

from montforge.arch import Core, design
from montforge.errors import CheckFailedError, MontforgeError, ParameterError, ToolFailedError
from montforge.hardware.liberty import scan_liberty
from montforge.measure import StandardCells, find_target, measure
from montforge.measure.compiled import compiled_hash
from montforge.measure.placed.netlist import read_netlist
from montforge.measure.sweep import Sweep, single_point, sweep
from montforge.measure.targets import with_clock_gating
from montforge.verify import check_netlist
from montforge.work.cache import ResultStore

pytestmark = pytest.mark.skipif(shutil.which("sta") is None, reason="OpenSTA is not installed")

GATES = {"nangate45": "CLKGATE_X1", "sky130hd": "sky130_fd_sc_hd__dlclkp_1"}
ENABLES = {"nangate45": ("E", "CK"), "sky130hd": ("GATE", "CLK")}
DESIGNS = [
    ("unit_csa", {"width": "32"}),
    ("scs_mm_new", {"width": "16"}),
    ("fios_dsp", {"width": "32", "word_width": "16"}),
]


def cells_of(target: str) -> StandardCells:
    try:
        found = find_target(target)
    except MontforgeError as error:
        pytest.skip(str(error))
    assert isinstance(found, StandardCells)
    return found


@cache
def mapped(target: str, at: int, gated: bool) -> tuple[Core, Sweep]:
    name, parameters = DESIGNS[at]
    chosen, cells = design(name, **parameters), cells_of(target)
    assert isinstance(chosen, Core)
    found = with_clock_gating(cells) if gated else cells
    return chosen, single_point(chosen.hardware, found, ResultStore(), 2000)


def changed(tmp_path: Path, target: str, pin: str, net: str) -> Path:
    """Return the netlist of the first design, the pin of its first gate on another net."""
    text = mapped(target, 0, gated=True)[1].netlist().read_text()
    at = text.index(f"  {GATES[target]} ")
    found = tmp_path / "netlist.v"
    found.write_text(text[:at] + re.sub(rf"\.{pin}\(.*\)", f".{pin}({net})", text[at:], count=1))
    assert found.read_text() != text
    return found


@pytest.mark.parametrize("target", GATES)
@pytest.mark.parametrize("at", range(len(DESIGNS)))
def test_gates_replace_enables(target: str, at: int) -> None:
    chosen, gated = mapped(target, at, gated=True)
    plain = mapped(target, at, gated=False)[1]
    counts, before = gated.best["cells"], plain.best["cells"]
    library = {cell.name: cell for cell in scan_liberty(cells_of(target).liberty).cells}

    def registers(cells: dict[str, int]) -> int:
        return sum(n for name, n in cells.items() if library[name].next_state is not None)

    assert counts[GATES[target]] >= 1
    assert registers(counts) == registers(before)
    assert gated.best["area"] < plain.best["area"]
    assert check_netlist(chosen, gated.netlist(), gated.liberty) >= 100
    placeable = read_netlist(gated.netlist().read_text(), library)
    kinds = {placeable.instances[net.driver[0]].kind for net in placeable.nets}
    assert GATES[target] not in kinds  # the clock has no wires, gated or not


@pytest.mark.parametrize("target", GATES)
@pytest.mark.parametrize("value", ["1'b0", "1'b1"])
def test_wrong_enables_are_seen(tmp_path: Path, target: str, value: str) -> None:
    chosen, found = mapped(target, 0, gated=True)
    wrong = changed(tmp_path, target, ENABLES[target][0], value)
    with pytest.raises(CheckFailedError):
        check_netlist(chosen, wrong, found.liberty)


def test_clocks_that_are_not_the_clock_are_refused(tmp_path: Path) -> None:
    chosen, found = mapped("nangate45", 0, gated=True)
    other = changed(tmp_path, "nangate45", "CK", "rst_ni")
    with pytest.raises(ToolFailedError, match="another clock"):
        check_netlist(chosen, other, found.liberty)
    text = found.netlist().read_text()
    clock = re.search(r"\.GCK\((.*)\)", text)
    assert clock is not None
    at = text.index("  DFFR_X1 ")
    other.write_text(text[:at] + text[at:].replace(".CK(clk_i)", f".CK({clock[1]})", 1))
    with pytest.raises(ToolFailedError, match="reset"):
        check_netlist(chosen, other, found.liberty)


def test_gating_is_refused_without_gates() -> None:
    chosen = design("mm_r2", width="16")
    for target in ("osu018", "ecp5-25k", "table2"):
        with pytest.raises(ParameterError, match="no integrated clock gate"):
            measure(chosen, target, clock_gating=True)


def test_gated_figures_are_told_apart() -> None:
    cells, hardware = cells_of("nangate45"), design("mm_r2", width="16").hardware
    assert compiled_hash(hardware, cells) != compiled_hash(hardware, with_clock_gating(cells))
    found = measure(design("unit_csa", width="32"), "nangate45", effort="quick", clock_gating=True)
    assert found.flags["clock_gating"] and "--clock-gating" in found.command


def test_full_effort_tries_netlists_without_weak_cells() -> None:
    cells = cells_of("nangate45")
    found = sweep(design("mm_r2", width="16").hardware, cells, ResultStore(), 1, None)
    weak = set(cells.weak_cells)
    assert weak
    strong = [weak.isdisjoint(point["cells"]) for point in found.points if point["strong"]]
    assert strong and all(strong)
    assert any(weak & point["cells"].keys() for point in found.points if not point["strong"])
