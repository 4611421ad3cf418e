# SPDX-License-Identifier: Apache-2.0
"""A prefix of all module names of a folder, so that two folders can be parts of one chip.

Modules of one name can differ from folder to folder: those that are rendered for a design, and
those of another version of the library. With prefixes of their own no two are equal.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import PurePosixPath

from montforge.errors import ParameterError

_DEFINITION = re.compile(r"^(?:module|package) +(\w+)", re.M)
_IDENTIFIER = re.compile(r"[A-Za-z]\w*", re.A)
_UNCHANGED = (".json", ".hex", ".c", ".h")
"""Files that name no module, or modules of the library."""


def check_prefix(prefix: str) -> None:
    """Raise ParameterError unless names can begin with ``prefix``; it may be empty."""
    if prefix and not _IDENTIFIER.fullmatch(prefix):
        raise ParameterError(
            f"prefix {prefix!r} can't begin a module's name; it must be a letter, then letters,"
            " digits and underscores, such as core0."
        )


def with_prefix(name: str, prefix: str) -> str:
    """Return the name of a module or package in a folder with ``prefix``, which may be empty."""
    return f"{prefix}_{name}" if prefix else name


def is_vendor_model(path: str) -> bool:
    """Return whether a file of the folder models a vendor's primitive, whose name is given."""
    return path.startswith("rtl/prim/") and not PurePosixPath(path).name.startswith("mf_")


def prefixed(texts: Mapping[str, str], prefix: str, *, command: str = "") -> dict[str, str]:
    """Return the files of a folder, by path, with the names of all its modules and packages begun
    by ``prefix``, and the files that are called after them; ``command`` stays as it is.
    """
    if not prefix:
        return dict(texts)
    sources = [text for path, text in texts.items() if path.endswith(".sv")]
    models = {name for path, text in texts.items() if is_vendor_model(path) for name in _in(text)}
    names = sorted({name for text in sources for name in _in(text)} - models)
    # The C driver's files have the engine's name, too.
    pattern = re.compile(rf"\b({'|'.join(map(re.escape, names))})\b(?!\.[ch]\b)")

    def renamed(text: str) -> str:
        return pattern.sub(lambda found: with_prefix(found[1], prefix), text)

    changed = {path: text for path, text in texts.items() if not path.endswith(_UNCHANGED)}
    return {
        **{path: text for path, text in texts.items() if path not in changed},
        **{
            renamed(path): renamed(text).replace(renamed(command), command)
            for path, text in changed.items()
        },
    }


def _in(text: str) -> list[str]:
    return _DEFINITION.findall(text)
