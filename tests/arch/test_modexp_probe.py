# SPDX-License-Identifier: Apache-2.0
"""modexp: equal addresses and requests for all secrets, abort at any cycle, and what it leaves."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from modexp_probe import Probe

from montforge.arch import Design, design
from montforge.verify import build_bench
from montforge.verify.bench import Request, Response
from planted import Bug, planted

ABORTED = 15


def probe(**given: object) -> tuple[Design, Design]:
    """Return the design, and the same in the probe."""
    given = {"width": 16, "adder": 4, "exponent_bits": 12} | given
    return design("modexp", **given), design(Probe, **given)


def ask(
    chosen: Design, inside: Design, operations: list[tuple[tuple[int, int, int, int], int]]
) -> list[Response]:
    requests = [Request((*chosen.encode(*values), 0, at), stall=6) for values, at in operations]
    return build_bench(inside).run(requests).responses


def operations(length: int, count: int) -> list[tuple[int, int, int, int]]:
    rng = random.Random(8)
    found = [(0, 0, length, 3), (1, (1 << length) - 1, length, 65535), (2, 1, length, 32769)]
    for _ in range(count):
        n = rng.getrandbits(16) | 1 << 15 | 1
        found.append((rng.randrange(n), rng.getrandbits(length), length, n))
    return found


REGULAR = (
    {"multiplier": "scs_mm_ct", "multiplier.block": 4, "w": 3},
    {"multiplier": "booth_csa", "algorithm": "ladder", "multipliers": 2},
    {"multiplier": "mm_r2", "w": 5, "table": "block"},
)


def traces(chosen: Design, inside: Design) -> set[tuple[int, int]]:
    asked = operations(12, 300)
    responses = ask(chosen, inside, [(values, 0) for values in asked])
    for values, response in zip(asked, responses, strict=True):
        assert response.vectors[:2] == (chosen.golden(*values), 0)
    return {(response.latency, response.vectors[2]) for response in responses}


@pytest.mark.parametrize("given", REGULAR, ids=lambda given: given["multiplier"])
def test_cycles_and_addresses_are_equal_for_all_secrets(given: dict[str, object]) -> None:
    chosen, inside = probe(**given)
    assert len(traces(chosen, inside)) == 1


ADDRESSES = [
    Bug(
        "a scan that stops at the match",
        "",
        "scan_end_q   <= read_addr_q == @AddrW'(Depth - 1)@;",
        "digit_i - AddrW'(1)",
    ),
    Bug(
        "a scan addressed by the digit",
        "",
        "assign read_addr_o = @read_addr_q@;",
        "(step_i == StSquare) ? digit_i : read_addr_q",
    ),
]


@pytest.mark.parametrize("bug", ADDRESSES, ids=lambda bug: bug.name)
def test_planted_addresses_are_seen(bug: Bug, tmp_path: Path) -> None:
    """Right powers in the right number of cycles, and addresses that tell the digits."""
    chosen, inside = probe(**REGULAR[0])
    wrong = planted(inside, ADDRESSES, tmp_path)[bug]
    requests = [Request((*chosen.encode(*values), 0, 0)) for values in operations(12, 60)]
    responses = build_bench(wrong).run(requests).responses
    assert len({response.vectors[2] for response in responses}) > 10


@pytest.mark.parametrize(
    "given",
    (
        {"multiplier": "scs_mm_ct", "multiplier.block": 4, "w": 2},
        {"multiplier": "booth_csa", "multiplier.radix": 64, "algorithm": "ladder"},
        {"multiplier": "mm_r2", "w": 2, "table": "block"},
    ),
    ids=lambda given: given["multiplier"],
)
def test_abort_at_any_cycle_leaves_nothing(given: dict[str, object]) -> None:
    chosen, inside = probe(**given, exponent_bits=5)
    values = (12345, 0b10111, 5, 54321)
    latency = chosen.cycles(*values)
    asked = [(values, at) for cycle in range(1, latency) for at in (cycle, 0)]
    responses = ask(chosen, inside, asked)
    for (_, at), response in zip(asked, responses, strict=True):
        y, error, _, left, _ = response.vectors
        if at:
            assert (y, error, left) == (0, ABORTED, 0), at
        else:
            assert (y, error, response.latency) == (chosen.golden(*values), 0, latency), at


@pytest.mark.parametrize("given", REGULAR, ids=lambda given: given["multiplier"])
def test_a_response_waits_in_an_abort_and_nothing_is_left_behind_it(
    given: dict[str, object],
) -> None:
    chosen, inside = probe(**given)
    values = (12345, 0b101101110111, 12, 54321)
    latency = chosen.cycles(*values)
    waits = range(latency + 1, latency + 6)
    responses = ask(chosen, inside, [(values, at) for cycle in waits for at in (cycle, 0)])
    for index, response in enumerate(responses):
        y, error, _, left, found = response.vectors
        assert (y, error, left) == (chosen.golden(*values), 0, 1)
        assert not response.errors
        assert found == (index > 0 and index % 2 == 0), "words stay but after an abort"
