# SPDX-License-Identifier: Apache-2.0
"""The engine's RTL against integers: results, errors, equal cycles."""

from __future__ import annotations

import random
import secrets
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from montforge.arch.rsa.engine import WINDOW, Engine
from montforge.arch.rsa.key import Key
from montforge.arch.rsa.keys import make_key, wrong_keys
from montforge.arch.rsa.model import MODEXP_PUBLIC, PAIR_LIFE, PUBLIC, Error
from montforge.errors import CheckFailedError, ParameterError
from montforge.verify.bench import QUICK_CYCLES
from montforge.verify.engine_bench import FOREVER, EngineBench, build
from montforge.verify.identity import code_identity
from montforge.verify.netlist import netlist_hardware
from montforge.verify.runner import check_netlist, mean_latency
from montforge.work.cache import ResultStore, content_hash
from montforge.work.progress import ProgressFunction

OPERATIONS = 16
"""Random messages for each key."""
EXPONENT = 65537
"""e of the longest key, and of the power whose cycles are counted."""
SHOWN = 8
CYCLES_SEED = 1
"""Seed of the key and the random words of the private operation whose cycles a figure takes."""
PATIENCE = 4
"""Times the longest operation of the RTL after which one of a netlist is taken to hang."""


@dataclass(frozen=True)
class KeyCycles:
    """Cycles of the load of a key and of its private operations, but those that renew the blinding
    pair. ``turns``: multiplications of the exponentiator that has most."""

    n_bits: int
    e: int
    turns: int
    load: int
    private: tuple[int, ...]

    def to_json(self) -> dict[str, Any]:
        """Return all data as JSON values."""
        return asdict(self) | {"private": {"min": min(self.private), "max": max(self.private)}}


@dataclass
class EngineReport:
    """Result of `check`. ``failures`` has a sentence for each mismatch."""

    engine: Engine
    seed: int
    operations: int = 0
    keys: list[KeyCycles] = field(default_factory=list)
    public: tuple[int, int] | None = None
    """Cycles of x^e, e = `EXPONENT`, for a new n of all bits, and for the same n again."""
    failures: list[str] = field(default_factory=list)

    @property
    def mismatches(self) -> int:
        """The number of operations that did not end as they must."""
        return len(self.failures)

    @property
    def failed(self) -> bool:
        """Whether an operation did not end as it must."""
        return bool(self.failures)

    def expect(self, name: str, expected: object, actual: object) -> None:
        """Count an operation, and a failure if it did not end as expected."""
        self.operations += 1
        if expected != actual:
            self.failures.append(f"{name}: expected {expected}, actual {actual}")

    def kept(self) -> dict[str, Any]:
        """Return the argument of `add`, as JSON values."""
        found = {k: value for k, value in vars(self).items() if k not in ("engine", "seed")}
        return found | {"keys": [asdict(key) for key in self.keys]}

    def add(self, part: dict[str, Any]) -> None:
        """Take over the results of a part of the check."""
        self.operations += part["operations"]
        self.keys += [KeyCycles(**{**k, "private": tuple(k["private"])}) for k in part["keys"]]
        self.public = self.public or (part["public"] and tuple(part["public"]))
        self.failures += part["failures"]

    def to_json(self) -> dict[str, Any]:
        """Return the report as JSON values; keys are stable."""
        return {
            "architecture": "rsa",
            "parameters": self.engine.parameters,
            "rtl_parameters": self.engine.hardware.parameters,
            "seed": self.seed,
            "operations": self.operations,
            "form": self.engine.form,
            "mismatches": self.mismatches,
            "turn_cycles": self.engine.turn,
            "keys": [key.to_json() for key in self.keys],
            "public": self.public
            and {"e": EXPONENT, "new_n": self.public[0], "same_n": self.public[1]},
            "failures": self.failures,
        }

    def __str__(self) -> str:
        lines = [f"{self.engine}: {self.operations} operations, seed {self.seed}"]
        for key in self.keys:
            private = " to ".join(map(str, sorted({min(key.private), max(key.private)})))
            lines.append(
                f"  n of {key.n_bits} bits, e = {key.e}: load {key.load} cycles, private {private}"
                f" cycles, of which {key.turns} turns take {self.engine.turn_cycles(key.turns)}"
            )
        if self.public is not None:
            lines.append(
                f"  x^{EXPONENT} mod n of {self.engine.bits} bits: {self.public[1]} cycles,"
                f" {self.public[0]} if n is new"
            )
        lines.append(f"  {len(self.failures)} mismatches")
        lines += [f"  {failure}" for failure in self.failures[:SHOWN]]
        return "\n".join(lines)


