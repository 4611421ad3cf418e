# SPDX-License-Identifier: Apache-2.0
"""`montforge pick`: limits are kept, nothing stored beats the answer, misses name the limit."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from montforge.cli.app import app
from montforge.errors import MontforgeError
from montforge.store import read_results
from montforge.store.pick import METRICS, Request, pick

TASK = Request(width=256, target="nangate45", max_area=60_000, max_latency=100, constant_time=True)


@pytest.mark.parametrize("figure", METRICS)
def test_no_stored_design_beats_the_first_one(figure: str) -> None:
    found = pick(replace(TASK, minimise=figure))
    best = found.choices[0]
    assert best.area <= 60_000 and best.latency <= 100 and best.stored.constant_time
    for row in read_results():
        if (row.target, row.form, row.size) != ("nangate45", "parallel", 256):
            continue
        if row.time is None or row.area is None or row.period is None or row.cycles is None:
            continue
        if row.area > 60_000 or row.time > 100 or not row.constant_time:
            continue
        if row.function != "montgomery_product" or not row.takes_any_modulus:
            continue
        interval = int(row.interval.split("..")[-1]) * row.period
        values = {
            "area": row.area, "latency": row.time, "product": row.area * row.time,
            "interval": interval, "cycles": row.cycles, "throughput": -1e3 / interval,
        }  # fmt: skip
        assert best.rank(figure) <= values[figure], row.label


def test_a_better_row_is_chosen() -> None:
    rows = read_results()
    first = pick(TASK, rows).choices[0].stored
    assert first.area is not None
    better = replace(first, area=first.area / 2, commit="planted")
    assert pick(TASK, [*rows, better]).choices[0].stored is better


def test_the_frontier_is_what_no_other_beats() -> None:
    found = pick(replace(TASK, max_area=None, max_latency=None))
    for choice in found.choices:
        beaten = any(
            other.area <= choice.area
            and other.latency <= choice.latency
            and (other.area, other.latency) != (choice.area, choice.latency)
            for other in found.choices
        )
        assert (choice in found.on_frontier) != beaten


def test_ranges_of_results() -> None:
    for name, starts in (("below-n", ("0 <= x < n",)), ("below-2n", ("0 <= x < n", "0 <= x < 2n"))):
        found = pick(replace(TASK, result=name, max_area=None, max_latency=None))
        assert {choice.stored.result for choice in found.choices} == {*starts}
    signed = pick(replace(TASK, result="nonnegative")).choices
    assert signed and not any(choice.stored.result.startswith("-") for choice in signed)


def test_the_nearest_misses_name_the_limit_to_move() -> None:
    task = replace(TASK, max_area=20_000, max_latency=30)
    found = pick(task)
    assert not found.choices and found.misses
    assert [miss.excess for miss in found.misses] == sorted(m.excess for m in found.misses)
    for miss in found.misses:
        limit = miss.limit.removeprefix("--").replace("-", "_")
        moved = pick(replace(task, **{limit: miss.needs}))  # type: ignore[arg-type]
        assert miss.choice.stored.key in [choice.stored.key for choice in moved.choices]


def test_engines() -> None:
    found = pick(Request(width=64, target="nangate45", function="rsa", result="below-n"))
    assert {choice.stored.architecture for choice in found.choices} == {"rsa"}
    for choice in found.choices:
        engine = choice.stored.chosen
        assert engine.form == "window" and "-p bits=64 " in choice.generate
        # Ladders of both halves, then the rest of the micro-program.
        assert engine.figures["turns"] * engine.figures["turn_cycles"] < choice.cycles
        assert choice.interval == pytest.approx(choice.latency)  # one operation at a time
        assert choice.stored.constant_time and choice.stored.memory_bits > 0
    assert "memory bits" in found.table().columns


@pytest.mark.parametrize(
    "values",
    [{"minimise": "area2"}, {"result": "below-3n"}, {"target": "nosuch"}, {"function": "sign"},
     {"function": "rsa", "width": 4096},
     {"max_area": 0.0}, {"max_latency": -1.0}, {"width": 257}],
)  # fmt: skip
def test_wrong_requests(values: dict[str, object]) -> None:
    with pytest.raises(MontforgeError):
        pick(replace(TASK, **values))  # type: ignore[arg-type]


def test_the_command(tmp_path: Path) -> None:
    words = ["pick", "--width", "256", "--constant-time", "--max-area", "60000"]
    picture = tmp_path / "frontier.png"
    done = CliRunner().invoke(app, [*words, "--json", "--plot", str(picture)])
    assert done.exit_code == 0
    found = json.loads(done.output)
    assert picture.stat().st_size > 1000
    best = found["choices"][0]
    folder = best["generate"].replace("FOLDER", str(tmp_path / "made")).split()[1:]
    assert CliRunner().invoke(app, folder).exit_code == 0
    contract = json.loads((tmp_path / "made" / "contract.json").read_text())
    assert best["cycles"] == contract["latency"]["minimum"]
    assert CliRunner().invoke(app, [*words, "--max-latency", "1"]).exit_code == 1
    wrong = CliRunner().invoke(app, [*words, "--plot", str(tmp_path / "frontier.txt")])
    assert isinstance(wrong.exception, MontforgeError)
    assert ".png" in str(wrong.exception)
