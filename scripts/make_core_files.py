# SPDX-License-Identifier: Apache-2.0
"""Writes the RTL library's file lists for other tools: FuseSoC core files and ``Bender.yml``.

    python scripts/make_core_files.py

They list the files below ``rtl/`` without ``rtl/props`` and ``rtl/harness``, by families: a core of
FuseSoC and a target of Bender have the files that one family alone uses, ``prim`` has those that
several use. Packages come first. Models of vendors' primitives are apart, for simulation and lint
only, because a synthesis tool places its own primitives. The core of FuseSoC's generator is made
too, as all cores have the version of the package.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
VENDOR, LIBRARY, SHARED = "montforge", "library", "prim"
GENERATOR = "src/montforge/integrate/fusesoc/montforge_generator.core"
MADE = "# SPDX-License-Identifier: Apache-2.0\n# Made by scripts/make_core_files.py.\n"
APART = {
    "mf_mm_r2": "mm_r2",
    "mf_rmm": "rmm",
    "mf_fios_systolic": "fios_systolic",
    "mf_modexp_setup": "modexp_setup",
    "mf_modexp_with_setup": "modexp_setup",
    "mf_rsa_axis": "rsa",
    "mf_rsa_axi": "rsa_axi",
}
"""Families of modules whose folder has another, by the first letters of their names: so that nobody
has a package with constants that no module of the core uses (Verilator's UNUSEDPARAM), and that the
one module that older Yosys reads stands alone."""
STANDS_ON = {
    "modexp_setup": {"modexp"},
    "rsa": {"engine"},
    "rsa_axi": {"rsa", "bus", "engine"},
}
"""Families that use others as a whole."""
TOPS = {
    "booth": "mf_booth_csa",
    "bus": "mf_bus_axi",
    "carry_save": "mf_scs_mm_ct",
    "digit": "mf_eberle_par",
    "fft": "mf_mlws",
    "fios": "mf_fios_dsp_par",
    "fios_systolic": "mf_fios_systolic",
    "fixed": "mf_fixed_prime",
    "full": "mf_full_parallel",
    "prim": "mf_adder",
    "mm_r2": "mf_mm_r2",
    "unit": "mf_unit_csa",
}
"""The module that a family's target lint reads. A family that is not here has none: the multiplier
of modexp and rsa, and the plan of rmm, are the user's."""


@dataclass(frozen=True)
class Family:
    """A family's files in compile order, as paths below ``rtl/``, and the families it needs."""

    name: str
    files: tuple[str, ...]
    needs: tuple[str, ...]


@cache
def modules() -> dict[str, Path]:
    """Return the files of the library by the name of their module or package."""
    paths = sorted(ROOT.joinpath("rtl").rglob("*.sv"), key=lambda p: (p.stem[-4:] != "_pkg", p))
    # What the bench binds, and what simulates native forms.
    return {p.stem: p for p in paths if not {"props", "harness"} & {*p.parts}}


@cache
def used() -> dict[str, set[str]]:
    """Return for each module those whose names stand in its text, itself, and theirs."""
    direct = {}
    for name, path in modules().items():
        text = re.sub(r'//[^\n]*|"[^"\n]*"', "", path.read_text())
        direct[name] = modules().keys() & {*re.findall(r"\w+", text)}
    whole = {name: {name} | found for name, found in direct.items()}
    while any(set().union(*(direct[inner] for inner in each)) - each for each in whole.values()):
        whole = {name: each.union(*(direct[i] for i in each)) for name, each in whole.items()}
    return whole


@cache
def families() -> dict[str, Family]:
    """Return the families by name."""
    home = {name: _home(name, path) for name, path in modules().items()}
    place: dict[str, str] = {}
    for name in modules():
        users = {home[other] for other, needed in used().items() if name in needed} - {SHARED}
        below = [each for each in users if all(each in _with_base(other) for other in users)]
        place[name] = below[0] if below else SHARED
    found = {}
    for family in sorted({*place.values()}):
        own = [name for name in modules() if place[name] == family]
        needs = {place[inner] for name in own for inner in used()[name]} - {family}
        paths = tuple(_below_rtl(modules()[name]) for name in own if not is_model(name))
        found[family] = Family(family, paths, tuple(sorted(needs)))
    return found


def _home(name: str, path: Path) -> str:
    """Return the family that a module is of: `APART`, or its folder."""
    found = [family for start, family in APART.items() if name.startswith(start)]
    return found[0] if found else path.relative_to(ROOT / "rtl").parts[0]


def _with_base(family: str) -> set[str]:
    """Return a family's name, and those of the families that it stands on."""
    return {family} | STANDS_ON.get(family, set())


def is_model(name: str) -> bool:
    """Return whether a module is a model of a vendor's primitive."""
    return not name.startswith("mf_")


def core_files() -> dict[str, str]:
    """Return the texts of the files by their paths below the root."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    version = project["version"]
    models = [_below_rtl(path) for name, path in modules().items() if is_model(name)]
    texts = {f"rtl/montforge_{f.name}.core": _family_core(f, version) for f in families().values()}
    names = ", ".join(f'"{_core(name, version)}"' for name in families())
    return texts | {
        "montforge.core": f"""\
CAPI=2:
{MADE}name: "{_core("rtl", version)}"
description: "Montgomery multipliers: the RTL library, all families"

filesets:
  rtl:
    depend: [{names}]

targets:
  default:
    filesets: [rtl]
""",
        "montforge_models.core": f"""\
CAPI=2:
{MADE}name: "{_core("models", version)}"
description: "Behavioural models of vendors' primitives, for simulation and lint"

filesets:
  models:
    files:
{_items((f"rtl/{path}" for path in models), 6)}    file_type: systemVerilogSource
    tags: [simulation]

targets:
  default:
    filesets: [models]
""",
        GENERATOR: f"""\
CAPI=2:
{MADE}name: "{_core("generator", version)}"
description: "Generator: a core of montforge with fixed parameters"

generators:
  montforge:
    interpreter: python3
    command: generator.py
    description: "Generate a multiplier, an exponentiator or an RSA engine"
    usage: |
      architecture, name: as in montforge generate ARCH --name NAME
      parameters: those of the architecture, such as {{width: 256}}
      form, prefix, flat_verilog, seed: options of montforge generate
""",
        "Bender.yml": _bender(project["authors"][0]["name"], models),
    }


def _family_core(family: Family, version: str) -> str:
    needs = [f'"{_core(name, version)}"' for name in family.needs]
    comment = ""
    if family.name == SHARED:
        model = _core("models", version)
        needs += [f'"target_{use} ? ({model})"' for use in ("sim", "lint")]
        comment = (
            "\n# Vendors' primitives are modelled for targets called sim and lint only. Where yours"
            f" have other\n# names, let their filesets depend on {model}.\n"
        )
    depend = f"    depend: [{', '.join(needs)}]\n" if needs else ""
    lint = ""
    if family.name in TOPS:
        lint = f"""
  lint:
    description: "Verilator, all warnings, on {TOPS[family.name]}"
    filesets: [rtl]
    toplevel: {TOPS[family.name]}
    default_tool: verilator
    tools:
      verilator: {{mode: lint-only, verilator_options: [-Wall]}}
"""
    return f"""\
CAPI=2:
{MADE}name: "{_core(family.name, version)}"
description: "Montgomery multipliers: {_description(family.name)}"
{comment}
filesets:
  rtl:
    files:
{_items(family.files, 6)}    file_type: systemVerilogSource
{depend}
targets:
  default:
    filesets: [rtl]
{lint}"""


def _description(family: str) -> str:
    return "files that several families use" if family == SHARED else f"the family {family}"


def _bender(author: str, models: Sequence[str]) -> str:
    """Return the manifest: all files, or with the target montforge_families those of others."""
    users: dict[str, set[str]] = {}
    for name in families():
        for needed in _with_needs(name):
            users.setdefault(needed, set()).add(name)
    groups = "".join(
        f"  - target: any(not(montforge_families), {', '.join(_targets(users[family.name]))})\n"
        f"    files:\n{_items((f'rtl/{path}' for path in family.files), 6)}"
        for family in _in_order()
    )
    return f"""\
{MADE}package:
  name: montforge
  authors: ["{author}"]

# All files, or with the target montforge_families those of the families that are targets, too:
# {", ".join(_targets(families()))}.
sources:
  - target: any(simulation, verilator)
    files:
{_items((f"rtl/{path}" for path in models), 6)}{groups}"""


def _with_needs(name: str) -> set[str]:
    """Return a family's name, and those of the families that it needs."""
    return {name}.union(*(_with_needs(inner) for inner in families()[name].needs))


def _in_order() -> list[Family]:
    """Return the families, each after those that it needs."""
    return sorted(families().values(), key=lambda family: len(_with_needs(family.name)))


def _targets(names: Iterable[str] | Mapping[str, object]) -> list[str]:
    return [f"montforge_{name}" for name in sorted(names)]


def _core(name: str, version: str) -> str:
    return f"{VENDOR}:{LIBRARY}:{name}:{version}"


def _below_rtl(path: Path) -> str:
    return path.relative_to(ROOT / "rtl").as_posix()


def _items(paths: Iterable[str], indent: int) -> str:
    return "".join(f"{' ' * indent}- {path}\n" for path in paths)


def main() -> None:
    """Write the files."""
    for name, text in core_files().items():
        (ROOT / name).write_text(text)


if __name__ == "__main__":
    main()
