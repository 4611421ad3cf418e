# SPDX-License-Identifier: Apache-2.0
"""SystemVerilog text that depends on a design: literals, declarations, bindings."""

from __future__ import annotations

from collections.abc import Iterable

from montforge.contract import Port


def literal(value: int) -> str:
    """Return an integer parameter as a Verilog literal; a sized one if it exceeds 31 bits.

    A positive one has the bits that the value needs, so that a packed table whose top bit is 1 has
    its own size: Verilator warns of any other.
    """
    if abs(value) < 1 << 31:
        return str(value)
    if value < 0:
        return f"-{value.bit_length() + 1}'sh{-value:x}"
    return f"{value.bit_length()}'h{value:x}"


def bindings(pairs: Iterable[tuple[str, str]]) -> str:
    """Return named parameter or port bindings, one a line."""
    return ",\n".join(f"    .{name}({value})" for name, value in pairs)


def declaration(port: Port) -> str:
    """Return the declaration of a port, without the separator before the next."""
    size = f"[{port.width - 1}:0] " if port.width > 1 else ""
    return f"{port.direction:<6} logic {size}{port.name}"
