# SPDX-License-Identifier: Apache-2.0
"""Running other programs: each a subprocess with its own log, time limit and clear error."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar, copy_context
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from montforge.errors import ToolFailedError, ToolMissingError

Result = TypeVar("Result")

SIMULATION_SECONDS = 24 * 3600.0
"""Limit of a simulation; its work is cut to take seconds on a usual machine."""

INSTALL = {
    "sta": "OpenSTA is missing: install it with `apt-get install opensta`.",
    "g++": "g++ is missing: install it with `apt-get install g++`.",
    "make": "make is missing: install it with `apt-get install make`.",
    "perl": "perl is missing (Verilator needs it): install it with `apt-get install perl`.",
    "iverilog": "Icarus Verilog is missing: install it with `apt-get install iverilog`.",
    "riscv64-unknown-elf-gcc": "The compiler for RISC-V is missing: install it with"
    " `apt-get install gcc-riscv64-unknown-elf`.",
    "openssl": "OpenSSL's command is missing: install it with `apt-get install openssl`.",
    "ssh": "OpenSSH's client is missing: install it with `apt-get install openssh-client`.",
    "ghdl": "GHDL is missing: install it with `apt-get install ghdl`.",
    "coqc": "Coq is missing: install it with `apt-get install coq`.",
    "dot": "Graphviz is missing: install it with `apt-get install graphviz`.",
}


_stops: ContextVar[tuple[threading.Event, ...]] = ContextVar("stops", default=())
_running: dict[subprocess.Popen[Any], tuple[threading.Event, ...]] = {}


def stopped_by(stop: threading.Event, job: Callable[[], Result]) -> Callable[[], Result]:
    """Return ``job`` for one call in a thread: ``stop``, too, ends the tools that it runs."""
    context = copy_context()
    context.run(_stops.set, (*_stops.get(), stop))
    return partial(context.run, job)


def stop_tools(stop: threading.Event | None = None) -> None:
    """End all tools that this process runs now, or those that end with ``stop``.

    A thread may start another tool after it: repeat the call until the thread has ended.
    """
    for process, stops in tuple(_running.items()):
        if stop is None or stop in stops:
            _kill(process)


def is_stopped() -> bool:
    """Return whether the work of this thread is to end."""
    return any(stop.is_set() for stop in _stops.get())


def check_stopped() -> None:
    """Raise ToolFailedError if the work of this thread is to end."""
    if is_stopped():
        raise ToolFailedError("it was ended, as another job of the same run was.")


@contextmanager
def stoppable(process: subprocess.Popen[Any]) -> Iterator[None]:
    """Let `stop_tools` end ``process``, which leads a session; it ends with the block at last."""
    _running[process] = _stops.get()
    try:
        yield
    finally:
        del _running[process]
        if process.poll() is None:
            _kill(process)
            process.wait()


def wait_for_answer(stream: Any, seconds: float, who: str) -> None:
    """Wait until ``stream``, a pipe or socket with an empty buffer, can be read.

    Raises ToolFailedError, which names ``who``, after ``seconds`` without a byte.
    """
    from multiprocessing.connection import wait  # which most commands do without

    if not wait([stream], seconds):
        raise ToolFailedError(f"{who} has not answered for {seconds:g} s.")


def _kill(process: subprocess.Popen[Any]) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def find_program(name: str) -> str:
    """Return the path of program ``name``. Raises ToolMissingError that names the package."""
    path = shutil.which(name)
    if path is None:
        raise ToolMissingError(INSTALL.get(name, f"{name} is missing on this machine."))
    return path


def without_log(message: str) -> str:
    """Return the message of a ToolFailedError without the place of its log on this machine."""
    return re.sub(r" \(log: [^)]*\)", "", message)


def run_tool(
    command: Sequence[str | Path],
    *,
    log: Path,
    timeout: float,
    cwd: Path | None = None,
    environment: Mapping[str, str] | None = None,
    stdin: str | None = None,
    keep_log: Path | None = None,
    name: str | None = None,
) -> str:
    """Run ``command`` and return its output (both streams), which also goes to ``log``.

    ``timeout`` is in seconds. On failure it goes to ``keep_log`` as well, if given (the log
    itself often lies in a scratch folder), and ToolFailedError carries its last lines and the
    tool's ``name`` (default: the program's); on an interrupt the whole process group is ended
    before the exception goes on.
    """
    name = name or Path(command[0]).name
    process = subprocess.Popen(
        [str(part) for part in command],
        cwd=cwd,
        env={**os.environ, **(environment or {})},
        stdin=subprocess.PIPE if stdin is not None else subprocess.DEVNULL,
        stdout=subprocess.PIPE,  # and not the log: a full disk would hide what the tool says of it
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
    )
    with stoppable(process):
        try:
            text, _ = process.communicate(stdin, timeout=timeout)
            problem = f"failed with status {process.returncode}" if process.returncode else ""
        except subprocess.TimeoutExpired:
            _kill(process)
            text, _ = process.communicate()
            problem = f"did not end within {timeout:.0f} s"
    if not problem:
        log.write_text(text)
        return text
    for path in (log, keep_log):
        if path is not None:
            with suppress(OSError):  # a full disk: the problem is told anyway
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
    tail = "\n".join(text.splitlines()[-12:])
    raise ToolFailedError(f"{name} {problem} (log: {keep_log or log}):\n{tail}")
