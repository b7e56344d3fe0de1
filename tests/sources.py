"""The sources of the tree, for checks that read them."""

PRODUCT = ("client", "proto", "server", "shaders")
# Where includes begin, beside the top of the tree.
INCLUDE_ROOTS = ("", "client/include/", "proto/")


def sources(top, *suffixes, roots=PRODUCT):
    """The files below the roots that end so, in order, without what npm installs."""
    return sorted(file for root in roots for file in (top / root).rglob("*") if file.suffix in suffixes and "node_modules" not in file.parts)
