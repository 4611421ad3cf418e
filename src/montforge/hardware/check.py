# SPDX-License-Identifier: Apache-2.0
"""Parameter ``check`` of a multiplier: modules that check each product modulo 2^r - 1.

The product satisfies ``p R = a b + q n``, q being the number of the quotient digits that the core
used. The core brings its digits out through a `Tap`: output ports of a copy of its module.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path

from montforge.contract import Contract, Field
from montforge.hardware.forms import HANDSHAKE, Form
from montforge.hardware.hardware import rtl_root
from montforge.hardware.parts import rendered_file
from montforge.hardware.verilog import same_names, verilog

PRIME_RESIDUE = 19
"""2^19 - 1 is a prime, which divides a product of two words of up to 18 bits only if it is 0."""
RESIDUES = (4, 8, 16, PRIME_RESIDUE)
"""Bits r of the residues."""
CHECK_FILES = (
    "booth/mf_booth_pkg.sv",
    "prim/mf_residue_pkg.sv",
    "prim/mf_residue_tree.sv",
    "prim/mf_residue_fold.sv",
    "prim/mf_residue_check.sv",
    "prim/mf_result_guard.sv",
    "prim/mf_check_sequencer.sv",
)
_HEADER_END = "\n);\n"
_BODY_END = "\nendmodule\n"


@dataclass(frozen=True)
class Tap:
    """Where a core has its quotient digits, and what they are.

    ``modules`` are the modules from the core's top to the one with the digits, each the instance
    ``u_core`` of the one before. ``digit`` and ``valid`` are expressions there: a digit of
    ``bits``, and whether it is one, from the cycle after the acceptance to ``gap`` cycles before
    the response. A digit that is ``signed`` comes as terms of ``mf_booth_pkg``. With ``varying``
    digits, of several sizes, ``valid`` is one-hot: bit i for i + 1 bits. ``levels`` of carry-save
    adders fit a cycle of the core. ``wrong`` is an expression that is 1 from a fault on until the
    core's reset, if there is one; ``watch`` is the text before it, at the module's end, and
    ``files`` the modules in the text.

    With q = sum of the digits at their places, ``p 2^p_shift = a b 2^ab_shift + q N``,
    N = 2^n_shift f + n_add being a multiple of n and f the field ``modulus`` from bit ``n_from``
    on, in two's complement if ``n_signed``. The digits have ``p_shift + more`` places together.
    """

    modules: tuple[str, ...]
    valid: str
    digit: str
    gap: int
    p_shift: int
    ab_shift: int = 0
    modulus: str = "n"
    n_from: int = 0
    n_shift: int = 0
    n_add: int = 0
    n_signed: bool = False
    more: int = 0
    bits: int = 1
    signed: bool = False
    varying: bool = False
    levels: int = 1
    wrong: str = ""
    watch: str = ""
    files: tuple[str, ...] = ()

    @property
    def digit_width(self) -> int:
        """The bits of ``digit``."""
        return 3 * (-(-self.bits // 2)) if self.signed else self.bits

    @property
    def valid_width(self) -> int:
        """The bits of ``valid``."""
        return self.bits if self.varying else 1

    @property
    def outputs(self) -> dict[str, tuple[int, str]]:
        """The outputs of the copy: bits and expression by name."""
        found = {
            "digit_valid_o": (self.valid_width, self.valid),
            "digit_o": (self.digit_width, self.digit),
        }
        return found | ({"wrong_o": (1, self.wrong)} if self.wrong else {})


@dataclass(frozen=True)
class _Operand:
    """The vectors of a field as words of ``r`` bits: their sum and ``add`` is 2^shift the field."""

    expression: str
    width: int
    add: int


def _operand(
    field: Field, r: int, shift: int, add: int = 0, *, first: int = 0, signed: bool = False
) -> _Operand:
    """Return the words of ``2^shift f + add`` modulo 2^r - 1, f being ``field`` from ``first`` on.

    A sign bit is complemented, since -s = (1 - s) - 1.
    """
    low = shift % r
    pieces: list[str] = []
    width = 0
    for at, port in enumerate(field.ports):
        top, bits = port.width - 1, port.width - first
        text = f"{port.name}[{top}:{first}]" if first else port.name
        if (signed or field.encoding.signed) and at == 0:
            text = f"{{~{port.name}[{top}], {port.name}[{top - 1}:{first}]}}"
            add -= 1 << (bits - 1 + low)
        padding = -(bits + low) % r
        if low:
            pieces.append(f"{low}'d0")
        pieces.append(text)
        if padding:
            pieces.append(f"{padding}'d0")
        width += low + bits + padding
    return _Operand(f"{{{', '.join(reversed(pieces))}}}", width, add % ((1 << r) - 1))


def _remaining(words: int, levels: int) -> int:
    for _ in range(levels):
        words = 2 * (words // 3) + words % 3
    return words


@dataclass(frozen=True)
class Checking:
    """The check of one core: ``contract`` and ``core`` are those without it."""

    contract: Contract
    core: Form
    tap: Tap
    r: int

    @property
    def checked(self) -> Contract:
        """The contract with the check: `wait` and one cycle more until the response, ``err_o``."""
        later = self.contract.handover + self.wait + 1
        interval = self.contract.latency.later(later + 3)
        return replace(self.contract, handover=later, interval=interval, checked=self.r)

    @property
    def fits(self) -> bool:
        """Whether a's residue is taken before that of the result needs its place."""
        return self.settle <= self.soonest + 1

    @property
    def answer(self) -> int:
        """The most cycles from a request to the core's response."""
        return self.contract.latency.maximum + self.contract.handover + 1

    @property
    def settle(self) -> int:
        """The cycles from a request to residues of one word, as ``mf_residue_check`` counts."""
        return -(-(self._depth + self.r + 1) // self.tap.levels)

    @property
    def wait(self) -> int:
        """The cycles from the core's response to the end of the check."""
        product = self.settle + -(-self.r // min(self.tap.bits, self.r))
        folds = -(-self._depth // self.tap.levels)
        return 3 + max(1, folds, self.settle - self.tap.gap, product - self.soonest)

    @property
    def soonest(self) -> int:
        """The fewest cycles from a request to the core's response."""
        return self.contract.latency.minimum + self.contract.handover + 1

    @property
    def form(self) -> Form:
        """The core in its module with the check."""
        name = f"{self.core.top}_check{self.r}"
        kept = [each for each in self.core.files if Path(each).stem not in self.tap.modules]
        tapped = [str(path) for path in self._tapped_files]
        top = str(rendered_file(name, self._text(name)))
        files = dict.fromkeys((*kept, *CHECK_FILES, *self.tap.files, *tapped, top))
        return Form(self.core.name, name, tuple(files), {})

    @property
    def _operands(self) -> tuple[_Operand, ...]:
        """The words of a, b 2^ab_shift, N and p 2^p_shift."""
        field, tap, r = self.contract.field, self.tap, self.r
        return (
            _operand(field("a"), r, 0),
            _operand(field("b"), r, tap.ab_shift),
            _operand(
                field(tap.modulus), r, tap.n_shift, tap.n_add, first=tap.n_from, signed=tap.n_signed
            ),
            _operand(self.contract.results[0], r, tap.p_shift),
        )

    @property
    def _depth(self) -> int:
        """The levels that make two words of the widest operand's."""
        words, levels = max(each.width for each in self._operands) // self.r + 1, 0
        while _remaining(words, levels) > 2:
            levels += 1
        return levels

    @property
    def _tapped_files(self) -> list[Path]:
        """The copies of the modules of the tap, the innermost first."""
        found = []
        inner = ""
        for module in reversed(self.tap.modules):
            path = next(each for each in self.core.files if Path(each).stem == module)
            text = tapped_text((rtl_root() / path).read_text(encoding="utf-8"), self.tap, inner)
            found.append(rendered_file(_tapped(module), text))
            inner = module
        return found

    def _text(self, name: str) -> str:
        contract, r = self.contract, self.r
        a, b, n, p = self._operands
        facing = {port: f"core_{port.rpartition('_')[0]}" for port in HANDSHAKE}
        toward = {
            f"core_{port[:-1]}{'o' if port.endswith('i') else 'i'}": net
            for port, net in facing.items()
        }
        clock = same_names(contract.ports[:2])
        zeros = self.tap.bits - self.tap.valid_width
        controls = {"load_i": "load", "feed_i": "feed", "start_i": "start"}
        return verilog(
            "checked.sv.in",
            title=contract.architecture,
            name=name,
            ports=self.checked.ports,
            digit_width=self.tap.digit_width,
            valid_width=self.tap.valid_width,
            errors=[
                *("late", "mismatch", "changed"),
                *(["wrong"] if self.tap.wrong else []),
            ],
            result_width=sum(port.width for port in contract.result_ports),
            sequencer={
                "Answer": self.answer + (not contract.latency.is_fixed),
                "Soonest": self.soonest,
                "Fixed": int(contract.latency.is_fixed),
                "Wait": self.wait,
            },
            sequencer_connections={
                **clock,
                **{port: port for port in HANDSHAKE},
                "error_o": "late",
                "core_rst_no": "core_rst_n",
                **toward,
                "load_o": "load",
                "feed_o": "feed",
                "start_o": "start",
                "result_o": "result",
                "hold_o": "hold",
            },
            top=_tapped(self.core.top),
            core_parameters=self.core.parameters,
            core_connections={
                **same_names(contract.ports),
                **facing,
                "rst_ni": "core_rst_n",
                **{name: name.removesuffix("_o") for name in self.tap.outputs},
            },
            parameters={
                "ResidueW": r,
                "DigitW": self.tap.bits,
                "Booth": int(self.tap.signed),
                **{f"{key}W": each.width for key, each in zip("ABNP", (a, b, n, p), strict=True)},
                **{
                    f"Add{key}": f"{r}'h{each.add:x}"
                    for key, each in zip("ABNP", (a, b, n, p), strict=True)
                },
                "Places": self.tap.p_shift + self.tap.more,
                "Levels": self.tap.levels,
                "Settle": self.settle,
                "Wait": self.wait,
            },
            connections={
                **clock,
                **controls,
                "a_i": a.expression,
                "b_i": b.expression,
                "n_i": n.expression,
                "places_i": "digit_valid" if zeros == 0 else f"{{digit_valid, {zeros}'d0}}",
                "digit_i": "digit",
                "result_i": "result",
                "p_i": p.expression,
                "error_o": "mismatch",
            },
            guard_connections={
                "clk_i": "clk_i",
                "hold_i": "hold",
                "value_i": f"{{{', '.join(port.name for port in contract.result_ports)}}}",
                "changed_o": "changed",
            },
        )


def _tapped(module: str) -> str:
    return f"{module}_tapped"


def tapped_text(text: str, tap: Tap, inner: str = "") -> str:
    """Return a module with the outputs of ``tap`` and a name that ends in _tapped.

    They are the tap's expressions, or with ``inner`` come from the instance of this module.
    """
    (module,) = re.findall(r"^module (\w+)", text, re.MULTILINE)
    text = _once(text, rf"\bmodule {module}\b", f"module {_tapped(module)}")
    ports = "".join(
        f",\n  output logic [{bits - 1}:0] {name}" for name, (bits, _) in tap.outputs.items()
    )
    assert _HEADER_END in text, f"{module} has no list of ports that ends in a line of its own"
    text = text.replace(_HEADER_END, ports + _HEADER_END, 1)
    if inner:
        text = _once(text, rf"\b{inner} #", f"{_tapped(inner)} #")
        connections = ", ".join(f".{name}" for name in tap.outputs)
        return _once(text, r"\) u_core \(\n", f") u_core (\n    {connections},\n")
    body = "".join(f"\n  assign {name:13} = {what};" for name, (_, what) in tap.outputs.items())
    watch = f"\n{tap.watch}" if tap.watch else ""
    return _once(text, _BODY_END, f"{watch}{body}\n{_BODY_END}")


def _once(text: str, pattern: str, replacement: str) -> str:
    """Return ``text`` with the one place that has ``pattern`` replaced."""
    found, count = re.subn(pattern, lambda _: replacement, text)
    assert count == 1, f"{pattern} is there {count} times"
    return found
