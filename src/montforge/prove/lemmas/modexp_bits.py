# SPDX-License-Identifier: Apache-2.0
"""The lemmas on mf_modexp with two turns for each bit, for proofs/modexp_bits.v."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from montforge.programs.powers import L2R
from montforge.prove.lemmas.modexp import (
    CALM,
    CHAIN,
    CYCLES,
    ENTER,
    IN_RUN,
    LEAVE,
    PRODUCT,
    QUIET,
    READS,
    SQUARE,
    States,
    acc,
    acc_leave,
    acc_product,
    acc_read,
    acc_takes,
    acc_words,
    accepts,
    after,
    answers,
    asked,
    asks,
    bit,
    bit_taken,
    bit_valid,
    busy,
    by_step,
    check,
    control,
    digit_done,
    digit_taken,
    enter,
    enter_last,
    enters,
    first,
    found,
    idle,
    implies,
    issue,
    kept,
    last_word,
    late,
    leaves,
    leaving,
    more,
    moves,
    n,
    ones,
    p,
    passes,
    ready,
    request,
    second,
    second_after,
    squared,
    step,
    t,
    t_acc,
    t_product,
    t_read,
    t_takes,
    t_words,
    table,
    waiting,
    wipe,
    with_cut,
    words,
    wrong,
    zeros,
)
from montforge.prove.statement import (
    Expression,
    Lemma,
    Operand,
    W,
    either,
    following,
    holds,
    later,
    net,
)

digit, left, multiplies = control("digit_q"), control("left_q"), control("product_q")
one = net(f"{CHAIN}gen_one_word.word_q", W)

QUIET_BITS = (*QUIET, *implies(acc_read, waiting.eq(1)))
RUNS = (*IN_RUN, table.eq(0))
SETTLED = (*RUNS, *zeros(first, passes, moves, enters), *ones(enter_last), enter < 2, *READS)

FIRST_TURN = (
    *RUNS,
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


def of_bits(of: States) -> tuple[Lemma, ...]:
    """Return the lemmas on bits of the exponent, and on what stays until a response.

    They are hypotheses of proofs/modexp_bits.v.
    """
    asks_now = asks.eq(1) & accepts.eq(1)
    return (
        Lemma("digit_bit", (), (digit.eq(0) | digit.eq(1), digit_taken.eq(bit_taken))),
        Lemma(
            "digit_moves",
            (busy.eq(1), idle.eq(0), wipe.eq(0), bit_taken.eq(1)),
            (following(digit).eq(bit), following(first).eq(0), bit_valid.eq(1)),
        ),
        Lemma(
            "digit_stays",
            (busy.eq(1), idle.eq(0), wipe.eq(0), bit_taken.eq(0)),
            kept(digit, first),
        ),
        Lemma("first_bit", (of.entered | of.begun | of.decided | of.loaded,), zeros(first)),
        Lemma("no_bit", (of.entered | of.loaded, bit_valid.eq(0)), zeros(found, more)),
        Lemma(
            "enters_stays",
            (of.enters, CALM),
            (bit_taken.eq(either(first.eq(1), bit_valid, 0)),),
        ),
        Lemma("turn_stays", (of.waits, CALM), (*kept(t, step, second), bit_taken.eq(0))),
        Lemma(
            "second_stays",
            (
                (of.begun & (asks_now | step.eq(LEAVE)))
                | ((of.decided | of.loaded) & answers.eq(0)),
                second.eq(1),
                CALM,
            ),
            kept(acc),
        ),
    )


def algorithm(
    turns: tuple[int, int], loads: Mapping[int, Load], passes_: int, skips: bool = False
) -> tuple[States, tuple[Lemma, ...]]:
    """Return states and lemmas of an algorithm with two ``turns`` for each bit of the exponent.

    After the last bit acc loads 1 in place of what ``loads`` says. ``passes_`` subtractions
    follow. An algorithm that ``skips`` has no second turn for a bit 0.
    """
    middle, last = turns
    quiet = holds("quiet", *QUIET_BITS, *leaving(passes_))

    def of_turns(ends: Operand, goes_on: Operand, other: Operand = 0) -> Operand:
        """Return ``ends`` in a turn that is the bit's last, ``goes_on`` in one that is not."""
        in_middle = either(digit.eq(0), ends, goes_on) if skips else goes_on
        return by_step({middle: in_middle, last: ends}, other)

    def acc_load(number: int, source: Source) -> Operand:
        load = loads[number](source, source)[1]
        ended = either(bit_valid.eq(1), load, source.other)
        if number == middle and skips:
            return either(digit.eq(0), ended, load)
        return ended if number == last else load

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
    known = (multiplies.eq(digit),) if skips else ()
    """That the product is made for a bit 1."""
    turn = (
        *SETTLED,
        *zeros(left, late),
        step.eq(middle) | step.eq(last) | (step.eq(LEAVE) & bit_valid.eq(0)),
        second.eq(by_step(needs_acc)),
        *known,
        *((step < last) | (step > last) | digit.eq(1) for _ in known),
    )
    begun = holds("begun", *turn, issue.eq(1), *zeros(waiting, t_takes, acc_takes, digit_done))
    next_last = either(bit_valid.eq(1), middle, LEAVE)
    waits = (
        *turn,
        *ones(waiting, squared),
        *zeros(issue, asked, check),
        after.eq(of_turns(next_last, last, LEAVE)),
        leaves.eq(of_turns(1 - bit_valid, 0)),
        digit_done.eq(of_turns(1, 0)),
    )
    second_after_ = of_turns(either(bit_valid.eq(1), needs_acc[middle], 1), needs_acc[last], 1)
    first_turn = (*FIRST_TURN, *(first.eq(1) | each for each in known))
    first_after = (squared.eq(1), after.eq(middle), leaves.eq(0))
    states = States(
        quiet=quiet,
        entering=holds(
            "entering", *first_turn, issue.eq(1), enters.eq(asked), *zeros(passes, late)
        ),
        checking=holds(
            "checking",
            *first_turn,
            issue.eq(0),
            enters.eq(0),
            last_word.eq(either(words.eq(0), 1, 0)),
            *first_after,
        ),
        entered=holds(
            "entered",
            *SETTLED,
            *first_after,
            step.eq(ENTER),
            *ones(waiting, second),
            *zeros(issue, digit_done),
            *loading,
            second_after.eq(needs_acc[middle]),
            *known,
        ),
        begun=begun,
        decided=holds("decided", *waits),
        loaded=holds("loaded", *waits, *loading, second_after.eq(second_after_)),
    )

    def taken_at(
        number: int, *given: Expression, to: int, acc_is: Operand | None = None
    ) -> tuple[tuple[Expression, ...], tuple[Expression, ...]]:
        t_is, other = loads[number](*VALUES)
        return (
            (states.loaded, step.eq(number), CALM, answers.eq(1), *given),
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
    own = (
        *of_bits(states),
        Lemma(
            "one_loads",
            (quiet, request.eq(1), ready.eq(1)),
            (following(one).eq(net("r1_i", W)),),
        ),
        Lemma(
            "turns",
            (begun | states.decided | states.loaded,),
            (
                second.eq(by_step(needs_acc)),
                step.eq(middle) | step.eq(last) | step.eq(LEAVE),
                table.eq(0),
            ),
        ),
        Lemma("one_stays", (states.enters, CALM), kept(one)),
        Lemma("acc_stays", (states.waits, CALM), kept(acc)),
        Lemma(
            "enters",
            (states.entered, CALM, answers.eq(1), wrong.eq(0)),
            (
                later(begun),
                following(step).eq(middle),
                following(t).eq(t_first),
                following(acc).eq(acc_first),
                following(n).eq(n),
                bit_taken.eq(0),
            ),
        ),
        Lemma("middle_taken", *taken_at(middle, *(digit.eq(1) for _ in known), to=last)),
        Lemma("last_taken", *taken_at(last, bit_valid.eq(1), to=middle)),
        Lemma("leaves", *taken_at(last, bit_valid.eq(0), to=LEAVE, acc_is=1)),
    )
    if skips:
        ended = (middle, digit.eq(0))
        own += (
            Lemma("skipped", *taken_at(*ended, bit_valid.eq(1), to=middle)),
            Lemma("skipped_leaves", *taken_at(*ended, bit_valid.eq(0), to=LEAVE, acc_is=1)),
        )
    return states, with_cut(*own)


NEXT = either(bit_valid.eq(1), bit, 0)
"""The next bit of the exponent, 0 after the last one."""
TURNS: dict[str, tuple[tuple[int, int], Mapping[int, Load]]] = {
    "ladder": (
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
    "square_multiply_always": (
        (SQUARE, PRODUCT),
        {
            ENTER: lambda t, acc: (t.read, acc.product),
            SQUARE: lambda t, acc: (t.product, acc.keep),
            PRODUCT: lambda t, acc: (either(digit.eq(1), t.product, t.keep), acc.keep),
            LEAVE: lambda t, acc: (t.product, acc.keep),
        },
    ),
    L2R: (
        (SQUARE, PRODUCT),
        {
            ENTER: lambda t, acc: (t.read, acc.product),
            SQUARE: lambda t, acc: (t.product, acc.keep),
            PRODUCT: lambda t, acc: (t.product, acc.keep),
            LEAVE: lambda t, acc: (t.product, acc.keep),
        },
    ),
}
"""The turns of a bit, and what t and acc load, by algorithm."""
