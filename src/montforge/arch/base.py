# SPDX-License-Identifier: Apache-2.0
"""Base classes of architectures: parameters, contract, models, corner operands, citation.

An architecture is one subclass of `Architecture` in one file of this package, where `registry`
finds it, or in another package, which names it as an entry point. A `Design` is an architecture
with all of its parameters fixed.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import random
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field, fields, replace
from functools import cache, cached_property
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any, ClassVar, Self, TypeAlias, cast

from montforge.arch.engine_contract import EngineContract
from montforge.arch.parameter import (
    WIDEST,
    Parameter,
    integer,
    modulus,
    modulus_tag,
    silent_integer,
)
from montforge.contract import Contract, Port
from montforge.errors import EntryPointError, OperandError, ParameterError, unknown_name
from montforge.hardware.axi import axi_form, axis_form, bus_forms
from montforge.hardware.clear import CLEAR_FILES, clear_text
from montforge.hardware.forms import AXIS, CLOCK, PARALLEL, Form
from montforge.hardware.hardware import Hardware, rtl_root
from montforge.hardware.parts import bound_text, rendered_file, wrapper_text
from montforge.hardware.verilog import same_names
from montforge.programs.primes import read_modulus

LONGEST_IDLE = 255
"""The most cycles without work after which clearing may begin."""
CLEARING_STEPS = 4
"""Cycles of clearing that are not the core's: two of reset, and each change of state."""

Values = tuple[int, ...]
"""The values of one operation in the order of `Function.operands`: ``(a, b, n)`` of a product."""


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


@dataclass(frozen=True)
class PartChoice:
    """A part that is still a name, with the parameters given for it."""

    name: object
    values: Mapping[str, object]


