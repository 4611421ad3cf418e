# SPDX-License-Identifier: Apache-2.0
"""One cache folder for the whole test session, so that each design is built once."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

CACHE = Path(tempfile.gettempdir()) / f"montforge-test-cache-{os.getuid()}"

os.environ.setdefault("MONTFORGE_CACHE", str(CACHE))
