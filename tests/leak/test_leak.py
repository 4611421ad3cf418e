# SPDX-License-Identifier: Apache-2.0
"""Activity, latency and single faults of simulated gates."""

from __future__ import annotations

import random
import statistics
import time
from functools import cache

import numpy as np
import pytest
from typer.testing import CliRunner

from montforge.arch import core, design
from montforge.cli.app import app
from montforge.errors import MontforgeError, ParameterError, ToolFailedError, UnknownNameError
from montforge.leak import EngineLeakReport, faults, leak
from montforge.leak.activity import Experiment, run_experiment
from montforge.leak.injection import EFFECTS
from montforge.leak.statistics import Classes, threshold, traces_needed
from montforge.prove.drive import Driver
from montforge.prove.gates import Gates, columns, integers
from montforge.verify.stimuli import average_modulus, stimuli
from montforge.work.limits import check_limits

SECONDS = 300.0
NAMES = ("mm_r2", "scs_mm_ct", "scs_mm_new", "booth_csa", "unit_csa", "fcs_mm1", "tenca_koc")


@cache
def gates(name: str, width: int) -> Gates:
    return Gates(core(name, width=width).hardware, timeout=SECONDS)


@pytest.mark.parametrize("name", NAMES)
def test_gates_give_the_products_and_the_cycles_of_the_contract(name: str) -> None:
    design = core(name, width=16)
    rng = random.Random(1)
    n = average_modulus(rng, design.contract.modulus)
    driver = Driver(design, gates(name, 16), 100, n)
    found = stimuli(design.contract).random(rng, n)
    for _ in range(2):
        operations = [next(found) for _ in range(100)]
        outcome = driver.operate(operations)
        assert not driver.wrong(operations, outcome).any()
        expected = [design.cycles(**each) for each in operations]
        assert outcome.latency.tolist() == expected


def test_a_product_that_is_wrong_is_seen() -> None:
    design = core("mm_r2", width=16)
    driver = Driver(design, gates("mm_r2", 16), 64, 65521)
    operations = [{"a": 3, "b": lane, "n": 65521} for lane in range(64)]
    outcome = driver.operate(operations)
    assert not driver.wrong(operations, outcome).any()
    outcome.results[5] ^= 1
    assert driver.wrong(operations, outcome).nonzero()[0].tolist() == [5]


def test_lanes_keep_their_values() -> None:
    values = [random.Random(1).getrandbits(70) for _ in range(130)]
    assert integers(columns(values, 70), 130) == values


def test_the_threshold_grows_with_the_samples() -> None:
    assert threshold(1) == pytest.approx(4.417, abs=0.001)
    assert threshold(5_000_000) == pytest.approx(7.03, abs=0.01)


def test_t_is_that_of_welch() -> None:
    rng = np.random.default_rng(1)
    second = np.arange(400) % 2 == 1
    values = rng.integers(0, 40, size=(3, 400)).astype(np.float64)
    values[1, second] += 15
    found = Classes(second).t(values)
    for row, t in zip(values, found, strict=True):
        one, other = row[~second].tolist(), row[second].tolist()
        spread = sum((statistics.variance(x) + 1 / 12) / len(x) for x in (one, other))
        expected = (statistics.mean(one) - statistics.mean(other)) / spread**0.5
        assert t == pytest.approx(expected)
    assert abs(found[1]) > threshold(3) > abs(found[0])


def test_traces_grow_with_the_square() -> None:
    assert traces_needed(9.0, 1000, 4.5) == 250


def test_a_core_of_fixed_time_shows_its_operands_in_its_activity_alone() -> None:
    report = leak(core("scs_mm_ct", width=32), samples=1500, seed=1, timeout=SECONDS)
    assert report.timing.verdict == "proved"
    assert report.is_valid
    null, fixed, *_, one = report.findings
    assert (null.above, null.latency_t) == (0, 0)
    assert fixed.differs
    assert one.t > 50 and one.latency[0] == one.latency[1]
    assert one.places[0].register == "a_q"  # it holds zeros in one class


def test_a_core_of_varying_time_shows_them_in_its_latency() -> None:
    report = leak(core("scs_mm_new", width=32), samples=1500, seed=1, timeout=SECONDS)
    assert report.timing.verdict == "refuted"
    null, *_, one = report.findings
    assert abs(null.latency_t) < null.limit
    assert abs(one.latency_t) > one.limit
    assert one.latency[0] < one.latency[1]


