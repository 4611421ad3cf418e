# SPDX-License-Identifier: Apache-2.0
"""How long work reports that it goes on."""

from collections.abc import Callable

ProgressFunction = Callable[[int, int], None]
"""Called with the units of work that are done and the units in all."""
