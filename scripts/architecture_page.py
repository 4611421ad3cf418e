# SPDX-License-Identifier: Apache-2.0
"""The blocks of an architecture's page that the package knows: place, contract, figures, sources.

`SECTIONS` are the titles that each page of docs/architectures has, in this order.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from figures import lut_time, markdown, placed_column, product

from montforge.arch import Core, architecture, design, registry
from montforge.arch.engine_contract import EngineContract
from montforge.contract import Contract, Cycles, Field, ModulusRule
from montforge.errors import ParameterError
from montforge.explore.frontier import frontier
from montforge.report.table import Cell, format_cell
from montforge.store import Result, multipliers, result_bound

SECTIONS = (
    "When to take it",
    "Structure",
    "Contract",
    "Parameters",
    "Latency",
    "Figures",
    "Derivation",
    "Sources",
)
CELLS, FPGA = "nangate45", "ecp5-85k"
SIZES = (64, 256, 1024)
"""Bits at which places and figures are shown."""
PRODUCTS = ("montgomery_product", "modular_product", "common_product", "montgomery_square")
"""Functions whose designs are compared with the multipliers of any modulus."""
ALONE = "no other architecture of its function"
TIMED = {
    "fios_dsp": ("words s", "offset D", "elements l", "fewer elements"),
    "fixed_prime": ("V(rows)",),
    "fixed_square": ("V(rows)",),
    "full_pipelined": ("V(rows)", "product P"),
    "fmlm": ("stage P", "transform", "core cycles"),
    "modexp": ("T", "tau, D", "S, ", "sub", "first", "load"),
    "mscs_mm": ("L1, L2",),
    "rmm": ("operand latency", "issue cycles"),
    "rsa": ("turn", "blinded exponent"),
    "scs_mm_ct": ("conversion", "look-ahead"),
    "scs_mm_new": ("resolve", "loop", "convert"),
    "scs_mm_skip": ("load", "resolve", "loop", "convert"),
    "tenca_koc": ("words", "start of iteration i"),
}
"""Beginnings of names of formulas about time that the formula of the latency does not name."""
VALUES = {"R", "D", "D-hat", "N-hat", "q"}
"""Names of formulas that are values, although formulas about time name them."""


@dataclass(frozen=True)
class Figure:
    """A figure that is to be small, and the words for a smaller one."""

    less: str
    of: Callable[[Result], float]


def linked(row: Result) -> str:
    """Return a design's name and options as a link to its page."""
    words = " ".join((row.architecture, *options(row)))
    return f"[`{words}`]({row.architecture}.md)"


def options(row: Result) -> list[str]:
    """Return the parameters that are not at their defaults, as ``-p`` takes them."""
    return [f"{name}={value}" for name, value in row.options.items()]


# The place among the stored designs.


def place(results: Sequence[Result], name: str) -> str:
    """Return how an architecture's stored designs stand among all, an item for each width."""
    on_cells = {
        f"{size} bits": _standing(_group(results, name, CELLS, size), name, AREA) for size in SIZES
    }
    on_fpga = {
        f"{size} bits on {FPGA}": _standing(_group(results, name, FPGA, size), name, LUTS)
        for size in SIZES
    }
    with_wires = {
        f"{size} bits, by placed wires among those that have them": _standing(
            _sized(results, name, size), name, AREA
        )
        for size in SIZES
    }
    placed = {at: text for at, text in on_fpga.items() if text}
    if not any(on_cells.values()) and not placed:
        return _joined(f"Its place is not known: it is not measured on {CELLS} or {FPGA}.")
    found = {at: text or "not measured" for at, text in on_cells.items()} | placed
    if {ALONE} <= set(found.values()) <= {ALONE, "not measured"}:
        return _joined("No other architecture of its function is in the store to compare with.")
    found |= {at: text for at, text in with_wires.items() if text not in ("", ALONE)}
    head = (
        f"Among the stored designs, on {CELLS} unless a device is named; the frontier is that of"
        " area (on an FPGA LUT equivalents) and latency:"
    )
    return _joined(head, "\n".join(f"- {at}: {text}." for at, text in found.items()))


def _group(results: Iterable[Result], name: str, target: str, size: int) -> list[Result]:
    """Return the rows that ``name`` is compared with, its own ones with them; or none."""
    own = _own(results, name, target, size)
    if not own:
        return []
    effort = own[0].effort
    if own[0].function in PRODUCTS:
        others = multipliers(results, width=size, target=target, effort=effort)
    else:
        others = [
            row
            for each in registry()
            for row in _own(results, each, target, size)
            if row.function == own[0].function
        ]
    return list({str(row.key): row for row in (*others, *own)}.values())


def _sized(results: Iterable[Result], name: str, size: int) -> list[Result]:
    """Return those of `_group` that have figures with wires, by these."""
    return [row.sized for row in _group(results, name, CELLS, size) if row.sized]


