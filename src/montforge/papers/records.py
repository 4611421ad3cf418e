# SPDX-License-Identifier: Apache-2.0
"""Published multipliers, squarers and engines, and the stored designs that beat them.

Figures of different processes compare as gate equivalents (area over that of the library's NAND2)
and as fan-out-of-4 delays. A layout compares with placed figures only: the area of the rows of the
die, and the period with wires. An FPGA compares with figures of the same device only; the devices
of these records are not placed here.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from math import prod
from typing import Any

from montforge.papers.data import paper
from montforge.papers.rsa_engines import private_operations
from montforge.report import Table
from montforge.store import Result

MARGIN = 0.2
"""The part by which a design must be smaller and faster to beat a record."""
CELLS, LAYOUT = "cells", "layout"
COMPARED = frozenset({CELLS, LAYOUT})
"""The kinds of records that are compared with stored designs."""
MULTIPLY, SQUARE, POWER, RSA = "multiply", "square", "power", "rsa"
FIXED, ANY = "fixed", "any"
_FUNCTIONS = {
    MULTIPLY: {"montgomery_product", "product"},
    SQUARE: {"montgomery_square", "square"},
    POWER: {"power"},
    RSA: {"rsa"},
}
_UNITS = (
    ("area_kum2", "area_um2", 1e3),
    ("latency_us", "latency_ns", 1e3),
    ("latency_ms", "latency_ns", 1e6),
)
"""Columns as papers print them, and ours."""


@dataclass(frozen=True, kw_only=True)
class Record:
    """A published design. ``latency_ns`` is that of an operation, ``fo4`` its two ends in FO4.

    ``technology`` is a process or a device; ``kge`` thousands of gate equivalents, in two ends
    where the library's NAND2 is not published, None where the area or the process is not;
    ``not_beaten`` says why no stored design beats it.
    """

    name: str
    source: str
    function: str = MULTIPLY
    width: int
    modulus: str = ANY
    kind: str
    technology: str
    area_um2: float | None = None
    kge: tuple[float, float] | None = None
    period_ns: float | None = None
    cycles: int | None = None
    latency_ns: float | None = None
    fo4: tuple[float, float] | None = None
    leaves_out: Sequence[str] = ()
    not_beaten: str = ""


@dataclass(frozen=True)
class Standing:
    """A record, the stored design that beats it, if any, and the verdict in words."""

    record: Record
    result: Result | None
    verdict: str

    @property
    def is_as_stated(self) -> bool:
        """Whether the record is beaten, or says why it is not."""
        return (self.result is not None) != bool(self.record.not_beaten)


def records() -> tuple[Record, ...]:
    """Return all records: multipliers, exponentiators, squarers by width, then RSA engines."""
    data = _data()
    rows: list[dict[str, Any]] = [dict(row) for row in data["records"]]
    for table in data["tables"]:
        for row in paper(table["paper"]).rows(table["table"]):
            printed = {ours: row[theirs] for ours, theirs in table["columns"].items()}
            found = {"source": table["paper"], **table["all"], **printed}
            found["name"] = table.get("name", "{}").format(found["name"])
            rows.append(found | table.get("rows", {}).get(f"{found['name']}, {found['width']}", {}))
    rows.sort(key=lambda row: (row.get("function", MULTIPLY), row["width"], row["name"]))
    rows += [
        {
            "name": each["engine"],
            "source": "rsa_engines.json",
            "function": RSA,
            "kind": "fpga" if "Virtex" in each["platform"] else "processor",
            "technology": each["platform"] or "not stated",
            "width": each["key_bits"],
            "cycles": each["cycles"],
            "latency_ns": None if each["ms"] is None else each["ms"] * 1e6,
            "leaves_out": each["leaves_out"] or (),
        }
        for each in private_operations()
    ]
    return tuple(map(_record, rows))


def _record(row: dict[str, Any]) -> Record:
    """Return the record of a row: in um2 and ns, with what follows for its process or kind."""
    for printed, name, scale in _UNITS:
        value = row.pop(printed, None)
        if value is not None:
            row[name] = value * scale
    found = Record(**row)
    process = _data()["processes"].get(found.technology)
    not_beaten = found.not_beaten
    if not not_beaten and found.kind not in COMPARED:
        not_beaten = _data()["kinds"][found.kind].format(technology=found.technology)
    return replace(
        found,
        technology=process["title"] if process else found.technology,
        kge=found.kge or _kge(found.area_um2, process),
        fo4=_fo4(found.latency_ns, process),
        leaves_out=tuple(found.leaves_out),
        not_beaten=not_beaten,
    )


def _kge(area_um2: float | None, process: Mapping[str, Any] | None) -> tuple[float, float] | None:
    """Return an area in thousands of NAND2, for the large and the small end of what one may be."""
    if area_um2 is None or process is None:
        return None
    scaled = [each * process["nm"] ** 2 for each in _nand2_um2_per_nm2()]
    ends = [process["nand2_um2"]] if process["nand2_um2"] else scaled
    return (area_um2 / max(ends) / 1e3, area_um2 / min(ends) / 1e3)


def _nand2_um2_per_nm2() -> tuple[float, float]:
    """Return the least and the most area of a known NAND2, over the square of its process."""
    known = [each for each in _data()["processes"].values() if each["nand2_um2"]]
    ratios = [each["nand2_um2"] / each["nm"] ** 2 for each in known]
    return min(ratios), max(ratios)


def _fo4(latency_ns: float | None, process: Mapping[str, Any] | None) -> tuple[float, float] | None:
    """Return a time in FO4 delays, for the slow and the fast end of what a delay may be."""
    if latency_ns is None or process is None:
        return None
    ends = process["fo4_ps"] or [each * process["nm"] for each in _data()["fo4_ps_per_nm"]]
    return (latency_ns * 1e3 / max(ends), latency_ns * 1e3 / min(ends))


def standings(results: Iterable[Result]) -> list[Standing]:
    """Return each record with the stored design that beats it by `MARGIN` in area and time.

    Of several, it is one of constant time, if there is one, with the least area times time.
    """
    kept = [row for row in results if row.time is not None and row.target in _data()["processes"]]
    return [_standing(record, kept) for record in records()]


def normalised(result: Result) -> tuple[float, float]:
    """Return the area of a stored row in kGE and its latency in FO4."""
    process = _data()["processes"][result.target]
    kge, fo4 = _kge(result.area, process), _fo4(result.latency, process)
    assert kge is not None and fo4 is not None
    return kge[0], fo4[0]


def laid_out(result: Result) -> Result | None:
    """Return a stored row with the area of the die's rows and the period with wires, if placed."""
    sized, placed = result.sized, result.placed
    if sized is None or sized.area is None or placed is None:
        return None
    return replace(sized, area=sized.area / placed["utilization"])


