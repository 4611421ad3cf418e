# SPDX-License-Identifier: Apache-2.0
"""The architectures: one file each, with parameters, contract, models, corners, citation."""

from montforge.arch.base import (
    Architecture,
    Citation,
    Core,
    Design,
    Values,
    architecture,
    core,
    cores,
    design,
    registry,
    variants,
)
from montforge.arch.driven_design import Simulated, driven
from montforge.arch.parameter import Parameter

__all__ = [
    "Architecture",
    "Citation",
    "Core",
    "Design",
    "Parameter",
    "Simulated",
    "Values",
    "architecture",
    "core",
    "cores",
    "design",
    "driven",
    "registry",
    "variants",
]
