# SPDX-License-Identifier: Apache-2.0
"""Corner operations that architectures of binary operands with R = 2^x share."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import product

from montforge.arch.base import Core, Values
from montforge.contract import Contract
from montforge.programs.primes import PRIMES


def legal(contract: Contract, moduli: Iterable[int]) -> list[int]:
    """Return those of ``moduli`` that the contract allows, in order."""
    return sorted({n for n in moduli if contract.modulus.is_legal(n)})


def pairs(
    n: int,
    limit: int,
    values: Collection[int],
    others: Collection[int] = (),
    *,
    signed: bool = False,
) -> Iterator[Values]:
    """Yield (a, b, n) for a of ``values`` and b of ``others`` (as ``values`` if none), in order.

    Values of ``limit`` or more are left out, and negative ones; with ``signed`` both signs of
    each value below it are taken.
    """

    def within(found: Collection[int]) -> list[int]:
        lowest = 1 - limit if signed else 0
        both = {*found, *(-value for value in found)} if signed else set(found)
        return sorted(value for value in both if lowest <= value < limit)

    for a, b in product(within(values), within(others or values)):
        yield a, b, n


def skipping_corners(design: Core, shift: int) -> Iterator[Values]:
    """Yield operations of multipliers that skip additions.

    B-hat is 2^``shift`` b, and N-hat the constant ``n_hat``.
    """
    contract, top = design.parallel_contract, 1 << design.width
    for n in legal(contract, (top - 1, top - 3, (top >> 1) + 1, (top >> 1) + 3, 3, 5, 7)):
        limit, n_hat = contract.operand_bound.upper(n), design.modulus_constants(n)["n_hat"]
        multipliers = {0, 1, limit - 1, top >> 1, (top >> 1) - 1, top - 1, n, n - 1}
        multiplicands = {
            0,
            1,  # long carry chain in B-hat + N-hat for a dense n
            limit - 1,
            (top << 1) - n,  # long carry chain in the conversion of the result
            (top << 1) - 2 * n,
            (-n_hat >> shift) % top,  # long carry chain in B-hat + N-hat
            n,
        }
        yield from pairs(n, limit, multipliers, multiplicands)


def lazy_corners(contract: Contract, digit_bits: int) -> Iterator[Values]:
    """Yield operations at the edges of digit arithmetic.

    Products whose low half is 0 (no carry out of it), a single non-zero digit of the quotient, a
    result that is n before the subtraction or 0 as n, digits of ones, and moduli whose top bit is
    clear, which are special modulo the digit, or a product of the operands.
    """
    width, r = contract.width, contract.r
    top = 1 << width
    r_bits = r.bit_length() - 1
    half = (1 << (width // 2)) - 1
    moduli = {
        top - 1,
        (top >> 1) + 1,
        (top >> 1) | 95,
        3,
        half * (half - 2) if width > 5 else 15,
        sum(1 << at for at in range(0, width, digit_bits)) | 1,
        PRIMES["p256"],
    }
    for n in legal(contract, moduli):
        limit = contract.operand_bound.upper(n)
        chosen = {
            (limit - 1, limit - 1),
            (0, limit - 1),
            (0, 0),
            (1, 1),
            (1, r % n),
            (r % n, r % n),
            (r * r % n, 1),
            (n, 1),
            (n, n),
            (limit - 1, 1),
            (half, half - 2),
            (1 << max(0, r_bits - digit_bits), 1),
            (pow(r % n, -1, n) if n > 1 else 0, r * r % n),
            *((1 << h, 1 << (r_bits - h)) for h in range(max(0, r_bits - width), width)),
        }
        for a, b in sorted(chosen):
            if 0 <= a < limit and 0 <= b < limit:
                yield a, b, n
