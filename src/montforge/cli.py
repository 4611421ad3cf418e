# SPDX-License-Identifier: Apache-2.0
"""The command ``montforge``: thin commands over the Python calls of the same names.

With ``--json`` a command prints one JSON object on standard output and nothing else. Exit status:
0 done, 1 a check failed (a mismatch), 2 bad usage or a missing tool.
"""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

import montforge
from montforge.arch import Design, architecture, design, registry
from montforge.errors import MontforgeError, ParameterError
from montforge.explore import Status, StatusFunction
from montforge.explore import explore as explore_space
from montforge.explore.explorer import SAMPLES, TIME_LIMIT
from montforge.explore.results import check_folder, cost, scaled_product
from montforge.generate import generate as generate_folder
from montforge.measure import find_target
from montforge.measure import measure as measure_design
from montforge.papers import reproduce as reproduce_paper
from montforge.progress import ProgressFunction
from montforge.report import Table, gantt
from montforge.serial_model import METHODS, cycles_table, formulas_table, model
from montforge.verify import MODES, measure_cycles
from montforge.verify import verify as verify_design

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help="Montgomery arithmetic hardware: generate, verify, measure and compare designs.",
)
INTERRUPTED = 130
"""The exit status after an interrupt, which Typer turns into SystemExit."""

output = Console()
messages = Console(stderr=True)

