# SPDX-License-Identifier: Apache-2.0
"""Encoding of a message as the number that the engine signs: EMSA-PKCS1-v1_5 (RFC 8017, 9.2)."""

from __future__ import annotations

import hashlib

DIGEST_INFO = {
    "sha1": bytes.fromhex("3021300906052b0e03021a05000414"),
    "sha224": bytes.fromhex("302d300d06096086480165030402040500041c"),
    "sha256": bytes.fromhex("3031300d060960864801650304020105000420"),
    "sha384": bytes.fromhex("3041300d060960864801650304020205000430"),
    "sha512": bytes.fromhex("3051300d060960864801650304020305000440"),
}
"""DER of the algorithm, before the digest (RFC 8017, 9.2, note 1)."""


def pkcs1_v15(message: bytes, digest: str, n: int) -> int:
    """Return the number to be signed under modulus ``n``; ``digest`` is one of `DIGEST_INFO`.

    Raises ValueError if the modulus is too short for the digest.
    """
    found = DIGEST_INFO[digest] + hashlib.new(digest, message).digest()
    length = (n.bit_length() + 7) // 8
    filling = length - 3 - len(found)
    if filling < 8:
        raise ValueError(f"a modulus of {n.bit_length()} bits is too short for {digest}.")
    return int.from_bytes(b"\0\1" + b"\xff" * filling + b"\0" + found, "big")
