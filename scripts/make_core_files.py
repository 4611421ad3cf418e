# SPDX-License-Identifier: Apache-2.0
"""Writes the RTL library's file lists for other tools: FuseSoC core files and ``Bender.yml``.

    python scripts/make_core_files.py

They list what lies below ``rtl/`` without ``rtl/props`` and ``rtl/harness``: packages first, models
of vendors' primitives apart, for simulation and lint only (a synthesis tool places its own
primitives).
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
VENDOR, LIBRARY = "montforge", "library"


def sources() -> tuple[list[str], list[str]]:
    """Return the paths of the library's files in compile order, and of the models."""
    paths = sorted(ROOT.joinpath("rtl").rglob("*.sv"), key=lambda p: (p.stem[-4:] != "_pkg", p))
    # What the bench binds, and what simulates native forms.
    paths = [path for path in paths if not {"props", "harness"} & {*path.parts}]
    models = [path for path in paths if not path.name.startswith("mf_")]
    library = [path for path in paths if path not in models]
    names = [[path.relative_to(ROOT).as_posix() for path in group] for group in (library, models)]
    return names[0], names[1]


def core_files() -> dict[str, str]:
    """Return the texts of the files by their names."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    version = project["version"]
    library, models = sources()
    made = "# SPDX-License-Identifier: Apache-2.0\n# Made by scripts/make_core_files.py.\n"
    models_name = f"{VENDOR}:{LIBRARY}:models:{version}"
    rtl = f"""\
CAPI=2:
{made}name: "{VENDOR}:{LIBRARY}:rtl:{version}"
description: "Montgomery multipliers: the RTL library"

# Vendors' primitives are modelled for targets called sim and lint only. Where yours have other
# names, let their filesets depend on {models_name}.
filesets:
  rtl:
    files:
{_items(library, 6)}    file_type: systemVerilogSource
    depend: ["target_sim ? ({models_name})", "target_lint ? ({models_name})"]

targets:
  default:
    filesets: [rtl]

  lint:
    description: "Verilator, all warnings, on the FIOS multiplier"
    filesets: [rtl]
    toplevel: mf_fios_dsp_par
    default_tool: verilator
    tools:
      verilator:
        mode: lint-only
        # constants of packages are used by other modules; '0 of more than 8192 bits is meant
        verilator_options: [-Wall, -Wno-UNUSEDPARAM, -Wno-WIDTHCONCAT]
"""
    model = f"""\
CAPI=2:
{made}name: "{models_name}"
description: "Behavioural models of vendors' primitives, for simulation and lint"

filesets:
  models:
    files:
{_items(models, 6)}    file_type: systemVerilogSource
    tags: [simulation]

targets:
  default:
    filesets: [models]
"""
    bender = f"""\
{made}package:
  name: montforge
  authors: ["The montforge authors"]

sources:
  - files:
{_items(library, 6)}  # Vendors' primitives; synthesis tools have their own.
  - target: any(simulation, verilator)
    files:
{_items(models, 6)}"""
    return {"montforge.core": rtl, "montforge_models.core": model, "Bender.yml": bender}


def _items(names: Sequence[str], indent: int) -> str:
    return "".join(f"{' ' * indent}- {name}\n" for name in names)


if __name__ == "__main__":
    for file, text in core_files().items():
        (ROOT / file).write_text(text, encoding="utf-8")
