# SPDX-License-Identifier: Apache-2.0
"""Illegal parameters of the RTL stop elaboration with a message that names parameter and rule.

Every `$fatal` of the library has a row in `GUARDS`. slang elaborates each row in this process,
Verilator, as the bench calls it, in one of its own; Yosys elaborates a sample.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import cast

import pytest
from pyslang import Bag, Diags
from pyslang.ast import Compilation, CompilationOptions
from pyslang.syntax import SyntaxTree

from custom import unchecked
from montforge.arch import cores, design
from montforge.arch.rmm import Rmm
from montforge.errors import ParameterError, ToolFailedError
from montforge.hardware import rtl_root
from montforge.hardware.verilog import literal
from montforge.hardware.yosys import run_yosys
from montforge.programs.digits import Issue, Phase, Product
from montforge.verify.bench import VERILATOR_FLAGS
from montforge.work.tools import run_tool
from testbench import ENVIRONMENT, ROOT

Row = tuple[str, str, dict[str, int]]

FILES = [path for path in rtl_root().rglob("*.sv") if not {"props", "harness"} & {*path.parts}]
FILES.sort(key=lambda path: (not path.stem.endswith("_pkg"), path))

GUARDS: list[Row] = []
"""Top module, the message (with the name of the module that has the guard), parameters.

