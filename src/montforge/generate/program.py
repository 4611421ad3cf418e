# SPDX-License-Identifier: Apache-2.0
"""The files in ``sim/`` that run a C program on the simulated design, with a first program."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files

from montforge.arch import Core
from montforge.arch.rsa.engine import Engine
from montforge.contract import Operation
from montforge.generate.contents import Texts
from montforge.generate.engine_testbench import sample_operation
from montforge.generate.text import common_fields
from montforge.hardware.axi import windows
from montforge.host.registers import words
from montforge.work.templates import render, template

SOURCES = ("mf_sim.h", "mf_sim.cpp", "mf_sim_cocotb.c", "cocotb.mk")
PROGRAM = "sim/example.c"


def core_program(design: Core, name: str, operations: Sequence[Operation]) -> Texts:
    """Return the files of a core in form axi; the program does the first telling operation."""
    contract = design.contract
    telling = (each for each in operations if abs(design.golden(**each)) > 1)
    operation = next(telling, operations[0])
    own = windows(contract)
    count = len(contract.operand_ports)
    values = zip(own[:count], design.encode(*operation.values()), strict=True)
    result, *others = (window for window in own[count:])
    is_pair = len(contract.results[0].ports) > 1
    value = design.golden(**operation) % (1 << result.port.width)
    return _files(
        render(
            "example_core.c.in",
            common_fields(name, design.title),
            inputs={window.name: _array(value, window.words) for window, value in values},
            results=[result, *others][: len(contract.results[0].ports)],
            expected="" if is_pair else _array(value, result.words),
            loads=contract.load is not None,
        )
    )


def engine_program(engine: Engine, name: str, seed: int) -> Texts:
    """Return the files of an engine with AXI4-Lite; the program signs as its testbench does."""
    key, x, y = sample_operation(engine, seed)
    bits = key.n.bit_length()
    half = -(-bits // 2)
    numbers = {"n": (key.n, bits), "x": (x, bits), "expected": (y, bits)}
    parts = {part: (getattr(key, part), half) for part in ("p", "q", "dp", "dq", "qinv")}
    return _files(
        render(
            "example_engine.c.in",
            common_fields(name, ""),
            bits=bits,
            e=key.e,
            numbers={
                field: _array(value, -(-length // 32))
                for field, (value, length) in (numbers | parts).items()
            },
        )
    )


def _files(program: str) -> Texts:
    device = files("montforge") / "host" / "axi_device.h"
    return {
        "sim/axi_device.h": device.read_text(encoding="utf-8"),
        **{f"sim/{name}": template(name) for name in SOURCES},
        "sim/mf_sim.py": template("mf_sim.py.in"),
        PROGRAM: program,
    }


def _array(value: int, count: int) -> str:
    """Return the elements of an array in C: 32-bit words, the lowest first."""
    return ", ".join(f"0x{word:08x}" for word in words(value, count))
