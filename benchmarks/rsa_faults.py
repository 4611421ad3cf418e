# SPDX-License-Identifier: Apache-2.0
"""Faults in all registers and memories of a small RSA engine: how operations on it end.

    python benchmarks/rsa_faults.py [COUNT] [SEED ...] [--file FILE]

COUNT operations with a fault of each kind for each seed, in batches; those of a batch begin from
one state with the same random words. A third of the faults is in each of datapath, control and
memories, at a random bit and cycle. The last rows have flipped bits, a tenth of COUNT, while the
checks are taken as good: what they are for. A second table says which guard saw the faults first
that ended in an error: tags of `mf_engine_pkg::guard_e`; none, if an operation had no result to
release. Finished batches are kept in FILE (default: rsa-faults.jsonl), one a line; a run that was
ended goes on from there. Ends with status 1 if a wrong result was released or an operation had no
end.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import track

from montforge.arch.rsa.keys import make_key
from montforge.report.table import Cell, Table
from montforge.work.cache import content_hash

sys.path.append(str(Path(__file__).parents[1] / "tests"))
from engine_faults import (
    AREAS,
    BIT,
    BLOCKED,
    GUARDS,
    HANG,
    KINDS,
    RIGHT,
    WRONG,
    FaultBench,
    build_with_faults,
    campaign,
    engine_for_faults,
    hardware_for_faults,
)

ENGINE = engine_for_faults()
HARDWARE = hardware_for_faults()
BITS = ENGINE.bits
SIZE = 500
PARTS = (*((kind, False) for kind in KINDS), (BIT, True))
ENDS = {RIGHT: "right", BLOCKED: "error", WRONG: "wrong result", HANG: "no end"}

console = Console(stderr=True)


@dataclass(frozen=True)
class Batch:
    """``count`` operations on the engine whose files have the hash ``rtl``."""

    rtl: str
    seed: int
    kind: str
    forced: bool
    first: int
    count: int


def main() -> int:
    """Run the batches that FILE does not have, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int, nargs="?", default=2000)
    parser.add_argument("seeds", type=int, nargs="*", default=[1])
    parser.add_argument("--file", type=Path, default=Path("rsa-faults.jsonl"))
    arguments = parser.parse_args()
    count, file = arguments.count, arguments.file
    rtl = content_hash([content_hash(path) for path in HARDWARE.files], dict(HARDWARE.parameters))
    wanted = [
        Batch(rtl[:12], seed, kind, forced, first, min(SIZE, count - first))
        for seed in arguments.seeds
        for first in range(0, count, SIZE)
        for kind, forced in PARTS
        if not forced or first < max(SIZE, count // 10)
    ]
    found = read(file)
    program = build_with_faults(HARDWARE)
    missing = [batch for batch in wanted if batch not in found]
    for batch in track(missing, description="batches", console=console):
        found[batch] = run(program, batch)
        with file.open("a") as stream:
            stream.write(json.dumps([asdict(batch), found[batch]]) + "\n")
    print(f"{ENGINE}, WatchdogBits={HARDWARE.parameters['WatchdogBits']}, RTL {rtl[:12]}\n")
    rows: list[tuple[Cell, ...]] = []
    bad = 0
    for kind, forced in PARTS:
        results = [found[b] for b in wanted if (b.kind, b.forced) == (kind, forced)]
        for area in AREAS:
            ends = [sum(result["ends"][area][end] for result in results) for end in ENDS]
            longest = max(result["longest"][area] for result in results)
            factored = sum(result["factored"][area] for result in results)
            name = f"{kind}{', no check' * forced}"
            rows.append((name, area, sum(ends), *ends, longest, factored))
            bad += 0 if forced else ends[WRONG] + ends[HANG]
    columns = ("fault", "in", "operations", *ENDS.values(), "longest, cycles", "n factored")
    print(Table("Ends", columns, tuple(rows)).to_markdown())
    rows = []
    for tag in (*GUARDS, ""):
        counts = [
            sum(found[b]["guards"].get(tag, 0) for b in wanted if b.kind == kind and not b.forced)
            for kind in KINDS
        ]
        rows.append((tag or "none", *counts))
    print(Table("Guards", ("seen first by", *KINDS), tuple(rows)).to_markdown())
    return int(bad > 0)


def read(file: Path) -> dict[Batch, dict[str, Any]]:
    """Return the batches that are kept."""
    lines = file.read_text().splitlines() if file.exists() else []
    return {Batch(**batch): result for batch, result in map(json.loads, lines)}


def run(program: Path, batch: Batch) -> dict[str, Any]:
    """Run a batch: ends, longest operation and factored moduli of each area, what was released."""
    key = make_key(BITS, random.Random(batch.seed))
    seed = batch.seed << 20 | batch.first
    c = random.Random(seed).randrange(2, key.n)
    with FaultBench(program, BITS, seed=batch.seed) as bench:
        assert bench.load(key).error == 0
        found = campaign(
            bench, key, c, batch.count, seed=seed, kind=batch.kind, forced=batch.forced
        )
        names = {register.number: register.name for register in bench.registers()}
    parts = {area: found.of(area) for area in AREAS}
    wrong = [trial for trial in found.trials if trial.outcome in (WRONG, HANG)]
    return {
        "ends": {area: [part.count(end) for end in ENDS] for area, part in parts.items()},
        "longest": {a: max(trial.cycles for trial in p.trials) for a, p in parts.items()},
        "factored": {area: part.factored(key, c) for area, part in parts.items()},
        "guards": found.guards(),
        "wrong": [
            [names[trial.faults[0].register], asdict(trial)] for trial in wrong if not batch.forced
        ],
    }


if __name__ == "__main__":
    sys.exit(main())
