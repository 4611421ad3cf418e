# SPDX-License-Identifier: Apache-2.0
"""Verification and cycle measurement of a design: plan, worker processes, record of finished work.

The work is cut into chunks, each decided by the design, the mode, the seed and its index. A
finished chunk is recorded in the result store at once, so that an interrupted run goes on where it
stopped and a repeated one is served from the store.
"""

from __future__ import annotations

import math
import secrets
import statistics
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial, singledispatch
from pathlib import Path
from typing import Any

from montforge.arch import Core, Design, Simulated, driven
from montforge.errors import CheckFailedError, OutputFolderError
from montforge.verify.bench import build_bench
from montforge.verify.chunk import Outcome, Trace, run_chunk
from montforge.verify.identity import code_identity
from montforge.verify.modes import (
    ALL,
    CHUNK_CYCLES,
    CHUNK_OPERATIONS,
    CYCLES,
    Chunk,
    Plan,
    chunk_with,
)
from montforge.verify.netlist import netlist_design
from montforge.verify.operations import affordable
from montforge.verify.report import CyclesReport, Mismatch, VerifyReport
from montforge.work.cache import ResultStore, content_hash
from montforge.work.command import command_line
from montforge.work.jobs import run_in_processes
from montforge.work.limits import check_limits, usual_workers
from montforge.work.progress import ProgressFunction

OPERATIONS, SAMPLES = 1000, 2000
"""Operations of `verify_core` and of `measure_core_cycles` where none are asked for."""
NETLIST_HANDSHAKES = 20


def verify_core(
    design: Core | Simulated,
    *,
    operations: int | None = None,
    seed: int | None = None,
    mode: str = ALL,
    chain_length: int | None = None,
    modulus: int | None = None,
    vectors: Path | None = None,
    workers: int | None = None,
    waves: Path | None = None,
    only: int | None = None,
    until_wrong: bool = False,
    progress: ProgressFunction | None = None,
) -> VerifyReport:
    """Simulate the RTL of ``design`` and check every response.

    Each result must be congruent to a * b * R^-1 mod n, within its bound and equal to the golden
    model's; latency and interval must be within the contract, and the latency equal to the cycle
    model's (for every operation where that model is fast, else for the first of each chunk).
    Requests come back to back but for a share with idle cycles, back-pressure, or a reset in
    mid-operation. A form without the contract's ports is simulated in its harness, whose cycles
    are part of the latencies that failures name.

    ``mode``: ``random`` (``operations`` of them, uniform and biased), ``corners``,
    ``exhaustive`` (small widths; every carry-save split of the operands), ``values`` (small
    widths; each pair of values in one random split), ``chain`` (squarings fed back,
    ``chain_length`` each, as many chains as make up ``operations``), or ``all``: those of these
    that apply. ``modulus`` replaces the moduli of every mode. ``vectors`` names a file of
    operations on plain values to check instead (see `read_vectors`); each is one operation here,
    and as many of the hardware as `Function.compute` makes of it (a product four); an expected
    answer in the file is compared with the hardware's. ``only`` repeats the operation of that
    number in its mode, after the ones before it in its chunk; ``waves`` is an FST file with that
    operation, or else the first mismatch, or else the first operation. ``until_wrong`` ends the run
    at the first mismatch; the rest then counts no operations.
    ``operations`` and ``chain_length`` are 1000 if not given; these and the corners are fewer of a
    core whose operations take very long (see `affordable`).
    ``seed`` (default: a new one) makes the run repeatable; ``workers`` processes (default:
    `usual_workers`, and this one alone for little work) share the work; ``progress`` is called
    with the operations done and in all.

    Raises MontforgeError for arguments that are not legal. A mismatch is a result, not an error.
    """
    simulated = driven(design)
    seed = secrets.randbits(32) if seed is None else seed
    counts = _counts(simulated, operations, chain_length)
    plan = Plan(simulated, seed, *counts, modulus, mode, vectors, only)
    check_limits(workers=workers)
    chunks = plan.chunks()
    if waves is not None:
        _check_writable(waves)

    if only is None:
        chunks = [replace(chunk, until_wrong=until_wrong) for chunk in chunks]
        outcomes = _outcomes(simulated, chunks, workers, progress)
    else:
        bench = build_bench(simulated, cycles=_cycles(chunks))
        outcomes = [run_chunk(chunks[0], bench, only=only)]
    total = Outcome()
    modes: dict[str, int] = {}
    for chunk, outcome in zip(chunks, outcomes, strict=True):
        total.add(outcome)
        modes[chunk.mode.name] = modes.get(chunk.mode.name, 0) + outcome.operations
    if waves is not None:
        _trace(simulated, chunks, total, only, waves)

    return VerifyReport(
        **_about(simulated.design, seed, total),
        operations=total.operations,
        modes=modes,
        cycles_checked=total.cycles_checked,
        cycles_simulated=total.edges,
        resets=total.resets,
        failures=tuple(Mismatch(f, plan.again(f.mode, f.index)) for f in total.failures),
        answers=tuple(total.answers) if vectors is not None else None,
        function=simulated.contract.function.name,
        waves=waves,
    )


