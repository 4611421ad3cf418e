# SPDX-License-Identifier: Apache-2.0
"""Explorations that really measure, with the sources that travel to a job."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from distributed import Client, LocalCluster

from montforge import design
from montforge.errors import MontforgeError
from montforge.explore import Status, explore
from montforge.measure import find_target, measure
from montforge.measure.opensta import opensta_version
from montforge.work.cache import cache_root


@pytest.fixture
def opensta() -> None:
    """Skip a test where there is no OpenSTA, or no library that comes with the system."""
    try:
        opensta_version()
        find_target("osu018")
    except MontforgeError as error:
        pytest.skip(str(error))


def without_results(folder: Path) -> str:
    """Return a new cache that has only what all benches share, and takes longest to compile."""
    folder.mkdir()
    for kind in ("verilator-runtime", "bench-object", "bench-header"):
        shared = cache_root() / kind
        shared.mkdir(exist_ok=True)
        (folder / kind).symlink_to(shared)
    return str(folder)


def points(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "points.toml"
    path.write_text(text)
    return path


def test_fpga(tmp_path: Path) -> None:
    path = points(tmp_path, '[[point]]\narch = "mm_r2"\n')
    found = explore("ecp5-25k", points=path, width=8, seeds=1, workers=1)
    (row,) = found.rows
    assert row.status == "measured", row.message
    direct = measure(design("mm_r2", width=8), "ecp5-25k", seeds=1)
    assert direct.resources is not None
    assert (row.area, row.area_unit) == (direct.resources["lut"], "LUT")
    assert (row.period, row.latency, row.time) == (direct.period, direct.latency, direct.time)
    assert row.time == pytest.approx((row.cycles + row.handover) * row.period)  # type: ignore[operator]
    assert (row.command, row.commit) == (direct.command, direct.commit)


@pytest.mark.slow
@pytest.mark.usefixtures("opensta")
def test_a_users_library_and_two_executors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same rows by local processes and by Dask, one of them of data-dependent latency."""
    library = find_target("osu018")
    liberty = tmp_path / "mine.lib"
    liberty.write_text(library.liberty)  # type: ignore[union-attr]
    path = points(tmp_path, '[[point]]\narch = "mm_r2"\n[[point]]\narch = "scs_mm_new"\n')

    rows = []
    caches = [without_results(tmp_path / name) for name in "ab"]
    for cache, dask in zip(caches, (None, "local"), strict=True):
        monkeypatch.setenv("MONTFORGE_CACHE", cache)
        found = explore(
            liberty=liberty, points=path, width=4, samples=50, workers=2, dask=dask,
            effort="quick",
        )  # fmt: skip
        assert not found.failed
        assert found.target == "mine.lib"
        used = ("seconds", "peak_mb")
        rows.append([{k: v for k, v in vars(r).items() if k not in used} for r in found.rows])
        assert all(r.peak_mb and r.peak_mb > 20 for r in found.rows)
    assert rows[0] == rows[1]
    direct = measure(design("mm_r2", width=4), liberty=liberty, effort="quick")
    assert (rows[0][0]["area"], rows[0][0]["period"]) == (direct.area, direct.period)
    assert rows[0][0]["command"] == direct.command
    assert str(rows[0][1]["command"]).endswith("--effort quick --samples 50")


@pytest.mark.usefixtures("opensta")
def test_a_form_is_measured_as_a_top_of_its_own(tmp_path: Path) -> None:
    path = points(tmp_path, '[[point]]\narch = "eberle"\nk = 2\n[[point]]\narch = "mm_r2"\n')
    found = explore(
        "table2", points=path, form="native", width=8, effort="quick", netlist_check=True, workers=1
    )
    assert found.title == "8 bits on table2, form native"
    assert " --form native " in found.command
    (row,) = found.rows
    chosen = design("eberle", width=8, k=2).with_form("native")
    direct = measure(chosen, "table2", effort="quick", netlist_check=True)
    assert (row.form, row.handover, row.netlist_checked) == ("native", 0, "operations")
    assert (row.area, row.period, row.command) == (direct.area, direct.period, direct.command)


@pytest.mark.slow
@pytest.mark.usefixtures("opensta")
def test_a_worker_killed_during_synthesis_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MONTFORGE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("TMPDIR", str(tmp_path))  # the killed worker leaves its files there
    names = ("mm_r2", "fcs_mm1", "fcs_mm2", "bunimov")
    path = points(tmp_path, "".join(f'[[point]]\narch = "{name}"\n' for name in names))
    killed: list[int] = []

    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0") as found:  # type: ignore[no-untyped-call]
        address = found.scheduler_address

        def kill_one(status: Status) -> None:
            if status.done == 1 and not killed:
                with Client(address) as client:  # type: ignore[no-untyped-call]
                    busy = [worker for worker, tasks in client.processing().items() if tasks]
                    pids = client.run(os.getpid, workers=busy)
                killed.append(next(iter(pids.values())))
                os.kill(killed[0], signal.SIGKILL)

        result = explore(
            "table2", points=path, width=4, effort="quick", dask=address, report=kill_one
        )
    assert killed
    assert [row.architecture for row in result.measured] == list(names)
    monkeypatch.setenv("MONTFORGE_CACHE", str(tmp_path / "direct"))
    for row in result.measured:
        direct = measure(design(row.architecture, width=4), "table2", effort="quick")
        assert (row.area, row.period, row.latency) == (direct.area, direct.period, direct.latency)
