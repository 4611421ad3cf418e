# SPDX-License-Identifier: Apache-2.0
"""The driver of plain cores in form axi, on the simulated device."""

from __future__ import annotations

import random

import pytest

from montforge.arch import Design, design
from montforge.errors import OperandError, ParameterError
from montforge.rsa.core_driver import Core, CoreError
from montforge.rsa.driver import BUSY, STATUS
from montforge.rsa.simulation import Simulation, build

SEED = 1
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
        core = Core(device, chosen)
        for _ in range(2):
            n = rng.getrandbits(contract.width) | 1 << contract.width - 1 | 1
            operations = contract.function.random_operations(contract, rng, n)
            for _ in range(3):
                operation = next(operations)
                found = core.operate(**operation)
                assert found == chosen.golden(**operation)
                assert found % n == contract.function.residue(contract, operation)
        with pytest.raises(OperandError):
            core.operate(**{**operation, "n": 4})


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
    core = Core(Stuck(status), chosen)
    with pytest.raises(CoreError, match=f"the end of the operation .* within {core.limit} cycles"):
        core.operate(1, 1, 3)
    assert core.limit > chosen.contract.latency.maximum
    with pytest.raises(CoreError, match="the core is busy"):
        core.operate(1, 1, 3)


def test_what_is_not_there() -> None:
    with pytest.raises(ParameterError, match=r"with_form\('axi'\)"):
        Core(Stuck(0), DESIGNS[0])
    with pytest.raises(CoreError, match="register ID is 0xffffffff"):
        Core(Stuck(0, magic=0xFFFFFFFF), DESIGNS[0].with_form("axi"))
    with pytest.raises(CoreError, match="the core is of 70 bits"):
        Core(Stuck(0), design("mm_r2", width=71).with_form("axi"))
    core = Core(Stuck(16 << 8 | 2), DESIGNS[0].with_form("axi"))
    with pytest.raises(CoreError, match="ended with 16: nothing is loaded"):
        core.operate(1, 1, 3)
