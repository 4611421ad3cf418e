# SPDX-License-Identifier: Apache-2.0
"""Functions that the expressions of the docs use: see render_docs.py."""

from __future__ import annotations

import importlib
import json
import math
import operator
import re
import runpy
import statistics
import tomllib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Any

from typer import Context
from typer.cli import get_docs_for_click
from typer.main import get_command

from montforge import power_cycles
from montforge.arch import core, design
from montforge.arch.fios_dsp import FiosDsp
from montforge.cli.app import app
from montforge.contract import Cycles
from montforge.errors import ParameterError
from montforge.explore.frontier import frontier
from montforge.explore.limit import least_limit, row_limit
from montforge.explore.results import CLOCK_TREE
from montforge.hardware.check import PRIME_RESIDUE, RESIDUES
from montforge.hardware.forms import PARALLEL
from montforge.hardware.fpga import target_data
from montforge.measure.placed.technology import placed_targets, technology_of
from montforge.papers.data import paper
from montforge.papers.records import standings, standings_table
from montforge.papers.rsa_engines import published_engines
from montforge.programs.serial import METHODS, model
from montforge.report.table import Cell, Table
from montforge.store import Result, read_results
from montforge.store.fill import EFFORT
from montforge.verify.runner import planned_operations

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
RUNS = DOCS / "runs.jsonl"
DSP_LUTS = 536
"""LUTs that a DSP block is counted as."""


def fixed(cycles: Cycles) -> int:
    """Return a number of cycles that does not depend on data."""
    assert cycles.is_fixed
    return cycles.minimum


def cycles(name: str, **parameters: int | str) -> int:
    """Return the latency of a design."""
    return fixed(core(name, **parameters).contract.latency)


def interval(name: str, **parameters: int | str) -> int:
    """Return the interval of a design."""
    return fixed(core(name, **parameters).contract.interval)


def core_cycles(name: str, **parameters: int | str) -> int:
    """Return the cycles of a design's core alone, for one whose paper counts these."""
    found = core(name, **parameters).core_cycles
    assert found is not None
    return found


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


def fios_table() -> str:
    """Return cycles and elements of the variants of fios_dsp at powers of two."""
    widths = [1 << bits for bits in range(6, 13)]
    rows: list[tuple[Cell, ...]] = []
    for variant in ("published", "fast", "unit"):
        found = [FiosDsp.of(width=width, variant=variant) for width in widths]
        rows.append((f"{variant}, core cycles", *(each.core_cycles for each in found)))
        rows.append((f"{variant}, elements", *(each.schedule.count for each in found)))
    return markdown(("width", *map(str, widths)), rows)


def rmm_table() -> str:
    """Return the cycles of the variants of rmm at the points of Table VI, if they are legal."""
    variants = ("published", "in_place", "truncated", "fast")
    rows = []
    for row in paper("grale2020").rows("table6_rmm_pareto"):
        k, m = map(int, re.findall(r"\d+", row["design"]))
        counts: list[Cell] = []
        for variant in variants:
            try:
                counts.append(cycles("rmm", width=256, k=k, m=m, variant=variant))
            except ParameterError:
                counts.append(None)
        rows.append((f"({k}, {m})", *counts))
    return markdown(("(k, m)", *variants), rows)


def read_runs() -> dict[str, dict[str, Any]]:
    """Return the outputs of stored runs, by their commands."""
    rows = map(json.loads, RUNS.read_text(encoding="utf-8").splitlines())
    return {row["command"]: row for row in rows}


def verified(*commands: str) -> str:
    """Return the numbers of operations that stored runs of ``montforge verify`` passed."""
    outputs = [run(f"montforge verify {command}") for command in commands]
    assert not any(output["mismatches"] for output in outputs)
    return "; ".join(f"{output['operations']:,}" for output in outputs)


def run(command: str) -> Any:
    """Return the output of a stored run: the object of ``--json``, or text."""
    runs = read_runs()
    if command not in runs:
        raise LookupError(f"no stored run: python scripts/store_runs.py --new {command!r}")
    return runs[command]["output"]


