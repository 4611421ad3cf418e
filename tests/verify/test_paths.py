# SPDX-License-Identifier: Apache-2.0
"""No path leads from an input to an output within a cycle, but those that a module's header states.

Yosys follows the logic before each output back to registers and inputs.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from montforge.arch import Design, design, registry, variants
from montforge.yosys import read_design, run_yosys

from .designs import planted

WIDTH = 9
ONE_FORM = ("rmm", "modexp", "fmlm", "fmle")
"""Architectures whose forms differ in a schedule, or are too large to look at all of them."""
OTHERS = {"rmm": {"k": 3, "m": 2}, "scs_mm_ct": {"block": 4}, "tenca_koc": {"word": 4}}
Paths = set[tuple[str, str]]


def designs() -> list[Design]:
    """Each architecture, each other choice of its named parameters, and its other forms."""
    found = []
    for name in registry():
        several = variants(name, width=WIDTH, **OTHERS.get(name, {}))
        found += several[:1] if name in ONE_FORM else several
        forms = registry()[name].forms(several[0].parameters)[1:]
        found += [several[0].with_form(form.name) for form in forms]
    return found


def top_text(chosen: Design) -> str:
    texts = [path.read_text() for path in chosen.rtl_files]
    return next(t for t in texts if re.search(rf"^module {chosen.rtl_top}\b", t, re.MULTILINE))


def paths_within_a_cycle(chosen: Design, folder: Path) -> Paths:
    """Return input and output of each path."""
    outputs = re.findall(r"^  output +logic.*?(\w+),?(?: *//.*)?$", top_text(chosen), re.MULTILINE)
    assert outputs
    listed = [f"log output {o}\nselect -list o:{o} %ci*:-$dff,$adff i:* %i\n" for o in outputs]
    log = run_yosys(
        f"{read_design(chosen)}\nproc; flatten; opt -purge; memory; dffunmap; opt_clean -purge\n"
        "select -assert-none t:$dffe t:$adffe t:$aldff t:$mem_v2\n" + "".join(listed),
        log=folder / "log",
        timeout=600,
    )
    found, output = set(), ""
    for line in log.splitlines():
        if name := re.fullmatch(r"output (\w+)", line):
            output = name[1]
        elif output and (path := re.fullmatch(r"\w+/(\w+)", line)):
            found.add((path[1], output))
    return found


def stated_paths(chosen: Design) -> Paths:
    """Return the paths in the line "Paths: a_i to b_o, c_i to d_o" of the top module's header."""
    line = re.search(r"^// Paths: +(.*)", top_text(chosen), re.MULTILINE)
    return set(re.findall(r"(\w+) to (\w+)", line[1])) if line else set()


@pytest.mark.parametrize("chosen", designs(), ids=lambda d: d.name)
def test_the_stated_paths_are_all_there_are(chosen: Design, tmp_path: Path) -> None:
    assert paths_within_a_cycle(chosen, tmp_path) == stated_paths(chosen)


def test_a_planted_path_is_seen(tmp_path: Path) -> None:
    old, new = "req_ready_o = state_q == StIdle", "req_ready_o = state_q == StIdle && !b_i[0]"
    wrong = planted(design("mm_r2", width=WIDTH), old, new, tmp_path)
    assert paths_within_a_cycle(wrong, tmp_path) == {("b_i", "req_ready_o")}
