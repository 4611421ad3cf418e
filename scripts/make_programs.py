# SPDX-License-Identifier: Apache-2.0
"""Write the parts of the RTL that follow from micro-programs of `montforge.programs`.

    python scripts/make_programs.py [--check]

Each part is below a heading in its file. With --check nothing is written, and the exit status is 1
if a file differs.
"""

from __future__ import annotations

import argparse
import re
import sys
import textwrap
from itertools import count
from pathlib import Path
from typing import NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from montforge.programs.fft.program import (
    COMMON,
    GENERAL,
    LAST,
    PAIR,
    SQUARING,
    Pass,
    Product,
    Transform,
    Variant,
    program,
    variants,
)
from montforge.programs.fios.microprogram import (
    FAST,
    LEVELS,
    PUBLISHED,
    UNIT,
    Element,
    Row,
    microcode,
)
from montforge.programs.rsa import (
    CHECK_PQ,
    CHECKS,
    FULL,
    SEGMENTS,
    Either,
    P,
    Q,
    Segment,
    Step,
    Turns,
    checks,
    turns,
)
from montforge.programs.rsa import Row as RsaRow

ROOT = Path(__file__).resolve().parents[1]
COLUMNS = 100
DEFAULT_PHASE = "Load"


def outputs() -> dict[Path, str]:
    """Return the files with the parts of today's programs, as text by path."""
    return {
        ROOT / "rtl" / name: _with_part(ROOT / "rtl" / name, heading, text.rstrip())
        for name, heading, text in (
            ("rsa/mf_rsa_rows.sv", "rendered", rsa_rows()),
            ("rsa/mf_rsa_pkg.sv", "rendered", rsa_counts()),
            ("fios/mf_fios_pkg.sv", "microcode", fios_microcode()),
            ("fft/mf_fft_pkg.sv", "programs", fft_programs()),
        )
    }


def _with_part(path: Path, heading: str, part: str) -> str:
    """Return a file whose part from a heading to the next one, or to the end, is ``part``."""
    start, end = rf"  // -+ {heading}\n\n", r"\n\n(?:  // -{20,} |end(?:module|package)\n)"
    text = path.read_text(encoding="utf-8")
    (found,) = re.finditer(f"({start}).*?(?={end})", text, re.DOTALL)
    return text[: found.end(1)] + part + text[found.end() :]


def _render(name: str, **fields: object) -> str:
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).with_name("templates")),
        variable_start_string="@@{",
        variable_end_string="}",
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        autoescape=False,
    )
    return environment.get_template(name).render(fields)


# ---------------------------------------------------------------- RSA


def rsa_counts() -> str:
    """Return the part of ``rtl/rsa/mf_rsa_pkg.sv`` that follows from the rows."""

    def found(exponentiator: str) -> list[Turns]:
        return [turns("Private", exponentiator, check) for check in CHECKS]

    private = (
        (
            "Products of a private operation modulo q, beside its window and public power;"
            " by Check.",
            "ProductsOfQ",
            [of.products for of in found(Q)],
        ),
        ("Modulo p.", "ProductsOfP", [of.products for of in found(P)]),
        ("Modulo n, of full width.", "ProductsOfN", [of.products for of in found(FULL)]),
        ("Powers by e modulo p, and modulo q.", "PublicPowers", [of.powers for of in found(Q)]),
        (
            "Checks that each outcome code counts in a private operation.",
            "PrivateChecks",
            [checks("Private", check) for check in CHECKS],
        ),
    )
    power = checks("Power", CHECK_PQ, one_modulus=True)
    return _render("mf_rsa_counts.sv.in", private=private, power=power)


def rsa_rows() -> str:
    """Return the part of ``rtl/rsa/mf_rsa_rows.sv`` that holds the rows."""
    plain: dict[str, list[Segment]] = {}
    for segment in SEGMENTS:
        if segment.phase != DEFAULT_PHASE and not _phases(segment):
            plain.setdefault(segment.phase, []).append(segment)
    placed = _placed()
    return _render(
        "mf_rsa_rows.sv.in",
        segments=SEGMENTS,
        placed=placed,
        count=placed[-1][1][-1].number + 1,
        steps=max(len(rows) for _, rows in placed),
        plain=plain,
        default_phase=DEFAULT_PHASE,
        labels=_labels,
        phases=_phases,
        filled=_filled,
        row_text=_row_text,
    )


