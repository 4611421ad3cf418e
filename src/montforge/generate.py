# SPDX-License-Identifier: Apache-2.0
"""From a design to a folder that stands alone: RTL, constraints, testbench, datasheet.

The folder needs nothing of montforge. All of its text comes from the files in ``templates/``;
what depends on the design (ports, literals, tables) is rendered here, and the same call gives
the same bytes.
"""

from __future__ import annotations

import json
import random
import string
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import distribution, version
from importlib.resources import files
from pathlib import Path

from montforge.arch.base import Design, Operation, rtl_root
from montforge.cache import cache_root
from montforge.contract import Contract, Port
from montforge.errors import OperandError, OutputFolderError
from montforge.measure.nextpnr import nextpnr_options
from montforge.measure.targets import Fpga, find_target
from montforge.yosys import run_yosys, yosys_version

VERSION = version("montforge")

MARKER = ".montforge.json"
"""The file by which a folder is known to be one of ours, which may be replaced."""

ARCHITECTURE_CORNERS = 64
RANDOM_OPERATIONS = 6
ICARUS_OPERATIONS = 32
VIVADO_PART = "xczu7ev-ffvc1156-2-e"
"""What the Vivado script is for unless it is told; the device of the ZCU104 board."""
ECP5_TARGET = "ecp5-85k"
"""What the FuseSoC core's target ecp5 is for, with the options of `montforge measure`."""
YOSYS_TIMEOUT = 3600.0


def generate(design: Design, output: Path, *, flat_verilog: bool = False, seed: int = 1) -> Path:
    """Write ``design`` as a folder that stands alone and return the folder's absolute path.

    The folder has the library's RTL files that the design needs and a wrapper named
    ``design.name`` with fixed parameters and the ports of the contract (``rtl/``), a file list,
    a FuseSoC core file, timing constraints, a self-checking testbench with vectors made from
    ``seed`` (``tb/``, run by ``make``), a datasheet (``README.md``, ``contract.json``) and the
    licence. ``flat_verilog`` adds one file of plain Verilog-2005 (``flat/``), made by Yosys.

    ``output`` must not exist, be empty, or be a folder that this function wrote, which is
    replaced. The folder appears whole or not at all. Raises OutputFolderError, ToolMissingError,
    ToolFailedError, or ParameterError for a native form.
    """
    design.require_contract_ports()
    with _clear_errors(output):
        output = output.resolve()
        _check_replaceable(output)
    if flat_verilog:
        yosys_version()
    texts = _texts(design, flat_verilog=flat_verilog, seed=seed)

    def fill(folder: Path) -> None:
        for name, text in texts.items():
            _write(folder / name, text)
        if flat_verilog:
            _write(folder / "flat" / f"{design.name}.v", _flatten(design, folder))

    with _clear_errors(output):
        _replace(output, fill)
    return output


# ------------------------------------------------------------------ the output folder


