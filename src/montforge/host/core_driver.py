# SPDX-License-Identifier: Apache-2.0
"""The driver in Python of a plain core in form axi, over any `Bus`.

Its registers are those of all cores with a bus, its windows follow from the contract.
"""

from __future__ import annotations

from montforge.arch import Core
from montforge.contract import Contract
from montforge.errors import MontforgeError, ParameterError
from montforge.hardware.axi import windows
from montforge.hardware.forms import AXI
from montforge.host import registers as reg
from montforge.host.bus import Bus

MAGIC = 0x4D434F52
REQUEST, LOAD = 0, 6
"""Operations of register COMMAND."""
SLACK = 1000
"""Cycles of accesses beside those of an operation."""
ABORTED, NOT_LOADED = 15, 16
REASONS = {ABORTED: "it was aborted", NOT_LOADED: "nothing is loaded"}


def slowest(contract: Contract) -> int:
    """Return cycles that no operation or load of a core in form axi takes."""
    most = contract.latency.maximum
    if contract.load is not None:
        most = max(most, contract.load.cycles.maximum)
    return most + SLACK


class CoreError(MontforgeError):
    """A core that is not there, or an operation that it refused or that did not end."""


class CoreDriver:
    """A core in form axi behind a bus. Not for several threads at once."""

    def __init__(self, bus: Bus, design: Core, *, limit: int | None = None) -> None:
        """Find the device, which must be ``design``.

        ``limit``: cycles of one wait at most; by default the slowest operation's. Raises
        CoreError if the device is not there, ParameterError for a design of another form.
        """
        if design.form != AXI:
            raise ParameterError(f"{design} has no registers; take design.with_form('axi').")
        self._bus, self._design = bus, design
        contract = design.contract
        found, bits = bus.read(reg.ID), bus.read(reg.SIZE) & 0xFFFF
        if found != MAGIC:
            raise CoreError(f"no core is there: register ID is {found:#010x}, not {MAGIC:#010x}.")
        if bits != contract.width:
            raise CoreError(f"the core is of {bits} bits, and {design} of {contract.width}.")
        self.limit = slowest(contract) if limit is None else limit
        """Cycles of one wait at most."""
        count = len(contract.operand_ports)
        self._inputs, self._results = windows(contract)[:count], windows(contract)[count:]
        self._loaded: dict[str, int] = {}
        bus.write(reg.INTR_STATE, 7)
        bus.write(reg.INTR_ENABLE, reg.IRQ_DONE)

    def operate(self, *values: int, **named: int) -> int:
        """Return the result of one operation, given as `Design.golden` takes it.

        A load is made if its values are new. Raises OperandError for an illegal operation,
        CoreError if the core is busy, ends with an error, or does not end within the limit.
        """
        contract = self._design.contract
        operation = self._design.operation(*values, **named)
        patterns = self._design.encode(*operation.values())
        if self._bus.read(reg.STATUS) & reg.BUSY:
            raise CoreError("the core is busy.")
        for window, value in zip(self._inputs, patterns, strict=True):
            self._bus.write_words(window.address, reg.words(value, window.words))
        if contract.load is not None:
            new = {name: operation[name] for name in contract.load.fields}
            if new != self._loaded:
                self._loaded = {}
                self._run(LOAD, "the end of the load")
                self._loaded = new
        self._run(REQUEST, "the end of the operation")
        found = [reg.number_at(self._bus, w.address, w.words) for w in self._results]
        return contract.decode(found)[contract.results[0].name]

    @property
    def cycles(self) -> int:
        """Cycles of the last operation."""
        return self._bus.read(reg.CYCLES)

    def _run(self, operation: int, event: str) -> None:
        bus = self._bus
        bus.write(reg.COMMAND, operation)
        bus.write(reg.CTRL, reg.START)
        status = reg.wait_until(bus, self._ended, self.limit, self.limit)
        if status is None:
            raise CoreError(f"{event} did not come within {self.limit} cycles.")
        bus.write(reg.INTR_STATE, 7)
        code = status >> 8 & 0xFF
        if code or not status & reg.DONE:
            self._loaded = {}
            raise CoreError(f"the core ended with {code}: {REASONS.get(code, self._own(code))}.")

    def _ended(self) -> int | None:
        status = self._bus.read(reg.STATUS)
        return None if status & reg.BUSY else status

    def _own(self, code: int) -> str:
        """Return the meanings of the core's own codes."""
        meanings = [field.meaning for field in self._design.contract.results[1:]]
        return meanings[0] if code and meanings else "no code of this core"
