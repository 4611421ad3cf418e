# SPDX-License-Identifier: Apache-2.0
"""The command: stable JSON, exit statuses, and errors for bad input."""

from __future__ import annotations

import errno
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from montforge import cli
from montforge.cli.interrupts import ENDINGS
from montforge.contract import Bound
from montforge.errors import (
    CheckFailedError,
    EntryPointError,
    MontforgeError,
    OutputFolderError,
    ParameterError,
    ToolFailedError,
)
from montforge.work.limits import unwritable


@dataclass
class Outcome:
    status: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        found = json.loads(self.out)
        assert isinstance(found, dict)
        return found


Run = Callable[..., Outcome]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*words: object) -> Outcome:
        monkeypatch.setattr(sys, "argv", ["montforge", *map(str, words)])
        handlers = {sent: signal.getsignal(sent) for sent in ENDINGS}
        with pytest.raises(SystemExit) as stop:
            cli.main()
        for sent, handler in handlers.items():
            signal.signal(sent, handler)
        captured = capsys.readouterr()
        code = stop.value.code
        return Outcome(code if isinstance(code, int) else 0, captured.out, captured.err)

    return call


def test_list(run: Run) -> None:
    names = {a["architecture"]: a["latency"] for a in run("list", "--json").json["architectures"]}
    assert names["mm_r2"] == "fixed"
    assert names["scs_mm_new"] == "data dependent"
    text = run("list").out
    assert "scs_mm_new" in text
    assert "Radix 2 of the high-radix family booth_csa is fcs_mm1." in text


def test_info(run: Run) -> None:
    data = run("info", "scs_mm_new", "-p", "width=65", "--json").json
    assert data["contract"]["r"] == hex(1 << 69)
    assert data["contract"]["constants"][0]["name"] == "n_hat"
    text = run("info", "scs_mm_new", "-p", "width=65").out
    assert "2^69" in text
    assert "Kuang" in text
    assert data["figures"] == {}


def test_info_prints_the_use_of_shared_multipliers(run: Run) -> None:
    """k = 4 has 36 digit products; two operations in the period of the plan."""
    parameters = ("-p", "k=4", "-p", "m=4", "-p", "contexts=2")
    figures = run("info", "rmm", *parameters, "--json").json["figures"]
    assert figures["digit products"] == 36
    assert figures["multiplier utilisation"] >= 0.95
    assert "multiplier utilisation: " in run("info", "rmm", *parameters).out


def test_verify_keys(run: Run) -> None:
    done = run("verify", "mm_r2", "-p", "width=8", "--operations", 50, "--seed", 3, "--json")
    assert done.status == 0
    assert {"architecture", "parameters", "operations", "mismatches", "seed"} <= done.json.keys()
    assert done.json["mismatches"] == 0
    assert done.json["seed"] == 3


def test_verify_products(run: Run, tmp_path: Path) -> None:
    vectors = tmp_path / "v.jsonl"
    rows = [(11, 5, 7), (251, 250, 250), (3, 2, 2)]
    lines = [json.dumps({"n": hex(n), "a": hex(a), "b": hex(b)}) for n, a, b in rows]
    vectors.write_text("\n".join(lines) + "\n")
    for name in ("mm_r2", "scs_mm_new"):
        done = run("verify", name, "-p", "width=8", "--vectors", vectors, "--json")
        assert [int(p, 16) for p in done.json["products"]] == [a * b % n for n, a, b in rows]


def test_cycles_keys(run: Run) -> None:
    done = run("cycles", "scs_mm_new", "-p", "width=32", "--samples", 50, "--seed", 1, "--json")
    assert done.status == 0
    keys = {"architecture", "parameters", "samples", "seed", "cycles", "model_mismatches"}
    assert keys | {"published"} <= done.json.keys()
    assert done.json["cycles"].keys() == {"min", "mean", "max", "sd"}
    assert done.json["model_mismatches"] == 0


