# SPDX-License-Identifier: Apache-2.0
"""Measured results that come with the package: ``results.jsonl``, a line for each.

The docs' tables are made from it (`scripts/render_docs.py`), and `scripts/store_results.py` adds to
it what ``montforge measure --json`` or ``montforge explore`` has written.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, replace
from functools import cache, cached_property
from importlib.resources import files
from pathlib import Path
from typing import Any

from montforge.arch import Core, Design, architecture, design
from montforge.contract import BitBound, Bound
from montforge.errors import InputFileError, MontforgeError, ParameterError
from montforge.explore.results import WITH_WIRES, Exploration, Row, read_own, with_wires
from montforge.hardware.forms import PARALLEL
from montforge.hardware.fpga import target_data
from montforge.measure.compiled import compiled_hash
from montforge.measure.measurement import PLACEMENT_SEED, Figures, installed, tool_versions
from montforge.measure.own_rtl import FORM
from montforge.measure.placed import placed_hash
from montforge.measure.placed.technology import placed_targets
from montforge.measure.targets import StandardCells, Target, described_target
from montforge.work.command import command_line
from montforge.work.sources import source_commit
from montforge.work.tools import without_log

RESULTS = "results.jsonl"
_AS_MEASURED = (
    "architecture", "form", "area", "area_unit", "area_registers", "period", "cycles", "handover",
    "netlist_checked", "tools", "command", "commit", "inputs", "compiled",
)  # fmt: skip
_AS_ROW = (
    *_AS_MEASURED, "parameters", "resources", "period_no_wires", "interval", "critical_path",
    "memory_bits", "placed",
)  # fmt: skip


@dataclass(frozen=True)
class Result(Figures):
    """A measured design; fields are those of `montforge.measure.Measurement`, shorter in places.

    ``effort`` is None on an FPGA, where ``placements`` has the MHz of each seed and ``period`` is
    that of their median; LUTs of ``resources`` are counted by nextpnr then, two for a carry cell,
    else those of the synthesis. ``result`` is the bound of the result, ``constant_time`` whether
    the time is the same for all data: both of the contract. ``commit`` is that of the checkout
    which measured it, ``inputs`` the hash of all that was measured; it is None where the figures
    were taken from a page, which rounds. ``compiled`` is the hash of RTL and scripts
    (`montforge.measure.compiled`), None where it is not known. A design that was refused or left
    out has no figures and the reason as ``message``. ``placed`` has the figures with wires
    (`montforge.explore.results.WITH_WIRES`), if they were measured; a line has it only then. Its
    ``compiled`` is the hash of `montforge.measure.placed.placed_hash`.
    """

    target: str
    effort: str | None
    architecture: str
    parameters: dict[str, int | str]
    form: str
    result: str
    constant_time: bool
    area: float | None
    area_unit: str | None
    area_registers: float | None
    memory_bits: int
    resources: dict[str, int] | None
    period: float | None
    period_no_wires: float | None
    period_unit: str | None
    placements: list[float] | None
    cycles: float | None
    handover: int
    interval: str
    critical_path: str | None
    netlist_checked: str | None
    tools: dict[str, str]
    command: str
    commit: str | None
    inputs: str | None
    compiled: str | None = None
    message: str = ""
    placed: dict[str, Any] | None = None

    @property
    def key(self) -> tuple[Any, ...]:
        """Key of a result, by which results are sorted: `key_of`."""
        return key_of(self.chosen, self.target, self.effort)

    @property
    def key_text(self) -> str:
        """The key as a text, for dictionaries."""
        return str(self.key)

    @cached_property
    def chosen(self) -> Design:
        """The design itself."""
        return design(self.architecture, **self.parameters).with_form(self.form)

    @property
    def size(self) -> int:
        """Bits of the widest modulus."""
        return int(self.parameters[architecture(self.architecture).size_parameter])

    @property
    def function(self) -> str:
        """The function of the contract by name; of an engine, the engine's name."""
        chosen = self.chosen
        return chosen.contract.function.name if isinstance(chosen, Core) else chosen.name

    @property
    def only_modulus(self) -> int | None:
        """The modulus that is fixed in the hardware; None if it is an input."""
        chosen = self.chosen
        return chosen.contract.modulus.only if isinstance(chosen, Core) else None

    @property
    def is_own(self) -> bool:
        """Whether this is RTL that is not of the library, so that there is no design."""
        return self.form == FORM

    @cached_property
    def stale(self) -> str:
        """Why the figures are not those of today's sources and tools; empty if they are.

        Empty for own RTL.
        """
        if self.is_own:
            return ""
        target = described_target(self.target, self.effort)
        if self.compiled != compiled_hash(self.chosen.hardware, target):
            return "RTL or flow"
        return _other_versions(self.tools, target)

    @cached_property
    def placed_stale(self) -> str:
        """Why the figures with wires are not those of today, as `stale`; empty without any."""
        if self.placed is None or self.is_own:
            return ""
        target = described_target(self.target, self.effort)
        assert isinstance(target, StandardCells)
        if self.placed["compiled"] != placed_hash(self.chosen.hardware, target):
            return "RTL or flow"
        return _other_versions(self.placed["tools"], target)

    @property
    def placed_command(self) -> str:
        """The command that measures the figures with wires, too."""
        seed = (self.placed or {}).get("seed", PLACEMENT_SEED)
        words = [self.command, *(["--placed"] if "--placed" not in self.command else [])]
        if seed != PLACEMENT_SEED and "--seed " not in self.command:
            words.append(f"--seed {seed}")
        return " ".join(words)

    @cached_property
    def sized(self) -> Result | None:
        """The result with area and period of the placed and sized netlist, if there are some."""
        if self.placed is None:
            return None
        return replace(
            self,
            area=self.placed["area_sized"],
            period=self.placed["period_sized"],
            netlist_checked=self.placed["netlist_checked"],
        )

    @property
    def options(self) -> dict[str, int | str]:
        """The parameters that are not at their defaults, without the width."""
        if self.is_own:
            return self.parameters
        sized = {architecture(self.architecture).size_parameter: self.size}
        default = design(self.architecture, **sized).parameters
        return {
            name: value
            for name, value in self.parameters.items()
            if name not in sized and default.get(name) != value
        }

    @property
    def label(self) -> str:
        """A short name: the architecture and its `options`."""
        listed = ", ".join(f"{name}={value}" for name, value in self.options.items())
        return f"{self.architecture}({listed})" if listed else self.architecture

    @classmethod
    def of(cls, measured: dict[str, Any]) -> Result:
        """Return the result that a `Measurement.to_json`, or a row of an exploration, holds.

        Raises ParameterError for one with gated clocks.
        """
        chosen = design(measured["architecture"], **measured["parameters"])
        chosen = chosen.with_form(measured["form"])
        words = shlex.split(measured["command"])
        if "--clock-gating" in words:
            raise ParameterError(
                f"`{measured['command']}` has gated clocks, and the results that it would stand"
                " among have none; measure without --clock-gating."
            )
        target = words[words.index("--target") + 1]
        resources, path = measured["resources"], measured["critical_path"]
        wires = measured.get("wire_load") or {}
        effort = words[words.index("--effort") + 1] if "--effort" in words else "full"
        placed = [row for row in measured.get("sweep", ()) if "seed" in row]
        if placed:
            counted = placed[0]["utilization"].get("TRELLIS_COMB", resources["lut"])
            resources = {**resources, "lut": counted}
        return cls(
            target=target,
            effort=effort if resources is None else None,
            parameters=dict(chosen.parameters),
            memory_bits=chosen.hardware.memory_bits if resources is None else 0,
            resources=resources,
            period_no_wires=measured.get("period_no_wires", wires.get("period_without")),
            period_unit=measured.get("period_unit", measured.get("time_unit")),
            placements=[row["fmax_mhz"] for row in placed] or None,
            critical_path=f"{path['start']} -> {path['end']}" if isinstance(path, dict) else path,
            placed=with_wires(measured),
            **promises(chosen, measured["cycles"]),
            **{name: measured[name] for name in _AS_MEASURED},
        )

    @classmethod
    def own(cls, path: Path, target: str) -> Result:
        """Return the result of own RTL on ``target``, as `montforge.explore.results.read_own`.

        Range of the result and constant time are not known.
        """
        row = read_own(path, target)
        return cls(
            target=target,
            effort=None,
            result="not stated",
            constant_time=False,
            period_unit=row.time_unit,
            placements=None,
            **{name: getattr(row, name) for name in _AS_ROW},
        )

    @classmethod
    def refused(cls, chosen: Design, target: str, effort: str | None, message: str) -> Result:
        """Return the row of a design without figures on a target, and the reason."""
        found = described_target(target, effort)
        none = (
            "area", "area_unit", "area_registers", "resources", "period", "period_no_wires",
            "period_unit", "placements", "cycles", "critical_path", "netlist_checked", "inputs",
        )  # fmt: skip
        empty: dict[str, Any] = dict.fromkeys(none)
        options = {"effort": effort} if effort else {"seeds": 1}
        return cls(
            target=target,
            effort=effort,
            architecture=chosen.name,
            parameters=dict(chosen.parameters),
            form=chosen.form,
            memory_bits=0,
            handover=chosen.contract.handover,
            tools=tool_versions(found),
            command=command_line("measure", chosen.words, target=target, **options),
            commit=source_commit(),
            compiled=compiled_hash(chosen.hardware, found),
            message=without_log(message),
            **promises(chosen, None),
            **empty,
        )

    def row(self) -> Row:
        """Return it as the row of an exploration."""
        return Row(
            design=self.label if self.is_own else self.chosen.identifier,
            label=self.label, status="measured", message="",
            time_unit=self.period_unit, time=self.time, area_time=self.area_time,
            latency=self.latency, area_latency=self.area_latency,
            fmax_mhz=None if self.period is None else 1e3 / self.period,
            seconds=None, peak_mb=None, **{name: getattr(self, name) for name in _AS_ROW},
        )  # fmt: skip


