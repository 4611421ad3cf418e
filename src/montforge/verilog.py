# SPDX-License-Identifier: Apache-2.0
"""SystemVerilog text that depends on a design: literals, declarations, bindings."""

from __future__ import annotations

from collections.abc import Iterable

from montforge.contract import Port


def literal(value: int) -> str:
    """Return an integer parameter as a Verilog literal; a sized one if it exceeds 31 bits."""
    if abs(value) < 1 << 31:
        return str(value)
    sign = "-" if value < 0 else ""
    return f"{sign}{abs(value).bit_length() + 1}'sh{abs(value):x}"


def bindings(pairs: Iterable[tuple[str, str]]) -> str:
    """Return named parameter or port bindings, one a line."""
    return ",\n".join(f"    .{name}({value})" for name, value in pairs)


def declaration(port: Port) -> str:
    """Return the declaration of a port, without what separates it from the next."""
    size = f"[{port.width - 1}:0] " if port.width > 1 else ""
    return f"{port.direction:<6} logic {size}{port.name}"
