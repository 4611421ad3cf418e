# SPDX-License-Identifier: Apache-2.0
"""montforge: a library and compiler of Montgomery arithmetic hardware.

Modular multiplication ``p = a * b * R^-1 (mod n)`` in hardware: every published architecture as
readable SystemVerilog behind one contract, and the calls that generate, verify and measure it.

A design is an architecture with its parameters fixed::

    >>> import montforge
    >>> multiplier = montforge.design("scs_mm_new", width=256)
    >>> print(multiplier.contract.modulus)     # print(multiplier.contract): all of it
    odd, 3 <= n < 2^256
    >>> n, a, b = 2**255 - 19, 3, 2**200
    >>> list(multiplier.constants(n))          # inputs of the hardware beside or instead of n
    ['n_hat']
    >>> p = multiplier.golden(a, b, n)         # the answer: below 4n, as its contract says
    >>> p % n == a * b * pow(multiplier.contract.r, -1, n) % n
    True
    >>> multiplier.cycles(a, b, n)             # the exact number of cycles of one operation
    173

Then each step of the work is one call, which the command ``montforge`` offers as well. A call whose
package has its name is imported from there, ``from montforge.verify import verify``:

``montforge.generate.generate(design, folder)``
    a folder that stands alone: RTL, wrapper, testbench, constraints, datasheet
``montforge.verify.verify(design)``
    the RTL against integers: random, corner, exhaustive and chained operands, handshakes
``montforge.measure_cycles(design)``
    cycles of the RTL, checked against the model operation by operation
``montforge.measure.measure(design, "osu018")``
    area, clock period and latency on a standard-cell library or an FPGA
``montforge.explore.explore("nangate45", width=256)``
    many designs measured, and the frontier of area and latency
``montforge.power_cycles(montforge.design("modexp", width=1024))``
    turns and cycles of exponentiations, for planning
``montforge.reproduce("kuang2016")``
    a paper's published figures beside measured ones

Bad input raises a subclass of ``MontforgeError`` whose message names the wrong value, the rule that
it broke and a legal value. Work is cached by content in ``$MONTFORGE_CACHE`` or the
platform's cache folder, and an interrupted call goes on where it stopped.
"""

# Nothing else is loaded here, so that the command is soon where it can handle an interrupt.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from montforge.arch import Architecture, Design, architecture, design, registry
    from montforge.arch.power import PowerCycles, power_cycles
    from montforge.contract import Bound, Contract, Cycles, Encoding
    from montforge.errors import MontforgeError
    from montforge.explore import Exploration, Row
    from montforge.measure import Measurement
    from montforge.papers import Reproduction, reproduce
    from montforge.verify import CyclesReport, VerifyReport, measure_cycles
    from montforge.work.progress import ProgressFunction

    __version__: str

__all__ = [
    "Architecture",
    "Bound",
    "Contract",
    "Cycles",
    "CyclesReport",
    "Design",
    "Encoding",
    "Exploration",
    "Measurement",
    "MontforgeError",
    "PowerCycles",
    "ProgressFunction",
    "Reproduction",
    "Row",
    "VerifyReport",
    "architecture",
    "design",
    "measure_cycles",
    "power_cycles",
    "registry",
    "reproduce",
]

_HOMES = {
    "arch": ("Architecture", "Design", "architecture", "design", "registry"),
    "contract": ("Bound", "Contract", "Cycles", "Encoding"),
    "errors": ("MontforgeError",),
    "explore": ("Exploration", "Row"),
    "generate": (),
    "measure": ("Measurement",),
    "papers": ("Reproduction", "reproduce"),
    "arch.power": ("PowerCycles", "power_cycles"),
    "work.progress": ("ProgressFunction",),
    "verify": ("CyclesReport", "VerifyReport", "measure_cycles"),
}
"""The modules that define the names of the package, each loaded when one of them is used."""
_MODULES = {name: module for module, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> object:
    """Load the attribute ``name`` (PEP 562)."""
    from importlib import import_module

    if name == "__version__":
        from importlib.metadata import version

        value: object = version("montforge")
    elif name in _MODULES:
        value = getattr(import_module(f"montforge.{_MODULES[name]}"), name)
    elif name in _HOMES:
        return import_module(f"montforge.{name}")
    else:
        raise AttributeError(f"module 'montforge' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
