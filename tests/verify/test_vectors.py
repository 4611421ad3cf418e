# SPDX-License-Identifier: Apache-2.0
"""Files of products: the hardware's answers, and what is said about broken files."""

from __future__ import annotations

import json
import os
import random
from pathlib import Path
from typing import Any

import pytest

from montforge.arch import Design, design
from montforge.errors import InputFileError, ParameterError
from montforge.verify import verify
from montforge.verify.vectors import read_vectors
from planted import edited

from .designs import PIPELINE

SERIAL = design("mm_r2", width=13)
DESIGNS = [
    SERIAL,
    design("scs_mm_new", width=13),
    design("scs_mm_new", width=13, variant="published"),
    PIPELINE,
]
WIDTH = 8


def some_products(count: int) -> list[tuple[int, int, int]]:
    rng = random.Random(1)
    moduli = [rng.randrange(3, 1 << WIDTH, 2) for _ in range(count)]
    return [(rng.randrange(n), rng.randrange(n), n) for n in moduli]


def write(path: Path, products: list[tuple[int, int, int]]) -> Path:
    lines = [json.dumps({"n": hex(n), "a": hex(a), "b": hex(b)}) for a, b, n in products]
    path.write_text("\n".join(lines) + "\n\n")
    return path


PLAIN = [design("barrett", width=8), design("fmlm", width=8, form="common")]


@pytest.mark.parametrize("chosen", PLAIN, ids=str)
def test_other_functions_have_products_too(chosen: Design, tmp_path: Path) -> None:
    products = [(a, b, 253) for a, b in ((0, 0), (252, 252), (17, 90), (1, 252))]
    report = verify(chosen, vectors=write(tmp_path / "v.jsonl", products), seed=1, workers=1)
    expected = [hex(a * b % n) for a, b, n in products]
    assert report.mismatches == 0
    assert report.to_json()["products"] == report.to_json()["results"] == expected


@pytest.mark.parametrize("chosen", DESIGNS, ids=str)
def test_products_in_order(chosen: Design, tmp_path: Path) -> None:
    """Also where results must be reduced between the steps (published, n = 1 mod 4)."""
    products = [*some_products(200), (0, 0, 3), (2, 2, 3), (250, 250, 251), (252, 252, 253)]
    path = write(tmp_path / "v.jsonl", products)
    report = verify(chosen, vectors=path, seed=1, workers=1)
    assert report.mismatches == 0
    assert report.operations == len(products)
    expected = [hex(a * b % n) for a, b, n in products]
    assert report.to_json()["products"] == expected


def test_a_wrong_product_is_shown_and_can_be_repeated(tmp_path: Path) -> None:
    wrong = edited(SERIAL, "{1'b0, s_q} +", "{2'b00, s_q[Width-1:0]} +", tmp_path)
    rng = random.Random(1)
    moduli = [rng.randrange(1 << 12, 1 << 13) | 1 for _ in range(60)]
    products = [(rng.randrange(n), rng.randrange(n), n) for n in moduli]
    path = write(tmp_path / "v.jsonl", products)
    report = verify(wrong, vectors=path, seed=1, workers=1)
    assert 0 < report.mismatches < 60
    assert report.answers is not None
    index = report.failures[0].failure.index
    assert report.answers[index] != hex(products[index][0] * products[index][1] % moduli[index])
    assert f"--vectors {path}" in report.failures[0].command
    waves = tmp_path / "w.fst"
    again = verify(wrong, vectors=path, seed=1, workers=1, only=index, waves=waves)
    assert again.answers == (report.answers[index],)
    assert again.failures[0] == report.failures[0]
    assert waves.stat().st_size > 500


