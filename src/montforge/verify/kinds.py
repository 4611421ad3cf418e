# SPDX-License-Identifier: Apache-2.0
"""Verification of any design: the checks that its kind has."""

from __future__ import annotations

from functools import singledispatch
from typing import Any

from montforge.arch import Core, Design, Simulated
from montforge.arch.rsa.engine import Engine
from montforge.errors import ParameterError
from montforge.verify.engine import check, count_cycles
from montforge.verify.report import Report
from montforge.verify.runner import measure_core_cycles, verify_core


@singledispatch
def verify(design: Design | Simulated, **options: Any) -> Report:
    """Simulate the RTL of ``design``, check every response, and return the result.

    ``options`` are those of `montforge.verify.runner.verify_core` for a core, and of
    `montforge.verify.engine.check` for an RSA engine; both take ``operations``, ``seed``
    and ``progress``. Raises MontforgeError for arguments that are not legal. A mismatch is a
    result, not an error.
    """
    raise ParameterError(f"{design} is of a kind that has no checks.")


verify.register(Core | Simulated, verify_core)
verify.register(Engine, check)


@singledispatch
def measure_cycles(design: Design | Simulated, **options: Any) -> Report:
    """Count the cycles of right operations of the RTL, and return them.

    ``options`` are those of `montforge.verify.runner.measure_core_cycles` for a core, and of
    `montforge.verify.engine.count_cycles` for an RSA engine; both take ``samples``, ``seed`` and
    ``progress``. Raises MontforgeError for arguments that are not legal.
    """
    raise ParameterError(f"{design} is of a kind whose cycles are not counted.")


measure_cycles.register(Core | Simulated, measure_core_cycles)
measure_cycles.register(Engine, count_cycles)
