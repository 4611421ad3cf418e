# SPDX-License-Identifier: Apache-2.0
"""Running a few tool jobs at a time, each of whose results is kept as soon as it is there."""

from __future__ import annotations

import json
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from functools import cache
from pathlib import Path
from typing import Any

from montforge.work.cache import ResultStore, code_hash, content_hash
from montforge.work.progress import ProgressFunction
from montforge.work.tools import Result, stop_tools, stopped_by

JOBS = 2
"""Jobs at a time unless it is given: each holds up to about 1 GB."""

_STOP_SECONDS = 0.05
_GIT_SECONDS = 60.0

NOT_THE_FLOW = frozenset(
    (
        *("arch", "cli", "demos", "driver", "explore", "generate", "host", "papers", "programs"),
        *("report", "rtl", "store", "targets", "templates", "verify"),
        *("contract.py", "functions.py", "licence.py"),
        *("hardware/axi.py", "hardware/forms.py", "hardware/parts.py"),
    )
)
"""Parts of montforge that a tool's result depends on by the RTL and the scripts that they make,
which are among its inputs; or not at all. All others are the flow."""

COMMIT_FILE = "montforge_commit.txt"
"""Name of the file beside the package's folder that holds the commit of sources that travel."""


class Progress:
    """Counts finished jobs of an expected total that may turn out smaller or larger."""

    def __init__(self, report: ProgressFunction | None, total: int) -> None:
        """Start at 0 of ``total``; ``report`` may be None."""
        self._report = report
        self._done = 0
        self._total = total
        self._call()

    def step(self) -> None:
        """Count one more job."""
        self._done += 1
        self._total = max(self._total, self._done)
        self._call()

    def finish(self) -> None:
        """Count all jobs as done."""
        self._done = self._total
        self._call()

    def _call(self) -> None:
        if self._report is not None:
            self._report(self._done, self._total)


def stored(
    store: ResultStore, kind: str, inputs: Sequence[object], make: Callable[[], dict[str, Any]]
) -> dict[str, Any]:
    """Return the result of ``inputs`` from the store; make and store it if it is missing.

    ``inputs`` are all that the result depends on: JSON values, and paths for files' contents; the
    sources of the flow, which runs the tools and reads their answers, are added to them. The result
    gets two more keys: ``key``, the hash of the inputs, and ``commit``, that of the montforge
    checkout that made it.
    """
    key = content_hash(kind, code_hash("montforge", NOT_THE_FLOW), *inputs)
    found = store.get(key)
    if found is None:
        made = {**make(), "key": key, "commit": source_commit()}
        store.put(key, kind, made)
        found = dict(json.loads(json.dumps(made)))
    return found


@cache
def source_commit() -> str | None:
    """Return the commit of the checkout that montforge runs from, or None outside of one.

    Sources that were sent to run elsewhere say it in a file (`montforge.explore.sources`).
    """
    source = Path(__file__).resolve()
    noted = source.parents[2] / COMMIT_FILE
    if noted.is_file():
        return noted.read_text() or None
    if not (source.parents[3] / "pyproject.toml").is_file():
        return None
    try:
        described = subprocess.run(
            ["git", "describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"],
            cwd=source.parent,
            capture_output=True,
            text=True,
            check=True,
            timeout=_GIT_SECONDS,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return described.stdout.strip()


def run_jobs(
    jobs: Sequence[Callable[[], Result]], workers: int, progress: Progress
) -> list[Result]:
    """Run ``jobs``, ``workers`` at a time in threads, and return their results in order.

    An error or an interrupt ends the running tools and leaves out the other jobs.
    """
    stop = threading.Event()
    with ThreadPoolExecutor(workers) as pool:
        futures = [pool.submit(stopped_by(stop, job)) for job in jobs]
        try:
            for future in as_completed(futures):
                future.result()
                progress.step()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            stop.set()
            while not all(future.done() for future in futures):
                stop_tools(stop)
                time.sleep(_STOP_SECONDS)
            raise
    return [future.result() for future in futures]
