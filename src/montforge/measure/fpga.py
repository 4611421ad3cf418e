# SPDX-License-Identifier: Apache-2.0
"""FPGAs: resource counts from Yosys, and clock frequencies of several placements by nextpnr."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from montforge.errors import ParameterError, ToolFailedError
from montforge.hardware import Hardware
from montforge.hardware.fpga import Fpga, nextpnr_options
from montforge.hardware.yosys import read_design, run_yosys, yosys_identity
from montforge.measure import yosys
from montforge.measure.identity import stored
from montforge.measure.nextpnr import nextpnr_version, place
from montforge.measure.sweep import design_key
from montforge.measure.targets import lacks_primitive
from montforge.work.cache import ResultStore, cache_root, cached_folder, content_hash
from montforge.work.jobs import results_of
from montforge.work.progress import Progress, ProgressFunction

_SYNTHESIS_SECONDS = 7200.0

RESOURCES: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "ecp5": {
        "lut": ("LUT4",),
        "ff": ("TRELLIS_FF",),
        "dsp": ("MULT9X9D", "MULT18X18D", "ALU54B"),
        "bram": ("DP16KD", "PDPW16KD"),
        "lut_ram": ("TRELLIS_DPR16X4",),
        "carry": ("CCU2C",),
    },
    "xcup": {
        "lut": ("LUT1", "LUT2", "LUT3", "LUT4", "LUT5", "LUT6"),
        "ff": ("FDCE", "FDPE", "FDRE", "FDSE"),
        "dsp": ("DSP48E2",),
        "bram": ("RAMB18E2", "RAMB36E2"),
        "lut_ram": ("RAM32X1D", "RAM32M", "RAM64X1D", "RAM64M", "SRL16E", "SRLC32E"),
        "carry": ("CARRY4",),
    },
}
"""The cell types that are counted as each resource, by kind of target."""


def count_resources(kind: str, cells: Mapping[str, int]) -> dict[str, int]:
    """Return the number of cells of each resource."""
    return {
        resource: sum(cells.get(name, 0) for name in types)
        for resource, types in RESOURCES[kind].items()
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
    return {
        name: (used[name], available)
        for name, available in target.capacity.items()
        if used[name] > available
    }


def check_capacity(design: Hardware, target: Fpga, resources: Mapping[str, int]) -> None:
    """Raise ParameterError if ``resources`` are more than the device of ``target`` has."""
    for name, (needed, available) in lacking(target, resources).items():
        raise ParameterError(
            f"{design} needs {needed} {name.upper()}s, but target {target.name} has"
            f" {available}; choose a smaller width or a larger device."
        )


def synthesize(design: Hardware, target: Fpga, store: ResultStore) -> dict[str, Any]:
    """Return the cells of ``design`` on ``target`` by type, under the key ``cells``."""

    def make() -> dict[str, Any]:
        statistics = _netlist_folder(design, target) / yosys.STATISTICS
        return {"cells": yosys.cell_counts(yosys.read_statistics(statistics))}

    return stored(store, "fpga", _inputs(design, target), make)


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

    def one(seed: int) -> dict[str, Any]:
        def make() -> dict[str, Any]:
            netlist = _netlist_folder(design, target) / yosys.FPGA_NETLIST
            with tempfile.TemporaryDirectory() as name:
                return asdict(
                    place(netlist, target, seed, placer, Path(name), _log(design, target))
                )

        options = nextpnr_options(target, seed, placer)
        inputs = [_inputs(design, target), options, nextpnr_version()]
        return stored(store, "placement", inputs, make)

    jobs = [partial(one, seed) for seed in range(1, seeds + 1)]
    return results_of(jobs, workers, Progress(progress, seeds))


def _inputs(design: Hardware, target: Fpga) -> list[object]:
    return [design_key(design), yosys.fpga_script(design.top, target.kind), *yosys_identity()]


def _netlist_folder(design: Hardware, target: Fpga) -> Path:
    """Return the folder of the cache with the netlist (JSON) and the statistics."""
    script = yosys.fpga_script(design.top, target.kind)

    def build(folder: Path) -> None:
        try:
            run_yosys(
                f"{read_design(design)}\n{script}",
                log=folder / "yosys.log",
                timeout=_SYNTHESIS_SECONDS,
                cwd=folder,
                keep_log=_log(design, target),
            )
        except ToolFailedError as error:
            name = yosys.unknown_primitive(str(error))
            if name is None:
                raise
            raise lacks_primitive(design, name, target.name) from None

    return cached_folder("netlists", content_hash(*_inputs(design, target)), build)


def _log(design: Hardware, target: Fpga) -> Path:
    return cache_root() / "logs" / f"measure-{design.name}-{target.name}.log"
