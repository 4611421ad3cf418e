# SPDX-License-Identifier: Apache-2.0
"""scripts/run_dockerfile.py does the instructions of the Dockerfile, and refuses others."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import run_dockerfile
from run_dockerfile import Container, instructions

ROOT = Path(__file__).parents[1]


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """What a container is asked to do, with its folder and path at that time."""
    calls: list[tuple[Any, ...]] = []

    def run(self: Container, command: Sequence[str]) -> None:
        calls.append(("run", self.folder, self.environment["PATH"], command[-1]))

    monkeypatch.setattr(Container, "run", run)
    monkeypatch.setattr(Container, "_make", lambda self, release: calls.append(("make", release)))
    monkeypatch.setattr(Container, "_copy", lambda self, target: calls.append(("copy", target)))
    return calls


def test_each_instruction_of_the_dockerfile_is_done(
    done: list[tuple[Any, ...]], tmp_path: Path
) -> None:
    container = Container(tmp_path)
    for name, rest in instructions((ROOT / "Dockerfile").read_text()):
        container.do(name, rest)
    make, install, copy, setup = done
    assert make == ("make", "bookworm")
    assert install[1] == "/" and install[3].startswith("apt-get update && ")
    assert "python3-venv && rm -rf" in install[3]
    assert copy == ("copy", tmp_path / "montforge")
    assert setup == ("run", "/montforge", run_dockerfile.PATH, "make setup")
    assert container.environment["PATH"] == f"/montforge/.venv/bin:{run_dockerfile.PATH}"
    assert (container.entrypoint, container.command) == (["montforge"], ["--help"])


@pytest.mark.parametrize("line", ["FROM alpine:3", "ADD x y", "COPY src dest", "USER montforge"])
def test_an_instruction_that_it_does_not_know_is_an_error(
    line: str, done: list[tuple[Any, ...]], tmp_path: Path
) -> None:
    ((name, rest),) = instructions(f"# a comment\n{line}\n")
    with pytest.raises(ValueError, match=name):
        Container(tmp_path).do(name, rest)
    assert done == []
