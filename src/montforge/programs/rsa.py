# SPDX-License-Identifier: Apache-2.0
"""The micro-program of the RSA engine: its rows, and the turns that they take.

A segment is a list of rows without branches on data. A row is done for both halves (p and q), or
for one of them, or at full width, as the form of its result says. ``scripts/make_programs.py``
writes the rows into ``rtl/rsa/mf_rsa_rows.sv``, and into ``mf_rsa_pkg.sv`` the numbers that the
engine compares its own counts with.

Names of operations, operands, conditions, errors and repetitions are those of ``mf_rsa_pkg``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, partial

CHECK_PQ, CHECK_N, CHECK_BOTH = CHECKS = ("pq", "n", "both")
"""Moduli that a result is checked with, in the order of the parameter Check of mf_rsa."""
P, Q, FULL = EXPONENTIATORS = ("p", "q", "full")
FORMS = {"half": (P, Q), "wide": (P, Q), "short64": (P, Q), "of_p": (P,), "of_q": (Q,)}
"""Halves that a row with a result of this form is done for; others are of full width."""


# ---------------------------------------------------------------- rows


@dataclass(frozen=True)
class Operand:
    """A variable of ``mf_rsa_pkg``, and the function of ``mf_rsa_rows`` for its form."""

    form: str
    name: str

    def __str__(self) -> str:
        return f"{self.form}({self.name})"


half, full, wide, of_p, of_q, short = (
    partial(Operand, form) for form in ("half", "full", "wide", "of_p", "of_q", "short64")
)
"""The value of the half that a row is done for; both values as one of full width; the value of full
width that each half has; that of p, or of q; 64 bits of the value of the half."""
ZERO, ONE, TWO = full("Zero"), full("One"), full("Two")


@dataclass(frozen=True)
class Row:
    """A step. ``call``: its text in ``mf_rsa_rows``, without ``amount`` and conditions.

    ``target``: form and name of its result. ``fn``: the exponentiator's operation. ``segment`` is
    called as often as ``times`` says. ``condition`` must hold after it, or else ``error`` ends the
    program; the outcome code ``code`` counts it. ``phase``: the phase that the host reads, if it is
    not the segment's. ``drains``: while the row waits for the exponentiator, the phase is that of
    the row before.
    """

    call: str
    target: Operand | None = None
    fn: str = ""
    segment: str = ""
    times: str = ""
    amount: str = ""
    condition: str = ""
    error: str = ""
    code: str = ""
    phase: str = ""
    drains: bool = False

    def __str__(self) -> str:
        text = f"by({self.amount}, {self.call})" if self.amount else self.call
        if self.code:
            return f"counts({self.code}, {text}, {self.condition})"
        return f"must({text}, {self.condition}, {self.error})" if self.condition else text


@dataclass(frozen=True)
class Either:
    """``then`` where the condition ``when`` of ``mf_rsa_rows`` holds, else ``otherwise``.

    A row of only some values of Check has ``checks``, the values for which ``when`` holds.
    """

    when: str
    then: Row
    otherwise: Row
    checks: tuple[str, ...] | None = None

    def __str__(self) -> str:
        return f"{self.when} ? {self.then} : {self.otherwise}"


Step = Row | Either


def words(word: str, z: Operand, x: Operand, y: Operand | None = None, *, by: str = "") -> Row:
    """Return z = x ``word`` y, an operation of the word unit, on ``by`` bits."""
    text = f"words(Word{word}, {z}, {x}, {y})" if y else f"unary(Word{word}, {z}, {x})"
    return Row(text, z, amount=f"Amount{by}" if by else "")


def copy(z: Operand, x: Operand) -> Row:
    """Return z = x."""
    return Row(f"copy({z}, {x})", z)


def compare(x: Operand, y: Operand) -> Row:
    """Return the comparison of x with y, for a condition."""
    return Row(f"compare({x}, {y})", x)


def reduce(z: Operand) -> Row:
    """Return z = z mod n for z < 2 n."""
    return Row(f"reduce({z})", z)


def put(z: Operand) -> Row:
    """Return z = the exponentiator's result, below n."""
    return Row(f"put({z})", z)


