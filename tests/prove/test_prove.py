# SPDX-License-Identifier: Apache-2.0
"""Verdicts on designs: as the contracts say, and refuted for each planted fault."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

import montforge.prove.coq
from montforge.arch import Core, core, cores, variants
from montforge.cli.app import app
from montforge.errors import ParameterError, UnknownNameError
from montforge.hardware import Hardware, stateless_modules
from montforge.prove import STATELESS, prove, trusted_models
from montforge.prove.coq import close, proofs_root, theorem_text
from montforge.prove.flow import Flow
from montforge.prove.lemmas import PROOFS, lemmas_of, missing_parts, scs_mm_ct, sizes
from montforge.prove.lemmas.mm_r2 import LEMMAS
from montforge.prove.netlist import WITH_UNUSED, read_netlist
from montforge.prove.solver import prove_lemmas
from montforge.prove.statement import Lemma, W, coq_text, every, following, net, part, size
from montforge.prove.structure import enables
from montforge.prove.verdict import Check, ProofError
from planted import edited
from proved_forms import FOR_COQ, OTHERS

needs_coq = pytest.mark.skipif(shutil.which("coqc") is None, reason="Coq is not installed")
STRUCTURE = ("timing", "enables")
DATA_DEPENDENT = {"fcs_mmm42", "mlm", "mscs_mm", "scs_mm2", "scs_mm_new", "scs_mm_skip"}
OPEN_ENABLES = {"mlws", "modexp", "fmle"}
"""Of fixed latency, but an enable of a register hangs on the operands."""


@pytest.mark.parametrize("name", cores())
def test_the_structure_says_what_the_contract_does(name: str) -> None:
    chosen = core(name, width=64)
    found = {check.name: check.verdict for check in prove(chosen, checks=STRUCTURE).checks}
    assert found["timing"] == ("refuted" if name in DATA_DEPENDENT else "proved")
    assert chosen.contract.constant_time == (name not in DATA_DEPENDENT)
    is_open = name in DATA_DEPENDENT | OPEN_ENABLES
    assert found["enables"] == ("refuted" if is_open else "proved")


def test_the_methods_of_exponentiation_differ_in_time() -> None:
    found: dict[object, set[str]] = {}
    for chosen in variants("modexp", width=16):
        assert isinstance(chosen, Core)
        (check,) = prove(chosen, checks=["timing"], secret=["e"]).checks
        found.setdefault(chosen.parameters["algorithm"], set()).add(check.verdict)
    slow = {"l2r", "sliding"}
    assert slow < set(found)
    assert found == {name: {"refuted" if name in slow else "proved"} for name in found}


def test_a_fact_that_is_let_out_is_named() -> None:
    (check,) = prove(core("modexp", width=16), checks=["timing"]).checks
    assert check.assumptions == (
        "whether the operands of a request are legal",
        "which of their rules is broken, if any",
    )


def test_the_path_of_a_refusal_is_named() -> None:
    (check,) = prove(core("scs_mm_new", width=16), checks=["timing"], secret=["a"]).checks
    assert (check.path[0], check.path[-1]) == ("a_i[0]", "req_ready_o")
    assert "skip_d" in check.path


def mm_r2(edit: tuple[str, str] | None, folder: Path, width: int = 16) -> Hardware:
    chosen = core("mm_r2", width=width)
    return edited(chosen, *edit, folder).hardware if edit else chosen.hardware


def structure(hardware: Hardware) -> dict[str, str]:
    found = prove(core("mm_r2", width=16), checks=STRUCTURE, timeout=60, hardware=hardware)
    return {check.name: check.verdict for check in found.checks}


ENABLE = (
    """s_q <= (s_q & {(Width + 1){borrow}}) |
                       (difference[Width:0] & {(Width + 1){!borrow}});""",
    "if (!borrow) s_q <= difference[Width:0];",
)
LEAKS = {
    "early exit": ("last_iteration = count_q", "last_iteration = a_q == '0 || count_q"),
    "ready": ("req_ready_o = state_q == StIdle", "req_ready_o = state_q == StIdle && !b_q[0]"),
    "valid": ("rsp_valid_o = state_q == StDone", "rsp_valid_o = state_q == StDone && !n_q[1]"),
}  # fmt: skip


def test_an_enable_is_seen_and_its_absence_too(tmp_path: Path) -> None:
    assert structure(mm_r2(None, tmp_path)) == {"timing": "proved", "enables": "proved"}
    assert structure(mm_r2(ENABLE, tmp_path)) == {"timing": "proved", "enables": "refuted"}


@pytest.mark.parametrize("leak", ["early exit", "ready", "valid"])
def test_a_planted_leak_is_refuted(leak: str, tmp_path: Path) -> None:
    assert structure(mm_r2(LEAKS[leak], tmp_path))["timing"] == "refuted"


GATES = """
module gates (input logic a_i, output logic b_o);
  always_comb b_o = ~a_i;
endmodule
"""
STATES = {
    "clock": "always_ff @(posedge clk_i) b_o <= a_i;",
    "edge": "always @(posedge a_i) b_o = ~b_o;",
    "latch": "always_latch if (a_i) b_o = a_i;",
    "instance": "register u_register (.*, .clk_i(c));",
}


@pytest.mark.parametrize("state", ["", *STATES])
def test_a_module_that_may_hold_a_state_is_not_closed(state: str, tmp_path: Path) -> None:
    body = STATES.get(state, "assign b_o = a_i; /* no clk_i */")
    text = f"module top (input a_i, output b_o); endmodule module other (); {body} endmodule"
    (tmp_path / "top.sv").write_text(text)
    (tmp_path / "gates.sv").write_text(GATES)
    hardware = Hardware("top", "top", (tmp_path / "gates.sv", tmp_path / "top.sv"))
    assert stateless_modules(hardware) == (("gates",) if state else ("gates", "other"))


def test_a_leak_through_gates_that_are_not_read_is_refuted(tmp_path: Path) -> None:
    chosen = core("booth_csa", width=16)
    (check,) = prove(chosen, checks=["timing"]).checks
    assert (check.verdict, STATELESS in check.grounds) == ("proved", True)
    old = "assign rsp_valid_o = phase_q == StDone;"
    leaky = edited(chosen, old, f"{old[:-1]} && !(^d);", tmp_path).hardware
    (check,) = prove(chosen, checks=["timing"], hardware=leaky).checks
    assert (check.verdict, check.path[-1]) == ("refuted", "rsp_valid_o")
    assert STATELESS not in check.grounds


MEMORY = """
module secret_address (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic [3:0] a_i,
  input  logic [7:0] word_i,
  output logic [7:0] word_o
);
  logic [7:0] words_q[16];
  logic [3:0] count_q, at_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) count_q <= '0;
    else count_q <= count_q + 4'd1;
  end
  always_ff @(posedge clk_i) begin
    at_q           <= PLACE;
    words_q[WRITE] <= word_i ^ {2{a_i}};
    word_o         <= words_q[at_q];
  end
