# SPDX-License-Identifier: Apache-2.0
"""Area, clock period and time of the RSA engine: what `montforge.measure` is for a core."""

from __future__ import annotations

import random
from functools import partial
from pathlib import Path
from typing import Any

from montforge.arch.rsa.engine import Engine
from montforge.arch.rsa.keys import make_key
from montforge.errors import CheckFailedError
from montforge.measure import Measurement, find_target
from montforge.measure.identity import stored
from montforge.measure.measurement import measure_hardware
from montforge.measure.sweep import Sweep, design_key
from montforge.verify import code_identity
from montforge.verify.engine import check_netlist
from montforge.verify.engine_bench import EngineBench, build
from montforge.work.cache import ResultStore
from montforge.work.progress import ProgressFunction

SEED = 1


def private_cycles(engine: Engine) -> int:
    """Return the cycles of a private operation of the longest n, counted by the RTL.

    All private operations of that length and e take as many, but for each 32nd, which renews the
    blinding pair. Raises CheckFailedError for an error or a wrong result, and as
    `montforge.verify.engine_bench.build` does.
    """
    key = make_key(engine.bits, random.Random(SEED), engine.public_exponent)
    c = key.n - 2
    with EngineBench(build(engine.hardware), engine.bits, seed=SEED) as bench:
        loaded = bench.load(key)
        answer, y = bench.private(c)
    if loaded.error or answer.error or y is None or pow(y, key.e, key.n) != c:
        raise CheckFailedError(
            f"a private operation of {engine.identifier} is wrong, so its cycles are no figure:"
            f" error {loaded.error} of the load, {answer.error} of the operation,"
            f" y = {'none' if y is None else hex(y)} for c = {c:#x}, n = {key.n:#x}, e = {key.e}."
        )
    return answer.operation


def measure_engine(
    engine: Engine,
    target: str | None = None,
    *,
    liberty: Path | None = None,
    seeds: int = 3,
    frequency: int | None = None,
    effort: str = "full",
    netlist_check: bool = False,
    progress: ProgressFunction | None = None,
) -> Measurement:
    """Measure ``mf_rsa``, the engine without its bus, as `montforge.measure.measure` a core.

    ``cycles`` are `private_cycles`, whose simulation is the first step of ``progress``. The netlist
    is simulated with ``netlist_check`` alone, as that takes long for engines of many bits
    (`montforge.verify.engine.check_netlist`). Raises as `measure` does, and as `private_cycles`.
    """
    find_target(target, liberty)  # before minutes of simulation
    report = progress or (lambda done, total: None)
    report(0, 1)
    row = {
        "architecture": "rsa",
        "parameters": engine.parameters,
        "form": "window",  # through which its operations come
        "cycles": float(private_cycles(engine)),
        "handover": 0,
        "notes": (
            "Of mf_rsa, without a bus.",
            f"Cycles and latency are those of a private operation of {engine.bits} bits,"
            f" e = {engine.public_exponent}.",
        ),
    }
    return measure_hardware(
        engine.hardware,
        engine.words,
        lambda: row,
        target,
        liberty=liberty,
        seeds=seeds,
        frequency=frequency,
        effort=effort,
        netlist_check=netlist_check,
        progress=lambda done, total: report(1 + done, 1 + total),
        simulate=partial(_checked_operations, engine) if netlist_check else None,
    )


def _checked_operations(engine: Engine, found: Sweep, store: ResultStore) -> int:
    """Return how many operations the best point's netlist did right in simulation."""
    cores = (engine.multiplier, engine.public_multiplier)
    inputs = [found.best["key"], design_key(engine.hardware), code_identity(*cores)]

    def make() -> dict[str, Any]:
        return {"operations": check_netlist(engine, found.netlist(), found.liberty)}

    return int(stored(store, "netlist check", inputs, make)["operations"])
