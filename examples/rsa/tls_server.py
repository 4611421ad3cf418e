# SPDX-License-Identifier: Apache-2.0
"""A TLS server whose private key is in the RSA engine (tlslite-ng, TLS 1.2 and 1.3).

The server's process knows n and e; every private operation, of signatures and of static RSA key
exchange, goes to the engine.
"""

from __future__ import annotations

import secrets
import socket
import threading
from collections.abc import Callable

from tlslite.api import HandshakeSettings, TLSConnection, X509CertChain
from tlslite.utils.rsakey import RSAKey

PrivateOperation = Callable[[int], int]
"""x to x^d mod n."""


CLIENT_SECONDS = 60
"""How long a client may be silent, while others wait."""


class EngineKey(RSAKey):
    """A key of tlslite-ng whose private operation is somebody else's."""

    def __init__(self, n: int, e: int, private: PrivateOperation) -> None:
        self.n, self.e = n, e
        self.key_type = "rsa"
        self._private = private
        # The secret of implicit rejection in static RSA, else derived from d.
        self._key_hash = secrets.token_bytes(32)

    def hasPrivateKey(self) -> bool:  # noqa: N802 (tlslite-ng's name)
        """Return that signatures can be made."""
        return True

    def acceptsPassword(self) -> bool:  # noqa: N802
        """Return that the key can't be written."""
        return False

    def _rawPrivateKeyOp(self, message: int) -> int:  # noqa: N802
        return self._private(int(message))

    def _rawPublicKeyOp(self, ciphertext: int) -> int:  # noqa: N802
        return pow(int(ciphertext), self.e, self.n)


class TlsServer:
    """A server on a free port of 127.0.0.1 that answers each client's line with ``answer``.

    Use it in a ``with`` statement; clients are served one after the other in a thread.
    """

    def __init__(self, certificate: str, key: EngineKey, *, answer: bytes = b"pong\n") -> None:
        """``certificate`` is PEM, of the public key of ``key``."""
        self.errors: list[Exception] = []
        """What went wrong with clients."""
        self.served = 0
        """Clients that were answered."""
        self._chain = X509CertChain()
        self._chain.parsePemList(certificate)
        self._key, self._answer = key, answer
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._thread = threading.Thread(target=self._serve, daemon=True)

    @property
    def port(self) -> int:
        """The port."""
        return int(self._listener.getsockname()[1])

    def __enter__(self) -> TlsServer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join(timeout=60)

    def _serve(self) -> None:
        settings = HandshakeSettings()
        settings.minKeySize = 512
        settings.rsaSigHashes = ["sha256", "sha384"]  # PSS with SHA-512 is too long for 1024 bits
        settings.keyExchangeNames = ["ecdhe_rsa", "dhe_rsa", "rsa"]
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            try:
                with connection:
                    connection.settimeout(CLIENT_SECONDS)
                    tls = TLSConnection(connection)
                    tls.handshakeServer(
                        certChain=self._chain, privateKey=self._key, settings=settings
                    )
                    tls.recv(1024)
                    tls.send(self._answer)
                    tls.close()
                self.served += 1
            except Exception as error:  # kept for whoever runs the server
                self.errors.append(error)
