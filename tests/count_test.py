"""Tests tests/count on reports of passed, failed, skipped and broken runs."""
import pathlib
import subprocess
import tempfile
import unittest

COUNT = pathlib.Path(__file__).resolve().parent / "count"


def entry(name, status="run", output=""):
    return f'<testcase name="{name}" classname="{name}" time="1" status="{status}"><system-out>{output}</system-out></testcase>'


def case(name, more="", status="run", result="completed"):
    return f'<testcase name="{name}" status="{status}" result="{result}" classname="Suite">{more}</testcase>'


def counted(entries, reports=()):
    """What the script prints for CTest's entries and for the reports of programs, as (NAME, CASES)."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder)
        (path / "tests.xml").write_text(f'<testsuite name="x">{"".join(entries)}</testsuite>')
        for name, cases in reports:
            (path / f"{name}.xml").write_text(f'<testsuites><testsuite name="Suite">{"".join(cases)}</testsuite></testsuites>')
        done = subprocess.run([COUNT, path / "tests.xml", path], capture_output=True, text=True, check=False)
        return done.stdout.splitlines() if done.returncode == 0 else done.stderr.splitlines()


class CountTest(unittest.TestCase):
    def test_an_entry_without_a_report_is_one_test(self):
        self.assertEqual(counted([entry("a"), entry("b", "fail"), entry("c", "notrun"), entry("d", "disabled")]), ["1 1 2", "failed b", "skipped c", "skipped d"])

    def test_the_tests_of_a_program_count(self):
        cases = [case("One"), case("Two"), case("Three", "<skipped/>", result="skipped")]
        self.assertEqual(counted([entry("a")], [("a", cases)]), ["2 0 1", "skipped a: Suite.Three"])

    def test_each_failed_test_is_named(self):
        cases = [case("One"), case("Two", "<failure/>"), case("Three", "<failure/>")]
        self.assertEqual(counted([entry("a", "fail")], [("a", cases)]), ["1 2 0", "failed a: Suite.Two", "failed a: Suite.Three"])

    def test_a_program_that_fails_beside_its_tests_has_failed(self):
        self.assertEqual(counted([entry("a", "fail")], [("a", [case("One")])]), ["1 1 0", "failed a"])

    def test_a_program_that_hides_a_failure_has_failed(self):
        self.assertEqual(counted([entry("a")], [("a", [case("One", "<failure/>")])])[0], "0 2 0")

    def test_a_report_without_tests_does_not_hide_a_failure(self):
        self.assertEqual(counted([entry("a", "fail")], [("a", [])]), ["0 1 0", "failed a"])

    def test_a_programs_report_that_ends_early_is_a_failure(self):
        self.assertEqual(counted([entry("a")], [("a", ["<testcase "])]), ["0 1 0", "failed a"])

    def test_the_test_that_hangs_is_named(self):
        begun = "[==========] Running 2 tests.\n[ RUN      ] Suite.One\n[       OK ] Suite.One (3 ms)\n[ RUN      ] Devices/Suite.Two/Native\nsome text\n"
        self.assertEqual(counted([entry("a", "fail", begun)]), ["0 1 0", "failed a: Devices/Suite.Two/Native, which did not end"])
        ended = begun + "[       OK ] Devices/Suite.Two/Native (1 ms)\n"
        self.assertEqual(counted([entry("a", "fail", ended)]), ["0 1 0", "failed a"])

    def test_a_report_of_ctest_that_ends_early_is_an_error(self):
        with tempfile.TemporaryDirectory() as folder:
            junit = pathlib.Path(folder) / "tests.xml"
            junit.write_text("<testsuite><testcase")
            done = subprocess.run([COUNT, junit, folder], capture_output=True, text=True, check=False)
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.assertIn("can't read the reports", done.stderr)


if __name__ == "__main__":
    unittest.main()
