# SPDX-License-Identifier: Apache-2.0
"""The architectures: one file each, with parameters, contract, models, corners, citation."""

from montforge.arch.base import (
    ENGINE,
    Architecture,
    Citation,
    Design,
    Elaborated,
    Hardware,
    Values,
    architecture,
    design,
    registry,
    rtl_root,
    variants,
)
from montforge.arch.driven_design import Simulated, driven
from montforge.arch.forms import FORMS, PARALLEL, Form
from montforge.arch.parameter import Parameter

__all__ = [
    "ENGINE",
    "FORMS",
    "PARALLEL",
    "Architecture",
    "Citation",
    "Design",
    "Elaborated",
    "Form",
    "Hardware",
    "Parameter",
    "Simulated",
    "Values",
    "architecture",
    "design",
    "driven",
    "registry",
    "rtl_root",
    "variants",
]
