# SPDX-License-Identifier: Apache-2.0
"""Jobs in threads and processes: results, errors, and the end of all that they run and wait for."""

from __future__ import annotations

import fcntl
import os
import signal
import threading
import time
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from montforge.errors import OperandError, ToolFailedError
from montforge.work import jobs as runner
from montforge.work.cache import cache_root, cached_folder
from montforge.work.jobs import results_of, run_in_processes, run_jobs
from montforge.work.progress import Progress
from montforge.work.tools import run_tool

LONG = 30
SOON = 10


@pytest.fixture(autouse=True)
def _own_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MONTFORGE_CACHE", str(tmp_path / "cache"))


def long_tool(folder: Path) -> None:
    (folder / "begun").touch()
    run_tool(["sleep", str(LONG)], log=folder / "log", timeout=2 * LONG)


def fail(*begun: str) -> None:
    """Fail as soon as there are files of these patterns in the cache."""
    while not all(list(cache_root().glob(each)) for each in begun):
        time.sleep(0.01)
    raise KeyboardInterrupt


def test_no_job_does_again_what_another_one_was_ended_at(tmp_path: Path) -> None:
    """The second to want an entry of the cache gets its lock when the first one's tool ends."""
    make = partial(cached_folder, "kind", "key", long_tool)
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        results_of([make, make, partial(fail, "kind/key.*/begun")], 3, Progress(None, 3))
    assert time.monotonic() - begin < SOON
    assert not (tmp_path / "cache" / "kind" / "key").exists()


def test_no_job_goes_on_with_its_next_tool(tmp_path: Path) -> None:
    def stubborn() -> None:
        for number in range(3):
            folder = cache_root() / f"stubborn{number}"
            folder.mkdir()
            with pytest.raises(ToolFailedError):
                long_tool(folder)

    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        results_of([stubborn, partial(fail, "stubborn0/begun")], 2, Progress(None, 2))
    assert time.monotonic() - begin < SOON
    assert (tmp_path / "cache" / "stubborn2" / "begun").exists()


def test_no_job_waits_for_an_entry_that_another_process_makes() -> None:
    folder = cache_root() / "kind"
    folder.mkdir()
    begin = time.monotonic()
    with (folder / "key.lock").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        jobs = [partial(cached_folder, "kind", "key", long_tool), partial(fail, "kind/key.lock")]
        with pytest.raises(KeyboardInterrupt):
            results_of(jobs, 2, Progress(None, 2))
    assert time.monotonic() - begin < SOON


def test_other_jobs_go_on() -> None:
    """The jobs of a pool within a job end alone."""

    def inner() -> str:
        with pytest.raises(KeyboardInterrupt):
            results_of([partial(fail, "sleeps")], 1, Progress(None, 1))
        return "ended"

    def outer() -> str:
        run_tool(["sh", "-c", "touch sleeps; sleep 1"], cwd=cache_root(), log=log, timeout=LONG)
        return "done"

    log = cache_root() / "log"
    assert results_of([inner, outer], 2, Progress(None, 2)) == ["ended", "done"]


def square(value: int) -> int:
    print("a print of a worker goes to standard error")
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
def test_each_job_is_done_once(workers: int, capfd: pytest.CaptureFixture[str]) -> None:
    jobs = [partial(square, i) for i in range(7)]
    assert sorted(run_in_processes(jobs, workers)) == [(i, i * i) for i in range(7)]
    assert ("print" in capfd.readouterr().out) == (workers == 1)


def test_no_jobs() -> None:
    assert list(run_in_processes([], 2)) == []


def test_one_worker_is_this_process() -> None:
    jobs = [process_id] * 2
    assert {pid for _, pid in run_in_processes(jobs, 1)} == {os.getpid()}
    assert os.getpid() not in {pid for _, pid in run_in_processes(jobs, 2)}


@pytest.mark.parametrize("workers", [1, 2])
def test_our_errors_come_through(workers: int) -> None:
    with pytest.raises(OperandError, match="refused 3"):
        list(run_in_processes([partial(refuse, 3), partial(square, 2)], workers))


def test_other_errors_carry_their_traceback() -> None:
    with pytest.raises(RuntimeError, match="ZeroDivisionError"):
        list(run_in_processes([crash, partial(square, 2)], 2))


def test_a_worker_that_is_killed() -> None:
    with pytest.raises(ToolFailedError, match="-9"):
        list(run_in_processes([vanish, vanish], 2))


def test_a_worker_that_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "SIMULATION_SECONDS", 0.5)
    jobs = [partial(time.sleep, 60)] * 2
    begin = time.monotonic()
    with pytest.raises(ToolFailedError, match=r"0\.5 s"):
        list(run_in_processes(jobs, 2))
    assert time.monotonic() - begin < SOON


def test_stopping_early_ends_the_workers() -> None:
    jobs = [process_id] * 6
    with closing(run_in_processes(jobs, 2)) as results:
        _, pid = next(results)
        assert Path(f"/proc/{pid}").exists()
    assert not Path(f"/proc/{pid}").exists()


def test_jobs_that_come_of_results() -> None:
    asked: list[int | None] = []
    coming: list[int | None] = [3, None, 4, None, None]

    def next_job() -> Callable[[], int] | None:
        asked.append(coming.pop(0))
        return None if asked[-1] is None else partial(square, asked[-1])

    found = []
    for result in run_jobs(iter(next_job, object()), 2):
        found.append((result, list(asked)))
    assert found == [((0, 9), [3, None]), ((1, 16), [3, None, 4, None])]
    assert not coming  # asked once more, and the run has ended


@pytest.mark.parametrize(
    ("run", "slow"),
    [
        (run_jobs, partial(run_tool, ["sleep", str(LONG)], log=Path(os.devnull), timeout=2 * LONG)),
        (run_in_processes, partial(time.sleep, LONG)),
    ],
    ids=["threads", "processes"],
)
def test_closing_leaves_out_all_that_have_not_ended(
    run: Callable[..., Any], slow: Callable[[], None], tmp_path: Path
) -> None:
    last = tmp_path / "last"
    threads = threading.active_count()
    begin = time.monotonic()
    with closing(run([partial(square, 3), slow, slow, last.touch], 2)) as results:
        assert next(results) == (0, 9)
    assert time.monotonic() - begin < SOON
    assert not last.exists()
    assert threading.active_count() == threads
