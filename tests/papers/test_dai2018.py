# SPDX-License-Identifier: Apache-2.0
"""Dai 2018: operations counted, parameter sets derived, cycles beside the published ones."""

from __future__ import annotations

from typing import Any

import pytest

from montforge.arch import Design
from montforge.hardware import Hardware
from montforge.measure import Fpga
from montforge.papers import dai2018, reproduce

BITS = dai2018.EXPONENT_BITS


def test_operations_are_those_of_table_2() -> None:
    rows = {row["algorithm"]: row for row in _rows("2")}
    for name, row in rows.items():
        printed = str(row["transforms, paper"])
        if name.startswith("FMLE"):
            per_bit, rest = (float(part) for part in printed.split("t+"))
            assert row["transforms"] == per_bit * BITS + rest
            assert row["products"] == f"{5.5 * BITS + 6:.0f}s"
            assert row["additions"] == f"{1.5 * BITS + 2:.0f}s"
            assert row["long additions"] == 4.5 * BITS + 6
        elif printed != "None":
            assert row["transforms"] == int(printed)
            assert row["products"] == row["products, paper"]
            assert str(row["long additions"]) == row["long additions, paper"]


def test_parameter_sets_are_those_of_table_3() -> None:
    rows = _rows("3")
    assert len(rows) == 9
    assert {row["as printed"] for row in rows} == {"yes"}
    assert {row["conditions"] for row in rows} == {"legal"}


def test_cycles_are_within_2_percent(monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[Design] = []

    def run(chosen: Design, **options: Any) -> None:
        ran.append(chosen)

    monkeypatch.setattr(dai2018, "correct_cycles", run)
    rows = _rows("4") + _rows("6")
    assert len(rows) == len(ran) == 15
    (beyond,) = (row for row in rows if row["difference %"] is None)
    assert (beyond["key bits"], beyond["cycles"]) == (7680, 1242)
    for row in rows:
        assert row is beyond or abs(row["difference %"]) < 2
    assert {d.parameters["protection"] for d in ran if "protection" in d.parameters} == {
        "none",
        "ladder",
    }


def test_decryptions_of_table_5() -> None:
    cycles, others = reproduce("dai2018", table="5").tables
    rows = list(cycles.to_json()["rows"])
    assert [row["key bits"] for row in rows] == [1024, 2048, 4096, 7680]
    for row in rows:
        assert abs(row["difference %"]) < 2
        # The printed times are rounded to 10 us.
        assert row["paper, time / period"] == pytest.approx(row["paper, eq. 26"], rel=0.005)
    printed = others.to_json()["rows"]
    assert len(printed) == 21 + 4
    for row in printed:
        for area, product in (("LUTs", "LUTs x s"), ("slices", "slices x s")):
            if row[product] is not None:
                # Products are printed as whole numbers, some of them of rounded latencies.
                expected = row[area] * row["latency ms"] / 1000
                assert row[product] == pytest.approx(expected, rel=0.005, abs=0.6)
    ours = {row["key bits"]: row["latency ms"] for row in printed if row["design"] == "fmle, ours"}
    assert ours == {1024: 2.57, 2048: 7.51, 4096: 28.74, 7680: 66.4}
    assert len(reproduce("dai2018", table="5", widths=(1024,)).tables[1].rows) == 7 + 1


def test_resources_are_those_of_native_forms(monkeypatch: pytest.MonkeyPatch) -> None:
    measured: list[Hardware] = []

    def synthesize(hardware: Hardware, target: Fpga, store: object) -> dict[str, Any]:
        assert hardware.top in ("mf_fmlm", "mf_fmle")
        measured.append(hardware)
        return {"cells": {"LUT4": 90000, "DSP48E2": 9, "MULT18X18D": 9}}

    monkeypatch.setattr(dai2018, "synthesize", synthesize)
    rows = {table: _rows(f"{table}-resources") for table in ("4", "6")}
    assert [len(found) for found in rows.values()] == [2 * 5 * 2, 2 * 5]
    products = {1024: (18, 9), 2048: (54, 27), 3072: (54, 9), 4096: (54, 27), 7680: (162, None)}
    for column, found in enumerate(rows.values()):
        published = {row["key bits"]: row["DSP, paper"] for row in found}
        assert published == {bits: pair[column] for bits, pair in products.items()}
    assert {row["protection"] for row in rows["4"]} == {"none", "ladder"}
    widths = {h.parameters["ExponentBits"] for h in measured if h.top == "mf_fmle"}
    assert widths == {1024, 2048, 3072, 4096, 7680}
    for found in rows.values():
        lacking = {row["target"]: row["more than the device has"] for row in found}
        assert lacking == {"xcup": None, "ecp5-85k": "LUT"}


def _rows(table: str) -> list[dict[str, Any]]:
    (found,) = reproduce("dai2018", table=table).tables
    return list(found.to_json()["rows"])
