# SPDX-License-Identifier: Apache-2.0
"""Render the figures of the docs: from contracts, from stored results, from stored runs.

    python scripts/render_docs.py            # write the pages
    python scripts/render_docs.py --check    # status 1, and the names of stale pages

A page marks what is rendered by comments, which stay in it:

    <!--: a = stored("unit_csa", width=256) -->          a name, for this page
    <!--= cycles("unit_csa", width=256) -->40<!--/-->    an expression, and its text
    <!--" Sassaw 2010, Table II -->637 ns<!--/-->        a figure of others after its source

Expressions are Python; the names that they may use are `NAMES`. Results are those of
src/montforge/store/results.jsonl (scripts/store_results.py adds to it), runs those of
docs/runs.jsonl (scripts/store_runs.py makes them again).
"""

from __future__ import annotations

import json
import math
import operator
import re
import runpy
import sys
import tomllib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from montforge import power_cycles, store
from montforge.arch import core, design
from montforge.contract import Cycles
from montforge.errors import ParameterError
from montforge.explore.limit import least_limit, row_limit
from montforge.hardware.forms import PARALLEL
from montforge.papers.rsa_engines import published_engines
from montforge.report.table import Cell, Table, format_cell
from montforge.store import Result
from montforge.verify.runner import planned_operations

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
RUNS = DOCS / "runs.jsonl"
MARK = re.compile(
    r"<!--: (?P<name>\w+) = (?P<value>.*?) -->|<!--= (?P<expression>.*?) -->.*?<!--/-->", re.DOTALL
)
DSP_LUTS = 536
"""LUTs that a DSP block is counted as."""
Measure = Callable[[Result], float]
Choice = tuple[str, Callable[[Result], bool], Measure, float, Measure]


def fixed(cycles: Cycles) -> int:
    """Return a number of cycles that does not depend on data."""
    assert cycles.is_fixed
    return cycles.minimum


def cycles(name: str, **parameters: int | str) -> int:
    """Return the latency of a design."""
    return fixed(design(name, **parameters).contract.latency)


def interval(name: str, **parameters: int | str) -> int:
    """Return the interval of a design."""
    return fixed(design(name, **parameters).contract.interval)


def core_cycles(name: str, **parameters: int | str) -> int:
    """Return the cycles of a design's core alone."""
    return core(name, **parameters).core_cycles


def turn(width: int, **parameters: int | str) -> int:
    """Return the cycles of fmle for a bit of the exponent, all products at once."""
    return core_cycles("fmle", width=width, all_at_once=1, **parameters)


def info_table(name: str, figures: Sequence[str], *forms: str) -> str:
    """Return figures that ``montforge info`` prints of designs: ``width=64 variant=fast``."""
    rows = []
    for form in forms:
        chosen = core(name, **dict(word.split("=") for word in form.split()))
        found = {"core cycles": chosen.core_cycles, **chosen.figures}
        rows.append((form, *(found[figure] for figure in figures)))
    return markdown((name, *figures), rows)


def read_runs() -> dict[str, dict[str, Any]]:
    """Return what stored runs printed, by their commands."""
    rows = map(json.loads, RUNS.read_text(encoding="utf-8").splitlines())
    return {row["command"]: row for row in rows}


def verified(*commands: str) -> str:
    """Return the numbers of operations that stored runs of ``montforge verify`` passed."""
    outputs = [run(f"montforge verify {command}") for command in commands]
    assert not any(output["mismatches"] for output in outputs)
    return "; ".join(f"{output['operations']:,}" for output in outputs)


def run(command: str) -> Any:
    """Return what a stored run printed: the object of ``--json``, or text."""
    runs = read_runs()
    if command not in runs:
        raise LookupError(f"no stored run: python scripts/store_runs.py --new {command!r}")
    return runs[command]["output"]


def printed(command: str) -> str:
    """Return the table that a stored run printed."""
    lines = [line for line in run(command).splitlines() if line.startswith("|")]
    return "\n\n" + "\n".join(lines) + "\n\n"


def rows(columns: str, *commands: str) -> str:
    """Return the rows of tables that stored runs printed, below ``columns``, and the commands."""
    head = [f"| {columns} |", f"|{' --- |' * (columns.count('|') + 1)}"]
    lines = [line for command in commands for line in run(command).splitlines()]
    found = [line for line in lines if line.startswith("|")]
    return "\n\n" + "\n".join([*head, *found, "", *(f"- {made(c)}" for c in commands)]) + "\n\n"


