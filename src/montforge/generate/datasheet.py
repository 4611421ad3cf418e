# SPDX-License-Identifier: Apache-2.0
"""The datasheet of a design, for people (README.md) and for programs (contract.json)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from montforge.arch.base import Design
from montforge.contract import Contract
from montforge.generate.testbench import is_legal
from montforge.generate.text import VERSION, table


@dataclass(frozen=True)
class _Example:
    """A product of residues through the Montgomery domain, with this design's exact results."""

    n: int
    x: int
    y: int
    r2: int
    steps: tuple[tuple[str, int, int, int], ...]
    product: int


def _example(design: Design) -> _Example:
    contract = design.contract
    top = 199 if contract.width >= 8 else (1 << contract.width) - 1
    n = next(n for n in range(top, 2, -1) if is_legal(contract, n))
    x, y = n * 2 // 3, n - 2
    r2 = contract.domain_constants(n)["r2_mod_n"]
    steps: list[tuple[str, int, int, int]] = []

    def multiply(step: str, a: int, b: int) -> int:
        result = design.golden(a, b, n)
        steps.append((step, a, b, result))
        return result if contract.operand_bound.contains(result, n) else result % n

    x_domain = multiply("X = MM(x, R^2 mod n)", x, r2)
    y_domain = multiply("Y = MM(y, R^2 mod n)", y, r2)
    product = multiply("P = MM(X, Y)", x_domain, y_domain)
    multiply("p = MM(P, 1)", product, 1)
    return _Example(n, x, y, r2, tuple(steps), x * y % n)


def _latency_class(contract: Contract) -> str:
    return "constant time" if contract.latency.is_fixed else "data dependent"


def _security(contract: Contract) -> str:
    if contract.latency.is_fixed:
        return (
            "The number of clock cycles is the same for all operands and all moduli. This is said"
            " of time alone: the power that the core draws and what it radiates depend on the"
            " data, and nothing here masks or blinds them."
        )
    return (
        "The number of clock cycles depends on the operands and on the modulus, so whoever can"
        " time operations learns something of both. Use it for public data (checking signatures),"
        " or blind every secret operand before it gets here; for secret operands prefer a design"
        " whose latency class is constant time. Power and radiation depend on the data too."
    )


def contract_data(design: Design, command: str) -> dict[str, object]:
    """Return the content of contract.json."""
    contract, architecture = design.contract, design.architecture
    example = _example(design)
    return {
        "name": design.name,
        "title": architecture.title,
        **contract.to_json(),
        "latency_class": _latency_class(contract),
        "formulas": dict(architecture.formulas),
        "conversion": {"into": "MM(x, R^2 mod n)", "out_of": "MM(x, 1)"},
        "example": {
            "n": hex(example.n),
            "x": hex(example.x),
            "y": hex(example.y),
            "r2_mod_n": hex(example.r2),
            "constants": {k: hex(v) for k, v in contract.constants(example.n).items()},
            "steps": [
                {"step": step, "a": hex(a), "b": hex(b), "result": hex(result)}
                for step, a, b, result in example.steps
            ],
            "product": hex(example.product),
        },
        "citation": str(architecture.citation),
        "errata": list(architecture.errata),
        "montforge": VERSION,
        "command": command,
    }


def datasheet_fields(
    design: Design, command: str, *, flat_verilog: bool, seed: int
) -> dict[str, str]:
    """Return the fields of the template README.md."""
    contract, architecture = design.contract, design.architecture
    example = _example(design)
    arguments = [repr(architecture.name), *(f"{k}={v!r}" for k, v in design.values)]
    options = [
        f"Path({design.name!r})",
        *(["flat_verilog=True"] if flat_verilog else []),
        f"seed={seed}",
    ]
    constants = contract.constants(example.n)
    return {
        "architecture": architecture.name,
        "parameters": ", ".join(f"{k} = {v}" for k, v in design.values),
        "r": contract.r_text,
        "modulus_rule": str(contract.modulus),
        "latency_class": _latency_class(contract),
        "security": _security(contract),
        "command": command,
        "python_command": f"generate(design({', '.join(arguments)}), {', '.join(options)})",
        "contract_table": _contract_table(contract),
        "notes": "".join(f"\n- {note}" for note in contract.notes) + "\n" * bool(contract.notes),
        "supplies": _supplies(contract),
        "reduce_hint": _reduce_hint(contract),
        "feedback": _feedback(contract),
        "example_n": f"{example.n:#x}",
        "example_r2": f"{example.r2:#x}",
        "example_constants": "".join(f", {k} = {v:#x}" for k, v in constants.items()),
        "example_x": f"{example.x:#x}",
        "example_y": f"{example.y:#x}",
        "example_table": table(
            ("step", "a", "b", "result", "result mod n"),
            (
                (step, f"{a:#x}", f"{b:#x}", f"{result:#x}", f"{result % example.n:#x}")
                for step, a, b, result in example.steps
            ),
        ),
        "example_product": f"{example.product:#x}",
        "ports_table": table(
            ("port", "direction", "bits", "meaning"),
            ((f"`{p.name}`", p.direction, str(p.width), p.meaning) for p in contract.ports),
        ),
        "encoding": _encoding(contract),
        "timing_table": _timing_table(design),
        "handover": str(contract.handover),
        "handover_text": (
            "it" if contract.handover == 0 else f"another {contract.handover} edge(s)"
        ),
        "citation": str(architecture.citation),
        "errata": _errata(architecture.errata),
    }


