"""What pages may name, for tests/pages: what the programs' help, the scripts and the sources of a tree say."""
import pathlib
import re
import subprocess
from dataclasses import dataclass

from sources import files_of

# These name what does not exist.
TWINS = {"tests/pages_test.py", "tests/changed_test.py"}
OPTION = re.compile(r"--[a-z][\w-]*")
NUMBER = re.compile(r"\d[\d,.]*\d|\d")
# Lines such as "  --threads N:INT in [0 - 1024]=0 (Env:THALWEG_THREADS)", and those of the comment that a script begins with.
OPTION_OF_HELP = re.compile(r"  (?:-\w,)?(--[\w-]+)(?: ([^\s=]+)(?: in \[[^\]]*\])?(?:=(\S+))?)?( REQUIRED)?")
OPTION_OF_SCRIPT = re.compile(r"^#   (--[\w-]+) .*\(([\d,.]+)\)$", re.M)


@dataclass
class Option:
    is_required: bool
    choices: tuple  # none: it takes any value
    default: str

    def refused(self, value):
        """The first part of a value that is not one of the choices, or None. Words in capitals stand for any."""
        for part in value.split(",") if self.choices else ():
            if part not in self.choices and not part.isdigit() and not part.isupper() and "$" not in part:
                return part
        return None


def help_of(program, *command):
    done = subprocess.run([program, *command, "--help"], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise ValueError(f"{program} {' '.join(command)} --help failed: {done.stderr.strip()}")
    return done.stdout


def options_of(text):
    """The options that a help shows, by name."""
    options = {}
    layers = re.search(r"^Layers .*\n((?:  \S.*\n)+)", text, re.M)
    for found in re.finditer(r"^  (?:-\w,)?--.*(?:\n {30}.*)*", text, re.M):
        name, form, default, required = OPTION_OF_HELP.match(found[0]).groups()
        words = " ".join(found[0].split())
        choices = form.split("|") if form and "|" in form else ()
        if listed := re.search(r"commas between: ([\w-]+(?:, [\w-]+)+)", words):
            choices = listed[1].split(", ")
        elif form == "DEVICE":
            choices = re.findall(r"(\w+) \(", words)
        elif name == "--layer" and layers:
            choices = re.findall(r"^  (\S+)", layers[1], re.M)
        said = re.search(r"\(default: (.*)\)", words)
        options[name] = Option(bool(required), tuple(choices), default or (said[1] if said else ""))
    return options


def commands_of(program):
    """The options of each command of a program; those of the program itself are at ''."""
    top = help_of(program)
    names = re.findall(r"^  ([a-z][\w-]*) ", top.partition("Subcommands:")[2], re.M)
    if not names:
        raise ValueError(f"{program} --help shows no commands")
    return {"": options_of(top), **{name: options_of(help_of(program, name)) for name in names}}


class Facts:
    def __init__(self, thalweg, thalwegd, top):
        self.programs = {"thalweg": commands_of(thalweg), "thalwegd": commands_of(thalwegd)}
        self.commands = [(program, name, options) for program, commands in self.programs.items() for name, options in commands.items()]
        self.names = {option for _, _, options in self.commands for option in options}
        # Only some commands list the layers.
        layers = [options["--layer"] for _, _, options in self.commands if "--layer" in options]
        for option in layers:
            option.choices = max((each.choices for each in layers), key=len)
        self.read_files(top)
        self.read_sources(top)
        said = [(name, option.default) for _, _, options in self.commands for name, option in options.items()]
        for text in self.scripts.values():
            said += OPTION_OF_SCRIPT.findall(text)
        self.defaults = {}  # the numbers in the defaults of an option, of whichever command
        for name, default in said:
            self.defaults.setdefault(name, set()).update(number.replace(",", "") for number in NUMBER.findall(default))

    def read_files(self, top):
        """Scripts by their paths, what options they name, and all names with an underscore."""
        self.scripts, self.names_of_scripts, self.words = {}, set(), set()
        for file in files_of(top):
            path = file.relative_to(top).as_posix()
            self.words.update(re.findall(r"\w+", path))
            if file.suffix == ".md" or path in TWINS or not file.is_file():
                continue
            text = file.read_bytes().decode(errors="ignore")
            self.words.update(word for word in re.findall(r"\w+", text) if "_" in word)
            if text.startswith("#!") or path.startswith(("deploy/", "tests/bench/")):
                self.scripts[path] = text
                self.names_of_scripts.update(OPTION.findall(text))

    def read_sources(self, top):
        """The settings of the server, those that were removed, and the routes of HTTP with their verbs."""
        proto, config, router = ((top / name).read_text() for name in ("server/commands/config.proto", "server/commands/config.cc", "server/http/router.cc"))
        self.settings = set(re.findall(r"^  optional \w+ (\w+) =", proto.partition("message ServerConfig {")[2], re.M))
        self.removed = set(re.findall(r'^ +\{"(\w+)",', config.partition("& RemovedSettings() {")[2].partition("\n}")[0], re.M))
        self.routes = re.findall(r'^    \{"(/[^"]*)", Verb::(\w+)', router, re.M)
        for what in ("settings", "removed", "routes"):
            if not getattr(self, what):
                raise ValueError(f"read server/commands and server/http: found no {what}; look for what changed in their form")