FIRST_KEYS = {
    ("list",): {"architectures"},
    ("info", "scs_mm_new", "-p", "width=8"): {
        *("architecture", "citation", "contract", "errata", "figures", "formulas", "parameters"),
        "title",
    },
    ("verify", "mm_r2", "-p", "width=8", "--operations", "20"): {
        *("architecture", "cycles_checked", "cycles_simulated", "failures", "mismatches", "modes"),
        *("operations", "parameters", "resets", "seed"),
    },
    ("cycles", "mm_r2", "-p", "width=8", "--samples", "20"): {
        *("architecture", "cycles", "failures", "handover", "mismatches", "model_mismatches"),
        *("parameters", "published", "samples", "seed"),
    },
    ("measure", "mm_r2", "-p", "width=8", "--target", "osu018", "--effort", "quick"): {
        *("architecture", "area", "area_latency", "area_registers", "area_um2", "area_unit"),
        *("best_period", "cells", "command", "commit", "critical_path", "cycles", "design"),
        *("flags", "fmax_mhz", "inputs", "latency", "latency_ns", "notes", "parameters", "paths"),
        *("period", "period_ns", "period_unit", "power", "resources", "sweep", "target"),
        *("target_title", "timing", "tools", "wire_load"),
    },
}
"""What version 0.1.0 (c87348c) had in the JSON of each command."""
FIRST_PARTS = {
    "architectures": {"architecture", "family", "latency", "parameters", "title"},
    "contract": {
        *("architecture", "constants", "handover", "interval", "latency", "modulus", "notes"),
        *("operand_bound", "operand_encoding", "parameters", "ports", "r", "result_bound"),
        *("result_encoding", "takes_modulus", "width"),
    },
    "cycles": {"max", "mean", "min", "sd"},
    "best_period": {"adder", "area", "booth", "delay_ps", "period", "script"},
    "wire_load": {"model", "period_with", "period_without"},
    "tools": {"montforge", "opensta", "yosys"},
}
"""The same of the objects within."""


@pytest.mark.parametrize("words", FIRST_KEYS, ids=lambda words: words[0])
def test_json_keeps_the_keys_of_the_first_version(words: tuple[str, ...], run: Run) -> None:
    if words[0] == "measure" and shutil.which("sta") is None:
        pytest.skip("OpenSTA is not installed")
    done = run(*words, "--json")
    assert done.status == 0, done.err
    assert FIRST_KEYS[words] <= done.json.keys()
    for part, keys in FIRST_PARTS.items():
        found = done.json.get(part)
        for value in found if isinstance(found, list) else [found]:
            if isinstance(value, dict):
                assert keys <= value.keys()


def test_model(run: Run, tmp_path: Path) -> None:
    models = run("model", "--k", 4, "--m", "1..5", "--json").json["models"]
    found = {(x["m"], x["class"]): x["cycles"] for x in models}
    assert [found[m, "SOS"] for m in range(1, 6)] == [36, 20, 18, 12, 12]
    assert [found[m, "SPS"] for m in range(1, 6)] == [42, 21, 14, 11, 9]
    assert models[0]["schedule"][0] == ["T(0,0)"]
    assert "18 │   20" in run("model").out
    picture = tmp_path / "sps.svg"
    call = ("model", "--class", "sps", "--m", 3, "--picture", picture)
    assert "sps.svg" in run(*call, "--pipeline").out.replace("\n", "")
    assert b"T[0] x M" in picture.read_bytes()


def test_generate(run: Run, tmp_path: Path) -> None:
    done = run("generate", "mm_r2", "-p", "width=8", "-o", tmp_path / "g", "--json")
    assert done.status == 0
    assert done.json["top"] == "mm_r2_width8"
    assert all((tmp_path / "g" / name).is_file() for name in done.json["files"])


