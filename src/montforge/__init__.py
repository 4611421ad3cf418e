# SPDX-License-Identifier: Apache-2.0
"""montforge: a library and compiler of Montgomery arithmetic hardware.

Modular multiplication ``p = a * b * R^-1 (mod n)`` in hardware: every published architecture as
readable SystemVerilog behind one contract, and the calls that generate, verify and measure it.

A design is an architecture with its parameters fixed::

    >>> import montforge
    >>> multiplier = montforge.design("scs_mm_new", width=256)
    >>> print(multiplier.contract)             # R, legal moduli, bounds, constants, latency
    >>> multiplier.contract.constants(n)       # what the hardware takes beside or instead of n
    >>> multiplier.cycles(a, b, n)             # the exact number of cycles of one operation

Then each step of the work is one call, which the command ``montforge`` offers as well:

``generate(design, folder)``
    a folder that stands alone: RTL, wrapper, testbench, constraints, datasheet
``verify(design)``
    the RTL against integers: random, corner, exhaustive and chained operands, handshakes
``measure_cycles(design)``
    cycles of the RTL, checked against the model operation by operation
``measure(design, "osu018")``
    area, clock period and latency on a standard-cell library or an FPGA
``explore("nangate45", width=256)``
    many designs measured, and the frontier of area and latency
``reproduce("kuang2016")``
    a paper's published figures beside measured ones

Bad input raises a subclass of ``MontforgeError`` whose message says what was wrong, which rule it
broke and what would be legal. Work is cached by content in ``$MONTFORGE_CACHE`` or the
platform's cache folder, and an interrupted call goes on where it stopped.
"""

from importlib.metadata import version as _version

from montforge.arch import Architecture, Design, architecture, design, registry
from montforge.contract import Bound, Contract, Cycles, Encoding
from montforge.errors import MontforgeError
from montforge.explore import Exploration, Row, explore
from montforge.generate import generate
from montforge.measure import Measurement, measure
from montforge.papers import Reproduction, reproduce
from montforge.progress import ProgressFunction
from montforge.verify import CyclesReport, VerifyReport, measure_cycles, verify

__version__ = _version("montforge")

__all__ = [
    "Architecture",
    "Bound",
    "Contract",
    "Cycles",
    "CyclesReport",
    "Design",
    "Encoding",
    "Exploration",
    "Measurement",
    "MontforgeError",
    "ProgressFunction",
    "Reproduction",
    "Row",
    "VerifyReport",
    "architecture",
    "design",
    "explore",
    "generate",
    "measure",
    "measure_cycles",
    "registry",
    "reproduce",
    "verify",
]
