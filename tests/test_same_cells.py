# SPDX-License-Identifier: Apache-2.0
"""scripts/same_cells.py: the same RTL has the same cells, an edited one has others."""

from __future__ import annotations

import runpy
import shutil
from pathlib import Path

from montforge.arch import design
from montforge.hardware import rtl_root

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
    text, old = top.read_text(), "count_q + CountW'(1)"
    assert text.count(old) == 1
    top.write_text(text.replace(old, "count_q - CountW'(1)"))
    assert SCRIPT["cells"](before) != SCRIPT["cells"](chosen)
