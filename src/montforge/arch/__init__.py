# SPDX-License-Identifier: Apache-2.0
"""The architectures: one file each, with parameters, contract, models, corners, citation."""

from montforge.arch.base import (
    Architecture,
    Citation,
    Design,
    Parameter,
    Values,
    architecture,
    design,
    registry,
    rtl_root,
    variants,
)

__all__ = [
    "Architecture",
    "Citation",
    "Design",
    "Parameter",
    "Values",
    "architecture",
    "design",
    "registry",
    "rtl_root",
    "variants",
]