def go(fn: str, x: Operand, y: Operand, *, by: str = "") -> Row:
    """Return the start of an exponentiator with x and y, or with y if ``fn`` is Keep."""
    return Row(f"go(Go{fn}, {x}, {y})", x, fn=fn, amount=f"Amount{by}" if by else "")


def call(segment: str, times: str = "Once") -> Row:
    """Return the call of a segment."""
    return Row(f"call(Seg{segment}, Times{times})", segment=segment, times=times)


def must(row: Row, condition: str, error: str) -> Row:
    """Return ``row``, after which a condition must hold."""
    return replace(row, condition=f"If{condition}", error=error)


def counts(code: str, row: Row, condition: str) -> Row:
    """Return ``row`` with a condition that an outcome code counts."""
    return replace(row, condition=f"If{condition}", code=f"Code{code}")


def during(phase: str, row: Row) -> Row:
    """Return ``row`` of another phase than its segment's."""
    return replace(row, phase=phase)


STOP, END = Row("stop()"), Row("Nothing")


@dataclass(frozen=True)
class Segment:
    """Rows, which several segments can share, with the ``phase`` that the host reads.

    ``first``: rows before the others with CheckBoth.
    """

    names: tuple[str, ...]
    phase: str
    comment: str
    rows: tuple[Step, ...]
    first: tuple[Step, ...]


def segment(
    names: str, phase: str, comment: str, *rows: Step, first: tuple[Step, ...] = ()
) -> Segment:
    """Return a segment; ``names`` have spaces between them."""
    return Segment(tuple(names.split()), phase, comment, rows, first)


# ---------------------------------------------------------------- segments


def _pq(then: Row, otherwise: Row) -> Either:
    return Either("(Check == CheckPq)", then, otherwise, (CHECK_PQ,))


def _n(then: Row, otherwise: Row) -> Either:
    return Either("(Check == CheckN)", then, otherwise, (CHECK_N,))


def _unscaled(then: Row, otherwise: Row) -> Either:
    return Either("(PublicScale == 0)", then, otherwise)


def _last(z: Operand, x: Operand, y: Operand) -> Row:
    """Return the sum, in the last step of a signed inverse the difference."""
    word = "(segment_i == SegInverseEnd) ? WordSub : WordAdd"
    return Row(f"words({word}, {z}, {x}, {y})", z)


def _again(x: Operand, y: Operand) -> Either:
    return Either("again_q", go("Mul", y, x), go("Mul", x, y))


_FULL = compare(full("WorkC"), full("HostX"))
_HALVES = compare(half("WorkM"), half("WorkX"))
_BELOW = compare(full("WorkY"), full("SlotM"))
_PRODUCT = compare(full("WorkP"), full("SlotM"))
_TURNS = compare(ONE, ONE)
_POWER = compare(half("WorkY"), half("SlotN"))


def _power(code: str) -> Either:
    return _n(counts(code, _FULL, "Equal"), counts(code, _HALVES, "Equal"))


