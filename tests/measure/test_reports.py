# SPDX-License-Identifier: Apache-2.0
"""What is read from the tools' reports, on short reports of theirs."""

from __future__ import annotations

import pytest

from montforge.arch import design
from montforge.errors import ParameterError, ToolFailedError
from montforge.measure import find_target
from montforge.measure.fpga import check_capacity, count_resources
from montforge.measure.nextpnr import parse_report
from montforge.measure.opensta import parse_timing, register_name
from montforge.measure.targets import Fpga
from montforge.measure.yosys import (
    ADDERS,
    abc_delay,
    abc_script,
    count_multipliers,
    undefined_bits,
    widest,
)

STA = """\
SLACK reg2reg 9.370752e+00
SLACK in2reg 9.737740e+00
SLACK reg2out none
Startpoint: select_q_reg (rising edge-triggered flip-flop clocked by clk)
Endpoint: left_q[1]_reg (rising edge-triggered flip-flop clocked by clk)
Path Group: clk
Path Type: max

    Delay      Time   Description
-------------------------------------------------------------
   0.0000    0.0000   clock clk (rise edge)
   0.0000    0.0000   clock network delay (ideal)
   0.0000    0.0000 ^ select_q_reg/CK (DFFR_X1)
   0.0988    0.0988 v select_q_reg/Q (DFFR_X1)
   0.0344    0.1332 v _07729_/Z (BUF_X2)
   0.0000    0.6037 v left_q[1]_reg/D (DFFR_X1)
             0.6037   data arrival time

  10.0000   10.0000   clock clk (rise edge)
  -0.0255    9.9745   library setup time
-------------------------------------------------------------
             9.3708   slack (MET)
SLACK no_wire_load 9.398135e+00
"""


def test_a_timing_report() -> None:
    timing = parse_timing(STA)
    assert timing.period == 0.62925
    assert timing.period_no_wire_load == 0.60187
    assert timing.in2reg == 0.26226
    assert timing.reg2out is None
    assert (timing.start, timing.end) == ("select_q", "left_q[1]")
    assert timing.path_cells == ("DFFR_X1", "BUF_X2", "DFFR_X1")


@pytest.mark.parametrize(
    ("report", "message"),
    [
        (STA.replace("reg2reg 9.370752e+00", "reg2reg none"), "register"),
        (STA[:200], "incomplete"),
        ("Error: timing.tcl, 9 cell XYZ not found.\n" + STA, "cell XYZ not found"),
    ],
)
def test_a_failed_timing_run_is_an_error(report: str, message: str) -> None:
    with pytest.raises(ToolFailedError, match=message):
        parse_timing(report)


def test_register_names() -> None:
    assert register_name("s_q[3]_reg") == "s_q[3]"
    assert register_name(r"\u_core.s_q[3]_reg") == "u_core.s_q[3]"
    assert register_name("_0123_") == "_0123_"


def test_abc_reports_and_scripts() -> None:
    first = "ABC: Area = 1.0 ( 94.5 %)   Delay =   509.18 ps  ( 43.3 %)\n"
    last = "ABC: netlist : i/o = 3/ 2  lat = 0  nd = 9  area =3.18  delay =2470.00  lev = 8\n"
    assert abc_delay(first) == 509.18
    assert abc_delay(first + last) == 2470.0
    with pytest.raises(ToolFailedError):
        abc_delay("ABC: nothing")
    with pytest.raises(ParameterError):
        abc_delay("Don't call ABC as there is nothing to map.")
    assert abc_script("strash; map {D}", 350) == "strash\nmap -D 350\n"


def test_undefined_bits() -> None:
    assert undefined_bits("assign p = 1'bx;")
    assert undefined_bits("  .D(4'h0x)")
    assert not undefined_bits("assign max_q = 1'b0; wire \\x[1] ;")


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        ({"$add_16": 1}, (True, False)),
        ({"$add_15": 1, "$dff_64": 3}, (False, False)),
        ({"$mul_8": 2}, (False, True)),
        ({"$lt_40": 2, "$_AND_": 1}, (True, False)),
    ],
)
def test_wide_cells(cells: dict[str, int], expected: tuple[bool, bool]) -> None:
    statistics = {"design": {"num_cells_by_type": cells}}
    assert (widest(statistics, ADDERS) >= 16) == expected[0]
    assert bool(count_multipliers(statistics)) == expected[1]


def test_a_placement_report() -> None:
    def pin(cell: str) -> dict[str, object]:
        return {"cell": cell, "loc": [1, 2], "port": "Q"}

    report = {
        "critical_paths": [
            {"from": "<async>", "to": "posedge clk_i", "path": []},
            {
                "from": "posedge clk_i",
                "to": "posedge clk_i",
                "path": [
                    {"delay": 0.4, "from": pin("s_q[0]_reg"), "to": pin("s_q[0]_reg")},
                    {"delay": 4.988, "from": pin("x"), "to": pin("s_q[9]_reg")},
                ],
            },
        ],
        "utilization": {
            "TRELLIS_FF": {"available": 10, "used": 7},
            "ALU54B": {"available": 10, "used": 0},
        },
    }
    placement = parse_report(report, seed=4)
    assert placement.fmax_mhz == 185.598  # 1000 / 5.388
    assert (placement.start, placement.end) == ("s_q[0]", "s_q[9]")
    assert placement.utilization == {"TRELLIS_FF": 7}


@pytest.mark.parametrize(
    ("delays", "slowest"),
    [((10, 4, 3, 2), "clk"), ((7, 4, 3, 2), "half"), ((7, 3, 4, 2), "in"), ((7, 3, 3, 5), "out")],
)
def test_a_placement_report_of_two_clocks(delays: tuple[float, ...], slowest: str) -> None:
    """A fast clock's paths, and those between clocks, count as often as it has cycles in one."""
    clk, half = "posedge $glbnet$clk_i$PIN", "posedge $glbnet$half_clk_i$PIN"
    names, ends = ("clk", "half", "in", "out"), ((clk, clk), (half, half), (clk, half), (half, clk))
    paths = []
    for name, (start, end), delay in zip(names, ends, delays, strict=True):
        pin = {"cell": f"u_design.{name}_q_reg", "loc": [1, 2], "port": "Q"}
        step = {"delay": delay / 2, "from": pin, "to": pin}
        paths.append({"from": start, "to": end, "path": [step, step]})
    report = {"critical_paths": paths, "utilization": {}}
    placement = parse_report(report, 1, {"half_clk_i": 2})
    assert placement.start == placement.end == f"{slowest}_q"
    assert placement.fmax_mhz == round(1e3 / max(delays[0], 2 * max(delays[1:])), 3)


def test_resources() -> None:
    cells = {"LUT2": 3, "LUT6": 4, "FDRE": 5, "FDCE": 1, "CARRY4": 2, "RAMB36E2": 1}
    counts = count_resources("xcup", cells)
    assert counts == {"lut": 7, "ff": 6, "dsp": 0, "bram": 1, "lut_ram": 0, "carry": 2}


def test_a_design_that_exceeds_the_device_is_refused() -> None:
    target = find_target("ecp5-25k")
    assert isinstance(target, Fpga)
    counts = {"lut": 24_000, "ff": 100, "dsp": 0, "bram": 0, "lut_ram": 0, "carry": 144}
    check_capacity(design("mm_r2").hardware, target, counts)
    with pytest.raises(ParameterError, match=r"^mm_r2_\S+ .*24290 LUTs.* 24288"):
        check_capacity(design("mm_r2").hardware, target, {**counts, "carry": 145})
