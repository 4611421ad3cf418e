# SPDX-License-Identifier: Apache-2.0
"""The cocotb side of test_mf_fios_dsp_axi.py: packets and register accesses by cocotbext-axi."""

from __future__ import annotations

import itertools
import json
import os
import random
from collections.abc import Iterator
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge, with_timeout
from cocotbext.axi import (
    AxiLiteBus,
    AxiLiteMaster,
    AxiResp,
    AxiStreamBus,
    AxiStreamFrame,
    AxiStreamSink,
    AxiStreamSource,
)

from montforge.arch import design

DESIGN = design("fios_dsp", **json.loads(os.environ["BENCH_PARAMETERS"]))
SEED = int(os.environ["BENCH_SEED"])
OPERAND_BYTES = -(-DESIGN.contract.operand_encoding.width // 32) * 4
MODULUS_BYTES = -(-DESIGN.contract.constants_spec[0].width // 32) * 4
REQUEST_BYTES = 2 * OPERAND_BYTES + MODULUS_BYTES
ID, SIZE, BEATS, CONTROL, STATUS, PRODUCTS, ERRORS = range(0, 28, 4)
SHORT, LONG, WIDE = 1, 2, 3
MAGIC = 0x46494F53
LONG_WAIT = 4000
"""Cycles; many times an operation's."""


class Bench:
    """The device with its clock, a source of requests, a sink of responses, a register master."""

    def __init__(self, dut: Any) -> None:
        self.dut = dut
        self.rng = random.Random(SEED)
        cocotb.start_soon(Clock(dut.clk_i, 10, unit="ns").start())
        clock = (dut.clk_i, dut.rst_ni, False)
        self.source = AxiStreamSource(AxiStreamBus.from_prefix(dut, "s_axis"), *clock, byte_lanes=4)
        self.sink = AxiStreamSink(AxiStreamBus.from_prefix(dut, "m_axis"), *clock, byte_lanes=4)
        self.registers = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axil"), *clock)

    async def reset(self) -> None:
        self.dut.rst_ni.value = 0
        await ClockCycles(self.dut.clk_i, 3)
        self.dut.rst_ni.value = 1
        await RisingEdge(self.dut.clk_i)

    def stall(self) -> None:
        """Pause both streams at random, each with its own share of cycles."""

        def pauses(share: float) -> Iterator[bool]:
            return (self.rng.random() < share for _ in itertools.count())

        self.source.set_pause_generator(pauses(self.rng.uniform(0, 0.7)))
        self.sink.set_pause_generator(pauses(self.rng.uniform(0, 0.9)))

    def operation(self) -> tuple[bytes, int]:
        """Return a request and its product."""
        n = self.rng.getrandbits(DESIGN.contract.width) | 1 | 4
        top = DESIGN.contract.operand_bound.upper(n)
        a, b = self.rng.randrange(top), self.rng.randrange(top)
        n_words = DESIGN.constants(n)["n_words"]
        parts = ((a, OPERAND_BYTES), (b, OPERAND_BYTES), (n_words, MODULUS_BYTES))
        return b"".join(v.to_bytes(size, "little") for v, size in parts), DESIGN.golden(a, b, n)

    def malformed(self, kind: int) -> bytes:
        request, _ = self.operation()
        if kind == SHORT:
            return request[: 4 * self.rng.randrange(1, REQUEST_BYTES // 4)]
        if kind == LONG:
            return request + bytes(4 * self.rng.randrange(1, 2 * REQUEST_BYTES // 4))
        place = self.rng.choice((OPERAND_BYTES, 2 * OPERAND_BYTES, REQUEST_BYTES)) - 1
        return request[:place] + bytes([request[place] | 0x80]) + request[place + 1 :]

    async def send(self, request: bytes) -> None:
        await self.source.send(AxiStreamFrame(request))

    async def expect(self, product: int) -> None:
        frame = await with_timeout(self.sink.recv(compact=False), 100, "us")
        assert not any(frame.tuser), "an error response instead of a product"
        assert len(frame.tdata) == OPERAND_BYTES
        assert int.from_bytes(frame.tdata, "little") == product

    async def expect_error(self, kind: int) -> None:
        frame = await with_timeout(self.sink.recv(compact=False), 100, "us")
        assert all(frame.tuser), "a product instead of an error response"
        assert int.from_bytes(frame.tdata, "little") == kind
        assert len(frame.tdata) == 4

    async def read(self, address: int) -> int:
        return int(await self.registers.read_dword(address))


async def started(dut: Any) -> Bench:
    bench = Bench(dut)
    await bench.reset()
    return bench


@cocotb.test()
async def products_with_random_stalls(dut: Any) -> None:
    bench = await started(dut)
    for _ in range(6):
        bench.stall()
        operations = [bench.operation() for _ in range(5)]
        for request, _ in operations:
            await bench.send(request)
        for _, product in operations:
            await bench.expect(product)
    assert await bench.read(PRODUCTS) == 30
    assert await bench.read(ERRORS) == 0
    assert await bench.read(STATUS) == 0


@cocotb.test()
async def malformed_requests_are_answered_in_order(dut: Any) -> None:
    bench = await started(dut)
    bench.stall()
    kinds = [0, SHORT, LONG, 0, WIDE, 0, 0, LONG, SHORT, SHORT, SHORT, SHORT, SHORT, WIDE, 0, LONG]
    products = []
    for kind in kinds:
        request, product = bench.operation()
        products.append(product)
        await bench.send(bench.malformed(kind) if kind else request)
    for kind, product in zip(kinds, products, strict=True):
        await (bench.expect_error(kind) if kind else bench.expect(product))
    await RisingEdge(dut.clk_i)
    assert await bench.read(PRODUCTS) == kinds.count(0)
    assert await bench.read(ERRORS) == len(kinds) - kinds.count(0)
    assert await bench.read(STATUS) == LONG << 8


@cocotb.test()
async def registers(dut: Any) -> None:
    bench = await started(dut)
    assert await bench.read(ID) == MAGIC
    assert await bench.read(SIZE) == DESIGN.contract.width | DESIGN.word_width << 16
    assert await bench.read(BEATS) == REQUEST_BYTES // 4 | OPERAND_BYTES // 4 << 16
    for address in (ID, STATUS, ERRORS + 4):
        assert (await bench.registers.write(address, bytes(4))).resp == AxiResp.SLVERR
    assert (await bench.registers.read(ERRORS + 4, 4)).resp == AxiResp.SLVERR
    await bench.registers.write_dword(CONTROL, 0)
    request, product = bench.operation()
    await bench.send(request)
    await ClockCycles(dut.clk_i, LONG_WAIT)
    assert bench.sink.empty(), "a request was taken while the device was disabled"
    await bench.registers.write_dword(CONTROL, 1)
    await bench.expect(product)


@cocotb.test()
async def reset_in_the_middle(dut: Any) -> None:
    bench = await started(dut)
    for _ in range(8):
        for _ in range(3):
            await bench.send(bench.operation()[0])
        await ClockCycles(dut.clk_i, bench.rng.randrange(1, 300))
        bench.source.clear()
        await bench.reset()
        bench.sink.clear()
        await ClockCycles(dut.clk_i, bench.rng.randrange(1, 300))
        assert bench.sink.empty(), "a response to a request before the reset"
        assert await bench.read(PRODUCTS) == 0
        request, product = bench.operation()
        await bench.send(request)
        await bench.expect(product)


@cocotb.test()
async def nothing_is_lost_under_long_back_pressure(dut: Any) -> None:
    bench = await started(dut)
    bench.sink.pause = True
    operations = [bench.operation() for _ in range(12)]
    for request, _ in operations:
        await bench.send(request)
    await ClockCycles(dut.clk_i, LONG_WAIT)
    assert not bench.source.empty(), "the device took more requests than it has room for"
    bench.sink.pause = False
    for _, product in operations:
        await bench.expect(product)
