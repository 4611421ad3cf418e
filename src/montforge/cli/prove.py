# SPDX-License-Identifier: Apache-2.0
"""``montforge prove``."""

from __future__ import annotations

from typing import Annotated

import typer

from montforge.arch import core
from montforge.arch.parameter import named_values
from montforge.cli.common import JsonOption, Name, ParameterOption, output, print_json
from montforge.errors import CHECK_FAILED, UNDECIDED
from montforge.prove import CHECKS, Certificate
from montforge.prove import prove as prove_design


def prove(
    name: Name,
    parameter: ParameterOption = None,
    check: Annotated[
        list[str] | None,
        typer.Option(help=f"One of {', '.join(CHECKS)}; may be given several times. All without."),
    ] = None,
    secret: Annotated[
        str,
        typer.Option(
            metavar="FIELDS", help="Fields that time must not hang on (default: all but public)."
        ),
    ] = "",
    timeout: Annotated[float, typer.Option(min=1, help="Seconds for each lemma.")] = 600.0,
    json_output: JsonOption = False,
) -> None:
    """Prove statements about a design for all operands: constant time, and its contract.

    Exit status 0: all proved; 1: one refuted; 3: none refuted, but one unknown.
    """
    certificate = prove_design(
        core(name, **named_values(parameter or ())),
        checks=check or CHECKS,
        secret=[field.strip() for field in secret.split(",") if field.strip()],
        timeout=timeout,
    )
    if json_output:
        print_json(certificate.to_json())
    else:
        _print(certificate)
    status = {"refuted": CHECK_FAILED, "unknown": UNDECIDED}.get(certificate.verdict, 0)
    if status:
        raise typer.Exit(status)


def _print(certificate: Certificate) -> None:
    lines = [f"{certificate.design}", f"  secret: {', '.join(certificate.secret)}"]
    for check in certificate.checks:
        lines.append(f"  {check.name}: {check.verdict} ({check.seconds:g} s). {check.message}")
        lines += [f"    public: {fact}" for fact in check.assumptions if check.name != "function"]
        if check.path:
            lines.append(f"    path: {' -> '.join(check.path)}")
        if check.witness:
            values = (f"{name} = {value:#x}" for name, value in check.witness.items())
            lines.append(f"    witness: {', '.join(values)}")
        lines += [f"    rests on: {ground}" for ground in check.grounds]
    tools = ", ".join(f"{name} {version}" for name, version in certificate.tools.items())
    output.print("\n".join([*lines, f"  {tools}"]))
