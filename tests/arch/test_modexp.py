# SPDX-License-Identifier: Apache-2.0
"""modexp: turns and cycles, powers over three kinds of multiplier, abort, addresses, bad input."""

from __future__ import annotations

import itertools
import random
import runpy
from collections.abc import Callable
from pathlib import Path

import pytest

from montforge.arch import Design, cores, design, variants
from montforge.arch.power import power_cycles
from montforge.contract import Cycles
from montforge.errors import MontforgeError, OperandError, ParameterError
from montforge.programs.powers import (
    ALGORITHMS,
    WITH_DIGITS,
    WITH_TWO_MULTIPLIERS,
    Plan,
    Steps,
    run,
)
from montforge.verify import build_bench, verify
from montforge.verify.bench import Request

BINARY = {"multiplier": "scs_mm_ct", "multiplier.block": 4}
PAIR = {"multiplier": "fcs_mmm42"}
SIGNED = {"multiplier": "booth_csa", "multiplier.radix": 64}


def plans() -> list[Plan]:
    found = [Plan(name, w) for name in WITH_DIGITS for w in (1, 2, 3)]
    found += [Plan(name, 1, 2) for name in WITH_TWO_MULTIPLIERS]
    return found + [Plan(name) for name in ALGORITHMS if name not in WITH_DIGITS]


def modexp(width: int = 5, **given: object) -> Design:
    return design("modexp", **{"width": width, "adder": 4} | given)


# ---------------------------------------------------------------- algorithms


def result(steps: Steps, multiply: Callable[[int, int], int]) -> int:
    """Return the last product of ``steps``, all products made by ``multiply``."""
    try:
        turn = next(steps)
        while True:
            turn = steps.send([multiply(a, b) for a, b in turn.operands])
    except StopIteration as stop:
        value: int = stop.value
        return value


@pytest.mark.parametrize("plan", plans(), ids=str)
def test_each_algorithm_is_a_power(plan: Plan) -> None:
    r = 64
    for n in (3, 9, 13):
        inverse = pow(r, -1, n)
        for x, length in itertools.product(range(n), range(6)):
            for e in [65537] if plan.algorithm == "f4" else range(1 << length):
                steps = plan.steps(x, e, length, r % n, r * r % n)
                y = result(steps, lambda a, b: a * b * inverse % n)  # noqa: B023
                assert y % n == pow(x, e, n)


@pytest.mark.parametrize("plan", plans(), ids=str)
def test_bounds_of_the_turns_are_attained(plan: Plan) -> None:
    for length in range(9):
        turns = {plan.turns(e, length) for e in range(1 << length)}
        assert (min(turns), max(turns)) == plan.bounds(length)


@pytest.mark.parametrize(
    ("plan", "at_1024", "at_2048"),
    (
        (Plan("r2l", 1, 2), 1026, 2050),
        (Plan("square_multiply_always"), 2050, 4098),
        (Plan("ladder", 1, 2), 1026, 2050),
        (Plan("ladder"), 2050, 4098),
        (Plan("window", 4), 1291, 2571),
        (Plan("window", 5), 1256, 2486),
        (Plan("window", 6), 1254, 2451),
    ),
    ids=str,
)
def test_turns_are_those_of_the_specification(plan: Plan, at_1024: int, at_2048: int) -> None:
    assert plan.bounds(1024) == (at_1024, at_1024)
    assert plan.bounds(2048) == (at_2048, at_2048)


def test_turns_of_public_exponents() -> None:
    assert Plan("sliding").turns(65537, 17) == 19
    assert Plan("sliding").turns(3, 2) == 4
    assert Plan("l2r").turns(65537, 17) == 21
    assert Plan("f4").turns(65537, 17) == 18
    half = sum(1 << i for i in range(0, 1024, 2))
    assert Plan("l2r").turns(half, 1024) == 1538


def test_the_ladder_keeps_its_invariant() -> None:
    n, r = 101, 256
    inverse = pow(r, -1, n)
    steps = Plan("ladder", 1, 2).steps(7, 0b1011001, 7, r % n, r * r % n)
    xb = 7 * r % n
    for turn in run(steps, lambda a, b: a * b * inverse % n):
        if turn.step == "both":
            (a, _), (_, b) = turn.operands
            assert b in (a * xb * inverse % n, a * pow(xb * inverse, -1, n) % n)


# ---------------------------------------------------------------- the RTL

SMALL = (
    {**BINARY, "algorithm": "window", "w": 2},
    {**PAIR, "algorithm": "window", "w": 3},
    {**SIGNED, "algorithm": "ladder", "multipliers": 2},
    {"multiplier": "booth_csa", "algorithm": "r2l", "multipliers": 2},
    {**BINARY, "algorithm": "sliding", "w": 2},
    {"multiplier": "full_parallel", "algorithm": "window", "w": 2},
)
"""The other combinations: scripts/verify_modexp.py."""


