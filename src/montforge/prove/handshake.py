# SPDX-License-Identifier: Apache-2.0
"""The handshake of a design in every state that it can reach, at full width.

Yosys cuts the logic of the handshake's outputs out of the design. If no data input is left, that
is a second proof of constant time, apart from `montforge.prove.flow`. The rest has few registers:
all its states are visited from reset, for all values of ``req_valid_i`` and ``rsp_ready_i`` in
every cycle, beside a monitor of the requests that have no response yet.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby, product
from typing import NamedTuple, TypeAlias

from montforge.contract import Contract
from montforge.hardware import Hardware
from montforge.prove.netlist import Bit, Cell, Netlist, read_netlist
from montforge.prove.terms import RESET
from montforge.prove.verdict import Check, ProofError

REQUEST, TAKEN, READY, VALID = "req_valid_i", "rsp_ready_i", "req_ready_o", "rsp_valid_o"
Inputs: TypeAlias = tuple[int, int]
INPUTS: tuple[Inputs, ...] = tuple((request, taken) for request in (0, 1) for taken in (0, 1))
"""Values of `REQUEST` and `TAKEN` in a cycle."""
MOST_FREE = 10
"""Registers without reset whose values are all tried."""
GROUNDS = ("all states of the handshake's logic", "Yosys and slang read the RTL")
_SLICE = "proc; flatten; setattr -unset keep c:*; opt_expr; opt_clean; memory; opt_clean"
"""Cells that the RTL has synthesis keep are left out like others."""
_CUT = "opt_clean -purge; opt; opt_clean -purge"
_GATES = "dffunmap; techmap; simplemap; opt_expr; opt_clean; abc -g AND,XOR,MUX; opt_clean"


def control(
    hardware: Hardware, contract: Contract, *, reset_wait: int = 0, timeout: float
) -> Check:
    """Return whether the handshake is the contract's in all states that can be reached.

    A response comes after a request, in the contract's cycle and in none before, stays until it is
    taken, does not depend on an input of its cycle; the design is ready after the interval at the
    latest, and then again and again after as many cycles at the most; after reset, ``reset_wait``.
    While a response waits, and in the cycle after, the design need not be ready, and that time does
    not count. Of time that depends on data nothing is said. Raises ProofError, ToolFailedError.
    """
    if not has_fixed_cycles(contract):
        return Check("control", "not_applicable", "the number of cycles is not fixed.")
    limit = time.monotonic() + timeout
    logic = _logic(hardware, contract, (), timeout)
    if found := set(logic.used_inputs) & {port.name for port in contract.operand_ports}:
        name = min(found)
        text = f"{name} is an input of the handshake's logic."
        return Check("control", "refuted", text, GROUNDS, path=(name,))
    return replace(_Search(logic, contract, limit, reset_wait).run(), grounds=GROUNDS)


def has_fixed_cycles(contract: Contract) -> bool:
    """Return whether latency and interval are the same for all data."""
    return contract.latency.is_fixed and contract.interval.is_fixed


def constant_registers(
    hardware: Hardware, contract: Contract, names: Sequence[str], *, timeout: float
) -> dict[str, int]:
    """Return bits that have one value in all reachable states in which a response is valid.

    The bits are those of the registers ``names``, which no data reach, and of the handshake's
    logic; a bit is named as in `Netlist.names`. Raises ProofError if data reach one, if `control`
    is refuted, and at the time limit.
    """
    limit = time.monotonic() + timeout
    search = _Search(_logic(hardware, contract, names, timeout), contract, limit)
    if (verdict := search.run()).verdict != "proved":
        raise ProofError(verdict.message)
    valid = [state for state, steps in search.known.items() if steps[0].valid]
    found = {}
    for place, cell in enumerate(search.logic.registers):
        values = {state >> place & 1 for state in valid}
        if len(values) == 1:
            found[search.logic.netlist.names.get(cell.outputs["Q"][0], "")] = values.pop()
    return found


def _logic(hardware: Hardware, contract: Contract, kept: Sequence[str], timeout: float) -> _Logic:
    """Return the logic of the handshake and of the registers ``kept``."""
    data = (*contract.result_ports, *contract.error_ports)
    outputs = " ".join(f"w:{port.name}" for port in data)
    keep = "".join(f"setattr -set keep 1 w:{_pattern(name)}; " for name in kept)
    passes = f"{_SLICE}; delete -output {outputs}; {keep}{_CUT}; {_GATES}"
    return _Logic(read_netlist(hardware, timeout=timeout, prepare=passes))


def _pattern(name: str) -> str:
    """Return a pattern of Yosys that fits a net's name; brackets in it would be a set."""
    return name.replace("[", "?").replace("]", "?")


