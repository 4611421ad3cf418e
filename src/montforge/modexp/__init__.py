# SPDX-License-Identifier: Apache-2.0
"""Exponentiators over any multiplier: algorithms and planning."""
