# SPDX-License-Identifier: Apache-2.0
"""Jobs in processes of their own: answers, limits, and the end of all that they started."""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import psutil
import pytest

from montforge.explore.remote import Limits, run_job

from .fakes import fake_sources

REQUEST = {"parameters": {"k": 2, "m": 3}}
ENOUGH = Limits(60, 2000)
GRANDCHILD = """
    import subprocess
    child = subprocess.Popen(["sleep", "60"], start_new_session=True)
    open({path!r}, "w").write(f"{{os.getpid()}} {{child.pid}}")
    {then}
"""


def gone(path: Path) -> bool:
    """Whether the processes whose ids are in ``path`` end within a few seconds."""
    pids = [int(word) for word in path.read_text().split()]
    assert len(pids) == 2
    for _ in range(100):
        alive = [pid for pid in pids if psutil.pid_exists(pid)]
        if not [p for p in alive if psutil.Process(p).status() != psutil.STATUS_ZOMBIE]:
            return True
        time.sleep(0.1)
    return False


def test_figures_come_back() -> None:
    found = run_job(fake_sources(), REQUEST, ENOUGH)
    assert found["figures"]["area"] == 6000.0
    assert found["seconds"] > 0


def test_time_limit_ends_the_tools_as_well(tmp_path: Path) -> None:
    path = tmp_path / "pids"
    sources = fake_sources(GRANDCHILD.format(path=str(path), then="child.wait()"))
    found = run_job(sources, REQUEST, Limits(5, 2000))
    assert found["problem"] == "time"
    assert found["message"] == "it did not end within 5 s (--time-limit)"
    assert gone(path)


def test_memory_limit_counts_all_processes() -> None:
    child = "import time; x = bytearray(150_000_000); time.sleep(30)"
    two = f"""
        import subprocess
        children = [subprocess.Popen([sys.executable, "-c", {child!r}]) for _ in "12"]
        children[0].wait()
    """
    found = run_job(fake_sources(two), REQUEST, Limits(60, 250))
    assert found["problem"] == "memory"
    assert "it needs more than 250 MB (--memory-limit)" in found["message"]
    assert found["peak_mb"] > 250
    assert found["seconds"] < 25


def test_stop() -> None:
    stop = threading.Event()
    threading.Timer(0.8, stop.set).start()
    found = run_job(fake_sources("time.sleep(30)"), REQUEST, ENOUGH, stop.is_set)
    assert found["problem"] == "interrupt"
    assert found["seconds"] < 20


@pytest.mark.parametrize(
    ("behaviour", "message"),
    [
        ("raise ValueError('no such luck')", "status 1: ValueError: no such luck"),
        ("os._exit(3)", "status 3: no message"),
        ("os.kill(os.getpid(), 9)", "status -9"),
    ],
)
def test_crash(behaviour: str, message: str) -> None:
    found = run_job(fake_sources(behaviour), REQUEST, ENOUGH)
    assert found["problem"] == "crash"
    assert message in found["message"]


def test_jobs_end_with_the_process_that_started_them(tmp_path: Path) -> None:
    """A killed worker can't clean up: the real job notices that its input was closed.

    It removes its folder before it ends, however long that takes: the job's main thread, which
    fails as soon as its tool is killed, must not end the process before.
    """
    path = tmp_path / "pids"
    code = f"""
        import os, shutil, subprocess, sys, threading, time
        from pathlib import Path
        from montforge.explore import job
        from montforge.work import tools

        def run(request):
            log = Path({str(tmp_path / "log")!r})
            watch = threading.Timer(1.0, note)
            watch.start()
            tools.run_tool(["sleep", "60"], log=log, timeout=100)

        def note():
            (child,) = tools._running
            Path({str(path)!r}).write_text(f"{{os.getpid()}} {{child.pid}}")

        def rmtree(*arguments, remove=shutil.rmtree, **options):
            time.sleep(1)
            remove(*arguments, **options)

        shutil.rmtree = rmtree
        job.run = run
        job.main()
    """
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code)], stdin=subprocess.PIPE, text=True
    )
    assert process.stdin is not None
    folder = tmp_path / "folder"
    folder.mkdir()
    process.stdin.write(json.dumps({"folder": str(folder)}) + "\n")
    process.stdin.flush()
    for _ in range(300):
        if path.exists() and path.read_text():
            break
        time.sleep(0.1)
    process.stdin.close()
    assert process.wait(30) == 1
    assert gone(path)
    assert not folder.exists()
