# SPDX-License-Identifier: Apache-2.0
"""Measuring designs: area and clock period on standard cells, resources and clock on FPGAs."""

from montforge.hardware.fpga import Fpga
from montforge.measure.measurement import Measurement, measure
from montforge.measure.targets import StandardCells, Target, find_target, target_names

__all__ = [
    "Fpga",
    "Measurement",
    "StandardCells",
    "Target",
    "find_target",
    "measure",
    "target_names",
]
