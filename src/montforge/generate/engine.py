# SPDX-License-Identifier: Apache-2.0
"""RSA engine -> a folder that stands alone: RTL with its bus, wrapper, file list, driver."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from importlib.resources import files
from pathlib import Path

from montforge.arch.rsa.engine import Engine, axi_hardware, axis_hardware
from montforge.contract import Port
from montforge.errors import ParameterError, unknown_name
from montforge.generate.datasheet import core_row, flat_rows
from montforge.generate.engine_datasheet import engine_fields, engine_lines
from montforge.generate.engine_testbench import axis_steps_text, patience, steps_text
from montforge.generate.flow import FUSESOC_SCRIPT, tool_files
from montforge.generate.folder import copies, licence
from montforge.generate.names import (
    check_distinct,
    is_vendor_model,
    prefixed,
    top_name,
)
from montforge.generate.output import (
    check_replaceable,
    clear_errors,
    replace_folder,
    write,
    write_marker,
)
from montforge.generate.text import (
    common_fields,
    notice,
    render,
    table,
    template,
)
from montforge.generate.wrapper import flatten_folder
from montforge.hardware import rtl_root
from montforge.hardware.verilog import bindings, declaration, literal
from montforge.hardware.yosys import yosys_version

PORT = re.compile(r"^  (input|output)\s+logic\s+(?:\[(\d+):0\])?\s*(\w+),?$", re.M)
AXI, AXIS = "axi", "axis"
FORMS = (AXI, AXIS)
"""AXI4-Lite registers; AXI4-Stream packets."""
BUS_PORTS = {
    "s_axil_": "AXI4-Lite",
    "s_axis_": "AXI4-Stream, requests",
    "m_axis_": "AXI4-Stream, responses",
    "random_": "random words, one a handshake",
}
PORTS = {
    "clk_i": "clock, rising edge",
    "rst_ni": "asynchronous reset, active low; a wipe of all memories follows it",
    "irq_o": "interrupt: high while an enabled event is pending",
    "phase_o": "what the engine does, for a scope; not secret",
    "abort_i": "ends the operation, request or response under way, with ABORTED",
    "zeroize_all_i": "ends it too, then wipes all keys and memories; for a cycle at least",
    "load_lock_i": "no key is loaded",
    "busy_o": "an operation or a wipe is under way",
    "slots_valid_o": "keys that can be used",
    "cycles_o": "cycles of the last operation",
    "alert_o": "for a cycle: a result failed its check",
}
"""What the ports are for, by their first letters or names."""
BUS_TEXTS = {
    AXI: "`driver/REGISTERS.md` is the map of registers and windows, `driver/mf_rsa.h` the driver.",
    AXIS: "The header of `rtl/bus/mf_rsa_axis.sv` has the packets of requests and responses.",
}


def generate_engine(
    engine: Engine,
    output: Path,
    *,
    form: str = AXI,
    seed: int = 1,
    name: str = "",
    prefix: str = "",
    force: bool = False,
    flat_verilog: bool = False,
) -> Path:
    """Write ``engine`` as a folder that stands alone and return the folder's absolute path.

    It has the RTL with the bus that ``form`` (one of `FORMS`) names, a wrapper named ``name``, or
    else `engine_name`, with fixed parameters, a file list, a FuseSoC core file, a datasheet, the
    licence, and a testbench with a key made from ``seed``; with AXI4-Lite also the C driver with
    the registers' header. ``output``, ``name``, ``prefix``, ``force``, ``flat_verilog`` and what is
    raised as `montforge.generate.generate`; and ParameterError for another form.
    """
    if form not in FORMS:
        raise ParameterError(str(unknown_name("form", form, FORMS)))
    top = top_name(engine_name(engine, form), name, prefix)
    with clear_errors(output):
        output = output.resolve()
        check_replaceable(output, force=force)
    if flat_verilog:
        yosys_version()
    command = _command(engine, form, seed, name, prefix, flat_verilog=flat_verilog)
    texts = _texts(engine, form, top, seed, command, flat_verilog=flat_verilog)
    check_distinct(texts, f"rtl/{top}.sv", top)
    texts = prefixed(texts, prefix, top)

    def fill(folder: Path) -> None:
        for path, text in texts.items():
            write(folder / path, text)
        if flat_verilog:
            flatten_folder(top, folder)
        made = {
            "architecture": "rsa",
            "parameters": engine.parameters,
            "rtl_parameters": engine.hardware.parameters,
            "form": form,
            "flat_verilog": flat_verilog,
            "seed": seed,
            "name": name,
            "prefix": prefix,
        }
        write_marker(folder, made)

    with clear_errors(output):
        replace_folder(output, fill, force=force)
    return output


def engine_name(engine: Engine, form: str = AXI) -> str:
    """Return the name of the wrapper and its files, unique for the engine and the form."""
    return engine.identifier + "_axis" * (form == AXIS)


def _texts(
    engine: Engine, form: str, name: str, seed: int, command: str, *, flat_verilog: bool
) -> dict[str, str]:
    axi = axis_hardware(engine) if form == AXIS else axi_hardware(engine)
    library = copies(axi.files)
    rtl = [*library, f"rtl/{name}.sv"]
    models = [path for path in library if is_vendor_model(path)]
    synthesized = [path for path in rtl if path not in models]
    software = {} if form == AXIS else _software()
    common = {
        **common_fields(name, f"RSA engine of {engine.bits} bits"),
        "icarus_operations": "",
    }
    ports = _ports(axi.top)
    taken = {**library, **software, f"tb/{FUSESOC_SCRIPT}": template(FUSESOC_SCRIPT)}
    return {
        **library,
        f"rtl/{name}.sv": render(
            "wrapper.sv.in",
            common,
            top=axi.top,
            contract="\n".join(f"// {line}" for line in (str(engine), *engine_lines(engine))),
            ports=",\n".join(f"  {declaration(port)}" for port in ports),
            parameters=bindings((key, literal(value)) for key, value in axi.parameters.items()),
            connections=bindings((port.name, port.name) for port in ports),
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


def _command(
    engine: Engine, form: str, seed: int, name: str, prefix: str, *, flat_verilog: bool
) -> str:
    options = [f"--form {form}"] * (form != AXI) + ["--flat-verilog"] * flat_verilog
    options += [f"--name {name}"] * bool(name)
    options += [f"--prefix {prefix}"] * bool(prefix)
    words = ["montforge generate", *engine.words, *options, f"--seed {seed}"]
    return " ".join([*words, f"--output {name or engine_name(engine, form)}"])


def _ports(top: str) -> list[Port]:
    """Return the ports of a top module, whose widths do not depend on parameters."""
    found = []
    for direction, highest, name in PORT.findall((rtl_root() / f"bus/{top}.sv").read_text("utf-8")):
        bus = [text for start, text in BUS_PORTS.items() if name.startswith(start)]
        width = int(highest) + 1 if highest else 1
        found.append(Port(name, direction, width, bus[0] if bus else PORTS[name]))
    return found


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
        ("`NOTICE`, `LICENSE`", "who owns what; the library's licence"),
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
    driver = files("montforge") / "driver"
    found = {name: (driver / name).read_text("utf-8") for name in ("mf_rsa.c", "mf_rsa.h")}
    found["mf_rsa_regs.h"] = (rtl_root() / "bus/mf_rsa_regs.h").read_text("utf-8")
    found["REGISTERS.md"] = (rtl_root() / "bus/mf_rsa_regs.md").read_text("utf-8")
    return {f"driver/{name}": text for name, text in found.items()}
