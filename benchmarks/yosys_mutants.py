# SPDX-License-Identifier: Apache-2.0
"""Score of the bench on mutants that Yosys makes: 60 of each architecture, at a width of few bits.

    python benchmarks/yosys_mutants.py [ARCH ...]

Pass `mutate` changes one bit of one cell: it inverts it, or ties it to 0, 1 or another bit. All
mutants of a design are one program, and the bench tries each until the first error. Each survivor
is compared with the design by abc's `dprove`, after a reset and from registers without one at 0,
for odd moduli; what that does not prove equal has to pass every legal operation. Prints one row an
architecture, and ends with status 1 if a survivor is neither.
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pyosys

from montforge.arch import Simulated, cores, driven
from montforge.errors import ToolFailedError
from montforge.hardware import Hardware
from montforge.hardware.verilog import declarations, instance, same_names
from montforge.hardware.yosys import read_design, run_yosys
from montforge.prove.simulated import exhaustive
from montforge.report import Table
from montforge.verify import build_bench, verify
from montforge.work.tools import run_tool

sys.path.append(str(Path(__file__).parents[1] / "tests"))
from planted import CHOSEN, PACKAGE, designs_of

MUTANTS, SEED = 60, 7
OPERATIONS = 400
YOSYS_SECONDS, PROOF_SECONDS, EXHAUSTIVE_SECONDS = 300.0, 20.0, 300.0
COLUMNS = ("architecture", "bits", "mutants", "killed", "proved equal", "pass every operation")
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
    try:
        report = verify(mutant, operations=OPERATIONS, chain_length=200, seed=1, until_wrong=True)
    except ToolFailedError:
        return True
    return report.mismatches > 0


def is_equal(mutants: Mutants, number: int) -> bool:
    """Return whether abc proves that mutant ``number`` answers as the design does.

    From a reset on, with registers without one at 0: the handshakes in all cycles, results while
    they are valid. Moduli are odd; operands may have any value. False if it takes too long.
    """
    contract = mutants.design.contract
    inputs = [port for port in contract.ports if port.direction == "input"]
    outputs = [port for port in contract.ports if port.direction == "output"]
    body = ["  logic was_reset_q, was_legal_q, legal, differs;"]
    for copy, chosen in (("design", "0"), ("mutant", str(number))):
        body += [f"  logic [{port.width - 1}:0] {copy}_{port.name};" for port in outputs]
        names = same_names(inputs) | {port.name: f"{copy}_{port.name}" for port in outputs}
        body.append(mutants.instance(f"u_{copy}", chosen, names))
    results = {port.name for port in contract.result_ports}
    unequal = [
        f"({'design_rsp_valid_o && ' * (port.name in results)}"
        f"design_{port.name} != mutant_{port.name})"
        for port in outputs
    ]
    odd = [f"{port.name}[0]" for port in inputs if port.name in ("n_i", "n_hat_i")]
    body += [
        f"  assign legal = {' && '.join(odd) or '1'};",
        "  always_ff @(posedge clk_i) begin",
        "    was_reset_q <= was_reset_q || !rst_ni;",
        "    was_legal_q <= !rst_ni || (was_legal_q && legal);",
        "  end",
        f"  assign differs = {' || '.join(unequal)};",
        "  assign bad_o = was_reset_q && rst_ni && was_legal_q && legal && differs;",
    ]
    folder = mutants.verilog.parent
    head = f"module equal (\n{declarations(inputs)},\n  output logic bad_o\n);\n"
    (folder / "equal.sv").write_text(head + "\n".join(body) + "\nendmodule\n")
    script = (
        "read_slang --top equal mutants.v equal.sv\n"
        "proc; flatten; async2sync; opt -full; dffunmap; simplemap; techmap; setundef -zero -init\n"
        "opt_expr; delete t:$scopeinfo; aigmap; opt_clean; write_aiger -zinit equal.aig\n"
    )
    run_yosys(script, log=folder / "log", timeout=YOSYS_SECONDS, cwd=folder)
    program = Path(pyosys.__file__).with_name("yosys-abc")
    question = "read_aiger equal.aig; strash; dprove -vr -C 10000 -F 4; print_status"
    try:
        said = run_tool(
            [str(program), "-c", question], log=folder / "log", timeout=PROOF_SECONDS, cwd=folder
        )
    except ToolFailedError:
        return False
    return "Networks are equivalent" in said


def passes_all(mutants: Mutants, number: int) -> bool:
    """Return whether every legal operation, each after a reset, has a right result in time."""
    try:
        check = exhaustive(mutants.design.design, mutants.fixed(number), EXHAUSTIVE_SECONDS)
    except ToolFailedError:
        return False
    return check.verdict == "proved"


def scored(design: Simulated) -> tuple[tuple[str | int, ...], list[str]]:
    """Return the row of a design, and a sentence on each survivor that is not settled."""
    with tempfile.TemporaryDirectory() as name:
        mutants = mutants_of(design, MUTANTS, Path(name))
        build_bench(mutants.chosen(0))  # what doesn't compile is not caught
        assert not is_caught(mutants.chosen(0)), f"{design}: the design itself is caught"
        numbers = range(1, len(mutants.descriptions) + 1)
        left = [each for each in numbers if not is_caught(mutants.chosen(each))]
        equal = [each for each in left if is_equal(mutants, each)]
        open_ = [each for each in left if each not in equal]
        passed = [each for each in open_ if passes_all(mutants, each)]
        unsettled = [
            f"{design}: {_place(mutants.descriptions[each - 1])}"
            for each in open_
            if each not in passed
        ]
    killed = len(numbers) - len(left)
    counts = (len(numbers), killed, len(equal), len(passed))
    return (design.design.name, design.design.width, *counts), unsettled


def _place(description: str) -> str:
    """Return a line of Yosys' list without its command and the checkout's path."""
    return re.sub(r"(?<=-src )\S*?(?=rtl/)", "", description).removeprefix("mutate ")


def main(names: Sequence[str]) -> int:
    """Print the score of ``names`` (default: all) and return the exit status."""
    if unknown := sorted(set(names) - set(cores())):
        print(
            f"no architecture {', '.join(unknown)}; there are {', '.join(cores())}", file=sys.stderr
        )
        return 2
    rows, notes = [], []
    for name in names or cores():
        row, unsettled = scored(driven(designs_of(name)[0]))
        rows.append(row)
        notes += unsettled
        print(*row, *unsettled, file=sys.stderr, flush=True)
    print(Table("Mutants made by Yosys", COLUMNS, tuple(rows), tuple(notes)).to_markdown())
    return 1 if notes else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
