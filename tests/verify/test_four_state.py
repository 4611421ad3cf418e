# SPDX-License-Identifier: Apache-2.0
"""Four-state runs in Icarus: data without its valid is unknown, and nothing unknown comes out.

The generated testbench and the harnesses of forms drive X on the data of each valid/ready pair
while its valid is low, and registers without a reset start unknown; Icarus runs them on plain
Verilog in which an unknown condition makes its choice unknown. An unknown handshake, or an unknown
result with its valid, is a failure, as is a result or a latency that is not the model's. The RSA
engine has such a test of its own in ``tests/engine``.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from montforge.arch import Design, Simulated, cores, design, driven, variants
from montforge.generate import generate, testbench
from montforge.generate.text import common_fields
from montforge.hardware.forms import AXI, AXIS, NATIVE, PARALLEL
from montforge.hardware.verilog import verilog
from montforge.hardware.yosys import read_design, run_yosys
from montforge.work.templates import template
from planted import edited

from .designs import LOADED

pytestmark = pytest.mark.skipif(shutil.which("iverilog") is None, reason="needs iverilog")

WIDTH = 9
CYCLES = 4000
"""Icarus simulates a few hundred cycles of a large design in a second."""
ONE_VARIANT = ("fmlm", "fmle")
"""Architectures that are too large to run all variants."""
OTHERS: dict[str, dict[str, object]] = {
    "rmm": {"k": 3, "m": 2},
    "scs_mm_ct": {"block": 4},
    "tenca_koc": {"word": 4},
    "fmle": {"exponent_bits": 1},
}
POWERS: list[dict[str, object]] = [
    {"multiplier": "fcs_mmm42", "table": "block"},
    {"multiplier": "fios_dsp"},
    {"multiplier": "rmm", "multiplier.k": 3, "multiplier.m": 2},
    {"multiplier": "scs_mm_new", "constants": "hardware"},
    {"multiplier": "tenca_koc", "multiplier.word": 4},
    {"multiplier": "unit_csa", "multiplier.result": "nonnegative"},
    {"multiplier": "unit_dsp", "adder": 64},
    {"algorithm": "ladder", "multipliers": 2},
    {"algorithm": "r2l", "multipliers": 2},
    {"multiplier": "full_pipelined", "chains": 2},
]
"""Exponentiators over other multipliers, over two of them, and two in turn on one."""
SCRIPT = """\
proc; flatten; chformal -remove
memory_collect; memory_map; dffunmap
bmuxmap; demuxmap; bwmuxmap; techmap -map +/pmux2mux.v
setattr -set keep 1 w:core_*; opt_clean
write_verilog -noattr flat.v
"""
"""An unknown condition holds no register and chooses no branch; names of a form's ports stay."""


def designs() -> list[Design]:
    """Each architecture with each other choice of its parameters, in each form that is its own.

    Of forms that all have, one design each.
    """
    found = []
    for name in cores():
        several = variants(name, width=WIDTH, **OTHERS.get(name, {}))
        found += several[:1] if name in ONE_VARIANT else several
    found.append(design("fmlm", width=WIDTH, form="common"))
    found += [design("modexp", width=WIDTH, **parameters) for parameters in POWERS]
    native = [d.with_form(NATIVE) for d in found if NATIVE in d.forms]
    axi = {d.name: d.with_form(AXI) for d in reversed(found)}
    axis = [d.with_form(AXIS) for d in axi.values()]
    loaded = design("modexp", width=WIDTH, constants="hardware").with_form(AXI)
    return [*found, *native, *axi.values(), *axis, loaded]


DATA = {
    "s_axil_bvalid": ["s_axil_bresp"],
    "s_axil_rvalid": ["s_axil_rdata", "s_axil_rresp"],
    "m_axis_tvalid": ["m_axis_tdata", "m_axis_tlast", "m_axis_tuser"],
}
"""Outputs of buses that are known with another one; other outputs of one bit always are."""


def monitor(chosen: Design) -> str:
    """Return the end of a testbench that stops at an unknown output.

    Those are results and the form's own outputs; the driver looks at the handshakes of requests.
    """
    checks = [("rsp_valid", port.name) for port in chosen.contract.result_ports]
    if chosen.form != PARALLEL:
        qualified = {name for names in DATA.values() for name in names}
        for port in chosen.ports:
            wire = f"core_{port.name.removesuffix('_o')}"
            if port.direction == "output" and port.width == 1 and port.name not in qualified:
                checks.append(("rst_n", wire))
                checks += [(f"u_dut.{wire}", f"core_{name}") for name in DATA.get(port.name, [])]
    lines = "".join(
        f'    if ({valid} && ^u_dut.{name} === 1\'bx) $fatal(1, "{name} is unknown");\n'
        for valid, name in checks
    )
    return f"  always @(posedge clk) begin\n{lines}  end\nendmodule\n"


