# SPDX-License-Identifier: Apache-2.0
"""What every architecture states: parameters, contract, models, corner operands, citation.

An architecture is one subclass of `Architecture` in one file of this package, where `registry`
finds it, or in another package, which names it as an entry point. A `Design` is an architecture
with all of its parameters fixed.
"""

from __future__ import annotations

import importlib
import pkgutil
import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from functools import cache, cached_property
from importlib.metadata import EntryPoint, entry_points
from importlib.resources import files
from pathlib import Path
from typing import Any, ClassVar, Protocol, TypeAlias, cast

from montforge.arch.axi import axi_form, has_axi_form
from montforge.arch.forms import AXI, CLOCK, PARALLEL, Form
from montforge.arch.parts import rendered_file, wrapper_file
from montforge.contract import Contract, Port
from montforge.errors import EntryPointError, ParameterError, unknown_name

ParameterValue: TypeAlias = "int | str | Design"
Values = tuple[int, ...]
"""The values of one operation in the order of `Function.operands`: ``(a, b, n)`` of a product."""


@dataclass(frozen=True)
class Need:
    """What a core needs of the contract of one of its parts: a rule and its test."""

    text: str
    holds: Callable[[Contract], bool]


CLOSED_PART = Need("closed (results are legal operands)", lambda contract: contract.closed)
FIXED_LATENCY = Need("of fixed latency", lambda contract: contract.latency.is_fixed)
MULTIPLIER = Need(
    "a Montgomery multiplier", lambda contract: contract.function.name == "montgomery_product"
)


@dataclass(frozen=True)
class Parameter:
    """A parameter of an architecture: an integer range, a few integers, a choice of names, a part.

    Integers are legal if in ``numbers``, or from ``minimum`` to ``maximum`` (inclusive) without
    it; names if in ``choices``. A part is itself a design, whose contract meets all ``needs``; its
    own parameters are ``name.parameter``, those of `Architecture.part_parameters` are given.
    """

    name: str
    meaning: str
    default: ParameterValue
    minimum: int = 0
    maximum: int = 0
    choices: tuple[str, ...] = ()
    numbers: tuple[int, ...] = ()
    needs: tuple[Need, ...] = ()

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
        if self.numbers:
            return "one of " + ", ".join(map(str, self.numbers))
        return f"an integer from {self.minimum} to {_in_words(self.maximum)}"

    def parse(self, value: object) -> int | str:
        """Return the legal value that ``value`` (of the API or a command line) stands for.

        Raises ParameterError that names the parameter, the rule and the nearest legal value.
        """
        if self.choices:
            if value in self.choices:
                return str(value)
            near = unknown_name(f"value of {self.name}", str(value), self.choices)
            raise ParameterError(str(near))
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


WIDTH = Parameter("width", "bits of the widest modulus", 256, minimum=3, maximum=8192)
"""The parameter that every architecture has."""


@dataclass(frozen=True)
class Citation:
    """Where an architecture was published."""

    authors: str
    title: str
    venue: str
    year: int
    where: str = ""

    def at(self, where: str) -> Citation:
        """Return this citation for one place (figure, table, section) of the paper."""
        return replace(self, where=where)

    def __str__(self) -> str:
        place = f" ({self.where})" if self.where else ""
        return f'{self.authors}, "{self.title}", {self.venue}, {self.year}{place}'


class Parameters(dict[str, ParameterValue]):
    """Checked parameter values by name."""

    def integer(self, name: str) -> int:
        """Return the value of an integer parameter."""
        value = self[name]
        assert isinstance(value, int)
        return value

    def part(self, name: str) -> Design:
        """Return the design that a part is."""
        value = self[name]
        assert isinstance(value, Design)
        return value

    def flat(self) -> tuple[tuple[str, int | str], ...]:
        """Return names and values, with a part's architecture and its own parameters as
        ``part`` and ``part.parameter``."""
        found: list[tuple[str, int | str]] = []
        for name, value in self.items():
            if isinstance(value, Design):
                found.append((name, value.architecture.name))
                found += [(f"{name}.{key}", inner) for key, inner in value.parameters.flat()]
            else:
                found.append((name, value))
        return tuple(found)


