# SPDX-License-Identifier: Apache-2.0
"""The assertions of rtl/props: each one sees a fault, in the bench or in a proof by Yosys.

The planted bugs of ``test_planted_bugs.py`` have further faults of handshakes.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from montforge.arch import Design, design
from montforge.errors import ToolFailedError
from montforge.hardware.hardware import rtl_root
from montforge.hardware.yosys import quote, read_design, run_yosys
from montforge.verify import build_bench, verify
from montforge.verify.bench import ProtocolError, Request
from montforge.verify.properties import contract_properties, property_files
from planted import Bug, edited, planted

SERIAL = design("mm_r2", width=3)
CONSTANT = design("scs_mm_ct", width=5, block=4)
DIGITS = design("eberle", width=7, k=3)
ARRAY = design("fios_dsp", width=9)
BIT_BY_BIT = design("tenca_koc", width=14, word=4, elements=3)
"""In the last round only the first element has a bit of a."""
SHARED = design("rmm", width=12, k=3, m=2)

CHECKED = design("scs_mm_ct", width=8, check=4)
FAULTS: dict[str, tuple[Design, str, str]] = {
    "no_response_without_a_request": (
        SERIAL,
        "StDone:   if (rsp_ready_i) state_d = StIdle",
        "StDone:   if (rsp_ready_i) state_d = a_q[0] ? StIdle : StReduce",
    ),
    "a_response_stays_until_taken": (
        SERIAL,
        "StDone:   if (rsp_ready_i) state_d",
        "StDone:   state_d",
    ),
    "a_waiting_result_is_stable": (
        SERIAL,
        "StDone: if (rsp_ready_i) s_q <= '0;",
        "StDone: s_q <= s_q + (Width+1)'(1);",
    ),
    "each_request_has_a_response": (
        SERIAL,
        "StReduce: state_d = StDone",
        "StReduce: state_d = a_i[0] && b_i[0] ? StDone : StReduce",
    ),
    "at_most_one_line_is_selected": (
        CONSTANT,
        "phase_q[Convert] || phase_q[Done];",
        "phase_q[Convert] || phase_q[Loop] || phase_q[Done];",
    ),
    "one_line_is_selected": (
        CONSTANT,
        "phase_d[Resolve] = phase_q[AddN]",
        "phase_d[Resolve] = (phase_q[AddN] && b_i[0])",
    ),
    "no_word_too_many_is_taken": (
        DIGITS,
        "a_taken_o   = phase_q == StMultiply",
        "a_taken_o   = phase_q == StMultiply || phase_q == StQuotient",
    ),
    "all_words_before_were_taken": (
        DIGITS,
        "n_taken_o   = phase_q == StReduce",
        "n_taken_o   = phase_q == StReduce && !(first_digit && row_q == '0)",
    ),
    "nothing_is_taken_from_an_empty_buffer": (
        ARRAY,
        "rsp_valid_o = waiting_q != '0",
        "rsp_valid_o = under_way_q != '0",
    ),
}
FAULTS["no_error_without_a_fault"] = (CHECKED, "error_q || late", "error_q || req_valid_i || late")
STREAMS = {
    "u_a_props.no_word_too_many_is_taken": (
        "a_taken_o    = last_round_q ? |first[LastElement:0] : |first",
        "a_taken_o    = |first",
    ),
    "u_word_props.all_words_before_were_taken": (
        "if (place_q == RoundW'(Words - 1)) words_left_q",
        "if (place_q == RoundW'(Words - 2)) words_left_q",
    ),
}
"""Faults of mf_tenca_koc, whose words and bits are bound as two streams."""
OUT_OF_RANGE = "a_result_is_within_its_bound"
"""Left out of the bench, which compares results with their bound itself."""
NO_ROOM = "nothing_is_put_into_a_full_buffer"
ILLEGAL = {
    "the_modulus_is_odd_and_at_least_3": (2, 1, 6),
    "an_input_is_within_its_bound": (2, 6, 5),
}
"""Values of a, b and n."""


@pytest.mark.parametrize("name", FAULTS)
def test_a_planted_fault_is_seen(name: str, tmp_path: Path) -> None:
    chosen = FAULTS[name][0]
    bugs = {n: Bug(n, "", old, new) for n, (which, old, new) in FAULTS.items() if which == chosen}
    wrong = planted(chosen, list(bugs.values()), tmp_path)[bugs[name]]
    report = verify(wrong, mode="random", operations=600, seed=1, workers=1)
    problems = [problem for m in report.failures for problem in m.failure.problems]
    assert any(problem.endswith(f".{name}") for problem in problems), problems


@pytest.mark.parametrize("name", STREAMS)
def test_a_fault_of_bit_and_word_streams_is_seen(name: str, tmp_path: Path) -> None:
    operands = BIT_BY_BIT.contract.encode({"a": 3, "b": 4, "n": 5}, {})
    bugs = {name: Bug(name, "", *edit) for name, edit in STREAMS.items()}
    wrong = planted(BIT_BY_BIT, list(bugs.values()), tmp_path)[bugs[name]]
    simulation = build_bench(wrong).run(2 * [Request(operands)])
    assert simulation.assertion.endswith(f".{name}")


def test_a_response_that_an_abort_drops_is_seen(tmp_path: Path) -> None:
    chosen = design("modexp", width=5, exponent_bits=4, multiplier="mm_r2", w=2)
    old, new = "(done_q && !rsp_ready_i) ||", "(done_q && !rsp_ready_i && !abort_i) ||"
    wrong = edited(chosen, old, new, tmp_path)
    report = verify(wrong, mode="random", operations=200, seed=1, workers=1)
    problems = {problem for m in report.failures for problem in m.failure.problems}
    assert (
        f"the assertion is {chosen.hardware.top}.u_handshake_props.a_response_stays_until_taken"
        in (problems)
    )


def test_two_selected_digits_are_seen(tmp_path: Path) -> None:
    """A line of rmm's first digit is selected in the steps of other digits, too."""
    old, new = "same(digit[0], 1'(line % K))", "(same(digit[0], 1'(line % K)) | bits[4])"
    operands = SHARED.contract.encode({"a": 3, "b": 4, "n": 5}, SHARED.constants(5))
    simulation = build_bench(edited(SHARED, old, new, tmp_path)).run(2 * [Request(operands)])
    assert simulation.assertion.endswith("u_select_props.at_most_one_line_is_selected")


