# SPDX-License-Identifier: Apache-2.0
"""The lemmas on mf_modexp from which proofs/modexp_ALGORITHM.v follows, over any multiplier.

The multiplier's outputs are cut, so that a lemma holds whatever it answers, and when. A turn has
three states: begun (its request is made), decided (in the first cycle after its acceptance, in
which no response comes), loaded (with the terms that registers load at the response).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from montforge.arch.modexp import Modexp
from montforge.prove.statement import (
    Expression,
    Lemma,
    Operand,
    W,
    bit_at,
    clog2,
    either,
    following,
    greatest,
    holds,
    later,
    net,
    pow2,
    size,
)

ENTER, TABLE, SQUARE, PRODUCT, BOTH, LEAVE = range(6)
"""Steps, as in mf_modexp_pkg."""
CHAIN = "u_chains.gen_chain[0].u_chain."
CONTROL, READER = f"{CHAIN}u_control.", f"{CHAIN}u_exponent."
PART = "u_chains.gen_alone.u_multipliers.u_multiplier.u_part."
"""The multiplier, and before it the hierarchy of the chain that uses it."""

S, A, E = size("SumBits"), size("Adder"), size("ExponentBits")
WORDS = (greatest(S, W + 2) + A - 1) // A
PADDED = WORDS * A
SUM = greatest(S, PADDED)
INDEX = greatest(clog2((E + 31) // 32), 1)
MEMORY = (E + 31) // 32 * 32
LENGTH = clog2(E + 1)
CYCLES = greatest(WORDS + 2, 7)
"""Cycles of the first turn at least."""


def control(name: str, width: Operand = 1) -> Expression:
    """Return a net of mf_modexp_control."""
    return net(f"{CONTROL}{name}", width)


def reader(name: str, width: Operand = 1) -> Expression:
    """Return a net of mf_modexp_exponent."""
    return net(f"{READER}{name}", width)


request, ready, abort = net("req_valid_i"), net("req_ready_o"), net("abort_i")
valid, taken = net("rsp_valid_o"), net("rsp_ready_i")
asks, accepts = net(f"{PART}req_valid_i"), net(f"{PART}req_ready_o")
answers, takes = net(f"{PART}rsp_valid_o"), net(f"{PART}rsp_ready_i")
p = net(f"{PART}p_o", S)
CUT = (f"{PART}req_ready_o", f"{PART}rsp_valid_o", f"{PART}p_o")

t, acc = net(f"{CHAIN}t_s_q", SUM), net(f"{CHAIN}acc_s_q", SUM)
late = net(f"{CHAIN}late_q")
n, one = net(f"{CHAIN}n_q", PADDED), net(f"{CHAIN}gen_one_word.word_q", W)

idle, run, reduces, done, wipe = map(control, ("idle_q", "run_q", "reduce_q", "done_q", "wipe_q"))
ports, busy, step = control("ports_q"), control("busy_q"), control("step_q", 3)
issue, asked, waiting = control("issue_q"), control("request_q"), control("waiting_q")
aborted, first, digit = control("aborted_q"), control("first_q"), control("digit_q")
enters, passes, moves = control("enters_q"), control("pass_q"), control("t_moves_q")
acc_moves, select = control("acc_moves_q"), control("select_q")
t_takes, acc_takes = control("t_takes_q"), control("acc_takes_q")
t_product, t_read, t_acc, t_words = (control(f"terms_q[{place}]") for place in (8, 7, 6, 5))
acc_product, acc_read, acc_leave, acc_words = (
    control(f"terms_q[{place}]") for place in (3, 2, 1, 0)
)
after, leaves = control("after_q", 3), control("leave_next_q")
digit_done, squared, left = control("digit_done_q"), control("squared_q"), control("left_q")
second, second_after = control("b_acc_q"), control("b_acc_after_q")
table, enter_last, check = control("b_read_q"), control("enter_last_q"), control("check_q")
enter = control("enter_q", clog2(CYCLES + 1))
words, last_word = control("words_q", clog2(WORDS + 1)), control("last_word_q")
error, wrong, bit_taken = control("error_q", 4), control("error_enter"), control("digit_take_o")
bit_valid, bit, found, more = map(reader, ("valid_q", "bit_q", "found_q", "any_q"))
at, chosen, empty = reader("at_q", INDEX + 5), reader("select_q", 5), reader("empty_q")
e, word = reader("gen_registers.e_q", MEMORY), reader("gen_registers.word_q", 32)


def implies(given: Expression, *shows: Expression) -> tuple[Expression, ...]:
    """Return that each of ``shows`` holds if a net of one bit, ``given``, is 1."""
    return tuple(given.eq(0) | each for each in shows)


def ones(*nets: Expression) -> tuple[Expression, ...]:
    """Return that ``nets`` are 1."""
    return tuple(each.eq(1) for each in nets)


def zeros(*nets: Expression) -> tuple[Expression, ...]:
    """Return that ``nets`` are 0."""
    return tuple(each.eq(0) for each in nets)


def kept(*nets: Expression) -> tuple[Expression, ...]:
    """Return that ``nets`` have the same value in the next cycle."""
    return tuple(following(each).eq(each) for each in nets)


QUIET = holds(
    "quiet",
    (idle + run + reduces + done + wipe).eq(1),
    *implies(idle, *ones(ports), *zeros(busy, aborted)),
    *implies(asked, *ones(run, issue), *zeros(aborted)),
    *(
        each
        for net in (t_takes, acc_takes, t_product, t_read, acc_product, acc_read, acc_leave)
        for each in implies(net, waiting.eq(1))
    ),
    *implies(t_acc, waiting.eq(1) | select.eq(1)),
    *implies(t_words, passes.eq(1)),
    *implies(acc_words, passes.eq(1)),
    *implies(waiting, *ones(run), *zeros(issue, passes)),
    *implies(enters, *ones(run, issue), step.eq(ENTER)),
    *implies(passes, (run + reduces + wipe).eq(1)),
    *implies(select, reduces.eq(1)),
    *implies(acc_moves, passes.eq(1) | wipe.eq(1)),
    moves.eq(either(wipe.eq(1), 1, passes)),
)
"""What holds in all cycles from reset, aborts or not."""

IN_RUN = (
    *ones(run, busy),
    *zeros(idle, reduces, done, wipe, ports, aborted, select, acc_moves, table),
    error.eq(0),
)
READS = (
    *implies(bit_valid, found.eq(1) | more.eq(0)),
    bit_valid.eq(1) | (found + more).eq(0),
)
"""After the first bit of the exponent one is valid while there is one."""
SETTLED = (*IN_RUN, *zeros(first, passes, moves, enters), *ones(enter_last), enter < 2, *READS)

FIRST_TURN = (
    *IN_RUN,
    step.eq(ENTER),
    *zeros(waiting, t_takes, acc_takes, digit_done),
    second.eq(1),
    first.eq(0)
    | (enter.eq(CYCLES - 1) & more.eq(1) & found.eq(0) & bit_valid.eq(0))
    | (enter.eq(CYCLES - 2) & found.eq(1) & bit_valid.eq(0))
    | (enter.eq(CYCLES - 3) & bit_valid.eq(1) & (found.eq(1) | more.eq(0))),
    *(first.eq(1) | each for each in READS),
    enter_last.eq(0) | (enter < 2),
    moves.eq(passes),
)
"""The first turn, until its response is waited for: the check of x, the first bit."""
ENTERING = holds("entering", *FIRST_TURN, issue.eq(1), enters.eq(asked), passes.eq(0))
ROTATED = n // pow2(A) + (n % pow2(A)) * pow2(PADDED - A)

SHARED = (
    Lemma("quiet_on", (QUIET,), (later(QUIET),), cut=CUT),
    Lemma(
        "bits",
        (),
        tuple(
            each.eq(0) | each.eq(1)
            for each in (
                *(bit_valid, found, more, bit_taken, first, passes),
                *(asks, accepts, answers, wrong, digit, bit),
            )
        ),
        cut=CUT,
    ),
    Lemma(
        "bounds",
        (),
        (
            *(at >= 0, at < pow2(INDEX + 5), words >= 0),
            *(net("x_i", W) >= 0, net("n_i", W) < pow2(W)),
            *(net("e_i", E) >= 0, net("e_len_i", LENGTH) >= 0),
        ),
        "What the numbers of bits say.",
    ),
    Lemma("quiet_at_reset", (), (QUIET,), at_reset=True),
    Lemma(
        "ports",
        (),
        (
            ready.eq(either(idle.eq(1), 1 - abort, 0)),
            valid.eq(done),
            net("error_o", 4).eq(error),
            net("y_o", W).eq(t % pow2(W)),
        ),
    ),
    Lemma(
        "part_ports",
        (table.eq(0),),
        (
            net(f"{PART}a_i", S).eq(t % pow2(S)),
            net(f"{PART}b_i", S).eq(either(second.eq(1), acc, t) % pow2(S)),
            net(f"{PART}n_i", W).eq(n % pow2(W)),
            takes.eq(either(waiting.eq(1), answers, 0)),
        ),
        cut=CUT,
    ),
    Lemma(
        "stays",
        (QUIET, done.eq(1), taken.eq(0)),
        (following(done).eq(1), *kept(t, error)),
        cut=CUT,
    ),
    Lemma(
        "accept",
        (QUIET, request.eq(1), ready.eq(1), net("e_len_i", LENGTH) <= E),
        (
            later(ENTERING),
            following(t).eq(net("x_i", W)),
            following(acc).eq(net("r2_i", W)),
            following(one).eq(net("r1_i", W)),
            following(n).eq(net("n_i", W)),
            following(e).eq(net("e_i", E)),
            following(empty).eq(either(net("e_len_i", LENGTH).eq(0), 1, 0)),
            following(at).eq(either(net("e_len_i", LENGTH).eq(0), 0, net("e_len_i", LENGTH) - 1)),
            *(later(each) for each in (*ones(more, first), *zeros(found, bit_valid))),
        ),
        cut=CUT,
    ),
    Lemma(
        "bit_moves",
        (busy.eq(1), bit_valid.eq(0) | bit_taken.eq(1)),
        (
            following(bit_valid).eq(found),
            following(bit).eq(either(empty.eq(1), 0, bit_at(word, chosen))),
        ),
        cut=CUT,
    ),
    Lemma(
        "bit_stays", (busy.eq(1), bit_valid.eq(1), bit_taken.eq(0)), kept(bit_valid, bit), cut=CUT
    ),
    Lemma(
        "word_moves",
        (busy.eq(1), bit_valid.eq(0) | bit_taken.eq(1) | found.eq(0)),
        (
            following(found).eq(more),
            following(more).eq(either(at.eq(0), 0, more)),
            following(at).eq((at - 1) % pow2(INDEX + 5)),
        ),
        cut=CUT,
    ),
    Lemma(
        "word_read",
        (busy.eq(1), bit_valid.eq(0) | bit_taken.eq(1) | found.eq(0), at < MEMORY),
        (bit_at(following(word), following(chosen)).eq(bit_at(e, at)),),
        cut=CUT,
    ),
    Lemma(
        "word_stays",
        (busy.eq(1), *ones(bit_valid, found), bit_taken.eq(0)),
        kept(found, more, at, word, chosen),
        cut=CUT,
    ),
    Lemma("exponent_stays", (busy.eq(1), idle.eq(0)), kept(e, empty), cut=CUT),
    Lemma(
        "digit_moves",
        (busy.eq(1), idle.eq(0), wipe.eq(0), bit_taken.eq(1)),
        (following(digit).eq(bit), following(first).eq(0), bit_valid.eq(1)),
        cut=CUT,
    ),
    Lemma(
        "digit_stays",
        (busy.eq(1), idle.eq(0), wipe.eq(0), bit_taken.eq(0)),
        kept(digit, first),
        cut=CUT,
    ),
)
"""The lemmas that do not hang on the algorithm."""


@dataclass(frozen=True)
class Source:
    """What a register can load at a response: the product, r1, acc (t), 1 (acc), what it holds."""

    product: Operand
    read: Operand
    other: Operand
    keep: Operand


Load: TypeAlias = Callable[[Source, Source], tuple[Operand, Operand]]
"""What t and acc load, from what they can load."""
VALUES = Source(p, one, acc, t), Source(p, one, 1, acc)
TERMS = (
    {t_product: Source(1, 0, 0, 0), t_read: Source(0, 1, 0, 0), t_acc: Source(0, 0, 1, 0)}
    | {t_takes: Source(1, 1, 1, 0)},
    {acc_product: Source(1, 0, 0, 0), acc_read: Source(0, 1, 0, 0), acc_leave: Source(0, 0, 1, 0)}
    | {acc_takes: Source(1, 1, 1, 0)},
)
"""Registers that say what t and acc load."""


def by_step(of: Mapping[int, Operand], other: Operand = 0) -> Operand:
    """Return the value of ``of`` for the present step."""
    found = other
    for number, value in of.items():
        found = either(step.eq(number), value, found)
    return found


def lemmas(turns: tuple[int, int], loads: Mapping[int, Load]) -> tuple[Lemma, ...]:
    """Return the lemmas on an algorithm with two ``turns`` for each bit of the exponent.

    After the last bit acc loads 1 in place of what ``loads`` says.
    """
    middle, last = turns

    def acc_load(number: int, source: Source) -> Operand:
        load = loads[number](source, source)[1]
        return either(bit_valid.eq(1), load, source.other) if number == last else load

    loading = (
        *(
            register.eq(
                by_step({number: load(source, source)[0] for number, load in loads.items()})
            )
            for register, source in TERMS[0].items()
        ),
        *(
            register.eq(by_step({number: acc_load(number, source) for number in loads}))
            for register, source in TERMS[1].items()
        ),
        *zeros(t_words, acc_words),
    )
    needs_acc = {number: int(number in {PRODUCT, LEAVE}) for number in (*turns, LEAVE)}
    turn = (
        *SETTLED,
        *zeros(left, late),
        step.eq(middle) | step.eq(last) | (step.eq(LEAVE) & bit_valid.eq(0)),
        second.eq(by_step(needs_acc)),
    )
    begun = holds("begun", *turn, issue.eq(1), *zeros(waiting, t_takes, acc_takes, digit_done))
    next_last = either(bit_valid.eq(1), middle, LEAVE)
    waits = (
        *turn,
        *ones(waiting, squared),
        *zeros(issue, asked, check),
        after.eq(by_step({middle: last, last: next_last}, LEAVE)),
        leaves.eq(by_step({last: 1 - bit_valid})),
        digit_done.eq(by_step({last: 1})),
    )
    second_after_ = by_step(
        {middle: needs_acc[last], last: either(bit_valid.eq(1), needs_acc[middle], 1)}, 1
    )
    decided = holds("decided", *waits)
    loaded = holds("loaded", *waits, *loading, second_after.eq(second_after_))
    first_after = (squared.eq(1), after.eq(middle), leaves.eq(0))
    checking = holds(
        "checking",
        *FIRST_TURN,
        issue.eq(0),
        enters.eq(0),
        last_word.eq(either(words.eq(0), 1, 0)),
        *first_after,
    )
    entered = holds(
        "entered",
        *SETTLED,
        *first_after,
        step.eq(ENTER),
        *ones(waiting, second),
        *zeros(issue, digit_done),
        *loading,
        second_after.eq(needs_acc[middle]),
    )
    calm = abort.eq(0)
    is_asked, is_not = (asks.eq(1), accepts.eq(1)), asks.eq(0) | accepts.eq(0)
    same = (*kept(t, acc, n, step, digit, second), bit_taken.eq(0))

    def taken_at(
        number: int, *given: Expression, to: int, acc_is: Operand | None = None
    ) -> tuple[tuple[Expression, ...], tuple[Expression, ...]]:
        t_is, other = loads[number](*VALUES)
        return (
            (loaded, step.eq(number), calm, answers.eq(1), *given),
            (
                later(begun),
                following(step).eq(to),
                following(t).eq(t_is),
                following(acc).eq(other if acc_is is None else acc_is),
                following(n).eq(n),
                bit_taken.eq(int(to == middle)),
            ),
        )

    t_first, acc_first = loads[ENTER](*VALUES)
    found_ = (
        Lemma(
            "running",
            (ENTERING | checking | entered | begun | decided | loaded,),
            (busy.eq(1), *zeros(idle, wipe, done, table)),
        ),
        Lemma("waits_for_x", (checking,), (waiting.eq(0), step.eq(ENTER), second.eq(1))),
        Lemma("x_enters", (ENTERING | entered,), (second.eq(1), passes.eq(0), step.eq(ENTER))),
        Lemma("first_bit", (entered | begun | decided | loaded,), (first.eq(0),)),
        Lemma("no_bit", (loaded, bit_valid.eq(0)), zeros(found, more)),
        Lemma("last_operand", (begun | decided | loaded, step.eq(LEAVE)), (second.eq(1),)),
        Lemma(
            "turns",
            (begun | decided | loaded,),
            (second.eq(by_step(needs_acc)), step.eq(middle) | step.eq(last) | step.eq(LEAVE)),
        ),
        Lemma(
            "entering_waits",
            (ENTERING, calm, is_not),
            (
                later(ENTERING),
                *kept(t, acc, one, n),
                bit_taken.eq(either(first.eq(1), bit_valid, 0)),
            ),
        ),
        Lemma(
            "entering_asks",
            (ENTERING, calm, *is_asked),
            (
                later(checking),
                *kept(acc, one),
                following(n).eq(ROTATED),
                following(passes).eq(1),
                following(words).eq(WORDS - 1),
                bit_taken.eq(either(first.eq(1), bit_valid, 0)),
            ),
        ),
        Lemma(
            "checking_on",
            (checking, calm),
            (
                later(checking) | later(entered),
                *kept(acc, one),
                bit_taken.eq(either(first.eq(1), bit_valid, 0)),
            ),
        ),
        Lemma(
            "rotates",
            (checking, passes.eq(1), words > 0),
            (following(passes).eq(1), following(words).eq(words - 1), following(n).eq(ROTATED)),
        ),
        Lemma(
            "rotated",
            (checking, passes.eq(1), words.eq(0)),
            (following(passes).eq(0), following(n).eq(n)),
        ),
        Lemma("rests", (checking, passes.eq(0)), (following(passes).eq(0), following(n).eq(n))),
        Lemma(
            "entered_waits",
            (entered, calm, answers.eq(0)),
            (later(entered), *kept(acc, one, n, digit), bit_taken.eq(0)),
        ),
        Lemma(
            "enters",
            (entered, calm, answers.eq(1), wrong.eq(0)),
            (
                later(begun),
                following(step).eq(middle),
                following(t).eq(t_first),
                following(acc).eq(acc_first),
                following(n).eq(n),
                bit_taken.eq(0),
            ),
        ),
        Lemma(
            "refuses",
            (entered, calm, answers.eq(1), wrong.eq(1)),
            (following(done).eq(1), following(error) > 0),
        ),
        Lemma("begun_waits", (begun, calm, is_not), (later(begun), *same)),
        Lemma("begun_asks", (begun, calm, *is_asked), (later(decided), *same)),
        Lemma("decided_waits", (decided, calm, answers.eq(0)), (later(loaded), *same)),
        Lemma("loaded_waits", (loaded, calm, answers.eq(0)), (later(loaded), *same)),
        Lemma("middle_taken", *taken_at(middle, to=last)),
        Lemma("last_taken", *taken_at(last, bit_valid.eq(1), to=middle)),
        Lemma("leaves", *taken_at(last, bit_valid.eq(0), to=LEAVE, acc_is=1)),
        Lemma(
            "left",
            (loaded, step.eq(LEAVE), calm, answers.eq(1)),
            (following(done).eq(1), following(error).eq(0), following(t).eq(p)),
        ),
    )
    return (*SHARED, *(replace(each, cut=CUT) for each in found_))


NEXT = either(bit_valid.eq(1), bit, 0)
"""The next bit of the exponent, 0 after the last one."""
ALGORITHMS = {
    "ladder": lemmas(
        (PRODUCT, SQUARE),
        {
            ENTER: lambda t, acc: (
                either(digit.eq(1), t.product, t.read),
                either(digit.eq(1), acc.read, acc.product),
            ),
            PRODUCT: lambda t, acc: (t.keep, acc.product),
            SQUARE: lambda t, acc: (
                either(digit.eq(NEXT), t.product, t.other),
                either(digit.eq(NEXT), acc.keep, acc.product),
            ),
            LEAVE: lambda t, acc: (t.product, acc.keep),
        },
    ),
    "square_multiply_always": lemmas(
        (SQUARE, PRODUCT),
        {
            ENTER: lambda t, acc: (t.read, acc.product),
            SQUARE: lambda t, acc: (t.product, acc.keep),
            PRODUCT: lambda t, acc: (either(digit.eq(1), t.product, t.keep), acc.keep),
            LEAVE: lambda t, acc: (t.product, acc.keep),
        },
    ),
}


def is_reduced_last(design: Modexp) -> bool:
    """Return whether the result needs a subtraction after the last product, or a second vector."""
    return design.top_parameters["Passes"] > 0 or design.top_parameters["CarryBits"] > 0
