# SPDX-License-Identifier: Apache-2.0
"""The cocotb side of test_axi_form.py: an AXI4-Lite master with stalls on all five channels."""

from __future__ import annotations

import itertools
import os
import random
from collections.abc import Iterator
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, Combine, RisingEdge, with_timeout
from cocotbext.axi import AxiLiteBus, AxiLiteMaster, AxiResp

from montforge.arch import design
from montforge.hardware.axi import windows

SEED = int(os.environ["BENCH_SEED"])
CORE = design("mm_r2", width=40)
PLACES = {window.port.name: window.address for window in windows(CORE.contract)}
CTRL, LENGTH, STATUS, INTR_STATE, INTR_ENABLE = 0x0C, 0x14, 0x18, 0x1C, 0x20
BYTES = 8


async def started(dut: Any, rng: random.Random) -> AxiLiteMaster:
    cocotb.start_soon(Clock(dut.clk_i, 10, unit="ns").start())
    master = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axil"), dut.clk_i, dut.rst_ni, False)

    def pauses(share: float) -> Iterator[bool]:
        return (rng.random() < share for _ in itertools.count())

    write, read = master.write_if, master.read_if
    for channel in (write.aw_channel, write.w_channel, write.b_channel, read.ar_channel,
                    read.r_channel):  # fmt: skip
        channel.set_pause_generator(pauses(rng.uniform(0, 0.8)))
    dut.rst_ni.value = 0
    await ClockCycles(dut.clk_i, 3)
    dut.rst_ni.value = 1
    await RisingEdge(dut.clk_i)
    return master


@cocotb.test()
async def products_under_stalls(dut: Any) -> None:
    rng = random.Random(SEED)
    master = await started(dut, rng)
    await master.write_dword(INTR_ENABLE, 1)
    for _ in range(6):
        n = rng.getrandbits(40) | 1 << 39 | 1
        a, b = rng.randrange(2 * n) % n, rng.randrange(n)
        values = CORE.encode(a, b, n)
        for port, value in zip(CORE.contract.operand_ports, values, strict=True):
            done = await master.write(PLACES[port.name], value.to_bytes(BYTES, "little"))
            assert done.resp == AxiResp.OKAY
        await master.write_dword(CTRL, 1)
        if not dut.irq_o.value:
            await with_timeout(RisingEdge(dut.irq_o), 100, "us")
        answer = await master.read(PLACES["p_o"], BYTES)
        assert int.from_bytes(answer.data, "little") == CORE.golden(a, b, n)
        await master.write_dword(INTR_STATE, 1)
        await ClockCycles(dut.clk_i, 2)
        assert not dut.irq_o.value


@cocotb.test()
async def reads_and_writes_at_once(dut: Any) -> None:
    """Neither kind starves, and each gets its own answer."""
    rng = random.Random(SEED + 1)
    master = await started(dut, rng)
    for turn in range(12):
        await master.write_dword(LENGTH, turn)
        value = rng.getrandbits(32)
        write = cocotb.start_soon(master.write_dword(LENGTH, value))
        reads = [cocotb.start_soon(master.read_dword(LENGTH)) for _ in range(3)]
        await with_timeout(Combine(write, *reads), 100, "us")
        seen = [int(task.result()) for task in reads]
        assert set(seen) <= {turn, value}
        assert int(await master.read_dword(LENGTH)) == value


@cocotb.test()
async def writes_of_bytes_are_refused(dut: Any) -> None:
    master = await started(dut, random.Random(SEED + 2))
    await master.write_dword(LENGTH, 0x01234567)
    for place, size in ((0, 1), (1, 1), (2, 2), (3, 1), (0, 3)):
        done = await master.write(LENGTH + place, bytes([0xFF] * size))
        assert done.resp == AxiResp.SLVERR
    assert int(await master.read_dword(LENGTH)) == 0x01234567
