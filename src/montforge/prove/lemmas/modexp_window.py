# SPDX-License-Identifier: Apache-2.0
"""The lemmas on mf_modexp with windows of at least two bits, for proofs/modexp_window.v.

Those on the table and its scan are for windows of one bit, too, in `modexp_window_of_bits`.

The table is one net, its words side by side. Each state says how long the digit after this one may
still take, at three cycles a turn at least, so that it is known in time whether there is one.
"""

from __future__ import annotations

from dataclasses import replace

from montforge.prove.lemmas.modexp import (
    ASKED,
    CALM,
    CHAIN,
    CYCLES,
    DIGIT,
    ENTER,
    IN_RUN,
    LEAVE,
    LENGTH,
    NOT_ASKED,
    PLACE,
    PRODUCT,
    QUIET,
    READS,
    SQUARE,
    TABLE,
    States,
    acc,
    acc_leave,
    acc_product,
    acc_read,
    acc_takes,
    acc_vectors,
    acc_words,
    after,
    answers,
    asked,
    at,
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
    clog2,
    either,
    following,
    holds,
    later,
    net,
    pow2,
)

D = DIGIT
DEPTH, LAST = pow2(D), pow2(D) - 1
COUNT = clog2(D + 1)
HALF = (LENGTH + 1) // 2
PLACES, ONE = ("place", DEPTH), pow2(0)


def entries(name: str, width: Operand = 1) -> Expression:
    """Return a net of mf_modexp_entries."""
    return control(f"u_entries.{name}", width)


def recoder(name: str, width: Operand = 1) -> Expression:
    """Return a net of mf_modexp_recoder."""
    return net(f"{CHAIN}u_recoder.gen_window.{name}", width)


digit, left = control("digit_q", D), control("left_q", COUNT)
table_after = control("b_read_after_q")
entry, last_entry, counts = entries("entry_q", D), entries("last_entry_q"), entries("counts_q")
near, half, match = (
    entries("near_q"),
    entries("gen_scan.half_q", D - 1),
    entries("gen_scan.match_q"),
)
zero, address = entries("gen_scan.zero_q"), entries("read_addr_q", D)
scans, scan_end = entries("gen_scan.scan_q"), entries("gen_scan.scan_end_q")
scanned, read_match = entries("gen_scan.scanned_q"), entries("gen_scan.read_match_q")
starts, starts_after = entries("gen_scan.starts_q"), entries("gen_scan.starts_after_q")
in_table, writes, wiped = entries("gen_scan.table_q"), entries("writes_q"), entries("wiped_o")
wait, filling, digit_valid = recoder("wait_q", 2), recoder("filling_q"), recoder("valid_q")
lacks, given, has_taken = recoder("left_q", COUNT), recoder("digit_q", D), recoder("taken_q")
before, high, low = recoder("before_q", LENGTH), recoder("high_q", COUNT), recoder("low_q", COUNT)

STATE = (
    *QUIET,
    *implies(acc_read, waiting.eq(1) | scans.eq(1)),
    *implies(scans, idle.eq(0), wipe.eq(0) | wiped.eq(0)),
    *implies(idle, entry.eq(0)),
)
UNREAD = bit_valid + found + either(more.eq(1), at + 1, 0)
"""The bits of the exponent that no digit has."""
LACKING = either(digit_valid.eq(1), 0, either(has_taken.eq(1), D + 1, either(UNREAD > 0, lacks, 0)))
"""Cycles until it is known whether there is another digit."""


def outside(where: Expression, *statements: Expression) -> tuple[Expression, ...]:
    """Return that ``statements`` hold where a net has a value, ``net.eq(value)``."""
    of, value = where.parts
    return tuple((of < value) | (of > value) | each for each in statements)


NEXT_DIGIT = (
    (either(wait.eq(0), 0, 1) + filling + digit_valid + has_taken).eq(1),
    wait < 3,
    wait.eq(0) | first.eq(1),
    has_taken.eq(0) | first.eq(0),
    *outside(wait.eq(1), more.eq(1), *zeros(found, bit_valid), before.eq(at)),
    *outside(wait.eq(2), found.eq(1), bit_valid.eq(0), low < D, high < D),
    *outside(wait.eq(2), ((low + high) % D).eq((UNREAD + D - 1) % D)),
    *implies(filling, lacks > 0, lacks <= D, (UNREAD % D).eq(lacks % D)),
    *implies(filling, first.eq(0) | (UNREAD > 0)),
    *implies(digit_valid, lacks.eq(0), (UNREAD % D).eq(0)),
    *implies(has_taken, (UNREAD % D).eq(0)),
    *((wait > 0) | each for each in READS),
)
"""The recoder: bits that it lacks, and those that come, make whole digits."""

