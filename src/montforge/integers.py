# SPDX-License-Identifier: Apache-2.0
"""Functions of large integers: those of gmpy2, or of Python where gmpy2 does not exist.

It does not exist in a browser, where folders are generated. Results are equal, apart from the type.
"""

from __future__ import annotations

try:
    from gmpy2 import invert, is_power, is_prime, mpz, powmod
except ImportError:
    from montforge.plain_integers import invert, is_power, is_prime, mpz, powmod

__all__ = ["invert", "is_power", "is_prime", "mpz", "powmod"]
