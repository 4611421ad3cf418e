# SPDX-License-Identifier: Apache-2.0
"""The command ``montforge``: thin commands over the Python calls of the same names.

With ``--json`` a command prints one JSON object on standard output and nothing else. Exit status:
0 done, 1 a check failed (a mismatch, a design without figures), 2 bad usage, 4 a tool or the
machine failed (a missing tool, a full disk, an error in montforge), 130 interrupted.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn


def main() -> None:
    """Run the command line and exit with its status."""
    try:
        # Loaded here, so that an interrupt of it is caught; the package itself loads little.
        from montforge.cli import interrupts

        interrupts.loading_begins()
        try:
            _run()
        finally:
            interrupts.work_ends()
    except KeyboardInterrupt:  # before the loading begins, or once more after the first one
        sys.exit(130)


def _run() -> None:
    from montforge.cli.app import app
    from montforge.cli.interrupts import INTERRUPTED
    from montforge.errors import FAILED, MontforgeError

    try:
        app()
    except SystemExit as end:
        if end.code == INTERRUPTED:
            text = "interrupted; the same command goes on with the work that is kept"
            print(text, file=sys.stderr)
        raise
    except MontforgeError as error:
        _fail(str(error), error.status)
    except OSError as error:
        where = f" ({error.filename})" if error.filename else ""
        _fail(f"{error.strerror or error}{where}.", FAILED)
    except Exception:
        import traceback

        traceback.print_exc()
        _fail("this is an error in montforge; please report it with the lines above.", FAILED)


def _fail(message: str, status: int) -> NoReturn:
    print(f"montforge: {message}", file=sys.stderr)
    sys.exit(status)
