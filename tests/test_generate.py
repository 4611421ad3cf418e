# SPDX-License-Identifier: Apache-2.0
"""Generated folders: complete, repeatable, safe to write, and with a testbench that bites."""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import ClassVar

import pytest
import yaml
from jinja2 import UndefinedError

from custom import with_files
from montforge.arch import Citation, Core, cores, design, driven
from montforge.arch.multiplier import montgomery_contract
from montforge.arch.parameter import integer
from montforge.contract import Bound, Contract, Cycles, Encoding, Field, ModulusRule
from montforge.errors import OutputFolderError, ParameterError, ToolFailedError
from montforge.generate import MARKER, generate
from montforge.generate import folder as api
from montforge.generate.testbench import sample_operations
from montforge.hardware.verilog import literal
from montforge.licence import OWNER, STATEMENT
from montforge.work.templates import render
from planted import edit
from verify.designs import LOADED

ROOT = Path(__file__).parents[1]
needs_icarus = pytest.mark.skipif(shutil.which("iverilog") is None, reason="needs iverilog")

EXPECTED_FILES = {
    ".montforge.json",
    "Bender.yml",
    "LICENSE",
    "Makefile",
    "NOTICE",
    "README.md",
    "certificate.json",
    "contract.json",
    "flow/librelane.json",
    "flow/nangate45.sdc",
    "flow/openroad.mk",
    "flow/quartus.tcl",
    "flow/siliconcompiler_design.py",
    "flow/sky130hd.sdc",
    "mm_r2_width8.core",
    "mm_r2_width8.f",
    "mm_r2_width8.sdc",
    "mm_r2_width8.xml",
    "rtl/carry_save/mf_mm_r2.sv",
    "rtl/mm_r2_width8.sv",
    "rtl/mm_r2_width8_pkg.vhd",
    "tb/expected.hex",
    "tb/fusesoc_verilator.sh",
    "tb/mf_tb_driver.sv",
    "tb/mm_r2_width8_tb.sv",
    "tb/requests.hex",
    "vivado.tcl",
}


