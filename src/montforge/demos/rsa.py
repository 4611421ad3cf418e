# SPDX-License-Identifier: Apache-2.0
"""A signature by the simulated engine: ``python -m montforge.demos.rsa`` (``make demo-rsa``).

A key is made with the package cryptography and loaded into the engine, which signs a file;
``openssl dgst -verify`` accepts the signature. The cycles, a picture of the phases over time,
and the time at the measured period of its multiplier stand beside published engines.
"""

from __future__ import annotations

import argparse
import subprocess
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

from montforge.arch.parameter import named_values
from montforge.arch.rsa import contract
from montforge.arch.rsa.engine import Engine
from montforge.arch.rsa.key import Key
from montforge.demos.steps import attempt, console, end_with, say, step
from montforge.errors import InputFileError, ParameterError
from montforge.host.driver import RsaEngine
from montforge.host.padding import pkcs1_v15
from montforge.host.simulation import Simulation, build
from montforge.measure import measure
from montforge.measure.targets import find_target
from montforge.papers.rsa_engines import cycles_text, published_engines
from montforge.report import Table
from montforge.report.chart import COLOURS
from montforge.work.extras import require
from montforge.work.tools import find_program

OUTPUT = Path("demo-rsa-out")
OPENSSL_SECONDS = 60.0
DEFAULTS = ("bits=2048", "core=booth_csa", "core.radix=64", "core.pipeline=1", "adder=64")
TARGETS = ("nangate45", "osu018")
E = 65537
SHORTEST = 1024
"""Bits of a key that the package cryptography makes."""
SEED = 1
PHASES = {phase: contract.PHASES[phase] for phase in (4, 5, 6, 7, 8, 9, 1, 10)}
"""Of ``phase_o``, in a private operation."""


def main(arguments: list[str] | None = None) -> int:
    """Run the demo and return the exit status: 1 if openssl refuses the signature."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "-p", action="append", default=[], metavar="NAME=VALUE",
        help=f"of the engine (default: {' '.join(DEFAULTS)})",
    )  # fmt: skip
    parser.add_argument(
        "--target", help=f"where the multiplier is measured (default: {' or '.join(TARGETS)})"
    )
    parser.add_argument("--no-measure", action="store_true", help="no period, no time")
    parser.add_argument("--output", type=Path, default=OUTPUT)
    options = parser.parse_args(arguments)
    require("keys", "cryptography")
    require("papers", "matplotlib")
    engine = Engine.of(**named_values(options.p or DEFAULTS))
    if engine.bits < SHORTEST:
        raise ParameterError(
            f"parameter bits = {engine.bits} is too small for this demonstration: the package"
            f" cryptography makes keys of at least {SHORTEST} bits."
        )
    options.output.mkdir(parents=True, exist_ok=True)
    say(str(engine), style="bold")

    public, key = new_key(engine.bits)
    message = options.output / "message.txt"
    message.write_text("Signed by a simulated RSA engine.\n")
    padded = pkcs1_v15(message.read_bytes(), "sha256", key.n)
    with step("simulation compiled"):
        program = build(engine.with_form("axi").hardware)
    with Simulation(program, seed=SEED) as device:
        driver = RsaEngine(device)
        with step(f"key of {engine.bits} bits loaded"):
            driver.load_key(0, key)
        say(f"    {driver.cycles:,} cycles")
        with step("file signed"):
            value = driver.private(0, padded)
        cycles = driver.cycles
        say(f"    {cycles:,} cycles")
        changes = last_operation(device.phases())
    signature, pem = options.output / "message.sig", options.output / "public.pem"
    signature.write_bytes(value.to_bytes(-(-engine.bits // 8), "big"))
    pem.write_bytes(public)
    command = ["openssl", "dgst", "-sha256", "-verify", str(pem), "-signature", str(signature)]
    find_program("openssl")
    done = subprocess.run(
        [*command, str(message)], capture_output=True, text=True, timeout=OPENSSL_SECONDS
    )
    say(f"  {' '.join([*command, str(message)])}: {done.stdout.strip()}")

    picture = options.output / "timeline.png"
    write_picture(picture, f"Private operation, {engine.bits} bits", changes)
    console.print(phase_table(changes).to_rich())
    target = options.target or usable_target()
    period = None
    if not options.no_measure:
        measured = attempt(
            f"{engine.multiplier} measured on {target}",
            lambda: measure(engine.multiplier, target, effort="quick"),
        )
        period = None if measured is None else measured.period_ns
    console.print(comparison(engine, cycles, period, target).to_rich())
    say(f"picture: {picture}")
    return int(done.returncode != 0)


def usable_target() -> str:
    """Return the first of `TARGETS` whose cells are there, or the last one."""
    for name in TARGETS[:-1]:
        with suppress(InputFileError):
            find_target(name)
            return name
    return TARGETS[-1]


def new_key(bits: int) -> tuple[bytes, Key]:
    """Return a new key of the package cryptography: the public key in PEM, and all numbers."""
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import rsa

    made = rsa.generate_private_key(E, bits)
    pem = made.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    return pem, Key.from_private_key(made)


def last_operation(changes: list[tuple[int, int]]) -> list[tuple[int, int, int]]:
    """Return phase, first cycle and cycles of each step of the last operation, from its start."""
    ends = [i for i, (phase, _) in enumerate(changes) if phase == 0]
    steps = changes[ends[-2] + 1 : ends[-1] + 1]
    start = steps[0][1]
    return [(phase, at - start, after - at) for (phase, at), (_, after) in pairwise(steps)]


def phase_table(steps: list[tuple[int, int, int]]) -> Table:
    """Return the cycles of each phase."""
    whole = sum(length for _, _, length in steps)
    rows = []
    for phase, name in PHASES.items():
        cycles = sum(length for found, _, length in steps if found == phase)
        rows.append((name, f"{cycles:,}", f"{100 * cycles / whole:.1f}%"))
    return Table("Where the cycles go", ("phase", "cycles", "share"), tuple(rows))


def write_picture(path: Path, title: str, steps: list[tuple[int, int, int]]) -> None:
    """Write the timeline: one row for each phase."""
    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(9, 3.5), layout="constrained")
    names = [name for phase, name in PHASES.items() if any(step[0] == phase for step in steps)]
    for phase, start, length in steps:
        if phase in PHASES:
            row = names.index(PHASES[phase])
            axes.broken_barh([(start, length)], (row - 0.4, 0.8), color=COLOURS[row % len(COLOURS)])
    axes.set_yticks(range(len(names)), names)
    axes.invert_yaxis()
    axes.set_xlabel("cycles")
    axes.set_title(title)
    figure.savefig(path, dpi=120)
    pyplot.close(figure)


def comparison(engine: Engine, cycles: int, period: float | None, target: str) -> Table:
    """Return the cycles and the time beside published engines."""
    others = published_engines()
    time_text = f"{cycles * period / 1e6:.3f} ms" if period else "not measured"
    platform = f"{target}, {period:.3f} ns" if period else "simulation"
    left_out = "" if engine.eblind else "blinding of the exponent"
    row = ("this engine", platform, engine.bits, cycles_text(cycles), time_text, left_out)
    return Table(
        "Private operation; the others as printed",
        others.columns,
        (row, *others.rows),
        ("The period is that of the multiplier alone, measured without layout.",) * bool(period),
    )


if __name__ == "__main__":
    end_with(main)
