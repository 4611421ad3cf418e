# SPDX-License-Identifier: Apache-2.0
"""Standard cells: a small sweep of synthesis effort, from a probe to the best area * period.

Each synthesis is one *point*, kept in the result store by the content of all that it depends on, so
that an interrupted sweep goes on where it stopped. ABC's delay and the share of registers rank
the points; OpenSTA times those that rank near the first one, and the best of these is chosen. Each
step of the sweep goes on from points that are ranked so.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from montforge.errors import ToolFailedError
from montforge.hardware import Hardware
from montforge.hardware.liberty import with_no_wire_load
from montforge.hardware.yosys import read_design, run_yosys, yosys_identity
from montforge.measure import yosys
from montforge.measure.identity import stored
from montforge.measure.opensta import opensta_version, parse_timing, run_opensta, timing_script
from montforge.measure.targets import StandardCells, lacks_primitive
from montforge.measure.yosys import Variant
from montforge.work.cache import ResultStore, cache_root, cached_folder, content_hash
from montforge.work.jobs import results_of
from montforge.work.progress import Progress, ProgressFunction

_SYNTHESIS_SECONDS = 7200.0
_TIMING_SECONDS = 1800.0
_LEAST_DELAY = 1
"""A delay target in ps that no netlist meets: ABC then optimises as far as it can."""
_NEAR = 1.05
"""OpenSTA times the points whose estimated area * period is up to this multiple of the least."""
_LOG = "yosys.log"


@dataclass(frozen=True)
class Choice:
    """Key of a point of a sweep: netlist, ABC script, delay target in ps.

    With ``strong`` it has none of the target's weak cells.
    """

    variant: Variant
    script: str
    delay_ps: int
    strong: bool = False


@dataclass(frozen=True)
class Sweep:
    """The points of a design on a target, in the order of their making, and the best one.

    A point has the keys ``adder, booth, script, delay_ps, strong, abc_delay_ps, period, area,
    area_registers, cells, netlist, timed, key, commit``; areas and times are in the target's units,
    and ``netlist`` is the hash of the mapped netlist. The period is OpenSTA's if the point is
    ``timed``, else an estimate. ``best`` has the least area * period of those timed, ``timing`` is
    its `Timing`. ``netlist()`` is the file with its mapped netlist, made again if it is not there
    any more, ``liberty`` that of its cells.
    """

    points: tuple[dict[str, Any], ...]
    best: dict[str, Any]
    timing: dict[str, Any]
    netlist: Callable[[], Path]
    liberty: Path


def design_key(design: Hardware) -> list[object]:
    """Return the part of a design that the tools see, for content hashes."""
    return [design.top, design.parameters, *(f.read_text() for f in design.files)]


def sweep(
    design: Hardware,
    target: StandardCells,
    store: ResultStore,
    workers: int,
    progress: ProgressFunction | None,
) -> Sweep:
    """Sweep ``design`` on ``target``, ``workers`` points at a time.

    Raises ToolMissingError and ToolFailedError.
    """
    effort = target.effort
    tools = _Tools(design, target, store)
    opensta_version()  # if it is missing, the error comes before hours of synthesis
    points: dict[Choice, dict[str, Any]] = {}
    timings: dict[Choice, dict[str, Any]] = {}

    def visit(choices: Iterable[Choice]) -> None:
        new = [choice for choice in dict.fromkeys(choices) if choice not in points]
        found = results_of([partial(tools.point, choice) for choice in new], workers, advance)
        points.update(zip(new, found, strict=True))

    def time(choices: Sequence[Choice]) -> None:
        netlists = {points[choice]["netlist"]: choice for choice in choices}
        jobs = [partial(tools.timing, choice) for choice in netlists.values()]
        found = dict(zip(netlists, results_of(jobs, workers, advance), strict=True))
        timings.update({choice: found[points[choice]["netlist"]] for choice in choices})

    def ranked(choices: Iterable[Choice]) -> list[Choice]:
        order = sorted(choices, key=lambda choice: merit(points[choice]))
        limit = _NEAR * merit(points[order[0]])
        near = [choice for choice in order if merit(points[choice]) <= limit]
        if len(near) > 1:
            time([choice for choice in near if choice not in timings])
            near.sort(key=lambda choice: merit(points[choice] | timings[choice]))
        return near + order[len(near) :]

    def slowest(choice: Choice) -> bool:
        same = (each for each in points if replace(each, delay_ps=choice.delay_ps) == choice)
        return choice.delay_ps == max(each.delay_ps for each in same)

    adders = tools.adders()
    total = len(adders) + 2 + len(effort.scripts) + effort.refined * (len(effort.factors) + 1)
    total += 2 * bool(target.weak_cells)
    advance = Progress(progress, total)
    visit(Choice(Variant(adder), effort.probe, _LEAST_DELAY) for adder in adders)
    if 0 < tools.netlist(Variant()).product_bits < effort.booth_bits:
        first = ranked(points)[0]
        visit([replace(first, variant=replace(first.variant, booth=False))])
    probe = ranked(points)[0]
    scale = points[probe]["abc_delay_ps"]
    goal = round(effort.first_factor * scale)
    visit(replace(probe, script=script, delay_ps=goal) for script in effort.scripts)
    same = (choice for choice in points if choice.variant == probe.variant)
    leaders = list(dict.fromkeys(choice.script for choice in ranked(same)))[: effort.refined]
    delays = [_LEAST_DELAY, *(round(factor * scale) for factor in effort.factors)]
    visit(replace(probe, script=script, delay_ps=delay) for script in leaders for delay in delays)
    if target.weak_cells:
        script = ranked(points)[0].script
        goals = [replace(choice, strong=True) for choice in points if choice.script == script]
        visit(choice for choice in goals if choice.delay_ps != _LEAST_DELAY)
    while slowest(best := ranked(points)[0]):
        visit([replace(best, delay_ps=round(effort.slower * best.delay_ps))])
    time([best])
    advance.finish()
    return _swept(tools, points, timings, best)


def single_point(
    design: Hardware, target: StandardCells, store: ResultStore, delay_ps: int
) -> Sweep:
    """Return the point of one delay goal alone, timed: the probe's script and its first adder.

    For designs that are too large for a sweep. Raises ToolMissingError and ToolFailedError.
    """
    tools = _Tools(design, target, store)
    opensta_version()
    choice = Choice(Variant(tools.adders()[0]), target.effort.probe, delay_ps)
    return _swept(tools, {choice: tools.point(choice)}, {choice: tools.timing(choice)}, choice)


def _swept(
    tools: _Tools,
    points: Mapping[Choice, dict[str, Any]],
    timings: Mapping[Choice, dict[str, Any]],
    best: Choice,
) -> Sweep:
    return Sweep(
        tuple(_with_timing(point, timings.get(choice)) for choice, point in points.items()),
        _with_timing(points[best], timings[best]),
        timings[best],
        netlist=lambda: tools.mapped(best) / yosys.MAPPED,
        liberty=tools.library / yosys.LIBERTY,
    )


def _with_timing(point: dict[str, Any], timing: dict[str, Any] | None) -> dict[str, Any]:
    """Return a point with OpenSTA's period, if it was timed."""
    period = point["period"] if timing is None else timing["period"]
    return {**point, "period": period, "timed": timing is not None}


