# SPDX-License-Identifier: Apache-2.0
"""The exploration itself: what is known already, what must be measured, by whom."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from montforge.arch import Design
from montforge.errors import ParameterError, unknown_name
from montforge.explore.executors import Executor, Outcome, make_executor
from montforge.explore.job import request_of
from montforge.explore.results import Exploration, Row, cost
from montforge.explore.search import Cost, search
from montforge.explore.sources import liberty_path, pack_sources
from montforge.explore.space import (
    Candidate,
    Space,
    default_space,
    labels,
    read_points,
    read_space,
)
from montforge.hardware.forms import PARALLEL
from montforge.hardware.fpga import Fpga
from montforge.measure import find_target
from montforge.measure.measurement import (
    EFFORTS,
    measure_command,
    simulation_inputs,
    tool_versions,
)
from montforge.measure.sweep import design_key
from montforge.measure.targets import StandardCells, Target, with_quick_effort
from montforge.verify import code_identity
from montforge.work.cache import ResultStore, content_hash
from montforge.work.command import command_line, unless
from montforge.work.extras import require
from montforge.work.limits import check_limits

TIME_LIMIT = 7200.0
"""Seconds that a design may take unless another limit is given."""

SAMPLES = 2000
"""Operations for a mean latency unless it is given, the same as `montforge measure` takes."""

_LASTING = ("time", "memory", "crash", "ToolFailedError", "ParameterError", "CheckFailedError")
"""Problems that the same design would have again, so that a resumed run skips it."""


@dataclass(frozen=True)
class Status:
    """How far an exploration is: designs done and in all, the last row, the seconds left.

    ``total`` is the budget of a search. ``remaining`` is an estimate from the designs that were
    measured so far, or None before the first one.
    """

    done: int
    total: int
    failed: int
    last: Row | None
    remaining: float | None


StatusFunction = Callable[[Status], None]


@dataclass(frozen=True)
class _Job:
    """How the designs of one exploration are measured; ``target`` has the effort's sweep."""

    target: Target
    target_name: str | None
    liberty: Path | None
    samples: int
    seeds: int
    effort: str
    netlist_check: bool
    tools: dict[str, str]
    limits: tuple[float, float | None]
    labels: dict[Design, str]

    def key(self, design: Design) -> str:
        """Return the content hash of all that the design's figures depend on."""
        return content_hash(
            "exploration",
            code_identity(design),
            [design.name, dict(design.parameters)],
            [design_key(design.hardware), *simulation_inputs(design)],
            asdict(self.target),
            self.samples if design.needs_samples else None,
            self.seeds if isinstance(self.target, Fpga) else None,
            self.netlist_check,
            self.tools,
        )

    def failure_key(self, design: Design) -> str:
        """Return the key of a failure, which depends on the limits as well."""
        return content_hash("exploration failure", self.key(design), self.limits)

    def request(self, design: Design) -> dict[str, Any]:
        """Return what is sent to the process that measures the design."""
        return request_of(
            design,
            target=self.target_name,
            liberty=liberty_path(self.target),
            samples=self.samples,
            seeds=self.seeds,
            effort=self.effort,
            netlist_check=self.netlist_check,
        )

    def row(self, design: Design, outcome: Outcome) -> Row:
        """Return the row of a design from its outcome."""
        figures: dict[str, Any] = outcome.get("figures", {})
        path, load = figures.get("critical_path"), figures.get("wire_load")
        area, unit = figures.get("area"), figures.get("area_unit")
        resources = figures.get("resources")
        if resources is not None:
            area, unit = float(resources["lut"]), "LUT"
        latency, until_valid = figures.get("latency"), figures.get("time")
        return Row(
            design=design.identifier,
            label=self.labels[design],
            architecture=design.name,
            parameters=dict(design.parameters),
            status="measured" if figures else "failed",
            message=outcome.get("message", ""),
            area=area,
            area_unit=unit,
            area_registers=figures.get("area_registers"),
            resources=resources,
            period=figures.get("period"),
            period_no_wires=load["period_without"] if load else None,
            time_unit=figures.get("period_unit"),
            fmax_mhz=figures.get("fmax_mhz"),
            cycles=figures.get("cycles"),
            handover=design.contract.handover,
            interval=design.interval_text,
            latency=latency,
            area_latency=None if area is None or latency is None else area * latency,
            time=until_valid,
            area_time=None if area is None or until_valid is None else area * until_valid,
            critical_path=f"{path['start']} -> {path['end']}" if path else None,
            tools=figures.get("tools", {}),
            command=self._command(design),
            commit=figures.get("commit"),
            inputs=figures.get("inputs"),
            seconds=outcome["seconds"],
            peak_mb=outcome["peak_mb"],
            netlist_checked=figures.get("netlist_checked"),
            memory_bits=0 if isinstance(self.target, Fpga) else design.hardware.memory_bits,
            form=design.form,
        )

    def _command(self, design: Design) -> str:
        """Return the command that measures the design again."""
        return measure_command(
            design.words,
            self.target_name,
            self.liberty,
            self.seeds,
            self.effort,
            self.netlist_check,
            samples=unless(SAMPLES, self.samples) if design.needs_samples else None,
        )


