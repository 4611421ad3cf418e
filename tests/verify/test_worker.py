# SPDX-License-Identifier: Apache-2.0
"""Worker processes: results, errors, and their end."""

from __future__ import annotations

import os
import signal
import time
from contextlib import closing
from pathlib import Path

import pytest

from montforge.errors import OperandError, ToolFailedError
from montforge.verify import worker
from montforge.verify.worker import Job, run_jobs

SOON = 30


def square(value: int) -> int:
    print("a worker's print does not disturb the results")
    return value * value


def refuse(value: int) -> int:
    raise OperandError(f"refused {value}")


def crash() -> None:
    raise ZeroDivisionError


def vanish() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def process_id() -> int:
    return os.getpid()


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_each_job_is_done_once(workers: int) -> None:
    jobs: list[Job] = [(square, (i,)) for i in range(7)]
    assert sorted(run_jobs(jobs, workers)) == [(i, i * i) for i in range(7)]


def test_no_jobs() -> None:
    assert list(run_jobs([], 2)) == []


def test_one_worker_is_this_process() -> None:
    jobs: list[Job] = [(process_id, ())] * 2
    assert {pid for _, pid in run_jobs(jobs, 1)} == {os.getpid()}
    assert os.getpid() not in {pid for _, pid in run_jobs(jobs, 2)}


@pytest.mark.parametrize("workers", [1, 2])
def test_our_errors_come_through(workers: int) -> None:
    with pytest.raises(OperandError, match="refused 3"):
        list(run_jobs([(refuse, (3,)), (square, (2,))], workers))


def test_other_errors_carry_their_traceback() -> None:
    with pytest.raises(RuntimeError, match="ZeroDivisionError"):
        list(run_jobs([(crash, ()), (square, (2,))], 2))


def test_a_worker_that_is_killed() -> None:
    with pytest.raises(ToolFailedError, match="finished work is kept"):
        list(run_jobs([(vanish, ()), (vanish, ())], 2))


def test_a_worker_that_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "SIMULATION_SECONDS", 0.5)
    jobs: list[Job] = [(time.sleep, (60,))] * 2
    begin = time.monotonic()
    with pytest.raises(ToolFailedError, match=r"no worker process has answered for 0\.5 s"):
        list(run_jobs(jobs, 2))
    assert time.monotonic() - begin < SOON


def test_stopping_early_ends_the_workers() -> None:
    jobs: list[Job] = [(process_id, ())] * 6
    with closing(run_jobs(jobs, 2)) as results:
        _, pid = next(results)
        assert Path(f"/proc/{pid}").exists()
    assert not Path(f"/proc/{pid}").exists()
