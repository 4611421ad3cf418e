# SPDX-License-Identifier: Apache-2.0
"""`verify rsa` and `cycles rsa`: what they report, and that a mismatch is status 1."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from montforge.arch.rsa.parameters import engine_of
from montforge.cli.app import app
from montforge.errors import CheckFailedError, MontforgeError, ParameterError
from montforge.measure import engine as engine_measure
from montforge.measure.engine import private_cycles
from montforge.verify.engine_bench import Answer, EngineBench
from montforge.work.progress import ProgressFunction

WORDS = ["-p", "bits=33", "-p", "window=2", "-p", "min_bits=16", "--seed", "1"]
"""The engine of test_planted_bugs."""


def test_verify_and_cycles() -> None:
    done = CliRunner().invoke(app, ["verify", "rsa", *WORDS, "--operations", "2", "--json"])
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert (found["mismatches"], found["failures"], found["seed"]) == (0, [], 1)
    assert found["operations"] > 50
    done = CliRunner().invoke(app, ["cycles", "rsa", *WORDS, "--samples", "2"])
    assert done.exit_code == 0, done.output
    for key in found["keys"]:
        assert key["private"]["min"] == key["private"]["max"] > key["turns"] * found["turn_cycles"]
        assert f"private {key['private']['min']} cycles" in " ".join(done.output.split())


@pytest.mark.parametrize("slow", [True, False])
def test_a_mismatch_is_status_1(slow: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    right = EngineBench.private

    def wrong(bench: EngineBench, c: int, *, slot: int = 0) -> tuple[Answer, int | None]:
        answer, y = right(bench, c, slot=slot)
        if c == 2 and slow:
            answer = replace(answer, operation=answer.operation + 1)
        return answer, (y or 0) + (c == 2 and not slow)

    monkeypatch.setattr(EngineBench, "private", wrong)
    done = CliRunner().invoke(app, ["cycles", "rsa", *WORDS, "--samples", "1"])
    assert done.exit_code == 1
    assert ("different cycles" if slow else "0x2^d") in done.output


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("verify", ["--modulus", "15"]),
        ("verify", ["--form", "native"]),
        ("cycles", ["--workers", "1"]),
        ("info", ["--form", "parallel"]),
        ("measure", ["--samples", "9", "--target", "nangate45"]),
        ("measure", ["--form", "axi"]),
    ],
)
def test_what_has_no_meaning_for_the_engine_is_refused(command: str, words: list[str]) -> None:
    done = CliRunner().invoke(app, [command, "rsa", "-p", "bits=64", *words])
    assert isinstance(done.exception, ParameterError)
    assert f"{words[0]} has no meaning" in str(done.exception)


def test_measure_refuses_a_target_before_it_simulates() -> None:
    words = ["measure", "rsa", "-p", "bits=64"]
    refusals = {
        (): "name a target",
        ("--target", "nosuch"): "nosuch",
        ("--target", "xcup", "--seeds", "2"): "--seeds has no effect",
        ("--target", "xcup", "--effort", "quick"): "--effort has no effect",
    }
    for options, text in refusals.items():
        done = CliRunner().invoke(app, [*words, *options])
        assert isinstance(done.exception, MontforgeError)
        assert text in str(done.exception)


@pytest.mark.parametrize("path", ["nosuch/socket", "folder"])
def test_a_socket_that_cannot_be_made_is_refused_before_the_build(
    path: str, tmp_path: Path
) -> None:
    (tmp_path / "folder").mkdir()
    done = CliRunner().invoke(app, ["serve-rsa", str(tmp_path / path), "-p", "bits=64"])
    assert isinstance(done.exception, ParameterError)
    assert "name a socket" in str(done.exception)


def test_a_measurement_says_that_it_simulates_and_counts_that(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    engine, calls = engine_of(["bits=64"]), list[tuple[int, int]]()
    monkeypatch.setattr(engine_measure, "private_cycles", lambda _: calls.append((-1, -1)) or 9)

    def measured(*_: object, progress: ProgressFunction, **others: object) -> None:
        for done in range(3):
            progress(done, 2)

    monkeypatch.setattr(engine_measure, "measure_hardware", measured)
    engine_measure.measure_engine(engine, "table2", progress=lambda *step: calls.append(step))
    assert calls == [(0, 1), (-1, -1), (1, 3), (2, 3), (3, 3)]


def test_a_wrong_result_has_no_cycles(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = engine_of(WORDS[1::2][:3])
    assert private_cycles(engine) > 0
    right = EngineBench.private

    def wrong(bench: EngineBench, c: int, *, slot: int = 0) -> tuple[Answer, int | None]:
        answer, y = right(bench, c, slot=slot)
        return answer, None if y is None else y ^ 1

    monkeypatch.setattr(EngineBench, "private", wrong)
    with pytest.raises(CheckFailedError, match="is wrong, so its cycles are no figure"):
        private_cycles(engine)
