# SPDX-License-Identifier: Apache-2.0
"""The handshake of a design in every state that it can reach, at full width.

Yosys cuts the logic of the handshake's outputs out of the design. If no data input is left, that
is a second proof of constant time, apart from `montforge.prove.flow`. The rest has few registers:
all its states are visited from reset, for all values of ``req_valid_i`` and ``rsp_ready_i`` in
every cycle, beside a monitor of the requests that have no response yet. A register without a reset
is not known at first, and so is what it makes of others; where the handshake hangs on one, all
values of such registers are tried.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby, product
from typing import Any, NamedTuple, TypeAlias

from montforge.arch import Core
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
"""Registers without reset whose values are all tried, where the handshake hangs on one."""
MOST_STATES = 500_000
"""States, with the monitor's, that are visited at the most: of `fixed_prime` in 0.7 GB."""
GROUNDS = ("all states of the handshake's logic", "Yosys and slang read the RTL")
_SLICE = "proc; flatten; setattr -unset keep c:*; opt_expr; opt_clean; memory; opt_clean"
"""Cells that the RTL has synthesis keep are left out like others."""
_CUT = "opt_clean -purge; opt; opt_clean -purge"
_GATES = "dffunmap; techmap; simplemap; opt_expr; opt_clean; abc -g AND,XOR,MUX; opt_clean"


@dataclass(frozen=True)
class Waits:
    """Cycles in which a core need not be ready: after reset, and after one in which it need not."""

    reset: int = 0
    slot: int = 0

    @classmethod
    def of(cls, design: Core) -> Waits:
        """Return those of a design."""
        return cls(design.reset_wait, design.slot_wait)


NONE = Waits()


def control(
    hardware: Hardware, contract: Contract, *, waits: Waits = NONE, timeout: float
) -> Check:
    """Return whether the handshake is the contract's in all states that can be reached.

    A response comes after a request, in the contract's cycle and in none before, stays until it is
    taken, does not depend on an input of its cycle; the design is ready after the interval at the
    latest, and then again and again after as many cycles at the most. While a response waits, and
    in the cycle after, the design need not be ready, and that time does not count; nor need it in
    the cycles ``waits``. Of time that depends on data nothing is said. Raises ProofError, also for
    more than `MOST_STATES`, and ToolFailedError.
    """
    if not has_fixed_cycles(contract):
        return Check("control", "not_applicable", "the number of cycles is not fixed.")
    limit = time.monotonic() + timeout
    logic = _logic(hardware, contract, (), timeout)
    if found := set(logic.used_inputs) & {port.name for port in contract.operand_ports}:
        name = min(found)
        text = f"{name} is an input of the handshake's logic."
        return Check("control", "refuted", text, GROUNDS, path=(name,))
    return replace(_searched(logic, contract, limit, waits)[0], grounds=GROUNDS)


def has_fixed_cycles(contract: Contract) -> bool:
    """Return whether latency and interval are the same for all data."""
    return contract.latency.is_fixed and contract.interval.is_fixed


def constant_registers(
    hardware: Hardware,
    contract: Contract,
    names: Sequence[str],
    *,
    waits: Waits = NONE,
    timeout: float,
) -> dict[str, int]:
    """Return bits that have one value in all reachable states in which a response is valid.

    The bits are those of the registers ``names``, which no data reach, and of the handshake's
    logic; a bit is named as in `Netlist.names`. Raises ProofError if data reach one, if `control`
    is refuted, at the time limit, and above `MOST_STATES`.
    """
    limit = time.monotonic() + timeout
    verdict, search = _searched(_logic(hardware, contract, names, timeout), contract, limit, waits)
    if verdict.verdict != "proved":
        raise ProofError(verdict.message)
    valid = [state for state, steps in search.known.items() if steps[0].valid]
    found = {}
    for place, cell in enumerate(search.logic.registers):
        values = {search.logic.value(state, place) for state in valid}
        if len(values) == 1 and (value := values.pop()) is not None:
            found[search.logic.netlist.names.get(cell.outputs["Q"][0], "")] = value
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
        self.free = [at for at, cell in enumerate(self.registers) if cell.type == "$_DFF_P_"]
        """The places of registers without a reset."""
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
        if len(self.free) > MOST_FREE:
            raise ProofError(f"{len(self.free)} registers of the handshake have no reset.")
        start = self._after_reset(1)
        cases = product((0, 1), repeat=len(self.free))
        return [start | sum(bit << at for bit, at in zip(c, self.free, strict=True)) for c in cases]

    def value(self, state: int, place: int) -> int | None:
        """Return a register's value in a state, or None if it is not known."""
        return state >> place & 1

    def steps(self, states: list[int]) -> list[list[_Step]]:
        """Return for each state its step under each of `INPUTS`."""
        count = len(states)
        every = (1 << count * len(INPUTS)) - 1
        values: dict[Bit, Any] = {"0": self._known(0, every), "1": self._known(every, every)}
        for place, cell in enumerate(self.registers):
            values[cell.outputs["Q"][0]] = self._word(states, place)
        ones = (1 << count) - 1
        for name in self.used_inputs:
            if name not in {REQUEST, TAKEN}:
                raise ProofError(f"the handshake's logic has the input {name}, too.")
        for name, index in ((REQUEST, 0), (TAKEN, 1)):
            (bit,) = self.netlist.inputs[name]
            word = sum(ones << at * count for at, case in enumerate(INPUTS) if case[index])
            values[bit] = self._known(word, every)
        values[self.netlist.inputs[RESET][0]] = self._known(every, every)
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
        words = [word for value in following for word in self._words(value)]
        ready, valid = (self._output(values[self.netlist.outputs[n][0]]) for n in (READY, VALID))
        return [
            [
                _Step(
                    sum((word >> at & 1) << place for place, word in enumerate(words)),
                    bool(ready >> at & 1),
                    bool(valid >> at & 1),
                )
                for at in range(state, count * len(INPUTS), count)
            ]
            for state in range(count)
        ]

    def _after_reset(self, words: int) -> int:
        """Return the state of registers with a reset; ``words`` bits a register, 1 in the last."""
        start = 0
        for place, cell in enumerate(self.registers):
            if cell.type not in {"$_DFF_PN1_", "$_DFF_PN0_", "$_DFF_P_"}:
                raise ProofError(f"registers of type {cell.type} can't be read.")
            if cell.type == "$_DFF_PN1_":
                start |= 1 << words * (place + 1) - 1
        return start

    def _settle(self, values: dict[Bit, Any], every: int) -> None:
        """Set the values of all gates' outputs."""
        gates = self._gates
        for kind, target, operands in self.gates:
            a, b, select = (values[bit] if bit != "" else 0 for bit in operands)
            values[target] = gates[kind](a, b, select, every)

    def _held(self, cell: Cell, value: Any, values: dict[Bit, Any], every: int) -> Any:
        """Return a register's value, or that of its reset where this is active."""
        reset, gates = values[cell.inputs["R"][0]], self._gates
        if cell.type != "$_DFF_PN1_":
            return gates["$_AND_"](value, reset, 0, every)
        return gates["$_MUX_"](self._known(every, every), value, reset, every)

    # What follows is of values that are known.

    @property
    def _gates(self) -> Mapping[str, Callable[..., Any]]:
        return _GATE

    def _known(self, word: int, every: int) -> Any:
        return word

    def _word(self, states: list[int], place: int) -> Any:
        return _spread(states, place, len(states))

    def _words(self, value: Any) -> Sequence[int]:
        return (value,)

    def _output(self, value: Any) -> int:
        word: int = value
        return word


