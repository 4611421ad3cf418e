# SPDX-License-Identifier: Apache-2.0
"""verify() and measure_cycles(): coverage, reproducibility, resumption, repeating one case."""

from __future__ import annotations

import math
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from custom import with_files
from montforge.arch import Design, design, driven
from montforge.errors import (
    CheckFailedError,
    MontforgeError,
    OperandError,
    OutputFolderError,
    ParameterError,
)
from montforge.explore import job
from montforge.papers import rows
from montforge.papers.reproduction import Request
from montforge.verify import build_bench, mean_latency, measure_cycles, modes, runner, verify
from montforge.verify.chunk import Outcome, run_chunk
from montforge.verify.modes import Chunk
from montforge.work.cache import ResultStore
from montforge.work.limits import usual_workers
from planted import edited

from .designs import PIPELINE

SERIAL = design("mm_r2", width=13)
DATA_DEPENDENT = design("scs_mm_new", width=13)
SMALLEST = [
    design("mm_r2", width=3),
    design("scs_mm_new", width=3),
    design("scs_mm_new", width=3, variant="published"),
]
named = pytest.mark.parametrize


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ResultStore:
    """An empty store of results; built benches stay cached."""
    fresh = ResultStore(tmp_path / "results.sqlite")
    monkeypatch.setattr(runner, "ResultStore", lambda: fresh)
    return fresh


@pytest.fixture
def broken(tmp_path: Path) -> Design:
    """A multiplier that loses the carry into its top bit, which few operations show."""
    return edited(SERIAL, "{1'b0, s_q} +", "{2'b00, s_q[Width-1:0]} +", tmp_path)


def counted(monkeypatch: pytest.MonkeyPatch) -> list[Chunk]:
    """Return the list that will hold the chunks that are run in this process."""
    chunks: list[Chunk] = []

    def run(chunk: Chunk, *arguments: Any, **options: Any) -> Outcome:
        chunks.append(chunk)
        return run_chunk(chunk, *arguments, **options)

    monkeypatch.setattr(runner, "run_chunk", run)
    return chunks


@named("chosen", SMALLEST, ids=str)
def test_all_operations_of_the_smallest_width(chosen: Design) -> None:
    report = verify(chosen, mode="exhaustive", seed=1, workers=1)
    top = chosen.contract.operand_bound.multiple
    assert report.operations == sum((top * n) ** 2 for n in (3, 5, 7))
    assert report.mismatches == 0
    assert report.cycles_checked >= 0.9 * report.operations
    assert report.resets > 0


def test_all_values_in_random_splits() -> None:
    chosen = design("fcs_mm1", width=3)
    report = verify(chosen, mode="values", seed=1, workers=1)
    assert report.operations == sum((2 * n) ** 2 for n in (3, 5, 7))
    assert report.mismatches == 0


@named("width", [4, 33, 64])
@named("name", ["mm_r2", "scs_mm_new"])
def test_small_widths(name: str, width: int) -> None:
    report = verify(design(name, width=width), operations=300, chain_length=100, seed=2, workers=1)
    assert report.mismatches == 0
    assert {"corners", "random", "chain"} <= report.modes.keys()
    assert report.modes["random"] == 300
    assert report.operations == sum(report.modes.values())


def test_the_published_variant_is_chained_where_it_is_closed() -> None:
    chosen = design("scs_mm_new", width=13, variant="published")
    report = verify(chosen, mode="chain", operations=400, chain_length=100, seed=1, workers=1)
    assert (report.operations, report.mismatches) == (400, 0)
    with pytest.raises(OperandError, match="n = 0x1ffd"):
        verify(chosen, mode="chain", modulus=0x1FFD)
    assert "chain" not in verify(chosen, modulus=0x1FFD, operations=20, seed=1, workers=1).modes


def test_a_long_chain_is_one_chain() -> None:
    report = verify(
        DATA_DEPENDENT, mode="chain", operations=1, chain_length=3000, seed=1, workers=1
    )
    assert (report.operations, report.mismatches) == (3000, 0)


