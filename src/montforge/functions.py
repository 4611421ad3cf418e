# SPDX-License-Identifier: Apache-2.0
"""The functions that cores compute: Montgomery products and powers, with what tries them.

Random and corner values follow from the contract alone, so that they serve every architecture with
the same function.
"""

from __future__ import annotations

import random
from collections.abc import Generator, Iterator, Mapping, Sequence
from itertools import product
from typing import ClassVar

from gmpy2 import mpz, powmod

from montforge.contract import (
    BitBound,
    Bound,
    Contract,
    Cycles,
    Encoding,
    Field,
    Function,
    ModulusRule,
    Operation,
)
from montforge.errors import OperandError

# ---------------------------------------------------------------- moduli


def random_modulus(rng: random.Random, rule: ModulusRule) -> int:
    """Return a legal modulus, of any residue mod 8, often with clear top bits or few bits set."""
    if rule.only is not None:
        return rule.only
    width = rule.width
    top = 1 << (width - 1)
    while True:
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


def average_modulus(rng: random.Random, rule: ModulusRule) -> int:
    """Return a legal modulus that is uniform among the odd ones with the top bit set."""
    if rule.only is not None:
        return rule.only
    width = rule.width
    while True:
        n = rng.getrandbits(width) | 1 << (width - 1) | 1
        if rule.is_legal(n):
            return n


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
    moduli += [2 * top - k for k in steps]
    moduli += [top + k for k in steps]
    moduli += [top - 1, (1 << width // 2) + 1, composite(width)[0], 2 * top // 3 | 1]
    return sorted({n for n in moduli if rule.is_legal(n)})


def composite(width: int) -> tuple[int, int, int]:
    """Return ``(n, p, q)`` with n = p q of about ``width`` bits, p and q odd and near sqrt(n)."""
    p = (1 << width // 2) - 1
    q = ((1 << width) - 1) // p - 1 | 1
    return p * q, p, q


# ---------------------------------------------------------------- values


def sparse(rng: random.Random, width: int) -> int:
    """Return ``width`` bits with one to three of them set."""
    value = 0
    for _ in range(rng.randint(1, 3)):
        value |= 1 << rng.randrange(width)
    return value


def random_value(rng: random.Random, low: int, high: int, n: int) -> int:
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


def random_operand(rng: random.Random, bound: Bound, n: int) -> int:
    """Return an operand within ``bound``, as `random_value`."""
    return random_value(rng, bound.lower(n), bound.upper(n), n)


# ---------------------------------------------------------------- the Montgomery product


class MontgomeryProduct(Function):
    """p = a b R^-1 mod n."""

    name = "montgomery_product"
    formula = "p = a * b * R^-1 (mod n)"
    congruence = "a * b * R^-1 mod n"
    plain_formula = "a * b mod n"
    operands = ("a", "b", "n")
    chained: ClassVar[tuple[str, ...]] = ("a", "b")
    vector_keys = ("a", "b")
    answer_key = "p"
    example_names: ClassVar[Mapping[str, str]] = {"a": "x", "b": "y"}
    example_steps: ClassVar[tuple[str, ...]] = (
        "X = MM(x, R^2 mod n)",
        "Y = MM(y, R^2 mod n)",
        "P = MM(X, Y)",
        "p = MM(P, 1)",
    )

    def residue(self, contract: Contract, operation: Operation) -> int:
        """Return ``a * b * R^-1 mod n``."""
        n = operation["n"]
        return operation["a"] * operation["b"] * pow(contract.r, -1, n) % n

    def is_congruent(self, contract: Contract, operation: Operation, value: int) -> bool:
        """Return whether value R = a b mod n, without an inversion."""
        return not (value * mpz(contract.r) - mpz(operation["a"]) * operation["b"]) % operation["n"]

    def random_operations(
        self, contract: Contract, rng: random.Random, modulus: int | None
    ) -> Iterator[Operation]:
        """Yield random operands, some of them equal or with the sum n."""
        bound = contract.operand_bound
        while True:
            n = modulus or random_modulus(rng, contract.modulus)
            a = random_operand(rng, bound, n)
            kind = rng.random()
            if kind < 0.05:
                b = a
            elif kind < 0.07:
                b = bound.lower(n) + (n - a - bound.lower(n)) % (bound.upper(n) - bound.lower(n))
            else:
                b = random_operand(rng, bound, n)
            yield {"a": a, "b": b, "n": n}

    def average_operations(self, contract: Contract, rng: random.Random) -> Iterator[Operation]:
        """Yield a and b uniform below n, n with its top bit set."""
        while True:
            n = average_modulus(rng, contract.modulus)
            yield {"a": rng.randrange(n), "b": rng.randrange(n), "n": n}

    def corner_operations(self, contract: Contract, n: int) -> Iterator[Operation]:
        """Yield operands at the bounds, at n, R, R^2, alternating bits, and zero products."""
        first, further = corner_operands(contract, n)
        for a, b in product(first, first):
            yield {"a": a, "b": b, "n": n}
        for value in further:
            for other in (value, first[0], first[-1], n - 1, 1):
                yield {"a": value, "b": other, "n": n}
                yield {"a": other, "b": value, "n": n}
        whole, p, q = composite(contract.width)
        if n == whole:
            for i, j in ((1, 1), (q - 1, p - 1), (1, p - 1), (2 % q, 1)):
                yield {"a": i * p, "b": j * q, "n": n}
                yield {"a": j * q, "b": i * p, "n": n}

    def choices(self, contract: Contract, n: int) -> int:
        """Return the number of pairs."""
        return (contract.operand_bound.upper(n) - contract.operand_bound.lower(n)) ** 2

    def axes(self, contract: Contract, n: int) -> Sequence[Sequence[Operation]]:
        """Return every a and every b."""
        values = range(contract.operand_bound.lower(n), contract.operand_bound.upper(n))
        return [[{"a": value} for value in values], [{"b": value} for value in values]]

    def chain(
        self, contract: Contract, rng: random.Random, n: int, length: int
    ) -> Iterator[Operation]:
        """Yield a random squaring, then squarings of the result before."""
        a = random_operand(rng, contract.operand_bound, n)
        yield {"a": a, "b": a, "n": n}
        for _ in range(length - 1):
            yield {"a": 0, "b": 0, "n": n}

    def check_vector(self, contract: Contract, vector: Operation) -> None:
        """Raise OperandError unless the modulus is legal and a and b are residues."""
        contract.modulus.check(vector["n"])
        _check_residues(vector, ("a", "b"))

    def answer(self, vector: Operation) -> int:
        """Return a b mod n."""
        return vector["a"] * vector["b"] % vector["n"]

    def example(self, contract: Contract, n: int) -> Operation:
        """Return two residues."""
        return {"a": n * 2 // 3, "b": n - 2, "n": n}

    def sample_operations(
        self, contract: Contract, rng: random.Random, n: int
    ) -> Iterator[Operation]:
        """Yield operands at the bounds, conversions, and random operands."""
        low, top = contract.operand_bound.lower(n), contract.operand_bound.upper(n) - 1
        r2 = contract.domain_constants(n)["r2_mod_n"]
        for a, b in ((top, top), (low, top), (0, top), (1, top), (n - 1, n - 1)):
            yield {"a": a, "b": b, "n": n}
        for b in (r2, 1):
            yield {"a": rng.randint(low, top), "b": b, "n": n}
        for _ in range(6):
            yield {"a": rng.randint(low, top), "b": rng.randint(low, top), "n": n}

    def script(
        self, contract: Contract, vectors: Sequence[Operation]
    ) -> Generator[list[Operation], list[int], list[int]]:
        """Multiply plain residues: into the Montgomery domain, product, and out again.

        A result that exceeds the operand bound (where the contract is not closed) is reduced
        mod n before it is used again.
        """
        moduli = [vector["n"] for vector in vectors]
        r2 = [contract.r * contract.r % n for n in moduli]

        def usable(values: list[int]) -> list[int]:
            each = len(values) // len(moduli)
            repeated = [n for n in moduli for _ in range(each)]
            return [
                value if contract.operand_bound.contains(value, n) else contract.canonical(value, n)
                for value, n in zip(values, repeated, strict=True)
            ]

        inside = usable(
            (
                yield [
                    {"a": vector[key], "b": square, "n": vector["n"]}
                    for vector, square in zip(vectors, r2, strict=True)
                    for key in ("a", "b")
                ]
            )
        )
        products = usable(
            (
                yield [
                    {"a": a, "b": b, "n": n}
                    for a, b, n in zip(inside[::2], inside[1::2], moduli, strict=True)
                ]
            )
        )
        plain = yield [{"a": p, "b": 1, "n": n} for p, n in zip(products, moduli, strict=True)]
        return [contract.canonical(p, n) for p, n in zip(plain, moduli, strict=True)]


def corner_operands(contract: Contract, n: int) -> tuple[list[int], list[int]]:
    """Return operands within the bound: those to pair with all others, and those others."""
    bound = contract.operand_bound
    low, high = bound.lower(n), bound.upper(n)
    top = 1 << (high - 1).bit_length() - 1
    r = contract.r
    first = [0, 1, high - 1, n - 1, n, r % n, r * r % n, top, low]
    further = [2, high - 2, n + 1, top - 1, pow(r % n, -1, n), -1, low + 1]
    further += [int("5" * len(hex(top)[2:]), 16) % top, int("a" * len(hex(top)[2:]), 16) % top]
    ordered = [list(dict.fromkeys(v for v in vs if low <= v < high)) for vs in (first, further)]
    return ordered[0], [v for v in ordered[1] if v not in ordered[0]]


def montgomery_contract(
    *,
    architecture: str,
    parameters: tuple[tuple[str, int | str], ...],
    r: int,
    modulus: ModulusRule,
    operand: tuple[Encoding, Bound],
    result: tuple[Encoding, Bound],
    latency: Cycles,
    handover: int,
    interval: Cycles,
    constants: tuple[Field, ...] = (),
    takes_modulus: bool = True,
    function: Function | None = None,
    carried: tuple[str, ...] = (),
    notes: tuple[str, ...] = (),
) -> Contract:
    """Return the contract of a multiplier: operands a and b, n if it is taken, constants, p.

    ``function``: another than a Montgomery product, of operands a or a and b; ``carried`` names
    those that constants carry.
    """
    function = function or MontgomeryProduct()
    width = modulus.width
    n = Field("n", "modulus", Encoding("binary", width))
    return Contract(
        architecture=architecture,
        parameters=parameters,
        function=function,
        width=width,
        r=r,
        modulus=modulus,
        fields=(
            *(
                Field(name, "operand", *operand, carried=name in carried)
                for name in function.operands[:-1]
            ),
            *((n,) if takes_modulus else ()),
            *constants,
            Field("p", "result", *result),
        ),
        latency=latency,
        handover=handover,
        interval=interval,
        notes=notes,
    )


class CommonProduct(MontgomeryProduct):
    """p = a b R^-1 mod n with a common multiplicand b, for which software prepares constants."""

    name = "common_product"
    chained = ("a",)
    example_steps = ("p = MM(x, y R mod n)",)

    def chain(
        self, contract: Contract, rng: random.Random, n: int, length: int
    ) -> Iterator[Operation]:
        """Yield a random product, then products of the result before by random multiplicands."""
        a = random_operand(rng, contract.operand_bound, n)
        for _ in range(length):
            yield {"a": a, "b": random_operand(rng, contract.operand_bound, n), "n": n}
            a = 0

    def script(
        self, contract: Contract, vectors: Sequence[Operation]
    ) -> Generator[list[Operation], list[int], list[int]]:
        """Multiply plain residues: the multiplicand alone is prepared in the domain."""
        products = yield [
            {"a": v["a"], "b": v["b"] * contract.r % v["n"], "n": v["n"]} for v in vectors
        ]
        return _canonical(contract, products, vectors)


class ModularProduct(MontgomeryProduct):
    """p = a b mod n, of plain residues: there is no Montgomery domain, R = 1."""

    name = "modular_product"
    formula = "p = a * b (mod n)"
    congruence = "a * b mod n"
    example_names: ClassVar[Mapping[str, str]] = {}
    example_steps = ("p = a b mod n",)

    def script(
        self, contract: Contract, vectors: Sequence[Operation]
    ) -> Generator[list[Operation], list[int], list[int]]:
        """Multiply plain residues, in one operation."""
        products = yield [{"a": v["a"], "b": v["b"], "n": v["n"]} for v in vectors]
        return _canonical(contract, products, vectors)


class MontgomerySquare(Function):
    """p = a^2 R^-1 mod n."""

    name = "montgomery_square"
    formula = "p = a^2 * R^-1 (mod n)"
    congruence = "a^2 * R^-1 mod n"
    plain_formula = "a^2 mod n"
    operands = ("a", "n")
    chained = ("a",)
    vector_keys = ("a",)
    answer_key = "p"
    example_names: ClassVar[Mapping[str, str]] = {"a": "x"}
    example_steps = ("P = MS(x R mod n)",)

    def residue(self, contract: Contract, operation: Operation) -> int:
        """Return ``a^2 R^-1 mod n``."""
        n = operation["n"]
        return operation["a"] ** 2 * pow(contract.r, -1, n) % n

    def random_operations(
        self, contract: Contract, rng: random.Random, modulus: int | None
    ) -> Iterator[Operation]:
        """Yield random operands."""
        while True:
            n = modulus or random_modulus(rng, contract.modulus)
            yield {"a": random_operand(rng, contract.operand_bound, n), "n": n}

    def average_operations(self, contract: Contract, rng: random.Random) -> Iterator[Operation]:
        """Yield a uniform below n, n with its top bit set."""
        while True:
            n = average_modulus(rng, contract.modulus)
            yield {"a": rng.randrange(n), "n": n}

    def corner_operations(self, contract: Contract, n: int) -> Iterator[Operation]:
        """Yield operands at the bounds, at n, R, R^2, alternating bits."""
        for values in corner_operands(contract, n):
            yield from ({"a": a, "n": n} for a in values)

    def choices(self, contract: Contract, n: int) -> int:
        """Return the number of operands."""
        return contract.operand_bound.upper(n) - contract.operand_bound.lower(n)

    def axes(self, contract: Contract, n: int) -> Sequence[Sequence[Operation]]:
        """Return every a."""
        bound = contract.operand_bound
        return [[{"a": value} for value in range(bound.lower(n), bound.upper(n))]]

    def chain(
        self, contract: Contract, rng: random.Random, n: int, length: int
    ) -> Iterator[Operation]:
        """Yield a random squaring, then squarings of the result before."""
        yield {"a": random_operand(rng, contract.operand_bound, n), "n": n}
        for _ in range(length - 1):
            yield {"a": 0, "n": n}

    def check_vector(self, contract: Contract, vector: Operation) -> None:
        """Raise OperandError unless the modulus is legal and a is a residue."""
        contract.modulus.check(vector["n"])
        _check_residues(vector, ("a",))

    def answer(self, vector: Operation) -> int:
        """Return a^2 mod n."""
        return vector["a"] ** 2 % vector["n"]

    def example(self, contract: Contract, n: int) -> Operation:
        """Return a residue."""
        return {"a": n * 2 // 3, "n": n}

    def sample_operations(
        self, contract: Contract, rng: random.Random, n: int
    ) -> Iterator[Operation]:
        """Yield operands at the bounds, and random ones."""
        low, top = contract.operand_bound.lower(n), contract.operand_bound.upper(n) - 1
        for a in (low, 0, 1, n - 1, top, *(rng.randint(low, top) for _ in range(8))):
            yield {"a": a, "n": n}

    def script(
        self, contract: Contract, vectors: Sequence[Operation]
    ) -> Generator[list[Operation], list[int], list[int]]:
        """Square plain residues; into the domain and out of it they are brought by software.

        Squarings alone do not: they multiply by R^-1 and by nothing else.
        """
        squares = yield [{"a": v["a"] * contract.r % v["n"], "n": v["n"]} for v in vectors]
        plain = [p * pow(contract.r, -1, v["n"]) for p, v in zip(squares, vectors, strict=True)]
        return _canonical(contract, plain, vectors)


def _canonical(
    contract: Contract, values: Sequence[int], vectors: Sequence[Operation]
) -> list[int]:
    return [contract.canonical(p, v["n"]) for p, v in zip(values, vectors, strict=True)]


# ---------------------------------------------------------------- the power


def power_operands(width: int, bits: int) -> tuple[Field, Field, Field]:
    """Return x, plain and below n, of ``width`` bits, e of ``bits`` bits, and its length."""
    length = bits.bit_length()
    return (
        Field("x", "message", Encoding("binary", width), Bound(1)),
        Field("e", "exponent", Encoding("binary", bits), BitBound(bits)),
        Field(
            "e_len",
            "exponent",
            Encoding("binary", length),
            BitBound(length),
            meaning=f"length, public, at most {bits}",
        ),
    )


class Power(Function):
    """y = x^e mod n, canonical, for plain x below n; e has e_len bits, leading zeros included."""

    name = "power"
    formula = "y = x^e (mod n), 0 <= y < n"
    congruence = "x^e mod n"
    plain_formula = "x^e mod n"
    operands = ("x", "e", "e_len", "n")
    chained = ("x",)
    vector_keys = ("x", "e")
    answer_key = "y"
    example_steps = ("y = x^e mod n",)

    def check(self, contract: Contract, operation: Operation) -> None:
        """Raise OperandError unless the exponent is within its length and its memory."""
        e, length, most = operation["e"], operation["e_len"], exponent_bits(contract)
        if not 0 <= length <= most:
            raise OperandError(
                f"e_len = {length} is out of range; an exponent has 0 to {most} bits here."
            )
        if e.bit_length() > length:
            raise OperandError(
                f"exponent e has {e.bit_length()} bits and e_len = {length} says fewer"
                f" (legal: e < 2^{length})."
            )

    def residue(self, contract: Contract, operation: Operation) -> int:
        """Return ``x^e mod n``."""
        return self.answer(operation)

    def random_operations(
        self, contract: Contract, rng: random.Random, modulus: int | None
    ) -> Iterator[Operation]:
        """Yield random bases and exponents of all lengths, often the longest."""
        most = exponent_bits(contract)
        while True:
            n = modulus or random_modulus(rng, contract.modulus)
            length = most if rng.random() < 0.5 else rng.randint(0, most)
            e = random_value(rng, 0, 1 << length, 1 << length) if length else 0
            yield {"x": random_value(rng, 0, n, n), "e": e, "e_len": length, "n": n}

    def average_operations(self, contract: Contract, rng: random.Random) -> Iterator[Operation]:
        """Yield x uniform below n, e uniform of the longest length, n with its top bit set."""
        most = exponent_bits(contract)
        while True:
            n = average_modulus(rng, contract.modulus)
            yield {"x": rng.randrange(n), "e": rng.getrandbits(most), "e_len": most, "n": n}

    def corner_operations(self, contract: Contract, n: int) -> Iterator[Operation]:
        """Yield the bases and exponents of the specification's section 6."""
        most, r = exponent_bits(contract), contract.r
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
                yield {"x": x, "e": e, "e_len": length, "n": n}
        whole, p, _ = composite(contract.width)
        if n == whole:
            yield {"x": p, "e": ones, "e_len": most, "n": n}
        root = (1 << contract.width // 2) - 1
        if n == root * root and most > 1:
            yield {"x": root, "e": 2, "e_len": most, "n": n}

    def choices(self, contract: Contract, n: int) -> int:
        """Return the number of bases times that of exponents in every length."""
        return n * ((2 << exponent_bits(contract)) - 1)

    def axes(self, contract: Contract, n: int) -> Sequence[Sequence[Operation]]:
        """Return every x, and every exponent in every length that holds it."""
        lengths = range(exponent_bits(contract) + 1)
        return [
            [{"x": x} for x in range(n)],
            [{"e": e, "e_len": length} for length in lengths for e in range(1 << length)],
        ]

    def chain(
        self, contract: Contract, rng: random.Random, n: int, length: int
    ) -> Iterator[Operation]:
        """Yield powers of the result before, with a new exponent each time."""
        operations = self.random_operations(contract, rng, n)
        yield next(operations)
        for _ in range(length - 1):
            yield {**next(operations), "x": 0}

    def check_vector(self, contract: Contract, vector: Operation) -> None:
        """Raise OperandError unless the modulus is legal, x a residue and e short enough."""
        contract.modulus.check(vector["n"])
        _check_residues(vector, ("x",))
        e, most = vector["e"], exponent_bits(contract)
        if not 0 <= e < 1 << most:
            fault = "is negative" if e < 0 else f"has {e.bit_length()} bits"
            raise OperandError(
                f"e {fault}; the exponent memory holds {most} bits (0 <= e < 2^{most})."
            )

    def answer(self, vector: Operation) -> int:
        """Return x^e mod n."""
        return int(powmod(vector["x"], vector["e"], vector["n"]))

    def example(self, contract: Contract, n: int) -> Operation:
        """Return a residue and an exponent."""
        return {"x": n * 2 // 3, "e": n - 2 & (1 << exponent_bits(contract)) - 1, "n": n}

    def sample_operations(
        self, contract: Contract, rng: random.Random, n: int
    ) -> Iterator[Operation]:
        """Yield a power of a random base, one of 0, and one with an exponent of 0."""
        most = exponent_bits(contract)
        yield {"x": rng.randrange(n), "e": rng.getrandbits(most), "e_len": most, "n": n}
        yield {"x": 0, "e": rng.getrandbits(most) | 1, "e_len": most, "n": n}
        yield {"x": rng.randrange(n), "e": 0, "e_len": rng.randrange(most), "n": n}

    def script(
        self, contract: Contract, vectors: Sequence[Operation]
    ) -> Generator[list[Operation], list[int], list[int]]:
        """Ask for each power, with the exponent's own length."""
        return (
            yield [
                {"x": v["x"], "e": v["e"], "e_len": v["e"].bit_length(), "n": v["n"]}
                for v in vectors
            ]
        )


def exponent_bits(contract: Contract) -> int:
    """Return the bits of an exponentiator's exponent memory."""
    return contract.field("e").encoding.width


def _check_residues(vector: Operation, keys: tuple[str, ...]) -> None:
    for key in keys:
        if not 0 <= vector[key] < vector["n"]:
            raise OperandError(f"{key} is not below n; residues are 0 <= {key} < n.")
