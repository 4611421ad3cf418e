# SPDX-License-Identifier: Apache-2.0
"""Faults in cores with a check: what escapes it, and a check that does not work."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

from montforge.arch import Core, core
from montforge.cli.app import app
from montforge.hardware import Hardware
from montforge.hardware.check import PRIME_RESIDUE
from montforge.leak import faults
from montforge.leak.injection import EFFECTS, HANG, LATE, WRONG, Faults, inject
from montforge.prove.gates import Gates
from planted import edited

SECONDS = 300.0
TRIALS = 3000
WIDTH = 32
TAPPED = "mf_fios_dsp_tapped"


def campaign(chosen: Core, hardware: Hardware | None = None, trials: int = TRIALS) -> Faults:
    gates = Gates(hardware or chosen.hardware, timeout=SECONDS)
    return inject(chosen, gates, trials=trials, seed=1, deadline=time.monotonic() + SECONDS)


@pytest.mark.parametrize(
    ("name", "r"),
    [
        *((name, 16) for name in ("scs_mm_ct", "scs_mm", "fcs_mm2", "booth_csa", "unit_csa")),
        *(("fios_dsp", r) for r in (16, PRIME_RESIDUE)),
    ],
)
def test_no_wrong_result_and_no_wrong_time_escapes(name: str, r: int) -> None:
    found = campaign(core(name, width=WIDTH, check=r))
    assert found.effects[WRONG] > 0.1 * TRIALS and found.escaped == 0
    assert found.effects[LATE] > 0 and found.alarms[LATE] == found.effects[LATE]
    assert found.effects[HANG] == found.next_wrong == 0


@pytest.mark.parametrize("name", ["scs_mm_new", "scs_mm_skip", "fcs_mmm42", "mscs_mm"])
def test_no_wrong_result_escapes_where_time_depends_on_data(name: str) -> None:
    found = campaign(core(name, width=WIDTH, check=16))
    assert found.effects[WRONG] > 0.1 * TRIALS and found.escaped == 0
    assert found.effects[HANG] == found.next_wrong == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "r", "trials", "share"),
    [
        ("scs_mm_ct", 16, 60_000, 0.0),
        ("fios_dsp", 16, 100_000, 1 / 5600),  # a product is left out, and 0 modulo 65535
        ("fios_dsp", PRIME_RESIDUE, 100_000, 0.0),
    ],
)
def test_of_20000_wrong_results_no_more_escape_than_by_chance(
    name: str, r: int, trials: int, share: float
) -> None:
    found = campaign(core(name, width=64, check=r), trials=trials)
    assert found.effects[WRONG] > 20_000 and found.escaped <= share * found.effects[WRONG]


def test_fewer_bits_let_more_escape() -> None:
    few, none = (campaign(core("scs_mm_ct", width=WIDTH, check=r)) for r in (4, 16))
    assert 0 < few.escaped < 0.1 * few.effects[WRONG]
    assert none.escaped == 0


def test_a_word_product_left_out_shows_modulo_the_prime_alone() -> None:
    words = range(1, 1 << 17, 2), range(3, 1 << 17, 12_345)
    products = [x * y for x in words[0] for y in words[1]]
    hidden = {r: sum(p % ((1 << r) - 1) == 0 for p in products) for r in (16, PRIME_RESIDUE)}
    assert hidden[16] > len(products) / 65535 and hidden[PRIME_RESIDUE] == 0


@pytest.mark.parametrize("variant", ["fast", "published"])
def test_a_wrong_digit_is_seen_by_the_word_that_is_dropped(
    variant: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bit 1 flips in the factor of m_i: 2^17 - 2, which is dropped, is 0 modulo 2^16 - 1."""
    chosen = core("fios_dsp", width=WIDTH, variant=variant, check=16)
    blind = edited(chosen, "= wrong_digit;", "= 1'b0;", tmp_path, TAPPED)
    found = []
    for hardware in (chosen.hardware, blind.hardware):
        gates = Gates(hardware, timeout=SECONDS)
        factors = {
            name: rows[1:2] for name, rows in gates.named_registers.items() if name.endswith(".a_q")
        }
        monkeypatch.setitem(vars(gates), "named_registers", factors)
        deadline = time.monotonic() + SECONDS
        found.append(inject(chosen, gates, trials=1000, seed=1, deadline=deadline))
    assert found[0].effects[WRONG] == found[1].effects[WRONG] > 100
    assert found[0].escaped == 0 and found[1].escaped > 10


STUCK = {
    "residue": ("mf_residue_check", "|| !(|sum_q)", "|| 1'b1"),
    "digits": ("mf_residue_check", "count_q != CountW'(Places) ||", ""),
    "guard": ("mf_result_guard", "hold_i && parity != parity_q", "1'b0"),
    "time": ("mf_check_sequencer", "error_q || !core_rsp_valid_i", "1'b0"),
    "counter": ("mf_check_sequencer", "core_rsp_valid_i != ends || ends != ends_both", "1'b0"),
    "phase": ("mf_check_sequencer", "illegal_q   <= !$onehot(phase_q)", "illegal_q   <= 1'b0"),
    "reset": ("mf_check_sequencer", "core_rst_no <= !phase_d[Reset]", "core_rst_no <= 1'b1"),
}


@pytest.mark.parametrize("fault", STUCK)
def test_a_check_that_does_not_work_is_seen(fault: str, tmp_path: Path) -> None:
    module, old, new = STUCK[fault]
    name = "scs_mm_new" if fault == "digits" else "scs_mm_ct"
    chosen = core(name, width=WIDTH, check=16)
    hardware = edited(chosen, old, new, tmp_path, module).hardware
    found = campaign(chosen, hardware, trials=4 * TRIALS)
    bad = found.escaped + found.effects[HANG] + found.next_wrong
    assert bad + found.effects[LATE] - found.alarms[LATE] > 0


def test_the_command_prints_both_columns() -> None:
    words = ["leak", "scs_mm_ct", "-p", "width=16", "-p", "check=4", "--faults", "--samples", "500"]
    done = CliRunner().invoke(app, [*words, "--seed", "1"])
    assert done.exit_code == 0 and "err_o" in done.stdout and "without" in done.stdout
    plain = faults(core("mm_r2", width=16), samples=500, seed=1, timeout=SECONDS)
    assert "alarms" not in plain.to_json() and "escaped" not in plain.to_json()
    checked = faults(core("scs_mm_ct", width=16, check=4), samples=500, seed=1).to_json()
    assert checked["escaped"] == checked["effects"][WRONG] - checked["alarms"][WRONG]
    assert set(checked["alarms"]) == set(EFFECTS)
