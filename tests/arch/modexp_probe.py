# SPDX-License-Identifier: Apache-2.0
"""The exponentiator in ``modexp_probe.sv``, which has operands and results more."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from montforge.arch.base import Parameters
from montforge.arch.modexp import Modexp
from montforge.contract import BitBound, Contract, Encoding, Field


class Probe(Modexp):
    """Operands: a single product, the last factor, when to abort.

    Results: a hash, what is left after it and before.
    """

    name = "modexp_probe"
    rtl_top = "modexp_probe"
    rtl_files = (*Modexp.rtl_files, str(Path(__file__).with_name("modexp_probe.sv")))

    def contract(self, parameters: Parameters) -> Contract:
        """Return the contract with six fields more and no control."""
        contract = super().contract(parameters)

        def field(name: str, role: str, bits: int) -> Field:
            return Field(name, role, Encoding("binary", bits), BitBound(bits))  # type: ignore[arg-type]

        operands = (
            field("product", "operand", 1),
            field("leave", "operand", contract.width),
            field("abort_at", "operand", 16),
        )
        results = (
            field("trace", "result", 32),
            field("left", "result", 1),
            field("found", "result", 1),
        )
        fields = (*contract.inputs, *operands, *contract.results, *results)
        return replace(contract, fields=fields, controls=())
