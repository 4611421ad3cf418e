# SPDX-License-Identifier: Apache-2.0
"""Verdicts that come with the package: ``verdicts.jsonl``, a line for each check of a design.

`scripts/store_verdicts.py` writes them; `stored_verdict` looks one up, and says of which width it
is, and whether RTL, lemmas or theorems have changed since.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from functools import cache, cached_property
from importlib.resources import files
from typing import Any

from montforge.arch import Core, Design, design
from montforge.hardware import Hardware, rtl_code
from montforge.prove import Certificate, Check, secret_fields
from montforge.prove.coq import proofs_root
from montforge.prove.lemmas import lemmas_of, theorem_of
from montforge.prove.netlist import PREPARE
from montforge.prove.powers import modules_of
from montforge.prove.statement import coq_text
from montforge.prove.verdict import Verdict
from montforge.work.cache import content_hash
from montforge.work.command import command_line
from montforge.work.sources import source_commit

VERDICTS = "verdicts.jsonl"
CHECKS = ("timing", "enables", "control", "hold", "netlist", "function")
"""The checks whose verdicts are stored."""


@dataclass(frozen=True)
class StoredVerdict:
    """The verdict of one check of a design; fields are those of a `Certificate` and its `Check`.

    ``lemmas`` is the number of lemmas of ``theorem``, None of checks that need none. ``seconds`` is
    elapsed time, that of reading the RTL included. ``read`` is the hash of all that the check read:
    `read_hash`.
    """

    architecture: str
    parameters: dict[str, int | str]
    form: str
    check: str
    secret: list[str]
    verdict: Verdict
    message: str
    grounds: list[str]
    assumptions: list[str]
    path: list[str]
    lemmas: int | None
    theorem: str | None
    seconds: float
    tools: dict[str, str]
    command: str
    commit: str | None
    read: str

    @classmethod
    def of(cls, certificate: Certificate, check: Check) -> StoredVerdict:
        """Return the row of one check of a certificate."""
        chosen = certificate.design
        function = check.name == "function"
        usual = certificate.secret == secret_fields(chosen, ())
        secret = "" if usual else ",".join(certificate.secret)
        used = {"function": ("yosys", "bitwuzla", "coq"), "hold": ("yosys", "bitwuzla")}
        tools = used.get(check.name, ("yosys",))
        return cls(
            architecture=chosen.name,
            parameters=dict(chosen.parameters),
            form=chosen.form,
            check=check.name,
            secret=list(certificate.secret),
            verdict=check.verdict,
            message=check.message,
            grounds=list(check.grounds),
            assumptions=list(check.assumptions),
            path=list(check.path),
            lemmas=len(check.parts) if check.parts else None,
            theorem=theorem_of(chosen) if function and check.verdict == "proved" else None,
            seconds=round(certificate.reading + check.seconds, 2),
            tools={name: found for name, found in certificate.tools.items() if name in tools},
            command=command_line("prove", chosen.words, check=check.name, secret=secret),
            commit=source_commit(),
            read=read_hash(chosen, check.name),
        )

    @property
    def key(self) -> tuple[str, ...]:
        """The design, the check, and the secret fields: there is one verdict on these."""
        return (*_design_key(self.chosen), self.check, ",".join(self.secret))

    @cached_property
    def chosen(self) -> Design:
        """The design itself."""
        return design(self.architecture, **self.parameters).with_form(self.form)

    @cached_property
    def stale(self) -> bool:
        """Whether the check would read other RTL, lemmas or theorems today."""
        return self.read != read_hash(self.chosen, self.check)


def read_hash(chosen: Design, check: str, hardware: Hardware | None = None) -> str:
    """Return the hash of all that ``check`` reads of ``chosen``: RTL, contract, lemmas, theorems.

    Comments and white space of the RTL, which is that of ``hardware`` if given, do not count, nor
    does the code of the checks.
    """
    hardware = hardware or chosen.hardware
    what: list[object] = [hardware.top, dict(hardware.parameters), rtl_code(hardware), PREPARE]
    if check in {"timing", "enables", "netlist"}:
        ports = chosen.contract.ports if isinstance(chosen, Core) else chosen.ports
        what += [dict(chosen.declassified), [asdict(port) for port in ports]]
    else:
        what.append(chosen.contract.to_json())
    if check == "function" and isinstance(chosen, Core):
        lemmas = lemmas_of(chosen) or ()
        names = modules_of(chosen, lemmas) if lemmas else ()
        what.append(coq_text(lemmas) if lemmas else "")
        what += [proofs_root() / f"{name}.v" for name in names]
    return content_hash(check, *what)


@dataclass(frozen=True)
class Standing:
    """The verdict on one check of a design that the stored ones support.

    ``row`` is the stored verdict that it follows from: of ``width`` bits, which is the design's own
    if ``same_width``. Without one the verdict is unknown.
    """

    row: StoredVerdict | None = None
    same_width: bool = True

    @property
    def verdict(self) -> Verdict:
        """The verdict; that of another width, too."""
        return self.row.verdict if self.row else "unknown"

    @property
    def width(self) -> int | None:
        """The bits at which it was checked."""
        return self.row.chosen.size if self.row else None

    @property
    def rests_on(self) -> str:
        """The ground of a proved verdict in words; ``contract`` of others."""
        if self.verdict != "proved" or self.row is None:
            return "contract"
        if self.row.stale:
            return "proof of older sources"
        return "proof" if self.same_width else "proof at another width"

    def __str__(self) -> str:
        """Return the verdict with its grounds: the lemmas, a path, or the reason."""
        if self.row is None:
            return "unknown; no verdict is stored (montforge prove)"
        return f"{self.text}; {self.row.message}"

    @property
    def text(self) -> str:
        """The verdict with its width, and the reason if it is not today's."""
        if self.row is None:
            return "unknown"
        other = "" if self.same_width else ", not at this width"
        stale = ", stale (the sources have changed)" if self.row.stale else ""
        return f"{self.verdict} at {self.width}{other}{stale}"

    def to_json(self) -> dict[str, Any]:
        """Return JSON values: the verdict, its width, and whether it is today's."""
        return {
            "verdict": self.verdict,
            "width": self.width,
            "same_width": self.same_width,
            "stale": self.row is not None and self.row.stale,
        }

    def details(self) -> dict[str, Any]:
        """Return `to_json` with the grounds of the verdict."""
        return self.to_json() | (
            {name: value for name, value in asdict(self.row).items() if name in _DETAILS}
            if self.row
            else {"message": "no verdict is stored; `montforge prove` gives one."}
        )


