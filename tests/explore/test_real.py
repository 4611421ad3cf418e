# SPDX-License-Identifier: Apache-2.0
"""Explorations that really measure, with the sources that travel to a job."""

from __future__ import annotations

from pathlib import Path

import pytest

from montforge import design, measure
from montforge.errors import MontforgeError
from montforge.explore import explore
from montforge.measure import find_target
from montforge.measure.opensta import opensta_version


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
    assert (row.period, row.latency) == (direct.period, direct.latency)
    assert (row.command, row.commit) == (direct.command, direct.commit)


@pytest.mark.slow
def test_a_users_library_and_two_executors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same rows by local processes and by Dask, one of them of data-dependent latency."""
    try:
        opensta_version()
        library = find_target("osu018")
    except MontforgeError as error:
        pytest.skip(str(error))
    liberty = tmp_path / "mine.lib"
    liberty.write_text(library.liberty)  # type: ignore[union-attr]
    path = points(tmp_path, '[[point]]\narch = "mm_r2"\n[[point]]\narch = "scs_mm_new"\n')

    rows = []
    for cache, dask in (("a", None), ("b", "local")):
        monkeypatch.setenv("MONTFORGE_CACHE", str(tmp_path / cache))
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