def printed(command: str) -> str:
    """Return the tables that a stored run printed."""
    lines = [line for line in run(command).splitlines() if line.startswith("|") or not line]
    return "\n\n" + "\n".join(lines).strip() + "\n\n"


def rows(columns: str, *commands: str) -> str:
    """Return the rows of tables that stored runs printed, below ``columns``, and the commands."""
    head = [f"| {columns} |", f"|{' --- |' * (columns.count('|') + 1)}"]
    lines = [line for command in commands for line in run(command).splitlines()]
    found = [line for line in lines if line.startswith("|")]
    return "\n\n" + "\n".join([*head, *found, "", *(f"- {made(c)}" for c in commands)]) + "\n\n"


def made(command: str) -> str:
    """Return a stored run's command, and the commit that it holds for."""
    return f"`{command}` at commit {read_runs()[command]['commit']}"


def leaks(compared: Sequence[str], *designs: str, options: str = "--seed 1") -> str:
    """Return a row a stored run of ``montforge leak``: time, and differences in activity.

    ``compared`` are the beginnings of the names of experiments.
    """
    found = []
    for words in designs:
        output = run(f"montforge leak {words} {options}")
        assert output["valid"]
        tests = output["findings"]
        needed = [each["traces"] for each in tests if each["traces"]]

        def largest(begin: str, tests: list[dict[str, Any]] = tests) -> float | None:
            return next((each["t"] for each in tests if each["experiment"].startswith(begin)), None)

        slowest = max((each["latency_t"] for each in tests), key=abs)
        verdict = {"proved": "constant, proved", "refuted": "varies"}[output["timing"]["verdict"]]
        figures = [largest(name) for name in compared]
        least = min(needed, default=None)
        found.append((f"`{words}`", verdict, slowest, tests[0]["t"], *figures, least))
    columns = ("design", "time", "t of time", "null", *compared, "traces at noise 10")
    return markdown(columns, found)


def blinding(command: str) -> str:
    """Return a row a phase of a stored run of ``montforge leak rsa``: cycles that show messages.

    They are given for operations with random words of their own, and with the same ones.
    """
    output = run(command)
    assert output["valid"]
    own, same = (
        next(
            each
            for each in output["findings"]
            if each["words"] == words and each["experiment"].startswith("x fixed")
        )
        for words in ("own", "the same")
    )
    found = [
        (phase, cycles, above, same["phases"][phase][1])
        for phase, (cycles, above) in own["phases"].items()
        if above or same["phases"][phase][1]
    ]
    found.append(("all", own["cycles"], own["above"], same["above"]))
    found.append(("largest t", None, own["t"], same["t"]))
    columns = ("phase", "cycles", "above the limit", "without blinding")
    return markdown(columns, found)


def fault_effects(*designs: str) -> str:
    """Return a row a stored run of ``montforge leak --faults``: shares of the effects."""
    found = []
    for words in designs:
        output = run(f"montforge leak {words} --faults --seed 1")
        counts = (*output["effects"].values(), output["next_wrong"])
        shares = (f"{100 * count / output['trials']:.2f}%" for count in counts)
        found.append((f"`{words}`", output["register_bits"], output["trials"], *shares))
    names = ("wrong result", "no effect", "no response", "right, wrong time", "next one wrong")
    return markdown(("design", "register bits", "trials", *names), found)


def checks(*designs: str) -> str:
    """Return rows of stored runs of designs without and with a check: figures, and faults.

    Area and period are those of 256 bits on nangate45, faults those of 64 bits. A check of
    `PRIME_RESIDUE` bits is left out where it has no run.
    """
    found = []
    for words in designs:
        name, _, parameters = words.partition(" ")
        measured, base = f"montforge measure {name}", 0.0
        for r in (0, *RESIDUES):
            check = f" -p check={r}" * bool(r)
            own = f" {parameters}" * bool(parameters)
            on_chip = f"{measured} -p width=256{own}{check} --target nangate45 --effort quick"
            if r == PRIME_RESIDUE and on_chip not in read_runs():
                continue
            chip = run(on_chip)
            hit = run(f"montforge leak {name} -p width=64{own}{check} --faults --seed 1")
            base = base or chip["area"]
            wrong = hit["effects"]["wrong result"]
            alarms = hit.get("alarms", {})
            false = alarms.get("no effect", 0)
            found.append(
                (
                    f"`{words}`",
                    r or "none",
                    round(chip["area"]),
                    f"{100 * (chip['area'] / base - 1):+.0f}%" if r else "",
                    round(chip["period"], 3),
                    round(chip["cycles"]) + chip["handover"],
                    wrong,
                    hit.get("escaped", wrong),
                    f"{100 * false / hit['trials']:.1f}%" if r else "",
                )
            )
    columns = ("design", "r", "area um2", "more", "period ns", "cycles", "wrong", "escape",
               "false alarms")  # fmt: skip
    return markdown(columns, found)


