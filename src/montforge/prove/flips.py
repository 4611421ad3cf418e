# SPDX-License-Identifier: Apache-2.0
"""Flips of single register bits of an engine: each bit at each cycle of a few operations.

Of these operations no flip is left out, and of others nothing is said. ``flips.cpp`` follows the
flips on the gates. It ends a flip early where the operation has no result to keep and runs no
program; that nothing is released then is a lemma, which the solver decides on the same gates.
"""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from montforge.arch.rsa.contract import KEY, E, N, X, Y
from montforge.arch.rsa.engine import WINDOW, Engine
from montforge.arch.rsa.key import Key
from montforge.arch.rsa.keys import make_key
from montforge.arch.rsa.model import LOAD, PRIVATE
from montforge.errors import ToolFailedError
from montforge.hardware import Hardware
from montforge.hardware.yosys import yosys_version
from montforge.prove.gates import INPUTS, Gates
from montforge.prove.netlist import Bit
from montforge.prove.solver import satisfiable, solver_version
from montforge.prove.terms import Bits, Term
from montforge.prove.verdict import Check, ProofError
from montforge.work.arrays import Rows, np
from montforge.work.cache import ResultStore, cached_folder, content_hash
from montforge.work.tools import find_program, run_tool

SOURCE = Path(__file__).with_name("flips.cpp")
FLAGS = ("-std=c++17", "-O3", "-march=native")
_MERGED = f"opt_merge {' '.join(f't:{kind}' for kind in INPUTS)}; opt_expr; opt_clean"
PREPARE = (
    "proc; flatten; opt_expr; opt_clean; memory_map; opt_clean; dffunmap; techmap; simplemap;"
    f" opt_expr; opt_clean; {_MERGED}; {_MERGED}"
)
"""Gates that are equal are one, registers stay: a register and its copy are two."""
BITS = 32
"""The engine's bits: with more, too many flips take too many cycles."""
WATCHDOG_BITS = 12
"""The watchdogs end a step after 2^12 cycles, more than one takes at `BITS`, and so on."""
LIMIT = 1 << WATCHDOG_BITS + 5
"""Cycles after which an operation has no end: twice the engine's own deadline."""
ALL = range(1 << 31)
"""All cycles of an operation."""
SEED = 1
_OPEN = ("u_control.under_way", "u_control.u_wipe.keep_o")
"""A program runs; a result is kept."""
GROUNDS = (
    "simulation of each flip on the gates that Yosys makes of the RTL; two states are equal"
    " if a hash of 128 bits is",
    "bitwuzla decides that without a program and a kept result nothing is released",
)


@dataclass(frozen=True)
class Operation:
    """The private operation of ``c`` with ``key``, after a reset and a load of the key."""

    key: Key
    c: int

    @property
    def y(self) -> int:
        """The right result."""
        key = self.key
        return pow(self.c, pow(key.e, -1, (key.p - 1) * (key.q - 1)), key.n)

    def __str__(self) -> str:
        return f"c = {self.c:#x} with n = {self.key.n:#x}, e = {self.key.e}"


@dataclass(frozen=True)
class Ends:
    """How operations with a flip end: numbers of flips, and the most cycles of one.

    ``wrong`` is the first flip that releases another result: its bit, cycle and result.
    """

    cycles: int
    right: int = 0
    blocked: int = 0
    endless: int = 0
    longest: int = 0
    wrong: tuple[int, int, int] | None = None


def operations(design: Engine) -> tuple[Operation, ...]:
    """Return the operations: of two keys of the shortest n, and of one of the longest."""
    rng = random.Random(SEED)
    short, other, long = (
        make_key(bits, rng, e)
        for bits, e in ((design.min_bits, 3), (design.min_bits, 17), (design.bits, 17))
    )
    found = [Operation(key, rng.randrange(2, key.n - 1)) for key in (short, other, long)]
    return found[0], found[1], Operation(other, other.n - 1), found[2]


