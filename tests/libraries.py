"""What CMake's files say of libraries and test programs: which sources each has, and which libraries it links."""
import dataclasses
import pathlib
import posixpath
import re

PRODUCT = ("client", "proto", "server", "shaders")
COMMAND = re.compile(
    r"^\s*(thalweg_add_library|thalweg_add_test_library|thalweg_add_test|thalweg_add_fuzz_target|add_library|add_executable|target_link_libraries|add_dependencies)"
    r"\(\s*(\S+?)([\s)][^()]*)", re.M)


@dataclasses.dataclass
class Libraries:
    links: dict  # the libraries that each library or program links
    owners: dict  # the libraries and programs that have a source
    programs: set  # the test programs
    starts: dict  # the programs that a test program starts


def read_libraries(top, roots=PRODUCT):
    """The libraries and programs of the CMakeLists.txt below the roots. Their names are those of the targets, without "thalweg_"."""
    read = Libraries({}, {}, set(), {})
    for root in roots:
        for file in sorted((top / root).rglob("CMakeLists.txt")):
            folder = file.parent.relative_to(top)
            if "node_modules" in folder.parts:
                continue
            text = re.sub(r"#.*", "", file.read_text())
            for command, name, words in COMMAND.findall(text):
                if "$" in name:
                    continue
                if command in ("add_library", "add_executable", "target_link_libraries", "add_dependencies"):
                    name = name.removeprefix("thalweg_")
                if command == "thalweg_add_fuzz_target":
                    name = f"fuzz_{name}"
                if command == "add_dependencies":
                    read.starts.setdefault(name, set()).update(words.rstrip(")").split())
                    continue
                if command in ("thalweg_add_test", "thalweg_add_fuzz_target"):
                    read.programs.add(name)
                read.links.setdefault(name, set()).update(re.findall(r"thalweg::(\w+)", words))
                for source in re.findall(r"[\w./]+\.cc\b", words):
                    path = posixpath.normpath((folder / source).as_posix())
                    read.owners.setdefault(path, set()).add(name)
    return read


def closure(links, name):
    """The library and all that it links, directly or not."""
    reached, left = set(), [name]
    while left:
        library = left.pop()
        if library not in reached:
            reached.add(library)
            left += links.get(library, ())
    return reached


def libraries_of(path, owners):
    """The libraries that a file may belong to: those of the source with the same name, else those of the nearest folder with sources."""
    source = path.with_suffix(".cc").as_posix()
    if source in owners:
        return owners[source]
    for folder in path.parents:
        found = {library for file, names in owners.items() if pathlib.PurePosixPath(file).parent == folder for library in names}
        if found:
            return found
    return set()
