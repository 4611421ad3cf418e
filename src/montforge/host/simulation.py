# SPDX-License-Identifier: Apache-2.0
"""A Verilated device with AXI4-Lite in a process of its own, over pipes or a socket."""

from __future__ import annotations

import os
import socket
import struct
import subprocess
from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

from montforge.errors import ToolFailedError
from montforge.hardware import Hardware
from montforge.host.bus import OKAY, BusError
from montforge.verify.bench import compiled
from montforge.work.tools import wait_for_answer

SOURCE = Path(__file__).with_name("axi_sim.cpp")
DEVICE = SOURCE.with_name("axi_device.h")
ANSWER_SECONDS = 600.0
"""Most seconds in which a simulated device answers an access or lets cycles pass."""


def build(hardware: Hardware, *, optimised: bool = True) -> Path:
    """Return the program that simulates ``hardware``, whose top has AXI4-Lite ports.

    It is compiled if the cache does not have it; not ``optimised`` all the way in less time, for
    short runs.
    Raises as `montforge.verify.bench.compiled` does.
    """
    headers = {DEVICE.name: DEVICE.read_text(encoding="utf-8")}
    return compiled("device", hardware, SOURCE, headers=headers, optimised=optimised)


class _Device(ABC):
    """A `Bus` to a program of `build`. Use it in a ``with`` statement, which closes it."""

    cycles = 0
    """Cycles that `wait` has let pass."""

    @abstractmethod
    def close(self) -> None:
        """End the way to the device."""

    @abstractmethod
    def _ask(self, command: bytes, size: int) -> bytes:
        """Return the answer, of ``size`` bytes, to a command."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def read(self, address: int) -> int:
        """Return the word at ``address``. Raises BusError."""
        response, value = struct.unpack("<BI", self._ask(struct.pack("<cH", b"R", address), 5))
        if response != OKAY:
            raise BusError(address, response, "read")
        return int(value)

    def write(self, address: int, value: int, strobes: int = 15) -> None:
        """Write the bytes of a word that ``strobes`` selects. Raises BusError."""
        (response,) = self._ask(struct.pack("<cHIB", b"W", address, value, strobes), 1)
        if response != OKAY:
            raise BusError(address, response, "write")

    def write_words(self, address: int, values: Sequence[int]) -> None:
        """Write words from ``address`` on. Raises BusError if one is refused."""
        command = struct.pack(f"<cHH{len(values)}I", b"B", address, len(values), *values)
        (response,) = self._ask(command, 1)
        if response != OKAY:
            raise BusError(address, response, "write of words")

    def wait(self, cycles: int) -> bool:
        """Let ``cycles`` pass, or fewer if the interrupt comes; return whether it is there."""
        irq, passed = struct.unpack("<BI", self._ask(struct.pack("<cI", b"T", cycles), 5))
        self.cycles += passed
        return bool(irq)

    def reset(self) -> None:
        """Reset the device."""
        self._ask(b"Z", 1)

    def phases(self) -> list[tuple[int, int]]:
        """Return the latest changes of output ``phase_o``, if any: new value and cycle of each."""
        (count,) = struct.unpack("<I", self._ask(b"P", 4))
        data = self._ask(b"", 5 * count)
        return [struct.unpack_from("<BI", data, 5 * i) for i in range(count)]


def _read(source: Any, size: int, who: str) -> bytes:
    """Return ``size`` bytes of a pipe or socket, fewer at its end. Raises ToolFailedError."""
    found = b""
    while len(found) < size:
        wait_for_answer(source, ANSWER_SECONDS, who)
        part = os.read(source.fileno(), size - len(found))
        if not part:
            break
        found += part
    return found


class Simulation(_Device):
    """A simulation in a process that this one starts and ends."""

    def __init__(self, program: Path, *, seed: int = 1) -> None:
        """Start ``program`` of `build`; ``seed`` is that of registers and random words."""
        self._process = subprocess.Popen(
            [str(program), str(seed)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )

    def close(self) -> None:
        """End the simulation."""
        with suppress(OSError):
            self._process.kill()
        self._process.communicate()

    def _ask(self, command: bytes, size: int) -> bytes:
        assert self._process.stdin is not None and self._process.stdout is not None
        answer = b""
        with suppress(BrokenPipeError):
            self._process.stdin.write(command)
            self._process.stdin.flush()
            answer = _read(self._process.stdout, size, "the simulation")
        if len(answer) != size:
            _, errors = self._process.communicate()
            tail = "\n".join(errors.decode(errors="replace").splitlines()[-12:])
            raise ToolFailedError(
                f"the simulation ended with status {self._process.returncode}:\n{tail}"
            )
        return answer


class Remote(_Device):
    """A simulation that `serve` runs, over its socket. Others wait until this one is closed."""

    def __init__(self, path: Path) -> None:
        """Connect to the socket at ``path``. Raises ToolFailedError."""
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self._socket.connect(str(path))
        except OSError as error:
            self._socket.close()
            raise ToolFailedError(
                f"no engine at {path}: {error.strerror}. Start one with `montforge serve-rsa`."
            ) from None

    def close(self) -> None:
        """Close the connection; the engine goes on, with its keys."""
        self._socket.close()

    def _ask(self, command: bytes, size: int) -> bytes:
        answer = b""
        with suppress(OSError):
            self._socket.sendall(command)
            who = "the engine, which others may be using,"
            answer = _read(self._socket, size, who)
        if len(answer) != size:
            raise ToolFailedError("the process that simulates the engine has ended.")
        return answer


def serve(program: Path, path: Path, *, seed: int = 1) -> subprocess.Popen[str]:
    """Start ``program`` of `build` behind a socket at ``path``, and return it when it is ready.

    Raises ToolFailedError if the socket can't be made.
    """
    process = subprocess.Popen(
        [str(program), str(seed), str(path)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    try:
        wait_for_answer(process.stdout, ANSWER_SECONDS, "the engine that starts")
    except ToolFailedError:
        process.kill()
        process.communicate()
        raise
    if process.stdout.readline() != "ready\n":
        _, errors = process.communicate()
        raise ToolFailedError(f"the engine can't be served at {path}: {errors.strip()}")
    return process
