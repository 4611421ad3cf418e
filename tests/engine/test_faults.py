# SPDX-License-Identifier: Apache-2.0
"""Faults in registers and memories of the engine, and what is left in its memories."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

import pytest

from engine_faults import (
    BLOCKED,
    FLIP,
    HANG,
    KINDS,
    RIGHT,
    STUCK_AT_0,
    STUCK_AT_1,
    WRONG,
    Fault,
    FaultBench,
    build_with_faults,
    campaign,
    engine_for_faults,
    hardware_for_faults,
)
from montforge.arch import design
from montforge.arch.rsa.contract import E, N, X, Y
from montforge.arch.rsa.key import Key
from montforge.arch.rsa.keys import make_key
from montforge.arch.rsa.model import FULL, LOAD, PRIVATE, Error

ENGINE = engine_for_faults()
C = 0x12345
WIPES = 200
"""Cycles, more than those of the wipe that ends an operation."""
DEADLINE_BITS = 12 + 4
"""`hardware_for_faults` has WatchdogBits of 12."""


@pytest.fixture
def key() -> Key:
    return make_key(32, random.Random(1))


@pytest.fixture
def bench() -> Iterator[FaultBench]:
    with FaultBench(build_with_faults(hardware_for_faults()), ENGINE.bits) as found:
        yield found


def test_no_fault_releases_a_wrong_result(bench: FaultBench, key: Key) -> None:
    assert bench.load(key).error == Error.OK
    for seed, kind in enumerate(KINDS):
        count = 400
        found = campaign(bench, key, C, count, seed=seed, kind=kind)
        assert (found.count(WRONG), found.count(HANG)) == (0, 0), found.trials
        assert found.count(RIGHT) > 0
        assert found.count(BLOCKED) > count // 10


@pytest.mark.parametrize("name", ["writes_q", "valids_q"])
def test_a_write_at_any_time_releases_no_wrong_result(
    bench: FaultBench, key: Key, name: str
) -> None:
    """A flip of the last bit makes a write, in the check at the result's place."""
    assert bench.load(key).error == Error.OK
    y = pow(C, pow(key.e, -1, (key.p - 1) * (key.q - 1)), key.n)
    cycles = bench.golden(C, seed=1).cycles
    full = f"u_words__DOT__{name}"
    (flipped,) = (each for each in bench.registers() if each.name.endswith(full))
    flips = [Fault(flipped.number, 0, flipped.bits - 1, at, FLIP) for at in range(cycles)]
    ends = [bench.with_faults([flip]).outcome(y) for flip in flips]
    assert not {WRONG, HANG} & {*ends}
    assert ends.count(BLOCKED) > 0


def test_without_the_check_faults_factor_the_modulus(bench: FaultBench, key: Key) -> None:
    assert bench.load(key).error == Error.OK
    found = campaign(bench, key, C, 1200, seed=2, forced=True)
    assert found.count(WRONG) >= 4
    assert found.factored(key, C) >= 1


def words_of(bench: FaultBench) -> dict[str, list[int]]:
    """Return the data of all memories of the engine, without check bits."""
    found = {}
    for register in bench.registers():
        if register.name.endswith(("words_q", "e_q")) and register.words > 1:
            found[register.name] = [
                bench.peek(register, i) & 0xFFFFFFFF for i in range(register.words)
            ]
    return found


def test_memories_have_as_many_bits_as_measure_says(bench: FaultBench) -> None:
    found = [r for r in bench.registers() if r.name.endswith("words_q")]
    assert sum(r.bits * r.words for r in found if r.words > 1) == ENGINE.memory_bits


