# SPDX-License-Identifier: Apache-2.0
"""``montforge info``."""

from __future__ import annotations

from collections.abc import Iterator

from montforge.arch import Design, Parameter, architecture
from montforge.cli.common import (
    FormOption,
    JsonOption,
    Name,
    ParameterOption,
    chosen_design,
    output,
    print_json,
)
from montforge.prove.verdicts import CHECKS, stored_verdict


def info(
    name: Name,
    parameter: ParameterOption = None,
    form: FormOption = None,
    json_output: JsonOption = False,
) -> None:
    """Show contract, formulas, parameters and citation of an architecture."""
    chosen = chosen_design(name, parameter, form)
    found = architecture(name)
    described = list(_described(chosen))
    figures = chosen.figures
    standings = {check: stored_verdict(chosen, check) for check in CHECKS}
    if json_output:
        print_json(
            {
                "architecture": name,
                "title": found.title,
                "citation": str(found.citation),
                "parameters": {
                    key: {"value": value, "legal": spec.rule, "doc": spec.meaning}
                    for key, value, spec in described
                },
                "rtl_parameters": chosen.hardware.parameters,
                "form": chosen.form,
                "forms": chosen.forms,
                "contract": chosen.contract_json(),
                "formulas": dict(found.formulas),
                "figures": figures,
                "verdicts": {check: each.details() for check, each in standings.items()},
                "errata": list(found.errata),
            }
        )
        return
    lines = [found.title, "", str(chosen.contract), "", "Parameters"]
    lines += [f"  {key} = {value}: {spec.meaning}; {spec.rule}" for key, value, spec in described]
    lines += ["", f"Forms: {', '.join(chosen.forms)}"]
    if chosen.form != chosen.default_form:
        lines.append(f"Ports of form {chosen.form}")
        lines += [f"  {p.direction:<6} {p.name} ({p.width}): {p.meaning}" for p in chosen.ports]
    lines += ["", "Formulas", *(f"  {name}: {text}" for name, text in found.formulas)]
    if figures:
        numbers = (f"  {name}: {_number(value)}" for name, value in figures.items())
        lines += ["", "Figures", *numbers]
    lines += ["", "Verdicts", *(f"  {check}: {each}" for check, each in standings.items())]
    if found.errata:
        lines += ["", "Where it leaves the paper", *(f"  - {text}" for text in found.errata)]
    lines += ["", f"Source: {found.citation}"]
    output.print("\n".join(lines))


def _number(value: float) -> str:
    """Return a figure: an integer with all its digits, others with four."""
    return f"{value:,.0f}" if value == int(value) else f"{value:.4g}"


def _described(chosen: Design) -> Iterator[tuple[str, int | str, Parameter]]:
    """Yield each parameter as ``-p`` takes it: name, value and description, those of parts too."""
    for spec in chosen.specs():
        value = getattr(chosen, spec.attribute)
        if isinstance(value, Design):
            yield spec.name, value.name, spec
            for key, inner, of_part in _described(value):
                yield f"{spec.name}.{key}", inner, of_part
        else:
            yield spec.name, "" if value is None else value, spec
