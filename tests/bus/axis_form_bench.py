# SPDX-License-Identifier: Apache-2.0
"""The cocotb side of test_axis_form.py: packets by cocotbext-axi, several under way."""

from __future__ import annotations

import itertools
import json
import os
import random
from collections.abc import Iterator
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, ReadOnly, RisingEdge, with_timeout
from cocotbext.axi import AxiStreamBus, AxiStreamFrame, AxiStreamSink, AxiStreamSource

from montforge.arch import core
from montforge.hardware.axi import INPUTS, windows
from montforge.verify.stimuli import stimuli

DESIGN = core(os.environ["BENCH_NAME"], **json.loads(os.environ["BENCH_PARAMETERS"]))
INTERVAL = int(os.environ["BENCH_INTERVAL"])
CONTRACT = DESIGN.contract
PLACES = windows(CONTRACT)
FIELDS = [place for place in PLACES if place.port.direction == "input"]
REQUEST = sum(place.words for place in FIELDS)
RESPONSE = sum(place.words for place in PLACES) - REQUEST
SHORT, LONG, WIDE = 1, 2, 3
LONG_WAIT = 4000
"""Cycles; many times an operation's."""
PRODUCTS = 12


class Bench:
    """The device with its clock, a source of requests, a sink of responses."""

    def __init__(self, dut: Any) -> None:
        self.dut = dut
        self.rng = random.Random(1)
        cocotb.start_soon(Clock(dut.clk_i, 10, unit="ns").start())
        clock = (dut.clk_i, dut.rst_ni, False)
        self.source = AxiStreamSource(AxiStreamBus.from_prefix(dut, "s_axis"), *clock, byte_lanes=4)
        self.sink = AxiStreamSink(AxiStreamBus.from_prefix(dut, "m_axis"), *clock, byte_lanes=4)

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
        """Return a request and its result."""
        drawn = stimuli(CONTRACT)
        n = CONTRACT.modulus.only or self.rng.getrandbits(CONTRACT.width) | 1 | 4
        operation = next(drawn.random(self.rng, n))
        patterns = DESIGN.encode(rng=self.rng, **operation)
        words = b"".join(
            pattern.to_bytes(4 * place.words, "little")
            for place, pattern in zip(FIELDS, patterns, strict=True)
        )
        return words, DESIGN.golden(**operation)

    def malformed(self, kind: int) -> bytes:
        request, _ = self.operation()
        if kind == SHORT:
            return request[: 4 * self.rng.randrange(1, REQUEST)]
        if kind == LONG:
            return request + bytes(4 * self.rng.randrange(1, 2 * REQUEST))
        field = self.rng.choice([place for place in FIELDS if place.zeros])
        last = field.address - INPUTS + 4 * field.words - 1
        return request[:last] + bytes([request[last] | 0x80]) + request[last + 1 :]

    async def send(self, request: bytes) -> None:
        await self.source.send(AxiStreamFrame(request))

    async def expect(self, result: int) -> None:
        frame = await with_timeout(self.sink.recv(compact=False), 100, "us")
        assert not any(frame.tuser), "a refusal instead of a result"
        assert len(frame.tdata) == 4 * RESPONSE
        found = [
            int.from_bytes(frame.tdata[4 * at : 4 * (at + place.words)], "little")
            for place, at in zip(PLACES[len(FIELDS) :], itertools.count(), strict=False)
        ]
        assert CONTRACT.decode(found)[CONTRACT.results[0].name] == result

    async def expect_refusal(self, kind: int) -> None:
        frame = await with_timeout(self.sink.recv(compact=False), 100, "us")
        assert all(frame.tuser), "a result instead of a refusal"
        assert bytes(frame.tdata) == bytes([kind, 0, 0, 0])


async def started(dut: Any) -> Bench:
    bench = Bench(dut)
    await bench.reset()
    return bench


@cocotb.test()
async def results_with_random_stalls(dut: Any) -> None:
    bench = await started(dut)
    for _ in range(6):
        bench.stall()
        operations = [bench.operation() for _ in range(20)]
        for request, _ in operations:
            await bench.send(request)
        for _, result in operations:
            await bench.expect(result)
        await bench.send(bench.malformed(LONG))
        await bench.expect_refusal(LONG)  # which waits until nothing is under way


@cocotb.test()
async def malformed_requests_are_answered_in_order(dut: Any) -> None:
    bench = await started(dut)
    bench.stall()
    kinds = [0, SHORT, LONG, 0, WIDE, 0, 0, LONG, SHORT, SHORT, WIDE, WIDE, 0, 0, LONG, WIDE, 0]
    kinds = [LONG if kind == SHORT and REQUEST == 1 else kind for kind in kinds]
    results = []
    for kind in kinds:
        request, result = bench.operation()
        results.append(result)
        await bench.send(bench.malformed(kind) if kind else request)
    for kind, result in zip(kinds, results, strict=True):
        await (bench.expect_refusal(kind) if kind else bench.expect(result))


@cocotb.test()
async def reset_in_the_middle(dut: Any) -> None:
    """Of a request, of products and of a response."""
    bench = await started(dut)
    for at in (*range(1, 9), *(bench.rng.randrange(9, 200) for _ in range(8))):
        for _ in range(3):
            await bench.send(bench.operation()[0])
        await ClockCycles(dut.clk_i, at)
        bench.source.clear()
        await bench.reset()
        bench.sink.clear()
        await ClockCycles(dut.clk_i, bench.rng.randrange(1, 200))
        assert bench.sink.empty(), "a response to a request before the reset"
        request, result = bench.operation()
        await bench.send(request)
        await bench.expect(result)


@cocotb.test()
async def nothing_is_lost_under_long_back_pressure(dut: Any) -> None:
    bench = await started(dut)
    bench.sink.pause = True
    operations = [bench.operation() for _ in range(40)]
    for request, _ in operations:
        await bench.send(request)
    await ClockCycles(dut.clk_i, LONG_WAIT)
    assert not bench.source.empty(), "more requests were taken than there is room for"
    bench.sink.pause = False
    for _, result in operations:
        await bench.expect(result)


@cocotb.test()
async def without_pauses_packets_follow_at_the_interval(dut: Any) -> None:
    bench = await started(dut)
    for _ in range(PRODUCTS):
        await bench.send(bench.operation()[0])
    taken, ended = [], []
    for cycle in itertools.count():
        await ReadOnly()
        if dut.s_axis_tvalid.value and dut.s_axis_tready.value and dut.s_axis_tlast.value:
            taken.append(cycle)
        if dut.m_axis_tvalid.value and dut.m_axis_tready.value and dut.m_axis_tlast.value:
            ended.append(cycle)
        if len(ended) == PRODUCTS:
            break
        assert cycle < LONG_WAIT
        await RisingEdge(dut.clk_i)
    assert {b - a for a, b in itertools.pairwise(ended)} == {INTERVAL}
    stated = DESIGN.with_form("axis").contract
    assert stated.interval.minimum <= INTERVAL <= stated.interval.maximum
    assert ended[0] - taken[0] == stated.latency.minimum + RESPONSE