class Architecture(ABC):
    """A published design with parameters. Subclasses are stateless; `Design` binds values.

    Models take the values of an operation by the names of `Function.operands`: ``a, b, n`` for a
    product, ``x, e, e_len, n`` for a power.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    family: ClassVar[str]
    citation: ClassVar[Citation]
    parameters: ClassVar[tuple[Parameter, ...]]
    rtl_top: ClassVar[str]
    rtl_files: ClassVar[tuple[str, ...]]
    """Paths below the RTL library's root, in compile order; the top is the last.

    Those of an architecture from outside are absolute."""
    memories: ClassVar[tuple[str, ...]] = ()
    """Modules that are memory macros on a chip: on standard cells their bits are counted, and their
    cells are not in area and period."""
    formulas: ClassVar[tuple[tuple[str, str], ...]]
    """``(quantity, formula)`` rows for the datasheet and the docs."""
    errata: ClassVar[tuple[str, ...]] = ()
    """Where this form leaves the paper, and why."""
    form_rules: ClassVar[Mapping[str, str]] = {}
    """What forms need that not all parameters have, by the form's name."""

    def defaults(self, given: Mapping[str, object]) -> Mapping[str, object]:
        """Return the defaults that follow from ``given`` parameters. Raises ParameterError."""
        return {}

    def check(self, parameters: Parameters) -> None:  # noqa: B027 (most need no rule across)
        """Raise ParameterError for a combination of legal values that is illegal."""

    def top(self, parameters: Parameters) -> str:
        """Return the top module's name; it differs where parameters change the ports."""
        return self.rtl_top

    def files(self, parameters: Parameters) -> tuple[str, ...]:
        """Return those of `rtl_files` that these parameters need; the top is the last."""
        return self.rtl_files

    def forms(self, parameters: Parameters) -> tuple[Form, ...]:
        """Return the forms of the core, the parallel one first; others are added to it."""
        return (
            Form(
                PARALLEL,
                self.top(parameters),
                self.files(parameters),
                self.rtl_parameters(parameters),
            ),
        )

    @abstractmethod
    def contract(self, parameters: Parameters) -> Contract:
        """Return the contract under these parameters, of the parallel form."""

    @abstractmethod
    def rtl_parameters(self, parameters: Parameters) -> dict[str, int]:
        """Return the parallel top's parameters; only integers cross into SystemVerilog."""

    @abstractmethod
    def golden(self, parameters: Parameters, *operation: Any, **named: Any) -> int:
        """Return the exact value (not just the residue) that the result register holds."""

    @abstractmethod
    def cycles(self, parameters: Parameters, *operation: Any, **named: Any) -> int:
        """Return the exact latency of the parallel form, from the algorithm and not the RTL."""

    def constants(self, parameters: Parameters, n: int) -> dict[str, int]:
        """Return the contract's constant fields of modulus ``n``, which is legal, by name."""
        return {}

    def carried_constants(
        self, parameters: Parameters, operation: Mapping[str, int]
    ) -> dict[str, int]:
        """Return the constant fields that carry operands of a legal operation, by name."""
        return {}

    def part_parameters(self, name: str, parameters: Parameters) -> dict[str, ParameterValue]:
        """Return the parameters of part ``name`` that follow from those of the whole."""
        return {}

    def part_wrappers(self, parameters: Parameters) -> dict[str, Design]:
        """Return the parts by the module name under which the RTL instantiates each."""
        return {}

    def figures(self, parameters: Parameters) -> dict[str, float]:
        """Return what follows from the parameters beside the contract, by quantity."""
        return {}

    def memory_bits(self, parameters: Parameters) -> int:
        """Return the bits of all `memories` of the design together."""
        return 0

    def core_cycles(self, parameters: Parameters) -> int | None:
        """Return the cycles that the paper counts, if the latency has more: those of the core.

        The others, which the contract counts as well, load operands and collect the result.
        """
        return None

    def corners(self, parameters: Parameters) -> Iterator[Values]:
        """Yield operations that catch wrong implementations of this architecture."""
        return iter(())

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other)

    def __hash__(self) -> int:
        return hash(type(self))


class Elaborated(Protocol):
    """What simulation needs of a design: a `Design`, or what is no core of a contract."""

    @property
    def rtl_top(self) -> str:
        """Name of the top module."""

    @property
    def rtl_files(self) -> tuple[Path, ...]:
        """The SystemVerilog files in compile order."""

    @property
    def rtl_parameters(self) -> dict[str, int]:
        """Parameter values of the top module."""


