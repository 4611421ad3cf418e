# SPDX-License-Identifier: Apache-2.0
"""One measured row: a design on a target, with all that is needed to judge and repeat it."""

from __future__ import annotations

import dataclasses
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

from montforge.arch import Core, Design, driven
from montforge.errors import ParameterError, ToolFailedError, ToolMissingError, unknown_name
from montforge.hardware import Hardware
from montforge.hardware.fpga import Fpga, families, target_data
from montforge.hardware.yosys import yosys_version
from montforge.measure.compiled import compiled_hash
from montforge.measure.fpga import check_capacity, count_resources, placements, synthesize
from montforge.measure.identity import stored
from montforge.measure.nextpnr import choose_placer, is_huge, nextpnr_version
from montforge.measure.opensta import opensta_version
from montforge.measure.placed import check_placeable, placed_figures, placed_text
from montforge.measure.placed.placer import coloquinte_version
from montforge.measure.sweep import Sweep, design_key, sweep
from montforge.measure.targets import (
    StandardCells,
    find_target,
    with_clock_gating,
    with_quick_effort,
)
from montforge.measure.yosys import GATED_REGISTERS
from montforge.verify import check_netlist, code_identity
from montforge.verify.properties import property_files
from montforge.verify.report import design_text
from montforge.work.cache import ResultStore, content_hash
from montforge.work.command import command_line, unless
from montforge.work.jobs import JOBS
from montforge.work.limits import check_limits
from montforge.work.progress import ProgressFunction

EFFORTS = ("full", "quick")
PLACEMENT_SEED = 1
"""The usual seed of a placement on standard cells."""
_POINT = ("adder", "booth", "script", "delay_ps", "strong", "area", "period", "timed")
_PLACEMENT = ("seed", "fmax_mhz", "start", "end", "utilization")


class Figures:
    """Figures derived from a measured area and period, for both kinds of results."""

    area: float | None
    period: float | None
    cycles: float | None
    handover: int

    @property
    def latency(self) -> float | None:
        """Cycles times period, in ``period_unit``."""
        return _product(self.cycles, self.period)

    @property
    def area_latency(self) -> float | None:
        """Area times latency, in ``area_unit`` times ``period_unit``."""
        return _product(self.area, self.latency)

    @property
    def time(self) -> float | None:
        """Time of an operation until ``rsp_valid_o``, in ``period_unit``, for comparisons."""
        return _product(None if self.cycles is None else self.cycles + self.handover, self.period)

    @property
    def area_time(self) -> float | None:
        """Area times `time`, in ``area_unit`` times ``period_unit``."""
        return _product(self.area, self.time)


def _product(left: float | None, right: float | None) -> float | None:
    return None if left is None or right is None else left * right


