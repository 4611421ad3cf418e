# SPDX-License-Identifier: Apache-2.0
"""The command that does a piece of work again: a shell and the parser of commands read it back."""

from __future__ import annotations

import shlex
import subprocess
from dataclasses import fields
from pathlib import Path
from typing import Any

import typer

from montforge.arch import design
from montforge.cli.app import app
from montforge.explore import Settings
from montforge.measure.measurement import measure_command
from montforge.work.command import command_line, unless


def test_options_by_their_values() -> None:
    line = command_line(
        "verb", ("a", "-p", "k=3"), none=None, no=False, empty="", yes=True, zero=0, many=(1, 2)
    )
    assert line == "montforge verb a -p k=3 --yes --zero 0 --many 1 --many 2"
    assert (unless(3, 3), unless(3, 0)) == (None, 0)


def test_a_shell_reads_each_word_as_it_was() -> None:
    path = Path("/a b/$HOME;'x'")
    line = command_line("measure", liberty=path)
    script = f"montforge() {{ printf '%s\\n' \"$@\"; }}; {line}"
    found = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=True).stdout
    assert found.splitlines() == ["measure", "--liberty", str(path)]


def parsed(line: str) -> dict[str, Any]:
    """Return what the parser makes of the options of a line, without running its command."""
    _, verb, *words = shlex.split(line)
    command = typer.main.get_command(app)
    single = command.get_command(command.make_context("montforge", [verb]), verb)
    return dict(single.make_context(verb, words).params)


def test_the_command_takes_a_measurement_back() -> None:
    chosen = design("scs_mm_new", width=9)
    on_cells = parsed(measure_command(chosen.words, None, Path("my cells"), 3, "quick", True))
    assert on_cells["liberty"] == Path("my cells")
    assert (on_cells["effort"], on_cells["netlist_check"]) == ("quick", True)
    placed = measure_command(chosen.words, "ecp5-85k", None, 0, "quick", True, 40, 300)
    assert "--effort" not in placed and "--netlist-check" not in placed
    found = parsed(placed)
    assert [found[name] for name in ("seeds", "frequency", "samples")] == [0, 40, 300]


def test_the_command_takes_an_exploration_back() -> None:
    """All settings but those of the machine, which change no figure."""
    given = Settings(
        target="osu018",
        liberty=Path("a b"),
        width=9,
        architectures=("mm_r2", "rmm"),
        space=Path("space"),
        form="native",
        trials=5,
        sampler="random",
        seed=7,
        samples=11,
        seeds=2,
        effort="quick",
        netlist_check=True,
        clock_gating=True,
        placed=True,
        own=(Path("own.json"),),
    )
    found = parsed(given.command)
    found["architectures"] = tuple(found.pop("arch"))
    found["own"] = tuple(found["own"])
    machine = {"workers", "dask", "time_limit", "memory_limit", "retry"}
    names = {each.name for each in fields(Settings)} - machine
    assert {name: found[name] for name in names} == {name: getattr(given, name) for name in names}
    usual = {each.name: each.default for each in fields(Settings)}
    names -= {"points"}  # which excludes a space
    assert not [name for name in names if getattr(given, name) == usual[name]]
    short = shlex.split(Settings("osu018", workers=3).command)
    assert short[2:] == ["--width", "256", "--target", "osu018", "--output", "DIR"]
