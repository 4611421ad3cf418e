# SPDX-License-Identifier: Apache-2.0
"""What a design's activity tells of its operands, and what single faults do to its results.

`leak` and `faults` are the command's Python calls. Both simulate the gates of the RTL; the verdict
on time alone is a proof.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, get_args

from montforge.arch import Core, Design
from montforge.arch.rsa.engine import Engine
from montforge.errors import ParameterError, unknown_name
from montforge.hardware.forms import PARALLEL
from montforge.hardware.yosys import yosys_version
from montforge.leak.activity import ALL, Finding, Model, experiments, run_experiment
from montforge.leak.engine import EngineLeakReport, leak_of_engine
from montforge.leak.injection import EFFECTS, Faults, inject
from montforge.prove import prove
from montforge.prove.gates import Gates
from montforge.prove.verdict import Check
from montforge.report import Table
from montforge.verify.stimuli import average_modulus
from montforge.work.limits import check_limits
from montforge.work.progress import Progress, ProgressFunction

__all__ = ["EngineLeakReport", "FaultReport", "LeakReport", "faults", "leak"]

MODELS: tuple[Model, ...] = get_args(Model)
LEAST = 100
"""Operations of an experiment: the fewest for which t means something."""
MOST_NOISE = 1000.0
NOT_MASKED = (
    "The design is not masked: a test of fixed against random operands must find a difference. No"
    " glitches, coupling or wires are simulated: the figures bound no chip's leakage."
)


@dataclass(frozen=True)
class LeakReport:
    """The verdict on time, and the findings of the experiments, the null test first."""

    design: Core
    timing: Check
    model: Model
    samples: int
    noise: float
    seed: int
    findings: tuple[Finding, ...]
    tools: dict[str, str]

    @property
    def time(self) -> str:
        """The verdict on time, in words."""
        return f"{self.timing.verdict}. {self.timing.message}"

    @property
    def is_valid(self) -> bool:
        """Whether the null test finds no difference; without that no finding counts."""
        return not self.findings[0].differs

    def to_json(self) -> dict[str, Any]:
        """Return JSON-ready values."""
        return {
            **_described(self.design),
            "timing": self.timing.to_json(),
            "model": self.model,
            "samples": self.samples,
            "noise": self.noise,
            "seed": self.seed,
            "null_t": self.findings[0].t,
            "valid": self.is_valid,
            "findings": [asdict(each) for each in self.findings],
            "tools": self.tools,
        }

    def table(self) -> Table:
        """Return a row an experiment: the largest differences without and with noise."""

        def place(row: Finding) -> str:
            names = [p for p in row.places if p.register != ALL] or [*row.places]
            return f"{names[0].register}, {names[0].cycle}"

        return Table.of(
            f"{self.design}: activity of {self.model}, {self.samples:,} operations",
            self.findings,
            {
                "operations compared": lambda row: row.experiment,
                "largest t": lambda row: row.t,
                "limit": lambda row: row.limit,
                "cycles above it": lambda row: f"{row.above} of {row.cycles}",
                "register, cycle": place,
                "latency": lambda row: " to ".join(map(str, dict.fromkeys(row.latency))),
                "t of the latency": lambda row: row.latency_t,
                f"traces at noise {self.noise:g}": lambda row: row.traces,
            },
        )


@dataclass(frozen=True)
class FaultReport:
    """The effects of single faults on a design."""

    design: Core
    seed: int
    found: Faults
    tools: dict[str, str]

    def to_json(self) -> dict[str, Any]:
        """Return JSON-ready values."""
        found = asdict(self.found)
        if self._is_checked:
            found["escaped"] = self.found.escaped
        else:
            del found["alarms"]
        return {**_described(self.design), "seed": self.seed, **found, "tools": self.tools}

    def table(self) -> Table:
        """Return the number and the share of each effect."""
        found = self.found
        rows = [(name, found.effects[name], found.alarms[name]) for name in EFFECTS]
        rows.append(("the next operation wrong", found.next_wrong, 0))
        columns: dict[str, Callable[[tuple[str, int, int]], str | float]] = {
            "effect": lambda row: row[0],
            "trials": lambda row: row[1],
            "percent": lambda row: round(100 * row[1] / found.trials, 2),
        }
        if self._is_checked:
            columns["with err_o"] = lambda row: row[2]
            columns["without"] = lambda row: row[1] - row[2]
        return Table.of(
            f"{self.design}: one of {found.register_bits} register bits flipped in one cycle,"
            f" {found.trials:,} trials",
            rows,
            columns,
        )

    @property
    def _is_checked(self) -> bool:
        return bool(self.design.contract.checked)


def leak(
    design: Design,
    *,
    model: str = "registers",
    samples: int = 5000,
    noise: float = 10.0,
    seed: int,
    timeout: float = 600.0,
    progress: ProgressFunction | None = None,
) -> LeakReport | EngineLeakReport:
    """Return the verdict on time of ``design``, and where its activity differs with operands.

    Of an RSA engine, it is the activity of private operations, and how far blinding hides it.

    ``model`` is ``registers`` or ``nets``; ``noise`` the standard deviation of a noise beside the
    activity, as a multiple of the activity's; ``timeout`` is in seconds, for Yosys and for each
    experiment. Raises UnknownNameError, ParameterError for a form that is not the parallel one,
    ToolMissingError, ToolFailedError.
    """
    if model not in MODELS:
        raise unknown_name("model", model, MODELS)
    chosen = next(name for name in MODELS if name == model)
    _check_numbers(samples, timeout)
    if not 0 <= noise <= MOST_NOISE:
        raise ParameterError(
            f"noise = {noise:g} is not legal; it must be from 0 to {MOST_NOISE:g}."
        )
    if isinstance(design, Engine):
        return leak_of_engine(
            design,
            model=chosen,
            samples=samples,
            noise=noise,
            seed=seed,
            timeout=timeout,
            progress=progress,
        )
    core = _core(design)
    timing = prove(core, checks=["timing"], timeout=timeout).checks[0]
    gates = Gates(core.hardware, timeout=timeout)
    rng = random.Random(seed)
    tried = list(experiments(core, rng, average_modulus(rng, core.contract.modulus)))
    counted = Progress(progress, len(tried))
    findings = []
    for each in tried:
        findings.append(
            run_experiment(
                core,
                gates,
                each,
                model=chosen,
                samples=samples,
                noise=noise,
                seed=seed,
                deadline=time.monotonic() + timeout,
            )
        )
        counted.step()
    tools = {"yosys": yosys_version()}
    return LeakReport(core, timing, chosen, samples, noise, seed, tuple(findings), tools)


def faults(
    design: Design,
    *,
    samples: int = 20_000,
    seed: int,
    timeout: float = 600.0,
    progress: ProgressFunction | None = None,
) -> FaultReport:
    """Return the effects of ``samples`` single faults, each in its own operation of ``design``.

    ``timeout`` is in seconds, for Yosys and for the simulation. Raises as `leak` does.
    """
    _check_numbers(samples, timeout)
    core = _core(design)
    gates = Gates(core.hardware, timeout=timeout)
    deadline = time.monotonic() + timeout
    found = inject(core, gates, trials=samples, seed=seed, deadline=deadline)
    return FaultReport(core, seed, found, {"yosys": yosys_version()})


def _check_numbers(samples: int, timeout: float) -> None:
    check_limits(time_limit=timeout)
    check_limits(least=LEAST, samples=samples)


def _core(design: Design) -> Core:
    if not isinstance(design, Core):
        raise ParameterError(
            f"faults of {design.name} are no part of this: it checks each result before it releases"
            " it. Take a multiplier, a squarer or an exponentiator."
        )
    if design.form != PARALLEL:
        raise ParameterError(f"form {design.form}: only the parallel form's gates are simulated.")
    return design


def _described(design: Core) -> dict[str, Any]:
    return {
        "architecture": design.name,
        "parameters": dict(design.parameters),
        "form": design.form,
        "width": design.width,
    }