SEGMENTS = (
    segment(
        "Load",
        "Load",
        "A key: checks of its length and parts; then its constants, blinding pair and self-test.",
        must(words("Shift", full("WorkC"), full("HostN"), by="NTop"), "Length", "ErrLength"),
        must(copy(half("SlotN"), half("HostPq")), "Odd", "ErrModulusEven"),
        must(copy(full("SlotM"), full("HostN")), "Odd", "ErrModulusEven"),
        must(compare(full("WorkC"), ONE), "Equal", "ErrLength"),
        words("Shift", half("WorkA"), half("SlotN"), by="Top"),
        must(compare(half("WorkA"), ONE), "Equal", "ErrLength"),
        must(compare(of_p("SlotN"), of_q("SlotN")), "NotEqual", "ErrPrimesEqual"),
        words("Mul", full("WorkP"), of_p("SlotN"), of_q("SlotN")),
        must(_PRODUCT, "Equal", "ErrProduct"),
        must(copy(half("SlotD"), half("HostD")), "Odd", "ErrExponent"),
        must(compare(half("SlotD"), half("SlotN")), "Less", "ErrExponent"),
        words("Shift", full("WorkC"), full("HostE"), by="32"),
        must(compare(full("WorkC"), ZERO), "Equal", "ErrPublicExponent"),
        must(copy(of_q("SlotQInv"), full("HostE")), "Odd", "ErrPublicExponent"),
        must(compare(of_q("SlotQInv"), TWO), "NotLess", "ErrPublicExponent"),
        words("Sub", half("WorkA"), half("SlotN"), ONE),
        must(
            words("Compare", half("WorkA"), of_q("SlotQInv"), half("WorkA")),
            "Less",
            "ErrPublicExponent",
        ),
        must(words("Compare", of_p("WorkA"), of_p("HostQInv"), of_p("SlotN")), "Less", "ErrRange"),
        STOP,
        call("Inverses"),
        STOP,
        call("Setup", "Halves"),
        _pq(call("Key"), call("Full", "Full")),
        _pq(END, copy(full("SlotFullConstants"), full("WorkM"))),
        copy(full("SlotFullR2"), full("WorkX")),
        _unscaled(call("Key"), copy(full("SlotFullEstimate"), full("WorkH"))),
        _unscaled(END, call("Key")),
    ),
    segment(
        "Inverses",
        "Load",
        "dP and dQ are inverses of e: e dP - 1 = k (p - 1), exactly. After the checks before, dP is"
        " odd and below p, and e < 2^32, so 0 < e dP - 1 < 2^32 (p - 1): 32 steps divide it by"
        " p - 1. WorkA has p - 1, WorkC 2^32 (p - 1), WorkP after step i 2^i (e dP - 1) modulo"
        " that.",
        copy(short("WorkK"), full("HostE")),
        words("Mul", wide("WorkP"), short("WorkK"), half("SlotD")),
        words("Sub", wide("WorkP"), wide("WorkP"), ONE),
        words("Sub", short("WorkK"), ZERO, ONE),
        words("Low", short("WorkK"), short("WorkK"), by="32"),
        words("Add", short("WorkK"), short("WorkK"), ONE),
        words("Mul", wide("WorkC"), short("WorkK"), half("WorkA")),
        call("Remainder", "32"),
        must(compare(wide("WorkP"), ZERO), "Equal", "ErrExponent"),
    ),
    segment(
        "Remainder",
        "Load",
        "A bit of the quotient: the remainder is doubled, and the divisor subtracted if it is not"
        " above.",
        words("Add", wide("WorkP"), wide("WorkP"), wide("WorkP")),
        words("Sub", wide("WorkT"), wide("WorkP"), wide("WorkC")),
        words("Select", wide("WorkP"), wide("WorkP"), wide("WorkT")),
    ),
    segment(
        "Full",
        "Load",
        "The constants of p q, made in the slot of the host's n, left in work for the key's slot.",
        copy(half("SlotN"), full("HostN")),
        call("Setup"),
        copy(half("WorkM"), half("SlotConstants")),
        copy(half("WorkX"), half("SlotR2")),
        _unscaled(END, copy(half("WorkH"), half("SlotEstimate"))),
    ),
    segment(
        "Key",
        "Load",
        "qInv R, and q qInv = 1 (mod p); the blinding pair; a random message signed and checked.",
        words("LoadNK", of_p("SlotN"), of_p("SlotN"), of_p("SlotConstants")),
        copy(of_p("WorkA"), of_q("SlotN")),
        reduce(of_p("WorkA")),
        go("Mul", of_p("HostQInv"), of_p("SlotR2")),
        put(of_p("SlotQInv")),
        go("Mul", of_p("WorkA"), of_p("SlotQInv")),
        put(of_p("WorkB")),
        must(compare(of_p("WorkB"), ONE), "Equal", "ErrQInv"),
        STOP,
        call("Pair"),
        words("Random", full("WorkS"), ZERO, by="NTop"),
        call("Private"),
    ),
    segment(
        "Setup",
        "Constants",
        "The multiplier's constants, R, R^2, 2^L R^2 modulo n, from n of L bits: R by doublings of"
        " 2^L - n, R^2 by squarings and doublings of 2 R.",
        Either("no_inverse", copy(half("WorkB"), ONE), call("Digits")),
        call("Inverse", "Inverse"),
        call("InverseEnd", "InverseEnd"),
        call("Constant", "Constant"),
        copy(half("SlotConstants"), half("WorkB")),
        words("LoadNK", half("SlotN"), half("SlotN"), half("SlotConstants")),
        words("Sub", half("WorkA"), ZERO, half("SlotN")),
        words("Low", half("WorkA"), half("WorkA")),
        copy(half("WorkB"), half("WorkA")),
        Either("scaled", call("Scale"), call("Double", "Double")),
        copy(half("SlotR1"), half("WorkB")),
        call("Double"),
        call("Square", "Square"),
        copy(half("SlotR2"), half("WorkB")),
        go("Mul", half("SlotR2"), half("WorkA")),
        put(half("WorkX")),
        go("Mul", half("WorkX"), half("SlotR2")),
        put(half("SlotShift")),
    ),
    segment(
        "Scale",
        "Load",
        "R of a multiplier with Scale, and before it SlotEstimate, floor(2^(L + Scale + 2) / n).",
        copy(half("WorkM"), ONE),
        call("Estimate", "Estimate"),
        copy(half("SlotEstimate"), half("WorkM")),
        copy(half("WorkB"), half("WorkA")),
        call("Double", "Double"),
    ),
    segment(
        "Estimate",
        "Load",
        "A bit of that quotient: the remainder, in WorkB, is doubled; the flag: it is below n.",
        words("Add", half("WorkB"), half("WorkB"), half("WorkB")),
        words("Sub", half("WorkT"), half("WorkB"), half("SlotN")),
        words("Select", half("WorkB"), half("WorkB"), half("WorkT")),
        words("Add", half("WorkM"), half("WorkM"), half("WorkM")),
        words("Add", half("WorkH"), half("WorkM"), ONE),
        words("Select", half("WorkM"), half("WorkM"), half("WorkH")),
    ),
    segment(
        "Digits",
        "Constants",
        "Before the steps of SegInverse: m in WorkM is 0, 2^i in WorkH is 1, WorkB is 1.",
        copy(half("WorkM"), ZERO),
        copy(half("WorkH"), ONE),
        copy(half("WorkB"), ONE),
    ),
    segment(
        "Constant",
        "Constants",
        "The multiplier's constant: n + 1, m or n 2^InverseBits + m.",
        Either(
            "no_inverse",
            words("Add", half("WorkB"), half("SlotN"), ONE),
            copy(half("WorkB"), half("WorkM")),
        ),
        Either("words_kind", words("Mul", wide("WorkP"), half("WorkH"), half("SlotN")), END),
        words("Add", half("WorkB"), wide("WorkP"), half("WorkM")),
    ),
    segment(
        "Inverse InverseEnd",
        "Constants",
        "A step of (n m + 1) / 2^InverseBits, m = -n^-1 mod 2^InverseBits, in WorkB: if WorkB is"
        " odd, n is added (in the last step of a signed m subtracted); then WorkB is halved. The"
        " flag is the parity; by it 2^i, in WorkH, is added to m, in WorkM, in the same way.",
        words("Low", half("WorkT"), half("WorkB")),
        _last(half("WorkA"), half("WorkB"), half("SlotN")),
        words("Select", half("WorkB"), half("WorkA"), half("WorkB")),
        words("Shift", half("WorkB"), half("WorkB"), by="One"),
        Either("no_inverse", END, _last(half("WorkA"), half("WorkM"), half("WorkH"))),
        words("Select", half("WorkM"), half("WorkA"), half("WorkM")),
        words("Add", half("WorkH"), half("WorkH"), half("WorkH")),
    ),
    segment(
        "Double",
        "Constants",
        "WorkB is doubled.",
        words("Add", half("WorkB"), half("WorkB"), half("WorkB")),
        reduce(half("WorkB")),
    ),
    segment(
        "Square",
        "Constants",
        "R^2 R^-1 for R in WorkB, and if the bit of log2 R is 1, doubled.",
        go("Mul", half("WorkB"), half("WorkB")),
        put(half("WorkB")),
        call("Double", "Bit"),
    ),
    segment(
        "Pair",
        "Renew",
        "A new blinding pair: vi random in [2, 2^(L - 1)), vf = vi^(p - 1 - e) = vi^-e in the"
        " domain.",
        call("Draw"),
        words("Sub", wide("WorkP"), half("SlotN"), ONE),
        words("Sub", wide("WorkP"), wide("WorkP"), of_q("SlotQInv")),
        call("Powers", "Halves"),
    ),
    segment(
        "Draw",
        "Renew",
        "vi, of a bit less than p and so below it, drawn again until it is at least 2: that tells"
        " nothing of p.",
        words("Random", half("SlotVi"), ZERO, by="Top"),
        must(compare(half("SlotVi"), TWO), "NotLess", "Again"),
    ),
    segment(
        "Powers",
        "Renew",
        "vf, by the exponent in WorkP.",
        words("LoadNK", half("SlotN"), half("SlotN"), half("SlotConstants")),
        go("Mul", half("SlotVi"), half("SlotR2")),
        put(half("WorkX")),
        words("LoadE", half("WorkX"), wide("WorkP")),
        go("Window", half("WorkX"), half("SlotR1")),
        put(half("SlotVf")),
    ),
    segment(
        "Private",
        "Enter",
        "The private operation; d' = d + k (p - 1) is in WorkP.",
        copy(full("WorkC"), full("HostX")),
        must(compare(full("WorkC"), full("SlotM")), "Less", "ErrMessage"),
        STOP,
        call("Pair", "Renew"),
        words("Random", short("WorkK"), ZERO, by="64"),
        words("Sub", half("WorkA"), half("SlotN"), ONE),
        Either(
            "(Eblind == 0)",
            copy(wide("WorkP"), ZERO),
            words("Mul", wide("WorkP"), short("WorkK"), half("WorkA")),
        ),
        words("Add", wide("WorkP"), wide("WorkP"), half("SlotD")),
        call("Half", "Halves"),
        call("Garner"),
        call("Check"),
    ),
    segment(
        "Half",
        "Renew",
        "The power of one half, m1 or m2, and its next blinding pair.",
        during("Enter", words("LoadNK", half("SlotN"), half("SlotN"), half("SlotConstants"))),
        during("Enter", call("Enter")),
        during("Blind", go("Mul", half("WorkX"), half("SlotVf"))),
        during("Blind", put(half("WorkX"))),
        during("Power", words("LoadE", half("WorkX"), wide("WorkP"))),
        during("Power", go("Window", half("WorkX"), half("SlotR1"), by="D")),
        replace(go("Keep", half("WorkX"), half("SlotVi")), drains=True),
        put(half("WorkM")),
        go("Mul", half("SlotVf"), half("SlotVf")),
        put(half("SlotVf")),
        go("Mul", half("SlotVi"), half("SlotR2")),
        put(half("WorkA")),
        go("Mul", half("WorkA"), half("SlotVi")),
        put(half("SlotVi")),
    ),
    segment(
        "Enter Reenter",
        "Enter",
        "WorkX = WorkC in the domain: c1 2^L R^2 R^-1 + c0 R^2 R^-1 for WorkC = c1 2^L + c0. In"
        " the check (SegReenter) c is the second factor: a stuck bit in the register of one factor"
        " would else change c and y in the same way.",
        words("Shift", half("WorkA"), full("WorkC")),
        words("Low", half("WorkB"), full("WorkC")),
        reduce(half("WorkA")),
        reduce(half("WorkB")),
        _again(half("WorkA"), half("SlotShift")),
        put(half("WorkA")),
        _again(half("WorkB"), half("SlotR2")),
        put(half("WorkX")),
        words("Add", half("WorkX"), half("WorkX"), half("WorkA")),
        reduce(half("WorkX")),
    ),
    segment(
        "Garner",
        "Recombine",
        "y = m2 + h q, h = (m1 - m2) qInv mod p.",
        words("LoadNK", of_p("SlotN"), of_p("SlotN"), of_p("SlotConstants")),
        copy(of_p("WorkA"), of_q("WorkM")),
        reduce(of_p("WorkA")),
        words("Sub", of_p("WorkB"), of_p("WorkM"), of_p("WorkA")),
        words("Add", of_p("WorkA"), of_p("WorkB"), of_p("SlotN")),
        words("Select", of_p("WorkB"), of_p("WorkA"), of_p("WorkB")),
        go("Mul", of_p("WorkB"), of_p("SlotQInv")),
        put(of_p("WorkH")),
        words("Mul", full("WorkP"), of_p("WorkH"), of_q("SlotN")),
        words("Add", full("WorkY"), full("WorkP"), of_q("WorkM")),
    ),
    segment(
        "Check",
        "Check",
        "y < n, p q = n, y^e = c mod p and mod q or mod n, the number of turns; each"
        " comparison is made twice.",
        counts("First", _BELOW, "Less"),
        words("Mul", full("WorkP"), of_p("SlotN"), of_q("SlotN")),
        counts("First", _PRODUCT, "Equal"),
        _n(call("CheckFull"), call("CheckHalf", "Halves")),
        _power("First"),
        counts("First", _TURNS, "Turns"),
        counts("Second", _BELOW, "Less"),
        counts("Second", _PRODUCT, "Equal"),
        _power("Second"),
        counts("Second", _TURNS, "Turns"),
        first=(
            call("CheckFull"),
            counts("First", _FULL, "Equal"),
            counts("Second", _FULL, "Equal"),
        ),
    ),
    segment(
        "CheckHalf",
        "Load",
        "WorkM = y^e, WorkX = c, both in the domain; c is read from the host's memory once"
        " more. The result of the last product is known: with a multiplier whose products no longer"
        " depend on its operands both sides would be equal.",
        words("LoadNK", half("SlotN"), half("SlotN"), half("SlotConstants")),
        copy(full("WorkC"), full("WorkY")),
        call("Enter"),
        words("LoadPublic", half("WorkX"), of_q("SlotQInv")),
        go("Public", half("WorkX"), half("WorkX"), by="32"),
        put(half("WorkM")),
        copy(full("WorkC"), full("HostX")),
        must(_FULL, "Equal", "ErrFault"),
        call("Reenter"),
        go("Mul", half("SlotR2"), ONE),
        put(half("WorkA")),
        must(compare(half("WorkA"), half("SlotR1")), "Equal", "ErrFault"),
    ),
    segment(
        "CheckFull",
        "Load",
        "WorkC = y^e mod n by the exponentiator of full width: y^(e - 1) in the domain, and plain"
        " y.",
        words("LoadNK", full("SlotM"), full("SlotM"), full("SlotFullConstants")),
        go("Mul", full("WorkY"), full("SlotFullR2")),
        put(full("WorkA")),
        words("Sub", full("WorkB"), of_q("SlotQInv"), ONE),
        words("LoadPublic", full("WorkA"), full("WorkB")),
        go("Public", full("WorkA"), full("WorkA"), by="32"),
        go("Keep", full("WorkA"), full("WorkY")),
        put(full("WorkC")),
    ),
    segment(
        "Modulus",
        "Load",
        "Operations on one modulus: n and its constants; then a power.",
        must(words("Shift", half("WorkA"), full("HostN"), by="NTop"), "Length", "ErrLength"),
        must(copy(half("SlotN"), full("HostN")), "Odd", "ErrModulusEven"),
        must(compare(half("WorkA"), ONE), "Equal", "ErrLength"),
        STOP,
        call("Setup", "Setup"),
        call("Power", "Power"),
    ),
    segment(
        "Power",
        "Power",
        "WorkY = x^e, checked to be below n.",
        must(words("Compare", half("WorkA"), full("HostX"), half("SlotN")), "Less", "ErrMessage"),
        STOP,
        copy(half("WorkC"), full("HostX")),
        words("LoadNK", half("SlotN"), half("SlotN"), half("SlotConstants")),
        go("Mul", half("WorkC"), half("SlotR2")),
        put(half("WorkX")),
        call("Window", "Window"),
        call("Public", "Public"),
        counts("First", _POWER, "Less"),
        counts("Second", _POWER, "Less"),
    ),
    segment(
        "Window",
        "Power",
        "The power by a window, in a time that depends on e_bits alone.",
        words("LoadE", half("WorkX"), full("HostE")),
        go("Window", half("WorkX"), half("SlotR1"), by="E"),
        go("Keep", half("WorkX"), ONE),
        put(half("WorkY")),
    ),
    segment(
        "Public",
        "Power",
        "For an odd e the last product is that of x^(e-1), in the domain, and plain x, for an even"
        " one that of x^e and 1; it leaves the domain. If the power is x^0, the factor is the"
        " result. The flag is 1 if e is odd.",
        words("Low", half("WorkA"), full("HostE"), by="E"),
        words("Sub", half("WorkB"), half("WorkA"), ONE),
        words("Low", half("WorkT"), half("WorkA")),
        words("Select", half("WorkA"), half("WorkB"), half("WorkA")),
        words("Select", half("WorkB"), full("HostX"), ONE),
        copy(half("WorkY"), half("WorkB")),
        compare(half("WorkA"), ZERO),
        call("PublicPower", "Nonzero"),
    ),
    segment(
        "PublicPower",
        "Power",
        "WorkY = x^e or x^(e-1) times the factor, outside the domain.",
        words("LoadPublic", half("WorkX"), half("WorkA")),
        go("Public", half("WorkX"), half("WorkX"), by="E"),
        go("Keep", half("WorkX"), half("WorkB")),
        put(half("WorkY")),
    ),
)
BY_NAME = {name: segment for segment in SEGMENTS for name in segment.names}


