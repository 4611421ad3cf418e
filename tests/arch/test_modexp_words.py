# SPDX-License-Identifier: Apache-2.0
"""modexp by words: what its user may write and read, aborts and resets. As a form: test_forms."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from montforge.arch import Design, design
from montforge.errors import ParameterError
from planted import Bug, planted_files
from testbench import run_testbench

TESTBENCH = Path(__file__).with_name("modexp_words_tb.sv")
KINDS: tuple[dict[str, object], ...] = (
    {"multiplier": "rmm", "w": 2, "adder": 4},
    {"multiplier": "fcs_mm2", "algorithm": "ladder", "adder": 8},
)


def by_words(**given: object) -> Design:
    return design("modexp", **{"width": 13, "exponent_bits": 9} | given).with_form("native")


def run(chosen: Design, files: Sequence[Path], **environment: str) -> None:
    n, operations = 8191, ((1234, 0b101101101), (8190, 0b110010))
    values = chosen.hardware.parameters | {"N": n, "Length": 9}
    constants = chosen.constants(n)
    values |= {"Constants": constants["constants"], "R1": constants["r1"], "R2": constants["r2"]}
    for prefix, (x, e) in zip(("", "Other"), operations, strict=True):
        values |= {f"{prefix}X": x, f"{prefix}E": e, f"{prefix}Y": pow(x, e, n)}
        values["Latency"] = chosen.cycles(x, e, 9, n)
    run_testbench("modexp_words_tb", [*files, TESTBENCH], values, **environment)


@pytest.mark.parametrize("given", KINDS, ids=lambda given: str(given["multiplier"]))
def test_what_a_user_meets(given: dict[str, object]) -> None:
    chosen = by_words(**given)
    run(chosen, chosen.hardware.files)


FAULTS = {
    "bits above an operand are taken": (
        "fed_top_q ? {Adder{1'b1}} >> (Adder - TopBits) : {Adder{fed_real_q}}",
        "{Adder{fed_real_q}}",
    ),
    "words of e stay": (
        "write_exponent = count_q < CountW'(ExponentWords);",
        "write_exponent = 0;",
    ),
    "x can be read while it runs": ("& {Adder{idle || state_q == StDone}}", ""),
    "a word arrives in a wipe": ("state_q == StFeed && !abort_i;", "state_q == StFeed;"),
    "an abort with the response is lost": (
        "!(state_q == StRun && !chain_rsp_valid)",
        "state_q != StRun",
    ),
    "an abort while the response waits leaves words": ("abort_i || aborted_q;", "abort_i;"),
    "a write above is another one's": ("32'(write_addr_i) < ExponentAt + ExponentWords", "1'b1"),
}


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS)
def test_planted_faults_are_caught(fault: str, tmp_path: Path) -> None:
    chosen = by_words(**KINDS[0])
    bugs = [Bug(name, "mf_modexp_words", *edit) for name, edit in FAULTS.items()]
    files = planted_files(chosen.hardware.files, bugs, tmp_path)
    with pytest.raises(AssertionError, match="modexp_words_tb"):
        run(chosen, files, PLANTED=str(list(FAULTS).index(fault) + 1))


@pytest.mark.parametrize(
    "given",
    ({"adder": 24}, {"constants": "hardware"}, {"chains": 2, "multiplier": "full_pipelined"}),
    ids=str,
)
def test_what_can_not_be_had_is_refused(given: dict[str, object]) -> None:
    with pytest.raises(ParameterError, match=r"native: adder .*chains = 1"):
        by_words(**given)
