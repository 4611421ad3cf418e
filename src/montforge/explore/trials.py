# SPDX-License-Identifier: Apache-2.0
"""A search of grids of any size by Optuna, which proposes each design from the costs so far."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from montforge.arch import Design
from montforge.errors import ParameterError, UnknownNameError
from montforge.explore.frontier import Cost, Measure
from montforge.explore.space import Candidate, Grid
from montforge.work.extras import require

if TYPE_CHECKING:
    from optuna.samplers import BaseSampler
    from optuna.trial import Trial

SAMPLERS = ("tpe", "nsga2", "random")
"""Optuna's samplers: a tree-structured Parzen estimator, a genetic algorithm, chance."""
ROUND = 8
"""Designs that are proposed before the first of them has a cost, so that many can be measured at a
time: the same number whatever the workers, so that a seed gives the same designs."""
PROPOSALS = 20
"""The most proposals for each design, as some are illegal or known."""


def search_trials(
    grids: Sequence[Grid], form: str, trials: int, seed: int, sampler: str, measure: Measure
) -> tuple[list[Candidate], int]:
    """Call ``measure`` for ``trials`` designs of ``grids``; return them, and how many were illegal.

    ``sampler`` is one of `SAMPLERS`. Two figures are made small, area and latency, each as its
    logarithm. Fewer designs come if the grids have no more, or legal ones are rare. Raises
    ToolMissingError without Optuna, ParameterError if none is legal.
    """
    require("search", "optuna")
    with _quiet():
        return _search(grids, form, trials, _sampler(sampler, seed), measure)


def _search(
    grids: Sequence[Grid], form: str, trials: int, sampler: BaseSampler, measure: Measure
) -> tuple[list[Candidate], int]:
    from optuna import create_study
    from optuna.trial import TrialState

    study = create_study(directions=["minimize"] * 2, sampler=sampler)
    found: dict[Design, Candidate] = {}
    costs: dict[Design, Cost] = {}
    illegal: dict[tuple[int, tuple[int, ...]], str] = {}
    proposals = 0
    while len(found) < trials and proposals < PROPOSALS * trials:
        asked: list[tuple[Trial, Design]] = []
        new: dict[Design, Candidate] = {}
        for _ in range(min(ROUND, trials - len(found))):
            proposals += 1
            trial = study.ask()
            place = _place(trial, grids)
            design = _design(grids, form, *place)
            if isinstance(design, Design):
                if design not in found:
                    new[design] = Candidate(design, *place)
                asked.append((trial, design))
            else:
                illegal[place] = design
                study.tell(trial, state=TrialState.FAIL)
        measured = measure(list(new.values()))
        found |= new
        costs |= {candidate.design: cost for candidate, cost in measured.items()}
        for trial, design in asked:
            if design in costs:
                study.tell(trial, [math.log(value) for value in costs[design]])
            else:
                study.tell(trial, state=TrialState.FAIL)
    if not found:
        raise ParameterError(f"no combination of {proposals} is legal: {[*illegal.values()][-1]}")
    return sorted(found.values(), key=lambda each: (each.grid, each.position)), len(illegal)


def _place(trial: Trial, grids: Sequence[Grid]) -> tuple[int, tuple[int, ...]]:
    """Return a grid and a position in it, as a trial suggests them."""
    at = trial.suggest_categorical("grid", range(len(grids))) if len(grids) > 1 else 0
    position = []
    for axis in grids[at].axes:
        name, count = f"{at}.{axis.name}", len(axis.values)
        if axis.ordered:
            position.append(trial.suggest_int(name, 0, count - 1))
        else:
            position.append(trial.suggest_categorical(name, range(count)))
    return at, tuple(position)


def _design(grids: Sequence[Grid], form: str, grid: int, position: tuple[int, ...]) -> Design | str:
    """Return the design at a position of a grid, or why there is none."""
    try:
        return grids[grid].design(position).with_form(form)
    except (ParameterError, UnknownNameError) as error:
        return str(error)


def _sampler(name: str, seed: int) -> BaseSampler:
    from optuna import samplers

    if name == "random":
        return samplers.RandomSampler(seed)
    if name == "nsga2":
        return samplers.NSGAIISampler(population_size=2 * ROUND, seed=seed)
    # With liars, designs of a round differ; a group has parameters of one grid together.
    return samplers.TPESampler(seed=seed, constant_liar=True, multivariate=True, group=True)


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep Optuna's lines of each trial and its notes on options to itself."""
    from optuna import exceptions, logging

    level = logging.get_verbosity()
    logging.set_verbosity(logging.ERROR)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", exceptions.ExperimentalWarning)
            yield
    finally:
        logging.set_verbosity(level)
