# SPDX-License-Identifier: Apache-2.0
"""Welch's t of two classes of traces, sample by sample, and its threshold.

The threshold follows the number of samples that are tested, so that of all of them one is above it
with a probability of 1e-5 if the classes do not differ (Ding, Zhang, Durvaux, Standaert, Fei:
Towards Sound and Optimal Leakage Detection Procedure, CARDIS 2017, section 3): 4.4 for one sample,
7.0 for 5 million.
"""

from __future__ import annotations

import math
from statistics import NormalDist

from montforge.work.arrays import Marks, Reals, np

FALSE_ALARMS = 1e-5
"""Probability that samples without a difference show one."""
_ROUNDING = 1 / 12
"""Variance of the rounding of a count of toggles, so that equal counts have one, too."""


def threshold(samples: int) -> float:
    """Return the |t| that none of ``samples`` tests without a difference reaches but by chance."""
    each = -math.expm1(math.log1p(-FALSE_ALARMS) / samples)
    return NormalDist().inv_cdf(1 - each / 2)


class Classes:
    """Two classes of traces, of which ``second`` names those of the second, a column a trace."""

    def __init__(self, second: Marks) -> None:
        self._which = np.stack([~second, second]).astype(np.float64)
        self._counts = self._which.sum(axis=1)

    def moments(self, values: Reals) -> tuple[Reals, Reals]:
        """Return the means and the variances of both classes: two columns a row of ``values``."""
        means = values @ self._which.T / self._counts
        squares = (values * values) @ self._which.T / self._counts
        scale = self._counts / (self._counts - 1)
        return means, np.maximum(squares - means * means, 0) * scale

    def t(self, values: Reals, noise: float = 0.0) -> Reals:
        """Return Welch's t of each row, with ``noise`` as the variance of a noise beside it."""
        means, variances = self.moments(values)
        return self.welch(means, variances + noise)

    def welch(self, means: Reals, variances: Reals) -> Reals:
        """Return Welch's t from the moments of the classes."""
        spread = np.sqrt(((variances + _ROUNDING) / self._counts).sum(axis=1))
        return np.asarray((means[:, 0] - means[:, 1]) / spread)


def traces_needed(t: float, traces: int, limit: float) -> int:
    """Return how many traces bring a sample with ``t`` after ``traces`` to ``limit``."""
    return math.ceil(traces * (limit / t) ** 2)
