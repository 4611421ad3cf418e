# SPDX-License-Identifier: Apache-2.0
"""Every RTL file passes Verilator -Wall, slang and Yosys at smallest, odd and large sizes."""

from __future__ import annotations

import random
import re
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pyslang.driver import CommandLineOptions, Driver
from pyslang.syntax import SyntaxKind, SyntaxNode, SyntaxTree

from montforge.arch import Design, cores, design, driven, variants
from montforge.arch.rsa.engine import RTL_FILES as ENGINE_FILES
from montforge.arch.rsa.engine import Engine
from montforge.errors import ParameterError
from montforge.hardware import Hardware, rtl_root
from montforge.hardware.verilog import literal
from montforge.hardware.yosys import read_design, run_yosys
from montforge.verify import patched
from montforge.verify.properties import contract_properties, property_files
from planted import edited
from testbench import verilator_bin

Capture = pytest.CaptureFixture[str]
SMALLEST, ODD, LARGE, LARGEST = 3, 65, 2048, 4096
PROPERTIES = sorted((rtl_root() / "props").rglob("*.sv"))
HARNESSES = sorted((rtl_root() / "harness").rglob("*.sv"))
RTL_FILES = sorted({*rtl_root().rglob("*.sv")} - {*PROPERTIES, *HARNESSES})
SLANG_WARNINGS = (
    "-Wextra",
    "-Wunused",
    "-Wno-case-redundant-default",  # the house style wants `unique case` with a default
    "-Wno-useless-cast",  # a cast that changes nothing at one size is needed at another
    "-Wno-arith-op-mismatch",  # an integer literal in a cast to a width is signed
    "-Wno-unused-but-set-variable",  # sinks named unused_*, which Verilator checks
)
WAIVER = re.compile(r"verilator\s+lint_off|(?<!\w)lint_off\s+\w+")


def all_variants() -> list[Design]:
    """Each architecture at all sizes, each other choice of its named parameters at three.

    What elaborates in more than a few seconds at the largest size is taken at half or a quarter.
    """
    found = []
    for name in cores():
        found += [d for width in (SMALLEST, ODD) for d in variants(name, width=width)]
        widest = next(p.maximum for p in cores()[name].specs() if p.name == "width")
        found += [design(name, width=LARGE)] if name != "rmm" and widest >= LARGE else []
        for wide in variants(name, width=min(widest, LARGEST if name != "rmm" else 1024)):
            slow = wide.parameters.get("array") == "expanded"
            cells = wide.parameters.get("adder") == "ecp5"
            limit = 1024 if slow else 256 if cells else wide.width
            found.append(design(name, **wide.parameters | {"width": limit}))
    # A block whose words are shorter than the default.
    for sums in ("logic", "cascade"):
        found.append(design("unit_dsp", width=ODD, word=17, multiplier="dsp48e2", sums=sums))
    # A choice that needs others.
    balanced = {"digits": "balanced", "all_at_once": 1, "variant": "fast", "threshold": "single"}
    found += [design("fmlm", width=ODD, **balanced), design("fmle", width=ODD, **balanced)]
    relaxed = {"all_at_once": 1, "variant": "fast", "reduction": "relaxed"}
    found.append(design("fmle", width=ODD, digits="redundant", elements=1, **relaxed))
    # A wrapper that clears, of cores with and without a control.
    found += [design("mm_r2", width=ODD, clear=1), design("modexp", width=ODD, clear=255)]
    # Modules with a check: of bits, of digits of several sizes, of Booth terms.
    checked = {"scs_mm_ct": 4, "scs_mm_skip": 8, "booth_csa": 16, "unit_csa": 8, "fios_dsp": 16}
    found += [design(name, width=ODD, check=r) for name, r in checked.items()]
    # Select registers by region: one region, a narrow last one, many.
    found += [design("unit_csa", width=SMALLEST, delay=3, digit=2, region=64)]
    found += [design("unit_csa", width=ODD, delay=3, region=16, result="nonnegative")]
    found += [design("unit_csa", width=LARGE, delay=3, region=64, overlap=1)]
    # Chains in turn.
    found += [design("modexp", width=ODD, multiplier="full_pipelined", chains=n) for n in (2, 6)]
    # Truncated products; the widest, and the least to split.
    found += [design("full_pipelined", width=width, levels=3) for width in (SMALLEST, 768)]
    found.append(design("full_pipelined", width=ODD, levels=1, karatsuba=4))
    # The fewest and the most digits; more multipliers take Verilator longer.
    found += [design("rmm", width=1024, k=16, m=1), design("rmm", width=LARGE, k=2, m=1)]
    found.append(design("rmm", width=LARGEST, k=2, m=1))
    return found


