# SPDX-License-Identifier: Apache-2.0
"""The engine of the demonstrations: keys of 1024 to 1032 bits, half a second an operation.

The variable RSA_ENGINE takes another one, for demonstrations at full size (docs/integrate/rsa.md).
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

from montforge.arch import design
from montforge.arch.parameter import named_values
from montforge.host.simulation import build

PARAMETERS = tuple(os.environ.get("RSA_ENGINE", "bits=1032 core=mm_r2 public=1").split())
"""Radix 2 has the fewest gates to simulate."""
BITS = design("rsa", **named_values(PARAMETERS)).bits // 512 * 512
"""Bits of the keys."""


@cache
def program() -> Path:
    return build(design("rsa", **named_values(PARAMETERS)).with_form("axi").hardware)
