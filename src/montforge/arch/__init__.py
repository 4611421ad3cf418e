# SPDX-License-Identifier: Apache-2.0
"""The architectures: one file each, with parameters, contract, models, corners, citation."""

from montforge.arch.base import (
    ENGINE,
    Architecture,
    Citation,
    Design,
    Values,
    architecture,
    design,
    registry,
    variants,
)
from montforge.arch.driven_design import Simulated, driven
from montforge.arch.parameter import Parameter

__all__ = [
    "ENGINE",
    "Architecture",
    "Citation",
    "Design",
    "Parameter",
    "Simulated",
    "Values",
    "architecture",
    "design",
    "driven",
    "registry",
    "variants",
]
