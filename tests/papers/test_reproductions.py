# SPDX-License-Identifier: Apache-2.0
"""Reproductions: published figures beside measured ones, with stand-ins for the tools."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from montforge.arch import Design, design
from montforge.errors import InputFileError, ParameterError, UnknownNameError
from montforge.papers import Reproduction, kuang2016, published_cycles, reproduce, rows, sassaw2010
from montforge.papers.reproduction import Request

PERIOD = 4.0


def area_of(chosen: Design) -> float:
    return 1e5 * int(chosen.parameters.get("radix", 2))


def fake_cycles(chosen: Design, *, samples: int, seed: int, workers: int = 2) -> Any:
    latency = chosen.contract.latency
    mean = (latency.minimum + latency.maximum) / 2
    return SimpleNamespace(mean=mean, samples=samples, seed=seed, handover=0)


def fake_measure(
    chosen: Design,
    target: str,
    *,
    cycles: float | None = None,
    seeds: int = 3,
    workers: int = 2,
    effort: str = "full",
    placed: bool = False,
) -> Any:
    if target == "osu018":
        period = PERIOD if effort == "full" else 2 * PERIOD
        sized = {"period_placed": 6.0, "period_sized": 5.0, "area_sized": 7.0, "area_time": 8e6}
        return SimpleNamespace(
            area_um2=area_of(chosen),
            period_ns=period,
            wire_load=None,
            placed=sized if placed else None,
        )
    assert seeds == 0, "Table I needs no placement"
    return SimpleNamespace(resources={"lut": round(area_of(chosen)), "ff": 10, "carry": 0})


@pytest.fixture(autouse=True)
def stand_ins(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for module in (rows, sassaw2010):
        monkeypatch.setattr(module, "measure", fake_measure)
    monkeypatch.setattr(rows, "correct_cycles", fake_cycles)
    yield


def table(result: Reproduction, title: str) -> dict[str, dict[str, Any]]:
    """The rows of the table whose title starts so, by the first column."""
    found = [t.to_json()["rows"] for t in result.tables if t.title.startswith(title)]
    assert len(found) == 1
    return {row[next(iter(row))]: row for row in found[0]}


# ---------------------------------------------------------------- Sassaw 2010


def test_sassaw_cycles_beside_the_published_ones() -> None:
    rows = table(reproduce("sassaw2010", table="1"), "Table I: cycles")
    expected = {"2": 1026, "4": 514, "8": 343, "16": 258, "64": 171 + 33}
    assert {radix: rows[radix]["cycles"] for radix in expected} == expected
    published = {"2": 1024, "4": 512, "8": 256, "16": None, "64": 32}
    assert {radix: rows[radix]["paper's cycles"] for radix in published} == published
    for row in rows.values():
        assert row["paper's cycles"] == row["2n / radix"]
    assert (rows["8"]["bits a cycle"], rows["8"]["bits of a digit"]) == (4, 3)
    assert (rows["64"]["bits a cycle"], rows["64"]["bits of a digit"]) == (32, 6)
    latencies = {"2": 3252, "4": 3160, "8": 4056, "64": 3401}
    for radix, latency in latencies.items():
        assert round(rows[radix]["paper's delay * digits ns"]) == latency


def test_sassaw_resources_are_those_of_the_synthesis() -> None:
    result = reproduce("sassaw2010", table="1")
    for target in ("xcup", "ecp5-85k"):
        rows = table(result, f"Table I: resources on {target}")
        assert rows["8"]["LUTs"] == 800_000
        assert rows["8"]["LUTs / radix 2"] == 4
        assert rows["8"]["paper's slices / radix 2"] == round(29459 / 10683, 3)
        assert rows["16"]["paper's slices"] is None


def test_sassaw_table2_beside_the_published_one() -> None:
    result = reproduce("sassaw2010", table="2", targets=("osu018",))
    rows = table(result, "Table II on osu018, 1024 bits")
    assert list(rows)[:5] == ["2", "4", "8", "16", "64"]
    assert rows["64"]["area um2"] == 6.4e6
    assert rows["64"]["paper, thousands"] == 1056.18
    assert rows["64"]["latency ns"] == pytest.approx(204 * PERIOD)
    assert rows["64"]["paper's latency ns"] == 637
    ratios = table(result, "Ratios to radix 2 on osu018, 1024 bits")
    assert ratios["4"]["cycles"] == round(514 / 1026, 3)
    assert ratios["4"]["cycles, paper"] == 0.5
    assert ratios["64"]["area*latency"] == round(32 * 204 / 1026, 3)
    assert ratios["64"]["area*latency, paper"] == round(1056.18 * 637 / 265.57 / 3246, 3)
    assert ratios["16"]["cycles, paper"] is None


def test_effort_is_passed_on_and_in_the_command() -> None:
    result = reproduce("sassaw2010", table="2", targets=("osu018",), effort="quick")
    assert table(result, "Table II on osu018")["4"]["period ns"] == 2 * PERIOD
    assert result.command.endswith("--target osu018 --effort quick")


@pytest.mark.parametrize(
    ("paper", "number", "title"),
    [("kuang2016", "3", "Table III on"), ("sassaw2010", "2", "Table II on"),
     ("grale2020", "6", "Table VI and")],
)  # fmt: skip
def test_figures_with_wires_stand_beside_the_others(paper: str, number: str, title: str) -> None:
    plain = reproduce(paper, table=number, targets=("osu018",), widths=(256,))
    found = reproduce(paper, table=number, targets=("osu018",), widths=(256,), placed=True)
    assert found.command == f"{plain.command} --placed"
    before, after = table(plain, title), table(found, title)
    wires = {
        "period ns, placed": 6.0, "period ns, sized": 5.0, "area um2, sized": 7.0,
        "area*time 1e3 um2 us, sized": 8.0,
    }  # fmt: skip
    assert after == {label: row | wires for label, row in before.items()} and after
    assert found.tables[1:] == plain.tables[1:]
    with pytest.raises(ParameterError, match="--placed"):
        reproduce("fios_dsp", table="2", placed=True)


def test_libraries_without_data_of_wires_are_not_placed_unless_named() -> None:
    def is_placed(target: str, **options: Any) -> bool:
        return rows._is_placed(target, Request(placed=True, **options))

    assert is_placed("osu018") and not is_placed("tsmc") and not is_placed("table2")
    assert is_placed("table2", targets=("table2",))
    assert not rows._is_placed("osu018", Request())


def test_sassaw_exponentiation_has_its_products_and_its_turns() -> None:
    rows = table(reproduce("sassaw2010", table="exponentiation"), "Exponentiation, 1024 bits")
    four = rows["4"]
    assert four["paper's calls * cycles"] == 1024 * 512
    assert four["turns, left to right"] == 1024 + 512 + 2
    assert four["cycles of a turn"] == 516
    assert four["cycles"] == 1538 * 516 + 34
    assert four["turns, window of 5 bits"] == 1256


def test_sassaw_charts_are_over_the_radix() -> None:
    charts = reproduce("sassaw2010", table="2", targets=("osu018",)).charts
    assert [chart.title.split(",")[0] for chart in charts] == ["Latency", "Area * latency"]
    series = dict(charts[0].series)
    assert [point.label for point in series["measured"]] == ["2", "4", "8", "16", "64"]
    assert [point.label for point in series["published"]] == ["2", "4", "8", "64"]
    assert series["published"][3].y == pytest.approx(637 / 3246)
    assert series["measured"][4].y == pytest.approx(204 / 1026)


def test_sassaw_at_another_width_has_no_published_figures() -> None:
    result = reproduce("sassaw2010", widths=(64,), targets=("osu018", "xcup"))
    assert table(result, "Table I: cycles")["64"]["paper's cycles"] is None
    assert table(result, "Table I: resources on xcup, 64 bits")["4"]["paper's slices"] is None
    assert table(result, "Table II on osu018, 64 bits")["4"]["paper's delay ns"] is None
    assert (
        result.command == "montforge reproduce sassaw2010 --target osu018 --target xcup --width 64"
    )


def test_pages_are_written(tmp_path: Path) -> None:
    reproduce("sassaw2010", targets=("osu018", "xcup")).write(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {
        "sassaw2010.md",
        "sassaw2010.html",
        *(f"sassaw2010-{i}.png" for i in (1, 2)),
        *(f"sassaw2010-{i}.{kind}" for i in range(1, 6) for kind in ("csv", "tex")),
    }
    text = (tmp_path / "sassaw2010.md").read_text()
    assert "`montforge reproduce sassaw2010 --target osu018 --target xcup`" in text
    assert "do not follow from the trees" in text


def test_published_cycles_of_a_radix() -> None:
    found = published_cycles(design("booth_csa", width=1024, radix=64))
    row = {"paper": "sassaw2010", "label": "64", "width": 1024, "cycles": 32}
    assert found == [{**row, "adjustment": 0, "adjusted": 32}]
    assert not published_cycles(design("booth_csa", width=1024, radix=64, pipeline=1))
    assert not published_cycles(design("booth_csa", width=1024, radix=16))
    assert not published_cycles(design("booth_csa", width=512, radix=64))
    labels = [row["label"] for row in published_cycles(design("fcs_mm1", width=1024))]
    assert labels == ["FCS-MM-1", "2"]


# ---------------------------------------------------------------- what the papers share


def test_kuang_table3_beside_the_published_one() -> None:
    result = reproduce("kuang2016", table="3", targets=("osu018",), widths=(1024,))
    rows = table(result, "Table III on osu018")
    assert rows["FCS-MM-1"]["cycles"] == 1026
    assert rows["FCS-MM-1"]["cycles, paper"] == 1029
    ratios = table(result, "Ratios to FCS-MM-1")
    assert ratios["FCS-MM-1"]["cycles"] == ratios["FCS-MM-1"]["cycles, paper"] == 1
    assert ratios["SCS-MM-New"]["cycles, paper"] == round(880 / 1029, 3)
    assert len(result.charts) == 2


def test_kuang_table1_has_every_width(monkeypatch: pytest.MonkeyPatch) -> None:
    def at_width(chosen: Design, target: str, *, effort: str) -> SimpleNamespace:
        return SimpleNamespace(area=10.0 * chosen.contract.width, period=1.0)

    counts = SimpleNamespace(blocks={}, registers=1, multiplexers=1)
    monkeypatch.setattr(kuang2016, "measure", at_width)
    monkeypatch.setattr(kuang2016, "structure", lambda chosen: counts)
    done: list[tuple[int, int]] = []
    result = reproduce(
        "kuang2016", table="1", widths=(16, 8), progress=lambda *steps: done.append(steps)
    )
    assert [table.title for table in result.tables] == [
        "Table I, 16 bits, in units of a full adder",
        "Structure, 16 bits",
        "Table I, 8 bits, in units of a full adder",
        "Structure, 8 bits",
    ]
    assert {row[1] for table in result.tables[::2] for row in table.rows} == {10.0}
    assert done[-1][0] == done[-1][1] == len(done) - 1


@pytest.mark.parametrize("name", ["kuang2016", "sassaw2010"])
def test_a_missing_library_is_named_unless_it_was_asked_for(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("MONTFORGE_TECH", str(tmp_path))
    last = {"kuang2016": "3", "sassaw2010": "2"}[name]
    result = reproduce(name, table=last, widths=(1024,))
    missing = [t for t in result.tables if t.notes and t.notes[0].startswith("Not measured")]
    assert len(missing) == 1
    assert "nangate45" in missing[0].notes[0]
    with pytest.raises(InputFileError, match="nangate45"):
        reproduce(name, table=last, targets=("nangate45",))


def test_a_target_without_area_is_refused() -> None:
    with pytest.raises(ParameterError, match=r"table2 .*um2"):
        reproduce("kuang2016", table="3", targets=("table2",), widths=(1024,))


@pytest.mark.parametrize(
    ("name", "number", "options", "message"),
    [
        ("kuang2016", "1", {"targets": ("osu018",)}, "--target osu018 .* table 1 .*; table 3 of"),
        ("kuang2016", "3", {"targets": ("xcup",)}, "--target xcup .* table 3 .* kuang2016"),
        ("kuang2016", None, {"targets": ("xcup",)}, "--target xcup .* table 1 and 3 of kuang2016"),
        ("sassaw2010", "1", {"targets": ("osu018",)}, "table 1 of sassaw2010; table 2 of"),
        ("sassaw2010", "2", {"targets": ("osu018", "xcup")}, "--target xcup .*; table 1 of"),
        ("kuang2016", "1", {"samples": 10}, "--samples .*; table 3 of"),
        ("grale2020", "4", {"widths": (64,)}, "--width .*; table 2, 6 of"),
        ("sassaw2010", "1", {"effort": "quick"}, "--effort .*; table 2 of"),
    ],
)
def test_an_option_without_effect_is_refused(
    name: str, number: str | None, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(ParameterError, match=message):
        reproduce(name, table=number, **options)


def test_unknown_tables_are_refused() -> None:
    with pytest.raises(UnknownNameError, match="sassaw2010"):
        reproduce("sassaw2010", table="3")


def test_every_published_row_has_a_design() -> None:
    labels = {entry.label for entry in sassaw2010.paper("sassaw2010").designs}
    for name in ("table1_fpga", "table2_asic"):
        assert {str(row["radix"]) for row in kuang2016.paper("sassaw2010").rows(name)} <= labels
