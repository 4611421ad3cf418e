# SPDX-License-Identifier: Apache-2.0
"""The demonstration: a file signed by the engine, the phases, the picture."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from montforge.demos.rsa import last_operation, main
from montforge.errors import ParameterError

from .wide import PARAMETERS


def test_a_signed_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not installed")
    words = [word for parameter in PARAMETERS for word in ("-p", parameter)]
    assert main([*words, "--no-measure", "--output", str(tmp_path)]) == 0
    text = capsys.readouterr().out
    assert "Verified OK" in text
    assert "exponentiate" in text
    assert (tmp_path / "timeline.png").stat().st_size > 1000


def test_a_key_that_nobody_makes(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="1024 bits"):
        main(["-p", "bits=1000", "--output", str(tmp_path / "out")])
    assert not (tmp_path / "out").exists()


def test_the_last_operation() -> None:
    changes = [(1, 0), (0, 9), (2, 20), (0, 40), (4, 50), (6, 53), (9, 60), (0, 64)]
    assert last_operation(changes) == [(4, 0, 3), (6, 3, 7), (9, 10, 4)]
