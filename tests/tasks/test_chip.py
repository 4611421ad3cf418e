# SPDX-License-Identifier: Apache-2.0
"""docs/integrate/chip.md does what it says: LibreLane and SiliconCompiler load their files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from doc_page import Page, run
from environments import output, python_with

PAGE = Page.read("integrate/chip.md")
(GENERATE,) = PAGE.commands
LIBRELANE = """
import sys
from librelane.config import Config
from librelane.flows import Flow

process = {"PDK": "sky130A", "STD_CELL_LIBRARY": "sky130_fd_sc_hd"}
flow = Flow.factory.get("Classic")
known = [v for v in flow.get_all_config_variables(flow) if not v.pdk or v.name in process]
config, _ = Config.load(
    [{"meta": {"version": 3}, **process}, sys.argv[1]], known, pdk_root="/", _load_pdk_configs=False
)
print("loaded", config["DESIGN_NAME"], config["CLOCK_PERIOD"], len(config["VERILOG_FILES"]))
"""
"""LibreLane's own loader, with the variables of its flow Classic but those that a PDK sets."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    parent = tmp_path_factory.mktemp("chip")
    run(GENERATE, parent)
    return parent / "mul256"


@pytest.mark.slow
def test_librelane_loads_its_file(folder: Path, tmp_path: Path) -> None:
    librelane = python_with("librelane==3.0.17", tmp_path / "librelane")
    path = folder / "flow" / "librelane.json"
    period = json.loads(path.read_text())["CLOCK_PERIOD"]
    count = len((folder / "mul256.f").read_text().split())
    status, out = output(librelane, LIBRELANE, path, cwd=tmp_path)
    assert (status, out.splitlines()[-1]) == (0, f"loaded mul256 {period} {count}"), out
    for right, wrong, said in (
        ("FP_CORE_UTIL", "FP_CORE_UTILS", "Unknown key 'FP_CORE_UTILS'"),
        ("rtl/mul256.sv", "rtl/none.sv", "does not exist"),
    ):
        broken = path.with_name("broken.json")
        broken.write_text(path.read_text().replace(right, wrong))
        status, out = output(librelane, LIBRELANE, broken, cwd=tmp_path)
        broken.unlink()
        assert status != 0 and said in out


@pytest.mark.slow
def test_siliconcompiler_takes_the_design(folder: Path, tmp_path: Path) -> None:
    python = python_with("siliconcompiler==0.38.11", tmp_path / "siliconcompiler")
    code = "from siliconcompiler_design import *; print(*Multiplier().get_file(fileset='rtl'))"
    status, out = output(python, code, cwd=folder / "flow")
    assert status == 0, out
    files = [Path(word).resolve() for word in out.splitlines()[-1].split()]
    assert files == [
        (folder / name).resolve() for name in (folder / "mul256.f").read_text().split()
    ]
    assert all(path.is_file() for path in files)


GATED = """
from siliconcompiler import ASIC
from siliconcompiler.targets import freepdk45_demo
from siliconcompiler_design import Multiplier, gate_clocks

project = ASIC(Multiplier())
freepdk45_demo(project)
switch = ("tool", "yosys", "task", "syn_asic", "var", "map_clockgates")
gated = [project.get(*switch), gate_clocks(project), project.get(*switch)]
print(*gated)
"""


@pytest.mark.slow
def test_siliconcompiler_gates_clocks(folder: Path, tmp_path: Path) -> None:
    python = python_with("siliconcompiler==0.38.11", tmp_path / "siliconcompiler")
    status, out = output(python, GATED, cwd=folder / "flow")
    assert (status, out.splitlines()[-1]) == (0, "False None True"), out