def faults(
    design: Engine,
    hardware: Hardware,
    timeout: float,
    tried: Sequence[Operation] | None = None,
    cycles: range = ALL,
) -> Check:
    """Return whether no flip of a bit at any cycle of `operations` releases a wrong result.

    ``tried`` and ``cycles`` are fewer operations, and fewer cycles in which bits flip. Operations
    that are done are kept in the cache. Raises ProofError, ToolMissingError, ToolFailedError.
    """
    if (design.form, design.bits) != (WINDOW, BITS):
        raise ProofError(f"flips are followed in an engine with bits={BITS} and without a bus.")
    solver_version()
    deadline = time.monotonic() + timeout
    parameters = {**hardware.parameters, "WatchdogBits": WATCHDOG_BITS}
    gates = Gates(replace(hardware, parameters=parameters), timeout=timeout, prepare=PREPARE)
    shut = _stays_shut(gates, timeout)
    grounds = GROUNDS if shut else GROUNDS[:1]
    whole = operations(design) if tried is None else tuple(tried)
    found: dict[Operation, Ends] = {}
    try:
        for operation, ends in _followed(design, gates, whole, cycles, deadline, shut=shut):
            if ends.wrong is not None:
                return replace(_refuted(gates, operation, ends.wrong), grounds=grounds)
            found[operation] = ends
    except ToolFailedError as error:
        if time.monotonic() < deadline:
            raise
        text = (
            f"all flips of {len(found)} of {len(whole)} operations are followed, none releases a"
            f" wrong result, and the same command goes on there: {str(error).partition(' (')[0]}."
        )
        return Check("faults", "unknown", text, grounds)
    return replace(_proved(gates, found, cycles), grounds=grounds)


def _proved(gates: Gates, found: Mapping[Operation, Ends], cycles: range) -> Check:
    """Return the verdict without a wrong result: of these operations, and of no others."""
    right, blocked, endless = (
        sum(getattr(ends, name) for ends in found.values())
        for name in ("right", "blocked", "endless")
    )
    bits = sum(len(each.following) for each in gates.registers)
    of_cycles = ", ".join(f"{len(cycles[: ends.cycles]):,}" for ends in found.values())
    text = (
        f"none of {right + blocked + endless:,} flips releases a wrong result, each of {bits:,}"
        f" register and memory bits at each of {of_cycles} cycles of {len(found)} operations:"
        f" {right:,} end right, {blocked:,} without a result, {endless:,} have no end."
    )
    assumptions = (
        "one flip in an operation, from its first cycle until the host has read the result and,"
        " once more, whether the engine is idle without an error",
        *(f"operation of {operation}" for operation in found),
        f"random words of seed {SEED}; registers without reset start at 0",
        f"WatchdogBits = {WATCHDOG_BITS}",
    )
    return Check("faults", "proved", text, assumptions=assumptions)


def _refuted(gates: Gates, operation: Operation, wrong: tuple[int, int, int]) -> Check:
    bit, cycle, value = wrong
    name = _register(gates, _first(gates) + bit)
    text = f"a flip of {name} after {cycle} cycles releases {value:#x} for {operation.y:#x}"
    witness = {"bit": bit, "cycle": cycle, "c": operation.c, "n": operation.key.n, "y": value}
    return Check("faults", "refuted", f"{text}, {operation}.", path=(name,), witness=witness)


def _register(gates: Gates, row: int) -> str:
    """Return the name of a register bit, one that ends in _q if its net has such a name."""
    (net,) = (net for net, at in gates.register_rows.items() if at == row)
    names = [
        (not name.endswith("_q"), len(name), f"{name}[{bits.index(net)}]")
        for name, bits in gates.netlist.nets.items()
        if net in bits
    ]
    return min(names)[-1] if names else "a register without a name"