def planned_operations(
    design: Core, *, operations: int | None = None, mode: str = ALL, chain_length: int | None = None
) -> int:
    """Return the number of operations of `verify_core` with these arguments; none is done."""
    simulated = driven(design)
    plan = Plan(simulated, 0, *_counts(simulated, operations, chain_length), mode=mode)
    return sum(chunk.count for chunk in plan.chunks())


def _counts(design: Simulated, operations: int | None, chain_length: int | None) -> tuple[int, int]:
    """Return both numbers, the usual one in place of None."""
    usual = affordable(design.contract, OPERATIONS)
    chosen = usual if chain_length is None else chain_length
    return usual if operations is None else operations, chosen


def _about(design: Core, seed: int, total: Outcome) -> dict[str, Any]:
    """Return the fields of a `CoreReport` but the failures."""
    return {
        "architecture": design.name,
        "parameters": dict(design.parameters),
        "rtl_parameters": dict(design.hardware.parameters),
        "form": design.form,
        "seed": seed,
        "mismatches": total.mismatches,
    }


def measure_core_cycles(
    design: Core | Simulated,
    *,
    samples: int | None = None,
    seed: int | None = None,
    workers: int | None = None,
    progress: ProgressFunction | None = None,
) -> CyclesReport:
    """Measure latencies of the RTL over ``samples`` random operations, back to back.

    Without ``samples`` they are 2000, or fewer of a core whose operations take very long.
    The cycle model's prediction is compared operation by operation, and every result is checked
    as `verify_core` does. For the operands and the counting see `CyclesReport`. Raises
    MontforgeError for arguments that are not legal.
    """
    simulated = driven(design)
    design = simulated.design
    samples = affordable(design.contract, SAMPLES) if samples is None else samples
    check_limits(samples=samples, workers=workers)
    seed = secrets.randbits(32) if seed is None else seed
    chunks = CYCLES.chunks(Plan(simulated, seed, samples))
    total = Outcome()
    for outcome in _outcomes(simulated, chunks, workers, progress):
        total.add(outcome)
    latencies = sorted(latency - simulated.harness_cycles for latency in total.latencies.elements())
    command = command_line("cycles", design.words, samples=samples, seed=seed)
    return CyclesReport(
        **_about(design, seed, total),
        samples=samples,
        minimum=latencies[0] if latencies else 0,
        mean=statistics.fmean(latencies) if latencies else math.nan,
        maximum=latencies[-1] if latencies else 0,
        sd=statistics.stdev(latencies) if len(latencies) > 1 else 0.0,
        model_mismatches=total.model_mismatches,
        handover=design.contract.handover,
        failures=tuple(Mismatch(f, command) for f in total.failures),
        harness_cycles=simulated.harness_cycles,
    )


def correct_cycles(
    design: Core,
    *,
    samples: int = 2000,
    seed: int | None = None,
    workers: int | None = None,
    progress: ProgressFunction | None = None,
) -> CyclesReport:
    """Return the result of `measure_core_cycles` for a run without any fault.

    Figures of designs take their mean latency from here: raises CheckFailedError if any operation
    was wrong, hung, or differed from the cycle model.
    """
    report = measure_core_cycles(
        design, samples=samples, seed=seed, workers=workers, progress=progress
    )
    report.require_correct()
    return report


@singledispatch
def mean_latency(
    design: Design | Simulated, *, samples: int = 2000, seed: int = 1, workers: int | None = None
) -> float:
    """Return the contract's latency if it is fixed, else the mean of `correct_cycles`.

    ``samples`` are fewer of a core whose operations take very long.
    """
    design = driven(design).design
    if design.fixed_cycles is not None:
        return float(design.fixed_cycles)
    samples = affordable(design.contract, samples)
    return correct_cycles(design, samples=samples, seed=seed, workers=workers).mean


