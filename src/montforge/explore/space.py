# SPDX-License-Identifier: Apache-2.0
"""The space that is explored: an explicit list of designs, or grids of parameter values.

A points file (TOML) lists designs one by one::

    [[point]]
    arch = "rmm"
    k = 4
    m = 4

A space file gives values or ranges; every legal combination is a design::

    [[space]]
    arch = "rmm"
    k = { from = 2, to = 8 }        # step = 1 unless it is given
    m = [1, 2, 4]
    variant = ["published", "fast"]

    [[space]]
    arch = "modexp"
    multiplier = ["booth_csa", "scs_mm_ct"]
    "multiplier.radix" = [4, 16]    # legal with one of them

Parameters that are left out have their defaults, and ``width`` is that of the exploration.
"""

from __future__ import annotations

import itertools
import math
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.resources import files
from pathlib import Path
from typing import Any

from montforge.arch import Core, Design, architecture, design, registry
from montforge.arch.base import variants
from montforge.arch.parameter import Parameter
from montforge.errors import (
    InputFileError,
    MontforgeError,
    ParameterError,
    UnknownNameError,
    unknown_name,
)
from montforge.hardware.forms import FORMS, PARALLEL

_RANGE = {"from", "to", "step"}
_LARGEST = 100_000
"""Combinations of a space, legal or not, of which a list is made."""


@dataclass(frozen=True)
class Axis:
    """The values that one parameter takes; ``ordered`` if they are numbers."""

    name: str
    values: tuple[int | str, ...]
    ordered: bool


@dataclass(frozen=True)
class Grid:
    """Combinations of the values of an architecture's parameters; ``fixed`` ones are in each."""

    name: str
    axes: tuple[Axis, ...]
    fixed: Mapping[str, int | str] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """Combinations, legal or not."""
        return math.prod(len(axis.values) for axis in self.axes)

    @property
    def values(self) -> dict[str, set[int | str]]:
        """The values of each parameter that is stated."""
        fixed: dict[str, set[int | str]] = {name: {value} for name, value in self.fixed.items()}
        return fixed | {axis.name: set(axis.values) for axis in self.axes}

    def design(self, position: Sequence[int]) -> Design:
        """Return the design at a position on each axis.

        Raises ParameterError for an illegal combination, UnknownNameError if a part lacks one.
        """
        pairs = zip(self.axes, position, strict=True)
        return design(self.name, **self.fixed, **{axis.name: axis.values[at] for axis, at in pairs})


@dataclass(frozen=True)
class Candidate:
    """A design of a space, with its grid and its position on each axis of that grid."""

    design: Design
    grid: int = 0
    position: tuple[int, ...] = ()


@dataclass(frozen=True)
class Space:
    """Designs to explore, each once; ``illegal`` counts an architecture's illegal combinations."""

    candidates: tuple[Candidate, ...]
    illegal: Mapping[str, int] = field(default_factory=dict)

    @property
    def left_out(self) -> int:
        """Illegal combinations of all architectures."""
        return sum(self.illegal.values())

    def only(self, architectures: Sequence[str]) -> Space:
        """Return the part with these architectures; all of it if none is named."""
        for name in architectures:
            architecture(name)
        if not architectures:
            return self
        kept = [c for c in self.candidates if c.design.name in architectures]
        if not kept:
            raise ParameterError(
                f"no design is left: the space has none of {', '.join(architectures)}."
            )
        illegal = {name: count for name, count in self.illegal.items() if name in architectures}
        return Space(tuple(kept), illegal)

    def in_form(self, name: str) -> Space:
        """Return the designs that have the form ``name``, as tops of it."""
        if name not in FORMS:
            raise unknown_name("form", name, FORMS)
        if name == PARALLEL:  # the default form of all cores
            return self
        kept = tuple(
            replace(each, design=each.design.with_form(name))
            for each in self.candidates
            if name in each.design.forms
        )
        if not kept:
            raise ParameterError(f"no design is left: none of the space has the form {name}.")
        return replace(self, candidates=kept)


def read_points(path: Path, width: int) -> Space:
    """Return the designs of a points file. Raises InputFileError with one clear sentence."""
    found = []
    for index, entry in enumerate(_entries(path, "point"), 1):
        where = f"point {index} of {path}"
        name = _architecture_name(entry, where)
        for key, value in entry.items():
            if isinstance(value, list | dict):
                raise InputFileError(
                    f"{where}: {key} = {value!r} is no single value; a point has one value for"
                    " each parameter (ranges belong into a space file, --space)."
                )
        try:
            found.append(design(name, **{**_sized(name, width), **entry}))
        except MontforgeError as error:
            raise InputFileError(f"{where}: {error}") from None
    return Space(tuple(map(Candidate, dict.fromkeys(found))))