Name = Annotated[str, typer.Argument(metavar="ARCH", help="An architecture: see `montforge list`.")]
ParameterOption = Annotated[
    list[str] | None,
    typer.Option(
        "-p", "--parameter", metavar="NAME=VALUE", help="A parameter of the architecture."
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
SeedOption = Annotated[
    int | None, typer.Option("--seed", min=0, help="Seed of the random operands (default: new).")
]
EffortOption = Annotated[
    str, typer.Option(help="Synthesis on standard cells: full, or quick (three points).")
]
WorkersOption = Annotated[
    int | None, typer.Option("--workers", min=1, help="Worker processes (default: all cores).")
]


def main() -> None:
    """Run the command line and exit with its status."""
    for end in (signal.SIGTERM, signal.SIGHUP):  # tools run on unless they are ended
        if signal.getsignal(end) is signal.SIG_DFL:
            signal.signal(end, signal.default_int_handler)
    try:
        app()
    except MontforgeError as error:
        _fail(str(error))
    except OSError as error:
        where = f" ({error.filename})" if error.filename else ""
        _fail(f"{error.strerror or error}{where}.")
    except SystemExit as end:
        if end.code == INTERRUPTED:
            messages.print(
                "interrupted; finished work is kept and the same command goes on with it"
            )
        raise


@app.callback(invoke_without_command=True)
def options(
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    """Print the version if asked."""
    if version:
        typer.echo(f"montforge {montforge.__version__}")
        raise typer.Exit


@app.command("list")
def list_command(json_output: JsonOption = False) -> None:
    """List the architectures."""
    found = [
        {
            "architecture": a.name,
            "title": a.title,
            "family": a.family,
            "parameters": [p.name for p in a.parameters],
            "latency": "fixed" if design(a.name).contract.latency.is_fixed else "data dependent",
        }
        for a in registry().values()
    ]
    if json_output:
        _print_json({"architectures": found})
        return
    table = Table(
        "Architectures",
        ("architecture", "what it is", "latency"),
        tuple((str(f["architecture"]), str(f["title"]), str(f["latency"])) for f in found),
        (
            "Radix 2 of the high-radix family booth_csa is fcs_mm1.",
            "Parameters: montforge info ARCHITECTURE.",
        ),
    )
    output.print(table.to_rich())


@app.command()
def info(name: Name, parameter: ParameterOption = None, json_output: JsonOption = False) -> None:
    """Show contract, formulas, parameters and citation of an architecture."""
    chosen = _design(name, parameter)
    found = architecture(name)
    figures = found.figures(chosen.parameters)
    if json_output:
        _print_json(
            {
                "architecture": name,
                "title": found.title,
                "citation": str(found.citation),
                "parameters": {
                    p.name: {"value": chosen.parameters[p.name], "legal": p.rule, "doc": p.meaning}
                    for p in found.parameters
                },
                "contract": chosen.contract.to_json(),
                "formulas": dict(found.formulas),
                "figures": figures,
                "errata": list(found.errata),
            }
        )
        return
    lines = [found.title, "", str(chosen.contract), "", "Parameters"]
    lines += [
        f"  {p.name} = {chosen.parameters[p.name]}: {p.meaning}; {p.rule}" for p in found.parameters
    ]
    lines += ["", "Formulas", *(f"  {name}: {text}" for name, text in found.formulas)]
    if figures:
        lines += ["", "Figures", *(f"  {name}: {value:.4g}" for name, value in figures.items())]
    if found.errata:
        lines += ["", "Where it leaves the paper", *(f"  - {text}" for text in found.errata)]
    lines += ["", f"Source: {found.citation}"]
    output.print("\n".join(lines), markup=False, highlight=False)


@app.command()
def generate(
    name: Name,
    out: Annotated[Path, typer.Option("-o", "--output", help="The folder to make.")],
    parameter: ParameterOption = None,
    flat_verilog: Annotated[
        bool, typer.Option("--flat-verilog", help="Also write plain Verilog-2005.")
    ] = False,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the test vectors.")] = 1,
    json_output: JsonOption = False,
) -> None:
    """Make a folder that stands alone: RTL, wrapper, testbench, SDC, datasheet."""
    chosen = _design(name, parameter)
    folder = generate_folder(chosen, out, flat_verilog=flat_verilog, seed=seed)
    if json_output:
        _print_json(
            {
                "architecture": name,
                "parameters": dict(chosen.parameters),
                "folder": str(folder),
                "top": chosen.name,
                "files": sorted(
                    str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file()
                ),
            }
        )
    else:
        output.print(f"{chosen} is in {folder} (run `make` there)", markup=False, highlight=False)


@app.command()
def verify(
    name: Name,
    parameter: ParameterOption = None,
    operations: Annotated[int, typer.Option(min=1, help="Random operations.")] = 1000,
    mode: Annotated[str, typer.Option(help="One of " + ", ".join(MODES) + ".")] = "all",
    chain_length: Annotated[int, typer.Option(min=1, help="Squarings of a chain.")] = 1000,
    modulus: Annotated[
        str | None, typer.Option(help="Use this modulus (decimal, or hexadecimal with 0x).")
    ] = None,
    vectors: Annotated[
        Path | None,
        typer.Option(help='JSON lines {"n", "a", "b"} in hexadecimal; checks a*b mod n.'),
    ] = None,
    only: Annotated[
        int | None, typer.Option(min=0, help="Repeat just the operation of that index.")
    ] = None,
    waves: Annotated[Path | None, typer.Option(help="Write an FST file of the run.")] = None,
    seed: SeedOption = None,
    workers: WorkersOption = None,
    json_output: JsonOption = False,
) -> None:
    """Check products, bounds, cycles and handshakes of the RTL against integers."""
    chosen = _design(name, parameter)
    with _progress("verify") as advance:
        report = verify_design(
            chosen,
            operations=operations,
            seed=seed,
            mode=mode,
            chain_length=chain_length,
            modulus=_integer("modulus", modulus),
            vectors=vectors,
            workers=workers,
            waves=waves,
            only=only,
            progress=advance,
        )
    if json_output:
        _print_json(report.to_json())
    else:
        output.print(str(report), markup=False, highlight=False)
    if report.mismatches:
        raise typer.Exit(1)


@app.command()
def cycles(
    name: Name,
    parameter: ParameterOption = None,
    samples: Annotated[int, typer.Option(min=1, help="Random operations.")] = 2000,
    seed: SeedOption = None,
    workers: WorkersOption = None,
    json_output: JsonOption = False,
) -> None:
    """Measure cycles of the RTL and check the model's prediction of every operation."""
    chosen = _design(name, parameter)
    with _progress("cycles") as advance:
        report = measure_cycles(
            chosen, samples=samples, seed=seed, workers=workers, progress=advance
        )
    if json_output:
        _print_json(report.to_json())
    else:
        output.print(str(report), markup=False, highlight=False)
    if report.model_mismatches:
        raise typer.Exit(1)


@app.command()
def measure(
    name: Name,
    parameter: ParameterOption = None,
    target: Annotated[
        str | None, typer.Option(help="A target, such as osu018, nangate45, ecp5-85k, xcup.")
    ] = None,
    liberty: Annotated[
        Path | None, typer.Option(help="A Liberty file to measure on, plain or gzip.")
    ] = None,
    native: Annotated[
        bool, typer.Option("--native", help="The form with the native word interface.")
    ] = False,
    seeds: Annotated[
        int, typer.Option(min=0, help="Placement seeds on an FPGA; 0: synthesis only.")
    ] = 3,
    effort: EffortOption = "full",
    samples: Annotated[
        int, typer.Option(min=1, help="Operations for the mean latency, if it depends on data.")
    ] = 2000,
    json_output: JsonOption = False,
) -> None:
    """Measure area, clock period and latency on a target."""
    chosen = _design(name, parameter)
    if target is None and liberty is None:
        raise ParameterError("name a target (--target osu018) or a Liberty file (--liberty FILE).")
    find_target(target, liberty)
    with _progress("measure") as advance:
        mean = _mean_cycles(chosen, samples)
        result = measure_design(
            chosen,
            target,
            liberty=liberty,
            cycles=mean,
            native=native,
            seeds=seeds,
            effort=effort,
            progress=advance,
        )
    if json_output:
        _print_json(result.to_json())
    else:
        output.print(str(result), markup=False, highlight=False)


@app.command()
def explore(
    out: Annotated[
        Path, typer.Option("-o", "--output", help="Write the results into this folder.")
    ],
    width: Annotated[int, typer.Option(help="Bits of the modulus.")] = 256,
    target: Annotated[
        str | None, typer.Option(help="A target, such as osu018, nangate45, ecp5-85k.")
    ] = None,
    liberty: Annotated[
        Path | None, typer.Option(help="A Liberty file to measure on, plain or gzip.")
    ] = None,
    arch: Annotated[
        list[str] | None,
        typer.Option(metavar="ARCH", help="Only this architecture; may be given several times."),
    ] = None,
    space: Annotated[
        Path | None, typer.Option(help="A TOML file with [[space]] tables: ranges of parameters.")
    ] = None,
    points: Annotated[
        Path | None, typer.Option(help="A TOML file with [[point]] tables: a list of designs.")
    ] = None,
    budget: Annotated[
        int | None, typer.Option(help="Measure only so many designs of the space: a search.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the search.")] = 1,
    samples: Annotated[
        int, typer.Option(help="Operations for the mean latency, if it depends on data.")
    ] = SAMPLES,
    seeds: Annotated[int, typer.Option(help="Placement seeds on an FPGA.")] = 3,
    effort: EffortOption = "full",
    workers: Annotated[
        int | None, typer.Option(min=1, help="Designs at a time (default: all cores).")
    ] = None,
    dask: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Use a Dask cluster: tcp://HOST:PORT, or local."),
    ] = None,
    time_limit: Annotated[float, typer.Option(help="Seconds that a design may take.")] = TIME_LIMIT,
    memory_limit: Annotated[
        float | None,
        typer.Option(help="MB that a design may take (default: its share of the free memory)."),
    ] = None,
    retry: Annotated[
        bool, typer.Option("--retry", help="Try designs again that failed in earlier runs.")
    ] = False,
    json_output: JsonOption = False,
) -> None:
    """Measure a space of designs; draw and print the frontier of area and latency."""
    if target is None and liberty is None:
        raise ParameterError("name a target (--target nangate45) or a Liberty file (--liberty).")
    check_folder(out)
    with _exploration_progress() as report:
        found = explore_space(
            target,
            liberty=liberty,
            width=width,
            architectures=tuple(arch or ()),
            space=space,
            points=points,
            budget=budget,
            seed=seed,
            samples=samples,
            seeds=seeds,
            effort=effort,
            workers=workers,
            dask=dask,
            time_limit=time_limit,
            memory_limit=memory_limit,
            retry=retry,
            report=report,
        )
    found.write(out)
    if json_output:
        _print_json(found.to_json())
    else:
        output.print(found.table().to_rich())
        output.print(f"results: {out}", markup=False, highlight=False)
    if found.failed:
        raise typer.Exit(1)


@app.command()
def reproduce(
    paper: Annotated[str, typer.Argument(metavar="PAPER", help="A paper, such as kuang2016.")],
    table: Annotated[
        str | None, typer.Option(help="A table of the paper (default: all that we have).")
    ] = None,
    target: Annotated[
        list[str] | None, typer.Option(help="Measure on these targets (default: the table's).")
    ] = None,
    width: Annotated[
        list[int] | None, typer.Option(help="Only these widths (default: the table's).")
    ] = None,
    samples: Annotated[
        int | None, typer.Option(min=1, help="Operations (default: the paper's number).")
    ] = None,
    effort: EffortOption = "full",
    out: Annotated[
        Path | None, typer.Option("-o", "--output", help="Write the pages into this folder.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the random operands.")] = 1,
    json_output: JsonOption = False,
) -> None:
    """Put a paper's published figures beside measured ones."""
    with _progress("reproduce") as advance:
        result = reproduce_paper(
            paper,
            table=table,
            targets=tuple(target or ()),
            widths=tuple(width or ()),
            samples=samples,
            effort=effort,
            seed=seed,
            progress=advance,
        )
    if out is not None:
        result.write(out)
    if json_output:
        _print_json(result.to_json())
        return
    for part in result.tables:
        output.print(part.to_rich())
    if out is not None:
        output.print(f"pages: {out}", markup=False, highlight=False)


@app.command("model")
def model_command(
    k: Annotated[int, typer.Option("--k", help="Digits of an operand, 2 to 16.")] = 4,
    m: Annotated[
        str, typer.Option("--m", metavar="M", help="Digit multipliers: 3, 1..5 or 1,2,4.")
    ] = "1..5",
    method: Annotated[
        list[str] | None,
        typer.Option("--class", help="One of " + ", ".join(METHODS) + " (default: all)."),
    ] = None,
    picture: Annotated[
        Path | None,
        typer.Option(help="Draw the schedule of one class and one m (.png .svg .pdf .html)."),
    ] = None,
    pipeline: Annotated[
        bool, typer.Option("--pipeline", help="Draw load, multiply and accumulate (Fig. 4).")
    ] = False,
    json_output: JsonOption = False,
) -> None:
    """Show the Extended Serial Montgomery Model: cycles, storage and schedules of its classes."""
    models = [model(k, count, name) for count in _counts(m) for name in method or METHODS]
    if picture is not None:
        if len(models) != 1:
            raise ParameterError(
                f"a picture shows one schedule, not {len(models)};"
                " name one class and one m (--class SPS --m 3)."
            )
        stages = gantt.STAGES if pipeline else ()
        title = f"{models[0].method}, k = {k}, m = {models[0].m}"
        gantt.write_picture(models[0].bars(), picture, title=title, stages=stages)
    if json_output:
        _print_json({"k": k, "models": [found.to_json() for found in models]})
        return
    output.print(formulas_table(models).to_rich())
    output.print(cycles_table(models).to_rich())
    if picture is not None:
        output.print(f"picture: {picture}", markup=False, highlight=False)


def _counts(text: str) -> list[int]:
    """Return the numbers of ``3``, ``1..5`` or ``1,2,4``, without repetitions, in order."""
    found: list[int] = []
    for part in text.split(","):
        first, dots, last = part.partition("..")
        low = _number(text, first)
        found += range(low, _number(text, last) + 1) if dots else [low]
    if not found:
        raise ParameterError(f"m = {text!r} has no number in it; write 3, 1..5 or 1,2,4.")
    return list(dict.fromkeys(found))


def _number(whole: str, text: str) -> int:
    if not (text.strip().isascii() and text.strip().isdigit() and len(text) <= 4):
        raise ParameterError(f"m = {whole!r} is not a list of numbers; write 3, 1..5 or 1,2,4.")
    return int(text)


def _design(name: str, parameters: list[str] | None) -> Design:
    values: dict[str, object] = {}
    for text in parameters or ():
        key, equals, value = text.partition("=")
        if not equals:
            raise ParameterError(
                f"parameter {text!r} has no value; write -p NAME=VALUE, such as -p width=256."
            )
        if key in values:
            raise ParameterError(f"parameter {key} is given twice; give it once.")
        values[key] = value
    architecture(name)
    return design(name, **values)


def _integer(name: str, text: str | None) -> int | None:
    try:
        return None if text is None else int(text, 0)
    except ValueError:
        raise ParameterError(
            f"{name} {text!r} is not an integer; write it in decimal, or in hexadecimal with 0x."
        ) from None


def _mean_cycles(chosen: Design, samples: int) -> float:
    latency = chosen.contract.latency
    if latency.is_fixed:
        return float(latency.minimum)
    return measure_cycles(chosen, samples=samples, seed=1).mean


@contextmanager
def _progress(title: str) -> Iterator[ProgressFunction | None]:
    if not messages.is_terminal:
        yield None
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=messages, transient=True) as bar:
        task = bar.add_task(title, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


@contextmanager
def _exploration_progress() -> Iterator[StatusFunction]:
    """Print a line for each design, and below them on a terminal how far the run is."""

    def line(status: Status) -> None:
        row = status.last
        if row is None:
            return
        if row.status == "measured":
            area, latency = cost(row)
            figures = f"{area:,.0f} {row.area_unit}, {latency:.4g} {row.time_unit}"
            figures += f", product {scaled_product(row):.4g}"
        else:
            figures = f"failed: {row.message}"
        text = f"[{status.done}/{status.total}] {row.label}: {figures}"
        if not messages.is_terminal:
            text += f" ({_remaining(status)})"
        messages.print(text, markup=False, highlight=False, soft_wrap=True)

    if not messages.is_terminal:
        yield line
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=messages, transient=True) as bar:
        task = bar.add_task("explore", total=None)

        def show(status: Status) -> None:
            line(status)
            text = f"explore, {status.failed} failed, {_remaining(status)}"
            bar.update(task, description=text, completed=status.done, total=status.total)

        yield show


def _remaining(status: Status) -> str:
    if status.remaining is None:
        return "no estimate yet"
    if status.remaining < 90:
        return f"about {status.remaining:.0f} s left"
    return f"about {status.remaining / 60:.0f} min left"


def _print_json(data: dict[str, Any]) -> None:
    typer.echo(json.dumps(data))


def _fail(message: str) -> None:
    messages.print(f"montforge: {message}", markup=False, highlight=False, soft_wrap=True)
    sys.exit(2)
