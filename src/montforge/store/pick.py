# SPDX-License-Identifier: Apache-2.0
"""Choosing a design from the measured results that come with the package."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from operator import methodcaller
from typing import Any

from montforge.arch import architecture
from montforge.contract import Bound
from montforge.errors import ParameterError, ToolFailedError, unknown_name
from montforge.explore.frontier import frontier
from montforge.explore.job import request_of, run
from montforge.explore.results import MEMORIES_NOTE, Exploration
from montforge.explore.settings import SAMPLES
from montforge.hardware.fpga import target_data
from montforge.measure.placed.technology import technology_of
from montforge.programs.primes import read_modulus
from montforge.prove.verdicts import CHECKS, Standing, stored_verdict
from montforge.report import Table
from montforge.store import Result, read_results, result_bound
from montforge.store.estimate import APART, estimates
from montforge.work.progress import ProgressFunction

FUNCTIONS = {"multiply": "montgomery_product", "power": "power", "rsa": "rsa"}
"""The function of a row, by the name that it is asked for."""
RANGES: dict[str, Callable[[int, int, int], bool]] = {
    "any": lambda lower, upper, n: True,
    "nonnegative": lambda lower, upper, n: lower >= 0,
    "below-2n": lambda lower, upper, n: lower >= 0 and upper <= 2 * n,
    "below-n": lambda lower, upper, n: lower >= 0 and upper <= n,
}
"""Ranges of a result [lower, upper) under modulus n, by name."""
METRICS = (
    "latency", "area", "product", "interval", "cycles", "throughput", "area_per_throughput",
)  # fmt: skip
"""Figures to rank by: the least first, of throughput the largest."""
RATES = ("throughput", "area_per_throughput")
"""Those that a pipelined design is good in; the first by each is always shown."""
BY_RATE = (*RATES, "interval")
"""Those that the distance of two operations decides, and not the time of one."""
SHOWN, MISSES = 10, 3


@dataclass(frozen=True)
class Request:
    """A task: the figures that a design must have, and the one that decides.

    ``max_area`` is in the target's unit (um2, LUTs on an FPGA), ``max_latency`` and
    ``max_interval`` in ns. ``result`` is one of `RANGES`, ``minimise`` one of `METRICS`,
    ``function`` one of `FUNCTIONS`. With ``estimate``, designs that are measured narrower and wider
    only are listed apart. With a ``modulus``, an integer or a prime's name, designs of it alone are
    there beside those of any modulus. With ``placed``, area and period are those of the placed and
    sized netlist, and designs without such figures are left out. Raises MontforgeError for other
    values.
    """

    width: int
    target: str
    max_area: float | None = None
    max_latency: float | None = None
    max_interval: float | None = None
    constant_time: bool = False
    result: str = "any"
    minimise: str = "product"
    function: str = "multiply"
    estimate: bool = False
    modulus: str = ""
    placed: bool = False

    def __post_init__(self) -> None:
        for kind, value, known in (
            ("target of the store", self.target, {row.target for row in read_results()}),
            ("result range", self.result, RANGES),
            ("figure", self.minimise, METRICS),
            ("function", self.function, FUNCTIONS),
        ):
            if value not in known:
                raise unknown_name(kind, value, known)
        for name in ("max_area", "max_latency", "max_interval"):
            limit = getattr(self, name)
            if limit is not None and not limit > 0:
                raise ParameterError(f"{name} = {limit} must be above 0.")
        if self.only_modulus is not None and not 0 < self.only_modulus < 1 << self.width:
            raise ParameterError(
                f"modulus = {self.modulus} has no width of {self.width} bits; give a width of"
                f" {self.only_modulus.bit_length()} or more."
            )

    @cached_property
    def only_modulus(self) -> int | None:
        """The modulus, if there is only one. Raises ParameterError."""
        return read_modulus(self.modulus) if self.modulus else None


@dataclass(frozen=True, eq=False)
class Choice:
    """A stored result with the figures that designs are chosen by.

    An estimate has the two measured results that it lies between as ``ends``. With ``placed`` the
    figures of all are those of the placed and sized netlist.
    """

    stored: Result
    ends: tuple[Result, ...] = ()
    placed: bool = False

    @property
    def stale(self) -> str:
        """Why the figures are older than sources and tools; empty if they are not."""
        rows = self.ends or (self.stored,)
        reasons = [reason for row in rows for reason in (row.stale, self.placed * row.placed_stale)]
        return ", ".join(dict.fromkeys(filter(None, reasons)))

    @property
    def with_wires(self) -> Choice | None:
        """The choice by the figures of the placed and sized netlist, if there are some."""
        if self.placed:
            return self
        return None if self.stored.sized is None else Choice(self.stored.sized, placed=True)

    @property
    def area(self) -> float:
        """Area in um2, or LUTs."""
        area, resources = self.stored.area, self.stored.resources
        return float(area if area is not None else (resources or {})["lut"])

    @property
    def latency(self) -> float:
        """Time of an operation in ns, until its result can be taken."""
        assert self.stored.time is not None
        return self.stored.time

    @property
    def interval(self) -> float:
        """Time between two operations in ns; the longest where it depends on data."""
        assert self.stored.period is not None
        return float(self.stored.interval.rpartition("..")[2] or 0) * self.stored.period

    @property
    def throughput(self) -> float:
        """Results per microsecond."""
        return 1e3 / self.interval

    @property
    def area_per_throughput(self) -> float:
        """Area for a result per microsecond."""
        return self.area / self.throughput

    @property
    def product(self) -> float:
        """Area times latency."""
        return self.area * self.latency

    @property
    def cycles(self) -> float:
        """Cycles of an operation."""
        return self.stored.cycles or 0.0

    def verdict(self, check: str) -> Standing:
        """Return the stored verdict on a check; there is none on own RTL and on engines."""
        return Standing() if self.stored.is_own else stored_verdict(self.stored.chosen, check)

    @property
    def constant_time(self) -> str:
        """Whether the time is constant, and the ground of it."""
        if not self.stored.constant_time:
            return "no"
        return f"yes, {self.verdict('timing').rests_on}"

    def rank(self, figure: str) -> float:
        """Return the value of one of `METRICS`, such that the least is the best."""
        value = float(getattr(self, figure))
        return -value if figure == "throughput" else value

    @property
    def generate(self) -> str:
        """The command that makes the design's folder; empty for own RTL."""
        if self.stored.is_own:
            return ""
        return shlex.join(("montforge", "generate", *self.stored.chosen.words, "-o", "FOLDER"))

    def to_json(self) -> dict[str, Any]:
        """Return the row as JSON values; keys are stable."""
        found = self.stored
        figures = {name: getattr(self, name) for name in METRICS}
        return {
            "architecture": found.architecture,
            "parameters": found.parameters,
            "form": found.form,
            "result": found.result,
            "constant_time": found.constant_time,
            "constant_time_rests_on": self.verdict("timing").rests_on,
            "verdicts": {name: self.verdict(name).to_json() for name in CHECKS},
            **figures,
            "area_unit": found.area_unit or "LUT",
            "memory_bits": found.memory_bits,
            "effort": found.effort,
            "wires": "placed" if found.placements or self.placed else "wire-load model or none",
            "placed": found.placed,
            "netlist_checked": found.netlist_checked,
            "measure": found.placed_command if self.placed else found.command,
            "generate": self.generate,
            "commit": found.commit,
            "stale": self.stale,
        }


