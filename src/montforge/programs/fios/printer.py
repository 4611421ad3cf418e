# SPDX-License-Identifier: Apache-2.0
"""The microcode of all FIOS elements as SystemVerilog: the tables of ``mf_fios_pkg.sv``."""

from __future__ import annotations

from montforge.programs.fios.microprogram import (
    FAST,
    LEVELS,
    PUBLISHED,
    UNIT,
    Element,
    Row,
    microcode,
)
from montforge.work.templates import render

_CONSTANTS = (
    ("offset", "Cycles between the starts of two neighbours."),
    ("pin_depth", "Registers of the queue of incoming words."),
    ("save_depth", "Registers of the queue of saved values."),
)
_FLAGS = ("load_x", "load_m", "save_shift", "save_early", "pin_shift", "emit", "top")


def elements() -> list[Element]:
    """Return every element that there is, in the order of the tables in ``mf_fios_pkg.sv``."""
    adjustable = [
        Element(variant, level, c_register)
        for variant in (FAST, UNIT)
        for level in LEVELS
        for c_register in (0, 1)
    ]
    return [Element(PUBLISHED, 3, 1), *adjustable]


def render_microcode() -> str:
    """Return the part of ``rtl/fios/mf_fios_pkg.sv`` that follows from the schedules."""
    codes = [microcode(element) for element in elements()]

    def labels(name: str, value: int) -> str:
        return ", ".join(f"4'd{i}" for i, code in enumerate(codes) if getattr(code, name) == value)

    return render(
        "mf_fios_microcode.sv.in",
        {},
        constants=_CONSTANTS,
        codes=codes,
        idle=Row(),
        labels=labels,
        fields=_fields,
        enumerate=enumerate,
    )


def _fields(row: Row) -> str:
    """Return the fields of ``micro_t``, with the names of the package: ``OpMulC``."""
    op, c = (name.title().replace("_", "") for name in (row.op.name, row.c.name))
    flags = "".join(str(int(getattr(row, flag))) for flag in _FLAGS)
    sources = f"AFrom{row.a.name}, BFrom{row.b.upper() or 'None'}, CFrom{c}"
    return f"Op{op}, {sources}, {len(_FLAGS)}'b{flags}"
