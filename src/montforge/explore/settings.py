# SPDX-License-Identifier: Apache-2.0
"""The settings of an exploration: designs, target, search, limits."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from montforge.arch import architecture
from montforge.errors import ParameterError, unknown_name
from montforge.explore.space import (
    Grid,
    Space,
    default_grids,
    default_space,
    read_grids,
    read_points,
    read_space,
)
from montforge.explore.trials import SAMPLERS
from montforge.hardware.forms import PARALLEL
from montforge.hardware.fpga import Fpga
from montforge.measure import find_target
from montforge.measure.measurement import EFFORTS
from montforge.measure.placed import check_placeable
from montforge.measure.targets import Target, with_clock_gating
from montforge.work.command import command_line, unless
from montforge.work.limits import check_limits

TIME_LIMIT = 7200.0
"""Seconds that a design may take unless another limit is given."""

SAMPLES = 2000
"""Operations for a mean latency unless it is given, the same as `montforge measure` takes."""


@dataclass(frozen=True)
class Settings:
    """The settings of an exploration, each with its default.

    The designs are those of the file ``points``, of the file ``space`` (see
    `montforge.explore.space` for both forms), or of the default space of ``width`` bits, in each
    case only those of ``architectures`` if any are named, and those that have the ``form``. With
    ``trials`` Optuna's ``sampler`` chooses that many designs of a space of any size near the
    frontier, from ``seed``; else all are measured.

    ``target`` and ``liberty`` are those of `montforge.measure`, as are ``seeds`` (placements on
    an FPGA), ``effort``, ``netlist_check`` and ``clock_gating`` (on standard cells); with
    ``placed`` the designs on the frontier are placed, and compared by their figures with wires;
    ``samples`` operations give the mean latency where it depends on data. ``workers``
    jobs run at a time as processes of this machine, or on a Dask cluster: ``dask`` is
    ``local`` or a scheduler's address. A job may take ``time_limit`` seconds, and
    ``memory_limit`` MB (default: its share of the free memory). Designs that failed in earlier runs
    are measured again with ``retry``. ``own`` are files of ``montforge measure --rtl --json``:
    their rows stand among the others. Raises UnknownNameError, and ParameterError for values that
    are out of range or exclude each other.
    """

    target: str | None = None
    liberty: Path | None = None
    width: int = 256
    architectures: tuple[str, ...] = ()
    space: Path | None = None
    points: Path | None = None
    form: str = PARALLEL
    trials: int | None = None
    sampler: str = SAMPLERS[0]
    seed: int = 1
    samples: int = SAMPLES
    seeds: int = 3
    effort: str = "full"
    netlist_check: bool = False
    clock_gating: bool = False
    placed: bool = False
    workers: int | None = None
    dask: str | None = None
    time_limit: float = TIME_LIMIT
    memory_limit: float | None = None
    retry: bool = False
    own: tuple[Path, ...] = ()

    def __post_init__(self) -> None:
        if self.points is not None and self.space is not None:
            raise ParameterError("give a points file or a space file, not both.")
        if self.trials is not None and self.points is not None:
            raise ParameterError(
                "trials choose from a space; of a points file all designs are run."
            )
        if self.sampler not in SAMPLERS:
            raise unknown_name("sampler", self.sampler, SAMPLERS)
        if self.effort not in EFFORTS:
            raise unknown_name("effort", self.effort, EFFORTS)
        check_limits(
            samples=self.samples,
            seeds=self.seeds,
            trials=self.trials,
            workers=self.workers,
        )
        check_limits(least=0.01, time_limit=self.time_limit, memory_limit=self.memory_limit)

    def designs(self) -> Space:
        """Return the designs to choose from. Raises MontforgeError for a file with errors."""
        if self.points is not None:
            found = read_points(self.points, self.width)
        elif self.space is not None:
            found = read_space(self.space, self.width)
        else:
            found = default_space(self.width, self.architectures)
        return found.only(self.architectures).in_form(self.form)

    def grids(self) -> list[Grid]:
        """Return the grids that trials choose from. Raises MontforgeError."""
        for name in self.architectures:
            architecture(name)
        if self.space is not None:
            found = read_grids(self.space, self.width)
        else:
            found = default_grids(self.width, self.architectures)
        kept = [each for each in found if each.name in (self.architectures or (each.name,))]
        if not kept:
            raise ParameterError(
                f"no design is left: the space has none of {', '.join(self.architectures)}."
            )
        return kept

    def find_target(self) -> Target:
        """Return the target, which has timing. Raises MontforgeError for others."""
        found = find_target(self.target, self.liberty)
        if isinstance(found, Fpga) and not found.is_placed:
            raise ParameterError(
                f"target {found.name} has no timing, so there is no latency to explore; use a"
                " standard-cell library, or an FPGA that is placed, such as an ECP5."
            )
        if self.placed:
            check_placeable(self.target)
        if self.clock_gating:
            return with_clock_gating(found)
        return found

    @property
    def command(self) -> str:
        """The command that makes this exploration again."""
        own: dict[str, Any] = {"with": self.own}
        return command_line(
            "explore",
            width=self.width,
            target=self.target,
            liberty=self.liberty,
            arch=tuple(self.architectures),
            space=self.space,
            points=self.points,
            form=unless(PARALLEL, self.form),
            trials=self.trials,
            sampler=unless(SAMPLERS[0], self.sampler),
            seed=None if self.trials is None else self.seed,
            samples=unless(SAMPLES, self.samples),
            seeds=unless(3, self.seeds),
            effort=unless("full", self.effort),
            netlist_check=self.netlist_check,
            clock_gating=self.clock_gating,
            placed=self.placed,
            **own,
            output="DIR",
        )
