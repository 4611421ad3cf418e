# SPDX-License-Identifier: Apache-2.0
"""NumPy, which an extra brings, loaded at its first use; names of the arrays' types."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from montforge.work.extras import Lazy

__all__ = ["Counts", "Marks", "Octets", "Reals", "Rows", "Weights", "Words", "np"]

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Words = NDArray[np.uint64]
    Octets = NDArray[np.uint8]
    Marks = NDArray[np.bool_]
    Rows = NDArray[np.intp]
    Counts = NDArray[np.int64]
    Weights = NDArray[np.float32]
    Reals = NDArray[np.float64]
else:
    np = Lazy("numpy", "prove")
    Words = Octets = Marks = Rows = Counts = Weights = Reals = Any
