# SPDX-License-Identifier: Apache-2.0
"""Explorations with jobs that measure nothing: failures, resumption, files, exit status."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest
from typer.testing import CliRunner

from montforge.cli.app import app
from montforge.errors import OutputFolderError, ParameterError
from montforge.explore import (
    Exploration,
    Status,
    explore,
    explorer,
    remaining_seconds,
    settings,
    write_exploration,
)
from montforge.explore.files import FILES, PAGE
from montforge.explore.page import page_data

from .fakes import Fake

PAIRS = [(2, 1), (2, 2), (2, 4), (3, 1), (3, 2), (3, 4)]


def pairs(found: Exploration) -> list[tuple[object, object]]:
    return [(row.parameters["k"], row.parameters["m"]) for row in found.rows]


def run(space: Path, **options: object) -> Exploration:
    options = {"workers": 2} | options
    return explore("table2", width=16, space=space, **options)  # type: ignore[arg-type]


def test_rows_in_the_order_of_the_space(fake: Fake, space: Path) -> None:
    fake("time.sleep(0.8 if p['k'] == 2 else 0)")
    found = run(space)
    assert pairs(found) == PAIRS
    assert [row.area for row in found.rows] == [1e3 * k * m for k, m in PAIRS]
    assert not found.failed
    best = [(row.parameters["k"], row.parameters["m"]) for row in found.frontier]
    assert best == [(2, 1), (3, 1), (2, 2), (3, 2), (2, 4), (3, 4)]


def test_designs_with_parts(fake: Fake, tmp_path: Path) -> None:
    path = tmp_path / "space.toml"
    path.write_text(
        '[[space]]\narch = "modexp"\nmultiplier = "rmm"\n"multiplier.k" = [2, 3]\nw = [1, 2]\n'
    )
    log = fake("p['k'], p['m'] = p['multiplier.k'], p['w']")
    for _ in range(2):
        found = run(path)
        cells = [(row.parameters["multiplier.k"], row.parameters["w"]) for row in found.rows]
        assert cells == [(2, 1), (2, 2), (3, 1), (3, 2)]
        assert not found.failed
    assert len(log.read_text().splitlines()) == 4  # the second run knows them
    assert found.title.startswith("16 bits on ")
    # Tables of 2^w words are no part of the area, and every form of the results says so.
    bits = [row.memory_bits for row in found.rows]
    assert bits[1] == 2 * bits[0] > 0
    table, page = found.table(), page_data(found)
    assert table.columns[-1] == "memory bits" and "counted in bits" in table.notes[-1]
    assert ["memory_bits", "memory bits", "number"] in page["columns"]
    assert [row["memory_bits"] for row in page["rows"]] == bits


def test_a_failed_design_does_not_stop_the_rest(fake: Fake, space: Path) -> None:
    log = fake("if p['m'] == 2: time.sleep(30) if p['k'] == 2 else os._exit(7)")
    found = run(space, time_limit=5)
    assert [(row.status, row.message) for row in found.rows if row.parameters["m"] == 2] == [
        ("failed", "it did not end within 5 s (--time-limit)"),
        ("failed", "its process ended with status 7: no message"),
    ]
    assert len(found.measured) == 4
    assert all(row.parameters["m"] != 2 for row in found.frontier)

    first = log.read_text()
    assert run(space, time_limit=5).to_json()["rows"] == found.to_json()["rows"]
    assert log.read_text() == first  # failures are known as well
    fake("")
    assert not run(space, time_limit=5, retry=True).failed
    assert log.read_text().split("\n")[6:8] in (["2 2", "3 2"], ["3 2", "2 2"])


def test_another_limit_gives_failed_designs_another_chance(fake: Fake, space: Path) -> None:
    fake("if p['m'] == 4: time.sleep(60)")
    assert len(run(space, time_limit=5).failed) == 2
    fake()
    assert len(run(space, time_limit=5).failed) == 2
    assert not run(space, time_limit=30).failed


def test_resumption_after_an_interrupt(fake: Fake, space: Path) -> None:
    log = fake("time.sleep(0.3)")
    rows = []

    def interrupt(status: Status) -> None:
        if status.last:
            rows.append(status.last)
        if len(rows) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(space, report=interrupt)
    started = log.read_text().splitlines()
    assert 2 <= len(started) < 6
    found = run(space)
    assert pairs(found) == PAIRS
    assert not found.failed
    again = log.read_text().splitlines()[len(started) :]
    kept = {f"{row.parameters['k']} {row.parameters['m']}" for row in rows}
    assert sorted(again) == sorted({f"{k} {m}" for k, m in PAIRS} - kept)


def test_other_code_measures_again(
    fake: Fake, space: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = fake()
    run(space)
    run(space)
    assert len(log.read_text().splitlines()) == 6
    monkeypatch.setattr(explorer, "code_identity", lambda *designs: "other")
    run(space)
    assert len(log.read_text().splitlines()) == 12


def test_progress_and_estimate(fake: Fake, space: Path) -> None:
    fake()
    states: list[Status] = []
    run(space, report=states.append)
    assert [state.done for state in states] == list(range(7))
    assert states[0].remaining is None
    assert all(state.remaining and state.remaining > 0 for state in states[1:6])
    assert states[6].remaining == 0


PLACED = """
slower = 1.6 if p["k"] == 3 else 1
wires = 3 if (p["k"], p["m"]) == (2, 2) else 1
"""
"""Without wires the designs of k = 2 are the best; with them (2, 2) is slower than (3, 2)."""

UNTIL = """
def until(line, count):
    end = time.monotonic() + 60
    while open({log!r}).read().splitlines().count(line) < count:
        if time.monotonic() > end:
            os._exit(9)
        time.sleep(0.05)
