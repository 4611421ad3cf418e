# SPDX-License-Identifier: Apache-2.0
"""Private keys as the engine takes them, from numbers, PEM texts and the package cryptography."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from montforge.errors import OperandError
from montforge.integers import is_power, is_prime
from montforge.work.extras import require

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey

LARGEST_E = 2**32
"""Public exponents are below it."""
OTHER_WAY = (
    "x^d mod n without the primes is operation 4 of an engine with public = 1, or the core modexp"
)


@dataclass(frozen=True)
class Key:
    """A private key as the engine takes it.

    The engine takes n = p q of two primes of ceil(n_bits / 2) bits each, where n_bits are those
    of n, and an odd e, 3 <= e < 2^32, also below p - 1 and q - 1.
    """

    n: int
    e: int
    p: int
    q: int
    dp: int
    dq: int
    qinv: int

    @classmethod
    def of(cls, p: int, q: int, e: int) -> Key:
        """Return the key of primes ``p`` and ``q`` with public exponent ``e``, unchecked."""
        return cls(
            p * q, e, p, q, pow(e, -1, p - 1), pow(e, -1, q - 1), pow(q, -1, p)
        )  # fmt: skip

    @classmethod
    def from_d(cls, n: int, e: int, d: int) -> Key:
        """Return the key of modulus, public and private exponent, whose primes follow from them.

        Raises OperandError, which names the legal keys, for numbers that are no such key,
        and ToolMissingError without the extra ``keys``.
        """
        require("keys", "cryptography")
        from cryptography.hazmat.primitives.asymmetric.rsa import rsa_recover_prime_factors

        _check_e(e)
        # The search for factors of other numbers is long, and in vain.
        if n < 15 or n % 2 == 0 or is_prime(n) or is_power(n):
            raise OperandError("n is not the product of two different odd primes.")
        if not 1 < d < n or pow(2, d * e, n) != 2:
            raise OperandError("d is not the private exponent of n and e: 2^(d e) is not 2 mod n.")
        try:
            p, q = rsa_recover_prime_factors(n, e, d)
        except ValueError as error:
            raise OperandError(f"n has no two primes that belong to e and d: {error}") from None
        _check_primes(p, q, e)
        return cls.of(p, q, e)

    @classmethod
    def from_pem(cls, pem: str | bytes, password: bytes | None = None) -> Key:
        """Return the RSA key of a PEM text (PKCS #1, PKCS #8, with or without a password).

        Raises as `from_d`.
        """
        require("keys", "cryptography")
        from cryptography.exceptions import UnsupportedAlgorithm
        from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
        from cryptography.hazmat.primitives.serialization import load_pem_private_key

        try:
            found = load_pem_private_key(pem.encode() if isinstance(pem, str) else pem, password)
        except (ValueError, TypeError, UnsupportedAlgorithm) as error:
            raise OperandError(
                f"the PEM text gives no private key: {error}. The engine takes RSA keys of two"
                " primes."
            ) from None
        if not isinstance(found, RSAPrivateKey):
            raise OperandError("the PEM text has a key that is not of RSA.")
        return cls.from_private_key(found)

    @classmethod
    def from_private_key(cls, key: RSAPrivateKey) -> Key:
        """Return a key of the package cryptography.

        Raises OperandError for a key that no engine takes.
        """
        numbers = key.private_numbers()
        public = numbers.public_numbers
        _check_e(public.e)
        _check_primes(numbers.p, numbers.q, public.e)
        return cls(
            public.n, public.e, numbers.p, numbers.q, numbers.dmp1, numbers.dmq1, numbers.iqmp
        )

    @property
    def lengths(self) -> str:
        """The bits of n, p and q, in words."""
        return f"n has {self.n.bit_length()} bits, {_of_primes(self.p, self.q)}"


def _of_primes(p: int, q: int) -> str:
    return f"p {p.bit_length()}, q {q.bit_length()}"


def _check_e(e: int) -> None:
    """Raise OperandError for a public exponent that no engine takes."""
    if e % 2 == 0 or not 3 <= e < LARGEST_E:
        raise OperandError(
            f"e = {e} is not taken: e must be odd, 3 <= e < 2^32, such as 65537 ({OTHER_WAY})."
        )


def _check_primes(p: int, q: int, e: int) -> None:
    """Raise OperandError unless p and q are two primes that the engine takes with e."""
    bits = (p * q).bit_length()
    if p == q or not (is_prime(p) and is_prime(q)):
        raise OperandError(
            "n is not the product of two different primes, which the engine needs; keys of three"
            f" primes are not taken ({OTHER_WAY})."
        )
    if not p.bit_length() == q.bit_length() == -(-bits // 2):
        raise OperandError(
            f"n has {bits} bits, {_of_primes(p, q)}: both primes must have ceil(n_bits / 2) ="
            f" {-(-bits // 2)} bits ({OTHER_WAY})."
        )
    if math.gcd(e, (p - 1) * (q - 1)) > 1 or e >= min(p, q) - 1:
        raise OperandError(
            f"e = {e} is no public exponent of these primes: it must have no factor in common with"
            " p - 1 and q - 1, and be below both."
        )