def made(command: str) -> str:
    """Return a stored run's command, and the commit that it holds for."""
    return f"`{command}` at commit {read_runs()[command]['commit']}"


def tables(command: str) -> str:
    """Return the tables of a stored run of ``montforge reproduce``."""
    found = [_table(table) for table in run(command)["tables"]]
    return "\n\n" + "\n".join(table.to_markdown() for table in found) + "\n"


def _table(data: dict[str, Any]) -> Table:
    """Return the table whose JSON ``data`` is."""
    rows = tuple(tuple(row.values()) for row in data["rows"])
    return Table(data["title"], tuple(data["rows"][0]), rows, tuple(data["notes"]))


def product_table(widths: Sequence[int]) -> str:
    """Return areas of the pipeline of fixed_prime beside those of one whole product."""
    columns = (
        "width", "pipeline um2", "of it registers", "ns", "product um2", "its registers", "its ns",
        "pipeline / three products",
    )  # fmt: skip
    rows = []
    for width in widths:
        text = run(f"python benchmarks/fixed_prime_area.py --width {width} --delay 480")
        found = re.findall(r"(\d+) um2 \(registers (\d+)\) at ([\d.]+) ns", text)
        figures = [f"{float(figure):,g}" for each in found for figure in each]
        rows.append((width, *figures, text.split()[-1]))
    return markdown(columns, rows)


def turns_table() -> str:
    """Return turns and cycles of exponentiations over all multipliers."""
    return f"\n\n{_modexp_table()['cycles_table']()}\n\n"


def _modexp_table() -> dict[str, Any]:
    return runpy.run_path(str(ROOT / "scripts" / "modexp_table.py"))


def mutants() -> str:
    """Return how many bugs there are to plant, and how many are not proven to be none."""
    files = sorted((ROOT / "tests" / "mutants").glob("*.toml"))
    found = {path.stem: tomllib.loads(path.read_text())["mutant"] for path in files}
    return markdown(
        ("architecture", "planted", "to be caught"),
        [
            (name, len(all_), sum("equivalent" not in each for each in all_))
            for name, all_ in found.items()
        ],
    )


@dataclass(frozen=True)
class Verifier:
    """Counts the operations of ``montforge verify NAME`` with `options`."""

    name: str
    options: str = ""

    def __call__(self, *forms: str) -> str:
        """Return the number of operations of each form: ``width=64 --operations 300``."""
        return "; ".join(f"{self._count(form):,}" for form in forms)

    def _count(self, form: str) -> int:
        words = f"{self.options} {form}".split()
        named = dict(word.split("=", 1) for word in words if "=" in word)
        plain = [word for word in words if "=" not in word]
        limits = dict(zip(plain[::2], plain[1::2], strict=True))
        return planned_operations(
            design(self.name, **named),
            mode=limits.get("--mode", "all"),
            operations=_integer(limits.get("--operations")),
            chain_length=_integer(limits.get("--chain-length")),
        )


def _integer(text: str | None) -> int | None:
    return None if text is None else int(text)


def cycle_table(*commands: str) -> str:
    """Return what stored runs of ``montforge cycles`` counted, beside the papers' counts."""
    columns = ("design", "width", "min", "mean", "max", "differ from model", "paper", "command")
    rows = []
    for command in commands:
        output = run(command)
        counted = output["cycles"]
        published = ", ".join(f"{row['cycles']} ({row['paper']})" for row in output["published"])
        rows.append(
            (
                output["architecture"], output["parameters"]["width"], counted["min"],
                counted["mean"], counted["max"], output["model_mismatches"], published or "-",
                f"`{command}`",
            )
        )  # fmt: skip
    return markdown(columns, rows)


def engine_run(core: str) -> dict[str, int]:
    """Return cycles of the RSA engine of 2048 bits over a core, of its stored run."""
    command = "montforge cycles rsa -p bits=2048 -p adder=64 {} --samples 1 --seed 1"
    output = run(command.format(core))
    assert output["mismatches"] == 0
    key = output["keys"][0]
    assert key["private"]["min"] == key["private"]["max"]
    return {
        "turn": output["turn_cycles"],
        "private": key["private"]["min"],
        "turns": key["turns"] * output["turn_cycles"],
        "load": key["load"],
        "operations": output["operations"],
        **(output["public"] or {}),
    }


