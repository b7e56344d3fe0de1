"""The files of the tree, for checks that read them."""
import os
import pathlib

PRODUCT = ("client", "proto", "server", "shaders")
# Where includes begin, beside the top of the tree.
INCLUDE_ROOTS = ("", "client/include/", "proto/")
# Folders of what builds and npm make.
MADE = {"node_modules", "build", "out", ".git", ".cache"}


def files_of(top):
    """All files of a tree, without what builds and npm make."""
    for folder, folders, names in os.walk(top):
        folders[:] = [name for name in folders if name not in MADE]
        yield from (pathlib.Path(folder) / name for name in names)


def sources(top, *suffixes, roots=PRODUCT):
    """The files below the roots that end so, in order, without what npm installs."""
    return sorted(file for root in roots for file in (top / root).rglob("*") if file.suffix in suffixes and "node_modules" not in file.parts)
