# SPDX-License-Identifier: Apache-2.0
"""Planted bugs: one-line edits of the engine's RTL that a short run must tell from the model."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from engine_faults import (
    BLOCKED,
    FLIP,
    STUCK_AT_0,
    STUCK_AT_1,
    WRONG,
    Fault,
    FaultBench,
    Register,
    build_with_faults,
)
from montforge.arch import design
from montforge.arch.rsa.engine import Engine
from montforge.arch.rsa.key import Key
from montforge.arch.rsa.keys import make_key, wrong_keys
from montforge.arch.rsa.model import PRIVATE, Error, Model
from montforge.verify.engine_bench import EngineBench, Y
from planted import Bug, planted_program

from .bench_words import bench_words

ROWS, PROGRAM, HALF = (f"mf_rsa_{name}" for name in ("rows", "program", "exponentiator"))
CONTROL, JOB, GUARD, WORDS, WINDOWS = (
    f"mf_engine_{name}" for name in ("control", "job", "guard", "words", "windows")
)
SIGNED, UNSIGNED, SCALED = "booth_csa", "scs_mm_ct", "unit_dsp"
# n of 33 bits: p and q have 17, and one bit less in the second key.
ENGINE = design("rsa", bits=33, window=2, min_bits=16)


BUGS = [
    Bug("digits lowest first", HALF,
        "digit_q <= @{digit_q[DigitW-2:0], e_word_q[select_q] && !above_q}@;",
        "{e_word_q[select_q] && !above_q, digit_q[DigitW-1:1]}"),
    Bug("entries are squares", HALF, "square = @state_q == StSquare@ ||",
        "state_q == StEntry || state_q == StSquare"),
    Bug("scan not cleared", HALF, "b_s_q <= @(clear_q ? '0 : b_s_q)@ |", "b_s_q"),
    Bug("carries not in the table", HALF, "carry = @product_c[CarryT-1:0]@;", "'0"),
    Bug("R^2 for R", ROWS, "by(AmountD, go(GoWindow, half(WorkX), @half(SlotR1)@))",
        "half(SlotR2)"),
    Bug("doublings from the width", PROGRAM, "doublings_q <= @r_value - l_bits_q@;",
        "r_value - 16'((Config.bits + 1) / 2)"),
    Bug("split at the width", PROGRAM, "AmountL:    value_o.amount = @l_bits_q@;",
        "16'((Config.bits + 1) / 2)"),
    Bug("sum of the parts not reduced", ROWS, "parts[5] |= at(rows_q[149], @reduce(half(WorkX))@);",
        "copy(half(WorkX), half(WorkX))"),
    Bug("difference without p", ROWS,
        "words(WordSelect, of_p(WorkB), @of_p(WorkA)@, of_p(WorkB))", "of_p(WorkB)", UNSIGNED),
    Bug("m2 not reduced", ROWS,
        "of_q(WorkM)));\n    parts[8] |= at(rows_q[152], @reduce(of_p(WorkA))@);",
        "copy(of_p(WorkA), of_p(WorkA))", UNSIGNED),
    Bug("half of a pair renewed", ROWS, "parts[7] |= at(rows_q[135], @put(half(SlotVf))@);",
        "put(half(WorkH))"),
    Bug("an idle source taken", WORDS, "random_take    = @random_ready_o && random_valid_i@;",
        "random_ready_o"),
    Bug("check compares c with c", ROWS,
        ": counts(CodeFirst, compare(@half(WorkM)@, half(WorkX)), IfEqual));", "half(WorkX)",
        others=((ROWS, ": counts(CodeSecond, compare(@half(WorkM)@, half(WorkX)), IfEqual));",
                 "half(WorkX)"),)),
    Bug("c = n accepted", GUARD, "IfLess:     holds_o = @borrow_i@;",
        "(borrow_i || !nonzero_i)"),
    Bug("length not checked", GUARD, "IfLength:   holds_o = @length_ok_i@;", "1'b1"),
    Bug("h not reduced", ROWS, "parts[13] |= at(rows_q[157], @put(of_p(WorkH))@);",
        "words(WordStore, of_p(WorkH), of_p(WorkH), full(Zero))", UNSIGNED),
    Bug("doubles not reduced", ROWS, "parts[3] |= at(rows_q[99], @reduce(half(WorkB))@);",
        "copy(half(WorkB), half(WorkB))"),
    Bug("a digit too few", HALF, "counting_q <= @rest_q > LengthW'(DigitW)@;",
        "rest_q > LengthW'(2 * DigitW)"),
    Bug("qInv not checked", ROWS, "@IfEqual@, ErrQInv));", "IfAny"),
    Bug("inverses of e not proved", ROWS,
        "must(compare(wide(WorkP), full(Zero)), @IfEqual@,", "IfAny"),
    Bug("a step of the division too few", PROGRAM, "Times32:         times = @16'd32@;",
        "16'd31"),
    Bug("estimates of a bit too few", PROGRAM, "TimesEstimate:   times = @scale + 16'd2@;",
        "scale + 16'd1", SCALED),
    Bug("quotient from a bit too few", JOB, "(full_unit_i ? n_bits_i : length_i) - @16'd2@;",
        "16'd1", SCALED),
    Bug("quotient a bit too high", JOB, "amount = scale + @16'd4@;", "16'd5", SCALED),
    Bug("no subtraction after the estimate", JOB,
        "assign sub_phase      = @corrects && phase_i[0] == first_sub[0]@;", "1'b0", SCALED),
    Bug("estimate of the other half", JOB,
        """@'{
            name: (full_unit_i && !full_i) ? Names.full_estimate : Names.estimate, form: FormShort
          }@;""",
        "operand_t'{name: Names.estimate, form: FormQ}", SCALED),
    Bug("quotient bits for n below the remainder only", ROWS,
        "parts[4] |= at(rows_q[84], @words(WordSelect, half(WorkM), half(WorkM), half(WorkH))@);",
        "copy(half(WorkM), half(WorkH))", SCALED),
    Bug("found word not cleared", HALF, "found_q <= @(clear_q ? '0 : found_q)@ |", "found_q",
        SCALED),
    Bug("first digit's entry in b alone", HALF,
        "loads_a || @(end_q && state_q == StFirst)@ ||", "1'b0", SCALED),
    Bug("x not beside entry 1", HALF,
        "(due_q && @given_entry && (of_first || !piece_last)@) || end_q;",
        "of_first && !piece_last", SCALED),
    Bug("a word of the scan too few", HALF, "if (@piece_last@) scan_q <= ScIdle;",
        "(piece_q == PieceW'(Pieces - 2))", SCALED),
]  # fmt: skip


# Carries of the word unit, for which halves have several words.
WORDS_OF_A_HALF = design("rsa", bits=130, window=2, min_bits=64)
CARRY_BUGS = [
    Bug("carry within a column lost", WORDS, "<= @!product_end && acc_low[WordW]@;", "1'b0"),
    Bug("carry to the next column lost", WORDS, "<= @product_end && acc_low[WordW]@;", "1'b0"),
    Bug("carry within a word lost", WORDS, "= {@low_sum[HalfW]@ ? next_sum", "1'b0"),
]  # fmt: skip


# Bugs of flow and of what is left, which are seen in registers, memories, times or after faults.
SAME = design("rsa", bits=32, window=2, slots=2, min_bits=16)
FLOW_BUGS = [
    Bug("pairs of the halves exchanged", ROWS, "go(GoKeep, half(WorkX), @half(SlotVi)@));",
        "of_q(SlotVi)"),
    Bug("carry of the blinded exponent lost", WORDS, "carry_q <= @sum[WordW]@;",
        "(sum[WordW] && !(job_q.op == WordAdd && place_q == AddrW'(1)))"),
    Bug("one k for both halves", ROWS, "wide(WorkP), @short64(WorkK)@, half(WorkA)));",
        "operand_t'{name: WorkK, form: FormP}"),
    Bug("check skipped for e = 3", GUARD, "IfEqual:    holds_o = @!nonzero_i@;",
        "(!nonzero_i || mf_rsa.u_program.e_turns_q == 16'd2)"),
    Bug("result readable before the check ends", WINDOWS, "place.hit && @!occupied_i@ &&",
        "1'b1"),
    Bug("a second start restarts", CONTROL, "if (refuses) @refused_q <= 1'b1;@",
        "frame_q.step <= '0;"),
    Bug("a start in the last busy cycle", CONTROL, "state_q == SqIdle && @!moves_q@;", "1'b1"),
    Bug("zeroize clears valid only", CONTROL,
        "zeroize_slot_i && slot_legal) clear_list = @ClearSlot@;", "clear_t'(6'd0)"),
    Bug("abort leaves the halves", CONTROL,
        "<= end_error;\n          half_clear_q[0] <= @1'b1@;", "(error_q != ErrAborted)"),
    Bug("reset leaves the slots", CONTROL,
        "clear_set  = 1'b1;\n        clear_list = @ClearAll@;",
        "clear_t'{all_host: 1'b1, default: 1'b0}"),
    Bug("slot of the command that came last", CONTROL,
        "assign slot     = @(32'(command_q.slot) < Slots) ? slot_t'(command_q.slot) : '0@;",
        "((32'(slot_i) < Slots) ? slot_t'(slot_i) : '0)"),
    Bug("scan stops at the digit", HALF,
        "if (@step_q == EntryW'(Depth - 1)@) begin\n            step_q <= '0;",
        "(step_q == EntryW'(Depth - 1) || step_q[DigitW-1:0] == digit_q)"),
    Bug("scan from the digit on", HALF,
        "else if (!fetched_q) @scan_q <= public_state ? ScIdle : ScRead;@",
        """scan_q <= public_state ? ScIdle : ScRead;
            step_q <= public_state ? '0 : EntryW'(digit_q);"""),
    Bug("pair kept after an error", PROGRAM, "(event_i.error != ErrNone) life_q[slot] <= @'0@;",
        "life_q[slot]"),
    Bug("known answer not compared", ROWS, "compare(@half(WorkA)@, half(SlotR1)), IfEqual,",
        "half(SlotR1)"),
    Bug("c enters the check as it entered before", ROWS, "again_q <= @segment_i == SegReenter@;",
        "1'b0"),
    Bug("turns not compared", GUARD, "IfTurns:    holds_o = @turns_ok_i@;", "1'b1"),
    Bug("zeroize dropped while busy", CONTROL,
        "assign ask_slot = @state_q != SqIdle && zeroize_slot_i && slot_legal@;", "1'b0"),
    # It passes all checks, as they compare with what is left of c.
    Bug("c reduced in its own memory", CONTROL,
        "assign z_host_o   = @clearing && clear_host@;",
        "(clearing ? clear_host : u_job.placed_q.z.kind == 2'd1)", others=(
            (ROWS, "parts[3] |= at(rows_q[115], @copy(full(WorkC), full(HostX))@);\n"
             "    parts[4] |= at(rows_q[116], must(compare(full(WorkC), full(SlotM)), IfLess,",
             "words(WordLow, full(WorkC), full(HostX), full(Zero))"),
            (ROWS, "parts[6] |= at(rows_q[118], @call(SegPair, TimesRenew)@);",
             "words(WordLow, full(HostX), full(HostX), full(Zero))"),
        )),
]  # fmt: skip


def flow_differs(program: Path) -> str:
    """Return what a short run of the RTL of `SAME` does wrong, or nothing."""
    rng = random.Random(2)
    key, other = make_key(32, rng, 3), make_key(32, rng, 3)
    d = pow(key.e, -1, (key.p - 1) * (key.q - 1))
    with FaultBench(program, 32, seed=5) as bench:
        if bench.load(key).error or bench.load(other, slot=1).error:
            return "load"
        registers = bench.registers()

        def named(*parts: str) -> Register:
            (found,) = (r for r in registers if all(part in r.name for part in parts))
            return found

        host = named("u_host", "DOT__words_q")
        if bench.private(key.n - 2)[0].error:
            return "message"
        if bench.peek(host) & 0xFFFFFFFF != key.n - 2:
            return "message changed"
        alone, y = bench.private(9)
        if y != pow(9, d, key.n):
            return "result"

        # k of p such that the low 64 bits of k (p - 1) + d have a carry; another k for q.
        twos = (key.p - 1) & -(key.p - 1)
        wanted = -(-((1 << 64) - key.dp) // twos)
        ks = wanted * pow((key.p - 1) // twos, -1, 1 << 64) % (1 << 64), rng.getrandbits(64)
        bench.ask("random_words", *(k >> shift & 0xFFFFFFFF for k in ks for shift in (0, 32)))
        bench.ask("start", PRIVATE, 0, 0)
        bench.run(alone.cycles // 2)
        for half, (p, dp, k) in enumerate(zip((key.p, key.q), (key.dp, key.dq), ks, strict=True)):
            words = named(f"__BRA__{half}__KET__", "u_exponentiator__DOT__e_q")
            found = sum(bench.peek(words, i) << 32 * i for i in range(words.words))
            if found != dp + k * (p - 1):
                return "exponent"
        bench.ask("start", PRIVATE, 1, 0)
        while bench.run(50).busy:
            if bench.read(Y, 1) is not None:
                return "window"
        if bench.read(Y, 1) != y:
            return "second start"
        bench.ask("start", PRIVATE, 0, 0)
        bench.run(alone.cycles - 1)
        bench.ask("start", PRIVATE, 1, 0)
        bench.run()
        if bench.read(Y, 1) != y:
            return "late start"

        table, scan = (
            named("__BRA__0", name) for name in ("u_table", "u_exponentiator__DOT__step_q")
        )

        def addresses() -> list[int]:
            """Of the table, in every cycle of an operation."""
            bench.ask("start", PRIVATE, 0, 0)
            found = []
            while bench.run(1).busy:
                found.append(bench.peek(scan))
            return found

        if addresses() != addresses():
            return "addresses"

        bench.ask("start", PRIVATE, 0, 0)
        bench.run(alone.cycles // 2)
        if not any(bench.peek(table, i) for i in range(table.words)):
            return "table"
        bench.ask("abort")
        bench.run()
        if any(bench.peek(table, i) for i in range(table.words)):
            return "abort"
        if bench.private(9)[0].operation <= alone.operation:
            return "pair"

        golden = bench.golden(9, seed=1)
        turns = Fault(named("window_turns_q").number, 0, 3, golden.cycles // 2, FLIP)
        if bench.with_faults([turns]).outcome(y) != BLOCKED:
            return "turns"
        result = named("__BRA__0__KET__", "u_core__DOT__s_q")
        for _ in range(100):
            bit, cycle = rng.randrange(result.bits), rng.randrange(golden.cycles)
            if bench.with_faults([Fault(result.number, 0, bit, cycle, FLIP)]).outcome(y) == WRONG:
                return "check"

        for c in range(2, 400, 7):
            value = bench.golden(c, seed=c).value
            for parts, bit, how in (
                (("__BRA__0__KET__", "u_core__DOT__shift_q"), 0, STUCK_AT_0),
                (("__BRA__1__KET__", "u_exponentiator__DOT__a_s_q"), 32, STUCK_AT_1),
            ):
                fault = Fault(named(*parts).number, 0, bit, 100, how)
                if bench.with_faults([fault]).outcome(value) == WRONG:
                    return "stuck bit"

        memory = named("u_main", "DOT__words_q")

        def left(*slots: int) -> bool:
            length = 10 * 2 * SAME.half_words
            places = (slot * length + i for slot in slots for i in range(length))
            return any(bench.peek(memory, place) & 0xFFFFFFFF for place in places)

        bench.ask("zeroize", 0)
        bench.run()
        if left(0):
            return "zeroize"

        bench.load(key)
        bench.ask("start", PRIVATE, 0, 0)
        bench.run(alone.cycles // 2)
        bench.ask("zeroize", 0)
        bench.ask("zeroize", 1)
        if bench.run().error != Error.ABORTED or left(0, 1):
            return "zeroize while busy"

        bench.load(key)
        bench.ask("start", PRIVATE, 0, 0)
        bench.run(alone.cycles // 2)
        bench.ask("reset")
        if any(bench.peek(memory, i) & 0xFFFFFFFF for i in range(memory.words)):
            return "reset"
    return ""


def flow_program() -> Path:
    return planted_program(SAME, FLOW_BUGS, (("WatchdogBits", 14),), build=build_with_faults)


def test_the_flow_passes_without_a_bug() -> None:
    assert flow_differs(flow_program()) == ""


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
        # p = 191 * 239, which nothing but the signed message tells from a prime.
        composite = Key.of(45649, 65521, 17)
        others = [(short, 15, Error.LENGTH), (composite, 32, Error.EXPONENT)]
        for wrong, n_bits, error in [*wrong_keys(key), *others]:
            if max(wrong.dp, wrong.dq, wrong.qinv) >> 32:
                continue
            if bench.load(wrong, n_bits=n_bits).error != error:
                return True
    return False


def carries_differ(program: Path) -> bool:
    """Return whether an engine of `WORDS_OF_A_HALF` refuses a key, or makes a wrong power."""
    rng = random.Random(3)
    key = make_key(130, rng)
    d = pow(key.e, -1, (key.p - 1) * (key.q - 1))
    with EngineBench(program, 130, seed=5) as bench:
        if bench.load(key).error:
            return True
        messages = [rng.randrange(key.n) for _ in range(8)]
        return any(bench.private(c)[1] != pow(c, d, key.n) for c in messages)


def test_carries_are_right_without_a_bug() -> None:
    assert not carries_differ(planted_program(WORDS_OF_A_HALF, CARRY_BUGS))


def of_core(core: str) -> list[Bug]:
    return [bug for bug in BUGS if (bug.form or SIGNED) == core]


def engine_of(core: str) -> Engine:
    return replace(ENGINE, core=core, table="words" if core == SCALED else "auto")


@pytest.mark.parametrize("core", (SIGNED, UNSIGNED, SCALED))
def test_the_run_passes_without_a_bug(core: str) -> None:
    engine = engine_of(core)
    assert not differs(planted_program(engine, of_core(core)), engine)


@pytest.mark.slow
@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.name)
def test_planted_bugs_are_caught(bug: Bug, monkeypatch: pytest.MonkeyPatch) -> None:
    engine, bugs = engine_of(bug.form or SIGNED), of_core(bug.form or SIGNED)
    monkeypatch.setenv("PLANTED", str(bugs.index(bug) + 1))
    assert differs(planted_program(engine, bugs), engine)


@pytest.mark.slow
@pytest.mark.parametrize("bug", CARRY_BUGS, ids=lambda bug: bug.name)
def test_lost_carries_are_caught(bug: Bug, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLANTED", str(CARRY_BUGS.index(bug) + 1))
    assert carries_differ(planted_program(WORDS_OF_A_HALF, CARRY_BUGS))


@pytest.mark.slow
@pytest.mark.parametrize("bug", FLOW_BUGS, ids=lambda bug: bug.name)
def test_planted_bugs_of_the_flow_are_caught(bug: Bug, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLANTED", str(FLOW_BUGS.index(bug) + 1))
    assert flow_differs(flow_program())