@dataclass(frozen=True)
class Placed:
    """What a stored run of ``montforge measure rsa`` found."""

    commit: str
    cycles: int
    period: float
    area: float | None
    area_registers: float | None
    resources: dict[str, int]
    notes: list[str]

    @property
    def mhz(self) -> float:
        """The clock."""
        return 1e3 / self.period

    @property
    def ms(self) -> float:
        """The time of a private operation."""
        return self.cycles * self.period / 1e6


def engine_on(options: str) -> Placed:
    """Return the stored run of ``montforge measure rsa`` with these options."""
    command = f"montforge measure rsa {options}"
    output = run(command)
    return Placed(
        read_runs()[command]["commit"],
        round(output["cycles"]),
        output["period"],
        output["area"],
        output["area_registers"],
        output["resources"] or {},
        output["notes"],
    )


def placed_engines(*options: str) -> str:
    """Return the resources, clocks and times of engines on an FPGA, and their commands."""
    kinds = ("lut", "ff", "dsp", "bram", "lut_ram", "carry")
    columns = (
        "bits", "core", "LUT", "FF", "DSP", "block RAM", "LUT RAM", "carry", "MHz",
        "private, cycles", "time ms", "commit",
    )  # fmt: skip
    found = []
    for each in options:
        engine = engine_on(each)
        given = dict(word.split("=") for word in each.split() if "=" in word)
        resources = [engine.resources[kind] for kind in kinds]
        figures = (f"{engine.mhz:.1f}", f"{engine.cycles:,}", f"{engine.ms:.3f}", engine.commit)
        found.append((int(given["bits"]), given["core"], *resources, *figures))
    lines = [f"- `montforge measure rsa {each}`" for each in options]
    return markdown(columns, found) + "\n".join(lines) + "\n\n"


@dataclass(frozen=True)
class Campaign:
    """Operations with faults of a stored run, and its tables."""

    operations: int
    wrong: int
    endless: int
    ends: str
    guards: str


def campaign(command: str) -> Campaign:
    """Return what a stored run of ``benchmarks/rsa_faults.py`` printed."""
    ends, guards = re.findall(r"(?:^\|.*\n)+", run(command), re.MULTILINE)
    cells = [row.replace(",", "").split(" | ") for row in ends.splitlines()[2:]]
    checked = [[int(count) for count in row[2:7]] for row in cells if "no check" not in row[0]]
    totals = [sum(column) for column in zip(*checked, strict=True)]
    return Campaign(totals[0], totals[3], totals[4], f"\n\n{ends}\n", f"\n\n{guards}\n")


def area(command: str) -> float:
    """Return the area that a stored run of ``montforge measure`` found."""
    return float(run(command)["area"])


def engines() -> str:
    """Return the table of published engines."""
    found = published_engines()
    return markdown(found.columns, found.rows)


def bullets(command: str) -> str:
    """Return the lines that a stored run printed below its first one, each as an item."""
    return "\n\n" + "".join(f"- {line}\n" for line in run(command).splitlines()[1:])


def engine_table(*cores: str) -> str:
    """Return the cycles of engines of 2048 bits over cores."""
    columns = ("CORE", "turn", "private", "of it turns", "load of the key")
    runs = [(core, engine_run(core)) for core in cores]
    return markdown(
        columns,
        [
            (f"`{core}`", *(f"{found[name]:,}" for name in ("turn", "private", "turns", "load")))
            for core, found in runs
        ],
    )


@dataclass(frozen=True)
class Signed:
    """Cycles of the demonstration of the RSA engine: load, private operation, table of phases."""

    load: int
    private: int
    rows: list[tuple[str, str, str]]

    @property
    def phases(self) -> str:
        """The table."""
        return markdown(("phase", "cycles", "share"), self.rows)

    def of(self, phase: str) -> int:
        """Return the cycles of a phase."""
        return next(int(count.replace(",", "")) for name, count, _ in self.rows if name == phase)


def signed(command: str) -> Signed:
    """Return the cycles that a stored run of the demonstration printed."""
    text = run(command)
    load, private = (
        int(n.replace(",", "")) for n in re.findall(r"^ +([\d,]+) cycles$", text, re.M)
    )
    rows = re.findall(r"^│ ([a-z, ]+?) +│ +([\d,]+) +│ +([\d.]+%) +│$", text, re.MULTILINE)
    assert rows and "Verified OK" in text
    return Signed(load, private, rows)


def millions(cycles: int) -> str:
    """Return cycles in millions, four digits."""
    return f"{cycles / 1e6:.4g}"