class _Unknowns(_Logic):
    """The same where a value may be not known.

    A value is a pair of words, the cases in which it can be 0, and those in which it can be 1; both
    of a register are bits of a state. A gate never knows more than all values have in common.
    """

    def starts(self) -> list[int]:
        """Return the state after reset, in which registers without one are not known."""
        start = self._after_reset(2)
        for place, cell in enumerate(self.registers):
            if cell.type != "$_DFF_PN1_":
                start |= 1 << 2 * place
            if place in self.free:
                start |= 1 << 2 * place + 1
        return [start]

    def value(self, state: int, place: int) -> int | None:
        """Return a register's value in a state, or None if it is not known."""
        return (None, 0, 1, None)[state >> 2 * place & 3]

    @property
    def _gates(self) -> Mapping[str, Callable[..., Any]]:
        return _GATE_OF_UNKNOWNS

    def _known(self, word: int, every: int) -> Any:
        return every ^ word, word

    def _word(self, states: list[int], place: int) -> Any:
        return tuple(_spread(states, 2 * place + at, len(states)) for at in (0, 1))

    def _words(self, value: Any) -> Sequence[int]:
        words: Sequence[int] = value
        return words

    def _output(self, value: Any) -> int:
        zero, one = value
        if zero & one:
            raise _NotKnownError
        word: int = one
        return word


class _NotKnownError(Exception):
    """An output of the handshake is not known."""


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


_GATE_OF_UNKNOWNS = {
    "$_AND_": lambda a, b, s, every: (a[0] | b[0], a[1] & b[1]),
    "$_XOR_": lambda a, b, s, every: (a[0] & b[0] | a[1] & b[1], a[0] & b[1] | a[1] & b[0]),
    "$_MUX_": lambda a, b, s, every: (a[0] & s[0] | b[0] & s[1], a[1] & s[0] | b[1] & s[1]),
    "$_NOT_": lambda a, b, s, every: (a[1], a[0]),
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


def _searched(
    logic: _Logic, contract: Contract, limit: float, waits: Waits
) -> tuple[Check, _Search]:
    """Return the verdict and its search, in which registers without a reset are not known.

    If the handshake hangs on one, all their values are tried.
    """
    if logic.free:
        search = _Search(_Unknowns(logic.netlist), contract, limit, waits)
        try:
            return search.run(), search
        except _NotKnownError:
            pass
    search = _Search(logic, contract, limit, waits)
    return search.run(), search


class _Monitor(NamedTuple):
    """The requests without a response, the oldest first.

    ``ages`` are pairs for each: cycles since the request was accepted, all of them and those
    without a waiting response. ``waiting`` is whether the oldest response was valid before and not
    taken, ``since`` the unstalled cycles since the design was ready; a waiting response makes it
    less than the interval, by the core's `Waits`, too. All end at their largest value.
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
    waits: Waits
    known: dict[int, list[_Step]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.cycles = self.contract.latency.minimum + self.contract.handover + 1
        self.interval = self.contract.interval.minimum

    def run(self) -> Check:
        """Return the verdict, with the shortest inputs that refute it."""
        first = _Monitor(since=self.interval - self.waits.reset)
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
                if len(came) > MOST_STATES:
                    raise ProofError(f"there are more than {MOST_STATES} states.")
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
        most = self.interval - (1 + self.waits.slot if stalled else 0)
        since = min(1 if step.ready else monitor.since + moved, most)
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
