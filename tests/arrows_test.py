"""Tests tests/arrows on this tree, and on small trees with and without faults."""
import pathlib
import subprocess
import tempfile
import unittest

ARROWS = pathlib.Path(__file__).resolve().parent / "arrows"
LINES = """
# From the bottom up.
proto/thalweg/v1:
server/low: proto/thalweg/v1
server/middle: server/low <boost>
server/high: server/low server/middle
"""
FILES = {
    "../proto/thalweg/v1/tile.proto": "",
    "low/low.cc": '#include <vector>\n#include "thalweg/v1/tile.pb.h"\n',
    "low/low.h": "",
    "middle/middle.cc": '#include "server/low/low.h"\n#include <boost/asio.hpp>\n#include "absl/status/status.h"\n',
    "middle/middle.h": "",
    "high/high.cc": '#include "server/middle/middle.h"\n#include "server/high/high.h"\n',
    "high/high.h": '#include "server/low/low.h"\n',
}


def wrong(files=None, lines=LINES):
    """What the check prints for a server/ folder with these files beside FILES."""
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "ARROWS").write_text(lines)
        for name, text in {**FILES, **(files or {})}.items():
            file = pathlib.Path(folder) / "server" / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        done = subprocess.run([ARROWS, folder], capture_output=True, text=True, check=False)
        printed = done.stdout.splitlines()
        assert done.returncode == (1 if printed else 0), done.stderr
        return [line.removeprefix("tests/arrows: ") for line in printed]


class ArrowsTest(unittest.TestCase):
    def test_this_tree_keeps_to_its_arrows(self):
        done = subprocess.run([ARROWS], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout), (0, ""))

    def test_takes_includes_along_the_arrows(self):
        self.assertEqual(wrong(), [])

    def test_finds_an_include_without_an_arrow(self):
        self.assertEqual(wrong({"low/more.cc": '#include "server/high/high.h"\n'}),
                         ["server/low/more.cc includes server/high, but the line of server/low in ARROWS has no such word"])

    def test_finds_an_include_in_a_header(self):
        self.assertEqual(len(wrong({"middle/more.h": '#include "server/high/high.h"\n'})), 1)

    def test_arrows_are_not_transitive(self):
        self.assertEqual(wrong({"high/more.cc": '#include "thalweg/v1/tile.pb.h"\n'}),
                         ["server/high/more.cc includes proto/thalweg/v1, but the line of server/high in ARROWS has no such word"])

    def test_finds_a_folder_without_a_line(self):
        self.assertEqual(len(wrong({"new/new.cc": '#include "server/low/low.h"\n'})), 1)

    def test_keeps_a_package_to_its_folders(self):
        self.assertEqual(wrong({"high/more.cc": "#include <boost/beast.hpp>\n"}),
                         ["server/high/more.cc includes <boost>, but the line of server/high in ARROWS has no such word"])

    def test_finds_an_arrow_that_nothing_needs(self):
        self.assertEqual(wrong({"middle/middle.cc": "#include <boost/asio.hpp>\n"}),
                         ["ARROWS: server/middle: no include needs server/low: remove it"])

    def test_finds_a_circle(self):
        circle = LINES.replace("server/low: proto/thalweg/v1", "server/low: proto/thalweg/v1 server/high")
        self.assertEqual(wrong({"low/more.cc": '#include "server/high/high.h"\n'}, circle),
                         ["ARROWS: server/low: expected a folder whose line is above, got server/high"])

    def test_takes_a_debt_until_nothing_needs_it(self):
        debt = LINES.replace("server/low: proto/thalweg/v1", "server/low: proto/thalweg/v1 !server/high")
        self.assertEqual(wrong({"low/more.cc": '#include "server/high/high.h"\n'}, debt), [])
        self.assertEqual(wrong(lines=debt), ["ARROWS: server/low: no include needs server/high: remove it"])

    def test_finds_a_line_without_a_folder(self):
        self.assertEqual(wrong(lines=LINES + "server/gone:\n"), ["ARROWS: server/gone: there is no such folder"])

    def test_the_page_shows_the_figure(self):
        figure = subprocess.run([ARROWS, "--figure"], capture_output=True, text=True, check=True).stdout
        self.assertIn(figure, (ARROWS.parents[1] / "ARCHITECTURE.md").read_text(), "put the output of tests/arrows --figure into ARCHITECTURE.md")

    def test_debts_only_shrink(self):
        debts = [word for line in (ARROWS.parents[1] / "ARROWS").read_text().splitlines() if not line.startswith("#")
                 for word in line.split() if word.startswith("!")]
        self.assertLessEqual(len(debts), 1)


if __name__ == "__main__":
    unittest.main()
