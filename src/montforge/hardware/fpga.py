# SPDX-License-Identifier: Apache-2.0
"""FPGA targets and nextpnr's options for them, for generated folders and for measurements.

Each file ``targets/NAME.toml`` describes one target, ``targets/families.toml`` the families that
they are of; `montforge.measure.targets` reads those of standard cells.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

_PLACERS = {"heap": ("--placer-heap-timingweight", "30"), "static": ("--placer", "static")}
"""Options of the placers. With nextpnr's own weight of timing in ``heap``, 10, cells of one
critical path in a design with thousands of registers end up tens of rows apart."""


@dataclass(frozen=True)
class Family:
    """A family of FPGAs: see ``targets/families.toml``.

    ``placer`` is the part of a nextpnr wheel's name that is the family's, or empty: no timing.
    """

    synthesis: str
    registers: str
    resources: Mapping[str, Sequence[str]]
    no_pads: str = ""
    placer: str = ""
    out_of_context: bool = False
    oscillator: bool = False


@cache
def families() -> Mapping[str, Family]:
    """Return all families by name: the kinds of targets that are FPGAs."""
    return {kind: Family(**fields) for kind, fields in target_data("families").items()}


@dataclass(frozen=True)
class Fpga:
    """An FPGA of the family ``kind``: placed, routed and timed if the family has a placer.

    ``device`` are nextpnr's options for the device; ``frequency_mhz`` is the goal of placement;
    ``capacity`` is the device's number of each resource, where it is known; ``pins`` are those of
    a placed design's ports, if nextpnr does not choose them. ``in_ring``: a design is placed with
    pins, whose clocks are on the network for clocks, though its family could do without.
    ``multiplier_sites`` are the rows, and the first columns of four, of the device's multiplier
    blocks, where they are known.
    """

    name: str
    title: str
    kind: str
    device: Sequence[str] = ()
    frequency_mhz: int = 0
    capacity: Mapping[str, int] = field(default_factory=dict)
    notes: Sequence[str] = ()
    pins: Mapping[str, str] = field(default_factory=dict)
    in_ring: bool = False
    multiplier_sites: Mapping[str, Sequence[int]] = field(default_factory=dict)

    @property
    def out_of_context(self) -> bool:
        """Whether a design is placed without pins."""
        return self.family.out_of_context and not self.in_ring

    @property
    def family(self) -> Family:
        """The family of the device."""
        return families()[self.kind]

    @property
    def is_placed(self) -> bool:
        """Whether a placement gives a clock frequency."""
        return bool(self.family.placer)


def find_fpga(name: str) -> Fpga:
    """Return the registered FPGA called ``name``."""
    return Fpga(name, **target_data(name))


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
        *(["--out-of-context"] if target.out_of_context else []),
        *(["--lpf-allow-unconstrained"] if target.in_ring else []),
        *("--freq", str(target.frequency_mhz), *_PLACERS[placer]),
        *("--timing-allow-fail", "--seed", str(seed)),
    ]
