# SPDX-License-Identifier: Apache-2.0
"""The C driver on a RISC-V processor in Verilator, with the engine on its AXI4-Lite bus."""

from __future__ import annotations

import random
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from montforge.arch import design
from montforge.arch.rsa.key import Key
from montforge.arch.rsa.keys import make_key
from montforge.arch.rsa.model import Error
from montforge.hardware import Hardware
from montforge.host.registers import words
from montforge.verify.bench import compile_model

from .c_driver import DRIVER, SOURCES

SOC = Path(__file__).parents[2] / "examples" / "rsa" / "riscv"
COMPILER = "riscv64-unknown-elf-gcc"
FLAGS = ("-march=rv32im", "-mabi=ilp32", "-std=c11", "-Os", "-ffreestanding", "-nostdlib",
         "-ffunction-sections", "-Wl,--gc-sections", "-Wall", "-Wextra", "-Werror")  # fmt: skip
BITS = 64
ENGINE = design("rsa", bits=BITS, window=3, slots=2, min_bits=16)
MOST_CYCLES = 3_000_000


def soc() -> Hardware:
    """Return PicoRV32 with the engine behind AXI4-Lite."""
    picorv32 = pytest.importorskip("pythondata_cpu_picorv32")
    processor = Path(picorv32.data_location) / "picorv32.v"
    inside = ENGINE.with_form("axi").hardware
    return replace(inside, top="soc", files=(processor, *inside.files, SOC / "soc.sv"))


def data(key: Key, message: int, public_code: int) -> str:
    """Return data.h."""
    bits = key.n.bit_length()
    bad = {
        Error.MODULUS_EVEN: replace(key, n=key.n - 1),
        Error.LENGTH: replace(key, p=3),
        Error.PRIMES_EQUAL: replace(key, q=key.p),
        Error.PRODUCT: replace(key, n=key.n - 2),
        Error.EXPONENT: replace(key, dp=key.dp ^ 2),
        Error.PUBLIC_EXPONENT: replace(key, e=key.e + 1),
        Error.RANGE: replace(key, qinv=key.p),
        Error.QINV: replace(key, qinv=key.qinv ^ 1),
    }
    d = pow(key.e, -1, (key.p - 1) * (key.q - 1))

    def array(value: int, size: int) -> str:
        listed = ", ".join(f"0x{word:08x}" for word in words(value, -(-size // 32)))
        return f"(const uint32_t[]){{{listed}}}"

    def initializer(one: Key) -> str:
        parts = (one.p, one.q, one.dp, one.dq, one.qinv)
        values = [array(one.n, bits), *(array(part, (bits + 1) // 2) for part in parts)]
        return f"{{{bits}, {one.e}, {', '.join(values)}}}"

    return "\n".join(
        [
            '#include "mf_rsa.h"',
            f"enum {{ N_BITS = {bits}, PUBLIC_CODE = {public_code} }};",
            f"static const mf_key_t good_key = {initializer(key)};",
            "static const struct { const char *name; mf_key_t key; int code; } bad_keys[] = {",
            *(f'  {{"{code.name}", {initializer(one)}, {code}}},' for code, one in bad.items()),
            "};",
            f"static const uint32_t *const message = {array(message, bits)};",
            f"static const uint32_t *const signature = {array(pow(message, d, key.n), bits)};",
            "",
        ]
    )


def firmware(folder: Path, text: str) -> tuple[Path, int]:
    """Return the firmware as hexadecimal words, and the bytes of the driver in it."""
    (folder / "data.h").write_text(text)
    sources = [SOC / "start.S", SOC / "main.c", *SOURCES]
    includes = [f"-I{folder}", f"-I{DRIVER}"]
    image, binary, words_file = (folder / name for name in ("soc.elf", "soc.bin", "soc.hex"))
    subprocess.run(
        [COMPILER, *FLAGS, *includes, *sources, "-T", SOC / "soc.ld", "-lgcc", "-o", image],
        check=True,
    )
    subprocess.run([COMPILER.replace("gcc", "objcopy"), "-O", "binary", image, binary], check=True)
    raw = binary.read_bytes()
    raw += bytes(-len(raw) % 4)
    listed = (int.from_bytes(raw[i : i + 4], "little") for i in range(0, len(raw), 4))
    words_file.write_text("".join(f"{word:08x}\n" for word in listed))
    return words_file, len(raw)


@pytest.mark.slow
def test_the_c_driver_on_risc_v(tmp_path: Path) -> None:
    if shutil.which(COMPILER) is None:
        pytest.skip("gcc-riscv64-unknown-elf is not installed")
    rng = random.Random(11)
    key = make_key(BITS, rng, 65537)
    image, _ = firmware(tmp_path, data(key, rng.randrange(key.n), Error.OPERATION))
    program = tmp_path / "soc"
    compile_model(soc(), SOC / "soc.cpp", program, optimised=False)
    done = subprocess.run(
        [program, str(MOST_CYCLES), "1", f"+firmware={image}"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith("failures: 0\n")
    for line in (
        "signature 1",
        "verify 1",
        "interrupt 1",
        "abort 15",
        "busy 10",
        "random 13",
        "fault 14",
        "use 12",
    ):
        assert f"\n{line}\n" in done.stdout
