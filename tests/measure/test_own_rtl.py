# SPDX-License-Identifier: Apache-2.0
"""Own RTL is measured like designs of the library, and refused where its figures would be wrong."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from montforge.arch import design
from montforge.cli.app import app
from montforge.errors import MontforgeError, UnknownNameError
from montforge.measure import measure
from montforge.measure.own_rtl import measure_own

needs_sta = pytest.mark.skipif(shutil.which("sta") is None, reason="OpenSTA is not installed")
needs_ghdl = pytest.mark.skipif(shutil.which("ghdl") is None, reason="GHDL is not installed")

VERILOG = """
`include "width.vh"
module own #(parameter W = `WIDTH) (input clk, gate, input [W-1:0] a, b, output reg [W-1:0] s);
  reg [W-1:0] x, y;
  always @(posedge clk) begin x <= a; y <= b; s <= x + y; end
endmodule
"""
VHDL = """
library ieee; use ieee.std_logic_1164.all; use ieee.numeric_std.all;
entity Own is
  generic (W : natural := 4);
  port (clk : in std_logic; a, b : in unsigned(W-1 downto 0); s : out unsigned(W-1 downto 0));
end;
architecture rtl of Own is
  signal x, y : unsigned(W-1 downto 0);
begin
  process(clk) begin if rising_edge(clk) then x <= a; y <= b; s <= x + y; end if; end process;
end;
"""


def registers(found: Any) -> int:
    return sum(count for name, count in found.cells.items() if name.startswith("DFF"))


@pytest.fixture
def verilog(tmp_path: Path) -> Path:
    (tmp_path / "width.vh").write_text("`define WIDTH 4\n")
    (tmp_path / "own.v").write_text(VERILOG)
    return tmp_path / "own.v"


@needs_sta
def test_a_design_of_the_library_has_its_own_figures(tmp_path: Path) -> None:
    chosen = design("mm_r2", width=8)
    library = measure(chosen, "osu018", effort="quick")
    hardware = chosen.hardware
    own = measure_own(
        hardware.files,
        hardware.top,
        "osu018",
        cycles=9,
        clock="clk_i",
        parameters=hardware.parameters,
        effort="quick",
    )
    figures = ("area", "period", "latency", "cells", "rtl_parameters")
    assert [getattr(own, name) for name in figures] == [getattr(library, name) for name in figures]


@needs_sta
def test_parameters_and_included_files_count(verilog: Path) -> None:
    def measured(**parameters: int) -> Any:
        return measure_own(
            [verilog], "own", "osu018", cycles=3, parameters=parameters, effort="quick"
        )

    assert registers(measured()) == 12
    assert registers(measured(W=6)) == 18
    (verilog.parent / "width.vh").write_text("`define WIDTH 5\n")
    assert registers(measured()) == 15


@needs_sta
@needs_ghdl
def test_vhdl(tmp_path: Path) -> None:
    (tmp_path / "own.vhd").write_text(VHDL)
    found = measure_own(
        [tmp_path / "own.vhd"], "own", "osu018", cycles=3, parameters={"W": 6}, effort="quick"
    )
    assert registers(found) == 18
    assert found.latency == pytest.approx(3 * found.period)


@needs_ghdl
def test_an_unknown_generic_is_bad_usage(tmp_path: Path) -> None:
    (tmp_path / "own.vhd").write_text(VHDL)
    with pytest.raises(UnknownNameError, match=r"'q'.* Known: W\."):
        measure_own([tmp_path / "own.vhd"], "own", "osu018", cycles=3, parameters={"Q": 6})


BAD = {
    "gate": VERILOG.replace("posedge clk", "posedge gate"),
    "clk & gate": VERILOG.replace("posedge clk", "posedge (clk & gate)"),
    "latch": VERILOG.replace("always @(posedge clk) begin", "always @* if (clk) begin"),
    "no register": VERILOG.replace("always @(posedge clk) begin", "always @* begin"),
    "missing.vh": VERILOG.replace("width.vh", "missing.vh"),
    "own.v includes": VERILOG.replace("width.vh", "own.v"),
}


@pytest.mark.parametrize("words", BAD)
def test_other_clocks_latches_and_missing_files_are_refused(verilog: Path, words: str) -> None:
    verilog.write_text(BAD[words])
    with pytest.raises(MontforgeError) as error:
        measure_own([verilog], "own", "osu018", cycles=3)
    assert words.split(" &")[0] in str(error.value)


def command(*words: str | Path) -> tuple[int, str]:
    done = CliRunner().invoke(app, [str(word) for word in words])
    return done.exit_code, done.stdout


@needs_sta
def test_own_rtl_stands_among_the_librarys(verilog: Path, tmp_path: Path) -> None:
    own = ("measure", "--rtl", verilog, "--top", "own", "--cycles", "3", "--effort", "quick")
    status, text = command(*own, "--target", "osu018", "--json")
    assert status == 0
    (tmp_path / "own.json").write_text(text)
    small = ("explore", "--width", "8", "--arch", "mm_r2", "--effort", "quick")
    out = tmp_path / "out"
    status, text = command(
        *small, "--target", "osu018", "--with", tmp_path / "own.json", "-o", out, "--json"
    )
    found = json.loads(text)
    assert [row["architecture"] for row in found["rows"]] == ["mm_r2", "own"]
    assert "own" in found["frontier"]
    assert "own.json" in found["command"]
    latex = (out / "frontier.tex").read_text()
    assert latex.count(r"\\") == 1 + len(found["frontier"])
    assert r"\toprule" in latex
    assert (out / "frontier.csv").read_text().count("\n") == 1 + len(found["frontier"])


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["--rtl", "own.v", "--top", "own"], "--cycles"),
        (["--rtl", "own.v", "--top", "own", "--cycles", "0"], "cycles = 0"),
        (["--rtl", "own.v", "--top", "own", "--cycles", "inf"], "cycles = inf"),
        (["--rtl", "own.v", "--top", "own", "--cycles", "nan"], "cycles = nan"),
        (["--rtl", "own.v", "--top", "own", "--cycles", "1", "-P", "W=x"], "-P W"),
        (["--rtl", "own.v", "--top", "own", "--cycles", "1", "-P", "Q=3"], "'Q'. Known: W."),
        (["--rtl", ".", "--top", "own", "--cycles", "1"], "no file"),
        (["--rtl", "own.v", "--top", "own", "--cycles", "1", "-p", "width=8"], "-p"),
        (["--rtl", "none.v", "--top", "own", "--cycles", "1"], "none.v"),
        (["--rtl", "own.v", "--top", "a b", "--cycles", "1"], "a b"),
        (["mm_r2", "--top", "own"], "--top"),
        ([], "--rtl"),
    ],
)
def test_options_that_do_not_belong_together(
    verilog: Path, monkeypatch: pytest.MonkeyPatch, words: Sequence[str], named: str
) -> None:
    monkeypatch.chdir(verilog.parent)
    done = CliRunner().invoke(app, ["measure", *words, "--target", "osu018"])
    assert done.exit_code != 0
    assert named in str(done.exception)
