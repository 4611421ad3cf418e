# SPDX-License-Identifier: Apache-2.0
"""The bus between a driver and a device: 32-bit accesses, an interrupt, and time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from montforge.errors import MontforgeError

OKAY, SLVERR, HANG = 0, 2, 255
"""Responses to an access; a hang is none within the simulation's patience."""


class BusError(MontforgeError):
    """An access that the device refused, or did not answer."""

    def __init__(self, address: int, response: int, kind: str) -> None:
        name = {SLVERR: "SLVERR", HANG: "no answer"}.get(response, f"response {response}")
        super().__init__(f"{kind} at {address:#06x}: {name}.")
        self.address = address
        self.response = response


class Bus(Protocol):
    """The accesses that a driver makes to a device."""

    def read(self, address: int) -> int:
        """Return the word at ``address``. Raises BusError."""

    def write(self, address: int, value: int, strobes: int = 15) -> None:
        """Write the bytes of a word that ``strobes`` selects. Raises BusError."""

    def write_words(self, address: int, values: Sequence[int]) -> None:
        """Write words from ``address`` on. Raises BusError for the first that is refused."""

    def wait(self, cycles: int) -> bool:
        """Let ``cycles`` pass, or fewer if the interrupt comes; return whether it is there."""

    def reset(self) -> None:
        """Reset the device."""
