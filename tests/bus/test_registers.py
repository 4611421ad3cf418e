# SPDX-License-Identifier: Apache-2.0
"""The files that PeakRDL makes of the registers of the bus."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from montforge.arch.rsa import contract
from montforge.host import registers

SCRIPT = Path(__file__).parents[2] / "scripts" / "make_registers.py"


def test_the_files_are_up_to_date() -> None:
    done = subprocess.run(
        [sys.executable, str(SCRIPT), "--check"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, ""), done.stderr


def test_drivers_in_python_have_the_addresses() -> None:
    found = {row.name.upper(): row.address for row in contract.registers()}
    own = vars(contract) | vars(registers)
    assert found == {name: own[name] for name in found}
    assert len(found) == 18