def _labels(*segments: Segment) -> str:
    return ", ".join(f"Seg{name}" for segment in segments for name in segment.names)


class _Placed(NamedTuple):
    """A row, with the number of its register."""

    number: int
    row: Step


def _placed() -> list[tuple[Segment, list[_Placed]]]:
    """Return each segment with its rows, numbered over all segments."""
    numbers = count()
    return [
        (segment, [_Placed(next(numbers), row) for row in (*segment.first, *segment.rows)])
        for segment in SEGMENTS
    ]


def _phases(segment: Segment) -> list[tuple[str, int, bool]]:
    """Return phases of some rows alone: name, last row, whether the row after it drains."""
    last = {
        row.phase: number
        for number, row in enumerate(segment.rows)
        if isinstance(row, RsaRow) and row.phase
    }
    return [
        (phase, number, getattr(segment.rows[number + 1], "drains", False))
        for phase, number in last.items()
    ]


def _row_text(label: str, row: Step) -> str:
    """Return a row's lines: branches on lines of their own if they don't fit on one."""
    note = _note(row)
    whole = f"{label}{row});"
    if len(whole) <= COLUMNS or not isinstance(row, Either):
        text = _filled(whole, "", " " * 8)
    else:
        branches = (f"? {row.then}", f": {row.otherwise});")
        text = "\n".join(
            [f"{label}{row.when}", *(_filled(part, " " * 8, " " * 12) for part in branches)]
        )
    if note and len(text) - text.rfind("\n") + len(note) + 4 <= COLUMNS:
        return f"{text}  // {note}"
    return f"    // {note}\n{text}" if note else text


def _note(row: Step) -> str:
    """Return the turns of a row."""
    one = row
    while isinstance(one, Either):
        one = one.otherwise
    if one.times == "Once":
        found = turns(one.segment, P, CHECK_PQ)
        s = "s" * (found.products > 1)
        return f"{found.products} turn{s}" if found == Turns(found.products or -1) else ""
    return {"": "", "Window": "window", "Public": "public power"}.get(one.fn, "1 turn")


def _filled(text: str, first: str, other: str) -> str:
    """Return ``text`` in lines of at most `COLUMNS`, with these starts."""
    return textwrap.fill(
        text,
        COLUMNS,
        initial_indent=first,
        subsequent_indent=other,
        break_long_words=False,
        break_on_hyphens=False,
    )


# ---------------------------------------------------------------- FIOS


_DEPTHS = (
    ("offset", "Cycles between the starts of two neighbours."),
    ("pin_depth", "Registers of the queue of incoming words."),
    ("save_depth", "Registers of the queue of saved values."),
)
_FLAGS = ("load_x", "load_m", "save_shift", "save_early", "pin_shift", "emit", "top")


def elements() -> list[Element]:
    """Return every element that there is, in the order of the tables in ``mf_fios_pkg.sv``."""
    adjustable = [
        Element(variant, level, c_register)
        for variant in (FAST, UNIT)
        for level in LEVELS
        for c_register in (0, 1)
    ]
    return [Element(PUBLISHED, 3, 1), *adjustable]


def fios_microcode() -> str:
    """Return the part of ``rtl/fios/mf_fios_pkg.sv`` that follows from the schedules."""
    codes = [microcode(element) for element in elements()]

    def labels(name: str, value: int) -> str:
        return ", ".join(f"4'd{i}" for i, code in enumerate(codes) if getattr(code, name) == value)

    return _render(
        "mf_fios_microcode.sv.in",
        constants=_DEPTHS,
        codes=codes,
        idle=Row(),
        labels=labels,
        fields=_fields,
        enumerate=enumerate,
    )


def _fields(row: Row) -> str:
    """Return the fields of ``micro_t``, with the names of the package: ``OpMulC``."""
    op, c = (name.title().replace("_", "") for name in (row.op.name, row.c.name))
    flags = "".join(str(int(getattr(row, flag))) for flag in _FLAGS)
    sources = f"AFrom{row.a.name}, BFrom{row.b.upper() or 'None'}, CFrom{c}"
    return f"Op{op}, {sources}, {len(_FLAGS)}'b{flags}"


# ---------------------------------------------------------------- FFT

_TARGETS = {"S0": "ToS0", "S1": "ToS1", "S2": "ToS2", "T": "ToTime"}
_MEMORIES = {"S0": "OfS0", "S1": "OfS1", "S2": "OfS2"}
_CONSTANTS = {"N'": 0, "N": 1, "A": 2, "X": 3}