@dataclass(frozen=True, kw_only=True)
class Measurement(Figures):
    """Figures of a design on a target. Figures that a target does not give are None.

    ``area`` and ``period`` are in ``area_unit`` and ``period_unit`` (``um2`` and ``ns``, or
    ``A_FA`` and ``T_FA`` for ``table2``); the period is the least one between registers, with
    clock-to-q and setup, an ideal clock and no layout. ``area_registers`` is the flip-flops'
    part. ``resources`` counts FPGA cells. ``cycles`` is the latency that was passed in or that
    the contract fixes, ``handover`` the cycles until ``rsp_valid_o`` is high.

    ``critical_path`` has ``start`` and ``end`` (RTL register bits) and ``cells``; ``wire_load``
    the library's model and the period with and without it; ``paths`` the worst delays from
    inputs and to outputs; ``power`` is None, because without simulated activity it would
    compare nothing. ``netlist_checked`` is ``operations`` if the mapped netlist itself was
    simulated, with ``netlist_operations`` operations, all right in product and cycles, else
    None. ``best_period`` is the fastest point of the sweep, while the figures are those of the
    least area * period of those that are ``timed`` by OpenSTA; ``sweep`` lists all points or
    placements. Points that are not timed have an estimate of their period, from ABC's delay.
    ``flags`` say how the tools were called, ``inputs`` is the content hash of everything that
    was measured, ``compiled`` that of RTL and scripts alone (`compiled_hash`), and ``commit`` is
    montforge's own. ``placed`` has the figures with wires, if they were asked for:
    `montforge.measure.placed.placed_figures`, and ``time`` and ``area_time`` with the period and
    area after sizing.
    """

    design: str
    architecture: str
    parameters: dict[str, int | str]
    rtl_parameters: dict[str, int]
    form: str
    target: str
    target_title: str
    timing: str
    area: float | None = None
    area_unit: str | None = None
    area_registers: float | None = None
    cells: dict[str, int]
    resources: dict[str, int] | None = None
    period: float | None = None
    period_unit: str | None = None
    fmax_mhz: float | None = None
    cycles: float | None
    handover: int
    critical_path: dict[str, Any] | None = None
    wire_load: dict[str, Any] | None = None
    paths: dict[str, float | None] | None = None
    power: None = None
    netlist_checked: str | None = None
    netlist_operations: int = 0
    best_period: dict[str, Any] | None = None
    sweep: tuple[dict[str, Any], ...] = ()
    flags: dict[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...]
    tools: dict[str, str]
    command: str
    commit: str | None
    inputs: str
    compiled: str
    placed: dict[str, Any] | None = None

    @property
    def area_um2(self) -> float | None:
        """Area of all cells in um2."""
        return self.area if self.area_unit == "um2" else None

    @property
    def period_ns(self) -> float | None:
        """Least clock period in ns."""
        return self.period if self.period_unit == "ns" else None

    @property
    def latency_ns(self) -> float | None:
        """Cycles times period in ns."""
        return self.latency if self.period_unit == "ns" else None

    def to_json(self) -> dict[str, Any]:
        """Return all figures as JSON-ready values."""
        units = ("area_um2", "period_ns", "latency_ns")
        derived = (*units, "latency", "area_latency", "time", "area_time")
        lists = {"sweep": list(self.sweep), "notes": list(self.notes)}
        figures = dataclasses.asdict(self)
        if self.placed is None:
            del figures["placed"]
        return figures | lists | {name: getattr(self, name) for name in derived}

    def __str__(self) -> str:
        area, period = self.area_unit, self.period_unit
        lines = [design_text(self.architecture, self.parameters, self.form)]

        def row(label: str, text: str) -> None:
            lines.append(f"  {label:15}{text}")

        row("target", f"{self.target} ({self.target_title})")
        if self.area is not None and self.area_registers is not None:
            logic = self.area - self.area_registers
            parts = f"registers {self.area_registers:,.6g}, logic {logic:,.6g}"
            row("area", f"{self.area:,.6g} {area} ({parts})")
        if self.resources is not None:
            row("resources", ", ".join(f"{name} {n}" for name, n in self.resources.items()))
        if self.period is not None:
            fmax = f" ({self.fmax_mhz:.1f} MHz)" if self.fmax_mhz else ""
            row("period", f"{self.period:.4g} {period}{fmax}")
        else:
            row("timing", self.timing)
        if self.critical_path is not None:
            row("path", f"{self.critical_path['start']} -> {self.critical_path['end']}")
        if self.latency is not None:
            row("latency", f"{self.cycles:g} cycles, {self.latency:.5g} {period}")
            if self.handover:
                later = f"until rsp_valid_o, {self.handover} cycles later"
                row("time", f"{self.time:.5g} {period} {later}")
        if self.netlist_checked is not None:
            right = "operations simulated, products and cycles right"
            row("netlist", f"{self.netlist_operations} {right}")
        if self.area_time is not None:
            row("area x time", f"{self.area_time:.5g} {area} {period}")
        if self.placed is not None:
            for label, text in placed_text(self.placed):
                row(label, text)
        for note in self.notes:
            row("note", note)
        row("tools", ", ".join(f"{name} {version}" for name, version in self.tools.items()))
        return "\n".join(lines)


