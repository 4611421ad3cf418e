# SPDX-License-Identifier: Apache-2.0
"""Run a montforge command on Dask workers that are Slurm jobs, and end the jobs with it.

    python examples/cluster/slurm.py --jobs 16 store --results results.jsonl
    python examples/cluster/slurm.py --jobs 4 --cores 8 explore --target nangate45 -o out

Options before the command are of the jobs; those after it are montforge's, and ``--dask ADDRESS``
is added to them. The command starts with the first job, others join later. Exits with its status.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile

from dask_jobqueue import SLURMCluster


def main() -> int:
    """Run the command; return its exit status."""
    options = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    options.add_argument("--jobs", type=int, default=1, help="Slurm jobs, a worker each")
    options.add_argument("--cores", type=int, default=1, help="designs at a time in a job")
    options.add_argument("--memory", default="8GB", help="memory of a job, shared by its designs")
    options.add_argument("--walltime", default="08:00:00", help="time of a job")
    options.add_argument("--partition", help="Slurm's partition (default: its own)")
    options.add_argument("--wait", type=float, default=86400, help="seconds until the first starts")
    options.add_argument("--interface", help="network interface that the nodes reach, such as ib0")
    options.add_argument("command", nargs=argparse.REMAINDER, help="store ..., or explore ...")
    given = options.parse_args()
    if given.command[:1] not in (["store"], ["explore"]):
        options.error("the command must be store or explore, with its options behind it")
    with SLURMCluster(
        cores=given.cores,
        processes=1,
        memory=given.memory,
        walltime=given.walltime,
        queue=given.partition,
        interface=given.interface,
    ) as cluster:
        check(cluster.job_script())
        cluster.scale(jobs=given.jobs)
        cluster.wait_for_workers(1, timeout=given.wait)
        words = [*given.command, "--dask", cluster.scheduler_address]
        code = "from montforge.cli import main; main()"
        return subprocess.run([sys.executable, "-c", code, *words], check=False).returncode


def check(script: str) -> None:
    """Exit with Slurm's sentence if it would refuse a job script."""
    with tempfile.NamedTemporaryFile("w", suffix=".sh") as file:
        file.write(script)
        file.flush()
        done = subprocess.run(["sbatch", "--test-only", file.name], capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)


if __name__ == "__main__":
    sys.exit(main())
