# SPDX-License-Identifier: Apache-2.0
"""Imports of the package's modules go one way, those inside functions and for annotations too."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "src" / "montforge"
Graph = dict[str, set[str]]


def modules(package: Path) -> dict[str, ast.Module]:
    """Return the parsed modules by their dotted names."""
    found = {}
    for path in package.rglob("*.py"):
        parts = path.relative_to(package.parent).with_suffix("").parts
        name = ".".join(part for part in parts if part != "__init__")
        found[name] = ast.parse(path.read_text(encoding="utf-8"))
    return found


def imports(tree: ast.Module, known: dict[str, ast.Module]) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom) and node.module in known:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield inner if inner in known else node.module


@cache
def graph(package: Path) -> Graph:
    known = modules(package)
    return {name: set(imports(tree, known)) - {name} for name, tree in known.items()}


def parts(found: Graph) -> Graph:
    """Return the graph of the package's parts: itself (no name), arch, generate, verify ..."""
    joined: Graph = {}
    for name, others in found.items():
        part, *used = ((each + ".").split(".")[1] for each in (name, *others))
        joined[part] = joined.get(part, set()) | (set(used) - {part})
    return joined


def circle(found: Graph) -> list[str]:
    try:
        TopologicalSorter(found).prepare()
    except CycleError as error:
        names: list[str] = error.args[1]
        return names
    return []


def test_no_module_imports_what_imports_it() -> None:
    found = graph(PACKAGE)
    assert circle(found) == []
    assert circle(parts(found)) == []


@pytest.mark.parametrize(
    ("part", "never"),
    [
        ("contract", {"arch", "generate", "verify", "measure", "explore", "papers", "report"}),
        ("arch", {"generate", "verify", "measure", "explore", "papers", "report"}),
        ("generate", {"verify", "measure", "explore", "papers", "report"}),
        ("verify", {"generate", "measure", "explore", "papers", "report"}),
        ("measure", {"explore", "papers", "report"}),
        ("programs", {"arch", "hardware", "report"}),
        ("hardware", {"arch", "generate", "verify", "measure", "explore", "papers", "report"}),
        ("work", {"contract", "programs", "hardware", "arch"}),
        ("report", {"generate", "verify", "measure", "explore", "papers"}),
    ],
)
def test_parts_build_on_those_below_only(part: str, never: set[str]) -> None:
    assert not parts(graph(PACKAGE))[part] & never


def test_a_circle_is_found_wherever_the_import_stands(tmp_path: Path) -> None:
    package = tmp_path / "montforge"
    (package / "verify").mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "verify" / "__init__.py").write_text(
        "def f():\n    from montforge.papers import g\n"
    )
    (package / "papers.py").write_text("import montforge.verify\n")
    assert set(circle(graph(package))) == {"montforge.verify", "montforge.papers"}
