# SPDX-License-Identifier: Apache-2.0
"""The reproduction of the FIOS paper: Table II, and our designs with stand-ins for the tools."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from montforge.arch import Design, design
from montforge.errors import ParameterError
from montforge.papers import fios_dsp, published_cycles, reproduce

FMAX = 200.0
LUTS, CARRIES, RAMS = 1000, 100, 10


def fake_measure(chosen: Design, target: str, *, seeds: int = 3, workers: int = 2) -> Any:
    elements = chosen.hardware.parameters["Elements"]
    if target == "xcup":
        assert seeds == 0
        return SimpleNamespace(resources={"dsp": elements, "lut": 1, "lut_ram": 2, "ff": 3})
    return SimpleNamespace(
        resources={
            "lut": LUTS, "carry": CARRIES, "lut_ram": RAMS, "ff": 5, "dsp": elements, "bram": 0,
        },
        fmax_mhz=FMAX,
        sweep=tuple({"fmax_mhz": FMAX + step} for step in (-5, 0, 9)),
        flags={"placer": "heap"},
        critical_path={"start": "u_core.u_element.u_mac.p_q[0]", "end": "u_core.u_sequencer.x"},
    )  # fmt: skip


@pytest.fixture(autouse=True)
def stand_ins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fios_dsp, "measure", fake_measure)


def rows(table: str, title: str, **options: Any) -> list[dict[str, Any]]:
    found = [t for t in reproduce("fios_dsp", table=table, **options).tables if title in t.title]
    assert len(found) == 1
    data: list[dict[str, Any]] = found[0].to_json()["rows"]
    return data


def test_area_time_products_of_table_2_are_recomputed() -> None:
    found = {(row["design"], row["width"]): row for row in rows("2", "Table II")}
    for width in (256, 512, 1024):
        row = found["FIOS DSP", width]
        assert row["AT"] == row["AT recomputed"]
    assert found["Farzam 2022", 503]["AT recomputed"] == 2002
    assert found["RNS 2022", 256]["AT recomputed"] == 3615
    assert found["Huang 2011", 1024]["cycles / MHz"] == pytest.approx(10.15, abs=0.01)
    assert found["RNS 2022", 256]["cycles / MHz"] is None


def test_cycles_and_blocks_are_the_papers() -> None:
    found = rows("2", "Resources")
    assert [row["width"] for row in found] == [256, 512, 1024]
    for row in found:
        assert row["cycles"] == row["cycles, paper"]
        assert row["DSP48E2"] == row["DSP48E2, paper"]


def test_placed_designs_and_public_ones() -> None:
    found = {row["design"]: row for row in rows("6", "Variants", widths=(256,))}
    row = found["unit, pipeline 3, 8 elements"]
    luts = LUTS + 2 * CARRIES + 6 * RAMS
    assert (row["LUT"], row["DSP"], row["latency"], row["core cycles"]) == (luts, 8, 114, 111)
    ratio = round(83640 / 156)
    assert row["LUT equivalents"] == luts + 8 * ratio
    assert row["AT"] == pytest.approx((luts + 8 * ratio) * 114 / FMAX)
    assert row["range"] == "195.0 to 209.0"
    assert row["longest path"] == "mac -> sequencer"
    public = found["public DSP-systolic RTL"]
    assert public["AT"] == pytest.approx((2623 + 5 * ratio) * 0.97)
    assert str(found["public word-systolic RTL"]["AT"]).startswith("over ")


def test_other_widths_have_neither_public_designs_nor_chosen_numbers_of_elements() -> None:
    found = {row["design"] for row in rows("6", "Variants", widths=(128,))}
    assert len(found) == 7
    assert not any("public" in label or "elements" in label for label in found)


def test_charts_have_the_published_points() -> None:
    charts = reproduce("fios_dsp", table="6").charts
    assert [chart.title.split(",")[0] for chart in charts] == [
        "Fig. 6: frequency",
        "Fig. 6: area",
        "Fig. 7: cycles",
        "Fig. 7: time",
    ]
    series = dict(charts[2].series)
    ours = [point.y for point in sorted(series["published"], key=lambda point: point.x)]
    assert ours == [84, 161, 315, 623]
    assert [point.y for point in series["paper, UltraScale+"]] == [172, 337, 667]


def test_a_target_that_is_not_placed_is_refused() -> None:
    with pytest.raises(ParameterError, match="xcup"):
        reproduce("fios_dsp", table="6", targets=("xcup",))
    with pytest.raises(ParameterError, match=r"osu018 .*table 6"):
        reproduce("fios_dsp", table="6", targets=("osu018",))


def test_published_cycles_are_those_of_table_2() -> None:
    """11s - 4 are the core's; the latency has 3 more. Neither depends on the multiplier's kind."""
    for mac in ("dsp48e2", "generic"):
        chosen = design("fios_dsp", width=512, variant="published", mac=mac)
        (row,) = published_cycles(chosen)
        assert (row["cycles"], row["adjustment"], row["adjusted"]) == (337, 3, 340)
        assert chosen.core_cycles == 337
        assert chosen.contract.latency.minimum == 340
    assert not published_cycles(design("fios_dsp", width=512, variant="fast"))
