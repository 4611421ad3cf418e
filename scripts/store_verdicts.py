# SPDX-License-Identifier: Apache-2.0
"""Prove what the stored verdicts, src/montforge/prove/verdicts.jsonl, lack or have stale.

    python scripts/store_verdicts.py --width 256              # each architecture, usual parameters
    python scripts/store_verdicts.py --width 256 --stored     # and each multiplier of the results
    python scripts/store_verdicts.py --stale                  # each stored one that is stale
    python scripts/store_verdicts.py --width 1024 --check timing mm_r2
    python scripts/store_verdicts.py --width 64 --check clear -p clear=1
    python scripts/store_verdicts.py --check function -p multiplier=mm_r2 -p algorithm=ladder modexp

Each verdict is written as soon as it is known. Then the docs are to be rendered again:
python scripts/render_docs.py
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from montforge import prove as package
from montforge.arch import Core, Design, architecture, design, registry
from montforge.errors import MontforgeError
from montforge.hardware.forms import FORMS, PARALLEL
from montforge.prove import STRUCTURE, Certificate, Check, prove, secret_fields
from montforge.prove.lemmas import lemmas_of
from montforge.prove.verdicts import CHECKS, VERDICTS, StoredVerdict, read_verdicts, verdicts_text
from montforge.store import read_results
from montforge.store.fill import replace_text

FILE = Path(package.__file__).with_name(VERDICTS)
SECRETS = {"modexp": ((), ("e",)), "fmle": ((), ("e",))}
"""The fields that are secret beside the usual ones, in turn."""


def main() -> None:
    """Prove and write what is missing."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("architecture", nargs="*", help="only these")
    parser.add_argument("--width", type=int, action="append")
    parser.add_argument("--check", choices=(*CHECKS, "clear"), action="append")
    parser.add_argument("-p", dest="parameter", action="append", default=[], help="NAME=VALUE")
    parser.add_argument("--form", choices=FORMS, default=PARALLEL)
    parser.add_argument("--stored", action="store_true", help="the designs of the results, too")
    parser.add_argument("--stale", action="store_true", help="only stored ones that are stale")
    parser.add_argument("--timeout", type=float, default=600.0, help="seconds a reading or a lemma")
    parser.add_argument("--retry", action="store_true", help="again what is not proved")
    asked = parser.parse_args()
    kept = {row.key: row for row in read_verdicts()}
    for chosen in _stale(asked, read_verdicts()) if asked.stale else _asked(asked):
        for secret in SECRETS.get(chosen.name, ((),)):
            for row in _renewed(chosen, secret, asked, kept):
                kept[row.key] = row
                replace_text(FILE, verdicts_text(kept.values()))
                print(chosen, row.check, row.verdict, row.seconds, row.message, flush=True)


def _asked(asked: argparse.Namespace) -> Iterator[Design]:
    for width in asked.width or [256]:
        yield from _designs(asked.architecture or list(registry()), width, asked)


def _stale(asked: argparse.Namespace, rows: Iterable[StoredVerdict]) -> Iterator[Design]:
    """Yield the designs with a stale verdict, narrow ones first, each once."""
    stale = dict.fromkeys(row.chosen for row in rows if row.stale)
    for each in sorted(stale, key=lambda each: each.size):
        if asked.width and each.size not in asked.width:
            continue
        if not asked.architecture or each.name in asked.architecture:
            yield each


def _designs(names: list[str], width: int, asked: argparse.Namespace) -> Iterator[Design]:
    """Yield the designs of a width, each once: the usual ones first."""
    form = asked.form
    given = dict(each.split("=", 1) for each in asked.parameter)
    found: dict[Design, None] = {}
    for name in names:
        try:
            found[_usual(name, width, given, form)] = None
        except MontforgeError as error:
            print(error)
    rows = (row for row in read_results() if asked.stored and not row.is_own)
    found |= {row.chosen: None for row in rows if (row.form, row.size) == (form, width)}
    yield from (each for each in found if each.name in names)


def _usual(name: str, width: int, given: Mapping[str, str], form: str) -> Design:
    """Return a design of a width; of an engine in the form without a bus, unless one is named."""
    size = architecture(name).size_parameter
    found = design(name, **{size: width, **given})
    return found if form == PARALLEL else found.with_form(form)


def _is_known(chosen: Design, check: str) -> bool:
    """Return whether the verdict on a check can be another one than unknown."""
    if not isinstance(chosen, Core):
        return check in STRUCTURE
    return check != "function" or lemmas_of(chosen) is not None


def _renewed(
    chosen: Design,
    secret: tuple[str, ...],
    asked: argparse.Namespace,
    kept: dict[tuple[str, ...], StoredVerdict],
) -> Iterator[StoredVerdict]:
    fields = secret_fields(chosen, secret)
    missing = []
    for name in asked.check or CHECKS:
        if (secret and name not in {"timing", "enables"}) or not _is_known(chosen, name):
            continue
        blank = Certificate(chosen, fields, (Check(name, "unknown", ""),), {})
        row = kept.get(StoredVerdict.of(blank, blank.checks[0]).key)
        if asked.stale and (row is None or not row.stale):
            continue
        if row is None or row.stale or (asked.retry and row.verdict != "proved"):
            missing.append(name)
    if not missing:
        return
    try:
        found = prove(chosen, checks=missing, secret=secret, timeout=asked.timeout)
    except MontforgeError as error:
        print(chosen, error)
        return
    yield from (StoredVerdict.of(found, check) for check in found.checks)


if __name__ == "__main__":
    main()