def verilator_lint(hardware: Hardware, *options: str) -> str:
    parameters = [f"-G{key}={literal(value)}" for key, value in hardware.parameters.items()]
    done = verilator_bin(
        *("--lint-only", "-Wall", "--quiet", "--top-module", hardware.top),
        # Vectors of more than 8192 bits have '0 as any other.
        *("--replication-limit", "131072"),
        *(*options, *parameters, *hardware.files),
    )
    return done.stdout + done.stderr if done.returncode else ""


def slang_diagnostics(hardware: Hardware, capfd: Capture) -> str:
    driver = Driver()
    driver.addStandardArgs()
    words = ["slang", *SLANG_WARNINGS, "--top", hardware.top]
    words += [f'"-G{key}={literal(value)}"' for key, value in hardware.parameters.items()]
    words += [str(path) for path in hardware.files]
    assert driver.parseCommandLine(" ".join(words), CommandLineOptions())
    assert driver.processOptions()
    assert driver.parseAllSources()
    compilation = driver.createCompilation()
    semantic = compilation.getAllDiagnostics()
    for diagnostic in (*semantic, *driver.runAnalysis(compilation).getDiagnostics()):
        driver.diagEngine.issue(diagnostic)
    return capfd.readouterr().err


NESTED = [
    {"multiplier": "unit_dsp", "adder": 48},
    {"multiplier": "orup", "adder": 48},
    {"algorithm": "r2l", "exponent_bits": 1},
    {"algorithm": "r2l", "exponent_bits": 1, "multipliers": 2, "constants": "hardware"},
]


def nested(seed: int, count: int) -> list[Design]:
    """Exponentiators with parameters at random, also of the multiplier; most are small."""
    rng = random.Random(seed)
    multipliers = [name for name in cores() if cores()[name].family != "fft"]
    found: list[Design] = []
    while len(found) < count:
        name = rng.choice(multipliers)
        values: dict[str, object] = {"width": rng.choice((8, 16, 33)), "multiplier": name}
        for prefix, architecture in (("", "modexp"), ("multiplier.", name)):
            for spec in cores()[architecture].specs():
                if spec.name != "width" and not spec.is_part and rng.random() < 0.5:
                    near = range(spec.minimum, min(spec.maximum, spec.minimum + 70) + 1)
                    values[prefix + spec.name] = rng.choice(spec.choices or spec.numbers or near)
        with suppress(ParameterError):
            found.append(design("modexp", **values))
    return found


@pytest.mark.parametrize(
    "chosen",
    [*(design("modexp", width=64, **values) for values in NESTED), *nested(1, 16)],
    ids=str,
)
def test_verilator_accepts_nested_parameters(chosen: Design) -> None:
    """A few of many: `nested` with other seeds has more."""
    assert verilator_lint(chosen.hardware) == ""


@pytest.mark.parametrize("chosen", all_variants(), ids=lambda d: d.identifier)
def test_verilator_and_slang_accept(chosen: Design, capfd: Capture) -> None:
    assert verilator_lint(chosen.hardware) == ""
    assert slang_diagnostics(chosen.hardware, capfd) == ""


def other_forms(width: int) -> list[Design]:
    """Each architecture in each of its own forms, and one with each bus."""
    found = []
    for name in cores():
        parallel = design(name, width=width)
        found += [parallel.with_form(form.name) for form in parallel.own_forms[1:]]
    return [*found, *(design("mm_r2", width=width).with_form(form) for form in ("axi", "axis"))]


@pytest.mark.parametrize("form", ["axi", "axis"])
@pytest.mark.parametrize("chosen", variants("fios_dsp", width=ODD), ids=lambda d: d.identifier)
def test_verilator_and_slang_accept_the_form_with_a_bus(
    chosen: Design, form: str, capfd: Capture
) -> None:
    wrapped = chosen.with_form(form)
    assert verilator_lint(wrapped.hardware) == ""
    assert slang_diagnostics(wrapped.hardware, capfd) == ""


AXI_FORMS = [
    design("modexp", width=ODD, multiplier="rmm").with_form("axi"),
    design("fixed_square", modulus=8191).with_form("axis"),
    *(
        design("mm_r2", width=width).with_form(form)
        for form in ("axi", "axis")
        for width in (SMALLEST, 32, LARGE, LARGEST)
    ),
]


