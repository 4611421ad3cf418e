# SPDX-License-Identifier: Apache-2.0
"""The names that a folder's user chooses: of the top module, and the prefix of all of them."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import pytest
from pyslang.ast import Compilation
from pyslang.parsing import TokenKind
from pyslang.syntax import SyntaxTree

from montforge.arch import Design, cores, design, registry
from montforge.arch.rsa.engine import Engine
from montforge.errors import ParameterError
from montforge.generate import generate
from montforge.generate.names import prefixed, top_name
from montforge.hardware.verilog import bindings, declarations
from testbench import verilator_bin

PAIRS = [
    (design("mm_r2", width=5).with_form("axi"), design("mm_r2", width=6).with_form("axi")),
    (design("modexp", width=5, multiplier="mm_r2"), design("modexp", width=5, multiplier="eberle")),
]


def rtl_of(folder: Path) -> list[Path]:
    (listed,) = folder.glob("*.f")
    return [folder / line for line in listed.read_text().split()]


def chip(folder: Path, tops: Sequence[str], designs: Sequence[Design]) -> Path:
    """Write a module ``chip`` with an instance of each top; each port is one of the chip."""
    ports, instances = [], []
    for top, chosen in zip(tops, designs, strict=True):
        names = {port.name: f"{port.name}_of_{top}" for port in chosen.ports}
        for port in chosen.ports:
            declared = declarations([port]).strip()
            ports.append(declared.removesuffix(port.name) + names[port.name])
        instances.append(f"  {top} u_{top} (\n{bindings(names)}\n  );\n")
    path = folder / "chip.sv"
    path.write_text(f"module chip (\n  {', '.join(ports)}\n);\n{''.join(instances)}endmodule\n")
    return path


def errors(files: Sequence[Path]) -> str:
    """What slang and Verilator have to say of a chip."""
    compilation = Compilation()
    for path in files:
        compilation.addSyntaxTree(SyntaxTree.fromFile(str(path)))
    found = [str(d.code) for d in compilation.getAllDiagnostics() if d.isError()]
    done = verilator_bin(
        "--lint-only", "-Wall", "-Wno-DECLFILENAME", "--top-module", "chip", *files
    )
    return "\n".join([*found, done.stderr])


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair[0].identifier)
def test_two_folders_are_parts_of_one_chip(pair: tuple[Design, Design], tmp_path: Path) -> None:
    folders = [
        generate(chosen, tmp_path / prefix, prefix=prefix)
        for chosen, prefix in zip(pair, ("core0", "core1"), strict=True)
    ]
    tops = [top_name(chosen.identifier, "", f"core{at}") for at, chosen in enumerate(pair)]
    files = [path for folder in folders for path in rtl_of(folder)]
    assert errors([*files, chip(tmp_path, tops, pair)]) == ""


def test_without_prefixes_one_of_them_is_taken_for_both(tmp_path: Path) -> None:
    folders = [generate(chosen, tmp_path / str(chosen.parameters["width"])) for chosen in PAIRS[0]]
    files = [path for folder in folders for path in rtl_of(folder)]
    found = errors([*files, chip(tmp_path, [chosen.identifier for chosen in PAIRS[0]], PAIRS[0])])
    assert "Duplicate" in found
    assert "mf_mm_r2_axi" in found


def test_all_names_of_a_folder_have_the_prefix(tmp_path: Path) -> None:
    chosen = design("fios_dsp", width=20, mac="dsp48e2")
    folder = generate(chosen, tmp_path / "out", prefix="x", flat_verilog=True)
    assert not list(folder.rglob("mf_*"))
    texts = [path.read_text() for path in folder.rglob("*.*v")]
    defined = {
        name for text in texts for name in re.findall(r"^(?:module|package) (\w+)", text, re.M)
    }
    assert {name for name in defined if not name.startswith("x_")} == {"DSP48E2", "MULT18X18D"}
    for name in (".f", ".core", ".sdc"):
        assert (folder / f"x_{chosen.identifier}{name}").exists()
    readme = (folder / "README.md").read_text()
    assert f"--prefix x --seed 1 --output {chosen.identifier}" in readme
    flat = (folder / f"flat/x_{chosen.identifier}.v").read_text()
    assert f"\nmodule x_{chosen.identifier}(" in flat
    assert "\n  DSP48E2 #(" in flat


def test_an_engine_with_a_prefix(tmp_path: Path) -> None:
    engine = design("rsa", bits=32, core="scs_mm_ct", window=2, eblind=0, min_bits=16)
    folder = generate(engine, tmp_path / "out", prefix="left")
    assert {path.name for path in (folder / "driver").iterdir()} == {
        *("mf_bus.h", "mf_bus_regs.h", "mf_engine.c", "mf_engine.h", "mf_rsa.c", "mf_rsa.h"),
        *("mf_rsa_windows.h", "REGISTERS.md", "WINDOWS.md"),
    }
    top = f"left_{engine.identifier}"
    done = verilator_bin("--lint-only", "-Wall", "--top-module", top, *rtl_of(folder))
    assert done.stderr == ""
    kept = {path.stem for path in rtl_of(folder) if "left_" not in path.name}
    assert kept == {"DSP48E2", "MULT18X18D"}
    assert "driver/mf_rsa.c" in (folder / "NOTICE").read_text()


def test_names_are_changed_whole_and_everywhere() -> None:
    texts = {
        "rtl/mf_a.sv": "module mf_a;\n  mf_ab u ();\nendmodule\n",
        "rtl/mf_ab.sv": "module mf_ab import mf_pkg::*;\n  prim x();\nendmodule\n",
        "rtl/mf_pkg.sv": "package mf_pkg;\nendpackage\n",
        "rtl/prim/vendor/prim.sv": "module prim;\nendmodule\n",
        "driver/mf_a.h": "mf_a",
        "rtl/own.sv": "module own;\n  mf_a u ();\nendmodule\n",
        "tb/own_tb.sv": "module own_tb;\n  own u ();\nendmodule\n",
        "README.md": "own: mf_a; mf_abc, driver/mf_a.h",
    }
    found = prefixed(texts, "p", "own")
    assert found == {
        "rtl/p_mf_a.sv": "module p_mf_a;\n  p_mf_ab u ();\nendmodule\n",
        "rtl/p_mf_ab.sv": "module p_mf_ab import p_mf_pkg::*;\n  prim x();\nendmodule\n",
        "rtl/p_mf_pkg.sv": "package p_mf_pkg;\nendpackage\n",
        "rtl/prim/vendor/prim.sv": "module prim;\nendmodule\n",
        "driver/mf_a.h": "mf_a",
        "rtl/own.sv": "module own;\n  p_mf_a u ();\nendmodule\n",
        "tb/own_tb.sv": "module own_tb;\n  own u ();\nendmodule\n",
        "README.md": "own: p_mf_a; mf_abc, driver/mf_a.h",
    }
    assert prefixed(texts, "", "own") == texts


@pytest.mark.parametrize("prefix", ["0core", "a-b", "a b", "é", "_", "a/../b"])
def test_what_is_no_name_is_refused(prefix: str, tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="prefix"):
        generate(design("mm_r2", width=8), tmp_path / "out", prefix=prefix)
    with pytest.raises(ParameterError, match="prefix"):
        generate(design("rsa", bits=64, min_bits=16), tmp_path / "out", prefix=prefix)
    assert not (tmp_path / "out").exists()


def test_a_name_of_the_top(tmp_path: Path) -> None:
    chosen = design("booth_csa", width=8)
    folder = generate(chosen, tmp_path / "out", name="folder", prefix="left")
    files = [path.name for path in folder.rglob("*") if "mf_" not in path.name]
    assert sorted(name for name in files if "folder" in name) == [
        *("left_folder.core", "left_folder.f", "left_folder.sdc", "left_folder.sv"),
        *("left_folder.xml", "left_folder_pkg.vhd", "left_folder_tb.sv"),
    ]
    found = verilator_bin("--lint-only", "-Wall", "--top-module", "left_folder", *rtl_of(folder))
    assert found.stderr == ""
    for path in folder.rglob("*.*"):
        assert chosen.identifier not in path.read_text(), path
    readme = (folder / "README.md").read_text()
    assert "--name folder --prefix left --seed 1 --output folder" in readme
    assert "Another run into the same folder replaces" in readme


def test_a_name_of_the_engines_top(tmp_path: Path) -> None:
    engine = design("rsa", bits=32, core="scs_mm_ct", window=2, eblind=0, min_bits=16)
    folder = generate(engine, tmp_path / "out", name="my_rsa")
    done = verilator_bin("--lint-only", "-Wall", "--top-module", "my_rsa", *rtl_of(folder))
    assert done.stderr == ""
    assert engine.identifier not in (folder / "README.md").read_text()


def sampled(name: str, count: int) -> list[Design]:
    """Return legal designs of an architecture, in all their forms, near one another."""
    rng = random.Random(name)
    found: list[Design] = []
    for _ in range(count):
        values: dict[str, object] = {}
        for spec in registry()[name].specs():
            if spec.is_part or rng.random() < 0.6:
                continue
            near = range(spec.minimum, min(spec.maximum, spec.minimum + 20) + 1)
            values[spec.name] = rng.choice(spec.choices or spec.numbers or near)
        with suppress(ParameterError):
            chosen = design(name, **{"width": 16, **values})
            found += [chosen.with_form(form) for form in chosen.forms]
    return found


@pytest.mark.parametrize("name", cores())
def test_each_design_has_a_name_of_its_own(name: str) -> None:
    names: dict[str, Design] = {}
    for chosen in sampled(name, 40):
        top = top_name(chosen.identifier, "", "core0").lower()
        assert re.fullmatch(r"[a-z]\w{0,109}", top, re.A)
        assert names.setdefault(top, chosen) == chosen
        assert design(name, **chosen.parameters).with_form(chosen.form) == chosen
    assert len(names) > 1


ENGINE_VALUES: dict[str, tuple[object, ...]] = {
    "bits": (64, 66),
    "core": ("booth_csa", "scs_mm_ct"),
    "window": (2, 5),
    "halves": (1, 2),
    "eblind": (0, 64),
    "slots": (1, 2),
    "adder": (32, 64),
    "min_bits": (16, 64),
    "public": (0, 1),
    "public_core": ("", "booth_csa", "scs_mm_ct"),
    "check": ("pq", "n", "both"),
    "table": ("auto", "block"),
    "half_clock": (1, 2),
}


def test_each_engine_has_a_name_of_its_own_and_equal_ones_have_one() -> None:
    assert {*ENGINE_VALUES} == {spec.name for spec in Engine.specs()}
    rng = random.Random(1)
    names: dict[str, object] = {}
    for _ in range(300):
        base = {name: rng.choice(values) for name, values in ENGINE_VALUES.items()}
        other = rng.choice(list(ENGINE_VALUES))
        for values in (base, {**base, other: rng.choice(ENGINE_VALUES[other])}):
            with suppress(ParameterError):
                engine = design("rsa", **values)  # type: ignore[arg-type]
                content = (engine.hardware.parameters, engine.hardware.files)
                for form in ("axi", "axis"):
                    names.setdefault(engine.with_form(form).identifier, (content, form))
                    assert names[engine.with_form(form).identifier] == (content, form)
    contents = [repr(content) for content in names.values()]
    assert len(contents) > 100 and len({*contents}) == len(contents)


def test_a_long_name_of_a_design_is_cut(tmp_path: Path) -> None:
    """Verilator's lint stopped at a module of 141 letters, whose name it had changed."""
    first, second = (
        design("modexp", width=16, multiplier="booth_csa", adder=adder).with_form("axi")
        for adder in (8, 16)
    )
    tops = {top_name(chosen.identifier, "", "") for chosen in (first, second)}
    assert len(first.identifier) > 127 and len(tops) == 2 and {len(top) for top in tops} == {110}
    assert len(top_name(first.identifier, "", "core0")) == 110
    folder = generate(first, tmp_path / "out")
    (top,) = (path.stem for path in folder.glob("*.core"))
    assert top in tops
    done = verilator_bin("--lint-only", "-Wall", "--top-module", top, *rtl_of(folder))
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        *((name, f"'{name}'") for name in ("0core", "a-b", "a b", "_", "a/../b")),
        ("a" * 106, "111 .*110"),
        *((name, f"'{name}'") for name in ("class", "module", "logic", "table")),
        ("mf_mm_r2", r"rtl/.*mf_mm_r2\.sv"),
    ],
)
def test_a_name_that_no_module_can_have_is_refused(name: str, reason: str, tmp_path: Path) -> None:
    prefix = "core" * name.startswith("aa")
    with pytest.raises(ParameterError, match=reason):
        generate(design("mm_r2", width=8), tmp_path / "out", name=name, prefix=prefix)
    assert not (tmp_path / "out").exists()


def test_all_words_of_systemverilog_are_refused() -> None:
    words = (kind.removesuffix("Keyword") for kind in dir(TokenKind) if kind.endswith("Keyword"))
    spelled = {
        re.sub(r"(?<!^)(?=[A-Z0-9])", sep, word).lower() for word in words for sep in ("_", "")
    }
    keywords = [word for word in spelled if is_refused_by_slang(word)]
    assert len(keywords) > 200
    for word in keywords:
        with pytest.raises(ParameterError, match=f"'{word}'"):
            top_name("mf", word, "")


def is_refused_by_slang(name: str) -> bool:
    tree = SyntaxTree.fromText(f"module {name}; endmodule")
    return any(found.isError() for found in tree.diagnostics)
