# SPDX-License-Identifier: Apache-2.0
"""Measurements end to end: figures of the right form, structure, and nothing done twice."""

from __future__ import annotations

import json
import shutil
import subprocess
from dataclasses import dataclass, replace
from math import ceil, log2
from pathlib import Path
from typing import Any

import pytest

from custom import with_files
from montforge.arch import Core, Design, design
from montforge.arch.rsa.engine import HALF_CLOCK
from montforge.errors import (
    CheckFailedError,
    InputFileError,
    MontforgeError,
    ParameterError,
    ToolFailedError,
    UnknownNameError,
)
from montforge.measure import Measurement, find_target, measure, nextpnr
from montforge.measure import sweep as sweep_module
from montforge.measure.nextpnr import choose_placer
from montforge.measure.targets import StandardCells, with_quick_effort
from montforge.measure.yosys import Variant, ring_source
from montforge.verify.netlist import netlist_design
from montforge.work.cache import ResultStore
from planted import edited

needs_sta = pytest.mark.skipif(shutil.which("sta") is None, reason="OpenSTA is not installed")

AGREED_KEYS = {
    "target", "area_um2", "resources", "period_ns", "fmax_mhz", "cycles", "latency_ns",
    "area_latency", "tools",
}  # fmt: skip


def need(target: str) -> None:
    """Skip the test if the Liberty file of ``target`` is not on this machine."""
    try:
        find_target(target)
    except MontforgeError as error:
        pytest.skip(str(error))


def check_cells(result: Measurement) -> None:
    """Assert what is true of every measurement on standard cells."""
    data = result.to_json()
    assert data.keys() >= AGREED_KEYS
    assert json.loads(json.dumps(data)) == data
    assert result.area is not None
    assert result.area_registers is not None
    assert result.period is not None
    assert result.critical_path is not None
    assert 0 < result.area_registers < result.area
    assert not [cell for cell in result.cells if cell.startswith("$")]
    best = min((point for point in result.sweep if point["timed"]), key=sweep_module.merit)
    assert (best["area"], best["period"]) == (result.area, result.period)
    assert result.best_period in result.sweep
    # OpenSTA's period is near the estimate that the other points have.
    merits = [sweep_module.merit(point) for point in result.sweep]
    assert result.area * result.period == pytest.approx(min(merits), rel=0.15)
    if result.flags["effort"] == "full":
        assert (result.netlist_checked, result.netlist_operations) == ("operations", 120)
    for end in ("start", "end"):
        assert result.critical_path[end].split("[")[0].endswith("_q")
    assert result.command.startswith(f"montforge measure {result.architecture} -p width=")


def mm_r2_registers(width: int) -> int:
    """Return the flip-flops of mm_r2: a, b, n, s, the counter, and four one-hot states."""
    return 4 * width + 1 + ceil(log2(width)) + 4


@needs_sta
@pytest.mark.parametrize("name", ["mm_r2", pytest.param("scs_mm_new", marks=pytest.mark.slow)])
def test_osu018(name: str) -> None:
    need("osu018")
    result = measure(design(name, width=8), "osu018", cycles=20.5)
    check_cells(result)
    assert result.area_um2 == result.area
    assert result.period_ns == result.period
    assert result.fmax_mhz == pytest.approx(1e3 / result.period, abs=1e-3)
    assert result.latency_ns == pytest.approx(20.5 * result.period)
    assert result.area_latency == pytest.approx(20.5 * result.period * result.area)
    assert result.power is None
    assert result.handover == (1 if name == "scs_mm_new" else 0)
    assert result.time == pytest.approx((20.5 + result.handover) * result.period)
    assert result.area_time == pytest.approx(result.time * result.area)
    assert set(result.tools) == {"montforge", "yosys", "opensta"}
    assert not [cell for cell in result.cells if cell.startswith(("TBUF", "CLKBUF", "LATCH"))]


