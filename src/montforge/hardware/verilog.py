# SPDX-License-Identifier: Apache-2.0
"""SystemVerilog text that depends on a design: templates, and functions that they use."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from montforge.contract import Port
from montforge.work.templates import render


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


def bindings(values: Mapping[str, str | int]) -> str:
    """Return named parameter or port bindings, one a line."""
    texts = {name: literal(v) if isinstance(v, int) else v for name, v in values.items()}
    return ",\n".join(f"    .{name}({text})" for name, text in texts.items())


def parameter_list(parameters: Mapping[str, str | int]) -> str:
    """Return the parameters of an instance, which follow its module's name; "" without any."""
    return f" #(\n{bindings(parameters)}\n  )" if parameters else ""


def same_names(ports: Iterable[Port]) -> dict[str, str]:
    """Return the binding of ports to signals of their names."""
    return {port.name: port.name for port in ports}


def size(port: Port) -> str:
    """Return the dimension of a port, with the space that follows it; nothing for one bit."""
    return f"[{port.width - 1}:0] " if port.width > 1 else ""


def declarations(ports: Iterable[Port]) -> str:
    """Return the declarations of a module's ports, one a line."""
    return ",\n".join(f"  {port.direction:<6} logic {size(port)}{port.name}" for port in ports)


def instance(
    module: str, parameters: Mapping[str, int], name: str, connections: Mapping[str, str]
) -> str:
    """Return an instance of a module."""
    return f"  {module}{parameter_list(parameters)} {name} (\n{bindings(connections)}\n  );\n"


def verilog(template: str, /, **fields: object) -> str:
    """Return a template of SystemVerilog, in which functions of this module can be used."""
    functions = (bindings, declarations, instance, parameter_list, size)
    return render(template, {each.__name__: each for each in functions}, **fields)
