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
from montforge.arch.forms import FORMS, PARALLEL, Form
from montforge.arch.hardware import Hardware, rtl_root
from montforge.arch.parameter import Parameter

__all__ = [
    "ENGINE",
    "FORMS",
    "PARALLEL",
    "Architecture",
    "Citation",
    "Design",
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
