# SPDX-License-Identifier: Apache-2.0
"""All files of a folder, and the call that writes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import singledispatch
from importlib.metadata import distribution
from importlib.resources import files as package_files
from pathlib import Path

from montforge.arch import Core, Design, driven
from montforge.arch.driven_design import harness_files, harness_text
from montforge.errors import ParameterError
from montforge.generate.datasheet import contract_data, datasheet_fields, files_table
from montforge.generate.flow import FUSESOC_SCRIPT, tool_files
from montforge.generate.names import (
    check_distinct,
    driven_name,
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
from montforge.generate.testbench import expected, requests, sample_operations, testbench_fields
from montforge.generate.text import common_fields, json_text, notice
from montforge.generate.wrapper import flatten_folder, windows_fields, wrapper_fields
from montforge.hardware import rtl_root
from montforge.hardware.yosys import yosys_version
from montforge.licence import HEADER
from montforge.work.cache import cache_root
from montforge.work.command import command_line
from montforge.work.templates import render, template

ICARUS_OPERATIONS = 32
TB_DRIVER = "tb/mf_tb_driver.sv"
_HARNESS_TEXT = """
It drives the design through a harness, which serves the ports' requests, with pauses at random,
and checks how often they ask; latencies of the vectors count the harness's own cycles, too.
"""


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


@singledispatch
def folder_texts(
    design: Design, name: str, command: str, *, flat_verilog: bool, seed: int
) -> dict[str, str]:
    """Return the files of the folder by path, apart from the flat Verilog and the marker.

    Those of an engine are registered by its kind.
    """
    raise TypeError(f"no folder of {design} is known")


@folder_texts.register
def _(design: Core, name: str, command: str, *, flat_verilog: bool, seed: int) -> dict[str, str]:
    simulated = driven(design)
    library = copies(design.hardware.files)
    harness = _harness(design, name)
    rtl = [*library, f"rtl/{name}.sv"]
    # Models of a vendor's primitives, which its own tools bring along.
    models = [path for path in library if is_vendor_model(path)]
    synthesized = [path for path in rtl if path not in models]
    tested = sample_operations(simulated, seed)
    common = {
        **common_fields(name, design.title),
        "icarus_operations": str(ICARUS_OPERATIONS),
    }
    helpers = copies(design.companions) | _registers(design, common)
    tools = tool_files(
        common,
        synthesized,
        models,
        design.ports,
        [TB_DRIVER, f"tb/{name}_tb.sv"],
        ["tb/requests.hex", "tb/expected.hex"],
        harness=list(harness),
        flat_verilog=flat_verilog,
    )
    texts = {
        **library,
        **helpers,
        f"rtl/{name}.sv": render("wrapper.sv.in", common, **wrapper_fields(design)),
        f"{name}.f": "".join(f"{path}\n" for path in rtl),
        "Makefile": render(
            "Makefile.in", common, driver=f"{TB_DRIVER} ", harness=" ".join(harness)
        ),
        **tools,
        TB_DRIVER: template("mf_tb_driver.sv"),
        **harness,
        f"tb/{name}_tb.sv": render(
            "testbench.sv.in",
            common,
            what="it, in its harness," if harness else "it",
            dut=driven_name(name) if harness else name,
            **testbench_fields(simulated, len(tested)),
        ),
        "tb/requests.hex": requests(simulated, tested, seed),
        "tb/expected.hex": expected(simulated, tested),
        "LICENSE": licence(),
        "contract.json": json_text(contract_data(design, name, command)),
    }
    taken = [*library, *helpers, TB_DRIVER, f"tb/{FUSESOC_SCRIPT}", *harness]
    texts["NOTICE"] = notice(common, {path: texts[path] for path in taken})
    texts["README.md"] = render(
        "README.md.in",
        common,
        **datasheet_fields(design, name, command, flat_verilog=flat_verilog, seed=seed),
        files_table=files_table(
            name,
            list(helpers),
            flat_verilog=flat_verilog,
            with_models=bool(models),
            with_harness=bool(harness),
            with_custom=any(path.startswith("rtl/custom/") for path in library),
        ),
        harness_text=_HARNESS_TEXT if harness else "",
        operations=str(len(tested)),
        moduli=str(len({operation["n"] for operation in tested})),
        seed=str(seed),
    )
    return texts


def _registers(design: Core, common: Mapping[str, str]) -> dict[str, str]:
    """Return the map of the registers, and the C driver, of a form axi around a plain core."""
    if design.interface.wrapper is None:
        return {}
    return {
        "REGISTERS.md": driver_text("REGISTERS.md"),
        **{
            f"driver/{name}": driver_text(name)
            for name in ("mf_bus.h", "mf_core.c", "mf_core.h", "mf_rsa_regs.h")
        },
        "driver/mf_core_windows.h": render(
            "mf_core_windows.h.in", common, **windows_fields(design)
        ),
    }


def driver_text(name: str) -> str:
    """Return the text of a file of ``driver/``."""
    return (package_files("montforge") / "driver" / name).read_text("utf-8")


def _harness(design: Core, name: str) -> dict[str, str]:
    """Return the files of the harness around module ``name``, if there is one, by path."""
    if design.interface.harness is None:
        return {}
    files = {f"tb/{path.name}": path.read_text("utf-8") for path in harness_files(design)}
    top = driven_name(name)
    return {**files, f"tb/{top}.sv": HEADER + harness_text(design, top, name, {})}


def copies(paths: Sequence[Path]) -> dict[str, str]:
    """Return the texts of RTL files by where they lie in the folder.

    Those of the library keep their place; others go to ``rtl/custom``: those of designs from
    outside, and modules that were rendered for the design, which say whose they are. Raises
    ParameterError for two files in one place.
    """
    texts: dict[str, str] = {}
    for path in paths:
        inside = path.is_relative_to(rtl_root())
        place = path.relative_to(rtl_root()).as_posix() if inside else f"custom/{path.name}"
        if f"rtl/{place}" in texts:
            raise ParameterError(
                f"two files of the design are named {path.name}; give each file a name of its own."
            )
        rendered = not inside and path.is_relative_to(cache_root())
        texts[f"rtl/{place}"] = HEADER * rendered + path.read_text("utf-8")
    return texts


def licence() -> str:
    """Return the text of the library's licence, which is installed with the package."""
    text = distribution("montforge").read_text("licenses/LICENSE")
    assert text is not None
    return text