def _own(results: Iterable[Result], name: str, target: str, size: int) -> list[Result]:
    """Return the measured rows of an architecture in its default form, of no literal modulus."""
    return [
        row
        for row in results
        if (row.architecture, row.target, row.size) == (name, target, size)
        and row.effort in ("quick", None)
        and row.time is not None
        and row.form == row.chosen.default_form
        and not getattr(row.chosen, "only", "")
    ]


def _standing(rows: Sequence[Result], name: str, space: Figure) -> str:
    """Return the place of ``name`` among ``rows``; empty if it has none of them."""
    own = [row for row in rows if row.architecture == name]
    if not own:
        return ""
    if len(own) == len(rows):
        return ALONE
    text = _verdict(rows, own, space, LATENCY)
    if text.startswith("behind"):
        best = min(own, key=lambda row: space.of(row) * LATENCY.of(row))
        alike = [row for row in rows if _promises_as_much(row, best)]
        again = _verdict(alike, own, space, LATENCY)
        if again != text and len(alike) > len(own):
            text += f"; among those that promise as much ({_promise(best)}) {again}"
    first = min(rows, key=lambda row: space.of(row) * LATENCY.of(row))
    if first in own:
        text += f"; {_named(first)} has the least area times latency of all"
    pipelined = [row for row in own if _interval(row) < LATENCY.of(row)]
    if pipelined and space is AREA:
        text += f"; by results a second {_verdict(rows, pipelined, space, INTERVAL)}"
    return text


def _verdict(rows: Sequence[Result], own: Sequence[Result], space: Figure, time: Figure) -> str:
    """Return "on the frontier ..." or "behind ..." for the best of ``own``."""
    best = [rows[at] for at in frontier([(space.of(row), time.of(row)) for row in rows])]
    if runs := list(_runs(best, own)):
        return f"on the frontier, {'; and '.join(runs)}"

    def cost(row: Result) -> float:
        return space.of(row) * time.of(row)

    mine = min(own, key=cost)
    better = (row for row in best if all(each.of(row) <= each.of(mine) for each in (space, time)))
    other = min(better, key=cost)
    gains = (f"{1 - each.of(other) / each.of(mine):.0%} {each.less}" for each in (space, time))
    return f"behind {linked(other)} ({', '.join(gains)})"


def _runs(best: Sequence[Result], own: Sequence[Result]) -> Iterator[str]:
    """Yield a text for each run of designs of ``own`` that follow each other on a frontier."""
    for is_own, found in itertools.groupby(range(len(best)), lambda at: best[at] in own):
        if not is_own:
            continue
        at = list(found)
        named = [_named(best[i]) for i in at]
        forms = "" if named == ["`default`"] else f"{', '.join(named)} "
        before = linked(best[at[0] - 1]) if at[0] else ""
        after = linked(best[at[-1] + 1]) if at[-1] + 1 < len(best) else ""
        if before and after:
            yield f"{forms}between {before} (smaller) and {after} (faster)"
        elif before:
            yield f"{forms}the fastest, next to {before}"
        else:
            yield f"{forms}the smallest" + f", next to {after}" * bool(after)


def _named(row: Result) -> str:
    return f"`{' '.join(options(row)) or 'default'}`"


def _interval(row: Result) -> float:
    """Return the time between two operations in ns; the longest where it depends on data."""
    assert row.period is not None
    return float(row.interval.rpartition("..")[2] or "inf") * row.period


def _promises_as_much(row: Result, other: Result) -> bool:
    """Whether a row has the constant time and the range of results of another one."""
    n = (1 << row.size) - 1
    theirs, ours = result_bound(row.chosen), result_bound(other.chosen)
    return (
        theirs.lower(n) >= ours.lower(n)
        and theirs.upper(n) <= ours.upper(n)
        and (row.constant_time >= other.constant_time)
    )


def _promise(row: Result) -> str:
    return "constant time, " * row.constant_time + row.result


AREA = Figure("less area", lambda row: row.area or 0.0)
LUTS = Figure("fewer LUT equivalents", lambda row: lut_time(row) / (row.time or 1.0))
LATENCY = Figure("less latency", lambda row: row.time or 0.0)
INTERVAL = Figure("less time between results", _interval)


# The contract.


def contract(name: str, *forms: str) -> str:
    """Return the contracts of designs as columns: ``contract("eberle", "", "reduction=subtract")``.

    Below them are the formulas that are not about time.
    """
    shown = [design(name, **_values(form)) for form in forms or ("",)]
    if isinstance(shown[0].contract, EngineContract):
        return _engine_contract(shown[0].contract)
    columns = [dict(_facts(each)) for each in shown if isinstance(each, Core)]
    names = dict.fromkeys(fact for column in columns for fact in column)
    heads = [f"`{form}`" if form else "default" for form in forms or ("",)]
    table = [(fact, *(_cell(column.get(fact, "-")) for column in columns)) for fact in names]
    timed = _timed(name)
    others = [row for row in architecture(name).formulas if row[0] not in timed]
    return _joined(
        markdown((f"at {shown[0].size} bits", *heads), table), _formulas("in general", others)
    )


