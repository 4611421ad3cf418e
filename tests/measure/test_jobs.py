# SPDX-License-Identifier: Apache-2.0
"""Jobs in threads: when one fails, or at an interrupt, all that they run and wait for ends."""

from __future__ import annotations

import fcntl
import time
from functools import partial
from pathlib import Path

import pytest

from montforge.errors import ToolFailedError
from montforge.measure.jobs import Progress, run_jobs
from montforge.work.cache import cache_root, cached_folder
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
        run_jobs([make, make, partial(fail, "kind/key.*/begun")], 3, Progress(None, 3))
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
        run_jobs([stubborn, partial(fail, "stubborn0/begun")], 2, Progress(None, 2))
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
            run_jobs(jobs, 2, Progress(None, 2))
    assert time.monotonic() - begin < SOON


def test_other_jobs_go_on() -> None:
    """The jobs of a pool within a job end alone."""

    def inner() -> str:
        with pytest.raises(KeyboardInterrupt):
            run_jobs([partial(fail, "sleeps")], 1, Progress(None, 1))
        return "ended"

    def outer() -> str:
        run_tool(["sh", "-c", "touch sleeps; sleep 1"], cwd=cache_root(), log=log, timeout=LONG)
        return "done"

    log = cache_root() / "log"
    assert run_jobs([inner, outer], 2, Progress(None, 2)) == ["ended", "done"]
