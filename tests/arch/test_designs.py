# SPDX-License-Identifier: Apache-2.0
"""Each registered core against its models: small, at its smallest width, at undivided widths."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from montforge.arch import cores, design
from montforge.verify import verify

Form = dict[str, int | str]


@dataclass(frozen=True)
class Run:
    """One call of `verify` for architecture ``name`` in ``form``, with ``arguments``."""

    name: str
    form: Form
    arguments: dict[str, object] = field(default_factory=dict)
    slow: bool = True

    def __str__(self) -> str:
        values = (f"{key}={value}" for key, value in (self.form | self.arguments).items())
        return "-".join((self.name, *values))


def quick(name: str, operations: int, **form: int | str) -> Run:
    """Return a run of ``operations`` that is part of the fast tests."""
    return Run(name, form, {"operations": operations, "chain_length": 100}, slow=False)


def every(name: str, **form: int | str) -> Run:
    """Return a run of all operations."""
    return Run(name, form, {"mode": "exhaustive"})


def some(name: str, operations: int = 200, **form: int | str) -> Run:
    """Return a run of ``operations``, the corners and a chain."""
    return Run(name, form, {"operations": operations, "chain_length": 300})


CONVERTERS = ("scs_mm1", "bunimov", "zhengbing")
RADIX2: list[tuple[str, Form]] = [
    ("scs_mm", {}),
    ("scs_mm1", {"converter": 8}),
    ("scs_mm2", {}),
    ("bunimov", {"converter": 8}),
    ("zhengbing", {"converter": 8}),
    ("mscs_mm", {}),
    ("fcs_mm1", {}),
    ("fcs_mm2", {}),
    ("fcs_mmm42", {}),
    ("fcs_mmm42", {"variant": "published"}),
]
SERIAL: list[tuple[str, Form]] = [
    ("eberle", {"reduction": "lazy"}),
    ("eberle", {"reduction": "subtract", "k": 3}),
    ("grossschaedl", {"reduction": "lazy", "digit": 4}),
    ("grossschaedl", {"reduction": "subtract", "digit": 5}),
    ("tenca_koc", {"variant": "closed", "word": 4, "elements": 3}),
    ("tenca_koc", {"variant": "published", "word": 3, "elements": 8, "offset": 1}),
]
FULL_WORD: list[tuple[str, Form]] = [
    ("full_parallel", {}),
    ("full_pipelined", {}),
    ("karatsuba", {"levels": 2}),
    ("mcivor", {"block": 5}),
]
MORE_FULL_WORD: list[tuple[str, Form]] = [
    ("karatsuba", {"levels": 0}),
    ("karatsuba", {"levels": 3}),
    ("mcivor", {"block": 16, "stages": 2}),
    ("mcivor", {"block": 17}),
]

SMALL = [
    quick("bipartite", 300, width=5, digit=3, group=4),
    quick("booth_csa", 500, width=4, radix=8),
    quick("fios_systolic", 300, width=7, word=3),
    quick("orup", 300, width=5, digit=3, group=4),
    quick("three_pass", 300, width=5, issues=2),
    quick("unit_chain", 300, width=5, digit=2, chain=4),
    quick("unit_csa", 300, width=5, digit=3, group=4),
    quick("unit_csa", 300, width=5, digit=3, group=4, overlap=1),
    quick("unit_csa", 300, width=5, digit=3, group=4, delay=3, region=16),
    *(
        quick("unit_dsp", 300, width=5, word=3, **rows)
        for rows in ({}, {"rows": 2}, {"folding": 2}, {"sums": "cascade"})
    ),
    *(quick(name, 500, width=3, **form) for name, form in RADIX2),
    *(quick(name, 1000, width=31, converter=8) for name in CONVERTERS),
    quick("scs_mm_ct", 500, width=3, block=4),
    *(quick("scs_mm_skip", 500, width=3, skips=skips) for skips in (1, 2, 3)),
    *(quick(name, 300, width=13, **form) for name, form in SERIAL),
    # Only where digits fill the width can the running sum have a bit beyond the digits.
    Run("eberle", {"width": 6, "k": 3, "reduction": "subtract"}, {"mode": "exhaustive"}, False),
    *(quick(name, 300, width=17, **form) for name, form in FULL_WORD),
    Run("fixed_prime", {"width": 5, "modulus": 19}, {"mode": "exhaustive"}, False),
    quick("full_pipelined", 300, width=6, levels=2),
    quick("mm_r2", 300, width=3),
    quick("scs_mm_new", 300, width=3),
]

SMALLEST = [
    every("barrett", width=3),
    every("booth_csa", width=3, radix=4),
    every("booth_csa", width=3, radix=8, pipeline=1),
    every("booth_csa", width=3, radix=16, pipeline=1, result="nonnegative"),
    every("booth_csa", width=3, radix=64, result="nonnegative"),
    *(every("fios_systolic", width=3, word=word) for word in (3, 4, 6)),
    every("orup", group=4, width=3, digit=1, delay=0),
    every("orup", group=4, width=3, digit=2, delay=0),
    every("orup", group=4, width=3, digit=1),
    *(every("three_pass", width=3, issues=issues) for issues in (1, 3, 4)),
    Run("unit_chain", {"width": 3, "digit": 2, "chain": 4}, {"mode": "exhaustive", "modulus": 3}),
    every("unit_csa", width=3, group=4, digit=2),
    every("unit_csa", width=3, group=4, digit=3, result="signed"),
    every("unit_csa", width=3, group=4, digit=4, result="nonnegative"),
    Run("unit_dsp", {"width": 3, "word": 3}, {"mode": "exhaustive", "modulus": 3}),
    every("full_pipelined", width=3, levels=1),
    every("full_pipelined", width=4, levels=3, karatsuba=1),
    every("full_pipelined", width=5, levels=16),
    every("fixed_prime", width=3, modulus=7),
    every("fixed_prime", width=5, modulus=31, reduction="fold"),
    every("fixed_prime", width=6, modulus=49, word=4),  # 1 mod 16
    every("fixed_prime", width=6, modulus=47, word=4, levels=1),  # -1 mod 16
    every("fixed_prime", width=5, modulus=27, word=3, karatsuba=1),
    every("fixed_square", width=8, karatsuba=1),
    *(every(name, width=4, **form) for name, form in RADIX2 if not name.startswith("fcs")),
    *(
        Run(name, {"width": 4, **form}, {"mode": "random", "operations": 20_000})
        for name, form in RADIX2
        if name.startswith("fcs")
    ),
    *(every(name, width=width, **form) for name, form in SERIAL for width in (3, 5)),
    *(
        every(name, width=width, **form)
        for name, form in [*FULL_WORD, *MORE_FULL_WORD]
        for width in (3, 6)
    ),
]

UNDIVIDED = [
    *(some("barrett", width=width) for width in (64, 65)),
    some("bipartite", width=65, digit=8),
    some("bipartite", width=67, digit=5, group=7),
    some("bipartite", width=33, digit=24, group=64),
    some("booth_csa", width=65, radix=8),
    some("booth_csa", width=67, radix=4, pipeline=1),
    some("booth_csa", width=67, radix=64, pipeline=1, converter=256),
    some("booth_csa", width=67, radix=64, result="nonnegative", converter=7),
    some("booth_csa", width=521, radix=16),
    some("fios_systolic", width=64, word=16),
    some("fios_systolic", width=65, word=7),
    some("fios_systolic", width=67, word=64),
    some("orup", width=65, digit=8),
    some("orup", width=67, digit=5, delay=2, group=7),
    some("orup", width=33, digit=24, delay=0, group=64),
    some("three_pass", width=64, issues=1),
    some("three_pass", width=65, issues=3),
    some("three_pass", width=67, issues=5, levels=2),
    some("unit_chain", width=65, digit=2, chain=4, adder="ecp5"),
    some("unit_chain", width=67, chain=12),
    some("unit_chain", width=131, adder="ecp5"),
    some("unit_chain", width=521),
    some("unit_chain", width=67, digit=8, chain=40),
    some("unit_chain", width=131, digit=16, chain=80),
    some("unit_csa", width=65, digit=8),
    some("unit_csa", width=67, digit=5, delay=3, group=7),
    some("unit_csa", width=33, digit=24, group=64),
    some("unit_csa", width=65, digit=8, result="signed"),
    some("unit_csa", width=67, digit=5, delay=3, result="nonnegative", group=7),
    some("unit_csa", width=67, digit=5, delay=3, result="signed", group=7, overlap=1),
    some("unit_csa", width=65, digit=8, delay=3, region=32, overlap=1),
    some("unit_csa", width=67, digit=5, delay=3, region=16, result="nonnegative"),
    some("unit_csa", width=33, digit=2, delay=3, region=16),
    some("unit_dsp", width=64, word=18),
    some("unit_dsp", width=65, word=17),
    some("unit_dsp", width=67, multiplier="ecp5"),
    some("unit_dsp", width=67, multiplier="ecp5", rows=2),
    some("unit_dsp", width=67, multiplier="ecp5", folding=2),
    some("unit_dsp", width=67, word=17, multiplier="dsp48e2", sums="cascade"),
    some("fixed_prime", width=65, karatsuba=2),
    some("fixed_prime", width=64, modulus=2**64 - 59, reduction="fold"),
    some("fixed_square", width=65),
    some("eberle", width=65, k=8),
    some("eberle", width=521, k=5, reduction="subtract"),
    some("grossschaedl", width=521, digit=32, reduction="subtract"),
    some("grossschaedl", width=64, digit=64),
    some("tenca_koc", width=65, word=16, elements=1),
    some("tenca_koc", width=256, word=16, elements=8),
    some("tenca_koc", width=521, word=8, elements=40, offset=1),
    some("tenca_koc", width=28, word=2, elements=8),  # a round is as long as the words
    some("tenca_koc", width=62, word=2, elements=12, offset=1),
    some("full_parallel", width=521),
    some("full_pipelined", width=256),
    some("full_pipelined", width=64, levels=3),
    some("full_pipelined", width=65, levels=2, karatsuba=2),
    some("full_pipelined", width=126, levels=3, karatsuba=1),
    some("karatsuba", width=521, levels=2),
    some("mcivor", width=256, block=17),
    *(some(name, 1000, width=width, **form) for name, form in RADIX2 for width in (33, 65, 256)),
    *(some(name, 50, width=1024, **form) for name, form in RADIX2),
    some("scs_mm_ct", 1000, width=13, block=16),  # the highest block has one bit
    some("scs_mm_ct", 1000, width=64, block=16),
    some("scs_mm_ct", 1000, width=65, block=5),
    some("scs_mm_ct", 60, width=521),
    *(
        some("scs_mm_skip", 1000, width=width, skips=skips)
        for skips in (1, 2, 3)
        for width in (8, 65)
    ),
    some("scs_mm_skip", 60, width=521),
]

# Moduli with n mod 4 = 1: published forms with N-hat = 3N + 1 diverge (erratum E1).
CHAINS = [
    Run(
        name,
        {"width": 64, **form},
        {"mode": "chain", "modulus": 2**64 - 3, "operations": 10_000, "chain_length": 10_000},
    )
    for name, form in [*RADIX2[:-1], ("scs_mm_ct", {}), ("scs_mm_skip", {})]
]

RUNS = [*SMALL, *SMALLEST, *UNDIVIDED, *CHAINS]
ELSEWHERE = {
    "fios_dsp": "test_fios_dsp",
    "fmle": "test_fft",
    "fmlm": "test_fft",
    "mlm": "test_fft",
    "mlws": "test_fft",
    "modexp": "test_modexp",
    "rmm": "test_rmm",
}
"""Architectures whose runs are in a file of their own, which has more of them."""


def test_every_core_is_run() -> None:
    assert {run.name for run in RUNS} == set(cores()) - set(ELSEWHERE)


@pytest.mark.parametrize(
    "run",
    [pytest.param(run, marks=pytest.mark.slow if run.slow else (), id=str(run)) for run in RUNS],
)
def test_verifies(run: Run) -> None:
    chosen = design(run.name, **run.form)
    report = verify(chosen, seed=19, **run.arguments)  # type: ignore[arg-type]
    assert report.mismatches == 0, report
