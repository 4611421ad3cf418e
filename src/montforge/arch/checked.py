# SPDX-License-Identifier: Apache-2.0
"""Parameter ``check`` of the cores whose quotient digits can be brought out."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from functools import cached_property

from montforge.arch.base import Core
from montforge.arch.parameter import silent_number
from montforge.contract import Contract
from montforge.hardware.check import RESIDUES, Checking, Tap
from montforge.hardware.forms import PARALLEL, Form


@dataclass(frozen=True)
class Checked(Core):
    """A core that checks its results modulo 2^check - 1 if parameter ``check`` is not 0."""

    residue: int = silent_number(
        "bits r of a check of each result modulo 2^r - 1, which err_o shows; 0 for none",
        RESIDUES,
        name="check",
    )

    @property
    @abstractmethod
    def tap(self) -> Tap:
        """The quotient digits."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.residue:
            return
        found = self._checking(self.residue)
        if not found.fits:
            reason = (
                f"is not legal: residues of the operands take {found.settle} cycles, and an"
                f" operation may take {found.soonest}"
            )
            fitting = [0, *(r for r in RESIDUES if self._checking(r).fits)]
            raise self.illegal("check", reason, max(fitting))

    def form_rule(self, name: str) -> str | None:
        """Return the condition on the parameters for form ``name``, if there is one."""
        return "no parameter check" if self.residue else super().form_rule(name)

    @cached_property
    def forms(self) -> tuple[str, ...]:
        """The names of the forms that there are: with parameter ``check`` the parallel one."""
        return (PARALLEL,) if self.residue else super().forms

    @property
    def own_forms(self) -> tuple[Form, ...]:
        """The forms of the core: with parameter ``check`` the parallel one in a module around."""
        return (self._checking(self.residue).form,) if self.residue else super().own_forms

    @property
    def reset_wait(self) -> int:
        """The most cycles from the end of a reset until ready: a check resets the core, too."""
        return int(bool(self.residue)) or super().reset_wait

    @property
    def core_contract(self) -> Contract:
        """The contract, with ``err_o`` if there is a check."""
        return self._checking(self.residue).checked if self.residue else super().core_contract

    def _checking(self, r: int) -> Checking:
        return Checking(self.parallel_contract, self.parallel_form, self.tap, r)