BAD_INPUT = [
    (("info", "mm_r3"), "did you mean 'mm_r2'"),
    (("info", "rssa"), "did you mean 'rsa'? Known: barrett,"),
    (("measure", "rsa_engine", "--target", "table2"), "did you mean 'rsa'"),
    (("verify", "FCS-MM"), "did you mean 'fcs_mm"),
    (("cycles", "montgomery"), "unknown architecture 'montgomery'. Known: barrett"),
    (("info", "ecc"), "unknown architecture 'ecc'. Known: barrett"),
    (("info", "modexp", "-p", "multiplier=rsa"), "rsa is an engine"),
    (("verfy", "mm_r2"), "did you mean 'verify'"),
    (("info", "fixed_prime", "-p", "prime=p257"), "did you mean 'p256'"),
    (("info", "fixed_prime", "-p", "modulus=0x1f", "-p", "width=6"), "have 6 bits, the width"),
    (("info", "mm_r2", "-p", "wdith=8"), "did you mean 'width'"),
    (("info", "mm_r2", "-p", "width"), "NAME=VALUE"),
    (("info", "mm_r2", "-p", "width=8", "-p", "width=9"), "given twice"),
    (("info", "mm_r2", "-p", "width=0"), "nearest legal: 3"),
    (("info", "mm_r2", "-p", "width=1"), "nearest legal: 3"),
    (("info", "mm_r2", "-p", "width=2"), "nearest legal: 3"),
    (("info", "mm_r2", "-p", "width=8.5"), "not an integer"),
    (("info", "scs_mm_new", "-p", "variant=closd"), "did you mean 'closed'"),
    (("verify", "mm_r2", "-p", "width=8", "--modulus", "10"), "even"),
    (("verify", "mm_r2", "-p", "width=8", "--modulus", "0"), "below 3"),
    (("verify", "mm_r2", "-p", "width=8", "--modulus", "1"), "below 3"),
    (("verify", "mm_r2", "-p", "width=8", "--modulus=-7"), "below 3"),
    (("verify", "mm_r2", "-p", "width=8", "--modulus", "0x10001"), "wider"),
    (("verify", "mm_r2", "-p", "width=8", "--modulus", "ten"), "not an integer"),
    (("verify", "mm_r2", "-p", "width=8", "--mode", "randm"), "did you mean 'random'"),
    (("verify", "mm_r2", "-p", "width=8", "--vectors", "/nonexistent"), "/nonexistent"),
    (("verify", "mm_r2", "--operations", "0"), "operations"),
    (("measure", "mm_r2", "--target", "osu08"), "did you mean 'osu018'"),
    (("measure", "mm_r2"), "--target"),
    (("measure", "mm_r2", "--liberty", "/nonexistent.lib"), "/nonexistent.lib"),
    (("measure", "mm_r2", "--target", "table2", "--seeds", "3"), "--seeds has no effect on table2"),
    (("measure", "mm_r2", "--target", "xcup", "--seeds", "3"), "--seeds has no effect on xcup"),
    (("measure", "mm_r2", "--target", "osu018", "--frequency", "3"), "--frequency has no effect"),
    (("measure", "mm_r2", "--target", "ecp5-85k", "--frequency", "1001"), "from 1 to 1,000"),
    (("measure", "mm_r2", "--target", "xcup", "--effort", "quick"), "--effort has no effect on"),
    (("measure", "mm_r2", "--target", "ecp5-85k", "--netlist-check"), "--netlist-check has no"),
    (
        ("measure", "mm_r2", "--target", "table2", "--samples", "9"),
        "the latency of mm_r2(width=256",
    ),
    (
        ("verify", "mm_r2", "--form", "native"),
        "mm_r2 has no form 'native'; it has parallel and axi",
    ),
    (("generate", "fios_dsp", "--form", "bus", "-o", "x"), "it has parallel and native and axi"),
    (("model", "--m", "1..x"), "is not a list of numbers"),
    (("model", "--m", "3..1"), "no number in it"),
    (("model", "--m", "17"), "nearest legal: 16"),
    (("model", "--k", "1"), "k must be an integer from 2 to 16"),
    (("model", "--class", "CIOT"), "Known: CIHS, CIOS"),
    (("model", "--picture", "x.png"), "one schedule"),
    (("model", "--m", "1", "--class", "SPS", "--picture", "x.gif"), "must be one of .png"),
    (("reproduce", "kuang2015"), "did you mean 'kuang2016'"),
    (("reproduce", "kuang2016", "--target", "osu08"), "did you mean 'osu018'"),
    (("reproduce", "kuang2016", "--table", "9"), "table"),
    (("reproduce", "kuang2016", "--table", "3", "-o", __file__), "is a file"),
    (("reproduce", "kuang2016", "--table", "3", "-o", f"{__file__}/below"), "is a file"),
    (("cycles", "mm_r2", "--samples", "99999999999"), "samples must be from 1 to 10,000,000"),
    (("verify", "mm_r2", "--operations", "99999999999"), "operations must be from 1 to"),
    (("verify", "mm_r2", "--waves", "x.vcd"), "must end in .fst"),
    (("explore", "-o", "x", "--target", "table2", "--time-limit", "nan"), "time_limit = nan"),
    (("frobnicate",), "frobnicate"),
]


@pytest.mark.parametrize(("words", "message"), BAD_INPUT, ids=lambda v: " ".join(v)[:40])
def test_bad_input_is_status_2_with_a_reason(
    run: Run, words: tuple[str, ...], message: str
) -> None:
    done = run(*words)
    assert done.status == 2
    assert done.out == ""
    assert message in " ".join(done.err.split())
    assert "Traceback" not in done.err


