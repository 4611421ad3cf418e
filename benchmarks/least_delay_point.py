# SPDX-License-Identifier: Apache-2.0
"""What the point of the least delay goal is worth in a sweep at quick effort.

    python benchmarks/least_delay_point.py

A quick sweep maps a design for a goal that no netlist meets, takes its other goals from the delay
that came out, and chooses the least area x period. The table has that product for each point, its
goal in ps, and how far the best of the other goals is behind the point of the least delay. Nothing
is measured twice: what the cache has is taken.
"""

from __future__ import annotations

from ratios import label

from montforge.arch import design
from montforge.measure import measure

TARGET = "nangate45"
DESIGNS: tuple[tuple[str, dict[str, str | int]], ...] = (
    ("mm_r2", {"width": 256}),
    ("unit_csa", {"width": 256}),
    ("unit_csa", {"width": 1024}),
    ("booth_csa", {"width": 256, "radix": 64, "pipeline": 1}),
    ("booth_csa", {"width": 512, "radix": 64, "pipeline": 1}),
    ("scs_mm_skip", {"width": 1024}),
    ("tenca_koc", {"width": 1024}),
    ("rsa", {"bits": 64}),
    ("rsa", {"bits": 64, "core": "scs_mm_ct"}),
)


def main() -> None:
    """Measure and print."""
    print("| design | least delay: mm2 ns | other goals: ps, mm2 ns | best of them |")
    print("| --- | ---: | --- | ---: |", flush=True)
    for name, given in DESIGNS:
        sweep = measure(design(name, **given), TARGET, effort="quick", workers=1).sweep
        product: dict[int, float] = {}
        for point in sweep:
            found, goal = point["area"] * point["period"] / 1e6, point["delay_ps"]
            product[goal] = min(found, product.get(goal, found))
        first = product.pop(min(product))
        others = ", ".join(f"{goal}: {found:.5f}" for goal, found in product.items())
        behind = 100 * (min(product.values()) / first - 1)
        print(f"| {label(name, given)} | {first:.5f} | {others} | {behind:+.1f}% |", flush=True)


if __name__ == "__main__":
    main()
