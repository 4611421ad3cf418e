# SPDX-License-Identifier: Apache-2.0
"""The documentation's page docs/choose: its rules are those of `pick`, its parts work."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import mkdocs_choose
import pytest
from browser_rows import page_rows, rows_with
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files
from playwright.sync_api import Browser, Page

from browser import chromium, served
from montforge.arch import design
from montforge.explore.results import WITH_WIRES
from montforge.store import Result, read_results, results_text, with_others
from montforge.store.pick import Choice, Request, pick

PAGE = Path(__file__).parents[1] / "docs" / "choose" / "index.md"
NANGATE = {"width": 256, "target": "nangate45"}
REQUESTS = [
    Request(**NANGATE),
    Request(**NANGATE, constant_time=True, max_area=60_000, max_latency=100, minimise="latency"),
    Request(**NANGATE, result="below-n", minimise="area"),
    Request(**NANGATE, result="below-2n", max_interval=50, minimise="interval"),
    Request(**NANGATE, result="nonnegative", constant_time=True, minimise="throughput"),
    Request(**NANGATE, max_area=20_000, minimise="cycles"),
    Request(**NANGATE, max_area=5_000),
    Request(**NANGATE, max_area=5_000, max_latency=1),
    Request(**NANGATE, max_latency=7, minimise="area"),
    Request(**NANGATE, result="below-n", max_area=20_000, constant_time=True),
    Request(width=64, target="nangate45", minimise="throughput"),
    Request(width=1024, target="nangate45", constant_time=True, minimise="latency"),
    Request(width=128, target="nangate45", function="rsa", minimise="latency"),
    Request(width=256, target="ecp5-85k", max_area=4_000),
    Request(width=256, target="ecp5-85k", constant_time=True, result="below-n"),
    Request(**NANGATE, minimise="area_per_throughput"),
    Request(**NANGATE, constant_time=True, max_area=100_000, minimise="area_per_throughput"),
    Request(width=512, target="nangate45", estimate=True, minimise="throughput"),
    Request(width=128, target="osu018", estimate=True, max_area=200_000, constant_time=True),
    Request(width=384, target="sky130hd", estimate=True, result="below-n", minimise="latency"),
]
RULES = """
import {readFileSync} from "node:fs";
import {pick} from "./rules.js";
const {rows, requests} = JSON.parse(readFileSync(0));
const key = row => row.generate + row.measure;
console.log(JSON.stringify(requests.map(request => {
  const {choices, frontier, rate_frontier, misses, estimates} = pick(rows, request);
  return {
    choices: choices.map(key), frontier: frontier.map(key).sort(),
    rate_frontier: rate_frontier.map(key).sort(), estimates: estimates.map(key),
    misses: misses.map(({row, limit, needs}) => [key(row), limit, needs]),
  };
})));
"""


@pytest.fixture(scope="module")
def files() -> dict[str, bytes]:
    if not mkdocs_choose.MODULES.is_dir():
        pytest.skip("the JavaScript libraries are not installed (make libraries, which needs npm)")
    return mkdocs_choose.page_files()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    """The page on a server of static files."""
    with served(site) as root:
        yield f"{root}/choose/"


@pytest.fixture(scope="module")
def site(files: dict[str, bytes], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the page, beside the page of an architecture."""
    site = tmp_path_factory.mktemp("site")
    for name, content in files.items():
        path = site / "choose" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    head = (
        '<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
    )
    body = PAGE.read_text(encoding="utf-8").split("---\n", 2)[2]
    (site / "choose" / "index.html").write_text(head + body, encoding="utf-8")
    drawn = '<div class="diagram"><svg><g class="graph"><text>mf_unit_rows</text></g></svg></div>'
    architecture = site / "architectures" / "unit_csa" / "index.html"
    architecture.parent.mkdir(parents=True)
    architecture.write_text(drawn)
    return site


@contextmanager
def opened(
    browser: Browser, address: str, width: int = 1400, stored: str | None = None
) -> Iterator[Page]:
    """A page that is ready. Nothing may fail in it, and nothing come from elsewhere.

    ``stored`` is the page's own file of that name with other rows.
    """
    problems: list[str] = []
    page = browser.new_page(viewport={"width": width, "height": 900})
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda m: problems.append(m.text) if m.type == "warning" else None)
    root = address.split("choose/")[0]
    page.on("request", lambda r: problems.append(r.url) if not r.url.startswith(root) else None)
    if stored is not None:
        page.route("**/stored.js", lambda route: route.fulfill(body=stored))
    page.goto(address)
    page.wait_for_selector("#choose[data-ready]")
    yield page
    assert problems == []
    page.close()