Parameters that are not given have their defaults.
"""


def guard(message: str, *values: int, top: str = "", **others: int) -> None:
    """Add a row for each illegal value of the parameter that ``message`` begins with."""
    module, rule = message.split(": ", 1)
    name = rule.split()[0]
    GUARDS.extend((top or module, message, others | {name: value}) for value in values)


for name in (
    *("bunimov", "fcs_mm1", "fcs_mm2", "fcs_mmm42", "mm_r2", "mscs_mm", "scs_mm", "scs_mm1"),
    *("scs_mm2", "scs_mm_ct", "scs_mm_new", "scs_mm_skip", "zhengbing"),
    *("eberle", "grossschaedl", "full_parallel", "full_pipelined", "karatsuba", "mcivor"),
    *("booth_csa_core", "fios_dsp_par"),
):
    guard(f"mf_{name}: Width must be 3 to 8192", 0, 2, 8193, -5)

# A wrapper's parameters reach the module that checks them.
for name in ("booth_csa", "booth_csa_binary", "booth_csa_pipelined", "booth_csa_binary_pipelined"):
    message = "mf_booth_csa_core: Width must be 3 to 8192"
    guard(message, 0, 2, 8193, -5, top=f"mf_{name}")
for name in ("booth_csa_binary", "booth_csa_binary_pipelined"):
    message = "mf_booth_csa_core: ConverterW must be 1 to 256"
    guard(message, 0, 257, -1, top=f"mf_{name}")
guard("mf_eberle: Width must be 3 to 8192", 0, 2, 8193, -5, top="mf_eberle_par")
guard("mf_eberle: K must be 2 to 128", 0, 1, 129, -5, top="mf_eberle_par")
guard("mf_fios_dsp_par: Width must be 3 to 8192", 0, 8193)

# Carry-save.
for name in ("bunimov", "zhengbing", "convert"):
    guard(f"mf_{name}: Converter must be 8 to 8194", 0, 7, 8195, -5)
guard("mf_convert: Width must be 1 to 8194", 0, 8195, -5)
guard("mf_scs_mm1: Converter must be 8 to 128", 0, 7, 129, -5)
guard("mf_scs_mm_ct: Block must be 4 to 64", 0, 3, 65, -5)
guard("mf_scs_mm_skip: Skips must be 1 to 3", 0, 4, -5)

# Booth.
for name in ("booth_csa", "booth_csa_pipelined"):
    guard(f"mf_{name}: Radix must be 4, 8 or 16", 0, 2, 32, 64, 8193, -5)
guard("mf_booth_csa_core: Radix must be 4, 8, 16 or 64", 0, 2, 32, 128)
guard("mf_booth_csa_core: ConverterW must be 1 to 256", 0, 257, -5, Radix=64)

# Unit.
for name in ("unit_csa", "unit_csa_exact"):
    top = f"mf_{name}"
    guard("mf_unit_csa_core: Width must be 3 to 8192", 0, 2, 8193, -5, top=top)
    guard("mf_unit_csa_core: DigitW must be 2 to 24", 0, 1, 25, 8193, -5, top=top)
    guard("mf_unit_csa_core: Delay must be 2 or 3", 0, 1, 4, top=top)
    guard("mf_unit_csa_core: GroupW must be 4 to 64", 0, 3, 65, -5, top=top)
    message = "mf_unit_csa_core: RegionW must be 0, or 16 to 256 with a Delay of 3"
    guard(message, 1, 15, 257, -5, top=top, Delay=3)
    guard(message, 64, top=top, Delay=2)
guard("mf_unit_csa_core: DigitW must be at least 3 with Exact", 2, top="mf_unit_csa_exact")
guard(
    "mf_unit_csa_core: Overlap must be 0 with Nonnegative",
    1,
    top="mf_unit_csa_exact",
    Nonnegative=1,
)
guard("mf_orup: Width must be 3 to 8192", 0, 2, 8193, -5)
guard("mf_orup: DigitW must be 1 to 24", 0, 25, -1, -5)
guard("mf_orup: QuotientDelay must be 0 to 2", 3, -5)
guard("mf_orup: GroupW must be 4 to 64", 0, 3, 65, -5)
guard("mf_bipartite: Width must be 3 to 8192", 0, 2, 8193, -5)
guard("mf_bipartite: DigitW must be 3 to 24", 0, 2, 25, -5)
guard("mf_bipartite: GroupW must be 4 to 64", 0, 3, 65, -5)
guard("mf_unit_chain: Width must be 3 to 8192", 0, 2, 8193, -5)
guard("mf_unit_chain: DigitW must be 2, 4, 8 or 16", 0, 1, 3, 32, -5)
guard(
    "mf_unit_chain: WordW must be DigitW times log2(DigitW) + 1 or more, to 256",
    *(0, 8, 13, 260, -5),
)
guard("mf_unit_chain: Block must be 0 (generic) or 1 (ECP5)", 2, -5)
for name in ("unit_dsp", "unit_dsp_two", "unit_dsp_half", "unit_dsp_cascade"):
    guard(f"mf_{name}: Width must be 3 to 8192", 0, 2, 8193, -5)
    guard(f"mf_{name}: WordW must be 3 to 24", 0, 2, 25, -5)
guard("mf_unit_cascade: WordW must be at least 1", 0)
guard("mf_unit_cascade: Block must be 0 (generic) or 1 (DSP48E2)", 2, -5)
guard("mf_unit_cascade: WordW must be 17 with DSP48E2", 16, 18, Block=1)

# Full words.
guard("mf_barrett: Width must be 3 to 576", 0, 2, 577, 8193, -1, -5)
guard("mf_three_pass: Width must be 3 to 8192", 0, 2, 8193, -5)
guard("mf_three_pass: Issues must be 1 to 16", 0, 17, -5)
guard("mf_three_pass: Levels must be 1 to 16", 0, 17, -5)
guard("mf_full_truncated: Width must be 3 to 768", 0, 2, 769, -5)
guard("mf_full_truncated: Levels must be 1 to 16", 0, 17, -5)
guard("mf_full_truncated: Karatsuba must be 0 to 4", 5, -5)

# Fixed modulus.
guard("mf_fixed_core: Width must be 3 to 768", 2, 769, -5, top="mf_fixed_prime")
guard("mf_fixed_core: Width must be 3 to 768", 2, -1, -5, top="mf_fixed_square")
guard("mf_fixed_core: Modulus must be odd and have Width bits", 127, 200, 257)
guard("mf_fixed_core: Karatsuba must be 0 to 4", 5)
guard("mf_fixed_core: Levels must be 1 to 16", 0, 17)
guard("mf_fixed_core: Word must be 2 to Width + 2, or 0", 1, 11)
for name in ("prime", "square"):
    message = "mf_fixed_core: Word must be 2 to Width + 2, or 0"
    guard(message, 8193, -1, -5, top=f"mf_fixed_{name}")
message = "mf_fixed_core: Fold takes Modulus = 2^Width - c, 4 c^2 + 2 c <= 2^Width only"
guard(message, 1)
guard("mf_square_rows: Width must be 3 to 1024", 2, 1025, -1)
guard("mf_pipelined_sum: Levels must be at least 1", 0)
guard("mf_pipelined_adder: Width must be at least 1", 0)
guard("mf_pipelined_adder: GroupW must be at least 1", 0)
guard("mf_credit_buffer: Depth must be at least 2", 1)
guard("mf_residue_check: ResidueW must be at least 2", 0, 1)
guard("mf_residue_check: Settle must be at least 1", 0, -1)
guard("mf_residue_check: Wait must be at least 4", 0, 3, -1)
guard("mf_fios_dropped: Delay must be at least 1", 0, -1)
guard("mf_check_sequencer: Answer must be at least 2", 0, 1, -1)
guard("mf_check_sequencer: Wait must be at least 2", 0, 1, -1)
for name in ("Idle", "Operations", "InFlight", "InputW"):
    guard(f"mf_clear: {name} must be at least 1", 0, -1)

# Digit.
guard("mf_digit_multiplier: Width must be at least 3", 0, 2)
guard("mf_digit_multiplier: Structure must be 0, 1 or 2", 3)
guard("mf_digit_multiplier: Stages must be 1 or 2", 0, 3)
guard("mf_booth_selected_rows: Width must be at least 3", 0, 2)
guard("mf_booth_selected_rows: Width must be at least 3", 2, top="mf_booth_rows")
guard("mf_eberle: K must be 2 to 128", 0, 1, 129, -5)
guard("mf_grossschaedl: Digit must be 1 to 1024", 0, 1025, -5)
message = "mf_rmm: Variant must be 0 to 3, and 2 needs a K of at least 3"
guard("mf_rmm: Width must be 3 to 8192", 0, 2, 8193, -5)
guard("mf_rmm: K must be 2 to 16", 0, 1, 17, -5)
guard("mf_rmm: M must be 1 to K*K", 0, 17, -5)
guard(message, 4)
guard(message, 2, K=2)
guard("mf_rmm: Multiplier must be 0 to 2", 3)
guard("mf_rmm: Stages must be 1 or 2", 0, 3)
guard("mf_rmm: AdderStyle must be 0 to 3", 4)
guard("mf_rmm: Accumulator must be 0 to 2, and not 1 with Variant 0", 3)
guard("mf_rmm: Accumulator must be 0 to 2, and not 1 with Variant 0", 1, Variant=0)
guard("mf_rmm: Contexts must be 1 or 2", 0, 3)
guard("mf_rmm: Steps must be 1 to 4096, the steps of the plan", 0, 4097)


def edited_plan(
    edit: Callable[[list[Issue | None]], None], m: int = 1, **parameters: int
) -> dict[str, int]:
    """Parameters of an mf_rmm with an edited plan, which is a list by step and multiplier."""
    chosen = design("rmm", width=16, k=2, m=m, **parameters)
    found = cast(Rmm, chosen).plan
    issues = [issue for step in found.steps for issue in step]
    edit(issues)
    steps = tuple(tuple(issues[at : at + m]) for at in range(0, len(issues), m))
    changed = replace(found, steps=steps)
    return chosen.hardware.parameters | {"Steps": changed.period, "Plan": changed.packed}


def move(phase: Phase, place: int) -> Callable[[list[Issue | None]], None]:
    """Take the first product of a phase to another place of the order."""

    def edit(issues: list[Issue | None]) -> None:
        first = next(issue for issue in issues if issue and issue.product.phase == phase)
        issues.remove(first)
        issues.insert(place % (len(issues) + 1), first)

    return edit


def add_idle_step(issues: list[Issue | None]) -> None:
    issues.insert(0, None)


def cut(number: int) -> Callable[[list[Issue | None]], None]:
    return lambda issues: issues.__delitem__(slice(-number, None))


def put(place: int, issue: Issue | None) -> Callable[[list[Issue | None]], None]:
    return lambda issues: issues.__setitem__(place, issue)


T00, Q11, U00 = Product("T", 0, 0), Product("Q", 1, 1), Product("U", 0, 0)
PLANS: list[tuple[str, dict[str, int]]] = [
    ("must have 11 Steps M bits and a 1 above them", {"Plan": 0}),
    ("must have 11 Steps M bits and a 1 above them", {"Plan": (1 << 397) - (1 << 396) - 1}),
    ("has a product that an operation does not have", edited_plan(put(0, Issue(1, T00)))),
    ("has a product that an operation does not have", edited_plan(put(0, Issue(0, Q11)))),
    ("has a product that an operation does not have", edited_plan(put(0, Issue(0, U00)))),
    ("has a product twice", edited_plan(put(1, Issue(0, T00)))),
    ("reads a digit of T or Q before it is final", edited_plan(move("Q", 0))),
    ("reads a digit of T or Q before it is final", edited_plan(move("U", 5))),
    ("has a product of Q after one of U", edited_plan(move("U", 6))),
    ("is not complete: it must have each product of each operation", edited_plan(put(-1, None))),
    ("must begin with a product of operation 0", edited_plan(add_idle_step)),
    (
        "leaves too few steps between two operations of a context",
        edited_plan(cut(4), 4, contexts=2),
    ),
]
GUARDS += [("mf_rmm", f"mf_rmm: Plan {rule}", parameters) for rule, parameters in PLANS]
guard("mf_tenca_koc: Width must be 3 to 8192", 0, 2, 8193, -5)
guard("mf_tenca_koc: Word must be 2 to 256", 0, 1, 257)
guard("mf_tenca_koc: Elements must be 1 to 1024", 0, 1025, -5)
guard("mf_tenca_koc: Offset must be 1 or 2", 0, 3)

# Full word.
guard("mf_karatsuba: Levels must be 0 to 6", 7, -5)
guard("mf_mcivor: Block must be 2 to 64", 0, 1, 65, -5)
guard("mf_mcivor: Stages must be 2 or 3", 0, 1, 4)

# FIOS. The words that the contract asks for: 2^(17 Words) > 2^(Width + 2), 2^17 times it (unit).
guard("mf_fios_dsp_par: WordWidth must be 16 to 23", 0, 15, 24)
guard("mf_fios_systolic: Width must be 3 to 8192", 0, 2, 8193, -5)
guard("mf_fios_systolic: Word must be 3 to 128", 0, 2, 129, -5)
guard("mf_fios_dsp_par: Words must be 4 to 1024", 0, 3, 1025, Width=30)
guard("mf_fios_dsp_par: Words must be enough for R > 4n (unit: 4n 2^WordWidth)", 15, Width=254)
message = "mf_fios_dsp_par: Words must be enough for R > 4n (unit: 4n 2^WordWidth)"
guard(message, 7, Width=101, Variant=2)
guard("mf_fios_dsp_par: Results must be 1 to 200", 0, 201)
guard("mf_fios_dsp: WordWidth must be 16 to 23", 0, 15, 24)
guard("mf_fios_dsp: Words must be at least the program's smallest number of words", 4)
guard("mf_fios_dsp: Words must be at most 1024", 1025)
message = "mf_fios_dsp: Elements must be 1 to Words, and Words if Expanded"
guard(message, 0, 17, -5)
guard(message, 15, Expanded=1)
guard(message, -5, top="mf_fios_dsp_par")
guard("mf_fios_dsp: Variant must be 0 (published), 1 (fast) or 2 (unit)", 3)
message = "mf_fios_dsp: Pipeline must be 3 and CRegister 1 with Variant 0 (published)"
guard(message, 2)
guard(message, 3, CRegister=0)
guard("mf_fios_sequencer: Interval must be at least 3", 0, 2)
guard("mf_word_reader: Words must be at least 3", 0, 2)
guard("mf_mac: Block must be 0 (generic), 1 (DSP48E2) or 2 (ECP5)", 3)
guard("mf_mac: Pipeline must be 1, 2 or 3", 0, 4)
guard("mf_mac: WordWidth must be 17 with DSP48E2, whose shift is by 17 bits", 16, 18, Block=1)
guard("mf_mac: WordWidth must be at most 18 with MULT18X18D", 19, Block=2)

# Exponentiators.
guard("mf_modexp_chain: Width must be 3 to 8192", 0, 2, 8193, -5)
guard("mf_modexp_chain: ExponentBits must be 1 to 65535", 0, 65536, -5)
guard("mf_modexp_chain: Algorithm must be 0 to 6", 7, -5)
guard("mf_modexp_chain: DigitW must be 1 to 6", 0, 7, 8193, -5)
guard("mf_modexp_chain: DigitW must be 1 unless Algorithm is Window or Sliding", 2, Algorithm=3)
guard("mf_modexp_chain: TableBlock must be 0 unless Algorithm is Window or Sliding", 1, Algorithm=3)
message = "mf_modexp_chain: Multipliers must be 1, or 2 with Algorithm R2l or Ladder"
guard(message, 2, Algorithm=4)
guard(message, 0, 3, Algorithm=3)
guard("mf_modexp_chain: Adder must be 4 to 1024, and at least Passes", 0, 3, 1025, -5)
guard("mf_modexp_chain: Adder must be 4 to 1024, and at least Passes", 8, Passes=9)
for name in ("chain", "chains", "", "words", "with_setup"):
    top = "_".join(filter(None, ("mf_modexp", name)))
    guard("mf_modexp_chain: SumBits must be at least 1", 0, -5, top=top)
    guard("mf_modexp_chain: ResultCarryBits must be at most CarryBits", 1, 1025, top=top)
    if name != "with_setup":  # that makes them itself
        guard("mf_modexp_chain: ConstantBits must be at least 1", 0, -5, top=top)
guard("mf_modexp_chains: Chains must be 1 to 8", 0, 9, -5)
message = "mf_modexp_chains: Chains must be 1 unless Multipliers is 1, Algorithm 0 or 2 to 4"
for algorithm in (1, 5, 6):
    guard(message, 2, Algorithm=algorithm)
guard(message, 2, Algorithm=3, Multipliers=2)
guard("mf_modexp_chains: Offset must be 1 to Period / Chains", 0, 9, Chains=2)
guard("mf_modexp_chains: Offset must be 1 to Period / Chains", 6, Chains=3)
guard("mf_modexp_chains: Chains must be 1 without FixedLatency", 2, FixedLatency=0)
for name in ("chains", "", "words", "with_setup"):
    top = "_".join(filter(None, ("mf_modexp", name)))
    guard("mf_modexp_chains: Closed must be 1: results are the next operands", 0, top=top)
    message = "mf_modexp_chains: Leakage must be 0 without FixedLatency, Algorithm 0, 2, 3 or 4"
    guard(message, 1, 2, top=top, FixedLatency=0)
guard(message, 1, 2, top="mf_modexp_chains", Algorithm=1)
guard("mf_modexp_chains: Leakage must be 0 to 2", 3, -5)
guard("mf_modexp_chains: Passes must be 1 with Signed", 0, 2, Signed=1)
guard("mf_modexp_words: Adder must be a power of two", 5, 24)
guard("mf_modexp_chain: Adder must be 4 to 1024, and at least Passes", 0, top="mf_modexp_words")
guard("mf_modexp_setup: Width must be 3 to 8192", 0, 2, 8193, -1, -5)
guard("mf_modexp_setup: RBits must be at least Width", 255, 0, -1, -5)
guard("mf_modexp_setup: Adder must be 4 to 1024", 0, 3, 1025, -5)
guard("mf_rsa: Bits must be 32 to 4096", 31, 4097, -5)
guard("mf_rsa: MinBits must be 16 to Bits", 15, 2049, -5)
guard("mf_rsa: Window must be 2 to 6", 1, 7, -5)
guard("mf_rsa: Halves must be 1 or 2", 0, 3, -5)
guard("mf_rsa: Eblind must be 0 or 64", 1, 63, 65, -5)
guard("mf_rsa: Slots must be 1 to 16", 0, 17, -5)
guard("mf_rsa: A must be 32 or 64", 31, 48, 65, -5)
guard("mf_rsa: HalfClock must be 1 to 4", 0, 5, -5)
guard("mf_rsa: SumBits must be at least 1", 0, -5)
guard("mf_rsa: ConstantBits must be at least 1", 0, -5)
guard("mf_rsa: PublicSumBits must be at least 1", 0, -5, Public=1)
guard("mf_rsa: PublicConstantBits must be at least 1", 0, -5, Public=1)
guard("mf_rsa: WatchdogBits must be 1 to 64", 0, 65, -5)
guard("mf_rsa: ConstantKind must be 0 to 4", 5, -5)
guard("mf_rsa: InverseBits must be 1 to 8192", 0, 8193, -5)
guard("mf_rsa: Corrections must be 0 to 6", 7, -5)
guard("mf_rsa: PublicConstantKind must be 0 to 4", 5, -5)
guard("mf_rsa: PublicInverseBits must be 1 to 8192", 0, 8193, -5)
guard("mf_rsa: PublicCorrections must be 0 to 6", 7, -5)
message = "mf_rsa: {0}Scale must be 0 to 61; 0 if {0}Signed or {0}Corrections != 1"
for name in ("", "Public"):
    guard(message.format(name), 62, -5)
    guard(message.format(name), 1, **{f"{name}Signed": 1})
    guard(message.format(name), 1, **{f"{name}Corrections": 2})
guard("mf_rsa: Check must be 0 to 2, and 0 without Public", 1, 2, 3, -5)
message = "mf_rsa_exponentiator: TableWords must be 0 for pairs, or operands beyond Words"
guard(message, 1, CarryBits=129, top="mf_rsa")
guard(message, 1, SumBits=1057, top="mf_rsa")
guard("mf_rsa_exponentiator: ResultCarryBits must be at most CarryBits", 1, 1025, top="mf_rsa")
guard("mf_engine_product: Width must be 16, 32 or 64", 8, 48, 128)
guard("mf_engine_product: Block must be 0 (cells), 1 (DSP48E2) or 2 (ECP5)", 3, -5, top="mf_rsa")
message = "mf_modexp_setup: LowKind and HighKind must be 0 to 4, LowKind 0 if InverseBits is"
guard(message, 5, -5, InverseBits=8)
guard(message, 1)
guard(message, 0, InverseBits=8)

# FFT. Digits 2^v, DigitW u, Bits N of the ring: E2 to E5, E8 of the specification.
for name in ("mlm", "mlws", "fmlm_loader", "fmle_par"):
    guard(f"mf_{name}: Width must be 3 to 8192", 0, 2, 8193, -5)
for name in ("mlm", "mlws"):
    guard(f"mf_{name}: Digit must be 1 to 64", 0, 65, -5)
message = "mf_mclaughlin_core: Length must be a multiple of Digit, and two digits or more"
guard(message, 15, 6, Digit=6)
for name in ("fmlm_loader", "fmle_par"):
    message = f"mf_{name}: Width must be at most Digits DigitW - 2, - 3 if Balanced (E5)"
    guard(message, 1087)
    guard(message, 1086, Balanced=1, Single=1)
guard("mf_fft_engine: Digits must be a power of two, 16 to 512", 0, 8, 24, 1024, -1)
guard("mf_fft_engine: DigitW must be log2(Digits) + 4 (E8) to 253", 0, 9, 254, -1, -5)
guard("mf_fft_engine: Bits must be c Digits, divisible by 4 for a half-integer c (E2)", 80)
guard("mf_fft_engine: Bits must be at most 512", 513, 576, -1, -5)
guard("mf_fft_engine: Bits must be more, for the sum of two products (E3)", 0, 32)
guard("mf_fft_engine: Bits must be more, for a product of three at once (E4)", 64, DigitW=18)
guard("mf_fft_engine: Segment must be 2 or 4", 0, 1, 3, 8193, -5)
guard("mf_fft_engine: Levels must be 1 to 5", 0, 6)
guard("mf_fft_engine: Relaxed must be 0 with Swapped", 1, Swapped=1, Bits=128)
message = "mf_fft_engine: Balanced needs AllAtOnce and Single, without Relaxed and Swapped"
guard(message, 1)
guard(message, 1, Single=1, AllAtOnce=0)
guard(message, 1, Single=1, Relaxed=1)
guard(message, 1, Single=1, Swapped=1, Bits=128)
message = "mf_fft_engine: Redundant needs Fast, AllAtOnce, Relaxed, Segment = 4, without x"
guard(message, 1)
for changed in ({"Fast": 0}, {"AllAtOnce": 0}, {"Relaxed": 0}, {"Segment": 2}, {"OperandX": 1}):
    guard(message, 1, **{"Fast": 1, "Relaxed": 1, "OperandX": 0, **changed})
guard("mf_fft_direct: CarryW must be at most SegmentW", 133)
guard("mf_fft_balancer: DigitW must be at least 2", 0, 1)
guard("mf_fft_engine: Elements must be 1 or 2", 0, 3, 8193, -5)
message = "mf_fft_engine: Contexts must be 1, or 2 with one element and without x"
guard(message, 2, 3)
guard(message, 2, Elements=2, OperandX=0)
guard("mf_fft_engine: FirstConstant and Constants must be within the four constants", 3)
guard("mf_fmlm: Form must be 0 to 2", 3)
guard("mf_fmlm_par: Form must be 0", 1)
guard("mf_fmlm_squaring_par: Form must be 1", 0)
guard("mf_fmlm_common_par: Form must be 2", 0)
guard("mf_fmle: ExponentBits must be 1 to 65535", 0, 65536, -5)
message = "mf_fmle: Elements must be 2, or 1 with Fast and AllAtOnce"
guard(message, 0, 1, 3)
guard(message, 1, Fast=1, AllAtOnce=0)
guard("mf_fft_control: MultiplierLatency must be 5 to Digits", 4, 65)
guard("mf_fft_sequencer: Fused must be 0 with an odd number of stages", 1, Digits=32, Bits=32)
guard("mf_fft_subtractor: CarryW must be at most SegmentW", 69)
guard("mf_ring_shift: Bits must be at least 4", 3)
guard("mf_ring_shift: Registers must be at least 1", 0)
guard("mf_ring_sqrt2: Bits must be a multiple of 4", 0, 6)
guard("mf_ring_multiplier: Bits must be at least 4", 3)
guard("mf_ring_multiplier: Levels must be 0 to 6", 7)
guard("mf_ram: Width must be at least 1", 0)
guard("mf_ram: Depth must be at least 2", 0, 1)

# Primitives.
guard("mf_carry_lookahead: Width must be at least 1", 0)
for name in ("adder", "credit_buffer", "delay_line", "one_hot_mux", "word_serial_adder"):
    guard(f"mf_{name}: Width must be at least 1", 0, -5)
guard("mf_zero_detector: Width must be at least 1", 0)
for name in ("barrel_register_full_adder", "compressor_row", "compressor_tree", "full_adder_row"):
    guard(f"mf_{name}: Width must be at least 2", 0, 1)
guard("mf_barrel_register_full_adder2: Width must be at least 4", 0, 3)
guard("mf_adder: Style must be 0 to 3", 4)
guard("mf_carry_lookahead: Style must be 0 to 3", 4)
guard("mf_chain_adder: Width must be at least 1", 0, -5)
guard("mf_chain_adder: WordW must be at least 1", 0, -5)
guard("mf_chain_adder: Operands must be 0 to 2", 3, -5)
guard("mf_chain_adder: Block must be 0 (generic) or 1 (ECP5)", 2, -5)
guard("mf_chain_adder_ecp5: Width must be at least 1", 0)
guard("mf_carry_lookahead: LevelsPerCycle must be 0 with Style 0", 1, Style=0)
guard("mf_group_converter: Width must be at least 1", 0)
guard("mf_group_converter: GroupW must be at least 1", 0)
guard("mf_group_converter: Cycles must be 3, or 2 with Style 3 and without Later", 0, 1, 4)
for form in ({"Style": 0}, {"Later": 1}):
    guard("mf_group_converter: Cycles must be 3, or 2 with Style 3 and without Later", 2, **form)
guard("mf_one_hot_mux: Inputs must be at least 1", 0, -5)
guard("mf_compressor_tree: Rows must be at least 1", 0)
guard("mf_compressor_tree: Outputs must be at least 2", 0, 1)
for outputs in (2, 3):
    guard(
        "mf_compressor_tree: Late must be at most Rows - 2, and 0 with more than 2 Outputs",
        *(2, 5),
        Outputs=outputs,
    )
guard("mf_word_multiplier: Width must be at least 1", 0)
guard("mf_word_multiplier: Block must be 0 (generic), 1 (DSP48E2) or 2 (ECP5)", 3)
guard("mf_word_multiplier: Width must be at most 17 with DSP48E2", 18, Block=1)
guard("mf_word_multiplier: Width must be at most 18 with MULT18X18D", 19, Block=2)
guard("mf_word_multiplier_ecp5: Width must be 1 to 18", 0, 19)
guard("mf_mac_ecp5: WordWidth must be 1 to 18", 0, 19)
guard("mf_mac_ecp5: Pipeline must be 1, 2 or 3", 0, 4)
for name in ("OperandRegisters", "ProductRegister", "CRegister"):
    guard(f"mf_dsp48e2: {name} must be 0 or 1", 2, -5)
guard("mf_mac_dsp48e2: Pipeline must be 1, 2 or 3", 0, 4)
message = "DSP48E2 model: registers of the unused inputs must be 0, PREG must be 1"
GUARDS.append(("DSP48E2", message, {"PREG": 0}))
GUARDS.append(("DSP48E2", message, {"ADREG": 1, "AREG": 1, "ACASCREG": 1}))
message = "CCU2C: INJECT1_0 and INJECT1_1 must be NO in this model"
GUARDS.append(("CCU2C", message, {"INJECT1_0": 1}))
GUARDS.append(("CCU2C", message, {"INJECT1_1": 1}))


# Bus.
guard("mf_axil_port: AddressW must be at least 3", 2)
guard("mf_bus_axi: Bits must be 1 to 65535", 0, 65536)
guard("mf_bus_axi: Slots must be at most 16", 17)
guard("mf_bus_axi: Window must be at most 15", 16)
guard("mf_bus_axi: Halves must be at most 2", 3)
for name in ("InputWords", "OutputWords", "InFlight"):
    message = "mf_core_packets: InputWords, OutputWords and InFlight must be at least 1"
    GUARDS.append(("mf_core_packets", message, {name: 0}))
guard("mf_core_windows: InputWords must be 1 to 7168", 0, 7169)
guard("mf_core_windows: OutputWords must be 1 to 8192", 0, 8193)


@cache
def syntax_trees() -> tuple[SyntaxTree, ...]:
    return tuple(SyntaxTree.fromFile(str(path)) for path in FILES)


ALL_STEPS = CompilationOptions().maxConstexprSteps
FEW_STEPS = 10_000
"""Constant functions need not end for what is illegal: some have 2^32 turns then."""


def fatal_messages(top: str, parameters: dict[str, int], steps: int = FEW_STEPS) -> list[str]:
    """Elaborate in slang and return what the guards say."""
    options = CompilationOptions()
    options.maxConstexprSteps = steps
    options.topModules = {top}
    options.paramOverrides = [f"{name}={literal(value)}" for name, value in parameters.items()]
    bag = Bag()
    bag.compilationOptions = options
    compilation = Compilation(bag)
    for tree in syntax_trees():
        compilation.addSyntaxTree(tree)
    found = [d for d in compilation.getAllDiagnostics() if d.code == Diags.FatalTask]
    return [str(argument).removeprefix(": ") for d in found for argument in d.args]


def row_id(row: Row) -> str:
    return " ".join([row[0], *(f"{name}={value}" for name, value in row[2].items())])


@pytest.mark.parametrize("row", GUARDS, ids=row_id)
def test_slang_stops_with_the_message(row: Row) -> None:
    top, message, parameters = row
    assert message in fatal_messages(top, parameters)


def test_each_guard_has_a_row() -> None:
    guards = {m for path in FILES for m in re.findall(r'\$fatal\(1, "(.*)"\)', path.read_text())}
    assert guards == {message for _, message, _ in GUARDS}


LIBRARY = [
    *(part for folder in sorted({path.parent for path in FILES}) for part in ("-y", folder)),
    *(path for path in FILES if path.stem.endswith("_pkg")),
]
"""Packages, and where Verilator finds modules: what a row does not need is not read."""
PROCESSOR_SECONDS = 5
LIMITED = ["sh", "-c", f'ulimit -t {PROCESSOR_SECONDS}; exec "$@"', "sh"]


@pytest.mark.slow
@pytest.mark.parametrize("row", GUARDS, ids=row_id)
def test_verilator_stops_with_the_message(row: Row, tmp_path: Path) -> None:
    top, message, parameters = row
    values = [f"-G{name}={literal(value)}" for name, value in parameters.items()]
    source = next(path for path in FILES if path.stem == top)
    program = ROOT / "bin" / "verilator_bin"
    with pytest.raises(ToolFailedError, match="status 1 "):  # its own, not the limit's
        run_tool(
            [
                *(*LIMITED, program, *VERILATOR_FLAGS, "-Mdir", tmp_path),
                *("--top-module", top, *values, *LIBRARY, source),
            ],
            log=tmp_path / "log",
            timeout=120,
            environment=ENVIRONMENT,
        )
    assert message in (tmp_path / "log").read_text()


SAMPLE = ("mf_mm_r2 Width=2", "mf_booth_csa Radix=0", "mf_eberle_par K=0", "mf_adder Width=0")


@pytest.mark.parametrize("row", [row for row in GUARDS if row_id(row) in SAMPLE], ids=row_id)
def test_yosys_stops_with_the_message(row: Row, tmp_path: Path) -> None:
    top, message, parameters = row
    values = " ".join(f"-G {name}={value}" for name, value in parameters.items())
    files = " ".join(f'"{path}"' for path in FILES)
    with pytest.raises(ToolFailedError):
        run_yosys(f"read_slang --top {top} {values} {files}\n", log=tmp_path / "log", timeout=60)
    assert message in (tmp_path / "log").read_text()


# ------------------------------------------------------------------ Python's rule is the RTL's

OTHERS = {
    ("rmm", "m"): {"k": 16},
    ("fios_dsp", "elements"): {"width": 8192, "word_width": 16, "variant": "unit"},
    ("fmle", "elements"): {"variant": "fast", "all_at_once": 1},
    ("fios_dsp", "pipeline"): {"variant": "unit"},
    ("booth_csa", "converter"): {"radix": 64},
    ("unit_chain", "digit"): {"chain": 80},
    ("unit_chain", "chain"): {"digit": 2},
    ("unit_csa", "region"): {"delay": 3},
    ("modexp", "multipliers"): {"algorithm": "ladder"},
    ("modexp", "chains"): {"multiplier": "fixed_prime"},
    ("fixed_prime", "modulus"): {"width": 768},
    ("fixed_prime", "word"): {"width": 768},
    ("fixed_prime", "karatsuba"): {"width": 8},
    ("full_pipelined", "karatsuba"): {"levels": 1},
    ("fixed_prime", "levels"): {"width": 8},
}
"""What makes both ends of a parameter legal."""


def ends() -> list[tuple[str, str, int, bool]]:
    """Each integer parameter at both ends of its range, and one beyond: whether it is legal."""
    found = []
    for name, architecture in cores().items():
        if name == "fixed_square":
            continue  # the parameters and the module that checks them are those of fixed_prime
        for spec in architecture.specs():
            if not (spec.choices or spec.is_part or spec.is_modulus):
                low = min(spec.numbers, default=spec.minimum)
                high = max(spec.numbers, default=spec.maximum)
                found += [(name, spec.name, value, True) for value in (low, high)]
                if (low, high) != (0, 1):  # those are a bit
                    found += [(name, spec.name, value, False) for value in (low - 1, high + 1)]
    return found


@pytest.mark.parametrize(("name", "parameter", "value", "legal"), ends())
def test_python_and_rtl_have_one_rule(name: str, parameter: str, value: int, legal: bool) -> None:
    others = {"width": 64, **OTHERS.get((name, parameter), {})}
    if legal:
        chosen = design(name, **others | {parameter: value})
        assert fatal_messages(chosen.hardware.top, chosen.hardware.parameters, ALL_STEPS) == []
    else:
        with pytest.raises(ParameterError, match=parameter):
            design(name, **others | {parameter: value})
        if name == "rmm" or (name.startswith("fixed_") and parameter == "modulus"):
            return  # no plan, or no bits, to be a parameter: GUARDS has the RTL's half
        usual = design(name, **others)
        attributes = {spec.name: spec.attribute for spec in usual.specs()}
        illegal = unchecked(usual, **{attributes[parameter]: value})
        if parameter == "check" or illegal.top_parameters == usual.top_parameters:
            return  # it chooses the module, or one around it
        assert fatal_messages(illegal.top, illegal.top_parameters)


@pytest.mark.parametrize(
    ("multiplier", "given"),
    (
        ({"name": "scs_mm_new", "variant": "published"}, {}),
        ({"name": "scs_mm_skip"}, {"leakage": "full"}),
        ({"name": "scs_mm_skip"}, {"leakage": "exponent"}),
        ({"name": "scs_mm_skip"}, {"chains": 2}),
        ({"name": "mm_r2"}, {"leakage": "full", "algorithm": "sliding"}),
    ),
    ids=str,
)
def test_what_a_multiplier_can_not_give_is_refused_by_both(
    multiplier: dict[str, str], given: dict[str, str | int]
) -> None:
    name, chosen = multiplier["name"], {k: v for k, v in multiplier.items() if k != "name"}
    parts = {f"multiplier.{key}": value for key, value in chosen.items()}
    with pytest.raises(ParameterError):
        design("modexp", width=16, multiplier=name, **parts, **given)
    part = design(name, width=16, **chosen)
    illegal = unchecked(design("modexp", width=16), multiplier=part, **given)
    assert fatal_messages(illegal.top, illegal.top_parameters)
