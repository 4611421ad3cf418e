# SPDX-License-Identifier: Apache-2.0
"""Keys and certificates of the demonstrations, made by the package cryptography."""

from __future__ import annotations

import datetime
import ipaddress
from functools import cache

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey, generate_private_key
from cryptography.x509.oid import NameOID

from montforge.arch.rsa.key import Key

E = 65537


@cache
def software_key(bits: int = 1024) -> RSAPrivateKey:
    return generate_private_key(E, bits)


def engine_key(key: RSAPrivateKey) -> Key:
    return Key.from_private_key(key)


@cache
def certificate(key: RSAPrivateKey) -> str:
    """Return a certificate of localhost, signed by its own key, in PEM."""
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.datetime.now(datetime.UTC)
    names = [x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    return made.public_bytes(serialization.Encoding.PEM).decode()


def public_pem(key: RSAPrivateKey) -> bytes:
    return key.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )


def public_line(key: RSAPrivateKey) -> str:
    """Return the public key as a line of authorized_keys."""
    return (
        key.public_key()
        .public_bytes(serialization.Encoding.OpenSSH, serialization.PublicFormat.OpenSSH)
        .decode()
    )
