# SPDX-License-Identifier: Apache-2.0
"""Trials by Optuna: the frontier of a small space, spaces too large to list, resumption."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from typer.testing import CliRunner

from montforge.cli.app import app
from montforge.errors import InputFileError, MontforgeError, ParameterError
from montforge.explore import Exploration, explore, write_exploration
from montforge.explore.files import FILES, PAGE
from montforge.explore.frontier import Cost, frontier
from montforge.explore.space import Candidate, read_grids, read_space
from montforge.explore.trials import SAMPLERS, search_trials
from montforge.hardware.forms import PARALLEL

from .fakes import Fake

RMM = '[[space]]\narch = "rmm"\n'
SPACE = (
    RMM + 'k = { from = 2, to = 16 }\nm = { from = 1, to = 30 }\nvariant = ["published", "fast"]\n'
)
LARGE = SPACE + "width = { from = 64, to = 256 }\n"


class Landscape:
    """Costs of which every k has good m; `fast` is better than `published`."""

    def __init__(self, reverse: bool = False) -> None:
        self.asked: list[Candidate] = []
        self._reverse = reverse

    def __call__(self, candidates: Sequence[Candidate]) -> Mapping[Candidate, Cost]:
        self.asked += candidates
        order = candidates[::-1] if self._reverse else candidates
        return {each: self.cost(each) for each in order if each.design.parameters["k"] != 7}

    @staticmethod
    def cost(candidate: Candidate) -> Cost:
        p = candidate.design.parameters
        k, m = int(p["k"]), int(p["m"])
        slow = 1.3 if p["variant"] == "published" else 1.0
        area = 1e4 + 3e5 * m / k**1.5 + 1500 * k
        return area, slow * (2.2 * k * k / m + 3 + 0.2 * k + 0.1 * m)


def written(folder: Path, text: str) -> Path:
    path = folder / "large.toml"
    path.write_text(text)
    return path


def asked(path: Path, landscape: Landscape, *, seed: int = 1, sampler: str = "tpe") -> set[object]:
    found, _ = search_trials(read_grids(path, 256), PARALLEL, 60, seed, sampler, landscape)
    assert len(landscape.asked) == len(set(landscape.asked)) == len(found) == 60
    return {each.design for each in found}


def test_trials_are_spent_near_the_frontier(tmp_path: Path) -> None:
    path = written(tmp_path, SPACE)
    legal = [c for c in read_space(path, 256).candidates if c.design.parameters["k"] != 7]
    best = {legal[i].design for i in frontier([Landscape.cost(each) for each in legal])}
    found = {name: len(best & asked(path, Landscape(), sampler=name)) for name in SAMPLERS}
    assert found["tpe"] > 0.6 * len(best)
    assert found["tpe"] > found["random"]


def test_a_seed_gives_the_same_designs_whatever_the_order_of_results(tmp_path: Path) -> None:
    path = written(tmp_path, SPACE)
    same = [asked(path, Landscape()), asked(path, Landscape(reverse=True))]
    assert same[0] == same[1] != asked(path, Landscape(), seed=2)


def test_a_space_that_is_too_large_to_list(tmp_path: Path) -> None:
    path = written(tmp_path, LARGE)
    with pytest.raises(InputFileError, match=r"173,700 combinations.*--trials"):
        read_space(path, 256)
    assert len(asked(path, Landscape())) == 60


def run(space: Path, **options: object) -> Exploration:
    return explore("table2", width=16, space=space, workers=2, **options)  # type: ignore[arg-type]


def test_all_of_a_small_space(fake: Fake, space: Path, tmp_path: Path) -> None:
    log = fake()
    found, grid = run(space, trials=30), run(space)
    assert found.rows == grid.rows and found.frontier == grid.frontier
    assert len(log.read_text().splitlines()) == 6
    write_exploration(found, tmp_path / "out")
    assert {path.name for path in (tmp_path / "out").iterdir()} == {*FILES, PAGE}


def test_trials_go_on_where_they_were_stopped(fake: Fake, space: Path) -> None:
    log = fake("if p['m'] == 2: os._exit(7)")
    done = []

    def stop(status: object) -> None:
        done.append(status)
        if len(done) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(space, trials=4, report=stop)
    found = run(space, trials=4)
    assert len(found.rows) == 4 and found.failed
    assert "--trials 4 --seed 1" in found.command
    measured = log.read_text().splitlines()
    assert len(measured) <= 4 + 2  # two ran when it was stopped
    assert run(space, trials=4).rows == found.rows
    assert log.read_text().splitlines() == measured


def test_several_architectures_and_one_without_legal_designs(fake: Fake, tmp_path: Path) -> None:
    fake("p['k'], p['m'] = p.get('k', 1), p.get('m', 1)")
    text = RMM + 'k = [2, 3]\n[[space]]\narch = "mm_r2"\n[[space]]\narch = "rmm"\nk = 2\nm = 9\n'
    found = run(written(tmp_path, text), trials=20)
    assert [row.label for row in found.rows] == ["rmm(k=2, m=4)", "rmm(k=3, m=4)", "mm_r2"]
    assert found.left_out == 1
    only = run(written(tmp_path, text), trials=20, architectures=("mm_r2",))
    assert [row.label for row in only.rows] == ["mm_r2"]
    with pytest.raises(ParameterError, match="m = 9"):
        run(written(tmp_path, RMM + "k = 2\nm = 9\n"), trials=5)


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["--trials", "0"], "trials"),
        (["--trials", "4", "--points", "points.toml"], "points"),
        (["--trials", "4", "--sampler", "gp"], "tpe"),
        (["--trials", "4", "--arch", "nosuch"], "nosuch"),
        (["--trials", "4", "--form", "nosuch"], "nosuch"),
    ],
)
def test_wrong_words(words: list[str], named: str, fake: Fake, tmp_path: Path) -> None:
    fake()
    where = ["--target", "table2", "--width", "16", "-o", str(tmp_path / "out")]
    done = CliRunner().invoke(app, ["explore", *where, *words])
    assert isinstance(done.exception, MontforgeError)
    assert named in str(done.exception)