def test_noise_raises_the_number_of_traces() -> None:
    design = core("mm_r2", width=16)
    needed = [
        leak(design, samples=2000, noise=noise, seed=1, timeout=SECONDS).findings[-1]
        for noise in (0.0, 3.0)
    ]
    few, more = (finding.traces for finding in needed)
    assert few is not None and more is not None
    assert more > 3 * few


def test_a_null_test_with_a_difference_makes_no_result() -> None:
    design = core("mm_r2", width=16)
    planted = Experiment("random / random", lambda operation: {**operation, "a": 1})
    finding = run_experiment(
        design,
        gates("mm_r2", 16),
        planted,
        model="registers",
        samples=1000,
        noise=0,
        seed=1,
        deadline=time.monotonic() + SECONDS,
    )
    assert finding.differs


def test_the_nets_model_counts_all_nets() -> None:
    report = leak(core("mm_r2", width=16), model="nets", samples=1000, seed=2, timeout=SECONDS)
    assert report.is_valid
    assert report.findings[1].differs
    assert {place.register for place in report.findings[1].places} == {"all"}


def test_exponents_without_a_fixed_sequence_show_in_the_time() -> None:
    def found(algorithm: str, leakage: str) -> tuple[str, float, float]:
        design = core(
            "modexp",
            width=8,
            exponent_bits=6,
            algorithm=algorithm,
            multiplier="scs_mm_ct",
            leakage=leakage,
        )
        report = leak(design, samples=300, seed=1, timeout=SECONDS)
        assert report.is_valid
        heavy = next(f for f in report.findings if f.experiment.startswith("e with"))
        return report.timing.verdict, abs(heavy.latency_t), heavy.limit

    verdict, t, limit = found("ladder", "exponent")
    assert verdict == "proved" and t == 0
    verdict, t, limit = found("l2r", "public")
    assert verdict == "refuted" and t > limit


def test_values_that_are_loaded_before_requests_arrive() -> None:
    loaded = core("modexp", width=8, exponent_bits=4, constants="hardware", multiplier="mm_r2")
    assert loaded.contract.load is not None
    assert leak(loaded, samples=100, seed=1, timeout=SECONDS).is_valid


def test_no_samples_are_not_the_default() -> None:
    done = CliRunner().invoke(app, ["leak", "mm_r2", "-p", "width=8", "--samples", "0"])
    assert isinstance(done.exception, ParameterError)


def test_faults_have_all_effects() -> None:
    report = faults(core("scs_mm_ct", width=32), samples=3000, seed=1, timeout=SECONDS)
    found = report.found
    assert sum(found.effects.values()) == found.trials == 3000
    assert set(found.effects) == set(EFFECTS)
    assert all(found.effects.values())
    assert found.effects["wrong result"] > 0.5 * found.trials
    again = faults(core("scs_mm_ct", width=32), samples=3000, seed=1, timeout=SECONDS)
    assert again.found == found


def test_illegal_arguments_are_refused() -> None:
    design = core("mm_r2", width=16)
    with pytest.raises(UnknownNameError):
        leak(design, model="wires", seed=1)
    for samples in (0, 99):
        with pytest.raises(ParameterError):
            leak(design, samples=samples, seed=1)
    for noise in (-1.0, float("nan"), 1e9):
        with pytest.raises(ParameterError):
            leak(design, noise=noise, seed=1)
    with pytest.raises(ParameterError):
        faults(design.with_form("native"), seed=1)
    with pytest.raises(MontforgeError):
        check_limits(time_limit=float("inf"))
    with pytest.raises(ToolFailedError):
        Driver(design, gates("mm_r2", 16), 64, 65521, deadline=0.0)


@pytest.mark.slow
def test_blinding_hides_the_message_from_the_exponentiation() -> None:
    engine = design("rsa", bits=32, min_bits=16, window=2)
    found = leak(engine, samples=100, seed=1)
    assert isinstance(found, EngineLeakReport) and found.is_valid
    _, own, same = (
        {name: over for name, (_, over) in each.phases.items()} for each in found.findings
    )
    cycles = found.findings[0].phases["exponentiate"][0]
    assert own["exponentiate"] < cycles / 50 and same["exponentiate"] > cycles / 2
    assert own["reduce"] > 0  # where the message comes from the host
    first, last = found.findings[1].finding.latency
    assert first == last


def test_an_engine_with_a_bus_and_its_faults_are_refused() -> None:
    with pytest.raises(ParameterError):
        leak(design("rsa", bits=64, min_bits=16).with_form("axi"), seed=1)
    with pytest.raises(ParameterError):
        faults(design("rsa", bits=64, min_bits=16), seed=1)
