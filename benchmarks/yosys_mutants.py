# SPDX-License-Identifier: Apache-2.0
"""Score of the bench on mutants that Yosys makes: 60 of each architecture, at a width of few bits.

    python benchmarks/yosys_mutants.py [--kept FOLDER] [ARCH ...]

Pass `mutate` changes one bit of one cell: it inverts it, or ties it to 0, 1 or another bit. All
mutants of a design are one program, and the bench tries each until the first error. A survivor is
settled by the first of these that proves something:

- abc's `dprove`: it answers as the design does, after a reset and from registers without one at 0,
  for odd moduli;
- `montforge prove`: checks `control` and `function` are proved of it, so that it has the contract;
- a simulation of its gates: every legal operation, each after a reset, has a right result in time;
- a simulation of both with values that are not known (`mutant_differences`): no output shows the
  difference in two operations; alone and early where an operation takes many cycles;
- abc: it answers two legal operations in a row as the design does, whatever values registers
  without a reset have before.

Or ``tests/mutants/ARCH.toml`` has a proof in words, ``equivalent`` in a ``[[yosys]]`` table, whose
``place`` is that of the mutant.

Prints one row an architecture, and ends with status 1 if a survivor is not settled. FOLDER has what
was found of each mutant, as it comes: the next run goes on from there.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import pyosys

from montforge.arch import Core, Simulated, core, cores, driven
from montforge.arch.modexp import Modexp
from montforge.contract import Port
from montforge.errors import ToolFailedError
from montforge.hardware import Hardware
from montforge.hardware.verilog import declarations, instance, same_names
from montforge.hardware.yosys import read_design, run_yosys
from montforge.prove import prove
from montforge.prove.gates import Gates
from montforge.prove.lemmas import lemmas_of
from montforge.prove.simulated import exhaustive
from montforge.report import Table
from montforge.verify import build_bench, verify
from montforge.work.cache import content_hash
from montforge.work.tools import run_tool

sys.path.append(str(Path(__file__).parents[1] / "tests"))
from mutant_differences import unshown

from planted import CHOSEN, PACKAGE, designs_of
from planted import MUTANTS as MUTANTS_FOLDER

MUTANTS, SEED = 60, 7
FEW, OPERATIONS = 40, 400
"""Random operations that find most mutants, and those among all that the rest is tried with."""
YOSYS_SECONDS, PROOF_SECONDS, EXHAUSTIVE_SECONDS = 300.0, 20.0, 300.0
LEMMA_SECONDS, TWICE_SECONDS, DIFFERENCE_SECONDS = 60.0, 1200.0, 1200.0
LONG = 1000
"""Cycles of an operation from which abc needs too long and is not tried."""
OTHER_DESIGNS = {"fmle": {"width": 126, "s": 16, "u": 8, "exponent_bits": 2}}
"""Parameters where the first design of the planted bugs leaves most digits of a transform 0."""
LISTED_MODULI = 64
"""Moduli up to which each is named to abc with its constants and the bounds of its operands."""
COLUMNS = (
    "architecture",
    "bits",
    "mutants",
    "killed",
    "proved equal",
    "pass every operation",
    "contract proved",
    "argued",
)
SELECT = "mutant_i"
_PREPARE = (
    "proc; flatten; delete t:$check t:$print; memory_map; setundef -zero; opt_expr; opt_clean"
)
"""No x is left, which a pass could take for the value that makes a mutant equal."""


@dataclass(frozen=True)
class Mutants:
    """``count`` mutants of ``design``, which are the module ``module`` in ``verilog``.

    Its input `SELECT` has the number of the mutant, from 1 on; at 0 it is the design.
    """

    design: Simulated
    verilog: Path
    module: str
    descriptions: tuple[str, ...]

    @property
    def width(self) -> int:
        """Bits of the input that selects."""
        return len(self.descriptions).bit_length()

    def instance(self, name: str, number: str, connections: dict[str, str]) -> str:
        """Return an instance with mutant ``number``."""
        return instance(self.module, {}, name, {**connections, SELECT: f"{self.width}'({number})"})

    def chosen(self, number: int) -> Simulated:
        """Return the mutant ``number`` as the bench simulates it, all in one program."""
        package = self.verilog.with_name(f"{PACKAGE}.sv")
        package.write_text(CHOSEN)
        top = self._top(f"{PACKAGE}::chosen")
        hardware = replace(top, files=(package, *top.files), environment={"PLANTED": str(number)})
        return replace(self.design, hardware=hardware)

    def fixed(self, number: int) -> Hardware:
        """Return the mutant ``number`` as Yosys reads it."""
        return self._top(str(number))

    def alone(self, number: int) -> Hardware:
        """Return the mutant ``number`` with the design's own names of nets."""
        hardware, folder = self.design.hardware, self.verilog.parent
        verilog = folder / "alone.v"
        change = self.descriptions[number - 1] if number else ""
        script = f"read_rtlil read.il\n{change}\nwrite_verilog -noattr {verilog.name}\n"
        run_yosys(script, log=folder / "log", timeout=YOSYS_SECONDS, cwd=folder)
        return replace(hardware, files=(verilog,), parameters={})

    def _top(self, number: str) -> Hardware:
        hardware, ports = self.design.hardware, self.design.contract.ports
        body = self.instance("u_mutants", number, same_names(ports))
        top = self.verilog.with_name("top.sv")
        top.write_text(f"module {hardware.top} (\n{declarations(ports)}\n);\n{body}endmodule\n")
        return replace(hardware, files=(self.verilog, top), parameters={})


