#!/usr/bin/env python3
"""Kernels stay cheap for GPUs: gpu_budgets_test.py REPORT [--write]

Compiles every kernel for four families of AMD's GPUs with Mesa's RADV, which needs no GPU, and compares what the compiler says with
gpu_budgets.txt. A kernel fails that spills registers, uses scratch memory, or takes 10 % more registers or estimated cycles than the table
says. --write makes the table anew: for a change on purpose. REPORT is the program gpu_compiler_report.

Another version of Mesa compiles otherwise, so the test is skipped (77) there.
"""
import glob
import os
import pathlib
import subprocess
import sys

TABLE = pathlib.Path(__file__).with_name("gpu_budgets.txt")
FAMILIES = ("polaris10", "vega10", "navi21", "gfx1100")
SLACK = 1.1
SKIPPED = 77


def report(program, family):
    """The driver's version, and of each kernel and surface: registers, spilled registers, scratch bytes, cycles."""
    (driver,) = glob.glob("/usr/share/vulkan/icd.d/radeon_icd.*.json")
    environment = {**os.environ, "RADV_FORCE_FAMILY": family, "VK_ICD_FILENAMES": driver, "MESA_SHADER_CACHE_DISABLE": "true"}
    lines = subprocess.run([program], env=environment, check=True, capture_output=True, text=True).stdout.splitlines()
    kernels = {}
    for line in lines[1:]:
        kernel, surface, *numbers = line.split()
        kernels[kernel, surface] = tuple(map(int, numbers))
    return lines[0].removeprefix("driver "), kernels


def read_table(text):
    """The driver's version, and the budgets of each kernel and surface by family: registers, cycles."""
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    budgets = {}
    for line in lines[1:]:
        kernel, surface, *columns = line.split()
        budgets[kernel, surface] = {family: tuple(map(int, column.split(":"))) for family, column in zip(FAMILIES, columns, strict=True)}
    return lines[0].removeprefix("driver "), budgets


def write_table(driver, reports):
    rows = ["# Budgets of the kernels on AMD's GPUs, by tests/shaders/gpu_budgets_test.py --write: vector registers of an invocation, and the compiler's",
            "# estimate of cycles for a wave of 64. The estimate knows no caches, and assumes how often loops run: a loop that is rolled is no gain.",
            f"# KERNEL SURFACE {' '.join(FAMILIES)}", f"driver {driver}"]
    for key in sorted(reports[FAMILIES[0]]):
        columns = [f"{reports[family][key][0]}:{reports[family][key][3]}" for family in FAMILIES]
        rows.append(f"{key[0]:20s} {key[1]:6s} " + " ".join(f"{column:>9s}" for column in columns))
    TABLE.write_text("\n".join(rows) + "\n")


def faults(reports, budgets):
    """What is worse than the table says, as sentences."""
    found = []
    for family, kernels in reports.items():
        for key, (registers, spilled, scratch, cycles) in kernels.items():
            name = f"{key[0]} on a {key[1]} for {family}"
            if spilled or scratch:
                found.append(f"{name}: {spilled} registers are spilled, {scratch} bytes of scratch memory")
            if key not in budgets:
                found.append(f"{name}: not in the table")
                continue
            most_registers, most_cycles = budgets[key][family]
            if registers > SLACK * most_registers:
                found.append(f"{name}: {registers} registers, the table says {most_registers}")
            if cycles > SLACK * most_cycles:
                found.append(f"{name}: {cycles} cycles, the table says {most_cycles}")
    found += [f"{key[0]} on a {key[1]}: in the table, but no kernel" for key in budgets if key not in reports[FAMILIES[0]]]
    return found


def main(program, *options):
    reports, drivers = {}, set()
    for family in FAMILIES:
        driver, reports[family] = report(program, family)
        drivers.add(driver)
    (driver,) = drivers
    if "--write" in options:
        write_table(driver, reports)
        return 0
    table_driver, budgets = read_table(TABLE.read_text())
    if driver != table_driver:
        print(f"skipped: the table is of {table_driver}, this is {driver}")
        return SKIPPED
    found = faults(reports, budgets)
    print("\n".join(found) or f"{len(budgets)} kernels for {len(FAMILIES)} families are within the table of {table_driver}")
    # The twin: a table whose kernels were all a fifth cheaper is exceeded by all.
    cheaper = {key: {family: (registers, cycles * 0.8) for family, (registers, cycles) in row.items()} for key, row in budgets.items()}
    missed = [key for key in budgets if not any(f"{key[0]} on a {key[1]}" in fault for fault in faults(reports, cheaper))]
    # One of a few cycles can't be a fifth cheaper.
    missed = [key for key in missed if budgets[key][FAMILIES[0]][1] > 10]
    if missed:
        print(f"these would not be noticed: {missed}")
    return 1 if found or missed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