@pytest.mark.parametrize("chosen", AXI_FORMS, ids=lambda d: d.identifier)
def test_verilator_and_slang_accept_axi_forms(chosen: Design, capfd: Capture) -> None:
    assert verilator_lint(chosen.hardware) == ""
    assert slang_diagnostics(chosen.hardware, capfd) == ""


ENGINES = [
    design("rsa", bits=32, core="scs_mm_ct", window=2, eblind=0, min_bits=16),
    design("rsa", bits=65, halves=1, slots=3, adder=64, window=6, min_bits=16, public=1, check="n"),
    design("rsa", bits=2048, **{"core.radix": 64, "core.pipeline": 1}, slots=16),
    design(
        "rsa", bits=64, core="eberle", min_bits=64, public=1, public_core="booth_csa", check="both"
    ),
    design("rsa", bits=64, core="fios_dsp", **{"core.variant": "published"}, min_bits=64),
    design("rsa", bits=65, core="unit_dsp", min_bits=64, public=1, check="both", table="block"),
    design(
        "rsa",
        bits=65,
        core="unit_dsp",
        min_bits=64,
        public=1,
        check="both",
        table="words",
        half_clock=3,
    ),
    design("rsa", bits=64, core="eberle", min_bits=64, window=2, halves=1, adder=64, table="words"),
]


@pytest.mark.parametrize("engine", ENGINES, ids=str)
def test_verilator_and_slang_accept_the_engine(engine: Engine, capfd: Capture) -> None:
    axi = engine.with_form("axi").hardware
    for chosen in (
        axi,
        replace(axi, parameters={**axi.parameters, "HostRandom": 1}),
        engine.with_form("axis").hardware,
    ):
        assert verilator_lint(chosen) == ""
        assert slang_diagnostics(chosen, capfd) == ""


@pytest.mark.parametrize(
    "chosen", [*other_forms(SMALLEST), *other_forms(ODD)], ids=lambda d: d.identifier
)
def test_verilator_and_slang_accept_harnesses(chosen: Design, capfd: Capture) -> None:
    # Assertions look at the asynchronous reset at clock edges.
    assert verilator_lint(driven(chosen).hardware, "-Wno-SYNCASYNCNET") == ""
    assert slang_diagnostics(driven(chosen).hardware, capfd) == ""


@pytest.mark.parametrize("name", cores())
def test_verilator_and_slang_accept_the_properties(
    name: str, tmp_path: Path, capfd: Capture
) -> None:
    chosen = design(name, width=ODD)
    text = tmp_path / "contract_properties.sv"
    text.write_text(contract_properties(chosen))
    bound = patched(chosen, [*chosen.hardware.files, *property_files(chosen), text])
    # Assertions look at the asynchronous reset at clock edges.
    assert verilator_lint(bound.hardware, "-Wno-SYNCASYNCNET") == ""
    assert slang_diagnostics(bound.hardware, capfd) == ""


@pytest.mark.parametrize(
    "chosen",
    [
        *(design(name, width=ODD) for name in cores()),
        *AXI_FORMS[:2],
    ],
    ids=lambda d: d.identifier,
)
def test_yosys_accepts_without_latches(chosen: Design, tmp_path: Path) -> None:
    check_without_latches(chosen, tmp_path)


@pytest.mark.slow
def test_slang_and_yosys_elaborate_a_large_plan(tmp_path: Path, capfd: Capture) -> None:
    """One of the plans that docs/architectures/rmm.md has the times of."""
    chosen = design("rmm", width=256, k=10, m=60, multiplier="inferred")
    assert slang_diagnostics(chosen.hardware, capfd) == ""
    run_yosys(
        f"{read_design(chosen.hardware)}\nhierarchy -check -top {chosen.hardware.top}\nflatten\n"
        "select -assert-count 60 t:$mul\n",
        log=tmp_path / "yosys.log",
        timeout=120,
    )


def test_yosys_accepts_the_engine_without_latches(tmp_path: Path) -> None:
    check_without_latches(ENGINES[1], tmp_path)


def check_without_latches(chosen: Design | Engine, tmp_path: Path) -> None:
    log = run_yosys(
        f"{read_design(chosen.hardware)}\nhierarchy -check -top {chosen.hardware.top}\nproc\n"
        "select -assert-none t:$dlatch t:$adlatch t:$sr\ncheck -assert\n",
        log=tmp_path / "yosys.log",
        timeout=120,
    )
    assert "Warning" not in log


