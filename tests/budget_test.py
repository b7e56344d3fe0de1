"""Tests tests/budget: a part that doubles fails, and a slow machine does not. Tests tests/processor_time."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

BUDGET = pathlib.Path(__file__).resolve().parent / "budget"
PROCESSOR_TIME = BUDGET.with_name("processor_time")
BURN = "import time\nwhile time.process_time() < 0.5: pass"
BUDGETS = {"build": 400, "parity_test": 100, "http_test": 20, "web.viewer": 60, "tiny": 0.5}


def run(times, budgets=None):
    """The status, the table and the error of a run with these times."""
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for name, parts in (("times", times), ("budgets.txt", BUDGETS if budgets is None else budgets)):
            path = pathlib.Path(folder) / name
            path.write_text(parts if isinstance(parts, str) else "".join(f"{part} {seconds}\n" for part, seconds in parts.items()))
            paths.append(path)
        done = subprocess.run([BUDGET, *paths], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout, done.stderr


class BudgetTest(unittest.TestCase):
    def test_the_same_times_pass(self):
        self.assertEqual(run(BUDGETS)[0], 0)

    def test_a_part_that_doubles_fails(self):
        for part in ("build", "parity_test", "http_test", "web.viewer"):
            status, table, error = run({**BUDGETS, part: 2.1 * BUDGETS[part]})
            self.assertEqual(status, 1, part)
            self.assertIn("OVER", table)
            self.assertIn(f"{part} took more than 2 times", error)

    def test_a_slow_machine_passes(self):
        self.assertEqual(run({part: 1.9 * seconds for part, seconds in BUDGETS.items()})[0], 0)

    def test_a_part_that_doubles_fails_on_a_slow_machine_too(self):
        times = {part: 1.6 * seconds for part, seconds in BUDGETS.items()}
        self.assertEqual(run({**times, "parity_test": 2.1 * times["parity_test"]})[0], 1)

    def test_a_run_that_is_slower_as_a_whole_fails(self):
        self.assertEqual(run({part: 4.1 * seconds for part, seconds in BUDGETS.items()})[0], 1)

    def test_small_parts_are_not_compared(self):
        self.assertEqual(run({**BUDGETS, "tiny": 9})[0], 0)
        self.assertEqual(run({**BUDGETS, "tiny": 11})[0], 1)

    def test_a_new_part_is_shown_and_passes(self):
        status, table, _ = run({**BUDGETS, "fresh_test": 300})
        self.assertEqual(status, 0)
        self.assertRegex(table, r"fresh_test +300 s +-  new")

    def test_times_of_several_lines_are_added(self):
        self.assertEqual(run("build 300\nbuild 600\nparity_test 100\nhttp_test 20\nweb.viewer 60\n")[0], 1)

    def test_a_bad_line_is_named(self):
        status, _, error = run("build fast\n")
        self.assertEqual(status, 1)
        self.assertIn("expected 'NAME SECONDS', got 'build fast'", error)


class ProcessorTimeTest(unittest.TestCase):
    def run_it(self, *command):
        """The status of the command, and the seconds written down, or None."""
        with tempfile.TemporaryDirectory() as folder:
            times = pathlib.Path(folder) / "new" / "times"
            status = subprocess.run([PROCESSOR_TIME, times, "part", *command], capture_output=True, check=False).returncode
            if not times.exists():
                return status, None
            name, seconds = times.read_text().split()
            self.assertEqual(name, "part")
            return status, float(seconds)

    def test_the_command_counts_and_keeps_its_status(self):
        status, seconds = self.run_it(sys.executable, "-c", f"{BURN}\nraise SystemExit(3)")
        self.assertEqual(status, 3)
        self.assertGreaterEqual(seconds, 0.5)

    def test_a_process_that_outlives_its_parent_counts(self):
        status, seconds = self.run_it("sh", "-c", '"$0" -c "$1" & exit 0', sys.executable, BURN)
        self.assertEqual(status, 0)
        self.assertGreaterEqual(seconds, 0.5)

    def test_a_signal_is_an_error(self):
        self.assertEqual(self.run_it("sh", "-c", "kill -9 $$")[0], 137)

    def test_a_missing_command_is_an_error(self):
        self.assertEqual(self.run_it("/nowhere"), (127, None))


if __name__ == "__main__":
    unittest.main()
