# SPDX-License-Identifier: Apache-2.0
"""Results of tools, stored by all that they depend on: their inputs and the sources of the flow."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from montforge.work.cache import ResultStore, content_hash
from montforge.work.sources import code_hash, source_commit

NOT_THE_FLOW = frozenset(
    (
        *("arch", "cli", "demos", "driver", "explore", "generate", "host", "papers", "programs"),
        *("proofs", "prove", "report", "rtl", "store", "targets", "templates", "verify"),
        *("contract.py", "functions.py", "licence.py"),
        *("hardware/axi.py", "hardware/forms.py", "hardware/parts.py"),
        "measure/placed",  # whose results have the hash of its sources among their inputs
    )
)
"""Parts of montforge that are not the flow: a tool's result depends on them by the RTL and scripts
that they make, which are among its inputs, or not at all."""


def stored(
    store: ResultStore, kind: str, inputs: Sequence[object], make: Callable[[], dict[str, Any]]
) -> dict[str, Any]:
    """Return the result of ``inputs`` from the store; make and store it if it is missing.

    ``inputs`` are all that the result depends on: JSON values, and paths for files' contents; the
    sources of the flow, which runs the tools and reads their answers, are added to them. The result
    gets two more keys: ``key``, the hash of the inputs, and ``commit``, that of the montforge
    checkout that made it.
    """
    key = content_hash(kind, code_hash("montforge", NOT_THE_FLOW), *inputs)
    found = store.get(key)
    if found is None:
        made = {**make(), "key": key, "commit": source_commit()}
        store.put(key, kind, made)
        found = dict(json.loads(json.dumps(made)))
    return found