@dataclass(frozen=True)
class Miss:
    """A result that fits but for one limit, and the value of the limit that it needs."""

    choice: Choice
    limit: str
    needs: float | str
    excess: float
    """By how much of the limit it is missed."""


@dataclass(frozen=True)
class Picked:
    """The answer to a request: what fits, the best first, or the nearest misses.

    ``on_frontier`` are those that no other one beats in area and latency, ``on_rate_frontier`` in
    area and results per microsecond. ``estimates`` fit as well, the best first, and are not
    measured. ``without`` is the number of rows that have no figures with wires: of those compared
    or, if the request is ``placed``, of those that were left out for it.
    """

    request: Request
    choices: tuple[Choice, ...]
    on_frontier: frozenset[Choice]
    on_rate_frontier: frozenset[Choice]
    misses: tuple[Miss, ...]
    estimates: tuple[Choice, ...] = ()
    without: int = 0

    @property
    def shown(self) -> list[Choice]:
        """The choices of the table: the first ones, and the first by each of `RATES`."""
        first = [min(self.choices, key=methodcaller("rank", name), default=None) for name in RATES]
        shown = (*self.choices[:SHOWN], *(choice for choice in first if choice is not None))
        return list(dict.fromkeys(shown))

    def table(self) -> Table:
        """Return the ranked table."""
        unit = self.choices[0].stored.area_unit or "LUT" if self.choices else ""
        shown = [choice.stored for choice in self.shown]
        has_memories = any(row.memory_bits for row in shown)
        beside = not self.request.placed and any(row.placed for row in shown)
        rows = [
            (
                choice.stored.label,
                "*" * (choice in self.on_frontier) + "+" * (choice in self.on_rate_frontier),
                choice.stored.result,
                choice.constant_time,
                _short(choice.verdict("function")),
                choice.latency,
                choice.throughput,
                choice.area,
                choice.product,
                choice.area_per_throughput,
                *([with_wires.product if (with_wires := choice.with_wires) else None] * beside),
                *([choice.stored.memory_bits] if has_memories else []),
                choice.stored.effort or "placed",
                "yes" if choice.stored.netlist_checked else "no",
                choice.stale or "today's",
            )
            for choice in self.shown
        ]
        of_all = len(self.choices) - len(rows)
        older = any(row.stale for row in shown)
        notes = dict.fromkeys(n for row in shown if not row.is_own for n in row.chosen.notes)
        return Table(
            f"{self.request.width} bits on {self.request.target}, by {self.request.minimise}"
            + ", placed and sized" * self.request.placed,
            (
                "design", "frontier", "result", "constant time", "function", "latency ns",
                "results per us", f"area {unit}", f"area x latency {unit} ns",
                f"area per result per us {unit}",
                *([f"placed: area x latency {unit} ns"] * beside),
                *(["memory bits"] if has_memories else []), "effort", "netlist simulated",
                "sources",
            ),
            tuple(rows),
            (
                "* No other is as small and as quick; + as small, with as many results per us.",
                "Constant time rests on a proof that no secret reaches the handshake, or on the"
                " contract alone: the latency is fixed or follows public data.",
                "Function: the contract is proved, or rests on simulation (-).",
                *notes,
                *([self.wires_note] if beside or self.request.placed else []),
                *([MEMORIES_NOTE] if has_memories else []),
                *(["Rows with older sources: --measure renews them."] if older else []),
                *([f"{of_all} more fit (--json lists all)."] if of_all else []),
            ),
        )  # fmt: skip

    @property
    def wires_note(self) -> str:
        """What is ranked, with wires or without, and how many have no figures with wires."""
        if self.request.placed:
            return f"{self.without} measured designs have no figures with wires: not ranked here."
        return (
            "Ranked without placed wires; --placed ranks those that have them"
            f" ({self.without} measured designs have none)."
        )

    @property
    def by_rate(self) -> bool:
        """Whether one of `BY_RATE` decides."""
        return self.request.minimise in BY_RATE

    def estimates_table(self) -> Table:
        """Return the table of estimates."""
        unit = self.estimates[0].stored.area_unit or "LUT"
        return Table(
            f"Estimates, not measured: {self.request.width} bits on {self.request.target}",
            (
                "design", "result", "constant time", "latency ns", "results per us",
                f"area {unit}", f"area x latency {unit} ns", "between bits",
            ),
            tuple(
                (
                    choice.stored.label, choice.stored.result,
                    choice.constant_time,
                    choice.latency, choice.throughput, choice.area, choice.product,
                    " and ".join(str(end.size) for end in choice.ends),
                )
                for choice in self.estimates[:SHOWN]
            ),
            ("Area and period are interpolated between two measured widths; cycles are exact.",),
        )  # fmt: skip

    def to_json(self) -> dict[str, Any]:
        """Return all data as JSON values; keys are stable."""
        return {
            "request": asdict(self.request),
            "without_placed": self.without,
            "choices": [
                {
                    **choice.to_json(),
                    "frontier": choice in self.on_frontier,
                    "rate_frontier": choice in self.on_rate_frontier,
                }
                for choice in self.choices
            ],
            "misses": [
                {**miss.choice.to_json(), "limit": miss.limit, "needs": miss.needs}
                for miss in self.misses
            ],
            "estimates": [
                {**choice.to_json(), "between": [end.size for end in choice.ends]}
                for choice in self.estimates
            ],
        }

    def exploration(self) -> Exploration:
        """Return what fits as an exploration, for its plot.

        Ranked by a rate or the interval, times are those between two operations.
        """
        rows = [choice.stored.row() for choice in self.choices]
        if self.by_rate:
            pairs = zip(rows, self.choices, strict=True)
            rows = [replace(row, time=choice.interval) for row, choice in pairs]
        return Exploration(
            title=f"{self.request.width} bits on {self.request.target}",
            target=self.request.target,
            target_title=str(target_data(self.request.target)["title"]),
            command="montforge pick",
            rows=tuple(rows),
            left_out=0,
            seconds=0.0,
        )


