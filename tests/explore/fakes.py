# SPDX-License-Identifier: Apache-2.0
"""Sources whose job measures nothing: it answers from the parameters, at once or in its way."""

from __future__ import annotations

import io
import textwrap
import zipfile
from collections.abc import Callable
from pathlib import Path

FIGURES = """
    k, m = p["k"], p["m"]
    area, latency = 1000.0 * k * m, slower * (5000.0 / (k * m) + 3 * k)
    figures = {
        "area": area, "area_unit": "um2", "period": 1.5, "period_unit": "ns", "cycles": 10.0,
        "latency": latency, "time": latency + 1.5, "tools": {"fake": "1"}, "inputs": "0",
        "resources": None, "fmax_mhz": 666.0, "area_registers": 10.0,
        "critical_path": {"start": "a_q[0]", "end": "s_q[1]", "cells": []},
        "wire_load": {"model": None, "period_with": 1.5, "period_without": 1.4},
    }
    if placed:
        figures["placed"] = {"period_sized": 1.6, "area_sized": area, "time": wires * latency}
    return {"figures": figures}
"""


def fake_sources(behaviour: str = "", log: Path | None = None) -> bytes:
    """Return sources whose job runs ``behaviour`` (with the parameters ``p``), then answers.

    ``behaviour`` may set ``slower`` and ``wires``, factors of the latency and of that with wires,
    which are asked for if ``placed``.
    Each job that starts adds a line ``k m`` to ``log``.
    """
    line = "{p.get('k')} {p.get('m')}"
    note = f'open({str(log)!r}, "a").write(f"{line}\\n")' if log else "pass"
    code = "import json, os, sys, time\n\ndef run(p, placed):\n    slower = wires = 1.0\n"
    code += textwrap.indent(f"{note}\n{textwrap.dedent(behaviour)}", "    ") + FIGURES
    code += "\ndef main():\n    request = json.loads(sys.stdin.readline())\n"
    code += "    placed = request.get('options', {}).get('placed', False)\n"
    code += "    print(json.dumps(run(request['parameters'], placed)))\n"
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("montforge/__init__.py", "")
        archive.writestr("montforge/explore/__init__.py", "")
        archive.writestr("montforge/explore/job.py", code)
    return buffer.getvalue()


Fake = Callable[[str], Path]
"""What the fixture ``fake`` gives: call it with a behaviour, get the log of the jobs."""