@dataclass(frozen=True)
class Design(ABC):
    """An architecture with all of its parameters fixed and checked: a `Core`, or an engine.

    A subclass is an architecture: a frozen dataclass whose fields are its parameters, made by the
    functions of `montforge.arch.parameter`. An instance is a design; `design` makes one by name.
    Every way to make an instance checks the values and raises ParameterError.

    ``form`` is the name of the form that the design is a top of; see `with_form`.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    family: ClassVar[str]
    citation: ClassVar[Citation]
    formulas: ClassVar[tuple[tuple[str, str], ...]]
    """``(quantity, formula)`` rows for the datasheet and the docs."""
    errata: ClassVar[tuple[str, ...]] = ()
    """Where this form leaves the paper, and why."""
    form_rules: ClassVar[Mapping[str, str]] = {}
    """The condition on the parameters for a form that not all have, by the form's name."""
    default_form: ClassVar[str] = PARALLEL
    folder_form: ClassVar[str] = PARALLEL
    """The form of a generated folder, unless another is named."""
    size_parameter: ClassVar[str] = "width"
    """The parameter that says the bits of the widest modulus."""
    netlist_is_always_simulated: ClassVar[bool] = True
    """Whether measuring at full effort simulates the netlist; else only where that is asked for."""

    declassified: ClassVar[Mapping[str, str]] = {}
    """Nets, by patterns of their names, on which time may hang although they follow from secret
    operands, each with the fact that it makes public."""

    form: str = field(default=PARALLEL, kw_only=True)

    # An architecture states the following.

    @classmethod
    def defaults(cls, given: Mapping[str, object]) -> Mapping[str, object]:
        """Return the defaults that follow from ``given`` parameters. Raises ParameterError."""
        return {}

    def check(self) -> None:  # noqa: B027 (most need no rule across)
        """Raise ParameterError for a combination of legal values that is illegal."""

    def part_parameters(self, name: str) -> dict[str, int | str]:
        """Return the parameters of part ``name`` that follow from those of the whole."""
        return {}

    def form_rule(self, name: str) -> str | None:
        """Return the condition on the parameters for form ``name``, if there is one."""
        return self.form_rules.get(name)

    @property
    @abstractmethod
    def contract(self) -> Contract | EngineContract:
        """The design's promises: its function, its legal values, its time."""

    @property
    @abstractmethod
    def timing(self) -> str:
        """``fixed``, ``data dependent``, or the public values that the cycles follow."""

    @property
    def fixed_cycles(self) -> int | None:
        """The latency that all operations have, if the contract says it."""
        return None

    @property
    def needs_samples(self) -> bool:
        """Whether the cycles of a figure are a mean over random operations."""
        return False

    @property
    def latency_text(self) -> str:
        """The cycles of an operation, or the values that they follow."""
        return self.timing

    @property
    def interval_text(self) -> str:
        """The cycles between two operations, or their bounds; empty if they are not known."""
        return ""

    @property
    def notes(self) -> tuple[str, ...]:
        """Facts that the reader of a measured row must know."""
        return ()

    @property
    @abstractmethod
    def forms(self) -> tuple[str, ...]:
        """The names of the forms that there are; the default one is the first."""

    @property
    @abstractmethod
    def ports(self) -> tuple[Port, ...]:
        """The ports of the top module."""

    @property
    def connections(self) -> Mapping[str, str]:
        """The signals at the ports of the top module, in a wrapper with `ports`."""
        return same_names(self.ports)

    @property
    @abstractmethod
    def hardware(self) -> Hardware:
        """The top module with all files that it needs."""

    @property
    def figures(self) -> dict[str, float]:
        """Quantities that follow from the parameters, beside those of the contract."""
        return {}

    @property
    def core_cycles(self) -> int | None:
        """The cycles that the paper counts, if it leaves out loading and collecting; else None."""
        return None

    # A user of a design has the following.

    def __post_init__(self) -> None:
        specs = self.specs()
        for spec in specs:
            if not spec.is_part:
                object.__setattr__(self, spec.attribute, spec.parse(getattr(self, spec.attribute)))
        for spec in specs:
            if spec.is_part:
                found = _part(self, spec, getattr(self, spec.attribute))
                object.__setattr__(self, spec.attribute, found)
        self.check()
        if self.form != self.default_form and self.form not in self.forms:
            rule = self.form_rule(self.form)
            raise ParameterError(
                f"{self.name} has no form {self.form!r}; it has {' and '.join(self.forms)}"
                + (f" (needed for {self.form}: {rule})." if rule else ".")
            )

    def illegal(self, name: str, reason: str, nearest: object) -> ParameterError:
        """Return the error for the value of parameter ``name``; ``reason`` follows the value."""
        value = self.parameters[name]
        return ParameterError(f"parameter {name} = {value} {reason} (nearest legal: {nearest}).")

    @classmethod
    @cache
    def specs(cls) -> tuple[Parameter, ...]:
        """Return the parameters: the width, the architecture's own, those of its base classes."""
        found = [
            replace(spec, name=spec.name or entry.name, attribute=entry.name)
            for entry in fields(cls)
            if isinstance(spec := entry.metadata.get("parameter"), Parameter)
        ]
        declared = [inspect.get_annotations(base) for base in cls.__mro__]

        def place(spec: Parameter) -> int:
            own = max(at for at, names in enumerate(declared) if spec.attribute in names)
            return -1 if spec.name == "width" and cls.__mro__[own] is Core else own

        return tuple(sorted(found, key=place))

    @classmethod
    def of(cls, **parameters: object) -> Self:
        """Return the design with ``parameters``, named as ``-p`` does. Raises as `design`."""
        return cast("Self", _bound(cls, parameters))

    def replace(self, **values: object) -> Self:
        """Return this design with other values of some parameters. Raises as `design` does.

        Parameters that are left out keep their values; so does the form.
        """
        kept: dict[str, object] = {}
        for spec in self.specs():
            value = getattr(self, spec.attribute)
            if not isinstance(value, Design):
                kept[spec.name] = "" if value is None else value
            elif spec.name not in values:
                kept[spec.name] = value.name
                implied = self.part_parameters(spec.name)
                own = {k: v for k, v in value.parameters.items() if k not in implied}
                kept |= {f"{spec.name}.{key}": inner for key, inner in own.items()}
        return cast("Self", _bound(type(self), {**kept, **values}, self.form))

    @cached_property
    def parameters(self) -> dict[str, int | str]:
        """The values of all parameters by name, as ``-p`` takes them, in declaration order.

        A part is its architecture's name, and its own parameters are ``part.parameter``.
        """
        found: dict[str, int | str] = {}
        for spec in self.specs():
            value = getattr(self, spec.attribute)
            if isinstance(value, Design):
                found[spec.name] = value.name
                found |= {f"{spec.name}.{key}": inner for key, inner in value.parameters.items()}
            elif value is not None and (value or not spec.silent):
                found[spec.name] = value
        return found

    @property
    def integers(self) -> dict[str, int]:
        """The values of the design's own parameters that are integers, by name."""
        return {name: value for name, value in self.parameters.items() if isinstance(value, int)}

    @property
    def size(self) -> int:
        """Bits of the widest modulus."""
        return self.integers[self.size_parameter]

    @property
    def identifier(self) -> str:
        """A readable identifier, unique for the design: ``scs_mm_new_width256_closed``."""
        parts = []
        for spec in self.specs():
            value = getattr(self, spec.attribute)
            if isinstance(value, Design):
                parts.append(value.identifier)
            elif spec.is_modulus:
                parts += [modulus_tag(value)] * bool(value)
            elif spec.silent and not value:
                continue
            else:
                parts.append(value if isinstance(value, str) else f"{spec.name}{value}")
        return "_".join([self.name, *parts, *[self.form] * (self.form != self.default_form)])

    def with_form(self, name: str) -> Self:
        """Return this design as a top of form ``name``.

        Raises ParameterError, which names the forms that there are, if the architecture lacks it.
        """
        return self if name == self.form else replace(self, form=name)

    def contract_json(self) -> dict[str, Any]:
        """Return the contract as JSON-ready values, with the form and the ports of its top."""
        ports = [asdict(port) for port in self.ports]
        return {**self.contract.to_json(), "form": self.form, "ports": ports}

    @property
    def words(self) -> tuple[str, ...]:
        """The words of this design on a command line: architecture, parameters, form."""
        words = [self.name]
        for name, value in self.parameters.items():
            words += ["-p", f"{name}={value}"]
        return (*words, *(() if self.form == self.default_form else ("--form", self.form)))

    def __str__(self) -> str:
        parameters = ", ".join(f"{key}={value}" for key, value in self.parameters.items())
        form = "" if self.form == self.default_form else f", form {self.form}"
        return f"{self.name}({parameters}){form}"


