# SPDX-License-Identifier: Apache-2.0
"""Bugs planted in RTL, all of a design in one program, of which a run chooses one.

``tests/mutants/ARCH.toml`` lists those of an architecture as ``[[mutant]]`` tables: ``file`` (below
the RTL root), ``old`` (occurs there exactly once), ``new``, ``reason``, and ``equivalent`` with a
proof where the edit changes nothing that can be observed. They are tried on designs of small widths
(``widths`` in the file, else `WIDTHS`), in each of the `variants`. ``parameters`` in the file fixes
values of all of them; each entry of ``forms`` is one more form, for bugs that only a combination of
parameters shows.
"""

from __future__ import annotations

import re
import tempfile
import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from os.path import commonprefix
from pathlib import Path
from typing import Any

import pyslang

from montforge.arch import Core, Simulated, core, driven, variants
from montforge.arch.rsa.engine import Engine
from montforge.errors import ToolFailedError
from montforge.verify import engine_bench, verify
from montforge.verify.bench import build_bench, patched

MUTANTS = Path(__file__).with_name("mutants")
WIDTHS = (5, 13)
PACKAGE = "mf_planted_pkg"
CHOSEN = f"""package {PACKAGE};
  int chosen = $c32("std::getenv(\\"PLANTED\\") ? std::atoi(std::getenv(\\"PLANTED\\")) : 0");
endpackage
"""
"""The environment variable PLANTED has the number of the bug; without it there is none."""
NONE = "none"
STATEMENTS = {
    f"{kind}Statement"
    for kind in (
        "Case",
        "Conditional",
        "Empty",
        "Expression",
        "ForLoop",
        "Return",
        "SequentialBlock",
    )
}


@dataclass(frozen=True)
class Bug:
    """``old``, which ``module`` (or, if that is "", one of all) has exactly once, becomes ``new``.

    If two @ are in ``old``, only the part between them becomes ``new``. ``form`` says
    which of several designs shows it. ``others`` are further edits: module, old, new.
    ``equivalent`` is empty, or says why the edits change nothing.
    """

    name: str
    module: str
    old: str
    new: str
    form: str = ""
    others: tuple[tuple[str, str, str], ...] = ()
    equivalent: str = ""


@dataclass(frozen=True)
class Edit:
    """A part of the text of a file that becomes ``new``."""

    path: Path
    start: int
    end: int
    new: str


def edits_of(paths: Sequence[Path], bug: Bug) -> list[Edit]:
    """Return the parts of files in which ``bug`` differs, last ones first."""
    found = []
    for module, old, new in ((bug.module, bug.old, bug.new), *bug.others):
        before, part, after = old.split("@") if old.count("@") == 2 else ("", old, "")
        whole = before + part + after
        files = [path for path in paths if module in ("", path.stem)]
        counts = [path.read_text().count(whole) for path in files]
        assert sum(counts) == 1, (
            f"{bug.name}: {sum(counts)} of {whole!r} in {module or 'all files'}"
        )
        path = files[counts.index(1)]
        found.append(_difference(path, path.read_text().index(whole) + len(before), part, new))
    return sorted(found, key=lambda edit: -edit.start)


def _difference(path: Path, start: int, old: str, new: str) -> Edit:
    """Return the edit without the text that both have, and without space around what goes."""
    first = len(commonprefix([old, new]))  # noqa: RUF071
    last = len(commonprefix([old[first:][::-1], new[first:][::-1]]))  # noqa: RUF071
    part, new = old[first : len(old) - last], new[first : len(new) - last]
    start += first
    if not new:
        start += len(part) - len(part.lstrip())
        part = part.strip()
    return Edit(path, start, start + len(part), new)


def _edited(text: str, edits: Sequence[Edit], start: int = 0) -> str:
    """Return ``text``, which begins at ``start`` of a file, with ``edits`` as `edits_of` sorts."""
    for edit in edits:
        text = text[: edit.start - start] + edit.new + text[edit.end - start :]
    return text


# ------------------------------------------------------------------ files


def edit(path: Path, old: str, new: str) -> None:
    """Replace ``old``, which a file has exactly once, in that file."""
    edited_files([path], Bug("", "", old, new), path.parent)


def edited_files(paths: Sequence[Path], bug: Bug, folder: Path) -> tuple[Path, ...]:
    """Return ``paths`` with ``bug``, for any tool; edited files are written to ``folder``."""
    edits = edits_of(paths, bug)
    return _written(paths, folder, {
        path: _edited(path.read_text(), [edit for edit in edits if edit.path == path])
        for path in {edit.path for edit in edits}
    })  # fmt: skip


