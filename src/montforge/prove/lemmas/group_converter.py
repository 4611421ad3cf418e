# SPDX-License-Identifier: Apache-2.0
"""The lemmas on mf_group_converter and the register of its sums: theorem converted, Groups.v."""

from __future__ import annotations

from dataclasses import dataclass

from montforge.prove.statement import (
    Expression,
    Lemma,
    Operand,
    either,
    following,
    least,
    net,
    part,
    pow2,
    size,
)

g = size("g")
"""The number of a group of bits."""


@dataclass(frozen=True)
class GroupConverter:
    """A mf_group_converter of ``width`` bits, whose sums are in ``register`` from bit ``low`` on.

    ``cycles`` is its parameter.
    """

    name: str
    width: Expression
    group: Expression
    register: Expression
    low: Operand
    cycles: int

    @property
    def bits(self) -> Expression:
        """The bits of group g."""
        return least(self.group, self.width - g * self.group)

    @property
    def groups(self) -> Expression:
        """The number of groups."""
        return (self.width + self.group - 1) // self.group

    @property
    def carries(self) -> Expression:
        """The carries out of the groups."""
        return net(f"{self.name}.carries", self.groups)

    @property
    def started(self) -> Expression:
        """The first cycle after the start."""
        return net(f"{self.name}.started_q")

    def _found(self, of: str) -> Expression:
        """Return what is known of all groups in the first cycle, or in registers after it."""
        name = of if self.cycles == 2 else f"gen_three_cycles.{of}_q"
        return net(f"{self.name}.{name}", self.groups)

    def of(self, vector: Expression, low: Operand = 0) -> Expression:
        """Return the bits of group g of a vector that begins at bit ``low``."""
        return part(vector, low + g * self.group, self.bits)

    def sums(self, given: tuple[Expression, ...], pair: Expression, carry: Expression) -> Lemma:
        """Return the lemma on the first cycle, in which all of ``given`` hold.

        ``pair`` is the sum of group g of both vectors, ``carry`` is added to the lowest one.
        """
        generates, propagates = self._found("generates"), self._found("propagates")
        if self.cycles == 3:
            generates, propagates = following(generates), following(propagates)
        sums = self.of(following(self.register), self.low)
        return Lemma(
            "sums",
            given,
            (
                (sums + pow2(self.bits) * part(generates, g)).eq(pair + either(g.eq(0), carry, 0)),
                part(propagates, g).eq(either(pair.eq(pow2(self.bits) - 1), 1, 0)),
            ),
            "The sums of groups, and whether a carry leaves one or would pass it.",
            each=("g", self.groups),
        )

    def increments(self, given: tuple[Expression, ...]) -> Lemma:
        """Return the lemma on the last cycle, in which all of ``given`` hold."""
        into = ((2 * self.carries) // pow2(g)) % 2
        return Lemma(
            "increments",
            given,
            (
                self.of(following(self.register), self.low).eq(
                    (self.of(self.register, self.low) + into) % pow2(self.bits)
                ),
            ),
            "Each group takes the carry from below.",
            cut=(f"{self.name}.carries",),
            each=("g", self.groups),
        )

    def look_ahead(
        self, given: tuple[Expression, ...], still: tuple[Expression, ...]
    ) -> tuple[Lemma, ...]:
        """Return the lemmas on the carries, found after a cycle with ``given``.

        In a cycle with ``still`` the register has what it had, and the carries into it.
        """
        generates, propagates = self._found("generates"), self._found("propagates")
        later, carries = following(self.carries), self.carries
        below = ((2 * later) // pow2(g)) % 2
        passed = either(part(propagates, g).eq(1), below, 0)
        return (
            Lemma(
                "look_ahead",
                given,
                (((later // pow2(g)) % 2).eq(either(part(generates, g).eq(1), 1, passed)),),
                "The carries out of the groups but the topmost one.",
                cut=tuple(str(each.arguments[0]) for each in (generates, propagates)),
                each=("g", self.groups - 1),
            ),
            Lemma(
                "no_carries",
                (self.started.eq(0),),
                ((carries if self.cycles == 2 else later).eq(0),),
            ),
            Lemma(
                "rests",
                (*still, carries.eq(0)),
                (following(self.register).eq(self.register),),
                cut=(f"{self.name}.carries",),
            ),
        )