def _values(form: str) -> dict[str, str]:
    return dict(word.split("=", 1) for word in form.split())


def _facts(chosen: Core) -> Iterator[tuple[str, str]]:
    """Yield the facts of a contract, named."""
    found: Contract = chosen.contract
    yield "function", found.function.formula
    yield "R", "1: operands are plain residues" if found.r == 1 else found.r_text
    has_n = found.takes_modulus or found.modulus.only is not None
    yield "modulus", _modulus(found.modulus) + "; n itself is no input" * (not has_n)
    groups: dict[str, list[Field]] = {}
    for field in found.fields:
        if field.bound is not None and field.role != "result":
            groups.setdefault(f"{field.bound}, {_encoding(field)}", []).append(field)
    for text, fields in groups.items():
        one = text.replace(" x ", f" {fields[0].name} ")
        named = ", ".join(field.name for field in fields)
        yield f"input {named}", text if len(fields) > 1 else one
    for field in found.constants_spec:
        yield f"constant `{field.name}`", f"{field.meaning}, {field.width} bits"
    closed = "; a result is a legal operand" * (found.function.name in PRODUCTS and found.closed)
    for field in found.results:
        text = str(field.bound).replace(" x ", f" {field.name} ")
        yield f"result {field.name}", f"{text}, {_encoding(field)}{closed}"
        closed = ""
    later = f"; `rsp_valid_o` {found.handover} later" if found.handover else ""
    yield "latency", f"{_count(found.latency)}{later}"
    yield "interval", _count(found.interval)
    yield "time", _time(found)
    yield "forms", ", ".join(chosen.forms)
    if found.notes:
        yield "notes", " ".join(found.notes)
    yield "proofs", "[verdicts](../reference/proved.md)"


def _time(found: Contract) -> str:
    if found.constant_time and found.latency.is_fixed:
        return "constant: the same cycles for all operands and moduli"
    return f"follows {' and '.join(found.public)} alone" if found.public else "depends on data"


def _count(cycles: Cycles, unit: str = " cycles") -> str:
    if cycles.is_fixed:
        return f"{cycles.minimum:,}{unit[: None if cycles.minimum != 1 else -1]}"
    return f"{cycles.minimum:,} to {'at most ' * (not cycles.attained)}{cycles.maximum:,}{unit}"


def _modulus(rule: ModulusRule) -> str:
    if rule.only is not None:
        return f"one, in the hardware; here {rule.only:#x}"[:60] + "..." * (rule.only >> 128 > 0)
    if rule.minimum >> 64:
        parity = "odd or even" if rule.even else "odd"
        return f"{parity}, 2^{rule.width - 1} < n < 2^{rule.width}"
    return str(rule)


def _encoding(field: Field) -> str:
    encoding = field.encoding
    signed = ", two's complement" * encoding.signed
    if encoding.kind == "carry_save":
        return f"pair of {encoding.width} and {encoding.carry_width} bits{signed}"
    return f"{field.width} bits{signed}"


def _engine_contract(found: EngineContract) -> str:
    lines = "".join(f"- {line}\n" for line in found.summary)
    operations = [
        (each.code, each.name, _cell(each.meaning), _cell(each.time)) for each in found.operations
    ]
    errors = [(each.code, each.name, _cell(each.meaning)) for each in found.errors]
    return _joined(
        lines,
        markdown(("code", "operation", "meaning", "its time follows"), operations),
        markdown(("code", "error", "meaning"), errors),
    )


# Parameters and formulas.


def parameters(name: str, **given: str) -> str:
    """Return the parameters: legal values, default and meaning."""
    found = design(name, **given)
    rows = []
    for spec in found.specs():
        value = found.parameters.get(spec.name, "none")
        rows.append((f"`{spec.name}`", _cell(spec.rule), value, _cell(spec.meaning)))
    return markdown(("parameter", "legal", "default", "meaning"), rows)


def latency(name: str, *forms: str) -> str:
    """Return the formulas of time, and the cycles of designs at some widths."""
    timed = _timed(name)
    found = architecture(name)
    text = _formulas("", [row for row in found.formulas if row[0] in timed])
    if not issubclass(found, Core):
        return text
    rows = []
    for form in forms or ("",):
        for figure in ("latency", "interval"):
            counts = [_cycles_at(name, form, size, figure) for size in SIZES]
            rows.append((f"{figure}{f', `{form}`' * bool(form)}", *counts))
    return _joined(text, markdown(("cycles", *(f"{size} bits" for size in SIZES)), rows))


