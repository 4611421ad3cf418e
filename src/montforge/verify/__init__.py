# SPDX-License-Identifier: Apache-2.0
"""Verification of designs in simulation: a C++ bench, operations, checks, worker processes."""

from montforge.verify.bench import Bench, build_bench, patched
from montforge.verify.identity import code_identity
from montforge.verify.kinds import measure_cycles, verify
from montforge.verify.modes import ALL, MODES
from montforge.verify.report import CyclesReport, Mismatch, Report, VerifyReport
from montforge.verify.runner import check_netlist, correct_cycles, mean_latency

__all__ = [
    "ALL",
    "MODES",
    "Bench",
    "CyclesReport",
    "Mismatch",
    "Report",
    "VerifyReport",
    "build_bench",
    "check_netlist",
    "code_identity",
    "correct_cycles",
    "mean_latency",
    "measure_cycles",
    "patched",
    "verify",
]
