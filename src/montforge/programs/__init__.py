# SPDX-License-Identifier: Apache-2.0
"""Micro-programs of the library's RTL: their rows, and the SystemVerilog that they render."""
