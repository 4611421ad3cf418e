# SPDX-License-Identifier: Apache-2.0
"""The cocotb side of the comparison: waits on edges of the handshake, not on every cycle."""

from __future__ import annotations

import json
import os
import random
import time
from pathlib import Path

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ReadOnly, RisingEdge
from cocotb.utils import get_sim_time

from montforge.arch import core

PERIOD = 2


@cocotb.test()
async def multiply(dut):  # type: ignore[no-untyped-def]
    """Run random operations back to back and check each product."""
    chosen = core(os.environ["BENCH_ARCHITECTURE"], width=int(os.environ["BENCH_WIDTH"]))
    contract = chosen.contract
    operand_ports = [getattr(dut, port.name) for port in contract.operand_ports]
    result_ports = [getattr(dut, port.name) for port in contract.result_ports]
    rng = random.Random(1)
    dut.rst_ni.value = 0
    dut.req_valid_i.value = 0
    dut.rsp_ready_i.value = 1
    Clock(dut.clk_i, PERIOD, unit="step").start()
    await RisingEdge(dut.clk_i)
    await RisingEdge(dut.clk_i)
    dut.rst_ni.value = 1
    await RisingEdge(dut.clk_i)

    operations = int(os.environ["BENCH_OPERATIONS"])
    first_step = get_sim_time("step")
    start = time.perf_counter()
    for _ in range(operations):
        n = rng.getrandbits(contract.width) | 1 << (contract.width - 1) | 1
        a, b = rng.randrange(n), rng.randrange(n)
        for port, value in zip(operand_ports, chosen.encode(a, b, n), strict=True):
            port.value = value
        dut.req_valid_i.value = 1
        if not int(dut.req_ready_o.value):
            await RisingEdge(dut.req_ready_o)
        await RisingEdge(dut.clk_i)
        dut.req_valid_i.value = 0
        await RisingEdge(dut.rsp_valid_o)
        await ReadOnly()
        result = contract.result_encoding.decode(tuple(int(p.value) for p in result_ports))
        assert (result * contract.r - a * b) % n == 0
        await RisingEdge(dut.clk_i)
    seconds = time.perf_counter() - start
    cycles = (get_sim_time("step") - first_step) / PERIOD
    figures = {"operations": operations, "cycles": cycles, "seconds": seconds}
    Path(os.environ["BENCH_RESULT"]).write_text(json.dumps(figures))