def read_space(path: Path, width: int) -> Space:
    """Return the designs of a space file. Raises InputFileError with one clear sentence."""
    grids = read_grids(path, width)
    try:
        return _combine(grids)
    except MontforgeError as error:
        raise InputFileError(f"{path}: {error}") from None


def read_grids(path: Path, width: int) -> list[Grid]:
    """Return the grids of a space file, of any size. Raises InputFileError."""
    grids = []
    for index, entry in enumerate(_entries(path, "space"), 1):
        where = f"space {index} of {path}"
        name = _architecture_name(entry, where)
        try:
            grids.append(Grid(name, _axes(name, {**_sized(name, width), **entry})))
        except MontforgeError as error:
            raise InputFileError(f"{where}: {error}") from None
    return grids


def default_space(width: int, architectures: Sequence[str] = ()) -> Space:
    """Return the space that is explored if no file is given.

    Architectures with many parameters have grids in ``default.toml`` of this package; of the
    others every choice is tried on its own. Only multipliers compare with each other: what
    computes something else is there if it is named in ``architectures``.
    """
    return _combine(default_grids(width, architectures))


def default_grids(width: int, architectures: Sequence[str] = ()) -> list[Grid]:
    """Return the grids of the default space, of which many have a single design."""
    data = tomllib.loads(files("montforge.explore").joinpath("default.toml").read_text())
    grids = [
        Grid(name, _axes(name, {"width": width, **entry}))
        for entry in data["space"]
        if (name := entry.pop("arch")) in registry()
    ]
    others = [
        Grid(name, (), each.parameters)
        for name in sorted(set(registry()) - {grid.name for grid in grids})
        for each in _variants(name, width)
        if name in architectures or is_multiplier(each)
    ]
    return [*grids, *others]


def varying(designs: Iterable[Design]) -> frozenset[tuple[str, str]]:
    """Return the architecture and the name of each parameter that differs within it."""
    seen: dict[tuple[str, str], set[int | str]] = {}
    for each in designs:
        own: dict[str, int | str] = {spec.name: "" for spec in each.specs()}  # some are optional
        for key, value in {**own, **each.parameters}.items():
            seen.setdefault((each.name, key), set()).add(value)
    return frozenset(key for key, values in seen.items() if len(values) > 1)


def varying_in(grids: Iterable[Grid]) -> frozenset[tuple[str, str]]:
    """Return the same of grids, whose designs are not listed.

    A parameter that some of an architecture's grids state, and others leave out, differs as well.
    """
    seen: dict[tuple[str, str], set[int | str]] = {}
    stating: Counter[tuple[str, str]] = Counter()
    of: Counter[str] = Counter()
    for grid in grids:
        of[grid.name] += 1
        for key, values in grid.values.items():
            stating[grid.name, key] += 1
            seen.setdefault((grid.name, key), set()).update(values)
    return frozenset(
        key for key, values in seen.items() if len(values) > 1 or stating[key] < of[key[0]]
    )


def label(design: Design, differing: frozenset[tuple[str, str]]) -> str:
    """Return a short name: the architecture, and the parameters that differ within it."""
    name = design.name
    values = ", ".join(f"{k}={v}" for k, v in design.parameters.items() if (name, k) in differing)
    return f"{name}({values})" if values else name


def is_multiplier(design: Design) -> bool:
    """Return whether a design makes Montgomery products."""
    return isinstance(design, Core) and design.contract.function.name == "montgomery_product"


def _sized(name: str, width: int) -> dict[str, int]:
    """Return the parameter of an architecture that says the bits of the widest modulus."""
    return {architecture(name).size_parameter: width}


def _variants(name: str, width: int) -> list[Design]:
    try:
        return variants(name, **_sized(name, width))
    except ParameterError:  # the architecture does not exist at this width
        return []


