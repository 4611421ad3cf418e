# SPDX-License-Identifier: Apache-2.0
"""`montforge constants` prints the values that the ports take, in every format."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from typer.testing import CliRunner

from montforge.arch import core, cores
from montforge.cli.app import app
from montforge.errors import MontforgeError
from montforge.generate.constants import constants_text
from montforge.programs.primes import PRIMES
from testbench import verilator_bin

P256 = PRIMES["p256"]
LINT = ("--lint-only", "-Wall", "-Wno-DECLFILENAME", "-Wno-UNUSEDPARAM")


def printed(*words: str) -> str:
    done = CliRunner().invoke(app, ["constants", *words])
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.mark.parametrize("name", sorted(cores()))
def test_each_constant_is_that_of_the_ports(name: str) -> None:
    found = core(name, width=64)
    only = found.contract.modulus.only
    n = only or 0xFFFFFFFFFFFFFFC5
    lines = dict(line.split(" = ") for line in constants_text(found, n, "hex").splitlines())
    values = {key: int(value, 16) for key, value in lines.items()}
    r = found.contract.r
    domain = {"r_mod_n": r % n, "r2_mod_n": r * r % n} if r != 1 else {}
    fields = found.contract.constants_spec
    widths = {field.name: field.width for field in fields}
    constants = {
        key: value % (1 << widths[key])
        for key, value in found.constants(n).items()
        if key in widths
    }
    assert values == {"n": n, **domain, **constants}


def test_the_header_is_c(tmp_path: Path) -> None:
    (tmp_path / "constants.h").write_text(printed("unit_csa", "p256", "--format", "c"))
    program = '#include <stdio.h>\n#include "constants.h"\nint main(void) {\n'
    for name in ("n", "r_mod_n", "r2_mod_n", "n_scaled"):
        program += f'for (int i = 7; i >= 0; --i) printf("%08x%s", mf_{name}[i], i ? "" : "\\n");\n'
    (tmp_path / "print.c").write_text(program + "return 0; }\n")
    build = ["gcc", "-std=c99", "-Wall", "-Werror", "print.c", "-o", "print"]
    subprocess.run(build, cwd=tmp_path, check=True, timeout=60)
    lines = subprocess.check_output([tmp_path / "print"], text=True, timeout=60).splitlines()
    found = core("unit_csa", width=256)
    r = found.contract.r
    wanted = [P256, r % P256, r * r % P256, found.constants(P256)["n_scaled"] % (1 << 256)]
    assert [int(line, 16) for line in lines] == wanted


def test_the_package_is_systemverilog(tmp_path: Path) -> None:
    text = printed("unit_csa", "p256", "--format", "sv")
    name = f"{core('unit_csa', width=256).identifier}_constants::R2ModN"
    text += f"module top; initial $display({name}); endmodule\n"
    (tmp_path / "constants.sv").write_text(text)
    done = verilator_bin(*LINT, tmp_path / "constants.sv")
    assert done.returncode == 0, done.stderr


def test_the_width_follows_from_the_modulus() -> None:
    found = json.loads(printed("scs_mm_new", hex(P256 >> 20 | 1), "--json"))
    assert found["parameters"]["width"] == 236
    assert {c["name"] for c in found["constants"]} == {"n", "r_mod_n", "r2_mod_n", "n_hat"}


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["mm_r2", "8"], "even"),
        (["mm_r2", "p265"], "p256"),
        (["mm_r2", "7", "--format", "hexx"], "hex"),
        (["rsa", "p256"], "rsa"),
        (["fixed_prime", "p384", "-p", "width=384"], "not the one"),
    ],
)
def test_others_are_refused(words: list[str], named: str) -> None:
    done = CliRunner().invoke(app, ["constants", *words])
    assert isinstance(done.exception, MontforgeError)
    assert named in str(done.exception)
