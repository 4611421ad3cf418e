# SPDX-License-Identifier: Apache-2.0
"""Corner operations that architectures of binary operands with R = 2^x share."""

from __future__ import annotations

from collections.abc import Iterator

from montforge.arch.base import Values
from montforge.contract import Contract

P_256 = 2**256 - 2**224 + 2**192 + 2**96 - 1


def lazy_corners(contract: Contract, digit_bits: int) -> Iterator[Values]:
    """Yield operations at the edges of digit arithmetic (specification, section 6).

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
        P_256,
    }
    for n in sorted(x for x in moduli if 3 <= x < top and x % 2):
        limit = contract.operand_bound.upper(n)
        pairs = {
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
        for a, b in sorted(pairs):
            if 0 <= a < limit and 0 <= b < limit:
                yield a, b, n
