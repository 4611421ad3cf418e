# SPDX-License-Identifier: Apache-2.0
"""From a design to a folder that stands alone: RTL, constraints, testbench, datasheet.

The folder needs nothing of montforge. All of its text comes from the files in ``templates/``;
what depends on the design (ports, literals, tables) is rendered here, and the same call gives
the same bytes.
"""

import montforge.generate.engine as _engine  # noqa: F401 (registers the folder of an engine)
from montforge.generate.folder import generate, in_folder
from montforge.generate.output import MARKER

__all__ = ["MARKER", "generate", "in_folder"]
