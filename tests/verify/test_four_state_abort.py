# SPDX-License-Identifier: Apache-2.0
"""Aborts in four-state runs: abort_i while a core is idle, at work, and while a response waits."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from montforge.arch import Simulated, design, driven
from montforge.generate import testbench
from montforge.hardware.verilog import bindings
from montforge.hardware.yosys import read_design, run_yosys
from planted import edited

from .test_four_state import SCRIPT

pytestmark = pytest.mark.skipif(shutil.which("iverilog") is None, reason="needs iverilog")

BENCH = """\
module bench;
  logic clk = 0, rst_n = 0, req_valid = 0, rsp_ready = 0, abort = 0;
  wire req_ready, rsp_valid;
  logic [@W-1:0] request = 'x;
  wire [@R-1:0] result;
  wire [3:0] error;
  always #5 clk = !clk;
  always @(negedge clk) if (rst_n) begin
    if (^{req_ready, rsp_valid} === 1'bx) $fatal(1, "a handshake is unknown");
    if (rsp_valid && ^{result, error} === 1'bx) $fatal(1, "a result is unknown");
  end
  initial begin #@T $fatal(1, "no end"); end
  task pulse; begin abort = 1; @(negedge clk); abort = 0; end endtask
  task send(input [@W-1:0] operands); begin
    req_valid = 1; request = operands; #1;
    while (!req_ready) begin @(negedge clk); #1; end
    @(negedge clk); req_valid = 0; request = 'x;
  end endtask
  task take; begin
    while (!rsp_valid) @(negedge clk);
    rsp_ready = 1; @(negedge clk); rsp_ready = 0;
  end endtask
  @TOP u_dut (
@C
  );
  initial begin
    repeat (4) @(negedge clk);
    rst_n = 1;
@S
    $display("passed");
    $finish;
  end
endmodule
"""


def aborted_run(simulated: Simulated, folder: Path) -> str:
    """Return what Icarus prints of operations that are aborted, each done again afterwards."""
    latency = simulated.contract.latency.maximum
    script = f"{read_design(simulated.hardware)}\n{SCRIPT}"
    run_yosys(script, log=folder / "yosys.log", timeout=600, cwd=folder)
    tested = testbench.sample_operations(simulated, seed=1)[:2]
    fields = testbench.testbench_fields(simulated, len(tested))
    width = fields["request_width"]
    connections = (
        bindings(fields["connections"]).replace("(1'd0)", "(abort)").replace("_o()", "_o(error)")
    )
    lines = testbench.requests(simulated, tested, seed=1).splitlines()[1:]
    steps = []
    for line, operation in zip(lines, tested, strict=True):
        for wait in (0, 1, 7, latency // 2, latency + 9):
            ask = f"send({width}'h{line});"
            steps += [
                f"pulse; {ask} repeat ({wait}) @(negedge clk); pulse; take; {ask}",
                "while (!rsp_valid) @(negedge clk);",
                f'if (result !== {simulated.golden(**operation)}) $fatal(1, "wrong"); take;',
            ]
    text = BENCH
    for name, value in {
        "@TOP": simulated.hardware.top,
        "@T": str(1000 * latency),
        "@W": str(width),
        "@R": str(fields["result_width"]),
        "@C": connections,
        "@S": "\n".join(steps),
    }.items():
        text = text.replace(name, value)
    (folder / "bench.sv").write_text(text)
    printed = ""
    for command in ("iverilog -g2012 -s bench -o run bench.sv flat.v", "vvp -n run"):
        done = subprocess.run(
            command.split(), cwd=folder, capture_output=True, text=True, timeout=600, check=False
        )
        printed += done.stdout + done.stderr
    return printed


POWERS: list[dict[str, object]] = [
    {},
    {"multiplier": "fcs_mmm42", "table": "block"},
    {"algorithm": "ladder", "multipliers": 2},
]


@pytest.mark.parametrize("parameters", POWERS, ids=str)
def test_after_an_abort_nothing_is_unknown(parameters: dict[str, object], tmp_path: Path) -> None:
    chosen = driven(design("modexp", width=9, exponent_bits=4, **parameters))
    printed = aborted_run(chosen, tmp_path)
    assert "passed" in printed, printed


def test_an_abort_that_is_forgotten_is_seen(tmp_path: Path) -> None:
    plain = design("modexp", width=9, exponent_bits=4)
    bug = edited(plain, "      aborted_q <= aborted_d;\n", "", tmp_path)
    assert "passed" not in aborted_run(driven(bug), tmp_path)
