# SPDX-License-Identifier: Apache-2.0
"""Compare a design's word-level cells with those of its RTL at another commit.

    python scripts/same_cells.py COMMIT NAME [KEY=VALUE ...] [--form FORM] [--bits]

Figures on the pages name the commit whose RTL they were measured with. Where files have changed
since, this says whether the hardware has: Yosys reads both, and its cells, registers and memories
are compared by type and width, before mapping. Parameters that the older top does not have are left
at their defaults there; files that are rendered for a design are those of now on both sides. With
--bits registers and gates count bit by bit, so that several vectors are the same as one of their
bits. Ends with status 1, and the differences, if there are any.
"""

from __future__ import annotations

import argparse
import io
import re
import subprocess
import sys
import tarfile
import tempfile
from collections import Counter
from dataclasses import replace
from pathlib import Path

from montforge import design
from montforge.arch.parameter import named_values
from montforge.hardware import Hardware, rtl_root
from montforge.hardware.yosys import read_design, run_yosys
from montforge.measure.yosys import STATISTICS, cell_counts, read_statistics

ROOT = Path(__file__).resolve().parents[1]
STEPS = (
    "proc",
    "flatten",
    "opt_expr",
    "opt_clean -purge",
)
BIT_STEPS = ("simplemap", "opt_expr", "opt_clean -purge")
STATISTICS_STEP = f"tee -q -o {STATISTICS} stat -width -json"
SECONDS = 600.0


def older(hardware: Hardware, folder: Path) -> Hardware:
    """Return ``hardware`` with the files in ``folder``, and the parameters of its top there.

    The files are those of ``hardware``, and the ones of modules and packages that they name.
    """
    known = {path.stem: path for path in folder.rglob("*.sv") if path.parent.name != "bind"}
    files = [known.get(path.stem, path) for path in hardware.files]
    found = [path for path in files if not path.is_relative_to(rtl_root())]
    for path in found:  # which grows
        named = re.findall(r"\w+", re.sub("//.*", "", path.read_text()))
        found += [
            known[word] for word in dict.fromkeys(named) if known.get(word, path) not in found
        ]
    text = next(path for path in found if path.stem == hardware.top).read_text()
    parameters = {k: v for k, v in hardware.parameters.items() if f" {k} " in text}
    return replace(hardware, files=tuple(found), parameters=parameters)


def cells(hardware: Hardware, bits: bool = False) -> Counter[str]:
    """Return the number of cells by type and width: of words, or with ``bits`` of single bits."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        steps = (*STEPS, *(BIT_STEPS if bits else ()), STATISTICS_STEP)
        script = "\n".join([read_design(hardware), *steps])
        run_yosys(script, log=folder / "yosys.log", timeout=SECONDS, cwd=folder)
        return Counter(cell_counts(read_statistics(folder / STATISTICS)))


def main() -> int:
    """Compare, print, and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("commit")
    parser.add_argument("name")
    parser.add_argument("parameters", nargs="*", metavar="KEY=VALUE")
    parser.add_argument("--form")
    parser.add_argument("--bits", action="store_true")
    arguments = parser.parse_args()
    found = design(arguments.name, **named_values(arguments.parameters))
    chosen = (found.with_form(arguments.form) if arguments.form else found).hardware
    archive = subprocess.run(
        ["git", "-C", ROOT, "archive", arguments.commit, "rtl"], check=True, capture_output=True
    ).stdout
    with tempfile.TemporaryDirectory() as name:
        with tarfile.open(fileobj=io.BytesIO(archive)) as tree:
            tree.extractall(name, filter="data")
        before = cells(older(chosen, Path(name) / "rtl"), arguments.bits)
        now = cells(chosen, arguments.bits)
    more, fewer = now - before, before - now
    for sign, difference in (("+", more), ("-", fewer)):
        for kind, count in sorted(difference.items()):
            print(f"{sign}{count} {kind}")
    words = f"others than the {before.total():,}" if more or fewer else "the same as"
    print(f"{chosen}: {now.total():,} cells, {words} at {arguments.commit}")
    return 1 if more or fewer else 0


if __name__ == "__main__":
    sys.exit(main())
