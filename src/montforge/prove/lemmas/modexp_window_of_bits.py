# SPDX-License-Identifier: Apache-2.0
"""The lemmas on mf_modexp with windows of one bit, for proofs/modexp_window_of_bits.v.

The table has 1 and the base. Each bit is squared, and multiplied by the entry that the scan beside
the squaring has left in acc.
"""

from __future__ import annotations

from montforge.prove.lemmas.modexp import (
    CALM,
    CYCLES,
    ENTER,
    LEAVE,
    PRODUCT,
    SQUARE,
    States,
    acc,
    acc_leave,
    acc_product,
    acc_read,
    acc_takes,
    acc_words,
    after,
    answers,
    asked,
    bit_taken,
    bit_valid,
    by_step,
    check,
    digit_done,
    enter,
    enters,
    first,
    issue,
    last_word,
    late,
    leaves,
    leaving,
    n,
    ones,
    p,
    passes,
    power,
    read,
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
    with_cut,
    words,
    wrong,
    zeros,
)
from montforge.prove.lemmas.modexp_bits import FIRST_TURN, SETTLED, digit, left, of_bits
from montforge.prove.lemmas.modexp_window import (
    IN_PRODUCT,
    IN_SQUARE,
    IS_SCANNED,
    ONE,
    STATE,
    address,
    counts,
    entry,
    in_table,
    last_entry,
    match,
    outside,
    scanned,
    scans,
    starts,
    starts_after,
    table_after,
    table_and_scan,
    writes,
    zero,
)
from montforge.prove.statement import Expression, Lemma, W, either, following, holds, later, net

MORE = bit_valid
"""Whether another bit follows."""
MATCHES = match.eq(either(digit.eq(1), 1, 0)), zero.eq(either(digit.eq(0), 1, 0))
ENTRY_ONE = (entry.eq(1), last_entry.eq(1), *zeros(starts, in_table, scans))
NEXT = (after.eq(either(MORE.eq(1), SQUARE, LEAVE)), leaves.eq(1 - MORE))
THEN = (
    starts_after.eq(MORE),
    second_after.eq(1 - MORE),
    table_after.eq(0),
)
"""Decided a cycle after `NEXT`."""


def from_cycle(number: int, *statements: Expression) -> tuple[Expression, ...]:
    """Return that ``statements`` hold when the first bit was taken ``number`` cycles before."""
    return tuple(first.eq(1) | (enter + number + 3 > CYCLES) | each for each in statements)


FIRST = (
    *FIRST_TURN,
    *zeros(writes, acc_read),
    *ENTRY_ONE,
    first.eq(1) | (enter + 4 <= CYCLES),
    *from_cycle(2, *MATCHES, *NEXT),
    *from_cycle(3, *THEN),
)
TURN = (
    *SETTLED,
    *zeros(left, late, in_table),
    IN_SQUARE | IN_PRODUCT | (step.eq(LEAVE) & bit_valid.eq(0)),
    second.eq(by_step({PRODUCT: 1, LEAVE: 1})),
    starts.eq(by_step({SQUARE: 1})),
    *outside(step.eq(LEAVE), scans.eq(0)),
    acc_read.eq(scans) | waiting.eq(1),
)
LEAVES = by_step({PRODUCT: 1 - MORE})
WAITS = (
    *TURN,
    *ones(waiting, squared),
    *zeros(issue, asked, check, writes),
    after.eq(by_step({SQUARE: PRODUCT, PRODUCT: either(MORE.eq(1), SQUARE, LEAVE)}, LEAVE)),
    leaves.eq(LEAVES),
    digit_done.eq(by_step({PRODUCT: 1})),
    *outside(IN_SQUARE, *IS_SCANNED),
    *outside(IN_PRODUCT, *IS_SCANNED, scanned.eq(1)),
)
BEGUN = holds(
    "begun",
    *TURN,
    issue.eq(1),
    *zeros(waiting, t_takes, acc_takes, digit_done, writes, acc_product, acc_leave, acc_words),
    *outside(IN_SQUARE, *zeros(leaves, scans, address)),
    *outside(IN_PRODUCT, *IS_SCANNED, asked.eq(0) | scanned.eq(1)),
)


