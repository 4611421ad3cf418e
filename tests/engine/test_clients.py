# SPDX-License-Identifier: Apache-2.0
"""Stock clients trust what the Verilated engine signs: openssl, Python's ssl, ssh."""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
import ssl
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from ssh_server import GREETING, EngineKeyPair, start_agent, start_server
from tls_server import EngineKey, TlsServer

from montforge.host.driver import RsaEngine
from montforge.host.padding import pkcs1_v15
from montforge.host.simulation import Simulation

from .client_keys import certificate, engine_key, public_line, public_pem, software_key
from .wide import BITS, program

TIMEOUT = 120
LOW = "@SECLEVEL=0"
"""Keys of 1024 bits are below OpenSSL's default level; they keep the simulation short."""


def need(program: str) -> str:
    found = shutil.which(program)
    if found is None:
        pytest.skip(f"{program} is not installed")
    return found


@dataclass
class Signer:
    """An engine with one key, and what it was asked."""

    engine: RsaEngine
    n: int
    e: int
    operations: list[int] = field(default_factory=list)

    def private(self, x: int) -> int:
        self.operations.append(x)
        return self.engine.private(0, x)


@pytest.fixture(scope="module")
def signer() -> Iterator[Signer]:
    key = engine_key(software_key(BITS))
    with Simulation(program()) as device:
        engine = RsaEngine(device)
        engine.load_key(0, key)
        yield Signer(engine, key.n, key.e)


@pytest.fixture
def server(signer: Signer) -> Iterator[TlsServer]:
    signer.operations.clear()
    key = EngineKey(signer.n, signer.e, signer.private)
    with TlsServer(certificate(software_key(BITS)), key) as running:
        yield running
    assert running.errors == []


@pytest.fixture
def authority(tmp_path: Path) -> Path:
    path = tmp_path / "ca.pem"
    path.write_text(certificate(software_key(BITS)))
    return path


def s_client(server: TlsServer, authority: Path, *options: str) -> str:
    done = subprocess.run(
        [need("openssl"), "s_client", "-connect", f"127.0.0.1:{server.port}", "-CAfile",
         str(authority), "-verify_return_error", "-verify_hostname", "localhost", "-ign_eof",
         *options],
        input="ping\n", capture_output=True, text=True, timeout=TIMEOUT,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Verify return code: 0 (ok)" in done.stdout
    assert "pong" in done.stdout
    return done.stdout


@pytest.mark.parametrize(
    ("options", "cipher"),
    [
        (("-tls1_3", "-cipher", f"DEFAULT{LOW}"), "TLS_"),
        (("-tls1_2", "-cipher", f"ECDHE-RSA-AES128-GCM-SHA256{LOW}"), "ECDHE-RSA"),
        (("-tls1_2", "-cipher", f"DHE-RSA-AES128-GCM-SHA256{LOW}"), "DHE-RSA"),
        (("-tls1_2", "-cipher", f"AES128-GCM-SHA256{LOW}"), "AES128"),
    ],
    ids=["1.3", "1.2 ECDHE", "1.2 DHE", "1.2 static RSA"],
)
def test_openssl_s_client(
    signer: Signer, server: TlsServer, authority: Path, options: tuple[str, ...], cipher: str
) -> None:
    text = s_client(server, authority, *options)
    assert f"Cipher is {cipher}" in text
    assert len(signer.operations) == 1


@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3])
def test_python_ssl(
    signer: Signer, server: TlsServer, authority: Path, version: ssl.TLSVersion
) -> None:
    context = ssl.create_default_context(cafile=str(authority))
    context.set_ciphers(f"DEFAULT{LOW}")
    context.minimum_version = context.maximum_version = version
    with (
        socket.create_connection(("127.0.0.1", server.port), timeout=TIMEOUT) as plain,
        context.wrap_socket(plain, server_hostname="localhost") as client,
    ):
        client.sendall(b"ping\n")
        assert client.recv(100) == b"pong\n"
    assert len(signer.operations) == 1


def test_a_wrong_signature_is_refused(signer: Signer, authority: Path) -> None:
    key = EngineKey(signer.n, signer.e, lambda x: signer.private(x) ^ 2)
    running = TlsServer(certificate(software_key(BITS)), key)
    with running, pytest.raises(AssertionError):
        s_client(running, authority, "-tls1_2", "-cipher", f"DEFAULT{LOW}")
    assert running.served == 0


def test_ssh(signer: Signer, tmp_path: Path) -> None:
    """Host key and user key are both in the engine."""
    command = need("ssh")
    line = public_line(software_key(BITS))
    known, authorized = tmp_path / "known_hosts", tmp_path / "authorized_keys"
    authorized.write_text(line + "\n")
    signer.operations.clear()

    async def session() -> tuple[int, bytes, bytes]:
        server = await start_server(EngineKeyPair(signer.n, signer.e, signer.private), authorized)
        agent = await start_agent(tmp_path / "agent", signer.n, signer.e, signer.private)
        port = server.get_port()
        known.write_text(f"[127.0.0.1]:{port} {line}\n")
        process = await asyncio.create_subprocess_exec(
            command, "-F", "/dev/null", "-p", str(port), "-o", f"UserKnownHostsFile={known}",
            "-o", "StrictHostKeyChecking=yes", "-o", "BatchMode=yes", "-o", "RequiredRSASize=1024",
            "user@127.0.0.1", "greet",
            env={**os.environ, "SSH_AUTH_SOCK": str(tmp_path / "agent")},
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
        )  # fmt: skip
        out, error = await asyncio.wait_for(process.communicate(), TIMEOUT)
        agent.close()
        server.close()
        assert process.returncode is not None
        return process.returncode, out, error

    status, out, error = asyncio.run(session())
    assert (status, out.decode()) == (0, GREETING), error
    assert len(signer.operations) == 2, "one by the host, one by the agent"


@pytest.mark.parametrize("digest", ["sha1", "sha224", "sha256", "sha384", "sha512"])
def test_openssl_dgst(signer: Signer, tmp_path: Path, digest: str) -> None:
    message, public, signed = (tmp_path / name for name in ("message", "public.pem", "signature"))
    message.write_bytes(b"a file\n" * 100)
    public.write_bytes(public_pem(software_key(BITS)))
    value = signer.private(pkcs1_v15(message.read_bytes(), digest, signer.n))
    signed.write_bytes(value.to_bytes(BITS // 8, "big"))
    command = [need("openssl"), "dgst", f"-{digest}", "-verify", public, "-signature", signed]
    done = subprocess.run([*command, message], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "Verified OK\n"), done.stderr
    message.write_bytes(b"another file\n")
    assert subprocess.run([*command, message], capture_output=True).returncode == 1
