# SPDX-License-Identifier: Apache-2.0
"""Identity of a simulated result beside the hardware: the code that made and checked it."""

from __future__ import annotations

import platform
from collections.abc import Iterator
from dataclasses import fields

from montforge.arch import Design
from montforge.work.cache import content_hash
from montforge.work.sources import code_hash

NOT_LOADED = frozenset(
    (
        *("cli", "demos", "driver", "generate", "host"),
        *("licence.py", "papers", "rtl", "store", "templates"),
    )
)
"""Parts of montforge that no simulating or measuring process loads. The RTL of a design, rendered
modules included, has a hash of its own."""


def code_identity(*designs: Design) -> str:
    """Return a hash of all code that a process can load which simulates ``designs``.

    It is montforge without `NOT_LOADED`, and whole packages from outside that bring architectures.
    """
    packages = {package for design in designs for package in _packages(design)} - {"montforge"}
    return content_hash(
        code_hash("montforge", NOT_LOADED),
        platform.python_version(),
        *(code_hash(package) for package in sorted(packages)),
    )


def _packages(design: Design) -> Iterator[str]:
    """Yield the top packages of the classes of a design and of its parts."""
    for each in type(design).__mro__:
        if issubclass(each, Design):
            yield each.__module__.partition(".")[0]
    for entry in fields(design):
        if isinstance(value := getattr(design, entry.name), Design):
            yield from _packages(value)
