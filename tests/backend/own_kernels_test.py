#!/usr/bin/env python3
"""Objects for an instruction set share no code with others: own_kernels_test.py NM OBJECT... SHARING

A linker keeps one of several definitions of an inline function. If it kept that of an object for AVX-512, a processor without it would
stop. So no OBJECT may define a weak symbol. SHARING does define some: the test would find them.
"""
import subprocess
import sys


def shared_symbols(nm, path):
    """The symbols that the object defines and that other objects may define too."""
    lines = subprocess.run([nm, "--defined-only", path], check=True, capture_output=True, text=True).stdout.splitlines()
    return [words[2] for words in map(str.split, lines) if len(words) == 3 and words[1] in "WwVvu"]


def main(nm, *objects):
    *own, sharing = objects
    wrong = {path: symbols for path in own if (symbols := shared_symbols(nm, path))}
    for path, symbols in wrong.items():
        print(f"{path} shares {len(symbols)} symbols with other objects, e.g. {symbols[0]}")
    if not shared_symbols(nm, sharing):
        print(f"{sharing} shares nothing: this test can't fail")
        return 1
    return 1 if wrong or not own else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
