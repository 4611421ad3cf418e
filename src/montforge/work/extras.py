# SPDX-License-Identifier: Apache-2.0
"""The extras of the package: libraries and tools that a small installation leaves out.

The libraries of an extra are imported where they are used, so that the rest works without it.
"""

from __future__ import annotations

from importlib.util import find_spec

from montforge.errors import ToolMissingError


def missing(name: str, extra: str) -> ToolMissingError:
    """Return the error for a library or tool that ``extra`` (such as ``verify``) brings."""
    return ToolMissingError(
        f"{name} is not installed: run `pip install '.[{extra}]'` in montforge's checkout."
    )


def require(extra: str, *modules: str) -> None:
    """Raise ToolMissingError for the first of ``modules`` of ``extra`` that is not installed."""
    for module in modules:
        if find_spec(module) is None:
            raise missing(module, extra)
