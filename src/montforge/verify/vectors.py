# SPDX-License-Identifier: Apache-2.0
"""Files of products to check: JSON lines ``{"n": "0x..", "a": "0x..", "b": "0x.."}``."""

from __future__ import annotations

import json
from pathlib import Path

from montforge.arch import Operation
from montforge.contract import Contract
from montforge.errors import InputFileError, OperandError

KEYS = ("n", "a", "b")


def read_vectors(path: Path, contract: Contract) -> tuple[Operation, ...]:
    """Return the products ``(a, b, n)`` of a file: plain residues, 0 <= a, b < n, in hexadecimal.

    Empty lines are skipped. Raises InputFileError for a missing, unreadable or empty file, and,
    with its line number, for a line that is broken or whose modulus the contract does not allow.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise InputFileError(f"the vectors file {path} can't be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise InputFileError(f"the vectors file {path} is not text in UTF-8.") from None
    products = [
        _product(line, contract, f"{path}, line {number}")
        for number, line in enumerate(text.splitlines(), start=1)
        if line.strip()
    ]
    if not products:
        raise InputFileError(
            f'the vectors file {path} is empty; it takes lines like {{"n": "0xb", "a": "0x7",'
            ' "b": "0x3"}.'
        )
    return tuple(products)


def _product(line: str, contract: Contract, where: str) -> Operation:
    try:
        record = json.loads(line)
    except ValueError as error:
        raise InputFileError(f"{where}: not JSON ({error}).") from None
    if not isinstance(record, dict):
        raise InputFileError(f'{where}: not a JSON object with the keys "n", "a" and "b".')
    n, a, b = (_value(record, key, where) for key in KEYS)
    try:
        contract.modulus.check(n)
    except OperandError as error:
        raise InputFileError(f"{where}: {error}") from None
    for key, value in (("a", a), ("b", b)):
        if not 0 <= value < n:
            raise InputFileError(f"{where}: {key} is not below n; residues are 0 <= {key} < n.")
    return a, b, n


def _value(record: dict[str, object], key: str, where: str) -> int:
    if key not in record:
        raise InputFileError(f'{where}: the key "{key}" is missing; a line has "n", "a" and "b".')
    value = record[key]
    try:
        if not isinstance(value, str):
            raise ValueError
        return int(value, 16)
    except ValueError:
        raise InputFileError(
            f'{where}: {key} = {json.dumps(value)[:60]} is not a hexadecimal string like "0x1f".'
        ) from None
