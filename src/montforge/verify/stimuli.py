# SPDX-License-Identifier: Apache-2.0
"""The operations that try a function: moduli, values, and how they are put together.

Random and corner values follow from the contract alone, so that they serve every architecture with
the same function.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from random import Random

from montforge.contract import Bound, Contract, ModulusRule, Operation
from montforge.functions import Power, exponent_bits

# ---------------------------------------------------------------- moduli


def random_modulus(rng: Random, rule: ModulusRule) -> int:
    """Return a legal modulus, of any residue mod 8, often with clear top bits or few bits set."""
    width = rule.width
    top = 1 << (width - 1)
    while rule.only is None:
        kind = rng.random()
        if kind < 0.55:
            n = rng.getrandbits(width) | top
        elif kind < 0.75:
            bits = rng.randint(2, width)
            n = rng.getrandbits(bits) | 1 << (bits - 1)
        elif kind < 0.85:
            n = top | sparse(rng, width)
        elif kind < 0.95:
            n = (2 * top - 1) ^ sparse(rng, width)
        else:
            n = rng.choice((3, 2 * top - 1, top + 1))
        n = max(n if rule.even else n | 1, rule.minimum)
        if rule.is_legal(n):
            return n
    return rule.only


def average_modulus(rng: Random, rule: ModulusRule) -> int:
    """Return a legal modulus that is uniform among the odd ones with the top bit set."""
    while rule.only is None:
        n = rng.getrandbits(rule.width) | 1 << (rule.width - 1) | 1
        if rule.is_legal(n):
            return n
    return rule.only


def corner_moduli(rule: ModulusRule) -> list[int]:
    """Return the moduli that every contract is tried with: edges of the range, n = pq, clear top.

    All residues mod 8 that are legal occur near both ends of the range.
    """
    if rule.only is not None:
        return [rule.only]
    width = rule.width
    top = 1 << (width - 1)
    steps = range(8) if rule.even else (1, 3, 5, 7)
    moduli = [rule.minimum, 3, 5, 7, 9]
    moduli += [n for k in steps for n in (2 * top - k, top + k)]
    moduli += [top - 1, (1 << width // 2) + 1, composite(width)[0], 2 * top // 3 | 1]
    return sorted({n for n in moduli if rule.is_legal(n)})


def composite(width: int) -> tuple[int, int, int]:
    """Return ``(n, p, q)`` with n = p q of about ``width`` bits, p and q odd and near sqrt(n)."""
    p = (1 << width // 2) - 1
    q = ((1 << width) - 1) // p - 1 | 1
    return p * q, p, q


# ---------------------------------------------------------------- values


def sparse(rng: Random, width: int) -> int:
    """Return ``width`` bits with one to three of them set."""
    value = 0
    for _ in range(rng.randint(1, 3)):
        value |= 1 << rng.randrange(width)
    return value


def random_value(rng: Random, low: int, high: int, n: int) -> int:
    """Return a value with low <= value < high: uniform, or where adders and detectors break."""
    kind = rng.random()
    if kind < 0.5:
        return rng.randrange(low, high)
    bits = high.bit_length()
    if kind < 0.58:
        value = rng.getrandbits(rng.randint(1, 8))
    elif kind < 0.68:
        value = high - 1 - rng.getrandbits(rng.randint(1, 8))
    elif kind < 0.74:
        value = n + rng.randint(-2, 2)
    elif kind < 0.82:
        value = sparse(rng, bits)
    elif kind < 0.9:
        value = high - 1 & ~sparse(rng, bits)
    else:
        value = (1 << rng.randrange(bits)) + rng.randint(-1, 1)
    if low < 0 and rng.random() < 0.5:
        value = -value
    return low + (value - low) % (high - low)


def random_operand(rng: Random, bound: Bound, n: int) -> int:
    """Return an operand within ``bound``, as `random_value`."""
    return random_value(rng, bound.lower(n), bound.upper(n), n)


def corner_operands(contract: Contract, n: int) -> tuple[list[int], list[int]]:
    """Return operands within the bound: those to pair with all others, and those others."""
    bound = contract.operand_bound
    low, high = bound.lower(n), bound.upper(n)
    top = 1 << (high - 1).bit_length() - 1
    r = contract.r
    first = [0, 1, high - 1, n - 1, n, r % n, r * r % n, top, low]
    further = [2, high - 2, n + 1, top - 1, pow(r % n, -1, n), -1, low + 1]
    further += [int(digit * len(f"{top:x}"), 16) % top for digit in "5a"]
    paired, others = (dict.fromkeys(v for v in vs if low <= v < high) for vs in (first, further))
    return [*paired], [v for v in others if v not in paired]


# ---------------------------------------------------------------- operations


def stimuli(contract: Contract) -> Stimuli:
    """Return the operations that try the function of ``contract``."""
    return (PowerStimuli if isinstance(contract.function, Power) else Stimuli)(contract)


@dataclass(frozen=True)
class Stimuli:
    """Operations of a core with one operand or two, all within the same bound."""

    contract: Contract

    @property
    def _names(self) -> tuple[str, ...]:
        return self.contract.function.operands[:-1]

    def random(self, rng: Random, modulus: int | None) -> Iterator[Operation]:
        """Yield random operations without end, biased to where hardware breaks.

        Of two operands some are equal or have the sum n.
        """
        first, *others = self._names
        while True:
            n = modulus or random_modulus(rng, self.contract.modulus)
            a = random_operand(rng, self.contract.operand_bound, n)
            yield {first: a, **{name: self._other(rng, a, n) for name in others}, "n": n}

    def _other(self, rng: Random, a: int, n: int) -> int:
        bound = self.contract.operand_bound
        kind = rng.random()
        if kind < 0.05:
            return a
        if kind < 0.07:
            return bound.lower(n) + (n - a - bound.lower(n)) % (bound.upper(n) - bound.lower(n))
        return random_operand(rng, bound, n)

    def average(self, rng: Random, modulus: int | None = None) -> Iterator[Operation]:
        """Yield the operations of published averages: operands below n, the top bit of n set.

        n is ``modulus`` in all of them, if that is given.
        """
        while True:
            n = modulus or average_modulus(rng, self.contract.modulus)
            yield {**{name: rng.randrange(n) for name in self._names}, "n": n}

    def corners(self, n: int) -> Iterator[Operation]:
        """Yield the corners under ``n`` of every core with the function, legal or not.

        Operands are at the bounds, at n, R, R^2, alternating bits; some products are zero.
        """
        first, further = corner_operands(self.contract, n)
        if len(self._names) == 1:
            yield from ({self._names[0]: a, "n": n} for a in (*first, *further))
            return
        pairs = list(product(first, first))
        for value in further:
            for other in (value, first[0], first[-1], n - 1, 1):
                pairs += [(value, other), (other, value)]
        whole, p, q = composite(self.contract.width)
        if n == whole:
            for i, j in ((1, 1), (q - 1, p - 1), (1, p - 1), (2 % q, 1)):
                pairs += [(i * p, j * q), (j * q, i * p)]
        for pair in pairs:
            yield {**dict(zip(self._names, pair, strict=True)), "n": n}

    def choices(self, n: int) -> int:
        """Return the number of legal operations under ``n``, one for each value."""
        bound = self.contract.operand_bound
        return int((bound.upper(n) - bound.lower(n)) ** len(self._names))

    def axes(self, n: int) -> Sequence[Sequence[Operation]]:
        """Return the choices whose product is every legal operation under ``n``."""
        bound = self.contract.operand_bound
        values = range(bound.lower(n), bound.upper(n))
        return [[{name: value} for value in values] for name in self._names]

    def chain(self, rng: Random, n: int, length: int) -> Iterator[Operation]:
        """Yield a chain of operations; from the second on the chained operands hold anything.

        The chained operands of the first are the same random one; the others are all random.
        """
        bound, chained = self.contract.operand_bound, self.contract.function.chained
        fed = random_operand(rng, bound, n)
        for _ in range(length):
            others = {k: random_operand(rng, bound, n) for k in self._names if k not in chained}
            yield {**dict.fromkeys(chained, fed), **others, "n": n}
            fed = 0


class PowerStimuli(Stimuli):
    """Operations of an exponentiator, whose exponent may be a fixed one."""

    def random(self, rng: Random, modulus: int | None) -> Iterator[Operation]:
        """Yield random bases and exponents of all lengths, often the longest."""
        most = exponent_bits(self.contract)
        while True:
            n = modulus or random_modulus(rng, self.contract.modulus)
            length = most if rng.random() < 0.5 else rng.randint(0, most)
            e = random_value(rng, 0, 1 << length, 1 << length) if length else 0
            yield self._power(random_value(rng, 0, n, n), e, length, n)

    def average(self, rng: Random, modulus: int | None = None) -> Iterator[Operation]:
        """Yield x uniform below n, e uniform of the longest length, n with its top bit set."""
        most = exponent_bits(self.contract)
        while True:
            n = modulus or average_modulus(rng, self.contract.modulus)
            yield self._power(rng.randrange(n), rng.getrandbits(most), most, n)

    def corners(self, n: int) -> Iterator[Operation]:
        """Yield bases around 0, n / 2, n and R, with exponents of extreme values and lengths.

        Then one base to exponents of one digit of 4 bits, again and again.
        """
        width, most, r = self.contract.width, exponent_bits(self.contract), self.contract.r
        bases = dict.fromkeys(x % n for x in (0, 1, 2, n - 1, (n + 1) // 2, r, pow(r, -1, n)))
        ones = (1 << most) - 1
        exponents = dict.fromkeys(
            (e, length)
            for e, length in (
                *((0, 0), (0, 1), (1, 1), (0, most), (1, most), (2 & ones, most)),
                *((ones, most), (1 << most - 1, most), (ones >> 1, most)),
                *(((n - 1) & ones, most), ((n - 2) & ones, most)),
                (ones // 0x1111 * 0x0F01 & ones, most),
                (0x16 & ones, min(5, most)),
            )
        )
        for x in bases:
            for e, length in exponents:
                yield self._power(x, e, length, n)
        if not self.contract.function.fixed:
            for digit in range(2, 16):  # each entry of a table of powers is used
                e = int(f"{digit:x}" * (most // 4 + 1), 16) & ones
                yield self._power(pow(r, -1, n), e, most, n)
        whole, p, _ = composite(width)
        if n == whole:
            yield self._power(p, ones, most, n)
        root = (1 << width // 2) - 1
        if n == root * root and most > 1:
            yield self._power(root, 2, most, n)

    def choices(self, n: int) -> int:
        """Return the number of bases times that of exponents in every length."""
        fixed = self.contract.function.fixed
        return n * (1 if fixed else (2 << exponent_bits(self.contract)) - 1)

    def axes(self, n: int) -> Sequence[Sequence[Operation]]:
        """Return every x, and every exponent in every length that holds it."""
        lengths = range(exponent_bits(self.contract) + 1)
        fixed = self.contract.function.fixed
        every = ({"e": e, "e_len": length} for length in lengths for e in range(1 << length))
        return [[{"x": x} for x in range(n)], [fixed] if fixed else list(every)]

    def chain(self, rng: Random, n: int, length: int) -> Iterator[Operation]:
        """Yield powers of the result before, with a new exponent each time."""
        operations = self.random(rng, n)
        yield next(operations)
        for _ in range(length - 1):
            yield {**next(operations), "x": 0}

    def _power(self, x: int, e: int, length: int, n: int) -> Operation:
        return {"x": x, "e": e, "e_len": length, "n": n, **self.contract.function.fixed}
