# SPDX-License-Identifier: Apache-2.0
"""Placed netlists: legal places, wires, periods in the right order, netlists that still work."""

from __future__ import annotations

import math
import re
import shutil
import sys
from dataclasses import replace
from functools import cache
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from montforge.arch import Core, design
from montforge.errors import (
    CheckFailedError,
    MontforgeError,
    ParameterError,
    ToolFailedError,
    ToolMissingError,
)
from montforge.explore import explore
from montforge.explore.results import CLOCK_TREE, Exploration, with_wires
from montforge.hardware.fpga import target_data
from montforge.hardware.liberty import Cell, Library, scan_liberty
from montforge.measure import Measurement, StandardCells, find_target, measure
from montforge.measure import placed as placed_flow
from montforge.measure.measurement import measure_command
from montforge.measure.opensta import (
    LONGEST_PATH,
    parse_paths,
    parse_placed,
    placed_script,
    run_opensta,
)
from montforge.measure.placed import placed_figures, placer
from montforge.measure.placed.buffers import FAN_OUT, rebuilt
from montforge.measure.placed.clock import clock_script, clock_tree, parse_clock
from montforge.measure.placed.netlist import Netlist, read_netlist, resized
from montforge.measure.placed.placer import Placement, centres, moved, place, widths
from montforge.measure.placed.sizing import sized_by_load, sizes_of
from montforge.measure.placed.technology import Technology, technology_of
from montforge.measure.placed.wires import spanning_tree, spef, trees, wire_length
from montforge.measure.sweep import single_point
from montforge.measure.targets import described_target
from montforge.measure.yosys import MAPPED
from montforge.store import Result, read_results, results_text
from montforge.verify import check_netlist
from montforge.work.cache import ResultStore

needs_tools = pytest.mark.skipif(
    shutil.which("sta") is None or find_spec("coloquinte") is None,
    reason="OpenSTA or Coloquinte is not installed",
)
TARGETS = ["nangate45", "osu018", "sky130hd"]
WIDTH = 16


def cells_of(name: str) -> StandardCells:
    try:
        found = find_target(name)
    except MontforgeError as error:
        pytest.skip(str(error))
    assert isinstance(found, StandardCells)
    return found


@cache
def mapped(target: str) -> tuple[Path, Path]:
    """Return the netlist of a small design and the file of its cells."""
    hardware = design("mm_r2", width=WIDTH).hardware
    found = single_point(hardware, cells_of(target), ResultStore(), 2000)
    return found.netlist(), found.liberty


@cache
def library_of(target: str) -> Library:
    return scan_liberty(cells_of(target).liberty)


@cache
def netlist_of(target: str) -> Netlist:
    cells = {cell.name: cell for cell in library_of(target).cells}
    return read_netlist(mapped(target)[0].read_text(), cells)


def widths_of(netlist: Netlist, target: str) -> list[int]:
    cells = {cell.name: cell for cell in library_of(target).cells}
    return widths([each.kind for each in netlist.instances], cells, technology_of(target))


@cache
def placement_of(target: str, seed: int = 1) -> Placement:
    netlist = netlist_of(target)
    return place(netlist, widths_of(netlist, target), technology_of(target), seed, Path("log"))


def check_legal(placement: Placement, width: list[int]) -> None:
    """Assert that all cells lie in rows, within the die, and none on another one."""
    rows: dict[int, list[tuple[int, int]]] = {}
    for x, y, each in zip(placement.x, placement.y, width, strict=True):
        assert 0 <= y < placement.die.rows
        assert 0 <= x <= x + each <= placement.die.sites
        rows.setdefault(y, []).append((x, x + each))
    for row in rows.values():
        row.sort()
        assert all(left[1] <= right[0] for left, right in pairwise(row))