def test_a_chain_ends_at_its_first_wrong_operation(store: ResultStore, broken: Design) -> None:
    report = verify(broken, mode="chain", operations=100, chain_length=50, seed=7, workers=1)
    assert report.mismatches == 2
    last = {f.failure.index // 50: f.failure.index % 50 for f in report.failures}
    assert report.operations == sum(place + 1 for place in last.values())


@named("mode", ["random", "chain"])
def test_an_operation_beyond_those_asked_for(store: ResultStore, mode: str) -> None:
    report = verify(SERIAL, mode=mode, operations=5, chain_length=10, only=23, seed=1)
    assert (report.operations, report.mismatches) == (1, 0)


def test_each_latency_of_a_slow_model_is_compared_for_averages_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("montforge.verify.chunk.CHEAP_LATENCY", 1)
    simulated = driven(DATA_DEPENDENT)
    bench = build_bench(simulated)
    compared = [
        run_chunk(Chunk(simulated, mode, 1, 0, 0, 80), bench).cycles_checked
        for mode in (modes.CYCLES, *modes.MODES["random"])
    ]
    assert compared == [80, 50]


def test_several_operations_outstanding() -> None:
    report = verify(PIPELINE, operations=500, chain_length=50, seed=1, workers=1)
    assert report.mismatches == 0


def test_the_same_seed_gives_the_same_run(store: ResultStore, broken: Design) -> None:
    first = verify(broken, operations=200, chain_length=50, seed=7, workers=1).to_json()
    assert first["mismatches"] > 0
    with_store = verify(broken, operations=200, chain_length=50, seed=7, workers=1).to_json()
    assert with_store == first
    store.__init__(store._path.with_name("other.sqlite"))  # type: ignore[misc]
    assert verify(broken, operations=200, chain_length=50, seed=7, workers=2).to_json() == first
    assert verify(broken, operations=200, chain_length=50, seed=8, workers=1).to_json() != first


def test_a_new_seed_is_drawn_and_reported(store: ResultStore) -> None:
    seeds = {verify(SERIAL, mode="random", operations=5, workers=1).seed for _ in range(3)}
    assert len(seeds) == 3


def test_an_interrupted_run_goes_on_where_it_stopped(
    store: ResultStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(modes, "CHUNK_OPERATIONS", 50)
    chunks = counted(monkeypatch)

    def interrupt(done: int, total: int) -> None:
        assert total == 200
        if done == 100:
            raise KeyboardInterrupt

    arguments: dict[str, Any] = {"mode": "random", "operations": 200, "seed": 3, "workers": 1}
    with pytest.raises(KeyboardInterrupt):
        verify(SERIAL, **arguments, progress=interrupt)
    assert [chunk.index for chunk in chunks] == [0, 1]
    progress: list[tuple[int, int]] = []
    report = verify(SERIAL, **arguments, progress=lambda *step: progress.append(step))
    assert [chunk.index for chunk in chunks] == [0, 1, 2, 3]
    assert progress == [(100, 200), (150, 200), (200, 200)]
    assert report.operations == 200
    assert verify(SERIAL, **arguments) == report
    assert len(chunks) == 4


def test_other_rtl_is_not_served_from_the_store(
    store: ResultStore, monkeypatch: pytest.MonkeyPatch, broken: Design
) -> None:
    chunks = counted(monkeypatch)
    good = verify(SERIAL, mode="random", operations=100, seed=3, workers=1)
    bad = verify(broken, mode="random", operations=100, seed=3, workers=1)
    assert len(chunks) == 2
    assert good.mismatches == 0 < bad.mismatches


HANGS = ("assign rsp_valid_o = ", "assign rsp_valid_o = 1'b0 && ")
WRONG = ("s_q[0] ^ (a_q[0] & b_q[0])", "s_q[0]")


@named(("old", "new"), [HANGS, WRONG], ids=["hangs", "wrong"])
def test_a_run_until_an_operation_is_wrong(
    old: str, new: str, store: ResultStore, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    chunks = counted(monkeypatch)
    faulty = edited(SERIAL, old, new, tmp_path)
    for _ in range(2):
        report = verify(faulty, operations=300, seed=5, workers=1, until_wrong=True)
        assert report.mismatches == 1
        assert len(chunks) == 1  # and the second run is served from the store
    if old == HANGS[0]:
        assert report.operations == 1
        assert report.cycles_simulated < 200
    assert verify(faulty, mode="random", operations=300, seed=5, workers=1).mismatches > 100


def test_a_run_until_an_operation_is_wrong_does_all_of_a_right_design(store: ResultStore) -> None:
    both = [
        verify(SERIAL, operations=100, chain_length=50, seed=5, workers=1, until_wrong=until_wrong)
        for until_wrong in (False, True)
    ]
    assert both[0] == both[1]


@named("mode", ["random", "corners", "chain"])
def test_one_operation_is_repeated(broken: Design, tmp_path: Path, mode: str) -> None:
    arguments: dict[str, Any] = {"operations": 300, "chain_length": 100, "seed": 5, "workers": 1}
    report = verify(broken, mode=mode, **arguments)
    assert report.mismatches > 0
    failure = report.failures[-1].failure
    waves = tmp_path / "waves" / "one.fst"
    again = verify(broken, mode=mode, **arguments, only=failure.index, waves=waves)
    assert (again.operations, again.mismatches) == (1, 1) or mode == "chain"
    assert again.failures[-1].failure == failure
    assert waves.stat().st_size > 500
    if mode != "chain":
        fine = next(i for i in range(300) if i not in {f.failure.index for f in report.failures})
        assert verify(broken, mode=mode, **arguments, only=fine).mismatches == 0


def test_a_mismatch_tells_all(broken: Design) -> None:
    report = verify(broken, mode="random", operations=300, seed=5, workers=1)
    mismatch = report.failures[0]
    data = mismatch.to_json()
    a, b, n, actual = (int(data[key], 16) for key in ("a", "b", "n", "actual"))
    expected = int(data["expected"], 16)
    assert expected == SERIAL.golden(a, b, n) != actual
    assert data["latency_expected"] == data["latency_actual"] == 14
    words = shlex.split(mismatch.command)
    assert words[:5] == ["montforge", "verify", "mm_r2", "-p", "width=13"]
    options = dict(zip(words[5::2], words[6::2], strict=True))
    index = str(mismatch.failure.index)
    assert options["--seed"] == "5"
    assert options["--mode"] == "random"
    assert options["--only"] == index
    assert options["--waves"].endswith(".fst")
    text = str(report)
    assert mismatch.command in text
    for value in (data["a"], data["b"], data["n"], data["expected"], data["actual"]):
        assert value in text


def test_few_mismatches_are_recorded_and_all_are_counted(tmp_path: Path) -> None:
    wrong = edited(SERIAL, "s_q[0] ^ (a_q[0] & b_q[0])", "s_q[0]", tmp_path)
    report = verify(wrong, mode="random", operations=300, seed=5, workers=1)
    assert report.mismatches > 100
    assert len(report.failures) == 10
    assert f"({report.mismatches - 10} more mismatches)" in str(report)


def test_waves_of_the_first_mismatch(broken: Design, tmp_path: Path) -> None:
    waves = tmp_path / "first.fst"
    report = verify(broken, mode="random", operations=300, seed=5, workers=1, waves=waves)
    assert report.waves == waves
    assert waves.stat().st_size > 500


def test_keys_of_the_report() -> None:
    data = verify(SERIAL, operations=20, chain_length=20, seed=3, workers=1).to_json()
    assert data["architecture"] == "mm_r2"
    assert data["parameters"] == {"width": 13}
    assert (data["seed"], data["mismatches"]) == (3, 0)
    assert "products" not in data


def test_cycles_of_a_fixed_latency() -> None:
    report = measure_cycles(SERIAL, samples=200, seed=1, workers=1)
    assert (report.minimum, report.mean, report.maximum, report.sd) == (14, 14.0, 14, 0.0)
    assert report.model_mismatches == report.mismatches == 0


def test_cycles_that_depend_on_data() -> None:
    data = measure_cycles(DATA_DEPENDENT, samples=500, seed=1, workers=1).to_json()
    assert data["model_mismatches"] == 0
    cycles = data["cycles"]
    latency = DATA_DEPENDENT.contract.latency
    assert latency.minimum <= cycles["min"] < cycles["mean"] < cycles["max"] <= latency.maximum
    assert 0 < cycles["sd"] < 5
    assert data.keys() >= {
        "architecture",
        "parameters",
        "samples",
        "seed",
        "cycles",
        "model_mismatches",
    }


@named(
    ("old", "new"),
    [
        ("assign rsp_valid_o = ", "assign rsp_valid_o = 1'b0 & "),
        ("assign p_o         = ", "assign p_o = 1 ^ "),
    ],
    ids=["no response", "wrong products"],
)
def test_a_wrong_design_has_no_mean_latency(
    old: str, new: str, store: ResultStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = with_files(DATA_DEPENDENT, edited(DATA_DEPENDENT, old, new, tmp_path).hardware.files)
    report = measure_cycles(wrong, samples=20, seed=1, workers=1)
    assert report.mismatches == 20
    if "valid" in old:
        assert math.isnan(report.mean)
        assert set(report.to_json()["cycles"].values()) == {None}
    for use in (report.require_correct, lambda: mean_latency(wrong, samples=20, workers=1)):
        with pytest.raises(CheckFailedError, match=r"20 of 20"):
            use()
    # The row of an exploration, of a paper and of the command are refused as well.
    monkeypatch.setattr(job, "design", lambda name, **parameters: wrong)
    request = job.request_of(
        wrong, target="table2", liberty=None, samples=20, seeds=3, effort="quick"
    )
    assert job.run(request)["problem"] == "CheckFailedError"
    entry = SimpleNamespace(at_width=lambda width: wrong)
    with pytest.raises(CheckFailedError):
        rows._row(entry, None, rows.Group(13, "table2", ()), Request(), 20, False)  # type: ignore[arg-type]


def test_a_wrong_cycle_model_is_counted(
    store: ResultStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "montforge.arch.mm_r2.MmR2.cycle_model", lambda self, a, b, n: 14 + (a % 4 == 0)
    )
    report = measure_cycles(design("mm_r2", width=13), samples=200, seed=1, workers=1)
    assert 20 < report.model_mismatches < 80
    assert "cycle model" in str(report.failures[0])
    with pytest.raises(CheckFailedError, match=f"{report.model_mismatches} of 200"):
        report.require_correct()


@named(
    ("arguments", "message"),
    [
        ({"operations": 0}, "operations = 0"),
        ({"chain_length": -1}, "chain_length = -1"),
        ({"workers": 0}, "workers = 0"),
        ({"mode": "exhaustiv"}, "'exhaustiv'.*'exhaustive'"),
        ({"modulus": 8}, "even"),
        ({"modulus": 1 << 13 | 1}, "wider"),
        ({"only": 3}, "mode"),
        ({"mode": "exhaustive"}, "too many"),
        ({"mode": "corners", "only": 10**6}, "1000000"),
    ],
)
def test_illegal_arguments(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(MontforgeError, match=message):
        verify(SERIAL, **arguments)


def test_the_usual_number_of_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MONTFORGE_WORKERS", "3")
    assert usual_workers() == 3
    for wrong in ("0", "x", "1025"):
        monkeypatch.setenv("MONTFORGE_WORKERS", wrong)
        with pytest.raises(ParameterError, match=f"MONTFORGE_WORKERS = '{wrong}' .*1 to 1,024"):
            verify(SERIAL, mode="random", operations=5)


@named("samples", [0, 10_000_001])
def test_illegal_numbers_of_samples(samples: int) -> None:
    with pytest.raises(ParameterError, match=r"samples .* 1 to 10,000,000"):
        measure_cycles(SERIAL, samples=samples)


def test_unwritable_waves(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputFolderError, match=r"x\.fst"):
        verify(SERIAL, waves=tmp_path / "file" / "x.fst")
    with pytest.raises(OutputFolderError, match=r"x\.vcd .* must end in \.fst"):
        verify(SERIAL, waves=tmp_path / "x.vcd")
    assert not (tmp_path / "x.vcd").exists()


SCRIPT = """
from montforge.arch import design
from montforge.verify import verify
print("started", flush=True)
verify(design("mm_r2", width=13), mode="random", operations=3_000_000, workers=2,
       progress=lambda done, total: print(done, flush=True))
"""


def running(executable: Path) -> list[int]:
    """Return the processes that run ``executable``."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/exe"):
        try:
            if entry.readlink() == executable:
                found.append(int(entry.parent.name))
        except OSError:
            continue
    return found


def until(condition: Callable[[], bool], seconds: float) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.05)
    return condition()


@pytest.mark.slow
def test_an_interrupt_ends_all_processes(tmp_path: Path) -> None:
    """On a design of its own, so that other tests do not run the same executable."""
    chosen = edited(SERIAL, "// Step 3:", "// step 3:", tmp_path)
    script = SCRIPT.replace(
        'design("mm_r2", width=13)',
        f'patched(design("mm_r2", width=13), [Path({str(chosen.hardware.files[0])!r})])',
    )
    script = "from pathlib import Path\nfrom montforge.verify import patched\n" + script
    executable = build_bench(chosen, cycles=1 << 30).executable
    process = subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, start_new_session=True
    )
    assert process.stdout is not None
    try:
        assert until(lambda: bool(running(executable)), 60)
        os.killpg(process.pid, signal.SIGINT)
        process.wait(timeout=20)
        assert process.returncode != 0
        assert until(lambda: not running(executable), 5)
    finally:
        if process.poll() is None:
            process.kill()
        process.stdout.close()