@contextmanager
def _clear_errors(output: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise OutputFolderError(
            f"the output folder {output} can't be written: {error.strerror or error}."
            " Free disk space, fix the permissions, or name another folder."
        ) from None


def _check_replaceable(output: Path) -> None:
    if output.is_dir():
        ours = (output / MARKER).is_file()
        if not ours and any(output.iterdir()):
            raise OutputFolderError(
                f"the output folder {output} exists and was not made by montforge (it has no"
                f" {MARKER}); name a new or an empty folder."
            )
    elif output.exists():
        raise OutputFolderError(
            f"the output {output} exists and is not a folder; name a new or an empty folder."
        )


def _replace(output: Path, fill: Callable[[Path], None]) -> None:
    """Put a folder made by ``fill`` in the place of ``output``, or leave all as it was."""
    output.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(
        prefix=f".{output.name}.", dir=output.parent, ignore_cleanup_errors=True
    ) as scratch:
        new, old = Path(scratch) / "new", Path(scratch) / "old"
        new.mkdir()
        fill(new)
        if output.exists():
            output.rename(old)
        try:
            new.rename(output)
        except BaseException:
            if old.exists():
                old.rename(output)
            raise


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")


def _library_path(path: Path) -> str:
    """Return where a file of the RTL library lies in the folder."""
    return f"rtl/{path.relative_to(rtl_root()).as_posix()}"


# ------------------------------------------------------------------ all files


def _texts(design: Design, *, flat_verilog: bool, seed: int) -> dict[str, str]:
    """Return all files of the folder by path, apart from the flat Verilog."""
    name, contract = design.name, design.contract
    library = {_library_path(path): path.read_text("utf-8") for path in design.rtl_files}
    helpers = {_library_path(path): path.read_text("utf-8") for path in design.rtl_helpers}
    rtl = [*library, f"rtl/{name}.sv"]
    # Models of a vendor's primitives, which its own tools bring along.
    models = [path for path in library if not Path(path).name.startswith("mf_")]
    synthesized = [path for path in rtl if path not in models]
    operations = _operations(design, seed)
    common = {
        "name": name,
        "title": design.architecture.title,
        "version": VERSION,
        "ownership": f"Generated by montforge {VERSION}; belongs to whoever generated it"
        " (see NOTICE).",
        "icarus_operations": str(ICARUS_OPERATIONS),
        "vivado_part": VIVADO_PART,
    }
    command = _command(design, flat_verilog=flat_verilog, seed=seed)
    texts = {
        **library,
        **helpers,
        f"rtl/{name}.sv": _render("wrapper.sv.in", common, **_wrapper_fields(design)),
        f"{name}.f": "".join(f"{path}\n" for path in rtl),
        f"{name}.core": _render(
            "fusesoc.core.in",
            common,
            core_version=VERSION.split("+")[0],
            rtl_files="\n".join(f"      - {path}" for path in synthesized),
            models=", models" if models else "",
            models_fileset=_models_fileset(models),
            nextpnr_options=_nextpnr_options(),
        ),
        "vivado.tcl": _render(
            "vivado.tcl.in",
            common,
            vivado_files="\n".join(f"  {path}" for path in synthesized),
        ),
        f"{name}.sdc": _render("constraints.sdc.in", common, **_constraint_fields(contract)),
        "Makefile": _render("Makefile.in", common),
        "tb/mf_tb_driver.sv": _template("mf_tb_driver.sv"),
        f"tb/{name}_tb.sv": _render(
            "testbench.sv.in", common, **_testbench_fields(design, len(operations))
        ),
        "tb/requests.hex": _requests(design, operations, seed),
        "tb/expected.hex": _expected(design, operations),
        "LICENSE": _licence(),
        "NOTICE": _render(
            "NOTICE.in",
            common,
            copied="".join(f"  {path}\n" for path in [*library, *helpers, "tb/mf_tb_driver.sv"]),
        ),
        "contract.json": _json(_contract_data(design, command)),
    }
    texts["README.md"] = _render(
        "README.md.in",
        common,
        **_datasheet_fields(design, command, flat_verilog=flat_verilog, seed=seed),
        files_table=_files_table(name, list(helpers), flat_verilog=flat_verilog),
        operations=str(len(operations)),
        moduli=str(len({n for _, _, n in operations})),
        seed=str(seed),
    )
    names = [*texts, *([f"flat/{name}.v"] if flat_verilog else [])]
    texts[MARKER] = _json(
        {
            "generator": "montforge",
            "version": VERSION,
            "architecture": design.architecture.name,
            "parameters": dict(design.parameters),
            "flat_verilog": flat_verilog,
            "seed": seed,
            "files": sorted(names),
        }
    )
    return texts


class _Template(string.Template):
    """A template whose placeholders are ``@@{name}``: ``$`` is common in Verilog, Tcl, make."""

    delimiter = "@@"


def _template(name: str) -> str:
    return (files("montforge") / "templates" / name).read_text(encoding="utf-8")


def _render(template: str, common: Mapping[str, str], **fields: str) -> str:
    return _Template(_template(template)).substitute(common, **fields)


def _json(data: object) -> str:
    return json.dumps(data, indent=2) + "\n"


def _licence() -> str:
    """Return the text of the library's licence, which is installed with the package."""
    text = distribution("montforge").read_text("licenses/LICENSE")
    assert text is not None
    return text


def _command(design: Design, *, flat_verilog: bool, seed: int) -> str:
    parameters = [f"-p {key}={value}" for key, value in design.parameters.items()]
    flat = ["--flat-verilog"] if flat_verilog else []
    words = ["montforge generate", design.architecture.name, *parameters, *flat]
    return " ".join([*words, f"--seed {seed}", f"--output {design.name}"])


# ------------------------------------------------------------------ Verilog, printed in one place


def _literal(value: int) -> str:
    """Return an integer parameter as a Verilog literal; a sized one if it exceeds 31 bits."""
    if abs(value) < 1 << 31:
        return str(value)
    sign = "-" if value < 0 else ""
    return f"{sign}{abs(value).bit_length() + 1}'sh{abs(value):x}"


def _bindings(pairs: Iterable[tuple[str, str]]) -> str:
    """Return named parameter or port bindings, one a line."""
    return ",\n".join(f"    .{name}({value})" for name, value in pairs)


def _declaration(port: Port) -> str:
    size = f"[{port.width - 1}:0] " if port.width > 1 else ""
    return f"{port.direction:<6} logic {size}{port.name}"


def _wrapper_fields(design: Design) -> dict[str, str]:
    ports = design.contract.ports
    return {
        "top": design.rtl_top,
        "contract": "\n".join(f"// {line}" for line in str(design.contract).splitlines()),
        "ports": ",\n".join(f"  {_declaration(port)}" for port in ports),
        "parameters": _bindings((k, _literal(v)) for k, v in design.rtl_parameters.items()),
        "connections": _bindings((port.name, port.name) for port in ports),
    }


def _constraint_fields(contract: Contract) -> dict[str, str]:
    def ports(direction: str) -> str:
        return " ".join(
            port.name if port.width == 1 else f"{port.name}[*]"
            for port in contract.ports
            if port.direction == direction and port.name not in ("clk_i", "rst_ni")
        )

    return {"inputs": ports("input"), "outputs": ports("output")}


def _flatten(design: Design, folder: Path) -> str:
    """Return the design as one module of Verilog-2005, made by Yosys beside ``folder``."""
    scratch = folder.parent
    _write(scratch / "mask_to_mux.v", _template("mask_to_mux.v"))
    sources = " ".join((folder / f"{design.name}.f").read_text().split())
    script = f"""\
read_slang --top {design.name} {sources}
proc; flatten; opt -purge
techmap -map ../mask_to_mux.v
opt_clean -purge
check -assert
write_verilog -noattr ../flat.v
"""
    run_yosys(
        script,
        log=scratch / "yosys.log",
        timeout=YOSYS_TIMEOUT,
        cwd=folder,
        keep_log=cache_root() / "logs" / f"generate-{design.name}.log",
    )
    _banner, body = (scratch / "flat.v").read_text().split("\n", 1)
    return (
        f"// {design.name} as plain Verilog-2005: flattened from rtl/ by Yosys {yosys_version()}"
        f" for montforge {VERSION}.\n"
        "// Belongs to whoever generated it; compiled from sources under Apache-2.0 (see NOTICE).\n"
        f"{body}"
    )


# ------------------------------------------------------------------ testbench and vectors


def _digits(width: int) -> int:
    """Return how many hexadecimal digits a field of ``width`` bits takes in a vector file."""
    return -(-width // 4)


def _value_width(contract: Contract) -> int:
    """Return the bits of a value in expected.hex: as ValueWidth of tb/mf_tb_driver.sv."""
    return max(*contract.result_encoding.widths, contract.width) + 2


def _testbench_fields(design: Design, operations: int) -> dict[str, str]:
    contract = design.contract
    result, ports = contract.result_encoding, contract.operand_ports
    sum_width, carry_width = result.width, result.carry_width
    request_width = 4 * sum(_digits(port.width) for port in ports)
    parameters = {
        "Operations": operations,
        "RequestWidth": request_width,
        "ModulusWidth": contract.width,
        "SumWidth": sum_width,
        "CarryWidth": carry_width,
        "ResultSigned": int(result.signed),
        "LatencyFixed": int(contract.latency.is_fixed),
        "LatencyMin": contract.latency.minimum,
        "LatencyMax": contract.latency.maximum,
        "Handover": contract.handover,
        "IntervalMin": contract.interval.minimum,
        "IntervalMax": contract.interval.maximum,
    }
    connections = {port.name: port.name[:-2].removesuffix("_n") for port in contract.ports}
    connections |= {"clk_i": "clk", "rst_ni": "rst_n"}
    top = request_width
    for port in ports:
        top -= 4 * _digits(port.width)
        connections[port.name] = f"request[{top}+:{port.width}]"
    bottom = 0
    for port in contract.result_ports:
        connections[port.name] = f"result[{bottom}+:{port.width}]"
        bottom += port.width
    return {
        "request_width": str(request_width),
        "result_width": str(sum_width + carry_width),
        "parameters": _bindings((key, _literal(value)) for key, value in parameters.items()),
        "connections": _bindings(connections.items()),
    }


def _requests(design: Design, operations: Sequence[Operation], seed: int) -> str:
    contract = design.contract
    rng = random.Random(f"carry-save splits {seed}")
    widths = [port.width for port in contract.operand_ports]
    header = f"// {' '.join(port.name for port in contract.operand_ports)}"
    return _hex_file(
        header, widths, (contract.encode_operands(a, b, n, rng) for a, b, n in operations)
    )


def _expected(design: Design, operations: Sequence[Operation]) -> str:
    contract = design.contract
    value_width = _value_width(contract)

    def fields(a: int, b: int, n: int) -> tuple[int, ...]:
        return (
            contract.result_bound.multiple_for(n),
            design.cycles(a, b, n),
            n,
            contract.product(a, b, n),
            design.golden(a, b, n) % (1 << value_width),
        )

    return _hex_file(
        "// bound latency n residue value",
        (16, 32, contract.width, contract.width, value_width),
        (fields(*operation) for operation in operations),
    )


def _hex_file(header: str, widths: Sequence[int], lines: Iterable[Sequence[int]]) -> str:
    """Return a file for $readmemh: fields of ``widths`` bits, padded to digits, joined by _."""
    digits = [_digits(width) for width in widths]
    text = [header]
    for line in lines:
        text.append("_".join(f"{v:0{d}x}" for v, d in zip(line, digits, strict=True)))
    return "\n".join(text) + "\n"


def _operations(design: Design, seed: int) -> list[Operation]:
    """Return the testbench's operations in random order: corners and random ones, all legal."""
    contract = design.contract
    rng = random.Random(f"operations {seed}")
    corners = list(design.corners())
    found = rng.sample(corners, min(len(corners), ARCHITECTURE_CORNERS))
    for n in _moduli(contract, rng):
        low, top = contract.operand_bound.lower(n), contract.operand_bound.upper(n) - 1
        r2 = contract.domain_constants(n)["r2_mod_n"]
        found += [(top, top, n), (low, top, n), (0, top, n), (1, top, n), (n - 1, n - 1, n)]
        found += [(rng.randint(low, top), r2, n), (rng.randint(low, top), 1, n)]
        for _ in range(RANDOM_OPERATIONS):
            found.append((rng.randint(low, top), rng.randint(low, top), n))
    unique = list(dict.fromkeys(found))
    rng.shuffle(unique)
    return unique


def _moduli(contract: Contract, rng: random.Random) -> Iterator[int]:
    """Yield different legal moduli: the extremes, top bit set and clear, both residues mod 4."""
    top = 1 << contract.width
    half = top >> 1
    candidates = [3, 5, top - 1, top - 3, half + 1, half + 3]
    candidates += [rng.randrange(half, top) & ~3 | low for low in (1, 3)]
    candidates += [rng.randrange(half) | 1, rng.getrandbits(contract.width // 2 + 1) | 1]
    return (n for n in dict.fromkeys(candidates) if _is_legal(contract, n))


def _is_legal(contract: Contract, n: int) -> bool:
    try:
        contract.modulus.check(n)
    except OperandError:
        return False
    return True


# ------------------------------------------------------------------ the datasheet


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
    n = next(n for n in range(top, 2, -1) if _is_legal(contract, n))
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


def _contract_data(design: Design, command: str) -> dict[str, object]:
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


def _datasheet_fields(
    design: Design, command: str, *, flat_verilog: bool, seed: int
) -> dict[str, str]:
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
        "example_table": _table(
            ("step", "a", "b", "result", "result mod n"),
            (
                (step, f"{a:#x}", f"{b:#x}", f"{result:#x}", f"{result % example.n:#x}")
                for step, a, b, result in example.steps
            ),
        ),
        "example_product": f"{example.product:#x}",
        "ports_table": _table(
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


def _table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _contract_table(contract: Contract) -> str:
    return _table(
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
    table = _table(("port", "bits", "value"), rows)
    intro = "With each request, beside a and b"
    if not contract.takes_modulus:
        intro += " (n itself is not an input)"
    return f"{intro}:\n\n{table}"


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
    return _table(("quantity", "value"), rows)


def _cycles_text(minimum: int, maximum: int) -> str:
    if minimum == maximum:
        return f"{minimum}, always"
    return f"{minimum} to {maximum}, depending on the data"


def _errata(errata: Sequence[str]) -> str:
    if not errata:
        return ""
    lines = "\n".join(f"- {text}" for text in errata)
    return f"Where this form leaves the paper, and why:\n\n{lines}\n\n"


def _nextpnr_options() -> str:
    target = find_target(ECP5_TARGET)
    assert isinstance(target, Fpga)
    return json.dumps(nextpnr_options(target, seed=1, placer="heap"))


def _models_fileset(models: Sequence[str]) -> str:
    """Return the FuseSoC fileset of the models of primitives, if there are any."""
    if not models:
        return ""
    files = "".join(f"      - {path}\n" for path in models)
    return f"  models:\n    files:\n{files}    file_type: systemVerilogSource\n"


def _files_table(name: str, helpers: Sequence[str], *, flat_verilog: bool) -> str:
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
    return _table(("file", "content"), rows)
