# SPDX-License-Identifier: Apache-2.0
"""Run the placer Coloquinte on the circuit on standard input, in a process of its own.

Input is JSON: ``width`` of each cell and the ``size`` [width, height] of the die in nm, ``height``
of a row, ``nets`` as lists of cells, ``effort``. The file that the argument names gets ``x`` and
``y`` of each cell's lower left corner.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path


def main() -> None:
    """Read the circuit, write the places."""
    import coloquinte

    data = json.load(sys.stdin)
    width, height = data["width"], data["height"]
    circuit = coloquinte.Circuit(len(width))
    circuit.cell_width = width
    circuit.cell_height = [height] * len(width)
    right, top = data["size"]
    circuit.setup_rows(coloquinte.Rectangle(0, right, 0, top), height, True, True)
    for net in data["nets"]:
        circuit.add_net(net, [width[cell] // 2 for cell in net], [height // 2] * len(net))
    circuit.place_global(data["effort"])
    circuit.legalize(data["effort"])
    circuit.place_detailed(data["effort"])
    places = {"x": list(circuit.cell_x), "y": list(circuit.cell_y)}
    Path(sys.argv[1]).write_text(json.dumps(places))


if __name__ == "__main__":
    main()
