# SPDX-License-Identifier: Apache-2.0
"""``booth_csa``: models against the iteration of the specification, compressor tree, RTL."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from elaborated import adder_rows, elaborated
from montforge.arch import design
from montforge.contract import Derivation
from montforge.errors import ParameterError
from montforge.verify import build_bench
from montforge.verify.bench import Request
from testbench import verilator_bin

RADICES = (4, 8, 16, 64)
RESULTS = ("signed", "nonnegative")
FORMS = [
    {"radix": radix, "pipeline": pipeline, "result": result}
    for radix, pipeline, result in product(RADICES, (0, 1), RESULTS)
]
FORM_IDS = ["-".join(map(str, form.values())) for form in FORMS]
each_form = pytest.mark.parametrize("form", FORMS, ids=FORM_IDS)

Form = dict[str, object]


def every_operation(width: int) -> Iterator[tuple[int, int, int]]:
    for n in range(3, 1 << width, 2):
        yield from ((a, b, n) for a in range(1 - n, n) for b in range(1 - n, n))


def random_operations(width: int, count: int) -> Iterator[tuple[int, int, int]]:
    """Half of the operands at their bounds, moduli at both ends of the range."""
    rng = random.Random(4)
    top = 1 << width
    for _ in range(count):
        n = rng.choice((top - 1, top - 3, (top >> 1) + 1, rng.randrange(3, top) | 1))
        yield (
            rng.choice((n - 1, 1 - n, rng.randrange(1 - n, n), rng.randrange(1 - n, n))),
            rng.choice((n - 1, 1 - n, rng.randrange(1 - n, n), rng.randrange(1 - n, n))),
            n,
        )


# ---------------------------------------------------------------- models


def booth_digits(value: int, digits: int, w: int) -> list[int]:
    """The digits of ``value``, two's complement, each with what the digit below moves up."""
    found, transfer = [], 0
    for i in range(digits):
        group = value >> (w * i) & ((1 << w) - 1)
        highest = group >> (w - 1)
        found.append(group - (highest << w) + transfer)
        transfer = highest
    return found


def twos_complement(value: int, w: int) -> int:
    value %= 1 << w
    return value - (value >> (w - 1) << w)


def specified(width: int, w: int, a: int, b: int, n: int) -> int:
    """The iteration of the specification, 2.10, on values."""
    iterations = -(-(width + 2) // w)
    s = 0
    for d in booth_digits(a, iterations, w):
        s += d * b
        s += twos_complement(-s * pow(n, -1, 1 << w), w) * n
        assert s % (1 << w) == 0
        s >>= w
        assert abs(s) * ((1 << w) - 1) < n << w
    return s


def delayed(width: int, w: int, a: int, b: int, n: int) -> int:
    """The iteration with the quotient digit of the cycle before, then two with n, on values."""
    iterations = -(-(width + 3) // w)
    n_bar = Derivation("scaled", 2 * w, signed=True).value(n)
    y = below = transfer = q = 0
    for i, d in enumerate(booth_digits(a, iterations, w)):
        s = y >> w
        y = s + ((d * b + q * n_bar) << w)
        below = transfer
        q = twos_complement(s, w) + transfer
        transfer = (s >> (w - 1)) & 1
        assert abs(y) < 1 << (width + 2 * w)
        assert i * w <= width or d == 0
    y += below  # what the digit that is not used any more would have got
    for _ in range(2):
        y += twos_complement(-y * pow(n, -1, 1 << w), w) * n
        assert y % (1 << w) == 0
        y >>= w
    return y


@pytest.mark.parametrize("radix", RADICES)
@pytest.mark.parametrize("pipeline", (0, 1))
def test_golden_model_is_the_iteration(radix: int, pipeline: int) -> None:
    w = radix.bit_length() - 1
    iteration = delayed if pipeline else specified
    for width, operations in (
        (3, every_operation(3)),
        (4, every_operation(4)),
        *((width, random_operations(width, 100)) for width in (5, 8, 65, 67)),
        (521, random_operations(521, 20)),
    ):
        chosen = design("booth_csa", width=width, radix=radix, pipeline=pipeline)
        for a, b, n in operations:
            assert chosen.golden(a, b, n) == iteration(width, w, a, b, n)


@each_form
def test_golden_model_is_the_product_within_the_bound(form: Form) -> None:
    for width, operations in (
        (3, every_operation(3)),
        *((width, random_operations(width, 200)) for width in (4, 5, 6, 7, 65, 67, 521, 1024)),
    ):
        chosen = design("booth_csa", width=width, **form)
        contract = chosen.contract
        for a, b, n in operations:
            p = chosen.golden(a, b, n)
            assert p % n == contract.residue(a, b, n)
            assert contract.result_bound.contains(p, n)


@pytest.mark.parametrize("radix", RADICES)
def test_scaled_modulus(radix: int) -> None:
    w = radix.bit_length() - 1
    chosen = design("booth_csa", width=9, radix=radix, pipeline=1)
    for n in range(3, 512, 2):
        n_bar = Derivation("scaled", 2 * w, signed=True).value(n)
        assert abs(n_bar) < n / 2
        multiple = (n_bar << (2 * w)) - 1
        assert multiple % n == 0
        assert abs(multiple // n) <= 1 << (2 * w - 1)
        assert chosen.constants(n) == {"n_scaled": n_bar % 512}


@pytest.mark.parametrize(
    ("form", "cycles"),
    [
        ({"radix": 4}, 513 + 1),
        ({"radix": 8}, 342 + 1),
        ({"radix": 16}, 257 + 1),
        ({"radix": 64}, 171 + 33),
        ({"radix": 64, "converter": 64}, 171 + 17),
        ({"radix": 64, "result": "nonnegative"}, 171 + 33 + 1),
        ({"radix": 8, "result": "nonnegative"}, 342 + 1),
        ({"radix": 4, "pipeline": 1}, 514 + 7 + 1),
        ({"radix": 64, "pipeline": 1}, 172 + 7 + 33),
    ],
    ids=lambda value: "-".join(map(str, value.values())) if isinstance(value, dict) else str(value),
)
def test_latency_at_1024_bits(form: Form, cycles: int) -> None:
    chosen = design("booth_csa", width=1024, **form)
    assert (chosen.contract.latency.minimum, chosen.contract.latency.maximum) == (cycles, cycles)


def test_signed_results_are_legal_operands() -> None:
    n = (1 << 64) - 3
    closed = {form["radix"] for form in FORMS if form["result"] == "signed"}
    assert closed == set(RADICES)
    for form in FORMS:
        contract = design("booth_csa", width=64, **form).contract
        is_pair = contract.result_encoding.kind == "carry_save"
        assert contract.is_closed(n) == (form["result"] == "signed" or not is_pair)


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"radix": 2}, "one of 4, 8, 16, 64"),
        ({"radix": 32}, "one of 4, 8, 16, 64"),
        ({"pipeline": 2}, "one of 0, 1"),
        ({"radix": 8, "converter": 32}, "only radix 64"),
    ],
)
def test_illegal_parameters(parameters: Form, words: str) -> None:
    with pytest.raises(ParameterError, match=words):
        design("booth_csa", **parameters)