@pytest.mark.parametrize("path", [*RTL_FILES, *PROPERTIES, *HARNESSES], ids=lambda p: p.name)
def test_file_follows_the_house_rules(path: Path) -> None:
    text = path.read_text()
    assert text.startswith("// SPDX-License-Identifier: Apache-2.0\n")
    assert not WAIVER.search(text), "lint waivers need a reason, and there is none"
    if path not in HARNESSES:  # which drive X where there is no valid
        assert not re.search(r"'[bdh]?x", text, re.IGNORECASE), "X literal"
    assert max(map(len, text.splitlines())) <= 100
    if path.parent.name == "bind":
        assert set(re.findall(r"^bind (\w+)", text, re.MULTILINE)) == {path.stem}
    else:
        assert re.findall(r"^(?:module|package) (\w+)", text, re.MULTILINE) == [path.stem]


WITHOUT_RESET = {"DSP48E2.sv"}
"""Modules without a reset: their assertions are on what is constant, or legal at all values."""


@pytest.mark.parametrize("path", [*RTL_FILES, *PROPERTIES, *HARNESSES], ids=lambda p: p.name)
def test_no_assertion_looks_at_a_core_in_reset(path: Path) -> None:
    """Registers that a reset has yet to set have any values.

    Assertions are immediate ones, on clock edges: where an edge ends a reset, they see the reset.
    The ``disable iff`` of a concurrent one looks at the reset after the edge.
    """
    assert path.name in WITHOUT_RESET or unguarded_assertions(path.read_text()) == []


def unguarded_assertions(text: str) -> list[str]:
    """Return the assertions that are concurrent, or not under ``if (rst_ni``."""
    found = []

    def visit(node: Any, guarded: bool) -> None:
        if node.kind == SyntaxKind.ConditionalStatement:
            guarded |= str(node.predicate).strip().startswith("rst_ni")
        if node.kind.name.startswith(("AssertProperty", "AssumeProperty")) or (
            node.kind.name.startswith("Immediate") and not guarded
        ):
            found.append(str(node).strip())
        for child in node:
            if isinstance(child, SyntaxNode):
                visit(child, guarded)

    visit(SyntaxTree.fromText(text).root, False)
    return found


@pytest.mark.parametrize(
    ("text", "found"),
    (
        ("always_ff @(posedge c) if (rst_ni && a) begin x : assert (b); end", 0),
        ("always_ff @(posedge c) begin x : assume (b); end", 1),
        ("always_ff @(posedge c) if (!rst_ni) a <= b; else x : assert (b);", 1),
        ("x : assert property (@(posedge c) disable iff (!rst_ni) b);", 1),
    ),
)
def test_assertions_without_reset_are_found(text: str, found: int) -> None:
    assert len(unguarded_assertions(f"module m; {text} endmodule")) == found


def test_every_file_belongs_to_an_architecture() -> None:
    designs = [chosen for name in cores() for chosen in variants(name, width=ODD)]
    forms = [form for d in designs for form in d.own_forms]
    forms += [design("mm_r2").with_form(form).interface for form in ("axi", "axis")]
    forms.append(design("mm_r2", clear=1).interface)
    checked = (design(name, check=8) for name in ("scs_mm_ct", "fios_dsp"))
    used_by_check = {name for each in checked for name in each.interface.files}
    used = {name for a in cores().values() for name in a.library}
    used |= {name for form in forms for name in (*form.files, *form.companions)}
    used |= {name for name in used_by_check if not Path(name).is_absolute()}
    of_the_engine = {
        rtl_root() / name for name in (*ENGINE_FILES, "bus/mf_rsa_axi.sv", "bus/mf_rsa_axis.sv")
    }
    paths = {rtl_root() / f for f in used if f.endswith(".sv")}
    assert set(RTL_FILES) == paths | of_the_engine
    harnesses = {name for form in forms if form.harness for name in form.harness.files}
    assert set(HARNESSES) == {rtl_root() / name for name in harnesses}


def test_the_lints_see_a_planted_fault(tmp_path: Path, capfd: Capture) -> None:
    wrong = edited(design("mm_r2", width=65), "b_q, n_q;", "b_q, n_q, x_q;", tmp_path).hardware
    assert "x_q" in verilator_lint(wrong)
    assert "x_q" in slang_diagnostics(wrong, capfd)
