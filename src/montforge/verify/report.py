# SPDX-License-Identifier: Apache-2.0
"""Results of a verification or a cycle measurement."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Protocol

from montforge.errors import CheckFailedError
from montforge.hardware.forms import PARALLEL
from montforge.verify.chunk import Failure


@dataclass(frozen=True)
class Mismatch:
    """A wrong operation, with the command that repeats it and writes its waves."""

    failure: Failure
    command: str

    def to_json(self) -> dict[str, Any]:
        """Return all data as JSON values; operands and results are hexadecimal strings."""
        data = asdict(self.failure)
        first = {name: data.pop(name) for name in ("mode", "index")}
        return {**first, **data.pop("operation"), **data, "command": self.command}

    def __str__(self) -> str:
        f = self.failure
        since = "its acceptance" if f.reset_at > 0 else "rsp_valid_o"
        reset = f"after a reset {abs(f.reset_at)} cycles from {since} and the request made again"
        lines = [
            f"mismatch in operation {f.index} of mode {f.mode}: " + "; ".join(f.problems),
            *(f"  {name:<8} {value}" for name, value in f.operation.items()),
            f"  expected {f.expected}, latency {f.latency_expected}",
            f"  actual   {f.actual or 'none'}, latency {f.latency_actual or 'none'}",
            f"  handshake: {f.idle} idle cycles before, {f.stall} cycles of back-pressure"
            + (f", {reset}" if f.reset_at else ""),
            f"  again: {self.command}",
        ]
        return "\n".join(lines)


class Report(Protocol):
    """The part of a result that each check of a design has."""

    @property
    def mismatches(self) -> int:
        """How many operations were wrong."""

    @property
    def failed(self) -> bool:
        """Whether an operation was wrong, or took other cycles than it must."""

    def to_json(self) -> dict[str, Any]:
        """Return the report as JSON values; keys are stable."""


@dataclass(frozen=True, kw_only=True)
class CoreReport:
    """The part of a result that both checks of a core have; ``failures``: the first mismatches."""

    architecture: str
    parameters: dict[str, int | str]
    rtl_parameters: dict[str, int]
    form: str
    seed: int
    mismatches: int
    failures: tuple[Mismatch, ...]

    @property
    def failed(self) -> bool:
        """Whether an operation was wrong."""
        return bool(self.mismatches)

    def to_json(self) -> dict[str, Any]:
        """Return the report as JSON values; keys are stable."""
        return asdict(self) | {"failures": [failure.to_json() for failure in self.failures]}

    @property
    def title(self) -> str:
        """The name of the design in the report."""
        return design_text(self.architecture, self.parameters, self.form)


@dataclass(frozen=True, kw_only=True)
class VerifyReport(CoreReport):
    """Result of `verify`.

    ``operations`` and ``mismatches`` are the numbers of checked and of wrong ones; ``modes`` has
    the number of operations of each mode. ``cycles_checked``: operations whose latency was compared
    with the cycle model. ``cycles_simulated``: rising edges. ``resets``: operations aborted by a
    reset and done again. ``answers``: with vectors, the answers of the hardware to the lines, in
    hexadecimal (None without one); JSON has them as ``results``, and as ``products`` too where they
    are products.
    """

    operations: int
    modes: dict[str, int]
    cycles_checked: int
    cycles_simulated: int
    resets: int
    answers: tuple[str | None, ...] | None
    function: str
    waves: Path | None

    def to_json(self) -> dict[str, Any]:
        """Return the report as JSON values; keys are stable."""
        data = super().to_json()
        answers, function, waves = (data.pop(name) for name in ("answers", "function", "waves"))
        if answers is not None:
            data["results"] = list(answers)
            if function.endswith("_product"):
                data["products"] = list(answers)
        return data if waves is None else {**data, "waves": str(waves)}

    def __str__(self) -> str:
        modes = ", ".join(f"{count} {mode}" for mode, count in self.modes.items())
        lines = [
            f"{self.title}: {self.operations} operation{'s' * (self.operations != 1)} ({modes}),"
            f" {self.mismatches} mismatch{'es' * (self.mismatches != 1)}",
            f"  {self.cycles_simulated} cycles simulated, {self.cycles_checked} latencies compared"
            f" with the cycle model, {self.resets} resets in mid-operation, seed {self.seed}",
        ]
        if self.waves is not None:
            lines.append(f"  waves: {self.waves}")
        lines += [str(failure) for failure in self.failures]
        if self.mismatches > len(self.failures):
            lines.append(f"({self.mismatches - len(self.failures)} more mismatches)")
        return "\n".join(lines)


@dataclass(frozen=True, kw_only=True)
class CyclesReport(CoreReport):
    """Latencies over ``samples`` random operations, in cycles as the contract counts them.

    Operands are those of published averages: n random and odd with its top bit set, a and b
    uniform below n. ``model_mismatches`` counts latencies that differ from the cycle model,
    ``mismatches`` operations that were wrong in any way. ``handover``: cycles from the final
    result to ``rsp_valid_o``, which are not in the latency, nor are the ``harness_cycles`` of a
    form that is simulated in a harness. Without any response the mean is NaN (null in JSON).
    """

    samples: int
    minimum: int
    mean: float
    maximum: int
    sd: float
    model_mismatches: int
    handover: int
    harness_cycles: int

    @property
    def failed(self) -> bool:
        """Whether an operation was wrong, or took other cycles than the model says."""
        return bool(self.mismatches or self.model_mismatches)

    def require_correct(self) -> None:
        """Raise CheckFailedError if any operation was wrong, hung, or differed from the model."""
        if not self.failed and not math.isnan(self.mean):
            return
        wrong = max(self.mismatches, self.model_mismatches)
        raise CheckFailedError(
            f"{self.title}: {wrong} of {self.samples} operations were wrong, hung or differed from"
            " the cycle model, so it has no mean latency."
            + "".join(f"\n{failure}" for failure in self.failures[:1])
        )

    def to_json(self) -> dict[str, Any]:
        """Return the report as JSON values; keys are stable."""
        data = super().to_json()
        names = {"minimum": "min", "mean": "mean", "maximum": "max", "sd": "sd"}
        cycles = {short: data.pop(name) for name, short in names.items()}
        return {**data, "cycles": dict.fromkeys(cycles) if math.isnan(self.mean) else cycles}

    def __str__(self) -> str:
        then = f"{self.harness_cycles} of the harness, not counted"
        if self.form == PARALLEL:
            then = f"{self.handover} until rsp_valid_o"
        cycles = (
            f"cycles min {self.minimum}, mean {self.mean:.2f}, max {self.maximum},"
            f" sd {self.sd:.2f}; then {then}"
        )
        verdict = "every result was right, and the cycle model was exact for every operation"
        if self.mismatches:
            wrong = f"{self.model_mismatches} of them latencies that differ from the cycle model"
            verdict = f"{self.mismatches} mismatches, {wrong}"
        lines = [
            f"{self.title}: {self.samples} operations, seed {self.seed}",
            "  no operation was answered" if math.isnan(self.mean) else f"  {cycles}",
            f"  {verdict}",
            *map(str, self.failures),
        ]
        return "\n".join(lines)


def design_text(architecture: str, parameters: Mapping[str, int | str], form: str) -> str:
    """Return a design as reports name it: ``rmm(width=64, k=3)``, with its form if not parallel."""
    text = f"{architecture}({', '.join(f'{k}={v}' for k, v in parameters.items())})"
    return text if form == PARALLEL else f"{text}, form {form}"
