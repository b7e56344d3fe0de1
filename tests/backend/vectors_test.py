#!/usr/bin/env python3
"""A compiler makes vectors of the dear kernels' rows: vectors_test.py OBJDUMP OBJECT...

GCC gives up a whole row for one store under a condition or one inner loop, and the kernel takes three to eight times as long: nothing else
shows it. The OBJECTs have the kernels for AVX2, which most processors have. Some of its kernels can't be vectors: the test would find them.
"""
import re
import subprocess
import sys

# Kernels whose rows are vectors: all that a level of `ground` or of `rivers` spends most of its time in.
VECTORS = """Upsample ThermalSlide ThermalApply PoolsFillBegin PoolsFill RiversGround RiversSurface RiversRoute RiversSlope RiversClimb RiversRise
RiversSettle GroundSlopes GroundDisplace Ground GroundTrains GroundTerraces GroundCraters GroundCoast""".split()
# They follow what differs from vertex to vertex.
SCALARS = ["RiversTrace", "GroundTiles", "GroundRivers"]
# On a planet their rows are not those of a window.
SCALARS_ON_PLANETS = [*SCALARS, "PoolsFill", "GroundSlopes"]

FUNCTION = re.compile(r"^[0-9a-f]+ <.*(?:4RowsI|16RowsBetweenEdgesI).*(8on_plane|9on_sphere)\d+(\w+?)Kernel.*>:$")
# Arithmetic of eight lanes; copies of structs use such registers too.
ARITHMETIC = re.compile(r"\bv(mul|add|sub)ps\b.*%ymm|\bvp(add|sub|min|max|mull|and|xor)[dq]?\b.*%ymm")
LEAST = 4


def kernels_with_vectors(objdump, paths):
    """The kernels whose rows are vectors, on planes and on planets."""
    text = subprocess.run([objdump, "-d", "--no-show-raw-insn", *paths], check=True, capture_output=True, text=True).stdout
    found, name = {}, None
    for line in text.splitlines():
        if line.endswith(">:"):
            match = FUNCTION.match(line)
            name = match.groups() if match else None
        elif name and ARITHMETIC.search(line):
            found[name] = found.get(name, 0) + 1
    return {name for name, count in found.items() if count >= LEAST}


def faults(where, found, vectors, scalars):
    """What is wrong with the kernels on planes or on planets, as lines."""
    lines = [f"the rows of {name} {where} are no vectors: look for a condition around a store, an inner loop, or a call "
             "(-fopt-info-vec-missed)" for name in vectors if name not in found]
    return lines + [f"{name} is known to be scalar {where}, but vectors were found: move it to VECTORS, or this test can't fail"
                    for name in scalars if name in found]


def main(objdump, *paths):
    found = kernels_with_vectors(objdump, paths)
    on = {space: {name for where, name in found if where == space} for space in ("8on_plane", "9on_sphere")}
    on_planets = [name for name in VECTORS if name not in SCALARS_ON_PLANETS]
    lines = (faults("on planes", on["8on_plane"], VECTORS, SCALARS) +
             faults("on planets", on["9on_sphere"], on_planets, SCALARS_ON_PLANETS))
    print("\n".join(lines), end="\n" if lines else "")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