@needs_tools
@pytest.mark.parametrize("target", TARGETS[:2])
def test_places_are_legal_and_those_of_the_seed(target: str) -> None:
    netlist, placement = netlist_of(target), placement_of(target)
    width = widths_of(netlist, target)
    check_legal(placement, width)
    die = placement.die
    assert 0.6 < sum(width) / (die.rows * die.sites) <= technology_of(target).utilization
    again = place(netlist, width, technology_of(target), 1, Path("log"))
    assert again == placement
    assert placement_of(target, 2) != placement
    assert moved(placement, width) == placement
    larger = [each + (at % 9 == 0) for at, each in enumerate(width)]
    apart = moved(placement, larger)
    check_legal(apart, larger)
    assert (apart.die, apart.y) == (die, placement.y)
    twice = [2 * each for each in width]
    check_legal(moved(placement, twice), twice)
    assert moved(placement, twice).die.sites > die.sites


@needs_tools
def test_widths_are_those_of_the_library_s_layouts() -> None:
    library = library_of("osu018")
    layouts = Path(str(target_data("osu018")["liberty"])).with_suffix(".lef").read_text()
    sizes = dict(re.findall(r"^MACRO (\S+)$.*?^  SIZE ([\d.]+) BY 10\.000", layouts, re.M | re.S))
    found = technology_of("osu018")
    cells = {cell.name: cell for cell in library.cells if cell.area}  # it states none of LATCH
    width = widths(list(cells), cells, found)
    # OAI21X1 is stated with an area of three sites less 1 um2, and drawn with four.
    assert {
        name: each
        for name, each in zip(cells, width, strict=True)
        if each != round(float(sizes[name]) / found.site_um)
    } == {"OAI21X1": 3}


def test_a_tree_is_as_short_as_the_shortest() -> None:
    places = [(0.0, 0.0), (4.0, 0.0), (4.0, 3.0), (0.0, 1.0), (9.0, 3.0)]
    tree = spanning_tree(places)
    assert {frozenset(edge[:2]) for edge in tree} == {
        frozenset(pair) for pair in ((0, 3), (0, 1), (1, 2), (2, 4))
    }
    assert wire_length(tree) == 1 + 4 + 3 + 5
    assert spanning_tree(places[:1]) == []


@needs_tools
@pytest.mark.parametrize("target", TARGETS[:2])
def test_capacitance_is_that_of_the_wires_and_opensta_takes_all_of_them(
    target: str, tmp_path: Path
) -> None:
    netlist, data, found = netlist_of(target), technology_of(target), cells_of(target)
    width = widths_of(netlist, target)
    wires = trees(netlist, centres(placement_of(target), width, data))
    lines = list(spef("top", netlist, wires, data))
    length = sum(map(wire_length, wires))
    totals = [float(line.split()[2]) for line in lines if line.startswith("*D_NET")]
    nodes = [float(line.split()[2]) for line in lines if re.fullmatch(r"\d+ \S+ [\d.]+", line)]
    assert len(totals) == len(netlist.nets)
    for capacitances in (totals, nodes):
        assert sum(capacitances) == pytest.approx(length * data.capacitance_ff_um, rel=1e-4)

    def period(lines: list[str]) -> float:
        path = tmp_path / "wires.spef"
        path.write_text("\n".join(lines) + "\n")
        hardware = design("mm_r2", width=WIDTH).hardware
        script = placed_script(hardware.top, hardware.clock, found) + LONGEST_PATH
        report = run_opensta(script, [*mapped(target), path], 60, tmp_path / "log")
        return float(parse_placed(report)["period"])

    with_wires = period(lines)
    assert with_wires > period(list(spef("top", netlist, [[] for _ in wires], data)))
    wrong = [line.replace(f" {_first_sink(lines)} ", " nobody:A ") for line in lines]
    with pytest.raises(ToolFailedError, match="nobody"):
        period(wrong)


def _first_sink(lines: list[str]) -> str:
    return next(line.split()[1] for line in lines if re.fullmatch(r"\*I \S+ I", line))


