# SPDX-License-Identifier: Apache-2.0
"""The exploration itself: known results, designs to measure, and the processes that measure."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from montforge.arch import Design
from montforge.explore.frontier import Cost, Measure, frontier
from montforge.explore.job import request_of
from montforge.explore.results import Exploration, Row, cost, cost_with_wires, read_own
from montforge.explore.settings import SAMPLES, Settings
from montforge.explore.sources import liberty_path, pack_sources
from montforge.explore.space import Candidate, label, varying, varying_in
from montforge.explore.trials import search_trials
from montforge.hardware.forms import PARALLEL
from montforge.hardware.fpga import Fpga
from montforge.measure.measurement import (
    PLACEMENT_SEED,
    measure_command,
    simulation_inputs,
    tool_versions,
)
from montforge.measure.sweep import design_key
from montforge.measure.targets import StandardCells, Target, with_quick_effort
from montforge.verify import code_identity
from montforge.work.cache import ResultStore, content_hash
from montforge.work.command import unless
from montforge.work.extras import require

if TYPE_CHECKING:
    from montforge.explore.executors import Executor, Outcome

LASTING = ("time", "memory", "crash", "ToolFailedError", "ParameterError", "CheckFailedError")
"""Problems that the same design would have again, so that a resumed run skips it."""


@dataclass(frozen=True)
class Status:
    """How far an exploration is: designs done and in all, the last row, the seconds left.

    ``total`` is the number of trials of a search, and of the designs that are placed as far as
    they are known. ``remaining`` is an estimate for these from the designs that were measured so
    far, or None before the first one, and when it is not known yet what will be placed.
    """

    done: int
    total: int
    failed: int
    last: Row | None
    remaining: float | None


StatusFunction = Callable[[Status], None]


@dataclass(frozen=True)
class _Job:
    """How the designs of one exploration are measured; ``target`` has the effort's sweep.

    ``differing`` are the parameters that labels name; ``placed`` asks for figures with wires.
    """

    settings: Settings
    target: Target
    tools: dict[str, str]
    differing: frozenset[tuple[str, str]]
    placed: bool = False

    def key(self, design: Design) -> str:
        """Return the content hash of all that the design's figures depend on."""
        return content_hash(
            "exploration",
            code_identity(design),
            [design.name, dict(design.parameters)],
            [design_key(design.hardware), *simulation_inputs(design)],
            asdict(self.target),
            self.settings.samples if design.needs_samples else None,
            self.settings.seeds if isinstance(self.target, Fpga) else None,
            self.settings.netlist_check,
            self.placed,
            self.tools,
        )

    def kind(self, design: Design) -> str:
        """Return the name of designs that are assumed to take the same time."""
        return f"{design.name}, placed" if self.placed else design.name

    def failure_key(self, design: Design) -> str:
        """Return the key of a failure, which depends on the limits as well."""
        limits = (self.settings.time_limit, self.settings.memory_limit)
        return content_hash("exploration failure", self.key(design), limits)

    def request(self, design: Design) -> dict[str, Any]:
        """Return the request to the process that measures the design."""
        return request_of(
            design,
            target=self.settings.target,
            liberty=liberty_path(self.target),
            samples=self.settings.samples,
            seeds=self.settings.seeds,
            effort=self.settings.effort,
            netlist_check=self.settings.netlist_check,
            clock_gating=self.settings.clock_gating,
            placed=self.placed,
        )

    def row(self, design: Design, outcome: Outcome) -> Row:
        """Return the row of a design from its outcome."""
        figures: dict[str, Any] = outcome.get("figures", {})
        return Row.of(
            figures,
            design=design.identifier,
            label=label(design, self.differing),
            architecture=design.name,
            parameters=dict(design.parameters),
            status="measured" if figures else "failed",
            message=outcome.get("message", ""),
            handover=design.contract.handover,
            interval=design.interval_text,
            command=self._command(design),
            seconds=outcome["seconds"],
            peak_mb=outcome["peak_mb"],
            memory_bits=0 if isinstance(self.target, Fpga) else design.hardware.memory_bits,
            form=design.form,
        )

    def _command(self, design: Design) -> str:
        """Return the command that measures the design again."""
        given = self.settings
        return measure_command(
            design.words,
            given.target,
            given.liberty,
            given.seeds,
            given.effort,
            given.netlist_check,
            samples=unless(SAMPLES, given.samples) if design.needs_samples else None,
            seed=PLACEMENT_SEED if self.placed else None,
            clock_gating=given.clock_gating,
        )


class _Task(NamedTuple):
    """A design, and whether it is to be placed (or else measured without wires)."""

    design: Design
    placed: bool