def mutants_of(design: Simulated, count: int, folder: Path) -> Mutants:
    """Return ``count`` mutants of ``design`` in files of ``folder``. Raises ToolFailedError."""
    hardware = design.hardware
    script = (
        f"{read_design(hardware)}\n{_PREPARE}\nrename -top {hardware.top}\n"
        f"write_rtlil read.il\nmutate -list {count} -seed {SEED} -o mutants.txt\n"
    )
    run_yosys(script, log=folder / "log", timeout=YOSYS_SECONDS, cwd=folder)
    lines = (folder / "mutants.txt").read_text().splitlines()
    module, verilog = f"{hardware.top}_mutants", folder / "mutants.v"
    found = Mutants(design, verilog, module, tuple(lines))
    changes = [
        line.replace("mutate ", f"mutate -ctrl {SELECT} {found.width} {number} ", 1)
        for number, line in enumerate(lines, 1)
    ]
    script = "\n".join(
        [
            "read_rtlil read.il",
            *changes,
            f"rename {hardware.top} {module}",
            f"write_verilog -noattr {verilog.name}",
        ]
    )
    run_yosys(script, log=folder / "log", timeout=YOSYS_SECONDS, cwd=folder)
    return found


def is_caught(mutant: Simulated) -> bool:
    """Return whether the bench finds a mismatch, or the simulation hangs or stops."""
    return is_caught_soon(mutant) or is_caught_late(mutant)


def is_caught_soon(mutant: Simulated) -> bool:
    """Return the same of `FEW` operations."""
    return _is_wrong(mutant, mode="random", operations=FEW)


def is_caught_late(mutant: Simulated) -> bool:
    """Return the same of `OPERATIONS` among all others."""
    return _is_wrong(mutant, operations=OPERATIONS, chain_length=200)


def _is_wrong(mutant: Simulated, **options: Any) -> bool:
    try:
        return verify(mutant, seed=1, until_wrong=True, **options).mismatches > 0
    except ToolFailedError:
        return True


def is_equal(mutants: Mutants, number: int) -> bool:
    """Return whether abc proves that mutant ``number`` answers as the design does.

    From a reset on, with registers without one at 0: the handshakes in all cycles, results while
    they are valid. Moduli are odd; operands may have any value. False if it takes too long.
    """
    inputs = _inputs(mutants)
    body = [
        "  logic was_reset_q, was_legal_q, legal;",
        f"  assign legal = {_odd(mutants)};",
        "  always_ff @(posedge clk_i) begin",
        "    was_reset_q <= was_reset_q || !rst_ni;",
        "    was_legal_q <= !rst_ni || (was_legal_q && legal);",
        "  end",
        "  assign bad_o = was_reset_q && rst_ni && was_legal_q && legal && differs;",
    ]
    prepare = "setundef -zero -init"
    _write_aiger(mutants, number, inputs, body, prepare, "-zinit")
    said = _abc(mutants, "dprove -vr -C 10000 -F 4; print_status", PROOF_SECONDS)
    return "Networks are equivalent" in said


