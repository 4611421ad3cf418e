# SPDX-License-Identifier: Apache-2.0
"""The bus between a driver and a device that cocotb simulates.

A driver blocks while it waits. In a test of cocotb, whose simulator must go on meanwhile, it runs
in a function that ``cocotb.task.bridge`` starts:

    bus = CocotbBus(master, dut.clk_i, dut.rst_ni, dut.irq_o)
    await bridge(sign)(bus)    # def sign(bus): engine = RsaEngine(bus); engine.load_key(0, key) ...
"""

from __future__ import annotations

from collections.abc import Coroutine, Sequence
from typing import Any

import cocotb
from cocotb.handle import LogicObject
from cocotb.task import resume
from cocotb.triggers import ClockCycles, First, RisingEdge, Trigger

from montforge.errors import ParameterError
from montforge.host.bus import HANG, OKAY, BusError

PATIENCE = 1000
"""Cycles in which an access must be answered."""
WORD_BYTES = 4
BYTES_OF_STROBES = {
    (1 << size) - 1 << first: (first, size)
    for size in range(1, WORD_BYTES + 1)
    for first in range(WORD_BYTES + 1 - size)
}
"""First byte and number of bytes for the strobes of bytes side by side."""


class CocotbBus:
    """A `montforge.host.bus.Bus` over an AXI4-Lite master of cocotbext-axi.

    Its methods are for functions that ``cocotb.task.bridge`` started.
    """

    def __init__(
        self,
        master: Any,
        clock: LogicObject,
        reset: LogicObject,
        irq: LogicObject,
        *,
        base: int = 0,
    ) -> None:
        """Drive a device at address ``base`` of an ``AxiLiteMaster`` whose reset is ``reset``.

        ``reset`` is active low.
        """
        self._master, self._clock, self._reset, self._irq = master, clock, reset, irq
        self._base = base

    def read(self, address: int) -> int:
        """Return the word at ``address``. Raises BusError."""
        answer = resume(self._answer)(self._master.read(self._base + address, WORD_BYTES))
        self._check(answer, address, "read")
        return int.from_bytes(answer.data, "little")

    def write(self, address: int, value: int, strobes: int = 15) -> None:
        """Write the bytes of a word that ``strobes`` selects, which must be side by side.

        Raises BusError, and ParameterError for other strobes.
        """
        if strobes not in BYTES_OF_STROBES:
            raise ParameterError(
                f"strobes = {strobes} is not legal on this bus; the bytes must be side by side:"
                f" {', '.join(str(legal) for legal in sorted(BYTES_OF_STROBES))}."
            )
        first, size = BYTES_OF_STROBES[strobes]
        data = value.to_bytes(WORD_BYTES, "little")[first : first + size]
        answer = resume(self._answer)(self._master.write(self._base + address + first, data))
        self._check(answer, address, "write")

    def write_words(self, address: int, values: Sequence[int]) -> None:
        """Write words from ``address`` on. Raises BusError for the first that is refused."""
        for i, value in enumerate(values):
            self.write(address + WORD_BYTES * i, value)

    def wait(self, cycles: int) -> bool:
        """Let ``cycles`` pass, or fewer if the interrupt comes; return whether it is there."""
        return resume(self._wait)(cycles)

    def reset(self) -> None:
        """Reset the device for two cycles."""
        resume(self._pulse)()

    async def _answer(self, access: Coroutine[Trigger, None, Any]) -> Any:
        """Return the answer to an access, None if there is none."""
        task = cocotb.start_soon(access)
        await First(task, ClockCycles(self._clock, PATIENCE))
        if task.done():
            return task.result()
        task.cancel()
        return None

    def _check(self, answer: Any, address: int, kind: str) -> None:
        response = HANG if answer is None else int(answer.resp)
        if response != OKAY:
            raise BusError(address, response, kind)

    async def _wait(self, cycles: int) -> bool:
        if cycles and not self._irq.value:
            await First(RisingEdge(self._irq), ClockCycles(self._clock, cycles))
        return bool(self._irq.value)

    async def _pulse(self) -> None:
        self._reset.value = 0
        await ClockCycles(self._clock, 2)
        self._reset.value = 1
        await RisingEdge(self._clock)