class Hardware(Elaborated, Protocol):
    """What measurement needs of it as well."""

    @property
    def name(self) -> str:
        """A readable identifier, unique for parameters and form."""

    @property
    def words(self) -> tuple[str, ...]:
        """What names it on a command line."""

    @property
    def memories(self) -> tuple[str, ...]:
        """The modules that are memory macros on a chip."""

    @property
    def memory_bits(self) -> int:
        """The bits of all `memories` together."""


@dataclass(frozen=True)
class Design:
    """An architecture with all parameters fixed and checked. Make one with `design`.

    ``form`` is the name of the form that the design is a top of; see `with_form`.
    """

    architecture: Architecture
    values: tuple[tuple[str, ParameterValue], ...]
    form: str = field(default=PARALLEL, kw_only=True)

    @property
    def parameters(self) -> Parameters:
        """The parameter values by name, in declaration order."""
        return Parameters(self.values)

    @property
    def name(self) -> str:
        """A readable identifier, unique for the design: ``scs_mm_new_width256_closed``."""
        parts = [
            value.name
            if isinstance(value, Design)
            else (value if isinstance(value, str) else f"{key}{value}")
            for key, value in self.values
        ]
        return "_".join([self.architecture.name, *parts, *[self.form] * (self.form != PARALLEL)])

    def with_form(self, name: str) -> Design:
        """Return this design as a top of form ``name``.

        Raises ParameterError, which names the forms that there are, if the architecture lacks it.
        """
        if name not in self.forms:
            rule = self.architecture.form_rules.get(name)
            raise ParameterError(
                f"{self.architecture.name} has no form {name!r}; it has {' and '.join(self.forms)}"
                + (f" (needed for {name}: {rule})." if rule else ".")
            )
        return replace(self, form=name)

    @cached_property
    def forms(self) -> tuple[str, ...]:
        """The names of the forms that there are: the architecture's, and one with AXI4-Lite.

        The latter is that of any core without one of its own whose fields fit the addresses.
        """
        own = tuple(form.name for form in self.architecture.forms(self.parameters))
        plain = AXI not in own and has_axi_form(self.architecture.contract(self.parameters))
        return (*own, *[AXI] * plain)

    @cached_property
    def interface(self) -> Form:
        """The form that the design is a top of: its module, files, ports, harness."""
        for form in self.architecture.forms(self.parameters):
            if form.name == self.form:
                return form
        return axi_form(self._parallel)

    @property
    def _parallel(self) -> Design:
        return Design(self.architecture, self.values)

    @cached_property
    def contract(self) -> Contract:
        """What the design promises. Its ports are the parallel form's, or those of a harness."""
        return self.interface.contract(self.architecture.contract(self.parameters))

    @property
    def ports(self) -> tuple[Port, ...]:
        """The ports of the top module."""
        own = self.interface.ports
        return (*CLOCK, *own) if own else self.contract.ports

    def contract_json(self) -> dict[str, Any]:
        """Return the contract as JSON-ready values, with the form and the ports of its top."""
        ports = [asdict(port) for port in self.ports]
        return {**self.contract.to_json(), "form": self.form, "ports": ports}

    @property
    def rtl_top(self) -> str:
        """Name of the top module."""
        return self.interface.top

    @property
    def rtl_files(self) -> tuple[Path, ...]:
        """The SystemVerilog files that the design needs, in compile order, its parts' first."""
        wrappers = self.architecture.part_wrappers(self.parameters)
        found = [path for part in wrappers.values() for path in part.rtl_files]
        found += [wrapper_file(name, part) for name, part in wrappers.items()]
        found += [rtl_root() / name for name in self.interface.files]
        if self.interface.wrapper is not None:
            text = self.interface.wrapper(self._parallel)
            found.append(rendered_file(self.interface.top, text))
        return tuple(dict.fromkeys(found))

    @property
    def memories(self) -> tuple[str, ...]:
        """The modules of the design that are memory macros on a chip."""
        return self.architecture.memories if self.memory_bits else ()

    @property
    def memory_bits(self) -> int:
        """The bits of all `memories` together."""
        return self.architecture.memory_bits(self.parameters) + self.interface.memory_bits

    @property
    def companions(self) -> tuple[Path, ...]:
        """Files that come with the design but are no part of it, in compile order."""
        return tuple(rtl_root() / name for name in self.interface.companions)

    @property
    def rtl_parameters(self) -> dict[str, int]:
        """Parameter values of the top module."""
        return dict(self.interface.parameters)

    def operation(self, *values: int, **named: int) -> dict[str, int]:
        """Return a legal operation, as `Contract.operation`. Raises OperandError."""
        operation = self.contract.operation(*values, **named)
        self.contract.check(operation)
        return operation

    def golden(self, *values: int, **named: int) -> int:
        """Return the exact value of the result. Raises OperandError for an illegal operation."""
        return self.architecture.golden(self.parameters, **self.operation(*values, **named))

    def cycles(self, *values: int, **named: int) -> int:
        """Return the exact latency of one operation in cycles. Raises OperandError."""
        cycles = self.architecture.cycles(self.parameters, **self.operation(*values, **named))
        return cycles + self.interface.later

    def constants(self, n: int) -> dict[str, int]:
        """Return the values that the hardware takes beside or in place of ``n``, by field name.

        Raises OperandError for an illegal modulus.
        """
        self.contract.modulus.check(n)
        return self.architecture.constants(self.parameters, n)

    def encode(
        self, *values: int, rng: random.Random | None = None, **named: int
    ) -> tuple[int, ...]:
        """Return the bit patterns of the contract's `operand_ports` for one operation.

        ``rng`` makes random carry-save splits. Raises OperandError for an illegal operation.
        """
        operation = self.operation(*values, **named)
        constants = self.constants(operation["n"])
        constants |= self.architecture.carried_constants(self.parameters, operation)
        return self.contract.encode(operation, constants, rng)

    def to_montgomery(self, x: int, n: int) -> int:
        """Return a multiplier's result for ``(x, R^2 mod n)``, which stands for x R mod n."""
        return self.golden(x, self.contract.domain_constants(n)["r2_mod_n"], n)

    def from_montgomery(self, p: int, n: int) -> int:
        """Return the residue below n that operand ``p`` of a multiplier stands for.

        This is the result for ``(p, 1)`` after the steps of `Contract.leaving`.
        """
        return self.contract.canonical(self.golden(p, 1, n), n)

    def corners(self) -> Iterator[dict[str, int]]:
        """Yield the architecture's own corner operations."""
        for values in self.architecture.corners(self.parameters):
            yield self.contract.operation(*values)

    @property
    def words(self) -> tuple[str, ...]:
        """What names this design on a command line: architecture, parameters, form."""
        words = [self.architecture.name]
        for name, value in self.parameters.flat():
            words += ["-p", f"{name}={value}"]
        return (*words, *(() if self.form == PARALLEL else ("--form", self.form)))

    def __str__(self) -> str:
        parameters = ", ".join(f"{key}={value}" for key, value in self.parameters.flat())
        form = "" if self.form == PARALLEL else f", form {self.form}"
        return f"{self.architecture.name}({parameters}){form}"


