# SPDX-License-Identifier: Apache-2.0
"""`verify rsa` and `cycles rsa`: what they report, and that a mismatch is status 1."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from typer.testing import CliRunner

from montforge.cli.app import app
from montforge.rsa.bench import Answer, EngineBench

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


def test_options_of_others_are_refused() -> None:
    done = CliRunner().invoke(app, ["verify", "rsa", *WORDS, "--modulus", "15"])
    assert done.exit_code != 0
