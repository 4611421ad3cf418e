# SPDX-License-Identifier: Apache-2.0
"""The input of simulation and measurement: top, files, parameters; forms, bus forms, parts."""

from montforge.hardware.hardware import Hardware, rtl_code, rtl_root, stateless_modules

__all__ = ["Hardware", "rtl_code", "rtl_root", "stateless_modules"]
