# SPDX-License-Identifier: Apache-2.0
"""Designs whose contracts are proved with other lemmas than those of the usual parameters."""

from __future__ import annotations

import pytest

AGAIN: list[tuple[str, dict[str, int | str]]] = [
    ("booth_csa", {"radix": 64, "result": "nonnegative", "converter": 11}),
    ("booth_csa", {"radix": 64, "pipeline": 1, "result": "nonnegative", "converter": 11}),
    ("unit_csa", {"digit": 5, "group": 11}),
    ("unit_csa", {"group": 64}),
    ("unit_csa", {"digit": 2, "delay": 3}),
    ("unit_csa", {"digit": 4, "delay": 3, "region": 16, "result": "nonnegative"}),
    ("orup", {"delay": 2, "digit": 2, "group": 11}),
    ("bipartite", {"digit": 3}),
    ("eberle", {"k": 7}),
    ("tenca_koc", {"offset": 1}),
    ("tenca_koc", {"offset": 1, "word": 7, "elements": 3, "variant": "published"}),
    ("three_pass", {"issues": 5}),
    ("fios_dsp", {"mac": "ecp5", "word_width": 18}),
    ("fios_dsp", {"mac": "dsp48e2"}),
    ("unit_dsp", {"multiplier": "ecp5"}),
    ("unit_dsp", {"word": 17, "multiplier": "dsp48e2"}),
]
"""Architecture and parameters, whose theorem is that of a form among the others."""
OTHERS: list[tuple[str, dict[str, int | str]]] = [
    ("booth_csa", {"radix": 16, "result": "nonnegative"}),
    ("booth_csa", {"pipeline": 1}),
    ("booth_csa", {"radix": 8, "pipeline": 1, "result": "nonnegative"}),
    ("unit_csa", {"digit": 2}),
    ("unit_csa", {"overlap": 1}),
    ("unit_csa", {"overlap": 1, "result": "signed", "digit": 5, "delay": 3}),
    ("unit_csa", {"delay": 3, "region": 16}),
    ("unit_csa", {"result": "signed"}),
    ("unit_csa", {"result": "nonnegative", "digit": 4, "delay": 3, "group": 16}),
    ("orup", {"delay": 0, "digit": 1}),
    ("scs_mm_skip", {"skips": 3}),
    ("fixed_prime", {"word": 16, "levels": 2}),
    ("fixed_prime", {"word": 2, "levels": 8}),
    ("fixed_square", {"word": 2, "levels": 8}),
    ("eberle", {"k": 2}),
    ("mlm", {"digit": 1}),
    ("mlws", {"digit": 13}),
    ("fcs_mmm42", {"variant": "published"}),
    ("fios_systolic", {"word": 5}),
    ("scs_mm_new", {"variant": "published"}),
    ("tenca_koc", {"elements": 1, "word": 13}),
    ("three_pass", {"issues": 1}),
    ("unit_chain", {"digit": 2}),
    *AGAIN,
]
"""Architecture and parameters."""
FOR_COQ = [
    pytest.param(*form, marks=[pytest.mark.again] if form in AGAIN else []) for form in OTHERS
]
"""The same, where Coq checks them: `make prove` checks a theorem with further parameters, too."""
