# SPDX-License-Identifier: Apache-2.0
"""Schedules and micro-programs: algorithms, and the SystemVerilog that they render."""
