# SPDX-License-Identifier: Apache-2.0
"""Numbers that the docs state of designs are those of the contracts and models."""

from __future__ import annotations

import json
import re
import runpy
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from montforge.arch import design

DOCS = Path(__file__).parents[1] / "docs"


def latency(name: str, **parameters: object) -> int:
    cycles = design(name, **parameters).contract.latency
    assert cycles.is_fixed
    return cycles.minimum


def listed(numbers: list[int]) -> str:
    return ", ".join(map(str, numbers[:-1])) + f" and {numbers[-1]}"


def booth(pipeline: int) -> str:
    pairs = [latency("booth_csa", width=1024, radix=r, pipeline=pipeline) for r in (4, 8, 16)]
    binary = latency("booth_csa", width=1024, radix=64, pipeline=pipeline)
    words = -(-1025 // 32)
    if pipeline:
        return f"`pipeline=1` {', '.join(map(str, pairs))} and {binary - words} + {words}."
    return (
        f"that is {listed(pairs)} cycles for radix 4, 8 and 16, and {binary - words} + {words} for"
    )


def eberle() -> str:
    cycles = [
        latency("eberle", width=256, k=256 // d, reduction="subtract") for d in (8, 16, 32, 64, 128)
    ]
    return f"digits of 8, 16, 32, 64 and 128 bits take {listed(cycles)} cycles"


def grossschaedl() -> str:
    cycles = [
        latency("grossschaedl", width=256, digit=d, reduction="subtract") for d in (16, 32, 64, 128)
    ]
    return f"digit adders of 16, 32, 64 and 128 bits take {listed(cycles)} cycles"


def tenca_koc() -> str:
    cycles = [
        latency("tenca_koc", width=256, word=16, elements=e, variant="published")
        for e in (1, 2, 4, 8)
    ]
    return "{} cycles with one element, {} with 2, {} with 4, {} with 8".format(*cycles)


def scs_mm1() -> str:
    a, b, c = (
        latency("scs_mm1", width=w, converter=c) for w, c in ((1024, 32), (2048, 32), (2048, 64))
    )
    return f"{a} for 1024 bits with 32, {b} and {c} for 2048 bits with 32 and 64"


def scs_mm_ct() -> str:
    return f"{latency('scs_mm_ct', width=1024, block=16)} at 1024 bits and block = 16"


def rmm_registers() -> str:
    form = {"width": 256, "k": 3, "m": 1}
    later = latency("rmm", **form, multiplier="booth", stages=2, accumulator="registered")
    return f"at k = 3, m = 1 it takes {later} cycles instead of {latency('rmm', **form)}"


@pytest.mark.parametrize(
    ("page", "sentence"),
    [
        ("booth_csa", lambda: booth(0)),
        ("booth_csa", lambda: booth(1)),
        ("eberle", eberle),
        ("grossschaedl", grossschaedl),
        ("tenca_koc", tenca_koc),
        ("scs_mm1", scs_mm1),
        ("scs_mm_ct", scs_mm_ct),
        ("rmm", rmm_registers),
    ],
)
def test_sentences_with_cycle_counts(page: str, sentence: Callable[[], str]) -> None:
    text = " ".join((DOCS / "architectures" / f"{page}.md").read_text().split())
    assert sentence() in text


def test_cycles_of_the_exploration_are_those_of_the_contracts() -> None:
    rows = json.loads((DOCS / "exploration" / "results.json").read_text())["rows"]
    assert len(rows) == 68
    for row in rows:
        contract = design(row["architecture"], **row["parameters"]).contract
        if contract.latency.is_fixed:
            assert row["cycles"] == contract.latency.minimum, row["label"]
        else:
            low, high = contract.latency.minimum, contract.latency.maximum
            assert low <= row["cycles"] <= high, row["label"]


def test_each_architecture_has_a_page_that_the_navigation_names() -> None:
    from montforge.arch import registry

    navigation = (DOCS.parent / "mkdocs.yml").read_text()
    for name in registry():
        assert (DOCS / "architectures" / f"{name}.md").is_file(), name
        assert f"architectures/{name}.md" in navigation, name


def test_the_table_of_architectures_is_that_of_the_registry() -> None:
    """If it is not: python scripts/make_architecture_index.py."""
    made = runpy.run_path(str(DOCS.parent / "scripts" / "make_architecture_index.py"))
    assert made["page"]() == (DOCS / "architectures" / "index.md").read_text()


def test_the_table_of_published_engines_is_that_of_the_data() -> None:
    from montforge.rsa.published import published_engines

    lines = published_engines().to_markdown().splitlines()
    table = [line for line in lines if line.startswith("|")]
    assert "\n".join(table) in (DOCS / "rsa.md").read_text()


COMMIT = re.compile(r"\b(?=[0-9]*[a-f])(?=[a-f]*[0-9])(?:[0-9a-f]{7}|[0-9a-f]{40})\b")


def git(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["git", *arguments], cwd=DOCS, capture_output=True, text=True)


def unknown_commits(text: str) -> set[str]:
    names = set(COMMIT.findall(text))
    return {name for name in names if git("merge-base", "--is-ancestor", name, "HEAD").returncode}


def test_figures_name_commits_of_this_history() -> None:
    if git("rev-parse", "--is-shallow-repository").stdout != "false\n":
        pytest.skip("needs the whole history of a git repository")
    pages = [*DOCS.glob("**/*.md"), *DOCS.glob("**/results.json")]
    unknown = {
        path.relative_to(DOCS).as_posix(): names
        for path in pages
        if (names := unknown_commits(path.read_text(encoding="utf-8")))
    }
    assert pages and not unknown
    assert unknown_commits("at 0ac7e3e, a commit that was lost") == {"0ac7e3e"}