class _Run:
    """One exploration under way: measures candidates and keeps their rows."""

    def __init__(
        self, job: _Job, executor: Executor, total: int, retry: bool, report: StatusFunction | None
    ) -> None:
        self._job = job
        self._executor = executor
        self._total = total
        self._retry = retry
        self._report = report
        self._store = ResultStore()
        self._times: list[tuple[str, float]] = []
        self.rows: dict[Design, Row] = {}

    def measure(self, candidates: Sequence[Candidate]) -> Mapping[Candidate, Cost]:
        """Measure ``candidates`` that are not stored yet; return the costs of all."""
        designs = [candidate.design for candidate in candidates]
        missing = [design for design in designs if not self._recall(design)]
        waiting = dict.fromkeys(missing)
        self._tell(None, waiting)
        requests = [self._job.request(design) for design in missing]
        with closing(self._executor.run(requests)) as outcomes:  # type: ignore[type-var]
            for index, outcome in outcomes:
                design = missing[index]
                self._keep(design, outcome)
                del waiting[design]
                self._tell(self.rows[design], waiting)
        return {
            candidate: cost(self.rows[candidate.design])
            for candidate in candidates
            if self.rows[candidate.design].status == "measured"
        }

    def _recall(self, design: Design) -> bool:
        """Take the row of a design from the store, if it is there."""
        found = self._store.get(self._job.key(design))
        if found is None and not self._retry:
            found = self._store.get(self._job.failure_key(design))
        if found is None:
            return False
        self.rows[design] = self._job.row(design, found)
        return True

    def _keep(self, design: Design, outcome: Outcome) -> None:
        if "figures" in outcome:
            self._store.put(self._job.key(design), "exploration", outcome)
        elif outcome["problem"] in _LASTING:
            self._store.put(self._job.failure_key(design), "exploration failure", outcome)
        self.rows[design] = self._job.row(design, outcome)
        if "elapsed" in outcome:
            self._times.append((design.name, outcome["elapsed"]))

    def _tell(self, last: Row | None, waiting: Mapping[Design, None]) -> None:
        if self._report is None:
            return
        failed = sum(row.status != "measured" for row in self.rows.values())
        names = [design.name for design in waiting]
        unknown = self._total - len(self.rows) - len(names)  # later rounds of a search
        left = remaining_seconds(self._times, names + [""] * unknown, self._executor.workers)
        self._report(Status(len(self.rows), self._total, failed, last, left))


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


