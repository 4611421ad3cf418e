# SPDX-License-Identifier: Apache-2.0
"""Operations through the handshake of the parallel form, in all lanes at once."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from montforge.arch import Core
from montforge.contract import Operation
from montforge.errors import ToolFailedError
from montforge.prove.gates import Gates, Lanes, columns, integers, pack, unpack
from montforge.work.arrays import Counts, Marks, Words, np

RESET_EDGES = 4
NEVER = -(1 << 62)
"""The latency of an operation without a response."""

Hook = Callable[[int, Lanes], None]
"""Called with the number of a cycle, from 0 for the one in which the request is made."""


@dataclass(frozen=True)
class Outcome:
    """Results of one operation in each lane, and its latency as the contract counts it.

    ``errors`` are the lanes whose response came with ``err_o``. A lane without a response has the
    latency `NEVER`, a result of 0 and no error.
    """

    results: list[int]
    latency: Counts
    errors: Marks


class Driver:
    """Drives ``count`` operations at a time of a core of the parallel form, all under modulus n.

    ``deadline`` is a time of `time.monotonic` at which ToolFailedError ends the simulation.
    """

    def __init__(
        self, design: Core, gates: Gates, count: int, n: int, deadline: float = float("inf")
    ) -> None:
        self.design, self.lanes, self._n, self._deadline = design, Lanes(gates, count), n, deadline
        self._constants = design.constants(n)
        contract = design.contract
        self.limit = 2 * (contract.interval.maximum + contract.handover) + contract.clearing + 16
        """Cycles after which an operation counts as one without a response."""
        for control in contract.controls:
            self.lanes.put(control.port.name, self.lanes.all * control.idle)
        self._reset()

    def operate(
        self,
        operations: Sequence[Operation],
        *,
        disturb: Hook | None = None,
        observe: Hook | None = None,
    ) -> Outcome:
        """Do an operation in each lane, the requests in the same cycle, and wait for the last.

        ``disturb`` is called before nets settle in a cycle, ``observe`` after.
        """
        lanes, contract = self.lanes, self.design.contract
        vectors = [contract.encode(each, self._constants) for each in operations]
        for at, port in enumerate(contract.operand_ports):
            lanes.put(port.name, columns([vector[at] for vector in vectors], port.width))
        waiting = lanes.all.copy()
        running = np.zeros_like(waiting)
        latency = np.full(lanes.count, NEVER, dtype=np.int64)
        found = [
            np.zeros((port.width, waiting.shape[1]), np.uint64) for port in contract.result_ports
        ]
        accepted = np.zeros(lanes.count, dtype=np.int64)
        errors = np.zeros_like(waiting)
        for cycle in range(self.limit):
            self._check_time()
            lanes.put("req_valid_i", waiting)
            if disturb is not None:
                disturb(cycle, lanes)
            lanes.settle()
            if observe is not None:
                observe(cycle, lanes)
            taken = waiting & lanes.get("req_ready_o")
            done = running & lanes.get("rsp_valid_o")
            if done.any():
                chosen = unpack(done, lanes.count)[0].astype(bool)
                latency[chosen] = cycle - 1 - contract.handover - accepted[chosen]
                for values, port in zip(found, contract.result_ports, strict=True):
                    values |= lanes.get(port.name) & done
                for port in contract.error_ports:
                    errors |= lanes.get(port.name) & done
            if taken.any():
                accepted[unpack(taken, lanes.count)[0].astype(bool)] = cycle
            waiting, running = waiting & ~taken, (running | taken) & ~done
            lanes.clock()
            if not waiting.any() and not running.any():
                break
        marks = unpack(errors, lanes.count)[0].astype(bool)
        return Outcome(self._decoded(found), latency, marks)

    def results(self) -> list[int]:
        """Return what the outputs show in a further cycle."""
        self.lanes.settle()
        found = [self.lanes.get(port.name) for port in self.design.contract.result_ports]
        self.lanes.clock()
        return self._decoded(found)

    def idle(self, cycles: int) -> None:
        """Let ``cycles`` edges pass without a request, with 0 at the operands."""
        for port in self.design.contract.operand_ports:
            self.lanes.put(port.name, self.lanes.all * 0)
        self.lanes.put("req_valid_i", self.lanes.all * 0)
        for _ in range(cycles):
            self._check_time()
            self.lanes.settle()
            self.lanes.clock()

    def wrong(self, operations: Sequence[Operation], outcome: Outcome) -> Marks:
        """Return the lanes whose result breaks the contract."""
        contract = self.design.contract
        bound = contract.result_bound
        return np.array(
            [
                not bound.contains(value, self._n)
                or not contract.function.is_congruent(contract.r, each, value)
                for each, value in zip(operations, outcome.results, strict=True)
            ]
        )

    def _reset(self) -> None:
        lanes = self.lanes
        lanes.put("rsp_ready_i", lanes.all)
        lanes.put("rst_ni", lanes.all * 0)
        self.idle(RESET_EDGES)
        lanes.put("rst_ni", lanes.all)
        load = self.design.contract.load
        if load is None:
            return
        lanes.put("load_valid_i", lanes.all * 0)
        values = {**self._constants, "n": self._n}
        for name in load.fields:
            field = self.design.contract.field(name)
            for port, value in zip(field.ports, field.encode(values[name]), strict=True):
                lanes.put(port.name, columns([value] * lanes.count, port.width))
        waiting = lanes.all.copy()
        for _ in range(2 * load.cycles.maximum + self.limit):
            self._check_time()
            lanes.put("load_valid_i", waiting)
            lanes.settle()
            waiting = waiting & ~lanes.get("load_ready_o")
            lanes.clock()

    def _decoded(self, found: Sequence[Words]) -> list[int]:
        contract = self.design.contract
        vectors = [integers(words, self.lanes.count) for words in found]
        result = contract.results[0].name
        return [contract.decode(each)[result] for each in zip(*vectors, strict=True)]

    def _check_time(self) -> None:
        if time.monotonic() > self._deadline:
            raise ToolFailedError(
                "the simulation did not end within its time (--timeout): take fewer samples, or a"
                " smaller width."
            )


def lane_mask(chosen: Marks) -> Words:
    """Return one row of words with the bits of the ``chosen`` lanes."""
    return pack(chosen.reshape(1, -1))
