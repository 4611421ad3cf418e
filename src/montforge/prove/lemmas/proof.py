# SPDX-License-Identifier: Apache-2.0
"""What there is to prove the contracts of an architecture's designs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from montforge.arch import Core
from montforge.prove.statement import Lemma

ALL = "all"


def _no_sizes(design: Core) -> Mapping[str, int]:
    return {}


def _nothing(design: Core) -> str:
    return ""


def _name(design: Core) -> str:
    return design.name


@dataclass(frozen=True)
class Proof:
    """The lemmas on an architecture's RTL, and the theorem from which its contract follows.

    ``lacks`` says for which of its parameters a design has no lemmas, or nothing; ``scope`` which
    designs have, in words. ``sizes`` are those that lemmas may hang on beside the width and the
    parameters that are integers; ``theorem`` is a file in the folder ``proofs``.
    """

    lemmas: Callable[[Any], tuple[Lemma, ...]]
    scope: str = ALL
    lacks: Callable[[Any], str] = _nothing
    sizes: Callable[[Any], Mapping[str, int]] = _no_sizes
    theorem: Callable[[Any], str] = _name

    @classmethod
    def of(
        cls,
        lemmas: tuple[Lemma, ...],
        sizes: Callable[[Any], Mapping[str, int]] = _no_sizes,
        **only: int | str,
    ) -> Proof:
        """Return the proof of designs with the values ``only``, which have the same lemmas."""

        def lacks(design: Core) -> str:
            given = {name: design.parameters[name] for name in only}
            return ", ".join(
                f"{name} = {given[name]}" for name in only if given[name] != only[name]
            )

        words = ", ".join(f"`{name}={value}`" for name, value in only.items())
        return cls(lambda _: lemmas, words or ALL, lacks, sizes)
