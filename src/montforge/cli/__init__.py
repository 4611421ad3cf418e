# SPDX-License-Identifier: Apache-2.0
"""The command ``montforge``: thin commands over the Python calls of the same names.

With ``--json`` a command prints one JSON object on standard output and nothing else. Exit status:
0 done, 1 a check failed (a mismatch), 2 bad usage or a missing tool.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

INTERRUPTED = 130
"""The exit status after an interrupt, which Typer turns into SystemExit."""


def main() -> None:
    """Run the command line and exit with its status."""
    try:
        _run()
    except KeyboardInterrupt:  # while the commands were loaded, or after one of them
        sys.exit(INTERRUPTED)
    except SystemExit as end:
        if end.code == INTERRUPTED:
            print(
                "interrupted; finished work is kept and the same command goes on with it",
                file=sys.stderr,
            )
        raise


def _run() -> None:
    # Loaded here, so that an interrupt of it is caught above. What is loaded before, with the
    # package itself, is next to nothing.
    import signal

    for end in (signal.SIGTERM, signal.SIGHUP):  # tools run on unless they are ended
        if signal.getsignal(end) is signal.SIG_DFL:
            signal.signal(end, signal.default_int_handler)
    from montforge.cli.app import app
    from montforge.errors import CheckFailedError, MontforgeError

    try:
        app()
    except CheckFailedError as error:
        _fail(str(error), status=1)
    except MontforgeError as error:
        _fail(str(error))
    except OSError as error:
        where = f" ({error.filename})" if error.filename else ""
        _fail(f"{error.strerror or error}{where}.")


def _fail(message: str, status: int = 2) -> NoReturn:
    print(f"montforge: {message}", file=sys.stderr)
    sys.exit(status)