@needs_tools
def test_buffers_and_registers_are_sized_for_their_loads() -> None:
    target = "osu018"
    netlist, library = netlist_of(target), library_of(target)
    sizes = sizes_of(library, cells_of(target))
    assert [cell.name for cell in sizes["BUFX2"]] == ["BUFX2", "BUFX4"]
    assert "CLKBUF1" not in sizes  # which the target excludes
    width = widths_of(netlist, target)
    wires = trees(netlist, centres(placement_of(target), width, technology_of(target)))
    small, large = (
        sized_by_load(netlist, wires, wire_ff, library, cells_of(target), ratio)
        for wire_ff, ratio in ((0.0, 1000), (100.0, 8))
    )
    buffers = [at for at, each in enumerate(netlist.instances) if each.kind.startswith("BUF")]
    assert buffers
    assert {large[at] for at in buffers} == {"BUFX4"}
    assert {small[at] for at in buffers} == {"BUFX2"}
    others = [at for at in range(len(small)) if at not in buffers]
    assert [small[at] for at in others] == [netlist.instances[at].kind for at in others]


def by_hand(sinks: int) -> tuple[str, Library]:
    """Return a register whose buffer drives ``sinks`` inverters, the first one a port, its cells.

    The inverters with odd numbers get their input by a second buffer.
    """
    gates = [
        (f"i{at}", "INV", {"A": ("near", "far")[at % 2], "Y": "p_o" if at == 0 else f"n{at}"})
        for at in range(sinks)
    ]
    buffers = [
        ("b0", "BUF1", {"A": "\\u.q ", "Y": "near"}),
        ("b1", "BUF1", {"A": "near", "Y": "far"}),
    ]
    register = ("r", "DFF", {"C": "clk_i", "D": "n1", "Q": "\\u.q "})
    nets = ["\\u.q ", "near", "far", *(f"n{at}" for at in range(1, sinks))]
    lines = ["module top(clk_i, p_o);", "  input clk_i;", "  output p_o;"]
    lines += [f"  wire {net};" for net in nets]
    for name, kind, pins in (*gates, *buffers, register):
        inner = ",\n".join(f"    .{pin}({net})" for pin, net in pins.items())
        lines.append(f"  {kind} {name} (\n{inner}\n  );")
    cells = (
        Cell("BUF1", 1.0, ("A",), "A", (1.0,), None),
        Cell("BUF2", 2.0, ("A",), "A", (2.0,), None),
        Cell("INV", 1.0, ("A",), "!A", (1.0,), None),
        Cell("DFF", 4.0, ("C", "D"), "IQ", (1.0, 1.0), "D"),
    )
    return "\n".join([*lines, "endmodule", ""]), Library(cells, None, 1.0)