def _followed(
    design: Engine,
    gates: Gates,
    tried: Sequence[Operation],
    cycles: range,
    deadline: float,
    *,
    shut: bool,
) -> Iterator[tuple[Operation, Ends]]:
    """Yield the ends of the flips of each operation, kept or followed now."""
    store = ResultStore()
    with tempfile.TemporaryDirectory() as folder:
        netlist = Path(folder) / "netlist"
        netlist.write_bytes(np.array(list(_numbers(gates, shut=shut)), dtype=np.int32).tobytes())
        read = content_hash(netlist)
        for operation in tried:
            script = "\n".join(_script(design, operation, cycles)) + "\n"
            key = content_hash("faults", read, SOURCE, script, yosys_version())
            kept = store.get(key)
            if kept is None:
                left = max(1.0, deadline - time.monotonic())
                log = Path(folder) / "log"
                text = run_tool([_program(), netlist], log=log, timeout=left, stdin=script)
                kept = {line.split()[0]: line.split()[1:] for line in text.splitlines()}
                store.put(key, "faults", kept)
            if int(kept["golden"][1]) != operation.y:
                raise ToolFailedError(f"the simulation is wrong without a flip, {operation}.")
            yield operation, _ends(kept)


def _ends(answer: dict[str, list[str]]) -> Ends:
    cycles = int(answer["golden"][0])
    if "wrong" in answer:
        bit, cycle, value = map(int, answer["wrong"])
        return Ends(cycles, wrong=(bit, cycle, value))
    right, blocked, endless, longest = map(int, answer["ends"])
    return Ends(cycles, right, blocked, endless, longest)


def _program() -> Path:
    """Return ``flips.cpp`` compiled for this machine."""

    def build(folder: Path) -> None:
        command = [find_program("g++"), *FLAGS, str(SOURCE), "-o", str(folder / "flips")]
        run_tool(command, log=folder / "g++.log", timeout=600)

    return cached_folder("flips", content_hash(SOURCE, FLAGS), build) / "flips"


