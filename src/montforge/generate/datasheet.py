# SPDX-License-Identifier: Apache-2.0
"""The datasheet of a design, for people (README.md) and for programs (contract.json)."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from montforge.arch.base import Core
from montforge.contract import Contract, Cycles, Operation
from montforge.generate.text import VERSION
from montforge.hardware.forms import PARALLEL
from montforge.prove.verdicts import CHECKS, Standing, stored_verdict

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
    constants: Mapping[str, int]
    steps: tuple[tuple[str, Operation, int], ...]
    answer: int

    @property
    def operands(self) -> list[str]:
        """The names of an operation's operands."""
        return [name for name in self.steps[0][1] if name != "n"]


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
    constants = {"R^2 mod n": contract.domain_constants(n)["r2_mod_n"], **design.constants(n)}
    return _Example(n, values, constants, steps, function.residue(1, {**vector, "n": n}))


def _is_multiplier(contract: Contract) -> bool:
    return contract.function.name == "montgomery_product"


def _latency_class(contract: Contract) -> str:
    return "constant time" if contract.constant_time else "data dependent"


def _verdicts(design: Core) -> dict[str, Standing]:
    return {check: stored_verdict(design, check) for check in CHECKS}


def contract_data(design: Core, name: str, command: str) -> dict[str, object]:
    """Return the content of contract.json, with the top module's ``name``."""
    contract = design.contract
    example = _example(design)
    return {
        "name": name,
        "title": design.title,
        **design.contract_json(),
        "latency_class": _latency_class(contract),
        "verdicts": {check: each.to_json() for check, each in _verdicts(design).items()},
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
    design: Core, name: str, *, flat_verilog: bool, seed: int
) -> dict[str, object]:
    """Return the fields of the template README.md of a folder whose top is ``name``."""
    contract = design.contract
    asked = [field.name for field in contract.inputs if field.role not in ("modulus", "constant")]
    own = [field.meaning.partition(":")[2] for field in contract.results[1:]]
    errors = [text.strip().removeprefix("0 none, ") for text in own] or ["15 aborted"]
    return {
        "parallel": design.form == PARALLEL,
        "parameters": ", ".join(f"{k} = {v}" for k, v in design.parameters.items()),
        "latency_class": _latency_class(contract),
        "verdicts": _verdicts(design),
        "python_command": _python_command(design, name, flat_verilog=flat_verilog, seed=seed),
        "requested": " and ".join(filter(None, [", ".join(asked[:-1]), asked[-1]])),
        "example": _example(design),
        "hex": hex,
        "encoding": _encoding(contract),
        "latency": _cycles_text(contract, contract.latency),
        "interval": _cycles_text(contract, contract.interval),
        "header": _header(design.hardware.files[-1]),
        "errors": [*errors, *["16 nothing is loaded"] * (contract.load is not None)],
    }


def _python_command(design: Core, name: str, *, flat_verilog: bool, seed: int) -> str:
    """Return the call of `montforge.generate.generate` that makes the folder again."""
    values = design.parameters.items()
    dotted = ", ".join(f"{k!r}: {v!r}" for k, v in values if "." in k)
    arguments = [repr(design.name), *(f"{k}={v!r}" for k, v in values if "." not in k)]
    arguments += [f"**{{{dotted}}}"] * bool(dotted)
    options = [f"Path({name!r})"]
    options += ["flat_verilog=True"] * flat_verilog
    options += [f"name={name!r}"] * (name != design.identifier)
    options += [f"seed={seed}"]
    form = "" if design.form == PARALLEL else f".with_form({design.form!r})"
    return f"generate(design({', '.join(arguments)}){form}, {', '.join(options)})"


def _header(path: Path) -> list[str]:
    """Return the comment that an RTL file begins with, behind the line of its licence."""
    lines = path.read_text("utf-8").splitlines()
    licensed = 2 if "SPDX" in lines[0] else 0
    return [
        line[3:] for line in itertools.takewhile(lambda x: x.startswith("//"), lines[licensed:])
    ]


def _encoding(contract: Contract) -> str:
    sentences = []
    for begin, encoding in (
        ("The operands are", contract.operand_encoding),
        ("The result is", contract.result_encoding),
    ):
        if encoding.kind == "carry_save":
            sentences.append(
                f"{begin} in carry-save form: the value is the sum of the `_s` vector"
                f"{' (two' + chr(39) + 's complement)' if encoding.signed else ''}"
                " and the `_c` vector (unsigned)."
            )
        elif encoding.signed:
            sentences.append(f"{begin} in two's complement.")
    return " ".join(sentences) or "All numbers are unsigned binary."


def _cycles_text(contract: Contract, cycles: Cycles) -> str:
    if cycles.is_fixed:
        return f"{cycles.minimum}, always"
    to = "to" if cycles.attained else "to at most"
    cause = " and ".join(contract.public) or "the data"
    if contract.latency.is_fixed:
        cause = "the cycle of the request"
    return f"{cycles.minimum} {to} {cycles.maximum}, depending on {cause}"
