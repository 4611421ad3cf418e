# SPDX-License-Identifier: Apache-2.0
"""One cache folder for the whole test session, so that each design is built once."""

from __future__ import annotations

import os
import signal
import tempfile
from pathlib import Path

CACHE = Path(tempfile.gettempdir()) / f"montforge-test-cache-{os.getuid()}"

# A shell that runs the tests in the background has them, and what they start, ignore interrupts.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

os.environ.setdefault("MONTFORGE_CACHE", str(CACHE))