@cache
def rtl_root() -> Path:
    """Return the folder of the SystemVerilog library (in the package, or in the source tree)."""
    packaged = Path(str(files("montforge"))) / "rtl"
    return packaged if packaged.is_dir() else Path(__file__).parents[3] / "rtl"


ENGINE = "rsa"
"""What commands call the RSA engine, which is no core of a contract and not in the registry."""
ENGINE_COMMANDS = ("info", "generate", "verify", "cycles", "measure", "serve-rsa")
ENTRY_POINTS = "montforge.architectures"
"""The group of entry points by which other Python packages bring architectures."""


@cache
def registry() -> Mapping[str, Architecture]:
    """Return all architectures by name: every concrete subclass in a module of this package, and
    those of other packages' entry points.

    Raises EntryPointError for an entry point that is no architecture.
    """
    found: dict[str, Architecture] = {}
    package = importlib.import_module("montforge.arch")
    for info in pkgutil.iter_modules(package.__path__):
        module = importlib.import_module(f"montforge.arch.{info.name}")
        for value in vars(module).values():
            if _is_concrete(value) and value.__module__ == module.__name__:
                found[value.name] = value()
    for entry in entry_points(group=ENTRY_POINTS):
        added = _from_entry_point(entry)
        if added.name in found:
            raise EntryPointError(
                f"the entry point {entry.name} = {entry.value} brings a second architecture named"
                f" {added.name}; give it another name."
            )
        found[added.name] = added
    return dict(sorted(found.items()))


