# SPDX-License-Identifier: Apache-2.0
"""Standard cells: a small sweep of synthesis effort, from a probe to the best area * period.

Each synthesis with its timing is one *point*, kept in the result store by the content of all
that it depends on, so that an interrupted sweep goes on where it stopped.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from montforge.arch import Design
from montforge.cache import ResultStore, cache_root, cached_folder, content_hash
from montforge.errors import ToolFailedError
from montforge.measure import yosys
from montforge.measure.jobs import Progress, run_jobs, stored
from montforge.measure.liberty import with_no_wire_load
from montforge.measure.opensta import opensta_version, parse_timing, timing_script
from montforge.measure.targets import StandardCells
from montforge.measure.yosys import Variant
from montforge.progress import ProgressFunction
from montforge.tools import find_program, run_tool
from montforge.yosys import read_design, run_yosys, yosys_version

_SYNTHESIS_SECONDS = 7200.0
_TIMING_SECONDS = 1800.0
_LEAST_DELAY = 1
"""A delay target in ps that no netlist meets: ABC then does what it can."""


@dataclass(frozen=True)
class Choice:
    """What distinguishes the points of one sweep: netlist, ABC script, delay target in ps."""

    variant: Variant
    script: str
    delay_ps: int


def design_key(design: Design) -> list[object]:
    """Return what the tools see of a design, for content hashes."""
    return [design.rtl_top, design.rtl_parameters, *(f.read_text() for f in design.rtl_files)]


def sweep(
    design: Design,
    target: StandardCells,
    store: ResultStore,
    workers: int,
    progress: ProgressFunction | None,
) -> list[dict[str, Any]]:
    """Return all points of the sweep of ``design`` on ``target``, in the order of their making.

    ``workers`` points are made at a time.

    A point has the keys ``adder, booth, script, delay_ps, abc_delay_ps, area, area_registers,
    cells, timing``; areas and times are in the target's units. Raises ToolMissingError and
    ToolFailedError.
    """
    effort = target.effort
    run = partial(_point, design, target, _library_folder(target), store)
    done: dict[Choice, dict[str, Any]] = {}

    def visit(choices: Iterable[Choice]) -> None:
        new = [choice for choice in dict.fromkeys(choices) if choice not in done]
        points = run_jobs([partial(run, choice) for choice in new], workers, advance)
        done.update(zip(new, points, strict=True))

    def best() -> Choice:
        return min(done, key=lambda choice: merit(done[choice]))

    variants = _variants(design, target, store)
    total = len(variants) + 1 + len(effort.scripts) + effort.refined * (len(effort.factors) + 1)
    advance = Progress(progress, total)
    visit(Choice(variant, effort.probe, _LEAST_DELAY) for variant in variants)
    if variants[0].booth:
        visit([replace(best(), variant=replace(best().variant, booth=False))])
    probe = best()
    scale = done[probe]["abc_delay_ps"]
    visit(
        replace(probe, script=script, delay_ps=round(effort.first_factor * scale))
        for script in effort.scripts
    )
    ranked = sorted(
        (choice for choice in done if choice.variant == probe.variant),
        key=lambda choice: merit(done[choice]),
    )
    leaders = list(dict.fromkeys(choice.script for choice in ranked))[: effort.refined]
    delays = [_LEAST_DELAY, *(round(factor * scale) for factor in effort.factors)]
    visit(replace(probe, script=script, delay_ps=delay) for script in leaders for delay in delays)
    while best().delay_ps == max(choice.delay_ps for choice in done):
        visit([replace(best(), delay_ps=round(best().delay_ps * max(effort.factors)))])
    advance.finish()
    return list(done.values())


def merit(point: dict[str, Any]) -> float:
    """Return area * period of a point, the figure that the sweep makes small."""
    return float(point["area"] * point["timing"]["period"])


def _variants(design: Design, target: StandardCells, store: ResultStore) -> list[Variant]:
    """Return the netlists worth a probe: adders if wide ones exist, Booth if it multiplies."""
    script = yosys.coarse_script(design.rtl_top)

    def make() -> dict[str, Any]:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            _yosys(f"{read_design(design)}\n{script}", folder, _log(design, target))
            return yosys.read_statistics(folder / yosys.STATISTICS)

    statistics = stored(store, "coarse", [design_key(design), script, yosys_version()], make)
    adders, multipliers = yosys.wide_cells(statistics, target.effort.wide_bits)
    chosen = target.effort.adders if adders or multipliers else (Variant().adder,)
    return [Variant(adder, booth=multipliers) for adder in chosen]


def _library_folder(target: StandardCells) -> Path:
    """Return a folder of the cache with the library's files as the tools take them."""

    def build(folder: Path) -> None:
        text = with_no_wire_load(target.liberty) if target.wire_load else target.liberty
        (folder / yosys.LIBERTY).write_text(text)
        if target.genlib:
            (folder / yosys.GENLIB).write_text(target.genlib)

    return cached_folder("liberty", content_hash(target.liberty, target.genlib), build)


