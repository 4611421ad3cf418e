# SPDX-License-Identifier: Apache-2.0
"""RSA engine -> a folder that stands alone: RTL with its bus, wrapper, file list, driver."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from montforge.arch.rsa.engine import AXIS, Engine
from montforge.generate.datasheet import core_row, flat_rows
from montforge.generate.engine_datasheet import engine_fields
from montforge.generate.engine_testbench import axis_steps_text, patience, steps_text
from montforge.generate.flow import FUSESOC_SCRIPT, tool_files
from montforge.generate.folder import copies, driver_text, folder_texts, licence
from montforge.generate.names import is_vendor_model
from montforge.generate.text import common_fields, notice, table
from montforge.hardware.forms import AXI
from montforge.hardware.verilog import bindings, declarations, parameter_list, same_names
from montforge.work.templates import render, template

BUS_TEXTS = {
    AXI: "`driver/REGISTERS.md` is the map of registers and windows, `driver/mf_rsa.h` the driver.",
    AXIS: "The header of `rtl/bus/mf_rsa_axis.sv` has the packets of requests and responses.",
}


@folder_texts.register
def _(engine: Engine, name: str, command: str, *, flat_verilog: bool, seed: int) -> dict[str, str]:
    """Return the files of a folder with the bus of the engine's form.

    It has a testbench with a key made from ``seed``, and with AXI4-Lite the C driver with the
    registers' header.
    """
    hardware, form, ports = engine.hardware, engine.form, engine.ports
    library = copies(hardware.files)
    rtl = [*library, f"rtl/{name}.sv"]
    models = [path for path in library if is_vendor_model(path)]
    synthesized = [path for path in rtl if path not in models]
    software = {} if form == AXIS else _software()
    common = {
        **common_fields(name, f"RSA engine of {engine.bits} bits"),
        "icarus_operations": "",
    }
    taken = {**library, **software, f"tb/{FUSESOC_SCRIPT}": template(FUSESOC_SCRIPT)}
    return {
        **library,
        f"rtl/{name}.sv": render(
            "wrapper.sv.in",
            common,
            top=hardware.top,
            contract="\n".join(f"// {line}" for line in (str(engine), *engine.summary)),
            ports=declarations(ports),
            parameters=parameter_list(hardware.parameters),
            connections=bindings(same_names(ports)),
        ),
        **software,
        **_testbench(engine, form, common, seed),
        **tool_files(
            common,
            synthesized,
            models,
            ports,
            [f"tb/{name}_tb.sv"],
            ["tb/steps.hex"],
            flat_verilog=flat_verilog,
        ),
        f"{name}.f": "".join(f"{path}\n" for path in rtl),
        "README.md": render(
            "README_engine.md.in",
            common,
            **engine_fields(engine, ports),
            command=command,
            bus=BUS_TEXTS[form],
            files=table(
                ("file", "content"),
                _files(name, software, flat_verilog=flat_verilog, with_models=bool(models)),
            ),
            seed=str(seed),
        ),
        "LICENSE": licence(),
        "NOTICE": notice(common, taken),
    }


def _files(
    name: str, software: Iterable[str], *, flat_verilog: bool, with_models: bool
) -> list[tuple[str, str]]:
    """Return the rows of the table of files."""
    driver = [("`driver/`", "C driver, registers' header and map")] if software else []
    return [
        (f"`rtl/{name}.sv`", "the engine: a wrapper with fixed parameters"),
        ("`rtl/*/`", "the library files that it needs; `rtl/rsa/mf_rsa.sv` says what it promises"),
        (
            "`rtl/custom/`",
            "modules for this engine alone, whose names other folders may have, too: for two of"
            " them in one chip generate each with a `--prefix` of its own",
        ),
        *driver,
        *flat_rows(name, flat_verilog=flat_verilog, with_models=with_models),
        (f"`{name}.f`", "RTL files in compile order"),
        core_row(name, flat_verilog=flat_verilog),
        ("`vivado.tcl`", "batch script for Vivado, not run by montforge"),
        (f"`{name}.sdc`", "timing constraints"),
        ("`tb/`", "self-checking testbench and its steps"),
        ("`NOTICE`, `LICENSE`", "the licence of each file"),
    ]


def _testbench(engine: Engine, form: str, common: Mapping[str, str], seed: int) -> dict[str, str]:
    """Return the testbench over the form's bus, and the makefile that runs it."""
    steps, count = (axis_steps_text if form == AXIS else steps_text)(engine, seed)
    source = "engine_axis_tb.sv.in" if form == AXIS else "engine_tb.sv.in"
    return {
        "tb/steps.hex": steps,
        f"tb/{common['name']}_tb.sv": render(
            source, common, steps=str(count), patience=str(patience(engine))
        ),
        "Makefile": render("Makefile.in", common, driver="", harness=""),
    }


def _software() -> dict[str, str]:
    """Return the files of the C driver, which is for AXI4-Lite, and the map of registers."""
    names = ("mf_bus.h", "mf_rsa.c", "mf_rsa.h", "mf_rsa_regs.h", "REGISTERS.md")
    return {f"driver/{name}": driver_text(name) for name in names}