@needs_sta
def test_opensta_chooses_among_the_points_whose_estimates_are_near(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Planted: what the estimate ranks first is half as fast as it seems."""
    need("osu018")
    monkeypatch.setattr(sweep_module, "_NEAR", 1.0)
    first = measure(design("mm_r2", width=8), "osu018")
    leaders = [point for point in first.sweep if point["timed"]]
    assert {(point["area"], point["period"]) for point in leaders} == {(first.area, first.period)}
    time = sweep_module._Tools.timing

    def slow(tools: sweep_module._Tools, choice: sweep_module.Choice) -> dict[str, Any]:
        found = time(tools, choice)
        right = tools.point(choice)["area"] != first.area
        return found if right else {**found, "period": 2 * found["period"]}

    monkeypatch.setattr(sweep_module._Tools, "timing", slow)
    planted = measure(design("mm_r2", width=8), "osu018")
    assert (planted.area, planted.period) == (first.area, 2 * first.period)
    monkeypatch.setattr(sweep_module, "_NEAR", 1.1)
    result = measure(design("mm_r2", width=8), "osu018")
    timed = [point for point in result.sweep if point["timed"]]
    assert len(leaders) < len(timed) < len(result.sweep)
    assert result.area != first.area
    assert result.area * result.period == min(map(sweep_module.merit, timed))
    assert {**leaders[0], "period": 2 * first.period} in timed


@needs_sta
def test_registers_are_exactly_those_of_the_rtl() -> None:
    need("osu018")
    cells = measure(design("mm_r2", width=8), "osu018").cells
    assert sum(count for cell, count in cells.items() if "DFF" in cell) == mm_r2_registers(8)
    # Counter and state have a reset; the datapath has none.
    assert cells["DFFSR"] == 3 + 4


@needs_sta
def test_cycles_follow_the_contract_if_they_are_fixed() -> None:
    need("osu018")
    assert measure(design("mm_r2", width=8), "osu018").cycles == 9


@needs_sta
@pytest.mark.slow
def test_cycles_are_not_guessed_if_they_depend_on_data() -> None:
    need("osu018")
    result = measure(design("scs_mm_new", width=8), "osu018")
    assert result.cycles is result.latency_ns is result.area_latency is None


@needs_sta
def test_table2_has_its_own_units() -> None:
    result = measure(design("mm_r2", width=8), "table2")
    check_cells(result)
    assert (result.area_unit, result.period_unit) == ("A_FA", "T_FA")
    assert result.area_um2 is result.period_ns is result.fmax_mhz is result.latency_ns is None
    assert result.area_registers == pytest.approx(0.88 * mm_r2_registers(8))
    # Without clock-to-q and setup, the period is a sum of the table's delays.
    assert result.period == pytest.approx(round(result.period, 2), abs=1e-6)


@needs_sta
@pytest.mark.slow
@pytest.mark.parametrize("target", ["nangate45", "sky130hd"])
def test_libraries_that_are_not_ours(target: str) -> None:
    need(target)
    result = measure(design("scs_mm_new", width=16), target)
    check_cells(result)
    assert result.wire_load is not None
    assert result.wire_load["period_without"] < result.wire_load["period_with"] == result.period
    assert not [cell for cell in result.cells if "edf" in cell or "lpflow" in cell]


@needs_sta
@pytest.mark.slow
def test_a_users_liberty_file(tmp_path: Path) -> None:
    need("osu018")
    target = find_target("osu018")
    path = tmp_path / "my cells.lib"
    path.write_text(target.liberty)  # type: ignore[union-attr]
    result = measure(design("mm_r2", width=8), liberty=path)
    check_cells(result)
    assert result.target == "my cells.lib"
    assert result.flags["driver"] == "BUFX4"
    assert "--liberty" in result.command


@needs_sta
def test_a_library_that_the_tools_refuse(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MONTFORGE_CACHE", str(tmp_path / "cache"))
    need("osu018")
    target = find_target("osu018")
    path = tmp_path / "x.lib"
    path.write_text(target.liberty.replace("next_state", "next__state"))  # type: ignore[union-attr]
    with pytest.raises((InputFileError, ToolFailedError)):
        measure(design("mm_r2", width=8), liberty=path)


@needs_sta
def test_nothing_is_measured_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    need("osu018")
    first = measure(design("mm_r2", width=8), "osu018")

    def refuse(*args: object, **options: object) -> None:
        raise AssertionError("a tool was started")

    monkeypatch.setattr(subprocess, "Popen", refuse)
    assert measure(design("mm_r2", width=8), "osu018") == first


@needs_sta
def test_an_interrupted_sweep_goes_on_where_it_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MONTFORGE_CACHE", str(tmp_path / "cache"))
    mapped: list[str] = []
    read = sweep_module.yosys.abc_delay
    monkeypatch.setattr(
        sweep_module.yosys, "abc_delay", lambda report: mapped.append(report) or read(report)
    )

    def stop_after_two(done: int, total: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    chosen = design("mm_r2", width=4)
    with pytest.raises(KeyboardInterrupt):
        measure(chosen, "table2", effort="quick", progress=stop_after_two)
    before = len(mapped)
    assert before >= 2
    result = measure(chosen, "table2", effort="quick")
    assert len(mapped) <= len(result.sweep) + 1
    assert len(mapped) - before < len(result.sweep)


@needs_sta
def test_the_netlist_of_a_native_form_is_checked() -> None:
    chosen = design("eberle", width=8, k=2).with_form("native")
    result = measure(chosen, "table2", effort="quick", netlist_check=True)
    assert (result.netlist_checked, result.netlist_operations) == ("operations", 120)
    assert result.handover == 0 and "until rsp_valid_o" not in str(result)


@needs_sta
def test_a_netlist_that_never_answers_has_no_figures(tmp_path: Path) -> None:
    """The latency of the contract is fixed, and the synthesis would be small and fast."""
    chosen = design("mm_r2", width=8)
    old, new = "assign rsp_valid_o = ", "assign rsp_valid_o = 1'b0 & "
    broken = with_files(chosen, edited(chosen, old, new, tmp_path).hardware.files)
    assert measure(broken, "table2", effort="quick").netlist_checked is None
    with pytest.raises(CheckFailedError, match="120 of 120 operations were wrong"):
        measure(broken, "table2", effort="quick", netlist_check=True)
    right = measure(chosen, "table2", effort="quick", netlist_check=True)
    assert (right.netlist_checked, right.netlist_operations) == ("operations", 120)
    assert right.command.endswith("--effort quick --netlist-check")


@dataclass(frozen=True)
class OneModule(Core):
    """A module that is no multiplier, to see what the flow refuses."""

    name = "one_module"
    module = "one"

    @property
    def top_parameters(self) -> dict[str, int]:
        return {}

    contract = parallel_contract = golden_model = cycle_model = None  # type: ignore[assignment]


def one_module(folder: Path, body: str) -> Design:
    path = folder / "one.sv"
    path.write_text(
        "module one (input logic clk_i, rst_ni, input logic [7:0] a_i, output logic [7:0] p_o);\n"
        f"  logic [7:0] a_q, p_q;\n  always_ff @(posedge clk_i) a_q <= a_i;\n{body}\nendmodule\n"
    )
    kind = type("One", (OneModule,), {"library": (str(path),)})
    return kind()


@needs_sta
@pytest.mark.parametrize(
    "body",
    [
        "  always_latch if (a_q[0]) p_o = a_q;",
        "  assign p_o[6:0] = a_q[6:0]; assign p_o[7] = 1'bx;",
        "  assign p_o[6:0] = a_q[6:0];",
    ],
    ids=["latch", "x", "undriven"],
)
def test_latches_and_undefined_values_are_refused(
    body: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MONTFORGE_CACHE", str(tmp_path / "cache"))
    with pytest.raises(ToolFailedError):
        measure(one_module(tmp_path, body), "table2")


def test_multipliers_are_tried_with_booth_and_several_adders(tmp_path: Path) -> None:
    need("osu018")
    target = find_target("osu018")
    assert isinstance(target, StandardCells)
    body = "  always_ff @(posedge clk_i) p_q <= a_q * a_i;\n  assign p_o = p_q;"
    tools = sweep_module._Tools(one_module(tmp_path, body).hardware, target, ResultStore())
    assert tools.adders() == ("brent-kung", "sklansky", "han-carlson")
    assert tools.netlist(Variant()).product_bits == 8
    none = body.replace("a_q * a_i", "a_q ^ a_i")
    tools = sweep_module._Tools(one_module(tmp_path, none).hardware, target, ResultStore())
    assert tools.adders() == ("brent-kung",)
    assert not tools.netlist(Variant()).product_bits


@pytest.mark.slow
@pytest.mark.parametrize("target", ["xcup", "xc7", "intel"])
def test_families_without_a_placer_have_resources_only(target: str) -> None:
    result = measure(design("mm_r2", width=8), target)
    assert result.timing == "none"
    assert result.resources is not None
    assert result.resources["ff"] == mm_r2_registers(8)
    assert result.resources["lut"] > 8
    assert result.area is result.period is result.fmax_mhz is result.latency is None
    assert any("no timing" in note for note in result.notes)
    assert "timing         none" in str(result)


PLACED = ("ice40-hx8k", "nexus-40", "gowin-gw2a18", "gatemate-a1")


@pytest.mark.slow
@pytest.mark.parametrize("target", PLACED)
def test_families_with_a_ring_at_the_ports_are_placed(target: str) -> None:
    result = measure(design("mm_r2", width=16), target, seeds=1)
    assert result.resources is not None
    assert result.resources["ff"] == mm_r2_registers(16)
    assert result.resources["carry"] > 0
    assert result.timing == "placed and routed"
    assert result.fmax_mhz is not None
    assert 20 < result.fmax_mhz < 400
    assert result.latency_ns == pytest.approx(17 * 1e3 / result.fmax_mhz, rel=1e-4)
    assert result.critical_path is not None
    assert "_q[" in result.critical_path["end"]
    assert result.command.endswith(f"--target {target} --seeds 1")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("target", "blocks"), [*zip((*PLACED, "xc7"), (0, 2, 2, 2, 2), strict=True)]
)
def test_products_are_counted_in_the_familys_blocks(target: str, blocks: int) -> None:
    seeds = {} if target == "xc7" else {"seeds": 0}
    result = measure(design("fios_dsp", width=32), target, **seeds)
    assert result.resources is not None
    assert result.resources["dsp"] == blocks


def test_a_ring_has_each_port_once() -> None:
    ports = """module top (
      input clk,
      input rst_ni,
      input [8:1] a_i,
      input b_i,
      output [2:0] p_o
    );"""
    text = ring_source("top", "clk", ports, oscillator=False)
    assert ".clk(clk_i), .rst_ni(rst_ni), .a_i(in_q[0+:8]), .b_i(in_q[8+:1])" in text
    assert ".p_o(out[0+:3])" in text
    assert "reg [8:0] in_q" in text


@pytest.mark.slow
def test_ecp5_takes_the_median_of_its_seeds() -> None:
    result = measure(design("mm_r2", width=16), "ecp5-85k")
    assert result.resources is not None
    assert result.resources["ff"] == mm_r2_registers(16)
    assert result.resources["dsp"] == result.resources["bram"] == 0
    rates = sorted(row["fmax_mhz"] for row in result.sweep)
    assert [row["seed"] for row in result.sweep] == [1, 2, 3]
    assert result.fmax_mhz == rates[1]
    assert result.latency_ns == pytest.approx(17 * 1e3 / rates[1], rel=1e-4)
    assert result.critical_path is not None
    assert result.critical_path["start"].split("[")[0].endswith("_q")
    assert set(result.tools) == {"montforge", "yosys", "nextpnr"}
    slow = measure(design("mm_r2", width=16), "ecp5-85k", seeds=1, frequency=40)
    assert slow.flags["frequency_mhz"] == 40
    assert slow.command.endswith("--target ecp5-85k --seeds 1 --frequency 40")


def test_large_netlists_with_multipliers_have_the_other_placer() -> None:
    assert choose_placer(cells=8001, multipliers=1) == "static"
    assert choose_placer(cells=8000, multipliers=1) == "heap"
    assert choose_placer(cells=35000, multipliers=0) == "heap"


@pytest.mark.slow
def test_both_placers(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = design("eberle", width=12)  # has a multiplier
    small = measure(chosen, "ecp5-25k", seeds=1)
    monkeypatch.setattr(nextpnr, "_LARGE", 100)
    large = measure(chosen, "ecp5-25k", seeds=1)
    assert (small.flags["placer"], large.flags["placer"]) == ("heap", "static")
    assert small.resources == large.resources
    assert small.fmax_mhz != large.fmax_mhz
    assert small.inputs != large.inputs


@pytest.mark.slow
def test_a_placement_that_exceeds_the_stack_has_another_seed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    chosen, real = design("mm_r2", width=14), nextpnr._PROGRAM
    seed = "int(sys.argv[sys.argv.index('--seed') + 1])"
    trap = f"import sys; {seed} < %d and sys.exit({nextpnr._STACK_EXCEEDED!r}); "
    monkeypatch.setattr(nextpnr, "_PROGRAM", trap % 1000 + real)
    with pytest.raises(ToolFailedError, match="4 placements"):
        measure(chosen, "ecp5-25k", seeds=1)
    monkeypatch.setattr(nextpnr, "_PROGRAM", trap % 200 + real)
    result = measure(chosen, "ecp5-25k", seeds=1)
    assert [row["seed"] for row in result.sweep] == [201]


@pytest.mark.slow
def test_clocks_of_huge_designs_are_on_the_network_for_clocks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    chosen = design("rsa", bits=32, window=2, min_bits=16, eblind=0, halves=1, half_clock=2)
    small = measure(chosen, "ecp5-25k", seeds=1)
    monkeypatch.setattr(nextpnr, "_HUGE", 100)
    huge = measure(chosen, "ecp5-25k", seeds=1)
    assert (small.flags["out_of_context"], huge.flags["out_of_context"]) == (True, False)
    assert small.resources == huge.resources
    (placement,) = huge.sweep
    assert placement["utilization"]["DCCA"] == 3  # clk_i, half_clk_i and that of the ports
    # Two clocks: a path of half_clk_i counts twice.
    assert small.fmax_mhz is not None
    assert huge.fmax_mhz is not None
    assert 0.5 * small.fmax_mhz < huge.fmax_mhz < 2 * small.fmax_mhz
    assert HALF_CLOCK in " ".join(huge.notes)
    assert "u_design" not in str(huge.critical_path)


@pytest.mark.slow
def test_quick_effort_is_a_few_points_of_one_script() -> None:
    quick = measure(design("mm_r2", width=8), "osu018", effort="quick")
    full = measure(design("mm_r2", width=8), "osu018")
    assert len(quick.sweep) in (2, 3, 4)
    assert {row["script"] for row in quick.sweep} == {"map"}
    assert len(full.sweep) > len(quick.sweep)
    assert quick.area is not None and full.area is not None
    assert quick.period is not None and full.period is not None
    assert quick.area * quick.period >= full.area * full.period
    assert (quick.flags["effort"], full.flags["effort"]) == ("quick", "full")
    assert quick.command.endswith("--target osu018 --effort quick")


def test_unknown_efforts_are_refused() -> None:
    with pytest.raises(UnknownNameError, match="effort"):
        measure(design("mm_r2", width=8), "osu018", effort="fast")


@pytest.mark.slow
def test_no_seeds_count_resources_only() -> None:
    result = measure(design("mm_r2", width=16), "ecp5-85k", seeds=0)
    assert result.resources is not None
    assert result.resources["ff"] == mm_r2_registers(16)
    assert result.period is result.fmax_mhz is result.latency is None
    assert result.sweep == ()
    assert set(result.tools) == {"montforge", "yosys"}
    assert result.command.endswith("--target ecp5-85k --seeds 0")


def test_seeds_must_not_be_negative() -> None:
    with pytest.raises(ParameterError, match="seeds = -1"):
        measure(design("mm_r2", width=8), "ecp5-85k", seeds=-1)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["eberle", "tenca_koc", "fios_dsp"])
def test_the_native_form_has_no_registers_for_operands(name: str) -> None:
    chosen = design(name, width=128)
    parallel = measure(chosen, "ecp5-85k", seeds=0)
    native = measure(chosen.with_form("native"), "ecp5-85k", seeds=0)
    assert parallel.resources is not None and native.resources is not None
    assert native.resources["dsp"] == parallel.resources["dsp"]
    assert 3 * 128 <= parallel.resources["ff"] - native.resources["ff"] <= 5 * 160
    assert any("Form native" in note for note in native.notes)
    assert "--form native" in native.command and native.design.endswith("_native")
    assert native.cycles == parallel.cycles and native.form == "native"
    assert native.inputs != parallel.inputs


BANKS = """\
module bank #(parameter int W = 4) (
  input logic clk_i, read_i, input logic [W-1:0] word_i, output logic [W-1:0] word_o
);
  logic [W-1:0] word_q;
  always_ff @(posedge clk_i) if (read_i) word_q <= word_i;
  assign word_o = word_q;
