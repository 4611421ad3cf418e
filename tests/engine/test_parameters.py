# SPDX-License-Identifier: Apache-2.0
"""Engines of NAME=VALUE words, and the command that serves one."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from montforge.arch import design
from montforge.arch.parameter import named_values
from montforge.errors import MontforgeError
from montforge.host.driver import RsaEngine
from montforge.host.simulation import Remote

MAIN = "from montforge.cli import main; main()"


def test_words() -> None:
    words = ["bits=2048", "core=booth_csa", "core.radix=64", "slots=0x2", "public=1"]
    found = design("rsa", **named_values(words))
    assert found == design("rsa", bits=2048, slots=2, public=1, **{"core.radix": "64"})
    assert found.multiplier.parameters["radix"] == 64
    assert design("rsa", **named_values(["bits=64"])).min_bits == 64
    assert design("rsa", **named_values([])) == design("rsa")


@pytest.mark.parametrize(
    ("word", "text"),
    [
        ("bits", "bits"),
        ("bits=x", "bits .*x"),
        ("bit=64", "bit"),
        ("public=2", "public"),
        ("bits=8", "bits .* 32 to 4096"),
        ("core.radix=5", "radix"),
        ("core.width=64", r"core\.width = 64"),
        ("public_core=", "public_core"),
        ("slots=2 slots=2", "slots"),
    ],
)
def test_wrong_words(word: str, text: str) -> None:
    with pytest.raises(MontforgeError, match=text):
        design("rsa", **named_values(word.split()))


def test_the_command_serves_until_interrupted(tmp_path: Path) -> None:
    path = tmp_path / "engine"
    words = ["bits=64", "window=3", "slots=2", "min_bits=16", "public=1"]
    command = [sys.executable, "-c", MAIN, "serve-rsa", str(path)]
    process = subprocess.Popen(
        [*command, *(w for word in words for w in ("-p", word))],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("rsa(bits=64")
        with Remote(path) as device:
            assert RsaEngine(device).bits == 64
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=60) == 0
        assert not path.exists()
    finally:
        process.kill()
        process.communicate()