class _Run:
    """One exploration under way: measures designs, places the best, and keeps their rows.

    A worker that no design of the round needs goes ahead: it places a design that is on the
    frontier of what is known now. Such an outcome counts only if a later round asks for it, so
    that the rows don't depend on which job ends first.
    """

    def __init__(
        self, job: _Job, executor: Executor, total: int, report: StatusFunction | None
    ) -> None:
        self._jobs = {placed: replace(job, placed=placed) for placed in (False, True)}
        self._executor = executor
        self._total = total
        self._report = report
        self._asked = job.settings
        self._placing = False
        self._store = ResultStore()
        self._round: dict[_Task, None] = {}
        self._started: list[_Task] = []
        self._running: set[_Task] = set()
        self._outcomes: dict[_Task, Outcome] = {}
        self._coming = executor.run(iter(self._next_request, object()))
        self._done: set[_Task] = set()
        self._times: list[tuple[str, float]] = []
        self.rows: dict[Design, Row] = {}

    def close(self) -> None:
        """End the jobs that still run."""
        self._coming.close()

    def measure(self, candidates: Sequence[Candidate]) -> Mapping[Candidate, Cost]:
        """Measure ``candidates`` that are not stored yet; return the costs of all."""
        self._complete(iter([[_Task(candidate.design, placed=False) for candidate in candidates]]))
        return {
            candidate: cost(self.rows[candidate.design])
            for candidate in candidates
            if self.rows[candidate.design].status == "measured"
        }

    def place(self) -> None:
        """Place the measured designs that are on the frontier, until all on it are.

        With wires a design may fall behind others, which are then placed as well. One that can't be
        placed keeps its figures, and its row says why.
        """
        self._placing = True
        self._complete(self._frontiers())

    def _frontiers(self) -> Iterator[list[_Task]]:
        """Yield the designs to be placed, in rounds; the next depends on the figures of the last.

        The largest come first, as they take longest.
        """
        while True:
            tasks = [_Task(design, placed=True) for design in _best(self.rows)]
            waiting = [task for task in tasks if task not in self._done]
            if not waiting:
                return
            self._total += len(waiting)
            yield waiting

    def _complete(self, rounds: Iterator[list[_Task]]) -> None:
        """Make the rows of the designs in each of ``rounds``, from the store or by running them."""
        ended: list[Row | None] = [None]
        while True:
            while not self._round and (tasks := next(rounds, None)) is not None:
                for task in dict.fromkeys(tasks):
                    if not self._recall(task):
                        self._round[task] = None
                        continue
                    self._keep(task)
                    if task in self._started:  # ahead of its round
                        ended.append(self.rows[task.design])
            for row in ended:
                self._tell(row)
            if not self._round:
                return
            while (task := self._wait()) not in self._round:
                pass
            del self._round[task]
            self._keep(task)
            ended = [self.rows[task.design]]

    def _next_request(self) -> dict[str, Any] | None:
        """Return what a free worker is to run: of the round, or ahead of it; None for nothing."""
        waiting = (task for task in self._round if task not in self._running)
        task = next(waiting, None) or self._next_ahead()
        if task is None:
            return None
        self._started.append(task)
        self._running.add(task)
        return self._jobs[task.placed].request(task.design)

    def _next_ahead(self) -> _Task | None:
        """Return a design to place that is on the frontier of all that is known now, or None.

        A search does not go ahead while it measures, as it has learned little at its beginning.
        """
        while self._asked.placed and (self._placing or self._asked.trials is None):
            rows = dict(self.rows)
            for task, outcome in self._outcomes.items():
                if task not in self._done and task.placed:
                    rows[task.design] = self._row(task, outcome)
            best = [_Task(design, placed=True) for design in _best(rows)]
            unknown = [task for task in best if task not in self._outcomes]
            missing = [task for task in unknown if not self._recall(task)]
            if missing or not unknown:
                waiting = (task for task in missing if task not in self._running)
                return next(waiting, None)
        return None

    def _wait(self) -> _Task:
        """Wait for the outcome of a job, keep it, and return what was run."""
        number, outcome = next(self._coming)
        task = self._started[number]
        design, job = task.design, self._jobs[task.placed]
        self._running.remove(task)
        self._outcomes[task] = outcome
        if "figures" in outcome:
            self._store.put(job.key(design), "exploration", outcome)
        elif outcome["problem"] in LASTING:
            self._store.put(job.failure_key(design), "exploration failure", outcome)
        if "elapsed" in outcome:
            self._times.append((job.kind(design), outcome["elapsed"]))
        return task

    def _recall(self, task: _Task) -> bool:
        """Return whether there is an outcome, of this run or in the store."""
        if task in self._outcomes:
            return True
        design, job = task.design, self._jobs[task.placed]
        found = self._store.get(job.key(design))
        if found is None and not job.settings.retry:
            found = self._store.get(job.failure_key(design))
        if found is None:
            return False
        self._outcomes[task] = found
        return True

    def _keep(self, task: _Task) -> None:
        """Make the row of a design from its outcome."""
        self._done.add(task)
        self.rows[task.design] = self._row(task, self._outcomes[task])

    def _row(self, task: _Task, outcome: Outcome) -> Row:
        """Return the row of an outcome; one of placing is added to the row before."""
        design, placed = task
        row = self._jobs[placed].row(design, outcome)
        if not placed:
            return row
        known = self.rows[design]
        if row.status != "measured":
            return replace(known, message=f"no figures with wires: {row.message}")
        if known.seconds is not None and row.seconds is not None:
            return replace(row, seconds=known.seconds + row.seconds)
        return row

    def _tell(self, last: Row | None) -> None:
        if self._report is None:
            return
        failed = sum(row.message != "" for row in self.rows.values())
        names = [self._jobs[placed].kind(design) for design, placed in self._round]
        unknown = self._total - len(self._done) - len(names)  # later rounds of a search
        names += [""] * unknown
        left = None  # as long as it is unknown what will be placed
        if names or self._placing or not self._asked.placed:
            left = remaining_seconds(self._times, names, self._executor.workers)
        self._report(Status(len(self._done), self._total, failed, last, left))


