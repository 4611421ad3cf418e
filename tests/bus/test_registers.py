# SPDX-License-Identifier: Apache-2.0
"""The files that PeakRDL makes of the registers of the bus."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from make_registers import REGISTERS, WINDOWS
from peakrdl_ipxact import IPXACTExporter
from systemrdl.compiler import RDLCompiler

from montforge.arch import design
from montforge.arch.rsa import contract
from montforge.generate import generate
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


def test_the_address_blocks_of_a_component_are_those_of_peakrdl(tmp_path: Path) -> None:
    made = generate(design("rsa", bits=64), tmp_path / "out", name="mine") / "mine.xml"
    found = made.read_text()
    for source in (REGISTERS, *WINDOWS):
        compiler = RDLCompiler()
        compiler.compile_file(str(source))
        IPXACTExporter().export(compiler.elaborate(), str(tmp_path / "own.xml"))
        text = (tmp_path / "own.xml").read_text()
        blocks = re.findall(r" +<ipxact:addressBlock>.*?</ipxact:addressBlock>\n", text, re.DOTALL)
        assert blocks and "".join(blocks) in found
