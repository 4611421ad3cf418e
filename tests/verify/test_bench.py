# SPDX-License-Identifier: Apache-2.0
"""The C++ bench: protocol, latency, feedback, reset, several operations outstanding."""

from __future__ import annotations

import random
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from montforge.arch import Design, design
from montforge.contract import Encoding
from montforge.errors import ToolFailedError
from montforge.verify import bench, build_bench, patched, verify
from montforge.verify.bench import Request, ports_header
from montforge.verify.stimuli import stimuli
from montforge.work.tools import run_tool
from planted import edited

from .designs import LOADED, PIPELINE

SERIAL = design("mm_r2", width=13)
DATA_DEPENDENT = design("scs_mm_new", width=13)
ALL = pytest.mark.parametrize(
    "chosen", [SERIAL, DATA_DEPENDENT, PIPELINE], ids=lambda d: d.identifier
)


def operations(chosen: Design, count: int) -> list[tuple[int, int, int]]:
    contract = chosen.contract
    found = stimuli(contract).average(random.Random(1))
    return [(o["a"], o["b"], o["n"]) for o in islice(found, count)]


@ALL
@pytest.mark.parametrize("idle", [0, 1, 7])
@pytest.mark.parametrize("stall", [0, 1, 7])
def test_idle_and_back_pressure(chosen: Design, idle: int, stall: int) -> None:
    contract = chosen.contract
    wanted = operations(chosen, 40)
    requests = [Request(chosen.encode(*o), idle, stall) for o in wanted]
    responses = build_bench(chosen).run(requests).responses
    for operation, response in zip(wanted, responses, strict=True):
        assert not response.errors
        assert contract.result_encoding.decode(response.vectors) == chosen.golden(*operation)
        assert response.stalled == (chosen is PIPELINE and response.latency > 2)
        if not response.stalled:
            assert response.latency == chosen.cycles(*operation) + contract.handover
    gaps = [response.gap for response in responses[1:]]
    if idle == stall == 0:
        assert all(contract.interval.minimum <= gap <= contract.interval.maximum for gap in gaps)
    if idle:
        assert not any(gaps)


def test_requests_are_back_to_back() -> None:
    wanted = operations(PIPELINE, 100)
    requests = [Request(PIPELINE.encode(*o)) for o in wanted]
    simulation = build_bench(PIPELINE).run(requests)
    assert [r.gap for r in simulation.responses] == [0] + [1] * 99
    assert simulation.edges < 100 + 20


def test_stalls_that_add_to_a_latency_are_told() -> None:
    wanted = operations(PIPELINE, 20)
    requests = [Request(PIPELINE.encode(*o), stall=5) for o in wanted]
    responses = build_bench(PIPELINE).run(requests).responses
    assert not responses[0].stalled
    assert all(r.stalled and r.latency > 2 for r in responses[3:])


@ALL
def test_reset_at_every_cycle(chosen: Design) -> None:
    contract = chosen.contract
    last = contract.latency.maximum + contract.handover + 6
    wanted = operations(chosen, last)
    requests = [Request(chosen.encode(*o), stall=4, reset_at=i + 1) for i, o in enumerate(wanted)]
    simulation = build_bench(chosen).run(requests)
    results = [contract.result_encoding.decode(r.vectors) for r in simulation.responses]
    assert results == [chosen.golden(*o) for o in wanted]
    assert not any(r.errors for r in simulation.responses)
    assert simulation.resets >= contract.latency.minimum


@ALL
def test_reset_while_the_response_waits(chosen: Design) -> None:
    contract = chosen.contract
    wanted = operations(chosen, 30)
    requests = [Request(chosen.encode(*o), 0, 5, -(i % 5)) for i, o in enumerate(wanted)]
    simulation = build_bench(chosen).run(requests)
    results = [contract.result_encoding.decode(r.vectors) for r in simulation.responses]
    assert results == [chosen.golden(*o) for o in wanted]
    assert not any(r.errors for r in simulation.responses)
    assert simulation.resets == 24


