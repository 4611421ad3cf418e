# SPDX-License-Identifier: Apache-2.0
"""Executors of jobs: processes of this machine, or the workers of a Dask cluster."""

from __future__ import annotations

import logging
import os
import pickle
import time
from abc import abstractmethod
from collections.abc import Generator, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import partial
from typing import Any

import psutil

from montforge.errors import ParameterError, ToolFailedError
from montforge.explore import remote
from montforge.explore.remote import Limits, run_job, run_on_worker
from montforge.explore.settings import Settings
from montforge.work.extras import require
from montforge.work.jobs import run_jobs
from montforge.work.tools import is_stopped

Request = dict[str, Any]
"""What `job.request_of` returns."""
Outcome = dict[str, Any]
"""The result of `remote.run_job`."""
Outcomes = Generator[tuple[int, Outcome], None, None]
"""The outcomes of requests, each with its number in the order in which they began."""

_CONNECT_SECONDS = 20
_LOOK_SECONDS = 5
ALONE_SECONDS = 300
"""How long a Dask cluster may have no worker until a run ends: time for others to start."""
_SHARE = 0.9
"""The part of the free memory that all jobs together may use unless a limit is given."""


class Executor(AbstractContextManager["Executor"]):
    """Runs requests; results come in any order, and an interrupt ends the jobs that still run."""

    @property
    @abstractmethod
    def workers(self) -> int:
        """Jobs that run at a time, at least 1."""

    @abstractmethod
    def run(self, requests: Iterable[Request | None]) -> Outcomes:
        """Yield the number and the outcome of each request as soon as it is done.

        ``requests`` is asked for the next one when a worker is free. It may answer None if there
        is none now; it is asked again after the next outcome.
        """

    def __exit__(self, *_: object) -> None:
        """Release the workers, if there is something to release."""


class LocalExecutor(Executor):
    """A few processes of this machine at a time."""

    def __init__(
        self, sources: bytes, workers: int | None, seconds: float, memory_mb: float | None
    ) -> None:
        """Run ``workers`` jobs at a time (default: one for each core).

        Without ``memory_mb`` each may use its equal part of 90% of the memory that is free now.
        """
        self._workers = workers or os.cpu_count() or 1
        free = psutil.virtual_memory().available / 1e6
        self._limits = Limits(seconds, memory_mb or _SHARE * free / self._workers)
        self._sources = sources

    @property
    def workers(self) -> int:
        """See `Executor`."""
        return self._workers

    def run(self, requests: Iterable[Request | None]) -> Outcomes:
        """See `Executor`."""
        jobs = (
            partial(run_job, self._sources, request, self._limits, is_stopped) if request else None
            for request in requests
        )
        return run_jobs(jobs, self._workers)


class DaskExecutor(Executor):
    """The workers of a Dask cluster, which need montforge's dependencies and tools only.

    Sources travel with each job and results come back over the network. The jobs of a worker
    that dies run again elsewhere; a job that was on several workers when they died has failed.
    """

    def __init__(
        self,
        address: str,
        sources: bytes,
        workers: int | None,
        seconds: float,
        memory_mb: float | None,
    ) -> None:
        """Connect to ``address``, or start ``workers`` processes here if it is ``local``.

        Raises ParameterError if nobody answers there, ToolMissingError without Dask.
        """
        require("explore", "cloudpickle", "distributed")
        import cloudpickle
        from distributed import Client, LocalCluster

        cloudpickle.register_pickle_by_value(remote)
        self._code = cloudpickle.dumps(run_on_worker)
        self._cluster = None
        if address == "local":
            self._cluster = LocalCluster(
                n_workers=workers or os.cpu_count() or 1,
                threads_per_worker=1,
                dashboard_address="127.0.0.1:0",
                silence_logs=logging.ERROR,
            )
        elif "://" not in address:
            raise ParameterError(
                f"--dask {address} is no address; write tcp://HOST:PORT of a scheduler, or local."
            )
        try:
            self._client = Client(self._cluster or address, timeout=_CONNECT_SECONDS)
        except (OSError, ValueError) as error:
            reason = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise ParameterError(
                f"no Dask scheduler answers at {address} ({reason}); start one there with"
                " `dask scheduler`, or use --dask local."
            ) from None
        self._job = (sources, seconds, memory_mb)

    @property
    def workers(self) -> int:
        """See `Executor`."""
        return max(1, self._threads)

    @property
    def _threads(self) -> int:
        with _failures():
            known = self._client.scheduler_info(n_workers=-1)["workers"]
        return sum(int(worker["nthreads"]) for worker in known.values())

    def run(self, requests: Iterable[Request | None]) -> Outcomes:
        """See `Executor`."""
        from distributed import wait

        sources, seconds, memory_mb = self._job
        waiting, started = iter(requests), 0
        numbers: dict[Any, int] = {}
        seen = time.monotonic()

        def submit_some() -> None:
            # No job waits at a worker: if that died, Dask would suspect the job as well.
            nonlocal started
            while len(numbers) < self.workers and (request := next(waiting, None)) is not None:
                future = self._client.submit(
                    # Dask would send a named function as its module's name.
                    lambda code, *rest: pickle.loads(code)(*rest),
                    self._code,
                    sources,
                    request,
                    seconds,
                    memory_mb,
                    pure=False,
                )
                numbers[future] = started
                started += 1

        try:
            submit_some()
            while numbers:
                with suppress(TimeoutError), _failures():
                    wait(list(numbers), timeout=_LOOK_SECONDS, return_when="FIRST_COMPLETED")
                for future in [future for future in numbers if future.done()]:
                    outcome = self._outcome(future)
                    if outcome is None:
                        continue
                    yield numbers.pop(future), outcome
                    submit_some()
                if self._threads:
                    seen = time.monotonic()
                if time.monotonic() - seen > ALONE_SECONDS:
                    raise ToolFailedError(
                        f"the Dask cluster has had no worker for {ALONE_SECONDS:g} s; finished"
                        " designs are kept: start workers, and the same command goes on with the"
                        " others."
                    )
        finally:
            with suppress(Exception):  # a scheduler that is gone has nothing to cancel
                self._client.cancel(list(numbers), force=True)

    def _outcome(self, future: Any) -> Outcome | None:
        """Return the outcome of a job, or None if it was lost with its worker before it came."""
        from distributed import KilledWorker

        try:
            with _failures(KilledWorker, TimeoutError):
                found: Outcome = future.result(timeout=_LOOK_SECONDS)
        except TimeoutError:
            return None
        except KilledWorker:
            return {
                "problem": "worker",
                "message": "every worker that it ran on died; see the workers' logs",
                "seconds": None,
                "peak_mb": None,
            }
        return found

    def __exit__(self, *_: object) -> None:
        """Leave the cluster; end it if it was started here."""
        self._client.close()
        if self._cluster is not None:
            self._cluster.close()


@contextmanager
def _failures(*others: type[Exception]) -> Iterator[None]:
    """Raise ToolFailedError for errors of the scheduler or of a worker, but ``others``."""
    try:
        yield
    except Exception as error:
        if isinstance(error, (TimeoutError, *others)):
            raise
        raise ToolFailedError(
            f"Dask failed ({type(error).__name__}: {error}); finished designs are kept, and"
            " the same command goes on with the others."
        ) from None


def make_executor(sources: bytes, settings: Settings) -> Executor:
    """Return the executor that the settings ask for: processes of this machine, or Dask."""
    limits = (settings.workers, settings.time_limit, settings.memory_limit)
    if settings.dask is None:
        return LocalExecutor(sources, *limits)
    return DaskExecutor(settings.dask, sources, *limits)
