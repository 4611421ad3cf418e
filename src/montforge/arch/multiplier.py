# SPDX-License-Identifier: Apache-2.0
"""The contract that multipliers and squarers have in common."""

from __future__ import annotations

from montforge.arch.base import Core
from montforge.contract import Bound, Contract, Cycles, Encoding, Field, Function, ModulusRule
from montforge.functions import MontgomeryProduct


def montgomery_contract(
    design: Core,
    *,
    r: int,
    modulus: ModulusRule,
    operand: tuple[Encoding, Bound],
    latency: Cycles,
    result: tuple[Encoding, Bound] | None = None,
    handover: int = 0,
    interval: Cycles | None = None,
    constants: tuple[Field, ...] = (),
    takes_modulus: bool = True,
    function: Function | None = None,
    notes: tuple[str, ...] = (),
) -> Contract:
    """Return the contract of a multiplier: operands a and b, n if it is taken, constants, p.

    ``result`` is as ``operand`` if it is not given. Without ``interval`` a request is accepted two
    cycles after the response to the one before is valid. ``function``: another than a Montgomery
    product, of operands a or a and b; constants carry an operand that no result is fed to.
    """
    function = function or MontgomeryProduct()
    n = Field("n", "modulus", Encoding("binary", modulus.width))
    return Contract(
        architecture=design.name,
        parameters=tuple(design.parameters.items()),
        function=function,
        width=modulus.width,
        r=r,
        modulus=modulus,
        fields=(
            *(
                Field(name, "operand", *operand, carried=name not in function.chained)
                for name in function.operands[:-1]
            ),
            *((n,) if takes_modulus else ()),
            *constants,
            Field("p", "result", *(result or operand)),
        ),
        latency=latency,
        handover=handover,
        interval=interval or latency.later(handover + 2),
        notes=notes,
    )
