"""Tests tests/pages with the real programs, on this tree and on small trees with and without faults.

The environment names the programs: THALWEG and THALWEGD.
"""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

PAGES = pathlib.Path(__file__).resolve().parent / "pages"
PROGRAMS = (os.environ["THALWEG"], os.environ["THALWEGD"])
SOURCES = ("server/commands/config.proto", "server/commands/config.cc", "server/http/router.cc")
# A script of deploy/ and its usage.
BAKE = "#!/bin/sh\n# Bakes: deploy/bake [--jobs N]\n#\n#   --jobs N   how many jobs (1024)\n"


def wrong(page, script=BAKE):
    """The faults that the check finds in a README.md of these lines, beside the script deploy/bake; each with its line, as 'LINE: FAULT'."""
    with tempfile.TemporaryDirectory() as folder:
        top = pathlib.Path(folder)
        for source in SOURCES:
            (top / source).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(PAGES.parents[1] / source, top / source)
        (top / "deploy").mkdir()
        (top / "deploy/bake").write_text(script)
        (top / "README.md").write_text("\n".join(page) + "\n")
        done = subprocess.run([PAGES, *PROGRAMS, folder], capture_output=True, text=True, check=False)
        lines = done.stdout.splitlines()
        assert done.returncode == (1 if lines else 0), done.stderr
        return [line.removeprefix("tests/pages: ").removeprefix("README.md:") for line in lines]


class PagesTest(unittest.TestCase):
    def test_the_pages_of_this_tree_show_what_there_is(self):
        done = subprocess.run([PAGES, *PROGRAMS], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def test_takes_what_there_is(self):
        self.assertEqual(wrong([
            "# Top", "", "`thalwegd serve --http HOST:PORT`, `thalwegd --version`, `thalweg COMMAND --help`, `serve --config FILE`, `--drain-s`, `--jobs 4`",
            "", "    sudo build/release/bin/thalwegd serve --listen 127.0.0.1:7070 & thalweg worlds --json | sort    # as `thalweg health`",
            "    LANG=C thalweg bake --out a.tif --world alpine \\", "      --layer height,flow --format cog --bounds=-1,-2,3,4",
            "    docker run --rm -p 127.0.0.1:7070:7070 thalweg:0.1.0 serve --device native", "    kubectl -n thalweg get --nothing pods",
            "    curl http://127.0.0.1:8080/v1/worlds/alpine/tiles/4/1/-2.png?layer=flow", "",
            "```", "deploy/bake --jobs 3 --world alpine -- --of-another", "```",
        ]), [])

    def test_finds_a_command_that_is_not_there(self):
        self.assertEqual(wrong(["`thalweg paint --out FILE`", "", "    true && sudo thalwegd wait   # a comment"]),
                         ["1: thalweg has no command paint", "3: thalwegd has no command wait"])

    def test_finds_an_option_that_is_not_there(self):
        self.assertEqual(wrong([
            "`thalweg worlds --colour`, `--colour red`, `serve --plan`, `--plan --drain-s`", "",
            "    deploy/bake --tasks 3", "    docker run thalweg serve --colour=red",
            "    serve='serve --threads 2 --bright'", "    docker run thalweg $serve", "    thalweg health    # or `thalweg health --colour`",
        ]), ["1: thalweg worlds has no --colour", "1: no command or script has --colour", "1: thalwegd serve has no --plan",
             "1: no command has all of --plan, --drain-s", "3: deploy/bake has no --tasks", "4: thalwegd serve has no --colour",
             "6: thalwegd serve has no --bright", "7: thalweg health has no --colour"])

    def test_finds_a_choice_that_is_not_there(self):
        found = wrong(["`--format oil`, `--device abacus`",
                       "`thalweg bake --layer height,gold`, `thalwegd token --scopes read,write`, `thalweg bake --for=lego`", "",
                       "| `--layer` | is |", "|---|---|", "| `flow`, `silver` | `copper` |"])
        self.assertEqual([line.split(" takes ")[0] for line in found], [
            "1: thalweg fetch --format", "1: thalwegd serve --device", "2: thalweg bake --layer", "2: thalwegd token --scopes", "2: thalweg bake --for",
            "6: thalweg fetch --layer"])
        self.assertEqual([line.split(", not ")[1] for line in found], ["oil", "abacus", "gold", "write", "lego", "silver"])

    def test_finds_a_command_without_what_it_needs(self):
        self.assertEqual(wrong(["`thalweg fetch --size 512`", "", "    thalweg fetch --world alpine --size 512"]), ["3: thalweg fetch needs --out"])

    def test_finds_a_wrong_default(self):
        self.assertEqual(wrong([
            "256 (`--http-connections-per-address`); 64 worlds (`max_created_worlds`); `--jobs 1024` by default; `--drain-s` (30 s)", "",
            "9 (`--http-connections-per-address`)", "9 worlds (`max_created_worlds`)", "`--jobs 9` by default", "`--drain-s` (9 s)",
            "`--drain-s`, by default 9", "`--drain-s` is 9 s by default", "", "| 1,025 | `--max-calls-per-caller` |",
        ]), ["3: the default of --http-connections-per-address is 256, not 9", "4: the default of max_created_worlds is 64, not 9",
             "5: the default of --jobs is 1024, not 9", "6: the default of --drain-s is 30, not 9", "7: the default of --drain-s is 30, not 9",
             "8: the default of --drain-s is 30, not 9",
             "10: the default of --max-calls-per-caller is 1024, not 1025"])

    def test_finds_a_setting_that_went(self):
        self.assertEqual(wrong(["`device_mb`, `drain_s`", "`scratch_mb`, `--no-reflection`, `colour_mb`, `trusted_cousins`, `THALWEG_COLOUR=1`"]),
                         ["2: the setting scratch_mb was removed", "2: --no-reflection was removed", "2: no setting has the name colour_mb",
                          "2: no source has the name trusted_cousins", "2: no source has the name THALWEG_COLOUR"])

    def test_finds_a_route_that_is_not_there(self):
        self.assertEqual(wrong([
            "`GET /v1/worlds`, `/v1/worlds/alpine/3dtiles/0/subtrees/{level}/{x}/{y}.{subtree\\|json}`, `POST /v1/worlds[?keep=true]`, `/usr/bin/python3`",
            "`/v1/planets`, `/v2/worlds`, `/v1/worlds/alpine/cesium`, `PUT /v1/worlds`", "", '    fetch("http://127.0.0.1:8080/v1/worlds/alpine/cesium")',
            '    fetch("http://127.0.0.1:8080/v1/worlds/alpine/caesium")',
        ]), ["2: no route fits /v1/planets", "2: no route fits /v2/worlds", "2: no route fits /v1/worlds/alpine/cesium", "2: no route fits PUT /v1/worlds",
             "5: no route fits /v1/worlds/alpine/caesium"])

    def test_reads_the_comments_of_deploy(self):
        script = ("# After it: build/release/bin/thalweg paint\n#\n#   thalweg worlds \\\n#     --colour\n#\n"
                  "# As `thalwegd wait` does: thalweg paints.\nthalweg stain\n")
        self.assertEqual(wrong([], BAKE + script), ["deploy/bake:5: thalweg has no command paint", "deploy/bake:7: thalweg worlds has no --colour",
                                                    "deploy/bake:10: thalwegd has no command wait"])

    def test_a_help_that_it_cannot_read_is_an_error(self):
        done = subprocess.run([PAGES, "/bin/true", "/bin/true"], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (1, "tests/pages: /bin/true --help shows no commands\n"))


if __name__ == "__main__":
    unittest.main()