def _contract_table(contract: Contract) -> str:
    return table(
        ("quantity", "promise"),
        (
            ("result", "p = a b R^-1 (mod n)"),
            ("R", contract.r_text),
            ("modulus n", str(contract.modulus)),
            ("operands a, b", f"{contract.operand_bound} ({contract.operand_encoding.kind})"),
            ("result p", f"{contract.result_bound} ({contract.result_encoding.kind})"),
        ),
    )


def _supplies(contract: Contract) -> str:
    rows = [(f"`{c.name}_i`", f"{c.width}", c.formula) for c in contract.constants_spec]
    if contract.takes_modulus:
        rows.insert(0, ("`n_i`", str(contract.width), "the modulus n"))
    supplied = table(("port", "bits", "value"), rows)
    intro = "With each request, beside a and b"
    if not contract.takes_modulus:
        intro += " (n itself is not an input)"
    return f"{intro}:\n\n{supplied}"


def _reduce_hint(contract: Contract) -> str:
    bound = str(contract.result_bound).replace("x", "p")
    return " (it is reduced already)" if bound == "0 <= p < n" else f" ({bound})"


def _feedback(contract: Contract) -> str:
    if contract.is_closed(5) and contract.is_closed(7):  # n mod 4 = 1 and 3
        return "Results may be fed back as operands without limit, for every legal n."
    return (
        "Results are not always legal operands: reduce a result that exceeds the operand bound"
        " before it is used again (see the bounds above)."
    )


def _encoding(contract: Contract) -> str:
    sentences = []
    for name, encoding in (
        ("operands", contract.operand_encoding),
        ("result", contract.result_encoding),
    ):
        if encoding.kind == "carry_save":
            sentences.append(
                f"The {name} are carry-save pairs: the value is the sum of the `_s` vector"
                f"{' (two' + chr(39) + 's complement)' if encoding.signed else ''}"
                " and the `_c` vector (unsigned)."
            )
        elif encoding.signed:
            sentences.append(f"The {name} are in two's complement.")
    return " ".join(sentences) or "All numbers are unsigned binary."


def _timing_table(design: Design) -> str:
    contract = design.contract
    rows = [
        ("latency (cycles)", _cycles_text(contract.latency.minimum, contract.latency.maximum)),
        ("`rsp_valid_o`", f"{contract.handover} cycle(s) after the result"),
        (
            "interval of requests (cycles)",
            _cycles_text(contract.interval.minimum, contract.interval.maximum),
        ),
    ]
    named = {"R"}
    rows += [
        (f"{quantity} (formula)", formula)
        for quantity, formula in design.architecture.formulas
        if quantity not in named
    ]
    return table(("quantity", "value"), rows)


def _cycles_text(minimum: int, maximum: int) -> str:
    if minimum == maximum:
        return f"{minimum}, always"
    return f"{minimum} to {maximum}, depending on the data"


def _errata(errata: Sequence[str]) -> str:
    if not errata:
        return ""
    lines = "\n".join(f"- {text}" for text in errata)
    return f"Where this form leaves the paper, and why:\n\n{lines}\n\n"


def files_table(name: str, helpers: Sequence[str], *, flat_verilog: bool) -> str:
    """Return the table of the folder's files."""
    rows = [
        (f"`rtl/{name}.sv`", "the design: a wrapper with fixed parameters"),
        ("`rtl/*/`", "the library files that it needs"),
        *((f"`{path}`", "helper for its users, no part of the design") for path in helpers),
        *([(f"`flat/{name}.v`", "the same as one plain Verilog-2005 module")] * flat_verilog),
        (f"`{name}.f`", "RTL files in compile order"),
        (f"`{name}.core`", "FuseSoC core (targets default, sim, lint, ecp5, ultrascale)"),
        ("`vivado.tcl`", "batch script for Vivado, not run by montforge"),
        (f"`{name}.sdc`", "timing constraints"),
        ("`tb/`", "self-checking testbench and vectors"),
        ("`contract.json`", "the contract, for programs"),
        ("`NOTICE`, `LICENSE`", "who owns what; the library's licence"),
    ]
    return table(("file", "content"), rows)