def pick(request: Request, results: Iterable[Result] | None = None) -> Picked:
    """Return the stored results that fit ``request``, ranked; or else the nearest misses.

    Only measured rows of that width and target are ranked; ``results`` replace those of the
    package. Raises ParameterError if the store has none, nor estimates if they are asked for, and
    for figures with wires on a target without data of them.
    """
    known = read_results() if results is None else tuple(results)
    there = [row for row in known if _is_comparable(row, request)]
    without = sum(row.placed is None for row in there)
    if request.placed:
        technology_of(request.target)
        if there and without == len(there):
            raise ParameterError(
                f"none of the {without} measured rows of {request.width} bits on {request.target}"
                " has figures with wires; leave --placed out, or add some: montforge store --placed"
                f" --target {request.target} --width {request.width}."
            )
        there = [row.sized for row in there if row.sized]
    estimated = _estimates(known, request) if request.estimate else []
    if not there and not estimated:
        have = sorted({row.size for row in known if _is_of_kind(row, request)})
        widths = ", ".join(map(str, have)) or "none"
        raise ParameterError(
            f"the store has no measured row of function {request.function} at {request.width} bits"
            f" on {request.target}; widths that it has there: {widths}. `montforge explore`"
            f" measures others; --estimate interpolates between widths up to a factor of {APART}"
            " apart."
        )
    choices = [Choice(row, placed=request.placed) for row in there]
    missed = {choice: _missed(choice, request) for choice in choices}
    fits = sorted(
        (choice for choice in choices if not missed[choice]),
        key=lambda choice: (choice.rank(request.minimise), choice.area),
    )
    best = frontier([(choice.area, choice.latency) for choice in fits])
    best_rates = frontier([(choice.area, choice.interval) for choice in fits])
    misses = [found[0] for found in missed.values() if len(found) == 1]
    misses.sort(key=lambda miss: (miss.excess, miss.choice.rank(request.minimise)))
    return Picked(
        request,
        tuple(fits),
        frozenset(fits[at] for at in best),
        frozenset(fits[at] for at in best_rates),
        () if fits else tuple(misses[:MISSES]),
        tuple(estimated),
        without,
    )


