# SPDX-License-Identifier: Apache-2.0
"""The functions that cores compute: Montgomery products, squares and powers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from montforge.contract import BitBound, Bound, Contract, Encoding, Field, Function, Operation, Run
from montforge.errors import OperandError
from montforge.integers import mpz, powmod

ERROR_BITS = 4
"""Bits of the code that a power ends with."""


class MontgomeryProduct(Function):
    """p = a b R^-1 mod n."""

    name = "montgomery_product"
    formula = "p = a * b * R^-1 (mod n)"
    congruence = "a * b * R^-1 mod n"
    plain_formula = "a * b mod n"
    operands = ("a", "b", "n")
    chained: ClassVar[tuple[str, ...]] = ("a", "b")
    plain_operands = ("a", "b")

    def residue(self, r: int, operation: Operation) -> int:
        """Return ``a * b * R^-1 mod n``."""
        n = operation["n"]
        return operation["a"] * operation["b"] * pow(r, -1, n) % n

    def is_congruent(self, r: int, operation: Operation, value: int) -> bool:
        """Return whether value R = a b mod n, without an inversion."""
        return not (value * mpz(r) - mpz(operation["a"]) * operation["b"]) % operation["n"]

    def compute(self, contract: Contract, vectors: Sequence[Operation], run: Run) -> list[int]:
        """Multiply plain residues: into the Montgomery domain, product, and out again.

        A result that exceeds the operand bound (where the contract is not closed) is reduced
        mod n before it is used again.
        """
        moduli = [vector["n"] for vector in vectors]

        def usable(operations: list[Operation]) -> list[int]:
            return [
                value if contract.operand_bound.contains(value, o["n"]) else value % o["n"]
                for value, o in zip(run(operations), operations, strict=True)
            ]

        into = [(v[key], contract.r**2 % v["n"], v["n"]) for v in vectors for key in ("a", "b")]
        inside = usable(self._operations(into))
        pairs = zip(inside[::2], inside[1::2], moduli, strict=True)
        products = usable(self._operations(pairs))
        plain = run(self._operations((p, 1, n) for p, n in zip(products, moduli, strict=True)))
        return _reduced(plain, vectors)

    def _operations(self, values: Iterable[tuple[int, int, int]]) -> list[Operation]:
        return [dict(zip(self.operands, each, strict=True)) for each in values]


class CommonProduct(MontgomeryProduct):
    """p = a b R^-1 mod n with a common multiplicand b, for which software prepares constants."""

    name = "common_product"
    chained = ("a",)

    def compute(self, contract: Contract, vectors: Sequence[Operation], run: Run) -> list[int]:
        """Multiply plain residues: the multiplicand alone is prepared in the domain."""
        r = contract.r
        prepared = self._operations((v["a"], v["b"] * r % v["n"], v["n"]) for v in vectors)
        return _reduced(run(prepared), vectors)


class ModularProduct(MontgomeryProduct):
    """p = a b mod n, of plain residues: there is no Montgomery domain, R = 1."""

    name = "modular_product"
    formula = "p = a * b (mod n)"
    congruence = "a * b mod n"

    def compute(self, contract: Contract, vectors: Sequence[Operation], run: Run) -> list[int]:
        """Multiply plain residues, in one operation."""
        plain = self._operations((v["a"], v["b"], v["n"]) for v in vectors)
        return _reduced(run(plain), vectors)


class MontgomerySquare(Function):
    """p = a^2 R^-1 mod n."""

    name = "montgomery_square"
    formula = "p = a^2 * R^-1 (mod n)"
    congruence = "a^2 * R^-1 mod n"
    plain_formula = "a^2 mod n"
    operands = ("a", "n")
    chained = ("a",)
    plain_operands = ("a",)

    def residue(self, r: int, operation: Operation) -> int:
        """Return ``a^2 R^-1 mod n``."""
        n = operation["n"]
        return operation["a"] ** 2 * pow(r, -1, n) % n

    def compute(self, contract: Contract, vectors: Sequence[Operation], run: Run) -> list[int]:
        """Square plain residues.

        Software brings them into the domain and out of it: squarings multiply by R^-1 alone.
        """
        r = contract.r
        squares = run([{"a": v["a"] * r % v["n"], "n": v["n"]} for v in vectors])
        plain = [p * pow(r, -1, v["n"]) for p, v in zip(squares, vectors, strict=True)]
        return _reduced(plain, vectors)


class Power(Function):
    """y = x^e mod n, canonical, for plain x below n; e has e_len bits, leading zeros included."""

    name = "power"
    formula = "y = x^e (mod n), 0 <= y < n"
    congruence = "x^e mod n"
    plain_formula = "x^e mod n"
    operands = ("x", "e", "e_len", "n")
    chained = ("x",)
    plain_operands = ("x", "e")

    def check(self, contract: Contract, operation: Operation) -> None:
        """Raise OperandError unless the exponent is within its length and its memory.

        Plain operands have no length.
        """
        e, most = operation["e"], exponent_bits(contract)
        length = operation.get("e_len", e.bit_length())
        if not 0 <= length <= most:
            raise OperandError(
                f"e_len = {length} is out of range; an exponent has 0 to {most} bits here."
            )
        if e.bit_length() > length:
            raise OperandError(
                f"exponent e has {e.bit_length()} bits and e_len = {length} says fewer"
                f" (legal: e < 2^{length})."
            )

    def residue(self, r: int, operation: Operation) -> int:
        """Return ``x^e mod n``, whatever ``r``."""
        return int(powmod(operation["x"], operation["e"], operation["n"]))

    def compute(self, contract: Contract, vectors: Sequence[Operation], run: Run) -> list[int]:
        """Ask for each power, with the exponent's own length."""
        return run(
            [{"x": v["x"], "e": v["e"], "e_len": v["e"].bit_length(), "n": v["n"]} for v in vectors]
        )


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


def power_results(width: int, errors: str) -> tuple[Field, Field]:
    """Return y, plain and below n, of ``width`` bits, and a code, whose ``errors`` are in words."""
    code = Encoding("binary", ERROR_BITS)
    return (
        Field("y", "result", Encoding("binary", width), Bound(1)),
        Field("error", "result", code, BitBound(ERROR_BITS), meaning=f"error: {errors}"),
    )


def exponent_bits(contract: Contract) -> int:
    """Return the bits of an exponentiator's exponent memory."""
    return contract.field("e").encoding.width


def _reduced(values: Sequence[int], vectors: Sequence[Operation]) -> list[int]:
    return [value % vector["n"] for value, vector in zip(values, vectors, strict=True)]
