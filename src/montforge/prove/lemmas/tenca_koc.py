# SPDX-License-Identifier: Apache-2.0
"""The lemmas on mf_tenca_koc_par from which proofs/tenca_koc.v follows.

Nets of the elements are side by side, element 0 lowest; those of the links begin with the link from
element 0 to element 1.
"""

from __future__ import annotations

from montforge.arch.tenca_koc import CLOSED as CLOSED_FORM
from montforge.arch.tenca_koc import TencaKoc
from montforge.prove.lemmas.shared import CLOSED, handshake, request, taken
from montforge.prove.statement import (
    Expression,
    Lemma,
    Operand,
    W,
    clog2,
    either,
    every,
    following,
    holds,
    later,
    net,
    part,
    pow2,
    size,
)

IDLE, RUN, DONE = range(3)

WORD, ELEMENTS, OFFSET = size("word"), size("elements"), size("offset")
WORDS, ROUND, ROUNDS, LAST = size("words"), size("round"), size("rounds"), size("last")
"""Words of an operand, cycles of a round, rounds, and the element with the last bit of a."""
R, HIGH = pow2(WORD), pow2((WORDS - 1) * WORD)
STORE = WORDS * WORD
LATENCY = ROUND * (ROUNDS - 1) + OFFSET * LAST + WORDS + 1
STAGES = ROUND - OFFSET * ELEMENTS + OFFSET - 1
"""Registers from the last element to the first."""
LINKS = ELEMENTS - 1
OPERAND = W + CLOSED
e, g = size("e"), size("g")

phase, running = net("phase_q", 2), net("u_core.running_q")
count, place = net("u_core.count_q", clog2(LATENCY)), net("u_core.place_q", clog2(ROUND))
first_round, last_round = net("u_core.first_round_q"), net("u_core.last_round_q")
starts, words_left = net("u_core.starts_q"), net("u_core.words_left_q")
p_valid, a_taken = net("u_core.p_valid_o"), net("u_core.a_taken_o")
a, b, n = net("a_q", OPERAND), net("b_q", STORE), net("n_q", STORE)
p = net("p_q", STORE)
first, low = net("u_core.first", ELEMENTS), net("u_core.v_low", ELEMENTS)
s, y, z = (net(f"u_core.{name}", ELEMENTS * WORD) for name in "syn")
rest = net("u_core.v", ELEMENTS * (WORD - 1))
returned = net("u_core.returned", WORD)
waiting = net("u_core.gen_return.waiting_q", STAGES * WORD)
_ELEMENT, _LINK = "u_core.gen_element[0..].u_element", "u_core.gen_link[1..]"
bit_q, quotient_q = net(f"{_ELEMENT}.a_bit_q", ELEMENTS), net(f"{_ELEMENT}.q_q", ELEMENTS)
quotient, carry = net(f"{_ELEMENT}.q", ELEMENTS), net(f"{_ELEMENT}.carry_q", ELEMENTS * 2)
value = net(f"{_ELEMENT}.v", ELEMENTS * (WORD + 2))
first_link = net(f"{_LINK}.first_q", LINKS * OFFSET)
y_link, z_link = (net(f"{_LINK}.{name}_link_q", LINKS * OFFSET * WORD) for name in "yn")

quiet = holds("quiet", running.eq(either(phase.eq(RUN), 1, 0)), phase.eq(RUN) | p_valid.eq(0))
runs = (phase.eq(RUN), quiet)
_last_place, _last_cycle = place.eq(ROUND - 1), count.eq(LATENCY - 1)


def _word(of: Expression, at: Operand) -> Expression:
    return part(of, at * WORD, WORD)


def _out(at: Expression) -> Expression:
    """Return the word that leaves element ``at``."""
    return pow2(WORD - 1) * part(low, at) + part(rest, at * (WORD - 1), WORD - 1)


def _turned(of: Expression) -> Expression:
    """Return a register after it was turned by a word."""
    return of // R + HIGH * (of % R)


