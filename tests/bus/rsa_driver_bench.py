# SPDX-License-Identifier: Apache-2.0
"""The cocotb side of test_rsa_driver_in_cocotb.py: the driver in Python on the simulated device."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from typing import Any

import cocotb
import pytest
from cocotb.clock import Clock
from cocotb.task import bridge
from cocotb.triggers import ClockCycles
from cocotbext.axi import AxiLiteBus, AxiLiteMaster
from random_words import random_words

from montforge.arch.rsa.contract import KEY, X
from montforge.arch.rsa.keys import make_key
from montforge.arch.rsa.model import Error
from montforge.errors import ParameterError
from montforge.host.bus import HANG, SLVERR, BusError
from montforge.host.cocotb_bus import CocotbBus
from montforge.host.driver import EngineError, RsaEngine
from montforge.host.registers import BUSY, ID, STATUS, WIPING

BITS = int(os.environ["BENCH_BITS"])
SEED = int(os.environ["BENCH_SEED"])
KEY_OF_SLOT = make_key(BITS, random.Random(SEED), 17)
D = pow(KEY_OF_SLOT.e, -1, (KEY_OF_SLOT.p - 1) * (KEY_OF_SLOT.q - 1))
N = KEY_OF_SLOT.n


async def on_the_device(dut: Any, use: Callable[[CocotbBus], None]) -> None:
    """Reset the device and call ``use`` with its bus."""
    cocotb.start_soon(Clock(dut.clk_i, 10, unit="ns").start())
    cocotb.start_soon(random_words(dut, random.Random(SEED)))
    master = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axil"), dut.clk_i, dut.rst_ni, False)
    dut.rst_ni.value = 0
    await ClockCycles(dut.clk_i, 3)
    dut.rst_ni.value = 1
    await bridge(use)(CocotbBus(master, dut.clk_i, dut.rst_ni, dut.irq_o))


@cocotb.test()
async def a_signature_is_verified(dut: Any) -> None:
    def use(bus: CocotbBus) -> None:
        engine = RsaEngine(bus)
        engine.load_key(0, KEY_OF_SLOT)
        y = engine.private(0, 5)
        assert y == pow(5, D, N)
        assert engine.public(y, KEY_OF_SLOT.e, N) == 5
        with pytest.raises(EngineError, match="MESSAGE"):
            engine.private(0, N)
        engine.start_private(0, 5)
        assert bus.read(STATUS) & BUSY
        assert engine.abort() is Error.ABORTED

    await on_the_device(dut, use)


@cocotb.test()
async def refused_accesses_and_none(dut: Any) -> None:
    def use(bus: CocotbBus) -> None:
        engine = RsaEngine(bus)
        with pytest.raises(EngineError, match="SLOT_EMPTY"):
            engine.private(0, 5)
        for access in (lambda: bus.read(KEY), lambda: bus.write(ID, 1), lambda: bus.write(X, 1, 6)):
            with pytest.raises(BusError) as refused:
                access()
            assert refused.value.response == SLVERR
        with pytest.raises(ParameterError, match="strobes = "):
            bus.write(X, 1, 5)
        assert not bus.wait(5)
        bus.write(X, 5)
        bus.reset()
        assert bus.read(STATUS) == BUSY | WIPING
        dut.rst_ni.value = 0
        with pytest.raises(BusError) as silent:
            bus.read(ID)
        assert silent.value.response == HANG

    await on_the_device(dut, use)
