# SPDX-License-Identifier: Apache-2.0
"""The extras of the package: libraries and tools that a small installation leaves out.

The libraries of an extra are imported where they are used, so that the rest works without it.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from montforge.errors import ToolMissingError


def missing(name: str, extra: str) -> ToolMissingError:
    """Return the error for a library or tool that ``extra`` (such as ``verify``) brings."""
    return ToolMissingError(
        f"{name} is not installed: run `pip install '.[{extra}]'` in montforge's checkout."
    )


class Lazy:
    """The library ``name`` of ``extra``, imported when it is first used.

    Its use raises ToolMissingError if it is not installed.
    """

    def __init__(self, name: str, extra: str) -> None:
        self._name, self._extra = name, extra

    def __getattr__(self, attribute: str) -> Any:
        try:
            return getattr(sys.modules.get(self._name) or import_module(self._name), attribute)
        except ModuleNotFoundError:
            raise missing(self._name, self._extra) from None


def require(extra: str, *modules: str) -> None:
    """Raise ToolMissingError for the first of ``modules`` of ``extra`` that is not installed."""
    for module in modules:
        if find_spec(module) is None:
            raise missing(module, extra)
