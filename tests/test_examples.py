# SPDX-License-Identifier: Apache-2.0
"""All Python examples run: those of docstrings, of the README and of the docs."""

from __future__ import annotations

import builtins
import dis
import doctest
import importlib
import pkgutil
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType
from typing import Any

import pytest

import montforge
from montforge.arch import design
from montforge.arch.rsa.keys import make_key
from montforge.host.simulation import build, serve

ROOT = Path(__file__).parents[1]
FENCE = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)
Names = dict[str, Any]
KEY = make_key(64, random.Random(7), 65537)
SMALL = design("rsa", bits=64, window=3, slots=2, min_bits=16, public=1)


def examples() -> Iterator[tuple[str, str]]:
    """Yield page and text of each example."""
    for page in sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]):
        for text in FENCE.findall(page.read_text(encoding="utf-8")):
            yield page.relative_to(ROOT).as_posix(), text


def in_the_domain(text: str, folder: Path) -> None:
    names: Names = {"chosen": design("scs_mm_new", width=64), "x": 5, "n": 2**64 - 59}
    exec(text, names)
    assert names["x"] == 5


def as_it_is(text: str, folder: Path) -> None:
    exec(text, {})


def over_a_socket(text: str, folder: Path) -> None:
    socket = folder / "rsa"
    assert "/tmp/rsa" in text
    process = serve(build(SMALL.with_form("axi").hardware, optimised=False), socket)
    try:
        names: Names = {"key": KEY, "x": 5}
        exec(text.replace("/tmp/rsa", str(socket)), names)
        assert pow(names["y"], KEY.e, KEY.n) == 5
    finally:
        process.kill()
        process.communicate()


def in_cocotb(text: str, folder: Path) -> None:
    """Only a simulation calls it (tests/bus/rsa_driver_bench.py does so): all names are known."""
    names: Names = {"key": KEY, "x": 5}
    code = compile(text, "example", "exec")
    exec(code, names)
    assert global_names(code) <= names.keys() | vars(builtins).keys()


def on_the_bench(text: str, folder: Path) -> None:
    small, found = re.subn(r"Engine\.of\(\s*bits=2048.*?\)$", "Engine.of(bits=64, window=3)",
                           text, flags=re.MULTILINE | re.DOTALL)  # fmt: skip
    assert found == 1
    names: Names = {"key": KEY, "c": 5}
    exec(small, names)
    assert names["answer"].error == 0
    assert pow(names["y"], KEY.e, KEY.n) == 5


def global_names(code: CodeType) -> set[str]:
    """Return the global names that code reads, that of its functions included."""
    found = {
        i.argval for i in dis.get_instructions(code) if i.opname in ("LOAD_GLOBAL", "LOAD_NAME")
    }
    return found.union(*(global_names(c) for c in code.co_consts if isinstance(c, CodeType)))


RUNS: dict[tuple[str, str], Callable[[str, Path], None]] = {
    ("docs/reference/contract.md", "to_montgomery"): in_the_domain,
    ("docs/choose/pick.md", "Request("): as_it_is,
    ("docs/integrate/rsa.md", "Remote("): over_a_socket,
    ("docs/integrate/rsa.md", "cocotb"): in_cocotb,
    ("docs/integrate/rsa.md", "from_d"): as_it_is,
    ("docs/architectures/rsa.md", "EngineBench"): on_the_bench,
}
"""How examples run: by their page and a word that is in them."""


@pytest.mark.slow
@pytest.mark.parametrize(("page", "text"), list(examples()))
def test_examples_of_the_pages(page: str, text: str, tmp_path: Path) -> None:
    runs = [run for (of, word), run in RUNS.items() if of == page and word in text]
    assert len(runs) == 1, "an example that no test runs: put it into RUNS"
    runs[0](text, tmp_path)


def test_each_way_to_run_has_its_example() -> None:
    found = list(examples())
    for of, word in RUNS:
        assert any(page == of and word in text for page, text in found), (of, word)


def test_pages_have_no_example_but_fenced_ones() -> None:
    for page in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]:
        text = page.read_text(encoding="utf-8")
        assert not re.search(r"^ {4}(from|import) \w|^ *>>> ", FENCE.sub("", text), re.MULTILINE), (
            page
        )


def test_examples_of_docstrings() -> None:
    finder, runner = doctest.DocTestFinder(), doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    modules = [montforge]
    for found in pkgutil.walk_packages(montforge.__path__, "montforge."):
        if not found.name.endswith("__main__"):
            modules.append(importlib.import_module(found.name))
    for module in modules:
        for example in finder.find(module, globs={}):
            runner.run(example)
    assert runner.tries >= 5
    assert not runner.failures
