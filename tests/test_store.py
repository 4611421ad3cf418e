# SPDX-License-Identifier: Apache-2.0
"""The store: rows know their sources, a fill measures what is missing, and goes on after a stop."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from typer.testing import CliRunner

from montforge.arch import design
from montforge.cli.app import app
from montforge.errors import (
    InputFileError,
    MontforgeError,
    ParameterError,
    ToolFailedError,
    UnknownNameError,
)
from montforge.explore.results import with_wires
from montforge.hardware import Hardware
from montforge.measure import measure
from montforge.measure.compiled import compiled_hash
from montforge.measure.placed import placed_hash
from montforge.measure.placed.technology import technology_of
from montforge.measure.targets import StandardCells, described_target
from montforge.store import Result, read_results, results_text
from montforge.store import fill as fill_module
from montforge.store.export import dictionary, record
from montforge.store.fill import fill, read_grid, stale_parts
from montforge.store.pick import Request, pick, renewed
from montforge.store.placed import Wanted, estimate, place_results
from montforge.work.tools import run_tool

needs_sta = pytest.mark.skipif(shutil.which("sta") is None, reason="OpenSTA is not installed")

GRID = """
[[part]]
target = "osu018"
seconds = 300
widths = [8, 3]
designs = ["mm_r2", "rmm k=4 m=1"]