def _other_versions(tools: dict[str, str], target: Target) -> str:
    """Return those of ``tools`` that are installed here with another version."""
    return ", ".join(
        f"{name} {version}"
        for name, version in tools.items()
        if name != "montforge" and installed(name, target) not in (None, version)
    )


def key_of(chosen: Design, target: str, effort: str | None) -> tuple[Any, ...]:
    """Return the key of a design on a target with an effort."""
    others = {k: v for k, v in chosen.parameters.items() if k != chosen.size_parameter}
    values = [(name, str(value)) for name, value in others.items()]
    return (target, effort or "", chosen.form, chosen.size, chosen.name, values)


def result_bound(chosen: Design) -> Bound | BitBound:
    """Return the bound of a design's result; that of an engine is a residue below n."""
    if not isinstance(chosen, Core):
        return Bound(1)
    bound = chosen.contract.results[0].bound
    assert bound is not None
    return bound


def promises(chosen: Design, cycles: float | None) -> dict[str, Any]:
    """Return the fields of a result that the contract says: range, constant time, interval.

    An engine does one operation of ``cycles`` at a time.
    """
    interval = chosen.interval_text or ("" if cycles is None else f"{cycles:g}")
    return {
        "result": str(result_bound(chosen)),
        "constant_time": chosen.timing != "data dependent",
        "interval": interval,
    }


