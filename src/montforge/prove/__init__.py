# SPDX-License-Identifier: Apache-2.0
"""Statements about a design that a machine has checked, for all operands.

`prove` is the command's Python call. A verdict is ``proved``, ``refuted`` or ``unknown``; what
only samples support is never called proved.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatch
from typing import Any

from montforge.arch import Core, Design
from montforge.arch.modexp import Modexp
from montforge.arch.rsa.engine import Engine
from montforge.errors import (
    MontforgeError,
    ParameterError,
    ToolFailedError,
    ToolMissingError,
    unknown_name,
)
from montforge.hardware import Hardware, stateless_modules
from montforge.hardware.forms import AXI, NATIVE, PARALLEL
from montforge.hardware.yosys import yosys_version
from montforge.prove import mapped
from montforge.prove.cleared import clear
from montforge.prove.coq import close, coq_files, coq_version, factors
from montforge.prove.flips import faults
from montforge.prove.flow import Flow
from montforge.prove.handshake import Waits, control
from montforge.prove.held import hold
from montforge.prove.lemmas import lemmas_of, missing_parts, sizes, theorem_of
from montforge.prove.netlist import WITH_UNUSED, WITH_WORDS, Netlist, read_netlist
from montforge.prove.powers import close_power, power_files, theorem_on_power
from montforge.prove.program import released
from montforge.prove.simulated import exhaustive, residue
from montforge.prove.solver import prove_lemmas, smt_files, solver_version
from montforge.prove.structure import Surface, enables, secret_ports, surface, timing
from montforge.prove.two_runs import two_run
from montforge.prove.verdict import Check, ProofError, Verdict, worst
from montforge.work.limits import check_limits

__all__ = [
    "CHECKS",
    "ON_REQUEST",
    "STATELESS",
    "STRUCTURE",
    "Certificate",
    "Check",
    "proof_files",
    "prove",
]

CHECKS = ("timing", "enables", "function")
"""The checks that are made unless others are asked for, in the order of their cost."""
STRUCTURE: tuple[str, ...] = ("timing", "enables")
"""Those that every form has, and every engine."""
STATELESS = "a module without a clock or a latch holds no state"
"""What counts where such modules are not read."""
ENGINE_SECRETS = ("x", "e", "n", "key", "random")
"""What an engine takes in words."""
WITHOUT_CLEAR = ("function", "control", "hold")
"""Those that take reset for inactive, which `mf_clear` makes active."""
ON_REQUEST = ("control", "hold", "netlist", "two-run", "exhaustive", "residue", "clear", "faults")
"""Those that are made when they are named; the last ones are of few bits, or a measurement."""


@dataclass(frozen=True)
class Certificate:
    """The verdicts on one design; ``secret`` are the fields that no time may hang on.

    ``reading`` is the elapsed time in seconds until the RTL was read, before all checks.
    """

    design: Design
    secret: tuple[str, ...]
    checks: tuple[Check, ...]
    tools: dict[str, str]
    reading: float = 0.0

    @property
    def verdict(self) -> Verdict:
        """``proved`` if all checks are."""
        return worst([check.verdict for check in self.checks])

    def to_json(self) -> dict[str, Any]:
        """Return JSON-ready values."""
        return {
            "architecture": self.design.name,
            "parameters": dict(self.design.parameters),
            "form": self.design.form,
            "width": self.design.size,
            "secret": list(self.secret),
            "verdict": self.verdict,
            "checks": [check.to_json() for check in self.checks],
            "tools": self.tools,
            "reading": self.reading,
        }


def prove(
    design: Design,
    *,
    checks: Sequence[str] = CHECKS,
    secret: Sequence[str] = (),
    timeout: float = 600.0,
    hardware: Hardware | None = None,
    report: Callable[[Check], None] | None = None,
) -> Certificate:
    """Return the verdicts of ``checks`` on ``design``.

    ``secret`` are the fields of the contract that time and enables must not hang on: by default
    all of a request but the public ones. ``timeout`` is in seconds, for reading the design, and
    for each lemma. ``hardware`` is read in place of the library's RTL: a copy of it, in a folder.
    ``report`` gets each verdict as soon as it is known. Raises UnknownNameError for a check or a
    field of another name, ParameterError for fields of form native, ToolMissingError for Yosys.
    """
    for name in checks:
        if name not in (known := (*CHECKS, *ON_REQUEST)):
            raise unknown_name("check", name, known)
    check_limits(time_limit=timeout)
    if secret and (design.form == NATIVE or not isinstance(design, Core)):
        what = f"form {NATIVE}" if isinstance(design, Core) else design.name
        raise ParameterError(f"{what} has words, not fields: all of them are secret.")
    fields = secret_fields(design, secret)
    source = hardware or design.hardware
    tools = _tools(checks)
    reading = 0.0
    verdicts: Iterable[Check] = ()
    if set(checks) <= set(STRUCTURE) and (closed := stateless_modules(source)):
        reading, verdicts = _of_closed(design, source, checks, fields, timeout, closed)
    if not verdicts:
        reading, verdicts = _read(design, source, checks, fields, timeout)
    found: list[Check] = []
    for check in verdicts:
        found.append(check)
        if report is not None:
            report(check)
    return Certificate(design, fields, tuple(found), tools, reading)


def _read(
    design: Design,
    hardware: Hardware,
    checks: Sequence[str],
    secret: Sequence[str],
    timeout: float,
    closed: Sequence[str] = (),
) -> tuple[float, Iterator[Check]]:
    """Return the seconds that reading ``hardware`` took, and the verdicts, each when it is made."""
    began = time.monotonic()
    try:
        netlist = read_netlist(hardware, timeout=timeout, closed=closed)
        verdicts = _verdicts(design, hardware, netlist, checks, secret, timeout)
    except ToolFailedError as error:
        reason = _sentence(error)
        verdicts = (Check(name, "unknown", reason) for name in checks)
    return round(time.monotonic() - began, 2), verdicts


def _of_closed(
    design: Design,
    hardware: Hardware,
    checks: Sequence[str],
    secret: Sequence[str],
    timeout: float,
    closed: Sequence[str],
) -> tuple[float, tuple[Check, ...]]:
    """Return `_read` with each instance of a module in ``closed`` as one cell; none if it refutes.

    Each input of such a cell counts as reaching each output: what is proved so holds, but a path
    need not be one of the gates.
    """
    reading, verdicts = _read(design, hardware, checks, secret, timeout, closed)
    found = tuple(replace(check, grounds=(*check.grounds, STATELESS)) for check in verdicts)
    return reading, () if any(check.verdict == "refuted" for check in found) else found


def _verdicts(
    design: Design,
    hardware: Hardware,
    netlist: Netlist,
    checks: Sequence[str],
    secret: Sequence[str],
    timeout: float,
) -> Iterator[Check]:
    """Yield the verdict of each check; a tool that fails leaves it unknown, for this reason."""
    flow, entered = _surface(design, netlist, secret)
    facts = tuple(filter(None, (*design.declassified.values(), entered.assumption)))
    if not isinstance(design, Core):
        yield from _of_engine(design, hardware, checks, flow, entered, facts, timeout)
        return
    made: dict[str, Callable[[], Check]] = {
        "timing": lambda: timing(netlist, flow, entered.outputs),
        "enables": lambda: enables(netlist, flow),
        "control": lambda: control(
            hardware, design.contract, waits=Waits.of(design), timeout=timeout
        ),
        "hold": lambda: _hold(design, hardware, netlist, timeout),
        "netlist": lambda: mapped.netlist(
            design, hardware, secret_ports(design.contract, secret), timeout=timeout
        ),
        "two-run": lambda: two_run(
            hardware, netlist, secret_ports(design.contract, secret), timeout=timeout
        ),
        "function": lambda: _for_each_modulus(design, hardware, netlist, timeout),
        "exhaustive": lambda: exhaustive(design, hardware, timeout),
        "residue": lambda: residue(design, hardware, timeout),
        "clear": lambda: clear(design, hardware, netlist, flow, timeout),
        "faults": lambda: Check("faults", "unknown", "faults are followed in an engine alone."),
    }
    for name in checks:
        began = time.monotonic()
        try:
            if design.form != PARALLEL and name not in (*STRUCTURE, *_of_bus(design)):
                raise ProofError(
                    f"form {design.form}: {name} is proved of the parallel form alone."
                )
            if design.clear and name in WITHOUT_CLEAR:
                raise ProofError(f"{name} is proved of the design without parameter clear alone.")
            if design.contract.checked and name == "function":
                raise ProofError("function is proved of the design without parameter check alone.")
            check = made[name]()
        except (ProofError, ToolFailedError, ToolMissingError) as error:
            check = Check(name, "unknown", _sentence(error))
        if name in STRUCTURE:
            check = replace(check, assumptions=facts)
        yield replace(check, seconds=round(time.monotonic() - began, 2))


def _of_bus(design: Core) -> tuple[str, ...]:
    """Return the checks that the form with registers has beside those of every form."""
    return ("clear",) if design.form == AXI else ()


def _of_engine(
    design: Design,
    hardware: Hardware,
    checks: Sequence[str],
    flow: Flow,
    entered: Surface,
    facts: tuple[str, ...],
    timeout: float,
) -> Iterator[Check]:
    """Yield the verdicts on an engine: of the netlist, and of the rows of its program for time."""
    for name in checks:
        began = time.monotonic()
        check = Check(name, "unknown", f"{name} is proved of no engine, but of its multiplier.")
        if name in STRUCTURE:
            found = timing(flow.netlist, flow, entered.outputs)
            check = found if name == "timing" else enables(flow.netlist, flow)
            check = replace(check, assumptions=facts)
        if check.verdict == "proved" and name == "timing":
            check = _by_rows(hardware, check)
        if name == "faults" and isinstance(design, Engine):
            try:
                check = faults(design, hardware, timeout)
            except (ProofError, ToolFailedError, ToolMissingError) as error:
                check = replace(check, message=_sentence(error))
        yield replace(check, seconds=round(time.monotonic() - began, 2))


def _by_rows(hardware: Hardware, check: Check) -> Check:
    """Return ``check``, or the refutation by a row that lets out more than it may."""
    try:
        facts, leaks = released(hardware)
    except ProofError as error:
        return replace(check, verdict="unknown", message=_sentence(error))
    if leaks:
        text = f"a row lets out a secret: {leaks[0][-1]}."
        return replace(check, verdict="refuted", message=text, path=leaks[0])
    text = (
        "no word of memory reaches an output but through the nets named, and of the program's rows"
        f" in operations with secrets these let out: {'; '.join(facts)}."
    )
    return replace(check, message=text, grounds=(*check.grounds, "origins of values in the rows"))


def secret_fields(design: Design, secret: Sequence[str]) -> tuple[str, ...]:
    """Return ``secret``, or without any the fields of a request that are not public.

    Raises UnknownNameError.
    """
    if not isinstance(design, Core):
        return ENGINE_SECRETS
    contract = design.contract
    names = [field.name for field in contract.inputs]
    for name in secret:
        if name not in names:
            raise unknown_name(f"field of {design.name}", name, names)
    loaded = contract.load.fields if contract.load else ()
    public = {*contract.public, *loaded}
    return tuple(secret) or tuple(name for name in names if name not in public)


def _surface(design: Design, netlist: Netlist, secret: Sequence[str]) -> tuple[Flow, Surface]:
    """Return all nets that secrets reach but through those let out, and where they enter."""
    found = surface(design, netlist, secret)
    cut = [
        bit
        for name, bits in netlist.nets.items()
        if any(fnmatch(name, pattern) for pattern in design.declassified)
        for bit in bits
    ]
    return Flow(netlist, found.secrets, cut), found


def _for_each_modulus(design: Core, hardware: Hardware, netlist: Netlist, timeout: float) -> Check:
    """Return `_function`; of a design with a literal modulus, that of its core, for all moduli."""
    if not design.only:
        return _function(design, hardware, netlist, timeout)
    core = design.replace(modulus=0)
    check = _function(core, core.hardware, read_netlist(core.hardware, timeout=timeout), timeout)
    more = f"literals drive the ports of n, {design.only}, and of its constants"
    return replace(check, assumptions=(*check.assumptions, more))


def _hold(design: Core, hardware: Hardware, netlist: Netlist, timeout: float) -> Check:
    """Return whether a result stays: by induction, or else as part of a contract that is proved."""
    secret = secret_ports(design.contract, secret_fields(design, ()))
    try:
        whole = _whole(hardware, netlist, timeout)
        check = hold(design, hardware, whole, secret=secret, timeout=timeout)
    except ProofError as error:
        check = Check("hold", "unknown", _sentence(error))
    if check.verdict != "unknown" or lemmas_of(design) is None:
        return check
    function = _for_each_modulus(design, hardware, netlist, timeout)
    if function.verdict != "proved":
        return check
    of = (
        "responses have no error"
        if isinstance(design, Modexp)
        else "operands of requests are legal"
    )
    return replace(
        function,
        name="hold",
        message=f"the result stays until it is taken: part of the contract, {function.message}",
        assumptions=(*function.assumptions, of),
    )


def _function(design: Core, hardware: Hardware, netlist: Netlist, timeout: float) -> Check:
    """Return the verdict on the contract: the lemmas on the RTL, and the theorem from them."""
    lemmas = lemmas_of(design)
    if lemmas is None:
        return Check("function", "unknown", f"{missing_parts(design)}.")
    grounds = (
        "bitwuzla decides the lemmas",
        "Yosys and slang read the RTL",
        *trusted_models(netlist, hardware),
    )
    parts: tuple[Check, ...] = ()
    try:
        parts = tuple(
            prove_lemmas(
                _whole(hardware, netlist, timeout),
                sizes(design),
                lemmas,
                timeout=timeout,
                with_unused=_with_unused(hardware, netlist, timeout),
            )
        )
        verdict = worst([part.verdict for part in parts])
        if verdict != "proved":
            bad = next(part for part in parts if part.verdict == verdict)
            text = f"lemma {bad.name}: {bad.message}"
            return Check("function", verdict, text, grounds, witness=bad.witness, parts=parts)
        if isinstance(design, Modexp):
            close_power(design)
        else:
            close(design, lemmas)
    except (ProofError, ToolFailedError, ToolMissingError) as error:
        return Check("function", "unknown", _sentence(error), grounds, parts=parts)
    if isinstance(design, Modexp):
        only = design.multiplier.contract.modulus.only
        return Check(
            "function",
            "proved",
            f"a response without error is x^e mod n and stays; {len(parts)} lemmas on RTL and"
            f" {design.multiplier.name}, theorem {theorem_on_power(design)}. Not of it: that a"
            " response comes, and that legal operands get one without error.",
            (*grounds, "Coq checks that the power follows from them"),
            (
                *("reset is inactive", "no abort", "r1, r2 are R mod n, R^2 mod n"),
                *(() if only is None else (f"n is {only}",)),
            ),
            parts=parts,
        )
    latency, more = design.contract.latency, design.contract.handover + 1
    time_ = "" if latency.is_fixed else f" of {latency.minimum + more} to {latency.maximum + more}"
    order = ", the k-th response to the k-th request" if design.contract.overlaps else ""
    product = " ".join(factors(design.contract))
    text = (
        f"p R = {product} (mod n), range, time{time_}, handshake{order}; "
        f"{len(parts)} lemmas, theorem {theorem_of(design)}."
    )
    return Check(
        "function",
        "proved",
        text,
        (*grounds, "Coq checks that the contract follows from them"),
        ("reset is inactive",),
        parts=parts,
    )


def _whole(hardware: Hardware, netlist: Netlist, timeout: float) -> Netlist:
    """Return ``netlist`` with words of memories as registers, and models in place of blocks."""
    if not (netlist.has_memory or netlist.blocks):
        return netlist
    return read_netlist(hardware, timeout=timeout, prepare=WITH_WORDS, models=bool(netlist.blocks))


def _with_unused(hardware: Hardware, netlist: Netlist, timeout: float) -> Callable[[], Netlist]:
    """Return what reads ``netlist``, that of ``hardware``, with the nets that nothing uses."""
    models = bool(netlist.blocks)
    return lambda: read_netlist(hardware, timeout=timeout, prepare=WITH_UNUSED, models=models)


def trusted_models(netlist: Netlist, hardware: Hardware) -> tuple[str, ...]:
    """Return what is trusted of the blocks in ``netlist``: that each does what its model does."""
    places = {path.stem: "/".join(path.parts[-3:]) for path in hardware.files}
    return tuple(f"a {name} does what its model does ({places[name]})" for name in netlist.blocks)


def proof_files(design: Core, *, timeout: float = 600.0) -> dict[str, str]:
    """Return the files by which others can check `function` of ``design``, by name.

    These are the lemmas for any solver (SMT-LIB, all unsatisfiable), the Coq files, and ``order``,
    the names of the latter in the order in which Coq reads them. Raises ProofError for a design
    without lemmas, ToolMissingError, ToolFailedError.
    """
    lemmas = lemmas_of(design)
    if lemmas is None:
        raise ProofError(f"{missing_parts(design)}.")
    core = design.replace(modulus=0) if design.only else design
    netlist = read_netlist(core.hardware, timeout=timeout)
    proofs = power_files(core) if isinstance(core, Modexp) else coq_files(core, lemmas)
    order = "".join(f"{name.removesuffix('.v')}\n" for name in proofs)
    unused = _with_unused(core.hardware, netlist, timeout)
    whole = _whole(core.hardware, netlist, timeout)
    questions = smt_files(whole, sizes(core), lemmas, with_unused=unused)
    return questions | proofs | {"order": order}


def _sentence(error: MontforgeError) -> str:
    """Return the error in one line: of a tool that failed, the last line of its log, too."""
    first, *log = str(error).strip().splitlines()
    problem = first.partition(" (log:")[0]
    return f"{problem}: {log[-1].strip()}" if log and "status" in problem else problem


def _tools(checks: Sequence[str]) -> dict[str, str]:
    found = {"yosys": yosys_version()}
    programs = {"bitwuzla": (solver_version, {"hold", "function"})}
    programs["coq"] = (coq_version, {"function"})
    for name, (version, users) in programs.items():
        if users & set(checks):
            try:
                found[name] = version()
            except ToolMissingError:
                found[name] = "missing"
    return found
