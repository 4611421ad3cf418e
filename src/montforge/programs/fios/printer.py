# SPDX-License-Identifier: Apache-2.0
"""The microcode of all FIOS elements as SystemVerilog: the tables of ``mf_fios_pkg.sv``."""

from __future__ import annotations

from montforge.programs.fios.microprogram import (
    FAST,
    LEVELS,
    PUBLISHED,
    UNIT,
    A,
    C,
    Element,
    Operation,
    Row,
    microcode,
)

_OPERATION_NAMES = {
    Operation.HOLD: "OpHold",
    Operation.MUL: "OpMul",
    Operation.MUL_C: "OpMulC",
    Operation.ACC_MUL: "OpAccMul",
    Operation.ACC_MUL_C: "OpAccMulC",
    Operation.SHIFT: "OpShift",
    Operation.SHIFT_MUL: "OpShiftMul",
    Operation.SHIFT_MUL_C: "OpShiftMulC",
}
_A_NAMES = {A.X: "AFromX", A.P: "AFromP", A.M: "AFromM"}
_B_NAMES = {"": "BFromNone", "y": "BFromY", "n": "BFromN"}
_C_NAMES = {C.PIN: "CFromPin", C.PIN_1: "CFromPin1", C.PIN_2: "CFromPin2", C.SAVED: "CFromSaved"}
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
                names = f"{_OPERATION_NAMES[row.op]}, {_A_NAMES[row.a]}, {_B_NAMES[row.b]}"
                flags = "".join(str(int(getattr(row, flag))) for flag in _FLAGS)
                lines.append(
                    f"      {label:15} return micro_t'"
                    f"({{{names}, {_C_NAMES[row.c]}, {len(_FLAGS)}'b{flags}}});"
                )
    lines += [
        "      default:        return micro_t'({OpHold, AFromX, BFromNone, CFromPin, 7'b0000000});",
        "    endcase",
        "  endfunction",
    ]
    return "\n".join(lines)