def _best(rows: Mapping[Design, Row]) -> list[Design]:
    """Return the designs on the frontier of ``rows``, the largest first."""
    measured = [design for design, row in rows.items() if row.status == "measured"]
    best = frontier([cost_with_wires(rows[design]) for design in measured])
    return [measured[i] for i in reversed(best)]


def remaining_seconds(
    times: Sequence[tuple[str, float]], waiting: Sequence[str], workers: int
) -> float | None:
    """Return an estimate of the time that the ``waiting`` designs need, or None without basis.

    ``times`` are architectures and seconds of finished designs, ``waiting`` architectures. A
    design is assumed to take the mean of its architecture, or of all if there is none yet.
    """
    if not waiting:
        return 0.0
    if not times:
        return None
    overall = sum(seconds for _, seconds in times) / len(times)
    groups: dict[str, list[float]] = {}
    for name, seconds in times:
        groups.setdefault(name, []).append(seconds)
    means = {name: sum(group) / len(group) for name, group in groups.items()}
    total = sum(means.get(name, overall) for name in waiting)
    return total / min(workers, len(waiting))


@dataclass(frozen=True)
class _Plan:
    """The designs of an exploration: the parameters that labels name, and their number.

    ``run`` has them measured, and returns all that there are to choose from, in the order of the
    rows, and the number of illegal combinations.
    """

    differing: frozenset[tuple[str, str]]
    total: int
    run: Callable[[Measure], tuple[Sequence[Candidate], int]]


def _plan(settings: Settings) -> _Plan:
    """Return the designs that the settings ask for. Raises MontforgeError."""
    if settings.trials is not None:
        grids = settings.grids()
        total = min(settings.trials, sum(grid.size for grid in grids))
        options = (settings.form, total, settings.seed, settings.sampler)
        return _Plan(varying_in(grids), total, partial(search_trials, grids, *options))
    space = settings.designs()
    candidates = space.candidates

    def run(measure: Measure) -> tuple[Sequence[Candidate], int]:
        measure(candidates)
        return candidates, space.left_out

    differing = varying(candidate.design for candidate in candidates)
    return _Plan(differing, len(candidates), run)


def explore(
    target: str | None = None, *, report: StatusFunction | None = None, **settings: Any
) -> Exploration:
    """Measure a space of designs as `explore_space` does, with `Settings` given by keywords."""
    return explore_space(Settings(target, **settings), report)


def explore_space(settings: Settings, report: StatusFunction | None = None) -> Exploration:
    """Measure a space of designs and return their frontier of area and time of an operation.

    A design that fails is a row without figures. All outcomes are kept in the cache as soon as
    they are there, so an interrupted exploration goes on where it stopped; failures of earlier
    runs count as done unless the settings say ``retry``. Raises UnknownNameError, ParameterError,
    InputFileError, ToolMissingError.
    """
    require("explore", "matplotlib", "pandas", "plotly", "pyarrow")
    from montforge.explore.executors import make_executor  # its psutil is not in a browser

    begin = time.monotonic()
    plan, found = _plan(settings), settings.find_target()
    own = tuple(read_own(path, found.name) for path in settings.own)
    swept = found
    if settings.effort == "quick" and isinstance(found, StandardCells):
        swept = with_quick_effort(found)
    job = _Job(
        settings,
        target=swept,
        tools=tool_versions(found),
        differing=plan.differing,
    )
    with (
        make_executor(pack_sources(found), settings) as executor,
        closing(_Run(job, executor, plan.total, report)) as run,
    ):
        candidates, left_out = plan.run(run.measure)
        designs = [each.design for each in candidates if each.design in run.rows]
        if settings.placed:
            run.place()
    widths = sorted({design.size for design in designs})
    return Exploration(
        title=f"{', '.join(map(str, widths))} bits on {found.name}"
        + (f", form {settings.form}" if settings.form != PARALLEL else ""),
        target=found.name,
        target_title=found.title,
        command=settings.command,
        rows=tuple(run.rows[design] for design in designs) + own,
        left_out=left_out,
        placed=settings.placed,
        seconds=round(time.monotonic() - begin, 2),
    )
