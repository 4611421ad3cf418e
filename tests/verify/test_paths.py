# SPDX-License-Identifier: Apache-2.0
"""No path leads from an input to an output within a cycle, but those that a module's header states.

Yosys follows the logic before each output back to registers and inputs. A bus has no such path at
all (AXI, A3.1.1): each form with a bus of every architecture is followed with a core that is logic
from each of its inputs to each of its outputs, so what holds for it holds for any core.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from montforge.arch import Design, cores, design, variants
from montforge.arch.parameter import named_values
from montforge.hardware import Hardware, rtl_root
from montforge.hardware.axi import BUS_FILES
from montforge.hardware.forms import AXI, AXIS, CLOCK, PARALLEL
from montforge.hardware.verilog import declarations
from montforge.hardware.yosys import read_design, run_yosys
from planted import edited

WIDTH = 9
ONE_FORM = ("rmm", "modexp", "fmlm", "fmle")
"""Architectures whose forms differ in a schedule, or are too large to look at all of them."""
OTHERS = {"rmm": {"k": 3, "m": 2}, "scs_mm_ct": {"block": 4}, "tenca_koc": {"word": 4}}
Paths = set[tuple[str, str]]


def designs() -> list[Design]:
    """Each architecture, each other choice of its named parameters, and its other forms."""
    found = []
    for name in cores():
        several = variants(name, width=WIDTH, **OTHERS.get(name, {}))
        found += several[:1] if name in ONE_FORM else several
        found += [several[0].with_form(form.name) for form in several[0].own_forms[1:]]
    return found


def top_text(hardware: Hardware) -> str:
    texts = [path.read_text() for path in hardware.files]
    return next(t for t in texts if re.search(rf"^module {hardware.top}\b", t, re.MULTILINE))


def paths_within_a_cycle(hardware: Hardware, folder: Path) -> Paths:
    """Return input and output of each path."""
    outputs = re.findall(
        r"^  output +logic.*?(\w+),?(?: *//.*)?$", top_text(hardware), re.MULTILINE
    )
    assert outputs
    listed = [f"log output {o}\nselect -list o:{o} %ci*:-$dff,$adff i:* %i\n" for o in outputs]
    log = run_yosys(
        f"{read_design(hardware)}\nproc; flatten; opt -purge; memory; dffunmap; opt_clean -purge\n"
        "select -assert-none t:$dffe t:$adffe t:$aldff t:$mem_v2\n" + "".join(listed),
        log=folder / "log",
        timeout=600,
    )
    found, output = set(), ""
    for line in log.splitlines():
        if name := re.fullmatch(r"output (\w+)", line):
            output = name[1]
        elif output and (path := re.fullmatch(r"\w+/(\w+)", line)):
            found.add((path[1], output))
    return found


def stated_paths(hardware: Hardware) -> Paths:
    """Return the paths in the line "Paths: a_i to b_o, c_i to d_o" of the top module's header."""
    line = re.search(r"^// Paths: +(.*)", top_text(hardware), re.MULTILINE)
    return set(re.findall(r"(\w+) to (\w+)", line[1])) if line else set()


@pytest.mark.parametrize("chosen", designs(), ids=lambda d: d.identifier)
def test_the_stated_paths_are_all_there_are(chosen: Design, tmp_path: Path) -> None:
    assert paths_within_a_cycle(chosen.hardware, tmp_path) == stated_paths(chosen.hardware)


def test_a_planted_path_is_seen(tmp_path: Path) -> None:
    old, new = "req_ready_o = state_q == StIdle", "req_ready_o = state_q == StIdle && !b_i[0]"
    wrong = edited(design("mm_r2", width=WIDTH), old, new, tmp_path)
    assert paths_within_a_cycle(wrong.hardware, tmp_path) == {("b_i", "req_ready_o")}


def around_any_core(design: Design, folder: Path) -> Hardware:
    """Return a form with a bus of ``design`` around a core that is all logic."""
    parallel = design.with_form(PARALLEL)
    ports = [port for port in parallel.ports if port not in CLOCK]
    inputs = ", ".join(port.name for port in ports if port.direction == "input")
    lines = [
        f"assign {port.name} = {{{port.width}{{^{{{inputs}}}}}}};"
        for port in ports
        if port.direction == "output"
    ]
    parameters = ", ".join(f"parameter int {name} = 0" for name in parallel.hardware.parameters)
    declared = declarations(parallel.ports)
    head = f"module {parallel.hardware.top} #({parameters}) ({declared});"
    core = folder / "any_core.sv"
    core.write_text("\n".join([head, *lines, "endmodule", ""]))
    names = (*BUS_FILES, "bus/mf_core_windows.sv", "bus/mf_core_packets.sv")
    bus = [rtl_root() / name for name in names]
    wrapper = design.hardware.files[-1]
    return replace(design.hardware, files=(*bus, core, wrapper), parameters={})


def with_buses() -> list[Design]:
    """Each architecture's forms with a bus, with and without a load phase."""
    found = {}
    for name in cores():
        for chosen in variants(name, width=WIDTH, **OTHERS.get(name, {})):
            for form in {AXI, AXIS}.intersection(chosen.forms):
                found.setdefault((name, form, chosen.contract.load is None), chosen.with_form(form))
    return [found[key] for key in sorted(found)]


@pytest.mark.parametrize("chosen", with_buses(), ids=lambda d: d.identifier)
def test_a_bus_has_no_paths(chosen: Design, tmp_path: Path) -> None:
    assert paths_within_a_cycle(around_any_core(chosen, tmp_path), tmp_path) == set()


@pytest.mark.parametrize("form", ["axi", "axis"])
def test_a_bus_of_the_engine_has_no_paths(form: str, tmp_path: Path) -> None:
    values = named_values(["bits=32", "min_bits=16", "window=2", "core=mm_r2"])
    small = design("rsa", **values).with_form(form).hardware
    found = paths_within_a_cycle(small, tmp_path)
    assert found == stated_paths(small)
    assert not [path for path in found if path[1].startswith(("s_ax", "m_ax"))]