SETTLED = (
    *IN_RUN,
    *zeros(first, passes, moves, enters),
    *ones(enter_last),
    enter < 2,
    *NEXT_DIGIT,
    acc_read.eq(scans) | waiting.eq(1),
)

ENTRY_ONE = (entry.eq(1), last_entry.eq(0), starts.eq(0), in_table.eq(0), scans.eq(0))
MATCHES = match.eq(either(digit.eq(1), 1, 0)), zero.eq(either(digit.eq(0), 1, 0))
FIRST_TURN = (
    *IN_RUN,
    step.eq(ENTER),
    *zeros(waiting, t_takes, acc_takes, digit_done, table, writes),
    second.eq(1),
    first.eq(0)
    | (enter.eq(CYCLES - 1) & wait.eq(1))
    | (enter.eq(CYCLES - 2) & wait.eq(2))
    | (filling.eq(1) & (enter <= CYCLES - 3) & (lacks + CYCLES - 3 <= D + enter))
    | (digit_valid.eq(1) & (enter + D + 3 >= CYCLES)),
    *NEXT_DIGIT,
    first.eq(1) | (enter + D - 1 >= LACKING),
    *(first.eq(1) | (enter + D + 5 > CYCLES) | each for each in MATCHES),
    enter_last.eq(0) | (enter < 2),
    enter <= CYCLES - 1,
    moves.eq(passes),
    *ENTRY_ONE,
    acc_read.eq(0),
)
"""The first turn, until its response is waited for: the check of x, the first digit."""

IS_DIGIT = either(entry.eq(digit), 1, 0)
LATE_ENTRY = counts.eq(1), near.eq(either(entry.eq(LAST - 1), 1, 0)), match.eq(IS_DIGIT)
IS_LAST = entry.eq(LAST)
SCAN_PLACE = (address + LAST) % DEPTH
IS_SCANNED = (
    (scans + scanned).eq(1),
    *implies(
        scans,
        read_match.eq(either(SCAN_PLACE.eq(digit), 1, 0)),
        scan_end.eq(either(SCAN_PLACE.eq(LAST), 1, 0)),
    ),
    scans.eq(1) | address.eq(0),
)
"""The scan of this digit is under way, or over."""
IN_TABLE, IN_SQUARE, IN_PRODUCT = step.eq(TABLE), step.eq(SQUARE), step.eq(PRODUCT)
ODD = entry % 2


