# SPDX-License-Identifier: Apache-2.0
"""mf_modexp_chain: single products, and other factors that enter the domain."""

from __future__ import annotations

import random

import pytest
from modexp_probe import Probe

from custom import values_of
from montforge.arch import design
from montforge.verify import build_bench
from montforge.verify.bench import Request

WIDTH = 16


KINDS = (
    {"multiplier": "scs_mm_ct", "multiplier.block": 4, "w": 2},
    {"multiplier": "fcs_mm2", "algorithm": "ladder"},
    {"multiplier": "booth_csa", "algorithm": "l2r"},
    {"multiplier": "booth_csa", "multiplier.radix": 64, "algorithm": "f4"},
    {"multiplier": "full_parallel", "algorithm": "sliding", "w": 2},
    {"multiplier": "eberle", "algorithm": "r2l"},
)


@pytest.mark.parametrize("given", KINDS, ids=lambda given: f"{given['multiplier']}")
def test_products_and_other_factors(given: dict[str, object]) -> None:
    chosen = design("modexp", width=WIDTH, adder=5, **given)
    part = chosen.multiplier.contract
    f4 = given["algorithm"] == "f4" if "algorithm" in given else False
    bits = 17 if f4 else WIDTH
    rng = random.Random(5)
    requests, expected = [], []
    for number in range(60):
        n = rng.getrandbits(WIDTH) | 1 << WIDTH - 1 | 1
        inverse = pow(part.r, -1, n)
        most = min(part.operand_bound.upper(n), 1 << WIDTH) - 1
        constants = chosen.constants(n)
        e = 65537 if f4 else rng.getrandbits(bits)
        length = max(e.bit_length(), rng.randint(0, bits))
        if number % 3:
            x = rng.choice((0, 1, most, n - 1, rng.randint(0, most)))
            r2 = rng.choice((0, 1, most, rng.randint(0, most)))
            answer = x * r2 * inverse % n
        else:
            x, r2 = rng.randrange(n), rng.randrange(n)
            base = x * r2 * inverse * inverse % n
            # The last factor of F4 is x itself.
            answer = (pow(base, 65536, n) * x if f4 else pow(base, e, n)) % n
        values = {"x": x, "e": e, "e_len": length, "n": n, "product": int(number % 3 > 0)}
        values |= constants | {"r2": r2, "abort_at": 0}
        names = [field.name for field in Probe(**values_of(chosen)).contract.inputs]
        requests.append(Request(tuple(values[name] for name in names)))
        expected.append(answer)
    responses = build_bench(Probe(**values_of(chosen))).run(requests).responses
    assert [response.vectors[:2] for response in responses] == [(y, 0) for y in expected]
    turn = part.latency.maximum + part.handover + 2
    words = -(-(WIDTH + 2) // 5)
    passes = 0 if part.result_bound.multiple == 1 and not part.result_bound.signed else 1
    products = {r.latency for i, r in enumerate(responses) if i % 3}
    assert products == {turn + passes * (1 + words)}
