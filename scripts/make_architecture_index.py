# SPDX-License-Identifier: Apache-2.0
"""Make docs/architectures/index.md, the table of all architectures, from the registry.

    python scripts/make_architecture_index.py [--check]

With --check nothing is written, and the exit status is 1 if the page is not what is made now.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from montforge.arch import cores, design
from montforge.arch.base import Architecture
from montforge.contract import Contract

PAGE = Path(__file__).parents[1] / "docs" / "architectures" / "index.md"
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
INTRODUCTION = """\
# Architectures

Made by `python scripts/make_architecture_index.py` from the contracts, each at the default
parameters and the width in the table; `montforge info ARCHITECTURE` has the formulas, the legal
parameters and the other forms. Area and period are on the pages of the architectures and in the
[measured figures](../results.md).

- *cycles*: from the accepted request to the result; the fewest and the most, if not constant.
- *time*: what the cycles depend on.
- *operands*, *result*: their bounds; *pair* is a carry-save pair.
- *closed*: results may be fed back as operands without limit, for every legal modulus.
"""
FURTHER = """
[mf_convert](convert.md) is a part of two of them: it makes a carry-save pair binary. The
[RSA engine](rsa.md) stands on two exponentiators of half its width.
"""


def row(architecture: Architecture) -> str:
    """Return the line of an architecture."""
    contract = design(architecture.name).contract
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
    """Return what the cycles depend on."""
    if contract.latency.is_fixed:
        return "constant"
    return f"by {' and '.join(contract.public)}" if contract.public else "by data"


def promise(contract: Contract, *roles: str) -> str:
    """Return the bound and the encoding of the first field with one of the roles."""
    field = next(field for field in contract.fields if field.role in roles)
    pair = ", pair" * (field.encoding.kind == "carry_save")
    return f"{field.bound}{pair}"


def page() -> str:
    """Return the page."""
    parts = [INTRODUCTION]
    if unknown := {found.family for found in cores().values()} - FAMILIES.keys():
        raise SystemExit(f"FAMILIES has no title for {', '.join(sorted(unknown))}.")
    for family, title in FAMILIES.items():
        rows = [row(found) for found in cores().values() if found.family == family]
        header = "| architecture | what it is | bits | cycles | time | operands | result | closed |"
        rule = "| --- | --- | ---: | ---: | --- | --- | --- | --- |"
        parts.append("\n".join([f"## {title}", "", header, rule, *rows, ""]))
    return "\n".join([*parts]) + FURTHER


def main() -> int:
    """Write or check the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing")
    check: bool = parser.parse_args().check
    text = page()
    if PAGE.exists() and PAGE.read_text() == text:
        return 0
    if not check:
        PAGE.write_text(text)
    return int(check)


if __name__ == "__main__":
    sys.exit(main())
