# SPDX-License-Identifier: Apache-2.0
"""The lemmas on mf_booth_csa_core from which the theorems on its tops follow.

Operands are pairs or binary. Digits of the quotient take effect at once or, late, a cycle later.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from montforge.arch.booth_csa import BINARY_RADIX, NONNEGATIVE, TAIL_CYCLES, BoothCsa
from montforge.prove.lemmas.booth import Terms, Tree, multiple, row
from montforge.prove.lemmas.shared import handshake, request, taken
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
    part,
    pow2,
    signed,
    size,
)

IDLE, LOOP, TAIL, FINISH, DONE = range(5)
D, WORD = size("digit"), size("word")
"""Bits of a digit, and of a word of the conversion."""
RADIX = pow2(D)
EXACT = (5, 1)
"""Cycles of the tail after the present one, with which a digit for n itself is recoded."""
SHIFT = 3
"""Likewise, with which the tail shifts."""

phase, next_phase = net("u_core.phase_q", 3), following(net("u_core.phase_q", 3))
n = net("u_core.n_q", W)
digit = net("u_core.digit", D)
carry, transfer = net("u_core.carry_q"), net("u_core.transfer_q")
next_carry, next_transfer = following(carry), following(transfer)
pending = net("u_core.pending")
shift, hold, word = net("u_core.shift_q"), net("u_core.hold_q"), net("u_core.word_q")
scaled, exact = net("u_core.scaled_q"), net("u_core.exact_q")
fold = net("u_core.u_accumulator.fold", 2)
no_select = (shift.eq(0), hold.eq(0), word.eq(0))
loading = (phase.eq(IDLE), next_phase.eq(LOOP))
looping = (phase.eq(LOOP), next_phase.eq(LOOP))
LATENESS = 5
"""Delay by which a quotient digit that is not late is late for the tree, in XOR gates."""


class _Core:
    """The nets of mf_booth_csa_core whose digits have a number of Booth terms, 1 to 3."""

    def __init__(self, terms: int, *, binary: bool, late: bool, nonnegative: bool) -> None:
        self.terms, self.binary, self.late, self.nonnegative = terms, binary, late, nonnegative
        self.operand = W + 1 if binary else W + 3
        words = (W + WORD) // WORD
        self.result = words * WORD if binary else self.operand
        self.above = (words - 1) * WORD
        self.state = W + 2 * D + 2 if late else W + D + 3
        self.modulus_bits = W + D if late else W
        self.iterations = (W + (3 if late else 2) + D - 1) // D
        self.finish = words + int(nonnegative) if binary else 1
        vectors = 1 if binary else 2
        self.left = net("u_core.left_q", clog2(self.iterations + TAIL_CYCLES + self.finish))
        self.next_left = following(self.left)
        self.a = net("u_core.a_q", vectors * self.result)
        self.b = net("u_core.b_q", vectors * self.result)
        self.s, self.c = net("u_core.s_q", self.state), net("u_core.c_q", self.state)
        self.modulus = net("u_core.gen_late_quotient.modulus_q", W + D) if late else n
        self.d = Terms(net("u_core.d_q", 3 * terms), terms)
        self.q = Terms(net("u_core.q", 3 * terms), terms)
        self.one: Operand = net("u_core.one") if late else 0
        inputs = 2 + (vectors + 1) * terms
        lateness = 0 if late else LATENESS
        self.tree = Tree("u_core.u_accumulator.u_tree", self.state, inputs, terms, lateness)

    def rest(self, of: Expression) -> list[Expression]:
        """Return the vectors of the register of an operand."""
        places = (0,) if self.binary else (0, self.operand)
        return [part(of, at, self.operand) for at in places]

    def ports(self, name: str) -> list[Expression]:
        """Return the vectors of an operand."""
        if self.binary:
            return [net(f"{name}_i", self.operand)]
        return [net(f"{name}_s_i", self.operand), net(f"{name}_c_i", W + 1)]

    # ------------------------------------------------------------ operands and their digits

    @property
    def accepted(self) -> tuple[Expression, ...]:
        """What the registers of operands get with a request."""
        sum_, *carries = self.ports("a")
        rest, *rests = self.rest(following(self.a))
        return (
            next_phase.eq(LOOP),
            self.next_left.eq(self.iterations - 1),
            following(n).eq(net("n_i", W)),
            *(
                mine.eq(port)
                for mine, port in zip(self.rest(following(self.b)), self.ports("b"), strict=True)
            ),
            signed(rest).eq(signed(sum_) // RADIX),
            *(signed(mine).eq(port // RADIX) for mine, port in zip(rests, carries, strict=True)),
        )

    @property
    def shifted(self) -> tuple[Expression, ...]:
        """What the registers of operands get in an iteration."""
        return (
            following(n).eq(n),
            following(self.b).eq(self.b),
            *(
                signed(then).eq(signed(now) // RADIX)
                for then, now in zip(self.rest(following(self.a)), self.rest(self.a), strict=True)
            ),
        )

    def recoded(self, vectors: Sequence[Expression]) -> tuple[Expression, ...]:
        """Return the statements on the next digit of a, the lowest one of ``vectors``."""
        low = signed(vectors[0]) % RADIX if self.binary else vectors[0] % RADIX
        for each in vectors[1:]:
            low = low + each % RADIX
        d = Terms(following(self.d.of), self.terms)
        return (
            (RADIX * next_carry + digit).eq(low + carry),
            d.digit.eq(digit + transfer - RADIX * next_transfer),
            d.digit >= 0 - RADIX // 2,
            d.digit <= RADIX // 2,
            *d.legal,
        )

    @property
    def digits(self) -> tuple[Lemma, ...]:
        """The lemmas on the digits of a."""
        return (
            Lemma(
                "first_digit",
                loading,
                self.recoded(self.ports("a")),
                "The first digit comes from the port.",
            ),
            Lemma("next_digit", looping, self.recoded(self.rest(self.a))),
            Lemma("no_digit", (next_phase.eq(IDLE),), (next_carry.eq(0), next_transfer.eq(0))),
        )

    # ------------------------------------------------------------ the pair

    def pending_carry(self, dropped: Operand, *given: Expression) -> Lemma:
        """Return the lemma on the carry of the digit of value ``dropped`` that is dropped."""
        low = part(self.s, 0, D) + part(self.c, 0, D)
        return Lemma(
            "pending_carry",
            given,
            tuple(
                ((value - dropped) % RADIX > 0) | (RADIX * pending).eq(value - dropped)
                for value in (low, low + 1)
            ),
            "The carry of the digit that is dropped, with a carry from below or none.",
        )

    @property
    def cleared(self) -> tuple[Expression, ...]:
        """What an idle cycle leaves for the first iteration."""
        s, c = following(self.s), following(self.c)
        return (
            part(s, 0, D).eq(0),
            part(c, 0, D).eq(0),
            part(s, D, D).eq(0),
            part(c, D, D).eq(0),
            following(shift).eq(0),
            following(hold).eq(0),
            following(word).eq(0),
        )

    @property
    def pair(self) -> tuple[Lemma, ...]:
        """The lemmas on the pair: its fold and its shift by a digit."""
        s, c, top = self.s, self.c, self.state - 2
        half = top - D  # bits of a vector below its two topmost, without the lowest digit
        return (
            Lemma("no_pair", no_select, (self.tree.vector(0).eq(0), self.tree.vector(1).eq(0))),
            Lemma("fold", (), (((part(s, top, 2) + part(c, top, 2) - fold) % 4).eq(0),)),
            Lemma(
                "pair",
                (shift.eq(1), hold.eq(0), word.eq(0)),
                (
                    self.tree.vector(0).eq(
                        (either(fold < 2, fold, fold - 4) * pow2(half) + part(s, D, half))
                        % pow2(self.state)
                    ),
                    self.tree.vector(1).eq(part(c, D, half)),
                ),
                "The fold brings all signs into one vector, so that the pair can be shifted.",
                cut=("u_core.u_accumulator.fold",),
            ),
        )

    @property
    def sums(self) -> tuple[Lemma, ...]:
        """The lemmas on what is added to the pair; late, b has the weight of a digit."""
        offset = RADIX if self.late else 1
        vectors = [offset * signed(each) for each in self.rest(self.b)]
        modulus = signed(self.modulus) if self.late else self.modulus
        places, terms = len(vectors), self.terms
        found = [
            multiple(self.tree.vector(2 + places * term + number), self.d, term, x, self.state)
            for term in range(terms)
            for number, x in enumerate(vectors)
        ]
        found += [
            multiple(self.tree.vector(2 + places * terms + term), self.q, term, modulus, self.state)
            for term in range(terms)
        ]
        ones: list[Operand] = [self.d.negative(i // places) for i in range(places * terms)]
        ones += [self.q.negative(i) for i in range(terms)]
        either_one: tuple[Expression, ...] = ()
        if isinstance(self.one, Expression):
            ones[0] = self.d.negative(0) + self.one
            either_one = (self.one.eq(0) | self.d.negative(0).eq(0),)
        adding = phase > IDLE if self.late or self.binary else phase.eq(LOOP)
        return (
            Lemma("multiples", (), tuple(found), cut=("u_core.q",)),
            Lemma("rows", either_one, self.tree.statements(ones)),
            Lemma(
                "accumulate",
                (adding,),
                (
                    following(self.s).eq(self.tree.sum_),
                    following(self.c).eq(self.tree.carry),
                ),
            ),
        )

    # ------------------------------------------------------------ the result

    @property
    def flushed(self) -> tuple[Lemma, ...]:
        """The lemmas on the flush of a pair."""
        s, c, then = self.s, self.c, following(self.a)
        sum_ = net("u_core.gen_flush.sum", self.operand)
        carries = net("u_core.gen_flush.row_carry", self.operand)
        tops = part(sum_, W + 1, 2) + part(carries, W + 1, 2)
        return (
            Lemma(
                "flush_row",
                (),
                row(
                    (
                        part(s, D, self.operand),
                        part(c, D, self.operand),
                        size("nonnegative") * n,
                    ),
                    sum_,
                    carries,
                    self.operand,
                    0,
                ),
            ),
            Lemma(
                "flush",
                (phase.eq(FINISH),),
                (
                    part(then, 0, W + 1).eq(part(sum_, 0, W + 1)),
                    ((part(then, W + 1, 2) - tops) % 4).eq(0),
                    part(then, self.operand, W + 1).eq(part(carries, 0, W + 1) + pending),
                ),
            ),
            Lemma("finish", (phase.eq(FINISH), self.left.eq(0)), (next_phase.eq(DONE),)),
            Lemma(
                "wait",
                (phase.eq(DONE), taken.eq(0)),
                (next_phase.eq(DONE), following(self.a).eq(self.a)),
            ),
            Lemma(
                "answer",
                (),
                (
                    net("p_s_o", self.operand).eq(part(self.a, 0, self.operand)),
                    net("p_c_o", W + 1).eq(part(self.a, self.operand, W + 1)),
                ),
            ),
        )

    @property
    def converted(self) -> tuple[Lemma, ...]:
        """The lemmas on the conversion to binary, and on the addition of n to a negative result."""
        s, c, left = self.s, self.c, self.left
        s_next, c_next = following(s), following(c)
        found, carried = (
            net("u_core.gen_convert.word", WORD),
            net("u_core.gen_convert.u_convert.carry_q"),
        )
        base, low = pow2(WORD), part(s_next, 0, D) + part(c_next, 0, D)
        enters = following(self.a).eq(self.a // base + pow2(self.above) * found)
        adder = "u_core.gen_convert.gen_correct"
        added, second = net(f"{adder}.corrected_word", WORD), net(f"{adder}.u_correct.carry_q")
        corrected = self.b // base + pow2(self.above) * added
        is_first = left.eq(self.finish - 1)
        correct = (
            size("nonnegative").eq(1),
            following(self.b).eq(corrected),
            _if(is_first, 1).eq(0) | (following(second).eq(0) & following(n).eq(n)),
            is_first
            | (
                (added + base * following(second)).eq(
                    part(self.a, self.above, WORD) + n % base + second
                )
                & following(n).eq(n // base)
            ),
        )
        bits = W if self.nonnegative else W + 1
        chosen = either(part(self.a, W).eq(1), corrected, self.a)
        return (
            Lemma(
                "convert_carry",
                (phase.eq(TAIL if self.late else LOOP),),
                tuple(
                    (value % RADIX > 0) | (RADIX * following(carried)).eq(value)
                    for value in (low, low + 1)
                ),
                "The carry into the conversion is found one cycle ahead.",
            ),
            Lemma(
                "word_found",
                (phase.eq(FINISH),),
                (
                    (found + base * following(carried)).eq(
                        part(s, D, WORD) + part(c, D, WORD) + carried
                    ),
                ),
            ),
            Lemma(
                "words_left",
                (shift.eq(0), hold.eq(0), word.eq(1)),
                tuple(
                    self.tree.vector(place).eq(x // pow2(WORD + D) * RADIX)
                    for place, x in enumerate((s, c))
                ),
            ),
            Lemma(
                "lowest_left",
                (
                    *no_select[:2],
                    word.eq(1),
                    *(
                        each.eq(0)
                        for each in (self.d.of, self.q.of, self.one)
                        if isinstance(each, Expression)
                    ),
                    phase > IDLE,
                ),
                (part(s_next, 0, D).eq(0), part(c_next, 0, D).eq(0)),
            ),
            Lemma(
                "word_enters",
                (phase.eq(FINISH), left > 0),
                (enters,),
                cut=("u_core.gen_convert.word",),
            ),
            Lemma(
                "last_enters",
                (phase.eq(FINISH), left.eq(0)),
                (following(self.a).eq(chosen) if self.nonnegative else enters,),
            ),
            Lemma(
                "correct",
                (phase.eq(FINISH),) if self.nonnegative else (),
                correct if self.nonnegative else (size("nonnegative").eq(0),),
                "n is added one word behind the conversion.",
            ),
            Lemma(
                "finishing",
                (phase.eq(FINISH), left > 0),
                (next_phase.eq(FINISH), self.next_left.eq(left - 1)),
            ),
            Lemma("finish", (phase.eq(FINISH), left.eq(0)), (next_phase.eq(DONE),)),
            Lemma(
                "wait",
                (phase.eq(DONE), taken.eq(0)),
                (next_phase.eq(DONE), following(self.a).eq(self.a)),
            ),
            Lemma("answer", (), (net("p_o", bits).eq(part(self.a, 0, bits)),)),
        )

    @property
    def results(self) -> tuple[Lemma, ...]:
        """The lemmas on the result of the form that it has."""
        return self.converted if self.binary else self.flushed

    # ------------------------------------------------------------ digits of the quotient

    @property
    def lemmas(self) -> tuple[Lemma, ...]:
        """All lemmas."""
        return (
            handshake(phase, done=DONE),
            *(self._late if self.late else self._at_once),
            *self.results,
        )

    @property
    def _at_once(self) -> tuple[Lemma, ...]:
        at = "u_core.gen_quotient.u_quotient"
        inverse, product, b_low = (
            net(f"{at}.{name}", D) for name in ("n_inverse_q", "product_q", "b_q")
        )
        low = signed(self.ports("b")[0]) if self.binary else self.ports("b")[0]
        for each in self.ports("b")[1:]:
            low = low + each
        s, c, left = self.s, self.c, self.left
        return (
            Lemma("accept", (phase.eq(IDLE), request.eq(1)), self.accepted),
            Lemma(
                "loop",
                looping,
                (
                    *self.shifted,
                    following(shift).eq(1),
                    following(hold).eq(0),
                    following(word).eq(0),
                ),
            ),
            *self.digits,
            Lemma("at_reset", (), (phase.eq(IDLE), carry.eq(0), transfer.eq(0)), at_reset=True),
            Lemma(
                "inverse",
                (phase.eq(IDLE), (net("n_i", W) % 2).eq(1)),
                (((following(inverse) * net("n_i", W) + 1) % RADIX).eq(0),),
            ),
            Lemma(
                "first_product",
                loading,
                (
                    ((following(b_low) - low) % RADIX).eq(0),
                    ((following(product) - (digit + transfer) * low) % RADIX).eq(0),
                ),
                "A digit of A times B, modulo the radix, is there a cycle before its iteration.",
                cut=("u_core.digit",),
            ),
            Lemma(
                "next_product",
                looping,
                (
                    following(inverse).eq(inverse),
                    following(b_low).eq(b_low),
                    ((following(product) - (digit + transfer) * b_low) % RADIX).eq(0),
                ),
                cut=("u_core.digit",),
            ),
            Lemma(
                "quotient",
                (),
                (
                    (
                        (
                            self.q.digit
                            - (part(s, D, D) + part(c, D, D) + pending + product) * inverse
                        )
                        % RADIX
                    ).eq(0),
                    self.q.digit >= 0 - RADIX // 2,
                    self.q.digit <= RADIX // 2,
                    *self.q.legal,
                ),
            ),
            self.pending_carry(0),
            Lemma("clear", (phase.eq(IDLE),), self.cleared),
            *self.pair,
            *self.sums,
            Lemma(
                "count",
                (phase.eq(LOOP), left > 0),
                (next_phase.eq(LOOP), self.next_left.eq(left - 1)),
            ),
            Lemma(
                "count_end",
                (phase.eq(LOOP), left.eq(0)),
                (next_phase.eq(FINISH), self.next_left.eq(self.finish - 1), following(n).eq(n)),
            ),
            *(self.nothing_added(inverse) if self.binary else ()),
        )

    def nothing_added(self, inverse: Expression) -> tuple[Lemma, ...]:
        """Return the lemmas that the conversion adds no multiples; ``inverse`` is that of n."""
        return (
            Lemma("no_digits", (next_phase > LOOP,), (following(self.d.of).eq(0),)),
            Lemma(
                "words_next",
                (next_phase.eq(FINISH),),
                (
                    following(shift).eq(0),
                    following(hold).eq(0),
                    following(word).eq(1),
                    following(inverse).eq(0),
                ),
            ),
            Lemma(
                "no_quotient",
                (inverse.eq(0),),
                (self.q.of.eq(0),),
                "The quotient digit is 0 without the inverse.",
            ),
        )

    @property
    def _late(self) -> tuple[Lemma, ...]:
        at = "u_core.gen_late_quotient.u_quotient"
        inverse, found, held, chosen = (
            net(f"{at}.{name}", D) for name in ("n_inverse_q", "digit", "digit_q", "exact_q")
        )
        kept, now = net(f"{at}.transfer_q"), net(f"{at}.exact_now_q")
        left, next_left, s, c = self.left, self.next_left, self.s, self.c
        q = Terms(following(self.q.of), self.terms)
        quiet = holds(
            "quiet",
            phase.eq(LOOP) | scaled.eq(0),
            phase.eq(TAIL) | exact.eq(0),
            _unless(phase.eq(TAIL), left.eq(EXACT[0]), exact.eq(1)),
            _unless(phase.eq(TAIL), left.eq(SHIFT + 1), now.eq(1)),
            phase.eq(LOOP) | (phase.eq(TAIL) & (left > SHIFT)) | kept.eq(0),
        )
        tail = next_phase.eq(TAIL)
        legal = (q.digit >= 0 - RADIX // 2, q.digit <= RADIX // 2, *q.legal)
        after = following(kept).eq(either(now.eq(1), 0, kept))
        return (
            Lemma(
                "accept",
                (phase.eq(IDLE), request.eq(1)),
                (
                    *self.accepted,
                    signed(following(self.modulus)).eq(RADIX * signed(net("n_scaled_i", W))),
                ),
            ),
            Lemma("loop", looping, self.shifted),
            *self.digits,
            Lemma("no_digits", (next_phase > LOOP,), (following(self.d.of).eq(0),)),
            Lemma(
                "at_reset",
                (),
                (phase.eq(IDLE), carry.eq(0), transfer.eq(0), quiet),
                at_reset=True,
            ),
            Lemma("quiet_on", (quiet,), (later(quiet),), "A transfer stays until it is added."),
            Lemma(
                "selects",
                (),
                (
                    following(shift).eq(
                        _if(
                            next_phase.eq(LOOP),
                            _if(phase.eq(IDLE), 0, 1),
                            _if(tail, _if(next_left.eq(SHIFT))),
                        )
                    ),
                    following(hold).eq(_if(tail, _if(next_left.eq(SHIFT), 0, 1))),
                    following(word).eq(_if(next_phase.eq(FINISH), int(self.binary))),
                    following(scaled).eq(
                        _if(next_phase.eq(LOOP), _if(phase.eq(IDLE), 0, _if(next_left > 0)))
                    ),
                    following(exact).eq(
                        _if(tail, _if(next_left.eq(EXACT[0]), 1, _if(next_left.eq(EXACT[1]))))
                    ),
                ),
                "The selects are registers of the next phase.",
            ),
            Lemma(
                "inverse",
                (phase.eq(IDLE), (net("n_i", W) % 2).eq(1)),
                (((following(inverse) * net("n_i", W) + 1) % RADIX).eq(0),),
            ),
            Lemma(
                "kept",
                (phase.eq(LOOP) | phase.eq(TAIL),),
                (
                    following(n).eq(n),
                    following(inverse).eq(inverse),
                    signed(following(self.modulus)).eq(
                        _if(phase.eq(TAIL), n, signed(self.modulus))
                    ),
                ),
            ),
            Lemma(
                "quotient_digit",
                (),
                (
                    ((found - (part(s, D, D) + part(c, D, D) + pending)) % RADIX).eq(0),
                    following(held).eq(_if(shift.eq(1), found)),
                    following(now).eq(exact),
                    ((following(chosen) - (held + kept) * inverse) % RADIX).eq(0),
                    net("u_core.one").eq(_if(now.eq(1), kept)),
                ),
            ),
            Lemma(
                "scaled_digit",
                (scaled.eq(1), exact.eq(0)),
                (
                    q.digit.eq(found + kept - RADIX * following(kept)),
                    following(kept).eq(_if(2 * found < RADIX, 0, 1)),
                    *q.legal,
                ),
                "A digit of the quotient of n-bar is that of the pair, recoded.",
                cut=(f"{at}.digit",),
            ),
            Lemma(
                "exact_digit",
                (scaled.eq(0), exact.eq(1)),
                (((q.digit - chosen) % RADIX).eq(0), *legal, after),
            ),
            Lemma(
                "no_quotient",
                (scaled.eq(0), exact.eq(0)),
                (q.of.eq(0), q.digit.eq(0), *q.legal, after),
            ),
            self.pending_carry(held),
            Lemma("no_pending", (part(s, 0, D).eq(0), part(c, 0, D).eq(0)), (pending.eq(0),)),
            Lemma("clear", (phase.eq(IDLE),), self.cleared),
            *self.pair,
            Lemma(
                "held_pair",
                (shift.eq(0), hold.eq(1), word.eq(0)),
                (self.tree.vector(0).eq(s), self.tree.vector(1).eq(c)),
            ),
            *self.sums,
            Lemma(
                "count",
                (phase.eq(LOOP) | phase.eq(TAIL), left > 0),
                (next_phase.eq(phase), next_left.eq(left - 1)),
            ),
            Lemma(
                "loop_end",
                (phase.eq(LOOP), left.eq(0)),
                (next_phase.eq(TAIL), next_left.eq(TAIL_CYCLES - 1)),
            ),
            Lemma(
                "tail_end",
                (phase.eq(TAIL), left.eq(0)),
                (next_phase.eq(FINISH), next_left.eq(self.finish - 1)),
            ),
        )


def _if(truth: Expression, yes: Operand = 1, no: Operand = 0) -> Expression:
    return either(truth, yes, no)


def _unless(first: Expression, second: Expression, holds_then: Expression) -> Expression:
    """Return that of two equations the second is false, or the first, or the third is true."""
    return _if(first, 1).eq(0) | _if(second, 1).eq(0) | holds_then


@cache
def _lemmas(terms: int, *, binary: bool, late: bool, nonnegative: bool) -> tuple[Lemma, ...]:
    return _Core(terms, binary=binary, late=late, nonnegative=nonnegative).lemmas


def lemmas_on(design: BoothCsa) -> tuple[Lemma, ...]:
    """Return the lemmas on a design."""
    binary = design.radix == BINARY_RADIX
    return _lemmas(
        (design.radix.bit_length()) // 2,
        binary=binary,
        late=design.pipeline == 1,
        nonnegative=binary and design.result == NONNEGATIVE,
    )


def theorem_of(design: BoothCsa) -> str:
    """Return the name of the theorem on a design: that of its top."""
    return Path(design.files[-1]).stem.removeprefix("mf_")


def sizes(design: BoothCsa) -> dict[str, int]:
    """Return the parameters that lemmas may hang on beside the width."""
    words = design.top_parameters.get("ConverterW", 0)
    return {
        "digit": design.radix.bit_length() - 1,
        "nonnegative": int(design.result == NONNEGATIVE),
        "word": min(words, design.width + 1),
    }
