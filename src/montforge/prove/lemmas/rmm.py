# SPDX-License-Identifier: Apache-2.0
"""The lemmas on mf_rmm from which proofs/rmm.v follows.

The plan is one integer in them: they say of each issue which digits its multiplier takes, and of
each step what the products bring to each digit of an accumulator. Coq finds by computation that the
plan is complete and in order.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, reduce

from montforge.arch.rmm import REDUCTIONS, Rmm, digit_bits, estimate_bits
from montforge.programs.digits import ISSUE_BITS, Plan, products
from montforge.prove.lemmas.booth import Tree, product_row
from montforge.prove.lemmas.shared import request, taken
from montforge.prove.statement import (
    Expression,
    Lemma,
    Operand,
    W,
    bits_or,
    clog2,
    either,
    following,
    holds,
    later,
    net,
    part,
    pow2,
    size,
)

K, M, D, STEPS, PLAN = (size(name) for name in ("k", "m", "digit", "steps", "plan"))
"""Digits, multipliers, bits of a digit, steps of the plan, the plan without the 1 above it."""
TOP, ROWS = size("top"), size("rows")
"""Bits of a digit that the estimate takes, and Booth rows of a product."""
R_BITS, OPERAND = K * D, W + 1
STATE = R_BITS + OPERAND
"""Bits of the accumulator of T and U; that of Q has those of R."""
PLACES = size("places")
"""Digits of that of T and U, the highest one cut off."""
PERIOD = STEPS + 2
ESTIMATE = 2 * TOP + clog2(K) + 1
SUM = 2 * D + 1
RADIX = pow2(D)
T, Q, U = 1, 2, 3

_PATH = "gen_legal.u_datapath."
_CONTROL = f"{_PATH}u_control."
_SELECT = f"{_PATH}u_operands.gen_multiplier[0..].gen_operand"
_BOOTH = f"{_PATH}gen_multiplier[0..].u_multiplier.gen_booth."
_RESULT = f"{_PATH}gen_context[0].u_result."

e = size("e")

step, next_step, product_step = (
    net(name, clog2(PERIOD))
    for name in (f"{_CONTROL}step_q", f"{_PATH}next_step", f"{_PATH}product_step")
)
issuing, next_issuing, product_issuing = (
    net(name)
    for name in (f"{_CONTROL}issuing_q", f"{_PATH}next_issuing", f"{_PATH}product_issuing")
)
ready, busy, done, initialise, correct = (
    net(f"{_CONTROL}{name}_q") for name in ("ready", "busy", "done", "initialise", "correct")
)
a, b, n, n_prime = (net(f"{_PATH}{name}_q", R_BITS) for name in ("a", "b", "n", "n_prime"))
x, y = net(f"{_PATH}x", M * D), net(f"{_PATH}y", M * D)
chosen_x, chosen_y = (net(f"{_SELECT}[{at}].gen_select.selected", M * D) for at in (0, 1))
product_sum, product_carry = (
    net(f"{_PATH}product_{name}", M * (2 * D)) for name in ("sum", "carry")
)
product_top = net(f"{_PATH}product_top", M)
rows = net(f"{_BOOTH}rows", M * (ROWS * SUM))
correction = net(f"{_PATH}gen_context[0].correction", STATE)
estimate = net(f"{_RESULT}gen_estimate.estimate_q", ESTIMATE)
PRODUCTS = tuple(str(each.arguments[0]) for each in (product_sum, product_carry, product_top))

calm = holds(
    "calm",
    (ready + busy).eq(1),
    busy.eq(1) | (done.eq(0) & step.eq(PERIOD - 1) & issuing.eq(0)),
    done.eq(0) | (busy.eq(1) & issuing.eq(0)),
)


def _sum(terms: Iterable[Expression]) -> Expression:
    return reduce(operator.add, terms)


def _field(issue: Operand, low: int, count: int) -> Expression:
    """Return bits of an issue of the plan."""
    return (PLAN // pow2(ISSUE_BITS * issue + low)) % (1 << count)


def _phase(issue: Operand) -> Expression:
    return _field(issue, 8, 2)


def _digit(of: Expression, at: Operand) -> Expression:
    return part(of, at * D, D)


@dataclass(frozen=True)
class Accumulator:
    """The accumulator of some phases: its letter, number, bits, and digits."""

    letter: str
    number: int
    width: Expression
    digits: Expression
    phases: tuple[int, ...]

    @property
    def path(self) -> str:
        """What the names of its nets begin with."""
        return f"{_PATH}gen_context[0].gen_accumulator[{self.number}].gen_present.u_accumulator."

    @property
    def state(self) -> Expression:
        """Its register."""
        return net(f"{self.path}u_accumulator.state_q", self.width)

    @property
    def value(self) -> Expression:
        """The register with the present products."""
        return net(f"{self.path}value_o", self.width)

    @property
    def pair(self) -> Expression:
        """The two vectors that make the value."""
        return net(f"{self.path}u_accumulator.pair", 2 * self.width)

    @property
    def initial(self) -> Expression:
        """What the register begins with."""
        return size(f"initial_{self.letter}")

    @property
    def count(self) -> Expression:
        """The number of lanes."""
        return size(f"lanes_{self.letter}")

    def lanes(self, vectors: int) -> Expression:
        """Return the vectors that are added, two a lane."""
        return net(f"{self.path}lanes", vectors * (self.digits * D))

    def brought(self, issue: Operand, slot: int) -> Expression:
        """Return what a product brings to digit e mod digits, if it is of these phases."""
        place = e % self.digits - _field(issue, 4, 4) - _field(issue, 0, 4)
        low, high = (
            _digit(following(product_sum), 2 * slot + half)
            + _digit(following(product_carry), 2 * slot + half)
            for half in (0, 1)
        )
        parts = (low, high, part(following(product_top), slot))
        brought = _sum(either(place.eq(at), each, 0) for at, each in enumerate(parts))
        found: Operand = 0
        for phase in self.phases:
            found = either(_phase(issue).eq(phase), brought, found)
        assert isinstance(found, Expression)
        return found


OF_T = Accumulator("t", 0, STATE, PLACES, (T, U))
OF_Q = Accumulator("q", 1, R_BITS, K, (Q,))
_VALUES = tuple(str(of.value.arguments[0]) for of in (OF_T, OF_Q))


def _operand(*sources: Expression, low: int) -> Expression:
    """Return the digit that issue e takes: of A, T, Q or of B, N', N; 0 if it is none."""
    found: Operand = 0
    for phase, source in zip((T, Q, U), sources, strict=True):
        found = either(_phase(e).eq(phase), _digit(following(source), _field(e, low, 4)), found)
    assert isinstance(found, Expression)
    return found


