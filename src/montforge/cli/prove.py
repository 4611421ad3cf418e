# SPDX-License-Identifier: Apache-2.0
"""``montforge prove``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from montforge.arch import Core
from montforge.cli.common import (
    FormOption,
    JsonOption,
    Name,
    ParameterOption,
    chosen_design,
    output,
    print_json,
)
from montforge.errors import CHECK_FAILED, UNDECIDED, CheckFailedError, OutputFolderError
from montforge.prove import CHECKS, ON_REQUEST, STRUCTURE, Check, proof_files
from montforge.prove import prove as prove_design
from montforge.prove.certificate import FolderCertificate
from montforge.prove.verdict import ProofError
from montforge.work.limits import check_output_folder


def prove(
    name: Name,
    parameter: ParameterOption = None,
    form: FormOption = None,
    check: Annotated[
        list[str] | None,
        typer.Option(
            help=f"One of {', '.join((*CHECKS, *ON_REQUEST))}; may be given several times (default:"
            f" {', '.join(CHECKS)})."
        ),
    ] = None,
    secret: Annotated[
        str,
        typer.Option(
            metavar="FIELDS", help="Fields that time must not hang on (default: all but public)."
        ),
    ] = "",
    timeout: Annotated[float, typer.Option(min=1, help="Seconds for each lemma.")] = 600.0,
    write: Annotated[
        Path | None,
        typer.Option(help="Also write lemmas (SMT-LIB) and theorem (Coq) into this new folder."),
    ] = None,
    certificate: Annotated[
        Path | None,
        typer.Option(help="Prove the RTL of a generated folder: its file certificate.json."),
    ] = None,
    json_output: JsonOption = False,
) -> None:
    """Prove statements about a design for all operands: constant time, and its contract.

    Exit status 0: all proved; 1: one refuted; 3: none refuted, but one unknown. With --certificate
    only checks count that the certificate says are proved.
    """
    design = chosen_design(name, parameter, form)
    folder = None
    usual = STRUCTURE
    if isinstance(design, Core):
        usual = CHECKS
        if write is not None:
            _write(write, proof_files(design, timeout=timeout))
        folder = FolderCertificate.read(certificate, design) if certificate else None
    elif write or certificate:
        raise ProofError(f"{name} is an engine: it has no lemmas to write, and no certificate.")
    found = prove_design(
        design,
        checks=check or (tuple(folder.verdicts) if folder else usual),
        secret=[field.strip() for field in secret.split(",") if field.strip()],
        timeout=timeout,
        hardware=folder.hardware if folder else None,
        report=None if json_output else _print,
    )
    if json_output:
        print_json(found.to_json())
    else:
        tools = ", ".join(f"{name} {version}" for name, version in found.tools.items())
        output.print(f"{design}, secret {', '.join(found.secret)}; {tools}")
    if folder is not None:
        lost = folder.lost({each.name: each.verdict for each in found.checks})
        if lost:
            text = f"{certificate} says proved of {', '.join(lost)}; it is not."
            raise (CheckFailedError if "refuted" in lost.values() else ProofError)(text)
        return
    status = {"refuted": CHECK_FAILED, "unknown": UNDECIDED}.get(found.verdict, 0)
    if status:
        raise typer.Exit(status)


def _write(folder: Path, files: dict[str, str]) -> None:
    """Write files into a folder that is not there yet, or empty."""
    if folder.is_dir() and any(folder.iterdir()):
        raise OutputFolderError(f"the folder {folder} has files; name a new or an empty folder.")
    check_output_folder(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")


def _print(check: Check) -> None:
    """Print a verdict as soon as it is known."""
    lines = [f"{check.name}: {check.verdict} ({check.seconds:g} s). {check.message}"]
    lines += [
        f"  public: {fact}" for fact in check.assumptions if check.name in {"timing", "enables"}
    ]
    if check.path:
        lines.append(f"  path: {' -> '.join(check.path)}")
    if check.witness:
        values = (f"{name} = {value:#x}" for name, value in check.witness.items())
        lines.append(f"  witness: {', '.join(values)}")
    lines += [f"  rests on: {ground}" for ground in check.grounds]
    output.print("\n".join(lines))