@pytest.mark.parametrize("given", SMALL, ids=lambda given: "-".join(map(str, given.values())))
def test_every_power_at_width_4(given: dict[str, object]) -> None:
    report = verify(modexp(4, exponent_bits=5, **given), seed=1, operations=300)
    assert report.mismatches == 0, report


BLOCKS = (
    {"multiplier": "mm_r2", "w": 6},
    {"multiplier": "mm_r2", "w": 1},
    {"multiplier": "mm_r2", "algorithm": "sliding", "w": 3},
    {"multiplier": "fcs_mmm42", "w": 2, "width": 24},
)


@pytest.mark.parametrize("given", BLOCKS, ids=lambda given: "-".join(map(str, given.values())))
def test_a_block_ram_takes_no_cycle_more(given: dict[str, object]) -> None:
    """The shortest turn, of 11 cycles, in which a scan of 2^6 words takes as long as squarings."""
    chosen = modexp(**{"width": 8, "exponent_bits": 20, "table": "block"} | given)
    if chosen.contract.width == 8:
        assert power_cycles(chosen).turn == Cycles(11, 11)
    report = verify(chosen, seed=1, operations=300, mode="random")
    assert report.mismatches == 0, report
    without = modexp(**{"width": 8, "exponent_bits": 20} | given)
    assert chosen.contract.latency == without.contract.latency


@pytest.mark.slow
@pytest.mark.parametrize("kind", (BINARY, PAIR, SIGNED), ids=lambda kind: kind["multiplier"])
@pytest.mark.parametrize("plan", plans(), ids=str)
def test_every_power_at_width_3(plan: Plan, kind: dict[str, object]) -> None:
    bits = 17 if plan.algorithm == "f4" else 5
    chosen = modexp(
        3,
        algorithm=plan.algorithm,
        w=plan.w,
        multipliers=plan.multipliers,
        exponent_bits=bits,
        **kind,
    )
    report = verify(chosen, seed=1, mode="values")
    assert report.mismatches == 0, report


@pytest.mark.slow
def test_powers_at_64_bits() -> None:
    for given in (
        {"multiplier": "fios_dsp", "multiplier.variant": "unit", "adder": 32},
        {"multiplier": "scs_mm_new", "algorithm": "ladder"},
    ):
        report = verify(modexp(64, **given), seed=1, operations=30, mode="random")
        assert report.mismatches == 0, report


REGULAR = (
    {**BINARY, "algorithm": "window", "w": 3},
    {"multiplier": "booth_csa", "algorithm": "ladder"},
    {"multiplier": "booth_csa", "algorithm": "ladder", "multipliers": 2},
    {"multiplier": "booth_csa", "algorithm": "r2l", "multipliers": 2},
    {"multiplier": "booth_csa", "algorithm": "square_multiply_always"},
)


@pytest.mark.parametrize("given", REGULAR, ids=lambda given: "-".join(map(str, given.values())))
def test_class_full_has_one_latency_for_each_length(given: dict[str, object]) -> None:
    chosen = modexp(24, leakage="full", **given)
    rng = random.Random(3)
    for length in (23, 24):
        operations = []
        for _ in range(100):
            n = rng.getrandbits(24) | 1 << 23 | 1
            operations.append((rng.randrange(n), rng.getrandbits(length), length, n))
        operations += [(0, 0, length, 3), (1, (1 << length) - 1, length, (1 << 24) - 1)]
        requests = [Request(chosen.encode(*operation)) for operation in operations]
        responses = build_bench(chosen).run(requests).responses
        assert {r.latency for r in responses} == {chosen.cycles(*operations[0])}
        for operation, response in zip(operations, responses, strict=True):
            assert response.vectors == (chosen.golden(*operation), 0)


def test_class_public_has_many() -> None:
    chosen = modexp(24, algorithm="l2r", **BINARY)
    n = (1 << 24) - 3
    assert len({chosen.cycles(5, e, 24, n) for e in (0, 1, 3, (1 << 24) - 1)}) == 4


def test_illegal_operands_are_answered_with_a_code() -> None:
    chosen = modexp(16, exponent_bits=9, **BINARY)
    legal = chosen.encode(5, 77, 9, 40001)
    names = [port.name for port in chosen.contract.operand_ports]

    def request(**changed: int) -> Request:
        return Request(tuple(changed.get(n[:-2], v) for n, v in zip(names, legal, strict=True)))

    cases = (
        (request(n=40000), 1),
        (request(n=1, x=0), 1),
        (request(e_len=10), 2),
        (request(x=40001), 3),
        (request(x=65535), 3),
    )
    requests = [x for bad, _ in cases for x in (bad, request())]
    responses = build_bench(chosen).run(requests).responses
    for (_, code), bad, good in zip(cases, responses[::2], responses[1::2], strict=True):
        assert bad.vectors == (0, code)
        assert good.vectors == (pow(5, 77, 40001), 0)


