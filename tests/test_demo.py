# SPDX-License-Identifier: Apache-2.0
"""`make demo` gives no figures of a multiplier that is wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from custom import with_files
from montforge.arch import Core, Design, core
from montforge.demos import multiplier as demo
from montforge.errors import CheckFailedError
from planted import edited


@pytest.mark.parametrize("wrong", [16, 13])
def test_a_wrong_product_ends_the_demo_without_figures_of_it(
    wrong: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    measured: list[Design] = []

    def choose(name: str, *, width: int) -> Core:
        chosen = core(name, width=width)
        if width != wrong:
            return chosen
        old, new = "assign p_o         = ", "assign p_o = 1 ^ "
        return with_files(chosen, edited(chosen, old, new, tmp_path).hardware.files)

    def measure(chosen: Design, target: str, **options: Any) -> None:
        measured.append(chosen)

    monkeypatch.setattr(demo, "OUTPUT", tmp_path / "out")
    monkeypatch.setattr(demo, "WIDTH", 16)
    monkeypatch.setattr(demo, "FPGA_WIDTH", 13)
    monkeypatch.setattr(demo, "OPERATIONS", 50)
    monkeypatch.setattr(demo, "rsa_modulus", lambda bits: (1 << bits) - 1)
    monkeypatch.setattr(demo, "core", choose)
    monkeypatch.setattr(demo, "measure", measure)
    with pytest.raises(CheckFailedError, match=rf"width={wrong}.*50 of 50"):
        demo.main()
    assert [chosen.contract.width for chosen in measured] == ([] if wrong == 16 else [16])
