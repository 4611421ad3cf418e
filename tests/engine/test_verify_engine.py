# SPDX-License-Identifier: Apache-2.0
"""`verify rsa` and `cycles rsa`: what they report, and that a mismatch is status 1."""

from __future__ import annotations

import json
import secrets
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from montforge.arch import design
from montforge.arch.parameter import named_values
from montforge.arch.rsa import Engine
from montforge.cli.app import app
from montforge.errors import CheckFailedError, MontforgeError, ParameterError
from montforge.verify import mean_latency, verify
from montforge.verify.engine_bench import Answer, EngineBench

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
    done = CliRunner().invoke(
        app, ["cycles", "rsa", *WORDS, "--samples", "1", "--seed", str(90 + slow)]
    )
    assert done.exit_code == 1
    assert ("different cycles" if slow else "0x2^d") in done.output


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("verify", ["--modulus", "15"]),
        ("cycles", ["--workers", "1"]),
        ("verify", ["--mode", "corners"]),
    ],
)
def test_what_has_no_meaning_for_the_engine_is_refused(command: str, words: list[str]) -> None:
    done = CliRunner().invoke(app, [command, "rsa", "-p", "bits=64", *words])
    assert isinstance(done.exception, ParameterError)
    assert f"{words[0]} has no meaning" in str(done.exception)


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("verify", ["--form", "native"]),
        ("verify", ["--form", "axi"]),
        ("cycles", ["--form", "axis"]),
        ("info", ["--form", "parallel"]),
        ("measure", ["--samples", "9", "--target", "table2"]),
    ],
)
def test_values_that_do_not_fit_the_engine_are_refused(command: str, words: list[str]) -> None:
    done = CliRunner().invoke(app, [command, "rsa", "-p", "bits=64", *words])
    assert isinstance(done.exception, ParameterError)
    assert words[1] in str(done.exception) or words[0] in str(done.exception)


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


def test_a_wrong_result_has_no_cycles(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = design("rsa", **named_values(WORDS[1::2][:3]))
    assert mean_latency(engine) > 0
    right = EngineBench.private

    def wrong(bench: EngineBench, c: int, *, slot: int = 0) -> tuple[Answer, int | None]:
        answer, y = right(bench, c, slot=slot)
        return answer, None if y is None else y ^ 1

    monkeypatch.setattr(EngineBench, "private", wrong)
    with pytest.raises(CheckFailedError, match=engine.identifier):
        mean_latency(engine)


def test_an_interrupted_check_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    seed = secrets.randbits(32)  # of which the cache knows nothing
    engine = Engine(bits=32, window=2, min_bits=16, public=1)

    def interrupt(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        verify(engine, operations=3, seed=seed, progress=interrupt)
    started: list[int] = []
    begin = EngineBench.__init__

    def counted(bench: EngineBench, *words: object, **others: object) -> None:
        started.append(1)
        begin(bench, *words, **others)  # type: ignore[arg-type]

    monkeypatch.setattr(EngineBench, "__init__", counted)
    report = verify(engine, operations=3, seed=seed)
    assert len(started) == 2  # the other key and the powers; the first key is kept
    assert not report.failed
    assert len(report.keys) == 2 and report.public
    assert verify(engine, operations=3, seed=seed).to_json() == report.to_json()
    assert len(started) == 2
