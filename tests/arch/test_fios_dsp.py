# SPDX-License-Identifier: Apache-2.0
"""The systolic FIOS multiplier: its schedules, its cycle counts, its blocks, its RTL."""

from __future__ import annotations

import json
import random
from importlib.resources import files
from pathlib import Path

import pytest
from fios_registers import OperationInput, simulate
from make_programs import elements

from montforge.arch import Design, design
from montforge.arch.fios_dsp import LOAD_CYCLES, FiosDsp
from montforge.errors import ParameterError
from montforge.programs.fios.array import Array, fewest_elements
from montforge.programs.fios.microprogram import (
    FAST,
    PUBLISHED,
    UNIT,
    Element,
    Operation,
    microcode,
    program,
)
from montforge.verify import verify
from testbench import run_testbench

WIDTHS = (64, 128, 256, 512, 1024, 2048, 4096)
PAPER = Element(PUBLISHED, 3, 1)


def schedule(chosen: Design) -> Array:
    assert isinstance(chosen, FiosDsp)
    return chosen.schedule


def split(value: int, word_width: int, words: int) -> list[int]:
    return [value >> (word_width * j) & ((1 << word_width) - 1) for j in range(words)]


def run_model(array: Array, word_width: int, seed: int, operations: int = 3) -> None:
    """Run the cycle model on random and largest operands at the interval; check values and time."""
    rng = random.Random(seed)
    unit = array.element.variant == UNIT
    bits = word_width * array.words - 2 - (word_width if unit else 0)
    r = 1 << (word_width * array.words)
    inputs, expected = [], []
    for k in range(operations):
        n = (1 << bits) - 1 if k == 1 else rng.getrandbits(bits) | 1 | 1 << (bits - 1)
        factor = -pow(n, -1, 1 << word_width) % (1 << word_width)
        modulus = n * factor if unit else n
        x, y = (2 * modulus - 1,) * 2 if k == 1 else (rng.randrange(2 * modulus) for _ in "xy")
        stream = (
            split((modulus + 1) >> word_width, word_width, array.words)
            if unit
            else [factor, *split(n, word_width, array.words)]
        )
        words = array.words
        inputs.append(
            OperationInput(split(x, word_width, words), split(y, word_width, words), stream)
        )
        expected.append((x * y + -x * y * pow(modulus, -1, r) % r * modulus) // r)
    got, ends = [0] * operations, [0] * operations
    for word in simulate(array, word_width, inputs):
        got[word.operation] |= word.value << (word_width * word.number)
        ends[word.operation] = word.cycle
    assert got == expected
    assert [end + 1 - k * array.interval for k, end in enumerate(ends)] == (
        [array.core_cycles] * operations
    )


# ---------------------------------------------------------------- schedules


def test_the_published_program_is_algorithm_3() -> None:
    slots = program(PAPER, 8)
    assert [slot.op for slot in slots] == [
        *[Operation.MUL_C] * 3,
        Operation.MUL,
        *[Operation.MUL_C] * 3,
        *[Operation.SHIFT_MUL_C] * 4,
        *[Operation.SHIFT_MUL_C, Operation.ACC_MUL] * 3,
        Operation.SHIFT,
    ]
    assert [slot.b for slot in slots[:7]] == [
        *(("y", j) for j in (0, 1, 2)),
        ("n", 0),
        *(("y", j) for j in (3, 4)),
        ("n", 1),
    ]


@pytest.mark.parametrize("width", WIDTHS)
def test_published_cycles_and_elements(width: int) -> None:
    array = schedule(design("fios_dsp", width=width, variant=PUBLISHED))
    assert array.core_cycles == 11 * array.words - 4
    assert array.count == -(-(2 * array.words + 5) // 9)
    expanded = schedule(design("fios_dsp", width=width, variant=PUBLISHED, array="expanded"))
    assert expanded.core_cycles == array.core_cycles
    assert (expanded.interval, expanded.count) == (2 * array.words + 5, array.words)


def test_figures_of_the_paper() -> None:
    data = json.loads((files("montforge.papers") / "fios_dsp.json").read_text())
    ours = [row for row in data["table2"]["rows"] if row[0] == "FIOS DSP"]
    assert [row[2] for row in ours] == [256, 512, 1024]
    for _, _, width, _, cycles, multipliers, *_ in ours:
        array = schedule(design("fios_dsp", width=width, variant=PUBLISHED))
        assert (array.core_cycles, array.count) == (cycles, multipliers)


def test_figures_of_the_other_variants() -> None:
    def at(width: int, variant: str, **parameters: int) -> tuple[int, int]:
        array = schedule(design("fios_dsp", width=width, variant=variant, **parameters))
        return array.core_cycles, array.count

    assert at(256, FAST) == (171, 4)
    assert at(1024, FAST) == (666, 14)
    assert at(256, UNIT) == (118, 7)
    assert at(256, UNIT, elements=5) == (148, 5)
    assert at(1024, UNIT)[0] == 433
    assert schedule(design("fios_dsp", width=256, variant=FAST)).interval < 144


@pytest.mark.parametrize(
    ("variant", "offsets"),
    ((FAST, (5, 6, 6, 7, 8, 9)), (UNIT, (3, 4, 4, 5, 4, 5))),
)
def test_offsets_are_the_earliest(variant: str, offsets: tuple[int, ...]) -> None:
    assert tuple(microcode(e).offset for e in elements() if e.variant == variant) == offsets


@pytest.mark.parametrize("element", elements(), ids=str)
def test_cycle_model(element: Element) -> None:
    words = element.minimum_words
    fewest = fewest_elements(element, words + 2)
    run_model(Array(element, words, 1), 17, 1)
    run_model(Array(element, words + 2, fewest), 16, 2)
    run_model(Array(element, words + 1, words + 1, expanded=True), 18, 3)


@pytest.mark.slow
@pytest.mark.parametrize("element", elements(), ids=str)
def test_cycle_model_with_any_number_of_words_and_elements(element: Element) -> None:
    for words in (*range(element.minimum_words, element.minimum_words + 7), 16, 17):
        fewest = fewest_elements(element, words)
        for count in {1, 2, 3, fewest, min(fewest + 1, words)}:
            run_model(Array(element, words, count), 17, words)
        run_model(Array(element, words, words, expanded=True), 17, words)


def test_latency_is_the_core_and_the_load() -> None:
    chosen = design("fios_dsp", width=256, variant=PUBLISHED)
    assert chosen.contract.latency.minimum == 172 + LOAD_CYCLES
    turning = design("fios_dsp", width=256, variant=UNIT)
    assert turning.contract.latency.minimum == 118 + LOAD_CYCLES + 2


# ---------------------------------------------------------------- parameters


@pytest.mark.parametrize(
    ("parameters", "message"),
    (
        ({"variant": PUBLISHED, "pipeline": 2}, "pipeline .* 3"),
        ({"mac": "dsp48e2", "word_width": 18}, "word_width .* 17"),
        ({"mac": "ecp5", "word_width": 19}, "nearest legal: 18"),
        ({"array": "expanded", "elements": 3}, "elements .* 0 or 16"),
        ({"elements": 17}, "nearest legal: 16"),
        ({"word_width": 24}, "nearest legal: 23"),
    ),
)
def test_combinations_that_do_not_work_are_refused(
    parameters: dict[str, int | str], message: str
) -> None:
    with pytest.raises(ParameterError, match=message):
        design("fios_dsp", width=256, **parameters)


def test_r_is_above_4n_and_tight() -> None:
    assert design("fios_dsp", width=253).contract.r == 1 << (15 * 17)
    assert design("fios_dsp", width=254).contract.r == 1 << (16 * 17)
    assert next(design("fios_dsp", width=253).corners())


@pytest.mark.parametrize("variant", (FAST, UNIT))
def test_golden_keeps_its_bound(variant: str) -> None:
    chosen = design("fios_dsp", width=253, variant=variant)
    for a, b, n in map(dict.values, chosen.corners()):
        p = chosen.golden(a, b, n)
        assert chosen.contract.result_bound.contains(p, n)
        assert p % n == chosen.contract.residue(a, b, n)
    n = (1 << 253) - 1
    assert {chosen.golden(a, b, n) % n for a, b in ((n, 1), (1, n), (n, n))} == {0}
    assert chosen.golden(0, n, n) == 0


# ---------------------------------------------------------------- multiplier-accumulators


MAC_FILES = {
    "mf_delay_line",
    "mf_full_adder_row",
    "mf_fios_pkg",
    "DSP48E2",
    "mf_dsp48e2",
    "mf_mac_dsp48e2",
    "MULT18X18D",
    "mf_word_multiplier_ecp5",
    "mf_mac_ecp5",
    "mf_mac_generic",
    "mf_mac",
}


@pytest.mark.slow
def test_twins_are_equal() -> None:
    """Words of 17 and 18 bits, all pipelines, with and without C register, 20,000 operations."""
    sources = [path for path in design("fios_dsp").hardware.files if path.stem in MAC_FILES]
    files = [*sources, Path(__file__).parent / "mac_twins_tb.sv"]
    run_testbench("mac_twins_tb", files)


# ---------------------------------------------------------------- RTL


def check(operations: int = 200, **parameters: int | str) -> None:
    report = verify(
        design("fios_dsp", **parameters), operations=operations, chain_length=200, seed=1
    )
    assert report.mismatches == 0


def test_short_operands() -> None:
    check(width=65)


@pytest.mark.slow
@pytest.mark.parametrize("element", elements(), ids=str)
def test_the_fewest_words(element: Element) -> None:
    parts = {"pipeline": element.level, "c_register": element.c_register}
    check(operations=60, width=3, variant=element.variant, **parts)


@pytest.mark.slow
@pytest.mark.parametrize("variant", (PUBLISHED, FAST, UNIT))
@pytest.mark.parametrize("array", ("folded", "expanded"))
def test_variants_and_arrays(variant: str, array: str) -> None:
    check(width=128, variant=variant, array=array)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("mac", "pipeline", "c_register", "variant"),
    [
        *(("generic", p, c, (FAST, UNIT)[(p + c) % 2]) for p in (1, 2, 3) for c in (0, 1)),
        *(("dsp48e2", p, p % 2, (FAST, UNIT)[p % 2]) for p in (1, 2, 3)),
        *(("ecp5", p, 1 - p % 2, (FAST, UNIT)[p % 2]) for p in (1, 2, 3)),
    ],
)
def test_pipelines_and_blocks(mac: str, pipeline: int, c_register: int, variant: str) -> None:
    check(width=96, variant=variant, pipeline=pipeline, c_register=c_register, mac=mac)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("word_width", "variant"),
    [(16, PUBLISHED), (17, UNIT), (18, PUBLISHED), (18, UNIT), (23, PUBLISHED), (23, UNIT)],
)
def test_word_widths(word_width: int, variant: str) -> None:
    check(width=130, variant=variant, word_width=word_width)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("count", "variant"), [(1, FAST), (2, UNIT), (3, FAST), (6, FAST), (6, UNIT)]
)
def test_any_number_of_elements(count: int, variant: str) -> None:
    check(width=128, variant=variant, elements=count)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("width", "variant"),
    [
        *((width, PUBLISHED) for width in (64, 253, 255, 256, 381, 512, 521, 1024)),
        *((width, FAST) for width in (64, 256, 521)),
        *((width, UNIT) for width in (64, 255, 381)),
    ],
)
def test_widths(width: int, variant: str) -> None:
    check(operations=60, width=width, variant=variant)


@pytest.mark.slow
def test_long_operands() -> None:
    """Corners are those of a modulus of each class mod 8: `test_widths` has all, at fewer bits."""
    chosen = design("fios_dsp", width=4096, variant=PUBLISHED)
    for modulus in (2**2048 + 1, 2**4095 + 3, 2**4096 - 3, 2**4096 - 1):
        report = verify(chosen, mode="corners", modulus=modulus, seed=1)
        assert report.mismatches == 0
        assert report.operations > 100
    for mode in ("random", "chain"):
        report = verify(chosen, mode=mode, operations=20, chain_length=20, seed=1)
        assert report.mismatches == 0
