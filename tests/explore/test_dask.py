# SPDX-License-Identifier: Apache-2.0
"""Dask executors: the same rows as local processes, also if workers die."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import dask
import pytest
from distributed import Client, LocalCluster

from montforge.errors import ParameterError, ToolFailedError
from montforge.explore import Exploration, Status, executors, explore

from .fakes import Fake

SOON = 120


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[LocalCluster]:
    """Two workers that can't import montforge."""
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0") as found:  # type: ignore[no-untyped-call]
        with Client(found) as client:  # type: ignore[no-untyped-call]
            client.run(lambda: sys.modules.update({"montforge": None}))  # type: ignore[dict-item]
        yield found


def comparable(found: Exploration) -> list[dict[str, object]]:
    used = ("seconds", "peak_mb")
    return [{k: v for k, v in vars(row).items() if k not in used} for row in found.rows]


def run(space: Path, **options: object) -> Exploration:
    return explore("table2", width=16, space=space, **options)  # type: ignore[arg-type]


@pytest.mark.slow
def test_a_killed_worker_loses_nothing(
    fake: Fake,
    space: Path,
    cluster: LocalCluster,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    log = fake("time.sleep(2.5)\nif (p['k'], p['m']) == (3, 2): os._exit(2)")
    address = cluster.scheduler_address
    killed: list[int] = []

    def kill_one(status: Status) -> None:
        if status.done == 2 and not killed:
            end = time.monotonic() + SOON
            while len(log.read_text().splitlines()) < 3:  # two are done, another runs
                assert time.monotonic() < end
                time.sleep(0.05)
            with Client(address) as client:  # type: ignore[no-untyped-call]
                busy = [worker for worker, tasks in client.processing().items() if tasks]
                pids = client.run(os.getpid, workers=busy)
            killed.append(next(iter(pids.values())))
            os.kill(killed[0], signal.SIGKILL)

    found = run(space, dask=address, report=kill_one)
    assert killed
    assert len(found.rows) == 6
    assert [row.message for row in found.failed] == ["its process ended with status 2: no message"]
    assert len(log.read_text().splitlines()) > 6  # the dead worker's job ran again

    monkeypatch.setenv("MONTFORGE_CACHE", str(tmp_path / "another"))
    assert comparable(run(space, workers=2)) == comparable(found)


@pytest.mark.slow
def test_a_job_that_kills_its_workers_fails(fake: Fake, space: Path) -> None:
    fake("""
        parent = os.getppid()
        worker = b"multiprocessing" in open(f"/proc/{parent}/cmdline", "rb").read()
        if (p["k"], p["m"]) == (2, 2) and worker: os.kill(parent, 9)
    """)
    with dask.config.set({"distributed.scheduler.allowed-failures": 1}):
        found = run(space, dask="local", workers=2)
    assert len(found.measured) == 5
    assert [(row.parameters["m"], row.message) for row in found.failed] == [
        (2, "every worker that it ran on died; see the workers' logs")
    ]


@pytest.mark.slow
def test_a_run_ends_when_no_worker_is_left_and_keeps_what_is_done(
    fake: Fake, space: Path, cluster: LocalCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = fake("time.sleep(0.5)")
    monkeypatch.setattr(executors, "ALONE_SECONDS", 2)
    monkeypatch.setattr(executors, "_LOOK_SECONDS", 0.2)
    kept: list[str] = []

    def end_workers(status: Status) -> None:
        if status.last is not None:
            kept.append(status.last.design)
            cluster.scale(0)  # type: ignore[no-untyped-call]

    with pytest.raises(ToolFailedError, match="for 2 s"):
        run(space, dask=cluster.scheduler_address, report=end_workers)
    assert 1 <= len(kept) < 6
    log.unlink()
    assert len(run(space, workers=2).measured) == 6
    assert len(log.read_text().splitlines()) == 6 - len(kept)


def test_nobody_answers(fake: Fake, space: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake()
    monkeypatch.setattr(executors, "_CONNECT_SECONDS", 1)
    with pytest.raises(ParameterError, match=r"tcp://127\.0\.0\.1:9"):
        run(space, dask="tcp://127.0.0.1:9")
