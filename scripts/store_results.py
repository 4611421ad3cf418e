# SPDX-License-Identifier: Apache-2.0
"""Add measured results to the store, src/montforge/store/results.jsonl.

    montforge measure unit_csa -p width=256 --target nangate45 --effort quick --json > row.json
    python scripts/store_results.py row.json
    montforge explore --width 256 --target nangate45 --space FILE --effort quick -o DIR
    python scripts/store_results.py DIR/results.json

A design that is there on the same target with the same effort is replaced. Then the docs are to be
rendered again: python scripts/render_docs.py
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from montforge import store

FILE = Path(store.__file__).with_name(store.RESULTS)


def main() -> None:
    """Add the rows of the files."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("file", type=Path, nargs="+")
    paths = parser.parse_args().file
    found = list(store.read_results(FILE.read_text(encoding="utf-8") if FILE.is_file() else ""))
    for path in paths:
        data = json.loads(path.read_text(encoding="utf-8"))
        rows = data.get("rows", [data])
        found += [store.Result.of(row) for row in rows if row.get("status") != "failed"]
    FILE.write_text(store.results_text(found), encoding="utf-8")


if __name__ == "__main__":
    main()
