# SPDX-License-Identifier: Apache-2.0
"""What the page's worker calls in Pyodide: the folder of a design as a zip file."""

from __future__ import annotations

import shlex
from argparse import ArgumentParser
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NoReturn
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from montforge.arch import design
from montforge.arch.parameter import named_values
from montforge.errors import MontforgeError, ParameterError
from montforge.generate import generate, in_folder

EARLIEST = (1980, 1, 1, 0, 0, 0)
"""The date of all files, so that equal folders are equal zip files."""


class _Parser(ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise ParameterError(f"{message}; legal: ARCH -p NAME=VALUE ... --form FORM --seed SEED")


def folder(words: str) -> dict[str, Any]:
    """Return the folder that ``montforge generate`` makes of ``words``, or the ``error``.

    ``words`` are those of the command, which may begin with ``montforge generate``; its output
    folder counts for nothing.
    """
    try:
        return _folder(words)
    except MontforgeError as error:
        return {"error": str(error)}


def _folder(words: str) -> dict[str, Any]:
    given = _parser().parse_args(_split(words))
    if given.flat_verilog:
        raise ParameterError("Yosys makes --flat-verilog; it does not run here, use the command.")
    chosen = design(given.name, **named_values(given.parameter))
    if given.form is not None:
        chosen = chosen.with_form(given.form)
    name = in_folder(chosen).identifier
    with TemporaryDirectory() as scratch:
        made = generate(chosen, Path(scratch, "folder"), seed=given.seed)
        files = {path.relative_to(made).as_posix(): path for path in made.rglob("*")}
        contents = {k: path.read_bytes() for k, path in sorted(files.items()) if path.is_file()}
    return {
        "name": name,
        "design": str(chosen),
        "contract": str(chosen.contract),
        "datasheet": contents["README.md"].decode(),
        "files": {path: len(content) for path, content in contents.items()},
        "zip": _zipped(name, contents),
    }


def _parser() -> ArgumentParser:
    parser = _Parser(add_help=False, allow_abbrev=False)
    parser.add_argument("name")
    parser.add_argument("-p", "--parameter", action="append", default=[])
    parser.add_argument("--form")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--flat-verilog", action="store_true")
    parser.add_argument("-o", "--output")
    return parser


def _split(words: str) -> list[str]:
    try:
        found = shlex.split(words)
    except ValueError as error:
        raise ParameterError(f"{words!r}: {error}.") from None
    return found[2:] if found[:2] == ["montforge", "generate"] else found


def _zipped(name: str, contents: dict[str, bytes]) -> bytes:
    target = BytesIO()
    with ZipFile(target, "w", ZIP_DEFLATED) as archive:
        for path, content in contents.items():
            entry = ZipInfo(f"{name}/{path}", EARLIEST)
            entry.compress_type = ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, content)
    return target.getvalue()