def is_equal_twice(mutants: Mutants, number: int) -> bool:
    """Return whether abc proves that mutant ``number`` answers two operations as the design does.

    They come one after the other as soon as the design takes them, after a reset of one cycle.
    Registers without a reset may have any values before, and operands, while none is taken, too.
    Moduli above `LISTED_MODULI` are odd; operands may then have any value. False if it takes too
    long, or if the core has a load phase.
    """
    design, contract = mutants.design.design, mutants.design.contract
    if contract.load is not None:
        return False
    driven = {"rst_ni", "req_valid_i", "rsp_ready_i"}
    idle = {control.port.name: control.idle for control in contract.controls}
    free = [port for port in _inputs(mutants) if port.name not in driven | set(idle)]
    frames = 3 + design.reset_wait + 2 * contract.turn.maximum
    count = frames.bit_length()
    body = [
        f"  logic [{count - 1}:0] cycle_q = '0;",
        "  logic [1:0] taken_q = '0, answered_q = '0;",
        "  logic was_legal_q = 1'b1, legal, taken;",
        "  assign rst_ni = cycle_q != '0;",
        "  assign req_valid_i = rst_ni && taken_q != 2'd2;",
        "  assign rsp_ready_i = 1'b1;",
        *(f"  assign {name} = {value};" for name, value in idle.items()),
        f"  assign legal = {_legal(mutants)};",
        "  assign taken = req_valid_i && design_req_ready_o;",
        "  always_ff @(posedge clk_i) begin",
        f"    cycle_q <= cycle_q + {count}'d1;",
        "    taken_q <= taken_q + 2'(taken);",
        "    answered_q <= answered_q + 2'(rst_ni && design_rsp_valid_o);",
        "    was_legal_q <= was_legal_q && (legal || !taken);",
        "  end",
        f"  assign bad_o = was_legal_q && (differs && rst_ni"
        f" || cycle_q == {count}'d{frames - 1} && answered_q != 2'd2);",
    ]
    inner = [port for port in _inputs(mutants) if port.name in driven | set(idle)]
    declared = [f"  logic [{port.width - 1}:0] {port.name};" for port in inner]
    _write_aiger(mutants, number, free, [*declared, *body], "setundef -zero", "")
    said = _abc(mutants, f"frames -i -F {frames}; orpos; ifraig -C 50; iprove", TWICE_SECONDS)
    return "UNSATISFIABLE" in said


def _inputs(mutants: Mutants) -> list[Port]:
    return [port for port in mutants.design.contract.ports if port.direction == "input"]


def _odd(mutants: Mutants) -> str:
    """Return an expression that says that the moduli at the ports are odd."""
    odd = (f"{p.name}[0]" for p in _inputs(mutants) if p.name in ("n_i", "n_hat_i"))
    return " && ".join(odd) or "1"


def _legal(mutants: Mutants) -> str:
    """Return an expression that says that the values at the ports are of a legal operation."""
    design, contract = mutants.design.design, mutants.design.contract
    rule = contract.modulus
    if rule.only is None and rule.width >= LISTED_MODULI.bit_length():
        return _odd(mutants)
    moduli = [rule.only] if rule.only is not None else range(rule.minimum, 1 << rule.width)
    rows = []
    for n in (each for each in moduli if each is not None and rule.is_legal(each)):
        terms = []
        for field in contract.inputs:
            if field.bound is None:
                values = field.encode({**design.constants(n), "n": n}[field.name])
                pairs = zip(field.ports, values, strict=True)
                terms += [f"{port.name} == {port.width}'d{value}" for port, value in pairs]
                continue
            width = field.width + 2
            sign = "signed" if field.encoding.signed else "unsigned"
            first, *others = field.ports
            vectors = [f"{width}'({sign}'({first.name}))"]
            vectors += [f"{width}'({port.name})" for port in others]
            value = f"signed'({' + '.join(vectors)})"
            low, high = field.bound.lower(n), field.bound.upper(n)
            terms.append(f"{value} >= -{width}'sd{-low} && {value} < {width}'sd{high}")
        rows.append(f"({' && '.join(terms)})")
    return " || ".join(rows)


