# SPDX-License-Identifier: Apache-2.0
"""All files of a folder, and the call that writes it."""

from __future__ import annotations

from importlib.metadata import distribution
from pathlib import Path

from montforge.arch import Design
from montforge.generate.contents import Texts, contents
from montforge.generate.flat import flatten_folder
from montforge.generate.flow import tool_files
from montforge.generate.flows import flow_files
from montforge.generate.ipxact import component_text
from montforge.generate.names import check_distinct, is_vendor_model, prefixed, top_name
from montforge.generate.output import (
    check_replaceable,
    clear_errors,
    replace_folder,
    write,
    write_marker,
)
from montforge.generate.placement import copies
from montforge.generate.program import PROGRAM
from montforge.generate.text import common_fields
from montforge.hardware.verilog import verilog
from montforge.hardware.yosys import yosys_version
from montforge.licence import OWNER
from montforge.work.command import command_line
from montforge.work.templates import render


def generate(
    design: Design,
    output: Path,
    *,
    flat_verilog: bool = False,
    seed: int = 1,
    name: str = "",
    prefix: str = "",
    force: bool = False,
) -> Path:
    """Write ``design`` as a folder that stands alone and return the folder's absolute path.

    A design in its default form is taken in its `Design.folder_form`.

    The folder has the library's RTL files that the design needs and a wrapper named ``name``, or
    else ``design.identifier``, with fixed parameters and the ports of its form (``rtl/``), a file
    list, a FuseSoC core file, timing constraints, a self-checking testbench with vectors made from
    ``seed`` (``tb/``, run by ``make``; with the harness of a form that has one), a datasheet
    (``README.md``, ``contract.json``) and the licence. ``flat_verilog`` adds one file of
    plain Verilog-2005 (``flat/``), made by Yosys, and one of the harness, if there is one. With a
    ``prefix`` the names of all modules and packages, and of the files with them, begin with it and
    an underscore (models of vendors' primitives keep theirs): folders with different prefixes can
    be parts of one chip.

    ``output`` must not exist, be empty, or be a folder that this function wrote, which is
    replaced; but not if it has files that were edited or added since, unless with ``force``. The
    folder appears whole or not at all. Raises OutputFolderError, ToolMissingError,
    ToolFailedError, and ParameterError for a name that no module can have, or that another
    module of the folder has, and for a prefix that no name can begin with.
    """
    design = in_folder(design)
    top = top_name(design.identifier, name, prefix)
    with clear_errors(output):
        output = output.resolve()
        check_replaceable(output, force=force)
    if flat_verilog:
        yosys_version()
    settings: dict[str, object] = {
        "flat_verilog": flat_verilog,
        "name": name,
        "prefix": prefix,
        "seed": seed,
    }
    command = command_line("generate", design.words, **settings, output=name or design.identifier)
    texts = folder_texts(design, top, command, flat_verilog=flat_verilog, seed=seed)
    check_distinct(texts, f"rtl/{top}.sv", top)

    def fill(folder: Path) -> None:
        for name, text in prefixed(texts, prefix, top).items():
            write(folder / name, text)
        if flat_verilog:
            flatten_folder(top, folder)
        made = {
            "architecture": design.name,
            "parameters": dict(design.parameters),
            "rtl_parameters": design.hardware.parameters,
            "form": design.form,
            **settings,
        }
        write_marker(folder, made)

    with clear_errors(output):
        replace_folder(output, fill, force=force)
    return output


def in_folder(design: Design) -> Design:
    """Return ``design`` in the form that its folder has: its own, if that is not the default."""
    return design.with_form(design.folder_form) if design.form == design.default_form else design


def folder_texts(
    design: Design, name: str, command: str, *, flat_verilog: bool, seed: int
) -> Texts:
    """Return the files of the folder, apart from the flat Verilog and the marker."""
    found = contents(design, name, command, flat_verilog=flat_verilog, seed=seed)
    library = copies(design.hardware.files)
    rtl = [*library, f"rtl/{name}.sv"]
    # Models of a vendor's primitives, which its own tools bring along.
    models = [path for path in library if is_vendor_model(path)]
    fields = {
        **common_fields(name, found.title),
        "design": design,
        "contract": design.contract,
        "hardware": design.hardware,
        "ports": design.ports,
        "command": command,
        "seed": seed,
        "flat_verilog": flat_verilog,
        "rtl": [path for path in rtl if path not in models],
        "models": models,
        "custom": any(path.startswith("rtl/custom/") for path in library),
        "tests": list(found.tests),
        "data": list(found.data),
        "harness": list(found.harness),
        "helpers": list(found.helpers),
        "runs_programs": PROGRAM in found.helpers,
        **found.fields,
    }
    wrapper = verilog(
        "wrapper.sv.in",
        **fields,
        summary=found.summary,
        connections=design.connections,
    )
    tools = tool_files(fields)
    flows = flow_files(design, fields, tools[f"{name}.sdc"])
    sources = library | found.helpers | found.tests | tools | found.harness
    copied = [path for path, text in sources.items() if OWNER not in text]
    others = [path for path in copied if path.startswith("rtl/custom/")]
    return {
        **sources,
        f"rtl/{name}.sv": wrapper,
        f"{name}.f": "".join(f"{path}\n" for path in rtl),
        **found.data,
        **found.documents,
        **flows,
        f"{name}.xml": component_text(design, fields),
        "Makefile": render("Makefile.in", fields),
        "README.md": render(found.readme, fields),
        "NOTICE": render("NOTICE.in", fields, copied=copied, others=others),
        "LICENSE": _licence(),
    }


def _licence() -> str:
    """Return the text of the library's licence, which is installed with the package."""
    text = distribution("montforge").read_text("licenses/LICENSE")
    assert text is not None
    return text
