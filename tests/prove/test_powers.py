# SPDX-License-Identifier: Apache-2.0
"""Powers over a multiplier: proved, refuted for planted faults, unknown without lemmas."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

import montforge.prove.powers
from montforge.arch import Core, core
from montforge.arch.modexp import Modexp
from montforge.prove import prove
from montforge.prove.lemmas import lemmas_of, missing_parts, modexp, sizes
from montforge.prove.netlist import WITH_UNUSED, WITH_WORDS, read_netlist
from montforge.prove.powers import close_power, power_text
from montforge.prove.solver import prove_lemmas
from montforge.prove.verdict import Check, ProofError
from planted import edited

needs_coq = pytest.mark.skipif(shutil.which("coqc") is None, reason="Coq is not installed")
LADDER, ALWAYS, WINDOW, L2R = "ladder", "square_multiply_always", "window", "l2r"


def exponentiator(algorithm: str, width: int = 16, **options: Any) -> Modexp:
    found = core("modexp", width=width, algorithm=algorithm, **{"multiplier": "mm_r2"} | options)
    assert isinstance(found, Modexp)
    return found


MORE = {"width": 65, "adder": 4, "exponent_bits": 9}


@pytest.mark.parametrize(
    ("algorithm", "options"),
    [
        *(
            (algorithm, options)
            for algorithm in (LADDER, ALWAYS)
            for options in ({"width": 3}, MORE)
        ),
        (WINDOW, {"width": 3, "w": 2, "exponent_bits": 1}),
        (WINDOW, {"width": 33, "w": 3, "adder": 4, "exponent_bits": 40}),
        (WINDOW, {"width": 3, "w": 1, "exponent_bits": 1}),
        (L2R, {"width": 33, "adder": 4, "exponent_bits": 40}),
        (L2R, {"width": 9, "adder": 8, "multiplier": "booth_csa"}),
        (WINDOW, {"width": 9, "w": 1, "adder": 8, "multiplier": "booth_csa"}),
        *(
            (algorithm, {"width": width, "adder": 4, "multiplier": multiplier})
            for algorithm in (LADDER, ALWAYS, WINDOW)
            for width, multiplier in ((3, "scs_mm1"), (18, "scs_mm_ct"))
        ),
        (LADDER, {"width": 8, "multiplier": "full_parallel"}),
        (ALWAYS, {"width": 18, "multiplier": "fcs_mm1"}),
        (LADDER, {"width": 9, "adder": 4, "multiplier": "fcs_mm2"}),
        (LADDER, {"width": 16, "adder": 4, "multiplier": "booth_csa"}),
        (WINDOW, {"width": 8, "w": 2, "adder": 8, "multiplier": "booth_csa"}),
        (ALWAYS, {"width": 9, "multiplier": "unit_csa", "multiplier.result": "signed"}),
        (LADDER, {"width": 9, "multiplier": "unit_csa", "multiplier.result": "nonnegative"}),
        (ALWAYS, {"width": 18, "adder": 4, "multiplier": "scs_mm_new"}),
        (WINDOW, {"width": 9, "w": 2, "adder": 8, "multiplier": "fcs_mmm42"}),
        (LADDER, {"width": 12, "adder": 8, "multiplier": "orup", "multiplier.digit": 2}),
        (ALWAYS, {"width": 9, "adder": 4, "multiplier": "full_pipelined"}),
        (WINDOW, {"width": 33, "w": 2, "multiplier": "three_pass"}),
        (LADDER, {"width": 9, "multiplier": "mlws", "multiplier.digit": 3}),
        (ALWAYS, {"width": 9, "multiplier": "mlm", "multiplier.digit": 3}),
    ],
)
def test_all_lemmas_hold(algorithm: str, options: dict[str, Any]) -> None:
    chosen = exponentiator(algorithm, **options)
    netlist = read_netlist(chosen.hardware, timeout=60, prepare=WITH_WORDS)
    found = prove_lemmas(
        netlist,
        sizes(chosen),
        lemmas_of(chosen) or (),
        timeout=60,
        with_unused=lambda: read_netlist(chosen.hardware, timeout=60, prepare=WITH_UNUSED),
    )
    assert {each.verdict for each in found} == {"proved"}
    assert any(each.name.startswith(modexp.PART) for each in found)


FAULTS = [
    (LADDER, "decided_waits", "exchange = current_i ^ next_i", "exchange = current_i"),
    (ALWAYS, "decided_waits", "= !IsAlways || current_i", "= 1'b1"),
    (LADDER, "decided_waits", "terms_o.acc_leave   = 1'b1", "terms_o.acc_leave   = 1'b0"),
    (LADDER, "word_read", "select_q <= at_q[SelectW-1:0]", "select_q <= ~at_q[SelectW-1:0]"),
    (LADDER, "word_moves", ": at_q - AtW'(1)", ": at_q - AtW'(2)"),
    (LADDER, "bit_moves", "word[select_q] && !empty_q", "word[select_q] && empty_q"),
    (LADDER, "exponent_loads", "AtW'(length_i - LengthW'(1))", "AtW'(length_i)"),
    (ALWAYS, "part_ports", "& {SumBits{b_acc}}", "& {SumBits{!b_acc}}"),
    (ALWAYS, "checking_on", "pass_q ? words_q == WordCountW'(1)", "pass_q ? words_q == 0"),
    (ALWAYS, "digit_moves", "digit_q   <= digit_i", "digit_q   <= !digit_i"),
    (LADDER, "checking_on", "terms_o.t_read      = !current_i", "terms_o.t_read      = current_i"),
    (LADDER, "checking_on", "terms_o.acc_read    = current_i", "terms_o.acc_read    = 1'b0"),
    (LADDER, "refuses", "!modulus_ok_i ? ErrorModulus", "!modulus_ok_i ? ErrorNone"),
    (WINDOW, "table_takes", "write_addr_o = entry;", "write_addr_o = entry ^ 1'b1;"),
    (WINDOW, "entry_taken", "HalfW'(32'(entry_q) / 2) + HalfW'(1)", "HalfW'(32'(entry_q) / 2)"),
    (WINDOW, "decided_waits", "read_addr_q[DigitW-1:0] == digit_i", "read_addr_q[0] == digit_i[0]"),
    (WINDOW, "recoder_fills", "{digit_q[DigitW-2:0], bit_i}", "{bit_i, digit_q[DigitW-1:1]}"),
    (WINDOW, "entering_waits", "CountW'(i % DigitW);", "CountW'((i + 1) % DigitW);"),
    (WINDOW, "product_taken", "squarings_o = CountW'(DigitW)", "squarings_o = CountW'(DigitW - 1)"),
    (
        WINDOW,
        "begun_waits",
        "= product_valid_o && mul_ready_i",
        "= issue_q && run_q && mul_ready_i",
    ),
    (L2R, "begun_asks", "(IsLadder || IsR2l || !product_q)", "(IsLadder || IsR2l || product_q)"),
    (L2R, "loaded_waits", "next_digit = !IsLadder && !IsR2l;", "next_digit = 1'b0;"),
    (L2R, "skipped", "assign product_o   = bit_i ||", "assign product_o   = !bit_i ||"),
    (L2R, "entering_asks", "product_q <= digit_product_i", "product_q <= !digit_product_i"),
    (L2R, "decided_waits", "IsF4 ? StLeave : StProduct;", "StLeave;"),
    (
        L2R,
        "decided_waits",
        "step_d = more ? FirstStep : StLeave",
        "step_d = more ? StProduct : StLeave",
    ),
    (L2R, "checking_on", "(after_q == StProduct) ||", "(after_q == StSquare) ||"),
    (L2R, "decided_waits", "= IsAlways && !current_i", "= 1'b1"),
    (L2R, "loaded_waits", "terms_o.acc_leave   = 1'b1", "terms_o.acc_leave   = 1'b0"),
    (
        L2R,
        "decided_waits",
        "leave_next_q   <= next_digit && !more",
        "leave_next_q   <= next_digit && more",
    ),
    (
        L2R,
        "skipped_leaves",
        "digit_done_q   <= next_digit && waiting_d",
        "digit_done_q   <= next_digit && run_q",
    ),
    (L2R, "middle_taken", "step_q   <= after_q", "step_q   <= StSquare"),
    (L2R, "one_loads", "<= (Algorithm == F4) ? x_i : r1_i", "<= x_i"),
    (LADDER, f"{modexp.PART}step", "s_q <= sum[Width+1:1]", "s_q <= {1'b0, sum[Width+1:2]}"),
]
"""Algorithm, the lemma that an edit breaks, the edit."""
OF_BITS = [
    (
        "scan_starts",
        "if (scan_start) read_addr_d = AddrW'(1);",
        "if (scan_start) read_addr_d = '0;",
    ),
    ("begun_asks", "(turn.acc_read && waiting_d) || reading", "(turn.acc_read && waiting_d)"),
    ("second_stays", "found || (arrived && acc_takes_q)", "found || acc_takes_q"),
    (
        "squared",
        "scan_end_q   <= read_addr_q == AddrW'(Depth - 1)",
        "scan_end_q   <= read_addr_q == '0",
    ),
    (
        "decided_waits",
        "<= read_addr_q[DigitW-1:0] == digit_i",
        "<= read_addr_q[DigitW-1:0] != digit_i",
    ),
    ("table_enters", "(take_i && writes_q)", "(take_i && !writes_q)"),
    ("table_reads", "rd_data_o <= words_q[rd_addr_i]", "rd_data_o <= words_q[~rd_addr_i]"),
    ("table_loads", "words_q[wr_addr_i] <= wr_data_i", "words_q[~wr_addr_i] <= wr_data_i"),
    ("checking_on", "next_digit = HasTable && DigitW == 1;", "next_digit = 1'b0;"),
    ("entered_waits", "terms_o.t_read    = zero_i", "terms_o.t_read    = !zero_i"),
    (
        "digit_moves",
        "assign digit_o     = DigitW'(bit_i);",
        "assign digit_o     = DigitW'(!bit_i);",
    ),
    ("digit_bit", "bit_take_o  = take_i", "bit_take_o  = 1'b0"),
    ("loaded_waits", "assign more_o      = bit_valid_i;", "assign more_o      = 1'b0;"),
    ("enters", "read_addr_d = AddrW'(!last_entry_q)", "read_addr_d = AddrW'(last_entry_q)"),
    ("product_taken", "starts_q <= starts_after_q", "starts_q <= !starts_after_q"),
    (
        "begun_waits",
        "!(step_q == StProduct && scan_busy) &&",
        "!(step_q == StSquare && scan_busy) &&",
    ),
]
"""The lemma on windows of one bit that an edit breaks, the edit."""
OVER_2N = [
    ("chooses", ": !pass_other_negative_i)", ": pass_other_negative_i)"),
    ("subtracts", "late_q ? other_word_q :", "!late_q ? other_word_q :"),
    ("reduces", "<= pass.run ? other_carry : pass.subtract", "<= other_carry"),
    ("subtracts", "other_negative_q <= other_word[Adder-1]", "other_negative_q <= other_word[0]"),
    ("reduces", "n_term ^ {Adder{pass.subtract}}", "n_term ^ {Adder{!pass.subtract}}"),
    ("reduces_on", "assign pass_on         = pass_q && !last_word_q", "assign pass_on = 1'b0"),
    ("reduces_last", "reduce_q && pass_q && last_word_q && !abort_i", "1'b0"),
    ("constant_loads", "if (from_ports) constants_q", "if (!from_ports) constants_q"),
]
"""The lemma on the subtraction after the last product that an edit breaks, the edit."""
PAIRS = [
    (LADDER, "enters", "(product_c & {CarryW{terms.t_product}}) |", ""),
    (LADDER, "last_taken", "(acc_c_q & {CarryW{terms.t_acc}}) |", ""),
    (WINDOW, "scan_goes", "(read_c & {CarryW{terms.acc_read}})", "'0"),
    (WINDOW, "table_takes", "product_c[CarryTableW-1:0] & {CarryTableW{busy}}", "'0"),
    (WINDOW, "table_reads", "rd_data_o <= words_q[rd_addr_i]", "rd_data_o <= words_q[wr_addr_i]"),
    (WINDOW, "part_ports", "(read_carry & {CarryBits{b_read}}) |", ""),
    (LADDER, "part_ports", "{t_c_q[CarryBits-1:0], t_s_q", "{acc_c_q[CarryBits-1:0], t_s_q"),
    (LADDER, "subtracts", "pass.run && value_carry;", "pass.run && !value_carry;"),
    (LADDER, "subtracts", "pass.run && majority[Adder-1]", "pass.run && majority[0]"),
    (
        LADDER,
        "subtracts",
        "value_negative_q <= value_word[Adder-1]",
        "value_negative_q <= value_word[0]",
    ),
    (LADDER, "chooses", "if (Pair && late_q)", "if (1'b0)"),
    (LADDER, "chooses", "? pass_value_negative_i", "? !pass_value_negative_i"),
    (LADDER, "reduces", "subtract: !Signed || step_q == StEnter || load", "subtract: 1'b1"),
    (
        LADDER,
        "reduces",
        "SumW'($signed(mul_p_i[ResultSumBits-1:0]))",
        "SumW'(mul_p_i[ResultSumBits-1:0])",
    ),
]
"""Algorithm, the lemma on signed pairs that an edit breaks, the edit."""
ORUP = {"multiplier": "orup", "multiplier.digit": 2, "width": 12, "adder": 8}
SHIFTS = [
    ("quiet_on", "wide_q  <= Passes > 1;", "wide_q  <= 1'b0;"),
    ("quiet_on", "(Passes > 0) ? Passes - 1 : 0", "(Passes > 0) ? Passes - 2 : 0"),
    ("quiet_on", "end else if (!reduce_q) begin", "end else if (1'b0) begin"),
    ("reduces", "n_wide[Adder-1:0] : n_first", "n_first : n_first"),
    ("reduces", "pass.wide ? n_wide[Adder:1] :", "pass.wide ? n_wide[Adder-1:0] :"),
    ("reduces_on", "n_first[Adder-1-:Passes-1] &", "n_first[Passes-2:0] &"),
    ("reduces_on", "n_first[Adder-1:1]}", "n_first[Adder-2:0]}"),
    ("reduces_on", "{n_next && !pass.top,", "{n_next,"),
    ("reduces_on", "{n_next && !pass.top,", "{1'b0,"),
    ("reduces_last", "shift_q <= shift_q - PassW'(1)", "shift_q <= shift_q - PassW'(2)"),
    ("reduces_last", "shift_q != PassW'(1)", "shift_q != PassW'(2)"),
    ("reduces_last", "reduced_q <= shift_q == '0", "reduced_q <= shift_q == PassW'(1)"),
    ("chooses_on", "(select_q && !reduced_q)", "(select_q && reduced_q)"),
    ("chooses", "!abort_i && !pass_q && reduced_q)", "!abort_i && !pass_q && !reduced_q)"),
]
"""The lemma on several passes after the last product that an edit breaks, the edit."""
IN_ORDER = [
    ("owed", "= request_q && !abort_i", "= request_q"),
    ("owed", "if (!run_q || take) issue_d", "if (!run_q || waiting_q) issue_d"),
    ("owed", "!last_take && !(stop &&", "!last_take && !(stop ||"),
    ("owed", "else if (accept) issue_d = 1'b0", "else if (accept) issue_d = issue_q"),
    ("owed", "take            = waiting_q && arrived", "take            = arrived"),
]
"""The lemma on a multiplier with several requests under way that an edit breaks, the edit."""
NO_POWER_OF_2 = [
    ("mlws", "constant_loads", "if (from_ports) constants_q", "if (!from_ports) constants_q"),
    (
        "mlws",
        "constant_port",
        "= constants_q[ConstantBits-1:0];",
        "= ~constants_q[ConstantBits-1:0];",
    ),
    (
        "mlws",
        "part_modulus",
        "assign mul_n_o         = n_q[Width-1:0]",
        "assign mul_n_o = ~n_q[Width-1:0]",
    ),
    ("mlws", "subtracts", "late_q ? other_word_q :", "!late_q ? other_word_q :"),
    ("mlws", f"{modexp.PART}halved", "doubled[OperandW:1]", "doubled[OperandW-1:0]"),
    ("mlws", f"{modexp.PART}halved", "Length'(1) - g", "Length'(0) - g"),
    ("mlws", f"{modexp.PART}hold", "if (rsp_ready_i) phase_q", "if (!rsp_ready_i) phase_q"),
    ("mlws", f"{modexp.PART}accept", ".n_prime_i(n_prime_i)", ".n_prime_i(~n_prime_i)"),
    ("mlm", f"{modexp.PART}negated", "H - {1'b0, g}", "H - {g, 1'b0}"),
    ("mlm", f"{modexp.PART}add_f", "StAddF:       t_q <= t_q + H", "StAddF:       t_q <= t_q"),
    ("mlm", f"{modexp.PART}halved", "t_q[1] != parity", "t_q[1] == parity"),
    ("mlm", f"{modexp.PART}compared", "? StDone : StSubtract", "? StSubtract : StDone"),
]
"""Multiplier whose R is no power of 2, the lemma that an edit breaks, the edit."""
CONSTANTS = [
    ("constant_loads", "if (from_ports) constants_q", "if (!from_ports) constants_q"),
    ("constant_port", "= constants_q[ConstantBits-1:0];", "= ~constants_q[ConstantBits-1:0];"),
]
"""The lemma on the constants of a multiplier with two that an edit breaks, the edit."""


def verdict(chosen: Core, name: str, old: str, new: str, folder: Path) -> Check:
    hardware = edited(chosen, old, new, folder).hardware
    (broken,) = (each for each in lemmas_of(chosen) or () if each.name == name)
    netlist = read_netlist(hardware, timeout=60, prepare=WITH_WORDS)
    (found,) = prove_lemmas(netlist, sizes(chosen), [broken], timeout=60)
    return found


@pytest.mark.parametrize(("algorithm", "lemma", "old", "new"), FAULTS)
def test_a_planted_fault_is_refuted(
    algorithm: str, lemma: str, old: str, new: str, tmp_path: Path
) -> None:
    assert verdict(exponentiator(algorithm), lemma, old, new, tmp_path).verdict == "refuted"


@pytest.mark.parametrize(("lemma", "old", "new"), OF_BITS)
def test_a_planted_fault_with_windows_of_one_bit_is_refuted(
    lemma: str, old: str, new: str, tmp_path: Path
) -> None:
    chosen = exponentiator(WINDOW, width=8, w=1)
    assert verdict(chosen, lemma, old, new, tmp_path).verdict == "refuted"


@pytest.mark.parametrize(("lemma", "old", "new"), OVER_2N)
def test_a_planted_fault_after_the_last_product_is_refuted(
    lemma: str, old: str, new: str, tmp_path: Path
) -> None:
    chosen = exponentiator(LADDER, adder=4, multiplier="scs_mm_ct")
    assert verdict(chosen, lemma, old, new, tmp_path).verdict == "refuted"


@pytest.mark.parametrize(("algorithm", "lemma", "old", "new"), PAIRS)
def test_a_planted_fault_with_signed_pairs_is_refuted(
    algorithm: str, lemma: str, old: str, new: str, tmp_path: Path
) -> None:
    w = {"w": 2} if algorithm == WINDOW else {}
    chosen = exponentiator(algorithm, width=9, adder=8, multiplier="booth_csa", **w)
    assert verdict(chosen, lemma, old, new, tmp_path).verdict == "refuted"


@pytest.mark.parametrize(("lemma", "old", "new"), SHIFTS)
def test_a_planted_fault_in_several_passes_is_refuted(
    lemma: str, old: str, new: str, tmp_path: Path
) -> None:
    assert verdict(exponentiator(LADDER, **ORUP), lemma, old, new, tmp_path).verdict == "refuted"


@pytest.mark.parametrize(("lemma", "old", "new"), IN_ORDER)
def test_a_planted_fault_with_several_requests_is_refuted(
    lemma: str, old: str, new: str, tmp_path: Path
) -> None:
    chosen = exponentiator(LADDER, width=9, multiplier="full_pipelined")
    assert verdict(chosen, lemma, old, new, tmp_path).verdict == "refuted"


def test_a_planted_fault_with_another_encoding_of_results_is_refuted(tmp_path: Path) -> None:
    options = {"multiplier": "unit_csa", "multiplier.result": "nonnegative"}
    plain, signed = "SumW'(mul_p_i[ResultSumBits-1:0])", "SumW'(mul_p_i[ResultSumBits-2:0])"
    assert verdict(exponentiator(LADDER, **options), "left", plain, signed, tmp_path).verdict == (
        "refuted"
    )


@pytest.mark.parametrize(("lemma", "old", "new"), CONSTANTS)
def test_a_planted_fault_with_two_constants_is_refuted(
    lemma: str, old: str, new: str, tmp_path: Path
) -> None:
    signed = {"multiplier": "unit_csa", "multiplier.result": "signed"}
    assert verdict(exponentiator(ALWAYS, **signed), lemma, old, new, tmp_path).verdict == "refuted"


@pytest.mark.parametrize(("multiplier", "lemma", "old", "new"), NO_POWER_OF_2)
def test_a_planted_fault_with_another_r_is_refuted(
    multiplier: str, lemma: str, old: str, new: str, tmp_path: Path
) -> None:
    chosen = exponentiator(LADDER, width=8, multiplier=multiplier)
    assert verdict(chosen, lemma, old, new, tmp_path).verdict == "refuted"


@needs_coq
def test_the_power_follows_from_the_lemmas_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = exponentiator(LADDER)
    (found,) = prove(chosen, checks=["function"]).checks
    assert found.verdict == "proved" and "no abort" in found.assumptions
    text = power_text(chosen)
    head, proof = text.split("Proof.")
    wrong = {
        "another R": text.replace("power net 16 (2 ^ 16)", "power net 16 (2 ^ 17)"),
        "longer exponents": text.replace("power net 16 (2 ^ 16)", "power net 17 (2 ^ 16)"),
        "no lemma on the multiplier": text.replace(
            "  mm_r2_lemmas.step 16 (modexp.part net) ->\n", ""
        ),
        "an axiom": f"{head}Proof. Admitted.{proof.split('Qed.')[1]}",
    }
    for each in wrong.values():
        assert each != text
        monkeypatch.setattr(montforge.prove.powers, "power_text", lambda _, each=each: each)
        with pytest.raises(ProofError):
            close_power(chosen)


@needs_coq
@pytest.mark.parametrize(
    ("algorithm", "multiplier", "said"),
    [
        pytest.param(
            *(ALWAYS, "bunimov", "power net 40 (2 ^ 24) (fun c : nat => True)"),
            marks=pytest.mark.again,
        ),
        (WINDOW, "bunimov", "power net 40 (2 ^ 24) (fun c : nat => True)"),
        (LADDER, "booth_csa", "power net 40 (2 ^ 26) (fun c : nat => True)"),
        (ALWAYS, "full_pipelined", "(modexp.part net) ->"),
        (LADDER, "scs_mm_new", "power net 40 (2 ^ 28)"),
        (ALWAYS, "mlws", f'power net 40 ({2**32 - 1}) (fun c : nat => (net "n_i" c * '),
        (LADDER, "scs_mm_ct", '(fun c : nat => raised 1 (net "n_i" c) (net "constants_i" c))'),
    ],
)
def test_another_algorithm_and_multiplier(algorithm: str, multiplier: str, said: str) -> None:
    text = close_power(exponentiator(algorithm, width=24, multiplier=multiplier, exponent_bits=40))
    assert said in text


@needs_coq
@pytest.mark.parametrize(
    ("algorithm", "options", "theorem"),
    [(WINDOW, {"w": 1}, "modexp_window_of_bits"), (L2R, {}, "modexp_l2r")],
)
def test_a_bit_after_the_other(algorithm: str, options: dict[str, int], theorem: str) -> None:
    chosen = exponentiator(algorithm, **options)
    text = close_power(chosen)
    assert theorem in text and "power net 16 (2 ^ 16)" in text
    (found,) = prove(chosen, checks=["function"]).checks
    assert found.verdict == "proved" and f"theorem {theorem}." in found.message


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"algorithm": "sliding"}, "algorithm = sliding"),
        ({"algorithm": "window", "table": "block"}, "table = block"),
        ({"multiplier": "fmlm"}, "fmlm, of which no contract is proved"),
        ({"multipliers": 2}, "multipliers = 2"),
        ({"constants": "hardware"}, "constants = hardware"),
    ],
)
def test_what_is_missing_is_said(options: dict[str, str | int], said: str) -> None:
    chosen = exponentiator(**{"algorithm": LADDER} | options)
    assert lemmas_of(chosen) is None and said in missing_parts(chosen)
