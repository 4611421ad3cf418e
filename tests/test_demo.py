# SPDX-License-Identifier: Apache-2.0
"""`make demo`: its task has an answer in the store, the design is tried, the picture shows it."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from custom import with_files
from montforge.arch import Core
from montforge.demos import multiplier as demo
from montforge.errors import CheckFailedError
from montforge.store import pick as store_pick
from montforge.store import read_results
from montforge.verify.runner import verify_core
from planted import edited

WIDTH = 16


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The demonstration at 16 bits, in its output folder: the store's rows have that width."""
    rows = [
        replace(row, parameters={**row.parameters, "width": WIDTH})
        for row in read_results()
        if (row.target, row.parameters.get("width")) == (demo.TASK.target, demo.TASK.width)
    ]
    monkeypatch.setattr(store_pick, "read_results", lambda: rows)
    monkeypatch.setattr(demo, "TASK", replace(demo.TASK, width=WIDTH))
    monkeypatch.setattr(demo, "PRIMES", {demo.PRIME: 65521})
    monkeypatch.setattr(demo, "OUTPUT", tmp_path / "out")
    monkeypatch.setattr(demo, "OPERATIONS", 50)
    return tmp_path / "out"


def test_the_task_has_an_answer_among_published_designs() -> None:
    fitting, shown = demo.pick(demo.TASK).choices, demo.designs(demo.TASK)
    best = fitting[0]
    assert best.stored in [each.stored for each in shown]
    assert best.stored.constant_time and best.area <= (demo.TASK.max_area or 0)
    assert len({demo.source(each.stored) for each in shown}) >= 4
    assert demo.source(best.stored) == "this library"
    assert not [each for each in shown if not each.stored.constant_time]


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("sta") is None, reason="OpenSTA is not installed")
def test_a_measured_point_on_the_picture(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert demo.main() == 0
    best = demo.pick(demo.TASK).choices[0]
    text, page = capsys.readouterr().out, (small / "demo.html").read_text()
    (area,) = re.findall(r"^measure +([\d,]+) um2", text, re.MULTILINE)
    assert float(area.replace(",", "")) < best.area / 2  # of 16 bits, the stored one of 256
    assert (small / best.stored.chosen.identifier / "contract.json").is_file()
    assert (small / "demo.png").stat().st_size > 10_000
    assert f"chosen: {best.stored.label}" in page and "measured now" in page
    for each in demo.designs(demo.TASK):
        assert f">{each.stored.label}</td>" in page and json.dumps(demo.source(each.stored)) in page
    for words in ("montforge pick", "montforge verify", "montforge measure"):
        assert words in page
    assert (small / "demo.html").as_uri() in text and "make demo-rsa" in text


def test_a_wrong_product_ends_the_demo_without_figures_of_it(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def wrong(chosen: Core, **options: Any) -> Any:
        return verify_core(with_files(chosen, files(chosen, tmp_path)), **options)

    monkeypatch.setattr(demo, "verify_core", wrong)
    monkeypatch.setattr(demo, "measure", lambda *_, **__: pytest.fail("it was measured"))
    with pytest.raises(CheckFailedError, match=rf"width={WIDTH}"):
        demo.main()
    assert not (small / "demo.html").exists()


def files(chosen: Core, folder: Path) -> tuple[Path, ...]:
    """Return the design's files with a bug that makes each product wrong."""
    return edited(chosen, "assign p_o = value", "assign p_o = ~value", folder).hardware.files
