# SPDX-License-Identifier: Apache-2.0
"""The datasheet of a design, for people (README.md) and for programs (contract.json)."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from montforge.arch.base import Core
from montforge.contract import Contract, Cycles, Operation
from montforge.generate.names import driven_name, simulated_name
from montforge.generate.text import VERSION, table
from montforge.hardware.forms import PARALLEL
from montforge.work.templates import render

EXAMPLES = {
    "montgomery_product": (
        ("x", "y"),
        ("X = MM(x, R^2 mod n)", "Y = MM(y, R^2 mod n)", "P = MM(X, Y)", "p = MM(P, 1)"),
    ),
    "common_product": (("x", "y"), ("p = MM(x, y R mod n)",)),
    "modular_product": (("a", "b"), ("p = a b mod n",)),
    "montgomery_square": (("x",), ("P = MS(x R mod n)",)),
    "power": (("x", "e"), ("y = x^e mod n",)),
}
"""For each function the names of its plain operands, and a sentence for each operation of
`Function.compute`."""


@dataclass(frozen=True)
class _Example:
    """A plain operation done by this design, with the exact result of each step."""

    n: int
    values: Mapping[str, int]
    steps: tuple[tuple[str, Operation, int], ...]
    answer: int


def _example(design: Core) -> _Example:
    contract, function = design.contract, design.contract.function
    rule = contract.modulus
    top = max(199 if contract.width >= 8 else (1 << contract.width) - 1, rule.minimum)
    n = rule.only or next(n for n in range(top, 2, -1) if rule.is_legal(n))
    given = zip(function.plain_operands, (n * 2 // 3, n - 2), strict=False)
    vector = {k: function.fixed.get(k, v & (1 << contract.field(k).width) - 1) for k, v in given}
    done: list[tuple[Operation, int]] = []

    def run(operations: list[Operation]) -> list[int]:
        results = [design.golden(**operation) for operation in operations]
        done.extend(zip(operations, results, strict=True))
        return results

    function.compute(contract, [{**vector, "n": n}], run)
    names, texts = EXAMPLES[function.name]
    steps = tuple((text, *step) for text, step in zip(texts, done, strict=True))
    values = dict(zip(names, vector.values(), strict=True))
    return _Example(n, values, steps, function.residue(1, {**vector, "n": n}))


def _is_multiplier(contract: Contract) -> bool:
    return contract.function.name == "montgomery_product"


def _latency_class(contract: Contract) -> str:
    return "constant time" if contract.constant_time else "data dependent"


def _security(contract: Contract) -> str:
    if contract.latency.is_fixed:
        return (
            "The number of clock cycles is the same for all operands and all moduli. This is said"
            " of time alone: the power that the core draws and what it radiates depend on the"
            " data, and nothing here masks or blinds them."
        )
    if contract.constant_time:
        return (
            f"The number of clock cycles follows from {' and '.join(contract.public)} alone, which"
            " must be public; other operands and the modulus do not change it. This is said of time"
            " alone: the power that the core draws and what it radiates depend on the data, and"
            " nothing here masks or blinds them."
        )
    return (
        "The number of clock cycles depends on the operands and on the modulus, so whoever can"
        " time operations learns something of both. Use it for public data (checking signatures),"
        " or blind every secret operand before it gets here; for secret operands prefer a design"
        " whose latency class is constant time. Power and radiation depend on the data too."
    )


def contract_data(design: Core, name: str, command: str) -> dict[str, object]:
    """Return the content of contract.json, with the top module's ``name``."""
    contract = design.contract
    example = _example(design)
    return {
        "name": name,
        "title": design.title,
        **design.contract_json(),
        "latency_class": _latency_class(contract),
        "formulas": dict(design.formulas),
        **(
            {"conversion": {"into": "MM(x, R^2 mod n)", "out_of": "MM(x, 1)"}}
            if _is_multiplier(contract)
            else {}
        ),
        "example": {
            "n": hex(example.n),
            **{name: hex(value) for name, value in example.values.items()},
            "r2_mod_n": hex(contract.domain_constants(example.n)["r2_mod_n"]),
            "constants": {k: hex(v) for k, v in design.constants(example.n).items()},
            "steps": [
                {
                    "step": step,
                    **{key: hex(value) for key, value in operation.items() if key != "n"},
                    "result": hex(result),
                }
                for step, operation, result in example.steps
            ],
            "product" if _is_multiplier(contract) else "result": hex(example.answer),
        },
        "citation": str(design.citation),
        "errata": list(design.errata),
        "montforge": VERSION,
        "command": command,
    }


