# SPDX-License-Identifier: Apache-2.0
"""docs/choose: each answer is that of the command above it, and its folder can be made."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from itertools import pairwise
from pathlib import Path

import pytest
from typer.testing import CliRunner

from doc_page import DOCS, Page, run
from montforge.arch import design
from montforge.cli.app import app

PAGES = ("ecc", "rsa_dh", "zkp", "lattices")
COMMANDS = {name: Page.read(f"choose/{name}.md").commands for name in PAGES}
ANSWERS = [
    (pick.strip(), make.strip())
    for commands in [*COMMANDS.values(), Page.read("get_started.md").commands]
    for pick, make in pairwise(commands)
    if pick.startswith("montforge pick")
]


def chosen(generate: str) -> object:
    """Return the design of a command."""
    name, *options = shlex.split(generate)[2:]
    given = [word for flag, word in pairwise(options) if flag == "-p"]
    return design(name, **dict(word.split("=") for word in given))


@pytest.mark.parametrize(("pick", "make"), ANSWERS)
def test_the_answer_is_the_first_of_the_command(pick: str, make: str) -> None:
    found = json.loads(CliRunner().invoke(app, [*shlex.split(pick)[1:], "--json"]).output)
    (first, *_) = found["choices"] or found["estimates"]
    assert chosen(make) == chosen(first["generate"])


@pytest.mark.slow
@pytest.mark.parametrize("name", PAGES)
def test_the_folders_can_be_made(name: str, tmp_path: Path) -> None:
    lines = [line for command in COMMANDS[name] for line in command.splitlines()]
    made = {line for line in lines if line.startswith("montforge generate")}
    assert made
    for line in made:
        run(line, tmp_path)
        assert (tmp_path / shlex.split(line)[-1] / "README.md").is_file()


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("sta") is None, reason="OpenSTA is not installed")
def test_the_figures_of_a_small_prime(tmp_path: Path) -> None:
    page = Page.read("choose/lattices.md")
    (command,) = [each for each in page.commands if each.startswith("montforge measure")]
    (shown,) = page.outputs
    printed = run(command, tmp_path)
    assert [line for line in shown.splitlines() if line not in printed] == []


def test_baselines_are_published_and_link_to_their_pages() -> None:
    text = (DOCS / "choose" / "baselines.md").read_text()
    rows = re.findall(
        r"^\| (.*?) \| \[`(\w+)`\]\(\.\./architectures/(\w+)\.md\)", text, re.MULTILINE
    )
    assert len(rows) >= 25
    for source, name, page in rows:
        assert re.fullmatch(r"\w+ \d{4}", source) and name == page
        assert name not in ("unit_csa", "three_pass", "unit_dsp", "fixed_prime")