def read_results(text: str | None = None) -> tuple[Result, ...]:
    """Return the results of ``text``, those of the package without it. Raises InputFileError."""
    if text is None:
        return _of_package()
    try:
        return tuple(Result(**json.loads(line)) for line in text.splitlines())
    except (ValueError, TypeError) as error:
        raise InputFileError(f"these are no results of the store: {error}.") from None


@cache
def _of_package() -> tuple[Result, ...]:
    return read_results(files("montforge.store").joinpath(RESULTS).read_text(encoding="utf-8"))


def with_others(
    results: Iterable[Result], paths: Iterable[Path], target: str
) -> tuple[Result, ...]:
    """Return ``results`` with those of files: rows as in ``results.jsonl``, or own RTL.

    A file ``.jsonl`` has rows, which replace those of the same design, target and effort; others
    are of own RTL on ``target`` (`Result.own`). Raises InputFileError.
    """
    found = {row.key_text: row for row in results}
    own = []
    for path in paths:
        if path.suffix == ".jsonl":
            found.update((row.key_text, row) for row in _read_added(path))
        else:
            own.append(Result.own(path, target))
    return (*found.values(), *own)


def _read_added(path: Path) -> Iterator[Result]:
    """Yield the rows of a file that others made; the contract's promises are taken from here."""
    try:
        rows = read_results(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise InputFileError(f"{path} can't be read: {error}.") from None
    except InputFileError as error:
        raise InputFileError(f"{path}: {error}") from None
    for number, row in enumerate(rows, 1):
        figures = {name: getattr(row, name) for name in ("area", "period", "cycles")}
        if isinstance(row.resources, dict):
            figures["lut"] = row.resources.get("lut")
        if row.placed is not None and not _is_placed(row):
            raise InputFileError(
                f"row {number} of {path}: placed must be what measure --placed --json gives on a"
                " target with data of rows and wires, or be left out."
            )
        for name, value in figures.items():
            if value is not None and not (isinstance(value, int | float) and value > 0):
                raise InputFileError(
                    f"row {number} of {path}: {name} = {value!r} must be a number above 0, or null."
                )
        try:
            yield replace(row, **promises(row.chosen, row.cycles))
        except (MontforgeError, TypeError) as error:
            raise InputFileError(f"row {number} of {path}: {error}") from None


def _is_placed(row: Result) -> bool:
    """Return whether ``placed`` of a row that others made has all figures with wires."""
    found = row.placed
    return (
        isinstance(found, dict)
        and row.target in placed_targets()
        and found.keys() >= set(WITH_WIRES)
        and all(
            isinstance(found[name], int | float) and found[name] > 0
            for name in ("period_placed", "period_sized", "area_sized")
        )
        and isinstance(found["tools"], dict)
    )


def results_text(results: Iterable[Result]) -> str:
    """Return the text of ``results.jsonl``, sorted; of two results of one design the last one."""
    kept = {result.key_text: result for result in results}
    rows = sorted(kept.values(), key=lambda result: result.key)
    return "".join(json.dumps(_line(row)) + "\n" for row in rows)


def _line(row: Result) -> dict[str, Any]:
    found = {field.name: getattr(row, field.name) for field in fields(Result)}
    if row.placed is None:
        del found["placed"]
    return found


def multipliers(
    results: Iterable[Result], *, width: int, target: str, effort: str | None = "quick"
) -> list[Result]:
    """Return the Montgomery multipliers of any odd modulus among ``results``, by growing area."""
    found = [
        result
        for result in results
        if (result.target, result.effort, result.form) == (target, effort, PARALLEL)
        and result.size == width
        and result.time is not None
        and result.function == "montgomery_product"
        and result.only_modulus is None
    ]
    return sorted(found, key=lambda result: result.area or 0.0)


def exploration(results: Iterable[Result], *, width: int, target: str) -> Exploration:
    """Return all `multipliers` of a width on a target as an exploration of quick effort."""
    return Exploration(
        title=f"{width} bits on {target}",
        target=target,
        target_title=target_data(target)["title"],
        command="montforge measure, a command for each design",
        rows=tuple(result.row() for result in multipliers(results, width=width, target=target)),
        left_out=0,
        seconds=0.0,
    )
