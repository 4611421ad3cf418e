# SPDX-License-Identifier: Apache-2.0
"""Programs that say nothing: each wait for one ends with a message, and with the program."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from montforge.errors import ToolFailedError
from montforge.host import simulation
from montforge.measure import opensta
from montforge.verify import bench, engine_bench

SOON = 30
SILENT = "#!/bin/sh\nexec sleep 120\n"


@pytest.fixture
def silent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program that neither answers nor ends; limits are half a second."""
    program = tmp_path / "silent"
    program.write_text(SILENT)
    program.chmod(0o755)
    for module, name in (
        (bench, "SIMULATION_SECONDS"),
        (engine_bench, "SIMULATION_SECONDS"),
        (engine_bench, "END_SECONDS"),
        (simulation, "ANSWER_SECONDS"),
        (opensta, "_VERSION_SECONDS"),
    ):
        monkeypatch.setattr(module, name, 0.5)
    return program


def of_a_bench(program: Path) -> None:
    bench.Bench(program, "key", (), (), quiet=1).run([])


def of_an_engine(program: Path) -> None:
    engine_bench.EngineBench(program, 32)


def of_a_device(program: Path) -> None:
    with simulation.Simulation(program) as device:
        device.read(0)


def of_a_server(program: Path) -> None:
    simulation.serve(program, program.with_name("socket"))


def of_a_client(program: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(program.with_name("socket")))
        listener.listen()
        with simulation.Remote(program.with_name("socket")) as device:
            device.read(0)


@pytest.mark.parametrize(
    "wait",
    [of_a_bench, of_an_engine, of_a_device, of_a_server, of_a_client],
    ids=lambda f: f.__name__,
)
def test_a_wait_has_an_end(wait: Callable[[Path], None], silent: Path) -> None:
    begin = time.monotonic()
    with pytest.raises(ToolFailedError, match=r"0\.5 s"):
        wait(silent)
    assert time.monotonic() - begin < SOON
    assert not psutil.Process().children()


def test_the_version_of_opensta(silent: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opensta, "find_program", lambda name: str(silent))
    with pytest.raises(ToolFailedError, match="within 0 s"):
        opensta.opensta_version.__wrapped__()