def _standing(record: Record, results: Iterable[Result]) -> Standing:
    if record.kind not in COMPARED or record.kge is None or record.fo4 is None:
        return Standing(record, None, f"not compared: {record.not_beaten}")
    least = ((1 - MARGIN) * record.kge[0], (1 - MARGIN) * record.fo4[0])
    fits = [
        row
        for row in (filter(None, map(laid_out, results)) if record.kind == LAYOUT else results)
        if row.size == record.width
        and row.function in _FUNCTIONS[record.function]
        and (row.only_modulus is None or record.modulus == FIXED)
        and all(ours <= theirs for ours, theirs in zip(normalised(row), least, strict=True))
    ]
    if not fits:
        return Standing(record, None, f"not beaten: {record.not_beaten}")
    best = min(fits, key=lambda row: (not row.constant_time, prod(normalised(row))))
    return Standing(record, best, "beaten")


def standings_table(rows: Iterable[Standing]) -> Table:
    """Return the records with the stored designs beside them."""

    def ends(pair: tuple[float, float] | None, digits: str = ",.0f") -> str | None:
        return None if pair is None else " to ".join(dict.fromkeys(f"{x:{digits}}" for x in pair))

    def ours_named(row: Standing) -> str | None:
        return None if row.result is None else f"{row.result.label}, {row.result.target}"

    def ours(row: Standing, at: int) -> float | None:
        return None if row.result is None else normalised(row.result)[at]

    low, high = _data()["fo4_ps_per_nm"]
    small, large = _nand2_um2_per_nm2()
    return Table.of(
        "Published records, as printed, and stored designs that beat them",
        rows,
        {
            "record": lambda row: row.record.name,
            "source": lambda row: row.record.source,
            "function": lambda row: row.record.function,
            "bits": lambda row: row.record.width,
            "modulus": lambda row: row.record.modulus,
            "technology": lambda row: f"{row.record.technology}, {row.record.kind}",
            "area um2": lambda row: row.record.area_um2,
            "period ns": lambda row: row.record.period_ns,
            "cycles": lambda row: row.record.cycles,
            "latency ns": lambda row: row.record.latency_ns,
            "kGE": lambda row: ends(row.record.kge, ",.4g"),
            "FO4": lambda row: ends(row.record.fo4),
            "leaves out": lambda row: ", ".join(row.record.leaves_out),
            "stored design": ours_named,
            "its kGE": lambda row: ours(row, 0),
            "its FO4": lambda row: ours(row, 1),
            "verdict": lambda row: row.verdict,
        },
        (
            f"Beaten: smaller and faster by at least {MARGIN:.0%}, at the same width, than the"
            " lower end of a range. kGE by the library's NAND2; where its area is not published, by"
            f" {1e6 * small:.0f} to {1e6 * large:.0f} times the square of the process (those of the"
            " two libraries here). FO4 of 22.0 ps (Nangate 45 nm), elsewhere of"
            f" {low:.2f} to {high:.2f} ps a nanometre. A layout compares with placed designs: with"
            " the area of the die's rows and the period with wires.",
        ),
    )


@cache
def _data() -> dict[str, Any]:
    text = (files("montforge.papers") / "records.json").read_text(encoding="utf-8")
    return dict(json.loads(text))