def clearing_costs(*names: str) -> str:
    """Return rows of stored runs of architectures without and with clear=1, at 256 bits."""
    found = []
    for name in names:
        plain, cleared = (
            run(f"montforge measure {name} -p width=256{clear} --target nangate45 --effort quick")
            for clear in ("", " -p clear=1")
        )
        areas, periods = ([each[key] for each in (plain, cleared)] for key in ("area", "period"))
        found.append(
            (
                f"`{name}`",
                *(round(area) for area in areas),
                f"{100 * (areas[1] / areas[0] - 1):+.0f}%",
                *(round(period, 3) for period in periods),
                f"{100 * (periods[1] / periods[0] - 1):+.0f}%",
                core(name, width=256, clear=1).contract.clearing,
            )
        )
    columns = ("design", "area um2", "area with clear", "more area", "period ns",
               "period with clear", "longer", "cycles of clearing")  # fmt: skip
    return markdown(columns, found)


def records() -> str:
    """Return the published records that are cells or layouts, then those of FPGAs and processors.

    A record has the columns that are known of its kind.
    """
    found = standings(read_results())
    columns = ("record", "source", "bits", "technology", "kGE", "FO4", "stored design", "its kGE",
               "its FO4", "verdict")  # fmt: skip
    others = ("record", "source", "function", "bits", "technology", "cycles", "latency ns",
              "leaves out")  # fmt: skip
    parts = []
    for names, is_kind in ((columns, True), (others, False)):
        chosen = [each for each in found if (each.record.kind in {"cells", "layout"}) == is_kind]
        rows = standings_table(chosen).to_json()["rows"]
        for row in rows:
            if " " in row["verdict"]:
                row["verdict"] = f'<span class="title">{row["verdict"]}</span>'
        parts.append(markdown(names, ([row[name] for name in names] for row in rows)))
    return "".join(parts)


def stored_run(command: str) -> str:
    """Return the command of a stored run. Raises LookupError if there is none."""
    run(command)
    return f"`{command}`"


def tables(command: str) -> str:
    """Return the tables of a stored run of ``montforge reproduce``.

    Notes of all tables that have notes are given once, at the end.
    """
    found = [_table(table) for table in run(command)["tables"]]
    noted = [table.notes for table in found if table.notes]
    common = [note for note in noted[0] if all(note in notes for notes in noted[1:])]
    common = common if len(noted) > 1 else []
    own = [replace(t, notes=tuple(n for n in t.notes if n not in common)) for t in found]
    texts = [table.to_markdown() for table in own]
    if common:
        texts.append("### Notes on all tables\n\n" + "".join(f"- {note}\n" for note in common))
    return "\n\n" + "\n".join(texts) + "\n"


def layouts(rows: Sequence[dict[str, Any]], base: str) -> str:
    """Return the figures with wires of rows of a reproduced table, and their ratios to ``base``.

    Beside each ratio is that of the paper's layouts, where the paper has the design.
    """
    (first,) = (row for row in rows if row["multiplier"] == base)

    def ratio(row: dict[str, Any], name: str) -> float | None:
        return None if row[name] is None else row[name] / first[name]

    figures = {"period": "period ns", "area": "area um2", "area*time": "area*time 1e3 um2 us"}
    columns = ["multiplier"]
    for short, name in figures.items():
        columns += [name, f"{short}, ratio", f"{short}, ratio, paper"]
    found = []
    for row in rows:
        cells: list[Cell] = [row["multiplier"]]
        for name in figures.values():
            sized = f"{name}, sized"
            cells += [row[sized], ratio(row, sized), ratio(row, f"{name}, paper")]
        found.append(cells)
    return markdown(columns, found)


