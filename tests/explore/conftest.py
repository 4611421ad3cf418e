# SPDX-License-Identifier: Apache-2.0
"""Explorations that measure nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from montforge.explore import explorer

from .fakes import Fake, fake_sources


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Fake:
    """Make explorations use `fake_sources` with that behaviour; return the log of the jobs."""
    log = tmp_path / "jobs.log"
    monkeypatch.setenv("MONTFORGE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("TMPDIR", str(tmp_path))  # killed workers leave their files there
    monkeypatch.setattr(explorer, "tool_versions", lambda target: {"fake": "1"})

    def use(behaviour: str = "") -> Path:
        monkeypatch.setattr(explorer, "pack_sources", lambda target: fake_sources(behaviour, log))
        return log

    return use


@pytest.fixture
def space(tmp_path: Path) -> Path:
    """A space file of six designs (k = 2, 3 and m = 1, 2, 4)."""
    path = tmp_path / "space.toml"
    path.write_text('[[space]]\narch = "rmm"\nk = [2, 3]\nm = [1, 2, 4]\n')
    return path
