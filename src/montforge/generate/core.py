# SPDX-License-Identifier: Apache-2.0
"""A core's part of its folder: datasheet, testbench with vectors, harness, driver."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from montforge.arch import Core, driven
from montforge.arch.driven_design import harness_files, harness_text
from montforge.contract import Operation
from montforge.generate.certificate import certificate, has_certificate
from montforge.generate.contents import Contents, Texts, contents, driver_texts
from montforge.generate.datasheet import contract_data, datasheet_fields
from montforge.generate.names import CERTIFICATE, driven_name
from montforge.generate.placement import copies
from montforge.generate.program import core_program
from montforge.generate.testbench import expected, requests, sample_operations, testbench_fields
from montforge.generate.text import common_fields, json_text
from montforge.hardware.axi import registers_page, windows
from montforge.hardware.forms import AXI
from montforge.hardware.verilog import verilog
from montforge.host.core_driver import slowest
from montforge.licence import HEADER
from montforge.work.templates import render, template

ICARUS_OPERATIONS = 32


@contents.register
def _(design: Core, name: str, command: str, *, flat_verilog: bool, seed: int) -> Contents:
    simulated = driven(design)
    harness = _harness(design, name)
    tested = sample_operations(simulated, seed)
    bench = verilog(
        "testbench.sv.in",
        **common_fields(name, design.title),
        what="it, in its harness," if harness else "it",
        dut=driven_name(name) if harness else name,
        **testbench_fields(simulated, len(tested)),
    )
    return Contents(
        title=design.title,
        summary=str(design.contract).splitlines(),
        readme="README.md.in",
        fields={
            "kind": "design",
            "proved": shlex.join(design.words) if has_certificate(design) else "",
            "icarus_operations": str(ICARUS_OPERATIONS),
            "operations": len(tested),
            "moduli": len({operation["n"] for operation in tested}),
            **datasheet_fields(design, name, flat_verilog=flat_verilog, seed=seed),
        },
        tests={"tb/mf_tb_driver.sv": template("mf_tb_driver.sv"), f"tb/{name}_tb.sv": bench},
        data={
            "tb/requests.hex": requests(simulated, tested, seed),
            "tb/expected.hex": expected(simulated, tested),
        },
        helpers=copies(design.companions) | _registers(design, name, tested),
        harness=harness,
        documents={
            "contract.json": json_text(contract_data(design, name, command)),
            **({CERTIFICATE: json_text(certificate(design))} if has_certificate(design) else {}),
        },
    )


def _registers(design: Core, name: str, operations: Sequence[Operation]) -> Texts:
    """Return the map of the registers, the C driver, and its simulation, of a form axi."""
    if design.form != AXI:
        return {}
    contract = design.contract
    names = render(
        "mf_core_windows.h.in",
        common_fields(name, design.title),
        bits=contract.width,
        limit=slowest(contract),
        windows=windows(contract),
    )
    driver = driver_texts("mf_core.c", "mf_core.h")
    return {
        "REGISTERS.md": registers_page(),
        **driver,
        "driver/mf_core_windows.h": names,
        **core_program(design, name, operations),
    }


def _harness(design: Core, name: str) -> Texts:
    """Return the files of the harness around module ``name``, if there is one."""
    if design.interface.harness is None:
        return {}
    files = {f"tb/{path.name}": path.read_text("utf-8") for path in harness_files(design)}
    top = driven_name(name)
    return {**files, f"tb/{top}.sv": HEADER + harness_text(design, top, name, {})}