def algorithm(passes_: int) -> tuple[States, tuple[Lemma, ...]]:
    """Return states and lemmas; ``passes_`` subtractions follow the last product."""
    states = States(
        quiet=holds("quiet", *STATE, *leaving(passes_)),
        entering=holds(
            "entering",
            *FIRST,
            issue.eq(1),
            enters.eq(asked),
            *zeros(passes, late),
            enter.eq(CYCLES - 1) | address.eq(0),
        ),
        checking=holds(
            "checking",
            *FIRST,
            *zeros(issue, enters, address),
            enter < CYCLES - 1,
            last_word.eq(either(words.eq(0), 1, 0)),
            *ones(squared, check, counts),
        ),
        entered=holds(
            "entered",
            *SETTLED,
            step.eq(ENTER),
            *ENTRY_ONE,
            *MATCHES,
            *NEXT,
            *THEN,
            *ones(waiting, second, squared, check, counts, writes, t_takes, acc_takes, digit_done),
            *zeros(issue, address, asked, t_acc, acc_product, acc_read, t_words, acc_words),
            t_product.eq(either(digit.eq(1), 1, 0)),
            t_read.eq(either(digit.eq(0), 1, 0)),
            acc_leave.eq(leaves),
        ),
        begun=BEGUN,
        decided=holds(
            "decided",
            *WAITS,
            *outside(IN_SQUARE, acc_read.eq(scans), *zeros(acc_product, acc_leave, acc_words)),
        ),
        loaded=holds(
            "loaded",
            *WAITS,
            *ones(t_takes, t_product),
            *zeros(t_read, t_acc, acc_product, t_words, acc_words, table_after),
            acc_takes.eq(LEAVES),
            acc_read.eq(scans),
            acc_leave.eq(LEAVES),
            second_after.eq(either(after.eq(SQUARE), 0, 1)),
            starts_after.eq(either(after.eq(SQUARE), 1, 0)),
        ),
        still=(scans,),
    )

    def taken(
        name: str,
        given: tuple[Expression, ...],
        to: int,
        t_is: Expression,
        takes_bit: int = 0,
        *shows: Expression,
    ) -> Lemma:
        shown = (later(BEGUN), following(n).eq(n), following(step).eq(to), following(t).eq(t_is))
        return Lemma(name, (*given, CALM, answers.eq(1)), (*shown, bit_taken.eq(takes_bit), *shows))

    left_out = following(acc).eq(1)
    enters_now = (states.entered, wrong.eq(0))
    base = either(digit.eq(1), p, read)
    own = (
        *of_bits(states),
        *table_and_scan(states),
        Lemma(
            "scan_bits",
            (),
            (starts.eq(0) | starts.eq(1), scans.eq(0) | scans.eq(1)),
        ),
        Lemma(
            "table_loads",
            (states.quiet, request.eq(1), ready.eq(1)),
            (following(power).eq(net("r1_i", W)),),
            each=("place", ONE),
        ),
        Lemma("not_waiting", (states.begun,), zeros(waiting)),
        Lemma("is_waiting", (states.decided | states.loaded,), ones(waiting)),
        Lemma("scanned_all", (states.decided | states.loaded, IN_PRODUCT), zeros(scans)),
        Lemma(
            "turns",
            (states.begun | states.decided | states.loaded,),
            (
                second.eq(by_step({PRODUCT: 1, LEAVE: 1})),
                IN_SQUARE | IN_PRODUCT | step.eq(LEAVE),
                table.eq(0),
            ),
        ),
        Lemma(
            "scan_turns",
            (states.begun | states.decided | states.loaded,),
            (starts.eq(by_step({SQUARE: 1})),),
        ),
        taken("enters", (*enters_now, bit_valid.eq(1)), SQUARE, base, 1),
        taken("enters_left", (*enters_now, bit_valid.eq(0)), LEAVE, base, 0, left_out),
        taken("squared", (states.loaded, IN_SQUARE), PRODUCT, p),
        taken("product_taken", (states.loaded, IN_PRODUCT, bit_valid.eq(1)), SQUARE, p, 1),
        taken("leaves", (states.loaded, IN_PRODUCT, bit_valid.eq(0)), LEAVE, p, 0, left_out),
    )
    return states, with_cut(*own)
