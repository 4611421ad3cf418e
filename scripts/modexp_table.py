# SPDX-License-Identifier: Apache-2.0
"""Print the cycles of RSA-size exponentiations over all closed multipliers, as Markdown.

    python scripts/modexp_table.py

Private: an exponent as long as the modulus, window of 5 bits, or (multipliers whose latency
depends on data) bounds. Public: 65537 by f4. Every count is `montforge.power_cycles`.
"""

from __future__ import annotations

from montforge import Design, design, power_cycles
from montforge.contract import Cycles

MULTIPLIERS: tuple[tuple[str, dict[str, object]], ...] = (
    ("scs_mm_ct", {}),
    ("scs_mm_skip", {}),
    ("scs_mm1", {}),
    ("fcs_mm2", {}),
    ("fcs_mmm42", {}),
    ("booth_csa", {"radix": 4}),
    ("booth_csa", {"radix": 16}),
    ("booth_csa", {"radix": 64, "pipeline": 1}),
    ("tenca_koc", {}),
    ("eberle", {}),
    ("rmm", {}),
    ("fios_dsp", {"variant": "unit"}),
    ("karatsuba", {}),
    ("mcivor", {}),
)
WIDTHS = (1024, 2048, 4096)


def exponentiator(name: str, given: dict[str, object], width: int, **chosen: object) -> Design:
    """Return the exponentiator over a multiplier."""
    part = {f"multiplier.{key}": value for key, value in given.items()}
    return design("modexp", width=width, multiplier=name, **part, **chosen)


def text(cycles: Cycles) -> str:
    """Return a count, or its bounds, in thousands."""
    if cycles.is_fixed:
        return f"{cycles.minimum / 1e3:,.1f}"
    return f"{cycles.minimum / 1e3:,.1f} to {cycles.maximum / 1e3:,.1f}"


def main() -> None:
    """Print the table."""
    heads = [f"{width}: T, private, public" for width in WIDTHS]
    print(f"| multiplier | {' | '.join(heads)} | class |")
    print("| --- " * (2 + len(WIDTHS)) + "|")
    for name, given in MULTIPLIERS:
        cells = []
        for width in WIDTHS:
            private = power_cycles(exponentiator(name, given, width, algorithm="window", w=5))
            public = power_cycles(exponentiator(name, given, width, algorithm="f4"))
            turn = private.turn
            turns = str(turn.maximum) if turn.is_fixed else f"{turn.minimum}..{turn.maximum}"
            cells.append(f"{turns}; {text(private.cycles)}; {text(public.cycles)}")
        label = " ".join([name, *(f"{key}={value}" for key, value in given.items())])
        print(f"| {label} | {' | '.join(cells)} | {private.leakage} |")


if __name__ == "__main__":
    main()
