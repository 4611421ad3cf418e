# SPDX-License-Identifier: Apache-2.0
"""Stored results and the code that made them: a change in any module that was loaded counts."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from montforge.arch import design
from montforge.hardware import rtl_root
from montforge.measure.identity import NOT_THE_FLOW
from montforge.verify import code_identity
from montforge.verify.identity import NOT_LOADED
from montforge.work.sources import code_hash
from planted import edit
from test_imports import PACKAGE, graph

POWER = ("modexp", "-p", "width=8", "-p", "algorithm=l2r", "-p", "multiplier=mm_r2")
SPECTRUM = ("fmlm", "-p", "width=16")
RUN = ("--mode", "random", "--operations", "30", "--seed", "5", "--json")
LOADED = (
    "montforge.explore.job",
    "montforge.measure.measurement",
    "montforge.verify.runner",
)
"""Modules that simulate and measure."""
FLOW = ("montforge.measure.fpga", "montforge.measure.identity", "montforge.measure.sweep")
"""Modules that run tools and keep their results."""


def reached(roots: Iterable[str], *ends: str) -> set[str]:
    """Return the files that ``roots`` import, those that these import ..., and their folders.

    ``ends`` are parts of the package that do not count.
    """
    found = graph(PACKAGE)
    done: set[str] = set()
    new = [*roots]
    while new:
        name = new.pop()
        if name not in done and name != "montforge" and name.split(".")[1] not in ends:
            done.add(name)
            new += found[name]
    paths = {Path(*name.split(".")[1:]) for name in done}
    files = {path if (PACKAGE / path).is_dir() else path.with_suffix(".py") for path in paths}
    return {each.as_posix() for path in files for each in (path, *path.parents)}


def test_no_process_loads_what_its_results_do_not_depend_on() -> None:
    by_name = (name for name in graph(PACKAGE) if name.startswith("montforge.arch."))
    found = reached((*LOADED, *by_name))  # the registry imports all architectures by name
    assert {"arch", "programs/fft", "arch/rsa", "verify", "contract.py"} <= found
    assert not found & NOT_LOADED


def test_the_flow_is_all_that_its_modules_import_but_what_makes_the_rtl() -> None:
    found = reached(FLOW, "arch", "contract")
    assert {"measure", "work/tools.py", "hardware/verilog.py", "hardware/yosys.py"} <= found
    assert not found & NOT_THE_FLOW


def test_parts_that_do_not_count_exist() -> None:
    """A name that is no more would hide nothing, and a reader would think that it does."""
    missing = {name for name in NOT_LOADED | NOT_THE_FLOW if not (PACKAGE / name).exists()}
    assert missing == {"proofs", "rtl"}  # which a wheel has in the package


@pytest.fixture
def copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The package and the RTL in another place, with a store of results of its own."""
    shutil.copytree(PACKAGE, tmp_path / "src/montforge", ignore=shutil.ignore_patterns("*.pyc"))
    (tmp_path / "rtl").symlink_to(rtl_root())
    cache = tmp_path / "cache"
    cache.mkdir()
    for kind in ("bench", "bench-object", "bench-header", "rtl"):
        kept = Path(os.environ["MONTFORGE_CACHE"], kind)
        kept.mkdir(parents=True, exist_ok=True)
        (cache / kind).symlink_to(kept)
    monkeypatch.setenv("MONTFORGE_CACHE", str(cache))
    return tmp_path / "src"


def run(source: Path, *words: str) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-m", "montforge", "verify", *words, *RUN],
        env={**os.environ, "PYTHONPATH": str(source)},
        capture_output=True,
        text=True,
    )
    assert done.stdout, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize(
    ("words", "module", "old", "new"),
    [
        (POWER, "programs/powers.py", "    for bit in bits:\n        t = yield from _one",
         "    for bit in [0, *bits]:\n        t = yield from _one"),
        (SPECTRUM, "programs/fft/transform.py", "z = out\n    return z",
         "z = out\n    return z[::-1]"),
    ],
    ids=["modexp", "fft"],
)  # fmt: skip
def test_a_planted_change_is_not_served_from_the_store(
    copied: Path, words: tuple[str, ...], module: str, old: str, new: str
) -> None:
    assert run(copied, *words)["mismatches"] == 0
    path = copied / "montforge" / module
    text = path.read_text()
    edit(path, old, new)
    assert run(copied, *words)["mismatches"] > 0
    path.write_text(text)
    page = copied / "montforge/cli/info.py"
    page.write_text(page.read_text() + "\n")
    assert run(copied, *words)["mismatches"] == 0


def test_packages_that_bring_architectures_count_those_of_parts_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "own_cores"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "helper.py").touch()
    (package / "core.py").write_text(
        "from montforge.arch.mm_r2 import MmR2\nclass Own(MmR2):\n    name = 'own'\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    own = import_module("own_cores.core").Own(width=8)
    power = design("modexp", width=8)
    whole = power.replace(multiplier=own)
    before = [code_identity(each) for each in (power, own, whole)]
    (package / "helper.py").write_text("X = 1\n")
    code_hash.cache_clear()
    after = [code_identity(each) for each in (power, own, whole)]
    assert [old == new for old, new in zip(before, after, strict=True)] == [True, False, False]