def merit(point: dict[str, Any]) -> float:
    """Return area * period of a point, the figure that the sweep makes small."""
    return float(point["area"] * point["period"])


@dataclass(frozen=True)
class _Netlist:
    """A netlist of gates: the bits of the widest adder, and of the widest product by Booth, or 0.

    ``folder()`` makes it if it is not there; ``inputs`` are all that it depends on.
    """

    folder: Callable[[], Path]
    inputs: Sequence[object]
    adder_bits: int
    product_bits: int


class _Tools:
    """The steps from a design to its points. Everything is made once, and kept in the cache."""

    def __init__(self, design: Hardware, target: StandardCells, store: ResultStore) -> None:
        self._design = design
        self._target = target
        self._store = store
        self._log = cache_root() / "logs" / f"measure-{design.name}-{target.name}.log"
        self._design_key = design_key(design)
        self.library = _library_folder(target)

    def netlist(self, variant: Variant) -> _Netlist:
        """Return the netlist of a variant."""
        memories = self._design.memories
        script = yosys.netlist_script(self._design.top, variant, self._target, memories)
        read = read_design(self._design, keep_hierarchy=bool(memories))
        inputs = [self._design_key, self.library.name, script, *yosys_identity()]

        def build(folder: Path) -> None:
            (folder / yosys.LIBERTY).symlink_to(self.library / yosys.LIBERTY)
            self._yosys(f"{read}\n{script}", folder)

        def folder() -> Path:
            return cached_folder("netlists", content_hash(*inputs), build)

        def make() -> dict[str, Any]:
            statistics = yosys.read_statistics(folder() / yosys.STATISTICS)
            for name in yosys.primitives(statistics):
                raise lacks_primitive(self._design, name, self._target.name)
            left = yosys.read_count(folder() / yosys.MULTIPLIERS)
            booth = left < yosys.count_multipliers(statistics)
            return {
                "adder_bits": yosys.widest(statistics, yosys.ADDERS),
                "product_bits": yosys.widest(statistics, yosys.MULTIPLIER) if booth else 0,
            }

        found = stored(self._store, "netlist widths", inputs, make)
        return _Netlist(folder, inputs, found["adder_bits"], found["product_bits"])

    def adders(self) -> tuple[str, ...]:
        """Return the adders worth a probe: several if wide ones or multipliers exist."""
        found, effort = self.netlist(Variant()), self._target.effort
        several = found.adder_bits >= effort.wide_bits or found.product_bits
        return tuple(effort.adders) if several else (Variant().adder,)

    def point(self, choice: Choice) -> dict[str, Any]:
        """Return a point, from the store or by mapping its netlist."""
        inputs, build = self._mapping(choice)

        def make() -> dict[str, Any]:
            folder = cached_folder("mapped", content_hash(*inputs), build)
            statistics = yosys.read_statistics(folder / yosys.STATISTICS)
            area, registers = yosys.areas(statistics)
            delay = yosys.abc_delay((folder / _LOG).read_text())
            return {
                "adder": choice.variant.adder,
                "booth": choice.variant.booth and self.netlist(choice.variant).product_bits > 0,
                "script": choice.script,
                "delay_ps": choice.delay_ps,
                "strong": choice.strong,
                "abc_delay_ps": delay,
                "period": round(delay / 1e3 + self._register_delay(), 5),
                "area": area,
                "area_registers": registers,
                "cells": yosys.cell_counts(statistics),
                "netlist": content_hash(folder / yosys.MAPPED),
            }

        return stored(self._store, "point with netlist", [*inputs, self._register_inputs()], make)

    def mapped(self, choice: Choice) -> Path:
        """Return the folder with the mapped netlist of a point."""
        inputs, build = self._mapping(choice)
        return cached_folder("mapped", content_hash(*inputs), build)

    def timing(self, choice: Choice) -> dict[str, Any]:
        """Return the `Timing` of a point's netlist, from the store or by OpenSTA."""
        script = timing_script(self._design.top, self._design.clock, self._target)
        inputs = [self.point(choice)["netlist"], self.library.name, script, opensta_version()]

        def make() -> dict[str, Any]:
            return self._time(script, self.mapped(choice) / yosys.MAPPED)

        return stored(self._store, "timing", inputs, make)

    def _mapping(self, choice: Choice) -> tuple[list[object], Callable[[Path], None]]:
        """Return all inputs of a mapped netlist, and the function that makes it in a folder."""
        netlist = self.netlist(choice.variant)
        avoided = self._target.weak_cells if choice.strong else ()
        script = yosys.mapping_script(self._target, avoided)
        commands = yosys.abc_script(self._target.effort.scripts[choice.script], choice.delay_ps)
        constraints = yosys.abc_constraints(self._target)

        def build(folder: Path) -> None:
            with tempfile.TemporaryDirectory() as name:
                work = Path(name)
                for source in (*self.library.iterdir(), netlist.folder() / yosys.NETLIST):
                    (work / source.name).symlink_to(source)
                (work / yosys.ABC_SCRIPT).write_text(commands)
                (work / yosys.CONSTRAINTS).write_text(constraints)
                self._yosys(script, work)
                if yosys.undefined_bits((work / yosys.MAPPED).read_text()):
                    name = self._design.name
                    raise ToolFailedError(f"the netlist of {name} has undefined (X) values.")
                for made in (yosys.MAPPED, yosys.STATISTICS, _LOG):
                    shutil.copy(work / made, folder)

        return [netlist.inputs, script, commands, constraints], build

    def _register_inputs(self) -> list[object]:
        return [
            self.library.name,
            yosys.register_pair_script(self._target),
            yosys.REGISTER_PAIR_SOURCE,
            timing_script(yosys.REGISTER_PAIR.stem, yosys.PAIR_CLOCK, self._target),
            *yosys_identity(),
            opensta_version(),
        ]

    def _register_delay(self) -> float:
        """Return the period of a register behind a register: clock-to-q and setup."""

        def make() -> dict[str, Any]:
            with tempfile.TemporaryDirectory() as name:
                work = Path(name)
                (work / yosys.LIBERTY).symlink_to(self.library / yosys.LIBERTY)
                (work / yosys.REGISTER_PAIR).write_text(yosys.REGISTER_PAIR_SOURCE)
                self._yosys(yosys.register_pair_script(self._target), work)
                script = timing_script(yosys.REGISTER_PAIR.stem, yosys.PAIR_CLOCK, self._target)
                return self._time(script, work / yosys.MAPPED)

        found = stored(self._store, "register delay", self._register_inputs(), make)
        return float(found["period"])

    def _time(self, script: str, netlist: Path) -> dict[str, Any]:
        sources = (self.library / yosys.LIBERTY, netlist)
        return asdict(parse_timing(run_opensta(script, sources, _TIMING_SECONDS, self._log)))

    def _yosys(self, script: str, folder: Path) -> None:
        log, limit = folder / _LOG, _SYNTHESIS_SECONDS
        run_yosys(script, log=log, timeout=limit, cwd=folder, keep_log=self._log)


def _library_folder(target: StandardCells) -> Path:
    """Return a folder of the cache with the library's files as the tools take them."""

    def build(folder: Path) -> None:
        text = with_no_wire_load(target.liberty) if target.wire_load else target.liberty
        (folder / yosys.LIBERTY).write_text(text)
        if target.genlib:
            (folder / yosys.GENLIB).write_text(target.genlib)

    return cached_folder("liberty", content_hash(target.liberty, target.genlib), build)
