# SPDX-License-Identifier: Apache-2.0
"""A Slurm of one node on this machine: its jobs fill a store (docs/guides/cluster.md)."""

from __future__ import annotations

import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from montforge.arch import design
from montforge.measure import measure
from montforge.store import read_results

EXAMPLE = Path(__file__).parents[2] / "examples" / "cluster" / "slurm.py"
PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "scontrol", "sta")
needs_slurm = pytest.mark.skipif(
    os.geteuid() != 0 or not all(map(shutil.which, PROGRAMS)),
    reason="needs root, OpenSTA, and Debian's munge, slurmctld, slurmd, slurm-client",
)
SOON = 120
CONFIGURATION = """
ClusterName=one
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthInfo=socket={folder}/munge/socket
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
NodeName={host} NodeAddr=127.0.0.1 CPUs={cores} RealMemory=2000 State=UNKNOWN
PartitionName=only Nodes={host} Default=YES State=UP
"""


def free_ports(count: int) -> list[int]:
    with ExitStack() as stack:
        found = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in found:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in found]


def wait_for(*command: str, expected: str) -> None:
    end = time.monotonic() + SOON
    while expected not in subprocess.run(command, capture_output=True, text=True).stdout:
        assert time.monotonic() < end, f"{command} does not say {expected}"
        time.sleep(0.3)


@pytest.fixture
def slurm(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A Slurm of this machine; its programs end with the test."""
    host = socket.gethostname().partition(".")[0]
    folder = Path(tempfile.mkdtemp(prefix="slurm-", dir="/tmp"))  # sockets have short names
    for name in ("munge", "state", "spool"):
        (folder / name).mkdir(mode=0o755)
    key = folder / "key"
    key.write_bytes(secrets.token_bytes(128))
    key.chmod(0o400)
    text = CONFIGURATION.format(
        host=host, folder=folder, ports=free_ports(2), cores=os.cpu_count() or 1
    )
    (folder / "slurm.conf").write_text(text)
    monkeypatch.setenv("SLURM_CONF", str(folder / "slurm.conf"))
    munge = folder / "munge"
    files = {"socket": munge / "socket", "key-file": key, "pid-file": munge / "pid",
             "log-file": munge / "log", "seed-file": munge / "seed"}  # fmt: skip
    daemons = [
        ["munged", "--foreground", "--force", *(f"--{k}={path}" for k, path in files.items())],
        ["slurmctld", "-D"],
        ["slurmd", "-D", "-N", host],
    ]
    running: list[subprocess.Popen[bytes]] = []
    try:
        with (folder / "log").open("w") as log:
            for command in daemons:
                running.append(subprocess.Popen(command, stdout=log, stderr=log))
                if command[0] == "munged":
                    wait_for("ls", str(munge), expected="socket")
        wait_for("sinfo", "-h", "-o", "%t", expected="idle")
        yield folder
    finally:
        for daemon in reversed(running):
            daemon.terminate()
            daemon.wait(SOON)
        shutil.rmtree(folder, ignore_errors=True)


@needs_slurm
@pytest.mark.slow
def test_jobs_of_slurm_fill_a_store(slurm: Path, tmp_path: Path) -> None:
    grid, results = tmp_path / "grid.toml", tmp_path / "results.jsonl"
    grid.write_text(
        '[[part]]\ntarget = "osu018"\nseconds = 300\nwidths = [8, 16]\ndesigns = ["mm_r2"]\n'
    )
    results.touch()
    words = ["store", "--results", str(results), "--grid", str(grid)]
    job = ["--jobs", "1", "--memory", "1GB", "--walltime", "00:10:00"]
    command = [sys.executable, str(EXAMPLE), *job, *words]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=5 * SOON)
    assert done.returncode == 0, done.stderr
    rows = read_results(results.read_text())
    assert [row.size for row in rows] == [8, 16]
    here = measure(design("mm_r2", width=16), "osu018", effort="quick")
    assert (rows[1].area, rows[1].period) == (here.area, here.period)
    shown = subprocess.run(["scontrol", "show", "jobs"], capture_output=True, text=True).stdout
    assert "JobName=dask-worker" in shown
    wait_for("squeue", "-h", "-o", "none %i", expected="")


@needs_slurm
@pytest.mark.slow
def test_a_job_that_slurm_refuses_ends_with_its_sentence(slurm: Path) -> None:
    command = [sys.executable, EXAMPLE, "--memory", "900GB", "store"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=SOON)
    assert done.returncode == 1 and "not available" in done.stderr


def test_another_command_is_refused() -> None:
    done = subprocess.run([sys.executable, EXAMPLE, "verify"], capture_output=True, text=True)
    assert done.returncode == 2 and "store or explore" in done.stderr
