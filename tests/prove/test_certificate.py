# SPDX-License-Identifier: Apache-2.0
"""The certificate of a folder is proved again, and the files that others can check."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import cvc5
import pytest
from typer.testing import CliRunner

from montforge.arch import core
from montforge.cli.app import app
from montforge.errors import MontforgeError, ToolMissingError
from montforge.generate import generate
from montforge.prove import Certificate, proof_files, prove
from montforge.prove.lemmas import PROOFS, lemmas_of, sizes
from montforge.prove.netlist import read_netlist
from montforge.prove.solver import smt_files
from montforge.work.tools import find_program
from planted import edited
from proved_forms import OTHERS

STORED = core("mm_r2", width=256)
"""A design whose time is proved in the stored verdicts."""
AGAIN = ["prove", "mm_r2", "-p", "width=256", "--check", "timing", "--certificate"]


def run(*words: str) -> tuple[int, str]:
    """The status of the command, and its output, or its one sentence about an error."""
    done = CliRunner().invoke(app, list(words))
    if isinstance(done.exception, MontforgeError):
        return done.exception.status, str(done.exception)
    return done.exit_code, done.output


@pytest.mark.parametrize("prefix", ["", "chip"])
def test_the_rtl_of_a_folder_is_proved_again(prefix: str, tmp_path: Path) -> None:
    folder = generate(STORED, tmp_path / "folder", prefix=prefix)
    certificate = folder / "certificate.json"
    data = json.loads(certificate.read_text())
    assert data["verdicts"]["timing"]["verdict"] == "proved"
    assert run(*AGAIN, str(certificate))[0] == 0
    (source,) = (folder / name for name in data["files"])
    text = source.read_text().replace("state_q == StDone;", "state_q == StDone && !n_q[1];")
    assert text != source.read_text()
    source.write_text(text)
    assert run(*AGAIN, str(certificate)) == (1, f"{certificate} says proved of timing; it is not.")


def test_the_makefile_proves_what_the_certificate_names(tmp_path: Path) -> None:
    folder = generate(STORED, tmp_path / "folder")
    makefile = (folder / "Makefile").read_text()
    assert "prove mm_r2 -p width=256 --certificate certificate.json" in makefile
    plain = generate(core("mm_r2", width=16).with_form("axi"), tmp_path / "axi")
    assert not (plain / "certificate.json").exists()
    assert "prove" not in (plain / "Makefile").read_text()


def test_what_is_no_certificate_of_the_design_is_refused(tmp_path: Path) -> None:
    folder = generate(core("mm_r2", width=8), tmp_path / "folder")
    certificate = folder / "certificate.json"
    for path in (tmp_path / "none.json", folder / "contract.json", folder / "README.md"):
        status, said = run(*AGAIN, str(path))
        assert (status, said.count("\n")) == (2, 0) and str(path) in said
    assert run(*AGAIN, str(certificate))[0] == 2  # another width
    shutil.rmtree(folder / "rtl")
    assert run("prove", "mm_r2", "-p", "width=8", "--certificate", str(certificate))[0] == 2


def answer(question: str) -> str:
    """What a second solver, which shares no code with the first, says of a question in SMT-LIB."""
    solver = cvc5.Solver()
    solver.setOption("tlimit-per", "60000")
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, question, "lemma")
    said = []
    while not (command := parser.nextCommand()).isNull():
        said.append(str(command.invoke(solver, parser.getSymbolManager())))
    return "".join(said).strip()


SMALLER: dict[str, dict[str, int | str]] = {
    "rmm": {"k": 3, "m": 2},
}
"""Parameters with which the second solver ends in time, where it does not with the usual ones."""


@pytest.mark.parametrize(("name", "parameters"), [*((name, {}) for name in PROOFS), *OTHERS])
def test_a_second_solver_proves_each_lemma(name: str, parameters: dict[str, int | str]) -> None:
    chosen = core(name, **{"width": 64, **SMALLER.get(name, {}), **parameters})
    written = proof_files(chosen)
    files = {key: text for key, text in written.items() if key.endswith(".smt2")}
    assert len(files) >= len(lemmas_of(chosen) or ())
    assert not {key: said for key, text in files.items() if (said := answer(text)) != "unsat"}


def test_a_second_solver_refutes_a_lemma_that_does_not_hold(tmp_path: Path) -> None:
    chosen = core("mm_r2", width=64)
    broken = edited(chosen, "= s_q[0] ^ (a_q[0] & b_q[0])", "= s_q[0]", tmp_path).hardware
    files = smt_files(read_netlist(broken, timeout=60), sizes(chosen), lemmas_of(chosen) or ())
    assert answer(files["step_1.smt2"]) == "sat"


def test_the_command_writes_lemmas_and_theorem(tmp_path: Path) -> None:
    folder = tmp_path / "certificate"
    words = ["prove", "mm_r2", "-p", "width=8", "--check", "timing", "--write", str(folder)]
    assert run(*words)[0] == 0
    order = (folder / "order").read_text().split()
    assert order[-2:] == ["mm_r2", "closed"] and order[0] == "Light"
    assert all((folder / f"{name}.v").is_file() for name in order)
    assert (folder / "step_1.smt2").read_text().startswith("(set-logic QF_BV)")
    status, said = run(*words)
    assert (status, said.count("\n")) == (2, 0)
    status, said = run("prove", "fmlm", "-p", "width=64", "--write", str(tmp_path / "none"))
    assert status != 0 and "\n" not in said and "transforms" in said


def test_a_missing_tool_leaves_the_other_verdicts(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_solver() -> str:
        raise ToolMissingError("no solver")

    def no_coq(name: str) -> str:
        if name == "coqc":
            raise ToolMissingError("no Coq")
        return find_program(name)

    chosen = core("mm_r2", width=8)
    with monkeypatch.context() as without:
        without.setattr("montforge.prove.solver.solver_version", no_solver)
        assert reasons(prove(chosen)) == {"timing": "", "enables": "", "function": "no solver"}
    monkeypatch.setattr("montforge.prove.coq.find_program", no_coq)
    assert reasons(prove(chosen)) == {"timing": "", "enables": "", "function": "no Coq"}


def reasons(certificate: Certificate) -> dict[str, str]:
    """Why each check is unknown."""
    return {
        check.name: check.message if check.verdict == "unknown" else ""
        for check in certificate.checks
    }


def test_a_design_that_is_not_read_in_time_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("montforge.prove.netlist.read_design", lambda *_, **__: "exec -- sleep 20")
    found = reasons(prove(core("mm_r2", width=8), timeout=1))
    assert set(found) == {"timing", "enables", "function"}
    assert set(found.values()) == {"yosys did not end within 1 s"}
