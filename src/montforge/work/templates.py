# SPDX-License-Identifier: Apache-2.0
"""The templates in ``montforge/templates`` of files that depend on a design, for Jinja.

A placeholder is ``@@{name}``, as ``$`` and ``{{`` are common in make, Tcl and SystemVerilog.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jinja2 import Environment


def template(name: str) -> str:
    """Return the text of a file of ``templates/``."""
    return (files("montforge") / "templates" / name).read_text(encoding="utf-8")


def render(name: str, common: Mapping[str, object], /, **fields: object) -> str:
    """Return the template ``name`` with its fields; one that it lacks raises UndefinedError."""
    return _environment().get_template(name).render(common, **fields)


@cache
def _environment() -> Environment:
    # Most commands do without.
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    return Environment(
        loader=FunctionLoader(template),
        variable_start_string="@@{",
        variable_end_string="}",
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        undefined=StrictUndefined,
        autoescape=False,
    )