# ---------------------------------------------------------------- turns


@dataclass(frozen=True)
class Turns:
    """Multiplications of one exponentiator: products, windows and powers by a public exponent."""

    products: int = 0
    windows: int = 0
    powers: int = 0


NEVER = "Renew"
"""Repetition that is not counted: a renewed pair comes before the engine begins to count."""


def rows_of(name: str, check: str) -> Iterator[Row]:
    """Yield the rows of a segment with a value of ``CHECKS``.

    Of rows that depend on the multiplier only one is yielded: both have the same turns and checks,
    or it is a set-up.
    """
    segment = BY_NAME[name]
    for step in (*segment.first, *segment.rows) if check == CHECK_BOTH else segment.rows:
        row: Step = step
        while isinstance(row, Either):
            row = row.then if row.checks is None or check in row.checks else row.otherwise
        if row == END:
            return
        yield row


def executed(name: str, check: str) -> Iterator[Row]:
    """Yield the rows of a segment and of those that it calls, each once for both halves."""
    for row in rows_of(name, check):
        yield row
        if row.segment and row.times != NEVER:
            yield from executed(row.segment, check)


@cache
def turns(name: str, exponentiator: str, check: str) -> Turns:
    """Return the turns that a segment takes of one of `EXPONENTIATORS`."""
    found = Counter(
        row.fn
        for row in executed(name, check)
        if row.target and exponentiator in FORMS.get(row.target.form, (FULL,))
    )
    return Turns(found["Mul"] + found["Keep"], found["Window"], found["Public"])


def checks(name: str, check: str, *, one_modulus: bool = False) -> int:
    """Return the number of checks that each outcome code counts in a segment.

    Under ``one_modulus`` rows are done once. Raises ValueError if the codes differ.
    """
    rows = list(executed(name, check))
    first, second = (
        sum(
            1 if one_modulus else len(FORMS.get(row.target.form, (FULL,)))
            for row in rows
            if row.code == code and row.target
        )
        for code in ("CodeFirst", "CodeSecond")
    )
    if first != second:
        raise ValueError(f"segment {name} takes one code on {first} times, the other {second}")
    return first