@pytest.mark.parametrize("name", ILLEGAL)
def test_illegal_inputs_are_seen(name: str) -> None:
    simulation = build_bench(SERIAL).run([Request((1, 2, 5)), Request(ILLEGAL[name])])
    assert [response.errors for response in simulation.responses] == [0, ProtocolError.PROPERTY]
    assert simulation.assertion.rpartition(".")[2] == name


def test_results_without_room_are_seen(tmp_path: Path) -> None:
    old, new = "under_way_d != CountW'(Results)", "1'b1"
    operands = ARRAY.contract.encode({"a": 3, "b": 4, "n": 5}, ARRAY.constants(5))
    requests = [Request(operands, stall=2000), *(6 * [Request(operands)])]
    simulation = build_bench(edited(ARRAY, old, new, tmp_path)).run(requests)
    assert simulation.assertion.rpartition(".")[2] == NO_ROOM


def test_each_assertion_has_a_fault() -> None:
    texts = [path.read_text() for path in (rtl_root() / "props").glob("*.sv")]
    labels = {label for text in texts for label in re.findall(r"(\w+) :\s+ass(?:ert|ume)", text)}
    assert labels == FAULTS.keys() | ILLEGAL.keys() | {OUT_OF_RANGE, NO_ROOM}


def prove(chosen: Design, folder: Path, steps: int) -> None:
    """Prove the assertions for so many cycles from reset. Raises ToolFailedError if one fails."""
    text = folder / "contract_properties.sv"
    text.write_text(contract_properties(chosen))
    files = " ".join(quote(path) for path in (*property_files(chosen), text))
    inputs = " ".join(f"-set-at {step} rst_ni 1" for step in range(2, steps + 1))
    run_yosys(
        f"{read_design(chosen.hardware)} {files}\n"
        "proc; flatten; opt; async2sync; chformal -lower; opt_clean\n"
        "select -assert-min 5 t:$assert\n"
        f"sat -verify -prove-asserts -set-assumes -seq {steps} -set-at 1 rst_ni 0 {inputs}\n",
        log=folder / "log",
        timeout=300,
    )


def test_a_formal_tool_takes_the_properties(tmp_path: Path) -> None:
    chosen = design("mm_r2", width=4)
    prove(chosen, tmp_path, steps=10)
    reduction = "borrow     = difference[Width+1];"
    for old, new in (FAULTS["a_response_stays_until_taken"][1:], (reduction, "borrow     = 1'b1;")):
        with pytest.raises(ToolFailedError, match="proof did fail"):
            prove(edited(chosen, old, new, tmp_path), tmp_path, steps=10)
