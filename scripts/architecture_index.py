# SPDX-License-Identifier: Apache-2.0
"""The tables of docs/architectures/index.md, from the registry and the store.

python scripts/render_docs.py writes them.
"""

from __future__ import annotations

from collections.abc import Sequence

from montforge.arch import core, cores
from montforge.arch.base import Architecture
from montforge.contract import Contract
from montforge.report.table import format_cell
from montforge.store import Result

FAMILIES = {
    "carry_save": "Radix 2",
    "booth": "High radix with Booth recoding",
    "unit": "Unit modulus, quotient digits without a product",
    "digit": "Digit-serial and word-serial",
    "full": "Full word",
    "fios": "DSP blocks",
    "fft": "McLaughlin, and number-theoretic transforms",
    "fixed": "One modulus",
    "modexp": "Exponentiators",
}

WIDTHS = (256, 1024)
TARGET = "nangate45"


def row(architecture: Architecture, results: Sequence[Result]) -> str:
    """Return the line of an architecture."""
    contract = core(architecture.name).contract
    latency = contract.latency
    cycles = f"{latency.minimum:,}" + f" to {latency.maximum:,}" * (not latency.is_fixed)
    cells = (
        f"[{architecture.name}]({architecture.name}.md)",
        *(figures(architecture.name, width, results) for width in WIDTHS),
        cycles,
        time(contract),
        promise(contract, "operand", "message"),
        promise(contract, "result"),
        "-" if contract.function.name == "power" else "yes" if contract.closed else "no",
        f'<span class="title">{" ".join(architecture.title.split())}</span>',
    )
    return f"| {' | '.join(cells)} |"


def figures(name: str, width: int, results: Sequence[Result]) -> str:
    """Return area and latency of the stored design with the least product of both.

    They are those with placed wires, of designs that have them; else a line says so. Its parameters
    follow if they are not the defaults.
    """
    measured = [
        row
        for row in results
        if (row.architecture, row.target, row.size, row.effort) == (name, TARGET, width, "quick")
        and row.area_time is not None
        and row.form == row.chosen.default_form
        and row.only_modulus is None
    ]
    with_wires = [row.sized for row in measured if row.sized]
    if not measured:
        return "-"
    best = min(with_wires or measured, key=lambda row: row.area_time or 0.0)
    given = ", ".join(f"{key}={value}" for key, value in best.options.items())
    lines = [f"{format_cell(best.area)} um2", f"{format_cell(best.time)} ns"]
    lines += [] if with_wires else ["without place"]
    return "<br>".join([*map(unbroken, lines), *([given] if given else [])])


def unbroken(text: str) -> str:
    """Return a text that stays in one line."""
    return text.replace(" ", "&nbsp;")


def time(contract: Contract) -> str:
    """Return the inputs that the cycles depend on."""
    if contract.latency.is_fixed:
        return "constant"
    return f"by {' and '.join(contract.public)}" if contract.public else "by data"


def promise(contract: Contract, *roles: str) -> str:
    """Return the bound and the encoding of the first field with one of the roles."""
    field = next(field for field in contract.fields if field.role in roles)
    pair = ", pair" * (field.encoding.kind == "carry_save")
    return f"{unbroken(str(field.bound))}{pair}"


def tables(results: Sequence[Result]) -> str:
    """Return a table of each family."""
    if unknown := {found.family for found in cores().values()} - FAMILIES.keys():
        raise SystemExit(f"FAMILIES has no title for {', '.join(sorted(unknown))}.")
    parts = []
    for family, title in FAMILIES.items():
        rows = [row(found, results) for found in cores().values() if found.family == family]
        placed = " | ".join(f"{width} bits" for width in WIDTHS)
        header = (
            f"| architecture | {placed} | cycles | time | operands | result | closed | design |"
        )
        rule = "| --- | ---: | ---: | ---: | --- | --- | --- | --- | --- |"
        parts.append("\n".join([f"## {title}", "", header, rule, *rows, ""]))
    return "\n".join(parts)