def _is_concrete(value: object) -> bool:
    return (
        isinstance(value, type)
        and issubclass(value, Architecture)
        and not getattr(value, "__abstractmethods__", None)
    )


def _from_entry_point(entry: EntryPoint) -> Architecture:
    where = f"the entry point {entry.name} = {entry.value} of the group {ENTRY_POINTS}"
    if entry.dist is not None:
        where += f" (package {entry.dist.name})"
    try:
        value = entry.load()
    except Exception as error:  # whatever another package's code raises
        raise EntryPointError(
            f"{where} can't be loaded: {type(error).__name__}: {error}. Mend or uninstall it."
        ) from error
    if not _is_concrete(value):
        raise EntryPointError(
            f"{where} is no architecture: it must name a subclass of"
            " montforge.arch.Architecture that has all of its methods."
        )
    return cast("type[Architecture]", value)()


def architecture(name: str) -> Architecture:
    """Return the architecture of that name. Raises UnknownNameError with the nearest name."""
    known = registry()
    if name not in known:
        if name == ENGINE:
            raise ParameterError(
                f"{ENGINE} is an engine, not a core; the commands for it are"
                f" {', '.join(ENGINE_COMMANDS)}. Name its core or modexp here."
            )
        raise unknown_name("architecture", name, (*known, ENGINE))
    return known[name]


def design(name: str, /, **parameters: object) -> Design:
    """Return architecture ``name`` with ``parameters`` fixed (defaults for the others).

    Raises UnknownNameError for an unknown architecture or parameter, and ParameterError, which
    names the parameter, the rule and the nearest legal value, for an illegal one.
    """
    found = architecture(name)
    specs = {p.name: p for p in found.parameters}
    parts: dict[str, dict[str, object]] = {p.name: {} for p in found.parameters if p.is_part}
    for key, value in parameters.items():
        head, dot, rest = key.partition(".")
        if dot and head in parts:
            parts[head][rest] = value
        elif key not in specs:
            raise unknown_name(f"parameter of {name}", key, specs)
    given = {**found.defaults(parameters), **parameters}
    values = Parameters(
        {key: p.parse(given.get(key, p.default)) for key, p in specs.items() if not p.is_part}
    )
    for key, inner in parts.items():
        values[key] = _part(
            found, specs[key], parameters.get(key, specs[key].default), inner, values
        )
    values = Parameters({key: values[key] for key in specs})
    found.check(values)
    return Design(found, tuple(values.items()))


def _part(
    whole: Architecture,
    spec: Parameter,
    chosen: object,
    given: dict[str, object],
    parameters: Parameters,
) -> Design:
    """Return the design of one part. Raises ParameterError if it does not meet the needs."""
    implied = whole.part_parameters(spec.name, parameters)
    if isinstance(chosen, Design):
        given = {**dict(chosen.values), **given}
        chosen = chosen.architecture.name
    if not isinstance(chosen, str):
        raise ParameterError(
            f"parameter {spec.name} = {chosen!r} is not the name of an architecture;"
            f" {spec.name} must be {spec.rule} (for example {spec.default})."
        )
    known = {p.name for p in architecture(chosen).parameters}
    for key, value in implied.items():
        if key not in known:
            raise ParameterError(
                f"{chosen} can't be the {spec.name} of {whole.name}: it has no parameter {key}."
            )
        if str(given.get(key, value)) != str(value):
            raise ParameterError(
                f"parameter {spec.name}.{key} = {given[key]} is not legal; it follows from those of"
                f" {whole.name} and must be {value}."
            )
    part = design(chosen, **{**given, **implied})
    for need in spec.needs:
        if not need.holds(part.contract):
            raise ParameterError(
                f"{part} can't be the {spec.name} of {whole.name}: it must be {need.text}."
            )
    return part


def variants(name: str, /, **parameters: object) -> list[Design]:
    """Return the design of `design`, and those that differ from it in one choice or number.

    For checks that should see each form of an architecture without all combinations. Choices that
    are illegal together with ``parameters`` are left out.
    """
    base = design(name, **parameters)
    found = [base]
    for spec in base.architecture.parameters:
        for choice in (*spec.choices, *spec.numbers):  # none for parts
            if spec.name not in parameters and choice != base.parameters[spec.name]:
                with suppress(ParameterError):
                    found.append(design(name, **parameters, **{spec.name: choice}))
    return found
