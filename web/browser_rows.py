# SPDX-License-Identifier: Apache-2.0
"""The rows of the page: those of the store, and in the page's worker a user's own among them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from montforge.errors import MontforgeError, ParameterError
from montforge.store import Result, read_results, with_others
from montforge.store.pick import FUNCTIONS, RANGES, Choice, Request, in_range, pick


def page_rows(
    results: Sequence[Result], targets: Iterable[str], added: Sequence[Result] = ()
) -> list[dict[str, Any]]:
    """Return the rows that `pick` ranks on ``targets``, in the order of ``results``, and estimates.

    A row with figures with wires is there twice: as it is, and with these as its own. There are
    estimates for the widths that ``results`` have. Those of ``added`` are marked.
    """
    widths = sorted({row.size for row in results if not row.is_own})
    marked = [*added, *(row.sized for row in added)]
    measured: dict[int, dict[str, Any]] = {}
    estimates = []
    for target, width, function, placed in product(targets, widths, FUNCTIONS, (False, True)):
        request = Request(
            width=width, target=target, function=function, estimate=True, placed=placed
        )
        try:
            found = pick(request, results)
        except ParameterError:  # nothing at all
            continue
        for choice in found.choices:
            row = _row(choice, request)
            measured[id(choice.stored)] = {**row, "added": choice.stored in marked}
        estimates += [_row(choice, request) for choice in found.estimates]
    order = [id(each) for row in results for each in (row, row.sized)]
    return [*(measured[each] for each in order if each in measured), *estimates]


def rows_with(contents: str, target: str) -> dict[str, Any]:
    """Return the ``rows`` that `pick` ranks beside those of a user's files, or the ``error``.

    ``contents`` is a JSON object of names and texts: files as `pick --with` takes them, on
    ``target``. The rows are a JSON text; they are of ``targets`` alone, those that the files have
    rows of.
    """
    known = read_results()
    with TemporaryDirectory() as scratch:
        paths = [Path(scratch, name) for name in json.loads(contents)]
        for path, text in zip(paths, json.loads(contents).values(), strict=True):
            path.write_text(text, encoding="utf-8")
        try:
            results = with_others(known, paths, target)
        except MontforgeError as error:
            return {"error": str(error).replace(f"{scratch}/", "")}
    added = [row for row in results if row not in known]
    targets = sorted({row.target for row in added})
    return {"rows": json.dumps(page_rows(results, targets, added)), "targets": targets}


def _row(choice: Choice, request: Request) -> dict[str, Any]:
    """Return a row: that of ``montforge pick --json``, and the words by which it is shown.

    Own RTL has no width and no function, and is compared with those of any.
    """
    row = choice.stored
    own = row.is_own
    return {
        **choice.to_json(),
        "label": row.label,
        "family": "own" if own else row.chosen.family,
        "width": None if own else request.width,
        "target": request.target,
        "function": None if own else request.function,
        "ranges": [name for name in RANGES if in_range(row, name)],
        "added": False,
        "is_placed": choice.placed,
        "between": [end.size for end in choice.ends],
        "period": row.period,
        "notes": [] if own else list(row.chosen.notes),
        "words": [] if own else row.chosen.words,
        "promise": "" if own else str(row.chosen.contract),
    }
