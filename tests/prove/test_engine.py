# SPDX-License-Identifier: Apache-2.0
"""Verdicts on the RSA engine: time follows no secret of an operation, and faults are refuted."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from montforge.arch import design
from montforge.arch.rsa.engine import Engine
from montforge.cli.app import app
from montforge.errors import ParameterError
from montforge.prove import prove
from montforge.prove.program import ERRORS, released
from planted import Bug, edited_files

SMALL = {"bits": 64, "window": 3, "min_bits": 16}
STRUCTURE = ("timing", "enables")
FORMS = [
    {},
    {"public": 1, "check": "both"},
    {"halves": 1, "slots": 2, "core": "scs_mm_ct"},
    {"core": "unit_dsp", "core.word": 18, "adder": 64, "table": "words", "public": 1, "check": "n"},
]
HALF, ROWS, TOP = "mf_rsa_exponentiator", "mf_rsa_rows", "mf_rsa"
IN_PRIVATE = "parts[10] |= at(rows_q[122], words(WordAdd, wide(WorkP), wide(WorkP), half(SlotD)));"

BUGS = [
    Bug("branch on a private digit", HALF,
        "if (@public_bit_q@) state_q <= StPublicProduct;", "digit_q[0]"),
    Bug("public exponent from private words", HALF,
        "exponent_q   <= @public_word_i@;", "word_x_i"),
    Bug("one register for both exponents", HALF,
        "else if (fetched_q && public_state) public_bit_q <= @public_word_q@[select_q]",
        "e_word_q"),
    Bug("scan stops at the digit", HALF,
        "if (@step_q == EntryW'(Depth - 1)@) begin\n            step_q <= '0;",
        "(step_q == EntryW'(Depth - 1) || step_q[DigitW-1:0] == digit_q)"),
    Bug("calls by any comparison", TOP, ".public_nonzero_i(@public_nonzero@)", "nonzero"),
    Bug("address by a word", TOP, ".y_base_i      (@y_base@)", "y_base + AddrW'(odd)", "enables"),
    Bug("an operation ends by its words", TOP, ".stop_i        (@words_stop@)",
        "words_stop || odd"),
    Bug("d' loaded as public", ROWS,
        "parts[2] |= at(rows_q[130], unary(@WordLoadE@, half(WorkX), wide(WorkP)));",
        "WordLoadPublic"),
    Bug("condition on d", ROWS, f"@{IN_PRIVATE}@",
        "parts[10] |= at(rows_q[122], must(copy(wide(WorkP), half(SlotD)), IfOdd, ErrMessage));"),
    Bug("repeated by p", ROWS,
        "parts[12] |= at(rows_q[108], must(compare(half(SlotVi), @full(Two)@), IfNotLess, Again));",
        "half(SlotN)"),
    Bug("call by d", ROWS, f"@{IN_PRIVATE}@",
        "parts[10] |= at(rows_q[122], call(SegCheckFull, TimesNonzero));"),
]  # fmt: skip


def engine(**parameters: int | str) -> Engine:
    found = design("rsa", **SMALL, **parameters)
    assert isinstance(found, Engine)
    return found


@pytest.mark.parametrize("parameters", FORMS, ids=str)
def test_private_operations_are_constant_in_time(parameters: dict[str, int | str]) -> None:
    found = prove(engine(**parameters), checks=STRUCTURE)
    assert [check.verdict for check in found.checks] == ["proved", "proved"], found.checks
    assert "a public exponent" in found.checks[0].assumptions
    for _, fact in ERRORS.values():
        assert fact in found.checks[0].message


@pytest.mark.parametrize("form", ["axi", "axis"])
def test_behind_a_bus(form: str) -> None:
    found = prove(engine().with_form(form), checks=STRUCTURE)
    assert [check.verdict for check in found.checks] == ["proved", "proved"], found.checks


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.name)
def test_planted_faults_are_refuted(bug: Bug, tmp_path: Path) -> None:
    whole = engine().hardware
    files = edited_files(whole.files, bug, tmp_path)
    hardware = replace(whole, files=files)
    (check,) = prove(engine(), checks=[bug.form or "timing"], hardware=hardware).checks
    assert check.verdict == "refuted" and check.path, check


def test_without_its_named_nets_the_public_exponent_is_seen() -> None:
    assert released(engine().hardware)[1] == []

    class Open(Engine):
        declassified = {  # noqa: RUF012
            name: fact for name, fact in Engine.declassified.items() if name != "*public_word"
        }

    chosen = Open(**{name: getattr(engine(), name) for name in ("bits", "core", "window")},
                  min_bits=16)  # fmt: skip
    (check,) = prove(chosen, checks=["timing"]).checks
    assert check.verdict == "refuted" and "public_bit_q" in " ".join(check.path)


def test_what_is_not_proved_of_an_engine_says_so() -> None:
    (check,) = prove(engine(), checks=["function"]).checks
    assert check.verdict == "unknown" and "multiplier" in check.message
    with pytest.raises(ParameterError, match="words"):
        prove(engine(), secret=["x"])
    words = ["prove", "rsa", *(f"-p{name}={value}" for name, value in SMALL.items())]
    assert CliRunner().invoke(app, words).exit_code == 0
