#!/usr/bin/env python3
"""A compiler makes vectors of the dear kernels' rows: vectors_test.py OBJDUMP OBJECT...

GCC gives up a whole row for one store under a condition or one inner loop, and the kernel takes three to eight times as long: nothing else
shows it. The OBJECTs have the kernels for AVX2, which most processors have. Some of its kernels can't be vectors: the test would find them.
"""
import re
import subprocess
import sys

# Kernels whose rows are vectors on a plane: all that a level of `ground` or of `rivers` spends most of its time in.
VECTORS = """Upsample ThermalSlide ThermalApply PoolsFillBegin PoolsFill RiversGround RiversSurface RiversRoute RiversSlope RiversClimb RiversRise
RiversSettle GroundSlopes GroundDisplace Ground GroundTrains GroundTerraces GroundCraters GroundCoast""".split()
# They follow what differs from vertex to vertex.
SCALARS = ["RiversTrace", "GroundTiles", "GroundRivers"]

FUNCTION = re.compile(r"^[0-9a-f]+ <.*4RowsI.*8on_plane\d+(\w+?)Kernel.*>:$")
# Arithmetic of eight lanes; copies of structs use such registers too.
ARITHMETIC = re.compile(r"\bv(mul|add|sub)ps\b.*%ymm|\bvp(add|sub|min|max|mull|and|xor)[dq]?\b.*%ymm")
LEAST = 4


def kernels_with_vectors(objdump, paths):
    """How many vector operations each kernel's rows have."""
    text = subprocess.run([objdump, "-d", "--no-show-raw-insn", *paths], check=True, capture_output=True, text=True).stdout
    found, name = {}, None
    for line in text.splitlines():
        if line.endswith(">:"):
            match = FUNCTION.match(line)
            name = match.group(1) if match else None
        elif name and ARITHMETIC.search(line):
            found[name] = found.get(name, 0) + 1
    return {name for name, count in found.items() if count >= LEAST}


def main(objdump, *paths):
    vectors = kernels_with_vectors(objdump, paths)
    slow = [name for name in VECTORS if name not in vectors]
    for name in slow:
        print(f"the rows of {name} are no vectors: look for a condition around a store, an inner loop, or a call (-fopt-info-vec-missed)")
    blind = [name for name in SCALARS if name in vectors]
    for name in blind:
        print(f"{name} is known to be scalar, but vectors were found: move it to VECTORS, or this test can't fail")
    return 1 if slow or blind else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
