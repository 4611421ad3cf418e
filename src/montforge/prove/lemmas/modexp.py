# SPDX-License-Identifier: Apache-2.0
"""The lemmas on mf_modexp from which proofs/modexp.v follows, over any multiplier.

Those on an algorithm, and its states, are in `modexp_bits`, `modexp_window_of_bits` and
`modexp_window`.

The multiplier's outputs are cut, so that a lemma holds whatever it answers, and when. A turn has
three states: begun (its request is made), decided (in the first cycle after its acceptance, in
which no response comes), loaded (with the terms that registers load at the response).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from montforge.arch.modexp import Modexp
from montforge.contract import Contract
from montforge.prove.statement import (
    Expression,
    Lemma,
    Operand,
    W,
    bit_at,
    called,
    clog2,
    either,
    following,
    greatest,
    holds,
    later,
    net,
    part,
    pow2,
    signed,
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
DIGIT = size("DigitW")
C, SIGNED, PASSES = size("CarryBits"), size("Signed"), size("Passes")
SIZES = (E, S, A, DIGIT, C, SIGNED, PASSES)
"""The sizes after the width, in the order of the theorems."""
CYCLES = greatest(WORDS + 2, DIGIT + 6)
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
t_sum, acc_sum = net(f"{CHAIN}t_s_q", SUM), net(f"{CHAIN}acc_s_q", SUM)
late, n = net(f"{CHAIN}late_q"), net(f"{CHAIN}n_q", PADDED)

idle, run, reduces, done, wipe = map(control, ("idle_q", "run_q", "reduce_q", "done_q", "wipe_q"))
ports, busy, step = control("ports_q"), control("busy_q"), control("step_q", 3)
issue, asked, waiting = control("issue_q"), control("request_q"), control("waiting_q")
aborted, first = control("aborted_q"), control("first_q")
enters, passes, moves = control("enters_q"), control("pass_q"), control("t_moves_q")
acc_moves, select = control("acc_moves_q"), control("select_q")
t_takes, acc_takes = control("t_takes_q"), control("acc_takes_q")
t_product, t_read, t_acc, t_words = (control(f"terms_q[{place}]") for place in (8, 7, 6, 5))
acc_product, acc_read, acc_leave, acc_words = (
    control(f"terms_q[{place}]") for place in (3, 2, 1, 0)
)
after, leaves = control("after_q", 3), control("leave_next_q")
digit_done, squared = control("digit_done_q"), control("squared_q")
second, second_after = control("b_acc_q"), control("b_acc_after_q")
table, enter_last, check = control("b_read_q"), control("enter_last_q"), control("check_q")
enter = control("enter_q", clog2(CYCLES + 1))
words, last_word = control("words_q", clog2(WORDS + 1)), control("last_word_q")
error, wrong, digit_taken = control("error_q", 4), control("error_enter"), control("digit_take_o")
bit_taken = reader("take_i")
bit_valid, bit, found, more = map(reader, ("valid_q", "bit_q", "found_q", "any_q"))
at, chosen, empty = reader("at_q", INDEX + 5), reader("select_q", 5), reader("empty_q")
leaves_now, reduced_ = map(control, ("leaves_q", "reduced_q"))
shift = control("shift_q", greatest(clog2(PASSES), 1))
wide, halve = map(control, ("wide_q", "halve_q"))
constants = f"{CHAIN}constants_q"
term = net(f"{CHAIN}term_q", A)
e, word = reader("gen_registers.e_q", MEMORY), reader("gen_registers.word_q", 32)


TABLE_OF_SUMS = f"{CHAIN}gen_table.u_sums.gen_memory.words_q"
TABLE_OF_CARRIES = f"{CHAIN}gen_table.gen_carries.u_carries.gen_memory.words_q"
PLACE = size("place")


def _meanings(
    pair: bool, below_0: bool, shifts: bool, of: Contract | None
) -> dict[str, Expression]:
    """Return the integers that the lemmas speak of, by the nets that make them.

    An operand is a sum vector, signed where those of the contract ``of`` are, and with ``pair`` a
    carry vector; results can be ``below_0``. What is above the bits of an operand in a register
    counts in a pass alone: `pass_t` and `pass_carries` are t in a pass, `pass_other` is its sum
    with n or the complement of n. If n ``shifts`` several passes follow the last product.
    """
    mark, depth = "_s" * pair, pow2(DIGIT)
    result: Operand = S
    negative = below_0
    if of is not None:
        negative = of.operand_encoding.signed
        if of.result_encoding != of.operand_encoding:
            result = W + (of.result_encoding.width - of.width)

    def operand(vector: Expression) -> Expression:
        return signed(vector) if negative else vector

    product = net(f"{PART}p{mark}_o", result)
    sums = {
        "t": operand(part(t_sum, 0, S)),
        "acc": operand(part(acc_sum, 0, S)),
        "read": operand(net(f"{CHAIN}read_sum", S)),
        "power": operand(part(net(TABLE_OF_SUMS, depth * S), PLACE * S, S)),
        "product": signed(product) if below_0 else product,
        "first": operand(net(f"{PART}a{mark}_i", S)),
        "other": operand(net(f"{PART}b{mark}_i", S)),
    }
    carries = {
        "t": part(net(f"{CHAIN}t_c_q", SUM), 0, C),
        "acc": part(net(f"{CHAIN}acc_c_q", SUM), 0, C),
        "read": net(f"{CHAIN}read_carry", C),
        "power": part(net(TABLE_OF_CARRIES, depth * C), PLACE * C, C),
        "product": net(f"{PART}p_c_o", C),
        "first": net(f"{PART}a_c_i", C),
        "other": net(f"{PART}b_c_i", C),
    }
    found = {name: of + carries[name] if pair else of for name, of in sums.items()}
    vectors = SUM if pair else 1
    word = n % pow2(A)
    found |= {
        "acc_vectors": acc_sum + net(f"{CHAIN}acc_c_q", vectors) * int(pair),
        "pass_t": (net(f"{CHAIN}t_whole", SUM) if pair else t_sum) % PADDED_POWER,
        "pass_carries": net(f"{CHAIN}t_c_q", vectors),
        "next_carries": net(f"{CHAIN}{'acc' if pair else 't'}_c_q", vectors),
        "pass_other": net(f"{CHAIN}acc_whole", SUM) % PADDED_POWER,
        "value_carry": net(f"{CHAIN}value_carry_q"),
        "other_carry": net(f"{CHAIN}other_carry_q") + net(f"{CHAIN}row_q"),
        "chosen": net(f"{CHAIN}value_negative_q")
        if below_0
        else 1 - net(f"{CHAIN}other_negative_q"),
        "multiple": word * pow2(PASSES - 1) + before if shifts else word,
    }
    return {name: called(f"value_{name}", of) for name, of in found.items()}


PADDED_POWER = pow2(PADDED)
before = net(f"{CHAIN}gen_shift.n_before_q", PASSES - 1)
"""What the word of n below the present one, times 2^(PASSES - 1), has above its place."""
_BINARY = _meanings(pair=False, below_0=False, shifts=False, of=None)
t, acc, read, p, power = (_BINARY[name] for name in ("t", "acc", "read", "product", "power"))
a_port, b_port = _BINARY["first"], _BINARY["other"]
acc_vectors = _BINARY["acc_vectors"]
pass_t, pass_carries, pass_other = (_BINARY[f"pass_{at}"] for at in ("t", "carries", "other"))
next_carries, multiple = _BINARY["next_carries"], _BINARY["multiple"]
value_carry, other_carry = _BINARY["value_carry"], _BINARY["other_carry"]
chosen_other = _BINARY["chosen"]
CUT = (f"{PART}req_ready_o", f"{PART}rsp_valid_o")


def of_kind(lemma: Lemma, contract: Contract, shifts: bool) -> Lemma:
    """Return a lemma on binary operands of at least 0 for those of a multiplier."""
    pair, below_0 = contract.operand_encoding.kind == "carry_save", contract.result_bound.signed
    found = _meanings(pair, below_0, shifts, contract)
    meanings = {str(of.arguments[0]): of for of in found.values()}

    def named(of: Expression) -> Expression:
        if "called" not in of.operations:
            return of
        if of.operation == "called" and of.arguments[0] in meanings:
            found = meanings[str(of.arguments[0])]
            return later(found) if of.nets[0].arguments[2] else found
        parts = (named(each) if isinstance(each, Expression) else each for each in of.arguments)
        return Expression(of.operation, tuple(parts))

    results = tuple(f"{PART}{port}" for port in (("p_s_o", "p_c_o") if pair else ("p_o",)))
    return replace(
        lemma,
        given=tuple(map(named, lemma.given)),
        shows=tuple(map(named, lemma.shows)),
        cut=(*lemma.cut, *results) if lemma.cut else (),
    )


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


QUIET = (
    (idle + run + reduces + done + wipe).eq(1),
    *implies(idle, *ones(ports), *zeros(busy, aborted)),
    *implies(asked, *ones(run, issue), *zeros(aborted)),
    *(
        each
        for net in (t_takes, acc_takes, t_product, t_read, acc_product, acc_leave)
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
    *implies(done, *zeros(late)),
    moves.eq(either(wipe.eq(1), 1, passes)),
)
"""What holds in all cycles from reset, aborts or not, whatever the algorithm."""

IN_RUN = (
    *ones(run, busy),
    *zeros(idle, reduces, done, wipe, ports, aborted, select, acc_moves),
    *implies(leaves_now, waiting.eq(1), step.eq(LEAVE)),
    error.eq(0),
)
READS = (
    *implies(bit_valid, found.eq(1) | more.eq(0)),
    bit_valid.eq(1) | (found + more).eq(0),
)
"""After the first bit of the exponent one is valid while there is one."""
ROTATED = n // pow2(A) + (n % pow2(A)) * pow2(PADDED - A)
CALM = abort.eq(0)
ASKED, NOT_ASKED = (asks.eq(1), accepts.eq(1)), asks.eq(0) | accepts.eq(0)


def by_step(of: Mapping[int, Operand], other: Operand = 0) -> Operand:
    """Return the value of ``of`` for the present step."""
    found = other
    for number, value in of.items():
        found = either(step.eq(number), value, found)
    return found


@dataclass(frozen=True)
class States:
    """What holds in all cycles, and the states of an operation: statements with these names.

    A request enters, its x is checked, x has entered; then turns, each begun (its request is
    made), decided (in the first cycle after its acceptance, in which no response comes), and
    loaded (with the terms that registers load at the response).
    """

    quiet: Expression
    entering: Expression
    checking: Expression
    entered: Expression
    begun: Expression
    decided: Expression
    loaded: Expression
    still: tuple[Expression, ...] = ()
    """Nets that are 0 while n is subtracted from the last product."""

    @property
    def any(self) -> Expression:
        """One of the states of an operation."""
        turn = self.begun | self.decided | self.loaded
        return self.entering | self.checking | self.entered | turn

    @property
    def waits(self) -> Expression:
        """A turn without a response in this cycle."""
        return self.begun | ((self.decided | self.loaded) & answers.eq(0))

    @property
    def enters(self) -> Expression:
        """The first turn without a response in this cycle."""
        return self.entering | self.checking | (self.entered & answers.eq(0))


WIDE = pow2(PASSES - 1)


def leaving(passes: int) -> tuple[Expression, ...]:
    """Return what holds in all cycles, too, where ``passes`` follow the last product."""
    if not passes:
        return ()
    kinds = (wide, halve) if passes > 1 else ()
    last = (shift.eq(PASSES - 1), *ones(*kinds), *(before.eq(0) for _ in kinds[:1]))
    return (
        leaves_now.eq(either(waiting.eq(1), by_step({LEAVE: 1}), 0)),
        *(run.eq(0) | step.eq(LEAVE) | each for each in zeros(shift, *kinds)),
        *(waiting.eq(0) | (step < LEAVE) | (step > LEAVE) | each for each in last),
    )


SUBTRACTS = (
    *ones(reduces, busy),
    *zeros(idle, run, done, wipe, ports, aborted, waiting, asked, enters, leaves_now),
    *zeros(t_takes, acc_takes, t_product, t_read, acc_product, acc_read, acc_leave),
    *(each.eq(passes) for each in (moves, acc_moves, t_words, acc_words)),
    error.eq(0),
    step.eq(LEAVE),
)
LOWEST = pass_t % pow2(A) + pass_carries % pow2(A)
HIGHEST = pow2(PADDED - A)


def next_of_n(last: Expression) -> tuple[Expression, ...]:
    """Return how n moves in a pass, ``last`` in the cycle of its highest word.

    Its words are those of n times 2^(PASSES - 1) in the first pass. The next pass has half of it.
    """
    first_pass = following(shift).eq(PASSES - 1)
    word = n % pow2(A)
    half = word // 2 + either(last, 0, n // pow2(A) % 2 * pow2(A - 1))
    summand = either(first_pass, multiple % pow2(A), word)
    return (
        (following(n) % HIGHEST).eq(n // pow2(A)),
        following(shift).eq(0)
        | (following(n) // HIGHEST).eq(either(first_pass, multiple // 2 % pow2(A), half)),
        following(multiple).eq(following(n) % pow2(A) * WIDE + multiple // pow2(A)),
        following(term).eq(either(SIGNED.eq(0), pow2(A) - 1 - summand, summand)),
    )


def reduction(of: States, passes_: int) -> tuple[Lemma, ...]:
    """Return the lemmas on ``passes_`` passes after the last product, which make it canonical.

    n times a power of 2, in the last pass n, is subtracted if that leaves no borrow; n is added to
    a signed product below 0. They are the hypotheses of proofs/modexp_reduced.v.
    """
    subtracts = (*SUBTRACTS, *zeros(*of.still))
    again = (
        (wide.eq(either(shift.eq(PASSES - 1), 1, 0)), halve.eq(either(shift.eq(0), 0, 1)))
        if passes_ > 1
        else ()
    )
    last = last_word.eq(either(words.eq(0), 1, 0))
    begins = (words < WORDS, late.eq(either(words.eq(WORDS - 1), 0, 1)))
    passing = (*ones(passes), *zeros(select, t_acc), last, *begins)
    reducing = holds(
        "reducing",
        *subtracts,
        *passing,
        shift < PASSES,
        reduced_.eq(either(shift.eq(0), 1, 0)),
        *again,
    )
    chooses = (*subtracts, *zeros(passes), *ones(select, t_acc, late))
    choosing = holds("choosing", *chooses, reduced_.eq(1))
    choosing_on = holds(
        "choosing_on",
        *chooses,
        *zeros(reduced_, next_carries),
        shift + 1 < greatest(PASSES, 2),
        *again,
        *([before.eq(0)] if passes_ > 1 else []),
    )
    begun = (
        later(reducing),
        following(words).eq(WORDS - 1),
        following(value_carry).eq(0),
        following(other_carry).eq(either(SIGNED.eq(0), 1, 0)),
        *next_of_n(WORDS.eq(1)),
    )
    return (
        Lemma(
            "vectors",
            (),
            (
                *(pass_t >= 0, pass_t < PADDED_POWER, pass_other >= 0, pass_other < PADDED_POWER),
                *(value_carry >= 0, other_carry >= 0, pass_carries >= 0, shift >= 0),
            ),
        ),
        Lemma(
            "reduces",
            (of.quiet, of.loaded, step.eq(LEAVE), CALM, answers.eq(1)),
            (
                *begun,
                following(shift).eq(PASSES - 1),
                multiple.eq(n % pow2(A) * WIDE),
                ((following(pass_t) + following(pass_carries)) % PADDED_POWER).eq(p % PADDED_POWER),
                following(pass_carries) < PADDED_POWER,
            ),
        ),
        Lemma("not_done", (reducing | choosing | choosing_on,), zeros(done)),
        Lemma(
            "subtracts",
            (reducing, CALM),
            (
                (following(pass_t) % HIGHEST).eq(pass_t // pow2(A)),
                (following(pass_t) // HIGHEST + following(value_carry) * pow2(A)).eq(
                    LOWEST + value_carry
                ),
                following(pass_carries).eq(pass_carries // pow2(A)),
                (following(pass_other) % HIGHEST).eq(pass_other // pow2(A)),
                (following(pass_other) // HIGHEST + following(other_carry) * pow2(A)).eq(
                    LOWEST + term + other_carry
                ),
                following(chosen_other).eq(
                    either(
                        SIGNED.eq(0),
                        1 - following(pass_other) // pow2(PADDED - 1),
                        following(pass_t) // pow2(PADDED - 1),
                    )
                ),
            ),
        ),
        Lemma(
            "reduces_on",
            (reducing, CALM),
            tuple(
                words.eq(0) | each
                for each in (
                    *(later(reducing), following(words).eq(words - 1), following(shift).eq(shift)),
                    *next_of_n(words.eq(1)),
                )
            ),
        ),
        Lemma(
            "reduces_last",
            (reducing, CALM),
            (
                (words > 0) | (shift > 0) | later(choosing),
                *(
                    (words > 0) | shift.eq(0) | each
                    for each in (
                        *(later(choosing_on), following(shift).eq(shift - 1)),
                        following(n).eq(n),
                    )
                ),
            ),
        ),
        Lemma(
            "chooses",
            (choosing, CALM),
            (
                following(done).eq(1),
                following(error).eq(0),
                (following(t_sum) % PADDED_POWER).eq(
                    either(chosen_other.eq(1), pass_other, pass_t)
                ),
            ),
        ),
        Lemma(
            "chooses_on",
            (choosing_on, CALM),
            (
                *begun,
                following(shift).eq(shift),
                following(pass_t).eq(either(chosen_other.eq(1), pass_other, pass_t)),
                following(pass_carries).eq(either(chosen_other.eq(1), 0, pass_carries)),
            ),
        ),
    )


def with_constants(of: States, widths: Mapping[str, Expression]) -> tuple[Lemma, ...]:
    """Return the lemmas on constants of the multiplier, by their ports, and on their register.

    They are hypotheses of proofs/modexp.v.
    """
    bits = sum(widths.values(), Expression("int", (0,)))
    if len(widths) == 1:
        (bits,) = widths.values()
    register = net(constants, bits)
    shows, at = [], Expression("int", (0,))
    for port, width in widths.items():
        of_port = register if len(widths) == 1 else part(register, at, width)
        shows.append(net(f"{PART}{port}", width).eq(of_port))
        at = at + width
    return with_cut(
        Lemma(
            "constant_loads",
            (of.quiet, request.eq(1), ready.eq(1)),
            (following(register).eq(net("constants_i", bits)),),
        ),
        Lemma("constant_stays", (of.any,), kept(register)),
        Lemma("constant_port", (), tuple(shows)),
    )


def shared(of: States, passes_: int) -> tuple[Lemma, ...]:
    """Return the lemmas that each algorithm has, on its states: those on all of it but its loads.

    They are the hypotheses of proofs/modexp.v, and the last ones of proofs/modexp_reader.v. With
    ``passes_`` subtractions follow the last product, which is the result without.
    """
    left = Lemma(
        "left",
        (of.loaded, step.eq(LEAVE), CALM, answers.eq(1)),
        (following(done).eq(1), following(error).eq(0), following(t_sum).eq(p)),
    )
    found_ = (
        Lemma(
            "sizes",
            (),
            (
                *(E > 0, S >= W, A > 0, DIGIT > 0, C >= 0, SIGNED.eq(0) | SIGNED.eq(1)),
                *(PASSES >= 0, S >= W + PASSES),
            ),
            "Those that all statements hang on, in this order.",
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
        Lemma("quiet_on", (of.quiet,), (later(of.quiet),)),
        Lemma(
            "bits",
            (),
            tuple(
                each.eq(0) | each.eq(1)
                for each in (
                    *(bit_valid, found, more, bit_taken, first, passes),
                    *(asks, accepts, answers, wrong, bit),
                )
            ),
        ),
        Lemma("quiet_at_reset", (), (of.quiet,), at_reset=True),
        Lemma(
            "ports",
            (),
            (
                ready.eq(either(idle.eq(1), 1 - abort, 0)),
                valid.eq(done),
                net("error_o", 4).eq(error),
                net("y_o", W).eq(t_sum % pow2(W)),
            ),
        ),
        Lemma(
            "part_ports",
            (second.eq(0) | table.eq(0),),
            (
                a_port.eq(t),
                b_port.eq(either(second.eq(1), acc, either(table.eq(1), read, t))),
                takes.eq(either(waiting.eq(1), answers, 0)),
            ),
        ),
        Lemma(
            "stays",
            (of.quiet, done.eq(1), taken.eq(0)),
            (following(done).eq(1), *kept(t_sum, error)),
        ),
        Lemma(
            "accept",
            (of.quiet, request.eq(1), ready.eq(1), net("e_len_i", LENGTH) <= E),
            (
                later(of.entering),
                following(t).eq(net("x_i", W)),
                following(acc).eq(net("r2_i", W)),
                following(n).eq(net("n_i", W)),
            ),
        ),
        Lemma(
            "running",
            (of.any,),
            (*ones(busy), *zeros(idle, wipe, done), second.eq(0) | table.eq(0)),
        ),
        Lemma("waits_for_x", (of.checking,), (waiting.eq(0),)),
        Lemma("x_enters", (of.entering | of.entered,), (second.eq(1), passes.eq(0))),
        Lemma(
            "entering_waits",
            (of.entering, CALM, NOT_ASKED),
            (later(of.entering), *kept(t, acc, n)),
        ),
        Lemma(
            "entering_asks",
            (of.quiet, of.entering, CALM, *ASKED),
            (
                later(of.checking),
                following(n).eq(ROTATED),
                following(passes).eq(1),
                following(words).eq(WORDS - 1),
            ),
        ),
        Lemma("checking_on", (of.checking, CALM), (later(of.checking) | later(of.entered),)),
        Lemma(
            "rotates",
            (of.quiet, of.checking, passes.eq(1), words > 0),
            (following(passes).eq(1), following(words).eq(words - 1), following(n).eq(ROTATED)),
        ),
        Lemma(
            "rotated",
            (of.checking, passes.eq(1), words.eq(0)),
            (following(passes).eq(0), following(n).eq(n)),
        ),
        Lemma("rests", (of.checking, passes.eq(0)), (following(passes).eq(0), following(n).eq(n))),
        Lemma("entered_waits", (of.entered, CALM, answers.eq(0)), (later(of.entered), *kept(n))),
        Lemma(
            "refuses",
            (of.entered, CALM, answers.eq(1), wrong.eq(1)),
            (following(done).eq(1), following(error) > 0),
        ),
        Lemma("begun_waits", (of.begun, CALM, NOT_ASKED), (later(of.begun), *kept(n))),
        Lemma("begun_asks", (of.begun, CALM, *ASKED), (later(of.decided), *kept(n))),
        Lemma("decided_waits", (of.decided, CALM, answers.eq(0)), (later(of.loaded), *kept(n))),
        Lemma("loaded_waits", (of.loaded, CALM, answers.eq(0)), (later(of.loaded), *kept(n))),
        *(reduction(of, passes_) if passes_ else (left,)),
        Lemma(
            "exponent_loads",
            (of.quiet, request.eq(1), ready.eq(1), net("e_len_i", LENGTH) <= E),
            (
                following(e).eq(net("e_i", E)),
                following(empty).eq(either(net("e_len_i", LENGTH).eq(0), 1, 0)),
                following(at).eq(
                    either(net("e_len_i", LENGTH).eq(0), 0, net("e_len_i", LENGTH) - 1)
                ),
                *(later(each) for each in (*ones(more, first), *zeros(found, bit_valid))),
            ),
        ),
        Lemma(
            "bit_moves",
            (busy.eq(1), bit_valid.eq(0) | bit_taken.eq(1)),
            (
                following(bit_valid).eq(found),
                following(bit).eq(either(empty.eq(1), 0, bit_at(word, chosen))),
            ),
        ),
        Lemma("bit_stays", (busy.eq(1), bit_valid.eq(1), bit_taken.eq(0)), kept(bit_valid, bit)),
        Lemma(
            "word_moves",
            (busy.eq(1), bit_valid.eq(0) | bit_taken.eq(1) | found.eq(0)),
            (
                following(found).eq(more),
                following(more).eq(either(at.eq(0), 0, more)),
                following(at).eq((at - 1) % pow2(INDEX + 5)),
            ),
        ),
        Lemma(
            "word_read",
            (busy.eq(1), bit_valid.eq(0) | bit_taken.eq(1) | found.eq(0), at < MEMORY),
            (bit_at(following(word), following(chosen)).eq(bit_at(e, at)),),
        ),
        Lemma(
            "word_stays",
            (busy.eq(1), *ones(bit_valid, found), bit_taken.eq(0)),
            kept(found, more, at, word, chosen),
        ),
        Lemma("exponent_stays", (busy.eq(1), idle.eq(0)), kept(e, empty)),
    )
    return with_cut(*found_)


def with_cut(*lemmas: Lemma) -> tuple[Lemma, ...]:
    """Return ``lemmas``, for whatever the multiplier answers."""
    return tuple(replace(each, cut=() if each.at_reset else CUT) for each in lemmas)


OWED = called("value_owed", either(run.eq(1), 1 - issue, 0))
"""Requests to the multiplier whose responses are to be taken."""


def in_order(of: States) -> tuple[Lemma, ...]:
    """Return the lemmas on requests to a multiplier that takes some before their responses.

    They are the hypotheses of proofs/modexp_in_order.v.
    """
    accepted = either(asks.eq(1), either(accepts.eq(1), 1, 0), 0)
    taken_now = either(answers.eq(1), either(takes.eq(1), 1, 0), 0)
    return (
        *with_cut(
            Lemma(
                "owed",
                (of.quiet,),
                (
                    (later(OWED) + taken_now).eq(OWED + accepted),
                    asks.eq(0) | OWED.eq(0),
                    asks.eq(0) | answers.eq(0) | takes.eq(0),
                ),
            )
        ),
        Lemma("owed_at_reset", (), (OWED.eq(0),), at_reset=True),
    )


def all_lemmas(design: Modexp, of: States, own: tuple[Lemma, ...]) -> tuple[Lemma, ...]:
    """Return the lemmas on ``design``, whose algorithm has the states ``of`` and lemmas ``own``."""
    contract, found = design.multiplier.contract, [*shared(of, passes_after(design)), *own]
    if contract.takes_modulus:
        found += with_cut(Lemma("part_modulus", (), (net(f"{PART}n_i", W).eq(n % pow2(W)),)))
    if contract.overlaps:
        found += in_order(of)
    fields = contract.constants_spec
    if fields:
        widths = {f"{field.name}_i": W + (field.width - design.width) for field in fields}
        found += with_constants(of, widths)
    return tuple(of_kind(each, contract, passes_after(design) > 1) for each in found)


def passes_after(design: Modexp) -> int:
    """Return how many subtractions may follow the last product."""
    return int(design.top_parameters["Passes"])
