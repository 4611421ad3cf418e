# SPDX-License-Identifier: Apache-2.0
"""Scheduler of the FIOS processing element: microprograms, offsets, queues, cycle counts.

An element does one iteration of the FIOS algorithm (finely integrated operand scanning) on one
multiplier-accumulator. In `microprogram`, `program` lists its operations by cycle, and `microcode`
turns that list into the table of steps that `rtl/fios/mf_fios_pkg.sv` holds
(`scripts/make_programs.py` writes it). `array` has rings and chains of elements with their cycle
counts.

Source: "Scalable DSP optimized Montgomery Multiplier", Algorithm 3 and Fig. 3, for three pipeline
levels and a C register. Other levels follow the same rules.
"""