endmodule
"""


@pytest.mark.parametrize(
    ("place", "write", "said"),
    [
        ("count_q", "count_q", ""),
        ("a_i", "count_q", "read address"),
        ("count_q", "at_q ^ a_i", "write address"),
    ],
)
def test_a_memory_with_a_secret_address_is_refuted(
    place: str, write: str, said: str, tmp_path: Path
) -> None:
    source = tmp_path / "secret_address.sv"
    source.write_text(MEMORY.replace("PLACE", place).replace("WRITE", write))
    hardware = replace(
        core("mm_r2", width=16).hardware, top="secret_address", files=(source,), parameters={}
    )
    netlist = read_netlist(hardware, timeout=60)
    assert any(cell.type == "$mem_v2" for cell in netlist.cells)
    found = enables(netlist, Flow(netlist, netlist.inputs["a_i"]))
    assert found.verdict == ("refuted" if said else "proved")
    assert not said or f"{said} of the memory" in found.message


def verdicts(chosen: Core, hardware: Hardware, lemmas: Sequence[Lemma]) -> list[Check]:
    netlist = read_netlist(hardware, timeout=60)
    models = bool(netlist.blocks)
    if models:
        netlist = read_netlist(hardware, timeout=60, models=True)
    return prove_lemmas(
        netlist,
        sizes(chosen),
        lemmas,
        timeout=60,
        with_unused=lambda: read_netlist(hardware, timeout=60, prepare=WITH_UNUSED, models=models),
    )


LATE_RESPONSE = (
    "assign rsp_valid_o = valid_q[4];",
    "logic late_q; always_ff @(posedge clk_i) late_q <= valid_q[4]; assign rsp_valid_o = late_q;",
)
"""A response comes one cycle too late."""
FAULTS = [
    ("mm_r2", "step", "s_q <= sum[Width+1:1]", "s_q <= {1'b0, sum[Width+1:2]}"),
    ("mm_r2", "step", "= s_q[0] ^ (a_q[0] & b_q[0])", "= s_q[0]"),
    ("mm_r2", "count_up", "CountW'(Width - 1)", "CountW'(Width - 2)"),
    ("mm_r2", "count_end", "CountW'(Width - 1)", "CountW'(0)"),
    ("mm_r2", "reduce", "= difference[Width+1];", "= !difference[Width+1];"),
    ("mm_r2", "hold", "StDone:   if (rsp_ready_i) state_d", "StDone:   state_d"),
    ("mm_r2", "accept", "StIdle:   if (req_valid_i) state_d", "StIdle:   if (a_i[0]) state_d"),
    ("mm_r2", "answer", "p_o         = s_q[Width-1:0]", "p_o         = {s_q[Width-1:1], 1'b0}"),
    ("mm_r2", "ready", "rsp_valid_o = state_q == StDone", "rsp_valid_o = state_q >= StReduce"),
    ("scs_mm", "row1", "b_i & {Width{a_i}}", "b_i & {Width{!a_i}}"),
    ("scs_mm", "row2", "quotient_digit = sum1[0]", "quotient_digit = !sum1[0]"),
    ("scs_mm", "step", "a_q <= a_q >> 1", "a_q <= a_q >> 2"),
    ("scs_mm", "selects", "<= phase_d == StLoop", "<= phase_q == StLoop"),
    ("scs_mm", "selects_at_reset", "select_loop_q <= 1'b0", "select_loop_q <= 1'b1"),
    ("scs_mm", "clear", "{StateW{select_loop_q}} & carry", "carry"),
    ("scs_mm", "add", "ss_q + sc_q", "ss_q | sc_q"),
    ("scs_mm", "accept", "CountW'(Iterations - 1)", "CountW'(Iterations)"),
    ("scs_mm1", "word_added", ".y_i          (sc_q[WordW-1:0])", ".y_i          (ss_q[WordW-1:0])"),
    ("scs_mm1", "no_carry", ".start_i      (!select_convert_q)", ".start_i      (1'b0)"),
    ("scs_mm1", "convert", "{word, ss_q} >> WordW", "{word, ss_q} >> (WordW - 1)"),
    ("scs_mm1", "next_phase", "CountW'(Words - 1)", "CountW'(Words)"),
    ("scs_mm1", "hold", "({ss_q, ss_shifted,", "({ss_shifted, ss_shifted,"),
    ("scs_mm2", "selects", "(phase_q == StLoop) && (phase_d == StLoop)", "phase_d == StLoop"),
    ("scs_mm2", "inputs", "{sc_q, 1'b0, ss_q, 1'b0}", "{sc_q, 1'b0, sc_q, 1'b0}"),
    ("scs_mm2", "half_adders1", "b_i & {Width{a_i}}", "b_i & {Width{!a_i}}"),
    ("scs_mm2", "half_adders2", "quotient_digit = sum1[0]", "quotient_digit = !sum1[0]"),
    ("scs_mm2", "halve", "ss_q <= sum[AdderW-1:1]", "ss_q <= sum[AdderW-2:0]"),
    ("scs_mm2", "converts", "if (carry_is_zero) phase_d", "if (!carry_is_zero) phase_d"),
    ("mscs_mm", "selects", "enters_loop && a_q[0] && !b_q[0]", "enters_loop && !b_q[0]"),
    ("mscs_mm", "inputs", "AdderW'(ss_q >> 1)", "AdderW'(d_q >> 1)"),
    ("mscs_mm", "multiple", "q_i ? d_i : b_i", "q_i ? b_i : d_i"),
    ("mscs_mm", "half_adders", "carry   = (s_i & c_i) |", "carry   = (s_i | c_i) |"),
    ("mscs_mm", "first_digits", "(b_q[0] ? ss_q[1] : b_q[1])", "(b_q[0] ? ss_q[0] : b_q[1])"),
    ("mscs_mm", "next_digits", "sum[1] ^ carry[1]", "sum[1]"),
    ("mscs_mm", "resolving", "StResolve: if (carry_is_zero)", "StResolve: if (!carry_is_zero)"),
    ("grossschaedl", "quotient", "c_q[0] ^ (a_q[0] & b_q[0])", "c_q[0] ^ a_q[0]"),
    ("grossschaedl", "row2", ".x_i    (q_times_n)", ".x_i    (q_times_n | a_times_b)"),
    ("grossschaedl", "step", "s_q <= sum2[StateW:1]", "s_q <= sum2[StateW-1:0]"),
    ("grossschaedl", "digit_added", "(Digit + 1)'(carry_q)", "(Digit + 1)'(!carry_q)"),
    ("grossschaedl", "convert", "carry_q  <= sum_digit[Digit]", "carry_q  <= sum_digit[0]"),
    ("grossschaedl", "digits_count", "CountW'(Digits - 1)", "CountW'(Digits)"),
    ("full_parallel", "product", "t          = a_q * b_q", "t          = a_q * (b_q | a_q)"),
    ("full_parallel", "quotient", "t[Width-1:0] * n_prime_q", "b_q * n_prime_q"),
    ("full_parallel", "multiple", "u          = q * n_q", "u          = q * n_prime_q"),
    ("full_parallel", "halves_added", "(Width + 1)'(|t[Width-1:0])", "(Width + 1)'(t[0])"),
    ("full_parallel", "reduce", "difference[Width+1] ? sum", "!difference[Width+1] ? sum"),
    ("full_pipelined", "product", "<= a_q * b_q", "<= a_q * a_q"),
    ("full_pipelined", "quotient", "* n_prime_q[1]", "* n_prime_q[0]"),
    ("full_pipelined", "multiple", "u          = q_q * n_q[2]", "u          = q_q * n_q[1]"),
    ("full_pipelined", "halves_added", "low_not_zero_q[3])", "low_not_zero_q[2])"),
    ("full_pipelined", "reduce", "- {2'b00, n_q[3]}", "- {2'b00, n_q[2]}"),
    ("full_pipelined", "accept", "n_q            <= {n_q[2:0], n_i}", "n_q <= {n_q[2:0], n_q[0]}"),
    ("full_pipelined", "handshake", "!valid_q[4] || rsp_ready_i", "1'b1"),
    ("full_pipelined", "handshake", "req_ready_o = advance", "req_ready_o = rsp_ready_i"),
    ("full_pipelined", "enters", "{valid_q[3:0], req_valid_i}", "{valid_q[3:0], a_i[0]}"),
    ("full_pipelined", "handshake", *LATE_RESPONSE),
    ("full_pipelined", "moves", "{valid_q[3:0], req", "{valid_q[3:2], 1'b0, valid_q[0], req"),
    ("full_pipelined", "stays", "else if (advance) valid_q <=", "else valid_q <="),
    ("full_pipelined", "hold", "if (advance) begin", "if (advance || !rsp_ready_i) begin"),
    ("barrett", "handshake", "!valid_q[3] || rsp_ready_i", "1'b1"),
    ("barrett", "stays", "else if (advance) valid_q <=", "else valid_q <="),
    ("barrett", "accept", "{mu_q[0], mu_i}", "{mu_q[0], mu_q[0]}"),
    ("barrett", "t_rows", "1'b0, terms_i[r-1].negative}) <<", "2'b00}) <<"),
    ("barrett", "t_rows", "Rows - 2 && Width % 2 == 0", "Rows - 2 && Width % 2 == 1"),
    ("barrett", "t_tree", "(rows[First+1])", "(rows[First])"),
    ("barrett", "t_added", "& Mask & (generates[level-1] << Span)", "& Mask"),
    ("barrett", "q_rows", "t_q[Width-3+:FactorW]", "t_q[Width-4+:FactorW]"),
    ("barrett", "q_rows", "{2'b01, ~negative}, bits}", "{2'b00, ~negative}, bits}"),
    ("barrett", "quotient", "q[Point-Cut+:OperandW]", "q[Point-Cut-1+:OperandW]"),
    ("barrett", "quotient", "{n_q[1:0], n_i}", "{n_q[0], n_q[0], n_i}"),
    ("barrett", "p_rows", ".x_i({1'b0, n_q[2]})", ".x_i({1'b0, n_q[1]})"),
    ("barrett", "p_tree", "addend_i(~t_low_q)", "addend_i(t_low_q)"),
    ("barrett", "difference", "<= ~difference", "<= difference"),
    ("barrett", "hold", "if (advance) begin", "if (advance || !rsp_ready_i) begin"),
    ("karatsuba", "ready", "req_ready_o = phase_q == StIdle", "req_ready_o = 1'b1"),
    ("karatsuba", "accept", "n_prime_q <= n_prime_i", "n_prime_q <= n_i"),
    ("karatsuba", "keep", "if (phase_q == StIdle) begin", "if (phase_q != StDone) begin"),
    ("karatsuba", "runs", "CountW'(MultiplierLatency - 1)", "CountW'(MultiplierLatency - 2)"),
    ("karatsuba", "adds", "StSubtract: phase_d = StDone", "StSubtract: phase_d = StAdd"),
    ("karatsuba", "operands", "[Width-1:0], n_q}", "[Width-1:0], n_prime_q}"),
    ("karatsuba", "halves", "|product_i[Width-1:0]", "product_i[0]"),
    ("karatsuba", "added", "(Width + 1)'(low_not_zero_q)", "(Width + 1)'(!low_not_zero_q)"),
    ("karatsuba", "reduced", "difference[Width+1] ? sum_q", "!difference[Width+1] ? sum_q"),
    ("karatsuba", "hold", "if (rsp_ready_i) phase_d = StIdle", "phase_d = StIdle"),
    ("karatsuba", "halves_of", "(Low + 1)'(y_i[Width-1:Low])", "(Low + 1)'(x_i[Width-1:Low])"),
    ("karatsuba", "halves_of_middle", "(p1) - {2'b00, p0}", "(p1)"),
    ("karatsuba", "halves_of_high", "(middle) << Low", "(middle) << (Low - 1)"),
    ("karatsuba", "leaves_of_low", "<= x_i * y_i", "<= x_i * x_i"),
    ("zhengbing", "multiple", "q_i ? d_i : b_i", "q_i ? b_i : d_i"),
    ("zhengbing", "quotient", "sc_q[0] ^ (a_q[0] & b_q[0])", "sc_q[0] ^ a_q[0]"),
    ("zhengbing", "row", "(s_i & c_i) | ((s_i ^ c_i) & x_i)", "(s_i & c_i) | (s_i & x_i)"),
    ("zhengbing", "words_move", "({word, d_q} >> WordW)", "({~word, d_q} >> WordW)"),
    ("zhengbing", "keep", "end else if (phase_q == StLoop) begin", "end else begin"),
    ("zhengbing", "next_phase", "(phase_q == StPrecompute) ? Count", "(phase_q == StLoop) ? Count"),
    ("zhengbing", "answer", "= d_q[OperandW-1:0]", "= {1'b0, d_q[OperandW-2:0]}"),
    ("bunimov", "top", "StSubtract: top_word = low_word", "StSubtract: top_word = word"),
    ("bunimov", "word_added", "subtracts ? ~WordW'(n_q)", "subtracts ? WordW'(n_q)"),
    ("bunimov", "carry_on", "(phase_q == StConvert && last_cycle)", "(phase_q == StConvert)"),
    ("bunimov", "carry_in", ".start_carry_i(phase_q == StConvert)", ".start_carry_i(1'b0)"),
    ("bunimov", "subtract", "no_borrow_q <= carry_out", "no_borrow_q <= !carry_out"),
    ("bunimov", "answer", "no_borrow_q ? d_q", "!no_borrow_q ? d_q"),
    ("eberle", "ready", "phase_q == StRun && p_valid;\n    assign p_o", "p_valid;\n    assign p_o"),
    ("eberle", "quiet_on", "(req_valid_i && phase_q == StIdle)", "(req_valid_i)"),
    ("eberle", "accept", "(req_valid_i) phase_d = StRun", "(a_i[0]) phase_d = StRun"),
    ("eberle", "runs", "else if (rsp_valid_o && rsp_ready_i)", "else if (rsp_ready_i)"),
    ("eberle", "count", "digit_q + CountW'(1) :", "digit_q + CountW'(2) :"),
    ("eberle", "next_phase", "StQuotient: phase_d", "StQuotient: if (carry_q == '0) phase_d"),
    ("eberle", "next_row", "row_q == CountW'(K - 1)", "row_q == CountW'(K - 2)"),
    ("eberle", "added", "x * y + (2 * DigitBits)'(addend)", "x * y | (2 * DigitBits)'(addend)"),
    ("eberle", "carried", "(phase_q == StReduce ? high_q", "(phase_q == StMultiply ? high_q"),
    ("eberle", "factors", "y      = n0_prime_i", "y      = b_digit_i"),
    ("eberle", "factors", "if (!first_digit) addend =", "addend ="),
    ("eberle", "multiplies", "b_q <= b_q >> DigitBits", "b_q <= b_q >> 1"),
    ("eberle", "divides", "quotient_q <= low", "quotient_q <= x"),
    ("eberle", "reduces", "if (n_taken) n_q <=", "if (a_taken) n_q <="),
    ("eberle", "moves_down", "else if (!first_digit) begin", "else begin"),
    ("eberle", "last_move", "low, t_q} >> (2 * DigitBits)", "low, t_q} >> DigitBits"),
    ("eberle", "hold", ".p_next_i   (1'b0)", ".p_next_i   (1'b1)"),
    ("eberle", "answer", "= p[OperandW-1:0]", "= {1'b0, p[OperandW-2:0]}"),
    ("tenca_koc", "ready", "req_ready_o = phase_q == StIdle", "req_ready_o = phase_q != StRun"),
    ("tenca_koc", "quiet_on", "(req_valid_i && phase_q == StIdle)", "(req_valid_i)"),
    ("tenca_koc", "accept", "if (req_valid_i) phase_d", "if (req_valid_i && a_i[0]) phase_d"),
    ("tenca_koc", "count", "count_q == CountW'(Latency - 1)", "count_q == CountW'(Latency - 2)"),
    ("tenca_koc", "rounds_count", "starts_q      <= !last_round_q", "starts_q      <= 1'b1"),
    ("tenca_koc", "rounds_count", "CountW'(Latency - Words - 1)", "CountW'(Latency - Words)"),
    ("tenca_koc", "bits_of_a", "a_q <= a_q >> 1", "a_q <= a_q >> 2"),
    ("tenca_koc", "takes_a", "|first[LastElement:0]", "|first"),
    ("tenca_koc", "words_of_operands", "({n_q[Word-1:0], n_q} >> Word)", "(n_q >> Word)"),
    ("tenca_koc", "inputs_of_0", "!first_round_q && words_left_q", "words_left_q"),
    ("tenca_koc", "quotient", "(a_bit_i & y_i[0]) : q_q", "a_bit_i : q_q"),
    ("tenca_koc", "added", "first_i ? 2'b00 : carry_q", "carry_q"),
    ("tenca_koc", "lowest", "^ (q & n_i[0]) ^ carry[0]", "^ (q & n_i[0])"),
    ("tenca_koc", "kept", "v_q     <= v[Word-1:1]", "v_q     <= v[Word:2]"),
    ("tenca_koc", "no_starts", "& {Offset{running_q}}", "& {Offset{1'b1}}"),
    ("tenca_koc", "link_of_starts", "({first_q, first[i-1]})", "({first_q, first[0]})"),
    ("tenca_koc", "link", "(Offset * Word)'({n_link_q, n[i-1]})", "{n[i-1], n[i-1]}"),
    ("tenca_koc", "link_of_words", "'({y_link_q, y[i-1]})", "'({y_link_q, n[i-1]})"),
    ("tenca_koc", "link_of_words", "s[i] <= {v_low[i-1], v[i-1]}", "s[i] <= {1'b0, v[i-1]}"),
    ("tenca_koc", "returns", "waiting_q[0] <= {v_low[Elements-1]", "waiting_q[0] <= {v_low[0]"),
    ("tenca_koc", "result_words", "({p_word, p_q} >> Word)", "({p_q, p_word})"),
    ("tenca_koc", "hold", "if (rsp_ready_i) phase_d = StIdle", "phase_d = StIdle"),
    ("tenca_koc", "answer", "p_o         = p_q[Width:0]", "p_o = {1'b0, p_q[Width-1:0]}"),
    ("fcs_mm1", "accept", ".c_i   (a_c_i)", ".c_i   (a_s_i)"),
    ("fcs_mm1", "quotient", "^ (a_bit & (bs_q[0] ^ bc_q[0]))", "^ (a_bit & bs_q[0])"),
    ("fcs_mm1", "row2", "bc_q & {OperandW{a_bit}}", "bs_q & {OperandW{a_bit}}"),
    ("fcs_mm1", "row3", "n_q & {Width{quotient_digit}}", "n_q & {Width{!quotient_digit}}"),
    ("fcs_mm1", "hold", "{{ss_q, sc_q}", "{{sc_q, ss_q}"),
    ("fcs_mm1", "answer", "p_c_o       = sc_q", "p_c_o       = ss_q"),
    ("fcs_mm2", "accept", ".c_i   ({a_c_i, 1'b0})", ".c_i   ({a_s_i, 1'b0})"),
    ("fcs_mm2", "precomputed", "ds_q <= sum1[OperandW-1:0]", "ds_q <= sum2[OperandW-1:0]"),
    ("fcs_mm2", "multiple", ".b_i({1'b0, bc_q})", ".b_i({1'b0, bs_q})"),
    ("fcs_mm2", "quotient", "(a_bit & (bs_q[0] ^ bc_q[0]))", "(a_bit & bs_q[0])"),
    ("fcs_mm2", "row2", ".c_i    (carry1)", ".c_i    (sum1)"),
    ("fcs_mm2", "hold", "({{ss_q, sc_q},", "({{sc_q, ss_q},"),
    ("fcs_mmm42", "accept", "StIdle:  if (req_valid_i) phase_d", "StIdle:  if (a_s_i[0]) phase_d"),
    ("fcs_mmm42", "added", "CountW'(LastIteration + 1)", "CountW'(LastIteration + 2)"),
    ("fcs_mmm42", "added", "ds_q <= sum1[HatW-1:2]", "ds_q <= sum2[HatW-1:2]"),
    ("fcs_mmm42", "bits_begin", "next_q       <= bit0", "next_q       <= bit1"),
    ("fcs_mmm42", "bits", "(half0 & carry_q)", "(half0 | carry_q)"),
    ("fcs_mmm42", "selects", "{phase_d == StDone, phase_d == StLoop}", "{phase_d, phase_q}"),
    ("fcs_mmm42", "keep", "if (phase_q == StIdle) begin", "if (phase_q != StLoop) begin"),
    ("fcs_mmm42", "keep_sum", "if (phase_q == StAdd) begin", "if (phase_q != StIdle) begin"),
    ("fcs_mmm42", "count", "left_q - CountW'(2) :", "left_q - CountW'(1) :"),
    ("fcs_mmm42", "count_end", "delta0 | last_iteration_i)", "delta0)"),
    ("fcs_mmm42", "digits", "skip_o ? a_after_next_i", "!skip_o ? a_after_next_i"),
    ("fcs_mmm42", "multiple", "q_i ? d_i : b_i", "q_i ? b_i : d_i"),
    ("fcs_mmm42", "row1", ".x_i    (x1)", ".x_i    (s)"),
    ("fcs_mmm42", "row2", ".c_i    (carry1)", ".c_i    (sum1)"),
    ("fcs_mmm42", "low_bits", "bc_hat = {1'b0, bc_q, 3'b000}", "bc_hat = {2'b00, bc_q, 2'b00}"),
    ("fcs_mmm42", "skipped", "~(a_next_i | delta1", "~(delta1"),
    ("fcs_mmm42", "moves", "{2'b00, state_i[v][Width-1:2]}", "{1'b0, state_i[v][Width-1:1]}"),
    ("fcs_mmm42", "next_quotient", "^ (q_i & n2_i) ^", "^ q_i ^"),
    ("fcs_mmm42", "hold", "if (phase_q != StDone) begin", "begin"),
    ("fcs_mmm42", "hold", "StDone:  if (rsp_ready_i) phase_d", "StDone:  phase_d"),
    ("fcs_mmm42", "answer", "p_c_o       = c[ResultW-1:0]", "p_c_o       = s[ResultW-1:0]"),
    ("mlm", "quiet_on", "(req_valid_i && req_ready_o)", "(req_valid_i)"),
    ("mlm", "accept", "parity_q <= a_i[0] & b_i[0]", "parity_q <= a_i[0] ^ b_i[0]"),
    ("mlm", "runs", "if (done) phase_d = StNegate", "if (done) phase_d = StHalve"),
    ("mlm", "own_kept", "StNegate:     t_q", "StNegate: n_q <= m[Width-1:0];\n StRun: t_q"),
    ("mlm", "m_kept", "if (h_q < 0) h_q", "r_q <= '0; if (h_q < 0) h_q"),
    ("mlm", "g_kept", "if (start_i) begin", "begin"),
    ("mlm", "negated", "g == '0 ? '0 : H", "H"),
    ("mlm", "negated", "{2'b01, {(Length - 1){1'b0}}, 1'b1};", "{2'b01, {Length{1'b0}}};"),
    ("mlm", "negated", "negated[0] ? StAddF : StHalve", "negated[0] ? StHalve : StAddF"),
    ("mlm", "add_f", "StAddF:       t_q <= t_q + H", "StAddF:       t_q <= t_q - H"),
    ("mlm", "halved", "t_q[1] != parity ?", "t_q[0] != parity ?"),
    ("mlm", "halved", "parity_q ^ (m[0] & n_q[0])", "parity_q ^ m[0]"),
    ("mlm", "add_w", "StAddW:     phase_d = StCompare", "StAddW:     phase_d = StDone"),
    ("mlm", "compared", "difference[Length+1] ? StDone", "difference[Length] ? StDone"),
    ("mlm", "subtracted", "StSubtract:   t_q <= difference", "StSubtract:   t_q <= negated"),
    ("mlm", "hold", "if (rsp_ready_i) phase_d = StIdle", "phase_d = StIdle"),
    ("mlm", "answer", "p_o         = t_q[Width-1:0]", "p_o         = t_q[Width:1]"),
    ("mlws", "ready", "rsp_valid_o = phase_q == StDone", "rsp_valid_o = phase_q != StIdle"),
    ("mlws", "quiet_on", "(req_valid_i && req_ready_o)", "(req_valid_i)"),
    ("mlws", "accept", "if (req_valid_i) phase_q", "if (a_i[0]) phase_q"),
    ("mlws", "runs", "if (done) phase_q", "if (!done) phase_q"),
    ("mlws", "count", "? count_q + CountW'(1) :", "? count_q + CountW'(2) :"),
    ("mlws", "next_phase", "count_q == CountW'(Digits - 1)", "count_q == CountW'(Digits)"),
    ("mlws", "ends", "<= phase_q == StSettleMultiple", "<= phase_q == StMultiple"),
    ("mlws", "keep", "<= n_prime_q;", "<= n_prime_q; n_q <= m;"),
    ("mlws", "multiplied", "(multiplicand_q);", "(n_q);"),
    ("mlws", "added", "(r_q[Length:Length-Digit])", "(r_q[Length-1:Length-Digit])"),
    ("mlws", "shifted", "h_q >>> (Length - Digit)", "h_q >> (Length - Digit)"),
    ("mlws", "product_there", "'(product[Length+Digit-1:Length]))", "'(product[Length-1:0]))"),
    ("mlws", "combined", "h_shifted - h_product :", "h_shifted + h_product :"),
    ("mlws", "folded", "h_low - (h_sum >>> Length)", "h_low - (h_sum >> Length)"),
    ("mlws", "passes", "if (phase_q == StProduct) h_q <= h_d", "h_q <= h_d"),
    ("mlws", "reduced", "(&r_settled[Length-1:0]) ? '0", "1'b0 ? '0"),
    ("mlws", "settles", "multiplicand_q <= n_prime_q", "multiplicand_q <= n_q"),
    ("mlws", "below_h", "else if (h_q >= H)", "else if (h_q > H)"),
    ("mlws", "halved", "doubled[OperandW:1]", "doubled[OperandW-1:0]"),
    ("mlws", "hold", "if (rsp_ready_i) phase_q", "phase_q"),
    ("mlws", "answer", "p_o         = p_q", "p_o         = ~p_q"),
    ("booth_csa", "rows", "(rows[First+1])", "(rows[First] | rows[First+1])"),
    ("booth_csa", "rows", "| (~parity & vectors_i[0])", "| (~parity & vectors_i[1])"),
    ("booth_csa", "rows", "= d_i[j].negative |", "= !d_i[j].negative |"),
    ("booth_csa", "multiples", "^ {Width{term_i.negative}}", "^ Width'(term_i.negative)"),
    ("booth_csa", "multiples", ".x_i(modulus_i)", ".x_i(~modulus_i)"),
    ("booth_csa", "pair", "{{DigitW{fold[1]}}, fold", "{{DigitW{1'b0}}, fold"),
    ("booth_csa", "fold", "s_o[Width-1:Width-2] + c_o", "s_o[Width-1:Width-2] | c_o"),
    ("booth_csa", "quotient", "digit = t * n_inverse_q", "digit = t ^ n_inverse_q"),
    ("booth_csa", "next_digit", "& ~(bits[2*j+1] & bits[2*j])", "& (bits[2*j+1] & bits[2*j])"),
    ("booth_csa", "pending_carry", "s_i[DigitW-1] | c_i[DigitW-1]", "s_i[DigitW-1]"),
    ("booth_csa", "flush", "{fold, sum[OperandW-3:0]}", "{2'b00, sum[OperandW-3:0]}"),
    ("booth_csa", "accept", "CountW'(Iterations - 1)", "CountW'(Iterations)"),
    ("unit_csa", "product_rows", ".bits_i(ones[Terms-3:0])", ".bits_i(ones[Terms-1:2])"),
    ("unit_csa", "rows", "(rows[First+1])", "(rows[First] | rows[First+1])"),
    ("unit_csa", "rows", "| (~parity & vectors_i[0])", "| (~parity & vectors_i[1])"),
    (
        "unit_csa",
        "a_multiples",
        "({~multiple[SignedW-1], multiple",
        "({multiple[SignedW-1], multiple",
    ),
    ("unit_csa", "quotient_multiples", "({1'b1, ~multiple", "({1'b0, ~multiple"),
    ("unit_csa", "product", "ones[Terms-1-:Vectors]", "ones[Vectors-1:0]"),
    ("unit_csa", "pair", "~fold[1], fold[0]", "fold[1], fold[0]"),
    ("unit_csa", "accumulate", "c_o <= c_d & {Width{~clear_i}}", "c_o <= c_d"),
    ("unit_csa", "a_terms", "d_q <= d & {$bits(d){d_valid_q}}", "d_q <= d"),
    ("unit_csa", "quotient_digit", "c_q[0] | transfer_q", "c_q[0]"),
    ("unit_csa", "quotient_terms", ".transfer_i(u_transfer_q)", ".transfer_i(1'b0)"),
    ("unit_csa", "quotient_transfer", "carry & ~clear_q", "carry"),
    ("unit_csa", "valid_digits", "left_d > CountW'(Loops - 2", "left_d >= CountW'(Loops - 2"),
    ("unit_csa", "last_transfer", "u[DigitW-1] & transfers", "transfers"),
    ("unit_csa", "low_digits", "a_q[SumW-1-:LowW]", "a_q[LowW-1:0]"),
    ("unit_csa", "accept", "(signed'(a_i)) >>> DigitW", "(a_i) >> DigitW"),
    ("unit_csa", "shift_a", "= {u, a_q[SumW", "= {~u, a_q[SumW"),
    ("unit_csa", "sums", "(g == 0) ? carry_i : 1'b0", "1'b0"),
    ("unit_csa", "look_ahead", "(propagates[level-1] & Mask & (generates[level-1] << Span))", "'0"),
    (
        "unit_csa",
        "no_carries",
        "assign carries = found & {Groups{started_q}}",
        "assign carries = found",
    ),
    ("unit_csa", "increments", "carry & (&value_i[Low+:i])", "carry"),
    ("bipartite", "ready", "assign req_ready_o = idle_q", "assign req_ready_o = idle_q | shift_q"),
    ("bipartite", "controls", "CountW'(LowerDigits - 1)", "CountW'(LowerDigits)"),
    ("bipartite", "controls", "CountW'(UpperDigits + 1)) || upper_q", "CountW'(UpperDigits + 1))"),
    ("bipartite", "accept", "a_sum[LowerW-1:0] >> DigitW", "a_sum[LowerW-1:0]"),
    ("bipartite", "count_end", "cycle_q == CountW'(Steps)", "cycle_q == CountW'(Steps - 1)"),
    ("bipartite", "wait", "if (rsp_ready_i) phase_d = StIdle", "phase_d = StIdle"),
    ("bipartite", "keep", "if (idle_q) begin", "begin"),
    ("bipartite", "shift_a", "{u, a_q[LowerW-1:DigitW]}", "{~u, a_q[LowerW-1:DigitW]}"),
    ("bipartite", "first_digit", "? a_i[DigitW-1:0] :", "? a_q[DigitW-1:0] :"),
    ("bipartite", "a_terms", "digit_transfer_q & d_valid_q & ~idle_q", "1'b0"),
    ("bipartite", "first_upper", "a_sum[SumW-1:LowerW-1]", "{a_sum[SumW-1:LowerW], 1'b0}"),
    ("bipartite", "upper_terms", "(upper[UpperW-1])", "(upper[UpperW])"),
    ("bipartite", "quotient_digit", "c_q[0] | (transfer_q & u_transfer_q)", "c_q[0]"),
    ("bipartite", "quotient_terms", "u_transfer_q & q_valid_q", "u_transfer_q"),
    ("bipartite", "quotient_transfer", "carry & ~clear_q", "carry"),
    ("bipartite", "low_digit", "({sum, a_q[LowerW-1-:DigitW]})", "({sum, a_q[DigitW-1:0]})"),
    ("bipartite", "joins", "signed'(upper_q ? h : h_q)", "signed'(h)"),
    ("bipartite", "joins", "c_low & {FoldW{upper_q}}", "c_low"),
    ("bipartite", "top_kept", "if (!upper_q) h_q", "if (upper_q) h_q"),
    ("bipartite", "top_terms", "(h_o), .transfer_i(1'b0)", "(h_o), .transfer_i(1'b1)"),
    ("bipartite", "top_multiples", "({1'b0, fold_i})", "({fold_i[ModulusW-1], fold_i})"),
    ("bipartite", "high_pair", "c_low_o) << DigitW", "s_low_o) << DigitW"),
    ("bipartite", "high_pair", "s_q[StateW-1:FoldW] + c_q", "s_q[StateW-1:FoldW] - c_q"),
    ("bipartite", "high_product", "{p_ones, h_ones}", "{h_ones, p_ones}"),
    ("bipartite", "high_accumulate", "s_q <= s_d & {StateW{~clear_i}}", "s_q <= s_d"),
    ("bipartite", "answer", "= a_q[OperandW-1:0]", "= {1'b0, a_q[OperandW-2:0]}"),
    ("orup", "ready", "rsp_valid_o = phase_q == StDone", "rsp_valid_o = phase_q >= StConvert"),
    ("orup", "accept", "if (req_valid_i) phase_d = StLoop", "if (a_i[0]) phase_d = StLoop"),
    ("orup", "controls", "cycle_d < CountW'(Digits - 1)", "cycle_d < CountW'(Digits)"),
    ("orup", "count_end", "cycle_q == CountW'(Steps)", "cycle_q == CountW'(Steps + 1)"),
    ("orup", "converted", "cycle_q == CountW'(2)", "cycle_q == CountW'(3)"),
    ("orup", "wait", "if (rsp_ready_i) phase_d = StIdle", "phase_d = StIdle"),
    ("orup", "keep", "if (idle_q) begin", "begin"),
    ("orup", "shift_a", "{u, a_q[SumW-1:DigitW]}", "{~u, a_q[SumW-1:DigitW]}"),
    ("orup", "first_digit", "? a_i[DigitW-1:0] :", "? a_q[DigitW-1:0] :"),
    ("orup", "a_terms", "digit & {DigitW{d_valid_q}}", "digit"),
    ("orup", "quotient_digit", "{1'b0, c_q[DigitW-1:0]} +", "{1'b0, s_q[DigitW-1:0]} +"),
    ("orup", "quotient_terms", "u & {DigitW{q_valid_q}}", "u"),
    ("orup", "carries_on", "carry & ~clear_q", "carry"),
    ("orup", "low_digits", "({sum, a_q} >> PairW)", "({sum, a_q} >> LowW)"),
    ("orup", "low_digits_stay", "(a_q & LowMask)", "(a_q & ~LowMask)"),
    ("orup", "rows", "(rows[First+1])", "(rows[First] | rows[First+1])"),
    ("orup", "quotient_multiples", "({1'b1, ~multiple", "({1'b0, ~multiple"),
    ("orup", "pair", "~fold[1], fold[0]", "fold[1], fold[0]"),
    ("orup", "accumulate", "c_o <= c_d & {Width{~clear_i}}", "c_o <= c_d"),
    ("orup", "sums", "(s_q[PairW-1:0])", "(c_q[PairW-1:0])"),
    ("orup", "no_carries", "carries <= found & {Groups{started_q}}", "carries <= found"),
    ("orup", "answer", "= a_q[OperandW-1:0]", "= {1'b0, a_q[OperandW-2:0]}"),
    ("scs_mm_ct", "phases", "= phase_q[AddB];", "= phase_q[AddB] || phase_q[Idle];"),
    ("scs_mm_ct", "next_phase", "CountW'(Conversion - 1)", "CountW'(Conversion)"),
    ("scs_mm_ct", "selects", "CountW'(Rows + 2)", "CountW'(Rows + 1)"),
    ("scs_mm_ct", "next_digits", "(n_hat_1 & quotient)", "(n_hat_1 | quotient)"),
    ("scs_mm_ct", "multiple", "{d_q, n_hat[BShift-1:0]}", "{d_q, {BShift{1'b0}}}"),
    ("scs_mm_ct", "half_adders", "(propagate & t)", "(propagate | t)"),
    ("scs_mm_ct", "left_blocks", "(carry_out_q | overflow)", "(carry_out_q & overflow)"),
    ("scs_mm_ct", "carries_found", "(generates[level-1] << Span)", "generates[level-1]"),
    ("scs_mm_ct", "injected", "Blocks'({carry_from, 1'b0})", "carry_from"),
    ("scs_mm_new", "inputs", "{2'b00, state_i[v][Width-1:2]}", "{1'b0, state_i[v][Width-1:1]}"),
    ("scs_mm_new", "multiple", "{d_q, n_hat_q[2], 2'b00}", "{d_q, 3'b000}"),
    ("scs_mm_new", "row", ".x_i         (x)", ".x_i         (s)"),
    ("scs_mm_new", "half_adders", "(propagate & t)", "(propagate | t)"),
    ("scs_mm_new", "keep", "a_q <= a_q >> 2", "a_q <= a_q >> 1"),
    ("scs_mm_new", "digits", "skip_o ? a_after_next_i", "!skip_o ? a_after_next_i"),
    ("scs_mm_new", "skipped_bit", "~(a_next_i | delta1", "~(delta1"),
    ("scs_mm_new", "skipped_place", "delta1 | delta0", "delta1"),
    ("scs_mm_new", "next_quotient", "^ (q_i & n2_i) ^", "^ q_i ^"),
    ("scs_mm_new", "added", "CountW'(LastIteration + 1)", "CountW'(LastIteration)"),
    ("scs_mm_new", "count", "left_q - CountW'(2) :", "left_q - CountW'(1) :"),
    ("scs_mm_new", "count_end", "delta0 | last_iteration_i)", "delta0)"),
    ("scs_mm_new", "converts", "if (carry_is_zero && !first_convert_q)", "if (carry_is_zero)"),
    ("scs_mm_new", "waits", "if (rsp_ready_i) phase_d = StIdle", "phase_d = StIdle"),
    ("scs_mm_skip", "accept", "CountW'(Rows);", "CountW'(Rows + 1);"),
    ("scs_mm_skip", "multiple", "{d_q, n_hat[BShift-1:0]}", "{d_q, {BShift{1'b0}}}"),
    ("scs_mm_skip", "row", ".x_i         (x[From+:W])", ".x_i         (s[From+:W])"),
    ("scs_mm_skip", "half_adders", "(propagate & t)", "(propagate | t)"),
    ("scs_mm_skip", "carry_added", "(i == 0) && carry_in_q", "1'b0"),
    ("scs_mm_skip", "moves", "|= into[j] &", "|= into[j+1] &"),
    ("scs_mm_skip", "skipped", "bits_i[j] | end_i[j] | digit[j + 1]", "bits_i[j] | end_i[j]"),
    ("scs_mm_skip", "next_digits", "value_i ^ (n_i & {(Skips + 1){q_i}})", "value_i"),
    ("scs_mm_skip", "window", "position_q & bits[j+:2*Row]", "position_q & bits[j+1+:2*Row]"),
    ("scs_mm_skip", "window_end", "rows_left_q == CountW'(i)", "rows_left_q == CountW'(i + 1)"),
    ("scs_mm_skip", "window_row", "{Row'(0), a_q} >> Row", "{Row'(0), a_q} >> 1"),
    ("scs_mm_skip", "selects", "phase_q[Convert] && !first_convert_q", "phase_q[Convert]"),
    ("scs_mm_skip", "looping", "= (phase_q[Loop] && ends)", "= (phase_q[Loop] && bits_end[0])"),
    ("three_pass", "buffer_handshake", "cycle_q[Interval-1:1] ==", "cycle_q[Interval-2:1] =="),
    ("three_pass", "starts", "(cycle[Latency])", "(cycle[Interval])"),
    ("three_pass", "selects", "inject_q <= cycle[Interval-1]", "inject_q <= cycle[Interval]"),
    ("three_pass", "operands", "y_q <= n_prime_q", "y_q <= n_prime_i"),
    ("three_pass", "chosen_digit", "to_quotient || to_multiple", "to_quotient"),
    ("three_pass", "terms_of_digit", "transfer_q && !first_digit", "transfer_q"),
    ("three_pass", "terms_of_digit", "2'b00, to_multiple", "2'b00, to_quotient"),
    ("three_pass", "digits_of_a", ": a_q >> DigitW", ": a_q >> 1"),
    ("three_pass", "multiples", "{~multiple[OperandW], multiple", "{multiple[OperandW], multiple"),
    ("three_pass", "completing_ones", "one_i && j == Terms - 1", "one_i && j == 0"),
    ("three_pass", "injected", "~product_carry_q & inject_q", "product_carry_q & inject_q"),
    ("three_pass", "first_stage", "(rows[First+1])", "(rows[First] | rows[First+1])"),
    ("three_pass", "second_stage", "(~parity & vectors_i[0])", "(~parity & vectors_i[1])"),
    ("three_pass", "remainder", "s[SumW-1:DigitW] & {OperandW{~clear_i}}", "s[SumW-1:DigitW]"),
    ("three_pass", "halves", "cycle[Digits+1] ||", "cycle[Digits] ||"),
    ("three_pass", "low_added", "& Mask & (generates[level-1] << Span)", "& Mask"),
    ("three_pass", "low_half", "low_c, carry_q}", "low_c, 1'b0}"),
    ("three_pass", "carries", "cycle[2] || cycle[Pass+2]", "cycle[2]"),
    ("three_pass", "difference", "&& !product_top_q", "&& product_top_q"),
    ("rmm", "ready", "|(done_q & oldest)", "|(busy_q & oldest)"),
    ("rmm", "calm_on", "(issuing_q[c] & (step_q != StepW'(Period - 1)))", "issuing_q[c]"),
    ("rmm", "accept", "initialise_q <= accept", "initialise_q <= '0"),
    ("rmm", "runs", "step_q + StepW'(1)", "step_q + StepW'(2)"),
    ("rmm", "ends", "(done_q[c] | (step_q", "(done_q[c] & (step_q"),
    ("rmm", "waits", "(done_q[c] | (step_q == StepW'(DoneStep)))", "!done_q[c]"),
    ("rmm", "keep", "if (load[c]) begin", "if (load[c] | initialise[c]) begin"),
    ("rmm", "past", "past_step[s] <= past_step[s-1]", "past_step[s] <= ~past_step[s-1]"),
    ("rmm", "operands", "same(digit[0], 1'(line % K))", "same(digit[0], 1'b0)"),
    ("rmm", "operands_taken", "operand_q[o][s] <= selected", "operand_q[o][s] <= ~selected"),
    ("rmm", "rows_of_products", "terms_i[r-1].negative})", "terms_i[r].negative})"),
    ("rmm", "tree_of_products", "| (~parity & vectors_i[0])", "| (~parity & vectors_i[1])"),
    ("rmm", "products", "pair[0][ProductW] | pair[1][ProductW]", "pair[0][ProductW]"),
    ("rmm", "added_t", "? 32'(Source.part) : 0", "? 0 : 0"),
    ("rmm", "added_q", "{chosen[1][DigitBits-1:1],", "{chosen[0][DigitBits-1:1],"),
    ("rmm", "quiet_t", "[product_step_i] & product_issuing_i", "[product_step_i]"),
    ("rmm", "tree_q", "(rows[First+1])", "(rows[First] | rows[First+1])"),
    ("rmm", "value_t", ".b_i(addends[1])", ".b_i(addends[0])"),
    ("rmm", "state_t", "initialise_i ? Initial : value_o", "initialise_i ? '0 : value_o"),
    ("rmm", "correction", "estimate_q & {EstimateW{correct_i}}", "estimate_q"),
    ("rmm", "estimates", "<< (2 * TopBits - 1)", "<< (2 * TopBits)"),
    (
        "rmm",
        "answer",
        "gen_accumulator_register\n    assign p_o = t",
        "gen_accumulator_register\n    assign p_o = ~t",
    ),
]
"""Architecture, the lemma that an edit breaks, the edit."""
EXACT_FAULTS = [
    ("tail", "CountW'(TailCycles - 1)", "CountW'(TailCycles)"),
    ("tail", "ModulusW'(n);", "ModulusW'(n_i);"),
    ("constants", "if (load_i) n_q <= n_i;", "n_q <= n_i;"),
    ("first_of_exact", "left_d == CountW'(Delay - 2)", "left_d == CountW'(Delay - 1)"),
    ("dated_on", "{valid_q[Digits-2:0], first_i}", "{valid_q[0], valid_q[1]}"),
    ("no_exact", "{$bits(q){|valid_q}}", "{$bits(q){1'b1}}"),
    ("exact_terms", "{q_valid_q}}) | exact;", "{q_valid_q}}) & exact;"),
    ("low_terms", ".v_i    (q)", ".v_i    (q_q)"),
    ("exact_multiples", ".term_i(v_q[j])", ".term_i(v_q[0])"),
    ("exact_rows", "(c_q >> DigitW) & {Width{~first_i}}", "c_q >> DigitW"),
    ("exact_digit", "{1'b0, c_q[DigitW-1:0]} +", "{1'b0, s_q[DigitW-1:0]} +"),
    ("exact_transfer", "carry & ~first_i", "carry"),
    ("loads", "c_q[0] | carry_q, {ScaleW{1'b0}}", "c_q[0], {ScaleW{1'b0}}"),
    ("sums", "s_q[DigitW-1] | c_q[DigitW-1]", "s_q[DigitW-1] & c_q[DigitW-1]"),
    ("starts", "(Nonnegative && phase_q == StConvert && left_q == '0)", "1'b0"),
    ("corrects", "Nonnegative && phase_d == StCorrect;", "phase_d == StConvert;"),
    ("finds_p", "phase_d == StConvert && left_d == '0;", "phase_d == StConvert;"),
    ("selects_p", "select_p_q[r] <= p_found_q;", "select_p_q[r] <= start_q;"),
    ("selects_no_n", "p_found_q & increment[PairW-1]", "increment[PairW-1]"),
    ("selects_n", "p_found_q & increment[PairW-1]", "p_found_q & increment[PairW-2]"),
    ("corrected_sums", "{Bits{select_n_q[r]}}", "{Bits{~select_n_q[r]}}"),
]
"""Those of the exact tail of unit_csa."""


OVERLAP_FAULTS = [
    ("control_on", "left_d == '0 && !occupied_d);", "left_d == '0);"),
    ("control_on", "fill_q     <= finish && !occupied_d;", "fill_q     <= finish;"),
    ("waits_for_place", "move_q     <= phase_q == StHeld && !occupied_d;", "move_q     <= 1'b0;"),
    ("steps", "carried_q || (valid_q && !rsp_ready_i)", "carried_q"),
    ("steps", "carried_q  <= summed_q;", "carried_q  <= summed_q && !req_valid_i;"),
    ("balance", "!idle_q ? StHeld : req_valid_i ?", "!idle_q ? StHeld : 1'b0 ?"),
    ("parks", "(sums & {SumW{park}})", "(sums & {SumW{start_q}})"),
    ("quotient_transfer", "& ~(Overlap & clear_q)", ""),
    ("groups_kept", "if (start_i || !Later) begin", "if (1'b1) begin"),
    ("low_digits", "LowW'({u, low_q} >> DigitW)", "LowW'({u, low_q} >> 1)"),
    ("no_carries", "carries <= found & {Groups{started_q}}", "carries <= found"),
]
"""Of unit_csa with requests that overlap: the lemma that an edit breaks, the edit."""
OVERLAP_SIGNED_FAULTS = [
    ("control_on", "phase_d == (Exact ? StTail : StLoop)", "phase_d == StLoop"),
    ("control_on", "park_q     <= finish && occupied_d;", "park_q     <= 1'b0;"),
    ("loop_on", "fill_q     <= finish &&", "fill_q     <= (finish || load_q) &&"),
    ("loop_end", "phase_q == (Exact ? StTail : StLoop);", "phase_q == StLoop;"),
    ("accept", "left_d  = Overlap ? CountW'(Loops)", "left_d  = Overlap ? CountW'(Loops - 1)"),
    ("no_load", "Exact && phase_q == StLoop && phase_d == StTail", "phase_q == StTail"),
    ("sums", "s_q[DigitW-1] | c_q[DigitW-1]", "s_q[DigitW-1] & c_q[DigitW-1]"),
    ("sums", "s_q[(Exact?DigitW : 0)+:PairW]", "s_q[0+:PairW]"),
    ("fills", "(a_q & {SumW{move_q}})", "(a_q & {SumW{fill_q}})"),
    ("groups_kept", "if (start_i || !Later) begin", "if (taken_i) begin"),
    ("constants", "if (load_i) n_q <= n_i;", "n_q <= n_i;"),
    ("quotient_transfer", "& ~(Overlap & clear_q)", ""),
    ("look_ahead", "(propagates[level-1] & Mask & (generates[level-1] << Span))", "'0"),
]
"""The same with signed results."""
ONE_TERM_FAULTS = [
    ("a_multiples", "Width'(signed'(multiple))", "Width'(multiple)"),
    ("quotient_multiples", "Width'(signed'(multiple))", "~Width'(signed'(multiple))"),
    (
        "product_rows",
        "assign vectors = rows;",
        "assign vectors = {rows[0][0], rows[0][Width-1:1]};",
    ),
    ("product", "ones[Terms-1-:Vectors]", "'0"),
    ("quotient_product", "ones[Terms-1-:Vectors]", "'1"),
    ("quotient_rows", "vectors = rows;", "vectors = ~rows;"),
    ("rows", "| (~parity & vectors_i[0])", "| (~parity & vectors_i[1])"),
    ("pair", "~fold[1], fold[0]", "fold[1], fold[0]"),
    ("accumulate", "c_o <= c_d & {Width{~clear_i}}", "c_o <= c_d"),
    ("a_terms", "d_q <= d & {$bits(d){d_valid_q}}", "d_q <= d"),
    ("quotient_digit", "c_q[0] | transfer_q", "c_q[0]"),
    ("quotient_terms", ".transfer_i(u_transfer_q)", ".transfer_i(1'b0)"),
    ("last_transfer", "u[DigitW-1] & transfers", "transfers"),
]
"""Of unit_csa with digits of 2 bits, which have one Booth term: the lemma, the edit."""
REGION_FAULTS = [
    ("a_terms", "d_q[r] <= d & {$bits(d){d_valid_q}}", "d_q[r] <= d"),
    ("a_multiples", "d_q[r] <= d &", "d_q[r] <= ((r == 1) ? d_q[0] : d) &"),
    ("a_multiples", "d_q[r] <= d &", "d_q[r] <= ((r == 2) ? q : d) &"),
    ("quotient_multiples", "q_region[r] <= q_q", "q_region[r] <= (r == 2) ? q_region[0] : q_q"),
    ("quotient_multiples", "q_region[r] <= q_q", "q_region[r] <= (r == 1) ? q : q_q"),
    ("quotient_multiples", "q_region[r] <= q_q", "if (!clear_q || r != 0) q_region[r] <= q_q"),
    ("quotient_multiples", "((RegionW == 0) ? Delay : 2)", "(Delay)"),
    ("a_multiples", "terms_i[r][j])", "terms_i[r][(r == 1) ? 0 : j])"),
    ("a_multiples", "doubled[Low+:", "doubled[((r == 1) ? 0 : Low)+:"),
    ("quotient_multiples", "columns[Columns:1]", "columns[Columns-1:0]"),
    ("quotient_multiples", "({~multiple[SignedW-1], multiple", "({~multiple[RegionW-1], multiple"),
    ("quotient_multiples", "terms_i[0][j].negative", "terms_i[0][j].twice"),
    ("quotient_terms", "(q & {$bits(q){q_valid_q}})", "q"),
]
"""Of unit_csa with select registers by region: the lemma that an edit breaks, the edit."""
ONE_BIT_FAULTS = [
    *ONE_TERM_FAULTS[:9],
    ("controls", "cycle_d < CountW'(Digits - 1)", "cycle_d < CountW'(Digits)"),
    ("shift_a", "{u, a_q[SumW-1:DigitW]}", "{~u, a_q[SumW-1:DigitW]}"),
    ("a_terms", "digit & {DigitW{d_valid_q}}", "digit"),
    ("quotient_digit", "{1'b0, c_q[DigitW-1:0]} +", "{1'b0, s_q[DigitW-1:0]} +"),
    ("quotient_terms", "u & {DigitW{q_valid_q}}", "u"),
    ("carries_on", "carry & ~clear_q", "carry"),
    ("pair", "fold[0], s_o[Width-3:ShiftW]", "fold[0], s_o[Width-4:ShiftW], 1'b0"),
]
"""Of orup with digits of 1 bit."""


LATE_FAULTS = [
    ("scaled_digit", "transfer_q & scaled_i", "1'b0"),
    ("quotient_digit", "(digit_q + DigitW'(transfer_q)) * n", "digit_q * n"),
    ("quotient_digit", "one_o = transfer_q && exact_now_q", "one_o = transfer_q"),
    ("quiet_on", "(transfer_q && !exact_now_q)", "transfer_q"),
    ("pending_carry", "s_i[DigitW-1] : ~digit_q", "s_i[DigitW-1] : digit_q"),
    ("selects", "left_d == CountW'(5)", "left_d == CountW'(4)"),
    ("kept", "else if (phase_q == StTail) begin", "else if (phase_q == StFinish) begin"),
    ("multiples", "(Pipelined ? DigitW : 0)", "(0)"),
    ("rows", "| ((Index == 0) & one_i)", ""),
    ("convert_carry", "s_d[DigitW-1] | c_d[DigitW-1]", "s_d[DigitW-1]"),
    ("words_left", "s_word = {{WordW{1'b0}}, s_o", "s_word = {{WordW{s_o[Width-1]}}, s_o"),
    ("correct", "first ? n_q : Width'((", "Width'(("),
    ("last_enters", "a_q[0][Width] ? corrected : a_q[0]", "corrected"),
]
"""Of booth_csa with late digits: the lemma that an edit breaks, the edit."""

PAIR_FAULTS = [
    ("scaled_digit", "(digit & {DigitW{scaled_i}})", "(digit_q & {DigitW{scaled_i}})"),
    ("exact_digit", "(exact_q & {DigitW{exact_i}})", "(digit & {DigitW{exact_i}})"),
    (
        "quotient_digit",
        "(digit_q + DigitW'(transfer_q)) * n",
        "(digit_q - DigitW'(transfer_q)) * n",
    ),
    ("loop_end", "TailCycles  = 7", "TailCycles  = 6"),
    ("tail_end", "left_d  = CountW'(FinishCycles - 1)", "left_d  = CountW'(FinishCycles)"),
    ("accept", "Pipelined ? 3 : 2", "Pipelined ? 2 : 2"),
    ("flush_row", "Nonnegative ? OperandW'(n_q) : '0", "'0"),
    ("flush", "row_carry[OperandW-3:1], pending", "row_carry[OperandW-3:1], 1'b0"),
    ("multiples", "(b_i[v]), .term_i(d_i[j])", "(b_i[0]), .term_i(d_i[j])"),
]
"""Of booth_csa with late digits and pairs: the lemma that an edit breaks, the edit."""
FIOS_FAULTS = [
    ("ready", "rsp_valid_o = phase_q == StDone", "rsp_valid_o = phase_q != StIdle"),
    ("selects", "cycle_d <= CountW'(2 * Words)", "cycle_d < CountW'(2 * Words)"),
    ("accept", "if (req_valid_i) phase_d", "if (a_i[0]) phase_d"),
    ("count", "cycle_q == CountW'(Cycles - 1)", "cycle_q == CountW'(Cycles - 2)"),
    ("load", "x_0_q      <= Word'(a_i)", "x_0_q      <= Word'(b_i)"),
    ("load_words", "ModulusFirst(j % 2 == 1)", "ModulusFirst(j % 2 == 0)"),
    ("words_of_a", "x_0_q    <= a_q[Word-1:0]", "x_0_q    <= a_held_q"),
    ("word_of_quotient", "x_0_q    <= quotient", "x_0_q    <= low_0"),
    ("keep", "      y_q <= z_q;", "      if (sum_i) y_q <= z_q;"),
    ("line", "take_q ? a_held_q : quotient", "take_q ? a_held_q : low_0"),
    ("factor_0", "sum_q[1] ? n_0_q : b_0_q", "sum_q[1] ? b_0_q : n_0_q"),
    ("rows_of_0", "{~negative, {2{negative}}}", "{~negative, {2{~negative}}}"),
    ("rows_of_quotient", ".x_i(low_0)", ".x_i(low_0 ^ n0_prime_q)"),
    ("rows_of_elements", "terms_i[r-1].negative}", "terms_i[r].negative}"),
    ("products_of_0", "if (first_q || !take_q)", "if (!take_q)"),
    ("product_of_0_stays", "if (first_q || !take_q)", "if (first_q || take_q)"),
    ("low_of_0", ".b_i(t_q[0])", ".b_i(t_q[1])"),
    ("quotient_word", "u_adder (.a_i(pair[0]), .b_i(pair[1])", "u_adder (.a_i(pair[0]), .b_i('0)"),
    ("tree_of_0", "p_0_late_q & {", "p_0_q & {"),
    ("product_of_0", ".b_i(pair_0[1][2*Word-1:0])", ".b_i(pair_0[1][2*Word:1])"),
    ("one_of_0", "pair_0[0][Word-1] | pair_0[1][Word-1]", "pair_0[0][Word-1] & pair_0[1][Word-1]"),
    ("tree_of_quotient", "= rows[r][High-1:Low]", "= rows[0][High-1:Low]"),
    ("tree_of_first", "{~First, {Word{First & sum_i}}", "{~First, {Word{First}}"),
    ("late_of_first", ".bits_i({one_i & sum_i, 1'b0})", ".bits_i({sum_i, 1'b0})"),
    (
        "value_of_first",
        ".b_i(addend), .sum_o(value));\n  end else",
        ".b_i(late[0]), .sum_o(value));\n  end else",
    ),
    ("tree_of_others", "adds[2] = SumW'(c_i &", "adds[2] = SumW'(c_i[Word-1:0] &"),
    ("value_of_others", "addend  = pair[1]", "addend  = pair[0]"),
    ("products", "carry_q <= high", "carry_q <= {1'b0, high[Words-1:2], '0}"),
    ("words_of_t", "(sum_q[j] ? low[j] : t_q[j-1])", "(sum_q[j] ? low[j] : low[j])"),
    ("top_word", "high[Words-1][Word-1:0] : t_q", "high[Words-1][Word:1] : t_q"),
    ("hold", "StDone:  if (rsp_ready_i) phase_d", "StDone:  phase_d"),
    ("answer", "p_o = OperandW'(t_q)", "p_o = ~OperandW'(t_q)"),
]
MCIVOR_FAULTS = [
    ("ready", "rsp_valid_o = phase_q == StDone", "rsp_valid_o = phase_q >= StSubtract"),
    ("rest", "(in_pass && !pass_ends) ?", "!pass_ends ?"),
    ("accept", "if (req_valid_i) phase_d", "if (a_i[0]) phase_d"),
    ("keep", "if (phase_q == StIdle) begin", "if (phase_q != StProduct) begin"),
    ("runs", "CountW'(MultiplierLatency - 1)", "CountW'(MultiplierLatency - 2)"),
    ("ends", "CountW'(MultiplierLatency - 1)", "CountW'(MultiplierLatency)"),
    ("adds", "StAdd:      phase_d = StSubtract", "StAdd:      phase_d = StDone"),
    (
        "operands",
        "StReduce:   {x_o, y_o} = {product_i[Width-1:0], n_q}",
        "StReduce:   {x_o, y_o} = {product_i[Width-1:0], n_prime_q}",
    ),
    ("halves", "<= |product_i[Width-1:0]", "<= |product_i[2*Width-1:Width]"),
    ("added", "(Width + 1)'(low_not_zero_q)", "(Width + 1)'(1'b1)"),
    ("reduced", "p_q <= difference[Width+1] ?", "p_q <= !difference[Width+1] ?"),
    ("hold", "StDone:     if (rsp_ready_i) phase_d", "StDone:     phase_d"),
    ("answer", "p_o         = p_q", "p_o         = ~p_q"),
    ("block_products", "x[j*Block+:Block] * y", "x[j*Block+:Block] ^ y"),
    ("ends_of_rows", "products_d[1] = '0;", "products_d[1] = '1;"),
    ("last_stage", "sum = pair[0] + pair[1]", "sum = pair[0] | pair[1]"),
    ("tree", "(products_q[1]) << (i * Block)", "(products_q[0]) << (i * Block)"),
]
FIXED_FAULTS = [
    ("enters", "req_valid_i && req_ready_o};", "req_valid_i};"),
    ("leaves", "valid_q[Cycles-1]", "valid_q[Cycles-2]"),
    ("product_terms", "{row, 1'b0, terms_i[r-1].negative}", "{row, 2'b00}"),
    ("product_tree", ".x_i    (rows[First])", ".x_i    (rows[First+1])"),
    ("product_groups", "&(a_i[Low+:Bits] ^ b_i[Low+:Bits])", "&(a_i[Low+:Bits] | b_i[Low+:Bits])"),
    ("product_sum", "+ Bits'(carries[g-1])", "+ Bits'(carries[g])"),
    ("values", "assign v_before = gen_step[i-1].v;", "assign v_before = t[InW-1:0];"),
    ("quotient_terms", "Minus[At] ? ~x_i : x_i", "Minus[At] ? ~x_i : ~x_i"),
    ("kept", ".d_i(v_i[InW-1-:Kept])", ".d_i(v_i[Kept-1:0])"),
    ("multiple_terms", "((One << Guard) - One) << Low", "(One << Guard) << Low"),
    ("step_result", "assign v_o = sum[SumW-1:Guard];", "assign v_o = sum[OutW-1:0];"),
]
SQUARE_FAULTS = [
    ("square_folds", "<< (4 * i + 3)", "<< (4 * i + 2)"),
    ("square_folds", "{~terms_i[i].negative, bits}", "{terms_i[i].negative, bits}"),
    ("square_digits", "{once & negative, twice, 1'b0, once}", "{negative, twice, 1'b0, once}"),
    ("square_digits", "= ~negative;", "= 1'b1;"),
    ("square_constant", "i = 0; i < Folds; i++) value", "i = 1; i < Folds; i++) value"),
]
UNIT_FAULTS = [
    (0xA001, "multiple_terms", "assign q = ~v_i[Word-1:0];", "assign q = v_i[Word-1:0];"),
    (0xA001, "multiple_terms", "? Multiple + One :", "? Multiple :"),
    (0xA001, "kept", "InW - Word : InW - Low", "InW - Word + 1 : InW - Low"),
    (0xAFFF, "multiple_terms", "assign q = v_i[Word-1:0];", "assign q = ~v_i[Word-1:0];"),
    (0xAFFF, "multiple_terms", "(n + wide_t'(1)) >> word", "(n + wide_t'(1)) >> (word - 1)"),
]
"""A modulus of fixed_prime, the lemma that an edit breaks, the edit."""
DSP_FAULTS = [
    ("waits_between", "IntervalW'(Interval - 3)", "IntervalW'(Interval - 4)"),
    ("sequence", "pairs_q == PairW'(1)", "pairs_q == PairW'(0)"),
    ("words_of_x", "x_left_q == WordsW'(1)", "x_left_q == WordsW'(2)"),
    ("x_moves", "half_q ? rest_q[PairW-1:0]", "!half_q ? rest_q[PairW-1:0]"),
    ("line", "step_out = last_q ? StepIdle", "step_out = !last_q ? StepIdle"),
    ("issue", "first1_q && micro1.c", "first0_q && micro1.c"),
    ("queues", "pin_q <= pins[PinDepth-1:0]", "pin_q <= pins[PinDepth:1]"),
    ("registers", "if (load_m_q) m_q", "m_q"),
    ("factors", "b_q  <= b_i;", "b_q  <= a_i;"),
    ("multiplies", "ProductW'(a_q) * ProductW'(b_q)", "ProductW'(a_q) * ProductW'(a_q)"),
    ("sums", "z + (op[1] ? AccW'(c)", "z + (op[0] ? AccW'(c)"),
    ("words_out", "valid_d && beats_q == BeatW'(1)", "valid_d && beats_q == BeatW'(2)"),
    ("stored", "results_q[put_q] <=", "results_q[get_q] <="),
    ("buffer", "under_way_d != CountW'(Results)", "under_way_d != CountW'(Results - 1)"),
]
"""Of fios_dsp: the lemma that an edit breaks, the edit."""
UNIT_DSP_FAULTS = [
    ("control_on", "left_q == LeftW'(5) ||", "left_q == LeftW'(4) ||"),
    ("control_on", "(!ways_q[1] || take)", "1'b1"),
    ("control_on", "finish_q[3] || finish_q[5];", "finish_q[3];"),
    ("balance", "2'(accept) - 2'(take)", "2'(accept)"),
    ("begins", "accept ? LeftW'(Cycles - 1)", "accept ? LeftW'(Cycles - 2)"),
    ("leaves", "{finish_q[5:0], last_q}", "{finish_q[5:0], last_a_q}"),
    ("converts", "done_q && !occupied_q", "done_q"),
    ("responds", "carried_q || (rsp_valid_o", "summed_q || (rsp_valid_o"),
    ("stays", "(rsp_valid_o && !rsp_ready_i)", "1'b0"),
    ("word_of_a", "else if (first_q) addend = Nothing;", ""),
    ("held", "(bus_a_q || !young_q)", "1'b1"),
    ("held_again", "!fourth_q && ", ""),
    ("tail_word", "tail_step = finish_q[1]", "tail_step = finish_q[2]"),
    ("modulus_follows", "if (fourth_q) modulus_q", "if (first_q) modulus_q"),
    ("a_moves", "a_q >> WordW", "a_q >> 1"),
    ("bus", "a_q[WordW-1:0] : words[0]", "a_q[WordW-1:0] : words[1]"),
    ("other_operand", ": modulus_q[i*WordW", ": next_modulus_q[i*WordW"),
    ("product_words", "{1'b0, high_i, |carry_q}", "{1'b0, high_i, carry_q[0]}"),
    ("carries_pass", "pass_i ? carry_d : '0", "carry_d"),
    ("adder", "{1'b0, sum_q, top_q}", "{1'b0, sum_q, 1'b0}"),
    ("columns", "if (save_i) shifted", "if (take_tail_i) shifted"),
    ("converted_carries", "(x[0] & y[0])", "(x[0] | y[0])"),
    ("increments", "result_q <= increment", "result_q <= sum_q"),
    ("result_stays", "if (carried_q) result_q", "if (summed_q || carried_q) result_q"),
]
"""Of unit_dsp: the lemma that an edit breaks, the edit."""
UNIT_CHAIN_FAULTS = [
    ("control_on", "cycle_q != CountW'(LoopEnd - 2)) ||", "cycle_q != CountW'(LoopEnd - 1)) ||"),
    ("control_on", "cycle_q == CountW'(Digits + Levels)", "cycle_q == CountW'(Digits)"),
    ("counts", "if (tail_q[5]) phase_d", "if (tail_q[4]) phase_d"),
    ("waits", "if (rsp_ready_i) phase_d", "phase_d"),
    ("loads", "b_q <= b_i;", "b_q <= a_i;"),
    ("next_digit", "(idle_q ? a_i : a_q)", "(idle_q ? a_i : a_q >> 1)"),
    ("modulus", "if (n_clear_q)   n_q", "if (tail_q[0])   n_q"),
    ("low_digits", "{y_q[LegalDigitW-1:0], low_q[", "{low_q[LegalDigitW-1:0], low_q["),
    ("cleared", "y_q          <= '0;", "y_q          <= y;"),
    ("lines", "carries[Own][i>>Own][", "carries[Own][i]["),
    ("lines", "idle_q ? '0 : line[stage]", "line[stage]"),
    ("rows", "assign c = Bits'(n_q);", "assign c = Bits'(b_q);"),
    ("rows", "{Bits{y_q[i]}}", "{Bits{y_q[0]}}"),
    ("joints", "<< (1 << (level - 1))", "<< 1"),
    ("joints", "LevelEnds'({carries[level-1][2*i], 1'b0})", "LevelEnds'(carries[level-1][2*i])"),
    ("words", "(y_q >> LegalDigitW)", "(y_q >> 1)"),
    ("words", ".carry_i(y_carry_in_q)", ".carry_i('0)"),
    ("ages", "y_carry_q[Steps-2] : between", "y_carry_q[Steps-1] : between"),
    ("late_digits", "= y_carry_q[age][word-1]", "= y_carry_q[0][word-1]"),
    ("late_joins", "tail_q[1] && level", "tail_q[2] && level"),
    ("flags", "generates_q  <= y_carry_q[0]", "generates_q  <= y_carry_q[1]"),
    ("flags", "= &y_q[Low+:Bits]", "= |y_q[Low+:Bits]"),
    ("look_ahead", "sum ^ (propagate_i >> 1)", "sum"),
    ("answer", "OperandW'({y_q, low_q})", "OperandW'(low_q)"),
]
"""Of unit_chain: the lemma that an edit breaks, the edit."""
ECP5_FAULTS = [
    ("bus", "a   = 18'(a_i)", "a   = 18'(b_i)"),
    ("other_operand", ".B0(b[0]), .B1(b[1])", ".B0(b[1]), .B1(b[0])"),
    ("other_operand", '.REG_INPUTB_CLK(Registers ? "CLK0" : "NONE")', '.REG_INPUTB_CLK("NONE")'),
    ("product", "product = 36'(a_used) * 36'(b_used)", "product = 36'(a_used) + 36'(b_used)"),
]
DSP48E2_FAULTS = [
    ("bus", ".a_i(30'(a_i))", ".a_i(30'(b_i))"),
    ("bus", "AREG(OperandRegisters), .ACASCREG(OperandRegisters)", "AREG(0), .ACASCREG(0)"),
    ("other_operand", ".b_i(18'(b_i))", ".b_i(18'(b_i >> 1))"),
    ("product", "opmode_i(9'b000000101)", "opmode_i(9'b000000000)"),
    ("product", "opmode_i(9'b000000101)", "opmode_i(9'b000100101)"),
]
"""Of unit_dsp with blocks of a vendor: the lemma that an edit breaks, the edit."""
ECP5_MAC_FAULTS = [
    ("factors", "op_i[0] ? a_i : '0", "a_i"),
    ("factors", ".b_i(b_i), .p_o(product)", ".b_i(a_i), .p_o(product)"),
    ("factors", '.REG_INPUTA_CLK(Registers ? "CLK0" : "NONE")', '.REG_INPUTA_CLK("NONE")'),
    ("multiplies", "product = 36'(a_used) * 36'(b_used)", "product = 36'(a_used) + 36'(b_used)"),
    ("addends", "next_op[1] ? c_i : '0", "c_i"),
    ("addends", "next_op[2] ? p_d[LowW-1:0]", "next_op[2] ? p_q[LowW-1:0]"),
    ("addends", "(op[3] ? p_q[AccW-1:WordWidth] : '0)", "p_q[AccW-1:WordWidth]"),
    ("addends", "op[2] ? p_q[AccW-1:LowW] : '0", "p_q[AccW-1:LowW]"),
    ("sums", "p_d = z_m_c_sum + z_m_c_carry", "p_d = z_m_c_sum"),
]
DSP48E2_MAC_FAULTS = [
    ("factors", ".a_i     (30'(a_i))", ".a_i     (30'(b_i))"),
    ("factors", "BREG(OperandRegisters), .BCASCREG(OperandRegisters)", "BREG(0), .BCASCREG(0)"),
    ("multiplies", "45'(multiplicand) * 45'(b)", "45'(multiplicand) + 45'(b)"),
    ("addends", "{{2{op[1]}}", "{{2{op[0]}}"),
    ("addends", "op[3], |op[3:2]", "op[3], op[2]"),
    ("addends", "z = p_q >>> 17", "z = p_q >>> 16"),
    ("sums", "opmode[8:7] == 2'b11 ? c", "opmode[8:7] == 2'b10 ? c"),
    ("totals", "p_o = p[2*WordWidth:0]", "p_o = p[2*WordWidth+1:1]"),
]
"""Of fios_dsp with blocks of a vendor."""
BINARY_FAULTS = [
    ("quotient", "assign digit = t * n_inverse_q", "assign digit = t * n_inverse_q + 1'b1"),
    ("words_next", "n_inverse_q <= '0;", "n_inverse_q <= n_inverse_q;"),
    ("words_next", "word_q  <= Binary && phase_d == StFinish", "word_q  <= phase_q == StFinish"),
    ("no_digits", "d & {$bits(d){iterates}}", "d"),
    ("no_quotient", ".transfer_i(1'b0), .terms_o(terms_o)", ".transfer_i(1'b1), .terms_o(terms_o)"),
    ("first_product", "DigitW'(signed'(b_i[v]));", "DigitW'(signed'(a_i[v]));"),
    ("count_end", "? TailCycles : FinishCycles) - 1)", "? TailCycles : FinishCycles))"),
    ("accept", "(Pipelined ? 3 : 2)", "(Pipelined ? 3 : 7)"),
    ("convert_carry", "s_d[DigitW-1] | c_d[DigitW-1]", "s_d[DigitW-1]"),
]
"""Of booth_csa with binary operands and digits at once: the lemma that an edit breaks, the edit."""

LEAST_WIDTH = {"scs_mm_ct": 13, "fios_systolic": 31, "mcivor": 17, "karatsuba": 8}
"""Below it there is one block, without a look-ahead, or a half that is not split."""


@pytest.mark.parametrize("width", [3, 65])
@pytest.mark.parametrize("name", PROOFS)
def test_all_lemmas_hold(name: str, width: int) -> None:
    chosen = core(name, width=max(width, LEAST_WIDTH.get(name, 3)))
    found = verdicts(chosen, chosen.hardware, lemmas_of(chosen) or ())
    assert {each.verdict for each in found} == {"proved"}


@pytest.mark.parametrize(("name", "parameters"), OTHERS)
def test_with_other_parameters_too(name: str, parameters: dict[str, int | str]) -> None:
    chosen = core(name, width=33, **parameters)
    found = verdicts(chosen, chosen.hardware, lemmas_of(chosen) or ())
    assert {each.verdict for each in found} == {"proved"}


def faults_of(
    name: str, faults: Sequence[tuple[str, str, str]], **parameters: int | str
) -> list[tuple[str, dict[str, int | str], str, str, str]]:
    return [(name, {"width": 16} | parameters, *each) for each in faults]


@pytest.mark.parametrize(
    ("name", "parameters", "lemma", "old", "new"),
    [
        *((name, {"width": 16}, *each) for name, *each in FAULTS),
        *faults_of("unit_csa", OVERLAP_FAULTS, overlap=1),
        *faults_of("unit_csa", OVERLAP_SIGNED_FAULTS, overlap=1, result="signed"),
        *faults_of("unit_csa", ONE_TERM_FAULTS, digit=2, delay=3),
        *faults_of("unit_csa", REGION_FAULTS, width=33, digit=4, delay=3, region=16),
        *faults_of("orup", ONE_BIT_FAULTS, digit=1, delay=2),
        *faults_of("booth_csa", LATE_FAULTS, radix=64, pipeline=1, result="nonnegative"),
        *faults_of("fios_systolic", FIOS_FAULTS, word=6),
        *faults_of("fios_dsp", DSP_FAULTS),
        *faults_of("fios_dsp", ECP5_MAC_FAULTS, mac="ecp5"),
        *faults_of("fios_dsp", DSP48E2_MAC_FAULTS, mac="dsp48e2"),
        *faults_of("unit_dsp", UNIT_DSP_FAULTS, word=6),
        *faults_of("unit_dsp", ECP5_FAULTS, word=6, multiplier="ecp5"),
        *faults_of("unit_dsp", DSP48E2_FAULTS, word=6, multiplier="dsp48e2"),
        *faults_of("unit_chain", UNIT_CHAIN_FAULTS),
        *faults_of("mcivor", MCIVOR_FAULTS, block=4),
        *faults_of("fixed_prime", FIXED_FAULTS, word=9),
        *faults_of("fixed_square", SQUARE_FAULTS, word=9),
        *(
            ("fixed_prime", {"width": 16, "modulus": modulus, "word": 9}, *each)
            for modulus, *each in UNIT_FAULTS
        ),
    ],
)
def test_a_planted_fault_is_refuted_with_a_witness(
    name: str, parameters: dict[str, int | str], lemma: str, old: str, new: str, tmp_path: Path
) -> None:
    chosen = core(name, **parameters)
    hardware = edited(chosen, old, new, tmp_path).hardware
    (broken,) = (each for each in lemmas_of(chosen) or () if each.name == lemma)
    (found,) = verdicts(chosen, hardware, [broken])
    assert found.verdict == "refuted"
    assert found.witness or lemma in {"answer", "values"}


@pytest.mark.parametrize(
    ("name", "parameters", "lemma", "old", "new"),
    [
        *faults_of("unit_csa", EXACT_FAULTS, result="nonnegative"),
        *faults_of("booth_csa", PAIR_FAULTS, radix=8, pipeline=1, result="nonnegative"),
        *faults_of("booth_csa", BINARY_FAULTS, radix=64, result="nonnegative"),
    ],
)
def test_a_planted_fault_leaves_no_lemma_unknown(
    name: str, parameters: dict[str, int | str], lemma: str, old: str, new: str, tmp_path: Path
) -> None:
    chosen = core(name, **parameters)
    hardware = edited(chosen, old, new, tmp_path).hardware
    found = {each.name: each for each in verdicts(chosen, hardware, lemmas_of(chosen) or ())}
    assert found[lemma].verdict == "refuted" and found[lemma].witness
    assert "unknown" not in {each.verdict for each in found.values()}


def test_a_zero_with_a_sign_is_a_term_of_0_all_the_same(tmp_path: Path) -> None:
    """A complemented row of zeros and the 1 that completes it are 0: Yosys makes this mutant."""
    chosen = core("orup", width=16)
    hardware = edited(chosen, "& ~(bits[2*j+1] & bits[2*j])", "", tmp_path).hardware
    found = verdicts(chosen, hardware, lemmas_of(chosen) or ())
    assert {each.verdict for each in found} == {"proved"}


def test_lemmas_on_unit_chain_hold_in_cells_of_ecp5() -> None:  # too hard for the second solver
    chosen = core("unit_chain", width=16, digit=2, adder="ecp5")
    found = verdicts(chosen, chosen.hardware, lemmas_of(chosen) or ())
    assert {each.verdict for each in found} == {"proved"}


def test_the_model_of_a_block_is_said_to_be_trusted() -> None:
    for multiplier, model in (
        ("ecp5", "prim/lattice/MULT18X18D.sv"),
        ("dsp48e2", "prim/xilinx/DSP48E2.sv"),
        ("generic", ""),
    ):
        for chosen in (
            core("unit_dsp", width=16, word=6, multiplier=multiplier),
            core("fios_dsp", width=16, mac=multiplier),
        ):
            netlist = read_netlist(chosen.hardware, timeout=60)
            said = trusted_models(netlist, chosen.hardware)
            assert "".join(said).count(model) == 1 if model else said == ()


@pytest.mark.parametrize("pipeline", [0, 1])
@pytest.mark.parametrize("radix", [4, 8, 16, 64])
@pytest.mark.parametrize("width", [3, 64])
def test_lemmas_on_booth_csa_hold_with_signed_results(
    width: int, radix: int, pipeline: int
) -> None:
    chosen = core("booth_csa", width=width, radix=radix, pipeline=pipeline)
    found = verdicts(chosen, chosen.hardware, lemmas_of(chosen) or ())
    assert {each.verdict for each in found} == {"proved"}


def test_a_fault_that_leaves_nets_unused_is_refuted(tmp_path: Path) -> None:
    chosen = core("unit_csa", width=16)
    hardware = edited(chosen, "(rows[First+1])", "(rows[First])", tmp_path).hardware
    (check,) = prove(chosen, checks=["function"], hardware=hardware).checks
    assert check.verdict == "refuted" and check.witness
    assert "unknown" not in {part.verdict for part in check.parts}


def test_a_look_ahead_of_two_cycles_and_of_three() -> None:
    for width, verdict in ((140, "proved"), (4096, "unknown")):
        chosen = core("scs_mm_ct", width=width, block=4)
        lemmas = [each for each in scs_mm_ct.LEMMAS if each.name == "carries_found"]
        (found,) = verdicts(chosen, chosen.hardware, lemmas)
        assert found.verdict == verdict


def test_lemmas_that_say_nothing_are_unknown(tmp_path: Path) -> None:
    state, s = net("state_q", 2), net("s_q", W + 1)
    lemmas = [
        Lemma("never", (state.eq(1), state.eq(2)), (following(s).eq(0),)),
        Lemma("renamed", (), (net("total_q", W).eq(0),)),
        Lemma("narrow", (), (net("s_q", W) < 5,)),
    ]
    netlist = read_netlist(mm_r2(None, tmp_path), timeout=60)
    found = prove_lemmas(netlist, {"W": 16}, lemmas, timeout=60)
    assert [check.verdict for check in found] == ["unknown"] * 3
    assert "total_q" in found[1].message
    assert "17" in found[2].message


def test_a_statement_holds_for_every_value_of_an_index(tmp_path: Path) -> None:
    n, run, at = net("n_q", W), net("state_q", 2).eq(1), size("i")
    stay = every("i", W, part(following(n), at).eq(part(n, at)))
    netlist = read_netlist(mm_r2(None, tmp_path), timeout=60)
    lemmas = [Lemma("stay", (run,), (stay,)), Lemma("always", (), (stay,))]
    found = prove_lemmas(netlist, {"W": 16}, lemmas, timeout=60)
    assert [check.verdict for check in found] == ["proved", "refuted"]
    assert set(stay.sizes) == {"W"}
    assert "(forall i : Z, 0 <= i < W -> " in coq_text(lemmas)


@needs_coq
@pytest.mark.parametrize("name", PROOFS)
def test_the_contract_follows_from_the_lemmas(name: str) -> None:
    for width in (3, 65):  # in one test, as Coq checks the theorem once
        chosen = core(name, width=max(width, LEAST_WIDTH.get(name, 3)))
        latency, more = chosen.contract.latency, chosen.contract.handover + 1
        cycles = f"{latency.minimum + more} {latency.maximum + more}"
        r = chosen.contract.r
        number = str(r) if name in {"mlm", "mlws"} else f"2 ^ {r.bit_length() - 1}"
        assert f"{cycles} ({number})" in close(chosen, lemmas_of(chosen) or ())


@needs_coq
@pytest.mark.parametrize(("name", "parameters"), FOR_COQ)
def test_the_contract_follows_with_other_parameters(
    name: str, parameters: dict[str, int | str]
) -> None:
    chosen = core(name, width=33, **parameters)
    assert "Theorem closed" in close(chosen, lemmas_of(chosen) or ())


@needs_coq
def test_from_a_weaker_lemma_it_does_not_follow() -> None:
    (step,) = (lemma for lemma in LEMMAS if lemma.name == "step")
    weaker = replace(step, shows=step.shows[:-1])
    some = [weaker if lemma is step else lemma for lemma in LEMMAS]
    with pytest.raises(ProofError):
        close(core("mm_r2", width=16), some)


@needs_coq
@pytest.mark.parametrize(
    ("name", "cycles", "other"),
    [
        ("mm_r2", " 18 18 ", " 17 17 "),
        ("scs_mm_new", " 16 49 ", " 17 49 "),
        ("scs_mm_new", " 16 49 ", " 16 48 "),
        ("eberle", " 37 37 ", " 38 38 "),
        ("mlws", " 14 14 ", " 15 15 "),
        ("mlm", " 14 17 ", " 15 17 "),
        ("mlm", " 14 17 ", " 14 16 "),
        ("full_pipelined", " 5 5 ", " 6 6 "),
        ("full_pipelined", " 5 5 ", " 4 4 "),
        ("barrett", " 4 4 ", " 3 3 "),
        ("karatsuba", " 18 18 ", " 17 17 "),
        ("orup", " 12 12 ", " 13 13 "),
        ("bipartite", " 13 13 ", " 12 12 "),
        ("unit_csa overlap", " 11 11 ", " 10 10 "),
        ("unit_csa overlap", " 11 11 ", " 12 12 "),
        ("fcs_mmm42", " 14 26 ", " 15 26 "),
        ("fcs_mmm42", " 14 26 ", " 14 25 "),
        ("fios_systolic", " 9 9 ", " 10 10 "),
        ("fios_dsp", " 65 65 ", " 64 64 "),
        ("mcivor", " 12 12 ", " 13 13 "),
        ("rmm", " 12 12 ", " 13 13 "),
        ("fixed_prime", " 13 13 ", " 14 14 "),
        ("fixed_square", " 13 13 ", " 12 12 "),
        ("tenca_koc", " 38 38 ", " 37 37 "),
        ("unit_dsp", " 17 17 ", " 16 16 "),
        ("unit_chain", " 26 26 ", " 25 25 "),
    ],
)
def test_another_latency_does_not_follow(
    name: str, cycles: str, other: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, *options = name.split()
    chosen = core(name, width=max(16, LEAST_WIDTH.get(name, 3)), **dict.fromkeys(options, 1))
    lemmas = lemmas_of(chosen) or ()
    text = theorem_text(chosen, lemmas)
    assert cycles in text
    monkeypatch.setattr(montforge.prove.coq, "theorem_text", lambda *_: text.replace(cycles, other))
    with pytest.raises(ProofError):
        close(chosen, lemmas)


@needs_coq
def test_with_another_constant_it_does_not_follow(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = core("barrett", width=16)
    lemmas = lemmas_of(chosen) or ()
    text = theorem_text(chosen, lemmas)
    assert 'net "mu_i" c = 2 ^ 36 / net "n_i" c' in text
    other = text.replace("2 ^ 36 /", "2 ^ 35 /")
    monkeypatch.setattr(montforge.prove.coq, "theorem_text", lambda *_: other)
    with pytest.raises(ProofError):
        close(chosen, lemmas)


@needs_coq
@pytest.mark.parametrize("name", ["fcs_mmm42", "scs_mm_new"])
def test_a_smaller_bound_for_some_moduli_does_not_follow(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen = core(name, width=16, variant="published")
    lemmas = lemmas_of(chosen) or ()
    text = theorem_text(chosen, lemmas)
    assert "(n mod 4 = 1 /\\ x < 4 * n \\/ x < 2 * n)" in text
    smaller = text.replace("x < 4 * n", "x < 3 * n")
    monkeypatch.setattr(montforge.prove.coq, "theorem_text", lambda *_: smaller)
    with pytest.raises(ProofError):
        close(chosen, lemmas)


@needs_coq
def test_an_axiom_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    lemmas = LEMMAS
    whole = theorem_text(core("mm_r2", width=16), lemmas)
    head, proof = whole.split("Proof.")
    text = f"{head}Proof. Admitted.{proof.split('Qed.')[1]}"
    monkeypatch.setattr(montforge.prove.coq, "theorem_text", lambda *_: text)
    with pytest.raises(ProofError):
        close(core("mm_r2", width=16), lemmas)


def test_lemmas_are_printed_as_integers() -> None:
    s, n = net("s_q", W + 1), net("n_q", W)
    text = coq_text([Lemma("reduce", (s < 2 * n,), (following(s) <= s - n,))])
    assert "Definition reduce" in text
    assert '(net "s_q" t) < (2 * (net "n_q" t))' in text
    assert '(net "s_q" (S t)) <= ((net "s_q" t) - (net "n_q" t))' in text


def test_every_family_has_its_theorem_and_is_named() -> None:
    page = Path(__file__).parents[2] / "docs/reference/prove.md"
    for name in PROOFS:
        assert (proofs_root() / f"{name}.v").is_file()
        assert f"`{name}`" in page.read_text(encoding="utf-8")


@needs_coq
def test_the_command_says_what_is_proved() -> None:
    words = ["prove", "mm_r2", "-p", "width=16", "--check", "timing", "--check", "function"]
    result = CliRunner().invoke(app, [*words, "--json"])
    data = json.loads(result.stdout)
    assert (result.exit_code, data["verdict"]) == (0, "proved")
    assert [check["verdict"] for check in data["checks"]] == ["proved", "proved"]
    assert len(data["checks"][1]["parts"]) == len(LEMMAS)


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (["scs_mm_new", "-p", "width=16", "--check", "timing"], 1),
        (["fmlm", "-p", "width=16", "--check", "function"], 3),
        (["unit_csa", "-p", "width=16", "--check", "timing"], 0),
    ],
)
def test_exit_status(words: list[str], status: int) -> None:
    assert CliRunner().invoke(app, ["prove", *words]).exit_code == status


def test_a_design_without_lemmas_says_what_is_missing() -> None:
    said = {name: missing_parts(core(name, width=64)) for name in cores() if name not in PROOFS}
    other = core("grossschaedl", width=16, reduction="subtract")
    assert lemmas_of(other) is None and "reduction = subtract" in missing_parts(other)
    short = core("fios_systolic", width=30)
    assert lemmas_of(short) is None and "with 2 words" in missing_parts(short)
    for form, lacks in (({"variant": "unit"}, "variant = unit"), ({"width": 512}, "31 words")):
        ring = core("fios_dsp", **{"width": 64, **form})
        assert lemmas_of(ring) is None and lacks in missing_parts(ring)
    for width, stages, lacks in ((16, 3, "one block"), (64, 2, "stages = 2")):
        passes = core("mcivor", width=width, stages=stages)
        assert lemmas_of(passes) is None and lacks in missing_parts(passes)
    many = core("scs_mm_ct", width=8192, block=4)
    assert lemmas_of(many) is None and "2049 blocks" in missing_parts(many)
    stages = core("full_pipelined", width=64, levels=3)
    assert lemmas_of(stages) is None and "levels = 3" in missing_parts(stages)
    for parameters, lacks in (
        ({"karatsuba": 1}, "karatsuba = 1"),
        ({"modulus": 2**64 - 59, "reduction": "fold"}, "reduction = fold"),
    ):
        prime = core("fixed_prime", width=64, **parameters)
        assert lemmas_of(prime) is None and lacks in missing_parts(prime)
    for parameters in ({"variant": "in_place"}, {"accumulator": "carry_save"}, {"contexts": 2}):
        form = core("rmm", width=64, **parameters)
        said_of = " = ".join(map(str, *parameters.items()))
        assert lemmas_of(form) is None and said_of in missing_parts(form)
    levels = core("karatsuba", width=64, levels=3)
    assert lemmas_of(levels) is None and "levels = 3" in missing_parts(levels)
    for parameters in ({"rows": 2}, {"folding": 2}, {"sums": "cascade"}):
        row = core("unit_dsp", width=64, **parameters)
        said_of = " = ".join(map(str, *parameters.items()))
        assert lemmas_of(row) is None and said_of in missing_parts(row)
    assert said["fmle"] == "a theorem and lemmas are missing"
    word = core("unit_chain", width=16, chain=64)
    assert lemmas_of(word) is None and "one word of 64 bits" in missing_parts(word)
    named = re.compile(r"theorems? (\w+).* in proofs/(\w+)\.v")
    for theorem, file in named.findall("\n".join(said.values())):
        assert f"Theorem {theorem} " in (proofs_root() / f"{file}.v").read_text(encoding="utf-8")


@needs_coq
def test_the_theorem_of_skipped_iterations_has_no_axiom(tmp_path: Path) -> None:
    for name in ("Light", "DigitRecurrence", "Instances", "Skipping"):
        text = (proofs_root() / f"{name}.v").read_text(encoding="utf-8")
        said = "\nPrint Assumptions skipping.\n" if name == "Skipping" else ""
        (tmp_path / f"{name}.v").write_text(text + said, encoding="utf-8")
        command = ["coqc", "-R", ".", "", f"{name}.v"]
        found = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "Closed under the global context" in found.stdout


def test_wrong_requests_name_what_is_legal() -> None:
    chosen = core("mm_r2", width=16)
    with pytest.raises(UnknownNameError, match="timing"):
        prove(chosen, checks=["time"])
    with pytest.raises(UnknownNameError, match="a"):
        prove(chosen, secret=["e"])
    for timeout in (0, float("nan"), float("inf")):
        with pytest.raises(ParameterError, match="time_limit"):
            prove(chosen, timeout=timeout)
    with pytest.raises(ParameterError, match="words"):
        prove(core("eberle", width=16).with_form("native"), secret=["a"])


FORMS = {
    "mm_r2 axi": "proved",
    "unit_csa axi": "proved",
    "scs_mm_new axi": "refuted",
    "unit_csa axis": "proved",
    "scs_mm_new axis": "refuted",
    "eberle native": "proved",
    "fios_dsp native": "proved",
    "fmlm native": "proved",
}


@pytest.mark.parametrize("words", FORMS)
def test_time_of_other_forms(words: str) -> None:
    name, form = words.split()
    found = prove(core(name, width=24).with_form(form), checks=["timing", "control"])
    timing, control = found.checks
    assert (timing.verdict, control.verdict) == (FORMS[words], "unknown")
    assert timing.assumptions and form in control.message


def test_a_bus_that_waits_for_an_operand_is_refuted(tmp_path: Path) -> None:
    chosen = core("mm_r2", width=16).with_form("axi")
    leaking = edited(core("mm_r2", width=16), *LEAKS["valid"], tmp_path).hardware.files[-1]
    own = tuple(leaking if path.name == leaking.name else path for path in chosen.hardware.files)
    hardware = replace(chosen.hardware, files=own)
    (found,) = prove(chosen, checks=["timing"], hardware=hardware).checks
    assert found.verdict == "refuted"


@needs_coq
def test_a_literal_modulus_rests_on_the_theorem_for_each_modulus() -> None:
    chosen = core("mm_r2", width=4, modulus=11)
    found = prove(chosen, checks=["timing", "function"])
    assert found.verdict == "proved" and found.secret == ("a", "b")
    assert any("literals drive the ports of n, 0xb" in each for each in found.checks[1].assumptions)
