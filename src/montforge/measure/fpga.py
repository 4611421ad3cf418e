# SPDX-License-Identifier: Apache-2.0
"""FPGAs: resource counts from Yosys, and clock frequencies of several placements by nextpnr."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from montforge.errors import ParameterError, ToolFailedError
from montforge.hardware import Hardware
from montforge.hardware.fpga import Fpga, families, nextpnr_options
from montforge.hardware.yosys import read_design, run_yosys, yosys_identity
from montforge.measure import sites, yosys
from montforge.measure.identity import stored
from montforge.measure.nextpnr import RING_CLOCK, nextpnr_version, place
from montforge.measure.sweep import design_key
from montforge.measure.targets import lacks_primitive
from montforge.work.cache import ResultStore, cache_root, cached_folder, content_hash
from montforge.work.jobs import results_of
from montforge.work.progress import Progress, ProgressFunction

_SYNTHESIS_SECONDS = 7200.0


def count_resources(kind: str, cells: Mapping[str, int]) -> dict[str, int]:
    """Return the number of cells of each resource on the family ``kind``."""
    return {
        resource: sum(cells.get(name, 0) for name in types)
        for resource, types in families()[kind].resources.items()
    }


def used_luts(kind: str, resources: Mapping[str, int]) -> int:
    """Return the LUTs that ``resources`` take of a device, with those that make other cells.

    On an ECP5 a carry cell takes two LUT4s and a cell of LUT RAM six, as nextpnr counts.
    """
    if kind != "ecp5":
        return resources["lut"]
    return resources["lut"] + 2 * resources["carry"] + 6 * resources["lut_ram"]


def luts_per_dsp(capacity: Mapping[str, int]) -> int:
    """Return the LUTs of a device for each of its DSP blocks: the price of a block in LUTs."""
    return round(capacity["lut"] / capacity["dsp"])


def lacking(target: Fpga, resources: Mapping[str, int]) -> dict[str, tuple[int, int]]:
    """Return the resources that the device of ``target`` lacks: need and device's number."""
    used = {**resources, "lut": used_luts(target.kind, resources)}
    return {name: (used[name], has) for name, has in target.capacity.items() if used[name] > has}


def check_capacity(design: Hardware, target: Fpga, resources: Mapping[str, int]) -> None:
    """Raise ParameterError if ``resources`` are more than the device of ``target`` has."""
    for name, (needed, available) in lacking(target, resources).items():
        raise ParameterError(
            f"{design} needs {needed} {name.upper()}s, but target {target.name} has"
            f" {available}; choose a smaller width or a larger device."
        )


def synthesize(design: Hardware, target: Fpga, store: ResultStore) -> dict[str, Any]:
    """Return the cells of ``design`` on ``target`` by type, under the key ``cells``."""
    folder, inputs = _netlist(design, target)

    def make() -> dict[str, Any]:
        return {"cells": yosys.cell_counts(yosys.read_statistics(folder() / yosys.STATISTICS))}

    return stored(store, "fpga", inputs, make)


def placements(
    design: Hardware,
    target: Fpga,
    seeds: int,
    placer: str,
    store: ResultStore,
    workers: int,
    progress: ProgressFunction | None,
) -> list[dict[str, Any]]:
    """Return the `Placement` of each seed from 1 to ``seeds`` by ``placer`` as a dictionary."""
    clocks = design.fast_clocks
    folder, inputs = _netlist(design, target, in_ring=not target.out_of_context)

    def one(seed: int) -> dict[str, Any]:
        def make() -> dict[str, Any]:
            netlist, log = folder() / yosys.FPGA_NETLIST, _log(design, target)
            with tempfile.TemporaryDirectory() as name:
                return asdict(place(netlist, target, seed, placer, Path(name), log, clocks))

        options = nextpnr_options(target, seed, placer)
        of_placement = [inputs, options, dict(target.pins), nextpnr_version(target.family.placer)]
        of_placement += [dict(clocks)] * bool(clocks)
        if target.in_ring:
            of_placement += [dict(target.multiplier_sites), content_hash(Path(sites.__file__))]
        return stored(store, "placement", of_placement, make)

    jobs = [partial(one, seed) for seed in range(1, seeds + 1)]
    return results_of(jobs, workers, Progress(progress, seeds))


_Netlist = tuple[Callable[[], Path], list[object]]
"""A function that returns the folder of the cache with a netlist (JSON) and its statistics, and all
that it depends on."""


def _netlist(design: Hardware, target: Fpga, *, in_ring: bool = False) -> _Netlist:
    """Return the netlist of ``design``, or ``in_ring`` with five pins: its ports are registers."""
    top, ring = (yosys.RING, [f"read_verilog {yosys.RING_FILE}"]) if in_ring else (design.top, [])
    script = yosys.fpga_script(top, target.family, ring)
    of_ring = (
        [design.clock, *design.fast_clocks, content_hash(Path(yosys.__file__))] if in_ring else []
    )
    inputs: list[object] = [design_key(design), *of_ring, script, *yosys_identity()]

    def build(folder: Path) -> None:
        read = read_design(design)
        if in_ring:
            _run(design, target, f"{read}\ntee -q -o {yosys.PORTS} portlist {design.top}", folder)
            ports = (folder / yosys.PORTS).read_text()
            oscillator, fast = target.family.oscillator, design.fast_clocks
            own = RING_CLOCK if target.in_ring else "clk_i"
            source = yosys.ring_source(design.top, design.clock, ports, oscillator, fast, own)
            (folder / yosys.RING_FILE).write_text(source)
        _run(design, target, f"{read}\n{script}", folder)

    return lambda: cached_folder("netlists", content_hash(*inputs), build), inputs


def _run(design: Hardware, target: Fpga, script: str, folder: Path) -> None:
    (folder / yosys.CONSTANTS).write_text(yosys.CONSTANTS_SOURCE)
    (folder / yosys.CHAINS).write_text(yosys.CHAINS_SOURCE)
    try:
        log, kept = folder / "yosys.log", _log(design, target)
        run_yosys(script, log=log, timeout=_SYNTHESIS_SECONDS, cwd=folder, keep_log=kept)
    except ToolFailedError as error:
        name = yosys.unknown_primitive(str(error))
        if name is None:
            raise
        raise lacks_primitive(design, name, target.name) from None


def _log(design: Hardware, target: Fpga) -> Path:
    return cache_root() / "logs" / f"measure-{design.name}-{target.name}.log"
