"""Tests tests/changed on small repositories."""
import pathlib
import subprocess
import tempfile
import unittest

CHANGED = pathlib.Path(__file__).resolve().parent / "changed"
TREE = {
    "server/low/low.cc": '#include "server/low/low.h"\n', "server/low/low.h": "", "server/low/low.json": "",
    "server/high/high.cc": '#include "server/high/high.h"\n', "server/high/high.h": '#include "server/low/low.h"\n',
    "server/high/more.cc": '#include "server/high/high.h"\n', "server/side/side.cc": "", "server/main.cc": '#include "server/high/high.h"\n',
    "proto/thalweg/v1/tile.proto": "", "server/kind/made.cc": '#include "server/kind/kinds.h"\n', "server/kind/kind.h": "",
    "tests/CMakeLists.txt": """
thalweg_add_test(low_test FOLDERS low LINKS thalweg::low LABEL unit)
thalweg_add_test(high_test SOURCES high_test.cc LINKS thalweg::high LABEL unit)
thalweg_add_test(program_test SOURCES program_test.cc STARTS thalwegd LABEL service)
thalweg_add_test(kind_test SOURCES kind_test.cc LABEL unit)
thalweg_add_fuzz_target(low SOURCES fuzz.cc LINKS thalweg::low INPUTS 9)
""",
    "tests/low/low_test.cc": '#include "tests/low/fake.h"\n#include "server/low/low.h"\n', "tests/low/fake.h": '#include "tests/shared.h"\n', "tests/shared.h": "",
    "tests/shared.cc": '#include "tests/shared.h"\n', "tests/high_test.cc": '#include "server/high/high.h"\n#include "thalweg/v1/tile.pb.h"\n',
    "tests/program_test.cc": "", "tests/fuzz.cc": '#include "server/low/low.h"\n', "tests/kind_test.cc": '#include "server/kind/kinds.h"\n',
    "README.md": "", "LICENSE": "", "strange.txt": "", "deploy/check": "",
}


def git(folder, *arguments):
    subprocess.run(["git", "-C", folder, "-c", "user.name=t", "-c", "user.email=t@t", *arguments], check=True, capture_output=True)


def selected(*paths, revision="HEAD", remove=False):
    """The lines of the script, without those of the files, after a change of these files."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in TREE.items():
            path = pathlib.Path(folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        git(folder, "init", "-q")
        git(folder, "add", ".")
        git(folder, "commit", "-q", "-m", "tree")
        for name in paths:
            path = pathlib.Path(folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.unlink() if remove else path.write_text(TREE.get(name, "") + "// changed\n")
        done = subprocess.run([CHANGED, revision, folder], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            return done.stderr.splitlines()
        return sorted(line for line in done.stdout.splitlines() if not line.startswith("file"))


class ChangedTest(unittest.TestCase):
    def test_programs_that_include_a_header_see_its_source(self):
        self.assertEqual(selected("server/high/high.cc"), ["entry Arrows", "left program_test", "program high_test"])

    def test_programs_that_include_a_header_see_every_source_that_implements_it(self):
        self.assertEqual(selected("server/high/more.cc"), ["entry Arrows", "left program_test", "program high_test"])

    def test_programs_that_include_a_header_through_others_see_its_source(self):
        everyone = ["entry Arrows", "left program_test", "program fuzz_low", "program high_test", "program low_test"]
        for file in ("server/low/low.cc", "server/low/low.h"):
            self.assertEqual(selected(file), everyone, file)
        self.assertEqual(selected("server/low/low.cc", remove=True), everyone)

    def test_files_that_the_build_reads_stand_for_their_folder(self):
        self.assertEqual(selected("server/low/low.json"), ["left program_test", "program fuzz_low", "program high_test", "program low_test"])

    def test_generated_files_stand_for_their_folder(self):
        self.assertEqual(selected("server/kind/kind.h"), ["entry Arrows", "program kind_test"])

    def test_a_message_is_seen_by_those_that_include_it(self):
        self.assertEqual(selected("proto/thalweg/v1/tile.proto"), ["entry NewKind", "program high_test"])

    def test_a_source_that_no_program_sees_needs_everything(self):
        self.assertEqual(selected("server/side/side.cc"), ["all server/side/side.cc", "entry Arrows"])

    def test_a_program_sees_its_own_sources(self):
        self.assertEqual(selected("tests/high_test.cc"), ["program high_test"])
        self.assertEqual(selected("tests/shared.cc"), ["program low_test"])

    def test_a_header_of_tests_is_seen_by_those_that_include_it(self):
        self.assertEqual(selected("tests/shared.h"), ["program low_test"])

    def test_a_program_is_seen_by_those_that_start_it(self):
        self.assertEqual(selected("server/main.cc"), ["entry Arrows", "entry Pages", "program program_test"])

    def test_a_new_file_counts(self):
        self.assertEqual(selected("server/high/new.h"), ["all server/high/new.h", "entry Arrows"])

    def test_other_files_need_their_own_tests(self):
        self.assertEqual(selected("README.md"), ["entry Links", "entry Pages"])
        self.assertEqual(selected("LICENSE"), [])
        self.assertEqual(selected("deploy/check"), ["deploy -", "entry Pages"])
        self.assertEqual(selected("client/web/src/x.ts"), ["entry web.unit", "entry web.viewer"])
        self.assertEqual(selected("tests/web/x.test.ts"), ["entry web.examples"])
        self.assertEqual(selected("tests/fuzz/corpus/low/x"), ["program fuzz_low"])

    def test_unknown_files_need_everything(self):
        for file in ("strange.txt", "tests/CMakeLists.txt", "tests/strange.bin"):
            self.assertEqual(selected(file), [f"all {file}"])

    def test_no_change_needs_nothing(self):
        self.assertEqual(selected(), [])

    def test_an_unknown_commit_is_an_error(self):
        self.assertEqual(selected(revision="nowhere"), ["tests/changed: invalid REV: expected a commit, got 'nowhere'"])


if __name__ == "__main__":
    unittest.main()
