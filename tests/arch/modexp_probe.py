# SPDX-License-Identifier: Apache-2.0
"""The exponentiator in ``modexp_probe.sv``, which has operands and results more."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from montforge.arch.modexp import Modexp
from montforge.contract import BitBound, Contract, Encoding, Field


@dataclass(frozen=True)
class Probe(Modexp):
    """Operands: a single product, when to abort.

    Results: a hash, what is left after it and before.
    """

    name = "modexp_probe"
    module = "modexp_probe"
    library = (*Modexp.library, str(Path(__file__).with_name("modexp_probe.sv")))

    @cached_property
    def parallel_contract(self) -> Contract:
        """The contract with five fields more and no control."""
        contract = super().parallel_contract

        def field(name: str, role: str, bits: int) -> Field:
            return Field(name, role, Encoding("binary", bits), BitBound(bits))  # type: ignore[arg-type]

        operands = (
            field("product", "operand", 1),
            field("abort_at", "operand", 16),
        )
        results = (
            field("trace", "result", 32),
            field("left", "result", 1),
            field("found", "result", 1),
        )
        fields = (*contract.inputs, *operands, *contract.results, *results)
        return replace(contract, fields=fields, controls=())