@dataclass(frozen=True)
class Core(Design):
    """A design of one `Function`: a multiplier, a squarer, an exponentiator.

    Models take the values of an operation by the names of `Function.operands`: ``a, b, n`` for a
    product, ``x, e, e_len, n`` for a power.
    """

    module: ClassVar[str] = ""
    """The top module, if its name is not that of the last file."""
    library: ClassVar[tuple[str, ...]]
    """Paths below the RTL library's root, in compile order; the top is the last.

    Those of an architecture from outside are absolute."""
    memory_modules: ClassVar[tuple[str, ...]] = ()
    """Modules that are memory macros on a chip: on standard cells their bits are counted, and their
    cells are not in area and period."""

    width: int = integer("bits of the widest modulus", 256, minimum=3, maximum=WIDEST)
    only: str = modulus(
        "the one modulus of the hardware, in which it and its constants are literals; the width is"
        " its bits unless given"
    )
    clear: int = silent_integer(
        "cycles without work after which the registers of data are overwritten; 0 for never",
        maximum=LONGEST_IDLE,
    )

    # An architecture states the following.

    @property
    def top(self) -> str:
        """The top module's name; it differs where parameters change the ports."""
        return self.module or Path(self.files[-1]).stem

    @property
    def files(self) -> tuple[str, ...]:
        """Those of `library` that these parameters need; the top is the last."""
        return self.library

    @property
    def own_forms(self) -> tuple[Form, ...]:
        """The forms of the core, the parallel one first; others are added to it."""
        return (self.parallel_form,)

    @property
    @abstractmethod
    def parallel_contract(self) -> Contract:
        """The contract of the parallel form."""

    @property
    def top_parameters(self) -> dict[str, int]:
        """The parameters of the parallel top, by the names that `Parameter.rtl` says."""
        found = {}
        for spec in self.specs():
            name = spec.name.capitalize() if spec.rtl is None else spec.rtl
            if name:
                value = getattr(self, spec.attribute)
                found[name] = spec.choices.index(value) if spec.choices else value
        return found

    @abstractmethod
    def golden_model(self, *operation: Any, **named: Any) -> int:
        """Return the exact value (not just the residue) that the result register holds."""

    def cycle_model(self, *operation: Any, **named: Any) -> int:
        """Return the exact latency of the parallel form, from the algorithm and not the RTL.

        Overridden where it depends on data; else it is the contract's, for all operations.
        """
        return self.parallel_contract.latency.minimum

    def modulus_constants(self, n: int) -> dict[str, int]:
        """Return the contract's constant fields of modulus ``n``, which is legal, by name.

        These are bit patterns. Overridden where a field has no derivation.
        """
        fields = self.parallel_contract.constants_spec
        return {
            field.name: field.derivation.value(n) % (1 << field.width)
            for field in fields
            if field.derivation
        }

    def carried_constants(self, operation: Mapping[str, int]) -> dict[str, int]:
        """Return the constant fields that carry operands of a legal operation, by name."""
        return {}

    @property
    def part_wrappers(self) -> dict[str, Core]:
        """The parts by the module name under which the RTL instantiates each."""
        return {}

    @property
    def core_memory_bits(self) -> int:
        """The bits of all `memory_modules` of the parallel form together."""
        return 0

    @property
    def slot_wait(self) -> int:
        """The most cycles until ready, once an interval has passed: of a core that has slots."""
        return 0

    @property
    def reset_wait(self) -> int:
        """The most cycles from the end of a reset until ready."""
        return 0

    def corner_values(self) -> Iterator[Values]:
        """Yield operations that catch wrong implementations of this architecture."""
        return iter(())

    # A user of a core has the following.

    @classmethod
    def defaults(cls, given: Mapping[str, object]) -> Mapping[str, object]:
        """Return the width of the only modulus, if one is given."""
        (spec,) = (spec for spec in cls.specs() if spec.name == "modulus")
        text = str(spec.parse(given.get("modulus", "")))
        return {"width": read_modulus(text).bit_length()} if text else {}

    def __post_init__(self) -> None:
        super().__post_init__()
        if not (self.only or self.clear):
            return
        contract = self.parallel_contract
        if contract.load is not None:
            for name in {"modulus", "clear"} & self.parameters.keys():
                reason = f"is not legal: this form of {self.name} loads its modulus"
                raise self.illegal(name, reason, 0)
        if not self.only:
            return
        try:
            contract.modulus.check(read_modulus(self.only))
        except OperandError as error:
            raise ParameterError(f"parameter modulus = {self.only}: {error}") from None

    def form_rule(self, name: str) -> str | None:
        """Return the condition on the parameters for form ``name``, if there is one."""
        if self.only and name in [form.name for form in self.own_forms]:
            return "no parameter modulus"
        return "no parameter clear" if self.clear else super().form_rule(name)

    @cached_property
    def forms(self) -> tuple[str, ...]:
        """The names of the forms that there are: the architecture's own, and those with a bus.

        With parameter ``modulus`` or ``clear`` the parallel form is the only one of its own.
        """
        own = [form.name for form in self._tops]
        buses = [name for name in bus_forms(self._promises) if not (self.clear and name == AXIS)]
        return tuple(dict.fromkeys((*own, *buses)))

    @property
    def _tops(self) -> tuple[Form, ...]:
        """The forms that are not made here; with ``modulus``, ``clear`` a wrapper of the first."""
        if not self.clear:
            return self._unclear_tops
        (core, *_), files = self._unclear_tops, CLEAR_FILES
        name = f"{core.top}_clear"
        return (replace(core, top=name, parameters={}, files=(*core.files, *files)),)

    @property
    def _unclear_tops(self) -> tuple[Form, ...]:
        """`_tops` of the design without parameter ``clear``."""
        if not self.only:
            return self.own_forms
        name = f"{self.own_forms[0].top}_{modulus_tag(self.only)}"
        return (replace(self.own_forms[0], top=name, parameters={}),)

    @property
    def core_contract(self) -> Contract:
        """The contract of the first of `own_forms`: `parallel_contract`, unless overridden."""
        return self.parallel_contract

    @cached_property
    def _literals(self) -> dict[str, int]:
        """The only modulus and the constants that follow from it, by field name."""
        if not self.only:
            return {}
        n = read_modulus(self.only)
        return {"n": n, **self.modulus_constants(n)}

    @cached_property
    def _promises(self) -> Contract:
        """The contract of the parallel form, without the fields that are literals."""
        contract = self.core_contract
        if self.only:
            rule = replace(contract.modulus, only=read_modulus(self.only))
            fields = tuple(field for field in contract.fields if field.name not in self._literals)
            contract = replace(contract, modulus=rule, fields=fields)
        return replace(contract, clearing=self._clearing) if self.clear else contract

    @cached_property
    def _clearing_operation(self) -> dict[str, int]:
        """The operation by which registers are overwritten: the least legal modulus, and zeros."""
        contract = self.parallel_contract
        zeros = dict.fromkeys(contract.function.operands, 0)
        n = read_modulus(self.only) if self.only else contract.modulus.least
        return {**zeros, **contract.function.fixed, "n": n}

    @cached_property
    def _clearing_cycles(self) -> tuple[int, int]:
        """Of `_clearing_operation` the cycles to its response and to the next, at most."""
        contract = self.core_contract
        latency = self.cycle_model(**self._clearing_operation)
        later = contract.interval.maximum - contract.latency.maximum
        return latency + contract.handover + 1, latency + later

    @property
    def places(self) -> int:
        """The operations that can be under way."""
        answered, interval = self._clearing_cycles
        return answered // interval + 1

    @property
    def clearing_operations(self) -> int:
        """The operations that overwrite all registers: as many as can be under way."""
        return self.places

    @property
    def _clearing(self) -> int:
        """The most cycles that a request waits while registers are overwritten."""
        answered, interval = self._clearing_cycles
        operations = answered + (self.clearing_operations - 1) * (interval + self.slot_wait)
        return CLEARING_STEPS + self.reset_wait + self.slot_wait + operations

    @property
    def parallel_form(self) -> Form:
        """The form with the contract's ports."""
        return Form(PARALLEL, self.top, self.files, self.top_parameters)

    @cached_property
    def interface(self) -> Form:
        """The form that the design is a top of: its module, files, ports, harness."""
        for form in self._tops:
            if form.name == self.form:
                return form
        parallel = self._tops[0] if self.only or self.clear else self.parallel_form
        title = str(self.with_form(PARALLEL))
        if self.form == AXIS:
            return axis_form(title, self._promises, parallel, self.slot_wait)
        return axi_form(title, self._promises, parallel)

    @cached_property
    def contract(self) -> Contract:
        """The design's promises, with the ports of the parallel form or of a harness."""
        return self.interface.contract(self._promises)

    @property
    def timing(self) -> str:
        """``fixed``, ``data dependent``, or the public values that the latency follows."""
        if self.contract.latency.is_fixed:
            return "fixed"
        public = self.contract.public
        return f"by {', '.join(public)}" if public else "data dependent"

    @property
    def fixed_cycles(self) -> int | None:
        """The contract's latency if it is fixed."""
        latency = self.contract.latency
        return latency.minimum if latency.is_fixed else None

    @property
    def needs_samples(self) -> bool:
        """Whether the latency is not fixed."""
        return not self.contract.latency.is_fixed

    @property
    def latency_text(self) -> str:
        """The contract's latency, such as ``fixed(9)`` or ``by_e_len(9, 70)``."""
        return self.contract.cycles_text(self.contract.latency)

    @property
    def interval_text(self) -> str:
        """The cycles between two accepted requests, or their bounds."""
        interval = self.contract.interval
        if interval.is_fixed:
            return str(interval.minimum)
        return f"{interval.minimum}..{interval.maximum}"

    @property
    def notes(self) -> tuple[str, ...]:
        """The meaning of the latency of a form that is not the parallel one."""
        if self.form == PARALLEL:
            return ()
        return (f"Form {self.form}: its latency is {self.interface.counting}.",)

    @property
    def ports(self) -> tuple[Port, ...]:
        """The ports of the top module."""
        own = self.interface.ports
        return (*CLOCK, *own) if own else self.contract.ports

    @cached_property
    def hardware(self) -> Hardware:
        """The top module with all files that it needs, those of its parts first."""
        top = self.interface
        found = part_files(self.part_wrappers) + [rtl_root() / name for name in top.files]
        if self.only:
            found.append(self._bound_file())
        if self.clear:
            found.append(self._clear_file())
        if top.wrapper is not None:
            found.append(rendered_file(top.top, top.wrapper()))
        bits = self.core_memory_bits + top.memory_bits
        return Hardware(
            self.identifier,
            top.top,
            tuple(dict.fromkeys(found)),
            dict(top.parameters),
            self.memory_modules if bits else (),
            bits,
        )

    def _bound_file(self) -> Path:
        """Return the module that binds the ports of the only modulus and its constants."""
        core, contract = self.own_forms[0], self.core_contract
        title = f"{self.name} for the modulus {self.only}"
        (bound,) = self._unclear_tops
        text = bound_text(bound.top, title, contract, self._promises.ports, core, self._literals)
        return rendered_file(bound.top, text)

    def _clear_file(self) -> Path:
        """Return the module that puts `mf_clear` between the ports and the core."""
        (top,), core, contract = self._tops, self._unclear_tops[0], self._promises
        operation = self._clearing_operation
        constants = self.constants(operation["n"]) | self.carried_constants(operation)
        inputs = contract.encode(operation, constants)
        text = clear_text(
            top.top,
            self.name,
            contract,
            core,
            values=inputs,
            operations=self.clearing_operations,
            places=self.places,
            idle=self.clear,
        )
        return rendered_file(top.top, text)

    @property
    def companions(self) -> tuple[Path, ...]:
        """Files that come with the design but are no part of it, in compile order."""
        return tuple(rtl_root() / name for name in self.interface.companions)

    def operation(self, *values: int, **named: int) -> dict[str, int]:
        """Return a legal operation, as `Contract.operation`. Raises OperandError."""
        operation = self.contract.operation(*values, **named)
        self.contract.check(operation)
        return operation

    def golden(self, *values: int, **named: int) -> int:
        """Return the exact value of the result. Raises OperandError for an illegal operation."""
        return self.golden_model(**self.operation(*values, **named))

    def cycles(self, *values: int, **named: int) -> int:
        """Return the exact latency of one operation in cycles. Raises OperandError."""
        return self.cycle_model(**self.operation(*values, **named)) + self.interface.later

    def constants(self, n: int) -> dict[str, int]:
        """Return the values that the hardware takes beside or in place of ``n``, by field name.

        Literals of the hardware are left out. Raises OperandError for an illegal modulus.
        """
        self.contract.modulus.check(n)
        return {} if self.only else self.modulus_constants(n)

    def encode(
        self, *values: int, rng: random.Random | None = None, **named: int
    ) -> tuple[int, ...]:
        """Return the bit patterns of the contract's `operand_ports` for one operation.

        ``rng`` makes random carry-save splits. Raises OperandError for an illegal operation.
        """
        operation = self.operation(*values, **named)
        constants = self.constants(operation["n"]) | self.carried_constants(operation)
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
        for values in self.corner_values():
            yield self.contract.operation(*values)