def test_the_width_of_a_fixed_modulus_is_its_bits(run: Run) -> None:
    for word, width in (("prime=bn254_p", 254), ("modulus=0x1d", 5), ("levels=3", 256)):
        done = run("info", "fixed_prime", "-p", word, "--json")
        assert done.json["parameters"]["width"]["value"] == width


def test_generate_names_the_forms_of_the_engine(run: Run) -> None:
    assert "axis" in run("generate", "--help").out


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("not json", "JSON"),
        ('{"n": "0xb", "a": "0x1"}', "b"),
        ('{"n": "0xb", "a": "0x1", "b": "0xb"}', "b"),
        ('{"n": "0xa", "a": "0x1", "b": "0x2"}', "even"),
        ('{"n": "0xb", "a": "zz", "b": "0x2"}', "zz"),
        ('{"n": "0x10001", "a": "0x1", "b": "0x2"}', "wider"),
    ],
)
def test_a_broken_vectors_line_is_named(run: Run, tmp_path: Path, line: str, message: str) -> None:
    vectors = tmp_path / "v.jsonl"
    vectors.write_text('{"n": "0xb", "a": "0x1", "b": "0x2"}\n' + line + "\n")
    done = run("verify", "mm_r2", "-p", "width=8", "--vectors", vectors)
    assert done.status == 2
    assert "line 2" in done.err
    assert message in done.err


def test_a_foreign_output_folder_is_left_alone(run: Run, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "file").write_text("precious")
    done = run("generate", "mm_r2", "-p", "width=8", "-o", tmp_path / "mine")
    assert done.status == 2
    assert [p.name for p in (tmp_path / "mine").iterdir()] == ["file"]
    assert [p.name for p in tmp_path.iterdir()] == ["mine"]


def test_not_a_liberty_file(run: Run, tmp_path: Path) -> None:
    for text in ("", "hello"):
        liberty = tmp_path / "x.lib"
        liberty.write_text(text)
        done = run("measure", "mm_r2", "-p", "width=8", "--liberty", liberty)
        assert done.status == 2
        assert "x.lib" in "".join(done.err.split())


COMMAND = Path(__file__).parents[1] / "bin" / "montforge"
INTERRUPT = """
import runpy, signal, sys

def count(frame, event, value):
    global calls, seen
    name = frame.f_globals.get("__name__", "")
    if event == "call":
        seen = seen or name == module
        calls -= seen
    if calls == 0:
        signal.raise_signal(getattr(signal, sent))

command, module, calls, sent = sys.argv[1:5]
calls, seen = int(calls), False
sys.argv[1:] = sys.argv[5:]
sys.setprofile(count)
runpy.run_path(command, run_name="__main__")
"""


