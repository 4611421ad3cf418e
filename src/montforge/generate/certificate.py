# SPDX-License-Identifier: Apache-2.0
"""The certificate of a generated folder: the stored verdicts on its design, and what they read."""

from __future__ import annotations

from montforge.arch import Core
from montforge.generate.placement import copies
from montforge.generate.text import VERSION
from montforge.hardware.forms import PARALLEL
from montforge.prove.verdicts import CHECKS, stored_verdict


def has_certificate(design: Core) -> bool:
    """Return whether the folder of ``design`` has a certificate: its top has the proved ports."""
    return design.form == PARALLEL


def certificate(design: Core) -> dict[str, object]:
    """Return the content of certificate.json: `montforge prove --certificate` reads it."""
    hardware = design.hardware
    return {
        "architecture": design.name,
        "parameters": dict(design.parameters),
        "top": hardware.top,
        "rtl_parameters": dict(hardware.parameters),
        "files": list(copies(hardware.files)),
        "verdicts": {check: stored_verdict(design, check).details() for check in CHECKS},
        "montforge": VERSION,
    }