_DETAILS = (
    "message", "secret", "grounds", "assumptions", "path", "lemmas", "theorem", "seconds", "tools",
    "command", "commit", "read",
)  # fmt: skip


def stored_verdict(design: Design, check: str) -> Standing:
    """Return the stored verdict on ``check`` of a design with its usual secret fields.

    Without one at its width, `widest_verdict`.
    """
    of_kind = _of_kind(design, check)
    if design.size in of_kind:
        return Standing(of_kind[design.size])
    return replace(widest_verdict(design, check), same_width=False)


def widest_verdict(design: Design, check: str) -> Standing:
    """Return that of the widest design with the same other parameters.

    A proved one if there is any, and of these one of today's sources.
    """
    of_kind = _of_kind(design, check)
    rows = [of_kind[width] for width in sorted(of_kind, reverse=True)]
    known = [row for row in rows if row.verdict == "proved"] or rows
    return Standing(next((row for row in known if not row.stale), known[0] if known else None))


def _of_kind(design: Design, check: str) -> Mapping[int, StoredVerdict]:
    """Return the verdicts on designs like ``design``, by width."""
    return _index().get((*_kind(design), check), {})


@cache
def _index() -> Mapping[tuple[str, ...], dict[int, StoredVerdict]]:
    found: dict[tuple[str, ...], dict[int, StoredVerdict]] = {}
    for row in read_verdicts():
        if tuple(row.secret) == secret_fields(row.chosen, ()):
            found.setdefault((*_kind(row.chosen), row.check), {})[row.chosen.size] = row
    return found


def _kind(design: Design) -> tuple[str, ...]:
    """Return the key of a design without its width."""
    parts = ("multiplier", "core", "public_core")
    sizes = {design.size_parameter, "min_bits", *(f"{part}.width" for part in parts)}
    others = {name: value for name, value in design.parameters.items() if name not in sizes}
    return (design.name, design.form, json.dumps(others, sort_keys=True))


def _design_key(design: Design) -> tuple[str, ...]:
    return (*_kind(design), f"{design.size:9}")


@cache
def read_verdicts() -> tuple[StoredVerdict, ...]:
    """Return the verdicts of the package."""
    text = files("montforge.prove").joinpath(VERDICTS).read_text(encoding="utf-8")
    return tuple(StoredVerdict(**json.loads(line)) for line in text.splitlines())


def verdicts_text(rows: Iterable[StoredVerdict]) -> str:
    """Return the text of ``verdicts.jsonl``, sorted; of two verdicts on the same the last one."""
    kept = {row.key: row for row in rows}
    names = [field.name for field in fields(StoredVerdict)]
    lines = ({name: getattr(kept[key], name) for name in names} for key in sorted(kept))
    return "".join(json.dumps(line) + "\n" for line in lines)