[[part]]
target = "ecp5-85k"
seconds = 300
widths = [8]
designs = ["fios_dsp mac=dsp48e2"]
"""


def copied(folder: Path) -> Hardware:
    """Return the hardware of a small design with files that a test may change."""
    hardware = design("mm_r2", width=8).hardware
    files = [Path(shutil.copy(file, folder)) for file in hardware.files]
    return replace(hardware, files=tuple(files))


@pytest.mark.parametrize("target", ["nangate45", "table2", "ecp5-85k", "ice40-hx8k"])
@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        ("//", "// Another word: ", True),
        (";\n", ";   /* of two\n lines */\n\n", True),
        ("a_i", "a_j", False),
        ("1'b0", "1'b1", False),
    ],
)
def test_what_was_compiled_is_the_rtl_without_comments(
    tmp_path: Path, target: str, old: str, new: str, same: bool
) -> None:
    found = described_target(target)
    before = compiled_hash(copied(tmp_path), found)
    (folder := tmp_path / "changed").mkdir()
    changed = copied(folder)
    path = next(file for file in changed.files if old in file.read_text())
    path.write_text(path.read_text().replace(old, new))
    assert (compiled_hash(changed, found) == before) is same


def test_parameters_and_targets_count() -> None:
    hardware = design("mm_r2", width=8).hardware
    wider = design("mm_r2", width=9).hardware
    cells, other = described_target("nangate45"), described_target("sky130hd")
    hashes = {
        compiled_hash(each, target) for each in (hardware, wider) for target in (cells, other)
    }
    assert len(hashes) == 4


def cells_of(name: str) -> StandardCells:
    found = described_target(name, "quick")
    assert isinstance(found, StandardCells)
    return found


@pytest.fixture
def grid(tmp_path: Path) -> Path:
    (tmp_path / "grid.toml").write_text(GRID)
    return tmp_path / "grid.toml"


@needs_sta
def test_a_fill_goes_on_where_it_was_stopped(tmp_path: Path, grid: Path) -> None:
    path = tmp_path / "results.jsonl"
    path.touch()
    parts = read_grid(grid)
    assert [len(part.designs) for part in parts] == [4, 1]

    def stop(new: Result, old: Result | None) -> None:
        if len(read_results(path.read_text())) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fill(path, parts, workers=1, report=stop)
    kept = read_results(path.read_text())
    assert len(kept) == 2
    done: list[tuple[Result, Result | None]] = []
    fill(path, parts, workers=1, report=lambda new, old: done.append((new, old)))
    rows = read_results(path.read_text())
    assert len(done) == 3 and len(rows) == 5
    assert not any(row.stale for row in rows)
    refused = [row for row in rows if row.message]
    assert [row.architecture for row in refused] == ["fios_dsp"]
    assert "DSP48E2" in refused[0].message and refused[0].area is None
    measured = measure(design("mm_r2", width=8), "osu018", effort="quick")
    row = next(row for row in rows if row.chosen == design("mm_r2", width=8))
    assert (row.area, row.period, row.cycles) == (measured.area, measured.period, 9)
    assert (row.compiled, row.command) == (measured.compiled, measured.command)

    done.clear()
    fill(path, parts, workers=1, report=lambda new, old: done.append((new, old)))
    assert not done
    old = replace(row, compiled="of other RTL", area=1.0)
    path.write_text(results_text([*rows, old]))
    fill(path, parts, workers=1, report=lambda new, old: done.append((new, old)))
    assert [(new.area, before.area) for new, before in done if before] == [(row.area, 1.0)]


class Fake:
    """An executor with one outcome for all requests."""

    def __init__(self, outcome: dict[str, str]) -> None:
        self._outcome = outcome

    def run(self, requests: Sequence[object]) -> Iterator[tuple[int, dict[str, str]]]:
        return ((index, self._outcome) for index in range(len(requests)))


def test_only_what_lasts_leaves_a_design_out(
    tmp_path: Path, grid: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def filled(problem: str, *, retry: bool = False) -> int:
        fake = nullcontext(Fake({"problem": problem, "message": problem}))
        monkeypatch.setattr(fill_module, "make_executor", lambda *_: fake)
        done: list[Result] = []
        fill(path, read_grid(grid)[1:], retry=retry, report=lambda new, _: done.append(new))
        return len(done)

    path = tmp_path / "results.jsonl"
    path.touch()
    with pytest.raises(ToolFailedError):
        filled("ToolMissingError")
    assert not path.read_text()
    assert filled("time") == 1
    assert filled("time") == 0
    assert filled("time", retry=True) == 1


def test_stale_rows_outside_the_grid_are_measured(grid: Path) -> None:
    row = Result.refused(design("mm_r2", width=8), "osu018", "quick", "")
    outside = Result.refused(design("mm_r2", width=9), "osu018", "quick", "")
    fresh = Result.refused(design("mm_r2", width=10), "osu018", "quick", "")
    full = Result.refused(design("mm_r2", width=9), "osu018", "full", "")
    native = Result.refused(design("tenca_koc", width=8).with_form("native"), "osu018", "quick", "")
    old = [replace(each, compiled="of other RTL") for each in (row, outside, full, native)]
    parts = stale_parts([*old, fresh], read_grid(grid))
    assert [(part.effort, part.designs) for part in parts] == [
        ("quick", (outside.chosen, native.chosen)),
        ("full", (full.chosen,)),
    ]


def test_no_place_of_a_log_is_stored(tmp_path: Path) -> None:
    with pytest.raises(ToolFailedError) as failed:
        run_tool([sys.executable, "-c", "raise SystemExit(3)"], log=tmp_path / "log", timeout=60)
    assert str(tmp_path) in str(failed.value)
    row = Result.refused(design("mm_r2", width=8), "gatemate-a1", None, str(failed.value))
    assert str(tmp_path) not in row.message and "status 3" in row.message
    assert not any("(log:" in row.message for row in read_results())


@needs_sta
def test_stale_rows_are_told_and_measured_again() -> None:
    measured = measure(design("mm_r2", width=8), "osu018", effort="quick").to_json()
    fresh = Result.of(measured)
    old = replace(fresh, compiled="of other RTL", area=1.0)
    tools = replace(fresh, tools={**fresh.tools, "yosys": "0.1"})
    assert (fresh.stale, old.stale, tools.stale) == ("", "RTL or flow", "yosys 0.1")
    request = Request(width=8, target="osu018")
    picked = pick(request, [old])
    assert picked.to_json()["choices"][0]["stale"] == "RTL or flow"
    assert [row.area for row in renewed(picked, [old])] == [fresh.area]


@pytest.mark.skipif(
    shutil.which("sta") is None or find_spec("coloquinte") is None,
    reason="OpenSTA or Coloquinte is not installed",
)
def test_figures_with_wires_are_added_to_rows(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    wide, narrow = (
        Result.of(measure(design("mm_r2", width=width), "osu018", effort="quick").to_json())
        for width in (9, 8)
    )
    of_fpga = next(row for row in read_results() if row.placements and not row.stale)
    assert wide.area
    old = replace(wide, compiled="of other RTL", area=2 * wide.area)
    path.write_text(results_text([narrow, old, of_fpga]))
    wanted = Wanted(architectures=["mm_r2"])
    assert wanted.rows([old, narrow, of_fpga]) == [narrow, old]

    def placed(most_seconds: float = 300.0) -> list[tuple[int, str]]:
        done: list[tuple[int, str]] = []

        def report(before: Result, after: Result, message: str) -> None:
            done.append((before.size, message))

        place_results(path, wanted, most_seconds, workers=1, report=report)
        return done

    assert 0.01 < estimate(narrow) < estimate(old)
    left_out = placed(0.01)
    assert [size for size, _ in left_out] == [8, 9] and all(why for _, why in left_out)
    assert not any(row.placed for row in read_results(path.read_text()))
    assert placed() == [(8, ""), (9, "")]
    rows = {row.size: row for row in read_results(path.read_text())}
    assert rows[8].placed and rows[9].placed
    assert replace(rows[8], placed=None) == narrow
    assert replace(rows[9], placed=None, command="", commit="") == replace(
        wide, command="", commit=""
    )
    direct = measure(rows[8].chosen, "osu018", effort="quick", placed=True)
    assert rows[8].placed == with_wires(direct.to_json())
    assert rows[8].placed_command == direct.command
    assert not any(row.placed_stale or row.stale for row in rows.values())
    assert placed() == []
    other = replace(rows[8], placed={**rows[8].placed, "compiled": "of another placer"})
    newer = replace(rows[9], placed={**rows[9].placed, "tools": {"coloquinte": "9"}})
    assert (other.stale, other.placed_stale) == ("", "RTL or flow")
    assert (newer.stale, newer.placed_stale) == ("", "coloquinte 9")
    path.write_text(results_text([other, newer]))
    assert sorted(placed()) == [(8, ""), (9, "")]
    assert read_results(path.read_text()) == (rows[8], rows[9])


@pytest.mark.parametrize(
    ("named", "error"),
    [
        ({"targets": ["ecp5-85k"]}, ParameterError),
        ({"architectures": ["nope"]}, UnknownNameError),
        ({"widths": [7]}, ParameterError),
        ({"targets": ["osu018"], "architectures": ["fmle"]}, ParameterError),
    ],
)
def test_rows_that_cannot_be_placed_are_refused(
    named: dict[str, list[Any]], error: type[MontforgeError]
) -> None:
    with pytest.raises(error):
        Wanted(**named).rows(read_results())


def test_wires_have_a_hash_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    hardware = design("mm_r2", width=8).hardware
    hashes = [
        placed_hash(hardware, cells_of("osu018")),
        placed_hash(hardware, cells_of("sky130hd")),
    ]
    hashes.append(placed_hash(design("mm_r2", width=9).hardware, cells_of("osu018")))
    with pytest.raises(ParameterError, match="nangate45"):
        placed_hash(hardware, cells_of("table2"))
    found = replace(technology_of("osu018"), resistance_ohm_um=1.0)
    monkeypatch.setattr("montforge.measure.placed.technology_of", lambda _: found)
    hashes.append(placed_hash(hardware, cells_of("osu018")))
    monkeypatch.setattr("montforge.measure.placed.statements_hash", lambda _: "other code")
    hashes.append(placed_hash(hardware, cells_of("osu018")))
    assert len(set(hashes)) == len(hashes)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("", "part"),
        (GRID.replace("seconds = 300", "seconds = 'x'"), "x"),
        (GRID.replace("k=4", "kk=4"), "kk"),
        (GRID.replace("mm_r2", "mm_r3"), "mm_r2"),
        (GRID.replace("mm_r2", "mm_r2 --form native"), "--form"),
    ],
)
def test_a_wrong_grid_is_refused(grid: Path, text: str, named: str) -> None:
    grid.write_text(text)
    with pytest.raises(InputFileError) as error:
        read_grid(grid)
    assert named in str(error.value)


METRICS = {  # names of OpenROAD-METRICS2.1-list.txt
    "run__flow__design", "run__flow__platform", "run__flow__variant",
    "run__flow__platform__timing_units", "run__flow__platform__distance_units",
    "run__flow__scripts_commit", "synth__design__instance__area__stdcell",
}  # fmt: skip


def test_exports_have_the_names_of_the_dictionary(tmp_path: Path) -> None:
    names = dictionary()
    assert {name for name, entry in names.items() if entry.get("from") == "METRICS2.1"} == METRICS
    for name, entry in names.items():
        assert entry["meaning"] and (name.startswith("montforge__") != ("from" in entry))
    for suffix in ("csv", "json", "parquet"):
        words = ["store", "--target", "nangate45", "--width", "256", "--export"]
        done = CliRunner().invoke(app, [*words, str(tmp_path / f"all.{suffix}")])
        assert done.exit_code == 0, done.output
    found = json.loads((tmp_path / "all.json").read_text())
    parquet, table = pd.read_parquet(tmp_path / "all.parquet"), pd.read_csv(tmp_path / "all.csv")
    rows = [row for row in read_results() if (row.target, row.size) == ("nangate45", 256)]
    assert len(found) == len(parquet) == len(table) == len(rows) > 50
    for row, entry in zip(rows, found, strict=True):
        assert list(entry) == list(names)
        assert entry["synth__design__instance__area__stdcell"] == row.area
        assert json.loads(entry["montforge__parameters"]) == row.parameters
        if row.period is not None:
            assert entry["synth__timing__fmax"] * row.period == pytest.approx(1e9)
    for frame in (parquet, table):
        assert list(frame.columns) == list(names)
        column = frame["synth__design__instance__area__stdcell"]
        assert list(column.dropna()) == [row.area for row in rows if row.area is not None]


def test_figures_of_fpgas_are_placed_ones() -> None:
    row = next(row for row in read_results() if row.placements)
    found = record(row)
    assert found["synth__timing__fmax"] is None
    assert found["finish__timing__fmax"] == pytest.approx(1e9 / row.period)  # type: ignore[operator]
    assert found["montforge__lut"] == row.resources["lut"]  # type: ignore[index]


def test_commands_of_rows_name_no_file_of_a_machine() -> None:
    """If this fails after rows came from elsewhere: their target alone names the library."""
    assert [row.command for row in read_results() if "/" in row.command] == []


def test_the_grid_has_the_designs_that_are_recommended() -> None:
    designs = {each for part in read_grid() for each in part.designs if part.target == "nangate45"}
    for name in ("unit_csa", "scs_mm1", "scs_mm2", "scs_mm_skip", "three_pass"):
        assert design(name, width=256) in designs


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["--results", "none.jsonl"], "none.jsonl"),
        (["--results", "grid.toml"], "results"),
        (["--results", "empty.jsonl", "--target", "nangat45"], "targets"),
        (["--results", "empty.jsonl", "--dask", "nope"], "tcp"),
        (["--export", "all.xlsx"], ".parquet"),
        (["--export", "all.csv", "--retry"], "--retry"),
        (["--export", "none/all.csv"], "none"),
        (["--results", "empty.jsonl", "--plan"], "--placed"),
        (["--results", "empty.jsonl", "--placed"], "--grid"),
        (["--export", "all.csv", "--placed"], "--placed"),
    ],
)
def test_wrong_words_are_refused(
    words: list[str], named: str, grid: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(grid.parent)
    (grid.parent / "empty.jsonl").touch()
    grid_words = [] if "--export" in words else ["--grid", "grid.toml"]
    done = CliRunner().invoke(app, ["store", *grid_words, *words])
    assert isinstance(done.exception, MontforgeError)
    assert named in str(done.exception)