def measure(
    design: Design,
    target: str | None = None,
    *,
    liberty: Path | None = None,
    cycles: float | None = None,
    seeds: int = 3,
    frequency: int | None = None,
    workers: int = JOBS,
    effort: str = "full",
    netlist_check: bool = False,
    clock_gating: bool = False,
    placed: bool = False,
    seed: int = PLACEMENT_SEED,
    progress: ProgressFunction | None = None,
) -> Measurement:
    """Measure ``design`` on a registered ``target``, on a ``liberty`` file, or on both.

    The measured module is the top of the design's form: a native one is without the registers that
    the parallel ports need. ``cycles`` is the mean latency (default: the contract's, if fixed).
    ``seeds`` is the number of placements on an FPGA, whose median counts; 0: no placement,
    resources of the synthesis only. ``frequency``, in MHz, is their goal in place of the target's:
    a goal far above the reachable clock pulls large designs together until no route is left.
    ``effort`` is for standard cells: ``full``, or ``quick`` for two or three points instead of
    about ten, of one script of synthesis. The mapped netlist of the result is simulated with at
    least 100 operations at full effort, and at quick effort with ``netlist_check``, in the harness
    of its form and with its memories, whose bits are counted on standard cells: see ``notes``.
    With ``clock_gating`` registers that load together get an integrated clock gate in place of
    multiplexers, on standard cells that have such gates.
    With ``placed`` the netlist is placed, too, on standard cells whose target has data of wires;
    ``seed`` is that of the placement.
    ``workers`` tools run at a time. Nothing is measured twice: each tool run is kept by the content
    of its input, so an interrupted call goes on where it stopped. Raises UnknownNameError,
    InputFileError, ParameterError, ToolMissingError, ToolFailedError, CheckFailedError.
    """

    def row() -> dict[str, Any]:
        fixed = design.fixed_cycles
        return {
            "architecture": design.name,
            "parameters": dict(design.parameters),
            "form": design.form,
            "cycles": cycles if cycles is not None or fixed is None else float(fixed),
            "handover": design.contract.handover,
            "notes": design.notes,
        }

    simulated = netlist_check or design.netlist_is_always_simulated
    return measure_hardware(
        design.hardware,
        design.words,
        row,
        target,
        liberty=liberty,
        seeds=seeds,
        frequency=frequency,
        workers=workers,
        effort=effort,
        netlist_check=netlist_check,
        clock_gating=clock_gating,
        placed=placed,
        seed=seed,
        progress=progress,
        simulate=partial(_checked_operations, design) if simulated else None,
    )


def measure_hardware(
    hardware: Hardware,
    words: Sequence[str],
    row: Callable[[], dict[str, Any]],
    target: str | None,
    *,
    liberty: Path | None = None,
    seeds: int = 3,
    frequency: int | None = None,
    effort: str = "full",
    progress: ProgressFunction | None = None,
    workers: int = JOBS,
    netlist_check: bool = False,
    clock_gating: bool = False,
    placed: bool = False,
    seed: int = PLACEMENT_SEED,
    simulate: Callable[[Sweep, ResultStore], int] | None = None,
) -> Measurement:
    """Measure ``hardware`` as `measure` does a design.

    ``row`` returns architecture, parameters, form, cycles, handover and notes of the `Measurement`.
    ``simulate`` does operations on the netlist of a sweep's best point, and returns their number;
    None for a design that can't be simulated.
    """
    check_limits(least=0, seeds=seeds)
    check_limits(workers=workers, frequency=frequency)
    if effort not in EFFORTS:
        raise unknown_name("effort", effort, EFFORTS)
    if placed:
        check_placeable(target)
    found = find_target(target, liberty)
    if clock_gating:
        found = with_clock_gating(found)
    if frequency is not None and isinstance(found, Fpga):
        found = dataclasses.replace(found, frequency_mhz=frequency)
    store = ResultStore()
    if isinstance(found, Fpga):
        data = _fpga(hardware, found, seeds, store, workers, progress)
        compiled = compiled_hash(hardware, found)
    else:
        if hardware.fast_clocks:
            raise ParameterError(
                f"{hardware} has a further clock, {', '.join(hardware.fast_clocks)}; on standard"
                " cells designs with one clock are measured."
            )
        chosen = found if effort == "full" else with_quick_effort(found)
        wanted = simulate if netlist_check or effort == "full" else None
        swept = sweep(hardware, chosen, store, workers, progress)
        data = _standard_cells(chosen, swept, 0 if wanted is None else wanted(swept, store))
        data["flags"]["effort"] = effort
        if placed:
            data["placed"] = placed_figures(hardware, chosen, swept, seed, store, simulate)
        compiled = compiled_hash(hardware, chosen)
    known = row()
    if placed:
        data["placed"] |= _products(known, data["placed"])
    notes = (*found.notes, *known["notes"], *_gating_notes(found), *_memory_notes(hardware, found))
    result = Measurement(
        design=hardware.name,
        rtl_parameters=dict(hardware.parameters),
        target=found.name,
        target_title=found.title,
        tools=tool_versions(found, seeds),
        command=measure_command(
            words,
            target,
            liberty,
            seeds,
            effort,
            netlist_check,
            frequency,
            seed=seed if placed else None,
            clock_gating=clock_gating,
        ),
        compiled=compiled,
        **{**known, "notes": notes},
        **data,
    )
    store.put(result.inputs, "measurement", result.to_json())
    return result


