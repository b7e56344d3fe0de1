"""Tests that a kind of stage is made by the steps of server/stages/README.md: new_kind_test.py [--compiler CXX]

Adds the kind `frost` of tests/stages/frost to a copy of the tree, by the files and lines that the page names, and compiles it for every backend.
"""
import concurrent.futures
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

TOP = pathlib.Path(__file__).resolve().parents[2]
COPIED = ("proto/thalweg", "server/stages", "shaders", "tests/stages")
# The newest kinds of each sort that the page describes. Their files show whether the page names too many.
VERTEX, MOVER, LAYER = "blur", "raindrop", "vegetation"
NUMBERS = {"seven": 7, "eleven": 11, "fifteen": 15}
COMPILER = "c++"


def page():
    text = (TOP / "server/stages/README.md").read_text()
    return re.search(r"## To add a kind of stage\n(.*?)\n### ", text, re.S).group(1)


def rows(text):
    """(number or none, files, what to write) of each row of the page's tables."""
    for number, files, what in re.findall(r"^\| (?:(\d+) \| )?(`[^|]+?`) \| (.+) \|$", text, re.M):
        yield number and int(number), re.findall(r"`([^`]+)`", files), what


def steps():
    """The steps for a kind with one kernel: each file, and the line that it gets, if the page has it."""
    found = {}
    for number, (file, *_), what in rows(page().split("**A kind that moves material**")[0]):
        line = re.search(r"the line `([^`]+)`", what)
        found[number] = file, line and line.group(1)
    return found


def insert(text, line):
    """Puts a line after the last one of its form: THALWEG_STAGE(Frost, frost) after that of another kind."""
    form = re.sub(r"(?i:frost)|\d+", r"\\w+", re.escape(line))
    places = list(re.finditer(rf"^ *{form}\n", text, re.M))
    return text[:places[-1].end()] + line + "\n" + text[places[-1].end():]


def add_member(text, line):
    """Puts a line into Stage.kind, with the next number."""
    kind = re.search(r"message Stage \{\n  oneof kind \{\n(.*?)  \}\n", text, re.S)
    number = 1 + max(map(int, re.findall(r" = (\d+);", kind.group(1))))
    return f"{text[:kind.end(1)]}    {line.replace('N', str(number))}\n{text[kind.end(1):]}"


def add_frost(top, left_out=None):
    """Makes the page's steps in a copy of the tree, except one."""
    for folder in COPIED:
        shutil.copytree(TOP / folder, top / folder, ignore=shutil.ignore_patterns("frost"))
    for number, (file, line) in steps().items():
        own = TOP / "tests/stages/frost" / pathlib.Path(file).name
        if number == left_out or not (line or own.exists()):
            continue
        path = top / file
        text = path.read_text() if path.exists() else ""
        if line:
            text = add_member(text, line) if path.suffix == ".proto" else insert(text, line)
        path.write_text(text + own.read_text() if own.exists() else text)


def table(top, file, macro):
    """The columns of a table's lines: MACRO(Name, name, ...)."""
    return [line.split(", ") for line in re.findall(rf"^{macro}\((.*)\)$", (top / file).read_text(), re.M)]


def run(*command, **options):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, **options)
    return [] if done.returncode == 0 else [(done.stderr + done.stdout).strip()]


def wrong_lists(top):
    """What the lists of kinds and kernels lack, or have too much."""
    kinds = {field for _, field in table(top, "server/stages/stages.inc", "THALWEG_STAGE")}
    kernels = {row[1] for row in table(top, "shaders/stages/kernels.inc", r"THALWEG_(?:GPU_)?KERNEL")}
    oneof = re.search(r"message Stage \{\n  oneof kind \{\n(.*?)  \}\n", (top / "proto/thalweg/v1/world.proto").read_text(), re.S)
    members = set(re.findall(r"^ +\w+ (\w+) = \d+;", oneof.group(1), re.M))
    files = {file.stem for file in (top / "shaders/stages").glob("*.comp")}
    yield from (f"{kind} is only in one of stages.inc and Stage.kind" for kind in sorted(kinds ^ members))
    yield from (f"{kernel} is only in one of kernels.inc and shaders/stages" for kernel in sorted(kernels ^ files))
    for kind in sorted(kinds):
        for file in (f"server/stages/{kind}.h", f"server/stages/{kind}.cc", f"tests/stages/{kind}_test.cc"):
            if not (top / file).exists():
                yield f"{file} is missing"


