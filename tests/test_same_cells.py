# SPDX-License-Identifier: Apache-2.0
"""scripts/same_cells.py: the same RTL has the same cells, an edited one has others."""

from __future__ import annotations

import runpy
import shutil
from dataclasses import replace
from pathlib import Path

from montforge.arch import design
from montforge.hardware import rtl_root
from planted import edit

SCRIPT = runpy.run_path(str(Path(__file__).parents[1] / "scripts" / "same_cells.py"))


def test_an_edit_of_the_rtl_has_other_cells(tmp_path: Path) -> None:
    chosen = design("mm_r2", width=8).hardware
    for path in chosen.files:
        copy = tmp_path / path.relative_to(rtl_root())
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, copy)
    before = SCRIPT["older"](chosen, tmp_path)
    assert SCRIPT["cells"](before) == SCRIPT["cells"](chosen)
    # Where a module had another file, that is read.
    copy = tmp_path / "elsewhere" / copy.name
    copy.parent.mkdir()
    shutil.move(tmp_path / path.relative_to(rtl_root()), copy)
    before = SCRIPT["older"](chosen, tmp_path)
    assert copy in before.files
    assert SCRIPT["cells"](before) == SCRIPT["cells"](chosen)
    top = next(path for path in before.files if path.stem == before.top)
    edit(top, "count_q + CountW'(1)", "count_q - CountW'(1)")
    assert SCRIPT["cells"](before) != SCRIPT["cells"](chosen)


def test_bits_of_two_vectors_are_those_of_one(tmp_path: Path) -> None:
    clocked = "always_ff @(posedge clk_i)"
    bodies = {
        "one": f"{clocked} q <= a;",
        "two": f"{clocked} q[1:0] <= a[1:0]; {clocked} q[3:2] <= a[3:2];",
        "other": f"{clocked} q[1:0] <= a[1:0]; {clocked} q[3:2] <= ~a[3:2];",
    }
    words, bits = {}, {}
    for name, body in bodies.items():
        path = tmp_path / f"{name}.sv"
        ports = "input clk_i, [3:0] a, output logic [3:0] q"
        path.write_text(f"module top ({ports}); {body} endmodule")
        made = replace(design("mm_r2", width=8).hardware, top="top", files=(path,), parameters={})
        words[name], bits[name] = SCRIPT["cells"](made), SCRIPT["cells"](made, bits=True)
    assert words["one"] != words["two"]
    assert bits["one"] == bits["two"] != bits["other"]
