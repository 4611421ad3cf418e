# SPDX-License-Identifier: Apache-2.0
"""What simulation and measurement take: top, files, parameters; forms, bus forms, parts."""

from montforge.hardware.hardware import Hardware, rtl_root

__all__ = ["Hardware", "rtl_root"]