_begins, _sum = part(first, e).eq(1), part(value, e * (WORD + 2), WORD + 2)
_bit = either(_begins, a % 2, part(bit_q, e))
_INPUTS = ("u_core.s", "u_core.y", "u_core.n", "u_core.first")

_CONTROL = (
    handshake(phase, done=DONE),
    Lemma("quiet_at_reset", (), (phase.eq(IDLE), quiet), at_reset=True),
    Lemma("quiet_on", (quiet,), (later(quiet),), "The core runs in its phase alone."),
    Lemma(
        "accept",
        (phase.eq(IDLE), request.eq(1), quiet),
        (
            following(phase).eq(RUN),
            following(count).eq(0),
            following(place).eq(0),
            following(first_round).eq(1),
            following(last_round).eq(either(ROUNDS.eq(1), 1, 0)),
            following(starts).eq(1),
            following(words_left).eq(1),
            following(p_valid).eq(0),
            following(a).eq(net("a_i", OPERAND)),
            following(b).eq(net("b_i", OPERAND)),
            following(n).eq(net("n_i", W)),
        ),
    ),
    Lemma(
        "count",
        runs,
        (
            following(phase).eq(either(_last_cycle, DONE, RUN)),
            following(count).eq((count + 1) % pow2(clog2(LATENCY))),
            following(place).eq(either(_last_place, 0, (place + 1) % pow2(clog2(ROUND)))),
        ),
    ),
    Lemma(
        "rounds_count",
        runs,
        (
            following(first_round).eq(either(_last_place, 0, first_round)),
            following(last_round).eq(
                either(
                    _last_place,
                    either(count.eq(ROUND * (ROUNDS - 1) - 1), 1, last_round),
                    last_round,
                )
            ),
            following(starts).eq(either(_last_place, 1 - last_round, 0)),
            following(words_left).eq(
                either(_last_place, 1 - last_round, either(place.eq(WORDS - 1), 0, words_left))
            ),
            following(p_valid).eq(
                either(_last_cycle, 0, either(count.eq(LATENCY - WORDS - 1), 1, p_valid))
            ),
        ),
    ),
)
_OPERANDS = (
    Lemma(
        "bits_of_a",
        runs,
        (following(a).eq(either(a_taken.eq(1), a // 2, a)),),
        cut=("u_core.a_taken_o",),
    ),
    Lemma(
        "takes_a",
        (),
        (
            a_taken.eq(
                either(
                    last_round.eq(1),
                    either(part(first, 0, LAST + 1).eq(0), 0, 1),
                    either(part(first, 0, ELEMENTS).eq(0), 0, 1),
                )
            ),
        ),
        cut=("u_core.first",),
    ),
    Lemma(
        "words_of_operands",
        runs,
        tuple(following(of).eq(either(words_left.eq(1), _turned(of), of)) for of in (b, n)),
    ),
    Lemma(
        "inputs_of_0",
        (),
        (
            part(first, 0).eq(either(running.eq(1), starts, 0)),
            _word(y, 0).eq(either(words_left.eq(1), b % R, 0)),
            _word(z, 0).eq(either(words_left.eq(1), n % R, 0)),
            _word(s, 0).eq(either(first_round.eq(1), 0, either(words_left.eq(1), returned, 0))),
        ),
        cut=("u_core.returned",),
    ),
)
_ELEMENTS = (
    Lemma(
        "quotient",
        (),
        (
            part(quotient, e).eq(
                either(
                    _begins,
                    (_word(s, e) % 2 + (a % 2) * (_word(y, e) % 2)) % 2,
                    part(quotient_q, e),
                )
            ),
            part(following(quotient_q), e).eq(part(quotient, e)),
            part(following(bit_q), e).eq(_bit),
        ),
        cut=_INPUTS,
        each=("e", ELEMENTS),
    ),
    Lemma(
        "added",
        (),
        (
            _sum.eq(
                _word(s, e)
                + _bit * _word(y, e)
                + part(quotient, e) * _word(z, e)
                + either(_begins, 0, part(carry, 2 * e, 2))
            ),
        ),
        cut=(*_INPUTS, f"{_ELEMENT}.q"),
        each=("e", ELEMENTS),
    ),
    Lemma("lowest", (), (part(low, e).eq(_sum % 2),), each=("e", ELEMENTS)),
    Lemma(
        "kept",
        (),
        (
            part(following(carry), 2 * e, 2).eq(_sum // R),
            part(following(rest), e * (WORD - 1), WORD - 1).eq((_sum % R) // 2),
        ),
        cut=(f"{_ELEMENT}.v",),
        each=("e", ELEMENTS),
    ),
)
_AT_ONCE = Lemma(
    "returns", (), (STAGES.eq(0), returned.eq(_out(ELEMENTS - 1))), cut=("u_core.v_low",)
)
_STAGES_LATER = Lemma(
    "returns",
    (),
    (
        STAGES > 0,
        returned.eq(_word(waiting, STAGES - 1)),
        _word(following(waiting), 0).eq(_out(ELEMENTS - 1)),
        (following(waiting) // R).eq(waiting % pow2((STAGES - 1) * WORD)),
    ),
    cut=("u_core.v_low",),
)
_RESULT = (
    Lemma(
        "result_words",
        runs,
        (following(p).eq(either(p_valid.eq(1), p // R + HIGH * _out(LAST), p)),),
        cut=("u_core.v_low",),
    ),
    Lemma(
        "hold",
        (phase.eq(DONE), taken.eq(0), quiet),
        (following(phase).eq(DONE), following(p).eq(p)),
    ),
    Lemma("answer", (), (net("p_o", W + 1).eq(p % pow2(W + 1)),)),
)
_LOW, _TOP = e * OFFSET, e * OFFSET + OFFSET - 1
"""The first and the last register of a link."""
_BESIDE = ((y, y_link), (z, z_link))


def _moves(of: Expression, width: Operand) -> Expression:
    """Return that the registers of a link, each of ``width`` bits, move on."""
    at = _LOW + g
    return every(
        "g",
        OFFSET - 1,
        part(following(of), (at + 1) * width, width).eq(part(of, at * width, width)),
    )


_LINKS = (
    Lemma(
        "no_starts",
        (running.eq(0),),
        (part(following(first_link), _LOW, OFFSET).eq(0),),
        each=("e", LINKS),
    ),
    Lemma(
        "link_of_starts",
        (running.eq(1),),
        (part(following(first_link), _LOW).eq(part(first, e)), _moves(first_link, 1)),
        cut=("u_core.first",),
        each=("e", LINKS),
    ),
    Lemma(
        "link",
        (),
        (
            part(first, e + 1).eq(part(first_link, _TOP)),
            *(_word(of, e + 1).eq(_word(link, _TOP)) for of, link in _BESIDE),
            *(_moves(link, WORD) for _, link in _BESIDE),
        ),
        each=("e", LINKS),
    ),
    Lemma(
        "link_of_words",
        (),
        (
            *(_word(following(link), _LOW).eq(_word(of, e)) for of, link in _BESIDE),
            either(OFFSET.eq(1), _word(s, e + 1), _word(following(s), e + 1)).eq(_out(e)),
        ),
        cut=("u_core.y", "u_core.n", "u_core.v_low"),
        each=("e", LINKS),
    ),
)


def lemmas_on(design: TencaKoc) -> tuple[Lemma, ...]:
    """Return the lemmas on ``design``; words may return without a register between."""
    found = sizes(design)
    at_once = design.offset == 1 and found["round"] == design.elements
    returns = _AT_ONCE if at_once else _STAGES_LATER
    return (*_CONTROL, *_OPERANDS, *_ELEMENTS, *_LINKS, returns, *_RESULT)


def sizes(design: TencaKoc) -> dict[str, int]:
    """Return the numbers of words and rounds, and the place of the last bit of a."""
    closed = int(design.variant == CLOSED_FORM)
    words = -(-(design.width + 1 + closed) // design.word)
    last = design.width + 2 * closed - 1
    return {
        "closed": closed,
        "words": words,
        "round": max(words + 1, design.offset * design.elements),
        "rounds": last // design.elements + 1,
        "last": last % design.elements,
    }