@ALL
def test_results_are_fed_back(chosen: Design) -> None:
    contract = chosen.contract
    a, b, n = operations(chosen, 1)[0]
    requests = [
        Request(chosen.encode(a, b, n)),
        Request(chosen.encode(0, 0, n), feed=0b11),
        Request(chosen.encode(b, 0, n), feed=0b10, reset_at=2),
        Request(chosen.encode(0, a, n), feed=0b01, idle=3, stall=3),
    ]
    found = [
        contract.result_encoding.decode(r.vectors)
        for r in build_bench(chosen).run(requests).responses
    ]
    first = chosen.golden(a, b, n)
    second = chosen.golden(first, first, n)
    third = chosen.golden(b, second, n)
    assert found == [first, second, third, chosen.golden(third, a, n)]


def test_operand_ports_carry_noise_between_requests_whatever_the_seed() -> None:
    requests = [Request(SERIAL.encode(*o), 2, 2) for o in operations(SERIAL, 20)]
    built = build_bench(SERIAL)
    assert built.run(requests, seed=1).responses == built.run(requests, seed=2).responses


def test_a_bench_is_built_once(monkeypatch: pytest.MonkeyPatch) -> None:
    built = build_bench(SERIAL)
    monkeypatch.setattr(bench, "compile_model", None)
    assert build_bench(SERIAL) == built


def test_a_bench_for_many_cycles_is_optimised_and_taken_for_few_ones_then(tmp_path: Path) -> None:
    requests = [Request(SERIAL.encode(*o), 1, 1) for o in operations(SERIAL, 20)]
    chosen = edited(SERIAL, "// SPDX", f"// No other run has {tmp_path}. SPDX", tmp_path)
    quick = build_bench(chosen, cycles=bench.QUICK_CYCLES)
    fast = build_bench(chosen, cycles=bench.QUICK_CYCLES + 1)
    assert quick.executable != fast.executable
    assert quick.key == fast.key
    assert quick.run(requests) == fast.run(requests)
    assert build_bench(chosen) == fast


