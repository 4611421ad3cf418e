# SPDX-License-Identifier: Apache-2.0
"""Parameter ``clear`` of any core: names, contract, refusals, operations through `mf_clear`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from montforge.arch import Core, core, cores, design
from montforge.errors import ParameterError
from montforge.generate import generate
from montforge.verify import verify

WIDTH = 8


@pytest.mark.parametrize("name", cores())
def test_without_it_a_design_is_as_before(name: str) -> None:
    plain, zero, cleared = (
        core(name, width=WIDTH, **given) for given in ({}, {"clear": 0}, {"clear": 3})
    )
    assert zero == plain and "clear" not in f"{plain.words} {plain.identifier} {plain.parameters}"
    assert not any("clear" in path.name for path in plain.hardware.files)
    assert "clearing" not in plain.contract.to_json()
    assert cleared.parameters == {**plain.parameters, "clear": 3}
    assert cleared.contract.to_json()["clearing"] == cleared.contract.clearing > 0
    assert cleared.contract.latency == plain.contract.latency
    assert cleared.contract.interval == plain.contract.interval
    assert core(name, **cleared.parameters) == cleared


@pytest.mark.parametrize(
    "chosen",
    [
        core("mm_r2", width=WIDTH, clear=1),
        core("scs_mm_skip", width=WIDTH, clear=2),  # its latency depends on data
        core("full_pipelined", width=WIDTH, clear=1),  # several under way
        core("fixed_prime", width=16, clear=1),
        core("unit_dsp", width=WIDTH, clear=5),  # slots
        core("modexp", width=WIDTH, multiplier="full_pipelined", chains=2, clear=1),
        core("grossschaedl", modulus=0xB5, clear=1),
    ],
    ids=str,
)
def test_operations(chosen: Core) -> None:
    report = verify(chosen, operations=60, chain_length=20, seed=1, workers=1)
    assert report.mismatches == 0


def test_operations_through_registers() -> None:
    chosen = core("mm_r2", width=64, clear=1).with_form("axi")
    harness = chosen.interface.harness
    assert harness is not None and harness.cycles < 2 * chosen.contract.clearing
    report = verify(chosen, mode="random", operations=40, seed=1, workers=1)
    assert report.mismatches == 0


def test_refusals() -> None:
    with pytest.raises(ParameterError, match=r"clear = 256 is out of range.*0 to 255"):
        core("mm_r2", clear=256)
    with pytest.raises(ParameterError, match="loads its modulus"):
        core("modexp", width=16, constants="hardware", clear=1)
    with pytest.raises(ParameterError, match=r"multiplier.clear = 1 is not legal"):
        design("modexp", width=16, multiplier="mm_r2", **{"multiplier.clear": 1})
    for form in ("native", "axis"):
        with pytest.raises(ParameterError, match=f"{form}: no parameter clear"):
            core("tenca_koc", clear=1).with_form(form)


def test_a_folder_says_so(tmp_path: Path) -> None:
    folder = generate(core("mm_r2", width=16, clear=1), tmp_path / "out")
    assert json.loads((folder / "contract.json").read_text())["clearing"] == 22
    assert "overwrites its registers" in (folder / "README.md").read_text()
    folder = generate(core("mm_r2", width=16, clear=1).with_form("axi"), tmp_path / "axi")
    assert "write of zeroize" in (folder / "README.md").read_text()
