# SPDX-License-Identifier: Apache-2.0
"""Files of operations on plain values to check: JSON lines of hexadecimal strings.

A multiplier takes ``{"n": "0x..", "a": "0x..", "b": "0x.."}``, an exponentiator ``n, x, e``. A line
can have the expected answer too, as ``p`` or ``y``.
"""

from __future__ import annotations

import json
from pathlib import Path

from montforge.contract import BitBound, Contract, Operation
from montforge.errors import InputFileError, OperandError

LARGEST = 1 << 28
"""Bytes of the largest file that is read."""


def read_vectors(path: Path, contract: Contract) -> tuple[Operation, ...]:
    """Return the lines of a file: the modulus and `Function.plain_operands`, plain values.

    Where a line has an expected answer, the result's name holds it. Empty lines are skipped.
    Raises InputFileError for a missing, unreadable or empty file, one that is no regular file or
    larger than `LARGEST`, and, with its line number, for a line that is broken or whose modulus
    the contract does not allow.
    """
    try:
        if path.exists() and not path.is_dir():
            _check_ends(path)
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise InputFileError(f"the vectors file {path} can't be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise InputFileError(f"the vectors file {path} is not text in UTF-8.") from None
    vectors = [
        _vector(line, contract, f"{path}, line {number}")
        for number, line in enumerate(text.splitlines(), start=1)
        if line.strip()
    ]
    if not vectors:
        example = ", ".join(f'"{key}": "0x{9 - i}"' for i, key in enumerate(_keys(contract)))
        raise InputFileError(
            f"the vectors file {path} is empty; it takes lines like {{{example}}}."
        )
    return tuple(vectors)


def _check_ends(path: Path) -> None:
    """Raise InputFileError for a device, a pipe or a file that is too large to be read at once."""
    if not path.is_file():
        raise InputFileError(
            f"the vectors file {path} is no regular file; name one that has an end."
        )
    if path.stat().st_size > LARGEST:
        raise InputFileError(
            f"the vectors file {path} has more than {LARGEST >> 20} MB; split it into smaller ones."
        )


def _keys(contract: Contract) -> tuple[str, ...]:
    return ("n", *contract.function.plain_operands)


def _vector(line: str, contract: Contract, where: str) -> Operation:
    keys = _keys(contract)
    listed = ", ".join(f'"{key}"' for key in keys[:-1]) + f' and "{keys[-1]}"'
    try:
        record = json.loads(line)
    except ValueError as error:
        raise InputFileError(f"{where}: not JSON ({error}).") from None
    except RecursionError:
        raise InputFileError(f"{where}: not JSON that is looked at (nested too deeply).") from None
    if not isinstance(record, dict):
        raise InputFileError(f"{where}: not a JSON object with the keys {listed}.")
    for key in keys:
        if key not in record:
            raise InputFileError(f'{where}: the key "{key}" is missing; a line has {listed}.')
    vector = {key: _value(record, key, where) for key in (*keys[1:], "n")}
    try:
        _check(contract, vector)
    except OperandError as error:
        raise InputFileError(f"{where}: {error}") from None
    answer = contract.results[0].name
    if answer in record:
        vector[answer] = _value(record, answer, where)
        if not 0 <= vector[answer] < vector["n"]:
            raise InputFileError(
                f"{where}: {answer} is not below n; answers are 0 <= {answer} < n."
            )
    return vector


def _check(contract: Contract, vector: Operation) -> None:
    """Raise OperandError for plain values that the core can't be asked for."""
    contract.modulus.check(vector["n"])
    for key in contract.function.plain_operands:
        value, bound = vector[key], contract.field(key).bound
        if isinstance(bound, BitBound):
            if not bound.contains(value, vector["n"]):
                fault = "is negative" if value < 0 else f"has {value.bit_length()} bits"
                raise OperandError(
                    f"{key} {fault}; the exponent memory holds {bound.bits} bits"
                    f" (0 <= {key} < 2^{bound.bits})."
                )
        elif not 0 <= value < vector["n"]:
            raise OperandError(f"{key} is not below n; residues are 0 <= {key} < n.")
    contract.function.check(contract, vector)


def _value(record: dict[str, object], key: str, where: str) -> int:
    value = record[key]
    try:
        if not isinstance(value, str):
            raise ValueError
        return int(value, 16)
    except ValueError:
        raise InputFileError(
            f'{where}: {key} = {json.dumps(value)[:60]} is not a hexadecimal string like "0x1f".'
        ) from None