def four_state_run(chosen: Design | Simulated, folder: Path) -> str:
    """Return what the testbench of a design prints in Icarus."""
    simulated = driven(chosen)
    operations = max(1, min(60, CYCLES // simulated.contract.latency.maximum))
    tested = testbench.sample_operations(simulated, seed=1)[:operations]
    models = any(path.stem.isupper() for path in simulated.hardware.files)
    option = "--no-synthesis-define" if models else ""  # they are read, too
    script = f"{read_design(simulated.hardware)} {option}\n{SCRIPT}"
    run_yosys(script, log=folder / "yosys.log", timeout=600, cwd=folder)
    bench = verilog(
        "testbench.sv.in",
        **common_fields("chosen", simulated.design.title),
        what="it",
        dut=simulated.hardware.top,
        **testbench.testbench_fields(simulated, len(tested)),
    )
    (folder / "bench.sv").write_text(bench.rpartition("endmodule")[0] + monitor(simulated.design))
    (folder / "driver.sv").write_text(template("mf_tb_driver.sv"))
    (folder / "requests.hex").write_text(testbench.requests(simulated, tested, seed=1))
    (folder / "expected.hex").write_text(testbench.expected(simulated, tested))
    printed = ""
    for command in (
        ["iverilog", "-g2012", "-s", "chosen_tb", "-o", "run", "bench.sv", "driver.sv", "flat.v"],
        ["vvp", "-n", "run"],
    ):
        done = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, timeout=600, check=False
        )
        printed += done.stdout + done.stderr
    return printed


@pytest.mark.parametrize("chosen", designs(), ids=lambda d: d.identifier)
def test_nothing_unknown_comes_out(chosen: Design, tmp_path: Path) -> None:
    printed = four_state_run(chosen, tmp_path)
    assert ", 0 failed" in printed, printed


def designs_in_harnesses() -> list[Design]:
    """One of each kind of harness, and one with a load phase."""
    forms = {
        "axi": ("mm_r2", "modexp"),
        "axis": ("fios_dsp",),
        "native": ("eberle", "fios_dsp", "tenca_koc", "modexp"),
    }
    found = [design(n, width=WIDTH).with_form(form) for form in forms for n in forms[form]]
    return [*found, LOADED.with_form("axi")]


def icarus(chosen: Design, output: Path) -> subprocess.CompletedProcess[str]:
    operations = max(1, min(60, CYCLES // chosen.contract.latency.maximum))
    return subprocess.run(
        ["make", "icarus", f"ICARUS_OPERATIONS={operations}"],
        cwd=output,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=600,
        check=False,
    )


@pytest.mark.parametrize("chosen", designs_in_harnesses(), ids=lambda d: d.identifier)
def test_each_form_runs_and_a_wrong_value_is_seen(chosen: Design, tmp_path: Path) -> None:
    output = generate(chosen, tmp_path / "out", flat_verilog=True)
    run = icarus(chosen, output)
    assert run.returncode == 0, run.stdout
    assert ", 0 failed" in run.stdout
    expected = output / "tb" / "expected.hex"
    comment, first, *rest = expected.read_text().splitlines(keepends=True)
    changed = f"{first[:-2]}{int(first[-2], 16) ^ 1:x}\n"
    expected.write_text("".join((comment, changed, *rest)))
    run = icarus(chosen, output)
    assert run.returncode != 0
    assert "operation 0: the value is wrong" in run.stdout
    assert ", 1 failed" in run.stdout


FAULTS: dict[str, tuple[str, str, dict[str, object], str, str, str]] = {
    "the phase is not reset": (
        *("mm_r2", PARALLEL, {}),
        *("      state_q <= StIdle;\n", "", "rsp_valid is high in reset"),
    ),
    "the accumulator is not cleared": (
        *("mm_r2", PARALLEL, {}),
        *("        s_q <= '0;\n", "", "p_o is unknown"),
    ),
    "ready depends on an operand": (
        *("mm_r2", PARALLEL, {}),
        "req_ready_o = state_q == StIdle",
        "req_ready_o = state_q == StIdle && !(a_i[0] && b_i[0] && !n_i[0])",
        "req_ready is neither 0 nor 1",
    ),
    "an operand is not sampled": (
        *("mm_r2", PARALLEL, {}),
        *("b_q & {Width", "b_i & {Width", "p_o is unknown"),
    ),
    "n is taken with the request, not with the load": (
        *("modexp", PARALLEL, {"constants": "hardware"}),
        *(".n_i         (n)", ".n_i         (n_i)", "rsp_valid is neither 0 nor 1"),
    ),
    "words that were not taken are added": (
        *("tenca_koc", NATIVE, {"word": 4}),
        *("b_word_i & {Word{words_left_q}}", "b_word_i", "unknown"),
    ),
    "operands are written without valid": (
        *("modexp", NATIVE, {}),
        *("write_valid_i && write_ready_o", "write_ready_o", "unknown"),
    ),
    "data is taken with the address": (
        *("mm_r2", AXI, {}),
        "if (s_axil_wvalid && s_axil_wready)",
        *("if (s_axil_awvalid && s_axil_awready)", "unknown"),
    ),
    "the address is taken with the data": (
        *("mm_r2", AXI, {}),
        "if (s_axil_awvalid && s_axil_awready)",
        *("if (s_axil_wvalid && s_axil_wready)", "is"),
    ),
    "a word is taken without its valid": (
        *("mm_r2", AXIS, {}),
        "take_word     = s_axis_tvalid && s_axis_tready",
        *("take_word     = s_axis_tready", "unknown"),
    ),
    "the strobe is looked at behind the transfer": (
        *("mm_r2", AXI, {}),
        *("do_write && !w_whole_q", "do_write && s_axil_wstrb != '1", "is unknown"),
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_planted_faults_are_caught(fault: str, tmp_path: Path) -> None:
    name, form, parameters, old, new, message = FAULTS[fault]
    plain = design(name, width=WIDTH, **parameters).with_form(form)
    printed = four_state_run(edited(plain, old, new, tmp_path), tmp_path)
    assert ", 0 failed" not in printed
    assert message in printed