def _table(data: dict[str, Any]) -> Table:
    """Return the table whose JSON ``data`` is, with the asterisks of its formulas as text."""
    rows = tuple(
        tuple(cell.replace("*", r"\*") if isinstance(cell, str) else cell for cell in row.values())
        for row in data["rows"]
    )
    return Table(data["title"], tuple(data["rows"][0]), rows, tuple(data["notes"]))


def reproduced(options: str) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of each table of a stored run of ``montforge reproduce``, by its title."""
    found = run(f"montforge reproduce {options}")["tables"]
    return {table["title"]: table["rows"] for table in found}


def labelled(options: str, title: str) -> dict[str, dict[str, Any]]:
    """Return the rows of a table of a stored run of ``montforge reproduce``, by their labels."""
    return {str(next(iter(row.values()))): row for row in reproduced(options)[title]}


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


def commands() -> str:
    """Return the arguments and options of each command, from their help."""
    group = get_command(app)
    text = get_docs_for_click(
        obj=group, ctx=Context(group, info_name="montforge"), name="montforge"
    )
    return f"\n\n## {text.partition('## ')[2].strip()}\n\n"


def turns_table() -> str:
    """Return turns and cycles of exponentiations over all multipliers."""
    return f"\n\n{modexp_table()['cycles_table']()}\n\n"


def model_table(k: int, most: int) -> str:
    """Return the cycles of the serial model's classes with 1 to ``most`` multipliers."""
    numbers = range(1, most + 1)
    columns = ("class", "cycles with m multipliers", *(f"k = {k}, m = {m}" for m in numbers))
    found = [[model(k, m, method) for m in numbers] for method in METHODS]
    return markdown(columns, [(f[0].method, f[0].formula, *(m.cycles for m in f)) for f in found])


def chains() -> str:
    """Return cycles of exponentiations in turn on one multiplier."""
    return f"\n\n{modexp_table()['chains_table']()}\n\n"


def turns(width: int, w: int) -> int:
    """Return the turns of a power by windows of w bits."""
    return fixed(power_cycles(core("modexp", width=width, algorithm="window", w=w)).turns)


def constant(module: str, name: str) -> Any:
    """Return the value that a module of the package gives a name."""
    return getattr(importlib.import_module(module), name)


def modexp_table() -> dict[str, Any]:
    """Return the names of scripts/modexp_table.py."""
    return runpy.run_path(str(ROOT / "scripts" / "modexp_table.py"))


def mutants() -> str:
    """Return the bugs that are planted by hand, and the mutants that Yosys makes, of each one."""
    files = sorted((ROOT / "tests" / "mutants").glob("*.toml"))
    found = {path.stem: tomllib.loads(path.read_text())["mutant"] for path in files}
    planted = {
        name: (len(all_), sum("equivalent" not in each for each in all_))
        for name, all_ in found.items()
    }
    made = yosys_mutants()
    return markdown(
        ("architecture", "planted", "to be caught", *YOSYS_MUTANTS),
        [
            (name, *planted.get(name, ("", "")), *made.get(name, ("",) * len(YOSYS_MUTANTS)))
            for name in sorted(planted | made)
        ],
    )


YOSYS_MUTANTS = ("by Yosys", "caught", "equal", "contract", "pass all", "argued", "open")


def yosys_mutants() -> dict[str, tuple[int, ...]]:
    """Return `YOSYS_MUTANTS` of each architecture with a stored run."""
    found: dict[str, tuple[int, ...]] = {}
    for command in read_runs():
        if command.startswith("python benchmarks/yosys_mutants.py "):
            rows = (line for line in run(command).splitlines() if line.startswith("| "))
            name, _, *counts = (cell.strip() for cell in list(rows)[-1].strip("|").split("|"))
            made, killed, equal, passing, *others = (int(each) for each in counts)
            proved, argued = (*others, 0, 0)[:2]  # runs from before these columns have none
            left = made - killed - equal - passing - proved - argued
            found[name] = (made, killed, equal, proved, passing, argued, left)
    return found