@singledispatch
def check_netlist(
    design: Design | Simulated,
    verilog: Path,
    liberty: Path,
    *,
    operations: int = 100,
    seed: int = 1,
) -> int:
    """Simulate a mapped netlist of ``design``; return the number of operations.

    All must be right: ``operations`` of `measure_core_cycles`, each with its product and its
    cycles, and `NETLIST_HANDSHAKES` of `verify_core` with idle cycles, back-pressure and resets
    (fewer where they take very long). ``verilog`` is the netlist, ``liberty`` the file of its
    cells. Raises CheckFailedError, ToolFailedError.
    """
    design = driven(design).design
    netlist = netlist_design(design, verilog, liberty)
    operations, handshakes = (
        affordable(design.contract, number) for number in (operations, NETLIST_HANDSHAKES)
    )
    cycles = measure_core_cycles(netlist, samples=operations, seed=seed, workers=1)
    further = verify_core(netlist, mode="random", operations=handshakes, seed=seed, workers=1)
    failures = cycles.failures + further.failures
    if failures or math.isnan(cycles.mean):
        first = "; ".join(failures[0].failure.problems)
        raise CheckFailedError(
            f"the mapped netlist of {design} is not the design:"
            f" {cycles.mismatches + further.mismatches} of"
            f" {cycles.samples + further.operations} operations were wrong in its simulation. The"
            f" first: {first}."
        )
    return cycles.samples + further.operations


def _outcomes(
    design: Simulated, chunks: list[Chunk], workers: int | None, progress: ProgressFunction | None
) -> list[Outcome]:
    """Return the outcome of each chunk, from the store or done now and stored.

    After a mismatch in chunks that end with one, those that are not done count no operations.
    """
    most = workers or usual_workers()
    bench, store = build_bench(design, cycles=_cycles(chunks)), ResultStore()
    known = ("verify", bench.key, design.identifier, code_identity(design.design))
    keys = [content_hash(*known, chunk.identity()) for chunk in chunks]
    kept = {i: store.get(key) for i, key in enumerate(keys)}
    outcomes = {i: Outcome.from_json(data) for i, data in kept.items() if data is not None}
    missing = [i for i in kept if i not in outcomes]
    if any(chunks[i].until_wrong and outcome.mismatches for i, outcome in outcomes.items()):
        missing = []
    jobs = [partial(run_chunk, chunks[i], bench) for i in missing]
    total = sum(chunk.count for chunk in chunks)

    def report() -> None:
        if progress is not None:
            progress(sum(chunks[i].count for i in outcomes), total)

    report()
    if workers is None:
        most = min(most, _full_chunks([chunks[i] for i in missing]))
    with closing(run_in_processes(jobs, most)) as results:
        for number, outcome in results:
            outcomes[missing[number]] = outcome
            store.put(keys[missing[number]], "verify", outcome.to_json())
            report()
            if outcome.mismatches and chunks[missing[number]].until_wrong:
                break
    return [outcomes.get(i, Outcome()) for i in range(len(chunks))]


def _trace(
    design: Simulated, chunks: list[Chunk], total: Outcome, only: int | None, waves: Path
) -> None:
    """Write the waves of operation ``only``, or the first mismatch, or the first operation."""
    mode, index = chunks[0].mode.name, chunks[0].start if only is None else only
    if total.failures and only is None:
        mode, index = total.failures[0].mode, total.failures[0].index
    chunk = chunk_with(chunks, mode, index)
    cycles = _cycles([chunk])
    trace = Trace(build_bench(design, cycles=cycles, traced=True), waves)
    run_chunk(chunk, build_bench(design, cycles=cycles), only=index, trace=trace)


def _cycles(chunks: Sequence[Chunk]) -> int:
    """Return the cycles that ``chunks`` of one design take at the most, without stalls."""
    return sum(chunk.count * chunk.design.contract.latency.maximum for chunk in chunks)


def _full_chunks(chunks: Sequence[Chunk]) -> int:
    """Return the full chunks of work, at least 1: a process takes half a chunk's time to start."""
    operations = sum(chunk.count for chunk in chunks)
    return max(1, math.floor(operations / CHUNK_OPERATIONS + _cycles(chunks) / CHUNK_CYCLES))


def _check_writable(path: Path) -> None:
    if path.suffix != ".fst":
        raise OutputFolderError(
            f"the wave file {path} would be of a format that can't be written; its name must end"
            " in .fst (`fst2vcd` of GTKWave makes a VCD file of it)."
        )
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("ab"):
            pass
    except OSError as error:
        raise OutputFolderError(
            f"the wave file {path} can't be written: {error.strerror}."
        ) from None
