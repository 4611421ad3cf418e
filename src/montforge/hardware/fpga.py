# SPDX-License-Identifier: Apache-2.0
"""FPGA targets and nextpnr's options for them, for generated folders and for measurements.

Each file ``targets/NAME.toml`` describes one target; `montforge.measure.targets` reads those of
standard cells.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

_PLACERS = {"heap": ("--placer-heap-timingweight", "30"), "static": ("--placer", "static")}
"""Options of the placers. With nextpnr's own weight of timing in ``heap``, 10, cells of one
critical path in a design with thousands of registers end up tens of rows apart."""


FPGA_KINDS = ("ecp5", "xcup")


@dataclass(frozen=True)
class Fpga:
    """An FPGA. ``kind`` is ``ecp5`` (placed, routed, timed) or ``xcup`` (resources only).

    ``device`` are nextpnr's options for the device; ``frequency_mhz`` is the goal of placement;
    ``capacity`` is the device's number of each resource, where it is known.
    """

    name: str
    title: str
    kind: str
    device: tuple[str, ...]
    frequency_mhz: int
    capacity: Mapping[str, int]
    notes: tuple[str, ...] = ()


def find_fpga(name: str) -> Fpga:
    """Return the registered FPGA called ``name``."""
    data = target_data(name)
    return Fpga(
        name=name,
        title=data["title"],
        kind=data["kind"],
        device=tuple(data.get("device", ())),
        frequency_mhz=data.get("frequency_mhz", 0),
        capacity=data.get("capacity", {}),
        notes=tuple(data.get("notes", ())),
    )


def target_data(name: str) -> dict[str, Any]:
    """Return the content of ``targets/NAME.toml``."""
    return tomllib.loads(targets_folder().joinpath(f"{name}.toml").read_text())


def targets_folder() -> Traversable:
    """Return the folder of the files that describe targets."""
    return files("montforge") / "targets"


def nextpnr_options(target: Fpga, seed: int, placer: str) -> list[str]:
    """Return the options of a placement by ``heap`` or ``static``, without its files."""
    return [
        *target.device,
        "--out-of-context",
        "--freq",
        str(target.frequency_mhz),
        *_PLACERS[placer],
        "--timing-allow-fail",
        "--seed",
        str(seed),
    ]
