# SPDX-License-Identifier: Apache-2.0
"""The Extended Serial Montgomery Model: Tables IV and V, and schedules run on integers."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from montforge.errors import ParameterError, UnknownNameError
from montforge.programs.serial import METHODS, Bar, ScheduleError, SerialModel, model
from montforge.report import gantt

TABLE_V = {
    1: (36, 36, 36, 42),
    2: (20, 20, 24, 21),
    3: (18, 20, 20, 14),
    4: (12, 12, 20, 11),
    5: (12, 12, 20, 9),
}
OURS = {"CIHS": (36, 21, 17, 14, 12), "FIPS": (36, 24, 20, 18, 17)}
STALLED = {(3, 8), (4, 14), (4, 15), *((5, m) for m in (22, 23, 24))}
"""SPS can't reach the formula's count although m <= k^2."""


def test_table_v() -> None:
    for m, row in TABLE_V.items():
        assert tuple(model(4, m, name).cycles for name in ("SOS", "CIOS", "FIOS", "SPS")) == row
    for name, row in OURS.items():
        assert tuple(model(4, m, name).cycles for m in range(1, 6)) == row


def test_table_iv_with_one_multiplier() -> None:
    for k in range(2, 17):
        for name in METHODS:
            found = model(k, 1, name)
            assert found.cycles == found.products
            assert found.products == ((5 * k * k + k) // 2 if name == "SPS" else 2 * k * k + k)


@pytest.mark.parametrize("name", METHODS)
def test_schedules_are_as_long_as_the_formula_and_compute_the_product(name: str) -> None:
    rng = random.Random(1)
    for k in range(2, 7):
        for m in range(1, k * k + 1):
            found = model(k, m, name)
            if name != "SPS":
                assert len(found.schedule) == found.cycles
            elif k <= 5:
                assert (len(found.schedule) > found.cycles) == ((k, m) in STALLED)
            assert max(map(len, found.schedule)) <= m
            n = rng.getrandbits(3 * k) | 1
            a, b = rng.randrange(n), rng.randrange(n)
            expected = a * b * pow(1 << 3 * k, -1, n) % n if n > 1 else 0
            assert found.execute(a, b, n, digit_bits=3) == expected


@pytest.mark.parametrize("name", METHODS)
def test_every_operand_of_a_small_modulus(name: str) -> None:
    found = model(3, 2, name)
    for n in (3, 37, 63):
        for a in range(n):
            for b in range(n):
                assert found.execute(a, b, n, digit_bits=2) == a * b * pow(64, -1, n) % n


def test_execution_finds_a_digit_that_is_read_too_early() -> None:
    good = model(3, 2, "CIOS")

    class Early(SerialModel):
        @property
        def schedule(self):  # type: ignore[no-untyped-def,override]
            cycles = list(good.schedule)
            cycles[0], cycles[2] = cycles[2], cycles[0]
            return tuple(cycles)

    with pytest.raises(ScheduleError, match="CIOS with k = "):
        Early(3, 2, "CIOS").execute(50, 51, 61, digit_bits=2)


def test_bars_of_fig_3() -> None:
    bars = model(2, 1, "SPS").bars()
    labels = [bar.label for bar in bars]
    assert len(bars) == 11
    assert labels[0] == "A[0] x B[0]"
    assert labels.index("T[0] x M'[0]") < labels.index("Q[0] x M[0]")
    assert bars[0] == Bar(0, 0, "A[0] x B[0]", "T")


def test_storage_and_utilisation() -> None:
    assert [model(4, 1, name).storage for name in METHODS] == [10, 7, 7, 7, 7, 20]
    assert model(4, 2, "SPS").utilisation == 1.0


@pytest.mark.parametrize("suffix", [".png", ".svg"])
def test_pictures(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"schedule{suffix}"
    gantt.write_picture(model(2, 1, "SPS").bars(), path, title="SPS", stages=gantt.STAGES)
    assert path.stat().st_size > 1000
    gantt.write_picture(model(4, 3, "SPS").bars(), path, title="SPS/3")
    figure = gantt.to_plotly(model(4, 3, "SPS").bars(), title="SPS/3")
    assert sum(len(trace.x) for trace in figure.data) == 42


def test_bad_input() -> None:
    with pytest.raises(UnknownNameError, match="CIHS, CIOS"):
        model(4, 1, "cos")
    with pytest.raises(ParameterError, match=r"\bm .* 1 to 16"):
        model(4, 17, "SOS")
    with pytest.raises(ParameterError, match=r"\bk "):
        model(1, 1, "SOS")