# ---------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("given", "words"),
    (
        ({"multiplier": "scs_mm_new", "multiplier.variant": "published"}, "scs_mm_new.* closed"),
        ({"multiplier": "modexp"}, "multiplier .*modexp"),
        ({"multiplier": "scs_mm9"}, "'scs_mm9'.*'scs_mm"),
        ({"multiplier.width": 32}, "16"),
        ({"multiplier.raddix": 4}, "'raddix'.*'radix'"),
        ({"w": 7}, "w .* 0 to 6"),
        ({"algorithm": "l2r", "w": 2}, "window and sliding"),
        ({"multipliers": 2}, "r2l and ladder"),
        ({"table": "block", "algorithm": "ladder"}, "table .*algorithm = ladder"),
        ({"table": "block", "multiplier": "full_parallel"}, " 3 cycles .* 11"),
        ({"leakage": "full", "multiplier": "scs_mm_skip"}, "leakage .*scs_mm_skip"),
        ({"leakage": "full", "algorithm": "l2r"}, "leakage .*l2r"),
        ({"algorithm": "f4", "exponent_bits": 16}, "nearest legal: 17"),
        ({"multiplier": "fios_dsp", "multiplier.variant": "unit", "adder": 8}, "nearest legal: 18"),
    ),
    ids=str,
)
def test_what_can_not_be_had_is_refused(given: dict[str, object], words: str) -> None:
    with pytest.raises(MontforgeError, match=words):
        design("modexp", **{"width": 16, **given})
    assert issubclass(ParameterError, MontforgeError)


@pytest.mark.parametrize(
    ("operation", "words"),
    (
        ((5, 3, 2, 40000), "0x9c40"),
        ((40001, 3, 2, 40001), "x = 0x9c41"),
        ((5, 8, 3, 40001), "e < 2\\^3"),
        ((5, 3, 10, 40001), "0 to 9 bits"),
        ((5, 1 << 9, 9, 40001), "e = 0x200"),
        ((0, 1, 1, 1), r"\b3\b"),
    ),
)
def test_illegal_operations_are_refused(operation: tuple[int, ...], words: str) -> None:
    with pytest.raises(OperandError, match=words):
        design("modexp", width=16, exponent_bits=9).golden(*operation)


def test_moduli_are_those_of_the_multiplier_that_are_odd() -> None:
    fixed = design("modexp", width=16, multiplier="fixed_prime")
    n = fixed.multiplier.contract.modulus.only
    assert n is not None and fixed.golden(5, 3, 2, n) == 125
    with pytest.raises(OperandError, match=f"{n:#x}"[:8]):
        fixed.golden(5, 3, 2, n - 2)
    with pytest.raises(OperandError, match="is even"):
        design("modexp", width=16, multiplier="fmlm").golden(5, 3, 2, 40000)


@pytest.mark.slow
@pytest.mark.parametrize("name", ("fixed_prime", "fmlm"))
def test_powers_over_multipliers_with_rules_of_their_own(name: str) -> None:
    chosen = modexp(16, multiplier=name, exponent_bits=9, adder=16)
    report = verify(chosen, seed=1, operations=200, chain_length=20)
    assert report.mismatches == 0, report


def test_f4_is_refused_other_exponents() -> None:
    with pytest.raises(OperandError, match="65537"):
        design("modexp", width=16, algorithm="f4").golden(5, 3, 17, 40001)


# ---------------------------------------------------------------- planning


def test_planned_cycles_are_those_of_the_model() -> None:
    chosen = design("modexp", width=1024, multiplier="booth_csa", w=5, **{"multiplier.radix": 16})
    planned = power_cycles(chosen)
    assert planned.turns == Cycles.fixed(1256)
    assert planned.cycles.minimum == chosen.cycles(3, 5, 1024, (1 << 1024) - 105)
    assert planned.leakage == "full"
    assert planned.utilisation > 0.98
    public = design("modexp", width=1024, multiplier="scs_mm_skip", algorithm="l2r")
    planned = power_cycles(public, exponent=65537)
    assert planned.turns == Cycles.fixed(21)
    n = (1 << 1024) - 105
    assert planned.cycles.minimum <= public.cycles(2, 65537, 17, n) <= planned.cycles.maximum


def test_the_table_has_all_closed_multipliers() -> None:
    script = Path(__file__).parents[2] / "scripts" / "modexp_table.py"
    table = runpy.run_path(str(script))["MULTIPLIERS"]
    contracts = [d.contract for name in cores() for d in variants(name, width=16)]
    closed = {
        contract.architecture
        for contract in contracts
        if contract.function.name == "montgomery_product"
        and contract.closed
        and contract.modulus.only is None
        and not (contract.result_bound.signed and contract.result_bound.multiple > 1)
    }
    assert {name for name, _ in table} == closed


@pytest.mark.parametrize(
    ("name", "given", "words"),
    (
        ("booth_csa", {}, "no exponentiator"),
        ("modexp", {"length": 17}, "0 to 16 bits"),
        ("modexp", {"length": 3, "exponent": 8}, "e < 2\\^3"),
    ),
)
def test_planning_refuses(name: str, given: dict[str, int], words: str) -> None:
    with pytest.raises(MontforgeError, match=words):
        power_cycles(design(name, width=16), **given)
