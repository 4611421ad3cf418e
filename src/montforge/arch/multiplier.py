# SPDX-License-Identifier: Apache-2.0
"""The contract, and the arithmetic of models, that multipliers and squarers have in common."""

from __future__ import annotations

from montforge.arch.base import Core
from montforge.arch.carry_save_rows import COMPRESSOR_TREE
from montforge.contract import (
    Bound,
    Contract,
    Cycles,
    Derivation,
    Encoding,
    Field,
    Function,
    ModulusRule,
)
from montforge.functions import MontgomeryProduct
from montforge.integers import invert

TRUNCATED_PRODUCT = (
    *COMPRESSOR_TREE,
    "prim/mf_carry_lookahead.sv",
    "prim/mf_adder.sv",
    "booth/mf_booth_pkg.sv",
    "booth/mf_booth_recoder.sv",
    "digit/mf_booth_selected_rows.sv",
    "digit/mf_booth_rows.sv",
    "digit/mf_truncated_product.sv",
)
"""Files of a product that lacks columns, in compile order."""


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


def reduction(product: int, n: int, r: int) -> int:
    """Return ``(product + m n) / r`` with ``m = -product n^-1 mod r``.

    An algorithm that adds multiples of n and halves, log2(r) times, ends with this value,
    whatever the order of its additions: its quotient digits are the bits of m, which is unique.
    """
    return (product + -product * int(invert(n, r)) % r * n) // r


def centred(value: int, bits: int) -> int:
    """Return the residue of ``value`` mod 2^bits in [-2^(bits-1), 2^(bits-1))."""
    size = 1 << bits
    return (value + size // 2) % size - size // 2


def centred_reduction(product: int, n: int, bits: int) -> int:
    """Return `reduction` for r = 2^bits, with the m in [-r/2, r/2)."""
    return (product + centred(-product * pow(n, -1, 1 << bits), bits) * n) >> bits


def negative_inverse(n: int, bits: int) -> int:
    """Return n' = -n^-1 mod 2^bits in [-2^(bits-1), 2^(bits-1))."""
    return centred(-pow(n, -1, 1 << bits), bits)


def unit_multiple(n: int, bits: int) -> int:
    """Return the least positive multiple of n that is -1 modulo 2^bits."""
    return n * (-pow(n, -1, 1 << bits) % (1 << bits))


def inverse_field(name: str, bits: int, modulus: str) -> Field:
    """Return the constant field of -n^-1 mod 2^bits; ``modulus`` is 2^bits in words."""
    return Field.constant(name, bits, f"-n^-1 mod {modulus}", Derivation("inverse", bits))


def scaled_field(width: int, scale: int, *, signed: bool) -> Field:
    """Return the constant field of n-bar = (n n' + 1) / 2^scale, n' = -n^-1 mod 2^scale.

    With ``signed`` n' is centred, and n-bar is two's complement.
    """
    formula = f"(n n' + 1) / 2^{scale}, n' = -n^-1 mod 2^{scale}"
    if signed:
        formula += f" in [-2^{scale - 1}, 2^{scale - 1}); two's complement"
    return Field.constant("n_scaled", width, formula, Derivation("scaled", scale, signed))
