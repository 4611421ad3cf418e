# SPDX-License-Identifier: Apache-2.0
"""Points and space files: what they mean, and how bad ones are refused."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from montforge.arch import cores, design
from montforge.errors import InputFileError, MontforgeError, ParameterError, UnknownNameError
from montforge.explore.space import Space, default_space, read_points, read_space
from montforge.papers.data import paper

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "file.toml"
    path.write_text(text)
    return path


def names(space: Space) -> list[str]:
    return [str(candidate.design) for candidate in space.candidates]


def test_points(tmp_path: Path) -> None:
    text = '[[point]]\narch = "mm_r2"\n[[point]]\narch = "rmm"\nk = 2\nm = 3\nwidth = 24\n'
    found = read_points(written(tmp_path, text), 16)
    assert [c.design for c in found.candidates] == [
        design("mm_r2", width=16),
        design("rmm", width=24, k=2, m=3),
    ]


def test_grid_leaves_out_illegal_combinations(tmp_path: Path) -> None:
    text = '[[space]]\narch = "rmm"\nk = { from = 2, to = 4 }\nm = { from = 1, to = 9, step = 4 }\n'
    found = read_space(written(tmp_path, text), 16)
    pairs = [(c.design.parameters["k"], c.design.parameters["m"]) for c in found.candidates]
    assert pairs == [(2, 1), (3, 1), (3, 5), (3, 9), (4, 1), (4, 5), (4, 9)]
    assert found.left_out == 2  # m = 5 and 9 with k = 2


def test_parts_and_their_parameters_are_axes(tmp_path: Path) -> None:
    text = (
        '[[space]]\narch = "modexp"\nmultiplier = ["booth_csa", "scs_mm_ct"]\n'
        '"multiplier.radix" = [4, 16]\nalgorithm = ["window", "ladder"]\n'
        '[[space]]\narch = "modexp"\nmultiplier = "scs_mm_ct"\n'
    )
    found = read_space(written(tmp_path, text), 16)
    booth = {"width": 16, "multiplier": "booth_csa"}
    assert [c.design for c in found.candidates] == [
        *(
            design("modexp", **booth, algorithm=algorithm, **{"multiplier.radix": radix})
            for radix in (4, 16)
            for algorithm in ("window", "ladder")
        ),
        design("modexp", width=16, multiplier="scs_mm_ct"),
    ]
    assert found.left_out == 4  # scs_mm_ct has no radix


def test_illegal_combinations_of_other_architectures_do_not_count(tmp_path: Path) -> None:
    rmm = '[[space]]\narch = "rmm"\nk = [2, 4]\nm = [1, 9]\n'
    found = read_space(written(tmp_path, rmm + '[[space]]\narch = "mm_r2"\n'), 16)
    assert found.left_out == found.only(["rmm"]).left_out == 1
    assert found.only(["mm_r2"]).left_out == 0


def test_each_design_once(tmp_path: Path) -> None:
    text = '[[space]]\narch = "rmm"\nk = [2, 3, 3]\n[[space]]\narch = "rmm"\nk = [3, 4]\n'
    assert len(names(read_space(written(tmp_path, text), 16))) == 3


def test_default_space_has_every_architecture() -> None:
    found = default_space(256, tuple(cores()))
    assert {c.design.name for c in found.candidates} == set(cores())
    assert {c.design.contract.width for c in found.candidates} == {256}


def test_only_some_architectures() -> None:
    found = default_space(64)
    assert names(found.only(["mm_r2"])) == ["mm_r2(width=64)"]
    with pytest.raises(UnknownNameError, match="'mm_r2'"):
        found.only(["mm_r3"])


def test_the_default_space_has_multipliers_unless_others_are_named() -> None:
    def kinds(found: Space) -> set[str]:
        return {c.design.contract.function.name for c in found.candidates}

    assert kinds(default_space(64)) == {"montgomery_product"}
    assert kinds(default_space(64, ["modexp"]).only(["modexp"])) == {"power"}


def test_a_form_is_that_of_all_designs_and_leaves_out_those_without_it(tmp_path: Path) -> None:
    text = '[[space]]\narch = "eberle"\nk = [2, 4]\n[[space]]\narch = "mm_r2"\n'
    space = read_space(written(tmp_path, text), 8)
    native, bus = space.in_form("native"), space.in_form("axi")
    assert [c.design.name for c in native.candidates] == ["eberle", "eberle"]
    assert {c.design.form for c in native.candidates} == {"native"}
    assert len(bus.candidates) == 3 and space.in_form("parallel") == space
    with pytest.raises(ParameterError, match="form native"):
        space.only(["mm_r2"]).in_form("native")
    with pytest.raises(UnknownNameError, match="'bus'"):
        space.in_form("bus")


def test_only_none_left(tmp_path: Path) -> None:
    found = read_points(written(tmp_path, '[[point]]\narch = "mm_r2"\n'), 16)
    with pytest.raises(ParameterError, match="rmm"):
        found.only(["rmm"])


BAD = [
    ("space", "k = [", "is not a TOML file"),
    ("space", "", r"has no \[\[space\]\] table"),
    ("space", "space = 3", r"has no \[\[space\]\] table"),
    ("space", 'spaces = 1\n[[space]]\narch = "rmm"', "unknown key 'spaces'"),
    ("space", '[[point]]\narch = "rmm"', "this one is for --points"),
    ("point", '[[space]]\narch = "rmm"', "this one is for --space"),
    ("space", "[[space]]\nk = 3", 'space 1 of .*; write arch = "NAME"'),
    ("space", '[[space]]\narch = "rm"', "unknown architecture 'rm'; did you mean 'rmm'"),
    ("space", '[[space]]\narch = "rmm"\nq = 3', "unknown parameter of rmm 'q'"),
    ("space", '[[space]]\narch = "rmm"\nk = 99', "k = 99 is out of range"),
    ("space", '[[space]]\narch = "rmm"\nk = [2, true]', "k = True is not an integer"),
    ("space", '[[space]]\narch = "rmm"\nk = []', "k has no value"),
    ("space", '[[space]]\narch = "rmm"\nk = { from = 3 }', "is no range; write k = { from"),
    ("space", '[[space]]\narch = "rmm"\nk = { from = 4, to = 3 }', "is no range"),
    ("space", '[[space]]\narch = "rmm"\nk = { from = 2, to = 4, step = 0 }', "is no range"),
    ("space", '[[space]]\narch = "rmm"\nvariant = ["quick"]', "variant"),
    ("space", '[[space]]\narch = "rmm"\nk = 2\nm = [5, 9]', "no combination of the space is legal"),
    (
        "space",
        '[[space]]\narch = "rmm"\nk = {from=2, to=16}\nm = {from=1, to=256}\n'
        "width = {from=8, to=99}",
        "353,280 combinations; at most 100,000",
    ),
    ("space", '[[space]]\narch = "modexp"\nmultiplier = "rm"', "did you mean 'rmm'"),
    ("space", '[[space]]\narch = "modexp"\nmultiplier.radix = 4', 'write "multiplier.radix" ='),
    ("space", '[[space]]\narch = "modexp"\n"multiplier.radix" = 5', "radix = 5 is out of range"),
    ("space", '[[space]]\narch = "modexp"\n"multiplier.radx" = 4', "did you mean 'radix'"),
    ("space", '[[space]]\narch = "modexp"\nmultiplier = "fmle"', "a Montgomery multiplier"),
    ("point", '[[point]]\narch = "rmm"\nk = [2, 3]', "a point has one value"),
    (
        "point",
        '[[point]]\narch = "rmm"\n[[point]]\narch = "rmm"\nk = 2\nm = 5',
        "point 2 of .*m = 5",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "text", "message"), BAD)
def test_bad_files(tmp_path: Path, kind: str, text: str, message: str) -> None:
    read = {"space": read_space, "point": read_points}[kind]
    with pytest.raises(InputFileError, match=message) as caught:
        read(written(tmp_path, text), 16)
    assert isinstance(caught.value, MontforgeError)
    assert "file.toml" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(InputFileError, match=r"none\.toml"):
        read_space(tmp_path / "none.toml", 16)


def test_command_refuses_a_bad_file_with_status_2(tmp_path: Path) -> None:
    path = written(tmp_path, '[[space]]\narch = "rmm"\nk = 99\n')
    words = ["explore", "--target", "table2", "--space", path, "-o", tmp_path / "out"]
    done = subprocess.run(
        [sys.executable, "-c", "from montforge.cli import main; main()", *map(str, words)],
        capture_output=True,
        text=True,
        env={**os.environ, "COLUMNS": "80"},
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert "parameter k = 99 is out of range; k must be an integer from 2 to 16" in done.stderr
    assert not (tmp_path / "out").exists()


def test_the_space_of_the_docs_has_all_designs_of_the_paper() -> None:
    found = {c.design for c in read_space(BENCHMARKS / "explore_256.toml", 256).candidates}
    assert len(found) >= 60
    assert {entry.at_width(256) for entry in paper("grale2020").designs} <= found
