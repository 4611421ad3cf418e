# SPDX-License-Identifier: Apache-2.0
"""Text of generated files: templates, JSON, Markdown tables."""

from __future__ import annotations

import json
import string
from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import version
from importlib.resources import files

VERSION = version("montforge")


class _Template(string.Template):
    """A template whose placeholders are ``@@{name}``: ``$`` is common in Verilog, Tcl, make."""

    delimiter = "@@"


def template(name: str) -> str:
    """Return a file of ``templates/``."""
    return (files("montforge") / "templates" / name).read_text(encoding="utf-8")


def render(name: str, common: Mapping[str, str], **fields: str) -> str:
    """Return the template ``name`` with all of its placeholders replaced."""
    return _Template(template(name)).substitute(common, **fields)


def json_text(data: object) -> str:
    """Return ``data`` as JSON that people can read."""
    return json.dumps(data, indent=2) + "\n"


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table in Markdown."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
