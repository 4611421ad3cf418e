# SPDX-License-Identifier: Apache-2.0
"""`montforge pick`: limits are kept, nothing stored beats the answer, misses name the limit."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from typer.testing import CliRunner

from montforge.arch import design
from montforge.cli.app import app
from montforge.errors import InputFileError, MontforgeError, ParameterError
from montforge.explore.results import WITH_WIRES
from montforge.programs.primes import PRIMES
from montforge.store import Result, read_results, results_text, with_others
from montforge.store.pick import METRICS, SHOWN, Request, pick

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
        if row.function != "montgomery_product" or row.only_modulus is not None:
            continue
        interval = int(row.interval.split("..")[-1]) * row.period
        values = {
            "area": row.area, "latency": row.time, "product": row.area * row.time,
            "interval": interval, "cycles": row.cycles, "throughput": -1e3 / interval,
            "area_per_throughput": row.area / (1e3 / interval),
        }  # fmt: skip
        assert best.rank(figure) <= values[figure], row.label


def test_a_better_row_is_chosen() -> None:
    rows = read_results()
    first = pick(TASK, rows).choices[0].stored
    assert first.area is not None
    better = replace(first, area=first.area / 2, commit="planted")
    assert pick(TASK, [*rows, better]).choices[0].stored is better


def placed(row: Result, area: float, period: float) -> Result:
    """Return a row with figures with wires."""
    figures = {"area_sized": area, "period_sized": period, "period_placed": period}
    others = {"netlist_checked": "operations", "seed": 1, "compiled": "", "tools": {}}
    return replace(row, placed={**dict.fromkeys(WITH_WIRES), **figures, **others})


def test_wires_are_never_mixed_with_figures_without_them() -> None:
    rows = pick(TASK).choices
    first, second, third = (replace(choice.stored, placed=None) for choice in rows[:3])
    assert first.area and first.period and second.area and second.period
    slow = placed(first, first.area, 1.3 * first.period)
    fast = placed(second, 0.9 * second.area, 1.1 * second.period)
    stored = [slow, fast, third]
    by_load = pick(TASK, stored)
    assert [choice.stored for choice in by_load.choices] == stored
    assert by_load.without == 1 and "(1 measured" in str(by_load.table())
    column = by_load.table().columns.index("placed: area x latency um2 ns")
    beside = [row[column] for row in by_load.table().rows]
    assert beside[2] is None and "placed: " not in str(pick(TASK, [first, third]).table())
    found = pick(replace(TASK, placed=True), stored)
    assert [choice.stored.label for choice in found.choices] == [fast.label, slow.label]
    assert [choice.product for choice in found.choices] == [beside[1], beside[0]]
    assert found.choices[0].area == 0.9 * second.area
    assert found.choices[0].latency == pytest.approx(1.1 * rows[1].latency)
    assert found.without == 1 and "1 measured" in str(found.table())
    (json_row, _) = found.to_json()["choices"]
    assert json_row["wires"] == "placed" and json_row["stale"]
    assert json_row["measure"] == f"{second.command} --placed"
    limited = pick(replace(TASK, placed=True, max_area=0.8 * second.area), stored)
    assert not limited.choices and limited.misses[0].needs == found.choices[0].area
    with pytest.raises(ParameterError, match="store --placed"):
        pick(replace(TASK, placed=True), [first, third])


def test_estimates_between_figures_with_wires() -> None:
    ends = [
        next(
            row
            for row in read_results()
            if row.label == "unit_csa" and key == (row.target, row.size)
        )
        for key in (("nangate45", 256), ("nangate45", 1024))
    ]
    assert all(row.area and row.period for row in ends)
    both = [placed(row, 2.0 * (row.area or 0), 3.0 * (row.period or 0)) for row in ends]
    request = Request(width=512, target="nangate45", estimate=True)
    (plain,) = pick(request, both).estimates
    (found,) = pick(replace(request, placed=True), both).estimates
    assert plain.stored.placed is None and plain.with_wires is None
    assert found.area == pytest.approx(2 * plain.area)
    assert found.latency == pytest.approx(3 * plain.latency)


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


def test_pipelined_designs_are_there_by_their_rate() -> None:
    found = pick(Request(256, "nangate45", constant_time=True))
    by_label = {choice.stored.label: choice for choice in found.choices}
    pipelined = by_label["full_pipelined"]
    assert pipelined not in found.choices[:SHOWN] and pipelined not in found.on_frontier
    assert pipelined in found.shown and pipelined in found.on_rate_frontier
    assert pick(replace(found.request, minimise="throughput")).choices[0].throughput == max(
        choice.throughput for choice in found.choices
    )
    for choice in found.choices:
        beaten = any(
            other.area <= choice.area
            and other.interval <= choice.interval
            and (other.area, other.interval) != (choice.area, choice.interval)
            for other in found.choices
        )
        assert (choice in found.on_rate_frontier) != beaten
    rates = [choice.area / choice.throughput for choice in found.choices]
    least = pick(replace(found.request, minimise="area_per_throughput"))
    assert least.choices[0].area_per_throughput == min(rates)
    times = {row.label: row.time for row in least.exploration().rows}
    assert times["full_pipelined"] == pytest.approx(pipelined.interval)
    assert pipelined.interval < pipelined.latency / 2


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


def test_rows_of_others_replace_those_of_the_same_design(tmp_path: Path) -> None:
    path = tmp_path / "theirs.jsonl"
    row = next(c.stored for c in pick(TASK).choices if c.stored.architecture == "unit_csa")
    assert row.area is not None
    slow = next(row for row in read_results() if not row.constant_time and row.size == 256)
    wrong = replace(slow, constant_time=True, area=10.0)  # the contract says otherwise
    path.write_text(results_text([replace(row, area=row.area / 100), wrong]))
    words = ["pick", "--json", "--constant-time", "--with", str(path)]
    choices = json.loads(CliRunner().invoke(app, words).output)["choices"]
    same = [c for c in choices if c["parameters"] == row.parameters and "unit" in c["architecture"]]
    assert [choice["area"] for choice in same] == [row.area / 100] == [choices[0]["area"]]
    assert wrong.architecture not in {choice["architecture"] for choice in choices}


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ('"area": ', '"area": -', "area = -"),
        ('"period": ', '"period": "x", "p": ', "results of the store"),
        ('"period": 0', '"period": "0', "theirs.jsonl"),
        ('"unit_csa"', '"unit_csb"', "row 1"),
        ('"digit": 8', '"digit": 80000', "row 1"),
        ('"digit": 8', '"digit": [8]', "row 1"),
    ],
)
def test_wrong_rows_of_others(old: str, new: str, named: str, tmp_path: Path) -> None:
    path = tmp_path / "theirs.jsonl"
    row = next(c.stored for c in pick(TASK).choices if c.stored.label == "unit_csa")
    text = results_text([row])
    assert old in text
    path.write_text(text.replace(old, new))
    with pytest.raises(InputFileError, match=re.escape(named)):
        with_others((), [path], "nangate45")
    with pytest.raises(InputFileError, match="none"):
        with_others((), [tmp_path / "none.jsonl"], "nangate45")


@pytest.mark.parametrize(
    "wrong", [[], {}, {"area_sized": None}, {"period_sized": -1.0}, {"tools": None}]
)
def test_wrong_figures_with_wires_of_others(wrong: Any, tmp_path: Path) -> None:
    path = tmp_path / "theirs.jsonl"
    row = next(c.stored for c in pick(TASK).choices if c.stored.label == "unit_csa")
    right = placed(row, 1.0, 1.0)
    path.write_text(results_text([right]))
    assert with_others((), [path], "nangate45")[0].placed == right.placed
    changed = {**(right.placed or {}), **wrong} if wrong else wrong
    path.write_text(results_text([replace(row, placed=changed)]))
    with pytest.raises(InputFileError, match="placed"):
        with_others((), [path], "nangate45")


def at_width(row: Result, width: int) -> Result:
    """Return a row of another width, whose area and period follow powers of it."""
    chosen = design(row.architecture, **{**row.options, "width": width})
    area, period = 90 * width**1.1, 0.3 * width**0.15
    return replace(row, parameters=dict(chosen.parameters), area=area, period=period)


def test_estimates_follow_powers_of_the_width() -> None:
    rows = [row.stored for row in pick(TASK).choices]
    ends = [at_width(row, width) for row in rows for width in (128, 192, 512, 1024)]
    found = pick(Request(256, "nangate45", estimate=True), ends)
    assert not found.choices and not found.on_frontier
    assert {c.stored.label for c in found.estimates} == {row.label for row in rows}
    for choice in found.estimates:
        same = at_width(choice.stored, 256)
        assert [end.size for end in choice.ends] == [192, 512]
        assert choice.area == pytest.approx(same.area)
        assert choice.stored.period == pytest.approx(same.period)
        measured = next(row for row in rows if row.label == choice.stored.label)
        assert (choice.cycles, choice.stored.interval) == (measured.cycles, measured.interval)
        assert choice.stored.command == measured.command
    assert [c.area for c in found.estimates] == sorted(c.area for c in found.estimates)


def test_estimates_keep_limits_and_are_no_choices() -> None:
    request = Request(192, "nangate45", max_area=20_000, estimate=True)
    found = pick(request)
    assert found.estimates and not found.choices
    assert all(choice.area <= 20_000 for choice in found.estimates)
    labels = {choice.stored.label for choice in found.estimates}
    assert not any(row.label in labels for row in read_results() if not row.constant_time)
    assert not pick(replace(request, width=256)).estimates  # all of them are measured there
    far = [row for row in read_results() if row.is_own or row.size not in (64, 128)]
    with pytest.raises(ParameterError):
        pick(request, far)


@pytest.mark.parametrize(
    "values",
    [{"minimise": "area2"}, {"result": "below-3n"}, {"target": "nosuch"}, {"function": "sign"},
     {"target": "ecp5-85k", "placed": True},
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
    with Image.open(picture) as drawn:
        marked = json.loads(drawn.info["Description"])["chosen"]
    assert (marked["x"], marked["y"]) == (best["area"] / 1e3, best["latency"])
    assert best["architecture"] in marked["label"]
    folder = best["generate"].replace("FOLDER", str(tmp_path / "made")).split()[1:]
    assert CliRunner().invoke(app, folder).exit_code == 0
    contract = json.loads((tmp_path / "made" / "contract.json").read_text())
    assert best["cycles"] == contract["latency"]["minimum"]
    assert CliRunner().invoke(app, [*words, "--max-latency", "1"]).exit_code == 1
    wrong = CliRunner().invoke(app, [*words, "--plot", str(tmp_path / "frontier.txt")])
    assert isinstance(wrong.exception, MontforgeError)
    assert ".png" in str(wrong.exception)


def test_designs_of_one_modulus_are_there_if_it_is_asked_for() -> None:
    plain = replace(TASK, max_area=None, max_latency=None)
    free = pick(plain).choices
    bound = pick(replace(plain, modulus="p256")).choices
    assert {choice.stored.only_modulus for choice in free} == {None}
    assert {choice.stored.only_modulus for choice in bound} == {None, PRIMES["p256"]}
    wide = pick(replace(plain, modulus="curve25519")).choices
    assert {choice.stored.only_modulus for choice in wide} == {None, PRIMES["curve25519"]}
    with pytest.raises(ParameterError, match="384 or more"):
        replace(plain, modulus="p384")
    with pytest.raises(ParameterError, match="did you mean 'p256'"):
        pick(replace(plain, modulus="p265"))