def _point(
    design: Design, target: StandardCells, library: Path, store: ResultStore, choice: Choice
) -> dict[str, Any]:
    """Return one point, from the store or by running the tools."""
    netlist_script = yosys.netlist_script(design.rtl_top, choice.variant, target)
    netlist_inputs = [design_key(design), library.name, netlist_script, yosys_version()]
    commands = yosys.abc_script(target.effort.scripts[choice.script], choice.delay_ps)
    constraints = yosys.abc_constraints(target)
    mapping_script = yosys.mapping_script(target)
    timing = timing_script(design.rtl_top, target)

    def build_netlist(folder: Path) -> None:
        (folder / yosys.LIBERTY).symlink_to(library / yosys.LIBERTY)
        _yosys(f"{read_design(design)}\n{netlist_script}", folder, _log(design, target))

    def make() -> dict[str, Any]:
        netlist = cached_folder("netlists", content_hash(*netlist_inputs), build_netlist)
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            for source in (*library.iterdir(), netlist / yosys.NETLIST):
                (folder / source.name).symlink_to(source)
            (folder / yosys.ABC_SCRIPT).write_text(commands)
            (folder / yosys.CONSTRAINTS).write_text(constraints)
            (folder / "timing.tcl").write_text(timing)
            output = _yosys(mapping_script, folder, _log(design, target))
            if yosys.undefined_bits((folder / yosys.MAPPED).read_text()):
                raise ToolFailedError(f"the netlist of {design} has undefined (X) values.")
            report = run_tool(
                [find_program("sta"), "-no_splash", "-exit", "timing.tcl"],
                log=folder / "sta.log",
                timeout=_TIMING_SECONDS,
                cwd=folder,
                keep_log=_log(design, target),
            )
            statistics = yosys.read_statistics(folder / yosys.STATISTICS)
        area, registers = yosys.areas(statistics)
        return {
            **asdict(choice.variant),
            "script": choice.script,
            "delay_ps": choice.delay_ps,
            "abc_delay_ps": yosys.abc_delay(output),
            "area": area,
            "area_registers": registers,
            "cells": yosys.cell_counts(statistics),
            "timing": asdict(parse_timing(report)),
        }

    inputs = [netlist_inputs, mapping_script, commands, constraints, timing, opensta_version()]
    return stored(store, "point", inputs, make)


def _yosys(script: str, folder: Path, keep_log: Path) -> str:
    return run_yosys(
        script,
        log=folder / "yosys.log",
        timeout=_SYNTHESIS_SECONDS,
        cwd=folder,
        keep_log=keep_log,
    )


def _log(design: Design, target: StandardCells) -> Path:
    return cache_root() / "logs" / f"measure-{design.name}-{target.name}.log"
