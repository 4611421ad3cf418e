# SPDX-License-Identifier: Apache-2.0
"""Running one job in a process of its own, with limits; here and on Dask workers alike.

This module travels to Dask workers as it stands, so it imports nothing of montforge: the
sources that measure a design come with the job, as a zip file.
"""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

_POLL_SECONDS = 0.5
_WAIT_SECONDS = 0.02


@dataclass(frozen=True)
class Limits:
    """Limits of one job: seconds of wall clock, and MB of all of its processes together."""

    seconds: float
    memory_mb: float


def run_job(
    sources: bytes,
    request: dict[str, Any],
    limits: Limits,
    stopped: Callable[[], bool] = lambda: False,
) -> dict[str, Any]:
    """Run the ``main`` of ``montforge.explore.job`` in the zipped ``sources`` on ``request``.

    The outcome that is returned has ``figures``, or ``problem`` (``time``, ``memory``,
    ``interrupt``, ``crash``, or the job's own) and ``message``. It has ``seconds`` (of
    processors, by the job and all that it started), ``elapsed`` (on the clock) and ``peak_mb`` in
    any case. If this process dies, the job ends as well; and early as soon as it is ``stopped``.
    """
    with tempfile.TemporaryDirectory(prefix="montforge-job-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        with zipfile.ZipFile(io.BytesIO(sources)) as archive:
            archive.extractall(folder / "sources")
        paths = [str(folder / "sources"), *filter(None, [os.environ.get("PYTHONPATH")])]
        begin = time.monotonic()
        with (folder / "out").open("w") as out, (folder / "err").open("w") as err:
            process = subprocess.Popen(
                [sys.executable, "-P", "-c", "from montforge.explore.job import main; main()"],
                stdin=subprocess.PIPE,
                stdout=out,
                stderr=err,
                text=True,
                cwd=folder,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
                start_new_session=True,
            )
        assert process.stdin is not None
        try:
            with suppress(BrokenPipeError):
                process.stdin.write(json.dumps({**request, "folder": name}) + "\n")
                process.stdin.flush()
            problem, peak, used = _watch(process, limits, begin, stopped)
        finally:
            _end(process)
        outcome = _outcome(folder, limits, problem, process.returncode)
    return {
        **outcome,
        "seconds": round(used, 2),
        "elapsed": round(time.monotonic() - begin, 2),
        "peak_mb": round(peak, 1),
    }


def run_on_worker(
    sources: bytes, request: dict[str, Any], seconds: float, memory_mb: float | None
) -> dict[str, Any]:
    """Run a job in a thread of a Dask worker.

    Without ``memory_mb`` a job may use its thread's share of the worker's own memory limit.
    """
    from distributed import get_worker

    worker = get_worker()
    if memory_mb is None:
        total = worker.memory_manager.memory_limit or psutil.virtual_memory().total
        memory_mb = total / 1e6 / worker.state.nthreads
    outcome = run_job(sources, request, Limits(seconds, memory_mb))
    return {**outcome, "worker": worker.address}


def _watch(
    process: subprocess.Popen[str], limits: Limits, begin: float, stopped: Callable[[], bool]
) -> tuple[str | None, float, float]:
    """Wait for the end; return why it was too early (or None), peak MB and processor seconds."""
    peak = used = 0.0
    while True:
        total = _wait(process)
        if total is not None:
            return None, peak, total
        memory, seconds = _usage(process.pid)
        peak, used = max(peak, memory), max(used, seconds)
        if peak > limits.memory_mb:
            return "memory", peak, used
        if time.monotonic() - begin > limits.seconds:
            return "time", peak, used
        if stopped():
            return "interrupt", peak, used


def _wait(process: subprocess.Popen[str]) -> float | None:
    """Wait a little for the end; return the processor seconds of it and of its own processes."""
    end = time.monotonic() + _POLL_SECONDS
    while time.monotonic() < end:
        ended, status, usage = os.wait4(process.pid, os.WNOHANG)
        if ended:
            process.returncode = os.waitstatus_to_exitcode(status)
            return usage.ru_utime + usage.ru_stime
        time.sleep(_WAIT_SECONDS)
    return None


def _family(pid: int) -> list[psutil.Process]:
    try:
        process = psutil.Process(pid)
        return [process, *process.children(recursive=True)]
    except psutil.Error:
        return []


def _usage(pid: int) -> tuple[float, float]:
    """Return the MB and the processor seconds of a process and all that it started."""
    memory, seconds = 0, 0.0
    for process in _family(pid):
        with suppress(psutil.Error):
            memory += process.memory_info().rss
            seconds += sum(process.cpu_times()[:4])  # its own, and of ended children
    return memory / 1e6, seconds


def _end(process: subprocess.Popen[str]) -> None:
    """End the process with everything that it started."""
    if process.poll() is None:
        with suppress(psutil.Error):
            psutil.Process(process.pid).suspend()  # it starts nothing more
        for each in _family(process.pid)[::-1]:
            with suppress(psutil.Error):
                each.kill()
        process.wait()
    assert process.stdin is not None
    with suppress(BrokenPipeError):
        process.stdin.close()


def _outcome(
    folder: Path, limits: Limits, problem: str | None, status: int | None
) -> dict[str, Any]:
    messages = {
        "time": f"it did not end within {limits.seconds:g} s (--time-limit)",
        "memory": f"it needs more than {limits.memory_mb:.0f} MB (--memory-limit)",
        "interrupt": "it was interrupted",
    }
    if problem is not None:
        return {"problem": problem, "message": messages[problem]}
    lines = (folder / "out").read_text().splitlines()
    if status == 0 and lines:
        answer: dict[str, Any] = json.loads(lines[-1])
        return answer
    last = (folder / "err").read_text(errors="replace").strip().splitlines()[-1:]
    return {
        "problem": "crash",
        "message": f"its process ended with status {status}: {' '.join(last) or 'no message'}",
    }