def part_files(parts: Mapping[str, Core]) -> list[Path]:
    """Return the files of ``parts``, then the modules by whose names the RTL instantiates them."""
    found = [path for part in parts.values() for path in part.hardware.files]
    for name, part in parts.items():
        text = wrapper_text(name, str(part), part.contract, part.interface)
        found.append(rendered_file(name, text))
    return found


Architecture: TypeAlias = type[Design]
"""An architecture is a concrete subclass of `Design`."""


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
            if _is_concrete(value) and value.__module__.startswith(module.__name__):
                found[value.name] = value
    for entry in entry_points(group=ENTRY_POINTS):
        added = _from_entry_point(entry)
        if added.name in found:
            raise EntryPointError(
                f"the entry point {entry.name} = {entry.value} brings a second architecture named"
                f" {added.name}; give it another name."
            )
        found[added.name] = added
    return dict(sorted(found.items()))


def cores() -> Mapping[str, type[Core]]:
    """Return the architectures of cores by name; `registry` has the engines too."""
    return {name: found for name, found in registry().items() if issubclass(found, Core)}


def _is_concrete(value: object) -> bool:
    return (
        isinstance(value, type)
        and issubclass(value, Design)
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
            " montforge.arch.Core that has all of its methods."
        )
    return cast("Architecture", value)


