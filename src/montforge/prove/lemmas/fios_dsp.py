# SPDX-License-Identifier: Apache-2.0
"""The lemmas on mf_fios_dsp_par from which proofs/fios_dsp.v follows.

They are those of the variant fast with three pipeline levels and a C register, in a ring of
elements that divides the number of words and does not wait. The nets of elements are side by side.
Each multiplier-accumulator, of logic or of a vendor's block, holds the factors and addends of a
step in registers of its own: the lemmas call them by one name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from montforge.arch.fios_dsp import DSP48E2, ECP5, GENERIC, FiosDsp
from montforge.programs.fios.microprogram import FAST, IDLE, A, C, Element, Row, microcode
from montforge.prove.lemmas.shared import by_phase, ready, request, response, taken
from montforge.prove.statement import (
    Expression,
    Lemma,
    Operand,
    W,
    called,
    clog2,
    either,
    following,
    later,
    net,
    part,
    pow2,
    size,
)

WORD, WORDS, COUNT = size("word_width"), size("words"), size("count")
"""Bits of a word, words of an operand, elements of the ring."""
INTERVAL, RESULTS = size("interval"), size("results")
RADIX, PRODUCT, SUM = pow2(WORD), 2 * WORD, 2 * WORD + 1
TOTAL = size("total_bits")
"""Bits of the accumulator, of which an element takes `SUM`."""
_CODE = microcode(Element(FAST, 3, 1))
OFFSET = _CODE.offset
"""Cycles between the starts of neighbours."""
LAST = COUNT - 1
e, i = size("e"), size("i")

_S, _E = "u_core.u_sequencer.", "u_core.gen_elements[0..].u_element."
accept, accepted, seq_ready, busy = (
    net(f"{_S}{name}") for name in ("accept", "accepted_q", "ready_q", "busy_q")
)
room, waited, wait = net("room_q"), net(f"{_S}waited_q"), net(f"{_S}wait_q", clog2(INTERVAL + 1))
PAIRS = WORDS - 6
step, pairs = net(f"{_S}step_q", 4), net(f"{_S}pairs_q", clog2(PAIRS + 2))
step_valid, valid = net(f"{_S}step_valid_q"), net(f"{_S}valid_q", 2)
y_next, n_next = net(f"{_S}y_next_q"), net(f"{_S}n_next_q")
word, late = net(f"{_S}word_q", WORD), net(f"{_S}late_word_q", WORD)
x_left, x_wait = net(f"{_S}x_left_q", clog2(WORDS + 1)), net(f"{_S}x_wait_q", clog2(OFFSET + 1))
x_next, x_last = net(f"{_S}x_next_q"), net(f"{_S}x_last_q")
x, x_was_last = net(f"{_S}x_q", WORD), net(f"{_S}x_was_last_q")


def _of_elements(name: str, bits: Operand = 1) -> Expression:
    return net(f"{_E}{name}", COUNT * bits)


steps = tuple(_of_elements(f"step{at}_q", 4) for at in range(3))
firsts = tuple(_of_elements(f"first{at}_q") for at in range(2))
_STEPS, _WORDS = 4 * (OFFSET - 3), (OFFSET - 1) * WORD
step_line = _of_elements("gen_steps.steps_q", _STEPS)
word_q, word_line = (
    _of_elements("word_q", WORD),
    _of_elements("u_words.gen_registers.line_q", _WORDS),
)
last_q, load_x, load_m = (_of_elements(name) for name in ("last_q", "load_x_q", "load_m_q"))
source, op_q = _of_elements("a_source_q", 2), _of_elements("op_q", 4)
c_line = _of_elements("gen_c_control.u_c_control.gen_registers.line_q", 8)
out_line = _of_elements("u_result_control.gen_registers.line_q", 6)
top_line = _of_elements("gen_top.u_top_control.gen_registers.line_q", 2)
x_q, m_q, a, top_q, pin_i, pin_o = (
    _of_elements(name, WORD) for name in ("x_q", "m_q", "a", "gen_top.top_q", "pin_i", "pin_o")
)
c, pin_q, save_q = (
    _of_elements("c", PRODUCT),
    _of_elements("pin_q", PRODUCT),
    _of_elements("gen_save_queue.save_q", 3 * PRODUCT),
)
p = _of_elements("p", SUM)

emitted = net("u_core.emitted_q", COUNT * 3)
beats, p_valid, finish = net("u_core.beats_q", clog2(WORDS)), net("p_valid"), net("finish")
words_q = net("words_q", (WORDS - 2) * WORD)
results_q = net("results_q[0..]", RESULTS * (W + 1))
put, get = net("put_q", clog2(RESULTS)), net("get_q", clog2(RESULTS))
was_accepted, take = net("accepted_q"), net("take")
under_way, waiting = (net(f"{name}_q", clog2(RESULTS + 1)) for name in ("under_way", "waiting"))


def _at(of: Expression, width: Operand = 1, low: Operand = 0, bits: Operand | None = None,
        at: Operand = e) -> Expression:  # fmt: skip
    """Return ``bits`` from ``low`` on of the net of element ``at``, which has ``width``."""
    place = at if width == 1 else at * width
    return part(of, place if low == 0 else place + low, width if bits is None else bits)


def _next(of: Expression, width: Operand = 1, low: Operand = 0, bits: Operand | None = None,
          at: Operand = e) -> Expression:  # fmt: skip
    return _at(following(of), width, low, bits, at)


def _by_step(of: Expression, value: Callable[[Row], int]) -> Operand:
    """Return what a step of the program is for, 0 for most."""
    return by_phase(
        of, {at: found for at, row in enumerate(_CODE.rows) if (found := int(value(row)))}
    )


def _shifts(of: Expression, width: Operand, bits: Operand, count: int) -> tuple[Expression, ...]:
    """Return that each register of a line gets what is in the one before."""
    return tuple(
        _next(of, width, (at + 1) * bits, bits).eq(_at(of, width, at * bits if at else 0, bits))
        for at in range(count - 1)
    )


def _queued(
    of: Expression, count: int, bits: Operand, value: Expression, shift: Expression
) -> Iterator[Expression]:
    """Yield what each register of a queue gets: ``value`` or the one before, if it shifts."""
    places = [_at(of, count * bits, at * bits if at else 0, bits) for at in range(count)]
    for place, given in zip(places, (value, *places), strict=False):
        yield later(place).eq(either(shift.eq(1), given, place))


_OF_C: tuple[tuple[int, int, Callable[[Row], int]], ...] = (
    (0, 1, lambda row: row.pin_shift),
    (1, 1, lambda row: row.save_early),
    (2, 2, lambda row: row.c),
)
_OF_RESULT: tuple[Callable[[Row], int], ...] = (lambda row: row.top, lambda row: row.save_shift)


def _with(name: str, *shows: Expression, given: tuple[Expression, ...] = (), note: str = "",
          cut: tuple[str, ...] = (), count: Expression = COUNT) -> Lemma:  # fmt: skip
    return Lemma(name, given, shows, note, cut, each=("e", count))


def _reader(
    name: str, count: Expression, value: Expression, takes: Expression
) -> tuple[Lemma, ...]:
    """Return the lemmas on the word reader ``name`` of ``count`` words with the input ``value``."""
    reader = f"u_{name}."
    rest_width = PRODUCT * ((count - 1) // 2)
    front, rest = net(f"{reader}front_q", PRODUCT), net(f"{reader}rest_q", rest_width)
    half, shift = net(f"{reader}half_q"), net(f"{reader}rest_shift_q")
    enable = net(f"{reader}rest_enable_q")

    def left(now: Callable[[Expression], Expression]) -> Expression:
        rest_ = either(now(shift).eq(1), now(rest) // pow2(PRODUCT), now(rest))
        more = either(now(half).eq(1), rest_, now(front) // RADIX + RADIX * rest_)
        return now(front) % RADIX + RADIX * more

    def now(of: Expression) -> Expression:
        return of

    next_ready = net("req_ready_next")
    shifts = (ready.eq(0), enable.eq(shift), (shift * half).eq(0))
    return (
        Lemma(
            f"{name}_enables",
            (),
            (
                following(enable).eq(either(next_ready.eq(1), 1, following(shift))),
                following(shift).eq(either(next_ready.eq(1), 0, following(shift))),
                (following(shift) * following(half)).eq(0),
            ),
        ),
        Lemma(f"{name}_at_reset", (), (enable.eq(1), shift.eq(0)), at_reset=True),
        Lemma(
            f"{name}_loads",
            (ready.eq(1), enable.eq(1), shift.eq(0)),
            (left(following).eq(value),),
        ),
        Lemma(
            f"{name}_moves",
            (*shifts, takes.eq(1), next_ready.eq(0)),
            (left(following).eq(left(now) // RADIX),),
        ),
        Lemma(f"{name}_stays", (*shifts, takes.eq(0)), (left(following).eq(left(now)),)),
        Lemma(f"{name}_word", (), (net(f"{name}_word", WORD).eq(front % RADIX),)),
    )  # fmt: skip


_step_after = either(
    step.eq(IDLE),
    IDLE,
    either(
        step.eq(14),
        IDLE,
        either(
            step.eq(10),
            either(WORDS.eq(6), 13, 11),
            either(step.eq(12), either(pairs.eq(1), 13, 11), (step + 1) % 16),
        ),
    ),
)
_x_asked = either(x_left.eq(0), 0, either(x_wait.eq(0), 1, 0))
_under_way = (under_way + was_accepted - take) % pow2(clog2(RESULTS + 1))
_sum = _at(p, SUM)
_c_source = _at(c_line, 8, 6, 2)

_BEFORE = (
    Lemma(
        "requests",
        (),
        (
            ready.eq(1 - busy),
            accept.eq(either(request.eq(1), seq_ready, 0)),
            response.eq(either(waiting.eq(0), 0, 1)),
            take.eq(either(response.eq(1), taken, 0)),
            net("req_ready_next").eq(following(ready)),
        ),
    ),
    Lemma(
        "bounded",
        (),
        (
            taken < 2,
            taken >= 0,
            *(of >= 0 for of in (net("a_i", W + 1), net("b_i", W + 1), net("n_words_i", W + WORD))),
            net("n_words_i", W + WORD) < pow2(W + WORD),
            seq_ready < 2,
            seq_ready >= 0,
            wait >= 0,
            words_q >= 0,
            words_q < pow2((WORDS - 2) * WORD),
        ),
        "Ranges of those nets of which the theorem needs them.",
    ),
    Lemma(
        "readies",
        (busy.eq(1 - seq_ready),),
        (
            following(busy).eq(1 - following(seq_ready)),
            following(seq_ready).eq(
                either(room.eq(1), either(waited.eq(1), either(accept.eq(1), 0, 1), 0), 0)
            ),
        ),
    ),
    Lemma(
        "waits_between",
        (),
        (
            following(waited).eq(
                either(waited.eq(1), either(accept.eq(1), 0, 1), either(wait.eq(0), 1, 0))
            ),
            following(wait).eq(
                either(
                    waited.eq(1),
                    INTERVAL - 3,
                    either(wait.eq(0), pow2(clog2(INTERVAL + 1)) - 1, wait - 1),
                )
            ),
            following(accepted).eq(accept),
        ),
    ),
    Lemma(
        "at_reset",
        (),
        (
            seq_ready.eq(1),
            busy.eq(0),
            waited.eq(1),
            accepted.eq(0),
            step.eq(IDLE),
            step_valid.eq(0),
            valid.eq(0),
            x_left.eq(0),
            x_wait.eq(0),
            x_next.eq(0),
            x_last.eq(0),
            room.eq(1),
            was_accepted.eq(0),
            under_way.eq(0),
            waiting.eq(0),
            put.eq(0),
            get.eq(0),
            emitted.eq(0),
            p_valid.eq(0),
            finish.eq(0),
            beats.eq(WORDS - 1),
            y_next.eq(0),
            n_next.eq(0),
        ),
        at_reset=True,
    ),
    Lemma(
        "sequence",
        (),
        (
            following(step).eq(either(accept.eq(1), 0, _step_after)),
            following(step_valid).eq(either(following(step).eq(IDLE), 0, 1)),
            following(pairs).eq(
                either(
                    seq_ready.eq(1),
                    PAIRS,
                    either(step.eq(12), (pairs - 1) % pow2(clog2(PAIRS + 2)), pairs),
                )
            ),
            following(y_next).eq(_by_step(following(step), lambda row: row.b == "y")),
            following(n_next).eq(_by_step(following(step), lambda row: row.b == "n")),
            part(following(valid), 0).eq(step_valid),
            part(following(valid), 1).eq(part(valid, 0)),
            following(word).eq(either(n_next.eq(1), net("n_word", WORD), net("y_word", WORD))),
            following(late).eq(word),
        ),
    ),
    Lemma(
        "words_of_x",
        (),
        (
            following(x_next).eq(either(accepted.eq(1), 1, _x_asked)),
            following(x_left).eq(either(accepted.eq(1), WORDS - 1, x_left - _x_asked)),
            following(x_wait).eq(
                either(
                    accepted.eq(1),
                    OFFSET - 1,
                    either(_x_asked.eq(1), OFFSET - 1, either(x_wait.eq(0), 0, x_wait - 1)),
                )
            ),
            following(x_last).eq(either(x_left.eq(1), 1, 0)),
            following(x).eq(either(x_next.eq(1), net("x_word", WORD), x)),
            following(x_was_last).eq(either(x_next.eq(1), x_last, x_was_last)),
        ),
    ),
    *_reader("x", WORDS, net("a_i", W + 1), x_next),
    *_reader("y", WORDS, net("b_i", W + 1), y_next),
    *_reader("n", WORDS + 1, net("n_words_i", W + WORD), n_next),
    Lemma(
        "enters_first",
        (),
        (
            (WORDS % COUNT).eq(0),
            part(following(steps[0]), 0, 4).eq(
                either(step_valid.eq(1), step, _at(step_line, _STEPS, _STEPS - 4, 4, LAST))
            ),
            part(following(firsts[0]), 0).eq(step_valid),
            part(following(word_q), 0, WORD).eq(
                either(
                    part(valid, 1).eq(1), late, _at(word_line, _WORDS, _WORDS - WORD, WORD, LAST)
                )
            ),
            part(pin_i, 0, WORD).eq(_at(pin_o, WORD, at=LAST)),
        ),
        "Each round of the ring is a whole one.",
    ),
    _with(
        "enters",
        _next(steps[0], 4, at=e + 1).eq(_at(step_line, _STEPS, _STEPS - 4, 4)),
        _next(firsts[0], at=e + 1).eq(0),
        _next(word_q, WORD, at=e + 1).eq(_at(word_line, _WORDS, _WORDS - WORD, WORD)),
        _at(pin_i, WORD, at=e + 1).eq(_at(pin_o, WORD)),
        count=LAST,
    ),
    _with(
        "line",
        _next(steps[1], 4).eq(_at(steps[0], 4)),
        _next(steps[2], 4).eq(_at(steps[1], 4)),
        _next(firsts[1]).eq(_at(firsts[0])),
        _next(step_line, _STEPS, 0, 4).eq(either(_at(last_q).eq(1), IDLE, _at(steps[2], 4))),
        *_shifts(step_line, _STEPS, 4, OFFSET - 3),
    ),
    Lemma(
        "line_at_reset",
        (),
        (
            *(part(of, e * 4, 4).eq(IDLE) for of in steps),
            *(_at(step_line, _STEPS, 4 * at, 4).eq(IDLE) for at in range(OFFSET - 3)),
        ),
        at_reset=True,
        each=("e", COUNT),
    ),
    _with(
        "word_line",
        _next(word_line, _WORDS, 0, WORD).eq(_at(word_q, WORD)),
        *_shifts(word_line, _WORDS, WORD, OFFSET - 1),
    ),
    _with(
        "issue",
        _next(op_q, 4).eq(
            either(
                _at(firsts[1]).eq(1),
                _by_step(
                    _at(steps[1], 4),
                    lambda row: row.op.value & ~(0 if row.c == C.SAVED else 2),
                ),
                _by_step(_at(steps[1], 4), lambda row: row.op.value),
            )
        ),
        _next(source, 2).eq(_by_step(_at(steps[1], 4), lambda row: row.a)),
        _next(load_m).eq(_by_step(_at(steps[1], 4), lambda row: row.load_m)),
        _next(load_x).eq(either(_at(steps[0], 4).eq(0), 1, 0)),
    ),
    _with(
        "choices",
        *(
            _next(c_line, 8, low, bits).eq(_by_step(_at(steps[1], 4), value))
            for low, bits, value in _OF_C
        ),
        *(_next(c_line, 8, 4 + low, bits).eq(_at(c_line, 8, low, bits)) for low, bits, _ in _OF_C),
    ),
    _with(
        "outcomes",
        *(
            _next(out_line, 6, low, 1).eq(_by_step(_at(steps[2], 4), value))
            for low, value in enumerate(_OF_RESULT)
        ),
        *(_next(out_line, 6, 2 + low, 1).eq(_at(out_line, 6, low, 1)) for low in range(4)),
        _next(top_line, 2, 0, 1).eq(_at(out_line, 6, 4, 1)),
        _next(top_line, 2, 1, 1).eq(_at(top_line, 2, 0, 1)),
    ),
    _with(
        "registers",
        _next(x_q, WORD).eq(either(_at(load_x).eq(1), x, _at(x_q, WORD))),
        _next(last_q).eq(either(_at(load_x).eq(1), x_was_last, _at(last_q))),
        _next(m_q, WORD).eq(either(_at(load_m).eq(1), _sum % RADIX, _at(m_q, WORD))),
        _next(top_q, WORD).eq(
            either(_at(out_line, 6, 4, 1).eq(1), _sum // RADIX % RADIX, _at(top_q, WORD))
        ),
        _at(pin_o, WORD).eq(either(_at(top_line, 2, 1, 1).eq(1), _at(top_q, WORD), _sum % RADIX)),
        _at(a, WORD).eq(
            either(
                _at(source, 2).eq(A.P),
                _sum % RADIX,
                either(_at(source, 2).eq(A.M), _at(m_q, WORD), _at(x_q, WORD)),
            )
        ),
    ),
    _with(
        "queues",
        *_queued(pin_q, 2, WORD, _at(pin_i, WORD), _at(c_line, 8, 4, 1)),
        *_queued(save_q, 3, PRODUCT, _sum % pow2(PRODUCT), _at(out_line, 6, 5, 1)),
        _at(c, PRODUCT).eq(
            either(
                _c_source.eq(C.PIN),
                _at(pin_i, WORD),
                either(
                    _c_source.eq(C.SAVED),
                    either(
                        _at(c_line, 8, 5, 1).eq(1),
                        _at(save_q, 3 * PRODUCT, PRODUCT, PRODUCT),
                        _at(save_q, 3 * PRODUCT, 2 * PRODUCT, PRODUCT),
                    ),
                    either(
                        _c_source.eq(C.PIN_1),
                        _at(pin_q, PRODUCT, 0, WORD),
                        _at(pin_q, PRODUCT, WORD, WORD),
                    ),
                ),
            )
        ),
    ),
)
_AFTER = (
    Lemma(
        "words_out",
        (),
        (
            part(following(emitted), 0).eq(
                either(
                    _at(last_q, at=LAST).eq(1),
                    _by_step(_at(steps[2], 4, at=LAST), lambda row: row.emit),
                    0,
                )
            ),
            part(following(emitted), 1).eq(part(emitted, 0)),
            following(p_valid).eq(part(emitted, 1)),
            following(finish).eq(either(part(emitted, 1).eq(1), either(beats.eq(1), 1, 0), 0)),
            following(beats).eq(
                either(
                    part(emitted, 1).eq(1),
                    either(beats.eq(1), WORDS - 1, (beats - 1) % pow2(clog2(WORDS))),
                    beats,
                )
            ),
            following(words_q).eq(
                either(
                    p_valid.eq(1),
                    words_q // RADIX + _at(p, SUM, at=LAST) % RADIX * pow2((WORDS - 3) * WORD),
                    words_q,
                )
            ),
        ),
    ),
    Lemma(
        "stored",
        (),
        (
            part(following(results_q), i * (W + 1), W + 1).eq(
                either(
                    finish.eq(1),
                    either(
                        put.eq(i),
                        (words_q + _at(p, SUM, at=LAST) % pow2(PRODUCT) * pow2((WORDS - 2) * WORD))
                        % pow2(W + 1),
                        part(results_q, i * (W + 1), W + 1),
                    ),
                    part(results_q, i * (W + 1), W + 1),
                )
            ),
        ),
        each=("i", RESULTS),
    ),
    Lemma(
        "answers",
        (get.eq(i),),
        (net("p_o", W + 1).eq(part(results_q, i * (W + 1), W + 1)),),
        each=("i", RESULTS),
    ),
    Lemma(
        "buffer",
        (),
        (
            following(was_accepted).eq(either(request.eq(1), ready, 0)),
            following(under_way).eq(_under_way),
            following(room).eq(either(_under_way.eq(RESULTS), 0, 1)),
            following(waiting).eq((waiting + finish - take) % pow2(clog2(RESULTS + 1))),
            following(put).eq(
                either(
                    finish.eq(1),
                    either(put.eq(RESULTS - 1), 0, (put + 1) % pow2(clog2(RESULTS))),
                    put,
                )
            ),
            following(get).eq(
                either(
                    take.eq(1),
                    either(get.eq(RESULTS - 1), 0, (get + 1) % pow2(clog2(RESULTS))),
                    get,
                )
            ),
        ),
    ),
)


@dataclass(frozen=True)
class _Mac:
    """What an element's multiplier-accumulator holds, by the block that it is.

    ``op`` is the operation of a step and ``copy`` another register of it; ``factor``, 0 without a
    product, and ``other`` are its two words. A cycle later it has their ``product``, the ``addend``
    and what is ``kept`` of the ``total``, whose sum is the next total.
    """

    op: Expression
    copy: Expression
    factor: Expression
    other: Expression
    kept: Expression
    addend: Expression
    product: Expression
    total: Expression


def _only(op: Expression, bit: int, value: Expression) -> Expression:
    """Return ``value`` if the operation has the bit, else 0."""
    shifted = op // 2 if bit else op
    return either((shifted % 2).eq(1), value, 0)


def _held(name: str, bits: Operand) -> Expression:
    """Return the net of element e."""
    return _at(_of_elements(f"u_mac.{name}", bits), bits)


def _of_logic() -> _Mac:
    block = "gen_generic.u_mac."
    op = _held(f"{block}gen_operands.op_q", Expression("int", (4,)))
    line = _of_elements(f"u_mac.{block}gen_operands.u_product.gen_registers.line_q", PRODUCT + 4)
    product, then = _at(line, PRODUCT + 4, 0, PRODUCT), _at(line, PRODUCT + 4, PRODUCT, 4)
    total = _held(f"{block}p_q", SUM)
    return _Mac(
        op=op,
        copy=op,
        factor=_only(op, 0, _held(f"{block}gen_operands.a_q", WORD)),
        other=_held(f"{block}gen_operands.b_q", WORD),
        kept=either((then // 4).eq(1), total, either((then // 4).eq(2), total // RADIX, 0)),
        addend=_only(then, 1, _held(f"{block}u_c.gen_registers.line_q", PRODUCT)),
        product=_only(then, 0, product),
        total=total,
    )


def _of_ecp5() -> _Mac:
    block = "gen_ecp5.u_mac."
    early, factors = f"{block}gen_early_choice.", f"{block}u_multiplier.u_multiplier."
    return _Mac(
        op=_at(_of_elements(f"u_mac.{block}u_op.gen_registers.line_q", 8), 8, 0, 4),
        copy=_held(f"{early}u_next_op.gen_registers.line_q", 4),
        factor=_held(f"{factors}a_used", 18),
        other=_held(f"{factors}b_used", 18),
        kept=_held(f"{block}z", SUM),
        addend=_held(f"{early}gen_c_register.c_q", PRODUCT),
        product=_held(f"{block}u_product.gen_registers.line_q", PRODUCT),
        total=_held(f"{block}p_q", SUM),
    )


def _of_dsp48e2() -> _Mac:
    block = "gen_dsp48e2.u_mac."
    inside = f"{block}u_dsp.u_dsp."
    op, mode = _held(f"{block}u_op.gen_registers.line_q", 4), _held(f"{inside}opmode", 9)
    return _Mac(
        op=op,
        copy=op,
        factor=_only(op, 0, _held(f"{inside}a", 27)),
        other=_held(f"{inside}b", 18),
        kept=_held(f"{inside}z", 48),
        addend=either((mode // 128).eq(3), _held(f"{inside}c", 48), 0),
        product=either((mode % 16).eq(5), _held(f"{inside}m", 45), 0),
        total=_held(f"{inside}p_q", 48),
    )


_MACS = {GENERIC: _of_logic(), ECP5: _of_ecp5(), DSP48E2: _of_dsp48e2()}


def _sums(mac: str) -> tuple[Lemma, ...]:
    """Return the lemmas on the multiplier-accumulator of an element."""
    held = _MACS[mac]
    op, total = called("mac_op", held.op), called("mac_total", held.total)
    factor, other = called("mac_factor", held.factor), called("mac_other", held.other)
    kept, addend, product = (
        called(f"mac_{name}", of)
        for name, of in (("kept", held.kept), ("addend", held.addend), ("product", held.product))
    )
    copy = called("mac_copy", held.copy)
    # Higher bits of an accumulator may have any value before the first sum, until one is cleared.
    moved = either(later(total) < pow2(SUM), later(total) // RADIX, later(kept))
    return (
        _with(
            "factors",
            later(op).eq(_at(op_q, 4)),
            later(copy).eq(_at(op_q, 4)),
            later(factor).eq(_only(_at(op_q, 4), 0, _at(a, WORD))),
            later(other).eq(_at(word_q, WORD)),
            cut=(f"{_E}a",),
        ),
        _with(
            "addends",
            later(addend).eq(_only(op, 1, _at(c, PRODUCT))),
            later(kept).eq(
                either(
                    (op // 4).eq(1),
                    later(total),
                    either((op // 4).eq(2), moved, either((op // 4).eq(0), 0, later(kept))),
                )
            ),
            given=(copy.eq(op),),
            cut=(f"{_E}c",),
        ),
        _with(
            "multiplies",
            later(product).eq(factor * other),
            given=((op % 2).eq(1), factor < RADIX, other < RADIX),
        ),
        _with("has_no_product", later(product).eq(0), given=((op % 2).eq(0), factor.eq(0))),
        _with(
            "sums",
            later(total).eq((kept + addend + product) % pow2(TOTAL)),
            given=(product < pow2(PRODUCT),),
        ),
        _with("totals", _sum.eq(total % pow2(SUM)), total >= 0),
    )


def lemmas_on(design: FiosDsp) -> tuple[Lemma, ...]:
    """Return the lemmas on ``design``."""
    return (*_BEFORE, *_sums(design.mac), *_AFTER)


def lacks(design: FiosDsp) -> str:
    """Return for which of its parameters a design has no lemmas, or nothing."""
    given = design.parameters
    default = {"variant": FAST, "pipeline": 3, "c_register": 1}
    found = [f"{name} = {given[name]}" for name, value in default.items() if given[name] != value]
    ring = design.schedule
    if ring.expanded:
        found.append("array = expanded")
    elif ring.loop_delay:
        found.append(f"elements = {ring.count}, which wait")
    elif ring.rotates:
        found.append(f"{ring.words} words in a ring of {ring.count} elements")
    return ", ".join(found)


def sizes(design: FiosDsp) -> dict[str, int]:
    """Return the numbers of words, elements, results, the interval, an accumulator's bits."""
    ring = design.schedule
    return {
        "words": ring.words,
        "count": ring.count,
        "interval": ring.interval,
        "results": design.top_parameters["Results"],
        "total_bits": 48 if design.mac == DSP48E2 else 2 * design.word_width + 1,
    }
