# SPDX-License-Identifier: Apache-2.0
"""The places of RTL files in a folder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from montforge.errors import ParameterError
from montforge.generate.contents import Texts
from montforge.hardware import rtl_root
from montforge.licence import HEADER
from montforge.work.cache import cache_root


def copies(paths: Sequence[Path]) -> Texts:
    """Return the texts of RTL files by their path in the folder.

    Files of the library keep their place. Files of designs from outside, and modules that were
    rendered for the design, go to ``rtl/custom``; rendered ones begin with a note on their owner.
    Raises ParameterError for two files in one place.
    """
    texts: Texts = {}
    for path in paths:
        inside = path.is_relative_to(rtl_root())
        place = path.relative_to(rtl_root()).as_posix() if inside else f"custom/{path.name}"
        if f"rtl/{place}" in texts:
            raise ParameterError(
                f"two files of the design are named {path.name}; give each file a name of its own."
            )
        rendered = not inside and path.is_relative_to(cache_root())
        texts[f"rtl/{place}"] = HEADER * rendered + path.read_text("utf-8")
    return texts
