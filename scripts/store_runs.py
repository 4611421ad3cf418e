# SPDX-License-Identifier: Apache-2.0
"""Repeat the runs that pages take numbers from, docs/runs.jsonl.

    python scripts/store_runs.py                       # all of them
    python scripts/store_runs.py WORDS                 # those whose command has these words in it
    python scripts/store_runs.py --stale               # measurements of designs whose RTL changed
    python scripts/store_runs.py --new COMMAND ...     # further ones

A run is a command; its output is stored with its commit: of a `montforge` command the object of
``--json``, of others the text. Runs are stored one by one, so that --new continues an interrupted
call. Render the docs afterwards: python scripts/render_docs.py
"""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from dataclasses import replace
from typing import Any

from figures import ROOT, RUNS, read_runs

from montforge.arch import design
from montforge.measure.compiled import compiled_hash
from montforge.measure.placed import placed_hash
from montforge.measure.targets import StandardCells, described_target


def commit() -> str:
    """Return the short name of the checkout's commit."""
    command = ["git", "rev-parse", "--short", "HEAD"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout[:-1]


def made(command: str) -> dict[str, Any]:
    """Run a command. Raises CalledProcessError if it does not end with status 0."""
    words, json_output = shlex.split(command), command.startswith("montforge ")
    words += ["--json"] * json_output
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    output = json.loads(done.stdout) if json_output else done.stdout
    return {"command": command, "commit": commit(), "output": output}


def is_stale(run: dict[str, Any]) -> bool:
    """Return whether a run measured a design whose RTL or flow is another one today."""
    output = run["output"]
    if not isinstance(output, dict) or not output.get("compiled"):
        return False
    target = described_target(output["target"], output["flags"].get("effort"))
    if isinstance(target, StandardCells):
        target = replace(target, clock_gating="--clock-gating" in run["command"])
    measured = design(output["architecture"], **output["parameters"]).with_form(output["form"])
    stale = bool(output["compiled"] != compiled_hash(measured.hardware, target))
    if isinstance(target, StandardCells) and "placed" in output:
        stale |= bool(output["placed"]["compiled"] != placed_hash(measured.hardware, target))
    return stale


def main(arguments: list[str]) -> None:
    """Make runs and write them."""
    known = read_runs()
    if arguments[:1] == ["--new"]:
        wanted = [command for command in arguments[1:] if command not in known]
    elif arguments == ["--stale"]:
        wanted = [command for command, run in known.items() if is_stale(run)]
    else:
        wanted = [command for command in known if " ".join(arguments) in command]
    for command in wanted:
        print(command, flush=True)
        known[command] = made(command)
        rows = [known[name] for name in sorted(known)]
        RUNS.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
