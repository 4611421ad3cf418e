# SPDX-License-Identifier: Apache-2.0
"""Other sizes for cells of a placed netlist: by load, then one step up where it helps.

A size is a cell with the same name but for its last number, the same pins and the same function.
`sized_by_load` chooses sizes of buffers and registers, as a buffer tree was built without places.
`sizing_script` times several such choices in one run of OpenSTA, takes the best one, and goes on
with gates of the longest path: of these, the slowest one that makes area * period less gets its
next size, until none does.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch

from montforge.hardware.liberty import Cell, Library
from montforge.measure.opensta import PERIOD_NS, check_placed
from montforge.measure.placed.netlist import Netlist
from montforge.measure.placed.wires import Edge, wire_length
from montforge.measure.targets import StandardCells

RATIOS = (8, 14, 24)
"""The highest loads of a buffer that are tried, as multiples of its input's capacitance."""
TRIALS = 1000
"""The most cells that are tried in their next size."""
_REGISTER = 2.2
"""A register drives as much as this many of the smallest buffers."""
_GAIN_NS = 1e-5
"""The least gain for which a cell gets its next size, where that costs no area."""
_ROUNDS = 20

Sizes = Mapping[str, tuple[Cell, ...]]
"""The sizes of a cell, itself among them, by its name, the smallest first."""


def sizes_of(library: Library, target: StandardCells) -> Sizes:
    """Return the sizes of all cells of a library; those that ``target`` excludes are none."""
    families = defaultdict(list)
    for cell in library.cells:
        if not any(fnmatch(cell.name, pattern) for pattern in target.dont_use):
            base = re.sub(r"\d+$", "", cell.name)
            families[base, cell.inputs, cell.function, cell.next_state].append(cell)
    ordered = (
        tuple(sorted(family, key=lambda cell: (cell.area, cell.input_capacitance, cell.name)))
        for family in families.values()
    )
    return {cell.name: family for family in ordered for cell in family}


def sized_by_load(
    netlist: Netlist,
    wires: Sequence[Sequence[Edge]],
    wire_ff_um: float,
    library: Library,
    target: StandardCells,
    ratio: float,
) -> list[str]:
    """Return cells of the instances in which buffers and registers have sizes for their loads.

    A buffer is the smallest with a load of at most ``ratio`` times its input's capacitance. The
    first size of a register is for loads up to `_REGISTER` times those of the smallest buffer, each
    further size for twice as much. ``wire_ff_um`` is the capacitance of ``wires`` in fF/um.
    """
    unit = library.capacitance_unit_ff
    sizes = sizes_of(library, target)
    capacitances = {
        (cell.name, pin): unit * capacitance
        for cell in library.cells
        for pin, capacitance in zip(cell.inputs, cell.capacitances, strict=True)
    }
    buffers = {cell.name for cell in library.buffers()}
    registers = {cell.name for cell in library.cells if cell.next_state is not None}
    smallest = unit * min((cell.input_capacitance for cell in library.buffers()), default=0.0)
    fixed = [
        wire_ff_um * wire_length(tree) + target.load_ff * len(net.ports)
        for net, tree in zip(netlist.nets, wires, strict=True)
    ]
    kinds = [instance.kind for instance in netlist.instances]

    def fitting(kind: str, load: float) -> str:
        for at, cell in enumerate(sizes[kind]):
            of_register = _REGISTER * smallest * 2**at
            limit = of_register if kind in registers else cell.input_capacitance * unit
            if load <= ratio * limit:
                return cell.name
        return sizes[kind][-1].name

    drivers = {net.driver[0]: (net, load) for net, load in zip(netlist.nets, fixed, strict=True)}
    sized = [at for at in drivers if kinds[at] in sizes and kinds[at] in buffers | registers]
    for _ in range(_ROUNDS):  # a size is part of the load of the cell before it
        before = list(kinds)
        for at in sized:
            net, load = drivers[at]
            load += sum(capacitances[kinds[sink], pin] for sink, pin in net.sinks)
            kinds[at] = fitting(kinds[at], load)
        if kinds == before:
            break
    return kinds


@dataclass(frozen=True)
class Sized:
    """What `sizing_script` found; periods in ns.

    ``placed`` is the period with the sizes of the netlist, ``by_ratio`` with those for each ratio,
    ``period`` the one after all steps. ``kinds`` has the cells of all instances that changed.
    """

    placed: float
    by_ratio: dict[str, float]
    period: float
    trials: int
    kinds: dict[str, str]


