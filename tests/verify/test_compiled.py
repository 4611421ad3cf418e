# SPDX-License-Identifier: Apache-2.0
"""Programs that are kept: each is compiled again when something that it is made of changes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from engine_faults import build_with_faults
from montforge.arch import design
from montforge.host import simulation
from montforge.verify import bench, engine_bench

ENGINE = design("rsa", bits=32, window=2, min_bits=16)
PROGRAMS: dict[str, Callable[[], Path]] = {
    "core": lambda: bench.build_bench(design("mm_r2", width=8)).executable,
    "engine": lambda: engine_bench.build(ENGINE.hardware),
    "engine with faults": lambda: build_with_faults(ENGINE.hardware),
    "device": lambda: simulation.build(ENGINE.with_form("axi").hardware),
}


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize(
    "changed", ["RUNTIME_FLAGS", "QUICK_FLAGS", "MODEL_FLAGS", "header", "compression"]
)
def test_what_changes_is_compiled_again(
    name: str, changed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MONTFORGE_CACHE", str(tmp_path))
    monkeypatch.setattr(bench, "compile_model", lambda *_words, **_options: None)
    monkeypatch.setattr(bench, "_object", lambda *paths: paths[0])
    before = PROGRAMS[name]()
    assert PROGRAMS[name]() == before
    if changed == "header":
        other = tmp_path / "shared.h"
        other.write_text(bench.SHARED_HEADER.read_text() + "// another\n")
        monkeypatch.setattr(bench, "SHARED_HEADER", other)
    elif changed == "compression":
        (tmp_path / "zlib.h").write_text("// another\n")
        monkeypatch.setattr(bench, "STORE_HEADERS", tmp_path)
        monkeypatch.setattr(bench, "compiler_identity", bench.compiler_identity.__wrapped__)
    else:
        monkeypatch.setattr(bench, changed, [*getattr(bench, changed), "-DANOTHER"])
    assert PROGRAMS[name]() != before


def test_programs_of_one_design_are_different() -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bench, "cached_folder", lambda kind, key, _build: Path(kind, key))
        assert len({PROGRAMS[name]() for name in PROGRAMS}) == len(PROGRAMS)
