# SPDX-License-Identifier: Apache-2.0
"""SSH with keys in the RSA engine: a server's host key (asyncssh) and an agent for user keys."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import asyncssh
from asyncssh.packet import MPInt, SSHPacket, String, UInt32
from asyncssh.public_key import SSHKeyPair

from montforge.host.padding import pkcs1_v15

PrivateOperation = Callable[[int], int]
"""x to x^d mod n."""

ALGORITHM = b"ssh-rsa"
DIGESTS = {b"rsa-sha2-512": "sha512", b"rsa-sha2-256": "sha256"}
REQUEST_IDENTITIES, IDENTITIES_ANSWER, SIGN_REQUEST, SIGN_RESPONSE, FAILURE = 11, 12, 13, 14, 5
"""Messages of the agent's protocol (RFC draft-ietf-sshm-ssh-agent, section 6.1)."""
SHA512_FLAG = 4
GREETING = "signed by the engine\n"


def public_data(n: int, e: int) -> bytes:
    """Return a public key as SSH has it (RFC 4253, section 6.6)."""
    return String(ALGORITHM) + MPInt(e) + MPInt(n)


def signature(data: bytes, algorithm: bytes, n: int, private: PrivateOperation) -> bytes:
    """Return the signature of ``data`` as SSH has it (RFC 8332), made by ``private``."""
    signed = private(pkcs1_v15(data, DIGESTS[algorithm], n))
    return String(algorithm) + String(signed.to_bytes((n.bit_length() + 7) // 8, "big"))


class EngineKeyPair(SSHKeyPair):
    """A key pair of asyncssh whose private half is in the engine."""

    _key_type = "engine"

    def __init__(self, n: int, e: int, private: PrivateOperation) -> None:
        algorithms = tuple(DIGESTS)
        super().__init__(
            ALGORITHM, algorithms[0], algorithms, algorithms, public_data(n, e), "engine"
        )
        self._n, self._private = n, private

    def sign(self, data: bytes) -> bytes:
        """Return the signature of ``data``."""
        return signature(data, self.sig_algorithm, self._n, self._private)


async def start_server(key: EngineKeyPair, authorized_keys: Path) -> asyncssh.SSHAcceptor:
    """Return a server on a free port of 127.0.0.1 that greets each user whose key is authorized."""

    def greet(process: asyncssh.SSHServerProcess[str]) -> None:
        process.stdout.write(GREETING)
        process.exit(0)

    return await asyncssh.create_server(
        asyncssh.SSHServer,
        "127.0.0.1",
        0,
        server_host_keys=[key],
        authorized_client_keys=str(authorized_keys),
        process_factory=greet,
    )


async def start_agent(
    path: Path, n: int, e: int, private: PrivateOperation
) -> asyncio.AbstractServer:
    """Return an agent at the Unix socket ``path`` (SSH_AUTH_SOCK) that holds one key."""

    def answer(message: bytes) -> bytes:
        packet = SSHPacket(message)
        kind = packet.get_byte()
        if kind == REQUEST_IDENTITIES:
            key = String(public_data(n, e)) + String("engine")
            return bytes([IDENTITIES_ANSWER]) + UInt32(1) + key
        if kind == SIGN_REQUEST and packet.get_string() == public_data(n, e):
            data, flags = packet.get_string(), packet.get_uint32()
            algorithm = b"rsa-sha2-512" if flags & SHA512_FLAG else b"rsa-sha2-256"
            return bytes([SIGN_RESPONSE]) + String(signature(data, algorithm, n, private))
        return bytes([FAILURE])

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                size = int.from_bytes(await reader.readexactly(4), "big")
                writer.write(String(answer(await reader.readexactly(size))))
                await writer.drain()
        except asyncio.IncompleteReadError:
            writer.close()

    return await asyncio.start_unix_server(serve, path)
