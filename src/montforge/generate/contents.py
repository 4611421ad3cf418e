# SPDX-License-Identifier: Apache-2.0
"""The part of a folder that depends on the kind of design."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import singledispatch
from importlib.resources import files as package_files

from montforge.arch import Design

Texts = dict[str, str]
"""Texts of files by their path in the folder."""
DRIVER_FILES = ("mf_bus.h", "mf_bus_regs.h", "mf_engine.c", "mf_engine.h")
"""Files that all C drivers have: accesses, registers, the common part."""


@dataclass(frozen=True)
class Contents:
    """Files that depend on the kind of design, and fields of the templates.

    ``title`` and the lines ``summary`` head the wrapper, ``readme`` is the template of README.md.
    ``tests`` are the testbench's SystemVerilog in compile order, its top last; ``data`` the vectors
    that it reads; ``harness`` is between the testbench and the design; ``helpers`` are for the
    design's users, such as drivers; ``documents`` are further files.
    """

    title: str
    summary: Sequence[str]
    readme: str
    fields: dict[str, object]
    tests: Texts
    data: Texts
    helpers: Texts
    harness: Texts = field(default_factory=dict)
    documents: Texts = field(default_factory=dict)


@singledispatch
def contents(design: Design, name: str, command: str, *, flat_verilog: bool, seed: int) -> Contents:
    """Return the files of a folder, with the top module's ``name``, for a kind of design."""
    raise TypeError(f"no folder of {design} is known")


def driver_texts(*names: str) -> Texts:
    """Return a C driver's own files and those that all have, in ``driver/``."""
    folder = package_files("montforge") / "driver"
    return {f"driver/{n}": (folder / n).read_text("utf-8") for n in (*DRIVER_FILES, *names)}
