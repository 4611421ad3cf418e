# SPDX-License-Identifier: Apache-2.0
"""Liberty files: which are refused, and what is derived from a user's library."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from montforge.errors import InputFileError, ParameterError, ToolMissingError, UnknownNameError
from montforge.hardware.liberty import read_liberty, scan_liberty, with_no_wire_load
from montforge.measure import find_target, target_names
from montforge.measure.table2 import table2_genlib, table2_liberty
from montforge.measure.targets import Fpga, StandardCells, _library_path

SMALL = """\
/* a comment with a cell (NOT_A_CELL) { */
library ("small") {
  capacitive_load_unit (1, pf);
  wire_load ("W") { capacitance : 1; resistance : 0; slope : 1; fanout_length (1, 1); }
  default_wire_load : "W";
  cell (BUF1) { area : 2; pin (A) { direction : input; capacitance : 0.002; }
    pin (Y) { direction : output; function : "A"; } }
  cell ("BUF2") { area : 3; pin (A) { direction : input; capacitance : 0.004; }
    pin (Y) { direction : output; function : "(A)"; } }
  cell (INV) { area : 1; pin (A) { direction : input; capacitance : 0.003; }
    pin (Y) { direction : output; function : "(!A)"; } }
  cell (AND2) { area : 2; pin (A) { direction : input; } pin (B) { direction : input; }
    pin (Y) { direction : output; function : "A & B"; } }
  cell (DFF) { area : 5; ff (IQ, IQN) { clocked_on : "CK"; next_state : "D"; }
    pin (CK) { direction : input; } pin (D) { direction : input; }
    pin (Q) { direction : output; function : "IQ"; } }
  cell (EDFF) { area : 7; ff (IQ, IQN) { clocked_on : "CK"; next_state : "(D E) + (IQ !E)"; }
    pin (CK) { direction : input; } pin (D) { direction : input; } pin (E) { direction : input; }
    pin (Q) { direction : output; function : "IQ"; } }
}
"""

BAD = {
    "empty": b"",
    "blank": b" \n\n",
    "text": b"module m; endmodule\n",
    "no cells": b"library (x) { time_unit : 1ns; }\n",
    "cut off": SMALL[:-20].encode(),
    "cut off gzip": gzip.compress(SMALL.encode())[:-30],
    "binary": bytes(range(256)),
}


@pytest.mark.parametrize("content", BAD.values(), ids=BAD.keys())
def test_a_file_that_is_no_liberty_file_is_refused(
    content: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MONTFORGE_CACHE", str(tmp_path / "cache"))
    path = tmp_path / "bad.lib"
    path.write_bytes(content)
    with pytest.raises(InputFileError, match=r"bad\.lib"):
        find_target(liberty=path)
    assert not (tmp_path / "cache").exists()


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputFileError, match=r"missing\.lib"):
        find_target(liberty=tmp_path / "missing.lib")
    with pytest.raises(InputFileError, match="can't be read"):
        find_target(liberty=tmp_path)


def test_a_library_without_flip_flop_or_buffer_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.lib"
    path.write_text(SMALL.replace("ff (IQ", "latch (IQ"))
    with pytest.raises(InputFileError, match=r"x\.lib .*flip-flop"):
        find_target(liberty=path)
    path.write_text(SMALL.replace('"A"', '"0"').replace('"(A)"', '"0"').replace('"(!A)"', '"0"'))
    with pytest.raises(InputFileError, match=r"x\.lib .*buffer"):
        find_target(liberty=path)


def test_defaults_of_a_users_library(tmp_path: Path) -> None:
    path = tmp_path / "mine.lib.gz"
    path.write_bytes(gzip.compress(SMALL.encode()))
    target = find_target(liberty=path)
    assert isinstance(target, StandardCells)
    assert target.name == "mine.lib.gz"
    assert target.driver == "BUF2"
    assert target.load_ff == 9.0
    assert target.dont_use == ("EDFF",)
    assert target.wire_load == "W"


def test_comments_and_wire_loads(tmp_path: Path) -> None:
    path = tmp_path / "x.lib"
    path.write_text(SMALL)
    text = read_liberty(path)
    assert [c.name for c in scan_liberty(text).cells] == [
        "BUF1", "BUF2", "INV", "AND2", "DFF", "EDFF",
    ]  # fmt: skip
    added = with_no_wire_load(text)
    assert added.count("{") == added.count("}")
    assert scan_liberty(added).wire_load == "W"


def test_every_registered_target_is_known() -> None:
    assert {
        "osu018", "table2", "nangate45", "sky130hd", "ecp5-25k", "ecp5-45k", "ecp5-85k", "xcup",
        "xc7", "intel", "ice40-hx8k", "nexus-40", "gowin-gw2a18", "gatemate-a1",
    } == set(target_names())  # fmt: skip
    assert isinstance(find_target("ecp5-85k"), Fpga)


def test_an_unknown_target_names_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="'nangate45'"):
        find_target("nangate54")
    with pytest.raises(ParameterError, match="no target: name one of ecp5"):
        find_target()


def test_an_fpga_takes_no_liberty_file(tmp_path: Path) -> None:
    path = tmp_path / "x.lib"
    path.write_text(SMALL)
    for name in ("xcup", "table2"):
        with pytest.raises(ParameterError, match=f"target {name} .*Liberty"):
            find_target(name, path)


def test_a_registered_library_on_a_users_file(tmp_path: Path) -> None:
    path = tmp_path / "x.lib"
    path.write_text(SMALL.replace("BUF2", "BUF_X2"))
    target = find_target("nangate45", path)
    assert isinstance(target, StandardCells)
    assert (target.name, target.driver) == ("nangate45", "BUF_X2")
    assert "EDFF" in target.liberty


def test_a_registered_library_on_a_file_of_another_one(tmp_path: Path) -> None:
    path = tmp_path / "x.lib"
    path.write_text(SMALL)
    with pytest.raises(ParameterError, match=r"x\.lib .* nangate45: .* BUF_X2"):
        find_target("nangate45", path)


def test_a_library_that_is_not_ours_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MONTFORGE_TECH", str(tmp_path))
    with pytest.raises(InputFileError, match=rf"{tmp_path}.*MONTFORGE_TECH"):
        find_target("sky130hd")
    (tmp_path / "nangate45_typ.lib.gz").write_bytes(gzip.compress(SMALL.encode()))
    assert isinstance(find_target("nangate45"), StandardCells)


def test_no_folder_is_searched_unless_one_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither a folder beside the checkout nor one beside the working folder counts."""
    (tmp_path / "shared" / "tech").mkdir(parents=True)
    (tmp_path / "shared" / "tech" / "nangate45_typ.lib.gz").write_bytes(b"")
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    monkeypatch.delenv("MONTFORGE_TECH", raising=False)
    with pytest.raises(InputFileError, match=r"MONTFORGE_TECH.*--liberty"):
        find_target("nangate45")


def test_a_library_of_a_package_says_what_to_install() -> None:
    data = {"liberty": "/nonexistent/osu018.lib", "package": "qflow-tech-osu018"}
    with pytest.raises(ToolMissingError, match="apt-get install qflow-tech-osu018"):
        _library_path("osu018", data)


def test_table2_has_the_papers_figures() -> None:
    cells = {cell.name: cell for cell in scan_liberty(table2_liberty()).cells}
    assert cells["FA"].area == 1.0
    assert cells["REG"].area == cells["REG_CLEAR"].area == 0.88
    assert cells["MUX4"].area == 0.96
    assert cells["INV"].area == 0.04
    assert "GATE MUX2 0.36 Y=(S*B)+(!S*A); PIN * UNKNOWN 1 999 450 0 450 0" in table2_genlib()
    assert "GATE INV 0.04 Y=!A; PIN * UNKNOWN 1 999 220 0 220 0" in table2_genlib()
