# SPDX-License-Identifier: Apache-2.0
"""FFT-based McLaughlin multiplication: parameter sets, number-theoretic transforms, micro-programs.

Source: Dai, Chen, Cheung, Koc, "FFT-Based McLaughlin's Montgomery Exponentiation without
Conditional Selections", IEEE TC 67(9), 2018.
"""
