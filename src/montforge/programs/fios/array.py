# SPDX-License-Identifier: Apache-2.0
"""An array of FIOS elements, and the cycle counts that follow from it."""

from __future__ import annotations

from dataclasses import dataclass

from montforge.programs.fios.microprogram import PUBLISHED, Element, microcode, program


@dataclass(frozen=True)
class Array:
    """An array of processing elements, with the cycle counts that follow from it.

    ``count`` elements form a ring, in which the iterations go round, or (``expanded``) a chain of
    one for each iteration.
    """

    element: Element
    words: int
    count: int
    expanded: bool = False

    @property
    def offset(self) -> int:
        """Cycles between the starts of two neighbours."""
        return microcode(self.element).offset

    @property
    def slots(self) -> int:
        """Issue cycles of one iteration."""
        return len(program(self.element, self.words))

    @property
    def digit_slot(self) -> int:
        """The issue cycle of an iteration in which m_i is there."""
        slots = program(self.element, self.words)
        return next(cycle for cycle, slot in enumerate(slots) if slot.load_m)

    @property
    def context(self) -> int:
        """Cycles between the starts of two iterations of one element.

        ``published`` lets the pipeline drain first: 2s + 5.
        """
        return self.slots + (self.element.level if self.element.variant == PUBLISHED else 0)

    @property
    def loop_delay(self) -> int:
        """Registers between the last element and the first, if there are few elements."""
        return 0 if self.expanded else max(self.context - self.count * self.offset, 0)

    @property
    def rotates(self) -> bool:
        """Whether an operation starts in the element after the one that ended the last."""
        return (
            self.element.variant != PUBLISHED
            and not self.expanded
            and self.loop_delay == 0
            and self.words % self.count != 0
        )

    @property
    def result_cycles(self) -> int:
        """Registers from the elements to the port of results: two if any element can end."""
        return 2 if self.rotates else 0

    def start(self, iteration: int) -> int:
        """Return the cycle in which an iteration starts."""
        return iteration * self.offset + iteration // self.count * self.loop_delay

    @property
    def core_cycles(self) -> int:
        """Cycles from the first issue to the last word, both included, as the paper counts."""
        return self.start(self.words - 1) + self.slots + self.element.level

    @property
    def interval(self) -> int:
        """Smallest distance of the starts of two operations.

        The first element must be free, and the last word of x must be on its way.
        """
        rounds = (self.words - 1) // self.count
        free = (self.words - self.count) if self.rotates else rounds * self.count
        last_x = 2 * (self.words - 1) if self.expanded else self.start(self.words - 1)
        busy = free * self.offset + rounds * self.loop_delay + self.context
        return max(busy, last_x + 2)


def fewest_elements(element: Element, words: int) -> int:
    """Return the number of elements that a ring needs to go round without waiting."""
    ring = Array(element, words, 1)
    return -(-ring.context // ring.offset)
