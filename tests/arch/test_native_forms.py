# SPDX-License-Identifier: Apache-2.0
"""Native forms behind FIFOs: the ordinary bench, on the simulation harnesses of ``rtl/harness``.

A harness has the ports of the parallel form. It fills FIFOs with pauses at random, lets the core
take from them, and stops the simulation if it takes a word that is not there or leaves one.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from montforge.arch import Architecture, Design, design, rtl_root
from montforge.arch.base import Parameters
from montforge.arch.eberle import Eberle
from montforge.arch.fios_dsp import FiosDsp
from montforge.arch.tenca_koc import TencaKoc
from montforge.contract import Contract, Cycles
from montforge.errors import ToolFailedError
from montforge.verify import verify
from montforge.verify.bench import patched


class Harness:
    """What differs from the parallel form: the files, and a latency that is longer."""

    parallel: Architecture

    def loading(self, parameters: Parameters) -> int:
        """Cycles that the harness adds."""
        raise NotImplementedError

    def contract(self, parameters: Parameters) -> Contract:
        found = self.parallel.contract(parameters)
        latency = found.latency.minimum + self.loading(parameters)
        return replace(
            found, latency=Cycles.fixed(latency), handover=0, interval=Cycles.fixed(latency + 2)
        )

    def cycles(self, parameters: Parameters, a: int, b: int, n: int) -> int:
        return self.parallel.cycles(parameters, a, b, n) + self.loading(parameters)


def files(parallel: Architecture, harness: str) -> tuple[str, ...]:
    return (*parallel.rtl_files[:-1], "harness/mf_stream_source.sv", f"harness/{harness}.sv")


class TencaKocHarness(Harness, TencaKoc):
    parallel = TencaKoc()
    rtl_top = "mf_tenca_koc_harness"
    rtl_files = files(parallel, rtl_top)

    def loading(self, parameters: Parameters) -> int:
        closed = parameters["variant"] == "closed"
        bits = parameters.integer("width") + 2 * closed
        words = -(-(parameters.integer("width") + 1 + closed) // parameters.integer("word"))
        rounds = -(-bits // parameters.integer("elements"))
        return 2 * max(bits, rounds * words) + 7


class EberleHarness(Harness, Eberle):
    parallel = Eberle()
    rtl_top = "mf_eberle_harness"
    rtl_files = files(parallel, rtl_top)

    def loading(self, parameters: Parameters) -> int:
        k = parameters.integer("k")
        subtracts = parameters["reduction"] == "subtract"
        return 2 * k * k + 2 * k + 12 - subtracts


class FiosDspHarness(Harness, FiosDsp):
    parallel = FiosDsp()
    rtl_top = "mf_fios_dsp_harness"
    rtl_files = files(parallel, rtl_top)

    def loading(self, parameters: Parameters) -> int:
        rtl = self.parallel.rtl_parameters(parameters)
        return 2 * (rtl["Words"] + (parameters["variant"] != "unit")) + 7


FORMS: list[tuple[Architecture, dict[str, object]]] = [
    (TencaKocHarness(), {"width": 13, "word": 4, "elements": 3}),
    (TencaKocHarness(), {"width": 13, "word": 4, "elements": 4, "offset": 1}),
    (TencaKocHarness(), {"width": 9, "word": 16, "elements": 16, "variant": "published"}),
    (EberleHarness(), {"width": 13, "k": 3}),
    (EberleHarness(), {"width": 16, "k": 4, "reduction": "subtract"}),
    (FiosDspHarness(), {"width": 96, "variant": "published"}),
    (FiosDspHarness(), {"width": 110}),
    (FiosDspHarness(), {"width": 96, "variant": "unit", "array": "expanded"}),
]


def harnessed(architecture: Architecture, parameters: dict[str, object]) -> Design:
    return Design(architecture, design(architecture.name, **parameters).values)


@pytest.mark.parametrize(
    ("architecture", "parameters"),
    FORMS,
    ids=["-".join([a.name, *map(str, p.values())]) for a, p in FORMS],
)
def test_each_word_is_taken_once(architecture: Architecture, parameters: dict[str, object]) -> None:
    chosen = harnessed(architecture, parameters)
    report = verify(chosen, operations=100, chain_length=20, seed=1)
    assert report.mismatches == 0, report


def test_a_core_that_takes_too_many_words_is_caught(tmp_path: Path) -> None:
    """The fault of the first release: 17 bits taken where there are 15."""
    chosen = harnessed(*FORMS[0])
    paths = list(chosen.rtl_files)
    at = paths.index(rtl_root() / "digit/mf_tenca_koc.sv")
    text, stop = paths[at].read_text(), "if (last_round_q) feeds_q <= 1'b0;"
    assert text.count(stop) == 1
    paths[at] = tmp_path / "mf_tenca_koc.sv"
    paths[at].write_text(text.replace(stop, ""))
    with pytest.raises(ToolFailedError, match="a word is taken that is not there"):
        verify(patched(chosen, paths), operations=20, chain_length=5, seed=1)
