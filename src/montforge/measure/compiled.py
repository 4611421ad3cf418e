# SPDX-License-Identifier: Apache-2.0
"""The hash of all that the tools read of a design, by which stale figures are found."""

from __future__ import annotations

from dataclasses import asdict, replace

from montforge.hardware import Hardware, rtl_code
from montforge.hardware.fpga import Fpga
from montforge.measure.opensta import timing_script
from montforge.measure.targets import Target
from montforge.measure.yosys import Variant, fpga_script, mapping_script, netlist_script
from montforge.work.cache import content_hash


def compiled_hash(hardware: Hardware, target: Target) -> str:
    """Return the hash of RTL, parameters, and the scripts of synthesis and timing.

    Comments and white space of the RTL do not count, nor does any Python but the writers of the
    scripts. The cells of a library are not in it, and need not be there.
    """
    code = rtl_code(hardware)
    return content_hash(hardware.top, dict(hardware.parameters), code, _recipe(hardware, target))


def _recipe(hardware: Hardware, target: Target) -> list[object]:
    if isinstance(target, Fpga):
        described: Target = replace(target, title="", notes=(), frequency_mhz=0)
        # Of huge designs alone, whose placement is no part of what is compiled.
        huge = {"in_ring", "multiplier_sites"}
        fields = {name: value for name, value in asdict(described).items() if name not in huge}
        return [fields, fpga_script(hardware.top, target.family)]
    described = replace(target, title="", notes=(), liberty="", genlib="", wire_load=None)
    # Rows were stored before these fields were there.
    later = {name for name in ("clock_gating", "weak_cells") if not getattr(target, name)}
    return [
        {name: value for name, value in asdict(described).items() if name not in later},
        netlist_script(hardware.top, Variant(), described, hardware.memories),
        mapping_script(described),
        timing_script(hardware.top, hardware.clock, described),
    ]