@pytest.mark.parametrize("kind", ["quick", "optimised", "traced", "planted"])
def test_models_begin_with_the_compiled_header(
    kind: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Its text takes g++ longer than a small model does."""
    printed: list[str] = []

    def tool(*arguments: Any, **options: Any) -> str:
        printed.append(run_tool(*arguments, **options))
        return printed[-1]

    monkeypatch.setattr(bench, "run_tool", tool)
    if kind == "planted":
        of_others = bench._shared_header(bench.MODEL_FLAGS)
        monkeypatch.setattr(bench, "_shared_header", lambda flags: of_others)
    traced = kind == "traced"
    bench.compile_model(
        SERIAL.hardware,
        bench.MODEL_SOURCE,
        tmp_path / "bench",
        headers={"ports.h": ports_header(SERIAL.contract)},
        objects=[bench._object(bench.SOURCE, bench.MODEL_HEADER)],
        optimised=kind == "optimised",
        traced=traced,
    )
    assert ("invalid-pch" in printed[-1]) == (kind == "planted")


@pytest.mark.parametrize("megabytes", [1, 12])
def test_a_long_build_is_announced_before_it(
    megabytes: int,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    announced: list[int] = []

    def tool(command: list[object], *, log: Path, **options: object) -> str:
        if "g++" in str(command[0]):
            announced.append(len(caplog.messages))
        else:
            (log.parent / "Vdut__0.cpp").write_bytes(b" " * megabytes * 1_000_000)
        return ""

    monkeypatch.setattr(bench, "run_tool", tool)
    monkeypatch.setattr(bench, "_runtime", lambda traced: [])
    monkeypatch.setattr(bench, "_shared_header", lambda flags: tmp_path)
    bench.compile_model(SERIAL.hardware, bench.SOURCE, tmp_path / "bench")
    assert announced == [int(megabytes > 5)]
    if megabytes > 5:
        assert "mm_r2_width13, 12 MB of C++, can take minutes" in caplog.text


def test_waves(tmp_path: Path) -> None:
    requests = [Request(SERIAL.encode(*o)) for o in operations(SERIAL, 20)]
    traced = build_bench(SERIAL, traced=True)
    sizes = []
    for first in (0, 18):
        waves = tmp_path / f"{first}.fst"
        simulation = traced.run(requests, waves=waves, first_traced=first)
        assert simulation == build_bench(SERIAL).run(requests)
        sizes.append(waves.stat().st_size)
    assert sizes[0] > sizes[1] > 500


def test_rtl_that_does_not_compile_names_its_log(tmp_path: Path) -> None:
    broken = tmp_path / "broken.sv"
    broken.write_text("module mf_mm_r2; bad endmodule\n")
    with pytest.raises(ToolFailedError, match=r"verilator_bin failed.*log: .*\.log") as error:
        build_bench(patched(SERIAL, [broken]))
    assert "syntax error" in str(error.value)
    log = Path(str(error.value).split("log: ")[1].split(")")[0])
    assert "syntax error" in log.read_text()


def test_a_model_that_stops_is_an_error(tmp_path: Path) -> None:
    source = SERIAL.hardware.files[0].read_text()
    stops = tmp_path / "mf_mm_r2.sv"
    text = 'always_ff @(posedge clk_i) if (req_valid_i) $fatal(1, "stopped here");\nendmodule'
    stops.write_text(source.replace("endmodule", text))
    request = Request(SERIAL.encode(1, 1, 3))
    with pytest.raises(ToolFailedError, match="stopped here"):
        build_bench(patched(SERIAL, [stops])).run([request])


def test_the_header_lists_the_data_ports() -> None:
    header = ports_header(DATA_DEPENDENT.contract)
    assert "#define OPERAND_PORTS(X) X(a_i, 15, 0) X(b_i, 15, 0) X(n_hat_i, 15, 0)\n" in header
    assert "#define RESULT_PORTS(X) X(p_o, 15, 0)\n" in header
    assert "X(n_i, 8, 1)" in ports_header(LOADED.contract)
    assert Encoding("carry_save", 8, 8).suffixes == ("s", "c")


# ---------------------------------------------------------------- the load phase


def test_a_modulus_is_loaded_once_for_all_requests_under_it() -> None:
    wanted = [(a, 5, n) for n in (11, 13, 11) for a in range(4)]
    found = build_bench(LOADED).run([Request(LOADED.encode(*o)) for o in wanted]).responses
    assert [LOADED.contract.decode(r.vectors)["p"] for r in found] == [
        a * b % n for a, b, n in wanted
    ]
    assert [r.load for r in found] == [3, None, None, None] * 3
    assert [r.gap for r in found] == [0, 3, 3, 3] * 3


def test_a_reset_forgets_what_was_loaded() -> None:
    requests = [Request(LOADED.encode(3, 5, 11)), Request(LOADED.encode(4, 5, 11), reset_at=1)]
    found = build_bench(LOADED).run(requests)
    assert found.resets == 1
    assert [r.load for r in found.responses] == [3, 3]
    assert not any(r.errors for r in found.responses)


def test_verify_drives_loads(tmp_path: Path) -> None:
    assert not verify(LOADED, operations=300, seed=1).mismatches
    slow = edited(LOADED, "8'(LoadCycles)", "8'(LoadCycles + 1)", tmp_path)
    report = verify(slow, operations=300, seed=1)
    assert any("the load took 4 cycles" in str(f) for f in report.failures)
    early = tmp_path / "early"
    early.mkdir()
    ignored = edited(LOADED, "n_q <= n_i", "n_q <= n_q ^ n_i", early)
    assert verify(ignored, operations=300, seed=1).mismatches