def product(result: Result) -> float:
    """Return area times time in mm2 ns."""
    assert result.area_time is not None
    return result.area_time / 1e6


def percent(value: float, base: float) -> str:
    """Return how far a value is from a base, of which it is a part or which it exceeds."""
    return f"{100 * abs(value / base - 1):.0f}%"


def growth(one: Result, other: Result) -> str:
    """Return the power of the width with which area times time grows from one to another."""
    widths = (int(row.parameters["width"]) for row in (one, other))
    return (
        f"{math.log(product(other) / product(one)) / math.log(1 / operator.truediv(*widths)):.2f}"
    )


def lut_time(result: Result) -> float:
    """Return LUT equivalents times microseconds."""
    assert result.resources is not None and result.time is not None
    return (result.resources["lut"] + DSP_LUTS * result.resources["dsp"]) * result.time / 1e3


def markdown(columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    """Return a table alone, with empty lines around it."""
    lines = Table("", tuple(columns), tuple(map(tuple, rows))).to_markdown().splitlines()
    return "\n\n" + "\n".join(lines[2:]) + "\n\n"


def words(result: Result) -> str:
    """Return a design as the command line names it."""
    options = {"width": result.parameters["width"], **result.options}
    form = [] if result.form == PARALLEL else [f"--form {result.form}"]
    return " ".join(
        [result.architecture, *(f"-p {key}={value}" for key, value in options.items()), *form]
    )


class Renderer:
    """Renders text with the stored ``results``."""

    def __init__(self, results: Sequence[Result]) -> None:
        self.results = results

    def stored(
        self,
        name: str,
        *,
        target: str = "nangate45",
        effort: str | None = "quick",
        form: str = PARALLEL,
        **parameters: int | str,
    ) -> Result:
        """Return the result of a design. Raises LookupError if there is none."""
        wanted = design(name, **parameters).with_form(form)
        place = (target, effort if target in CELLS else None)
        for row in self.results:
            if (row.target, row.effort) == place and row.chosen == wanted:
                return row
        raise LookupError(f"no stored result of {wanted} on {target}, effort {effort}.")

    def figures(self, *rows: Result) -> str:
        """Return a table of standard-cell figures."""
        columns = (
            "design", "area um2", "registers um2", "period ns", "cycles", "latency ns", "mm2 ns",
            "results",
        )  # fmt: skip
        return markdown(
            columns,
            [
                (
                    f"`{words(row)}`", row.area, row.area_registers, row.period, row.cycles,
                    row.time, product(row), row.result,
                )
                for row in rows
            ],
        )  # fmt: skip

    def placed(self, *rows: Result) -> str:
        """Return a table of figures on an FPGA."""
        columns = (
            "design", "LUT", "FF", "DSP", "MHz of each seed", "median", "cycles", "time us",
            "interval", "LUT equivalents * us",
        )  # fmt: skip
        return markdown(columns, [_placed(row) for row in rows])

    def synthesized(self, target: str) -> str:
        """Return the resources of designs that were synthesized for an FPGA and not placed."""
        found = [row for row in self.results if row.target == target and row.resources]
        columns = ("design", "LUT", "FF", "DSP", "carry", "latency", "interval")
        return markdown(
            columns,
            [
                (
                    f"`{words(row)}`",
                    *(row.resources[name] for name in ("lut", "ff", "dsp", "carry")),
                    row.cycles, row.interval,
                )
                for row in found
                if row.resources is not None
            ],
        )  # fmt: skip

    def powers(self, width: int) -> str:
        """Return the times of powers over the stored multipliers of a width, on nangate45.

        A turn is the multiplier's latency, the mean one if it depends on data, handover and 2
        cycles; the period is the multiplier's. Private: window, w = 5; public: f4.
        """
        exponentiator = _modexp_table()["exponentiator"]
        columns = (
            "multiplier", "area um2", "period ns", "private, cycles", "ms", "public, cycles", "us",
        )  # fmt: skip
        rows = []
        for row in store.multipliers(self.results, width=width, target="nangate45"):
            given = (row.architecture, row.options, width)
            try:
                chosen = (
                    exponentiator(*given, algorithm="window", w=5),
                    exponentiator(*given, algorithm="f4"),
                )
            except ParameterError:
                continue  # results beyond n that no exponentiation takes
            assert row.period is not None and row.cycles is not None
            turn = row.cycles + row.handover + 2
            planned = map(power_cycles, chosen)
            counts = [
                each.cycles.maximum if each.turn.is_fixed else round(each.turns.maximum * turn)
                for each in planned
            ]
            private, public = counts
            rows.append(
                (
                    row.label, row.area, row.period, f"{private:,}",
                    f"{private * row.period / 1e6:.3f}", f"{public:,}",
                    f"{public * row.period / 1e3:.2f}",
                )
            )  # fmt: skip
        return markdown(columns, rows)

    def multipliers(self, target: str) -> list[Result]:
        """Return all placed multipliers on an FPGA."""
        return [row for row in self.results if row.target == target and row.placements]

    def library(self, target: str) -> str:
        """Return the results of full effort on standard cells, with critical paths."""
        columns = (
            "design", "width", "area um2", "registers um2", "period ns", "no wires", "cycles",
            "time ns", "mm2 ns", "critical path", "command",
        )  # fmt: skip
        found = [row for row in self.results if (row.target, row.effort) == (target, "full")]
        return markdown(
            columns,
            [
                (
                    row.architecture, row.parameters["width"], row.area, row.area_registers,
                    row.period, row.period_no_wires, row.cycles, row.time, product(row),
                    row.critical_path, f"`{row.command}`",
                )
                for row in sorted(found, key=lambda row: row.parameters["width"])
            ],
        )  # fmt: skip

    def compared(self, bases: dict[str, Result], *rows: Result) -> str:
        """Return area times time of designs as multiples of other ones."""
        columns = ("design", "mm2 ns", *(f"to {name}" for name in bases))
        return markdown(
            columns,
            [
                (
                    f"`{words(row)}`", product(row),
                    *(f"{product(row) / product(base):.3f}" for base in bases.values()),
                )
                for row in rows
            ],
        )  # fmt: skip

    def recommended(self, width: int, target: str = "nangate45") -> str:
        """Return the best designs of a width, each by what it is the best in."""
        found = store.multipliers(
            self.results, width=width, target=target, effort="quick" if target in CELLS else None
        )
        rows = []
        for text, fits, first, factor, second in CHOICES if target in CELLS else FPGA_CHOICES:
            fitting = list(filter(fits, found))
            most = factor * min(map(first, fitting), default=0.0)
            near = [row for row in fitting if first(row) <= most]
            rows += [(text, *_choice(row)) for row in near if row is min(near, key=second)]
        columns = ("area um2", "latency ns", "mm2 ns")
        if target not in CELLS:
            columns = ("LUT", "DSP", "time us", "LUT equivalents * us")
        return markdown(("if you want", "take", *columns, "constant time", "results"), rows)

    def frontier(self, width: int, without: Sequence[str] = ()) -> str:
        """Return the frontier of area and time, if need be without some architectures."""
        kept = [row for row in self.results if row.architecture not in without]
        found = store.exploration(kept, width=width, target="nangate45")
        table = found.table()
        return markdown(table.columns, table.rows)

    def every(self, width: int) -> str:
        """Return all multipliers of a width, those on the frontier marked."""
        found = store.multipliers(self.results, width=width, target="nangate45")
        best = {
            row.design
            for row in store.exploration(self.results, width=width, target="nangate45").frontier
        }
        columns = (
            "design", "area um2", "registers um2", "period ns", "cycles", "time ns",
            "area x time mm2 ns", "frontier",
        )  # fmt: skip
        return markdown(
            columns,
            [
                (
                    row.label, row.area, row.area_registers, row.period, row.cycles, row.time,
                    product(row), "yes" if row.chosen.identifier in best else "",
                )
                for row in found
            ],
        )  # fmt: skip

    def limits(self, *rows: Result) -> str:
        """Return designs of unit_csa beside the limits of the cost model."""
        columns = ("design", "limit mm2 ns", "measured", "ratio")
        return markdown(columns, [_limit(row) for row in rows])

    def render(self, text: str) -> str:
        """Return a page with its figures."""
        names: dict[str, Any] = {**NAMES, **{name: getattr(self, name) for name in METHODS}}

        def replace(found: re.Match[str]) -> str:
            if found["name"]:
                names[found["name"]] = eval(found["value"], names)
                return found[0]
            value = eval(found["expression"], names)
            return f"<!--= {found['expression']} -->{shown(value)}<!--/-->"

        return MARK.sub(replace, text)


def shown(value: Any) -> str:
    """Return a value as text: thousands of counts separated, four digits of measured ones."""
    if isinstance(value, int):
        return f"{value:,}"
    return format_cell(value)


def _placed(row: Result) -> tuple[Cell, ...]:
    assert row.resources and row.period and row.time
    mhz = ", ".join(f"{value:.1f}" for value in row.placements or ())
    return (
        f"`{words(row)}`", row.resources["lut"], row.resources["ff"], row.resources["dsp"], mhz,
        f"{1e3 / row.period:.1f}", row.cycles, f"{row.time / 1e3:.3f}", row.interval, lut_time(row),
    )  # fmt: skip


def _choice(row: Result) -> tuple[Cell, ...]:
    """Return the cells of a recommended design."""
    name = f"[`{row.architecture}`](architectures/{row.architecture}.md)"
    options = " ".join(f"{key}={value}" for key, value in row.options.items())
    figures: tuple[Cell, ...] = (row.area, row.time)
    if row.area is not None:
        figures += (product(row),)
    elif row.resources is not None and row.time is not None:
        resources = (row.resources["lut"], row.resources["dsp"])
        figures = (*resources, f"{row.time / 1e3:.3f}", lut_time(row))
    constant = "yes" if row.constant_time else "no"
    return (f"{name} `{options}`" if options else name, *figures, constant, row.result)


def _limit(row: Result) -> tuple[Cell, ...]:
    parameters = row.parameters
    width, digit, delay = (int(parameters[name]) for name in ("width", "digit", "delay"))
    limit = row_limit(width, digit, delay)
    return f"`{words(row)}`", limit, product(row), product(row) / limit


def _area(row: Result) -> float:
    assert row.area is not None
    return row.area


def _time(row: Result) -> float:
    assert row.time is not None
    return row.time


def _anything(row: Result) -> bool:
    return True


def _constant(row: Result) -> bool:
    return row.constant_time


def _below(row: Result) -> bool:
    return row.result in ("0 <= x < n", "-n < x < n")


def _canonical(row: Result) -> bool:
    return row.result == "0 <= x < n"


def _small(row: Result) -> bool:
    return row.resources is not None and row.resources["dsp"] <= 8


CELLS = ("nangate45", "sky130hd", "osu018")
CHOICES: tuple[Choice, ...] = (
    ("the least area times latency", _anything, product, 1, product),
    ("the same with results below n, signed", _below, product, 1, product),
    ("the same with results from 0 to n - 1", _canonical, product, 1, product),
    ("the least latency within 5%, of these the least area", _anything, _time, 1.05, _area),
    ("the least area within 50%, of these the least area times latency",
     _anything, _area, 1.5, product),
    ("the same in constant time", _constant, _area, 1.5, product),
    ("the least area", _anything, _area, 1, _area),
    ("the same in constant time", _constant, _area, 1, _area),
)  # fmt: skip
"""What designs are recommended for: which of them come into question, by which measure they are at
most a factor from the least one, and what is least among these."""
FPGA_CHOICES: tuple[Choice, ...] = (
    ("the least time", _anything, _time, 1, _time),
    ("the least time with at most 8 DSP blocks", _small, _time, 1, _time),
    ("the least LUT equivalents * us", _anything, lut_time, 1, lut_time),
)
METHODS = (
    "stored",
    "figures",
    "placed",
    "recommended",
    "frontier",
    "every",
    "limits",
    "library",
    "compared",
    "multipliers",
    "synthesized",
    "powers",
)
FUNCTIONS: tuple[Any, ...] = (
    Verifier, area, bullets, campaign, core_cycles, cycle_table, cycles, design, engine_on,
    engine_run, engine_table, engines, growth, info_table, interval, least_limit, lut_time, made,
    millions, mutants, percent, placed_engines, printed, product, product_table, row_limit, rows,
    run, signed, tables, turn, turns_table, verified,
)  # fmt: skip
NAMES = {function.__name__: function for function in FUNCTIONS}


def pages() -> list[Path]:
    """Return the pages that may have figures."""
    return sorted([ROOT / "README.md", *DOCS.rglob("*.md")])


def main(arguments: list[str]) -> int:
    """Render all pages and return the exit status."""
    renderer = Renderer(store.read_results())
    stale = []
    for page in pages():
        text = page.read_text(encoding="utf-8")
        made = renderer.render(text)
        if made != text:
            stale.append(page.relative_to(ROOT).as_posix())
            if "--check" not in arguments:
                page.write_text(made, encoding="utf-8")
    print("\n".join(stale) or "All pages are up to date.")
    return int(bool(stale) and "--check" in arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
