# SPDX-License-Identifier: Apache-2.0
"""The Extended Serial Montgomery Model: digit scheduling with m digit multipliers.

Source: Grale and Swartzlander, "Improved Montgomery Multiplication", Tables III to V and Fig. 3
and 4; the classes with one multiplier are those of Koc, Acar and Kaliski (1996).

Operands have k digits. A class says in which order the digit products of a multiplication are
done and which of them may share a cycle. `model` gives, for one class and m multipliers, the
number of cycles by formula, the storage, and the schedule product by product, which can be
executed on integers (`SerialModel.execute`) and drawn (`montforge.report.gantt`).

Products accumulate in the cycle in which they are done and are visible in the next one: the model
counts issue cycles and leaves out the pipeline of a real design. The formulas of CIHS and FIPS for
more than one multiplier are ours; the paper gives none.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, NamedTuple, get_args

from montforge.errors import MontforgeError, unknown_name
from montforge.programs.digits import Phase, Product, check_range, fast

Method = Literal["SOS", "CIOS", "FIOS", "CIHS", "FIPS", "SPS"]
METHODS: tuple[Method, ...] = get_args(Method)
MAX_DIGITS = 16

TITLES: dict[Method, str] = {
    "SOS": "separated operand scanning",
    "CIOS": "coarsely integrated operand scanning",
    "FIOS": "finely integrated operand scanning",
    "CIHS": "coarsely integrated hybrid scanning",
    "FIPS": "finely integrated product scanning",
    "SPS": "separated product scanning",
}


class Bar(NamedTuple):
    """One product in a picture of a schedule: ``multiplier`` does ``label`` in ``cycle``."""

    cycle: int
    multiplier: int
    label: str
    phase: Phase


@dataclass(frozen=True)
class SerialModel:
    """One class of the model with ``k`` digits and ``m`` multipliers. Make one with `model`."""

    k: int
    m: int
    method: Method

    @property
    def cycles(self) -> int:
        """Cycles of one multiplication, by the formula of Table IV (CIHS and FIPS: ours)."""
        k, m = self.k, self.m

        def chunks(number: int) -> int:
            return -(-number // m)

        match self.method:
            case "SOS":
                return chunks(k * k) + k * chunks(k) + k
            case "CIOS":
                return 2 * k * chunks(k) + k
            case "FIOS":
                return k * chunks(2 * (k - 1)) + 3 * k
            case "CIHS":
                high = sum(1 + chunks(2 * k - 1 - i) for i in range(k))
                return chunks(k * (k + 1) // 2) + high
            case "FIPS":
                low = sum(chunks(2 * c + 1) + 2 for c in range(k))
                return low + sum(chunks(2 * t) for t in range(1, k))
            case "SPS":
                return chunks((5 * k * k + k) // 2)

    @property
    def formula(self) -> str:
        """The formula of `cycles`, in words of Table IV."""
        return {
            "SOS": "ceil(k^2/m) + k ceil(k/m) + k",
            "CIOS": "2k ceil(k/m) + k",
            "FIOS": "k ceil(2(k-1)/m) + 3k",
            "CIHS": "ceil(k(k+1)/2/m) + sum of 1 + ceil((2k-1-i)/m) for i = 0..k-1",
            "FIPS": "sum of ceil((2c+1)/m) + 2 for c = 0..k-1, and of ceil(2t/m) for t = 1..k-1",
            "SPS": "ceil((2.5k^2 + 0.5k)/m)",
        }[self.method]

    @property
    def products(self) -> int:
        """Digit products of one multiplication: 2.5 k^2 + 0.5 k for SPS, else 2 k^2 + k."""
        return sum(map(len, self.schedule))

    @property
    def storage(self) -> int:
        """Digits of storage besides the operands.

        Koc's figures: 2k + 2 for SOS, k + 3 for the integrated classes. SPS (ours, as the paper
        builds it): T and U of 2k digits and Q of k.
        """
        return {"SOS": 2 * self.k + 2, "SPS": 5 * self.k}.get(self.method, self.k + 3)

    @property
    def utilisation(self) -> float:
        """Share of the multipliers' cycles that hold a product."""
        return self.products / (self.m * len(self.schedule))

    @cached_property
    def schedule(self) -> tuple[tuple[Product, ...], ...]:
        """The products of each cycle.

        As long as `cycles`, except for SPS where dependencies stall the multipliers: the
        paper's claim that they never do for m <= k^2 is wrong: they do for k = 3 with m = 8, for
        k = 4 with m = 14 or 15, and so on. The schedule is then longer than the formula says.
        """
        if self.method == "SPS":
            return fast(self.k, self.m, latency=1)
        cycles: list[tuple[Product, ...]] = []
        for group in _groups(self.k, self.method):
            cycles += [tuple(group[at : at + self.m]) for at in range(0, len(group), self.m)]
        return tuple(cycles)

    def to_json(self) -> dict[str, Any]:
        """Return the figures, and the products of each cycle as text, as JSON-ready values."""
        return {
            "class": self.method,
            "k": self.k,
            "m": self.m,
            "formula": self.formula,
            "cycles": self.cycles,
            "schedule_cycles": len(self.schedule),
            "products": self.products,
            "storage": self.storage,
            "utilisation": round(self.utilisation, 4),
            "schedule": [[str(product) for product in now] for now in self.schedule],
        }

    def bars(self) -> list[Bar]:
        """Return the schedule for a Gantt-style picture (Fig. 3), one bar a product."""
        return [
            Bar(cycle, multiplier, product.label, product.phase)
            for cycle, now in enumerate(self.schedule)
            for multiplier, product in enumerate(now)
        ]

    def execute(self, a: int, b: int, n: int, *, digit_bits: int) -> int:
        """Return ``a b R^-1 mod n``, R = 2^(k digit_bits), by running the schedule.

        Each product is formed from the digits as they are at the start of its cycle. ``n`` must be
        odd and below R, the operands below n. Raises ScheduleError if a digit is read before it is
        final: the low half of the sum is then not 0.
        """
        k, r = self.k, 1 << (self.k * digit_bits)
        word = (1 << digit_bits) - 1
        n_prime = -pow(n, -1, r) % r
        separated = self.method == "SPS"
        total = q_sum = u_sum = 0
        q_digits = [0] * k

        def digit(value: int, at: int) -> int:
            return value >> (at * digit_bits) & word

        for now in self.schedule:
            t_before, q_before, digits_before = total, q_sum, list(q_digits)
            for phase, i, j in now:
                place = (i + j) * digit_bits
                if phase == "T":
                    total += digit(a, i) * digit(b, j) << place
                elif phase == "U":
                    q = digit(q_before, i) if separated else digits_before[i]
                    u_sum += q * digit(n, j) << place
                    if not separated:
                        total += q * digit(n, j) << place
                elif separated:
                    q_sum = (q_sum + (digit(t_before, i) * digit(n_prime, j) << place)) % r
                else:
                    q_digits[i] = digit(t_before, i) * n_prime & word
        if separated:
            total += u_sum
        if total % r:
            raise ScheduleError(
                f"{self.method} with k = {k}, m = {self.m} reads a digit too early."
            )
        result = total // r
        return result - n if result >= n else result


