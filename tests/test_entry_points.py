# SPDX-License-Identifier: Apache-2.0
"""Architectures of other packages: what their entry points may name. The whole is in test_wheel."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from types import ModuleType

import pytest

from montforge.arch import Core, base, registry
from montforge.arch.mm_r2 import MmR2
from montforge.errors import EntryPointError


class Own(MmR2):
    name = "own"


class Abstract(Core):
    name = "abstract"


@pytest.fixture
def package(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """A module ``own`` with the classes above; the registry is made again before and after."""
    module = ModuleType("own")
    vars(module).update(Own=Own, Abstract=Abstract, Second=MmR2, number=7)
    monkeypatch.setitem(sys.modules, "own", module)
    registry.cache_clear()
    yield monkeypatch
    registry.cache_clear()


def bring(package: pytest.MonkeyPatch, value: str) -> None:
    entry = EntryPoint("name", value, base.ENTRY_POINTS)
    package.setattr(base, "entry_points", lambda group: [entry])


def test_an_architecture_of_another_package_is_registered(package: pytest.MonkeyPatch) -> None:
    bring(package, "own:Own")
    assert registry()["own"] is Own


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("own:number", "number"),
        ("own:Abstract", "Abstract"),
        ("own:Missing", "AttributeError"),
        ("nowhere:Own", "ModuleNotFoundError"),
        ("own:Second", "mm_r2"),
    ],
)
def test_a_wrong_entry_point_is_named(value: str, reason: str, package: pytest.MonkeyPatch) -> None:
    bring(package, value)
    with pytest.raises(EntryPointError, match=reason) as error:
        registry()
    assert f"the entry point name = {value}" in str(error.value)
