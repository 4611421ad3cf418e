# SPDX-License-Identifier: Apache-2.0
"""Published tables as data, and the runs that reproduce them."""

from montforge.errors import unknown_name
from montforge.papers import dai2018, fios_dsp, grale2020, kuang2016, sassaw2010
from montforge.papers.data import Paper, PaperDesign, paper, paper_names, published_cycles
from montforge.papers.reproduction import Reproduction, Request, run
from montforge.work.progress import ProgressFunction

_MODULES = {
    module.PAPER.name: module for module in (dai2018, fios_dsp, grale2020, kuang2016, sassaw2010)
}


def reproduce(
    name: str,
    *,
    table: str | None = None,
    targets: tuple[str, ...] = (),
    widths: tuple[int, ...] = (),
    samples: int | None = None,
    effort: str = "full",
    placed: bool = False,
    seed: int = 1,
    progress: ProgressFunction | None = None,
) -> Reproduction:
    """Return a paper's tables with measured figures beside the published ones.

    ``table`` is the paper's own name of a table (default: all of them); ``targets``,
    ``widths`` and ``samples`` (operations for a mean cycle count) default to the table's.
    ``effort`` and ``placed`` are those of `measure`, ``placed`` on libraries with data of wires.
    Everything measured is cached, so an interrupted run goes on
    where it stopped. Raises UnknownNameError for a paper, table or target that does not exist.
    """
    if name not in _MODULES:
        raise unknown_name("paper", name, _MODULES)
    module = _MODULES[name]
    request = Request(targets, widths, samples, seed, effort, placed, progress)
    return run(module.PAPER, module.REPRODUCERS, table, request)


__all__ = [
    "Paper",
    "PaperDesign",
    "Reproduction",
    "paper",
    "paper_names",
    "published_cycles",
    "reproduce",
]