def architecture(name: str) -> Architecture:
    """Return the architecture of that name. Raises UnknownNameError with the nearest name."""
    known = registry()
    if name not in known:
        raise unknown_name("architecture", name, known)
    return known[name]


def design(chosen: str | Architecture, /, **parameters: object) -> Design:
    """Return an architecture with ``parameters`` fixed (defaults for the others).

    The architecture is named, or given as a class, which need not be registered. Raises
    UnknownNameError for an unknown architecture or parameter, and ParameterError, which names the
    parameter, the rule and the nearest legal value, for an illegal one.
    """
    found = architecture(chosen) if isinstance(chosen, str) else chosen
    return found.of(**parameters)


def core(chosen: str | Architecture, /, **parameters: object) -> Core:
    """Return the design that `design` does if it is a core.

    Raises as `design`, and ParameterError for an engine.
    """
    found = design(chosen, **parameters)
    if not isinstance(found, Core):
        raise ParameterError(f"{found.name} is an engine, not a core; name its core here.")
    return found


def _bound(found: Architecture, parameters: Mapping[str, object], form: str = "") -> Design:
    """Return the design of an architecture whose parameters have these names, some with a dot."""
    specs = {spec.name: spec for spec in found.specs()}
    parts: dict[str, dict[str, object]] = {p.name: {} for p in specs.values() if p.is_part}
    values: dict[str, object] = {}
    for key, value in {**found.defaults(parameters), **parameters}.items():
        head, dot, rest = key.partition(".")
        if dot and head in parts:
            parts[head][rest] = value
        elif key not in specs:
            raise unknown_name(f"parameter of {found.name}", key, specs)
        else:
            values[specs[key].attribute] = value
    for key, given in parts.items():
        spec = specs[key]
        if given:
            values[spec.attribute] = PartChoice(values.get(spec.attribute, spec.default), given)
    return found(**cast("Any", values), form=form or found.default_form)  # which checks the types


