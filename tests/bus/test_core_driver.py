# SPDX-License-Identifier: Apache-2.0
"""The driver of plain cores in form axi, on the simulated device."""

from __future__ import annotations

import ctypes
import random
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from montforge.arch import Design, design
from montforge.errors import OperandError, ParameterError
from montforge.generate import generate
from montforge.host.bus import Bus
from montforge.host.core_driver import ABORTED, CoreDriver, CoreError
from montforge.host.driver import DEVICE, TIMEOUT
from montforge.host.registers import BUSY, STATUS, words
from montforge.host.simulation import Simulation, build
from montforge.verify.stimuli import stimuli

SEED = 1
BUSY_CODE = 10
DESIGNS = (
    design("mm_r2", width=70),
    design("booth_csa", width=40),  # carry-save pairs, and a constant of n
    design("modexp", width=40, multiplier="mm_r2"),
    design("modexp", width=40, multiplier="mm_r2", constants="hardware"),  # n is loaded
)


def simulation(chosen: Design) -> Simulation:
    return Simulation(build(chosen.hardware, optimised=False))


@pytest.mark.parametrize("chosen", DESIGNS, ids=lambda chosen: chosen.identifier)
def test_exact_results_and_cycles(chosen: Design) -> None:
    chosen = chosen.with_form("axi")
    contract, rng = chosen.contract, random.Random(SEED)
    with simulation(chosen) as device:
        core = CoreDriver(device, chosen)
        for _ in range(2):
            n = rng.getrandbits(contract.width) | 1 << contract.width - 1 | 1
            operations = stimuli(contract).random(rng, n)
            for _ in range(3):
                operation = next(operations)
                found = core.operate(**operation)
                assert found == chosen.golden(**operation)
                assert found % n == contract.function.residue(contract.r, operation)
        with pytest.raises(OperandError):
            core.operate(**{**operation, "n": 4})
        assert device.phases() == []


def c_library(folder: Path) -> ctypes.CDLL:
    """Return the C driver of a generated folder, with the test's bus functions."""
    (folder / "bus.c").write_text(BUS_FUNCTIONS)
    subprocess.run(
        ["gcc", "-std=c11", "-O1", "-Wall", "-Wextra", "-Wconversion", "-pedantic", "-Werror",
         "-DMF_BUS_FUNCTIONS", "-shared", "-fPIC", "-Idriver",
         "driver/mf_engine.c", "driver/mf_core.c", "bus.c", "-o", "driver.so"],
        cwd=folder, check=True,
    )  # fmt: skip
    return ctypes.CDLL(str(folder / "driver.so"))


BUS_FUNCTIONS = """
#include "mf_bus.h"
#include "mf_core.h"
#include "mf_core_windows.h"
uint32_t (*test_read)(uintptr_t);
void (*test_write)(uintptr_t, uint32_t);
uint32_t mf_bus_read(uintptr_t address) { return test_read(address); }
void mf_bus_write(uintptr_t address, uint32_t value) { test_write(address, value); }
mf_core_t test_core;
int test_open(unsigned bits) { return mf_core_open(&test_core, 0, bits, MF_CORE_LIMIT); }
uint64_t test_limit(void) { return test_core.limit; }
"""
READ = ctypes.CFUNCTYPE(ctypes.c_uint32, ctypes.c_size_t)
WRITE = ctypes.CFUNCTYPE(None, ctypes.c_size_t, ctypes.c_uint32)


def opened(library: ctypes.CDLL, bus: Bus, bits: int) -> tuple[Any, int, tuple[object, object]]:
    """Return the address of the core, the code of opening it, and functions to keep."""
    functions = READ(bus.read), WRITE(bus.write)
    for name, function in zip(("test_read", "test_write"), functions, strict=True):
        pointer = ctypes.cast(function, ctypes.c_void_p).value
        ctypes.c_void_p.in_dll(library, name).value = pointer
    core = ctypes.byref(ctypes.c_char.in_dll(library, "test_core"))
    return core, library.test_open(bits), functions


