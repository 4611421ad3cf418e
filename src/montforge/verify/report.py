# SPDX-License-Identifier: Apache-2.0
"""Results of a verification or a cycle measurement."""

from __future__ import annotations

import math
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
        operation = data.pop("operation")
        return {"mode": data.pop("mode"), "index": data.pop("index"), **operation, **data} | {
            "command": self.command
        }

    def __str__(self) -> str:
        f = self.failure
        lines = [
            f"mismatch in operation {f.index} of mode {f.mode}: " + "; ".join(f.problems),
            *(f"  {name:<8} {value}" for name, value in f.operation.items()),
            f"  expected {f.expected}, latency {f.latency_expected}",
            f"  actual   {f.actual or 'none'}, latency {f.latency_actual or 'none'}",
            f"  handshake: {f.idle} idle cycles before, {f.stall} cycles of back-pressure"
            + (", " + _reset_text(f.reset_at) if f.reset_at else ""),
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


@dataclass(frozen=True)
class VerifyReport:
    """Result of `verify`.

    ``operations`` and ``mismatches`` are the numbers of checked and of wrong ones; ``modes``
    says how many operations of each mode. ``cycles_checked``: operations whose latency was
    compared with the cycle model. ``cycles_simulated``: rising edges. ``resets``: operations
    aborted by a reset and done again. ``failures``: the first mismatches. ``answers``: with
    vectors, what the hardware found for each line, in hexadecimal (None where it did not answer);
    JSON has them as ``results``, and as ``products`` too where they are products.
    """

    architecture: str
    parameters: dict[str, int | str]
    rtl_parameters: dict[str, int]
    seed: int
    operations: int
    mismatches: int
    modes: dict[str, int]
    cycles_checked: int
    cycles_simulated: int
    resets: int
    failures: tuple[Mismatch, ...] = ()
    answers: tuple[str | None, ...] | None = None
    function: str = "montgomery_product"
    waves: Path | None = None
    form: str = PARALLEL

    @property
    def failed(self) -> bool:
        """Whether an operation was wrong."""
        return bool(self.mismatches)

    def to_json(self) -> dict[str, Any]:
        """Return the report as JSON values; keys are stable."""
        data: dict[str, Any] = {
            "architecture": self.architecture,
            "parameters": self.parameters,
            "rtl_parameters": self.rtl_parameters,
            "form": self.form,
            "operations": self.operations,
            "mismatches": self.mismatches,
            "seed": self.seed,
            "modes": self.modes,
            "cycles_checked": self.cycles_checked,
            "cycles_simulated": self.cycles_simulated,
            "resets": self.resets,
            "failures": [failure.to_json() for failure in self.failures],
        }
        if self.answers is not None:
            data["results"] = list(self.answers)
            if self.function.endswith("_product"):
                data["products"] = list(self.answers)
        if self.waves is not None:
            data["waves"] = str(self.waves)
        return data

    def __str__(self) -> str:
        modes = ", ".join(f"{count} {mode}" for mode, count in self.modes.items())
        lines = [
            f"{_design_text(self.architecture, self.parameters, self.form)}:"
            f" {self.operations} operation{'s' * (self.operations != 1)} ({modes}),"
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


@dataclass(frozen=True)
class CyclesReport:
    """Latencies over ``samples`` random operations, in cycles as the contract counts them.

    Operands are those of published averages: n random and odd with its top bit set, a and b
    uniform below n. ``model_mismatches`` is how often the cycle model was not exact,
    ``mismatches`` how many operations were wrong in any way. ``handover``: cycles from the final
    result to ``rsp_valid_o``, which are not in the latency, nor are the ``harness_cycles`` of a
    form that is simulated in a harness. Without any response the mean is NaN (null in JSON).
    """

    architecture: str
    parameters: dict[str, int | str]
    rtl_parameters: dict[str, int]
    samples: int
    seed: int
    minimum: int
    mean: float
    maximum: int
    sd: float
    model_mismatches: int
    mismatches: int
    handover: int
    failures: tuple[Mismatch, ...] = ()
    form: str = PARALLEL
    harness_cycles: int = 0

    @property
    def failed(self) -> bool:
        """Whether an operation was wrong, or took other cycles than the model says."""
        return bool(self.mismatches or self.model_mismatches)

    def require_correct(self) -> None:
        """Raise CheckFailedError if any operation was wrong, hung, or differed from the model."""
        if not (self.mismatches or self.model_mismatches) and not math.isnan(self.mean):
            return
        wrong = max(self.mismatches, self.model_mismatches)
        raise CheckFailedError(
            f"{_design_text(self.architecture, self.parameters, self.form)}: {wrong} of"
            f" {self.samples} operations were wrong, hung or differed from the cycle model, so it"
            " has no mean latency." + "".join(f"\n{failure}" for failure in self.failures[:1])
        )

    def to_json(self) -> dict[str, Any]:
        """Return the report as JSON values; keys are stable."""
        cycles = {"min": self.minimum, "mean": self.mean, "max": self.maximum, "sd": self.sd}
        return {
            "architecture": self.architecture,
            "parameters": self.parameters,
            "rtl_parameters": self.rtl_parameters,
            "form": self.form,
            "samples": self.samples,
            "seed": self.seed,
            "cycles": dict.fromkeys(cycles) if math.isnan(self.mean) else cycles,
            "model_mismatches": self.model_mismatches,
            "mismatches": self.mismatches,
            "handover": self.handover,
            "harness_cycles": self.harness_cycles,
            "failures": [failure.to_json() for failure in self.failures],
        }

    def __str__(self) -> str:
        lines = [
            f"{_design_text(self.architecture, self.parameters, self.form)}:"
            f" {self.samples} operations, seed {self.seed}",
            "  no operation was answered"
            if math.isnan(self.mean)
            else f"  cycles min {self.minimum}, mean {self.mean:.2f}, max {self.maximum},"
            f" sd {self.sd:.2f}; then "
            + (
                f"{self.handover} until rsp_valid_o"
                if self.form == PARALLEL
                else f"{self.harness_cycles} of the harness, not counted"
            ),
            f"  {self.mismatches} mismatches, {self.model_mismatches} of them latencies that differ"
            " from the cycle model"
            if self.mismatches
            else "  every result was right, and the cycle model was exact for every operation",
            *(str(failure) for failure in self.failures),
        ]
        return "\n".join(lines)


def _reset_text(reset_at: int) -> str:
    since = "its acceptance" if reset_at > 0 else "rsp_valid_o"
    return f"after a reset {abs(reset_at)} cycles from {since} and the request made again"


def _design_text(architecture: str, parameters: dict[str, int | str], form: str) -> str:
    text = f"{architecture}({', '.join(f'{k}={v}' for k, v in parameters.items())})"
    return text if form == PARALLEL else f"{text}, form {form}"
