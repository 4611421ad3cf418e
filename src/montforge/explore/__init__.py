# SPDX-License-Identifier: Apache-2.0
"""Exploring spaces of designs: the area-latency frontier, from many measurements."""

from montforge.explore.explorer import (
    Status,
    StatusFunction,
    explore,
    explore_space,
    remaining_seconds,
)
from montforge.explore.files import write_exploration
from montforge.explore.results import Exploration, Row
from montforge.explore.settings import Settings

__all__ = [
    "Exploration",
    "Row",
    "Settings",
    "Status",
    "StatusFunction",
    "explore",
    "explore_space",
    "remaining_seconds",
    "write_exploration",
]