def turn(cycle: int) -> tuple[Expression, ...]:
    """Return what holds in all turns after the first one; ``cycle`` is the least of the turn."""
    return (
        *SETTLED,
        late.eq(0),
        IN_TABLE | IN_SQUARE | IN_PRODUCT | step.eq(LEAVE),
        second.eq(by_step({PRODUCT: 1, LEAVE: 1})),
        table.eq(by_step({TABLE: ODD})),
        in_table.eq(by_step({TABLE: 1})),
        starts.eq(0) | (IN_SQUARE & left.eq(D - 1)),
        *outside(
            IN_TABLE,
            entry >= 2,
            last_entry.eq(either(IS_LAST, 1, 0)),
            ODD.eq(0) | half.eq(((entry + 1) // 2) % pow2(D - 1)),
            LACKING.eq(0) | (LACKING + cycle <= 3 * (LAST - entry)),
            scans.eq(0),
            (digit < entry) | acc_vectors.eq(0),
        ),
        *outside(IN_SQUARE, left < D, LACKING.eq(0) | (LACKING + cycle <= 3 * left + 3)),
        *outside(IN_PRODUCT, LACKING.eq(0)),
        *outside(step.eq(LEAVE), filling.eq(1), UNREAD.eq(0), scans.eq(0)),
    )


TURNS = (TABLE, SQUARE, PRODUCT)
ENDS = by_step({TABLE: last_entry, PRODUCT: 1})
"""Whether the digit ends with this turn."""
NEXT_STEP = by_step(
    {
        TABLE: either(last_entry.eq(1), either(digit_valid.eq(1), SQUARE, LEAVE), TABLE),
        SQUARE: either(left.eq(0), PRODUCT, SQUARE),
        PRODUCT: either(digit_valid.eq(1), SQUARE, LEAVE),
    },
    LEAVE,
)
LEAVES = either(digit_valid.eq(1), 0, ENDS)
BEGUN = holds(
    "begun",
    *turn(0),
    issue.eq(1),
    *zeros(waiting, t_takes, acc_takes, digit_done, writes, acc_product, acc_leave, acc_words),
    *outside(IN_TABLE, address.eq(1)),
    *outside(
        IN_SQUARE,
        leaves.eq(0),
        *(starts.eq(1) | each for each in IS_SCANNED),
        starts.eq(0) | (scans.eq(0) & address.eq(0)),
    ),
    *outside(IN_PRODUCT, *IS_SCANNED, asked.eq(0) | scanned.eq(1)),
)
WAITS = (
    *ones(waiting),
    *zeros(issue, asked),
    squared.eq(by_step({SQUARE: either(left.eq(0), 1, 0)}, 1)),
    after.eq(NEXT_STEP),
    leaves.eq(LEAVES),
    digit_done.eq(ENDS),
    check.eq(0),
    writes.eq(by_step({TABLE: 1})),
    *outside(IN_TABLE, *LATE_ENTRY, address.eq(either(ODD.eq(1), half, 1))),
    *outside(IN_SQUARE, *IS_SCANNED),
    *outside(IN_PRODUCT, *IS_SCANNED, scanned.eq(1)),
)
DECIDED = holds(
    "decided",
    *turn(1),
    *WAITS,
    *outside(IN_SQUARE, acc_read.eq(scans), *zeros(acc_product, acc_leave, acc_words)),
)
LOADED = holds(
    "loaded",
    *turn(2),
    *WAITS,
    t_takes.eq(1),
    t_product.eq(by_step({TABLE: either(IS_LAST, IS_DIGIT, 1 - ODD)}, 1)),
    t_read.eq(by_step({TABLE: either(IS_LAST, 0, ODD)})),
    t_acc.eq(by_step({TABLE: either(IS_LAST, 1, 0)})),
    acc_takes.eq(by_step({TABLE: either(IS_LAST, 1, IS_DIGIT), PRODUCT: LEAVES})),
    acc_product.eq(by_step({TABLE: either(IS_LAST, 0, IS_DIGIT)})),
    acc_read.eq(scans),
    acc_leave.eq(LEAVES),
    *zeros(t_words, acc_words),
    second_after.eq(either(after.eq(PRODUCT), 1, either(after.eq(LEAVE), 1, 0))),
    table_after.eq(either(after.eq(TABLE), 1 - ODD, 0)),
    starts_after.eq(either(after.eq(SQUARE), by_step({SQUARE: 0}, 1), 0)),
)
STATES = States(
    quiet=holds("quiet", *STATE),
    entering=holds(
        "entering",
        *FIRST_TURN,
        issue.eq(1),
        enters.eq(asked),
        *zeros(passes, late),
        enter.eq(CYCLES - 1) | address.eq(0),
    ),
    checking=holds(
        "checking",
        *FIRST_TURN,
        *zeros(issue, enters, address),
        enter < CYCLES - 1,
        last_word.eq(either(words.eq(0), 1, 0)),
        *ones(squared, check, counts),
        after.eq(TABLE),
        leaves.eq(0),
    ),
    entered=holds(
        "entered",
        *SETTLED,
        enter + D - 1 >= LACKING,
        step.eq(ENTER),
        *ENTRY_ONE,
        *MATCHES,
        *ones(waiting, second, squared, check, counts, writes, t_takes, acc_takes, t_product),
        *zeros(issue, digit_done, leaves, table, address, t_read, t_acc, acc_leave, asked),
        *zeros(t_words, acc_words, starts_after),
        acc_read.eq(either(digit.eq(0), 1, 0)),
        acc_product.eq(either(digit.eq(1), 1, 0)),
        after.eq(TABLE),
        near.eq(either(entry.eq(LAST - 1), 1, 0)),
        *zeros(second_after, table_after),
    ),
    begun=BEGUN,
    decided=DECIDED,
    loaded=LOADED,
    still=(scans,),
)


def taken(
    name: str, where: tuple[Expression, ...], to: int, t_is: Operand, *shows: Expression
) -> Lemma:
    """Return the lemma on the response of a turn: t loads, one of step ``to`` follows."""
    shown = (later(BEGUN), following(n).eq(n), following(step).eq(to), following(t).eq(t_is))
    return Lemma(name, (LOADED, *where, CALM, answers.eq(1)), (*shown, *shows))


LEFT_OUT = (digit_taken.eq(0), following(acc).eq(1))
NEXT_DIGIT_COMES = (digit_taken.eq(1), following(starts).eq(1), following(left).eq(D - 1))
FOUND = either(SCAN_PLACE.eq(digit), read, acc)


def table_and_scan(of: States) -> tuple[Lemma, ...]:
    """Return the lemmas on the table and its scan, the hypotheses of proofs/modexp_scan.v."""
    scanning = (
        (of.begun & starts.eq(0)) | (of.decided & answers.eq(0)) | of.loaded,
        IN_SQUARE | (IN_PRODUCT & (of.begun | answers.eq(0))),
        CALM,
    )
    return (
        Lemma(
            "table_stays",
            (of.enters | of.waits | (of.loaded & (step > TABLE)), CALM),
            (following(power).eq(power),),
            each=PLACES,
        ),
        Lemma(
            "table_enters",
            (of.entered, CALM, answers.eq(1), wrong.eq(0)),
            (following(power).eq(either(PLACE.eq(1), p, power)),),
            each=PLACES,
        ),
        Lemma("table_reads", (address.eq(PLACE),), (following(read).eq(power),), each=PLACES),
        Lemma("reads_one", (of.checking | of.entered,), zeros(address)),
        Lemma("product_waits", (of.begun, IN_PRODUCT, *ASKED), (scans.eq(0), starts.eq(0))),
        Lemma("scan_waits", (of.begun, starts.eq(1), CALM, NOT_ASKED), (following(starts).eq(1),)),
        Lemma(
            "scan_starts",
            (of.begun, starts.eq(1), CALM, *ASKED),
            (IN_SQUARE, following(scans).eq(1), address.eq(0), later(SCAN_PLACE).eq(0)),
        ),
        Lemma(
            "scan_goes",
            (*scanning, scans.eq(1), SCAN_PLACE < LAST),
            (
                following(scans).eq(1),
                address.eq(SCAN_PLACE + 1),
                later(SCAN_PLACE).eq(SCAN_PLACE + 1),
                following(acc).eq(FOUND),
            ),
        ),
        Lemma(
            "scan_ends",
            (*scanning, scans.eq(1), SCAN_PLACE.eq(LAST)),
            (following(scans).eq(0), following(acc).eq(FOUND)),
        ),
        Lemma("scan_over", (*scanning, scans.eq(0)), (following(scans).eq(0), *kept(acc))),
    )


OWN = with_cut(
    Lemma(
        "window_bits",
        (),
        tuple(
            each.eq(0) | each.eq(1) for each in (starts, scans, digit_valid, filling, digit_taken)
        ),
    ),
    Lemma("window_bounds", (), (digit >= 0, digit < DEPTH, given >= 0, given < DEPTH)),
    *table_and_scan(STATES),
    Lemma(
        "table_takes",
        (LOADED, IN_TABLE, CALM, answers.eq(1)),
        (following(power).eq(either(entry.eq(PLACE), p, power)),),
        each=PLACES,
    ),
    Lemma(
        "digit_moves",
        (busy.eq(1), idle.eq(0), wipe.eq(0), digit_taken.eq(1)),
        (following(digit).eq(given), following(first).eq(0), digit_valid.eq(1)),
    ),
    Lemma(
        "digit_stays",
        (busy.eq(1), idle.eq(0), wipe.eq(0), digit_taken.eq(0)),
        kept(digit, first),
    ),
    Lemma(
        "recoder_begins",
        (STATES.any, wait > 0),
        (
            *zeros(filling, digit_valid, bit_taken, following(digit_valid)),
            following(filling).eq(0) | following(given).eq(0),
        ),
    ),
    Lemma(
        "recoder_fills",
        (STATES.any, *ones(filling, bit_valid)),
        (
            *ones(bit_taken),
            *zeros(digit_valid, digit_taken),
            *(lacks > 0, lacks <= D),
            following(given).eq((2 * given + bit) % DEPTH),
            following(lacks).eq(lacks - 1),
            (following(filling) + following(digit_valid)).eq(1),
        ),
    ),
    Lemma(
        "recoder_starves",
        (STATES.any, filling.eq(1), bit_valid.eq(0)),
        (
            *zeros(digit_valid, digit_taken),
            *kept(given, lacks, filling, digit_valid),
        ),
    ),
    Lemma(
        "recoder_keeps",
        (STATES.any, digit_valid.eq(1), digit_taken.eq(0)),
        (*zeros(filling, bit_taken, lacks), *kept(given, lacks, filling, digit_valid)),
    ),
    Lemma(
        "recoder_gives",
        (STATES.any, digit_valid.eq(1), digit_taken.eq(1)),
        (*zeros(filling, bit_taken, lacks, following(filling), following(digit_valid)),),
    ),
    Lemma(
        "recoder_restarts",
        (STATES.any, wait.eq(0), *zeros(filling, digit_valid)),
        (
            *zeros(bit_taken, following(digit_valid)),
            following(filling).eq(1),
            following(lacks).eq(D),
        ),
    ),
    Lemma("first_waits", (STATES.any, wait > 0), (first.eq(1),)),
    Lemma("wait_range", (), (wait >= 0,)),
    Lemma("first_digit", (STATES.entered | BEGUN | DECIDED | LOADED,), zeros(first)),
    Lemma(
        "no_digit",
        (LOADED, IN_PRODUCT | (IN_TABLE & IS_LAST), digit_valid.eq(0)),
        (filling.eq(1), lacks.eq(D), *zeros(bit_valid, found, more)),
    ),
    Lemma(
        "enters_stays",
        (STATES.enters, CALM),
        (digit_taken.eq(either(first.eq(1), digit_valid, 0)),),
    ),
    Lemma(
        "turn_stays",
        (STATES.waits, CALM),
        (*kept(t, step, entry, digit, left), digit_taken.eq(0)),
    ),
    Lemma("acc_stays", (STATES.waits, IN_TABLE | step.eq(LEAVE), CALM), kept(acc)),
    Lemma(
        "window_turns",
        (BEGUN | DECIDED | LOADED,),
        (
            IN_TABLE | IN_SQUARE | IN_PRODUCT | step.eq(LEAVE),
            second.eq(by_step({PRODUCT: 1, LEAVE: 1})),
            table.eq(by_step({TABLE: ODD})),
            *outside(IN_TABLE, entry >= 2, entry <= LAST),
            *outside(IN_SQUARE, left >= 0, left < D),
        ),
    ),
    Lemma("reads_base", (BEGUN, IN_TABLE), (address.eq(1),)),
    Lemma("reads_base_again", (DECIDED | LOADED, IN_TABLE, ODD.eq(0)), (address.eq(1),)),
    Lemma(
        "reads_half",
        (DECIDED | LOADED, IN_TABLE, ODD.eq(1)),
        (address.eq((entry + 1) // 2 % pow2(D - 1)),),
    ),
    Lemma(
        "enters",
        (STATES.entered, CALM, answers.eq(1), wrong.eq(0)),
        (
            later(BEGUN),
            following(n).eq(n),
            following(step).eq(TABLE),
            following(t).eq(p),
            following(acc).eq(either(digit.eq(1), p, either(digit.eq(0), read, 0))),
            following(entry).eq(2),
            digit_taken.eq(0),
        ),
    ),
    taken(
        "entry_taken",
        (IN_TABLE, entry < LAST),
        TABLE,
        either(ODD.eq(1), read, p),
        following(acc).eq(either(entry.eq(digit), p, acc)),
        following(entry).eq(entry + 1),
        digit_taken.eq(0),
    ),
    taken(
        "table_done",
        (IN_TABLE, IS_LAST, digit_valid.eq(1)),
        SQUARE,
        either(entry.eq(digit), p, acc),
        *NEXT_DIGIT_COMES,
    ),
    taken(
        "table_leaves",
        (IN_TABLE, IS_LAST, digit_valid.eq(0)),
        LEAVE,
        either(entry.eq(digit), p, acc),
        *LEFT_OUT,
    ),
    taken(
        "square_taken",
        (IN_SQUARE, left > 0),
        SQUARE,
        p,
        following(left).eq(left - 1),
        digit_taken.eq(0),
    ),
    taken("squared", (IN_SQUARE, left.eq(0)), PRODUCT, p, digit_taken.eq(0)),
    taken("product_taken", (IN_PRODUCT, digit_valid.eq(1)), SQUARE, p, *NEXT_DIGIT_COMES),
    taken("leaves", (IN_PRODUCT, digit_valid.eq(0)), LEAVE, p, *LEFT_OUT),
)


def algorithm(passes_: int) -> tuple[States, tuple[Lemma, ...]]:
    """Return states and lemmas; ``passes_`` subtractions follow the last product."""
    states = replace(STATES, quiet=holds("quiet", *STATE, *leaving(passes_)))
    loads = Lemma(
        "table_loads",
        (states.quiet, request.eq(1), ready.eq(1)),
        (following(power).eq(net("r1_i", W)), following(wait).eq(1)),
        each=("place", ONE),
    )
    return states, (*with_cut(loads), *OWN)
