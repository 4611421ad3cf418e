# SPDX-License-Identifier: Apache-2.0
"""The value that simulation and measurement take: a top module with its files and parameters."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path


@dataclass(frozen=True)
class Hardware:
    """A top module, the files that it needs in compile order, the values of its parameters.

    ``name`` is a readable identifier, unique for the content. ``memories`` are the modules that
    are memory macros on a chip, ``memory_bits`` the bits of all of them together. The files of a
    ``netlist`` are those of its model (`montforge.verify.netlist`). ``environment``
    are variables that its simulation reads. ``clock`` is the input that clocks all registers, but
    for those of ``fast_clocks``: inputs that have so many cycles in one of ``clock``, with rising
    edges in line.
    """

    name: str
    top: str
    files: tuple[Path, ...]
    parameters: Mapping[str, int] = field(default_factory=dict, hash=False)
    memories: tuple[str, ...] = ()
    memory_bits: int = 0
    netlist: bool = False
    environment: Mapping[str, str] = field(default_factory=dict, hash=False)
    clock: str = "clk_i"
    fast_clocks: Mapping[str, int] = field(default_factory=dict, hash=False)

    def __str__(self) -> str:
        return self.name


@cache
def rtl_root() -> Path:
    """Return the folder of the SystemVerilog library (in the package, or in the source tree)."""
    packaged = Path(str(files("montforge"))) / "rtl"
    return packaged if packaged.is_dir() else Path(__file__).parents[3] / "rtl"


def rtl_code(hardware: Hardware) -> list[str]:
    """Return the text of each file without comments, and with one space for white space."""
    return [_code(path) for path in hardware.files]


_IGNORED = re.compile(r'"(?:\\.|[^"\\])*"|//[^\n]*|/\*.*?\*/', re.DOTALL)


def stateless_modules(hardware: Hardware) -> tuple[str, ...]:
    """Return the modules below the top that name no clock, edge or latch: gates alone."""
    modules = (found for code in rtl_code(hardware) for found in _MODULE.findall(code))
    return tuple(name for name, body in modules if name != hardware.top and not _STATE.search(body))


_MODULE = re.compile(r"\bmodule (\w+)(.*?)\bendmodule\b")
_STATE = re.compile(r"\b(clk\w*|posedge|negedge|always_latch)\b")


@cache
def _code(path: Path) -> str:
    text = path.read_text(encoding="utf-8")
    kept = _IGNORED.sub(lambda found: found[0] if found[0].startswith('"') else " ", text)
    return " ".join(kept.split())
