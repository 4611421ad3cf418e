# SPDX-License-Identifier: Apache-2.0
"""The lemmas on mf_unit_csa_core from which proofs/unit_csa.v and those beside it follow.

What is said of each Booth term or group of bits has its number as an index; the rows of the
compressor trees are those for a number of Booth terms. Assumed is the order of what enters a tree.
The conversion takes two cycles, the look-ahead both.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from montforge.arch.unit_csa import NONNEGATIVE, SCALED, UnitCsa
from montforge.prove.lemmas.booth import Tree
from montforge.prove.lemmas.group_converter import GroupConverter, g
from montforge.prove.lemmas.shared import one_of, ready, request, response, taken
from montforge.prove.lemmas.unit_accumulator import (
    Accumulator,
    accumulator_lemmas,
    booth_terms,
    if_,
    j,
    selected,
)
from montforge.prove.statement import (
    Expression,
    Lemma,
    Operand,
    W,
    bits_or,
    clog2,
    following,
    holds,
    later,
    net,
    part,
    pow2,
    signed,
    size,
)

IDLE, LOOP, TAIL, CONVERT, CORRECT, DONE = range(6)
D, DELAY, GROUP = size("digit"), size("delay"), size("group")
OPERAND, STATE, MODULUS = size("operand"), size("state"), size("modulus")
DIGITS, LAST, LOOPS, PAIR = size("digits"), size("last"), size("loops"), size("pair")
RADIX = pow2(D)
SCALE = D * DELAY
SUM = DIGITS * D
LOW = (DELAY - 1) * D
"""Bits of a scaled result below the pair, and of the pair that are converted."""
TERMS = (D + 1) // 2
"""Booth terms of a digit: so many multiples of b, which become two vectors, and of n-bar."""
CONVERT_CYCLES = 2

phase, left = net("u_core.phase_q", 3), net("u_core.left_q", clog2(LOOPS + 1))
next_phase, next_left = following(phase), following(left)
idle, clear, shift = net("u_core.idle_q"), net("u_core.clear_q"), net("u_core.shift_q")
d_valid, q_valid = net("u_core.d_valid_q"), net("u_core.q_valid_q")
transfer, start, load = net("u_core.transfer_q"), net("u_core.start_q"), net("u_core.load_q")
correct = net("u_core.correct_q")
SELECT_COLUMNS = 64
"""Columns of the correction that the same registers select: SelectW of mf_unit_csa_core."""
SELECTS = (OPERAND + SELECT_COLUMNS - 1) // SELECT_COLUMNS
ALL = pow2(SELECTS) - 1
_N = "u_core.gen_nonnegative"
p_found = net(f"{_N}.p_found_q")
select_p, select_n = net(f"{_N}.select_p_q", SELECTS), net(f"{_N}.select_n_q", SELECTS)
a, b, modulus = net("u_core.a_q", SUM), net("u_core.b_q", OPERAND), net("u_core.modulus_q", MODULUS)
digit, digit_transfer = net("u_core.digit", D), net("u_core.digit_transfer_q")
u, u_transfer = net("u_core.u", D), net("u_core.u_transfer_q")
carry, carry_q = net("u_core.carry"), net("u_core.carry_q")
_D = "u_core.d_q"
d, q = net(_D, 3 * TERMS), net("u_core.q_q", 3 * TERMS)
exact = net("u_core.exact", 3 * TERMS)
s, c = net("u_core.s_q", STATE), net("u_core.c_q", STATE)
cleared = net("u_core.clear")
ACCUMULATOR = Accumulator(
    name="u_core.u_accumulator",
    digit=D,
    terms=TERMS,
    stages=DELAY,
    state=STATE,
    operand=OPERAND,
    modulus_bits=MODULUS,
    d=d,
    q=q,
    b=signed(b),
    modulus=signed(modulus),
    s=s,
    c=c,
    clear=cleared,
    load=load,
)
EACH_TERM = ACCUMULATOR.each_term
_REGIONS = replace(ACCUMULATOR, regions=True)
CONVERTER = GroupConverter("u_core.u_convert", PAIR, GROUP, a, LOW, CONVERT_CYCLES)
_EXACT_CONVERTER = replace(CONVERTER, low=0)
started, group_of = CONVERTER.started, CONVERTER.of
still = (idle.eq(0), shift.eq(0), start.eq(0))
"""No operand, no digit and no sum enters a_q."""
start_sums = (start.eq(1), idle.eq(0), shift.eq(0))

_CONTROL = (
    Lemma("ready", (), (ready.eq(idle), response.eq(if_(phase.eq(DONE))))),
    Lemma(
        "selects",
        (),
        (
            following(idle).eq(if_(next_phase.eq(IDLE))),
            following(clear).eq(if_(idle.eq(1), 1, if_(next_phase.eq(IDLE)))),
            following(shift).eq(if_(following(idle).eq(1), 0, if_(next_phase.eq(LOOP)))),
            cleared.eq(bits_or(clear, load)),
        ),
        "The selects are registers of the next phase.",
    ),
    Lemma(
        "valid_digits",
        (),
        (
            following(d_valid).eq(
                if_(
                    following(idle).eq(1),
                    1,
                    if_(next_phase.eq(LOOP), if_(next_left > LOOPS + 1 - DIGITS)),
                )
            ),
            following(q_valid).eq(
                if_(phase.eq(LOOP), if_(left > 0, if_(next_left > LOOPS - 2 - LAST)))
            ),
        ),
        "When there are digits of a and of the quotient.",
    ),
    Lemma(
        "at_reset",
        (),
        (
            *(phase.eq(IDLE), idle.eq(1), clear.eq(1), shift.eq(0), start.eq(0)),
            *(started.eq(0), d_valid.eq(1), q_valid.eq(0)),
        ),
        at_reset=True,
    ),
    Lemma(
        "accept",
        (phase.eq(IDLE), request.eq(1), idle.eq(1), shift.eq(0), start.eq(0)),
        (
            next_phase.eq(LOOP),
            next_left.eq(LOOPS),
            following(a).eq((signed(net("a_i", OPERAND)) // RADIX) % pow2(SUM)),
            following(b).eq(net("b_i", OPERAND)),
            following(modulus).eq(signed(net("n_scaled_i", W)) % pow2(MODULUS)),
        ),
    ),
    Lemma("count", (phase.eq(LOOP), left > 0), (next_phase.eq(LOOP), next_left.eq(left - 1))),
    Lemma("no_load", (phase < LOOP,), (following(load).eq(0),)),
    Lemma("no_load_yet", (phase.eq(LOOP), left > 0), (following(load).eq(0),)),
    Lemma(
        "converts",
        (phase.eq(CONVERT), left > 0),
        (next_phase.eq(CONVERT), next_left.eq(left - 1)),
    ),
    Lemma("wait", (phase.eq(DONE), taken.eq(0)), (next_phase.eq(DONE),)),
    Lemma("keep", (idle.eq(0),), (following(b).eq(b),)),
    Lemma(
        "keep_modulus", (idle.eq(0), phase.eq(LOOP), left > 0), (following(modulus).eq(modulus),)
    ),
    Lemma(
        "shift_a",
        (idle.eq(0), shift.eq(1), start.eq(0)),
        (following(a).eq(a // RADIX + pow2(SUM - D) * u),),
        "The digits of the quotient come in at the top.",
        cut=("u_core.u",),
    ),
    Lemma("first_digit", (idle.eq(1),), (digit.eq(signed(net("a_i", OPERAND)) % RADIX),)),
    Lemma("other_digits", (idle.eq(0),), (digit.eq(part(a, 0, D)),)),
    Lemma(
        "a_terms",
        (idle.eq(0) | digit_transfer.eq(0),),
        booth_terms(following(d), d_valid, 2 * signed(digit) + digit_transfer),
        cut=("u_core.digit",),
        each=EACH_TERM,
    ),
    Lemma(
        "first_terms",
        (idle.eq(1), d_valid.eq(1)),
        booth_terms(following(d), d_valid, 2 * signed(digit) + 0),
        cut=("u_core.digit",),
        each=EACH_TERM,
    ),
    Lemma(
        "a_transfer", (), (following(digit_transfer).eq(part(digit, D - 1)),), cut=("u_core.digit",)
    ),
    Lemma(
        "quotient_digit",
        (transfer.eq(0) | (c % 2).eq(0),),
        ((u + RADIX * carry).eq(part(s, 0, D) + part(c, 0, D) + carry_q + transfer),),
    ),
    Lemma(
        "quotient_terms",
        (exact.eq(0),),
        booth_terms(following(q), q_valid, 2 * signed(u) + u_transfer),
        cut=("u_core.u", "u_core.exact"),
        each=EACH_TERM,
    ),
    Lemma(
        "quotient_transfer",
        (),
        (
            following(u_transfer).eq(part(u, D - 1)),
            following(carry_q).eq(if_(clear.eq(1), 0, carry)),
        ),
        cut=("u_core.u", "u_core.carry"),
    ),
)


def _starts(last: Expression, again: Operand = 0) -> Lemma:
    """Return the lemma on the start of conversions: after ``last``, and where ``again`` is 1."""
    return Lemma(
        "starts",
        (),
        (
            following(start).eq(if_(last, if_(left.eq(0)), again)),
            following(started).eq(start),
        ),
    )


_SCALED_LOOP = (
    Lemma("no_exact", (), (exact.eq(0),)),
    Lemma(
        "last_transfer",
        (),
        (
            following(transfer).eq(
                if_(
                    phase.eq(LOOP),
                    if_(left > 0, if_(next_left.eq(DELAY - 2), part(u, D - 1))),
                )
            ),
        ),
        "The last transfer between digits of the quotient.",
        cut=("u_core.u",),
    ),
)
_SCALED = (
    _starts(phase.eq(LOOP)),
    Lemma(
        "count_end",
        (phase.eq(LOOP), left.eq(0)),
        (next_phase.eq(CONVERT), next_left.eq(CONVERT_CYCLES - 1)),
    ),
    Lemma("converted", (phase.eq(CONVERT), left.eq(0)), (next_phase.eq(DONE),)),
    CONVERTER.sums(start_sums, group_of(s) + group_of(c), carry_q),
    CONVERTER.increments(still),
    Lemma(
        "low_digits",
        (start.eq(1), idle.eq(0), shift.eq(0)),
        (part(following(a), 0, LOW).eq(part(a, SUM - LOW, LOW)),),
        "Digits below the pair.",
    ),
    Lemma("low_digits_stay", still, (part(following(a), 0, LOW).eq(part(a, 0, LOW)),)),
    Lemma("answer", (), (net("p_o", OPERAND).eq(part(a, 0, OPERAND)),)),
)

# ---------------------------------------------------------------- requests that overlap

_EXACT_PAIR = (
    group_of(s, D) + group_of(c, D),
    if_((part(s, D - 1) + part(c, D - 1)).eq(0), 0, 1),
)
"""The sum of group g, and the carry into the lowest group, when an exact pair is converted."""
HELD = 6
_OVER = "u_core.gen_overlap"
fill, park, move = net("u_core.fill"), net("u_core.park"), net(f"{_OVER}.move_q")
summed, carried = net(f"{_OVER}.summed_q"), net(f"{_OVER}.carried_q")
valid_q, occupied = net(f"{_OVER}.valid_q"), net(f"{_OVER}.occupied_q")
p, sums = net(f"{_OVER}.p_q", SUM), net("u_core.sums", SUM)
low_q = net("u_core.gen_scaled_sum.gen_low.low_q", LOW)
_FILLED = replace(CONVERTER, register=p, cycles=3)
_FOUND = ("generates", "propagates")
generates, propagates = (net(f"{CONVERTER.name}.{name}", CONVERTER.groups) for name in _FOUND)
kept = tuple(
    net(f"{CONVERTER.name}.gen_three_cycles.{name}_q", CONVERTER.groups) for name in _FOUND
)
carries = CONVERTER.carries
in_converter = fill + move + occupied
takes = response * taken


def _in_loop(last: int) -> Expression:
    """Return the number of operations before their conversion, which phase ``last`` ends."""
    found = if_(phase.eq(HELD), 1 - fill)
    for each in range(last, LOOP - 1, -1):
        found = if_(phase.eq(each), 1, found)
    return found


def _under_control(last: int) -> Expression:
    """Return the invariant of requests that overlap; phase ``last`` ends before the conversion.

    An operation leaves it when those before it have been converted, or wait to be taken.
    """

    def until(done: Expression, cycles: Expression) -> Expression:
        return done.eq(0) | (phase > LOOP) | (phase < LOOP) | cycles

    waits = (phase < TAIL) | (phase > TAIL) | (fill + summed + carried).eq(0)
    return holds(
        "under_control",
        one_of(phase, (IDLE, *range(LOOP, last + 1), HELD)),
        phase.eq(HELD) | phase.eq(IDLE) | (left <= LOOPS),
        idle.eq(1) | (phase > IDLE),
        idle.eq(0) | phase.eq(IDLE) | (phase.eq(last) & left.eq(0) & in_converter.eq(0)),
        shift.eq(if_(idle.eq(1), 0, if_(phase.eq(LOOP)))),
        fill + move + summed + carried + valid_q <= 1,
        occupied.eq(summed + carried + valid_q),
        started.eq(summed),
        start.eq(fill + park),
        park.eq(0) | (phase.eq(HELD) & fill.eq(0)),
        until(fill, left.eq(LOOPS)),
        move.eq(0) | phase.eq(IDLE),
        (phase < HELD) | fill.eq(1) | valid_q.eq(1),
        until(summed, left >= LOOPS - 1),
        until(carried, left >= LOOPS - 2),
        *((waits,) if last == TAIL else ()),
    )


def _named(name: str) -> Lemma:
    (found,) = (each for each in _CONTROL if each.name == name)
    return found


def _taken_early(last: int) -> dict[str, Lemma]:
    """Return the lemmas on a request that may be accepted in the last cycle of phase ``last``."""
    exact = last == TAIL
    return {
        lemma.name: lemma
        for lemma in (
            Lemma("ready", (), (ready.eq(idle), response.eq(valid_q))),
            Lemma(
                "selects",
                (),
                (
                    following(idle).eq(1) | (next_phase > IDLE),
                    following(clear).eq(if_(idle.eq(1), 1, if_(next_phase.eq(IDLE)))),
                    following(shift).eq(if_(following(idle).eq(1), 0, if_(next_phase.eq(LOOP)))),
                    cleared.eq(bits_or(clear, load)),
                ),
            ),
            replace(
                _named("accept"),
                given=(_under_control(last), request.eq(1), idle.eq(1)),
            ),
            Lemma(
                "no_load",
                ((phase < LOOP) | (phase > LOOP),) if exact else (),
                (following(load).eq(0),),
            ),
            replace(_named("shift_a"), given=(idle.eq(0), shift.eq(1), park.eq(0))),
            Lemma(
                "quotient_transfer",
                (),
                (
                    following(u_transfer).eq(if_(clear.eq(1), 0, part(u, D - 1))),
                    following(carry_q).eq(if_(clear.eq(1), 0, carry)),
                ),
                cut=("u_core.u", "u_core.carry"),
            ),
        )
    }


def _early_sums(pair: Expression, carry: Expression, low: Operand) -> Lemma:
    """Return the lemma on the sums of groups before a register takes them, from bit ``low`` on."""
    made = pow2(CONVERTER.bits) * part(generates, g)
    return replace(
        _FILLED.sums((start.eq(1),), pair, carry),
        shows=(
            (group_of(sums, low) + made).eq(pair + if_(g.eq(0), carry)),
            part(propagates, g).eq(if_(pair.eq(pow2(CONVERTER.bits) - 1))),
        ),
    )


@cache
def _conversion(last: int) -> tuple[Lemma, ...]:
    """Return the lemmas on the result's register, and on its conversion after phase ``last``."""
    control, in_loop, low = _under_control(last), _in_loop(last), LOW if last == LOOP else 0
    filled = replace(_FILLED, low=low)
    more: tuple[Expression, ...] = (phase.eq(LOOP), left > 0)
    if last == TAIL:
        more = (phase >= LOOP, phase <= last, (phase < last) | (left > 0))
    of_pair = (group_of(s) + group_of(c), carry_q) if last == LOOP else _EXACT_PAIR
    moving_digits = (
        Lemma("low_digits", (), (following(low_q).eq(low_q // RADIX + pow2(LOW - D) * u),)),
        Lemma("low_sums", (), (part(sums, 0, LOW).eq(low_q),)),
    )
    low_stays = (
        Lemma(
            "low_digits_stay",
            (fill.eq(0), move.eq(0)),
            (part(following(p), 0, LOW).eq(part(p, 0, LOW)),),
        ),
    )
    return (
        Lemma("control_at_reset", (), (control, carries.eq(0), in_converter.eq(0)), at_reset=True),
        Lemma("control_on", (control,), (later(control),)),
        Lemma(
            "balance",
            (control,),
            (
                (later(in_loop) + later(in_converter) + takes).eq(
                    in_loop + in_converter + ready * request
                ),
            ),
            "The operations that are under way.",
        ),
        Lemma(
            "loop_on",
            (control, *more),
            ((later(in_converter) + takes).eq(in_converter),),
        ),
        Lemma(
            "loop_end",
            (control, phase.eq(last), left.eq(0)),
            (
                (following(fill) + in_converter).eq(1 + takes),
                following(start).eq(1),
                following(fill).eq(1) | (next_phase.eq(HELD) & response.eq(1) & taken.eq(0)),
            ),
            "The pair is converted in the result's register,"
            " or waits as sums of groups in that of a.",
        ),
        Lemma(
            "waits_for_place",
            (control, phase.eq(HELD), fill.eq(0)),
            (
                response.eq(1),
                following(move).eq(taken),
                taken.eq(1) | next_phase.eq(HELD),
                following(start).eq(0),
            ),
        ),
        Lemma(
            "steps",
            (),
            (
                following(summed).eq(bits_or(fill, move)),
                following(carried).eq(summed),
                following(valid_q).eq(bits_or(carried, valid_q * (1 - taken))),
            ),
        ),
        Lemma(
            "starts",
            (),
            (following(start).eq(if_(phase.eq(last), if_(left.eq(0)))),),
        ),
        Lemma(
            "parks",
            (idle.eq(0), shift.eq(0)),
            (following(a).eq(if_(park.eq(1), sums, a)),),
            cut=("u_core.sums",),
        ),
        Lemma(
            "fills",
            (fill + move >= 1, fill + move <= 1),
            (following(p).eq(if_(fill.eq(1), sums, a)),),
            cut=("u_core.sums",),
        ),
        *(moving_digits if last == LOOP else ()),
        _early_sums(*of_pair, low),
        Lemma(
            "groups_kept",
            (),
            tuple(
                following(own).eq(if_(start.eq(1), new, own))
                for own, new in zip(kept, (generates, propagates), strict=True)
            ),
            cut=tuple(f"{CONVERTER.name}.{name}" for name in _FOUND),
        ),
        *filled.look_ahead((started.eq(1),), (fill.eq(0), move.eq(0)))[:2],
        filled.increments((fill.eq(0), move.eq(0))),
        *(low_stays if last == LOOP else ()),
        filled.look_ahead((started.eq(1),), (fill.eq(0), move.eq(0)))[2],
        Lemma("answer", (), (net("p_o", OPERAND).eq(part(p, 0, OPERAND)),)),
    )


# ---------------------------------------------------------------- the exact tail

_X = "u_core.gen_exact.u_exact"
n, inverse = net("u_core.gen_n.n_q", W), net(f"{_X}.n_q", SCALE)
first, valid = net("u_core.first_q"), net(f"{_X}.valid_q", DELAY)
v = net(f"{_X}.v_q", 3 * TERMS)
x_digit, x_transfer = net(f"{_X}.digit", D), net(f"{_X}.transfer_q")
x_carry, x_carry_q = net(f"{_X}.carry"), net(f"{_X}.carry_q")
x_s, x_c = net(f"{_X}.s_q", SCALE), net(f"{_X}.c_q", SCALE)
ALWAYS = Expression("int", (1,))


n_group = (n // pow2(g * GROUP)) % pow2(CONVERTER.bits)


def _dated(delay: int) -> Expression:
    """Return that the flags of the digits of Q2 are those of their cycles."""
    at = [(LOOP, 0), (TAIL, delay), (TAIL, delay - 1)]
    at = at if delay == 2 else [(LOOP, 1), *at]
    flags = (first, *(part(valid, place) for place in range(delay)))
    return holds(
        "dated",
        *(
            flag.eq(0) | (phase.eq(in_phase) & left.eq(cycles))
            for flag, (in_phase, cycles) in zip(flags, at, strict=True)
        ),
    )


@cache
def _exact(of: Accumulator, terms: int, delay: int) -> tuple[Lemma, ...]:
    """Return the lemmas on the exact tail, for so many Booth terms of a digit."""
    tree = Tree(f"{_X}.u_tree", SCALE, terms + 2)
    dated = _dated(delay)
    vector = pow2(SCALE) * (part(c, 0, STATE - SCALE) + carry_q)
    late = of.vectors(delay, terms)
    rows = net(f"{of.name}.u_tree.rows_i", (4 + late) * STATE)
    bits = net(f"{of.name}.u_tree.bits_i", 2 + late)
    return (
        Lemma("no_transfer", (), (transfer.eq(0),)),
        Lemma(
            "tail",
            (phase.eq(LOOP), left.eq(0), idle.eq(0)),
            (
                next_phase.eq(TAIL),
                next_left.eq(DELAY),
                following(load).eq(1),
                following(modulus).eq(n),
            ),
        ),
        Lemma(
            "tail_count",
            (phase.eq(TAIL), left > 0, idle.eq(0)),
            (
                *(next_phase.eq(TAIL), next_left.eq(left - 1)),
                *(following(modulus).eq(modulus), following(load).eq(0)),
            ),
        ),
        Lemma(
            "constants",
            (),
            (
                following(n).eq(if_(idle.eq(1), net("n_i", W), n)),
                following(inverse).eq(if_(idle.eq(1), net("n_inverse_i", SCALE), inverse)),
            ),
        ),
        Lemma(
            "first_of_exact",
            (),
            (
                following(first).eq(
                    if_(phase.eq(LOOP), if_(left > 0, if_(next_left.eq(DELAY - 2))))
                ),
                following(valid).eq((2 * valid) % pow2(DELAY) + first),
            ),
        ),
        Lemma("dated_at_reset", (), (dated,), at_reset=True),
        Lemma("dated_on", (dated,), (later(dated),)),
        Lemma("no_exact", (valid.eq(0),), (exact.eq(0),)),
        Lemma(
            "exact_terms",
            (q_valid.eq(0), valid > 0),
            booth_terms(following(q), ALWAYS, 2 * signed(x_digit) + x_transfer),
            cut=(f"{_X}.digit",),
            each=EACH_TERM,
        ),
        Lemma(
            "low_terms",
            (),
            booth_terms(following(v), ALWAYS, 2 * signed(u) + u_transfer),
            cut=("u_core.u",),
            each=EACH_TERM,
        ),
        Lemma(
            "exact_multiples",
            (),
            (tree.vector(2 + j).eq(selected(v, signed(inverse), SCALE)),),
            "Modulo 2^L.",
            each=EACH_TERM,
        ),
        Lemma(
            "exact_rows",
            (),
            (
                TERMS.eq(terms),
                *tree.statements([part(v, 3 * at) for at in range(terms)]),
                tree.vector(0).eq(if_(first.eq(1), 0, part(x_s, D, SCALE - D))),
                tree.vector(1).eq(if_(first.eq(1), 0, part(x_c, D, SCALE - D))),
                following(x_s).eq(tree.sum_),
                following(x_c).eq(tree.carry),
            ),
        ),
        Lemma(
            "exact_digit",
            (),
            ((x_digit + RADIX * x_carry).eq(part(x_s, 0, D) + part(x_c, 0, D) + x_carry_q),),
        ),
        Lemma(
            "exact_transfer",
            (),
            (
                following(x_transfer).eq(if_(first.eq(1), 0, part(x_digit, D - 1))),
                following(x_carry_q).eq(if_(first.eq(1), 0, x_carry)),
            ),
            cut=(f"{_X}.digit", f"{_X}.carry"),
        ),
        Lemma(
            "loads",
            (load.eq(1), (c % 2).eq(0)),
            (
                part(following(rows), 2 * STATE, STATE).eq(
                    part(a, SUM - SCALE, SCALE) + pow2(SCALE) * part(s, 0, STATE - SCALE)
                ),
                part(following(rows), 3 * STATE, STATE).eq(vector),
                part(following(bits), late).eq(part(d, 3 * (terms - 2))),
                part(following(bits), late + 1).eq(part(d, 3 * (terms - 1))),
            ),
            "V is added in the next cycle.",
        ),
    )


_ALONE = (
    Lemma(
        "tail_end",
        (phase.eq(TAIL), left.eq(0)),
        (next_phase.eq(CONVERT), next_left.eq(CONVERT_CYCLES - 1)),
    ),
    _EXACT_CONVERTER.increments(still),
)
_SIGNED = (
    _EXACT_CONVERTER.sums((*start_sums, correct.eq(0)), *_EXACT_PAIR),
    _starts(phase.eq(TAIL)),
    Lemma("no_correction", (), (correct.eq(0),)),
    Lemma("converted", (phase.eq(CONVERT), left.eq(0)), (next_phase.eq(DONE),)),
    Lemma("answer", (), (net("p_o", OPERAND).eq(part(a, 0, OPERAND)),)),
)
_CORRECTED = (
    _EXACT_CONVERTER.sums(
        (*start_sums, correct.eq(0), select_p.eq(0), select_n.eq(0)),
        *_EXACT_PAIR,
    ),
    _starts(phase.eq(TAIL), if_(phase.eq(CONVERT), if_(left.eq(0)))),
    Lemma("corrects", (), (following(correct).eq(if_(next_phase.eq(CORRECT))),)),
    Lemma(
        "finds_p",
        (),
        (following(p_found).eq(if_(next_phase.eq(CONVERT), if_(next_left.eq(0)))),),
    ),
    Lemma("selects_p", (), (following(select_p).eq(if_(p_found.eq(1), ALL)),)),
    Lemma("selects_no_n", (p_found.eq(0),), (following(select_n).eq(0),)),
    Lemma(
        "selects_n",
        (p_found.eq(1), *still),
        (following(select_n).eq(if_(part(following(a), W).eq(1), ALL)),),
        "At the end of the first conversion.",
    ),
    Lemma(
        "converted",
        (phase.eq(CONVERT), left.eq(0)),
        (next_phase.eq(CORRECT), next_left.eq(CONVERT_CYCLES - 1)),
    ),
    Lemma(
        "correction",
        (phase.eq(CORRECT), left > 0),
        (next_phase.eq(CORRECT), next_left.eq(left - 1)),
    ),
    Lemma("corrected", (phase.eq(CORRECT), left.eq(0)), (next_phase.eq(DONE),)),
    replace(
        _EXACT_CONVERTER.sums(
            (
                *(*start_sums, correct.eq(1), select_p.eq(ALL)),
                select_n.eq(if_(part(a, W).eq(1), ALL)),
            ),
            group_of(a) + if_(part(a, W).eq(1), n_group),
            ALWAYS - 1,
        ),
        name="corrected_sums",
        note="p, and n if p is negative.",
    ),
    Lemma("answer", (), (net("p_o", W).eq(part(a, 0, W)),)),
)


def _with_copies(lemma: Lemma, copies: int) -> Lemma:
    """Return a lemma in which the register of d is as wide as ``copies``; it is the lowest one."""

    def widened(of: Expression) -> Expression:
        if of.operation == "net":
            name, _, later = of.arguments
            wide = Expression("net", (name, copies * 3 * TERMS, later))
            return wide if name == _D else of
        parts = (widened(each) if isinstance(each, Expression) else each for each in of.arguments)
        return Expression(of.operation, tuple(parts))

    return replace(
        lemma, given=tuple(map(widened, lemma.given)), shows=tuple(map(widened, lemma.shows))
    )


def lemmas_on(design: UnitCsa) -> tuple[Lemma, ...]:
    """Return the lemmas on a design."""
    if not design.region:
        return _lemmas_on(design, ACCUMULATOR)
    copies = -(-sizes(design)["operand"] // design.region)
    return tuple(_with_copies(each, copies) for each in _lemmas_on(design, _REGIONS))


def _lemmas_on(design: UnitCsa, of: Accumulator) -> tuple[Lemma, ...]:
    """Return the lemmas on a design with accumulator ``of`` and one register of d."""
    terms = (design.digit + 1) // 2
    datapath = accumulator_lemmas(of, terms, design.delay)
    exact = () if design.result == SCALED else _exact(of, terms, design.delay)
    if design.overlap:
        last = TAIL if exact else LOOP
        early = _taken_early(last)
        kept_ones = (each for each in _CONTROL if each.name not in ("converts", "wait"))
        control = (early.get(each.name, each) for each in kept_ones)
        return (*control, *datapath, *(exact or _SCALED_LOOP), *_conversion(last))
    common = (*_CONTROL, *datapath, *CONVERTER.look_ahead((start.eq(1),), still))
    if not exact:
        return (*common, *_SCALED_LOOP, *_SCALED)
    kind = _CORRECTED if design.result == NONNEGATIVE else _SIGNED
    return (*common, *exact, *_ALONE, *kind)


def theorem_of(design: UnitCsa) -> str:
    """Return the file in the folder ``proofs`` with the theorem on a design."""
    kinds = ["overlap"] * design.overlap + [design.result] * (design.result != SCALED)
    return "_".join([design.name, *kinds])


def sizes(design: UnitCsa) -> dict[str, int]:
    """Return the parameters that lemmas may hang on beside the width and the design's own.

    Of the exact tail they are those in mf_unit_csa_core: the theorem asks for what it needs.
    """
    width, w, delay = design.width, design.digit, design.delay
    scale, exact = w * delay, design.result != SCALED
    operand = width + (1 if exact else scale)
    digits = max(-(-operand // w), delay)
    last = design.quotient_digits
    return {
        "operand": operand,
        "state": width + scale + 2 if exact else operand + w + 1,
        "modulus": width + exact,
        "digits": digits,
        "last": last,
        "loops": last + delay + exact,
        "pair": operand if exact else (digits - delay + 1) * w,
    }