def datasheet_fields(
    design: Core, name: str, command: str, *, flat_verilog: bool, seed: int
) -> dict[str, str]:
    """Return the fields of the template README.md of a folder whose top is ``name``."""
    contract = design.contract
    example = _example(design)
    values = design.parameters.items()
    plain = [f"{k}={v!r}" for k, v in values if "." not in k]
    dotted = [f"{k!r}: {v!r}" for k, v in values if "." in k]
    arguments = [repr(design.name), *plain]
    arguments += [f"**{{{', '.join(dotted)}}}"] * bool(dotted)
    options = [
        f"Path({name!r})",
        *(["flat_verilog=True"] if flat_verilog else []),
        *([f"name={name!r}"] if name != design.identifier else []),
        f"seed={seed}",
    ]
    form = "" if design.form == PARALLEL else f".with_form({design.form!r})"
    return {
        "architecture": design.name,
        "form": "" if design.form == PARALLEL else f" in form `{design.form}`",
        "parameters": ", ".join(f"{k} = {v}" for k, v in values),
        "r": contract.r_text,
        "modulus_rule": str(contract.modulus),
        "latency_class": _latency_class(contract),
        "security": _security(contract),
        "command": command,
        "python_command": f"generate(design({', '.join(arguments)}){form}, {', '.join(options)})",
        "contract_table": _contract_table(contract),
        "notes": "".join(f"\n- {note}" for note in contract.notes) + "\n" * bool(contract.notes),
        "supplies": _supplies(design),
        "formula": contract.function.formula,
        "usage": render(f"usage_{contract.function.name}.md.in", _usage_fields(design, example)),
        "ports_table": table(
            ("port", "direction", "bits", "meaning"),
            ((f"`{p.name}`", p.direction, str(p.width), p.meaning) for p in design.ports),
        ),
        "encoding": _encoding(contract),
        "timing_table": _timing_table(design),
        "protocol": _protocol(design),
        "citation": str(design.citation),
        "errata": _errata(design.errata),
    }


def _usage_fields(design: Core, example: _Example) -> dict[str, str]:
    contract = design.contract
    names = [name for name in contract.function.operands if name != "n"]
    constants = design.constants(example.n)
    return {
        "leaving": "".join(f"   - {step};\n" for step in contract.leaving)
        or "   - p is below n already;\n",
        "feedback": _feedback(contract),
        "example_n": f"{example.n:#x}",
        "example_constants": ", ".join(
            f"{name} = {value:#x}"
            for name, value in {
                "R^2 mod n": contract.domain_constants(example.n)["r2_mod_n"],
                **constants,
            }.items()
        ),
        "example_values": ", ".join(f"{name} = {v:#x}" for name, v in example.values.items()),
        "example_table": table(
            ("step", *names, "result", "result mod n"),
            (
                (
                    step,
                    *(f"{operation[name]:#x}" for name in names),
                    f"{result:#x}",
                    f"{result % example.n:#x}",
                )
                for step, operation, result in example.steps
            ),
        ),
        "example_answer": f"{example.answer:#x}",
    }


def _contract_table(contract: Contract) -> str:
    fields = [field for field in contract.fields if field.bound is not None]
    return table(
        ("quantity", "promise"),
        (
            ("function", contract.function.formula),
            ("R", contract.r_text),
            ("modulus n", str(contract.modulus)),
            *((f"{field.role} {field.name}", field.promise) for field in fields),
        ),
    )


def _protocol(design: Core) -> str:
    """Return how the ports work; of a form with ports of its own what its RTL's header says."""
    if design.form == PARALLEL:
        handover = design.contract.handover
        text = "it" if handover == 0 else f"another {handover} edge(s)"
        fields = {"handover": str(handover), "handover_text": text}
        return render("protocol_parallel.md.in", fields)
    lines = design.hardware.files[-1].read_text("utf-8").splitlines()
    licensed = 2 if "SPDX" in lines[0] else 0
    header = itertools.takewhile(lambda line: line.startswith("//"), lines[licensed:])
    text = "\n".join(f"    {line[3:]}".rstrip() for line in header)
    fields = {"counting": design.interface.counting, "top": design.hardware.top, "header": text}
    text = render("protocol_other.md.in", fields)
    return text if design.interface.wrapper is None else text + _start(design.contract)


def _start(contract: Contract) -> str:
    """Return how software starts a core behind `mf_core_windows`."""
    loads = contract.load is not None
    load = ", ".join(contract.load.fields) if contract.load else ""
    own = [field.meaning.partition(":")[2] for field in contract.results[1:]]
    codes = [text.strip().removeprefix("0 none, ") for text in own] or ["15 aborted"]
    return render(
        "start_axi.md.in",
        {},
        load=f"   A new {load} is loaded first: 6 to COMMAND, 1 to CTRL, and step 3.\n" * loads,
        errors=", ".join([*codes, *["16 nothing is loaded"] * loads]),
    )