def _gating_notes(target: StandardCells | Fpga) -> tuple[str, ...]:
    if isinstance(target, Fpga) or not target.clock_gating:
        return ()
    return (
        f"{GATED_REGISTERS} and more register bits that load together have a gated clock; its"
        " buffers, as those of the clock, are in no figure.",
    )


def _memory_notes(design: Hardware, target: StandardCells | Fpga) -> tuple[str, ...]:
    if isinstance(target, Fpga) or not design.memories:
        return ()
    return (
        f"Memories are counted in bits: {design.memory_bits} bits ({', '.join(design.memories)})"
        " are no part of area and period.",
    )


def _products(known: dict[str, Any], placed: dict[str, Any]) -> dict[str, Any]:
    """Return time in ns and area * time in um2 ns of figures after sizing, None without cycles."""
    cycles = known["cycles"]
    time = None if cycles is None else (cycles + known["handover"]) * placed["period_sized"]
    return {"time": time, "area_time": _product(placed["area_sized"], time)}


def _standard_cells(target: StandardCells, found: Sweep, operations: int) -> dict[str, Any]:
    best, timing = found.best, found.timing
    period = timing["period"]
    return {
        "timing": "cells" if target.wire_load is None else "cells and wire load",
        "area": best["area"],
        "area_unit": target.area_unit,
        "area_registers": best["area_registers"],
        "cells": best["cells"],
        "period": period,
        "period_unit": target.time_unit,
        "fmax_mhz": round(1e3 / period, 3) if target.time_unit == "ns" else None,
        "critical_path": _path(timing, timing["path_cells"]),
        "wire_load": {
            "model": target.wire_load,
            "period_with": period,
            "period_without": timing["period_no_wire_load"],
        },
        "paths": {"in2reg": timing["in2reg"], "reg2out": timing["reg2out"]},
        "netlist_checked": "operations" if operations else None,
        "netlist_operations": operations,
        "best_period": _summary(min(found.points, key=lambda point: point["period"])),
        "sweep": tuple(_summary(point) for point in found.points),
        "flags": {
            **{name: best[name] for name in ("adder", "booth", "script", "delay_ps", "strong")},
            "abc": target.effort.scripts[best["script"]],
            "driver": target.driver,
            "load_ff": target.load_ff,
            "clock_transition_ns": target.clock_transition_ns,
            "dont_use": list(target.dont_use),
            "clock_gating": target.clock_gating,
        },
        **_provenance([*found.points, timing], best),
    }


def simulation_inputs(design: Design) -> list[object]:
    """Return the content of the simulated files of ``design`` beside its own hardware."""
    if not isinstance(design, Core):
        return []
    simulated = driven(design)
    return [design_key(simulated.hardware), *map(content_hash, property_files(simulated))]


def _checked_operations(design: Design, found: Sweep, store: ResultStore) -> int:
    """Return the number of operations that the best point's netlist did, all right."""
    inputs = [found.best["key"], code_identity(design), design_key(design.hardware)]
    inputs += simulation_inputs(design)

    def make() -> dict[str, Any]:
        return {"operations": check_netlist(design, found.netlist(), found.liberty)}

    return int(stored(store, "netlist check", inputs, make)["operations"])


