# SPDX-License-Identifier: Apache-2.0
"""Running a few jobs at a time: in threads, which wait for tools, or in worker processes."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack, closing, contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from montforge.errors import MontforgeError, ToolFailedError
from montforge.work.progress import Progress
from montforge.work.tools import (
    SIMULATION_SECONDS,
    Result,
    stop_tools,
    stoppable,
    stopped_by,
    wait_for_answer,
)

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

JOBS = 2
"""Jobs at a time unless it is given: each holds up to about 1 GB."""

_STOP_SECONDS = 0.05
_END_SECONDS = 60.0


def run_jobs(
    jobs: Iterable[Callable[[], Result] | None], workers: int
) -> Generator[tuple[int, Result], None, None]:
    """Yield ``(number, result)`` of each job as it ends, ``workers`` at a time in threads.

    ``jobs`` is asked for the next one when a worker is free. It may answer None if there is none
    now; it is asked again after the next result, and the run ends if no job is left to wait for.
    An error in a job is raised here. Such an error, an interrupt, and closing the iterator end the
    tools that the jobs run and leave out the jobs that wait.
    """
    stop = threading.Event()
    waiting, number = iter(jobs), 0
    running: dict[Future[Result], int] = {}
    with ThreadPoolExecutor(workers) as pool:
        try:
            while True:
                while len(running) < workers and (job := next(waiting, None)) is not None:
                    running[pool.submit(stopped_by(stop, job))] = number
                    number += 1
                if not running:
                    return
                ended = wait(running, return_when=FIRST_COMPLETED).done.pop()
                yield running.pop(ended), ended.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
            stop.set()
            while not all(future.done() for future in running):
                stop_tools(stop)
                time.sleep(_STOP_SECONDS)


def results_of(
    jobs: Sequence[Callable[[], Result]], workers: int, progress: Progress
) -> list[Result]:
    """Run ``jobs`` as `run_jobs` does, count each in ``progress``, and return results in order."""
    found = {}
    with closing(run_jobs(jobs, workers)) as results:
        for number, result in results:
            found[number] = result
            progress.step()
    return [found[number] for number in range(len(jobs))]


def run_in_processes(
    jobs: Sequence[Callable[[], Result]], workers: int
) -> Generator[tuple[int, Result], None, None]:
    """Yield as `run_jobs` does from jobs that compute, done by up to ``workers`` processes.

    Jobs are functions of importable modules, or partial ones. One worker means this process.
    Others are fresh interpreters: they need nothing of the caller's main module (unlike
    ``multiprocessing`` with spawn) and share no locks with its threads (unlike fork).
    """
    workers = min(workers, len(jobs))
    if workers <= 1:
        for number, job in enumerate(jobs):
            yield number, job()
        return
    own = threading.local()
    with ExitStack() as processes:

        def answer(job: Callable[[], Result]) -> Result:
            if not hasattr(own, "worker"):
                own.worker = processes.enter_context(_worker())
            process, connection = own.worker
            return _answer(process, connection, job)

        yield from run_jobs([partial(answer, job) for job in jobs], workers)


def work(descriptor: int) -> None:
    """Do the jobs that come over a connection, until the other process closes it or ends."""
    from multiprocessing.connection import Connection

    with Connection(descriptor) as connection, suppress(EOFError, ConnectionError):
        while True:
            job = connection.recv_bytes()
            try:
                answer: tuple[Any, object] = pickle.loads(job)(), None
            except MontforgeError as error:
                answer = None, error
            except Exception:
                answer = None, traceback.format_exc()
            connection.send(answer)


@contextmanager
def _worker() -> Iterator[tuple[subprocess.Popen[bytes], Connection]]:
    """Start a worker in a session of its own, so that a Ctrl-C reaches only this process.

    Its output goes to standard error. It ends with the block, or as a tool of this thread.
    """
    from multiprocessing import Pipe  # which most commands do without

    ours, theirs = Pipe()
    with ours:
        with theirs:
            process = subprocess.Popen(
                [sys.executable, "-c", f"from {__name__} import work; work({theirs.fileno()})"],
                stdin=subprocess.DEVNULL,
                stdout=2,
                env={
                    **os.environ,
                    "PYTHONPATH": os.pathsep.join(entry or os.curdir for entry in sys.path),
                },
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )
        with stoppable(process):
            yield process, ours


def _answer(
    process: subprocess.Popen[bytes], connection: Connection, job: Callable[[], Result]
) -> Result:
    try:
        connection.send(job)
        wait_for_answer(connection, SIMULATION_SECONDS, "a worker process")
        result, error = connection.recv()
    except (EOFError, ConnectionError):
        with suppress(subprocess.TimeoutExpired):  # it has closed its connection, and ends
            process.wait(_END_SECONDS)
        raise ToolFailedError(
            f"a worker process ended with status {process.returncode} (out of memory, or killed);"
            " finished work is kept: run the same command again, with fewer workers if need be."
        ) from None
    if isinstance(error, MontforgeError):
        raise error
    if error is not None:
        raise RuntimeError(f"a worker process failed:\n{error}")
    return result  # type: ignore[no-any-return]
