# SPDX-License-Identifier: Apache-2.0
"""``montforge generate``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from montforge.arch import ENGINE
from montforge.cli.common import (
    JsonOption,
    Name,
    ParameterOption,
    chosen_design,
    is_given,
    output,
    print_json,
)
from montforge.generate import generate as generate_folder
from montforge.generate.names import top_name
from montforge.hardware.forms import FORMS, PARALLEL


def generate(
    context: typer.Context,
    name: Name,
    out: Annotated[Path, typer.Option("-o", "--output", help="The folder to make.")],
    parameter: ParameterOption = None,
    form: Annotated[
        str,
        typer.Option(
            help=f"The form that is the top: {', '.join(FORMS)}; see `info`. Of {ENGINE}: axi (the"
            " default) or axis.",
        ),
    ] = PARALLEL,
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
        typer.Option("--force", help="Replace a folder of ours even if its files were edited."),
    ] = False,
    json_output: JsonOption = False,
) -> None:
    """Make a folder that stands alone: RTL, wrapper, testbench, SDC, datasheet."""
    if name == ENGINE:
        from montforge.arch.rsa.parameters import engine_of
        from montforge.generate.engine import AXI, engine_name, generate_engine

        engine = engine_of(parameter or ())
        bus = form if is_given(context, "form") else AXI
        folder = generate_engine(
            engine,
            out,
            form=bus,
            seed=seed,
            name=top,
            prefix=prefix,
            force=force,
            flat_verilog=flat_verilog,
        )
        if json_output:
            print_json(
                {
                    "architecture": name,
                    "parameters": engine.parameters,
                    "rtl_parameters": engine.hardware.parameters,
                    "form": bus,
                    "folder": str(folder),
                    "top": top_name(engine_name(engine, bus), top, prefix),
                    "files": _files(folder),
                }
            )
        else:
            output.print(f"{engine} is in {folder}", markup=False, highlight=False)
        return
    chosen = chosen_design(name, parameter, form)
    folder = generate_folder(
        chosen, out, flat_verilog=flat_verilog, seed=seed, name=top, prefix=prefix, force=force
    )
    if json_output:
        print_json(
            {
                "architecture": name,
                "parameters": dict(chosen.parameters),
                "rtl_parameters": chosen.hardware.parameters,
                "form": chosen.form,
                "folder": str(folder),
                "top": top_name(chosen.identifier, top, prefix),
                "files": _files(folder),
            }
        )
    else:
        output.print(f"{chosen} is in {folder} (run `make` there)", markup=False, highlight=False)


def _files(folder: Path) -> list[str]:
    return sorted(str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file())
