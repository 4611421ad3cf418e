# SPDX-License-Identifier: Apache-2.0
"""Planted bugs: one-line edits of the engine's RTL that a short run must tell from the model."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from montforge.rsa.bench import EngineBench, Patched, build
from montforge.rsa.engine import Engine
from montforge.rsa.keys import make_key, wrong_keys
from montforge.rsa.model import Error, Model

from .bench_words import bench_words

SIGNED, UNSIGNED = "booth_csa", "scs_mm_ct"
# n of 33 bits: p and q have 17, and one bit less in the second key.
ENGINE = Engine(bits=33, window=2, min_bits=16)


@dataclass(frozen=True)
class Bug:
    """``text`` in ``module`` becomes ``instead``, in an engine over ``core``."""

    name: str
    module: str
    text: str
    instead: str
    core: str = SIGNED


PROGRAM, HALF, SEQUENCER, WORDS = (
    f"mf_rsa_{name}" for name in ("program", "half", "sequencer", "words")
)
BUGS = [
    Bug("digits lowest first", HALF, "{digit_q[DigitW-2:0], e_word_q[select_q] && !above_q}",
        "{e_word_q[select_q] && !above_q, digit_q[DigitW-1:1]}"),
    Bug("entries are squares", HALF, "square = state_q == StSquare ||",
        "square = state_q == StEntry || state_q == StSquare ||"),
    Bug("scan not cleared", HALF, "b_s_q <= (clear_q ? '0 : b_s_q)", "b_s_q <= b_s_q"),
    Bug("carries not in the table", HALF, "carry      = product_c[CarryT-1:0];", "carry = '0;"),
    Bug("R^2 for R", PROGRAM, "go(GoWindow, half(WorkX), half(SlotR1)));     // window",
        "go(GoWindow, half(WorkX), half(SlotR2)));"),
    Bug("doublings from the width", SEQUENCER, "times = r_value - l_bits;",
        "times = r_value - 16'((Bits + 1) / 2);"),
    Bug("split at the width", SEQUENCER, "AmountL:    amount_o = l_bits;",
        "AmountL:    amount_o = 16'((Bits + 1) / 2);"),
    Bug("sum of the parts not reduced", PROGRAM, "5'd9: enter = reduce(half(WorkX));",
        "5'd9: enter = copy(half(WorkX), half(WorkX));"),
    Bug("difference without p", PROGRAM, "words(WordSelect, of_p(WorkB), of_p(WorkA), of_p(WorkB))",
        "words(WordSelect, of_p(WorkB), of_p(WorkB), of_p(WorkB))", UNSIGNED),
    Bug("m2 not reduced", PROGRAM, "5'd2: garner = reduce(of_p(WorkA));",
        "5'd2: garner = copy(of_p(WorkA), of_p(WorkA));", UNSIGNED),
    Bug("half of a pair renewed", PROGRAM, "5'd9: one_half = put(half(SlotVf));",
        "5'd9: one_half = put(half(WorkH));"),
    Bug("an idle source taken", WORDS, "random_take    = random_ready_o && random_valid_i;",
        "random_take    = random_ready_o;"),
    Bug("check compares c with c", PROGRAM, "half(WorkM), half(WorkM), half(WorkX)),",
        "half(WorkM), half(WorkX), half(WorkX)),"),
    Bug("c = n accepted", SEQUENCER, "IfLess:     holds = borrow_i;",
        "IfLess:     holds = borrow_i || !nonzero_i;"),
    Bug("length not checked", SEQUENCER, "IfLength:   holds = length_ok;",
        "IfLength:   holds = 1'b1;"),
    Bug("qInv not checked", PROGRAM, "IfEqual, ErrQInv);", "IfAny, ErrQInv);"),
]  # fmt: skip


def differs(program: Path, engine: Engine) -> bool:
    """Return whether a short run of the RTL is not what the model says."""
    words = bench_words(5)
    model = Model(33, engine.multiplier.contract.r, lambda: next(words), min_bits=16)
    rng = random.Random(1)
    with EngineBench(program, 33, seed=5) as bench:
        for bits in (33, 31):
            key = make_key(bits, rng)
            if bench.load(key).error or model.load(key, bits):
                return True
            for c in (0, 1, key.n - 1, *(rng.randrange(key.n) for _ in range(8)), key.n):
                answer, y = bench.private(c)
                expected = model.private(c)
                if (answer.error, y) != (expected.error, expected.y):
                    return True
        bench.ask("random_off")
        answer = bench.private(2)[0]
        if answer.error != Error.RANDOM or answer.operation < 1 << 16:
            return True
        bench.ask("random", 1)
        short = make_key(15, rng, 3)
        for wrong, n_bits, error in [*wrong_keys(key), (short, 15, Error.LENGTH)]:
            if max(wrong.dp, wrong.dq, wrong.qinv) >> 32:
                continue
            if bench.load(wrong, n_bits=n_bits).error != error:
                return True
    return False


def test_the_run_passes_without_a_bug() -> None:
    for core in (SIGNED, UNSIGNED):
        engine = replace(ENGINE, core=core)
        assert not differs(build(engine, optimised=False), engine)


@pytest.mark.slow
@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.name)
def test_planted_bugs_are_caught(bug: Bug, tmp_path: Path) -> None:
    engine, files = replace(ENGINE, core=bug.core), []
    for path in engine.rtl_files:
        if path.stem == bug.module:
            text = path.read_text()
            assert bug.text in text
            path = tmp_path / path.name
            path.write_text(text.replace(bug.text, bug.instead))
        files.append(path)
    assert differs(build(Patched(engine, tuple(files)), optimised=False), engine)
