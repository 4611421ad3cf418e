# SPDX-License-Identifier: Apache-2.0
"""Parameter ``clear``: after some idle cycles no register holds what it held before.

The gates are simulated with three values: 0, 1 and not known. All registers of the core begin as
not known, and so do all inputs in all cycles. A register that is known after k cycles has a value
that neither depends on what it held before, whatever operations there were, nor on the inputs.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace

from montforge.arch import Core
from montforge.errors import ToolFailedError
from montforge.hardware import Hardware
from montforge.hardware.forms import AXI
from montforge.prove.drive import RESET_EDGES
from montforge.prove.flow import Flow
from montforge.prove.gates import Gates, columns, pack
from montforge.prove.handshake import REQUEST
from montforge.prove.netlist import Netlist
from montforge.prove.simulated import residue
from montforge.prove.terms import RESET
from montforge.prove.verdict import Check, ProofError
from montforge.work.arrays import Marks, Rows, Words, np

MODULE = "u_clear"
"""The instance of `mf_clear` in its wrapper."""
INTO_CORE = ("core_req_valid", "core_rsp_ready", "inputs")
"""Nets of the wrapper by which users reach the core; controls do where ``passing`` is 1."""
HOLDING = ("u_core.", "u_windows.", "u_bus.u_port.rdata_q", "u_bus.u_port.w_data_q")
"""Beginnings of names of what may hold data in form axi."""
WRITE_ZEROIZE = {"awvalid": 1, "awaddr": 0x0C, "wvalid": 1, "wdata": 8, "wstrb": 15}
WINDOWS_STATES = range(16)
"""Values of ``state_q`` and, above it, ``reset_again_q`` of ``rtl/bus/mf_core_windows.sv``."""
MASTER = "the master takes answers; registers of commands hold what it wrote"
MOST_STATES = 4096
"""Cycles after clearing in which all registers must be as they were in one before."""
CLEAN, USED = 2, 3
"""Its states after clearing, and after a request; see ``rtl/prim/mf_clear.sv``."""
GROUNDS = (
    "simulation of the gates that Yosys makes of the RTL with 0, 1 and not known",
    "Yosys and slang read the RTL",
)


class Unknowns:
    """The values of ``gates`` side by side, of which some are not known.

    ``can`` has two rows of words for each net: where it can be 0, and where it can be 1; a lane
    with both is not known. An operation on gates never knows more than all values that it stands
    for have in common, and can know less.
    """

    def __init__(self, gates: Gates, count: int) -> None:
        self.gates, self.count = gates, count
        self.all = pack(np.ones((1, count), dtype=bool))
        self.can = np.repeat(self.all[np.newaxis], 2, axis=0).repeat(gates.nets, axis=1)
        self.put(gates.rows("01"), pack(np.array([[False] * count, [True] * count])))

    def put(self, rows: Rows, values: Words) -> None:
        """Set nets to known values, a row each, or one row for all."""
        self.can[0, rows], self.can[1, rows] = self.all & ~values, values

    def forget(self, rows: Rows) -> None:
        """Let registers be unknown."""
        self.can[:, rows] = self.all

    def settle(self) -> None:
        """Evaluate all gates."""
        for group in self.gates.groups:
            zero, one = self.can[:, group.first : group.first + len(group.inputs[0])]
            a0, a1 = self.can[:, group.inputs[0]]
            if group.kind == "$_NOT_":
                zero[:], one[:] = a1, a0
                continue
            b0, b1 = self.can[:, group.inputs[1]]
            if group.kind == "$_MUX_":
                s0, s1 = self.can[:, group.inputs[2]]
                zero[:], one[:] = (a0 & s0) | (b0 & s1), (a1 & s0) | (b1 & s1)
            elif group.kind == "$_AND_":
                zero[:], one[:] = a0 | b0, a1 & b1
            elif group.kind == "$_OR_":
                zero[:], one[:] = a0 & b0, a1 | b1
            else:
                same, other = (a0 & b0) | (a1 & b1), (a0 & b1) | (a1 & b0)
                zero[:], one[:] = (same, other) if group.kind == "$_XOR_" else (other, same)

    def clock(self) -> None:
        """Make the settled values of D those of Q, at a rising edge."""
        following = []
        for each in self.gates.registers:
            new = self.can[:, each.following]
            if each.reset is not None:
                new &= self.can[1 - each.active, each.reset]
                new[each.value] |= self.can[each.active, each.reset]
            following.append(new)
        for each, new in zip(self.gates.registers, following, strict=True):
            self.can[:, each.first : each.first + new.shape[1]] = new

    def has(self, rows: Rows, value: int) -> bool:
        """Return whether the nets ``rows``, lowest first, have the known ``value`` in all lanes."""
        wanted = columns([value] * self.count, len(rows))
        return np.array_equal(self.can[1, rows], wanted) and not self.unknown(rows).any()

    def unknown(self, rows: Rows) -> Marks:
        """Return which nets are not known in some lane."""
        found: Marks = (self.can[0, rows] & self.can[1, rows]).any(axis=1)
        return found


def clear(design: Core, hardware: Hardware, netlist: Netlist, flow: Flow, timeout: float) -> Check:
    """Return whether no register of a core with `mf_clear` holds data after some idle cycles.

    It begins where a response was taken, none is due and no request comes, with all else unknown.
    Of a register that does not become known two runs are tried: verdict refuted if they differ in
    it, else unknown. Form axi begins with the write of zeroize; ``flow`` is that of its operands in
    ``netlist``. Raises ProofError, ToolFailedError after ``timeout`` seconds.
    """
    deadline = time.monotonic() + timeout
    if not design.clear:
        found = residue(design, hardware, timeout)
        return replace(found, name="clear", message=f"parameter clear is 0; {found.message}")
    gates = Gates(hardware, timeout=timeout)
    if design.form == AXI:
        return _zeroized(design, gates, netlist, flow, deadline)
    _check_clean(gates, bool(design.contract.controls))
    state = _idle(gates, {"state_q": [USED], "under_way_q": [0], "idle_q": range(design.clear)})
    registers = np.concatenate([*gates.named_registers.values()])
    known_at = 0
    for cycle in range(design.clear + design.contract.clearing + 1):
        if state.unknown(registers).any():
            known_at = cycle + 1
        if time.monotonic() > deadline:
            raise ToolFailedError("the simulation did not end within its time (--timeout).")
        state.settle()
        state.clock()
    if state.unknown(registers).any():
        return _open(design, hardware, gates, state, deadline)
    if not state.has(gates.rows(gates.netlist.nets[f"{MODULE}.state_q"]), CLEAN):
        raise ProofError("clearing does not end within the contract's cycles.")
    text = (
        f"{known_at} idle cycles after the last response was taken, all {len(registers)} register"
        " bits have values that depend on no operand or result, and on no input without a request."
    )
    return Check("clear", "proved", text, GROUNDS)


def _idle(gates: Gates, known: Mapping[str, Sequence[int]]) -> Unknowns:
    """Return the state in which no request comes and registers of `mf_clear` have values.

    All else is not known, but for reset. There is a lane for each of the values; a single value is
    that of all.
    """
    count = max(map(len, known.values()))
    found = Unknowns(gates, count)
    inputs = gates.netlist.inputs
    found.put(gates.rows(inputs[RESET]), found.all)
    found.put(gates.rows(inputs[REQUEST]), found.all * 0)
    for name, values in known.items():
        bits = gates.netlist.nets[f"{MODULE}.{name}"]
        lanes = [*values] * (count // len(values))
        found.put(gates.rows(bits), columns(lanes, len(bits)))
    return found


def _check_clean(gates: Gates, controls: bool) -> None:
    """Check that without a request `mf_clear` stays clean, and the core's inputs are constants.

    So what is known then stays known. Raises ProofError.
    """
    state = _idle(gates, {"state_q": [CLEAN]})
    state.settle()
    nets = gates.netlist.nets
    into = gates.rows(bit for name in INTO_CORE for bit in nets[name])
    closed = not state.unknown(into).any()
    closed &= not controls or state.has(gates.rows(nets["passing"]), 0)
    state.clock()
    closed &= state.has(gates.rows(nets[f"{MODULE}.state_q"]), CLEAN)
    closed &= state.has(gates.rows(nets[f"{MODULE}.core_rst_no"]), 1)
    if not closed:
        raise ProofError(f"{MODULE} is not as rtl/prim/mf_clear.sv after clearing.")


def _zeroized(design: Core, gates: Gates, netlist: Netlist, flow: Flow, deadline: float) -> Check:
    """Return the verdict on the form with registers: no data after a write of zeroize.

    All registers of windows and core are unknown before, and those of the bus' data; its other
    registers are as after reset. A register that the structure keeps from operands may stay
    unknown. Raises ProofError, ToolFailedError at ``deadline``.
    """
    state = Unknowns(gates, len(WINDOWS_STATES))
    registers = np.concatenate([*gates.named_registers.values()])
    nets, inputs = gates.netlist.nets, gates.netlist.inputs

    def put(port: str, value: int) -> None:
        bits = inputs[f"s_axil_{port}" if port != RESET else RESET]
        state.put(gates.rows(bits), columns([value] * state.count, len(bits)))

    def step() -> None:
        state.settle()
        state.clock()
        if time.monotonic() > deadline:
            raise ToolFailedError("the simulation did not end within its time (--timeout).")

    for port in ("awvalid", "wvalid", "arvalid", RESET):
        put(port, 0)
    for port in ("bready", "rready"):
        put(port, 1)
    for _ in range(RESET_EDGES):
        step()
    put(RESET, 1)
    held = gates.rows(
        bit for name, bits in nets.items() if name.startswith(HOLDING) for bit in bits
    )
    state.forget(np.intersect1d(held, registers))
    for port, value in WRITE_ZEROIZE.items():
        put(port, value)
    step()
    for port in ("awvalid", "wvalid"):
        put(port, 0)
    zeroize = gates.rows(nets["u_bus.zeroize_all_o"])
    for _ in range(RESET_EDGES):
        step()
        if state.has(zeroize, 1):
            break
    else:
        raise ProofError("the bus makes no zeroize of a write to CTRL.")
    # Each state of the windows, in a lane of its own.
    bits = [*nets["u_windows.state_q"], *nets["u_windows.reset_again_q"]]
    state.put(gates.rows(bits), columns(WINDOWS_STATES, len(bits)))
    seen: set[bytes] = set()
    known_at = cycle = 0
    while (now := state.can[:, registers].tobytes()) not in seen:
        if len(seen) > design.contract.clearing + MOST_STATES:
            raise ProofError(f"the registers do not settle in {len(seen)} cycles.")
        seen.add(now)
        if names := _reached(gates, state, netlist, flow):
            known_at = cycle + 1
        step()
        cycle += 1
    if names:
        text = f"not known after clearing: {', '.join(names)}."
        return Check("clear", "unknown", text, GROUNDS)
    text = (
        f"{known_at} cycles after a write of zeroize no register that operands can reach depends on"
        " an operand or a result, if the bus is idle."
    )
    return Check("clear", "proved", text, (*GROUNDS, "structure of the netlist"), (MASTER,))


def _reached(gates: Gates, state: Unknowns, netlist: Netlist, flow: Flow) -> list[str]:
    """Return the registers that are not known and, for all that is known, hang on an operand."""
    return [
        name
        for name, rows in gates.named_registers.items()
        if state.unknown(rows).any()
        and (name not in netlist.nets or flow.reached(netlist.nets[name]))
    ]


def _open(
    design: Core, hardware: Hardware, gates: Gates, state: Unknowns, deadline: float
) -> Check:
    """Return the verdict where registers stay unknown."""
    names = [name for name, rows in gates.named_registers.items() if state.unknown(rows).any()]
    text = f"not known after clearing: {', '.join(names)}"
    seconds = deadline - time.monotonic()
    found = residue(design, hardware, seconds, idle=design.clear + design.contract.clearing + 1)
    if found.verdict == "refuted":
        return replace(found, name="clear")
    return Check("clear", "unknown", f"{text}; no two runs were found that differ.", GROUNDS)
