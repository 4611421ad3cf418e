# SPDX-License-Identifier: Apache-2.0
"""The RSA engine: its parameters, its RTL, its model."""

from montforge.arch.rsa.engine import Engine

__all__ = ["Engine"]
