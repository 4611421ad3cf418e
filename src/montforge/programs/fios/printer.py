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


def _codes(values: list[int], value: int) -> str:
    return ", ".join(f"4'd{i}" for i, other in enumerate(values) if other == value)


def _camel(name: str) -> str:
    """Return the name of a member of an enumeration as the package has it: ``MulC``."""
    return name.title().replace("_", "")


def render_microcode() -> str:
    """Return the part of ``rtl/fios/mf_fios_pkg.sv`` that follows from the schedules."""
    codes = [microcode(element) for element in elements()]
    lines = []
    for name, meaning, values in (
        ("offset", "Cycles between the starts of two neighbours.", [c.offset for c in codes]),
        ("pin_depth", "Registers of the queue of incoming words.", [c.pin_depth for c in codes]),
        ("save_depth", "Registers of the queue of saved values.", [c.save_depth for c in codes]),
    ):
        lines += [
            f"  // {meaning}",
            f"  function automatic int unsigned {name}(input code_t code);",
            "    unique case (code)",
            *(f"      {_codes(values, value)}: return {value};" for value in dict.fromkeys(values)),
            "      default: return 0;",
            "    endcase",
            "  endfunction",
            "",
        ]
    lines += [
        "  // Signals that a step controls; flags in the order of micro_t.",
        "  function automatic micro_t micro(input code_t code, input step_t step);",
        "    unique case ({code, step})",
    ]
    for i, code in enumerate(codes):
        e = code.element
        lines.append(
            f"      // {i}: {e.variant}, {e.level} pipeline levels, C register {e.c_register}"
        )
        for step, row in enumerate(code.rows):
            if row != Row():
                label = f"{{4'd{i}, 4'd{step}}}:"
                names = (
                    f"Op{_camel(row.op.name)}, AFrom{row.a.name}, BFrom{row.b.upper() or 'None'}"
                )
                flags = "".join(str(int(getattr(row, flag))) for flag in _FLAGS)
                lines.append(
                    f"      {label:15} return micro_t'"
                    f"({{{names}, CFrom{_camel(row.c.name)}, {len(_FLAGS)}'b{flags}}});"
                )
    lines += [
        "      default:        return micro_t'({OpHold, AFromX, BFromNone, CFromPin, 7'b0000000});",
        "    endcase",
        "  endfunction",
    ]
    return "\n".join(lines)
