# SPDX-License-Identifier: Apache-2.0
"""The cocotb side of test_mf_rsa_axis.py: requests and responses by cocotbext-axi."""

from __future__ import annotations

import itertools
import os
import random
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge, with_timeout
from cocotb.utils import get_sim_time
from cocotbext.axi import AxiStreamBus, AxiStreamFrame, AxiStreamSink, AxiStreamSource
from random_words import random_words

from montforge.arch.rsa.key import Key
from montforge.arch.rsa.model import FULL, LOAD, PRIVATE, PUBLIC, Error

BITS = int(os.environ["BENCH_BITS"])
SEED = int(os.environ["BENCH_SEED"])
FULL_BYTES, HALF_BYTES = -(-BITS // 32) * 4, -(-(BITS // 2) // 32) * 4
KEY = Key.of(57329, 64037, 17)
D = pow(KEY.e, -1, (KEY.p - 1) * (KEY.q - 1))
TAG = 0xA5
PERIOD_NS = 10


class Bench:
    """The device with its clock, random words, a source of requests, a sink of responses."""

    def __init__(self, dut: Any) -> None:
        self.dut = dut
        self.rng = random.Random(SEED)
        cocotb.start_soon(Clock(dut.clk_i, PERIOD_NS, unit="ns").start())
        clock = (dut.clk_i, dut.rst_ni, False)
        self.source = AxiStreamSource(AxiStreamBus.from_prefix(dut, "s_axis"), *clock, byte_lanes=4)
        self.sink = AxiStreamSink(AxiStreamBus.from_prefix(dut, "m_axis"), *clock, byte_lanes=4)
        cocotb.start_soon(random_words(dut, self.rng))

    async def reset(self) -> None:
        for name in ("abort_i", "zeroize_all_i", "load_lock_i", "rst_ni"):
            getattr(self.dut, name).value = 0
        await ClockCycles(self.dut.clk_i, 3)
        self.dut.rst_ni.value = 1
        await RisingEdge(self.dut.clk_i)

    def stall(self) -> None:
        """Pause both streams at random, that of responses most of the time."""
        self.source.set_pause_generator(self.rng.random() < 0.5 for _ in itertools.count())
        self.sink.set_pause_generator(self.rng.random() < 0.9 for _ in itertools.count())

    async def ask(self, request: bytes) -> tuple[int, int, int | None]:
        """Return tag, error and y of the response."""
        await self.source.send(AxiStreamFrame(request))
        return await self.answer()

    async def answer(self) -> tuple[int, int, int | None]:
        frame = await with_timeout(self.sink.recv(compact=False), 1, "ms")
        data = bytes(frame.tdata)
        error, tag = data[0], data[1]
        assert data[2:4] == bytes(2)
        assert any(frame.tuser) == (error != 0)
        if len(data) == 4:
            return tag, error, None
        assert len(data) == 4 + FULL_BYTES, "a response of another length"
        return tag, error, int.from_bytes(data[4:], "little")


def request(op: int, *operands: int, slot: int = 0, e_bits: int = 0) -> bytes:
    """Return a packet; five operands more than two are the parts of a key."""
    head = op | slot << 4 | TAG << 8, KEY.n.bit_length() | e_bits << 16
    sizes = [FULL_BYTES] * min(len(operands), 3 if op != LOAD else 2)
    sizes += [HALF_BYTES] * (len(operands) - len(sizes))
    return b"".join(word.to_bytes(4, "little") for word in head) + b"".join(
        value.to_bytes(size, "little") for value, size in zip(operands, sizes, strict=True)
    )


LOADING = request(LOAD, KEY.n, KEY.e, KEY.p, KEY.q, KEY.dp, KEY.dq, KEY.qinv)


async def loaded(dut: Any) -> Bench:
    bench = Bench(dut)
    await bench.reset()
    assert await bench.ask(LOADING) == (TAG, 0, None)
    return bench


@cocotb.test()
async def operations_with_random_stalls(dut: Any) -> None:
    bench = await loaded(dut)
    bench.stall()
    for x in (0, 5, KEY.n - 1, bench.rng.randrange(KEY.n)):
        assert await bench.ask(request(PRIVATE, x)) == (TAG, 0, pow(x, D, KEY.n))
        for op, e in ((PUBLIC, KEY.e), (FULL, D)):
            packet = request(op, KEY.n, e, x, e_bits=e.bit_length())
            assert await bench.ask(packet) == (TAG, 0, pow(x, e, KEY.n))


@cocotb.test()
async def one_operation_at_a_time(dut: Any) -> None:
    bench = await loaded(dut)
    begun = get_sim_time("ns")
    assert await bench.ask(request(PRIVATE, 3)) == (TAG, 0, pow(3, D, KEY.n))
    cycles = int(get_sim_time("ns") - begun) // PERIOD_NS
    bench.sink.pause = True
    for x in range(3):
        await bench.source.send(AxiStreamFrame(request(PRIVATE, x)))
    await ClockCycles(dut.clk_i, 4 * cycles)
    assert not bench.source.empty(), "a request was taken before the response was sent"
    bench.sink.pause = False
    for x in range(3):
        assert await bench.answer() == (TAG, 0, pow(x, D, KEY.n))


@cocotb.test()
async def malformed_packets(dut: Any) -> None:
    bench = await loaded(dut)
    whole = request(PRIVATE, 5)
    for packet, error in (
        (whole[:4], Error.LENGTH),
        (whole[:8], Error.LENGTH),
        (whole[:-4], Error.LENGTH),
        (whole + bytes(4), Error.LENGTH),
        (whole + bytes(80), Error.LENGTH),
        (LOADING[:-4], Error.LENGTH),
        (request(0, 5), Error.OPERATION),
        (request(7, 5, 6, 7), Error.OPERATION),
        (request(PRIVATE, KEY.n), Error.MESSAGE),
        (request(PRIVATE, 5, slot=9), Error.USE),
    ):
        assert await bench.ask(packet) == (TAG, error, None)
        assert await bench.ask(whole) == (TAG, 0, pow(5, D, KEY.n))
    dut.load_lock_i.value = 1
    assert await bench.ask(LOADING) == (TAG, Error.OPERATION, None)


@cocotb.test()
async def aborted_and_wiped(dut: Any) -> None:
    bench = await loaded(dut)
    await bench.source.send(AxiStreamFrame(request(PRIVATE, 5)))
    await ClockCycles(dut.clk_i, 500)
    dut.abort_i.value = 1
    await ClockCycles(dut.clk_i, 1)
    dut.abort_i.value = 0
    assert await bench.answer() == (TAG, Error.ABORTED, None)
    assert await bench.ask(request(PRIVATE, 5)) == (TAG, 0, pow(5, D, KEY.n)), "keys stay"
    for busy in (True, False):
        if busy:
            await bench.source.send(AxiStreamFrame(request(PRIVATE, 5)))
            await ClockCycles(dut.clk_i, 500)
        dut.zeroize_all_i.value = 1
        await ClockCycles(dut.clk_i, 1)
        dut.zeroize_all_i.value = 0
        if busy:
            assert await bench.answer() == (TAG, Error.ABORTED, None)
        assert await bench.ask(request(PRIVATE, 5)) == (TAG, Error.SLOT_EMPTY, None)
        assert await bench.ask(LOADING) == (TAG, 0, None)


@cocotb.test()
async def ended_at_random_cycles(dut: Any) -> None:
    """In the request, the operation and the response, which the sink does not take at first."""
    bench = await loaded(dut)
    packet, right = request(PRIVATE, 5), (TAG, 0, pow(5, D, KEY.n))
    bench.sink.pause = True
    await bench.source.send(AxiStreamFrame(packet))
    begun = get_sim_time("ns")
    await RisingEdge(dut.m_axis_tvalid)
    cycles = int(get_sim_time("ns") - begun) // PERIOD_NS
    bench.sink.pause = False
    assert await bench.answer() == right
    for at in (2, bench.rng.randrange(cycles), cycles + 9):
        for reset in (False, True)[: 1 + (at > 2)]:
            bench.sink.pause = True
            await bench.source.send(AxiStreamFrame(packet))
            await ClockCycles(dut.clk_i, at)
            if reset:
                await bench.reset()
                bench.source.clear()
            else:
                dut.abort_i.value = 1
                await ClockCycles(dut.clk_i, 1)
                dut.abort_i.value = 0
            bench.sink.pause = False
            if reset:
                assert await bench.ask(packet) == (TAG, Error.SLOT_EMPTY, None)
                assert await bench.ask(LOADING) == (TAG, 0, None)
            elif at <= cycles:
                assert await bench.answer() == (TAG, Error.ABORTED, None)
            else:
                # Its first beat, which must not change, was there before: zeros for y.
                frame = await with_timeout(bench.sink.recv(compact=False), 1, "ms")
                assert bytes(frame.tdata) == bytes([0, TAG, *bytes(2 + FULL_BYTES)])
                assert any(frame.tuser)
            assert await bench.ask(packet) == right


@cocotb.test()
async def a_fault_marks_the_words(dut: Any) -> None:
    """A host that has the status without an error sees that no result came with it."""
    bench = await loaded(dut)
    bench.sink.pause = True
    await bench.source.send(AxiStreamFrame(request(PRIVATE, 5)))
    await RisingEdge(dut.m_axis_tvalid)
    dut.u_engine.u_control.error_q.value = int(Error.FAULT)
    bench.sink.pause = False
    frame = await with_timeout(bench.sink.recv(compact=False), 1, "ms")
    assert bytes(frame.tdata) == bytes([0, TAG, *bytes(2 + FULL_BYTES)])
    assert any(frame.tuser)