def _part(whole: Design, spec: Parameter, value: object) -> Core | None:
    """Return the design of one part; None if it is optional and not given.

    Raises ParameterError if it does not meet the needs.
    """
    if spec.optional and value in (None, ""):
        return None
    given: dict[str, object] = {}
    chosen = value
    if isinstance(value, PartChoice):
        chosen, given = value.name, dict(value.values)
        if spec.optional and chosen == "":
            raise ParameterError(
                f"{spec.name}.{next(iter(given))} is a parameter of {spec.name}, which is not"
                f" given; write -p {spec.name}=ARCHITECTURE too."
            )
    if isinstance(chosen, Design):
        kind, given = type(chosen), {**chosen.parameters, **given}
    elif isinstance(chosen, str):
        kind = architecture(chosen)
    else:
        raise ParameterError(
            f"parameter {spec.name} = {chosen!r} is not the name of an architecture;"
            f" {spec.name} must be {spec.rule} (for example {spec.default})."
        )
    if not issubclass(kind, Core):
        raise ParameterError(f"{kind.name} is an engine; {spec.name} must be {spec.rule}.")
    implied = whole.part_parameters(spec.name)
    known = {inner.name for inner in kind.specs()}
    for key, implied_value in implied.items():
        if key not in known:
            raise ParameterError(
                f"{kind.name} can't be the {spec.name} of {whole.name}: it has no parameter {key}."
            )
        if str(given.get(key, implied_value)) != str(implied_value):
            raise ParameterError(
                f"parameter {spec.name}.{key} = {given[key]} is not legal; it follows from those of"
                f" {whole.name} and must be {implied_value}."
            )
    part = kind.of(**{**given, **implied})
    if part.clear:
        reason = f"is not legal; -p clear={part.clear} of {whole.name} overwrites its parts, too"
        raise ParameterError(f"parameter {spec.name}.clear = {part.clear} {reason}.")
    if part.contract.checked:
        reason = f"is not legal: {whole.name} would not use the err_o of its parts"
        raise ParameterError(f"parameter {spec.name}.check = {part.contract.checked} {reason}.")
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
    for spec in base.specs():
        choices = () if spec.silent else (*spec.choices, *spec.numbers)  # none for parts
        for choice in choices:
            if spec.name not in parameters and choice != getattr(base, spec.attribute):
                with suppress(ParameterError):
                    found.append(design(name, **parameters, **{spec.name: choice}))
    return found
