# SPDX-License-Identifier: Apache-2.0
"""Exploring spaces of designs: the area-latency frontier, from many measurements."""

from montforge.explore.explorer import Status, StatusFunction, explore, remaining_seconds
from montforge.explore.files import write_exploration
from montforge.explore.results import Exploration, Row

__all__ = [
    "Exploration",
    "Row",
    "Status",
    "StatusFunction",
    "explore",
    "remaining_seconds",
    "write_exploration",
]
