# SPDX-License-Identifier: Apache-2.0
"""The tables of docs/architectures/index.md, from the registry: python scripts/render_docs.py."""

from __future__ import annotations

from montforge.arch import core, cores
from montforge.arch.base import Architecture
from montforge.contract import Contract

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


def row(architecture: Architecture) -> str:
    """Return the line of an architecture."""
    contract = core(architecture.name).contract
    latency = contract.latency
    cycles = f"{latency.minimum:,}" + f" to {latency.maximum:,}" * (not latency.is_fixed)
    cells = (
        f"[{architecture.name}]({architecture.name}.md)",
        architecture.title.replace("\n", " "),
        str(contract.width),
        cycles,
        time(contract),
        promise(contract, "operand", "message"),
        promise(contract, "result"),
        "-" if contract.function.name == "power" else "yes" if contract.closed else "no",
    )
    return f"| {' | '.join(cells)} |"


def time(contract: Contract) -> str:
    """Return the inputs that the cycles depend on."""
    if contract.latency.is_fixed:
        return "constant"
    return f"by {' and '.join(contract.public)}" if contract.public else "by data"


def promise(contract: Contract, *roles: str) -> str:
    """Return the bound and the encoding of the first field with one of the roles."""
    field = next(field for field in contract.fields if field.role in roles)
    pair = ", pair" * (field.encoding.kind == "carry_save")
    return f"{field.bound}{pair}"


def tables() -> str:
    """Return a table of each family."""
    if unknown := {found.family for found in cores().values()} - FAMILIES.keys():
        raise SystemExit(f"FAMILIES has no title for {', '.join(sorted(unknown))}.")
    parts = []
    for family, title in FAMILIES.items():
        rows = [row(found) for found in cores().values() if found.family == family]
        header = "| architecture | design | bits | cycles | time | operands | result | closed |"
        rule = "| --- | --- | ---: | ---: | --- | --- | --- | --- |"
        parts.append("\n".join([f"## {title}", "", header, rule, *rows, ""]))
    return "\n".join(parts)
