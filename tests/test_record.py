# SPDX-License-Identifier: Apache-2.0
"""The record of a folder, and of JSON output: what ``-p`` takes, so that all can be made again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from montforge.arch import design
from montforge.arch.parameter import named_values
from montforge.arch.rsa.engine import Engine
from montforge.cli.app import app
from montforge.generate import MARKER

ENGINE = ("-p", "bits=32", "-p", "min_bits=32", "-p", "window=2", "-p", "core=mm_r2")
NESTED = ("-p", "width=16", "-p", "exponent_bits=8", "-p", "multiplier=rmm", "-p", "multiplier.k=3")
PUBLIC = ("-p", "public=1", "-p", "public_core=eberle", "-p", "public_core.k=8", "-p", "check=n")
FOLDERS = (
    ("mm_r2", "-p", "width=9", "--name", "mine", "--prefix", "left", "--seed", "7"),
    ("mm_r2", "-p", "width=8", "--flat-verilog"),
    ("scs_mm_new", "-p", "width=8", "-p", "variant=published", "--form", "axi"),
    ("fios_dsp", "-p", "width=32", "--form", "native"),
    ("fios_dsp", "-p", "width=32", "--form", "axi", "--prefix", "left"),
    ("fmle", "-p", "width=24", "-p", "exponent_bits=9", "--form", "native"),
    ("modexp", *NESTED),
    ("modexp", *NESTED, "--form", "native"),
    ("rsa", *ENGINE),
    ("rsa", *ENGINE, "--form", "axis", "--prefix", "left"),
    ("rsa", *ENGINE, *PUBLIC, "--name", "mine", "--seed", "3"),
)


def invoke(*words: object) -> dict[str, Any]:
    done = CliRunner().invoke(app, [*map(str, words), "--json"])
    assert done.exit_code == 0, done.output
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def given(parameters: dict[str, Any]) -> list[str]:
    return [word for key, value in parameters.items() for word in ("-p", f"{key}={value}")]


def words_of(record: dict[str, Any]) -> list[str]:
    """Return the command line of a record, which it has without knowledge of the architecture."""
    words = [record["architecture"], *given(record["parameters"]), "--form", record["form"]]
    options = {key: record.get(key) for key in ("seed", "name", "prefix")}
    words += [word for key, value in options.items() if value for word in (f"--{key}", str(value))]
    return words + ["--flat-verilog"] * record.get("flat_verilog", False)


@pytest.mark.parametrize("words", FOLDERS, ids=" ".join)
def test_a_folder_is_made_again_from_its_own_record(words: tuple[str, ...], tmp_path: Path) -> None:
    printed = invoke("generate", *words, "-o", tmp_path / "first")
    record = json.loads((tmp_path / "first" / MARKER).read_text())
    for key in ("parameters", "rtl_parameters", "form"):
        assert printed[key] == record[key]
    invoke("generate", *words_of(record), "-o", tmp_path / "second")
    first, second = (
        {
            path.relative_to(folder): path.read_bytes()
            for path in folder.rglob("*")
            if path.is_file()
        }
        for folder in (tmp_path / "first", tmp_path / "second")
    )
    assert first == second


def test_parameters_of_info_are_taken_by_p() -> None:
    found = invoke("info", "modexp", *NESTED)
    values = {key: entry["value"] for key, entry in found["parameters"].items()}
    again = design("modexp", **values)
    assert again.parameters["exponent_bits"] == 8
    assert again.parameters["multiplier.k"] == 3
    assert again.hardware.parameters == found["rtl_parameters"]


@pytest.mark.parametrize(
    "words",
    [
        ("verify", "--operations", "3", "--seed", "1"),
        ("cycles", "--samples", "3", "--seed", "1"),
        ("measure", "--target", "ecp5-85k", "--seeds", "0"),
    ],
    ids=str,
)
def test_reports_have_the_parameters_of_both_languages(words: tuple[str, ...]) -> None:
    verb, *options = words
    found = invoke(verb, "mm_r2", "-p", "width=8", *options)
    hardware = design("mm_r2", **found["parameters"]).hardware
    assert found["rtl_parameters"] == hardware.parameters == {"Width": 8}


@pytest.mark.parametrize(
    "words", [("info", "rsa"), ("verify", "rsa", "--operations", "1", "--seed", "1")], ids=str
)
def test_parameters_of_an_engine_are_taken_by_p(words: tuple[str, ...]) -> None:
    found = invoke(*words, *ENGINE)
    values = found["parameters"]
    if words[0] == "info":
        values = {name: of["value"] for name, of in values.items() if of["value"] != ""}
    again = design("rsa", **values)
    assert again == design("rsa", **named_values(ENGINE[1::2]))
    assert isinstance(again, Engine)
    assert again.hardware.parameters == found["rtl_parameters"]
