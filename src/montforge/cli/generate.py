# SPDX-License-Identifier: Apache-2.0
"""``montforge generate``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from montforge.cli.common import (
    FormOption,
    JsonOption,
    Name,
    ParameterOption,
    chosen_design,
    show,
)
from montforge.generate import generate as generate_folder
from montforge.generate import in_folder
from montforge.generate.names import top_name


def generate(
    name: Name,
    out: Annotated[Path, typer.Option("-o", "--output", help="The folder to make.")],
    parameter: ParameterOption = None,
    form: FormOption = None,
    flat_verilog: Annotated[
        bool, typer.Option("--flat-verilog", help="Also write plain Verilog-2005.")
    ] = False,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the test vectors.")] = 1,
    top: Annotated[
        str,
        typer.Option("--name", metavar="NAME", help="Name of the top module, and of its files."),
    ] = "",
    prefix: Annotated[
        str,
        typer.Option(
            metavar="NAME", help="Begin all module names with NAME_, for two folders in one chip."
        ),
    ] = "",
    force: Annotated[
        bool,
        typer.Option("--force", help="Replace a generated folder even if its files were edited."),
    ] = False,
    json_output: JsonOption = False,
) -> None:
    """Make a folder that stands alone: RTL, wrapper, testbench, SDC, datasheet."""
    chosen = chosen_design(name, parameter, form)
    folder = generate_folder(
        chosen, out, flat_verilog=flat_verilog, seed=seed, name=top, prefix=prefix, force=force
    )
    made = in_folder(chosen)
    files = sorted(str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file())
    data = {
        "architecture": name,
        "parameters": dict(chosen.parameters),
        "rtl_parameters": made.hardware.parameters,
        "form": made.form,
        "folder": str(folder),
        "top": top_name(made.identifier, top, prefix),
        "files": files,
    }
    show(json_output, data, f"{chosen} is in {folder} (run `make` there)")