endmodule
"""


@needs_sta
def test_a_single_point_is_that_of_a_sweep(tmp_path: Path) -> None:
    need("osu018")
    body = "  always_ff @(posedge clk_i) p_q <= a_q ^ {p_q[0], p_q[7:1]};\n  assign p_o = p_q;"
    chosen = one_module(tmp_path, body)
    target = find_target("osu018")
    assert isinstance(target, StandardCells)
    quick = with_quick_effort(target)
    best = sweep_module.sweep(chosen.hardware, quick, ResultStore(), 1, None).best
    point = sweep_module.single_point(chosen.hardware, quick, ResultStore(), best["delay_ps"])
    assert point.best == best


@needs_sta
def test_registers_drive_both_ends_of_a_port(tmp_path: Path) -> None:
    """Yosys writes a concatenation on the left of an assignment, which OpenSTA does not read."""
    body = "  always_ff @(posedge clk_i) p_q <= a_q ^ p_q;\n"
    body += "  assign p_o = {p_q[7:6], p_q[5:2] & a_q[5:2], p_q[1:0]};"
    target = find_target("osu018")
    assert isinstance(target, StandardCells)
    chosen = one_module(tmp_path, body)
    found = sweep_module.single_point(chosen.hardware, target, ResultStore(), 1000)
    assert found.best["timed"]


EXTREMES = [
    design("booth_csa", width=9, radix=64, pipeline=1, result="nonnegative", converter=64),
    design("eberle", width=9, k=2, reduction="subtract").with_form("native"),
    design("mcivor", width=9, block=2, stages=2).with_form("axi"),
    design("modexp", width=3, algorithm="r2l", multiplier="scs_mm_new", multipliers=2, adder=4),
    design("orup", width=9, digit=1, delay=2, group=64),
    design("tenca_koc", width=9, word=2, elements=1, offset=1, variant="published"),
    design("unit_csa", width=3, digit=8, delay=3, result="nonnegative", group=64),
    design("unit_csa", width=9, digit=3, result="signed", group=4, overlap=1),
]


@needs_sta
@pytest.mark.parametrize("chosen", EXTREMES, ids=str)
def test_extreme_parameters_and_forms(chosen: Design) -> None:
    """A few of `benchmarks/measure_extremes.py`, which goes through all architectures."""
    target = find_target("osu018")
    assert isinstance(target, StandardCells)
    found = sweep_module.single_point(chosen.hardware, target, ResultStore(), 1000)
    assert found.best["timed"]
    assert netlist_design(chosen, found.netlist(), found.liberty).hardware.netlist


@needs_sta
@pytest.mark.parametrize(
    ("multiplier", "target", "primitive"),
    [
        ("ecp5", "osu018", "MULT18X18D"),
        ("dsp48e2", "table2", "DSP48E2"),
        ("dsp48e2", "ecp5-25k", "DSP48E2"),
    ],
)
def test_blocks_of_another_vendor(multiplier: str, target: str, primitive: str) -> None:
    chosen = design("unit_dsp", width=8, word=17, multiplier=multiplier)
    with pytest.raises(ParameterError, match=f"{primitive}.* {target}"):
        measure(chosen, target, effort="quick", seeds=1)


@needs_sta
def test_memories_of_generate_blocks_become_ports(tmp_path: Path) -> None:
    """OpenSTA finds no vector under a name with brackets: its paths would be left out.

    The second bank is wider: a black box for both would have the ports of the first.
    """
    need("osu018")
    body = (
        "  for (genvar k = 0; k < 2; k++) begin : gen_banks\n"
        "    bank #(3 + k) u_bank (.clk_i, .read_i(a_q[k]), .word_i(a_q[0+:3+k]),\n"
        "                          .word_o(p_q[3*k+:3+k]));\n"
        "  end\n"
        "  logic [7:0] s_q;\n  always_ff @(posedge clk_i) s_q <= p_q + a_q;\n"
        "  assign p_o = s_q;\n  assign p_q[7] = 1'b0;"
    )
    chosen = one_module(tmp_path, body)
    path = chosen.hardware.files[0]
    path.write_text(BANKS + path.read_text())
    hardware = replace(chosen.hardware, memories=("bank",), memory_bits=8)
    target = find_target("osu018")
    assert isinstance(target, StandardCells)
    found = sweep_module.sweep(hardware, with_quick_effort(target), ResultStore(), 1, None)
    netlist = found.netlist().read_text()
    assert "input [3:0] gen_banks_1__u_bank_word_o;" in netlist
    assert "output [2:0] gen_banks_0__u_bank_word_i;" in netlist
    assert "output gen_banks_0__u_bank_read_i;" in netlist
    assert "u_bank_clk_i" not in netlist
    assert sum(count for cell, count in found.best["cells"].items() if "DFF" in cell) == 16
    assert min(found.timing["in2reg"], found.timing["reg2out"]) > 0


@needs_sta
def test_memories_are_counted_in_bits() -> None:
    part = {"multiplier": "scs_mm_ct", "multiplier.block": 4}
    chosen = [design("modexp", width=8, adder=8, w=w, **part) for w in (2, 5)]
    small, large = (measure(d, "osu018", effort="quick") for d in chosen)
    assert [d.hardware.memory_bits for d in chosen] == [4 * 9, 32 * 9]
    assert "288 bits (mf_modexp_table) are no part" in large.notes[-1]
    assert small.area is not None
    assert large.area is not None
    on_fpga = [measure(d, "ecp5-85k", seeds=0).resources for d in chosen]
    assert on_fpga[0] is not None
    assert on_fpga[1] is not None
    assert on_fpga[1]["lut_ram"] + on_fpga[1]["bram"] > 0
    assert (
        on_fpga[1]["ff"] - on_fpga[0]["ff"]
        < (chosen[1].hardware.memory_bits - chosen[0].hardware.memory_bits) / 4
    )
    # As registers, the larger table alone has more than that.
    assert large.area < 1.5 * small.area


@pytest.mark.parametrize("target", ("ecp5-85k", "xcup"))
def test_a_table_is_block_ram_where_it_is_asked_for(target: str) -> None:
    given = {"width": 16, "multiplier": "mm_r2", "w": 3, "exponent_bits": 16}
    row = measure(design("modexp", **given, table="block"), target, seeds=0)
    assert row.resources is not None
    assert (row.resources["bram"], row.resources["lut_ram"]) == (1, 0)
