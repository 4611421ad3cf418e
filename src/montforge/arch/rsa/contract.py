# SPDX-License-Identifier: Apache-2.0
"""The contract of the RSA engine: operations, registers, errors."""

from __future__ import annotations

import re

from montforge.arch.engine_contract import EngineContract, ErrorCode, Operation, Register
from montforge.arch.rsa.model import FULL, LOAD, MODEXP_PUBLIC, PRIVATE, PUBLIC, SETUP, Error
from montforge.hardware import rtl_root
from montforge.hardware.axi import registers_page

NEW_N = "; if n is new also its constants: n_bits"
PRIVATE_OPERATIONS = (
    Operation(
        LOAD,
        "load",
        "take a key into a slot, and check it",
        "n_bits and e of the key; for a key that is refused, the first group of checks that fails"
        " (comparisons, qInv, the self-test); pauses of the source of random words",
    ),
    Operation(
        PRIVATE,
        "private",
        "y = x^d mod n with the key of a slot",
        "n_bits and e of the key; pauses of the source of random words",
    ),
)
PUBLIC_OPERATIONS = (
    Operation(
        PUBLIC, "public", "y = x^e mod n, n and e from the host", f"n_bits and all of e{NEW_N}"
    ),
    Operation(
        FULL, "modexp, full", "the same for a secret e of e_bits bits", f"n_bits and e_bits{NEW_N}"
    ),
    Operation(MODEXP_PUBLIC, "modexp, public", "the same as 3", f"n_bits and all of e{NEW_N}"),
    Operation(
        SETUP, "set-up", "the constants of n alone, which the others make if n is new", "n_bits"
    ),
)
REASONS: dict[int, str] = {
    Error.MODULUS_EVEN: "n, p or q is even",
    Error.LENGTH: "n must have n_bits bits, from the engine's min_bits (2 without a key) to its"
    " bits, p and q ceil(n_bits / 2) bits each, an exponent of the host at most bits",
    Error.MESSAGE: "x is not below n",
    Error.PRIMES_EQUAL: "p equals q",
    Error.PRODUCT: "p q is not n",
    Error.EXPONENT: "dP or dQ is even, too large or not of e, or p or q is not prime",
    Error.PUBLIC_EXPONENT: "e must be odd, 3 <= e < 2^32, below p - 1 and q - 1",
    Error.QINV: "q qInv is not 1 modulo p: if qInv is of p modulo q, swap p and q, dP and dQ",
    Error.RANGE: "qInv is not below p",
    Error.BUSY: "another operation runs",
    Error.SLOT_EMPTY: "the slot holds no key",
    Error.USE: "there is no such slot, or a fault overwrote its key",
    Error.RANDOM: "the source of random words failed",
    Error.FAULT: "the result failed its check",
    Error.ABORTED: "it was aborted",
    Error.OPERATION: "the device has no such operation",
}
"""Causes of the errors."""
PHASES = {
    0: "idle",
    1: "wipe",
    2: "load",
    3: "constants",
    4: "reduce",
    5: "blind",
    6: "exponentiate",
    7: "unblind, renew",
    8: "recombine",
    9: "check",
    10: "release",
}
"""Meanings of ``phase_o``."""
X, E, Y, N, KEY = 0x1000, 0x1200, 0x1400, 0x1600, 0x2000
"""Addresses of the windows, as in rtl/rsa/mf_rsa_windows.rdl."""
ROW = re.compile(r"^\|\s*(0x[0-9A-F]+)\s*\|\s*(\w+)\s*\|\s*([^|]*?)\s*\|$", re.M)


def contract_of(summary: tuple[str, ...], *, public: bool) -> EngineContract:
    """Return the contract of an engine, with the operations on the host's modulus if ``public``."""
    errors = (ErrorCode(int(e), e.name, REASONS[e]) for e in Error if e is not Error.OK)
    return EngineContract(
        "rsa",
        summary,
        (*PRIVATE_OPERATIONS, *PUBLIC_OPERATIONS * public),
        registers(),
        tuple(errors),
    )


def windows_page() -> str:
    """Return the page of the windows, which PeakRDL writes (Markdown)."""
    return (rtl_root() / "rsa/mf_rsa_windows.md").read_text(encoding="utf-8")


def registers() -> tuple[Register, ...]:
    """Return the registers of the bus layer and the engine's windows."""
    tables = (page.partition("### ")[0] for page in (registers_page(), windows_page()))
    return tuple(
        Register(int(address, 16), name, meaning)
        for table in tables
        for address, name, meaning in ROW.findall(table)
    )