def interrupted(module: str, calls: int, sent: str = "SIGINT") -> tuple[int, str]:
    """Send a signal to `montforge list` before a call of a function, counted from ``module`` on.

    Return the status and what it wrote to standard error.
    """
    command = [sys.executable, "-c", INTERRUPT, str(COMMAND), module, str(calls), sent, "list"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    return done.returncode, done.stderr


@pytest.mark.parametrize(
    "module",
    ["montforge", "montforge.cli", "signal", "typer", "rich.console", "montforge.cli.list_command"],
)
def test_an_interrupt_while_the_command_is_loaded_prints_nothing(module: str) -> None:
    assert interrupted(module, 1) == (130, "")


@pytest.mark.parametrize(
    ("sent", "calls"),
    [("SIGINT", 2), ("SIGINT", 5000), ("SIGINT", 40_000), ("SIGTERM", 300)],
)
def test_an_interrupt_at_any_time_prints_no_traceback(sent: str, calls: int) -> None:
    """The command has about 150,000 calls of functions; after 100,000 its modules are loaded."""
    status, messages = interrupted("montforge", calls, sent)
    by_default = -getattr(signal, sent)  # Python does not take SIGTERM itself
    assert status in (130, by_default)
    assert "interrupted; " in messages or not messages


def test_unwritable_cache(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("MONTFORGE_CACHE", str(tmp_path / "file"))
    done = run("verify", "mm_r2", "-p", "width=8")
    assert done.status == 4
    assert "MONTFORGE_CACHE" in done.err


class NewKindError(MontforgeError):
    """An error of a new kind."""


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (ParameterError("bad"), 2),
        (OutputFolderError("bad"), 2),
        (CheckFailedError("bad"), 1),
        (ToolFailedError("bad"), 4),
        (EntryPointError("bad"), 4),
        (NewKindError("bad"), 4),
        (unwritable(Path("out"), OSError(errno.ENOSPC, "No space left on device")), 4),
        (unwritable(Path("out"), OSError(errno.EACCES, "Permission denied")), 2),
        (OSError(errno.ENOSPC, "No space left on device"), 4),
        (KeyError("an error in montforge"), 4),
        (KeyboardInterrupt(), 130),
    ],
    ids=repr,
)
def test_exit_statuses(
    run: Run, error: BaseException, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr("montforge.cli.info.chosen_design", fail)
    done = run("info", "mm_r2")
    assert done.status == status
    assert done.out == ""
    assert ("Traceback" in done.err) == isinstance(error, KeyError)


def test_a_full_disk_is_not_bad_usage() -> None:
    for words in (["list"], ["info", "mm_r2", "--json"]):
        with Path("/dev/full").open("w") as full:
            done = subprocess.run(
                [sys.executable, "-m", "montforge", *words],
                stdout=full,
                stderr=subprocess.PIPE,
                text=True,
            )
        assert done.returncode == 4
        assert "No space left on device" in done.stderr


@pytest.mark.parametrize("error", [KeyboardInterrupt(), ToolFailedError("a worker was killed.")])
@pytest.mark.parametrize(
    ("command", "call"), [("verify", "verify_design"), ("cycles", "measure_cycles")]
)
def test_work_that_is_cut_off_names_its_seed(
    run: Run, command: str, call: str, error: BaseException, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[int] = []

    def cut_off(*_: object, seed: int, **__: object) -> None:
        given.append(seed)
        raise error

    checks = SimpleNamespace(dispatch=lambda _: cut_off)
    monkeypatch.setattr(f"montforge.cli.{command}.{call}", checks)
    done = run(command, "mm_r2", "-p", "width=8")
    assert done.status in (4, 130)
    assert f"with --seed {given[0]} it goes on" in done.err
    assert "--seed" not in run(command, "mm_r2", "-p", "width=8", "--seed", "7").err
    assert given[1] == 7


@pytest.mark.parametrize(
    "spoil",
    [
        lambda out: (out / "index.html").touch() or (out / "results.csv").mkdir(),
        lambda out: out.rmdir() or out.symlink_to("/proc/nowhere"),
        lambda out: out.rmdir() or out.symlink_to("/proc/self"),
    ],
    ids=["folder in the place of a table", "dangling", "not writable"],
)
def test_explore_refuses_a_folder_before_it_measures(
    run: Run, spoil: Callable[[Path], object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    out.mkdir()
    spoil(out)
    monkeypatch.setattr("montforge.cli.explore.explore_space", None)  # is not called
    done = run("explore", "--target", "table2", "-o", out)
    assert done.status == 2
    assert "the output folder" in done.err


def test_explore_leaves_nothing_of_its_check(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("montforge.cli.explore.explore_space", None)
    name = "x" * 300
    for folder in (tmp_path / "a" / "b", tmp_path / "c" / name):
        done = run("explore", "--target", "table2", "-o", folder)
        assert (done.status == 2) == (folder.name == name)
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("words", "package"),
    [
        (("verify", "mm_r2", "-p", "width=7"), "g++"),
        (("measure", "mm_r2", "-p", "width=7", "--target", "osu018"), "opensta"),
    ],
)
def test_a_missing_tool_is_named(
    run: Run, words: tuple[str, ...], package: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MONTFORGE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PATH", str(tmp_path))
    done = run(*words)
    assert done.status == 4
    assert "missing" in done.err
    assert package in done.err


def test_cycles_beside_the_contract(run: Run) -> None:
    words = ("-p", "width=4", "--samples", 20, "--seed", 1)
    data = run("cycles", "scs_mm_new", *words, "--json").json
    assert data["latency"]["maximum"] == 23
    assert data["latency"]["attained"] is False
    assert "contract: data_dependent(8, 23) at most" in run("cycles", "scs_mm_new", *words).out
    assert "data_dependent(8, 23) at most" in run("info", "scs_mm_new", "-p", "width=4").out


def test_a_wrong_product_in_cycles_is_status_1(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("montforge.arch.mm_r2.MmR2.golden_model", lambda self, a, b, n: 0)
    words = ("-p", "width=9", "--samples", 20, "--workers", 1)
    done = run("cycles", "mm_r2", *words, "--json")
    assert done.status == 1
    assert done.json["mismatches"] > 10
    assert "was exact" not in run("cycles", "mm_r2", *words).out


def test_cycles_is_status_1_if_only_the_model_differs(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("cycles", "mm_r2", "-p", "width=9", "--samples", 20, "--workers", 1)
    assert run(*words).status == 0
    monkeypatch.setattr("montforge.arch.mm_r2.MmR2.cycle_model", lambda self, a, b, n: 10 + a % 2)
    done = run(*words, "--json")
    assert done.status == 1
    assert 0 < done.json["model_mismatches"] < 20
    assert "differs from the cycle model's 11" in " ".join(run(*words).out.split())


def test_cycles_is_status_1_if_only_the_bound_is_exceeded(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Results of scs_mm_new are below 4n."""
    words = ("cycles", "scs_mm_new", "-p", "width=9", "--samples", 50, "--workers", 1)
    assert run(*words).status == 0
    monkeypatch.setattr("montforge.contract.Contract.result_bound", Bound(1))
    done = run(*words, "--json")
    assert done.status == 1
    assert 0 < done.json["mismatches"] < 50
    assert done.json["model_mismatches"] == 0
    assert "the result is outside its bound" in " ".join(run(*words).out.split())


def test_a_mismatch_is_status_1(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("montforge.arch.mm_r2.MmR2.golden_model", lambda self, a, b, n: 0)
    done = run("verify", "mm_r2", "-p", "width=9", "--operations", 20, "--workers", 1, "--json")
    assert done.status == 1
    assert done.json["mismatches"] > 0


POWERS = ("modexp", "-p", "width=16")


@pytest.mark.parametrize(
    ("command", "words", "message"),
    (
        ("info", ["chains=2"], "interval of 12 leaves no place for more than 1 in its turn of 12"),
        ("generate", ["multiplier=scs_mm_new", "multiplier.variant=published"], "must be closed"),
        ("verify", ["multiplier=fmle"], "must be a Montgomery multiplier"),
        ("info", ["w=7"], "w must be an integer from 0 to 6"),
        ("measure", ["w=7", "--target", "ecp5-85k"], "w must be an integer from 0 to 6"),
        ("cycles", ["leakage=full", "multiplier=scs_mm_skip"], "latency of scs_mm_skip depends"),
        ("info", ["leakage=exponent", "algorithm=l2r"], "algorithm l2r depends on the exponent"),
        ("info", ["multiplier=unit_csa"], "one addition of n does not make them canonical"),
        ("generate", ["constants=hardware", "--form", "native"], "chains = 1, constants = host"),
        ("verify", ["adder=24", "--form", "native"], "needed for native: adder a power of two"),
        ("info", ["constants=hardware", "multiplier=mlm"], "does not follow from n by additions"),
        ("info", ["multipliers=2"], "multipliers = 2 is not legal with algorithm = window"),
    ),
    ids=str,
)
def test_powers_that_can_not_be_had_are_one_sentence(
    run: Run, command: str, words: list[str], message: str, tmp_path: Path
) -> None:
    given = [word for w in words if "=" in w for word in ("-p", w)] + [
        w for w in words if "=" not in w
    ]
    more = ["-o", tmp_path / "out"] if command == "generate" else []
    done = run(command, *POWERS, *given, *more)
    assert done.status == 2
    assert done.err.startswith("montforge: ") and done.err.count("\n") == 1
    assert message in done.err


@pytest.mark.parametrize(
    ("values", "message"),
    (
        ({"n": 40000, "x": 5, "e": 6}, "is even"),
        ({"n": 1, "x": 0, "e": 6}, "below 3"),
        ({"n": 65537, "x": 0, "e": 6}, "wider than the design's 16"),
        ({"n": 40001, "x": 40001, "e": 6}, "x is not below n"),
        ({"n": 40001, "x": 5, "e": 65536}, "e has 17 bits; the exponent memory holds 16 bits"),
        ({"n": 40001, "x": 5, "e": -3}, "e is negative; the exponent memory holds 16 bits"),
    ),
    ids=str,
)
def test_illegal_powers_of_a_file_are_one_sentence(
    run: Run, values: dict[str, int], message: str, tmp_path: Path
) -> None:
    path = tmp_path / "powers.jsonl"
    path.write_text(json.dumps({key: hex(value) for key, value in values.items()}))
    done = run("verify", *POWERS, "--vectors", path)
    assert done.status == 2
    assert done.err.startswith("montforge: ") and done.err.count("\n") == 1
    assert message in done.err


def test_tables_in_a_file_are_whole() -> None:
    environment = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    command = [sys.executable, "-m", "montforge", "parameters", "fmlm", "--width", "2048"]
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    assert "u" in done.stdout
    assert "…" not in done.stdout
