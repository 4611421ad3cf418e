# SPDX-License-Identifier: Apache-2.0
"""Reproduction of Grale and Swartzlander: model tables exactly, results with stand-in tools."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from montforge.arch import Design, design
from montforge.errors import InputFileError, ParameterError, ToolFailedError
from montforge.papers import Reproduction, grale2020, paper, published_cycles, reproduce
from montforge.papers import rows as measured_rows

AREAS = {"rmm": 100e3, "eberle": 10e3, "grossschaedl": 12e3, "tenca_koc": 14e3}


def fake_measure(
    chosen: Design, target: str, *, cycles: float, workers: int, effort: str, placed: bool
) -> Any:
    """Areas by architecture, 2 ns for a published RMM and 1 ns for others; parallel fails."""
    name = chosen.name
    if name == "full_parallel":
        raise ToolFailedError("out of memory")
    assert cycles == chosen.contract.latency.minimum
    period = 2.0 if chosen.parameters.get("variant") == "published" and name == "rmm" else 1.0
    area = AREAS.get(name, 500e3) + (1e3 * chosen.m if name == "rmm" else 0)
    return SimpleNamespace(
        handover=0,
        area_um2=area,
        period_ns=1.1 * period,
        wire_load={"period_without": period},
        placed=None,
    )


@pytest.fixture
def stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measured_rows, "measure", fake_measure)
    # No library is needed if nothing is measured.
    monkeypatch.setattr(grale2020, "TARGET", "osu018")


def rows(result: Reproduction, title: str) -> dict[str, dict[str, Any]]:
    found = [t.to_json()["rows"] for t in result.tables if t.title.startswith(title)]
    assert len(found) == 1
    return {str(row[next(iter(row))]): row for row in found[0]}


def test_table_ii() -> None:
    found = rows(reproduce("grale2020", table="2"), "Table II, 256 bits")
    counts = {name: (row["paper's cycles"], row["our cycles"]) for name, row in found.items()}
    assert counts["Eberle d=8"] == (2080, 2081)
    assert counts["Grossschaedl d=32"] == (264, 265)
    assert counts["Tenca-Koc w=16 p=9"] == (527, 528)
    assert counts["Tenca-Koc w=16 p=4"] == (527, 1158)


def test_table_iv_and_v_are_exact() -> None:
    found = rows(reproduce("grale2020", table="4"), "Table IV")
    for name in ("SOS", "CIOS", "FIOS"):
        assert found[name]["schedules as long as the formula"] == "203 of 203"
    assert found["SPS"]["schedules as long as the formula"] == "176 of 203"
    table = reproduce("grale2020", table="5").tables[0]
    assert table.notes[0] == "Cycles of the schedules; 0 of the 20 published counts differ."
    for row in table.rows:
        sos, cios, fios, sps = ((row[at], row[at + 1]) for at in (1, 3, 5, 9))
        assert all(ours == theirs for ours, theirs in (sos, cios, fios, sps))


def test_table_vi(stand_in: None) -> None:
    result = reproduce("grale2020", table="6")
    found = rows(result, "Table VI")
    published = paper("grale2020").rows("table6_rmm_pareto")
    for row in published:
        assert (
            found[row["design"]]["cycles"] == row["cycles"] == found[row["design"]]["cycles, paper"]
        )
        assert f"{row['design']} fast" in found
    best = found["RMM(4,4)"]
    assert best["latency ns"] == 30
    assert best["latency ns, ratio"] == round(30 / 28.2, 2)
    assert best["area*latency 1e6 um2 ns"] == pytest.approx(104e3 * 30 / 1e6)
    assert best["with wires"] == pytest.approx(2.2)
    assert found["RMM(2,2) fast"]["frontier"] == "yes"
    assert found["McIvor"]["frontier"] == ""
    notes = result.tables[0].notes
    assert "parallel: not measured: out of memory" in notes
    assert any(note.startswith("Least area * latency: RMM(2,2)") for note in notes)
    assert result.tables[1].notes == (
        "serial smaller than RMM published form (median area): yes; slower (median latency): yes",
        "RMM published form smaller than full word (median area): yes; slower (median latency):"
        " yes",
    )


def test_figures(stand_in: None, tmp_path: Path) -> None:
    result = reproduce("grale2020", table="6")
    assert [chart.title[:6] for chart in result.charts] == ["Fig. 6", "Fig. 7", "Fig. 8"]
    assert [name for name, _ in result.charts[0].series] == [
        "RMM published form",
        "RMM fast",
        "published",
    ]
    assert {name for name, _ in result.charts[2].series} == set(grale2020.KINDS)
    for chart in result.charts:
        areas, latencies = zip(*chart.steps, strict=True)
        assert list(areas) == sorted(areas)
        assert list(latencies) == sorted(latencies, reverse=True)
    result.write(tmp_path)
    assert len(list(tmp_path.glob("*.png"))) == 3
    assert "frontier" in (tmp_path / "grale2020.html").read_text()


def test_cycles_are_simulated_if_samples_are_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        measured_rows,
        "correct_cycles",
        lambda chosen, *, samples, seed, workers: SimpleNamespace(mean=7.0),
    )
    found = rows(reproduce("grale2020", table="2", samples=5), "Table II")
    assert found["Eberle d=8"]["our cycles"] == 7


def test_targets(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MONTFORGE_TECH", str(tmp_path))
    result = reproduce("grale2020", table="6")
    assert result.tables[0].notes[0].startswith("Not measured: ")
    with pytest.raises(InputFileError, match="nangate45"):
        reproduce("grale2020", table="6", targets=("nangate45",))
    with pytest.raises(ParameterError, match=r"table2 .*um2"):
        reproduce("grale2020", table="6", targets=("table2",))


def test_published_cycles() -> None:
    chosen = design("rmm", width=256, k=4, m=4, variant="published", multiplier="booth")
    assert [row["cycles"] for row in published_cycles(chosen)] == [15]
    assert chosen.contract.latency.minimum == 15