def shown(page: Page) -> list[str]:
    """The designs of the table, in order."""
    rows: list[str] = page.evaluate(
        "libraries.Tabulator.findTable('#table')[0].getData().map(row => row.label)"
    )
    return rows


def count(page: Page) -> str:
    return page.locator("#count").inner_text()


def node(script: str, data: object) -> Any:
    """What a script of web/ prints that reads ``data``, both as JSON."""
    done = subprocess.run(
        ["node", "--input-type=module", "-e", script],
        cwd=mkdocs_choose.WEB,
        input=json.dumps(data),
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


def key(choice: Choice) -> str:
    return str(choice.generate + choice.to_json()["measure"])


def check_rules(
    rows: list[dict[str, Any]], requests: list[Request], results: tuple[Result, ...]
) -> None:
    """The page's rules answer all requests as `pick` does."""
    asked = {"rows": rows, "requests": [asdict(each) for each in requests]}
    for request, found in zip(requests, node(RULES, asked), strict=True):
        expected = pick(request, results)
        assert found["choices"] == [key(choice) for choice in expected.choices], request
        assert found["estimates"] == [key(choice) for choice in expected.estimates], request
        assert found["frontier"] == sorted(map(key, expected.on_frontier)), request
        assert found["rate_frontier"] == sorted(map(key, expected.on_rate_frontier)), request
        misses = [[key(miss.choice), miss.limit, miss.needs] for miss in expected.misses]
        assert found["misses"] == misses, request


def test_rules_of_the_page_are_those_of_pick(files: dict[str, bytes]) -> None:
    text = files["stored.js"].decode().removeprefix("const stored = ").rstrip(";\n")
    check_rules(json.loads(text)["rows"], REQUESTS, read_results())
    found = [pick(each) for each in REQUESTS]
    assert {bool(each.choices) for each in found} == {True, False}
    assert any(each.on_frontier != each.on_rate_frontier for each in found)
    assert {bool(each.estimates) for each in found} == {True, False}


@pytest.fixture
def own_files(tmp_path: Path) -> list[Path]:
    """A file of rows, one of which replaces a stored one, and one of own RTL."""
    rows = {
        row.label: row for row in read_results() if (row.size, row.target) == (256, "nangate45")
    }
    quick = replace(rows["full_pipelined"], period=1.0, commit="mine", placed=None)
    other = design("unit_csa", width=256, digit=12)
    new = replace(
        rows["unit_csa"],
        parameters=dict(other.parameters),
        area=9_000.0,
        command="mine",
    )
    assert new.placed
    (tmp_path / "theirs.jsonl").write_text(results_text([quick, new]))
    figures = {
        "form": "own", "architecture": "own", "parameters": {"W": 16}, "design": "own",
        "target": "nangate45", "area": 5_000.0, "area_unit": "um2", "period": 2.0,
        "period_unit": "ns", "cycles": 50.0, "handover": 0, "time": 100.0, "latency": 100.0,
        "command": "montforge measure --rtl own.v",
    }  # fmt: skip
    (tmp_path / "own.json").write_text(json.dumps(figures))
    return [tmp_path / "theirs.jsonl", tmp_path / "own.json"]


def test_rules_with_files_of_a_user(files: dict[str, bytes], own_files: list[Path]) -> None:
    contents = json.dumps({path.name: path.read_text() for path in own_files})
    made = rows_with(contents, "nangate45")
    assert made["targets"] == ["nangate45"]
    rows = json.loads(made["rows"])
    assert sorted(row["label"] for row in rows if row["added"] and not row["is_placed"]) == [
        "full_pipelined", "own(W=16)", "unit_csa(digit=12)",
    ]  # fmt: skip
    requests = [each for each in REQUESTS if each.target == "nangate45"]
    check_rules(rows, requests, with_others(read_results(), own_files, "nangate45"))
    assert "measured on nangate45" in rows_with(contents, "osu018")["error"]
    wrong = contents.replace("unit_csa", "unit_csb")
    assert rows_with(wrong, "nangate45")["error"].startswith("row 2 of theirs.jsonl: ")


def wired(row: Result, place: int) -> Result:
    """Return a row, most of nangate45 with figures with wires, after which the order is another."""
    if row.target != "nangate45" or row.area is None or row.period is None or place % 3 == 0:
        return replace(row, placed=None)
    period = row.period * (1 + (place % 7) / 10)
    figures = {"period_placed": 1.1 * period, "period_sized": period, "area_sized": row.area + 1}
    assert row.time is not None
    figures["area_time"] = (row.area + 1) * row.time / row.period * period
    others = {"netlist_checked": "operations", "seed": 1, "compiled": "other", "tools": {}}
    return replace(row, placed={**dict.fromkeys(WITH_WIRES), **figures, **others})


PLACED = [
    replace(request, placed=placed)
    for request in REQUESTS
    if request.target == "nangate45" and request.function == "multiply"
    for placed in (True, False)
]


def test_figures_with_wires_are_ranked_alone(
    files: dict[str, bytes], browser: Browser, address: str
) -> None:
    results = tuple(wired(row, place) for place, row in enumerate(read_results()))
    rows = page_rows(results, ["nangate45", "osu018"])
    check_rules(json.loads(json.dumps(rows)), PLACED, results)
    text = files["stored.js"].decode().removeprefix("const stored = ").rstrip(";\n")
    stored = f"const stored = {json.dumps({**json.loads(text), 'rows': rows})};"
    with opened(browser, f"{address}?placed=1", stored=stored) as page:
        request = Request(**NANGATE, placed=True)
        found, plain = pick(request, results), pick(Request(**NANGATE), results)
        assert shown(page) == [choice.stored.label for choice in found.choices]
        assert page.locator("[name=target] option").all_inner_texts() == ["nangate45"]
        assert f" {found.without} measured designs have none" in count(page)
        assert "--placed" in page.locator("#command").inner_text()
        assert "placed: area" not in page.locator("#table").inner_text()
        page.locator("#table .tabulator-row button").first.click()
        assert found.choices[0].to_json()["measure"] in page.locator("#detail").inner_text()
        page.get_by_label("with placed wires").uncheck()
        assert shown(page) == [choice.stored.label for choice in plain.choices] != []
        assert f" {plain.without} designs have no" in count(page)
        assert "placed: area" in page.locator("#table").inner_text()
        assert "--placed" not in page.locator("#command").inner_text()
        assert "osu018" in page.locator("[name=target] option").all_inner_texts()
    with opened(browser, address) as page:
        has_wires = any(row.placed for row in read_results())
        assert page.get_by_label("with placed wires").is_enabled() == has_wires


TICKS = """
import {readFileSync} from "node:fs";
import {logTicks} from "./plot.js";
console.log(JSON.stringify(JSON.parse(readFileSync(0)).map(ends =>
  logTicks(...ends.map(Math.log10)).map(at => Number((10 ** at).toPrecision(6))))));
"""


@pytest.mark.parametrize(("ends", "ticks"), [
    ((11_672, 780_000), [20_000, 50_000, 100_000, 200_000, 500_000]),
    ((3_037, 9_100), [4_000, 5_000, 6_000, 8_000]),
    ((100, 120), [100, 110, 120]),
    ((0.9, 210), [1, 2, 5, 10, 20, 50, 100, 200]),
])  # fmt: skip
def test_ticks_are_plain_numbers(
    files: dict[str, bytes], ends: tuple[float, float], ticks: list[float]
) -> None:
    assert node(TICKS, [ends]) == [ticks]


def test_without_libraries_the_other_pages_are_built(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(mkdocs_choose, "MODULES", tmp_path / "none")
    others = Files([])
    assert list(mkdocs_choose.on_files(others, config=MkDocsConfig())) == []


def test_filter_of_an_address_and_of_the_controls(browser: Browser, address: str) -> None:
    with opened(browser, f"{address}?max_area=60000&constant_time=1&minimise=latency") as page:
        limited = Request(**NANGATE, max_area=60_000, constant_time=True, minimise="latency")
        expected = [choice.stored.label for choice in pick(limited).choices]
        assert shown(page) == expected
        assert count(page).startswith(f"{len(expected)} of {len(pick(Request(**NANGATE)).choices)}")
        assert f" {len(pick(limited).on_frontier)} are on the frontier" in count(page)
        page.get_by_label("constant time only").uncheck()
        page.get_by_label("area at most").first.fill("")
        page.get_by_label("rank by").select_option("throughput")
        by_throughput = pick(Request(**NANGATE, minimise="throughput"))
        assert shown(page) == [choice.stored.label for choice in by_throughput.choices]
        page.get_by_label("design has in its name").fill("unit_csa")
        assert {label.split("(")[0] for label in shown(page)} == {"unit_csa"}
        page.get_by_label("design has in its name").fill("")
        page.locator("[name=max_latency_slider]").fill("50")
        limit = float(page.locator("[name=max_latency]").input_value())
        assert shown(page) == [
            choice.stored.label for choice in by_throughput.choices if choice.latency <= limit
        ]
        assert f"--max-latency {limit:g} --min throughput" in page.locator("#command").inner_text()
        assert f"max_latency={limit:g}" in page.url


def test_pipelined_designs_are_marked_and_drawn_by_their_rate(
    browser: Browser, address: str
) -> None:
    line = (
        "libraries.getInstanceByDom(document.getElementById('plot')).getOption().series"
        ".find(({type}) => type === 'line').data.map(([x, y]) => [10 ** x, 10 ** y])"
    )
    marks = "row => row.querySelector('.marks').innerText + row.querySelector('button').innerText"
    with opened(browser, f"{address}?minimise=latency") as page:
        for by, figure in (("latency", "latency"), ("area_per_throughput", "interval")):
            page.get_by_label("rank by").select_option(by)
            found = pick(Request(**NANGATE, minimise=by))
            best = found.on_rate_frontier if figure == "interval" else found.on_frontier
            corners = sorted((choice.area, getattr(choice, figure)) for choice in best)
            assert page.evaluate(line) == [pytest.approx(corner) for corner in corners]
        for row in page.locator("#table .tabulator-row").all():
            text = row.evaluate(marks).replace("\u200b", "")
            (choice,) = [each for each in found.choices if text.endswith(each.stored.label)][:1]
            assert ("●" in text) == (choice in found.on_frontier)
            assert ("+" in text) == (choice in found.on_rate_frontier)


def test_estimates_are_asked_for_and_marked(browser: Browser, address: str) -> None:
    with opened(browser, f"{address}?target=osu018") as page:
        widths = page.locator("[name=width] option")
        assert "128" not in widths.all_inner_texts()
        page.get_by_label("estimates between widths").check()
        assert "128" in widths.all_inner_texts()
        page.get_by_label("width in bits").select_option("128")
        found = pick(Request(width=128, target="osu018", estimate=True)).estimates
        assert shown(page) == [choice.stored.label for choice in found]
        first = page.locator("#table .tabulator-row").first
        assert "≈" in first.inner_text() and "estimate" in first.inner_text()
        assert "--estimate" in page.locator("#command").inner_text()
        first.locator("button").click()
        assert "between those of 64 and 256 bits" in page.locator("#detail").inner_text()
        assert found[0].stored.command in page.locator("#detail").inner_text()
        page.get_by_label("estimates between widths").uncheck()
        assert "128" not in widths.all_inner_texts()


def test_nothing_fits(browser: Browser, address: str) -> None:
    with opened(browser, f"{address}?max_area=5000") as page:
        (first, *_) = pick(Request(**NANGATE, max_area=5_000)).misses
        assert shown(page) == []
        text = page.locator("#misses li").first.inner_text()
        assert text == f"{first.choice.stored.label}: --max-area {first.needs:,.0f}"


def test_a_family_of_the_legend_is_taken_away(browser: Browser, address: str) -> None:
    with opened(browser, address) as page:
        before = shown(page)
        page.evaluate(
            "libraries.getInstanceByDom(document.getElementById('plot'))"
            ".dispatchAction({type: 'legendToggleSelect', name: 'Radix 2'})"
        )
        after = shown(page)
        assert {label for label in before if label not in after} >= {"mm_r2", "scs_mm_skip"}
        assert [label for label in before if label in after] == after


def test_a_mark_of_the_plot_says_and_opens_its_design(browser: Browser, address: str) -> None:
    with opened(browser, address) as page:
        row = pick(Request(**NANGATE, minimise="latency")).choices[0]
        x, y = page.evaluate(
            "at => libraries.getInstanceByDom(document.getElementById('plot'))"
            ".convertToPixel({xAxisIndex: 0, yAxisIndex: 0}, at.map(Math.log10))",
            [row.area, row.latency],
        )
        page.locator("#plot canvas").hover(position={"x": x, "y": y})
        page.locator("#plot b", has_text=row.stored.label).wait_for()
        page.locator("#plot canvas").click(position={"x": x, "y": y})
        assert page.locator("#detail h2").inner_text() == row.stored.label


def test_a_page_from_a_file_chooses_and_says_that_it_generates_nothing(
    browser: Browser, site: Path
) -> None:
    page = browser.new_page()
    page.goto((site / "choose" / "index.html").as_uri())
    page.locator("#table .tabulator-row button").first.click()
    page.locator("#detail button.generate").click()
    assert "web server" in page.locator("#detail .error").inner_text()
    page.close()


@pytest.mark.parametrize("width", [1400, 390])
def test_a_design_and_its_details_fit_the_screen(
    browser: Browser, address: str, width: int
) -> None:
    with opened(browser, address, width) as page:
        first = pick(Request(**NANGATE)).choices[0]
        assert first.stored.architecture == "unit_csa"
        page.locator("#table .tabulator-row button").first.click()
        detail = page.locator("#detail")
        assert detail.locator("h2").inner_text() == first.stored.label
        assert detail.locator(".contract").inner_text() == str(first.stored.chosen.contract)
        assert first.generate in detail.inner_text()
        detail.locator(".diagram", has_text="mf_unit_rows").wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") <= width


GENERATED = [
    "scs_mm_new -p width=64",
    "unit_csa -p width=128 -p result=nonnegative",
    "rmm -p width=64 -p k=2 --form axi",
    "fmlm -p width=64",
    "fios_dsp -p width=64",
    "modexp -p width=64 -p multiplier=booth_csa",
    "rsa -p bits=128 --seed 3",
]


def downloaded(page: Page, folder: Path) -> dict[str, bytes]:
    """The files of the zip that the page offers, unpacked by their names."""
    link = page.locator("#detail a[download]")
    link.wait_for(timeout=120_000)
    with page.expect_download() as download:
        link.click()
    path = folder / "made.zip"
    download.value.save_as(path)
    with ZipFile(path) as archive:
        names = archive.namelist()
        assert names == sorted(names)
        assert {entry.date_time for entry in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        assert {name.split("/")[0] for name in names} == {download.value.suggested_filename[:-4]}
        return {name.split("/", 1)[1]: archive.read(name) for name in names}


def of_the_command(words: str, folder: Path) -> dict[str, bytes]:
    command = [sys.executable, "-m", "montforge", "generate", *shlex.split(words)]
    subprocess.run([*command, "-o", folder], check=True, capture_output=True)
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


@pytest.mark.slow
def test_rows_of_a_user_beside_those_of_the_library(
    browser: Browser, address: str, own_files: list[Path]
) -> None:
    with opened(browser, f"{address}?minimise=area") as page:
        before = shown(page)
        page.locator("[name=own]").set_input_files(own_files)
        page.locator("#own_status", has_text="3 new rows").wait_for(timeout=120_000)
        request = Request(**NANGATE, minimise="area")
        results = with_others(read_results(), own_files, "nangate45")
        assert shown(page) == [choice.stored.label for choice in pick(request, results).choices]
        assert set(shown(page)) - set(before) == {"own(W=16)", "unit_csa(digit=12)"}
        assert "--with theirs.jsonl --with own.json" in page.locator("#command").inner_text()
        page.locator("#table .tabulator-row button", has_text="own").first.click()
        assert "montforge measure --rtl own.v" in page.locator("#detail").inner_text()
        assert page.locator("#detail button.generate").count() == 0
        own_files[0].write_text("{}")
        page.locator("[name=own]").set_input_files(own_files[:1])
        page.locator("#own_status .error", has_text="theirs.jsonl").wait_for()
        page.locator("[name=own]").set_input_files([])
        page.locator("#own_status", has_text="at the first use").wait_for()
        assert shown(page) == before


@pytest.mark.slow
def test_folders_are_those_of_the_command(browser: Browser, address: str, tmp_path: Path) -> None:
    with opened(browser, address) as page:
        page.locator("#table .tabulator-row button").first.click()
        page.locator("#detail button.generate").click()
        first = pick(Request(**NANGATE)).choices[0].stored.chosen
        made = downloaded(page, tmp_path)
        assert made == of_the_command(" ".join(first.words), tmp_path / "stored")
        for number, words in enumerate(GENERATED):
            page.locator("#other input").fill(f"montforge generate {words} -o DIR")
            page.locator("#other button").click()
            assert downloaded(page, tmp_path) == of_the_command(words, tmp_path / str(number)), (
                words
            )
        for words, part in (
            ("rmm -p width=64 --flat-verilog", "Yosys"),
            ("rmm -p width=1", "width"),
            ("no_such_design", "no_such_design"),
            ("rmm --what", "--form"),
        ):
            page.locator("#other input").fill(words)
            page.locator("#other button").click()
            assert part in page.locator("#detail .error").inner_text()
