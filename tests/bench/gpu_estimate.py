#!/usr/bin/env python3
"""What a block's arithmetic costs AMD's GPUs, estimated: gpu_estimate.py LEVEL_DISPATCHES [--kernels LEVEL]

A table of microseconds for each level of alpine with blocks of 512 cells. LEVEL_DISPATCHES is the program. The cycles are those of
tests/shaders/gpu_budgets.txt, which Mesa's RADV estimated: an estimate without memory, caches and waiting. RADV counts 8 iterations for
each loop, so kernels whose loops are shorter are scaled (LOOPS); level 0's program has more steps, and its row is too low. --kernels shows where a level's time goes.
"""
import pathlib
import subprocess
import sys

BUDGETS = pathlib.Path(__file__).parent.parent / "shaders/gpu_budgets.txt"
# Of each family: units that issue a wave at a time (SIMDs), and boost clock in GHz (the vendor's data sheets of RX 480, RX Vega 64,
# RX 6900 XT and RX 7900 XTX).
FAMILIES = {"polaris10": (36 * 4, 1.266), "vega10": (64 * 4, 1.546), "navi21": (80 * 2, 2.25), "gfx1100": (96 * 2, 2.5)}
# What a kernel with loops takes in alpine, divided by the table's cycles: RADV says it of a copy whose loops run as often as they do there. export
# has a height curve without pieces, and a vertex in one tile; a way is drawn in two steps; tiles are swept five and four times.
LOOPS = {"export": 0.25, "rivers_trace": 0.63, "pools_fill_tile": 0.70, "rivers_settle_tile": 0.45, "rivers_gather": 0.88}


def cycles_by_kernel():
    """Of each kernel on a plane: a wave's cycles by family."""
    rows = [line.split() for line in BUDGETS.read_text().splitlines() if line and line[0] not in "#d"]
    return {row[0]: dict(zip(FAMILIES, (int(column.split(":")[1]) for column in row[2:]))) for row in rows if row[1] == "plane"}


def microseconds(kernel, waves, family, cycles):
    units, clock = FAMILIES[family]
    return waves * cycles[kernel][family] * LOOPS.get(kernel, 1) / units / (clock * 1e3)


def main(program, *options):
    cycles = cycles_by_kernel()
    lines = subprocess.run([program, "alpine", "512"], check=True, capture_output=True, text=True).stdout.splitlines()
    rows = [(int(level), kernel, int(dispatches), float(waves)) for level, kernel, dispatches, waves in map(str.split, lines)]
    if options[:1] == ("--kernels",):
        for level, kernel, dispatches, waves in rows:
            if level == int(options[1]):
                print(f"{kernel:20s} {dispatches:3d} " + " ".join(f"{microseconds(kernel, waves, family, cycles):7.1f}" for family in FAMILIES))
        return
    print(f"| level | dispatches | {' | '.join(FAMILIES)} |\n|---|---|{'---|' * len(FAMILIES)}")
    for level in sorted({row[0] for row in rows}):
        mine = [row for row in rows if row[0] == level]
        times = [sum(microseconds(kernel, waves, family, cycles) for _, kernel, _, waves in mine) for family in FAMILIES]
        print(f"| {level} | {sum(row[2] for row in mine)} | {' | '.join(f'{time:.0f}' for time in times)} |")


if __name__ == "__main__":
    main(*sys.argv[1:])
