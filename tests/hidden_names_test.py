"""Finds constants that hide others where sources are compiled together.

A unity build compiles the sources of a folder as one. There a constant in the anonymous namespace of one source hides the constant of the same name
that a header of the namespace has, for all other sources too: they compile, and compute something else.
"""
import collections
import pathlib
import re
import tempfile
import unittest

from sources import sources

TOP = pathlib.Path(__file__).resolve().parents[1]
CONSTANT = re.compile(r"^(?:inline |static )*const(?:expr)? [\w:<>,* ]+?[ *&](k[A-Z]\w*)", re.M)
ANONYMOUS = re.compile(r"^namespace \{\n(.*?)^\}  // namespace$", re.S | re.M)


def hidden(top):
    """(source, constant, header) for each constant that a source hides from others."""
    texts = {file.relative_to(top).as_posix(): file.read_text() for file in sources(top, ".cc", ".h")}
    places = {path: re.search(r"^namespace (thalweg[\w:]*) \{", text, re.M) for path, text in texts.items()}
    headers = collections.defaultdict(dict)
    for path, text in texts.items():
        if path.endswith(".h") and places[path]:
            headers[places[path][1]].update({name: path for name in CONSTANT.findall(text)})
    for path, text in texts.items():
        if path.endswith(".cc") and places[path]:
            for name in CONSTANT.findall("\n".join(ANONYMOUS.findall(text))):
                if name in headers[places[path][1]]:
                    yield path, name, headers[places[path][1]][name]


class HiddenNamesTest(unittest.TestCase):
    def test_no_source_hides_a_constant_of_a_header(self):
        self.assertEqual(list(hidden(TOP)), [])

    def test_finds_a_source_that_hides_a_constant(self):
        with tempfile.TemporaryDirectory() as folder:
            tile = pathlib.Path(folder) / "server/tile"
            tile.mkdir(parents=True)
            (tile / "cover.h").write_text("namespace thalweg::tile {\ninline constexpr int kStep = 17;\n}  // namespace thalweg::tile\n")
            source = "namespace thalweg::{} {{\nnamespace {{\n\nconstexpr std::int32_t kStep = 128;\n\n}}  // namespace\n}}  // namespace\n"
            (tile / "ground.cc").write_text(source.format("tile"))
            (tile / "other.cc").write_text(source.format("other"))
            self.assertEqual(list(hidden(pathlib.Path(folder))), [("server/tile/ground.cc", "kStep", "server/tile/cover.h")])


if __name__ == "__main__":
    unittest.main()
