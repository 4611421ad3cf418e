# SPDX-License-Identifier: Apache-2.0
"""Number-theoretic weighted transforms modulo q = 2^N + 1 and FMLM on them, bit by bit.

Ring values are canonical, 0 <= x < q; multiplication by a power of 2 or of sqrt 2 is a rotation.
Forward transforms take their input in bit-reversed order and give natural order (eq. 27, 28); the
weights of the nega-cyclic transform are folded into the twiddle exponents. `Counter` counts what
is done, for Table 2.

Source: Dai 2018, Algorithms 3 to 5 and Section 6.1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass, field

from montforge.programs.fft.parameters import RELAXED, SINGLE, SWAPPED, ParameterSet

Words = list[int]


@dataclass
class Counter:
    """Operations done: transforms, point-wise products and additions, long additions."""

    transforms: int = 0
    products: int = 0
    additions: int = 0
    long_additions: int = 0

    def __sub__(self, other: Counter) -> Counter:
        pairs = zip(astuple(self), astuple(other), strict=True)
        return Counter(*(mine - theirs for mine, theirs in pairs))


def digits_of(value: int, chosen: ParameterSet) -> Words:
    """Return the s digits of ``value``, lowest first; the last takes the rest above b^s."""
    mask = chosen.b - 1
    digits = [value >> chosen.u * k & mask for k in range(chosen.s)]
    digits[-1] += value >> chosen.l << chosen.u
    return digits


def operand_words(value: int, chosen: ParameterSet) -> Words:
    """Return the digits of an operand or of n' as ring words, balanced if the set says so.

    A balanced digit is d_k - b m_k + m_(k-1), m_k the highest bit of digit k, m_(-1) that of the
    last one: the value modulo r; that of an operand is kept, as it is below r / 2.
    """
    digits = digits_of(value, chosen)
    if not chosen.balanced:
        return digits
    high = [digit >> chosen.u - 1 for digit in digits]
    return [(digit - chosen.b * high[k] + high[k - 1]) % chosen.q for k, digit in enumerate(digits)]


def value_of(digits: Sequence[int], chosen: ParameterSet) -> int:
    """Return the integer of ``digits``, which may be of any size and sign."""
    total = 0
    for digit in reversed(digits):
        total = (total << chosen.u) + digit
    return total


def mul2k(x: int, half_exponent: int, chosen: ParameterSet) -> int:
    """Return x 2^(half_exponent / 2) modulo q; an odd exponent multiplies by sqrt 2, too."""
    if half_exponent % 2:
        x = x * chosen.sqrt2 % chosen.q
    bits = chosen.ring_bits
    exponent = (half_exponent >> 1) % (2 * bits)
    negative, exponent = exponent >= bits, exponent % bits
    wide = x << exponent
    low, high = wide & ((1 << bits) - 1), wide >> bits
    y = high - low if negative else low - high
    return y + chosen.q if y < 0 else y


def bit_reversed(index: int, bits: int) -> int:
    """Return ``index`` with its ``bits`` bits in reverse order."""
    return int(f"{index:0{bits}b}"[::-1], 2)


def transform(words: Words, chosen: ParameterSet, *, nega: bool, inverse: bool) -> Words:
    """Return CT, NCT, ICT or INCT of ``words``; inverse ones without the factor at the end."""
    s, v, q = chosen.s, chosen.v, chosen.q
    z = [words[bit_reversed(k, v)] for k in range(s)]
    for stage in range(v):
        step = 1 << (v - 1 - stage)
        out = [0] * s
        for i in range(s // 2):
            exponent = 2 * chosen.half_c * (i & -step)
            if inverse:
                exponent = -exponent
            elif nega:
                exponent += chosen.half_c * step
            w = mul2k(z[2 * i + 1], exponent, chosen)
            out[i] = (z[2 * i] + w) % q
            out[i + s // 2] = (z[2 * i] - w) % q
        z = out
    return z


def scaled(words: Words, chosen: ParameterSet, *, nega: bool) -> Words:
    """Return ``words`` times s^-1, for nega-cyclic ones also times phi^-k."""
    half_c = chosen.half_c if nega else 0
    return [mul2k(z, -2 * chosen.v - half_c * k, chosen) for k, z in enumerate(words)]


def restricted(words: Words, chosen: ParameterSet) -> Words:
    """Return the signed coefficients (eq. 18): those above the threshold are negative.

    The published threshold of coefficient k is (k + 1) ``bound_step``, the single one q / 2.
    """
    if chosen.threshold == SINGLE:
        return _signed(words, chosen)
    step = chosen.bound_step
    return [z - chosen.q if z > step * (k + 1) else z for k, z in enumerate(words)]


@dataclass
class Fmlm:
    """FMLM under one modulus (Algorithm 4), step by step, with its operations counted."""

    chosen: ParameterSet
    n: int
    count: Counter = field(default_factory=Counter)

    def __post_init__(self) -> None:
        chosen = self.chosen
        self.n_prime = -pow(self.n, -1, chosen.r) % chosen.r
        self.swapped = chosen.moduli == SWAPPED
        self.spectrum_n_prime = self._spectrum(operand_words(self.n_prime, chosen))
        self.spectrum_n = self._spectrum(digits_of(self.n, chosen), second=True)

    def general(self, x: int, y: int) -> int:
        """Return FMLM(x, y)."""
        x_digits, y_digits = operand_words(x, self.chosen), operand_words(y, self.chosen)
        spectrum_a = self._a(self._first(x_digits))
        m = self._m(self._products(self._first(y_digits), spectrum_a))
        return self._result(self._second(x_digits), self._second(y_digits), m)

    def product_words(self, x: Words, y: Words) -> Words:
        """Return the redundant digits of FMLM(x, y), of digits that are unsigned or redundant."""
        m = self._m(self._products(self._first(x), self._a(self._first(y))))
        return direct_result(*self._sum(self._second(x), self._second(y), m), self.chosen)

    def squaring(self, y: int) -> int:
        """Return FMLM(y, y)."""
        digits = operand_words(y, self.chosen)
        spectrum = self._first(digits)
        m = self._m(self._products(spectrum, self._a(spectrum)))
        second = self._second(digits)
        return self._result(second, second, m)

    def common(self, y: int, spectrum_a: Words, spectrum_x: Words) -> int:
        """Return FMLM(x, y) from A and the second transform of x, `common_multiplicand`."""
        digits = operand_words(y, self.chosen)
        m = self._m(self._products(self._first(digits), spectrum_a))
        return self._result(spectrum_x, self._second(digits), m)

    def common_multiplicand(self, x: int, *, at_once: bool = False) -> tuple[Words, Words]:
        """Return A and the second transform of ``x``, which `common` takes; not counted.

        A is the first transform of x n' mod r, ``at_once`` the product of those of x and n'.
        """
        chosen, digits = self.chosen, operand_words(x, self.chosen)
        second = self._spectrum(digits, second=True)
        if at_once:
            pairs = zip(self._spectrum(digits), self.spectrum_n_prime, strict=True)
            return [a * b % chosen.q for a, b in pairs], second
        return self._spectrum(operand_words(x * self.n_prime % chosen.r, chosen)), second

    def _spectrum(self, digits: Words, *, second: bool = False) -> Words:
        """Return the first or the ``second`` transform, not counted."""
        return transform(digits, self.chosen, nega=second != self.swapped, inverse=False)

    def _first(self, digits: Words) -> Words:
        self.count.transforms += 1
        return self._spectrum(digits)

    def _second(self, digits: Words) -> Words:
        self.count.transforms += 1
        return self._spectrum(digits, second=True)

    def _products(self, x: Words, y: Words) -> Words:
        self.count.products += len(x)
        return [a * b % self.chosen.q for a, b in zip(x, y, strict=True)]

    def _inverse(self, words: Words, *, second: bool = False) -> Words:
        self.count.transforms += 1
        nega = second != self.swapped
        return scaled(
            transform(words, self.chosen, nega=nega, inverse=True), self.chosen, nega=nega
        )

    def _a(self, spectrum_x: Words) -> Words:
        """Return A, from the product with N'; steps 1 and 2."""
        chosen = self.chosen
        a = self._products(spectrum_x, self.spectrum_n_prime)
        if chosen.all_at_once:
            return a
        words = self._inverse(a)
        if self.swapped:
            low, carry = self._accumulated(_signed(words, chosen))
            digits = digits_of((low - carry) % chosen.r, chosen)
            self.count.long_additions += 2
        else:
            digits = short_addition(*self._accumulated(words), chosen)
        return self._first(digits)

    def _m(self, spectrum: Words) -> Words:
        """Return the digits of m; steps 3 and 4."""
        chosen = self.chosen
        words = self._inverse(spectrum)
        if self.swapped or chosen.balanced:
            words = _signed(words, chosen)
        low, carry = self._accumulated(words)
        if chosen.reduction == RELAXED:
            return short_addition(low, carry, chosen)
        self.count.long_additions += 2
        total = low - carry if self.swapped else low + carry
        return digits_of(total % chosen.r, chosen)

    def _result(self, spectrum_x: Words, spectrum_y: Words, m: Words) -> int:
        """Return t; steps 5 to 9."""
        chosen = self.chosen
        low, carry = self._sum(spectrum_x, spectrum_y, m)
        if self.swapped:
            self.count.long_additions += 2
            return (low + carry) % chosen.h >> 1
        self.count.long_additions += 1
        return (1 + carry - low) % (1 << chosen.l) >> 1

    def _sum(self, spectrum_x: Words, spectrum_y: Words, m: Words) -> tuple[int, int]:
        """Return x y + m n modulo h, as its low bits and a carry; steps 5 to 7."""
        chosen = self.chosen
        product = self._products(spectrum_x, spectrum_y)
        multiple = self._products(self._second(m), self.spectrum_n)
        self.count.additions += len(product)
        total = [(a + b) % chosen.q for a, b in zip(product, multiple, strict=True)]
        z = self._inverse(total, second=True)
        return self._accumulated(z if self.swapped else restricted(z, chosen))

    def _accumulated(self, words: Words) -> tuple[int, int]:
        total = value_of(words, self.chosen)
        return total & ((1 << self.chosen.l) - 1), total >> self.chosen.l