@dataclass(frozen=True)
class Verification:
    """A stored run of ``scripts/verification_figures.py``."""

    command: str
    operations: int
    wrong: int
    tables: str

    @classmethod
    def of(cls, family: str) -> Verification:
        """Return the run of a family: a title, a table and the commands of each section."""
        command = f"python scripts/verification_figures.py {family}"
        text = run(command)
        found = re.search(r"([\d,]+) operations in all, of which ([\d,]+) were wrong", text)
        assert found
        operations, wrong = (int(each.replace(",", "")) for each in found.groups())
        head, *sections = text.split("\n### ")
        tables = ""
        for section in sections:
            title, *lines = section.splitlines()
            table = [line for line in lines if line.startswith("|")]
            commands = [
                line for line in (*head.splitlines(), *lines) if line.startswith("- ")
            ]  # runs of older versions have all commands at their head
            tables += "\n".join([f"## {title}", "", *table, "", *commands, "", ""])
        return cls(command, operations, wrong, tables)


def verification(family: str) -> str:
    """Return a family's operations, and its tables with their commands."""
    found = Verification.of(family)
    counts = f"{found.operations:,} operations, {found.wrong:,} of them wrong"
    return f"\n\n{counts}: {made(found.command)}.\n\n{found.tables}"


def verifications(**titles: str) -> str:
    """Return the operations of families, each by the title of its page."""
    rows = []
    for family, title in titles.items():
        found = Verification.of(family)
        page = f"[{title}]({family}.md)"
        rows.append((page, f"{found.operations:,}", f"{found.wrong:,}", made(found.command)))
    return markdown(("designs", "operations", "wrong", "stored run"), rows)


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
            core(self.name, **named),
            mode=limits.get("--mode", "all"),
            operations=_integer(limits.get("--operations")),
            chain_length=_integer(limits.get("--chain-length")),
        )


def _integer(text: str | None) -> int | None:
    return None if text is None else int(text)


def cycle_table(*commands: str) -> str:
    """Return the counts of stored runs of ``montforge cycles``, beside the papers'."""
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
        "turns": key["turns"] * output["turn_cycles"] // output["parameters"].get("half_clock", 1),
        "load": key["load"],
        "operations": output["operations"],
        **(output["public"] or {}),
    }


@dataclass(frozen=True)
class Placed:
    """Figures of a stored run of ``montforge measure rsa``."""

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
        "private, cycles", "time ms",
    )  # fmt: skip
    found: list[tuple[Cell, ...]] = []
    for each in options:
        engine = engine_on(each)
        given = dict(word.split("=") for word in each.split() if "=" in word)
        resources = [engine.resources[kind] for kind in kinds]
        figures = (f"{engine.mhz:.1f}", f"{engine.cycles:,}", f"{engine.ms:.3f}")
        found.append((int(given["bits"]), given["core"], *resources, *figures))
    lines = [f"- `montforge measure rsa {each}`" for each in options]
    return markdown(columns, found) + "\n".join(lines) + "\n\n"


@dataclass(frozen=True)
class Campaign:
    """Operations with faults of a stored run, and its tables; ``kinds`` adds all places up."""

    operations: int
    wrong: int
    endless: int
    kinds: str
    ends: str
    guards: str


def campaign(command: str) -> Campaign:
    """Return the output of a stored run of ``benchmarks/rsa_faults.py``."""
    ends, guards = re.findall(r"(?:^\|.*\n)+", run(command), re.MULTILINE)
    cells = [row.strip("| ").replace(",", "").split(" | ") for row in ends.splitlines()[2:]]
    kinds: dict[str, list[int]] = {}
    for kind, _, *counts in cells:
        if "no check" not in kind:
            before = kinds.get(kind, [0] * 5)
            kinds[kind] = [sum(pair) for pair in zip(before, map(int, counts[:5]), strict=True)]
    totals = [sum(column) for column in zip(*kinds.values(), strict=True)]
    columns = ("fault", "operations", "right", "error", "wrong result", "no end")
    table = markdown(
        columns, [(kind, *counts) for kind, counts in {**kinds, "all": totals}.items()]
    )
    tables = table, f"\n\n{ends}\n", f"\n\n{guards}\n"
    return Campaign(totals[0], totals[3], totals[4], *tables)