GOOD = '{"n": "0xb", "a": "0x1", "b": "2"}'


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "not JSON"),
        ("[]", "not a JSON object"),
        ('"0x1"', "not a JSON object"),
        ('{"n": "0xb", "a": "0x1"}', 'key "b" is missing'),
        ('{"a": "0xb", "b": "0x1"}', 'key "n" is missing'),
        ('{"n": "0xb", "a": 1, "b": "0x2"}', "a = 1 is not a hexadecimal string"),
        ('{"n": "0xb", "a": null, "b": "0x2"}', "a = null is not"),
        ('{"n": "0xb", "a": "zz", "b": "0x2"}', '"zz" is not a hexadecimal string'),
        ('{"n": "0xb", "a": "", "b": "0x2"}', "not a hexadecimal string"),
        ('{"n": "0xa", "a": "0x1", "b": "0x2"}', "even"),
        ('{"n": "0x0", "a": "0x0", "b": "0x0"}', "below 3"),
        ('{"n": "0x1", "a": "0x0", "b": "0x0"}', "below 3"),
        ('{"n": "-0xb", "a": "0x0", "b": "0x0"}', "below 3"),
        ('{"n": "0x2001", "a": "0x1", "b": "0x2"}', "wider"),
        ('{"n": "0xb", "a": "0xb", "b": "0x2"}', "a is not below n"),
        ('{"n": "0xb", "a": "0x1", "b": "-0x2"}', "b is not below n"),
        ('{"n": "0xb", "a": "0x1", "b": "0x2", "p": 2}', "p = 2 is not a hexadecimal string"),
        ('{"n": "0xb", "a": "0x1", "b": "0x2", "p": "0xb"}', "p is not below n"),
        ("[" * 100_000, "nested too deeply"),
        ('{"a": ' * 100_000, "nested too deeply"),
    ],
)
def test_a_broken_line_is_named(line: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "v.jsonl"
    path.write_text(f"{GOOD}\n\n{line}\n{GOOD}\n")
    with pytest.raises(InputFileError, match=r"v\.jsonl, line 3: ") as error:
        verify(SERIAL, vectors=path)
    assert message in str(error.value)


@pytest.mark.parametrize("content", [b"", b"\n \n", b"\xff\xfe"])
def test_a_file_without_products(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "v.jsonl"
    path.write_bytes(content)
    with pytest.raises(InputFileError, match=r"v\.jsonl is (empty|not text)"):
        verify(SERIAL, vectors=path)


def test_a_file_without_an_end_is_refused(tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    for path in (Path("/dev/zero"), fifo):
        with pytest.raises(InputFileError, match=path.name):
            verify(SERIAL, vectors=path)
    sparse = tmp_path / "sparse"
    with sparse.open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(InputFileError, match="256 MB"):
        verify(SERIAL, vectors=sparse)


def test_expected_products_of_the_file_are_compared(tmp_path: Path) -> None:
    """The hardware is right: a wrong product in the file is a mismatch all the same."""
    products = some_products(40)
    lines = [{"n": hex(n), "a": hex(a), "b": hex(b), "p": hex(a * b % n)} for a, b, n in products]
    path = tmp_path / "v.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)))
    assert verify(SERIAL, vectors=path, seed=1, workers=1).mismatches == 0
    a, b, n = products[7]
    lines[7]["p"] = hex((a * b + 1) % n)
    path.write_text("\n".join(map(json.dumps, lines)))
    report = verify(SERIAL, vectors=path, seed=1, workers=1)
    assert report.mismatches == 1
    assert report.answers is not None
    assert report.answers[7] == hex(a * b % n)
    (failure,) = (mismatch.failure for mismatch in report.failures)
    assert (failure.index, failure.expected) == (7, lines[7]["p"])
    assert failure.problems == ("the answer differs from the file's p",)


@pytest.mark.parametrize("options", [{"mode": "random"}, {"modulus": 11}])
def test_what_a_file_decides_is_refused_beside_it(options: dict[str, Any], tmp_path: Path) -> None:
    path = write(tmp_path / "v.jsonl", some_products(1))
    with pytest.raises(ParameterError, match="mode and the modulus"):
        verify(SERIAL, vectors=path, **options)


@pytest.mark.parametrize("name", ["missing.jsonl", "."])
def test_a_file_that_can_not_be_read(name: str, tmp_path: Path) -> None:
    with pytest.raises(InputFileError, match=str(tmp_path)):
        verify(SERIAL, vectors=tmp_path / name)


def test_hexadecimal_without_a_prefix(tmp_path: Path) -> None:
    path = tmp_path / "v.jsonl"
    path.write_text(GOOD)
    expected: Any = ({"a": 1, "b": 2, "n": 11},)
    assert read_vectors(path, SERIAL.contract) == expected