def _script(design: Engine, operation: Operation, cycles: range) -> Iterator[str]:
    """Yield the lines that ``flips.cpp`` reads."""
    words, half = (-(-bits // 32) for bits in (design.bits, design.half_bits))
    key = operation.key

    def written(address: int, value: int, count: int) -> Iterator[str]:
        for at in range(count):
            yield f"write {address + 4 * at} {value >> 32 * at & 0xFFFFFFFF}"

    yield f"{SEED}"
    yield "reset"
    yield from written(N, key.n, words)
    yield from written(E, key.e, words)
    for at, value in enumerate((key.p, key.q, key.dp, key.dq, key.qinv)):
        yield from written(KEY + 4 * half * at, value, half)
    yield f"start {LOAD} {key.n.bit_length()}"
    yield "wait"
    yield from written(X, operation.c, words)
    yield f"start {PRIVATE} 0"
    yield f"follow {Y} {words} {LIMIT} {cycles.start} {cycles.stop}"


def _first(gates: Gates) -> int:
    """Return the row of the first register."""
    return min(each.first for each in gates.registers)


def _numbers(gates: Gates, *, shut: bool) -> Iterator[int]:
    """Yield the gates as ``flips.cpp`` reads them; with ``shut``, it may use `_stays_shut`."""

    def listed(numbers: Sequence[int] | Rows) -> Iterator[int]:
        yield len(numbers)
        yield from map(int, numbers)

    first = _first(gates)
    yield from (gates.nets, first, len(gates.groups))
    for group in gates.groups:
        yield from (list(INPUTS).index(group.kind), group.first)
        for rows in group.inputs:
            yield from listed(rows)
    following: dict[int, int] = {}
    resets: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for each in gates.registers:
        following |= {each.first + at: int(row) for at, row in enumerate(each.following)}
        for at, row in enumerate(() if each.reset is None else each.reset):
            place = each.first + at - first, each.value
            resets.setdefault((int(row), each.active), []).append(place)
    yield from listed([following[row] for row in sorted(following)])
    yield len(resets)
    # The engine's reset acts on the register that resets others.
    whole = _input(gates, "rst_ni")[0]
    for (row, active), places in sorted(resets.items(), key=lambda item: item[0][0] != whole):
        yield from (row, active)
        yield from listed([register for register, _ in places])
        yield from listed([value for _, value in places])
    for port in ("rst_ni", "start_i", "op_i", "n_bits_i", "win_valid_i", "win_write_i",
                 "win_addr_i", "win_wdata_i", "random_valid_i", "random_i"):  # fmt: skip
        yield from listed(_input(gates, port))
    for port in ("busy_o", "error_o", "win_rvalid_o", "win_rdata_o", "win_error_o",
                 "random_ready_o"):  # fmt: skip
        yield from listed(_rows(gates, gates.netlist.outputs[port]))
    yield from listed(_open(gates) if shut else [1])


def _rows(gates: Gates, bits: Sequence[Bit]) -> list[int]:
    return [int(row) for row in gates.rows(bits)]


def _input(gates: Gates, port: str) -> list[int]:
    return _rows(gates, gates.netlist.inputs[port])


def _open(gates: Gates) -> list[int]:
    """Return the rows of `_OPEN`, without those that the RTL does not have."""
    return _rows(gates, [bit for name in _OPEN for bit in gates.netlist.nets.get(name, [])])


def _stays_shut(gates: Gates, timeout: float) -> bool:
    """Return whether nothing is released once no program runs and no result is kept.

    In any state in which all of `_OPEN` are 0, without a start and a reset, and with the result's
    address at the window: they are 0 in the next cycle too, and so is the word that is read.
    """
    rows = _open(gates)
    cone = _Cone(gates)
    given = [cone.bits.make("NOT", cone.now(row)) for row in rows]
    read = _rows(gates, gates.netlist.outputs["win_rdata_o"])
    broken = cone.bits.make("OR", *(cone.then(row) for row in (*rows, *read)))
    found = satisfiable(cone.bits, [*given, broken], timeout)
    return len(rows) == len(_OPEN) and found is False


class _Cone:
    """Values of nets in a cycle and in the next one, as terms.

    In the first registers have any value; those that a register resets have any in both.
    """

    def __init__(self, gates: Gates) -> None:
        self.bits = Bits()
        self._driver = {
            group.first + at: (group.kind, tuple(map(int, rows)))
            for group in gates.groups
            for at, rows in enumerate(zip(*group.inputs, strict=True))
        }
        reset = _input(gates, "rst_ni")
        self._following = {
            each.first + at: int(row)
            for each in gates.registers
            for at, row in enumerate(each.following)
            if each.reset is None or int(each.reset[at]) in reset
        }
        idle = {"rst_ni": 1, "start_i": 0, "win_addr_i": Y}
        truths = self.bits.is_set(self.bits.value(1, 0)), self.bits.is_set(self.bits.value(1, 1))
        self._now = {0: truths[0], 1: truths[1]} | {
            row: truths[value >> at & 1]
            for port, value in idle.items()
            for at, row in enumerate(_input(gates, port))
        }
        self._then = {0: truths[0], 1: truths[1], reset[0]: truths[1]}

    def now(self, row: int) -> Term:
        """Return the value in the first cycle."""
        return self._value(row, self._now, partial(self._free, "now"))

    def then(self, row: int) -> Term:
        """Return the value in the next cycle."""
        return self._value(row, self._then, self._next)

    def _next(self, row: int) -> Term:
        following = self._following.get(row)
        return self._free("then", row) if following is None else self.now(following)

    def _free(self, label: str, row: int) -> Term:
        return self.bits.is_set(self.bits.unknown(1, f"{label}.{row}"))

    def _value(self, row: int, known: dict[int, Term], other: Callable[[int], Term]) -> Term:
        """Return the value of ``row``; ``other`` gives that of a row that no gate drives."""
        waiting = [row]
        while waiting:
            at = waiting[-1]
            kind, rows = self._driver.get(at, ("", ()))
            missing = [each for each in rows if each not in known]
            if at in known:
                waiting.pop()
            elif missing:
                waiting += missing
            else:
                found = [known[each] for each in rows]
                known[at] = self._gate(kind, *found) if kind else other(at)
        return known[row]

    def _gate(self, kind: str, *inputs: Term) -> Term:
        make = self.bits.make
        if kind == "$_MUX_":
            a, b, s = inputs
            return make("ITE", s, b, a)
        if kind == "$_XNOR_":
            return make("NOT", make("XOR", *inputs))
        return make(kind.strip("$_"), *inputs)
