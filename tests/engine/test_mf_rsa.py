# SPDX-License-Identifier: Apache-2.0
"""The RTL of the engine against its model: results, keys, errors, aborts."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from engine_faults import FaultBench, build_with_faults, engine_for_faults, hardware_for_faults
from montforge.arch import design
from montforge.arch.rsa.contract import KEY, E, N, X, Y
from montforge.arch.rsa.engine import Engine
from montforge.arch.rsa.key import Key
from montforge.arch.rsa.keys import make_key, small_orders, wrong_keys
from montforge.arch.rsa.model import FULL, LOAD, MODEXP_PUBLIC, PRIVATE, PUBLIC, SETUP, Error, Model
from montforge.errors import ParameterError
from montforge.verify.engine import check
from montforge.verify.engine_bench import EngineBench, build

from .bench_words import bench_words

PIPELINED = {"core.radix": 64, "core.pipeline": 1}
PUBLISHED = {"core.variant": "published"}
UNIT = {"core.variant": "unit"}
TWO_ROWS, SMALL = {"core.rows": 2, "core.word": 15}, {"core.word": 6}
ENGINES = [
    design("rsa", bits=64, window=3, slots=2, min_bits=16, public=1),
    design("rsa", bits=65, core="scs_mm_ct", window=2, halves=1, adder=64, min_bits=16),
    design("rsa", bits=96, **PIPELINED, window=4, eblind=0, min_bits=64),
]
# Cores with other constants: m of all bits of R, n 2^b + m, m of few bits.
CORES = [
    # Scans that outlast the squarings, of tables in block RAM.
    design("rsa", bits=64, core="rmm", window=6, min_bits=16, public=1, table="block"),
    design("rsa", bits=34, core="fios_dsp", **PUBLISHED, window=2, halves=1, min_bits=16),
    design("rsa", bits=34, core="eberle", window=2, halves=1, min_bits=16),
    # Results below 2^(s + 1) n: s = 12; 36, and in checks modulo n; 17; 60; of the third
    # exponentiator alone. Tables of words.
    design("rsa", bits=64, core="unit_dsp", **SMALL, window=2, min_bits=16, table="words"),
    design(
        "rsa",
        bits=65,
        core="unit_dsp",
        window=3,
        halves=1,
        min_bits=16,
        adder=64,
        public=1,
        check="both",
        table="words",
    ),
    design("rsa", bits=130, core="fios_dsp", **UNIT, window=2, min_bits=64, table="words"),
    design("rsa", bits=33, core="unit_dsp", **TWO_ROWS, window=2, halves=1, min_bits=16),
    design(
        "rsa", bits=34, window=2, halves=1, min_bits=16, public=1, public_core="unit_dsp", check="n"
    ),
]


# In the order of their checks. LENGTH: the key is loaded as one of a bit less.
FAULTS: dict[Error, Callable[[Key], Key]] = {
    Error.MODULUS_EVEN: lambda key: replace(key, n=key.n & ~1),
    Error.LENGTH: lambda key: key,
    Error.PRIMES_EQUAL: lambda key: replace(key, q=key.p),
    Error.PRODUCT: lambda key: replace(key, n=key.n ^ 2),
    Error.EXPONENT: lambda key: replace(key, dp=key.dp + 1),
    Error.PUBLIC_EXPONENT: lambda key: replace(key, e=key.e + 1),
    Error.RANGE: lambda key: replace(key, qinv=key.p),
    Error.QINV: lambda key: replace(key, qinv=key.qinv ^ 1),
}


def program(engine: Engine) -> Path:
    """The first engine has millions of cycles to run, the others fewer than its compiler takes."""
    return build(engine.hardware, optimised=engine is ENGINES[0])


def new_model(engine: Engine, seed: int) -> Model:
    words = bench_words(seed)
    return Model(
        engine.bits,
        engine.multiplier.contract.r,
        lambda: next(words),
        min_bits=engine.min_bits,
        eblind=engine.eblind,
        word=engine.adder,
        half_words=engine.half_words,
    )


@pytest.fixture
def bench() -> Iterator[EngineBench]:
    engine = ENGINES[0]
    with EngineBench(program(engine), engine.bits) as found:
        yield found


@pytest.fixture
def key() -> Key:
    return make_key(64, random.Random(7))


@pytest.mark.parametrize("engine", ENGINES, ids=str)
def test_it_is_the_model(engine: Engine) -> None:
    rng = random.Random(engine.bits)
    model = new_model(engine, 5)
    times = set()
    with EngineBench(program(engine), engine.bits, seed=5) as bench:
        for short, e in ((0, 3), (1, 17), (8, 257), (0, 65537)):
            key = make_key(engine.bits - short, rng, e)
            n_bits = key.n.bit_length()
            assert bench.load(key).error == model.load(key, n_bits) == Error.OK
            cs = (0, 1, 2, key.n - 1, key.n >> 1, key.p, key.q * 2, key.n, rng.randrange(key.n))
            for c in (*cs, *(rng.randrange(key.n) for _ in range(4))):
                answer, y = bench.private(c)
                expected = model.private(c)
                assert (answer.error, y) == (expected.error, expected.y)
                if answer.error == Error.OK and model.life != 31:
                    times.add((short, e, answer.operation))
        assert len(times) == 4, "time depends on the message"


@pytest.mark.parametrize("engine", CORES, ids=str)
def test_cores_with_other_constants(engine: Engine) -> None:
    rng = random.Random(engine.bits)
    model = new_model(engine, 5)
    with EngineBench(build(engine.hardware, optimised=False), engine.bits, seed=5) as bench:
        for short in (0, 5):
            key = make_key(engine.bits - short, rng)
            assert bench.load(key).error == model.load(key, key.n.bit_length()) == Error.OK
            for c in (0, key.n - 1, rng.randrange(key.n), key.n):
                answer, y = bench.private(c)
                expected = model.private(c)
                assert (answer.error, y) == (expected.error, expected.y)
        if engine.public:
            for n in (key.n, 3, (1 << engine.bits) - 1):
                for op in (PUBLIC, FULL):
                    assert bench.power(n - 2, 65537, n, op=op)[1] == pow(n - 2, 65537, n)


@pytest.mark.parametrize("engine", ENGINES[:2], ids=str)
def test_wrong_keys_are_refused_by_their_codes(engine: Engine) -> None:
    key = make_key(engine.bits - 1, random.Random(3))
    with EngineBench(program(engine), engine.bits) as bench:
        for wrong, n_bits, error in wrong_keys(key):
            if max(wrong.dq, wrong.dp, wrong.qinv) >> 32 * bench.half_words:
                continue
            answer = bench.load(wrong, n_bits=n_bits)
            assert (answer.error, answer.slots) == (error, 0), wrong
            assert bench.private(2)[0].error == Error.SLOT_EMPTY


def words_of_powers(engine: Engine, key: Key, r: int, rng: random.Random) -> list[int]:
    """Return random words of a load whose blinding values and message are r-th powers."""
    found = []
    for n, below, halves in ((key.p, key.p, 1), (key.q, key.q, 1), (key.n, key.n >> 1, 2)):
        while not 2 <= (value := pow(rng.randrange(n), r, n)) < below:
            pass
        found += [value >> 32 * i for i in range(halves * engine.half_words * engine.adder // 32)]
    return [word & 0xFFFFFFFF for word in found]


@pytest.mark.parametrize("engine", ENGINES[:2], ids=str)
def test_exponents_that_are_right_for_some_messages_are_refused(engine: Engine) -> None:
    """The random words are those with which a signed message would tell nothing."""
    rng = random.Random(6)
    with EngineBench(program(engine), engine.bits) as bench:
        for r, wrong in small_orders(engine.bits):
            bench.ask("random_words", *words_of_powers(engine, wrong, r, rng))
            answer = bench.load(wrong)
            assert (answer.error, answer.slots) == (Error.EXPONENT, 0), (r, wrong)


@pytest.mark.parametrize("e", [3, 17])
def test_of_all_exponents_the_inverse_alone_is_taken(e: int) -> None:
    """All odd dP, then all odd dQ, of primes of a byte; 3 divides q - 1."""
    p, q = 191, 223
    dp, dq = (pow(e, -1, n - 1) if math.gcd(e, n - 1) == 1 else 1 for n in (p, q))
    taken = []
    engine = engine_for_faults()
    with FaultBench(build_with_faults(hardware_for_faults()), engine.bits) as bench:
        for exponents in [
            *((d, dq) for d in range(1, 257, 2)),
            *((dp, d) for d in range(1, 257, 2)),
        ]:
            key = Key(p * q, e, p, q, *exponents, pow(q, -1, p))
            answer = bench.load(key, n_bits=16)
            assert answer.error in (Error.OK, Error.EXPONENT)
            taken += [exponents] * (answer.error == Error.OK)
    assert taken == ([(dp, dq)] * 2 if e == 17 else [])


def test_of_two_wrong_parts_the_first_check_tells(bench: EngineBench) -> None:
    """The checks of a load run in the order of `FAULTS`, each pair of them."""
    key = make_key(63, random.Random(3))
    for first, second in itertools.combinations(FAULTS, 2):
        wrong = FAULTS[first](FAULTS[second](key))
        n_bits = 62 if Error.LENGTH in (first, second) else 63
        answer = bench.load(wrong, n_bits=n_bits)
        assert (answer.error, answer.slots) == (first, 0), (first, second)


def test_pairs_are_renewed_after_32_operations(bench: EngineBench, key: Key) -> None:
    bench.load(key)
    found = [bench.private(5)[0].operation for _ in range(66)]
    assert [i for i, cycles in enumerate(found) if cycles > found[0]] == [31, 63]
    assert len(set(found)) == 2 or len(set(found)) == 3


def test_powers_on_the_hosts_modulus(bench: EngineBench, key: Key) -> None:
    assert bench.load(key).error == Error.OK
    rng = random.Random(11)
    for n in (key.n, (1 << 64) - 1, (1 << 63) + 1, 3, 5, (1 << 33) - 9):
        times = set()
        for e in (0, 1, 2, 3, 6, 65537, (n - 1) & 0xFFFF, rng.getrandbits(64)):
            for x in {0, 1, n - 1, rng.randrange(n)}:
                for op in (PUBLIC, FULL, MODEXP_PUBLIC):
                    answer, y = bench.power(x, e, n, op=op, e_bits=64 if op == FULL else None)
                    assert (answer.error, y) == (Error.OK, pow(x, e, n)), (x, e, n, op)
                    if op == FULL:
                        times.add(answer.operation)
        # The first one has the set-up of n.
        assert len(times) == 1
    assert bench.power(3, 5, 9, op=SETUP)[0].error == Error.OK
    assert bench.read(Y, 2) == 0
    for x, n, error in ((9, 9, Error.MESSAGE), (1, 8, Error.MODULUS_EVEN), (0, 1, Error.LENGTH)):
        answer, y = bench.power(x, 3, n)
        assert (answer.error, y) == (error, 0)
    assert bench.power(1, 3, 9, e_bits=65)[0].error == Error.LENGTH
    # Of lengths that there are not, whatever n is; 0 is that of an n that was not written.
    for op, n, n_bits in itertools.product(
        (PUBLIC, FULL, MODEXP_PUBLIC, SETUP), (0, 8, 9), (0, 1, 65, 0xFFFF)
    ):
        bench.write(N, n, 2)
        bench.ask("start", op, 0, n_bits, 2)
        assert bench.run().error == Error.LENGTH, (op, n, n_bits)
    # Keys and the operations on them are as before.
    assert pow(bench.private(7)[1] or 0, key.e, key.n) == 7


def test_cycles_of_a_power_are_reported() -> None:
    engine = ENGINES[0]
    report = check(engine, operations=0, seed=1, errors=False, program=program(engine))
    assert report.public is not None
    new, same = report.public
    assert 18 * engine.turn < same < new
    assert f"x^65537 mod n of 64 bits: {same} cycles, {new} if n is new" in str(report)
    assert not report.failures


def test_commands_that_cant_start(bench: EngineBench, key: Key) -> None:
    bench.ask("start", 7, 0, 0)
    assert bench.run().error == Error.OPERATION
    bench.ask("start", PRIVATE, 2, 0)
    assert bench.run().error == Error.USE
    assert bench.private(1)[0].error == Error.SLOT_EMPTY
    assert bench.load(key, slot=1).slots == 2
    assert bench.private(1, slot=0)[0].error == Error.SLOT_EMPTY
    assert bench.private(2, slot=1)[0].error == Error.OK


def test_a_second_start_does_not_disturb(bench: EngineBench, key: Key) -> None:
    bench.load(key)
    bench.load(make_key(64, random.Random(8)), slot=1)
    alone, y = bench.private(77)
    bench.ask("start", PRIVATE, 0, 0)
    bench.run(100)
    bench.ask("start", PRIVATE, 1, 0)
    middle = bench.run(1)
    assert (middle.busy, middle.error) == (True, Error.BUSY)
    answer = bench.run()
    assert (answer.error, answer.operation) == (Error.OK, alone.operation)
    assert bench.read(Y, 2) == y


def test_a_start_is_refused_up_to_the_last_cycle_in_which_the_engine_is_busy(
    bench: EngineBench, key: Key
) -> None:
    bench.load(key)
    alone, y = bench.private(77)
    for left in range(1, 5):
        bench.ask("start", PRIVATE, 0, 0)
        assert bench.run(alone.cycles - left).busy
        bench.ask("start", PRIVATE, 1, 0)
        answer = bench.run()
        assert (answer.error, answer.operation) == (Error.OK, alone.operation), left
        assert bench.read(Y, 2) == y


def test_windows(bench: EngineBench, key: Key) -> None:
    assert bench.write(N, 0x0123456789ABCDEF, 2)
    assert bench.read(N, 2) == 0x0123456789ABCDEF
    for address in (X, E, KEY, 0x0, 0x1800, N + 8, Y + 8):
        assert bench.read(address, 1) is None
    for address in (Y, X + 8, N + 8, KEY + 20, 0x3000, X + 1):
        assert not bench.write(address, 1, 1)
    bench.ask("lock", 1)
    assert not bench.write(KEY, 1, 1)
    assert bench.write(X, 1, 1)
    bench.ask("lock", 0)
    bench.load(key)
    bench.private(3)
    bench.ask("start", PRIVATE, 0, 0)
    bench.run(50)
    assert not bench.write(X, 4, 1)
    assert bench.read(Y, 1) is None
    bench.run()
    assert pow(bench.read(Y, 2) or 0, key.e, key.n) == 3


def test_a_dead_or_stuck_random_source_is_an_error(bench: EngineBench, key: Key) -> None:
    assert bench.load(key).error == Error.OK
    bench.ask("random_off")
    answer, y = bench.private(3)
    assert (answer.error, y) == (Error.RANDOM, 0)
    assert 1 << 16 <= answer.operation < (1 << 16) + 200
    for value in (0, 0xFFFFFFFF, 0x12345678):
        bench.ask("random_constant", value)
        assert bench.private(3)[0].error == Error.RANDOM
    bench.ask("random", 3)
    answer, y = bench.private(3)
    assert answer.error == Error.OK
    assert pow(y or 0, key.e, key.n) == 3


@pytest.mark.parametrize("engine", ENGINES[:2], ids=str)
def test_four_equal_words_end_the_operation_that_draws_them(engine: Engine) -> None:
    key = make_key(engine.bits, random.Random(7))

    def load(seed: int) -> Error:
        bench.ask("random", seed)
        return Error(bench.load(key).error)

    with EngineBench(program(engine), engine.bits) as bench:
        for word in (0, 0xFFFFFFFF, 0x12345678):
            assert load(1) == Error.OK
            bench.ask("random_constant", word)
            # An operation takes four words, of a source that was right till now.
            for _ in range(3):
                answer, y = bench.private(3)
                assert (answer.error, answer.slots, y) == (Error.RANDOM, 1, 0)
            bench.ask("random", 3)
            assert pow(bench.private(3)[1] or 0, key.e, key.n) == 3
        # Three are none, and a wipe ends also with four, for which no later operation answers.
        for words, error in (((5, 5, 5, 6), Error.OK), ((6, 5, 5, 5), Error.OK),
                             ((5, 5, 5, 5), Error.RANDOM)):  # fmt: skip
            bench.ask("random_words", *words)
            assert bench.private(3)[0].error == error
        bench.ask("random_constant", 9)
        bench.ask("zeroize", 0)
        assert bench.run().error == Error.OK
        assert load(2) == Error.OK
        bench.ask("reset")
        bench.ask("random_words", 0, 0, 0)  # as the register of the word before is after a reset
        assert bench.load(key).error == Error.OK


def test_random_data_has_no_effect_while_it_is_not_valid() -> None:
    """An operation waits for words; all registers are the same whatever the data is."""
    key = make_key(32, random.Random(1))
    found = []
    for data in (0, 0xFFFFFFFF):
        with FaultBench(build_with_faults(hardware_for_faults()), 32) as bench:
            bench.ask("random_off", data)
            bench.write_key(key)
            bench.ask("start", LOAD, 0, 32)
            bench.run(8000)
            assert bench.run(0).busy
            found.append(
                {(r.name, i): bench.peek(r, i) for r in bench.registers() for i in range(r.words)}
            )
    assert found[0] == found[1]


def test_an_abort_at_any_cycle(bench: EngineBench, key: Key) -> None:
    bench.load(key)
    cycles, y = bench.private(9)[0].operation, 0
    rng = random.Random(2)
    for at in [*range(40), *(rng.randrange(cycles) for _ in range(40)), cycles - 1]:
        bench.write(X, 9, 2)
        bench.ask("start", PRIVATE, 0, 0)
        bench.run(at)
        bench.ask("abort")
        answer = bench.run()
        assert (answer.done, answer.slots) == (True, 1)
        if answer.error != Error.OK:
            assert answer.error == Error.ABORTED
            assert bench.read(Y, 2) == 0
        answer, y = bench.private(9)
        assert answer.error == Error.OK
        assert pow(y or 0, key.e, key.n) == 9


def test_the_result_is_not_readable_before_the_end(bench: EngineBench, key: Key) -> None:
    bench.load(key)
    assert bench.private(9)[1]
    bench.ask("start", PRIVATE, 0, 0)
    while bench.run(50).busy:
        assert bench.read(Y, 1) is None
    assert bench.read(Y, 2)


def test_zeroize(bench: EngineBench, key: Key) -> None:
    bench.load(key)
    bench.load(key, slot=1)
    bench.ask("zeroize", 0)
    answer = bench.run()
    assert (answer.done, answer.error, answer.slots) == (True, 0, 2)
    assert bench.private(3)[0].error == Error.SLOT_EMPTY
    assert bench.private(3, slot=1)[0].error == Error.OK
    assert bench.read(Y, 2) != 0
    bench.ask("zeroall")
    assert bench.run().slots == 0
    assert (bench.read(Y, 2), bench.read(N, 2)) == (0, 0)
    bench.ask("zeroize", 2)
    assert bench.run().error == Error.USE


def test_illegal_engines_are_refused() -> None:
    for wrong, words in (
        ({"bits": 31}, "bits .* 32 to 4096"),
        ({"window": 1}, "window .* 2 to 6"),
        ({"halves": 3}, "halves .* 1, 2"),
        ({"adder": 48}, "adder .* 32, 64"),
        ({"table": "blok"}, "table.*block"),
        ({"table": "words"}, "table = words"),
        ({"min_bits": 2049}, "min_bits .* 2048"),
        ({"core": "scs_mm_skip"}, "scs_mm_skip.* core of rsa"),
        ({"core": "mlws"}, "mlws.*power of 2"),
        ({"core": "fixed_prime", "bits": 128, "min_bits": 128}, "fixed_prime.* core of rsa"),
        ({"core": "unit_dsp", "core.rows": 2}, "6 subtractions.* up to 61"),
    ):
        with pytest.raises(ParameterError, match=words):
            design(
                "rsa",
            ).replace(**wrong)
