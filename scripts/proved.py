# SPDX-License-Identifier: Apache-2.0
"""Tables of the page docs/reference/proved.md, from the stored verdicts."""

from __future__ import annotations

from collections.abc import Iterable

from figures import markdown

from montforge.arch import Core, Design, core, cores
from montforge.hardware.forms import PARALLEL
from montforge.prove import STRUCTURE, secret_fields
from montforge.prove.lemmas import PROOFS
from montforge.prove.lemmas.proof import ALL
from montforge.prove.verdicts import (
    Standing,
    StoredVerdict,
    read_verdicts,
    stored_verdict,
    widest_verdict,
)

SHORT = {
    "function": "function",
    "timing": "time",
    "enables": "enables",
    "control": "handshake",
    "hold": "hold",
    "netlist": "netlist",
}
"""Heads of columns by check."""
NOT_PROVED = "not proved"


def proved_designs() -> str:
    """Return a table with a row for each architecture with usual parameters: its verdicts."""
    columns = ("design", *SHORT.values(), "seconds", "engines")
    return markdown(columns, [_line(core(name)) for name in cores()])


def proved_contracts() -> str:
    """Return a table of the designs of whose contract there is a proof, by what they have to be."""
    scopes = sorted(
        {proof.scope for proof in PROOFS.values()}, key=lambda scope: (scope != ALL, scope)
    )
    rows = []
    for scope in scopes:
        names = [name for name in cores() if name in PROOFS and PROOFS[name].scope == scope]
        rows.append((", ".join(f"[`{name}`](../architectures/{name}.md)" for name in names), scope))
    return markdown(("architecture", "designs"), rows)


def _line(design: Core) -> tuple[str, ...]:
    found = {check: widest_verdict(design, check) for check in SHORT}
    rows = [standing.row for standing in found.values() if standing.row is not None]
    return (
        f"[`{design.name}`](../architectures/{design.name}.md)",
        *(_cell(check, standing) for check, standing in found.items()),
        f"{sum(row.seconds for row in rows):,.0f}",
        ", ".join(sorted({f"{k} {version}" for row in rows for k, version in row.tools.items()})),
    )


def _cell(check: str, standing: Standing) -> str:
    row = standing.row
    if row is None:
        return NOT_PROVED
    stale = ", sources changed since" if row.stale else ""
    if row.verdict == "not_applicable":
        return "does not apply"
    at = f"{row.verdict} at {standing.width}{stale}"
    return f"{at} ({row.lemmas} lemmas, theorem `{row.theorem}`)" if row.theorem else at


def refuted_checks() -> str:
    """Return a table of the refuted checks of usual designs, each with its path."""
    found = (
        (name, check, widest_verdict(core(name), check).row) for name in cores() for check in SHORT
    )
    rows = [
        (f"`{name}`", check, " to ".join(f"`{net}`" for net in row.path))
        for name, check, row in found
        if row is not None and row.verdict == "refuted"
    ]
    return markdown(("design", "check", "path"), rows)


def secret_exponents() -> str:
    """Return a table of the verdicts on exponentiators whose exponent alone is secret."""
    return _structure(row for row in read_verdicts() if row.secret == ["e"])


def proved_powers() -> str:
    """Return a table of the exponentiators whose power is proved."""
    rows = [
        (
            f"`{row.parameters['algorithm']}` over `{row.parameters['multiplier']}`",
            row.chosen.size,
            f"{row.verdict}: {row.lemmas} lemmas",
            row.seconds,
        )
        for row in read_verdicts()
        if (row.architecture, row.check) == ("modexp", "function") and not row.stale
    ]
    return markdown(("`modexp`", "bits", "x^e mod n", "seconds"), rows)


def other_forms() -> str:
    """Return a table of the verdicts on forms that are not the parallel one."""
    return _structure(
        row
        for row in read_verdicts()
        if row.form != PARALLEL and tuple(row.secret) == secret_fields(row.chosen, ())
    )


def _structure(rows: Iterable[StoredVerdict]) -> str:
    """Return a table of `STRUCTURE`'s verdicts, without stale ones: a row for equal ones."""
    found: dict[Design, dict[str, StoredVerdict]] = {}
    for row in rows:
        if not row.stale and row.check in STRUCTURE:
            found.setdefault(row.chosen, {})[row.check] = row
    sizes: dict[tuple[str, ...], set[int]] = {}
    for chosen, each in found.items():
        verdicts = (each[check].verdict if check in each else NOT_PROVED for check in STRUCTURE)
        public = ", ".join(next(iter(each.values())).assumptions)
        sizes.setdefault((f"`{chosen.name}`", chosen.form, *verdicts, public), set()).add(
            chosen.size
        )
    columns = ("design", "form", "bits", *(SHORT[check] for check in STRUCTURE), "public")
    return markdown(
        columns,
        [
            (*equal[:2], ", ".join(map(str, sorted(bits))), *equal[2:])
            for equal, bits in sizes.items()
        ],
    )


def cleared_cores() -> str:
    """Return a table of the cores with parameter ``clear`` whose clearing is proved."""
    rows = [
        (f"`{row.architecture}`", row.chosen.size, row.verdict, row.message, row.seconds)
        for row in read_verdicts()
        if row.check == "clear" and not row.stale
    ]
    return markdown(("core", "bits", "clear", "what", "seconds"), rows)


def counted(check: str, verdict: str) -> int:
    """Return the number of designs, of all widths and parameters, with a verdict on a check."""
    return len({row.chosen for row in _usual() if (row.check, row.verdict) == (check, verdict)})


def _usual() -> Iterable[StoredVerdict]:
    """Yield the verdicts with the usual secret fields that are not stale."""
    for row in read_verdicts():
        if stored_verdict(row.chosen, row.check).row is row and not row.stale:
            yield row


FUNCTIONS = (
    proved_contracts,
    proved_designs,
    refuted_checks,
    secret_exponents,
    proved_powers,
    cleared_cores,
    other_forms,
    counted,
)
NAMES = {function.__name__: function for function in FUNCTIONS}