def _write_aiger(
    mutants: Mutants,
    number: int,
    inputs: Sequence[Port],
    body: Sequence[str],
    prepare: str,
    options: str,
) -> None:
    """Write gates of the design beside the mutant ``number`` to a file for `_abc`.

    ``body`` drives bad_o, and may use ``differs``: a handshake, or a valid result. Input ports of
    the design that are not in ``inputs`` are declared and driven there.
    """
    contract, folder = mutants.design.contract, mutants.verilog.parent
    outputs = [port for port in contract.ports if port.direction == "output"]
    lines = ["  logic differs;"]
    instances = []
    for copy, chosen in (("design", "0"), ("mutant", str(number))):
        lines += [f"  logic [{port.width - 1}:0] {copy}_{port.name};" for port in outputs]
        names = same_names(_inputs(mutants))
        names |= {port.name: f"{copy}_{port.name}" for port in outputs}
        instances.append(mutants.instance(f"u_{copy}", chosen, names))
    results = {port.name for port in contract.result_ports}
    unequal = [
        f"({'design_rsp_valid_o && ' * (port.name in results)}"
        f"design_{port.name} != mutant_{port.name})"
        for port in outputs
    ]
    lines += [*body, f"  assign differs = {' || '.join(unequal)};", *instances]
    head = f"module equal (\n{declarations(inputs)},\n  output logic bad_o\n);\n"
    (folder / "equal.sv").write_text(head + "\n".join(lines) + "\nendmodule\n")
    script = (
        "read_slang --top equal mutants.v equal.sv\n"
        f"proc; flatten; async2sync; opt -full; dffunmap; simplemap; techmap; {prepare}\n"
        f"opt_expr; delete t:$scopeinfo; aigmap; opt_clean; write_aiger {options} equal.aig\n"
    )
    run_yosys(script, log=folder / "log", timeout=YOSYS_SECONDS, cwd=folder)


def _abc(mutants: Mutants, question: str, timeout: float) -> str:
    """Return what abc says to a question on the file of `_write_aiger`, "" if too late."""
    folder = mutants.verilog.parent
    program = Path(pyosys.__file__).with_name("yosys-abc")
    command = [str(program), "-c", f"read_aiger equal.aig; strash; {question}"]
    try:
        return run_tool(command, log=folder / "log", timeout=timeout, cwd=folder)
    except ToolFailedError:
        return ""


def keeps_contract(mutants: Mutants, number: int) -> bool:
    """Return whether the contract of the design is proved of mutant ``number``.

    False where the architecture has no such proof. That of `Modexp` is of responses that come, and
    not that one comes.
    """
    design = mutants.design.design
    if isinstance(design, Modexp) or lemmas_of(design) is None:
        return False
    hardware = mutants.alone(number)
    checks = ("control", "function")  # no response without a request, and the right one to each
    found = prove(design, checks=checks, hardware=hardware, timeout=LEMMA_SECONDS)
    return found.verdict == "proved"


def passes_all(mutants: Mutants, number: int) -> bool:
    """Return whether every legal operation, each after a reset, has a right result in time."""
    try:
        check = exhaustive(mutants.design.design, mutants.fixed(number), EXHAUSTIVE_SECONDS)
    except ToolFailedError:
        return False
    return check.verdict == "proved"


def shows_nothing(mutants: Mutants, number: int) -> bool:
    """Return whether no output shows mutant ``number`` in two operations, by simulation.

    All operands have values that are not known, but exponents: each is tried. False if that takes
    too long.
    """
    design = mutants.design.design
    if design.contract.load is not None:
        return False
    hardware = replace(
        mutants.design.hardware, top=mutants.module, files=(mutants.verilog,), parameters={}
    )
    try:
        gates = _gates(hardware)
        known = _exponents(design)
        return number in unshown(design, gates, SELECT, [number], known, DIFFERENCE_SECONDS)
    except ToolFailedError:
        return False


@cache
def _gates(hardware: Hardware) -> Gates:
    return Gates(hardware, timeout=YOSYS_SECONDS)


def _exponents(design: Core) -> list[dict[str, int]]:
    """Return the values of ports that an exponent and its length can have, or no ports."""
    ports = {port.name: port.width for port in design.contract.ports}
    if "e_len_i" not in ports:
        return [{}]
    lengths = range(ports["e_i"] + 1)
    return [{"e_i": e, "e_len_i": length} for length in lengths for e in range(1 << length)]