_FIXED = (
    Lemma("ready", (), (net("req_ready_o").eq(ready), net("rsp_valid_o").eq(done))),
    Lemma("calm_at_reset", (), (calm,), at_reset=True),
    Lemma("calm_on", (calm,), (later(calm),), "No product is issued between two operations."),
    Lemma(
        "accept",
        (calm, ready.eq(1), request.eq(1)),
        (
            next_step.eq(0),
            next_issuing.eq(1),
            following(step).eq(0),
            following(issuing).eq(1),
            following(busy).eq(1),
            following(done).eq(0),
            following(initialise).eq(1),
            following(correct).eq(0),
            *(
                following(of).eq(net(f"{name}_i", width))
                for name, of, width in (
                    ("a", a, OPERAND),
                    ("b", b, OPERAND),
                    ("n", n, W),
                    ("n_prime", n_prime, R_BITS),
                )
            ),
        ),
    ),
    Lemma(
        "runs",
        (calm, busy.eq(1), done.eq(0), step < PERIOD - 1),
        (
            next_step.eq(step + 1),
            next_issuing.eq(issuing),
            following(step).eq(step + 1),
            following(issuing).eq(issuing),
            following(busy).eq(1),
            following(done).eq(0),
            following(initialise).eq(0),
            following(correct).eq(either(step.eq(STEPS), 1, 0)),
        ),
    ),
    Lemma(
        "ends",
        (calm, busy.eq(1), done.eq(0), step.eq(PERIOD - 1)),
        (
            following(done).eq(1),
            following(issuing).eq(0),
            following(initialise).eq(0),
            following(correct).eq(0),
        ),
    ),
    Lemma(
        "waits",
        (calm, done.eq(1), taken.eq(0)),
        (
            following(done).eq(1),
            following(issuing).eq(0),
            following(initialise).eq(0),
            following(correct).eq(0),
        ),
    ),
    Lemma("keep", (ready.eq(0),), tuple(following(of).eq(of) for of in (a, b, n, n_prime))),
    Lemma(
        "past",
        (),
        (following(product_step).eq(step), following(product_issuing).eq(issuing)),
        "The step whose products come in the next cycle.",
    ),
    Lemma(
        "operands",
        (next_step.eq(e // M), next_issuing.eq(1)),
        (
            _digit(following(chosen_x), e % M).eq(_operand(a, OF_T.value, OF_Q.value, low=4)),
            _digit(following(chosen_y), e % M).eq(_operand(b, n_prime, n, low=0)),
        ),
        "Issue e is one of multiplier e mod m in step e / m.",
        each=("e", STEPS * M),
        cut_later=(*_VALUES, *(str(of.arguments[0]) for of in (a, b, n, n_prime))),
    ),
    Lemma("operands_taken", (), (following(x).eq(chosen_x), following(y).eq(chosen_y))),
    Lemma(
        "rows_of_products",
        (),
        (product_row(rows, e, ROWS, D, _digit(x, e // ROWS), _digit(y, e // ROWS)),),
        "Row e mod rows of multiplier e / rows.",
        each=("e", M * ROWS),
    ),
    *(
        lemma
        for of in (OF_T, OF_Q)
        for lemma in (
            Lemma(
                f"value_{of.letter}",
                (),
                (
                    of.value.eq(
                        (part(of.pair, 0, of.width) + part(of.pair, of.width, of.width))
                        % pow2(of.width)
                    ),
                ),
                cut=(str(of.pair.arguments[0]),),
            ),
            Lemma(
                f"state_{of.letter}",
                (),
                (following(of.state).eq(either(initialise.eq(1), of.initial, of.value)),),
                cut=(str(of.value.arguments[0]),),
            ),
        )
    ),
    Lemma(
        "correction",
        (),
        (correction.eq(correct * estimate * pow2(R_BITS - 2 * TOP)),),
        "Half of R and the estimate are added with the last products.",
    ),
    Lemma("answer", (), (net("p_o", OPERAND).eq(part(OF_T.state, R_BITS, OPERAND)),)),
)


@cache
def _sums(of: Accumulator, count: int, slots: int) -> tuple[Lemma, ...]:
    """Return the lemmas on ``count`` lanes of an accumulator and ``slots`` multipliers."""
    vectors, width = 2 * count, of.digits * D
    lanes = of.lanes(vectors)
    place = (e % of.digits) * D
    found = _sum(part(following(lanes), vector * width + place, D) for vector in range(vectors))
    brought = _sum(of.brought(e // of.digits * M + slot, slot) for slot in range(slots))
    added = (following(correction) // pow2(place)) % RADIX if of is OF_T else 0
    even = (part(following(product_carry), slot * (2 * D)).eq(0) for slot in range(slots))
    ends = ("", str(of.pair.arguments[0]))
    tree = Tree(f"{of.path}u_accumulator.u_tree", of.width, vectors + 1, ends=ends)
    inputs = [*(part(lanes, vector * width, of.width) for vector in range(vectors)), of.state]
    return (
        Lemma(
            f"added_{of.letter}",
            (
                product_step.eq(e // of.digits),
                product_issuing.eq(1),
                (e // of.digits).eq(STEPS - 1) | following(correct).eq(0),
                *even,
            ),
            (found.eq(brought + added),),
            "All vectors have at digit e mod digits what the products of a step bring there.",
            each=("e", PERIOD * of.digits),
            cut_later=(*PRODUCTS, str(estimate.arguments[0])),
        ),
        Lemma(
            f"quiet_{of.letter}",
            (product_issuing.eq(0), following(correct).eq(0)),
            (following(lanes).eq(0),),
        ),
        Lemma(
            f"tree_{of.letter}",
            (),
            (M.eq(slots), of.count.eq(count), *tree.statements([0] * (vectors - 1), inputs)),
        ),
    )


@cache
def _products(terms: int) -> tuple[Lemma, ...]:
    """Return the lemmas on multipliers whose products have ``terms`` Booth rows."""
    tree = Tree(f"{_BOOTH}u_lower", SUM, terms, ends=("", f"{_BOOTH}pair"), copy=(e, M))
    inputs = [part(rows, (e * ROWS + at) * SUM, SUM) for at in range(terms)]
    sum_, carry = (part(following(of), e * (2 * D), 2 * D) for of in (product_sum, product_carry))
    top = pow2(2 * D)
    return (
        Lemma(
            "tree_of_products",
            (),
            (ROWS.eq(terms), *tree.statements([0] * (terms - 2), inputs)),
            each=("e", M),
        ),
        Lemma(
            "products",
            (),
            (
                sum_.eq(tree.sum_ % top),
                carry.eq(tree.carry % top),
                part(following(product_carry), e * (2 * D)).eq(0),
                part(following(product_top), e).eq(bits_or(tree.sum_ // top, tree.carry // top)),
            ),
            each=("e", M),
        ),
    )


@cache
def _estimate(digits: int) -> Lemma:
    """Return the lemma on the estimate of a column of ``digits`` - 1 products."""
    terms = (
        part(OF_Q.state, at * D + (D - TOP), TOP) * part(n, (digits - 2 - at) * D + (D - TOP), TOP)
        for at in range(digits - 1)
    )
    return Lemma(
        "estimates",
        (),
        (K.eq(digits), following(estimate).eq(pow2(2 * TOP - 1) + _sum(terms))),
        "The highest bits of digits of Q and N stand for their products.",
    )


def lemmas_on(design: Rmm) -> tuple[Lemma, ...]:
    """Return the lemmas on ``design``."""
    given = sizes(design)
    return (
        *_FIXED,
        _estimate(design.k),
        *_products(given["rows"]),
        *(
            lemma
            for of in (OF_T, OF_Q)
            for lemma in _sums(of, given[f"lanes_{of.letter}"], design.m)
        ),
    )


def lacks(design: Rmm) -> str:
    """Return for which of its parameters a design has no lemmas, or nothing."""
    proved = {
        "variant": "fast",
        "multiplier": "booth_carry_save",
        "stages": 1,
        "accumulator": "binary",
        "contexts": 1,
    }
    given = design.parameters
    return ", ".join(f"{name} = {given[name]}" for name in proved if given[name] != proved[name])


def sizes(design: Rmm) -> dict[str, int]:
    """Return the parameters that lemmas may hang on beside the width and the design's own."""
    k, d = design.k, digit_bits(design.width, design.k, design.variant)
    plan, state = design.plan, k * d + design.width + 1
    excess = {
        phase: -sum(
            1 << (each.column + 2) * d
            for each in products(k, REDUCTIONS[design.variant])
            if each.phase in phase
        )
        for phase in ("TU", "Q")
    }
    return {
        "digit": d,
        "steps": plan.issue_cycles,
        "plan": plan.packed - (1 << plan.packed.bit_length() - 1),
        "top": estimate_bits(k),
        "rows": d // 2 + 1,
        "places": -(-state // d),
        "initial_t": excess["TU"] % (1 << state),
        "initial_q": excess["Q"] % (1 << k * d),
        "lanes_t": _lanes(plan, "TU", -(-state // d), (k * d - 2 * estimate_bits(k)) // d, k),
        "lanes_q": _lanes(plan, "Q", k, 0, -1),
    }


def _lanes(plan: Plan, phases: str, digits: int, first: int, last: int) -> int:
    """Return the lanes of an accumulator whose correction has digits ``first`` to ``last``."""
    highest = 0
    for number, issues in enumerate(plan.steps):
        columns = Counter(
            each.product.column for each in issues if each and each.product.phase in phases
        )
        for at in range(digits):
            high, low, top = columns[at - 1], columns[at], columns[at - 2]
            corrected = number == len(plan.steps) - 1 and first <= at <= last
            highest = max(highest, high + max(low, top) + corrected)
    return highest
