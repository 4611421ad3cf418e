# SPDX-License-Identifier: Apache-2.0
"""Primes of curves in use, by the names that a modulus can be given by."""

from __future__ import annotations

from montforge.errors import ParameterError, did_you_mean

PRIMES = {
    "bls12_381_p": int(
        "1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f624"
        "1eabfffeb153ffffb9feffffffffaaab",
        16,
    ),
    "bls12_381_r": 0x73EDA753299D7D483339D80809A1D80553BDA402FFFE5BFEFFFFFFFF00000001,
    "bn254_p": 0x30644E72E131A029B85045B68181585D97816A916871CA8D3C208C16D87CFD47,
    "bn254_r": 0x30644E72E131A029B85045B68181585D2833E84879B9709143E1F593F0000001,
    "bls12_377_p": int(
        "01ae3a4617c510eac63b05c06ca1493b1a22d9f300f5138f1ef3622fba094800"
        "170b5d44300000008508c00000000001",
        16,
    ),
    "bls12_377_r": 0x12AB655E9A2CA55660B44D1E5C37B00159AA76FED00000010A11800000000001,
    "p256": 2**256 - 2**224 + 2**192 + 2**96 - 1,
    "p384": 2**384 - 2**128 - 2**96 + 2**32 - 1,
    "secp256k1": 2**256 - 2**32 - 977,
    "curve25519": 2**255 - 19,
}


def modulus_text(n: int) -> str:
    """Return the name of a prime, any other modulus in hexadecimal; `read_modulus` takes both."""
    return next((name for name, prime in PRIMES.items() if prime == n), hex(n))


def read_modulus(text: str) -> int:
    """Return the integer that ``text`` stands for: decimal, hexadecimal with 0x, or a prime's name.

    Raises ParameterError.
    """
    if text in PRIMES:
        return PRIMES[text]
    try:
        return int(text, 0)
    except ValueError:
        hint = did_you_mean(text, PRIMES) or ";"
        raise ParameterError(
            f"modulus {text!r} is not an integer{hint} write it in decimal, in hexadecimal with"
            f" 0x, or name one of the primes {', '.join(PRIMES)}."
        ) from None