def explore(
    target: str | None = None,
    *,
    liberty: Path | None = None,
    width: int = 256,
    architectures: Sequence[str] = (),
    space: Path | None = None,
    points: Path | None = None,
    form: str = PARALLEL,
    budget: int | None = None,
    seed: int = 1,
    samples: int = SAMPLES,
    seeds: int = 3,
    effort: str = "full",
    netlist_check: bool = False,
    workers: int | None = None,
    dask: str | None = None,
    time_limit: float = TIME_LIMIT,
    memory_limit: float | None = None,
    retry: bool = False,
    report: StatusFunction | None = None,
) -> Exploration:
    """Measure a space of designs and return their frontier of area and time of an operation.

    The designs are those of the file ``points``, of the file ``space`` (see
    `montforge.explore.space` for both forms), or of the default space, in each case only those
    of ``architectures`` if any are named, and those that have the ``form``. With ``budget`` a
    search chooses that many designs of the space near the frontier, from ``seed``; without, all
    are measured.

    ``target`` and ``liberty`` are those of `montforge.measure`, as are ``seeds`` (placements on
    an FPGA), ``effort`` and ``netlist_check`` (on standard cells); ``samples`` operations
    give the mean latency where it depends on data. ``workers``
    jobs run at a time as processes of this machine, or on a Dask cluster: ``dask`` is
    ``local`` or a scheduler's address. A job may take ``time_limit`` seconds, and
    ``memory_limit`` MB (default: its share of the free memory).

    A design that fails is a row without figures. All outcomes are kept in the cache as soon as
    they are there, so an interrupted exploration goes on where it stopped; failures of earlier
    runs count as done unless ``retry``. Raises UnknownNameError, ParameterError, InputFileError,
    ToolMissingError.
    """
    require("explore", "matplotlib", "pandas", "plotly", "pyarrow")
    begin = time.monotonic()
    chosen = _choose(space, points, width, architectures).only(architectures).in_form(form)
    found = find_target(target, liberty)
    _check(found, time_limit, memory_limit, budget, points, samples, seeds, workers)
    total = len(chosen.candidates) if budget is None else min(budget, len(chosen.candidates))
    job = _Job(
        target=_with_effort(found, effort),
        target_name=target,
        liberty=liberty,
        samples=samples,
        seeds=seeds,
        effort=effort,
        netlist_check=netlist_check,
        tools=tool_versions(found),
        limits=(time_limit, memory_limit),
        labels=labels([candidate.design for candidate in chosen.candidates]),
    )
    executor = make_executor(
        pack_sources(found),
        dask=dask,
        workers=workers,
        seconds=time_limit,
        memory_mb=memory_limit,
    )
    with executor:
        run = _Run(job, executor, total, retry, report)
        if budget is None:
            run.measure(chosen.candidates)
        else:
            search(chosen, budget, seed, run.measure)
    designs = (candidate.design for candidate in chosen.candidates)
    widths = sorted({each.design.size for each in chosen.candidates})
    return Exploration(
        title=f"{', '.join(map(str, widths))} bits on {found.name}"
        + (f", form {form}" if form != PARALLEL else ""),
        target=found.name,
        target_title=found.title,
        command=_command(
            target,
            liberty,
            width,
            architectures,
            space,
            points,
            form,
            budget,
            seed,
            samples,
            seeds,
            effort,
            netlist_check,
        ),
        rows=tuple(run.rows[design] for design in designs if design in run.rows),
        left_out=chosen.left_out,
        seconds=round(time.monotonic() - begin, 2),
    )


def _with_effort(target: Target, effort: str) -> Target:
    if effort not in EFFORTS:
        raise unknown_name("effort", effort, EFFORTS)
    if effort == "quick" and isinstance(target, StandardCells):
        return with_quick_effort(target)
    return target


def _choose(
    space: Path | None, points: Path | None, width: int, architectures: Sequence[str]
) -> Space:
    if points is not None and space is not None:
        raise ParameterError("give a points file or a space file, not both.")
    if points is not None:
        return read_points(points, width)
    return default_space(width, architectures) if space is None else read_space(space, width)


def _check(
    target: Target,
    time_limit: float,
    memory_limit: float | None,
    budget: int | None,
    points: Path | None,
    samples: int,
    seeds: int,
    workers: int | None,
) -> None:
    if isinstance(target, Fpga) and target.kind == "xcup":
        raise ParameterError(
            f"target {target.name} has no timing, so there is no latency to explore; use a"
            " standard-cell library or an ECP5."
        )
    if budget is not None and points is not None:
        raise ParameterError("a budget belongs to a space; all designs of a points file are run.")
    check_limits(samples=samples, seeds=seeds, budget=budget, workers=workers)
    check_limits(least=0.01, time_limit=time_limit, memory_limit=memory_limit)


def _command(
    target: str | None,
    liberty: Path | None,
    width: int,
    architectures: Sequence[str],
    space: Path | None,
    points: Path | None,
    form: str,
    budget: int | None,
    seed: int,
    samples: int,
    seeds: int,
    effort: str,
    netlist_check: bool,
) -> str:
    """Return the command that makes this exploration again."""
    return command_line(
        "explore",
        width=width,
        target=target,
        liberty=liberty,
        arch=tuple(architectures),
        space=space,
        points=points,
        form=unless(PARALLEL, form),
        budget=budget,
        seed=None if budget is None else seed,
        samples=unless(SAMPLES, samples),
        seeds=unless(3, seeds),
        effort=unless("full", effort),
        netlist_check=netlist_check,
        output="DIR",
    )
