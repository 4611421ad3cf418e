# SPDX-License-Identifier: Apache-2.0
"""Worker processes: fresh interpreters that take jobs and give back results over pipes.

They need nothing of the caller's main module (unlike ``multiprocessing`` with spawn) and share no
locks with its threads (unlike fork). A worker ends when its standard input does.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import traceback
from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from multiprocessing.connection import wait
from typing import Any, BinaryIO

from montforge.errors import MontforgeError, ToolFailedError
from montforge.work.tools import SIMULATION_SECONDS

_END_SECONDS = 60.0

Job = tuple[Callable[..., Any], tuple[Any, ...]]
"""A function of an importable module, and its arguments."""


def run_jobs(jobs: Sequence[Job], workers: int) -> Generator[tuple[int, Any], None, None]:
    """Yield ``(number, result)`` of each job as it ends, done by up to ``workers`` processes.

    One worker means this process. An error in a job is raised here. Closing the iterator, or an
    interrupt, ends all workers at once.
    """
    pending = enumerate(jobs)
    if min(workers, len(jobs)) <= 1:
        for number, (function, arguments) in pending:
            yield number, function(*arguments)
        return
    processes = [_start() for _ in range(min(workers, len(jobs)))]
    try:
        idle = list(processes)
        busy: dict[Any, tuple[int, subprocess.Popen[bytes]]] = {}
        while True:
            for process, (number, job) in zip(idle, pending, strict=False):
                _send(process, job)
                busy[process.stdout] = number, process
            if not busy:
                return
            done = [busy.pop(stream) for stream in wait(list(busy), SIMULATION_SECONDS)]
            if not done:
                raise ToolFailedError(
                    f"no worker process has answered for {SIMULATION_SECONDS:g} s; finished work"
                    " is kept: run the same command again."
                )
            idle = [process for _, process in done]
            for number, process in done:
                yield number, _receive(process)
    finally:
        for process in processes:
            process.kill()
        for process in processes:
            process.communicate()


def main() -> None:
    """Do jobs from standard input until it ends. What they print goes to standard error."""
    results = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    while True:
        try:
            function, arguments = pickle.load(sys.stdin.buffer)
            answer: tuple[Any, object] = function(*arguments), None
        except EOFError:
            return
        except MontforgeError as error:
            answer = None, error
        except Exception:
            answer = None, traceback.format_exc()
        pickle.dump(answer, results)
        results.flush()


def _start() -> subprocess.Popen[bytes]:
    """Start a worker in a session of its own, so that a Ctrl-C reaches only this process."""
    path = os.pathsep.join(entry or os.curdir for entry in sys.path)
    return subprocess.Popen(
        [sys.executable, "-c", f"from {__name__} import main; main()"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": path},
        start_new_session=True,
    )


def _send(process: subprocess.Popen[bytes], job: Job) -> None:
    stream = _stream(process.stdin)
    try:
        pickle.dump(job, stream)
        stream.flush()
    except BrokenPipeError:
        raise _ended(process) from None


def _receive(process: subprocess.Popen[bytes]) -> Any:
    try:
        result, error = pickle.load(_stream(process.stdout))
    except EOFError:
        raise _ended(process) from None
    if isinstance(error, MontforgeError):
        raise error
    if error is not None:
        raise RuntimeError(f"a worker process failed:\n{error}")
    return result


def _stream(stream: Any) -> BinaryIO:
    return stream  # type: ignore[no-any-return]


def _ended(process: subprocess.Popen[bytes]) -> ToolFailedError:
    with suppress(subprocess.TimeoutExpired):  # it has closed its output, and ends
        process.wait(_END_SECONDS)
    return ToolFailedError(
        f"a worker process ended with status {process.returncode} (out of memory, or killed);"
        " finished work is kept: run the same command again, with fewer workers if need be."
    )