def _cycles_at(name: str, form: str, size: int, figure: str) -> str:
    try:
        found = design(name, **{"width": str(size), **_values(form)}).contract
    except ParameterError:
        return "-"
    return _count(getattr(found, figure), "")


def _timed(name: str) -> set[str]:
    """Return the names of an architecture's formulas about time: those that the latency needs."""
    formulas = dict(architecture(name).formulas)
    starts = ("latency", "interval", "average latency", "core cycles", *TIMED.get(name, ()))
    found = {key for key in formulas if key.startswith(starts)}
    while True:
        text = " ".join(formulas[key] for key in found)
        used = {
            key
            for key in formulas.keys() - VALUES
            if any(re.search(rf"\b{re.escape(word.strip())}\b", text) for word in key.split(","))
        }
        if used <= found:
            return found
        found |= used


def _formulas(head: str, rows: Iterable[tuple[str, str]]) -> str:
    lines = [(name, _cell(text)) for name, text in rows]
    return markdown((head or "quantity", "formula"), lines) if lines else ""


# Figures and sources.


def measured(results: Sequence[Result], name: str) -> str:
    """Return an architecture's stored figures: its defaults, and the best of its other designs."""
    placed, cell = placed_column(
        row for size in SIZES for row in _shown(_own(results, name, CELLS, size))
    )
    columns = (
        "bits", "design", "area um2", "registers um2", "period ns", "cycles", "latency ns",
        "area x latency mm2 ns", *placed, "results",
    )  # fmt: skip
    cells: list[tuple[Cell, ...]] = []
    for size in SIZES:
        rows = _shown(_own(results, name, CELLS, size))
        cells += [_on_cells(row, cell(row)) for row in rows]
        if not rows:
            cells.append((size, "not measured", *[None] * (len(columns) - 2)))
    if all(row[2] is None for row in cells):
        return _joined(f"Not measured on {CELLS}.", _on_fpgas(results, name))
    note = (
        f"`montforge measure {name} ... --target {CELLS} --effort quick`, wires by the library's"
        " load model. Designs are the default one and those that no other stored one of this"
        " architecture beats in area and latency with the same promises."
    )
    return _joined(markdown(columns, cells), note, _on_fpgas(results, name))


def _on_cells(row: Result, placed: tuple[Cell, ...]) -> tuple[Cell, ...]:
    figures = row.area, row.area_registers, row.period, row.cycles, row.time, product(row)
    return row.size, _options(row), *figures, *placed, row.result


def _on_fpgas(results: Sequence[Result], name: str) -> str:
    """Return the placed designs; empty without any."""
    targets = dict.fromkeys(row.target for row in results if row.resources is not None)
    placed = [
        _placed(row)
        for target in targets
        for size in SIZES
        for row in _own(results, name, target, size)
    ]
    columns = ("device", "bits", "design", "LUT", "FF", "DSP", "MHz", "cycles", "latency us")
    return markdown(columns, placed) if placed else ""


def _placed(row: Result) -> tuple[Cell, ...]:
    assert row.resources is not None and row.time is not None and row.period is not None
    counts = (row.resources[kind] for kind in ("lut", "ff", "dsp"))
    clock, time = f"{1e3 / row.period:.1f}", f"{row.time / 1e3:.3f}"
    return row.target, row.size, _options(row), *counts, clock, row.cycles, time


def _shown(rows: Sequence[Result]) -> list[Result]:
    """Return the default, and the rows that no other one with their promises beats."""

    def is_best(row: Result) -> bool:
        alike = [each for each in rows if _promises_as_much(each, row)]
        best = frontier([(AREA.of(each), LATENCY.of(each)) for each in alike])
        return any(alike[at] is row for at in best)

    return sorted((row for row in rows if not row.options or is_best(row)), key=AREA.of)


def _options(row: Result) -> str:
    return f"`{' '.join(options(row))}`" if row.options else "default"


def source(name: str) -> str:
    """Return the citation of an architecture, and where the design leaves the paper."""
    found = architecture(name)
    lines = [re.sub(r"^[ES]\d+: ", "", line) for line in found.errata]
    items = "\n".join("- " + re.sub("^[a-z]+ (?![=+-])", _capital, line) for line in lines)
    head = "Where this design leaves the paper:" if lines else ""
    return _joined(f"{found.citation}.", head, items)


def _capital(word: re.Match[str]) -> str:
    return word[0].capitalize()


def _joined(*parts: str) -> str:
    """Return parts of a page with an empty line between them and around."""
    return "\n\n" + "\n\n".join(part.strip("\n") for part in parts if part) + "\n\n"


def _cell(text: object) -> str:
    """Return text for a cell of a table."""
    return format_cell(text).replace("|", "\\|") if isinstance(text, str) else str(text)