def planted_files(paths: Sequence[Path], bugs: Sequence[Bug], folder: Path) -> tuple[Path, ...]:
    """Return files like ``paths`` with all ``bugs`` for Verilator, which are written to ``folder``.

    PLANTED is 1 for the first of them. Each must be one that `can_be_chosen`.
    """
    edits = [(n, edit) for n, bug in enumerate(bugs, 1) for edit in edits_of(paths, bug)]
    changed = {path: _with_choices(path, edits) for path in {edit.path for _, edit in edits}}
    package = folder / f"{PACKAGE}.sv"
    package.write_text(CHOSEN)
    return package, *_written(paths, folder, changed)


def _written(paths: Sequence[Path], folder: Path, texts: dict[Path, str]) -> tuple[Path, ...]:
    for path, text in texts.items():
        (folder / path.name).write_text(text)
    return tuple(folder / path.name if path in texts else path for path in paths)


def can_be_chosen(paths: Sequence[Path], bug: Bug) -> bool:
    """Return whether ``bug`` is in statements, assignments and inputs of instances alone.

    A constant, with the function that it is from, a type, or a parameter of an instance is fixed
    when the program is built.
    """
    text = "".join(path.read_text() for path in paths)
    units = [_unit(edit) for edit in edits_of(paths, bug)]
    return all(
        unit and not re.search(rf"localparam[^;]*\b{unit.function}\(", text) for unit in units
    )


@dataclass(frozen=True)
class _Unit:
    """A piece of a module that is there once for each bug in it: its place, and its kind."""

    start: int
    end: int
    kind: str
    function: str
    """The name of the function that it is in, or NONE."""


def _unit(edit: Edit) -> _Unit | None:
    """Return the smallest piece around an edit that can be chosen, or None."""
    found, function = None, NONE
    node = _tree(edit.path.read_text()).root
    while node is not None:
        if node.kind.name == "FunctionDeclaration":
            function = str(node.prototype.name).strip()
        found = _unit_of(node, edit, function) or found
        node = next((part for part in _parts(node) if _around(part, edit)), None)
    return found


@cache
def _tree(text: str) -> Any:
    return pyslang.syntax.SyntaxTree.fromText(text)


def _parts(node: Any) -> Iterator[Any]:
    return (part for part in node if isinstance(part, pyslang.syntax.SyntaxNode))


def _around(node: Any, edit: Edit) -> bool:
    """Return whether ``node`` has the text of an edit, and not at its edge if that is empty."""
    first, last = node.sourceRange.start.offset, node.sourceRange.end.offset
    inside = first <= edit.start and edit.end <= last
    return inside and (edit.start < edit.end or first < edit.start < last)


def _unit_of(node: Any, edit: Edit, function: str) -> _Unit | None:
    kind = node.kind.name
    first, last = node.sourceRange.start.offset, node.sourceRange.end.offset
    if kind == "ContinuousAssign" and len([*_parts(node)]) == 1:
        return _Unit(first, last, "assign", function)
    if kind in STATEMENTS:
        return _Unit(first, last, "statement", function)
    if kind == "NamedPortConnection" and node.name.valueText.endswith("_i"):
        first, last = node.openParen.location.offset + 1, node.closeParen.location.offset
        if first <= edit.start and edit.end <= last:
            return _Unit(first, last, "input", function)
    return None


def _with_choices(path: Path, edits: Sequence[tuple[int, Edit]]) -> str:
    """Return the text of a file with its edits, each there if its number is chosen."""
    source = path.read_text()
    changed: dict[_Unit, dict[int, list[Edit]]] = {}
    for number, edit in edits:
        if edit.path == path:
            unit = _unit(edit)
            assert unit is not None, source[edit.start : edit.end]
            changed.setdefault(unit, {}).setdefault(number, []).append(edit)

    def rendered(start: int, end: int, units: list[_Unit]) -> str:
        """Return a part of the text with the choices of the units in it, largest first."""
        text, at = "", start
        for unit in sorted(units, key=lambda unit: (unit.start, -unit.end)):
            if unit.start < at:
                continue  # in the one before, which has rendered it
            inner = [u for u in units if u != unit and unit.start <= u.start and u.end <= unit.end]
            piece = source[unit.start : unit.end]
            others = {n: _edited(piece, its, unit.start) for n, its in changed[unit].items()}
            choice = _choice(unit.kind, rendered(unit.start, unit.end, inner), others)
            text += source[at : unit.start] + choice
            at = unit.end
        return text + source[at:end]

    return rendered(0, len(source), list(changed))