def _estimates(known: Iterable[Result], request: Request) -> list[Choice]:
    """Return the estimates that fit ``request``, the best first."""
    rows = [row for row in known if _is_of_kind(row, request) and row.only_modulus is None]
    if request.placed:
        rows = [row.sized for row in rows if row.sized]
    found = (
        Choice(each.result, each.ends, request.placed) for each in estimates(rows, request.width)
    )
    fits = [choice for choice in found if not _missed(choice, request)]
    return sorted(fits, key=lambda choice: (choice.rank(request.minimise), choice.area))


def renewed(
    picked: Picked, results: Iterable[Result], progress: ProgressFunction | None = None
) -> tuple[Result, ...]:
    """Return ``results`` with the shown rows of ``picked`` measured again that are stale.

    The cache keeps the measurements, so that the same call is quick the next time. Raises
    ToolFailedError.
    """
    stale = [choice for choice in picked.shown if choice.stale]
    found = {row.key_text: row for row in results}
    for done, choice in enumerate(stale, 1):
        row = choice.stored
        request = request_of(
            row.chosen,
            target=row.target,
            liberty=None,
            samples=SAMPLES,
            seeds=len(row.placements or ()) or 1,
            effort=row.effort or "full",
            placed=choice.placed,
        )
        outcome = run(request)
        if "figures" not in outcome:
            raise ToolFailedError(outcome["message"])
        found[row.key_text] = Result.of(outcome["figures"])
        if progress is not None:
            progress(done, len(stale))
    return tuple(found.values())


def _is_comparable(row: Result, request: Request) -> bool:
    """Return whether a row is of the request's function, width, target, and has a period.

    A design of the request's modulus alone may have its width or that of the modulus.
    """
    if row.is_own:
        return row.target == request.target and row.time is not None
    return _is_of_kind(row, request) and (row.size == request.width or row.only_modulus is not None)


def _is_of_kind(row: Result, request: Request) -> bool:
    """Return whether a row is a measured library design of the request's function and target."""
    return (
        not row.is_own
        and row.target == request.target
        and row.time is not None
        and row.form == architecture(row.architecture).default_form
        and row.function == FUNCTIONS[request.function]
        and row.only_modulus in (None, request.only_modulus)
    )


def _short(standing: Standing) -> str:
    return standing.text if standing.verdict == "proved" else "-"


def _missed(choice: Choice, request: Request) -> list[Miss]:
    """Return the limits of ``request`` that ``choice`` does not keep."""
    found = []
    for name in ("area", "latency", "interval"):
        limit, value = getattr(request, f"max_{name}"), float(getattr(choice, name))
        if limit is not None and value > limit:
            found.append(Miss(choice, f"--max-{name}", value, value / limit - 1))
    if request.constant_time and not choice.stored.constant_time:
        found.append(Miss(choice, "--constant-time", "left out", 1.0))
    if not in_range(choice.stored, request.result):
        found.append(Miss(choice, "--result", choice.stored.result, 1.0))
    return found


def in_range(row: Result, name: str) -> bool:
    """Return whether all results of a design are in the range, under the widest modulus."""
    if row.is_own:
        return name == "any"
    n = (1 << row.size) - 1
    bound = result_bound(row.chosen)
    if not isinstance(bound, Bound):
        return name == "any"
    return RANGES[name](bound.lower(n), bound.upper(n), n)
