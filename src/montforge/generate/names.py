# SPDX-License-Identifier: Apache-2.0
"""Names that a folder's user chooses: of its top module, and a prefix of all module names.

With prefixes two folders can be parts of one chip. Two folders can have different modules of one
name: modules rendered for a design, and modules of two versions of the library.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from hashlib import sha256
from pathlib import PurePosixPath

from montforge.errors import ParameterError

_DEFINITION = re.compile(r"^(?:module|package) +(\w+)", re.M)
_IDENTIFIER = re.compile(r"[A-Za-z]\w*", re.A)
MOST_LETTERS = 110
"""Verilator gives modules of more than 127 another name, and testbenches add to them."""
CERTIFICATE = "certificate.json"
_UNCHANGED = (".json", ".hex", ".c", ".h")
"""Files that name no module, or modules of the library; but for the certificate."""


def top_name(own: str, name: str, prefix: str) -> str:
    """Return the top module's name: ``prefix``, if there is one, and ``name`` or else ``own``.

    An ``own`` name that is too long is cut, and ends with eight digits of its hash. Raises
    ParameterError for a name that no module can have.
    """
    if prefix and not _IDENTIFIER.fullmatch(prefix):
        raise ParameterError(
            f"prefix {prefix!r} can't begin a module's name; it must be a letter, then letters,"
            " digits and underscores, such as core0."
        )
    if name and not _IDENTIFIER.fullmatch(name):
        raise ParameterError(
            f"name {name!r} can't be a module's; it must be a letter, then letters, digits and"
            " underscores, such as modmul."
        )
    if name and _is_keyword(name):
        raise ParameterError(f"name {name!r} can't be a module's: it is a word of SystemVerilog.")
    top = with_prefix(name or _cut(own, MOST_LETTERS - len(with_prefix("", prefix))), prefix)
    if len(top) > MOST_LETTERS:
        raise ParameterError(
            f"the top module's name with its prefix has {len(top)} letters, and it can have"
            f" {MOST_LETTERS}; give a shorter one (--name, --prefix)."
        )
    return top


def check_distinct(texts: Mapping[str, str], path: str, name: str) -> None:
    """Raise ParameterError if a file other than ``path``, the top's, has a module ``name`` too."""
    for other, text in texts.items():
        if other != path and other.endswith(".sv") and name in _in(text):
            raise ParameterError(f"name {name!r} is that of another module, in {other}.")


def with_prefix(name: str, prefix: str) -> str:
    """Return the name of a module or package in a folder with ``prefix``, which may be empty."""
    return f"{prefix}_{name}" if prefix else name


def driven_name(name: str) -> str:
    """Return the module of the testbench that has the harness and the design ``name`` in it."""
    return f"{name}_driven"


def simulated_name(name: str) -> str:
    """Return the name of the file of flat Verilog of ``name`` with models in it."""
    return f"{name}_simulated"


def is_vendor_model(path: str) -> bool:
    """Return whether a file of the folder models a vendor's primitive, under the vendor's name."""
    return path.startswith("rtl/prim/") and not PurePosixPath(path).name.startswith("mf_")


def prefixed(texts: Mapping[str, str], prefix: str, top: str) -> dict[str, str]:
    """Return the files of a folder with ``prefix`` before the names of its modules and packages.

    Files that are called after a module get its new name. Names that begin with ``top``, those of
    the top module and its testbench, stay as they are.
    """
    if not prefix:
        return dict(texts)
    sources = [text for path, text in texts.items() if path.endswith(".sv")]
    models = {name for path, text in texts.items() if is_vendor_model(path) for name in _in(text)}
    found = sorted({name for text in sources for name in _in(text)} - models)
    names = [name for name in found if not name.startswith(top)]
    # The C driver's files have the engine's name, too.
    pattern = re.compile(rf"\b({'|'.join(map(re.escape, names))})\b(?!\.[ch]\b)")

    def renamed(text: str) -> str:
        return pattern.sub(lambda found: with_prefix(found[1], prefix), text)

    kept = {path for path in texts if path.endswith(_UNCHANGED) and path != CERTIFICATE}
    return {
        path if path in kept else renamed(path): text if path in kept else renamed(text)
        for path, text in texts.items()
    }


def _cut(name: str, letters: int) -> str:
    if len(name) <= letters:
        return name
    digest = sha256(name.encode()).hexdigest()[:8]
    return f"{name[: max(1, letters - 9)].rstrip('_')}_{digest}"


def _is_keyword(word: str) -> bool:
    from pygments.lexers.hdl import SystemVerilogLexer
    from pygments.token import Token

    kind, _ = next(SystemVerilogLexer().get_tokens(f"{word} x"))
    return kind is not Token.Name


def _in(text: str) -> list[str]:
    return _DEFINITION.findall(text)