@pytest.mark.parametrize("chosen", DESIGNS, ids=lambda chosen: chosen.identifier)
def test_the_driver_in_c_of_a_folder(chosen: Design, tmp_path: Path) -> None:
    chosen = chosen.with_form("axi")
    contract, rng = chosen.contract, random.Random(SEED)
    folder = generate(chosen, tmp_path / "out", prefix="soc")
    header = (folder / "driver/mf_core_windows.h").read_text()
    defined = {name: int(value, 0) for name, value in re.findall(r"define (\w+) (\w+)u", header)}
    library = c_library(folder)
    with simulation(chosen) as device:
        core, code, _kept = opened(library, device, contract.width)
        assert code == 0

        def move(function: str, port: str, value: int) -> int:
            name = f"MF_CORE_{port.rpartition('_')[0].upper()}"
            count = defined[f"{name}_WORDS"]
            array = (ctypes.c_uint32 * count)(*words(value, count))
            getattr(library, function)(
                core, ctypes.c_size_t(defined[name]), array, ctypes.c_size_t(count)
            )
            return sum(word << 32 * i for i, word in enumerate(array))

        n = rng.getrandbits(contract.width) | 1 << contract.width - 1 | 1
        operation = next(stimuli(contract).random(rng, n))
        patterns = chosen.encode(*operation.values())
        for port, pattern in zip(contract.operand_ports, patterns, strict=True):
            move("mf_core_put", port.name, pattern)
        for kind in (6,) * (contract.load is not None) + (0,):
            assert library.mf_core_run(core, kind) == 0
        found = [move("mf_core_get", port.name, 0) for port in contract.result_ports]
        library.mf_engine_start(core, 0, 0, 0, 0)
        assert library.mf_abort(core) == ABORTED
    result = contract.decode(found)[contract.results[0].name]
    assert result == chosen.golden(**operation)
    assert result % n == contract.function.residue(contract.r, operation)


def test_no_wait_in_c_is_without_an_end(tmp_path: Path) -> None:
    chosen = DESIGNS[0].with_form("axi")
    library = c_library(generate(chosen, tmp_path / "out"))
    for status in (0xFFFFFFFF, BUSY):
        core, code, _kept = opened(library, Stuck(status), 70)
        assert (code, library.test_limit() > chosen.contract.latency.maximum) == (0, True)
        assert library.mf_core_run(core, 0) == TIMEOUT
        assert library.mf_core_run(core, 0) == BUSY_CODE
    assert opened(library, Stuck(0, magic=0xFFFFFFFF), 70)[1] == DEVICE
    assert opened(library, Stuck(0), 71)[1] == DEVICE


class Stuck:
    """The registers of a core of 70 bits that stays busy once it was started."""

    def __init__(self, status: int, magic: int = 0x4D434F52) -> None:
        self.status, self.started, self.magic = status, False, magic
        self.passed = 0

    def read(self, address: int) -> int:
        if address == STATUS:
            return self.status if self.started else 0
        return {0: self.magic, 4: 70}.get(address, 0)

    def write(self, address: int, value: int, strobes: int = 15) -> None:
        self.started |= address == 0x0C

    def write_words(self, address: int, values: object) -> None:
        pass

    def wait(self, cycles: int) -> bool:
        self.passed += cycles
        return True

    def reset(self) -> None:
        pass


@pytest.mark.parametrize("status", [0xFFFFFFFF, BUSY])
def test_no_wait_is_without_an_end(status: int) -> None:
    chosen = DESIGNS[0].with_form("axi")
    core = CoreDriver(Stuck(status), chosen)
    with pytest.raises(CoreError, match=f"within {core.limit} cycles"):
        core.operate(1, 1, 3)
    assert core.limit > chosen.contract.latency.maximum
    with pytest.raises(CoreError, match="busy"):
        core.operate(1, 1, 3)


def test_what_is_not_there() -> None:
    with pytest.raises(ParameterError, match=r"with_form\('axi'\)"):
        CoreDriver(Stuck(0), DESIGNS[0])
    with pytest.raises(CoreError, match="0xffffffff"):
        CoreDriver(Stuck(0, magic=0xFFFFFFFF), DESIGNS[0].with_form("axi"))
    with pytest.raises(CoreError, match="70 bits"):
        CoreDriver(Stuck(0), design("mm_r2", width=71).with_form("axi"))
    core = CoreDriver(Stuck(16 << 8 | 2), DESIGNS[0].with_form("axi"))
    with pytest.raises(CoreError, match="ended with 16"):
        core.operate(1, 1, 3)