def check(
    engine: Engine,
    *,
    operations: int | None = None,
    seed: int | None = None,
    errors: bool = True,
    progress: ProgressFunction | None = None,
    program: Path | None = None,
    limit: int = FOREVER,
) -> EngineReport:
    """Run the RTL of ``engine`` and compare its answers with Python's integers.

    Two random keys, the longest and a shorter one, with corner messages and as many random ones as
    ``operations``; all operations of a key must take the same cycles. With ``errors`` also keys
    and messages that must be refused by their codes, slots without a key, and, if the engine has
    them, more operations on one modulus. Results of a key are kept, so that an interrupted check
    goes on with the same ``seed``. ``program`` is one of `engine_bench.build`; an
    operation of it that has not ended after ``limit`` cycles is wrong. Raises as `build` does.
    """
    if engine.form != WINDOW:
        raise ParameterError(
            f"checks drive the engine without its bus: leave form {engine.form} out. The testbench"
            " of a generated folder drives the bus."
        )
    count = OPERATIONS if operations is None else operations
    chosen_seed = secrets.randbits(32) if seed is None else seed
    rng = random.Random(f"engine {chosen_seed}")
    keys = [
        # e must be below the primes less 1.
        make_key(bits, rng, e if e.bit_length() < bits // 2 else 17)
        for bits, e in ((engine.bits, EXPONENT), (max(engine.min_bits, engine.bits - 7), 3))
    ]
    if program is None:
        turns = max(engine.turns(engine.bits, EXPONENT))
        cycles = len(keys) * (count + 12) * turns * engine.turn
        program = build(engine.hardware, optimised=cycles > QUICK_CYCLES)
    parts: list[Key | None] = [*keys, *[None] * engine.public]
    store, report = ResultStore(), EngineReport(engine, chosen_seed)
    known = [program, code_identity(engine), dict(engine.parameters), chosen_seed, count, errors]
    for done, part in enumerate(parts):
        content = content_hash("engine", *known, limit, done)
        data = store.get(content)
        if data is None:
            with EngineBench(program, engine.bits, seed=chosen_seed + 1, limit=limit) as bench:
                found = EngineReport(engine, chosen_seed)
                if done == 0:
                    _check_refusals(bench, found, keys[0])
                _check_part(bench, found, part, count, errors=errors)
            data = found.kept()
            store.put(content, "engine", data)
        report.add(data)
        if progress is not None:
            progress(done + 1, len(parts))
    return report


def _check_refusals(bench: EngineBench, report: EngineReport, key: Key) -> None:
    """Check that a wrong key is refused, and an operation without a key."""
    slot = report.engine.slots - 1
    wrong = replace(key, n=key.n ^ 2)
    report.expect(f"load of {wrong}", Error.PRODUCT, bench.load(wrong, slot=slot).error)
    report.expect("no key", Error.SLOT_EMPTY, bench.private(1, slot=slot)[0].error)


def _check_part(
    bench: EngineBench, report: EngineReport, key: Key | None, count: int, *, errors: bool
) -> None:
    """Check one key, or for None the powers with the host's modulus, on a bench after reset."""
    slot = report.engine.slots - 1
    rng = random.Random(f"engine {report.seed} {key}")
    if key is None:
        _check_public(bench, report, rng)
        if errors:
            _check_powers(bench, report, rng)
        return
    _check_key(bench, report, key, slot, count, rng)
    if errors:
        _check_errors(bench, report, key, slot)


def count_cycles(
    engine: Engine,
    *,
    samples: int | None = None,
    seed: int | None = None,
    progress: ProgressFunction | None = None,
) -> EngineReport:
    """Count the cycles of right operations (`check` without errors)."""
    return check(engine, operations=samples, seed=seed, errors=False, progress=progress)


@mean_latency.register
def _(engine: Engine) -> float:
    """Return the cycles of a private operation of the longest n, counted by the RTL.

    All private operations of that length and e take as many, but for each 32nd, which renews the
    blinding pair. Raises CheckFailedError for an error or a wrong result, and as
    `montforge.verify.engine_bench.build` does.
    """
    engine = engine.with_form(WINDOW)
    key = make_key(engine.bits, random.Random(CYCLES_SEED), engine.public_exponent)
    c = key.n - 2
    with EngineBench(build(engine.hardware), engine.bits, seed=CYCLES_SEED) as bench:
        loaded = bench.load(key)
        answer, y = bench.private(c)
    if loaded.error or answer.error or y is None or pow(y, key.e, key.n) != c:
        raise CheckFailedError(
            f"a private operation of {engine.identifier} is wrong, so its cycles are no figure:"
            f" error {loaded.error} of the load, {answer.error} of the operation,"
            f" y = {'none' if y is None else hex(y)} for c = {c:#x}, n = {key.n:#x}, e = {key.e}."
        )
    return float(answer.operation)


@check_netlist.register
def _(engine: Engine, verilog: Path, liberty: Path, *, seed: int = 1) -> int:
    """Simulate a mapped netlist of ``engine``; return the number of operations, all right.

    They are those of `check` without ``errors``: loads of two keys and of a wrong one, private
    operations, with ``public`` powers. All must have their results and codes, and take the cycles
    that they take in the RTL. ``verilog`` is the netlist of mf_rsa, ``liberty`` the file of its
    cells. Raises CheckFailedError, ToolFailedError.
    """
    netlist = netlist_hardware(engine.hardware, verilog, liberty)
    run = partial(check, engine, operations=0, seed=seed, errors=False)
    rtl = run(program=build(engine.hardware, optimised=False))
    longest = max(cycles for key in rtl.keys for cycles in (key.load, *key.private))
    found = run(program=build(netlist), limit=PATIENCE * longest)
    failures = list(found.failures)
    if not failures and (found.keys, found.public) != (rtl.keys, rtl.public):
        failures.append(f"cycles: expected {rtl.keys}, actual {found.keys}")
    if failures:
        raise CheckFailedError(
            f"the mapped netlist of {engine} is not the engine: {len(failures)} of"
            f" {found.operations} operations were wrong in its simulation. The first:"
            f" {failures[0]}."
        )
    return found.operations


def _check_key(
    bench: EngineBench, report: EngineReport, key: Key, slot: int, count: int, rng: random.Random
) -> None:
    n_bits = key.n.bit_length()
    name = f"key of {n_bits} bits, e = {key.e}"
    loaded = bench.load(key, slot=slot)
    report.expect(f"load, {name}", Error.OK, loaded.error)
    d = pow(key.e, -1, (key.p - 1) * (key.q - 1))
    messages = [0, 1, 2, key.n - 1, key.n >> 1, key.p, key.n - key.q]
    messages += [rng.randrange(key.n) for _ in range(count)]
    cycles = []
    for index, c in enumerate(messages):
        answer, y = bench.private(c, slot=slot)
        expected = (Error.OK, pow(c, d, key.n))
        report.expect(f"{c:#x}^d, {name}", expected, (answer.error, y))
        # The self-test was the pair's first operation.
        if (index + 1) % PAIR_LIFE:
            cycles.append(answer.operation)
    turns = max(report.engine.turns(n_bits, key.e))
    report.keys.append(KeyCycles(n_bits, key.e, turns, loaded.operation, tuple(cycles)))
    report.expect(f"different cycles, {name}", 1, len(set(cycles)))
    if min(cycles) < report.engine.turn_cycles(turns):
        report.failures.append(f"cycles, {name}: {min(cycles)} are fewer than those of the turns")


def _check_errors(bench: EngineBench, report: EngineReport, key: Key, slot: int) -> None:
    def private(name: str, c: int, error: Error, value: int) -> None:
        answer, y = bench.private(c, slot=slot)
        report.expect(name, (error, value), (answer.error, y))

    private("message n", key.n, Error.MESSAGE, 0)
    bench.ask("start", 7, slot, 0)
    report.expect("operation 7", Error.OPERATION, bench.run().error)
    if report.engine.slots < 16:
        absent = bench.private(1, slot=report.engine.slots)[0]
        report.expect("slot that there is not", Error.USE, absent.error)
    bench.ask("random_off")
    report.expect("no random words", Error.RANDOM, bench.private(1, slot=slot)[0].error)
    bench.ask("random", report.seed + 1)
    private("after them", 1, Error.OK, 1)
    for wrong, n_bits, error in wrong_keys(key):
        parts = (wrong.p, wrong.q, wrong.dp, wrong.dq, wrong.qinv)
        if max(parts) >> 32 * bench.half_words or wrong.e >> 32 * bench.words:
            continue
        found = bench.load(wrong, slot=slot, n_bits=n_bits)
        valid = bool(found.slots >> slot & 1)
        report.expect(f"load of {wrong}, {n_bits} bits", (error, False), (found.error, valid))


def _check_public(bench: EngineBench, report: EngineReport, rng: random.Random) -> None:
    bits = report.engine.bits
    n = rng.getrandbits(bits) | 1 << bits - 1 | 1
    cycles = []
    for _ in range(2):
        x = rng.randrange(n)
        answer, y = bench.power(x, EXPONENT, n)
        expected = (Error.OK, pow(x, EXPONENT, n))
        report.expect(f"{x:#x}^{EXPONENT} mod {n:#x}", expected, (answer.error, y))
        cycles.append(answer.operation)
    report.public = cycles[0], cycles[1]


def _check_powers(bench: EngineBench, report: EngineReport, rng: random.Random) -> None:
    bits = report.engine.bits
    for n in ((1 << bits) - 1, 3, rng.getrandbits(bits) | 1 << bits - 1 | 1):
        some, other = rng.randrange(n), rng.randrange(n)
        for x, e in ((0, 3), (n - 1, EXPONENT), (some, 0), (other, EXPONENT)):
            for op in (PUBLIC, MODEXP_PUBLIC):
                answer, y = bench.power(x, e, n, op=op)
                report.expect(f"{x:#x}^{e} mod {n:#x}", (Error.OK, pow(x, e, n)), (answer.error, y))
    report.expect("even modulus", Error.MODULUS_EVEN, bench.power(1, 3, 8)[0].error)
    report.expect("message n", Error.MESSAGE, bench.power(9, 3, 9)[0].error)
