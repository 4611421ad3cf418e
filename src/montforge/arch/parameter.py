# SPDX-License-Identifier: Apache-2.0
"""Parameters of architectures: the fields of a design, with their ranges and meaning.

A field of an architecture is made by `integer`, `number`, `choice` or `part`::

    digit: int = integer("bits of a digit", 8, minimum=2, maximum=24)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, cast

from montforge.contract import Contract
from montforge.errors import ParameterError, unknown_name
from montforge.programs.primes import PRIMES, modulus_text, read_modulus
from montforge.work.cache import content_hash

WIDEST = 8192
"""Bits of the widest modulus of any architecture."""
_LONGEST_TAG = 18
"""Letters of a modulus up to which names of designs have all of them: 64 bits."""


@dataclass(frozen=True)
class Need:
    """A rule that the contract of a part must meet."""

    text: str
    holds: Callable[[Contract], bool]


CLOSED_PART = Need("closed (results are legal operands)", lambda contract: contract.closed)
FIXED_LATENCY = Need("of fixed latency", lambda contract: contract.latency.is_fixed)
MULTIPLIER = Need(
    "a Montgomery multiplier", lambda contract: contract.function.name == "montgomery_product"
)


@dataclass(frozen=True)
class Parameter:
    """A parameter of an architecture: integers, a choice of names, a modulus, a part.

    Integers are legal if in ``numbers``, or from ``minimum`` to ``maximum`` (inclusive) without
    it; names if in ``choices``; a modulus if the design's contract allows it. A part is itself a
    design, whose contract meets all ``needs``; its own parameters are ``name.parameter``, those of
    `Design.part_parameters` are given. ``name`` is the parameter's name for users, ``attribute``
    the field that holds its value. An ``optional`` part may be left out (None), and so may a
    modulus (empty). A ``silent`` one is in no name and no list of values where it is empty or 0.
    ``rtl`` is the name of the top module's parameter, which takes the value, or the index of a
    choice: None for ``name`` with a capital, empty for no parameter.
    """

    meaning: str
    default: int | str
    minimum: int = 0
    maximum: int = 0
    choices: tuple[str, ...] = ()
    numbers: tuple[int, ...] = ()
    needs: tuple[Need, ...] = ()
    name: str = ""
    attribute: str = ""
    optional: bool = False
    is_modulus: bool = False
    silent: bool = False
    rtl: str | None = ""

    @property
    def is_part(self) -> bool:
        """Whether the value is a design."""
        return bool(self.needs)

    @property
    def rule(self) -> str:
        """The legal values, in words."""
        if self.needs:
            return "a design that is " + ", ".join(need.text for need in self.needs)
        if self.choices:
            return "one of " + ", ".join(self.choices)
        if self.is_modulus:
            return "a legal modulus as an integer or a prime's name, or 0 for none"
        if self.numbers:
            return "one of " + ", ".join(map(str, self.numbers))
        return f"an integer from {self.minimum} to {_in_words(self.maximum)}"

    def parse(self, value: object) -> int | str:
        """Return the legal value that ``value`` (of the API or a command line) stands for.

        A modulus is the name of a prime or in hexadecimal; empty for none.
        Raises ParameterError that names the parameter, the rule and the nearest legal value.
        """
        if self.choices:
            if value in self.choices:
                return str(value)
            near = unknown_name(f"value of {self.name}", str(value), self.choices)
            raise ParameterError(str(near))
        if self.is_modulus:
            n = value if isinstance(value, int) else read_modulus(str(value) or "0")
            return modulus_text(n) if n else ""
        try:
            if isinstance(value, bool) or not isinstance(value, int | str):
                raise ValueError
            number = int(value, 0) if isinstance(value, str) else value
        except ValueError:
            raise ParameterError(
                f"parameter {self.name} = {value!r} is not an integer;"
                f" {self.name} must be {self.rule} (for example {self.default})."
            ) from None
        if number not in (self.numbers or range(self.minimum, self.maximum + 1)):
            ends = self.numbers or (self.minimum, self.maximum)
            nearest = min(ends, key=lambda legal: abs(legal - number))
            raise ParameterError(
                f"parameter {self.name} = {number} is out of range;"
                f" {self.name} must be {self.rule} (nearest legal: {nearest})."
            )
        return number


def _in_words(number: int) -> str:
    """Return a number, one that is too long to read as a power of two less one."""
    return str(number) if number < 1 << 64 else f"2^{number.bit_length()} - 1"


def named_values(words: Iterable[str]) -> dict[str, str]:
    """Return the values of ``NAME=VALUE`` words, such as ``width=64``, ``core.radix=16``.

    Raises ParameterError for a word without a value, and for a name that is given twice.
    """
    values: dict[str, str] = {}
    for text in words:
        name, _, value = text.partition("=")
        if not value:
            raise ParameterError(
                f"parameter {text!r} has no value; write -p NAME=VALUE, such as -p width=256."
            )
        if name in values:
            raise ParameterError(f"parameter {name} is given twice; give it once.")
        values[name] = value
    return values


def _field(parameter: Parameter) -> Any:
    return field(default=parameter.default, metadata={"parameter": parameter})


def _keyword(parameter: Parameter) -> Any:
    return field(default=parameter.default, kw_only=True, metadata={"parameter": parameter})


def integer(
    meaning: str, default: int, *, minimum: int, maximum: int, rtl: str | None = None
) -> int:
    """Return the field of an integer from ``minimum`` to ``maximum``, both legal."""
    parameter = Parameter(meaning, default, minimum=minimum, maximum=maximum, rtl=rtl)
    return cast("int", _field(parameter))


def number(meaning: str, default: int, numbers: tuple[int, ...], *, rtl: str | None = None) -> int:
    """Return the field of one of a few integers."""
    return cast("int", _field(Parameter(meaning, default, numbers=numbers, rtl=rtl)))


def choice(
    meaning: str, default: str, choices: tuple[str, ...], *, name: str = "", rtl: str = ""
) -> str:
    """Return the field of one of a few names; ``name`` is the parameter's if not the field's."""
    return cast("str", _field(Parameter(meaning, default, choices=choices, name=name, rtl=rtl)))


def modulus(meaning: str) -> Any:
    """Return the field of the one modulus of a design, by default none; a keyword."""
    return _keyword(Parameter(meaning, "", name="modulus", is_modulus=True, silent=True))


def silent_integer(meaning: str, *, maximum: int) -> Any:
    """Return the field of an integer from 0, its default, to ``maximum``; a keyword."""
    return _keyword(Parameter(meaning, 0, maximum=maximum, silent=True))


def silent_number(meaning: str, numbers: tuple[int, ...], *, name: str = "", rtl: str = "") -> Any:
    """Return the field of one of a few integers or 0, its default; a keyword."""
    return _keyword(Parameter(meaning, 0, numbers=(0, *numbers), silent=True, name=name, rtl=rtl))


def modulus_tag(text: str) -> str:
    """Return a part of a name for a modulus as `Parameter.parse` has it."""
    if len(text) <= _LONGEST_TAG:
        return text if text in PRIMES else f"modulus{text}"
    return f"modulus_{content_hash(text)[:12]}"


def part(meaning: str, default: str, *needs: Need) -> Any:
    """Return the field of a core that meets ``needs``, by default architecture ``default``."""
    return _field(Parameter(meaning, default, needs=needs))


def optional_part(meaning: str, *needs: Need) -> Any:
    """Return the field of a core that meets ``needs``, or None, which is the default."""
    return _field(Parameter(meaning, "", needs=needs, optional=True))