class _Table(NamedTuple):
    """Steps of one unit as a function of the package: places of each step, programs by count.

    The usual ones are returned for all others.
    """

    name: str
    base: str
    steps: dict[str, list[str]]
    usual_step: str
    counts: dict[int, list[str]]
    usual_count: str


def fft_programs() -> str:
    """Return the programs' numbers and their tables of steps as functions of ``mf_fft_pkg``."""
    numbered = list(enumerate(variants()))
    redundant = [
        (number, variant._replace(redundant=True))
        for number, variant in numbered
        if variant.form in (SQUARING, PAIR) and variant.early and variant.relaxed
    ]
    tables = (
        *(_table(name, name, numbered) for name in ("transform", "product", "pass")),
        _table("redundant_pass", "pass", redundant),
    )
    return _render("mf_fft_programs.sv.in", forms=_form_numbers(), tables=tables)


def _table(name: str, base: str, numbered: list[tuple[int, Variant]]) -> _Table:
    """Return a table; a program that is not ``numbered`` is as in the table ``base``."""
    kind = {"transform": "transforms", "product": "products", "pass": "passes"}[base]
    steps: dict[str, list[str]] = {}
    counts: dict[int, list[str]] = {}
    for program_number, variant in numbered:
        of_program = getattr(program(variant), kind)
        counts.setdefault(len(of_program), []).append(f"6'd{program_number}")
        for number, step in enumerate(of_program):
            place = f"{{6'd{program_number}, 4'd{number}}}"
            steps.setdefault(_step_text(step), []).append(place)
    if name == base:
        step = next(iter(steps))
        count = f"4'd{max(counts, key=lambda count: len(counts[count]))}"
    else:
        step = f"{base}_step(program_number, number)"
        count = f"{base}_steps(program_number)"
    return _Table(name, base, steps, step, counts, count)


def _form_numbers() -> list[tuple[str, str, str]]:
    """Return for each form its label, its first program, and the offset to the others."""
    numbers = variants()

    def number(form: str, *, all_at_once: bool = True, early: bool = False) -> str:
        return f"6'd{numbers.index(Variant(form, all_at_once, False, False, False, early))}"

    def fast(form: str) -> str:
        return f"(fast ? {number(form, early=True)} : {number(form)})"

    def choice(at_once: str, form: str) -> str:
        return f"(all_at_once ? {at_once} : {number(form, all_at_once=False)})"

    return [
        ("General", choice(number(GENERAL), GENERAL), "mode"),
        ("Squaring", choice(fast(SQUARING), SQUARING), "{mode, ladder}"),
        ("Common", fast(COMMON), "mode"),
        ("Pair", number(PAIR, early=True), "mode"),
        ("default", fast(LAST), "mode[1]"),
    ]


def _step_text(step: Transform | Product | Pass) -> str:
    wait = ", ".join((f"1'b{int(step.other)}", *(f"4'd{count}" for count in step.wait)))
    if isinstance(step, Transform):
        flags = f"1'b{int(step.second)}, 1'b{int(step.inverse)}"
        return f"'{{From{step.source}, {_TARGETS[step.target]}, {flags}, {wait}}}"
    if isinstance(step, Product):
        factor = "Forwarded" if step.b in _MEMORIES else "One" if step.b == "1" else "Constant"
        forward = _MEMORIES.get(step.b, "OfS0")
        number = _CONSTANTS.get(step.b, 0)
        return (
            f"'{{{_MEMORIES[step.a]}, {forward}, {factor}, 2'd{number}, {_TARGETS[step.target]},"
            f" 1'b{int(step.add)}, 1'b{int(step.streamed)}, 1'b{int(step.reversed)}, {wait}}}"
        )
    return f"'{{{step.kind.capitalize()}, 1'b{int(step.second)}, {wait}}}"


def main() -> int:
    """Write the files, or compare them."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--check", action="store_true", help="compare only")
    check = parser.parse_args().check
    stale = [path for path, text in outputs().items() if path.read_text(encoding="utf-8") != text]
    for path in stale:
        if check:
            print(f"{path.relative_to(ROOT)} is not that of the programs")
        else:
            path.write_text(outputs()[path], encoding="utf-8")
    return int(check and bool(stale))


if __name__ == "__main__":
    sys.exit(main())