def _entries(path: Path, kind: str) -> list[dict[str, Any]]:
    """Return the ``[[kind]]`` tables of a TOML file."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputFileError(f"{path} can't be read: {error.strerror or error}.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputFileError(f"{path} is not a TOML file: {error}.") from None
    other = {"point": "space", "space": "point"}[kind]
    if other in data:
        raise InputFileError(
            f"{path} has [[{other}]] tables; a {kind}s file (--{_OPTIONS[kind]}) has [[{kind}]]"
            f" tables, and this one is for --{_OPTIONS[other]}."
        )
    unknown = sorted(set(data) - {kind})
    if unknown:
        raise InputFileError(
            f"{path} has an unknown key {unknown[0]!r}; only [[{kind}]] tables are legal."
        )
    entries = data.get(kind)
    if not isinstance(entries, list) or not all(isinstance(e, dict) for e in entries or [0]):
        raise InputFileError(f"{path} has no [[{kind}]] table; at least one is needed.")
    return entries


_OPTIONS = {"point": "points", "space": "space"}


def _architecture_name(entry: dict[str, Any], where: str) -> str:
    """Take the architecture's name out of ``entry``."""
    name = entry.pop("arch", None)
    if not isinstance(name, str):
        raise InputFileError(f'{where} names no architecture; write arch = "NAME".')
    try:
        return architecture(name).name
    except UnknownNameError as error:
        raise InputFileError(f"{where}: {error}") from None


def _axes(name: str, entry: Mapping[str, Any]) -> tuple[Axis, ...]:
    """Return an axis for each parameter of ``entry``. Raises MontforgeError."""
    specs = {spec.name: spec for spec in architecture(name).specs()}
    axes: list[Axis] = []
    for key, value in entry.items():
        head, dot, inner = key.partition(".")
        if dot and head in specs and specs[head].is_part:
            axes.append(_part_axis(specs[head], inner, value, entry))
        elif key in specs:
            axes.append(_axis(specs[key], key, value))
        else:
            design(name, **{key: 0})  # raises the error that names the nearest parameter
    return tuple(axes)


def _part_axis(part: Parameter, inner: str, value: object, entry: Mapping[str, Any]) -> Axis:
    """Return the axis of a parameter that one of a part's architectures has."""
    names = _axis(part, part.name, entry.get(part.name, part.default)).values
    specs = [spec for name in names for spec in architecture(str(name)).specs()]
    error: MontforgeError = unknown_name(
        f"parameter of {part.name}", inner, {spec.name for spec in specs}
    )
    for spec in specs:
        if spec.name == inner:
            try:
                return _axis(spec, f"{part.name}.{inner}", value)
            except ParameterError as illegal:
                error = illegal
    raise error


def _listed(key: str, value: object) -> list[Any]:
    listed = list(value) if isinstance(value, list | range) else [value]
    if not listed:
        raise ParameterError(f"{key} has no value; give one, a list, or a range.")
    return listed


def _axis(spec: Parameter, key: str, value: object) -> Axis:
    if spec.is_part:
        if isinstance(value, dict):
            raise ParameterError(
                f'{key} = {value} is no name; write "{key}.{next(iter(value), "width")}" = in'
                " quotes for a parameter of it."
            )
        names = dict.fromkeys(architecture(str(each)).name for each in _listed(key, value))
        return Axis(key, tuple(names), ordered=False)
    if isinstance(value, dict):
        value = _range(spec, value)
    values = dict.fromkeys(spec.parse(each) for each in _listed(key, value))
    ordered = not spec.choices
    return Axis(key, tuple(sorted(values) if ordered else values), ordered)


def _range(spec: Parameter, value: dict[str, Any]) -> list[int]:
    wrong = ParameterError(
        f"{spec.name} = {value} is no range; write {spec.name} = {{ from = 1, to = 8 }},"
        " with step = 1 or more if wanted."
    )
    if spec.choices or not {"from", "to"} <= set(value) <= _RANGE:
        raise wrong
    first, last, step = value["from"], value["to"], value.get("step", 1)
    if any(type(each) is not int for each in (first, last, step)) or step < 1 or last < first:
        raise wrong
    spec.parse(first)
    spec.parse(last)
    steps = range(first, last + 1, step)
    return [each for each in steps if not spec.numbers or each in spec.numbers]


def _combine(grids: Sequence[Grid]) -> Space:
    """Return all legal combinations, each design once."""
    total = sum(grid.size for grid in grids)
    if total > _LARGEST:
        raise ParameterError(
            f"the space has {total:,} combinations; at most {_LARGEST:,} are legal, but with"
            " --trials N, which measures N designs and lists none."
        )
    found: dict[Design, Candidate] = {}
    illegal: Counter[str] = Counter()
    reason = ""
    for number, grid in enumerate(grids):
        for position in itertools.product(*(range(len(axis.values)) for axis in grid.axes)):
            try:
                each = grid.design(position)
            except (ParameterError, UnknownNameError) as error:  # unknown: of another part
                illegal[grid.name] += 1
                reason = str(error)
            else:
                found.setdefault(each, Candidate(each, number, position))
    if grids and not found:
        raise ParameterError(f"no combination of the space is legal: {reason}")
    return Space(tuple(found.values()), illegal)
