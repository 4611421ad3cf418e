# SPDX-License-Identifier: Apache-2.0
"""Time an exploration on a Dask cluster that loses a worker and from the full cache.

    MONTFORGE_CACHE=$(mktemp -d) python benchmarks/bench_explore.py \
      --space benchmarks/explore_256.toml --effort quick -o out

Two Dask workers of one thread each measure the space; when half of the designs are there, one that
is busy is killed. Then local processes explore the same space, from the cache. Prints the times and
writes the results; ends with status 1 if a design is missing or the two results differ. An
interrupted run goes on where it stopped, and the time is then that of the rest.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

from distributed import Client, LocalCluster
from rich.console import Console

from montforge.errors import MontforgeError
from montforge.explore import Exploration, Status, explore, write_exploration
from montforge.report import Table

WORKERS = 2


def with_killed_worker(options: argparse.Namespace) -> tuple[Exploration, list[int], int]:
    """Return the exploration, the process that was killed, and the designs that it measured."""
    killed: list[int] = []
    done: list[int] = []
    with LocalCluster(
        n_workers=WORKERS, threads_per_worker=1, dashboard_address="127.0.0.1:0"
    ) as cluster:
        address = cluster.scheduler_address

        def report(status: Status) -> None:
            done.append(status.done)
            last = f"{status.last.label}: {status.last.status}" if status.last else ""
            remaining = f", {status.remaining / 60:.0f} min left" if status.remaining else ""
            print(f"[{status.done}/{status.total}] {last}{remaining}", file=sys.stderr, flush=True)
            if killed or 2 * status.done < status.total:
                return
            with Client(address) as client:
                busy = [worker for worker, tasks in client.processing().items() if tasks]
                if busy:
                    (pid,) = client.run(os.getpid, workers=busy[:1]).values()
                    os.kill(pid, signal.SIGKILL)
                    killed.append(pid)

        found = explored(options, dask=address, report=report)
    return found, killed, done[-1] - done[0]


def explored(
    options: argparse.Namespace,
    dask: str | None = None,
    report: Callable[[Status], None] | None = None,
) -> Exploration:
    """Return the exploration that the command line asks for."""
    return explore(
        options.target,
        width=options.width,
        space=options.space,
        effort=options.effort,
        time_limit=options.time_limit,
        dask=dask,
        report=report,
    )


def figures(found: Exploration) -> list[dict[str, object]]:
    """Return the figures that may not depend on how the designs are measured."""
    used = ("seconds", "peak_mb")
    return [{k: v for k, v in vars(row).items() if k not in used} for row in found.rows]


def main() -> int:
    """Explore twice, print the times and return the exit status."""
    parser = argparse.ArgumentParser(description="Time of an exploration.")
    parser.add_argument("--space", type=Path, required=True)
    parser.add_argument("--width", type=int, default=256)
    parser.add_argument("--target", default="nangate45")
    parser.add_argument("--effort", default="full")
    parser.add_argument("--time-limit", type=float, default=7200)
    parser.add_argument("-o", "--output", type=Path, required=True)
    options = parser.parse_args()
    try:
        found, killed, new = with_killed_worker(options)
    except MontforgeError as error:
        print(error, file=sys.stderr)
        return 2
    write_exploration(found, options.output)
    again = explored(options)
    rows = (
        (f"Dask, {WORKERS} workers, {len(killed)} killed", new, len(found.failed),
         round(found.seconds / 60, 2)),
        ("local processes, full cache", 0, len(again.failed), round(again.seconds / 60, 2)),
    )  # fmt: skip
    columns = ("executor", "designs measured", "failed", "minutes")
    title = f"Exploration of {len(found.rows)} designs, {os.cpu_count()} processors"
    Console().print(Table(title, columns, rows).to_rich())
    same = figures(found) == figures(again)
    print("The results are the same." if same else "The results differ.")
    return 0 if same and not found.failed and killed else 1


if __name__ == "__main__":
    sys.exit(main())