def _supplies(design: Core) -> str:
    contract = design.contract
    end = "_i" if design.form == PARALLEL else ""
    rows = [(f"`{c.name}{end}`", f"{c.width}", c.meaning) for c in contract.constants_spec]
    if contract.takes_modulus:
        rows.insert(0, (f"`n{end}`", str(contract.width), "the modulus n"))
    supplied = table(("port" if end else "name", "bits", "value"), rows)
    names = [f.name for f in contract.inputs if f.role not in ("modulus", "constant")]
    listed = " and ".join([", ".join(names[:-1]), names[-1]][-len(names) :])
    if not rows:
        return f"With each request {listed} alone: n and its constants are part of the hardware.\n"
    intro = f"With each request, beside {listed}"
    if not contract.takes_modulus:
        intro += " (n itself is not an input)"
    return f"{intro}:\n\n{supplied}"


def _feedback(contract: Contract) -> str:
    if contract.closed:
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


def _timing_table(design: Core) -> str:
    contract = design.contract
    handed = [("`rsp_valid_o`", f"{contract.handover} cycle(s) after the result")]
    rows = [
        ("latency (cycles)", _cycles_text(contract, contract.latency)),
        *handed * (design.form == PARALLEL),
        ("interval of requests (cycles)", _cycles_text(contract, contract.interval)),
    ]
    named = {"R"}
    of_parallel = "" if design.form == PARALLEL else ", parallel form"
    rows += [
        (f"{quantity} (formula{of_parallel})", formula)
        for quantity, formula in design.formulas
        if quantity not in named
    ]
    return table(("quantity", "value"), rows)


def _cycles_text(contract: Contract, cycles: Cycles) -> str:
    if cycles.is_fixed:
        return f"{cycles.minimum}, always"
    to = "to" if cycles.attained else "to at most"
    cause = " and ".join(contract.public) or "the data"
    return f"{cycles.minimum} {to} {cycles.maximum}, depending on {cause}"


def _errata(errata: Sequence[str]) -> str:
    if not errata:
        return ""
    lines = "\n".join(f"- {text}" for text in errata)
    return f"Where this form leaves the paper, and why:\n\n{lines}\n\n"


def flat_rows(
    name: str, *, flat_verilog: bool, with_models: bool, with_harness: bool = False
) -> list[tuple[str, str]]:
    """Return the rows of the flat Verilog, if there is any."""
    simulated = simulated_name(name)
    rows = [
        (f"`flat/{name}.v`", "the same as one plain Verilog-2005 module"),
        *[(f"`flat/{simulated}.v`", "with models of the primitives, to simulate")] * with_models,
        *[(f"`flat/{driven_name(name)}.v`", "the testbench's harness around it")] * with_harness,
    ]
    return rows * flat_verilog


def core_row(name: str, *, flat_verilog: bool) -> tuple[str, str]:
    """Return the row of the FuseSoC core."""
    targets = f"default, sim, lint, {'sim_flat, ecp5, ' * flat_verilog}ultrascale"
    return f"`{name}.core`", f"FuseSoC core (targets {targets})"


def files_table(
    name: str,
    helpers: Sequence[str],
    *,
    flat_verilog: bool,
    with_models: bool,
    with_harness: bool,
    with_custom: bool,
) -> str:
    """Return the table of the folder's files."""
    rows = [
        (f"`rtl/{name}.sv`", "the design: a wrapper with fixed parameters"),
        ("`rtl/*/`", "the library files that it needs"),
        *(
            [
                (
                    "`rtl/custom/`",
                    "modules for this design alone, whose names other folders may have, too: for"
                    " two of them in one chip generate each with a `--prefix` of its own",
                )
            ]
            * with_custom
        ),
        *((f"`{path}`", "helper for its users, no part of the design") for path in helpers),
        *flat_rows(
            name,
            flat_verilog=flat_verilog,
            with_models=with_models,
            with_harness=with_harness,
        ),
        (f"`{name}.f`", "RTL files in compile order"),
        core_row(name, flat_verilog=flat_verilog),
        ("`vivado.tcl`", "batch script for Vivado, not run by montforge"),
        (f"`{name}.sdc`", "timing constraints"),
        ("`tb/`", "self-checking testbench and vectors"),
        ("`contract.json`", "the contract, for programs"),
        ("`NOTICE`, `LICENSE`", "the licence of each file"),
    ]
    return table(("file", "content"), rows)
