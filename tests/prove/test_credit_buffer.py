# SPDX-License-Identifier: Apache-2.0
"""The lemmas on the buffer of results hold, and each finds a fault."""

from __future__ import annotations

from pathlib import Path

import pytest

from montforge.arch import core
from montforge.hardware import Hardware
from montforge.prove.lemmas.credit_buffer import credit_buffer
from montforge.prove.netlist import read_netlist
from montforge.prove.solver import prove_lemmas
from montforge.prove.statement import W, size
from planted import edited

DESIGN = core("fixed_prime", width=8)
FAULTS = {
    "handshake": ("owed_q != CountW'(Depth)", "owed_q != CountW'(Last)"),
    "empty": ("waiting_q <= '0;", "waiting_q <= CountW'(1);"),
    "counts": ("owed_q + CountW'(accept) - CountW'(take)", "owed_q + CountW'(accept)"),
    "places": ("(put_q == CountW'(Last)) ? '0", "(put_q == CountW'(Depth)) ? '0"),
    "keeps": ("put_i && put_q == CountW'(i)", "put_q == CountW'(i)"),
    "shows": ("take_q == CountW'(i)", "take_q >= CountW'(i)"),
}


def verdicts(hardware: Hardware) -> dict[str, str]:
    lemmas = credit_buffer(W + 1, size("depth"))
    sizes = {"W": DESIGN.width, "depth": DESIGN.contract.latency.maximum + 2}
    netlist = read_netlist(hardware, timeout=60)
    return {each.name: each.verdict for each in prove_lemmas(netlist, sizes, lemmas, timeout=60)}


def test_the_buffer_keeps_results() -> None:
    assert set(verdicts(DESIGN.hardware).values()) == {"proved"}


@pytest.mark.parametrize("lemma", FAULTS)
def test_a_fault_in_the_buffer_is_refuted(lemma: str, tmp_path: Path) -> None:
    found = verdicts(edited(DESIGN, *FAULTS[lemma], tmp_path, "mf_credit_buffer").hardware)
    assert found[f"buffer_{lemma}"] == "refuted"