def verdict(command: str) -> str:
    """Return the verdict of a stored run of ``montforge prove`` with one check, and its message."""
    (check,) = run(command)["checks"]
    return f"{check['verdict']}, {check['message']}"


def assumptions(command: str) -> str:
    """Return what the verdict of a stored run of ``montforge prove`` takes for granted."""
    (check,) = run(command)["checks"]
    return "\n\n" + "".join(f"- {each}\n" for each in check["assumptions"]) + "\n"


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


def placed_product(result: Result) -> float | None:
    """Return area times time in mm2 ns of the placed and sized netlist, if it is stored."""
    return None if result.sized is None else product(result.sized)


def with_wires_of_today(results: Iterable[Result]) -> list[Result]:
    """Return ``results`` without figures with wires that are older than the flow or the row."""
    return [
        replace(row, placed=None) if row.placed and (row.stale or row.placed_stale) else row
        for row in results
    ]


def placed_column(
    results: Iterable[Result],
) -> tuple[tuple[str, ...], Callable[[Result], tuple[Cell, ...]]]:
    """Return the head of a column of `placed_product`, and its cell of a row, each in a tuple.

    They are empty if none of ``results`` has figures with wires.
    """
    count = int(any(result.placed for result in results))
    return ("placed mm2 ns",) * count, lambda result: (placed_product(result),) * count


def with_wires(result: Result) -> str:
    """Return time and product of the placed and sized netlist, to stand behind those without."""
    found = result.sized
    return "" if found is None else f" (placed and sized {found.time:.4g} at {product(found):.4g})"


def growth_with_wires(one: Result, other: Result) -> str:
    """Return `growth` of the placed and sized netlists, to stand behind that without wires."""
    if one.sized is None or other.sized is None:
        return ""
    return f" (placed and sized width^{growth(one.sized, other.sized)})"


def lut_equivalents(result: Result) -> int:
    """Return the LUTs of a design on an FPGA, with those that its DSP blocks stand for."""
    assert result.resources is not None
    return result.resources["lut"] + DSP_LUTS * result.resources["dsp"]


def lut_time(result: Result) -> float:
    """Return LUT equivalents times microseconds."""
    assert result.time is not None
    return lut_equivalents(result) * result.time / 1e3


def best(results: Sequence[Result]) -> list[Result]:
    """Return the designs on an FPGA that no other one beats in LUT equivalents and time."""
    return [results[i] for i in frontier([(lut_equivalents(r), r.time or 0) for r in results])]


def linked(result: Result) -> str:
    """Return a design's label as a link to its page, from a folder beside docs/architectures."""
    return f"[`{result.label}`](../architectures/{result.architecture}.md)"


def placed_technologies() -> str:
    """Return rows and wires of the targets that have such data."""
    columns = (*("target", "row um", "site um", "fF/um", "ohm/um", "layer", "rows used", "source"),)
    rows = [
        (
            name, found.row_um, found.site_um, found.capacitance_ff_um, found.resistance_ohm_um,
            found.layer, f"{found.utilization:.0%}", found.source,
        )
        for name in placed_targets()
        for found in [technology_of(name)]
    ]  # fmt: skip
    return markdown(columns, rows)


def clock_buffers() -> str:
    """Return what estimates of clock trees are made with on the targets that have wires."""
    columns = ("target", "buffer", "registers", "source")
    found = [(name, technology_of(name)) for name in placed_targets()]
    return markdown(
        columns,
        [
            (name, each.clock_buffer.split()[0], each.clock_registers, each.clock_source)
            for name, each in found
        ],
    )


SEEDS = {
    name: tuple(
        f"montforge measure {name} -p width=256 --target nangate45 --effort quick --placed{seed}"
        for seed in ("", *(f" --seed {each}" for each in range(2, 6)))
    )
    for name in ("scs_mm_skip", "three_pass")
}
"""Runs of docs/guides/wires.md by architecture, each with another seed, from 1 on."""