class ScheduleError(MontforgeError):
    """A schedule breaks a dependency."""


def model(k: int, m: int, method: str) -> SerialModel:
    """Return class ``method`` (one of `METHODS`) with ``k`` digits and ``m`` multipliers.

    ``k`` is 2 to 16 and ``m`` 1 to k^2. Raises UnknownNameError or ParameterError.
    """
    found = next((name for name in METHODS if name == method.upper()), None)
    if found is None:
        raise unknown_name("class of the serial model", method, METHODS)
    check_range("k", k, 2, MAX_DIGITS)
    check_range("m", m, 1, k * k)
    return SerialModel(k, m, found)


def _groups(k: int, method: Method) -> list[list[Product]]:
    """Return the products in order, grouped: those of one group may share cycles."""
    digits = range(k)

    def t(i: int, j: int) -> Product:
        return Product("T", i, j)

    def u(i: int, j: int) -> Product:
        return Product("U", i, j)

    def q(i: int) -> Product:
        return Product("Q", i, 0)

    groups: list[list[Product]] = []
    match method:
        case "SOS":
            groups.append([t(i, j) for i in digits for j in digits])
            for i in digits:
                groups += [[q(i)], [u(i, j) for j in digits]]
        case "CIOS":
            for i in digits:
                groups += [[t(j, i) for j in digits], [q(i)], [u(i, j) for j in digits]]
        case "FIOS":
            for i in digits:
                mixed = [p for j in range(1, k) for p in (t(j, i), u(i, j))]
                groups += [[t(0, i)], [q(i)], [u(i, 0)], mixed]
        case "CIHS":
            groups.append([t(i, c - i) for c in digits for i in range(c + 1)])
            for i in digits:
                high = [t(j, k + i - j) for j in range(i + 1, k)]
                groups += [[q(i)], [u(i, j) for j in digits] + high]
        case _:
            for c in range(2 * k - 1):
                rows = range(max(0, c - k + 1), min(c, k - 1) + 1)
                reduced = [u(i, c - i) for i in rows if i < c or c >= k]
                groups.append([t(i, c - i) for i in rows] + reduced)
                if c < k:
                    groups += [[q(c)], [u(c, 0)]]
    return groups