def short_addition(low: int, carry: int, chosen: ParameterSet) -> Words:
    """Return the digits of low + carry, where the carry stays in the segments it begins in."""
    rows = short_rows(chosen)
    count = rows * chosen.segment
    digits = digits_of(low, chosen)
    total = value_of(digits[:count], chosen) + carry
    return _with_low(digits, total, count, chosen)


def direct_result(low: int, carry: int, chosen: ParameterSet) -> Words:
    """Return the digits of t, 2t = (2^l - 1 - low) + carry + 2, with a carry left in one of them.

    The sum with the carry ends in the lowest segment. The carry is at least -1, as it is e - 1 with
    x y + m n = h e - 2t modulo h and e from 0 to t; for t = 0 the sum is odd.
    """
    count = chosen.segment
    digits = digits_of((1 << chosen.l) - 1 - low, chosen)
    total = value_of(digits[:count], chosen) + carry + 2
    assert 0 < total < 2 << chosen.u * count
    if total % 2:
        return [0] * chosen.s
    digits = _with_low(digits, total, count, chosen)
    following = [*digits[1:], 0]
    return [
        (digit >> 1) + (above % 2 << chosen.u - 1)
        for digit, above in zip(digits, following, strict=True)
    ]


def _with_low(digits: Words, total: int, count: int, chosen: ParameterSet) -> Words:
    """Return ``digits`` with ``total`` in the ``count`` lowest; the last of these has the rest."""
    low = [total >> chosen.u * k & chosen.b - 1 for k in range(count)]
    low[-1] += total >> chosen.u * count << chosen.u
    return [*low, *digits[count:]]


def short_rows(chosen: ParameterSet) -> int:
    """Return the number of segments of a short addition: those of the carry's bits."""
    return -(-(chosen.carry_bits - 1) // (chosen.segment * chosen.u))


def _signed(words: Words, chosen: ParameterSet) -> Words:
    return [z - chosen.q if z > chosen.q >> 1 else z for z in words]
