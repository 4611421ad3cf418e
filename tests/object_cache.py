# SPDX-License-Identifier: Apache-2.0
"""Compiler cache of Verilator's makefiles (OBJCACHE): library and headers are compiled once.

    object_cache.py FOLDER COMPILER OPTIONS -c ... SOURCE

Models, and cocotb's main program, begin with a precompiled header of the library. Other sources
are compiled as they would be without it. It runs for each compilation, so it imports little.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

HEADER = Path(__file__).parents[1] / "src/montforge/verify/shared.h"


def main() -> int:
    """Run the compiler, or copy what it made of the same file with the same options."""
    cache, command = Path(sys.argv[1]), sys.argv[2:]
    source = Path(command[-1])
    if source.name.endswith("__ALL.cpp") or source.name == "verilator.cpp":
        begin = ["-Werror=invalid-pch", "-include", str(header(cache, command))]
        return subprocess.call([*command[:-1], *begin, str(source)])
    if not source.name.startswith("verilated") or not {"-c", "-o"} < {*command}:
        return subprocess.call(command)
    key = content(command)
    for path in (source, source.with_name("verilated_config.h")):  # which has the version
        key.update(path.read_bytes())
    target = Path(command[command.index("-o") + 1])
    kept = cache / f"{key.hexdigest()}.o"
    if not kept.exists():
        status = subprocess.call(command)
        if status:
            return status
        cache.mkdir(parents=True, exist_ok=True)
        scratch = kept.with_suffix(f".{os.getpid()}")
        shutil.copyfile(target, scratch)
        scratch.rename(kept)
    shutil.copyfile(kept, target)
    return 0


def content(command: list[str]) -> hashlib._Hash:
    """Return a hash of a command and of which compiler it means."""
    compiler = Path(shutil.which(command[0]) or command[0]).resolve()
    return hashlib.sha256(f"{command} {compiler} {compiler.stat().st_mtime_ns}".encode())


def header(cache: Path, command: list[str]) -> Path:
    """Return the header that beside it is compiled with the options of ``command``."""
    words = command[1 : command.index("-c")]
    options = sorted({word for word in words if not word.startswith(("-I.", "-M"))})
    build = [command[0], *options, "-x", "c++-header"]
    key = content(build)
    key.update(HEADER.read_bytes())
    folder = cache / key.hexdigest()
    path = folder / HEADER.name
    if not path.exists():
        cache.mkdir(parents=True, exist_ok=True)
        scratch = folder.with_suffix(f".{os.getpid()}")
        scratch.mkdir()
        text = scratch / HEADER.name
        shutil.copyfile(HEADER, text)
        subprocess.call([*build, str(text), "-o", f"{text}.gch"])
        with suppress(OSError):  # another process was faster
            scratch.rename(folder)
    return path


if __name__ == "__main__":
    sys.exit(main())
