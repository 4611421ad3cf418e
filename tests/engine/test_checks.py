# SPDX-License-Identifier: Apache-2.0
"""The check modulo n on the exponentiator of full width, alone and beside that modulo p and q."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from engine_faults import BLOCKED, FLIP, WRONG, Fault, FaultBench, Register, build_with_faults
from montforge.arch import design
from montforge.arch.parameter import named_values
from montforge.arch.rsa.engine import CHECKS, Engine
from montforge.arch.rsa.keys import make_key
from montforge.errors import ParameterError
from montforge.verify.engine import check
from montforge.verify.engine_bench import EngineBench, build
from planted import Bug, planted_program

# Constants of other kinds, signed results, and R of other lengths on the two sides.
ENGINES = [
    design("rsa", bits=32, core="mm_r2", window=2, eblind=0, min_bits=16, public=1, check="both",
           public_core="eberle"),
    design("rsa", bits=33, core="tenca_koc", window=2, halves=1, min_bits=16, public=1, check="n",
           public_core="booth_csa", **{"public_core.radix": 16}),
]  # fmt: skip
ENGINE = design("rsa", bits=32, core="mm_r2", window=2, eblind=0, min_bits=16, public=1, check="n")
ROWS, PROGRAM = "mf_rsa_rows", "mf_rsa_program"
BUGS = [
    Bug("c is compared with c", ROWS,
        "? counts(CodeFirst, compare(@full(WorkC)@, full(HostX)), IfEqual)",
        "full(HostX)", others=((ROWS,
        "? counts(CodeSecond, compare(@full(WorkC)@, full(HostX)), IfEqual)",
        "full(HostX)"),)),
    Bug("turns of full width not compared", PROGRAM,
        "@turns_i[Exponentiators-1] == full_turns_q@",
        "turns_i[Exponentiators-1] != '0"),
]  # fmt: skip


@pytest.mark.parametrize("engine", ENGINES, ids=str)
def test_operations_and_errors(engine: Engine) -> None:
    program = build(engine.hardware, optimised=False)
    report = check(engine, operations=2, seed=1, program=program)
    assert report.operations > 80
    assert not report.failures
    # A load is in the place of the host's n, whose constants are made again.
    key = make_key(engine.bits, random.Random(3))
    with EngineBench(program, engine.bits) as bench:
        assert bench.power(7, 5, 9)[1] == pow(7, 5, 9)
        assert not bench.load(key).error
        assert bench.power(7, 5, 9)[1] == pow(7, 5, 9)
        assert pow(bench.private(5)[1] or 0, key.e, key.n) == 5


def fault_seen(program: Path) -> str:
    """Return which faults in an operation of `ENGINE` are not blocked."""
    rng = random.Random(2)
    key = make_key(32, rng)
    y = pow(9, pow(key.e, -1, (key.p - 1) * (key.q - 1)), key.n)
    with FaultBench(program, 32, seed=5) as bench:
        bench.load(key)
        golden = bench.golden(9, seed=1)
        registers = bench.registers()

        def named(*parts: str) -> Register:
            (found,) = (r for r in registers if all(part in r.name for part in parts))
            return found

        def outcome(register: Register, bit: int, cycle: int) -> int:
            return bench.with_faults([Fault(register.number, 0, bit, cycle, FLIP)]).outcome(y)

        # Flipped after it has been loaded, in the last turns.
        ends = {outcome(named("full_e_turns_q"), 7, golden.cycles * n // 20) for n in range(20)}
        if BLOCKED not in ends:
            return "turns"
        power = named("gen_exponentiator__BRA__0", "u_exponentiator__DOT__a_s_q")
        for _ in range(150):
            if outcome(power, rng.randrange(16), rng.randrange(golden.cycles)) == WRONG:
                return "result"
    return ""


def program_for_faults() -> Path:
    return planted_program(ENGINE, BUGS, (("WatchdogBits", 13),), build=build_with_faults)


def test_faults_are_blocked() -> None:
    assert fault_seen(program_for_faults()) == ""


@pytest.mark.slow
@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.name)
def test_planted_bugs_are_caught(bug: Bug, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLANTED", str(BUGS.index(bug) + 1))
    assert fault_seen(program_for_faults())


def test_what_is_legal() -> None:
    assert CHECKS == ("pq", "n", "both")
    words = ("bits=64", "public=1", "public_core=eberle", "public_core.k=8", "check=both")
    engine = design("rsa", **named_values(words))
    assert dict(engine.public_multiplier.parameters)["k"] == 8
    assert design("rsa", **engine.parameters) == engine
    for wrong, text in (
        ({"check": "none"}, "check .*none"),
        ({"check": "n"}, "public .* 1"),
        ({"public_core": "eberle"}, "public .* 1"),
        ({"public": 1, "public_core": "fmlm"}, "fmlm.* public_core"),
        ({"public": 1, "public_core.k": 8}, "public_core"),
    ):
        with pytest.raises(ParameterError, match=text):
            design("rsa", bits=64, min_bits=16).replace(**wrong)
