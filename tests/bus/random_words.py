# SPDX-License-Identifier: Apache-2.0
"""The random port of an RSA engine in a cocotb bench."""

from __future__ import annotations

import random
from typing import Any

from cocotb.triggers import RisingEdge


async def random_words(dut: Any, rng: random.Random) -> None:
    """Give a word in each cycle, for ever."""
    dut.random_valid_i.value = 1
    while True:
        dut.random_i.value = rng.getrandbits(32)
        await RisingEdge(dut.clk_i)