def test_nothing_is_left_after_reset_abort_and_zeroize(bench: FaultBench, key: Key) -> None:
    def memory(name: str) -> list[int]:
        (found,) = (words for key, words in words_of(bench).items() if name in key)
        return found

    assert any("u_table" in name for name in words_of(bench))
    bench.load(key)
    slot = 10 * 2 * ENGINE.half_words
    assert memory("u_main")[: slot // 10] == [key.p, 0, key.q, 0]
    assert not any(memory("u_main")[slot:]), "work is left after a load"
    assert not any(memory("u_host")[8:]), "the key's windows are left after a load"
    _, y = bench.private(C)
    assert [word for word in memory("u_main")[slot:] if word] == [y]
    bench.ask("start", PRIVATE, 0, 0)
    bench.run(1000)
    assert any(any(words) for name, words in words_of(bench).items() if "u_exponentiator" in name)
    bench.ask("abort")
    assert bench.run().error == Error.ABORTED
    assert memory("u_main")[0] == key.p
    assert not any(memory("u_main")[slot:])
    for name, words in words_of(bench).items():
        assert "u_exponentiator" not in name or not any(words), name
    bench.ask("zeroize", 0)
    bench.run()
    assert not any(memory("u_main"))
    bench.load(key)
    bench.ask("start", PRIVATE, 0, 0)
    bench.run(900)
    bench.ask("reset")
    for name, words in words_of(bench).items():
        assert not any(words), name


@pytest.mark.parametrize("how", ["abort", "zeroize", "zeroall", "reset"])
def test_nothing_is_left_after_any_cycle(bench: FaultBench, key: Key, how: str) -> None:
    """At random cycles of an operation and of a load; what may stay: a loaded key, after abort."""
    slot = 10 * 2 * ENGINE.half_words
    rng = random.Random(how)
    loading = bench.load(key).cycles
    running = bench.private(C)[0].cycles
    for op, cycles in ((PRIVATE, running), (LOAD, loading)):
        for at in (0, 1, *(rng.randrange(cycles) for _ in range(10)), cycles - 1):
            assert bench.load(key).error == Error.OK
            bench.write_key(key)
            bench.ask("start", op, 0, key.n.bit_length() if op == LOAD else 0)
            bench.run(at)
            bench.ask(how, *[0] * (how == "zeroize"))
            answer = bench.run()
            if how == "abort" and at > cycles - WIPES and answer.error == Error.OK:
                continue  # it had ended, and wiped
            assert bench.read(Y, 1) == 0
            found = words_of(bench)
            (main,) = (words for name, words in found.items() if "u_main" in name)
            (host,) = (words for name, words in found.items() if "u_host" in name)
            kept = how == "abort" and op == PRIVATE
            assert (answer.slots, any(main[:slot])) == (int(kept), kept)
            assert not any(main[slot:]), "working values"
            assert not any(any(words) for name, words in found.items() if "u_exponentiator" in name)
            if how in ("zeroall", "reset"):
                assert not any(host)
            elif op == LOAD:
                assert not any(host[8:]), "the key's windows"
            if how != "reset":
                assert (answer.done, answer.error) == (True, Error.ABORTED)


@pytest.mark.parametrize("how", ["abort", "zeroall", "reset"])
def test_nothing_is_left_of_a_power_after_any_cycle(key: Key, how: str) -> None:
    """Neither of its secret exponent nor of its powers; after abort the key stays."""
    engine = design("rsa", bits=32, window=2, eblind=0, min_bits=16, public=1)
    keys = 2 * 2 * engine.slot_variables * engine.half_words  # the slot and the host's n
    exponent = 2 * 2 * engine.half_words  # after x and n
    e = 0x7654321
    rng = random.Random(how)
    with FaultBench(build_with_faults(engine.hardware, optimised=False), 32) as bench:
        cycles = bench.power(C, e, key.n, op=FULL, e_bits=32)[0].cycles
        for at in (1, *(rng.randrange(cycles) for _ in range(10)), cycles - WIPES):
            assert bench.load(key).error == Error.OK
            bench.write(X, C, 1)
            bench.write(E, e, 1)
            bench.write(N, key.n, 1)
            bench.ask("start", FULL, 0, 32, 32)
            bench.run(at)
            bench.ask(how)
            answer = bench.run()
            assert bench.read(Y, 1) == 0
            assert answer.slots == int(how == "abort")
            for name, words in words_of(bench).items():
                if "u_main" in name:
                    assert any(words[:keys]) == (how == "abort")
                    assert not any(words[keys:]), "working values"
                elif "u_host" in name:
                    assert not any(words[exponent:]), "the exponent"
                else:
                    assert not any(words), name


def test_the_message_is_not_written(bench: FaultBench, key: Key) -> None:
    bench.load(key)
    bench.private(C)
    for name, words in words_of(bench).items():
        if "u_host" in name:
            assert words[0] == C
    # The same message again, without writing it.
    bench.ask("start", PRIVATE, 0, 0)
    assert bench.run().error == Error.OK
    assert bench.write(X, C, 1)


def test_a_slot_is_locked_by_a_fault(bench: FaultBench, key: Key) -> None:
    (memory,) = (r for r in bench.registers() if "u_main" in r.name and r.words > 1)
    bench.load(key)
    bench.flip(memory, 0, 0)
    answer, y = bench.private(C)
    assert (answer.error, answer.slots, answer.events & 4, y) == (Error.FAULT, 0, 4, 0)
    assert bench.private(C)[0].error == Error.USE
    bench.ask("zeroize", 0)
    bench.run()
    assert bench.private(C)[0].error == Error.SLOT_EMPTY
    bench.load(key)
    assert bench.private(C)[0].error == Error.OK


@pytest.mark.parametrize(
    ("name", "bit", "how"),
    [
        ("quiet_q", 0, FLIP),
        ("u_windows__DOT__read_q", 0, STUCK_AT_0),
        ("u_wipe__DOT__clear_q", 3, STUCK_AT_1),
    ],
)
def test_a_fault_in_a_flag_is_an_error(
    bench: FaultBench, key: Key, name: str, bit: int, how: int
) -> None:
    """The host reads no 0 as if it were a result, and a wipe that has no end is ended."""
    bench.load(key)
    golden = bench.golden(C, seed=1)
    (register,) = (r for r in bench.registers() if r.name.endswith(name))
    end = bench.with_faults([Fault(register.number, 0, bit, golden.cycles - 100, how)])
    assert end.outcome(golden.value) == BLOCKED


def test_a_stuck_instruction_releases_nothing(bench: FaultBench, key: Key) -> None:
    """Bits that made both comparisons of the check compare a value with itself, and others."""
    bench.load(key)
    y = bench.golden(C, seed=1).value
    for name, bits in (("u_control__DOT__i_q", (30, 38, 59)), ("u_words__DOT__job_q", (40, 90))):
        (register,) = (r for r in bench.registers() if r.name.endswith(name))
        for bit in bits:
            for how in (STUCK_AT_0, STUCK_AT_1):
                for cycle in (85, 229, 436):
                    end = bench.with_faults([Fault(register.number, 0, bit, cycle, how)])
                    assert end.outcome(y) in (RIGHT, BLOCKED)


def test_a_stuck_state_ends_in_an_error(bench: FaultBench, key: Key) -> None:
    """All bits of the state and what says busy: the deadline is a counter of its own."""
    bench.load(key)
    golden = bench.golden(C, seed=1)
    outcomes = set()
    for name, bits in (("u_control__DOT__state_q", range(8)), ("u_control__DOT__busy_q", [0])):
        (register,) = (r for r in bench.registers() if r.name.endswith(name))
        for bit in bits[: register.bits]:
            for how in (STUCK_AT_0, STUCK_AT_1):
                fault = Fault(register.number, 0, bit, golden.cycles // 2, how)
                end = bench.with_faults([fault])
                outcomes.add(end.outcome(golden.value))
                assert end.cycles < golden.cycles + (1 << DEADLINE_BITS) + 100
    assert outcomes <= {RIGHT, BLOCKED}


@pytest.mark.parametrize(
    ("parts", "bits"),
    [
        # Products that no longer depend on the operands; bits that pass through on their way in.
        (("__BRA__0__KET__", "u_core__DOT__shift_q"), (0,)),
        (("__BRA__1__KET__", "u_exponentiator__DOT__a_s_q"), (16, 32, 33)),
        (("__BRA__1__KET__", "u_exponentiator__DOT__b_s_q"), (16, 32, 33)),
        # What is written where; the end of an operation on words; operands.
        (("u_words__DOT__write_q",), range(0, 47, 3)),
        (("u_words__DOT__state_q",), (0, 1)),
        (("u_words__DOT__pending_q",), (0,)),
        (("u_words__DOT__cut_q",), (0, 1, 5, 12, 20, 28, 33, 34, 36, 40, 41, 42)),
        (("u_words__DOT__x_q",), (0, 15, 20, 31)),
        (("u_words__DOT__y_q",), (0, 15, 20, 31)),
    ],
)
def test_bits_that_are_stuck_in_signature_and_check_alike(
    bench: FaultBench, key: Key, parts: tuple[str, ...], bits: Sequence[int]
) -> None:
    bench.load(key)
    (register,) = (r for r in bench.registers() if all(part in r.name for part in parts))
    for c in range(2, 400, 36):
        y = bench.golden(c, seed=c).value
        for bit in bits:
            for how in (STUCK_AT_0, STUCK_AT_1):
                end = bench.with_faults([Fault(register.number, 0, bit, 100, how)])
                assert end.outcome(y) in (RIGHT, BLOCKED), (c, bit, how)
