# SPDX-License-Identifier: Apache-2.0
"""The process that measures one design: a request on standard input, its outcome on output.

Its `main` reads one line of JSON (see `request_of`) and prints one. The process ends, with the
tools that it runs, as soon as its standard input is closed: when the process that started it dies.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import threading
from pathlib import Path
from typing import Any

from montforge.arch import Design, design
from montforge.errors import MontforgeError
from montforge.measure import measure
from montforge.verify import mean_latency
from montforge.work.tools import stop_tools

CYCLE_SEED = 1
"""Seed of the operands whose mean latency is taken, the same as that of `montforge measure`."""


def request_of(
    chosen: Design, *, target: str | None, liberty: str | None, samples: int, **options: Any
) -> dict[str, Any]:
    """Return the request to measure a design.

    ``liberty`` is a path below the sources, ``options`` are others of `measure`.
    """
    return {
        "architecture": chosen.name,
        "parameters": dict(chosen.parameters),
        "form": chosen.form,
        "target": target,
        "liberty": liberty,
        "samples": samples,
        "options": options,
    }


def run(request: dict[str, Any]) -> dict[str, Any]:
    """Return the figures of one design as `Measurement.to_json` does, or the error."""
    try:
        parallel = design(request["architecture"], **request["parameters"])
        chosen = parallel.with_form(request["form"])
        of_mean = {"samples": request["samples"], "seed": CYCLE_SEED, "workers": 1}
        cycles = mean_latency(chosen, **of_mean if chosen.needs_samples else {})
        liberty = request["liberty"] and Path(__file__).parents[2] / request["liberty"]
        found = measure(
            chosen,
            request["target"],
            liberty=liberty,
            cycles=cycles,
            workers=1,
            **request["options"],
        )
    except MontforgeError as error:
        return {"problem": type(error).__name__, "message": str(error)}
    return {"figures": found.to_json()}


def main() -> None:
    """Read the request, print the outcome."""
    request = json.loads(sys.stdin.readline())
    orphaned = threading.Event()
    watch = threading.Thread(
        target=_end_with_parent, args=[request.get("folder"), orphaned], daemon=True
    )
    watch.start()
    try:
        print(json.dumps(run(request)))
    finally:
        if orphaned.is_set():  # a killed tool brings us here: the watch is still removing files
            watch.join()


def _end_with_parent(folder: str | None, orphaned: threading.Event) -> None:
    """End as soon as the parent is gone, and remove the job's folder, which it can't do then."""
    sys.stdin.read()
    orphaned.set()
    stop_tools()
    if folder is not None:
        shutil.rmtree(folder, ignore_errors=True)
    stop_tools()  # programs that the job started since
    os._exit(1)