class _Logic:
    """The handshake's logic as gates; values of a net are the bits of an integer, one a case."""

    def __init__(self, netlist: Netlist) -> None:
        self.netlist = netlist
        self.registers = [cell for cell in netlist.cells if _is_register(cell)]
        self.gates = list(_in_order(netlist))
        reset = netlist.inputs[RESET]
        self.driven = [
            cell for cell in self.registers if cell.inputs.get("R", reset) not in (reset, ["1"])
        ]
        """The registers whose reset the design drives."""

    @property
    def used_inputs(self) -> list[str]:
        """The inputs that cells have, but clock and reset."""
        used = {bit for cell in self.netlist.cells for bits in cell.inputs.values() for bit in bits}
        used |= {bit for bits in self.netlist.outputs.values() for bit in bits}
        return [
            name
            for name, bits in self.netlist.inputs.items()
            if used & set(bits) and name not in {RESET, "clk_i"}
        ]

    def starts(self) -> list[int]:
        """Return the states after reset; registers without one have any value."""
        free, start = [], 0
        for place, cell in enumerate(self.registers):
            if cell.type == "$_DFF_PN1_":
                start |= 1 << place
            elif cell.type == "$_DFF_P_":
                free.append(place)
            elif cell.type != "$_DFF_PN0_":
                raise ProofError(f"registers of type {cell.type} can't be read.")
        if len(free) > MOST_FREE:
            raise ProofError(f"{len(free)} registers of the handshake have no reset.")
        cases = product((0, 1), repeat=len(free))
        return [start | sum(bit << at for bit, at in zip(c, free, strict=True)) for c in cases]

    def steps(self, states: list[int]) -> list[list[_Step]]:
        """Return for each state its step under each of `INPUTS`."""
        count = len(states)
        every = (1 << count * len(INPUTS)) - 1
        repeated = [_spread(states, place, count) for place in range(len(self.registers))]
        values: dict[Bit, int] = {"0": 0, "1": every}
        for place, cell in enumerate(self.registers):
            values[cell.outputs["Q"][0]] = repeated[place]
        ones = (1 << count) - 1
        for name in self.used_inputs:
            if name not in {REQUEST, TAKEN}:
                raise ProofError(f"the handshake's logic has the input {name}, too.")
        for name, index in ((REQUEST, 0), (TAKEN, 1)):
            (bit,) = self.netlist.inputs[name]
            values[bit] = sum(ones << at * count for at, case in enumerate(INPUTS) if case[index])
        values[self.netlist.inputs[RESET][0]] = every
        self._settle(values, every)
        for cell in self.driven:
            (bit,) = cell.outputs["Q"]
            values[bit] = self._held(cell, values[bit], values, every)
        if self.driven:
            before = [values[cell.inputs["R"][0]] for cell in self.driven]
            self._settle(values, every)
            if before != [values[cell.inputs["R"][0]] for cell in self.driven]:
                raise ProofError("a register is reset by one that it resets.")
        following = [values[cell.inputs["D"][0]] for cell in self.registers]
        for place, cell in enumerate(self.registers):
            if cell in self.driven:
                following[place] = self._held(cell, following[place], values, every)
        ready, valid = (values[self.netlist.outputs[name][0]] for name in (READY, VALID))
        return [
            [
                _Step(
                    sum((word >> at & 1) << place for place, word in enumerate(following)),
                    bool(ready >> at & 1),
                    bool(valid >> at & 1),
                )
                for at in range(state, count * len(INPUTS), count)
            ]
            for state in range(count)
        ]

    def _settle(self, values: dict[Bit, int], every: int) -> None:
        """Set the values of all gates' outputs."""
        for kind, target, operands in self.gates:
            a, b, select = (values[bit] if bit != "" else 0 for bit in operands)
            values[target] = _GATE[kind](a, b, select, every)

    @staticmethod
    def _held(cell: Cell, value: int, values: dict[Bit, int], every: int) -> int:
        """Return a register's value, or that of its reset where this is active."""
        reset = values[cell.inputs["R"][0]]
        return value | (every ^ reset) if cell.type == "$_DFF_PN1_" else value & reset


class _Step(NamedTuple):
    """The next state, and the outputs of this cycle."""

    state: int
    ready: bool
    valid: bool


def _spread(states: list[int], place: int, count: int) -> int:
    """Return bit ``place`` of each state, once for each of `INPUTS`."""
    digits = "".join("1" if state >> place & 1 else "0" for state in reversed(states))
    word = int(digits, 2)
    return sum(word << at * count for at in range(len(INPUTS)))


_GATE = {
    "$_AND_": lambda a, b, s, every: a & b,
    "$_XOR_": lambda a, b, s, every: a ^ b,
    "$_MUX_": lambda a, b, s, every: (a & ~s & every) | (b & s),
    "$_NOT_": lambda a, b, s, every: every ^ a,
    "$_BUF_": lambda a, b, s, every: a,
}


def _is_register(cell: Cell) -> bool:
    return cell.type.startswith("$_DFF")


