# SPDX-License-Identifier: Apache-2.0
"""The bench's random words."""

from __future__ import annotations

from collections.abc import Iterator

MASK = (1 << 64) - 1


def bench_words(seed: int) -> Iterator[int]:
    """Yield the words of bench.cpp's random source (splitmix64, the upper halves)."""
    state = seed * 0x9E3779B97F4A7C15 + 0x1234567 & MASK
    while True:
        state = state + 0x9E3779B97F4A7C15 & MASK
        z = state
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & MASK
        z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK
        yield z >> 32
