# SPDX-License-Identifier: Apache-2.0
"""No option of a command is without effect: its function names it, or a call takes it."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable
from dataclasses import is_dataclass
from importlib import import_module
from typing import Any

import pytest

from montforge.cli.app import COMMANDS
from montforge.cli.common import options_of


def dropped(command: Callable[..., Any]) -> set[str]:
    """Return the options that ``command`` neither names nor hands over by its ``locals()``."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(command)))
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    calls = [command.__globals__.get(name) for name in used if "locals" in used]
    kinds = [each for call in calls for each in getattr(call, "registry", {}).values()]
    taken = {
        name
        for call in (*calls, *kinds)
        if inspect.isfunction(call) or is_dataclass(call)
        for name in inspect.signature(call).parameters
    }
    return set(inspect.signature(command).parameters) - used - taken


@pytest.mark.parametrize("name", COMMANDS.values())
def test_all_options_have_an_effect(name: str) -> None:
    assert not dropped(getattr(import_module(f"montforge.cli.{name}"), name))


def _call(samples: int) -> int:
    return samples


def _command(samples: int, sample: int) -> int:
    return _call(**options_of(_call, locals()))


def test_an_option_that_nothing_takes_is_found() -> None:
    assert dropped(_command) == {"sample"}