SETTLED = {
    is_equal: "proved equal",
    keeps_contract: "contract proved",
    passes_all: "pass every operation",
    shows_nothing: "pass every operation",
    is_equal_twice: "pass every operation",
}
"""The column of a survivor that a check settles, in the order in which they are tried."""


def settled(mutants: Mutants, number: int) -> str:
    """Return the column of survivor ``number``, or "" if nothing settles it."""
    return next((column for check, column in SETTLED.items() if check(mutants, number)), "")


def _argued(mutants: Mutants, number: int) -> str:
    """Return the column of a mutant of which a file has a proof in words, or ""."""
    place = _place(mutants.descriptions[number - 1])
    proofs = tomllib.loads((MUTANTS_FOLDER / f"{mutants.design.design.name}.toml").read_text())
    listed = [each["place"] for each in proofs.get("yosys", [])]
    return "argued" if any(each in place for each in listed) else ""


def found(mutants: Mutants, number: int) -> str:
    """Return the column of mutant ``number``, or "" if the bench lets it pass and it is open."""
    mutant = mutants.chosen(number)
    if is_caught_soon(mutant):
        return "killed"
    is_long = mutants.design.contract.latency.maximum > LONG
    if is_long and shows_nothing(mutants, number):
        return SETTLED[shows_nothing]
    if is_caught_late(mutant):
        return "killed"
    return _argued(mutants, number) or ("" if is_long else settled(mutants, number))


def scored(design: Simulated, kept: Path | None = None) -> tuple[tuple[str | int, ...], list[str]]:
    """Return the row of a design, and a sentence on each survivor that is not settled.

    The file ``kept`` has the column of each mutant that was tried before, and gets the others'.
    """
    counted = Counter[str]()
    unsettled = []
    with tempfile.TemporaryDirectory() as name:
        mutants = mutants_of(design, MUTANTS, Path(name))
        build_bench(mutants.chosen(0))  # what doesn't compile is not caught
        assert not is_caught(mutants.chosen(0)), f"{design}: the design itself is caught"
        text = (Path(name) / "read.il").read_text()
        netlist = content_hash(re.sub(r"attribute \\src .*", "", text))
        known = _known(kept)
        for number, description in enumerate(mutants.descriptions, 1):
            key = f"{netlist} {_place(description)}"
            column = known.get(key)
            if column is None:
                column = found(mutants, number)
                if kept is not None:
                    with kept.open("a") as file:
                        file.write(json.dumps([key, column]) + "\n")
            print(f"{number} {column or 'open'}", file=sys.stderr, flush=True)
            counted[column] += 1
            if not column:
                unsettled.append(f"{design}: {_place(description)}")
    counts = (len(mutants.descriptions), *(counted[name] for name in COLUMNS[3:]))
    return (design.design.name, design.design.width, *counts), unsettled


def _known(kept: Path | None) -> dict[str, str]:
    if kept is None or not kept.exists():
        return {}
    return dict(json.loads(line) for line in kept.read_text().splitlines())


def _place(description: str) -> str:
    """Return a line of Yosys' list without its command and the checkout's path."""
    return re.sub(r"(?<=-src )\S*?(?=rtl/)", "", description).removeprefix("mutate ")


def _design_of(name: str) -> Core:
    if name in OTHER_DESIGNS:
        return core(name, **OTHER_DESIGNS[name])
    return designs_of(name)[0]


def main(arguments: Sequence[str]) -> int:
    """Print the score of architectures (default: all) and return the exit status."""
    parser = argparse.ArgumentParser(description="Score of the bench on mutants by Yosys.")
    parser.add_argument("names", nargs="*", metavar="ARCH")
    parser.add_argument("--kept", type=Path, metavar="FOLDER", help="results of each mutant")
    given = parser.parse_args(arguments)
    if unknown := sorted(set(given.names) - set(cores())):
        print(
            f"no architecture {', '.join(unknown)}; there are {', '.join(cores())}", file=sys.stderr
        )
        return 2
    rows, notes = [], []
    for name in given.names or cores():
        kept = given.kept and given.kept / f"{name}.jsonl"
        row, unsettled = scored(driven(_design_of(name)), kept)
        rows.append(row)
        notes += unsettled
        print(*row, *unsettled, file=sys.stderr, flush=True)
    print(Table("Mutants made by Yosys", COLUMNS, tuple(rows), tuple(notes)).to_markdown())
    return 1 if notes else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