def test_buffer_trees_follow_the_places() -> None:
    sinks = 20
    verilog, library = by_hand(sinks)
    cells = {cell.name: cell for cell in library.cells}
    netlist = read_netlist(verilog, cells)
    # The right half of the inverters is on the right, wherever the two buffers have them.
    places = [(100.0 * (at >= sinks // 2), float(at)) for at in range(len(netlist.instances))]
    sizes = sizes_of(library, StandardCells("mine", "mine"))
    text, trees = rebuilt(netlist, places, library, sizes)
    made = read_netlist(text, cells)
    assert trees == 1
    kinds = [each.kind for each in made.instances]
    assert [kind for kind in kinds if kind.startswith("BUF")] == ["BUF2", "BUF2"]
    names = [each.name for each in made.instances]
    drivers = {names[net.driver[0]]: [names[at] for at, _ in net.sinks] for net in made.nets}
    driven = {frozenset(drivers[name]) for name in drivers["r"]}
    halves = ({f"i{at}" for at in range(start, start + 10)} for start in (0, 10))
    assert driven == {frozenset(half) for half in halves}
    assert rebuilt(netlist, places[::-1], library, sizes)[0] != text
    small = read_netlist(by_hand(FAN_OUT)[0], cells)
    assert rebuilt(small, places, library, sizes) == (small.verilog, 0)
    few = Library(library.cells[2:], None, 1.0)
    assert rebuilt(netlist, places, few, sizes_of(few, StandardCells("few", "few")))[1] == 0


@needs_tools
@pytest.mark.parametrize("target", TARGETS)
def test_a_netlist_with_other_trees_is_the_design(target: str, tmp_path: Path) -> None:
    chosen = design("mm_r2", width=WIDTH)
    assert isinstance(chosen, Core)
    netlist, library = netlist_of(target), library_of(target)
    width = widths_of(netlist, target)
    places = centres(placement_of(target), width, technology_of(target))
    text, trees = rebuilt(netlist, places, library, sizes_of(library, cells_of(target)))
    assert trees > 0
    cells = {cell.name: cell for cell in library.cells}
    made = read_netlist(text, cells)
    added = [each.name for each in made.instances if each.name.startswith("placed_buffer_")]
    assert added
    assert max(len(net.sinks) for net in made.nets) <= FAN_OUT
    other = tmp_path / MAPPED
    other.write_text(text)
    assert check_netlist(chosen, other, mapped(target)[1]) == 120
    # Pins of one buffer at another one.
    wrong = re.sub(rf"\.(\w+)\({added[-1]}_net\),$", rf".\1({added[0]}_net),", text, flags=re.M)
    assert wrong != text
    other.write_text(wrong)
    with pytest.raises(CheckFailedError, match="is not the design"):
        check_netlist(chosen, other, mapped(target)[1])


@needs_tools
def test_the_clock_tree_reaches_each_register_at_its_place(tmp_path: Path) -> None:
    target = "nangate45"
    data, netlist = technology_of(target), netlist_of(target)
    library, width = library_of(target), widths_of(netlist, target)
    cells = {cell.name: cell for cell in library.cells}
    places = centres(placement_of(target), width, data)
    few = replace(data, clock_registers=5)

    def found(data: Technology, factor: float) -> tuple[Netlist, dict[str, float]]:
        tree = clock_tree(netlist, "clk_i", places, data)
        made = read_netlist(tree.verilog, cells)
        wide = [(factor * x, factor * y) for x, y in (*tree.places, *places)]
        (tmp_path / MAPPED).write_text(tree.verilog)
        lines = spef("top", made, trees(made, wide), data)
        (tmp_path / "wires.spef").write_text("".join(f"{line}\n" for line in lines))
        hardware = design("mm_r2", width=WIDTH).hardware
        script = placed_script(hardware.top, hardware.clock, cells_of(target)) + clock_script(tree)
        sources = [tmp_path / MAPPED, mapped(target)[1], tmp_path / "wires.spef"]
        report = run_opensta(script, sources, 60, tmp_path / "log")
        with pytest.raises(ToolFailedError, match="incomplete"):
            parse_clock(report.replace("ARRIVED", ""))
        return made, parse_clock(report)

    made, times = found(few, 1)
    names = [each.name for each in made.instances]
    drivers = {names[net.driver[0]]: net.sinks for net in made.nets}
    clock = [sinks for name, sinks in drivers.items() if name.startswith("placed_clock_")]
    registers = [at for sinks in clock for at, pin in sinks if pin == "CK"]
    assert sorted(names[at] for at in registers) == sorted(
        each.name for each in netlist.instances if cells[each.kind].next_state is not None
    )
    assert max(map(len, clock)) <= FAN_OUT
    assert [names[at] for at, _ in made.inputs["clk_i"]] == ["placed_clock_0"]
    lows = [len(sinks) for sinks in clock if sinks[0][1] == "CK"]
    assert max(lows) <= 5 and len(lows) == -(-len(registers) // 5)
    assert times["latency"] > found(data, 1)[1]["latency"]  # one level less
    far = found(few, 10)[1]
    assert far["latency"] > times["latency"] and far["skew"] > times["skew"] > 0


def check_figures(result: Measurement) -> None:
    """Assert what is true of all figures with wires."""
    placed = result.placed
    assert placed is not None
    assert result.to_json()["placed"] == placed
    assert placed["period_no_wires"] < placed["period_placed"]
    assert result.area is not None
    merit = result.area * placed["period_placed"]
    assert placed["area_sized"] * placed["period_sized"] <= merit * (1 + 1e-9)
    assert result.wire_load is not None
    assert placed["period_no_wires"] == result.wire_load["period_without"]
    assert placed["period_wire_load"] == (
        None if result.wire_load["model"] is None else result.period
    )
    assert (placed["netlist_checked"], placed["netlist_operations"]) == ("operations", 120)
    assert placed["area_time"] == pytest.approx(
        placed["area_sized"] * placed["period_sized"] * (result.cycles or 0)
    )
    tree = placed["clock_tree_estimate"]
    assert 0 < tree["skew"] < tree["latency"]
    assert (
        abs(tree["period"] - placed["period_sized"]) <= tree["skew"] + 0.1 * placed["period_sized"]
    )
    assert tree["leaf_buffers"] == -(-tree["registers"] // placed["clock_registers"])
    assert f"estimate: {tree['buffers']} buffers, " in str(result)
    for value in (placed["period_placed"], placed["period_sized"], placed["period_no_wires"]):
        assert f"{value:.4g} ns" in str(result)


@needs_tools
@pytest.mark.parametrize("target", TARGETS[:2])
def test_figures_with_wires_stand_beside_the_others(target: str) -> None:
    cells_of(target)
    chosen = design("mm_r2", width=WIDTH)
    plain = measure(chosen, target, effort="quick", netlist_check=True)
    assert "placed" not in plain.to_json()
    result = measure(chosen, target, effort="quick", netlist_check=True, placed=True)
    check_figures(result)
    figures = result.to_json()
    del figures["placed"]
    assert figures == plain.to_json() | {"command": f"{plain.command} --placed"}


@needs_tools
def test_cells_that_are_pulled_come_together() -> None:
    netlist = netlist_of("nangate45")
    width = widths_of(netlist, "nangate45")
    data = technology_of("nangate45")
    places = centres(placement_of("nangate45"), width, data)
    far = max(range(len(places)), key=lambda at: math.dist(places[0], places[at]))
    pulls = [[0, far]] * 100
    pulled = centres(place(netlist, width, data, 1, Path("log"), pulls), width, data)
    assert math.dist(pulled[0], pulled[far]) < 0.2 * math.dist(places[0], places[far])


@needs_tools
def test_pulling_long_paths_together_keeps_the_best(monkeypatch: pytest.MonkeyPatch) -> None:
    cells_of("nangate45")
    chosen = design("unit_csa", width=16)

    def product() -> tuple[float, int]:
        result = measure(chosen, "nangate45", effort="quick", netlist_check=True, placed=True)
        check_figures(result)
        assert result.placed is not None
        return result.placed["area_sized"] * result.placed["period_sized"], result.placed["pulled"]

    first, never = product()
    monkeypatch.setattr(placed_flow, "_LONGER", 0)
    second, pulled = product()
    assert never == 0
    assert second < first if pulled else second == first


@needs_tools
def test_long_paths_are_those_near_the_longest() -> None:
    report = "PATH a/CK a/Q b/A b/Z c/D\nPATH a/CK a/Q c/D\n"
    assert parse_paths(report) == [["a", "b", "c"], ["a", "c"]]
    with pytest.raises(ToolFailedError, match="incomplete"):
        parse_paths("")


@needs_tools
def test_paths_to_a_reset_that_a_register_drives_do_not_hide_longer_ones() -> None:
    parallel, axi = (
        measure(design("mm_r2", width=8).with_form(form), "osu018", effort="quick", placed=True)
        for form in ("parallel", "axi")
    )
    assert axi.period is not None and parallel.period is not None
    assert "rst" not in axi.critical_path["start"]
    assert axi.period > 0.8 * parallel.period
    assert parallel.placed is not None and axi.placed is not None
    assert "rst" not in axi.placed["critical_path"]["start"]
    for period in ("period_placed", "period_sized"):
        assert axi.placed[period] > 0.8 * parallel.placed[period]


@needs_tools
def test_two_runs_from_empty_caches_are_equal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hardware, target = design("mm_r2", width=8).hardware, cells_of("osu018")
    results = []
    for name in ("one", "two"):
        monkeypatch.setenv("MONTFORGE_CACHE", str(tmp_path / name))
        store = ResultStore()
        found = single_point(hardware, target, store, 2000)
        results.append(placed_figures(hardware, target, found, 3, store, None))
    assert results[0] == results[1]
    assert (results[0]["seed"], results[0]["netlist_operations"]) == (3, 0)


@needs_tools
def test_a_wrong_cell_is_found_by_the_check_of_the_netlist(tmp_path: Path) -> None:
    chosen = design("mm_r2", width=WIDTH)
    assert isinstance(chosen, Core)
    verilog, liberty = mapped("osu018")
    netlist = netlist_of("osu018")
    sizes = sizes_of(library_of("osu018"), cells_of("osu018"))
    other = tmp_path / MAPPED
    larger = {
        each.name: sizes[each.kind][-1].name for each in netlist.instances if each.kind in sizes
    }
    other.write_text(resized(netlist.verilog, larger))
    assert other.read_text() != verilog.read_text()
    assert check_netlist(chosen, other, liberty) == 120
    victim = next(each for each in netlist.instances if each.kind.startswith("XOR2X"))
    other.write_text(resized(netlist.verilog, {victim.name: "XNOR2X1"}))
    with pytest.raises(CheckFailedError, match="is not the design"):
        check_netlist(chosen, other, liberty)


def test_targets_without_data_of_wires_are_refused() -> None:
    for target in ("table2", "ecp5-85k"):
        with pytest.raises(ParameterError, match="nangate45, osu018, sky130hd"):
            measure(design("mm_r2", width=8), target, placed=True)
    for name in TARGETS:  # what makes stored figures stale does not hang on the data of wires
        assert not hasattr(described_target(name), "placement")


def test_a_newer_python_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(_: str) -> str:
        raise placer.PackageNotFoundError

    monkeypatch.setattr(placer, "version", missing)
    monkeypatch.setattr(placer, "_LAST_PYTHON", (3, 10))
    with pytest.raises(ToolMissingError, match=rf"this is Python 3\.{sys.version_info[1]}\.$"):
        measure(design("mm_r2", width=8), "osu018", placed=True)


@needs_tools
def test_explorations_and_rows_of_the_store_have_the_figures(tmp_path: Path) -> None:
    chosen = tmp_path / "points.toml"
    chosen.write_text('[[point]]\narch = "mm_r2"\n')
    options: dict[str, Any] = {"points": chosen, "width": WIDTH, "effort": "quick", "workers": 1}
    plain = explore("osu018", **options)
    found = explore("osu018", placed=True, **options)
    direct = measure(design("mm_r2", width=WIDTH), "osu018", effort="quick", placed=True)
    (row,) = found.rows
    assert row.command == direct.command
    assert row.placed == with_wires(direct.to_json()) and row.placed
    assert row.placed[CLOCK_TREE]["buffers"] > 0
    del (old := dict(row.placed))[CLOCK_TREE]
    assert with_wires({"placed": old}) == old and with_wires({}) is None
    (record,) = found.records()
    assert record["placed_period_sized"] == row.placed["period_sized"]
    assert "sized" in str(found.table()) and "sized" not in str(plain.table())
    assert Exploration.from_json(found.to_json()) == found
    (other,) = plain.to_json()["rows"]
    assert "placed" not in other and not [name for name in plain.records()[0] if "placed" in name]
    result = Result.of(direct.to_json())
    assert (result.placed, result.row().placed) == (row.placed, row.placed)
    text = results_text([result])
    assert read_results(text) == (result,)
    assert "placed" in text and '"placed"' not in results_text([replace(result, placed=None)])
    with pytest.raises(ParameterError, match="nangate45, osu018, sky130hd"):
        explore("table2", placed=True, **options)


def test_the_command_names_the_seed() -> None:
    words = ["mm_r2", "-p", "width=8"]
    assert "--placed" not in measure_command(words, "osu018", None, 3)
    assert measure_command(words, "osu018", None, 3, seed=1).endswith("--target osu018 --placed")
    assert measure_command(words, "osu018", None, 3, seed=2).endswith("--placed --seed 2")
