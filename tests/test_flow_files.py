# SPDX-License-Identifier: Apache-2.0
"""Files of a generated folder for other tools: each read by the tool, or held against its names."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from montforge.arch import core, design
from montforge.errors import MontforgeError
from montforge.generate import generate
from montforge.generate.flows import MARGIN, PERIOD, PLATFORMS
from montforge.hardware.liberty import scan_liberty
from montforge.measure import find_target
from montforge.measure.targets import StandardCells
from montforge.store import read_results
from montforge.work.tools import run_tool

OPENROAD = {
    "DESIGN_NAME", "PLATFORM", "SYNTH_HDL_FRONTEND", "VERILOG_FILES", "SDC_FILE",
    "CORE_UTILIZATION", "PLACE_DENSITY_LB_ADDON", "SYNTH_MEMORY_MAX_BITS",
}  # fmt: skip
"""Variables of OpenROAD-flow-scripts (flow/scripts/variables.yaml) that the file may set."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    output = tmp_path_factory.mktemp("flows") / "Mul256"
    return generate(design("unit_csa", width=256), output, name="Mul256")


def test_openroad_finds_the_files_from_any_folder(folder: Path, tmp_path: Path) -> None:
    show = "show: ; @echo $(VERILOG_FILES) $(SDC_FILE)"
    (tmp_path / "Makefile").write_text(f"include {folder}/flow/openroad.mk\n{show}\n")
    done = subprocess.run(
        ["make", "-s", "show", "PLATFORM=sky130hd"], cwd=tmp_path, text=True, capture_output=True
    )
    paths = [Path(word) for word in done.stdout.split()]
    assert done.returncode == 0, done.stderr
    assert len(paths) == len((folder / "Mul256.f").read_text().split()) + 1
    assert all(path.is_file() for path in paths)


@pytest.mark.parametrize(("name", "bits"), [("unit_csa", None), ("modexp", 2112), ("rsa", 8832)])
def test_openroad_knows_the_variables_and_takes_memories(
    name: str, bits: int | None, tmp_path: Path
) -> None:
    size = {"bits" if name == "rsa" else "width": 64}
    made = generate(design(name, **size), tmp_path / "made", name="made")
    found = dict(
        re.findall(r"^export (\w+) \??:?= (.*)", (made / "flow/openroad.mk").read_text(), re.M)
    )
    assert found.keys() <= OPENROAD
    assert found.get("SYNTH_MEMORY_MAX_BITS") == (None if bits is None else str(bits))


@pytest.mark.parametrize("platform", PLATFORMS)
def test_the_load_is_in_the_unit_of_the_library(folder: Path, platform: str) -> None:
    try:
        cells = find_target(platform)
    except MontforgeError as error:
        pytest.skip(str(error))
    assert isinstance(cells, StandardCells)
    text = (folder / f"flow/{platform}.sdc").read_text()
    load = float(re.findall(r"set_load ([\d.]+)", text)[0])
    unit = scan_liberty(cells.liberty).capacitance_unit_ff
    assert load * unit == pytest.approx(cells.load_ff)


def test_the_period_is_the_measured_one_with_a_margin(folder: Path) -> None:
    chosen = core("unit_csa", width=256)
    for platform in PLATFORMS:
        rows = [r for r in read_results() if r.target == platform and r.period]
        least = min(r.period for r in rows if r.period and r.chosen == chosen)
        text = (folder / f"flow/{platform}.sdc").read_text()
        period = float(re.findall(r"set clock_period ([\d.]+)", text)[0])
        assert MARGIN * least <= period <= MARGIN * least + 0.01


def test_without_a_row_there_is_a_stated_period(tmp_path: Path) -> None:
    made = generate(design("mm_r2", width=77), tmp_path / "mm77")
    assert json.loads((made / "flow/librelane.json").read_text())["CLOCK_PERIOD"] == PERIOD
    assert "not measured" in (made / "flow/nangate45.sdc").read_text()


@pytest.mark.skipif(shutil.which("sta") is None, reason="needs opensta")
@pytest.mark.parametrize("platform", PLATFORMS)
def test_opensta_takes_the_constraints(folder: Path, tmp_path: Path, platform: str) -> None:
    try:
        cells = find_target(platform)
    except MontforgeError as error:
        pytest.skip(str(error))
    assert isinstance(cells, StandardCells)
    library = tmp_path / "cells.lib"
    library.write_text(cells.liberty)
    ports = core("unit_csa", width=256).ports
    declared = ", ".join(
        f"{port.direction} [{port.width - 1}:0] {port.name}" if port.width > 1
        else f"{port.direction} {port.name}"
        for port in ports
    )  # fmt: skip
    (tmp_path / "top.v").write_text(f"module Mul256({declared}); endmodule\n")
    script = f"""
read_liberty {library}
read_verilog top.v
link_design Mul256
read_sdc {folder}/flow/{platform}.sdc
puts "period [get_property [get_clocks clk_i] period]"
exit
"""
    (tmp_path / "script.tcl").write_text(script)
    log = run_tool(
        ["sta", "-no_splash", "-exit", "script.tcl"], log=tmp_path / "log", timeout=60, cwd=tmp_path
    )
    text = (folder / f"flow/{platform}.sdc").read_text()
    period = re.findall(r"set clock_period ([\d.]+)", text)[0]
    assert float(re.findall(r"^period ([\d.]+)", log, re.MULTILINE)[0]) == float(period)
    assert not re.search(r"error|warning", log, re.IGNORECASE), log


def test_bender_and_quartus_list_the_files(folder: Path) -> None:
    listed = (folder / "Mul256.f").read_text().split()
    package = yaml.safe_load((folder / "Bender.yml").read_text())
    assert [path for part in package["sources"] for path in part["files"]] == listed
    script = (folder / "flow/quartus.tcl").read_text()
    assert re.findall(r"SYSTEMVERILOG_FILE (\S+)", script) == listed


@pytest.mark.skipif(shutil.which("ghdl") is None, reason="needs ghdl")
def test_ghdl_takes_the_component(folder: Path, tmp_path: Path) -> None:
    ports = core("unit_csa", width=256).ports
    signals = "\n".join(
        f"  signal {port.name} : std_logic"
        + (f"_vector({port.width - 1} downto 0)" if port.width > 1 else "")
        + ";"
        for port in ports
    )
    mapped = ", ".join(f"{port.name} => {port.name}" for port in ports)
    (tmp_path / "top.vhd").write_text(f"""
library ieee;
use ieee.std_logic_1164.all;
use work.mul256_pkg.all;
entity top is end;
architecture rtl of top is
{signals}
begin
  core : mul256 port map ({mapped});
end;
""")
    package = folder / "rtl/mul256_pkg.vhd"
    for command in (["-a", "--std=08", str(package), "top.vhd"], ["-e", "--std=08", "top"]):
        run_tool(["ghdl", *command], log=tmp_path / "log", timeout=60, cwd=tmp_path)