def placed_rows() -> list[Result]:
    """Return the rows of quick effort and parallel ports that have wires of today's flow.

    They are ordered by target, size and area x time.
    """
    rows = (r for r in read_results() if r.form == PARALLEL and r.effort == EFFORT)
    return sorted(
        (row for row in with_wires_of_today(rows) if row.placed),
        key=lambda row: (row.target, row.size, row.sized.area_time or 0 if row.sized else 0),
    )


def wires_cost() -> str:
    """Return how much longer periods are with wires, by target and width of three or more rows."""
    columns = ("target", "bits", "designs", "least", "median", "most", "design with the most")
    found = []
    for (target, size), group in groupby(placed_rows(), lambda row: (row.target, row.size)):
        ratios = sorted(
            (row.sized.period / row.period, linked(row))
            for row in group
            if row.sized and row.sized.period and row.period
        )
        if len(ratios) >= 3:
            middle = statistics.median(ratio for ratio, _ in ratios)
            cells = (
                f"{round(100 * each - 100):+}%" for each in (ratios[0][0], middle, ratios[-1][0])
            )
            found.append((target, size, len(ratios), *cells, ratios[-1][1]))
    return markdown(columns, found)


def placed_table() -> str:
    """Return the periods and areas of all stored rows with wires."""
    columns = (
        "target", "bits", "design", "no wires ns", "wire-load ns", "placed ns", "sized ns", "um2",
        "sized um2", "sized mm2 ns",
    )  # fmt: skip
    found = [
        (
            row.target, row.size, linked(row), placed["period_no_wires"],
            placed["period_wire_load"], placed["period_placed"], placed["period_sized"], row.area,
            placed["area_sized"], placed["area_time"] / 1e6,
        )
        for row in placed_rows()
        for placed in [row.placed or {}]
    ]  # fmt: skip
    return markdown(columns, found)


def clock_trees() -> str:
    """Return the estimated clock trees of all stored rows that have them."""
    columns = (
        *("target", "bits", "design", "registers", "leaf buffers", "buffers", "um2"),
        *("latency ns", "skew ns", "period with it ns"),
    )
    found = [
        (
            row.target, row.size, linked(row), tree["registers"], tree["leaf_buffers"],
            tree["buffers"], tree["area"], tree["latency"], tree["skew"], tree["period"],
        )
        for row in placed_rows()
        for tree in [(row.placed or {}).get(CLOCK_TREE)]
        if tree
    ]  # fmt: skip
    return markdown(columns, found)


def seeds() -> str:
    """Return the command of `SEEDS`, and a table of least and largest figures and seed 1's."""
    columns = ("design", "seeds", "placed ns", "sized ns", "sized mm2 ns", "mm2 ns of seed 1")
    found = []
    for name, commands in SEEDS.items():
        placed = [run(command)["placed"] for command in commands]
        spans = [
            [each[key] * factor for each in placed]
            for key, factor in (("period_placed", 1), ("period_sized", 1), ("area_time", 1e-6))
        ]
        cells = (f"{min(each):.4g} to {max(each):.4g}" for each in spans)
        found.append((f"`{name}`", f"1 to {len(commands)}", *cells, f"{spans[-1][0]:.4g}"))
    sentence = f"Another seed gives other places (`{SEEDS['scs_mm_skip'][0]} --seed SEED`):"
    return "\n\n" + sentence + markdown(columns, found)


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


FUNCTIONS: tuple[Any, ...] = (
    area, assumptions, best, blinding, bullets, campaign, chains, checks, clearing_costs, commands,
    constant,
    core_cycles, cycle_table, cycles, design, engine_on, engine_run, engine_table, engines,
    fault_effects, fios_table, growth, growth_with_wires, info_table, interval, labelled, layouts,
    leaks,
    least_limit,
    clock_buffers, clock_trees, linked, lut_time, made,
    millions, model_table, mutants, percent, placed_engines, placed_table, placed_technologies,
    printed, product, product_table,
    records, reproduced, rmm_table, row_limit, rows, run, seeds, signed, stored_run, tables,
    target_data, turn, turns, turns_table, verification, verdict, verifications, verified,
    wires_cost, with_wires, Verifier,
)  # fmt: skip
NAMES = {**{function.__name__: function for function in FUNCTIONS}, "DSP_LUTS": DSP_LUTS}