# ---------------------------------------------------------------- compressor tree


def delay_of_rows(tree: dict[str, Any]) -> int:
    """The delay of a tree in XOR gates: two for a row of full adders, three for one of 4:2 ones."""
    drivers: dict[int, list[int]] = {}
    delay_at: dict[int, int] = {}
    for cell in tree["cells"].values():
        inputs, outputs = (
            [
                bit
                for port, bits in cell["connections"].items()
                for bit in bits
                if isinstance(bit, int) and cell["port_directions"][port] == direction
            ]
            for direction in ("input", "output")
        )
        drivers |= dict.fromkeys(outputs, inputs)
        row = 2 if cell["type"].startswith("mf_full_adder_row") else 0
        row = 3 if cell["type"].startswith("mf_compressor_row") else row
        delay_at |= dict.fromkeys(outputs, row)

    @cache
    def delay(bit: int) -> int:
        return delay_at.get(bit, 0) + max(map(delay, drivers.get(bit, [])), default=0)

    return max(map(delay, drivers))


@pytest.mark.parametrize(
    ("radix", "pipeline", "inputs", "delay"),
    [
        *((4, 0, 5, 5), (8, 0, 8, 8), (16, 0, 8, 8), (64, 0, 8, 10)),
        *((4, 1, 5, 5), (8, 1, 8, 6), (16, 1, 8, 6), (64, 1, 8, 6)),
    ],
)
def test_compressors_and_delay(
    radix: int, pipeline: int, inputs: int, delay: int, tmp_path: Path
) -> None:
    """All vectors in one tree of the least delay; not pipelined, the quotient's join late."""
    chosen = design("booth_csa", width=20, radix=radix, pipeline=pipeline)
    modules = elaborated(chosen.hardware, tmp_path)
    trees = [module for name, module in modules.items() if name.startswith("mf_compressor_tree")]
    multiples = [name for name in modules if name.startswith("mf_booth_multiple")]
    assert len(trees) == 1
    assert len(multiples) == inputs - 2
    assert delay_of_rows(trees[0]) == delay
    flush = 0 if radix == 64 else 1
    assert adder_rows(modules) == inputs - 2 + flush


# ---------------------------------------------------------------- RTL


@pytest.mark.slow
@pytest.mark.parametrize(
    "form",
    [{"width": 65, "radix": 8}, {"width": 67, "radix": 4, "pipeline": 1}],
    ids=("radix8", "radix4-pipelined"),
)
def test_carry_vectors_of_ones(form: Form) -> None:
    """The pairs that a shift without the fold gets wrong: carry vector all ones, value small."""
    chosen = design("booth_csa", **form)
    contract = chosen.contract
    encoding = contract.operand_encoding
    ones = (1 << encoding.carry_width) - 1
    top = 1 << contract.width
    operations, requests = [], []
    for n in (top - 1, top - 3, (top >> 1) + 1, 3):
        values = [v for e in (0, 1, 2, n >> 1) for v in (n - 1 - e, 1 - n + e) if abs(v) < n]
        constants = chosen.encode(0, 0, n)[4:]
        for a, b in product(values, repeat=2):
            vectors = [((v - ones) % (1 << encoding.width), ones) for v in (a, b)]
            assert [encoding.decode(v) for v in vectors] == [a, b]
            requests.append(Request((*vectors[0], *vectors[1], *constants)))
            operations.append((a, b, n))
    responses = build_bench(chosen).run(requests).responses
    found = [contract.result_encoding.decode(r.vectors) for r in responses]
    assert found == [chosen.golden(*operation) for operation in operations]


@pytest.mark.slow
def test_verilator_accepts_each_form() -> None:
    """The forms that differ from the default in more than one parameter; see tests/test_rtl.py."""
    default = design("booth_csa").parameters
    forms = [f for f in FORMS if sum(default[key] != value for key, value in f.items()) > 1]
    assert len(forms) == len(FORMS) - 6
    for form in forms:
        chosen = design("booth_csa", width=3, **form)
        parameters = [f"-G{key}={value}" for key, value in chosen.hardware.parameters.items()]
        done = verilator_bin(
            *("--lint-only", "-Wall", "--top-module", chosen.hardware.top),
            *(*parameters, *chosen.hardware.files),
        )
        assert done.returncode == 0, (form, done.stderr)
