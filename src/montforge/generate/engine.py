# SPDX-License-Identifier: Apache-2.0
"""An RSA engine's part of its folder: datasheet, testbench with a key, driver."""

from __future__ import annotations

from montforge.arch.rsa.contract import windows_page
from montforge.arch.rsa.engine import CHECKED, Engine
from montforge.arch.rsa.model import PAIR_LIFE
from montforge.generate.contents import Contents, contents, driver_texts
from montforge.generate.engine_testbench import axis_steps_text, patience, steps_text
from montforge.generate.program import engine_program
from montforge.generate.text import common_fields
from montforge.hardware.axi import registers_page
from montforge.hardware.forms import AXIS
from montforge.work.templates import render


@contents.register
def _(engine: Engine, name: str, command: str, *, flat_verilog: bool, seed: int) -> Contents:
    """Return the contents for the bus of the engine's form, with AXI4-Lite the C driver, too."""
    streams = engine.form == AXIS
    title = f"RSA engine of {engine.bits} bits"
    steps, count = (axis_steps_text if streams else steps_text)(engine, seed)
    bench = render(
        "engine_axis_tb.sv.in" if streams else "engine_tb.sv.in",
        common_fields(name, title),
        steps=count,
        patience=patience(engine),
        half_clock=engine.half_clock,
    )
    driver = driver_texts("mf_rsa.c", "mf_rsa.h", "mf_rsa_windows.h")
    driver |= {"driver/REGISTERS.md": registers_page(), "driver/WINDOWS.md": windows_page()}
    return Contents(
        title=title,
        summary=(str(engine), *engine.summary),
        readme="README_engine.md.in",
        fields={
            "kind": "engine",
            "proved": "",
            "icarus_operations": "",
            "pair_life": PAIR_LIFE,
            "checked": CHECKED[engine.check_by],
        },
        tests={f"tb/{name}_tb.sv": bench},
        data={"tb/steps.hex": steps},
        helpers={} if streams else driver | engine_program(engine, name, seed),
    )
