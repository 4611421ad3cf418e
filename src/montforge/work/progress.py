# SPDX-License-Identifier: Apache-2.0
"""Progress of long work, as a number of finished jobs."""

from __future__ import annotations

from collections.abc import Callable

ProgressFunction = Callable[[int, int], None]
"""Called with the units of work that are done and the units in all."""


class Progress:
    """Counts finished jobs of an expected total that may turn out smaller or larger."""

    def __init__(self, report: ProgressFunction | None, total: int) -> None:
        """Start at 0 of ``total``; ``report`` may be None."""
        self._report = report
        self._done = 0
        self._total = total
        self._call()

    def step(self) -> None:
        """Count one more job."""
        self._done += 1
        self._total = max(self._total, self._done)
        self._call()

    def finish(self) -> None:
        """Count all jobs as done."""
        self._done = self._total
        self._call()

    def _call(self) -> None:
        if self._report is not None:
            self._report(self._done, self._total)