def _in_order(netlist: Netlist) -> Iterator[tuple[str, Bit, tuple[Bit, Bit, Bit]]]:
    """Yield the gates as type, output and inputs A, B, S, each after those that it needs."""
    waiting = [cell for cell in netlist.cells if not _is_register(cell)]
    known: set[Bit] = {"0", "1"}
    known |= {bit for bits in netlist.inputs.values() for bit in bits}
    known |= {cell.outputs["Q"][0] for cell in netlist.cells if _is_register(cell)}
    while waiting:
        later = []
        for cell in waiting:
            if cell.type not in _GATE:
                raise ProofError(f"cells of type {cell.type} are no gates.")
            operands = [cell.inputs[port][0] if port in cell.inputs else "" for port in "ABS"]
            if all(bit == "" or bit in known for bit in operands):
                (target,) = cell.outputs["Y"]
                known.add(target)
                a, b, select = operands
                yield cell.type, target, (a, b, select)
            else:
                later.append(cell)
        if len(later) == len(waiting):
            raise ProofError("the handshake's logic has a loop without a register.")
        waiting = later


class _Monitor(NamedTuple):
    """The requests without a response, the oldest first.

    ``ages`` are pairs for each: cycles since the request was accepted, all of them and those
    without a waiting response. ``waiting`` is whether the oldest response was valid before and not
    taken, ``since`` the unstalled cycles since the design was ready; a waiting response makes it
    less than the interval. All end at their largest value.
    """

    ages: tuple[tuple[int, int], ...] = ()
    waiting: bool = False
    since: int = 0


Pair: TypeAlias = tuple[int, _Monitor]
"""A state of the design's registers, and of the monitor."""


@dataclass
class _Search:
    """The search through all pairs of a state and a monitor."""

    logic: _Logic
    contract: Contract
    limit: float
    reset_wait: int = 0
    known: dict[int, list[_Step]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.cycles = self.contract.latency.minimum + self.contract.handover + 1
        self.interval = self.contract.interval.minimum

    def run(self) -> Check:
        """Return the verdict, with the shortest inputs that refute it."""
        first = _Monitor(since=self.interval - self.reset_wait)
        start: list[Pair] = [(state, first) for state in self.logic.starts()]
        came: dict[Pair, tuple[Pair, Inputs] | None] = dict.fromkeys(start)
        frontier = start
        while frontier:
            self._learn({state for state, _ in frontier} - self.known.keys())
            following = []
            for at in frontier:
                steps = self.known[at[0]]
                problem = _inconstant(steps)
                for inputs, step in zip(INPUTS, steps, strict=True):
                    problem = problem or self._problem(at[1], step, inputs)
                    if problem:
                        path = tuple(_runs([*_inputs_to(came, at), inputs]))
                        return Check("control", "refuted", f"{problem}.", path=path)
                    after = (step.state, self._next(at[1], step, inputs))
                    if after not in came:
                        came[after] = (at, inputs)
                        following.append(after)
                if time.monotonic() > self.limit:
                    raise ProofError(f"the time limit, after {len(came)} states.")
            frontier = following
        text = f"the contract's cycles in all {len(came)} states, {len(self.known)} of the design."
        return Check("control", "proved", text)

    def _learn(self, states: set[int]) -> None:
        ordered = sorted(states)
        if ordered:
            self.known.update(zip(ordered, self.logic.steps(ordered), strict=True))

    def _problem(self, monitor: _Monitor, step: _Step, inputs: Inputs) -> str:
        stalled = step.valid and not inputs[1]
        if step.valid and not monitor.ages:
            return "a response comes without a request"
        if monitor.waiting and not step.valid:
            return "a response is withdrawn before it was taken"
        if monitor.ages:
            age, unstalled = monitor.ages[0]
            if step.valid and age < self.cycles:
                return f"a response comes in cycle {age}, before {self.cycles}"
            if not step.valid and unstalled >= self.cycles:
                return f"no response comes in cycle {self.cycles}"
        if monitor.since >= self.interval and not stalled and not step.ready:
            return f"the design is not ready for {self.interval} cycles"
        return ""

    def _next(self, monitor: _Monitor, step: _Step, inputs: Inputs) -> _Monitor:
        accepted, stalled = step.ready and inputs[0], step.valid and not inputs[1]
        ages = monitor.ages[1:] if step.valid and inputs[1] else monitor.ages
        if accepted:
            ages = (*ages, (0, 0))
        moved = 0 if stalled else 1
        older = tuple((min(a + 1, self.cycles), min(u + moved, self.cycles)) for a, u in ages)
        since = min(1 if step.ready else monitor.since + moved, self.interval - stalled)
        return _Monitor(older, stalled, since)


def _inconstant(steps: list[_Step]) -> str:
    if len({step.valid for step in steps}) > 1:
        return f"{VALID} depends on an input of the same cycle"
    return ""


def _inputs_to(came: dict[Pair, tuple[Pair, Inputs] | None], at: Pair) -> list[Inputs]:
    """Return the inputs of each cycle from reset to a state."""
    found = []
    while (step := came[at]) is not None:
        at, inputs = step
        found.append(inputs)
    return found[::-1]


def _runs(inputs: Iterable[Inputs]) -> Iterator[str]:
    """Yield the inputs in words, equal cycles together."""
    for (request, taken), cycles in groupby(inputs):
        yield f"{len(list(cycles))} x {REQUEST}={request} {TAKEN}={taken}"
