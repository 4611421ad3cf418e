# SPDX-License-Identifier: Apache-2.0
"""Numbers that the docs state of designs are those of the contracts and models."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import render_docs
from figures import Verifier, growth, growth_with_wires, read_runs, with_wires_of_today
from render_docs import Renderer, pages
from typer.testing import CliRunner

from montforge import store
from montforge.arch import Core, design
from montforge.cli.app import app
from montforge.demos import multiplier as demo
from montforge.measure.placed import placed_hash
from montforge.measure.targets import StandardCells, described_target
from montforge.papers import reproduce
from montforge.report.table import format_cell
from montforge.store import Result, multipliers, read_results
from montforge.store.pick import Choice

DOCS = Path(__file__).parents[1] / "docs"


def latency(name: str, **parameters: object) -> int:
    cycles = design(name, **parameters).contract.latency
    assert cycles.is_fixed
    return cycles.minimum


def test_cycle_counts_of_the_changelog() -> None:
    text = " ".join((DOCS.parent / "CHANGELOG.md").read_text().split())
    rows, folded = (
        latency("unit_dsp", width=256, **form) for form in ({"rows": 2}, {"folding": 2})
    )
    assert f"a step in each cycle ({rows} cycles at 256 bits)" in text
    assert f"8 multipliers and {folded} cycles at 256 bits" in text
    both = latency("bipartite", width=256)
    assert f"both ends of an operand at the same time ({both} cycles at 256 bits)" in text


def test_figures_of_the_pages_are_those_of_contracts_results_and_runs() -> None:
    """If they are not: python scripts/render_docs.py."""
    renderer = Renderer(read_results())
    for page in pages():
        text = page.read_text(encoding="utf-8")
        assert renderer.render(text) == text, page
    assert renderer.render("<!--= 6 * 700 -->4100<!--/-->") == "<!--= 6 * 700 -->4,200<!--/-->"


def test_pictures_are_those_of_today_s_results(tmp_path: Path) -> None:
    """If they are not: python scripts/render_docs.py."""
    assert render_docs.stale_pictures() == []
    chart = demo.stored_picture()
    (name, points), *others = chart.series
    moved = replace(points[0], y=1.01 * points[0].y)
    replace(chart, series=((name, (moved, *points[1:])), *others)).write(tmp_path / "old.png")
    assert render_docs.drawn(tmp_path / "old.png") not in ("", chart.data)


RAW = re.compile(r"^<!--[=\"] .*<!--/-->", re.MULTILINE)


def test_no_line_begins_with_a_rendered_figure() -> None:
    """Markdown would read such a line as HTML, and show its links and code as they are typed."""
    found = {page: RAW.findall(page.read_text(encoding="utf-8")) for page in pages()}
    assert not any(found.values()), found
    assert RAW.findall("Of them\n<!--= 6 * 7 -->42<!--/--> are `right`.")


def test_stored_runs_are_those_that_today_s_commands_make() -> None:
    """If they are not: python scripts/store_runs.py, python scripts/render_docs.py."""
    runs = read_runs()
    verified = [command for command in runs if command.startswith("montforge verify ")]
    for command in verified:
        _, _, name, *words = shlex.split(command)
        options = " ".join(word for word in words if word != "-p").replace("--seed 1", "")
        output = runs[command]["output"]
        assert f"{output['operations']:,}" == Verifier(name)(options), command
        assert output["mismatches"] == 0, command
    assert verified


CHEAP = {
    "dai2018": ("2", "3", "5"),
    "grale2020": ("2", "4", "5"),
    "sassaw2010": ("exponentiation",),
}
"""Tables of papers that are made in a second: their models, and all their published figures."""


@pytest.mark.parametrize(("paper", "table"), [(p, t) for p, ts in CHEAP.items() for t in ts])
def test_stored_tables_are_those_that_are_made_today(paper: str, table: str) -> None:
    stored_tables = [
        found
        for command, row in read_runs().items()
        if command.startswith(f"montforge reproduce {paper}")
        for found in row["output"]["tables"]
    ]
    made = json.loads(json.dumps(reproduce(paper, table=table).to_json()))["tables"]
    assert made
    for each in made:
        (old,) = [found for found in stored_tables if found["title"] == each["title"]]
        assert each["notes"] == old["notes"]
        assert [shown(row) for row in each["rows"]] == [shown(row) for row in old["rows"]]


def shown(row: dict[str, Any]) -> dict[str, str]:
    return {name: format_cell(value) for name, value in row.items()}


def tables(page: str) -> Iterator[tuple[int, str, list[Result]]]:
    """Yield width, target and designs of the tables that recommend."""
    mark = r"<!--= recommended\((\d+)(?:, \"(.*?)\")?\) -->(.*?)<!--/-->"
    for width, named, table in re.findall(mark, page, re.DOTALL):
        target = named or "nangate45"
        labels = re.findall(r"\| \[`(\w+)`\]\(.*?\)(?: `(.*?)`)? \|", table)
        known = {(row.architecture, spaced(row.options)): row for row in stored(width, target)}
        yield int(width), target, [known[label] for label in labels]


def spaced(options: dict[str, int | str]) -> str:
    return " ".join(f"{name}={value}" for name, value in options.items())


def stored(width: int | str, target: str) -> list[Result]:
    """The results that tables compare: on cells those with wires, by these figures."""
    effort = "quick" if target == "nangate45" else None
    found = multipliers(
        with_wires_of_today(read_results()), width=int(width), target=target, effort=effort
    )
    return [row.sized for row in found if row.sized] if effort else found


def cost(row: Result) -> tuple[float, ...]:
    """Area (or LUTs and DSP blocks) and time."""
    assert row.time is not None
    if row.area is not None:
        return row.area, row.time
    assert row.resources is not None
    return row.resources["lut"], row.resources["dsp"], row.time


def beats(one: Result, other: Result) -> bool:
    """Whether ``one`` is as good in all that the tables show, and better in something."""
    a, b = cost(one), cost(other)
    promises = one.constant_time >= other.constant_time and one.result == other.result
    return promises and a != b and all(x <= y for x, y in zip(a, b, strict=True))


def test_no_stored_design_beats_a_recommended_one() -> None:
    found = [table for page in pages() for table in tables(page.read_text())]
    places = {(width, target) for width, target, _ in found}
    assert places >= {(256, "nangate45"), (1024, "nangate45"), (256, "ecp5-85k")}
    for width, target, recommended in found:
        assert len(recommended) >= 3
        for row in recommended:
            assert not [other.label for other in stored(width, target) if beats(other, row)]


PICKS = sorted(
    {
        line.strip()
        for page in pages()
        for line in re.findall(r"^montforge pick ([^#>\n]*)", page.read_text(), re.MULTILINE)
        if "--with" not in line and "--estimate" not in line
    }
)


@pytest.mark.parametrize("options", PICKS)
def test_no_stored_design_beats_the_answers_that_pages_ask_for(options: str) -> None:
    done = CliRunner().invoke(app, ["pick", *shlex.split(options.removesuffix("--json")), "--json"])
    best = json.loads(done.output)["choices"][0]
    results = read_results()
    if "--placed" in options:
        results = tuple(
            replace(row.sized, command=row.placed_command) for row in results if row.sized
        )
    (row,) = [row for row in results if row.command == best["measure"]]
    rivals = [other for other in results if other.time is not None and serves(other, row)]
    if "throughput" in options:
        rivals = [other for other in rivals if throughput(other) >= throughput(row)]
    assert row in rivals
    assert not [other.label for other in rivals if beats(other, row)]


def throughput(row: Result) -> float:
    return Choice(row).throughput


def serves(other: Result, row: Result) -> bool:
    """Whether ``other`` could be taken in place of ``row``, measured in the same way."""
    same = ("target", "effort", "form", "size", "function")
    return all(getattr(other, name) == getattr(row, name) for name in same) and (
        other.only_modulus in (None, row.only_modulus)
    )


def test_a_better_result_changes_what_is_recommended() -> None:
    page = (DOCS / "index.md").read_text()
    for width, target, recommended in tables(page):
        other = next(row for row in stored(width, target) if row not in recommended)
        smallest = min(recommended, key=cost)
        better = replace(
            other, area=smallest.area, resources=smallest.resources, period=0.001, cycles=1.0
        )
        assert beats(replace(better, result=smallest.result, constant_time=True), smallest)
        if better.placed:
            sized = {"area_sized": better.area, "period_sized": better.period}
            better = replace(better, placed=better.placed | sized)
        rows = [row for row in read_results() if row.key != other.key]
        text = Renderer([*rows, better]).recommended(width, target)
        assert f"[`{other.architecture}`]" in text.splitlines()[4] and text not in page


def test_pages_have_figures_with_wires_where_they_are_stored() -> None:
    """Where all periods become the same times longer, all figures do, and no order changes."""
    longer, larger = 3.0, 2.0
    target = described_target("nangate45", "quick")
    assert isinstance(target, StandardCells)
    rows, older = [], []
    for row in read_results():
        if row.target == "nangate45" and row.area and row.period and not row.is_own:
            figures = {
                "area_sized": larger * row.area,
                "period_sized": longer * row.period,
                "netlist_checked": "operations",
                "compiled": placed_hash(row.chosen.hardware, target),
                "tools": row.tools,
            }
            row = replace(row, placed=figures)
            older.append(replace(row, placed={**figures, "compiled": "of an older flow"}))
        rows.append(row)
    renderer, plain = Renderer(rows), Renderer([replace(row, placed=None) for row in rows])
    assert not Renderer(older).placed_frontier(256).strip()
    one, other = (renderer.stored("unit_csa", width=width) for width in (256, 1024))
    assert growth_with_wires(one, other) == f" (placed and sized width^{growth(one, other)})"
    for width in (256, 1024):
        page = renderer.placed_frontier(width)
        lines = [line.split(" | ") for line in page.splitlines() if line.startswith("| ")][2:]
        best = [line.split(" | ") for line in plain.frontier(width).splitlines()[4:] if line]
        assert [line[0] for line in lines] == [line[0] for line in best] and lines
        for line in lines:
            sized, without = (float(each.replace(",", "")) for each in line[5:7])
            assert sized == pytest.approx(longer * larger * without, rel=2e-3)
            assert line[7].startswith("yes")
        assert not plain.placed_frontier(width).strip()
        assert "without place" in renderer.recommended(width)
        assert "without place" not in plain.recommended(width)
        assert "placed mm2 ns" in renderer.every(width)
        assert "placed mm2 ns" not in plain.every(width)
        for measure in ("area", "time", "area_time"):
            least, before = (each.least(width, measure) for each in (renderer, plain))
            assert least.key == before.key and least.area == larger * (before.area or 0)
    table, before = (each.figures(each.stored("unit_csa", width=256)) for each in (renderer, plain))
    assert "placed mm2 ns" in table and "placed" not in before
    assert "without&nbsp;place" in plain.architectures()
    assert "without&nbsp;place" not in renderer.architectures()
    place = renderer.place("three_pass")
    assert "256 bits, by placed wires" in place and "placed" not in plain.place("three_pass")
    for path in pages():
        renderer.render(path.read_text(encoding="utf-8"))


def test_stored_results_are_sorted_and_state_what_the_contracts_do() -> None:
    results = read_results()
    text = Path(store.__file__).with_name(store.RESULTS).read_text()
    assert store.results_text(results) == text
    for row in results:
        assert row.chosen.parameters == row.parameters, row.command
        if row.stale:  # of another contract, perhaps
            continue
        for name, value in store.promises(row.chosen, row.cycles).items():
            assert getattr(row, name) == value, row.command
        if row.cycles is not None and isinstance(row.chosen, Core):
            contract = row.chosen.contract
            assert contract.latency.minimum <= row.cycles <= contract.latency.maximum, row.command


def test_each_architecture_has_a_page_that_the_navigation_names() -> None:
    from montforge.arch import registry

    navigation = (DOCS.parent / "mkdocs.yml").read_text()
    for name in registry():
        assert (DOCS / "architectures" / f"{name}.md").is_file(), name
        assert f"architectures/{name}.md" in navigation, name


COMMIT = re.compile(r"\b(?=[0-9]*[a-f])(?=[a-f]*[0-9])(?:[0-9a-f]{7}|[0-9a-f]{40})\b")


def git(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["git", *arguments], cwd=DOCS, capture_output=True, text=True)


def unknown_commits(text: str) -> set[str]:
    names = set(COMMIT.findall(text))
    return {name for name in names if git("merge-base", "--is-ancestor", name, "HEAD").returncode}


def test_figures_name_commits_of_this_history() -> None:
    if git("rev-parse", "--is-shallow-repository").stdout != "false\n":
        pytest.skip("needs the whole history of a git repository")
    stored_rows = [DOCS / "runs.jsonl", Path(store.__file__).with_name(store.RESULTS)]
    pages = [*DOCS.glob("**/*.md"), *stored_rows]
    unknown = {
        path.name: names
        for path in pages
        if (names := unknown_commits(path.read_text(encoding="utf-8")))
    }
    assert pages and not unknown
    assert unknown_commits("at 0ac7e3e, a commit that was lost") == {"0ac7e3e"}


ROOT = DOCS.parent
TO_CHANGE = (ROOT / "CONTRIBUTING.md").read_text().split("## To change X")[1].split("\n## ")[0]


@pytest.mark.parametrize("row", re.findall(r"^\| (?!to |---)(.*) \|$", TO_CHANGE, re.MULTILINE))
def test_the_files_to_open_exist_and_have_the_names(row: str) -> None:
    words = [word for code in re.findall(r"`([^`]+)`", row) for word in code.split()]
    paths = [ROOT / word for word in words if "/" in word]
    assert paths
    assert [path for path in paths if not path.exists()] == []
    text = "".join(path.read_text() for path in paths if path.is_file())
    names = [word for word in words if re.fullmatch(r"[A-Za-z]+_[a-z_]+|[A-Z]{3,}", word)]
    assert [name for name in names if name not in text and not (ROOT / name).exists()] == []