def _choice(kind: str, original: str, others: dict[int, str]) -> str:
    if kind == "input":
        chain = "".join(f"{PACKAGE}::chosen == {n} ? ({text}) : " for n, text in others.items())
        return f"{chain}({original})"
    words = [re.sub(r"^assign\b", "", text) for text in (original, *others.values())]
    chain = "".join(
        f"if ({PACKAGE}::chosen == {number}) begin {text}\nend else "
        for number, text in zip(others, words[1:], strict=True)
    )
    return f"{'always_comb ' * (kind == 'assign')}begin {chain}begin {words[0]}\nend end"


# ------------------------------------------------------------------ designs


def edited(design: Core, old: str, new: str, folder: Path, module: str = "") -> Simulated:
    """Return ``design`` with one edit, see `Bug`."""
    return patched(design, edited_files(design.hardware.files, Bug("", module, old, new), folder))


def planted(design: Core, bugs: Sequence[Bug], folder: Path) -> dict[Bug, Simulated]:
    """Return ``design`` with each of ``bugs``; those that `can_be_chosen` share one program."""
    simulated = driven(design)
    paths = simulated.hardware.files
    shared = [bug for bug in bugs if can_be_chosen(paths, bug)]
    files = planted_files(paths, shared, folder)
    found = {}
    for bug in bugs:
        if bug in shared:
            number = {"PLANTED": str(shared.index(bug) + 1)}
            hardware = replace(simulated.hardware, files=files, environment=number)
        else:
            own = Path(tempfile.mkdtemp(dir=folder))
            hardware = replace(simulated.hardware, files=edited_files(paths, bug, own))
        found[bug] = replace(simulated, hardware=hardware)
    return found


def planted_program(
    engine: Engine,
    bugs: Sequence[Bug],
    parameters: tuple[tuple[str, int], ...] = (),
    *,
    build: Callable[..., Path] = engine_bench.build,
) -> Path:
    """Return the program of an engine with the files of `planted_files`."""
    with tempfile.TemporaryDirectory() as name:
        files = planted_files(engine.hardware.files, bugs, Path(name))
        values = {**engine.hardware.parameters, **dict(parameters)}
        changed = replace(engine.hardware, files=files, parameters=values)
        return build(changed, optimised=False)


# ------------------------------------------------------------------ tests/mutants


def bugs_of(name: str) -> list[Bug]:
    """Return the bugs listed for an architecture."""
    return [
        Bug(
            m["reason"],
            Path(m["file"]).stem,
            m["old"],
            m["new"],
            equivalent=m.get("equivalent", ""),
        )
        for m in _listed(name)["mutant"]
    ]


def designs_of(name: str, widths: Sequence[int] | None = None) -> list[Core]:
    """Return the designs that the bugs of an architecture are tried on, or others' widths."""
    listed = _listed(name)
    fixed, forms = listed.get("parameters", {}), listed.get("forms", [])
    found = [
        chosen
        for width in widths or listed.get("widths", WIDTHS)
        for chosen in (
            *(v for v in variants(name, width=width, **fixed) if isinstance(v, Core)),
            *(core(name, **{"width": width} | fixed | form) for form in forms),
        )
    ]
    return list({str(chosen): chosen for chosen in found}.values())


def _listed(name: str) -> dict[str, Any]:
    return tomllib.loads((MUTANTS / f"{name}.toml").read_text())


def survivors(
    bugs: Sequence[Bug], designs: Sequence[Core], operations: int = 400, mode: str = "all"
) -> list[Bug]:
    """Return those of ``bugs`` that verification of none of ``designs`` catches.

    It catches a mismatch, and a simulation that hangs or stops. ``operations`` random ones among
    others, or every legal operation (``mode="exhaustive"``). Raises ToolFailedError if the edited
    RTL does not compile.
    """
    left = list(bugs)
    for design in designs:
        modules = {path.stem for path in design.hardware.files}
        tried = [bug for bug in left if bug.module in modules]
        with tempfile.TemporaryDirectory() as name:
            for bug, wrong in planted(design, tried, Path(name)).items():
                build_bench(wrong)  # not in the try: an edit that doesn't compile is not caught
                try:
                    report = verify(
                        wrong, mode=mode, operations=operations, chain_length=200, seed=1,
                        until_wrong=True,
                    )  # fmt: skip
                except ToolFailedError:
                    left.remove(bug)
                else:
                    left = [other for other in left if other != bug or not report.mismatches]
    return left
