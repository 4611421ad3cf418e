# SPDX-License-Identifier: Apache-2.0
"""Scheduler of the FIOS processing element: microprograms, offsets, queues, cycle counts.

An element does one iteration of the FIOS algorithm (finely integrated operand scanning) on one
multiplier-accumulator. `program` lists its operations by cycle; `microcode` turns that list into
the table of steps that `rtl/fios/mf_fios_pkg.sv` holds; `render_microcode` writes that table. An
`Array` is a ring or a chain of elements with its cycle counts; `simulate` runs its registers.

Source: "Scalable DSP optimized Montgomery Multiplier", Algorithm 3 and Fig. 3, for three pipeline
levels and a C register. Other levels follow the same rules.
"""

from montforge.programs.fios.array import Array, fewest_elements
from montforge.programs.fios.microprogram import (
    FAST,
    PUBLISHED,
    UNIT,
    VARIANTS,
    Element,
    Operation,
    microcode,
    program,
)
from montforge.programs.fios.printer import elements, render_microcode
from montforge.programs.fios.simulation import OperationInput, Word, simulate

__all__ = [
    "FAST",
    "PUBLISHED",
    "UNIT",
    "VARIANTS",
    "Array",
    "Element",
    "Operation",
    "OperationInput",
    "Word",
    "elements",
    "fewest_elements",
    "microcode",
    "program",
    "render_microcode",
    "simulate",
]
