# SPDX-License-Identifier: Apache-2.0
"""Stored verdicts: found for a design, of another width, stale where sources differ."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

import pytest

from montforge.arch import Core, core
from montforge.prove import prove, verdicts
from montforge.prove.lemmas import PROOFS, mm_r2, theorem_of
from montforge.prove.lemmas.proof import Proof
from montforge.prove.verdicts import (
    Standing,
    StoredVerdict,
    read_hash,
    read_verdicts,
    stored_verdict,
    verdicts_text,
    widest_verdict,
)
from planted import edited


def test_the_file_is_sorted_and_has_one_line_for_each_check() -> None:
    rows = read_verdicts()
    assert verdicts_text(reversed(rows)) == verdicts_text(rows)
    assert len({row.key for row in rows}) == len(rows)


def test_a_stored_verdict_on_time_is_what_the_contract_says() -> None:
    usual = [row for row in read_verdicts() if stored_verdict(row.chosen, row.check).row is row]
    timing = [row for row in usual if row.check == "timing" and row.verdict != "unknown"]
    assert {row.architecture for row in timing} >= {"mm_r2", "scs_mm_new", "unit_csa"}
    for row in timing:
        if isinstance(row.chosen, Core):
            assert row.chosen.contract.constant_time == (row.verdict == "proved"), row.chosen


def test_a_stored_proof_of_the_function_names_lemmas_and_theorem() -> None:
    proved = [row for row in read_verdicts() if row.check == "function"]
    assert proved
    for row in proved:
        assert (row.verdict, row.theorem) == ("proved", theorem_of(row.chosen))
        assert row.lemmas and {"bitwuzla", "coq", "yosys"} == set(row.tools)


def test_a_row_is_that_of_the_certificate() -> None:
    certificate = prove(core("scs_mm_new", width=16), checks=["timing"], secret=["a"])
    row = StoredVerdict.of(certificate, certificate.checks[0])
    assert (row.verdict, row.secret, row.path[0]) == ("refuted", ["a"], "a_i[0]")
    assert row.command.endswith("--check timing --secret a")
    assert not row.stale and json.loads(verdicts_text([row]))["read"] == row.read


def test_other_rtl_makes_a_verdict_stale(tmp_path: Path) -> None:
    chosen = core("mm_r2", width=16)
    certificate = prove(chosen, checks=["timing"])
    row = StoredVerdict.of(certificate, certificate.checks[0])
    older = Standing(replace(row, read="0"))
    assert older.rests_on == "proof of older sources" and "stale" in older.text
    assert older.to_json()["stale"] and not Standing(row).to_json()["stale"]
    for name in "ab":
        (tmp_path / name).mkdir()
    comment = edited(
        chosen, "module mf_mm_r2", "// more\nmodule  mf_mm_r2", tmp_path / "a"
    ).hardware
    other = edited(chosen, "= s_q[0] ^", "= s_q[1] ^", tmp_path / "b").hardware
    for check in ("timing", "function"):
        today = read_hash(chosen, check)
        assert read_hash(chosen, check, comment) == today != read_hash(chosen, check, other)


def test_lemmas_and_theorem_belong_to_the_function(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = core("mm_r2", width=16)
    before = {check: read_hash(chosen, check) for check in ("timing", "function")}
    monkeypatch.setitem(PROOFS, "mm_r2", Proof.of(mm_r2.LEMMAS[:-1]))
    assert read_hash(chosen, "timing") == before["timing"]
    assert read_hash(chosen, "function") != before["function"]


def test_a_verdict_of_another_width_says_so() -> None:
    near = stored_verdict(core("mm_r2", width=255), "timing")
    assert (near.verdict, near.same_width) == ("proved", False)
    assert near.width != 255 and "not at this width" in near.text
    assert near.rests_on == "proof at another width"
    assert stored_verdict(core("mm_r2", width=256), "timing").rests_on == "proof"
    assert (
        stored_verdict(core("tenca_koc", width=256, elements=3).with_form("axi"), "timing").rests_on
        == "contract"
    )
    assert stored_verdict(core("scs_mm_new", width=256), "timing").rests_on == "contract"


def test_a_narrower_verdict_of_todays_sources_comes_before_an_older_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    chosen = core("mm_r2", width=256)
    known = verdicts._of_kind(chosen, "timing")
    widest = max(known)

    def with_older(widths: Collection[int]) -> None:
        rows = {w: replace(row, read="0") if w in widths else row for w, row in known.items()}
        monkeypatch.setattr(verdicts, "_of_kind", lambda *_: rows)

    with_older({widest})
    assert widest_verdict(chosen, "timing").width == max(known.keys() - {widest})
    with_older(known)
    assert widest_verdict(chosen, "timing").width == widest