"""
"""Behaviour that waits until a job has begun so many times, or fails."""


def test_the_frontier_is_placed(
    fake: Fake, space: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "check_placeable", lambda target: None)
    log = fake(PLACED)
    states: list[Status] = []
    found = run(space, placed=True, report=states.append, workers=1)
    jobs = log.read_text().splitlines()
    assert sorted(jobs[:6]) == [f"{k} {m}" for k, m in PAIRS]
    assert jobs[6:] == ["2 4", "2 2", "2 1", "3 2"]  # in each round the largest first
    assert [pair for pair, row in zip(PAIRS, found.rows, strict=True) if row.placed] == [
        *((2, 1), (2, 2), (2, 4), (3, 2)),
    ]
    assert [(row.parameters["k"], row.parameters["m"]) for row in found.frontier] == [
        *((2, 1), (3, 2), (2, 4)),
    ]
    assert (states[-1].done, states[-1].total, states[-1].remaining) == (10, 10, 0)
    assert [state.done for state in states] == sorted(state.done for state in states)
    assert all(state.remaining != 0 for state in states if state.done < 10)
    again = run(space, placed=True)
    assert again.rows == found.rows and Exploration.from_json(again.to_json()) == again
    assert run(space).frontier == [row for row in run(space).rows if row.parameters["k"] == 2]
    assert log.read_text().splitlines() == jobs  # all are known
    # The page draws what is compared.
    longer_with_wires = page_data(found)["rows"][1]
    assert longer_with_wires["y"] == pytest.approx(3 * (longer_with_wires["time"] - 1.5))
    # A design that can't be placed keeps its figures.
    monkeypatch.setenv("MONTFORGE_CACHE", str(tmp_path / "other"))
    fake(f"{PLACED}if placed and p['m'] == 4: os._exit(1)")
    failed = run(space, placed=True)
    assert len(failed.measured) == 6 and failed.rows[2] in failed.frontier
    assert failed.rows[2].placed is None and "no figures with wires" in failed.rows[2].message
    assert failed.rows[2].message in failed.table().notes[-1]
    words = ["explore", "--width", "16", "--target", "table2", "--space", space, "--placed"]
    done = CliRunner().invoke(app, [*map(str, words), "-o", str(tmp_path / "out")])
    assert done.exit_code == 1, done.output


def test_a_free_worker_places_what_the_next_round_needs(
    fake: Fake, space: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "check_placeable", lambda target: None)
    waits = UNTIL.format(log=str(fake(""))) + PLACED
    # The last design is measured until (2, 4) is being placed, and that until (3, 2) is.
    waits += "if not placed and (p['k'], p['m']) == (3, 4): until('2 4', 2)\n"
    log = fake(f"{waits}if placed and (p['k'], p['m']) == (2, 4): until('3 2', 2)")
    states: list[Status] = []
    found = run(space, placed=True, report=states.append)
    assert not any(row.message for row in found.rows)
    placed = [pair for pair, row in zip(PAIRS, found.rows, strict=True) if row.placed]
    assert placed == [(2, 1), (2, 2), (2, 4), (3, 2)]
    assert sorted(log.read_text().splitlines()) == sorted(f"{k} {m}" for k, m in [*PAIRS, *placed])
    told = [state.last.design for state in states if state.last and state.last.placed]
    assert sorted(told) == sorted(row.design for row in found.rows if row.placed)


@pytest.mark.parametrize("seconds", [0, 60], ids=["ended", "running"])
def test_what_was_placed_ahead_counts_only_if_it_is_asked_for(
    seconds: int, fake: Fake, space: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "check_placeable", lambda target: None)
    best = f"{PLACED}if (p['k'], p['m']) == (2, 1): wires = 0.01\n"
    # (2, 1) with wires is better than all, but (3, 2) is placed before that is known.
    waits = UNTIL.format(log=str(fake(""))) + best
    waits += "if placed and (p['k'], p['m']) == (2, 1): until('3 2', 2); time.sleep(2)\n"
    log = fake(f"{waits}if placed and p['k'] == 3: time.sleep({seconds})")
    begin = time.monotonic()
    found = run(space, placed=True)
    assert time.monotonic() - begin < 50
    assert "3 2" in log.read_text().splitlines()[6:]
    monkeypatch.setenv("MONTFORGE_CACHE", str(tmp_path / "other"))
    fake(best)
    one = run(space, placed=True, workers=1)
    assert [row.placed for row in found.rows] == [row.placed for row in one.rows]
    assert [bool(row.placed) for row in one.rows] == [pair[0] == 2 for pair in PAIRS]


def test_a_search_places_when_it_is_over(
    fake: Fake, space: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "check_placeable", lambda target: None)
    log = fake(f"{PLACED}if (p['k'], p['m']) == (3, 1): time.sleep(2)")
    found = run(space, placed=True, trials=6, sampler="random")
    measured = log.read_text().splitlines()[: len(found.rows)]
    assert len(set(measured)) == len(found.rows) > 1


def test_remaining_seconds() -> None:
    times = [("a", 10.0), ("a", 20.0), ("b", 60.0)]
    assert remaining_seconds([], ["a"], 2) is None
    assert remaining_seconds(times, [], 2) == 0
    assert remaining_seconds(times, ["a", "a", "b"], 1) == pytest.approx(90)
    assert remaining_seconds(times, ["new"] * 4, 2) == pytest.approx(60)
    assert remaining_seconds(times, ["b"], 8) == pytest.approx(60)


def test_files_agree(fake: Fake, space: Path, tmp_path: Path) -> None:
    fake("if p['m'] == 2: os._exit(1)")
    found = run(space)
    out = tmp_path / "out"
    write_exploration(found, out)
    assert sorted(path.name for path in out.iterdir()) == sorted([*FILES, PAGE])
    data = json.loads((out / "results.json").read_text())
    assert (data["measured"], data["failed"]) == (4, 2)
    assert Exploration.from_json(data) == found
    parquet = pd.read_parquet(out / "results.parquet")
    csv = pd.read_csv(out / "results.csv")
    for frame in (parquet, csv):
        assert list(frame["design"]) == [row["design"] for row in data["rows"]]
        assert list(frame["p_m"]) == [1, 2, 4, 1, 2, 4]
        assert list(frame["frontier"]) == [d["design"] in data["frontier"] for d in data["rows"]]
        assert frame["area"].sum() == sum(row["area"] or 0 for row in data["rows"])
        assert frame["area"].isna().sum() == 2
    assert (out / "frontier.png").read_bytes().startswith(b"\x89PNG")
    assert (out / "frontier.pdf").read_bytes().startswith(b"%PDF")
    write_exploration(found, out)  # an earlier exploration is replaced


def test_command(fake: Fake, space: Path, tmp_path: Path) -> None:
    fake("if p['m'] == 2: os._exit(1)")
    words = ["explore", "--width", "16", "--target", "table2", "--space", space, "--json"]
    done = CliRunner().invoke(app, [*map(str, words), "-o", str(tmp_path / "out")])
    assert done.exit_code == 1, done.output  # two designs failed
    assert len(json.loads(done.stdout)["frontier"]) == 4
    assert "[6/6] rmm(" in done.stderr
    assert done.stderr.count("failed: its process ended with status 1") == 2
    assert (tmp_path / "out" / PAGE).is_file()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"target": "xcup"}, "xcup"),
        ({"target": "table2", "trials": 0}, "trials = 0"),
        ({"target": "table2", "time_limit": -1}, "time_limit = -1"),
        ({"target": "table2", "time_limit": float("nan")}, "time_limit = nan"),
        ({"target": "table2", "time_limit": 1e300}, r"time_limit .* 0\.01 to 10,000,000"),
        ({"target": "table2", "memory_limit": float("inf")}, "memory_limit = inf"),
        ({"target": "table2", "samples": 10**9}, "samples .* 1 to 10,000,000"),
        ({"target": "table2", "workers": 10**6}, "workers .* 1 to 1,024"),
        ({"target": "table2", "effort": "much"}, "effort .*much"),
        ({"target": "table2", "dask": "somewhere"}, "tcp://HOST:PORT"),
        ({"target": "table2", "architectures": ["convert"]}, "convert"),
    ],
)
def test_refused(fake: Fake, options: dict[str, object], message: str) -> None:
    fake()
    with pytest.raises(Exception, match=message):
        explore(**options)  # type: ignore[arg-type]


def test_points_and_space(fake: Fake, space: Path) -> None:
    fake()
    with pytest.raises(ParameterError, match=r"points file .* space file"):
        explore("table2", space=space, points=space)


def test_a_folder_with_other_files_is_refused_before_any_work(
    fake: Fake, space: Path, tmp_path: Path
) -> None:
    log = fake()
    check: Callable[[list[object]], object] = lambda words: CliRunner().invoke(  # noqa: E731
        app, ["explore", "--target", "table2", *map(str, words)]
    )
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "thesis.tex").write_text("")
    for out, message in ((tmp_path / "other", "other files"), (space, "is a file")):
        result = check(["--space", space, "-o", out])
        assert isinstance(result.exception, OutputFolderError)  # type: ignore[attr-defined]
        assert message in str(result.exception)  # type: ignore[attr-defined]
    assert not log.exists()
