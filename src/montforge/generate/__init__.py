# SPDX-License-Identifier: Apache-2.0
"""From a design to a folder that stands alone: RTL, constraints, testbench, datasheet.

The folder needs nothing of montforge. All of its text comes from the templates in
``templates/`` and their fields; the same call gives the same bytes.
"""

from montforge.generate import core, engine  # noqa: F401 (they register their contents)
from montforge.generate.folder import generate, in_folder
from montforge.generate.output import MARKER

__all__ = ["MARKER", "generate", "in_folder"]
