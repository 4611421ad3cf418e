# SPDX-License-Identifier: Apache-2.0
"""The program that FuseSoC runs where a core has ``generator: montforge``.

    python3 generator.py INPUT.yml

It makes a folder, as ``montforge generate``, in the current one. The folder has the core file that
FuseSoC reads.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from montforge.arch import design
from montforge.errors import MontforgeError, ParameterError
from montforge.generate import generate

REQUIRED: Mapping[str, type] = {"architecture": str, "name": str}
OPTIONS: Mapping[str, type] = {"prefix": str, "flat_verilog": bool, "seed": int}
"""Arguments of `montforge.generate.generate`."""
TYPES = {**REQUIRED, "parameters": dict, "form": str, **OPTIONS}
"""What a core may give, and its types."""


def generate_core(given: Mapping[str, Any], output: Path) -> Path:
    """Make the folder that a core asks for, below ``output``, and return it.

    ``given`` has values of `TYPES`; ``parameters`` are the architecture's, such as
    ``{"width": 256, "core.radix": 4}``.
    Raises ParameterError for other values, and as `montforge.generate.generate`.
    """
    for name, value in given.items():
        if name not in TYPES:
            raise ParameterError(f"unknown parameter {name!r}; legal: {', '.join(TYPES)}.")
        if not isinstance(value, TYPES[name]):
            raise ParameterError(f"{name} = {value!r} is no {TYPES[name].__name__}.")
    for name in REQUIRED.keys() - given.keys():
        raise ParameterError(f"parameter {name} is missing.")
    chosen = design(
        given["architecture"],
        **{name: str(value) for name, value in given.get("parameters", {}).items()},
    )
    if "form" in given:
        chosen = chosen.with_form(given["form"])
    options = {name: given[name] for name in OPTIONS.keys() & given.keys()}
    return generate(chosen, output / given["name"], name=given["name"], **options)


def main() -> None:
    """Do what the input file says, in the current folder."""
    import yaml  # FuseSoC brings it

    given = yaml.safe_load(Path(sys.argv[1]).read_text(encoding="utf-8"))["parameters"]
    try:
        generate_core(given, Path.cwd())
    except MontforgeError as error:
        sys.exit(f"montforge: {error}")


if __name__ == "__main__":
    main()
