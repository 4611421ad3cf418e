# SPDX-License-Identifier: Apache-2.0
"""Compiler cache of Verilator's makefiles (OBJCACHE): its run-time library is compiled once.

    object_cache.py FOLDER COMPILER OPTIONS -c ... SOURCE

Other sources are compiled as they would be without it. It runs for each compilation, so it
imports little.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path


def main() -> int:
    """Run the compiler, or copy what it made of the same file with the same options."""
    cache, command = Path(sys.argv[1]), sys.argv[2:]
    source = Path(command[-1])
    if not source.name.startswith("verilated") or not {"-c", "-o"} < {*command}:
        return subprocess.call(command)
    compiler = Path(shutil.which(command[0]) or command[0]).resolve()
    key = hashlib.sha256(f"{command} {compiler} {compiler.stat().st_mtime_ns}".encode())
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


if __name__ == "__main__":
    sys.exit(main())
