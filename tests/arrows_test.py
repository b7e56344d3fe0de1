"""Tests tests/arrows on this tree, and on small trees with and without faults."""
import pathlib
import subprocess
import tempfile
import unittest

ARROWS = pathlib.Path(__file__).resolve().parent / "arrows"
LIBRARIES = """
thalweg_add_library(low SOURCES low/low.cc)
thalweg_add_library(middle SOURCES middle/middle.cc LINKS thalweg::low)
thalweg_add_library(high SOURCES high/high.cc LINKS thalweg::middle absl::status)
"""


def wrong(files, libraries=LIBRARIES):
    """The lines that the check prints for a server/ folder with these files."""
    with tempfile.TemporaryDirectory() as folder:
        server = pathlib.Path(folder) / "server"
        for name in ("low", "middle", "high"):
            (server / name).mkdir(parents=True)
            for suffix in ("cc", "h"):
                (server / name / f"{name}.{suffix}").touch()
        (server / "CMakeLists.txt").write_text(libraries)
        for name, text in files.items():
            (server / name).write_text(text)
        done = subprocess.run([ARROWS, folder], capture_output=True, text=True, check=False)
        lines = done.stdout.splitlines()
        assert done.returncode == (1 if lines else 0), done.stderr
        return lines


class ArrowsTest(unittest.TestCase):
    def test_this_tree_keeps_to_its_arrows(self):
        done = subprocess.run([ARROWS], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout), (0, ""))

    def test_takes_includes_along_the_arrows(self):
        self.assertEqual(wrong({"high/high.cc": '#include "server/middle/middle.h"\n#include "server/low/low.h"\n',
                                "low/low.cc": "#include <vector>\n"}), [])

    def test_finds_an_include_against_an_arrow(self):
        self.assertEqual(wrong({"low/low.cc": '#include "server/high/high.h"\n'}),
                         ["tests/arrows: server/low/low.cc includes server/high/high.h, but low does not link high"])

    def test_finds_one_in_a_header(self):
        self.assertEqual(len(wrong({"middle/middle.h": '#include "server/high/high.h"\n'})), 1)

    def test_a_link_that_is_a_comment_is_none(self):
        self.assertEqual(len(wrong({"middle/middle.cc": '#include "server/low/low.h"\n'},
                                   LIBRARIES.replace("LINKS thalweg::low", "# LINKS thalweg::low\n"))), 1)


if __name__ == "__main__":
    unittest.main()