def contents(folder: Path) -> dict[str, bytes]:
    paths = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def make(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run make in a generated folder without anything of montforge in the environment."""
    names = ("PATH", "HOME", "TMPDIR", "OBJCACHE")
    kept = {key: os.environ[key] for key in names if key in os.environ}
    return subprocess.run(
        ["make", *arguments],
        cwd=folder,
        env={**kept, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=600,
        check=False,
    )


def counts(run: subprocess.CompletedProcess[str]) -> tuple[int, int]:
    """Return the numbers of passed and failed operations that a testbench printed."""
    found = re.search(r"^(\d+) passed, (\d+) failed", run.stdout, re.MULTILINE)
    assert found, run.stdout
    return int(found[1]), int(found[2])


# ------------------------------------------------------------------ what is written


@pytest.fixture(scope="module")
def mm_r2_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return generate(design("mm_r2", width=8), tmp_path_factory.mktemp("generated") / "mm")


@pytest.fixture(scope="module")
def scs_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    output = tmp_path_factory.mktemp("generated") / "scs"
    return generate(design("scs_mm_new", width=8), output, flat_verilog=True)


def test_the_folder_is_complete_and_has_nothing_else(mm_r2_folder: Path) -> None:
    assert set(contents(mm_r2_folder)) == EXPECTED_FILES
    assert [path.name for path in mm_r2_folder.parent.iterdir()] == ["mm"]


def test_library_files_are_copied_unchanged_in_compile_order(scs_folder: Path) -> None:
    chosen = design("scs_mm_new", width=8)
    listed = (scs_folder / f"{chosen.identifier}.f").read_text().split()
    copies = [scs_folder / name for name in listed]
    assert [path.name for path in copies[:-1]] == [path.name for path in chosen.hardware.files]
    for copy, original in zip(copies, chosen.hardware.files, strict=False):
        assert copy.read_bytes() == original.read_bytes()
        assert copy.read_text().startswith("// SPDX-License-Identifier: Apache-2.0\n")


def test_the_wrapper_has_the_ports_of_the_contract_and_fixed_parameters(scs_folder: Path) -> None:
    chosen = design("scs_mm_new", width=8)
    text = (scs_folder / "rtl" / f"{chosen.identifier}.sv").read_text()
    found = re.findall(r"^  (input|output) +logic (?:\[(\d+):0\] )?(\w+),?$", text, re.MULTILINE)
    ports = [(port.direction, port.width, port.name) for port in chosen.contract.ports]
    assert [(way, int(top or 0) + 1, name) for way, top, name in found] == ports
    assert "parameter" not in text.split("module")[1]
    assert ".Width(8)" in text
    assert ".Closed(1)" in text


@pytest.mark.parametrize("form", ["parallel", "axi"])
def test_no_list_of_parameters_is_empty(form: str, tmp_path: Path) -> None:
    chosen = design("mm_r2", width=9).with_form(form)
    text = next((generate(chosen, tmp_path / "out") / "rtl").glob("mm_r2*.sv")).read_text()
    assert f"{chosen.hardware.top} {'#(' if chosen.hardware.parameters else 'u_core'}" in text


def test_wide_and_negative_parameters_are_sized_literals() -> None:
    assert literal(7) == "7"
    assert literal(-7) == "-7"
    assert literal(1 << 31) == "32'h80000000"
    assert literal(-(1 << 40)) == "-42'sh10000000000"


def test_the_same_call_gives_the_same_bytes_anywhere(scs_folder: Path, tmp_path: Path) -> None:
    again = generate(design("scs_mm_new", width=8), tmp_path / "other", flat_verilog=True)
    assert contents(again) == contents(scs_folder)


def test_nothing_tells_where_it_was_made(scs_folder: Path) -> None:
    for name, data in contents(scs_folder).items():
        for place in (str(scs_folder.parent), str(Path(api.__file__).parent), sys.prefix):
            assert place.encode() not in data, name


def test_another_seed_gives_other_vectors(mm_r2_folder: Path, tmp_path: Path) -> None:
    other = contents(generate(design("mm_r2", width=8), tmp_path / "x", seed=2))
    same = contents(mm_r2_folder)
    changed = {name for name in same if same[name] != other[name]}
    assert {"tb/requests.hex", "tb/expected.hex", "README.md"} <= changed
    assert not {name for name in changed if name.startswith("rtl/")}


def test_the_core_file_names_files_that_exist(scs_folder: Path) -> None:
    text = (scs_folder / "scs_mm_new_width8_closed.core").read_text()
    assert text.startswith("CAPI=2:\n")
    core = yaml.safe_load(text.split("\n", 1)[1])
    assert core["name"].startswith("montforge:generated:scs_mm_new_width8_closed:")
    assert set(core["targets"]) == {*("default", "sim", "lint", "sim_flat", "ecp5", "ultrascale")}
    for target in core["targets"].values():
        assert set(target["filesets"]) <= set(core["filesets"])
    for fileset in core["filesets"].values():
        for entry in fileset["files"]:
            name = entry if isinstance(entry, str) else next(iter(entry))
            assert (scs_folder / name).is_file()


def test_models_of_primitives_are_for_simulation_only(tmp_path: Path) -> None:
    chosen = design("fios_dsp", width=64, mac="dsp48e2")
    folder = generate(chosen, tmp_path / "out")
    text = (folder / f"{chosen.identifier}.core").read_text()
    core = yaml.safe_load(text.split("\n", 1)[1])
    models = ["rtl/prim/xilinx/DSP48E2.sv", "rtl/prim/lattice/MULT18X18D.sv"]
    assert core["filesets"]["models"]["files"] == models
    listed = (folder / f"{chosen.identifier}.f").read_text().split()
    synthesized = [path for path in listed if path not in models]
    assert core["filesets"]["rtl"]["files"] == synthesized
    with_models = {name for name, t in core["targets"].items() if "models" in t["filesets"]}
    assert with_models == {"sim", "lint"}
    conditions = ["rtl", "target_sim ? (models)", "target_lint ? (models)"]
    assert core["targets"]["default"]["filesets"] == conditions
    script = (folder / "vivado.tcl").read_text()
    assert re.findall(r"^  (rtl/\S+)$", script, re.MULTILINE) == synthesized
    assert f"-top {chosen.identifier} " in script
    assert core["targets"]["ultrascale"]["flow_options"]["part"] in script


def test_vivado_reads_the_constraints_before_synthesis(mm_r2_folder: Path) -> None:
    script = (mm_r2_folder / "vivado.tcl").read_text()
    assert 0 < script.index("mm_r2_width8.sdc") < script.index("read_xdc -unmanaged")
    assert script.index("read_xdc -unmanaged") < script.index("synth_design")
    core = yaml.safe_load((mm_r2_folder / "mm_r2_width8.core").read_text())
    assert core["targets"]["ultrascale"]["filesets"] == ["rtl", "constraints"]
    assert "ecp5" not in core["targets"], "needs flat Verilog"


def test_companions_come_along_and_are_no_part_of_the_design(tmp_path: Path) -> None:
    chosen = design("fcs_mm1", width=8)
    folder = generate(chosen, tmp_path / "out")
    assert (folder / "rtl/carry_save/mf_convert.sv").is_file()
    assert "mf_convert" not in (folder / f"{chosen.identifier}.f").read_text()
    assert "`rtl/carry_save/mf_convert.sv`" in (folder / "README.md").read_text()


def test_the_constraints_name_every_data_port(scs_folder: Path) -> None:
    text = (scs_folder / "scs_mm_new_width8_closed.sdc").read_text()
    for port in design("scs_mm_new", width=8).contract.ports:
        assert port.name in text


def test_the_worked_example_is_right(scs_folder: Path) -> None:
    data = json.loads((scs_folder / "contract.json").read_text())
    example = data["example"]
    n, x, y = (int(example[key], 16) for key in "nxy")
    assert int(example["product"], 16) == x * y % n
    assert int(example["steps"][-1]["result"], 16) % n == x * y % n
    r = int(data["r"], 16)
    for step in example["steps"]:
        a, b, result = (int(step[key], 16) for key in ("a", "b", "result"))
        assert result * r % n == a * b % n


@pytest.mark.parametrize(
    ("name", "words"),
    [("mm_r2", ["constant time", "fixed"]), ("scs_mm_new", ["data dependent", "n_hat_i", "E1"])],
)
def test_the_datasheet_is_filled_in(
    name: str, words: list[str], request: pytest.FixtureRequest
) -> None:
    folder = request.getfixturevalue("mm_r2_folder" if name == "mm_r2" else "scs_folder")
    text = (folder / "README.md").read_text()
    assert "@@" not in text
    for word in [*words[:1], "Kuang", "montforge generate " + name]:
        assert word in text
    if name == "scs_mm_new":
        assert "n_hat_i" in text
        assert "4n" in text


def in_one_line(path: Path) -> str:
    return " ".join(path.read_text().split())


@pytest.mark.parametrize("kind", ["core", "part", "outside", "engine"])
def test_all_files_agree_on_whose_they_are(kind: str, tmp_path: Path) -> None:
    """A file is the library's, with its licence, or another author's, or is the user's."""
    chosen = design("modexp", width=8).with_form("axi") if kind == "part" else design("mm_r2")
    own = tmp_path / "walter.sv"
    if kind == "outside":
        own.write_text("module walter;\nendmodule\n")
        chosen = with_files(chosen, [*chosen.hardware.files, own])
    folder = (
        generate(design("rsa", bits=64, core="scs_mm_ct", min_bits=16), tmp_path / "out")
        if kind == "engine"
        else generate(chosen, tmp_path / "out", flat_verilog=kind == "core")
    )
    for path in (ROOT / "README.md", ROOT / "docs/index.md", folder / "README.md"):
        assert STATEMENT in in_one_line(path)
    notice = (folder / "NOTICE").read_text()
    assert STATEMENT in in_one_line(folder / "NOTICE")
    assert ("came from outside" in notice) == (kind == "outside")
    listed, found = set(re.findall(r"^  (\S+)$", notice, re.M)), 0
    for path in folder.rglob("*.*"):
        place, text = path.relative_to(folder).as_posix(), path.read_text()
        if path.suffix in {".sv", ".v", ".c", ".h", ".sh", ".sdc", ".core", ".tcl"}:
            theirs = "SPDX-License-Identifier: Apache-2.0" in text or path.name == own.name
            assert theirs != (OWNER in text), place
            assert theirs == (place in listed), place
            found += not theirs
    assert found >= 4 + (kind in ("part", "engine")) + 2 * (kind == "part")


def test_the_datasheet_says_what_the_time_depends_on(scs_folder: Path) -> None:
    assert ", depending on the data |" in (scs_folder / "README.md").read_text()
    chosen = design("modexp", width=8)
    texts = api.folder_texts(chosen, chosen.identifier, "", flat_verilog=False, seed=1)
    assert ", depending on e_len |" in texts["README.md"]
    assert "0 <= e_len < 2^4" in texts["README.md"]
    assert "latency   by_e_len(" in str(chosen.contract)


@pytest.mark.parametrize("width", [3, 4, 5, 65])
@pytest.mark.parametrize("parameters", [{}, {"variant": "published"}])
def test_vectors_are_legal_and_varied(width: int, parameters: dict[str, str]) -> None:
    chosen = design("scs_mm_new", width=width, **parameters)
    operations = sample_operations(driven(chosen), 1)
    for operation in operations:
        chosen.contract.check(operation)
    assert len({tuple(o.values()) for o in operations}) == len(operations) >= 60
    assert len({o["n"] for o in operations}) >= (3 if width == 3 else 6)
    assert {o["n"] % 4 for o in operations} == {1, 3}


# ------------------------------------------------------------------ where it may be written


def test_a_folder_of_others_is_refused_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("do not lose me")
    with pytest.raises(OutputFolderError, match=re.escape(MARKER)):
        generate(design("mm_r2", width=8), tmp_path / "mine")
    assert contents(tmp_path) == {"mine/thesis.txt": b"do not lose me"}


def test_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(OutputFolderError, match="file"):
        generate(design("mm_r2", width=8), tmp_path / "file")
    with pytest.raises(OutputFolderError, match="can't be written"):
        generate(design("mm_r2", width=8), tmp_path / "file" / "below")


def test_an_empty_folder_and_missing_parents_are_fine(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for name in ("empty", "new/deep/folder"):
        folder = generate(design("mm_r2", width=8), tmp_path / name)
        assert set(contents(folder)) == EXPECTED_FILES


def test_a_folder_of_ours_is_replaced_whole(tmp_path: Path) -> None:
    first = generate(design("scs_mm_new", width=8), tmp_path / "x")
    second = generate(design("mm_r2", width=8), tmp_path / "x")
    assert first == second
    assert set(contents(second)) == EXPECTED_FILES
    assert [path.name for path in tmp_path.iterdir()] == ["x"]
    assert json.loads((second / MARKER).read_text())["architecture"] == "mm_r2"


def test_files_that_were_edited_or_added_are_not_deleted(tmp_path: Path) -> None:
    folder = generate(design("mm_r2", width=8), tmp_path / "x")
    (folder / "tb" / "mine.sv").write_text("module mine; endmodule")
    (folder / "README.md").write_text("notes")
    (folder / "build").mkdir()
    (folder / "build" / "program").write_text("made by make")
    (folder / "link").symlink_to("Makefile")
    os.mkfifo(folder / "pipe")
    before = contents(folder)
    with pytest.raises(OutputFolderError, match=r"README\.md, link, pipe, tb/mine\.sv; .*--force"):
        generate(design("mm_r2", width=9), tmp_path / "x")
    assert contents(folder) == before
    generate(design("mm_r2", width=9), tmp_path / "x", force=True)
    assert set(contents(folder)) == {f.replace("width8", "width9") for f in EXPECTED_FILES}


@pytest.mark.parametrize("marker", ["", "[]", "{}", '{"sha256": 3}', "[" * 100_000])
def test_without_a_record_all_files_count_as_edited(marker: str, tmp_path: Path) -> None:
    folder = generate(design("mm_r2", width=8), tmp_path / "x")
    (folder / MARKER).write_text(marker)
    more = len(EXPECTED_FILES - {MARKER}) - 10  # ten are named
    with pytest.raises(OutputFolderError, match=rf"LICENSE, Makefile, .* and {more} more"):
        generate(design("mm_r2", width=8), tmp_path / "x")


def test_a_file_added_while_the_folder_is_made_is_not_deleted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = generate(design("mm_r2", width=8), tmp_path / "x")
    marker = api.write_marker

    def add(*arguments: object, **options: object) -> str:
        (folder / "thesis.txt").write_text("do not lose me")
        return str(marker(*arguments, **options))

    monkeypatch.setattr(api, "write_marker", add)
    with pytest.raises(OutputFolderError, match=r"thesis\.txt"):
        generate(design("mm_r2", width=8), tmp_path / "x")
    assert (folder / "thesis.txt").is_file()


@pytest.mark.parametrize("failure", [OSError(errno.ENOSPC, "No space left"), KeyboardInterrupt()])
def test_a_failure_leaves_nothing_behind(
    failure: BaseException, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = contents(generate(design("mm_r2", width=8), tmp_path / "old"))
    write = api.write

    def break_at_the_testbench(path: Path, text: str) -> None:
        if path.name == "requests.hex":
            raise failure
        write(path, text)

    monkeypatch.setattr(api, "write", break_at_the_testbench)
    expected = OutputFolderError if isinstance(failure, OSError) else type(failure)
    for name in ("old", "new"):
        with pytest.raises(expected):
            generate(design("scs_mm_new", width=8), tmp_path / name)
    assert [path.name for path in tmp_path.iterdir()] == ["old"]
    assert contents(tmp_path / "old") == before


# ------------------------------------------------------------------ the testbench

TOY_RTL = """\
// SPDX-License-Identifier: Apache-2.0
// A pipelined multiplier for tests of the testbench: p = a b mod n in four cycles, signed
// carry-save operands and result, one request a cycle. Bug plants an error.
module mf_toy #(
  parameter int unsigned Width = 8,
  parameter int unsigned Bug = 0
) (
  input  logic clk_i, rst_ni, req_valid_i,
  output logic req_ready_o,
  input  logic [Width+1:0] a_s_i,
  input  logic [Width-1:0] a_c_i,
  input  logic [Width+1:0] b_s_i,
  input  logic [Width-1:0] b_c_i,
  input  logic [Width-1:0] n_i,
  input  logic k_i,
  output logic rsp_valid_o,
  input  logic rsp_ready_i,
  output logic [Width+1:0] p_s_o,
  output logic [Width-1:0] p_c_o
);
  localparam int unsigned Stages = Bug == 3 ? 5 : 4;

  logic signed [Width+1:0] a, b;
  logic signed [2*Width+3:0] product, rest, n, p;
  assign a = $signed(a_s_i + {2'b00, a_c_i});
  assign b = $signed(b_s_i + {2'b00, b_c_i});
  assign n = $signed({{(Width + 4) {1'b0}}, n_i});
  assign product = a * b + (Bug == 1 && a == b ? 1 : 0);
  assign rest = product % n;
  // Bug 2 exceeds the bound; bug 8 is the other representative of the residue.
  assign p = Bug == 2 ? rest + n + n : Bug == 8 && rest > 0 ? rest - n : rest;

  logic [Stages-1:0] valid_q;
  logic [Stages-1:0][Width+1:0] sum_q;
  logic [Stages-1:0][Width-1:0] carry_q;
  logic enable;
  assign enable = !rsp_valid_o || rsp_ready_i || (Bug == 5 && a_c_i[0]);
  assign req_ready_o = enable && (Bug != 9 || !valid_q[0]);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= Bug == 6 ? Stages'(1) << (Stages - 1) : '0;
    else if (enable) valid_q <= {valid_q[Stages-2:0], req_valid_i && req_ready_o};
  end

  always_ff @(posedge clk_i) begin
    if (enable) begin
      sum_q   <= {sum_q[Stages-2:0], p[Width+1:0] - {2'b00, b_c_i}};
      carry_q <= {carry_q[Stages-2:0], b_c_i};
    end else if (Bug == 4) begin
      sum_q[Stages-1] <= sum_q[Stages-1] + 1'b1;
    end
  end

  assign rsp_valid_o = valid_q[Stages-1] && (Bug != 7 || rsp_ready_i);
  assign p_s_o = sum_q[Stages-1];
  assign p_c_o = carry_q[Stages-1];

  logic unused_k;
  assign unused_k = k_i;
endmodule
"""


@dataclass(frozen=True)
class Toy(Core):
    """A pipelined toy with signed carry-save vectors, a one-bit constant and planted bugs."""

    name = "toy"
    title = "Toy multiplier"
    family = "test"
    citation = Citation("Nobody", "Nothing", "Nowhere", 2000, "p. 1")
    width: int = integer("bits", 8, minimum=3, maximum=64)
    bug: int = integer("which bug", 0, minimum=0, maximum=9)
    module = "mf_toy"
    library = ("mf_toy.sv",)
    formulas = (("R", "1"),)
    root: ClassVar[Path]

    @cached_property
    def parallel_contract(self) -> Contract:
        vectors = Encoding("carry_save", self.width + 2, self.width, signed=True)
        return montgomery_contract(
            self,
            r=1,
            modulus=ModulusRule(self.width),
            operand=(vectors, Bound(1, signed=True)),
            constants=(Field.constant("k", 1, "n mod 2"),),
            latency=Cycles.fixed(3),
            interval=Cycles.fixed(1),
        )

    def modulus_constants(self, n: int) -> dict[str, int]:
        return {"k": n % 2}

    @property
    def top_parameters(self) -> dict[str, int]:
        return {"Width": self.width, "Bug": self.bug}

    def golden_model(self, a: int, b: int, n: int) -> int:
        rest = abs(a * b) % n
        return rest if a * b >= 0 else -rest

    def cycle_model(self, a: int, b: int, n: int) -> int:
        return 3


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> type[Toy]:
    """Put the toy's RTL where the library is looked for."""
    root = tmp_path / "library"
    root.mkdir()
    (root / "mf_toy.sv").write_text(TOY_RTL)
    monkeypatch.setattr("montforge.generate.placement.rtl_root", lambda: root)
    monkeypatch.setattr("montforge.arch.base.rtl_root", lambda: root)
    return Toy


def test_a_design_from_outside_the_package(tmp_path: Path) -> None:
    chosen = design("mm_r2", width=8)
    mine = tmp_path / "mine.sv"
    mine.write_text(chosen.hardware.files[-1].read_text())
    folder = generate(with_files(chosen, [mine]), tmp_path / "out")
    assert (folder / "rtl" / "custom" / "mine.sv").read_text() == mine.read_text()
    assert "generate each with a `--prefix` of its own" in (folder / "README.md").read_text()
    assert (folder / f"{chosen.identifier}.f").read_text().split()[0] == "rtl/custom/mine.sv"
    core = yaml.safe_load((folder / f"{chosen.identifier}.core").read_text())
    assert "rtl/custom/mine.sv" in core["filesets"]["rtl"]["files"]
    copy = tmp_path / "copy" / "mine.sv"
    copy.parent.mkdir()
    copy.write_text(mine.read_text())
    with pytest.raises(ParameterError, match=r"mine\.sv"):
        generate(with_files(chosen, [mine, copy]), tmp_path / "twice")


@needs_icarus
@pytest.mark.parametrize("width", [3, 8, 31])
def test_pipelined_signed_carry_save_design_passes(
    width: int, toy: type[Toy], tmp_path: Path
) -> None:
    chosen = toy(width=width)
    folder = generate(chosen, tmp_path / "out", flat_verilog=True)
    run = make(folder, "icarus", "ICARUS_OPERATIONS=1000")
    assert run.returncode == 0, run.stdout
    passed, failed = counts(run)
    assert passed >= 30
    assert failed == 0


@needs_icarus
@pytest.mark.parametrize(
    ("bug", "message"),
    [
        (1, "the value is wrong"),
        (2, "the residue is wrong|the bound is wrong"),
        (3, "the latency is wrong"),
        (4, "the result changed while it waited"),
        (5, "req_ready is neither 0 nor 1"),
        (6, "rsp_valid is high in reset"),
        (7, "a handshake hangs|disappeared"),
        (8, "the value is wrong"),
        (9, "edges between requests"),
    ],
)
def test_the_testbench_finds_planted_bugs(
    bug: int, message: str, toy: type[Toy], tmp_path: Path
) -> None:
    chosen = toy(width=8, bug=bug)
    folder = generate(chosen, tmp_path / "out", flat_verilog=True)
    run = make(folder, "icarus", "ICARUS_OPERATIONS=1000")
    assert run.returncode != 0
    assert re.search(message, run.stdout), run.stdout
    assert counts(run)[1] > 0


@needs_icarus
@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("mm_r2", {"width": 3}),
        ("mm_r2", {"width": 65}),
        ("scs_mm_new", {"width": 3}),
        ("scs_mm_new", {"width": 65}),
        ("scs_mm_new", {"width": 8, "variant": "published"}),
    ],
)
def test_the_flat_verilog_passes_on_icarus(
    name: str, parameters: dict[str, object], tmp_path: Path
) -> None:
    folder = generate(design(name, **parameters), tmp_path / "out", flat_verilog=True)
    run = make(folder, "icarus", "ICARUS_OPERATIONS=60")
    assert run.returncode == 0, run.stdout
    passed, failed = counts(run)
    assert 20 < passed <= 60
    assert failed == 0


@needs_icarus
@pytest.mark.parametrize("name", cores())
def test_the_flat_verilog_of_each_architecture_passes(name: str, tmp_path: Path) -> None:
    chosen = design(name, width=9)
    folder = generate(chosen, tmp_path / "out", flat_verilog=True)
    operations = max(1, min(60, 6000 // chosen.contract.latency.maximum))
    run = make(folder, "icarus", f"ICARUS_OPERATIONS={operations}")
    assert run.returncode == 0, run.stdout
    passed, failed = counts(run)
    assert passed > 0 and failed == 0


@needs_icarus
def test_the_flat_verilog_is_verilog_2005(scs_folder: Path) -> None:
    flat = scs_folder / "flat" / "scs_mm_new_width8_closed.v"
    subprocess.run(["iverilog", "-g2005", "-t", "null", str(flat)], check=True, timeout=60)
    text = flat.read_text()
    assert "(*" not in text
    assert len(re.findall(r"^module ", text, re.MULTILINE)) == 1


def test_a_failing_yosys_leaves_nothing(toy: type[Toy], tmp_path: Path) -> None:
    (tmp_path / "library" / "mf_toy.sv").write_text("module mf_toy(; endmodule\n")
    chosen = toy(width=8)
    with pytest.raises(ToolFailedError, match="yosys"):
        generate(chosen, tmp_path / "out", flat_verilog=True)
    assert [path.name for path in tmp_path.iterdir()] == ["library"]


def test_missing_simulators_are_named(scs_folder: Path, tmp_path: Path) -> None:
    bare = tmp_path / "bin"
    bare.mkdir()
    for tool in ("make", "sh", "cat", "test"):
        (bare / tool).symlink_to(shutil.which(tool) or tool)
    run = make(scs_folder, PATH=str(bare))
    assert run.returncode != 0
    assert "Verilator is missing: install" in run.stdout
    assert "Icarus Verilog is missing: install" in run.stdout
    assert "nothing was run" in run.stdout


def test_a_testbench_loads_what_the_contract_loads(tmp_path: Path) -> None:
    folder = generate(LOADED, tmp_path / "out")
    run = make(folder, f"VERILATOR={VERILATOR}")
    assert run.returncode == 0, run.stdout
    passed, failed = counts(run)
    assert passed > 60
    assert failed == 0


def test_make_icarus_without_flat_verilog_says_why(mm_r2_folder: Path) -> None:
    run = make(mm_r2_folder, "icarus")
    assert run.returncode != 0
    assert "--flat-verilog" in run.stdout


# ------------------------------------------------------------------ with Verilator

VERILATOR = Path(sys.executable).parent / "verilator-cli"


def test_lint_of_the_wrapper_is_clean(scs_folder: Path) -> None:
    run = make(scs_folder, "lint", f"VERILATOR={VERILATOR}")
    assert run.returncode == 0, run.stdout
    assert "Warning" not in run.stdout


@pytest.mark.parametrize("width", [3072, 4096])
def test_verilator_accepts_a_wide_testbench_and_axi_form(width: int, tmp_path: Path) -> None:
    chosen = design("scs_mm_new", width=width)
    folder = generate(chosen, tmp_path / "out")
    recipe = make(folder, "-n", "verilator", f"VERILATOR={VERILATOR}").stdout
    built = re.search(r"^\S+ --binary (.*\\\n)*.*$", recipe, re.MULTILINE)
    assert built, recipe
    command = built[0].replace("--binary", "--lint-only")  # without the C++ compiler
    run = subprocess.run(command, shell=True, cwd=folder, capture_output=True, text=True)
    assert (run.returncode, run.stderr) == (0, "")
    axi = generate(chosen.with_form("axi"), tmp_path / "axi")
    run = make(axi, "lint", f"VERILATOR={VERILATOR}")
    assert run.returncode == 0, run.stdout


@pytest.mark.slow
def test_the_testbench_passes_on_verilator_and_fails_with_broken_rtl(tmp_path: Path) -> None:
    folder = generate(design("scs_mm_new", width=65), tmp_path / "out")
    rtl = folder / "rtl" / "carry_save" / "mf_skip_detector.sv"
    # Erratum E2, at run time, so that one build serves both runs.
    broken = '(last_iteration_i & ($test$plusargs("broken") == 0))'
    edit(rtl, "| last_iteration_i);", f"| {broken});")

    run = make(folder, f"VERILATOR={VERILATOR}")
    assert run.returncode == 0, run.stdout
    passed, failed = counts(run)
    assert passed > 100
    assert failed == 0

    program = folder / "build" / "verilator" / "scs_mm_new_width65_closed_tb"
    run = subprocess.run(
        [program, "+broken"], cwd=folder / "tb", capture_output=True, text=True, check=False
    )
    assert run.returncode != 0
    assert counts(run)[1] > 0


@pytest.mark.parametrize("prefix", ["", "SOC"])
@pytest.mark.parametrize("name", ["mm_r2", "modexp"])
def test_a_folder_with_a_bus_says_how_to_start_it(name: str, prefix: str, tmp_path: Path) -> None:
    """Registers, five steps, codes; each file that the texts name is there."""
    loads = {"constants": "hardware", "multiplier": "mm_r2"} if name == "modexp" else {}
    chosen = design(name, width=16, **loads).with_form("axi")
    folder = generate(chosen, tmp_path / "out", prefix=prefix)
    sheet = (folder / "README.md").read_text()
    start = sheet.partition("### Start")[2].partition("\n## ")[0]
    assert re.findall(r"^(\d)\.", start, re.MULTILINE) == list("12345")
    assert ("6 to COMMAND" in start) == ("16 nothing is loaded" in start) == bool(loads)
    registers = (folder / "REGISTERS.md").read_text()
    for register, offset in re.findall(r"(COMMAND|CTRL|STATUS|INTR_ENABLE) \((0x\w+)\)", start):
        assert re.search(rf"\| {offset} \| *{register.lower()} *\|", registers)
    there = {path.name for path in folder.rglob("*")}
    texts = [path.read_text() for path in folder.rglob("*") if path.suffix in (".md", ".sv", ".f")]
    named = {name for text in texts for name in re.findall(r"\b\w+\.(?:md|h|rdl|sv|c)\b", text)}
    assert named - {"my.c"} <= there  # the user's program


def test_a_template_without_one_of_its_fields_is_an_error() -> None:
    with pytest.raises(UndefinedError, match="others"):
        render("NOTICE.in", {"name": "x", "version": "1", "licence": "", "copied": ""})