def missing_budgets(top):
    """The kernels without a row for planes or planets. (GpuBudgets is skipped where Mesa is another.)"""
    budgets = re.findall(r"^(\w+) +(plane|planet) ", (TOP / "tests/shaders/gpu_budgets.txt").read_text(), re.M)
    kernels = [row[1] for row in table(top, "shaders/stages/kernels.inc", r"THALWEG_(?:GPU_)?KERNEL")]
    return [kernel for kernel in kernels if not {(kernel, "plane"), (kernel, "planet")} <= set(budgets)]


def wrong_shader(top, kernel):
    """What glslc and spirv-val say of a kernel, with the options of shaders/CMakeLists.txt."""
    text = (top / "shaders/CMakeLists.txt").read_text()
    options = re.search(r"COMMAND Vulkan::glslc (.*?) \$\{defines\}", text).group(1).split()
    validated = re.search(r"COMMAND \$\{THALWEG_SPIRV_VAL\} (.*?) \$", text).group(1).split()
    for defines in ([], ["-DTHALWEG_ATOMIC64"]):
        out = top / f"{kernel}.spv"
        yield from run("glslc", *options, *defines, "-o", out, top / f"shaders/stages/{kernel}.comp") or run("spirv-val", *validated, out)


def generate(top):
    """Writes kinds.h with CMake's own reader of tables, and the messages."""
    reader = re.search(r"^function\(thalweg_read_table.*?^endfunction\(\)", (top / "shaders/CMakeLists.txt").read_text(), re.S | re.M).group(0)
    writer = re.search(r"^macro\(thalweg_read_stages.*?kinds\.h @ONLY\)", (TOP / "server/CMakeLists.txt").read_text(), re.S | re.M).group(0)
    script = top / "generate.cmake"
    script.write_text(f"set(PROJECT_SOURCE_DIR {top})\nset(CMAKE_CURRENT_BINARY_DIR {top})\n{reader}\n"
                      f"thalweg_read_table({top}/shaders/stages/kernels.inc THALWEG_KERNEL stems kernels)\n{writer}\n")
    messages = top / "messages"
    messages.mkdir()
    protos = sorted((top / "proto/thalweg/v1").glob("*.proto"))
    return run("cmake", "-P", script, cwd=top / "server") or run("protoc", "--cpp_out", messages, "-I", top / "proto", *protos)


def included(*files):
    return "".join(f'#include "{file}"\n' for file in files)


def of_kernel(backend, name, stem):
    """The source that CMake makes for a kernel on one of the processor's backends."""
    template = (TOP / f"server/backend/{backend}/kernel.cc.in").read_text()
    values = {"@name@": name, "@stem@": stem, "@set@": "baseline", "@sphere@": "SphereBindings"}
    return re.sub("@\\w+@", lambda match: values[match.group()], template)


def wrong_sources(top, *sources):
    """What the compiler says of sources."""
    faults = generate(top)
    if faults:
        return faults
    includes = ["-I", top, "-isystem", top / "messages", "-I", top / "generated", "-idirafter", TOP]
    options = ["-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Werror", "-Wfatal-errors"]
    with concurrent.futures.ThreadPoolExecutor() as pool:
        return sum(pool.map(lambda text: run(COMPILER, *options, *includes, "-x", "c++", "-", input=text), sources), [])


class NewKindTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.top = pathlib.Path(folder.name)

    def test_this_tree_has_the_files_of_the_page(self):
        self.assertEqual(list(wrong_lists(TOP)), [])
        self.assertEqual(missing_budgets(TOP), [])
        kernel = steps()[5][1]
        columns = {len(row) for row in table(TOP, "shaders/stages/kernels.inc", "THALWEG_KERNEL")}
        self.assertEqual(columns, {kernel.count(",") + 1})

    def test_kinds_like_it_have_the_files_of_the_page(self):
        vertex, rest = page().split("**A kind that moves material**")
        mover, layer = rest.split("**A kind with a layer of its own**")
        files = {number: names for number, names, _ in rows(vertex)}
        self.assertEqual(len(files), NUMBERS[re.search(r"is (\w+) files", vertex).group(1)])
        self.has_files(VERTEX, files.values())
        files |= {number: names for number, names, _ in rows(mover)}
        self.assertEqual(len(sum(files.values(), [])), NUMBERS[re.search(r"is (\w+) files", mover).group(1)])
        self.has_files(MOVER, files.values())
        layers = [name for _, names, _ in rows(layer) for name in names]
        self.assertEqual(len(layers), NUMBERS[re.search(r"needs (\w+) more", layer).group(1)])
        self.assertEqual([name for name in layers if LAYER not in (TOP / name).read_text().lower()], [])

    def has_files(self, kind, files):
        """The files mention the kind, and all files that are called after it are among them."""
        named = {name.replace("frost", kind) for group in files for name in group}
        self.assertEqual([name for name in named if kind not in (TOP / name).read_text().lower()], [])
        roots = (TOP / "server/stages", TOP / "shaders", TOP / "tests/stages")
        called = {path.relative_to(TOP).as_posix() for root in roots for path in root.rglob(f"{kind}[._]*")}
        self.assertEqual(called - named, set())

    def test_a_kind_by_the_page_is_compiled_for_every_backend(self):
        add_frost(self.top)
        self.assertEqual(list(wrong_lists(self.top)), [])
        self.assertEqual(list(wrong_shader(self.top, "frost")), [])
        stage = included("server/stages/frost.cc", "server/stages/dispatch.cc", "server/stages/stage.cc", "tests/stages/frost_test.cc")
        on_reference = of_kernel("reference", "Frost", "frost")
        self.assertEqual(wrong_sources(self.top, stage + on_reference, of_kernel("native", "Frost", "frost")), [])

    # The twins: a step that is left out is noticed.
    def test_each_step_is_needed(self):
        for number, (file, line) in steps().items():
            own = TOP / "tests/stages/frost" / pathlib.Path(file).name
            if not (line or own.exists()):
                continue
            with self.subTest(file=file), tempfile.TemporaryDirectory() as folder:
                add_frost(pathlib.Path(folder), left_out=number)
                self.assertTrue(list(wrong_lists(pathlib.Path(folder))) or list(wrong_shader(pathlib.Path(folder), "frost")))

    def test_the_compiler_finds_parameters_that_no_pass_has(self):
        add_frost(self.top, left_out=3)
        self.assertIn("FrostParams", "".join(wrong_sources(self.top, of_kernel("native", "Frost", "frost"))))

    def test_a_page_that_names_too_much_or_too_little_is_found(self):
        for files in (["server/stages/mover.h"], ["server/stages/frost.h"]):
            with self.assertRaises(AssertionError):
                self.has_files(VERTEX, [files])

    def test_kernels_without_a_budget_are_found(self):
        add_frost(self.top)
        self.assertEqual(missing_budgets(self.top), ["frost"])

    def test_a_row_with_fewer_columns_is_refused(self):
        add_frost(self.top)
        kernels = self.top / "shaders/stages/kernels.inc"
        kernels.write_text(re.sub(r"\(Frost, frost, .*\)", "(Frost)", kernels.read_text()))
        self.assertIn("invalid line", "".join(generate(self.top)))


if __name__ == "__main__":
    if "--compiler" in sys.argv:
        at = sys.argv.index("--compiler")
        COMPILER = sys.argv[at + 1]
        del sys.argv[at:at + 2]
    unittest.main()