def _summary(point: dict[str, Any]) -> dict[str, Any]:
    return {name: point[name] for name in _POINT}


def _path(ends: dict[str, Any], cells: Sequence[str]) -> dict[str, Any]:
    return {"start": ends["start"], "end": ends["end"], "cells": cells}


def _fpga(
    design: Hardware,
    target: Fpga,
    seeds: int,
    store: ResultStore,
    workers: int,
    progress: ProgressFunction | None,
) -> dict[str, Any]:
    synthesis = synthesize(design, target, store)
    cells = synthesis["cells"]
    resources = count_resources(target.kind, cells)
    check_capacity(design, target, resources)
    figures: dict[str, Any] = {
        "timing": "none",
        "cells": cells,
        "resources": resources,
        **_provenance([synthesis], synthesis),
    }
    if not target.is_placed or not seeds:
        return figures
    if target.family.out_of_context and is_huge(sum(cells.values())):
        target = dataclasses.replace(target, in_ring=True)
    placer = choose_placer(sum(cells.values()), resources["dsp"])
    rows = placements(design, target, seeds, placer, store, workers, progress)
    fmax = statistics.median(row["fmax_mhz"] for row in rows)
    typical = min(rows, key=lambda row: abs(row["fmax_mhz"] - fmax))
    return {
        **figures,
        "timing": "placed and routed",
        "period": round(1e3 / fmax, 5),
        "period_unit": "ns",
        "fmax_mhz": fmax,
        "critical_path": _path(typical, []),
        "sweep": tuple({key: row[key] for key in _PLACEMENT} for row in rows),
        "flags": {
            "device": list(target.device),
            "frequency_mhz": target.frequency_mhz,
            "out_of_context": target.out_of_context,
            "placer": placer,
            "seeds": seeds,
        },
        **_provenance(rows, typical),
    }


def _provenance(rows: list[dict[str, Any]], chosen: dict[str, Any]) -> dict[str, Any]:
    """Return the hash of all that ``rows`` were made from, and the commit of the chosen one."""
    return {
        "commit": chosen["commit"],
        "inputs": content_hash("measurement", [row["key"] for row in rows]),
    }


def tool_versions(target: StandardCells | Fpga, seeds: int = 3) -> dict[str, str]:
    """Return the versions of montforge and of the tools that measure on ``target``."""
    tools = {"montforge": version("montforge"), "yosys": yosys_version()}
    if isinstance(target, StandardCells):
        tools["opensta"] = opensta_version()
    elif target.is_placed and seeds:
        tools["nextpnr"] = nextpnr_version(target.family.placer)
    return tools


def installed(tool: str, target: StandardCells | Fpga) -> str | None:
    """Return the version of a tool of a measurement that is installed here, or None."""
    try:
        if tool == "coloquinte":
            return coloquinte_version()
        return tool_versions(target).get(tool)
    except (ToolMissingError, ToolFailedError):
        return None


def measure_command(
    words: Sequence[str],
    target: str | None,
    liberty: Path | None,
    seeds: int,
    effort: str = "full",
    netlist_check: bool = False,
    frequency: int | None = None,
    samples: int | None = None,
    seed: int | None = None,
    clock_gating: bool = False,
) -> str:
    """Return the command that makes this measurement again, with the options that have effect.

    ``seed`` is that of a placement on standard cells; None: not placed.
    """
    family = families().get(target_data(target)["kind"]) if target else None
    cells, placed = family is None, family is not None and bool(family.placer)
    return command_line(
        "measure",
        words,
        target=target,
        liberty=liberty,
        seeds=unless(3, seeds) if placed else None,
        frequency=frequency if placed else None,
        effort=unless("full", effort) if cells else None,
        netlist_check=netlist_check and cells,
        clock_gating=clock_gating and cells,
        placed=seed is not None,
        seed=None if seed is None else unless(PLACEMENT_SEED, seed),
        samples=samples,
    )
