# SPDX-License-Identifier: Apache-2.0
"""Registers of any core with a bus, as in ``rtl/bus/mf_bus_regs.rdl``, and numbers in windows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from montforge.host.bus import Bus

T = TypeVar("T")

ID, SIZE, FEATURES, CTRL, COMMAND, LENGTH, STATUS = range(0x00, 0x1C, 4)
INTR_STATE, INTR_ENABLE, INTR_TEST, CYCLES, RANDOM, LOCK = range(0x1C, 0x34, 4)
"""Addresses."""
START, ABORT, ZEROIZE_SLOT, ZEROIZE_ALL = 1, 2, 4, 8
BUSY, DONE, WIPING = 1, 2, 4
IRQ_DONE, IRQ_ERROR, IRQ_ALERT = 1, 2, 4
"""Bits of CTRL, STATUS and the interrupt's registers."""


def wait_until(bus: Bus, ended: Callable[[], T | None], cycles: int, limit: int) -> T | None:
    """Return the final result of ``ended``, or None after ``limit`` cycles.

    ``ended`` is called again after ``cycles`` cycles, or at the interrupt.
    """
    # An interrupt that is left from before would end each wait at once.
    bus.write(INTR_STATE, 7)
    waited = 0
    while (found := ended()) is None and waited < limit:
        bus.wait(cycles)
        waited += cycles
    return found


def number_at(bus: Bus, address: int, count: int) -> int:
    """Return the number in ``count`` words from ``address`` on, the lowest first."""
    return sum(bus.read(address + 4 * i) << 32 * i for i in range(count))


def words(value: int, count: int) -> Sequence[int]:
    """Return the ``count`` lowest 32-bit words of a number, the lowest first."""
    return [value >> 32 * i & 0xFFFFFFFF for i in range(count)]