def sizing_script(
    netlist: Netlist,
    cells: Mapping[str, Cell],
    choices: Mapping[int, Sequence[str]],
    sizes: Sizes,
    trials: int = TRIALS,
) -> str:
    """Return the Tcl script that goes on after `montforge.measure.opensta.placed_script`.

    ``choices`` are cells of all instances by their ratio. It prints lines for `parse_sizing`.
    """
    area = {name: cell.area for name, cell in cells.items()}
    names = [instance.name.removeprefix("\\") for instance in netlist.instances]
    kinds = [instance.kind for instance in netlist.instances]
    known = sorted({*kinds, *(kind for choice in choices.values() for kind in choice)})
    grown = {kind: cell.name for kind in sizes for cell in larger(kind, sizes)}
    tried = "".join(
        f"choose {ratio} {sum(map(area.__getitem__, choice)):.6f}"
        f" {{{_pairs(names, kinds, choice)}}}\n"
        for ratio, choice in choices.items()
    )
    used = {kind: f"{area[kind]:.6f}" for kind in sorted({*known, *grown, *grown.values()})}
    return f"""\
array set area {{{_listed(used)}}}
array set larger {{{_listed(grown)}}}
foreach name [array names area] {{
  set cell($name) [lindex [get_lib_cells */$name] 0]
}}
foreach instance [get_cells *] {{
  set name [get_full_name $instance]
  set object($name) $instance
  set kind($name) [get_property $instance ref_name]
}}
proc slack_now {{}} {{ get_property [longest clk clk] slack }}
proc change {{name to}} {{
  global object cell kind
  replace_cell $object($name) $cell($to)
  set kind($name) $to
}}
proc product {{area slack}} {{ expr {{$area * ({PERIOD_NS} - $slack)}} }}
proc choose {{ratio area changes}} {{
  global kind best chosen total
  foreach {{name to}} $changes {{ lappend before $name $kind($name); change $name $to }}
  set now [slack_now]
  puts "RATIO $ratio $now"
  if {{[product $area $now] < $best}} {{
    set best [product $area $now]
    set chosen $changes
    set total $area
  }}
  if {{[info exists before]}} {{ foreach {{name to}} $before {{ change $name $to }} }}
}}
proc slowest_first {{path}} {{
  set before 0
  set gates {{}}
  foreach point [get_property $path points] {{
    set pin [get_full_name [get_property $point pin]]
    set name [string range $pin 0 [string last / $pin]-1]
    set at [get_property $point arrival]
    dict set gates $name [expr {{$at - $before}}]
    set before $at
  }}
  lsort -stride 2 -index 1 -real -decreasing $gates
}}
set slack [slack_now]
puts "RATIO 0 $slack"
set total {sum(map(area.__getitem__, kinds)):.6f}
set best [product $total $slack]
set chosen {{}}
{tried}\
foreach {{name to}} $chosen {{ change $name $to; set changed($name) 1 }}
set slack [slack_now]
set trials 0
set helped 1
while {{$helped}} {{
  set helped 0
  foreach {{name delay}} [slowest_first [longest clk clk]] {{
    if {{![info exists larger($kind($name))] || $trials >= {trials}}} {{ continue }}
    incr trials
    set was $kind($name)
    change $name $larger($was)
    set now [slack_now]
    set grown [expr {{$total + $area($kind($name)) - $area($was)}}]
    if {{$now > $slack + {_GAIN_NS} && [product $grown $now] < [product $total $slack]}} {{
      set slack $now
      set total $grown
      set changed($name) 1
      set helped 1
      break
    }}
    change $name $was
  }}
}}
puts "TRIALS $trials"
foreach name [lsort [array names changed]] {{ puts "CELL $name $kind($name)" }}
puts "SIZED [slack_now]"
"""


def parse_sizing(report: str) -> Sized:
    """Return what a run of `sizing_script` printed. Raises ToolFailedError."""
    ended = re.search(r"^SIZED (\S+)$", report, re.MULTILINE)
    trials = re.search(r"^TRIALS (\d+)$", report, re.MULTILINE)
    check_placed(report, ended is not None)
    assert ended is not None
    assert trials is not None

    def period(slack: str) -> float:
        return round(PERIOD_NS - float(slack), 5)

    ratios = dict(re.findall(r"^RATIO (\S+) (\S+)$", report, re.MULTILINE))
    return Sized(
        placed=period(ratios.pop("0")),
        by_ratio={ratio: period(slack) for ratio, slack in ratios.items()},
        period=period(ended[1]),
        trials=int(trials[1]),
        kinds=dict(re.findall(r"^CELL (\S+) (\S+)$", report, re.MULTILINE)),
    )


def larger(kind: str, sizes: Sizes) -> tuple[Cell, ...]:
    """Return the next size of a cell, or nothing."""
    family = sizes[kind]
    at = next(at for at, cell in enumerate(family) if cell.name == kind)
    return family[at + 1 : at + 2]


def _pairs(names: Sequence[str], kinds: Sequence[str], chosen: Sequence[str]) -> str:
    return " ".join(
        f"{name} {new}" for name, old, new in zip(names, kinds, chosen, strict=True) if new != old
    )


def _listed(pairs: Mapping[str, str]) -> str:
    return " ".join(f"{left} {right}" for left, right in pairs.items())
