"""Tests tests/links on this tree, and on small trees with and without faults."""
import pathlib
import subprocess
import tempfile
import unittest

LINKS = pathlib.Path(__file__).resolve().parent / "links"


def wrong(text):
    """The lines that the check prints for a README.md with this text, beside server/field/field.cc and docs/other.md."""
    with tempfile.TemporaryDirectory() as folder:
        top = pathlib.Path(folder)
        (top / "server/field").mkdir(parents=True)
        (top / "server/field/field.cc").touch()
        (top / "docs").mkdir()
        (top / "docs/other.md").write_text("# Other\n\n## Where it lies, and why\n")
        (top / "README.md").write_text(text)
        done = subprocess.run([LINKS, folder], capture_output=True, text=True, check=False)
        lines = done.stdout.splitlines()
        assert done.returncode == (1 if lines else 0), done.stderr
        return lines


class LinksTest(unittest.TestCase):
    def test_the_documents_of_this_tree_name_what_exists(self):
        done = subprocess.run([LINKS], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout), (0, ""))

    def test_takes_files_headings_and_pages(self):
        self.assertEqual(wrong("# Top\n[a](docs/other.md) [b](docs/other.md#where-it-lies-and-why) [c](#top) [d](server/field) [e](https://example.org/x.md)\n"), [])

    def test_takes_a_source_by_any_of_its_folders(self):
        self.assertEqual(wrong("`server/field/field.cc`, `field/field.cc`, `field.cc`, `KIND.cc`, `server/*.cc`\n"), [])

    def test_finds_a_link_to_no_file(self):
        self.assertEqual(wrong("[a](docs/another.md)\n"), ["tests/links: README.md links docs/another.md: no such file"])

    def test_finds_a_link_to_no_heading(self):
        self.assertEqual(wrong("[a](docs/other.md#where)\n"), ["tests/links: README.md links docs/other.md#where: no such heading"])

    def test_finds_a_source_that_moved(self):
        self.assertEqual(wrong("`server/tile/field.cc`\n"), ["tests/links: README.md names server/tile/field.cc: no such file"])

    def test_leaves_blocks_of_code_alone(self):
        self.assertEqual(wrong("```\n[a](none.md)\n```\n\n    `none.cc`\n"), [])


if __name__ == "__main__":
    unittest.main()
