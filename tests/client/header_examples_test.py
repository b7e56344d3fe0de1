"""Tests tests/client/header_examples on this tree's headers, and on wrong ones."""
import pathlib
import subprocess
import tempfile
import unittest

TESTS = pathlib.Path(__file__).resolve().parent.parent
CHECK = TESTS / "client" / "header_examples"
PROGRAM = TESTS / "service" / "header_examples_test.cc"
HEADERS = [TESTS.parent / "client/include/thalweg" / f"{name}.h" for name in ("camera", "client", "terrain_view")]


def check(program, headers):
    done = subprocess.run([CHECK, program, *headers], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout.splitlines()


class HeaderExamplesTest(unittest.TestCase):
    def test_this_trees_examples_are_in_the_program(self):
        self.assertEqual(check(PROGRAM, HEADERS), (0, []))

    def test_names_a_line_that_has_changed_or_moved(self):
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / "program.cc"
            program.write_text("  Connect(Address());\n  Get(1);\n  Draw();\n")
            header = pathlib.Path(folder) / "header.h"
            for example, wrong in (
                ("// Text.\n//\n//   Connect(\"127.0.0.1:7070\");\n//   // A comment.\n//   Draw();\n", []),
                ("  //   Get(2);\n", ["Get(2);"]),
                ("//   Draw();\n//   Get(1);\n", ["Get(1);"]),
            ):
                header.write_text(example)
                status, lines = check(program, [header])
                self.assertEqual([line.split(": ")[-1] for line in lines], wrong)
                self.assertEqual(status, 1 if wrong else 0)
            header.write_text("// Text without an example.\n")
            self.assertEqual(check(program, [header])[0], 2)


if __name__ == "__main__":
    unittest.main()
