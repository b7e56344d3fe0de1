# Code that the checks in Python share: options, the lines that they print, processes and free ports.
import argparse
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

TOP = pathlib.Path(__file__).resolve().parents[3]


class Check:
    """One run of a check. As a context manager, it has a temporary folder, and at the end it ends its processes."""

    def __init__(self, description, parts=()):
        parser = argparse.ArgumentParser(description=description)
        parser.add_argument("--build", default=TOP / "build/release", type=pathlib.Path,
                            help="the build whose bin/ has thalwegd and thalweg (build/release)")
        if parts:
            parser.add_argument("--only", choices=parts, help="run only this part")
        options = parser.parse_args()
        self.build = options.build.resolve()
        self.only = options.only if parts else None
        self.failed = 0
        self.processes = []

    def __enter__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="thalweg-check-"))
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: sys.exit(130))
        return self

    def __exit__(self, *_):
        for process in reversed(self.processes):
            if process.poll() is None:
                process.terminate()
        for process in self.processes:
            try:
                process.wait(timeout=40)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def expect(self, what, problem):
        """Prints a line; the problem is a text, or empty if there is none."""
        if problem:
            self.failed += 1
            print(f"not ok - {what}: {' '.join(str(problem).split())}", flush=True)
        else:
            print(f"ok - {what}", flush=True)
        return not problem

    def skip(self, what, why):
        print(f"skip - {what}: {why}", flush=True)

    def end(self):
        sys.exit(1 if self.failed else 0)

    def program(self, name):
        return str(self.build / "bin" / name)

    def start(self, *command, log=None, **options):
        with open(log or os.devnull, "w", encoding="utf-8") as output:
            process = subprocess.Popen(command, stdout=output, stderr=output, **options)
        self.processes.append(process)
        return process


def run(*command, **options):
    """The status of a command and all that it printed."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **options)
    return done.returncode, done.stdout


def npm_packages():
    """The folder of the packages in package.json. Installs them when package-lock.json has changed."""
    here, folder = TOP / "tests/deploy/check", TOP / "build/check"
    lock = (here / "package-lock.json").read_text()
    done = folder / "done"
    if not done.exists() or done.read_text() != lock:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for name in ("package.json", "package-lock.json"):
            shutil.copy(here / name, folder)
        status, output = run("npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts", cwd=folder)
        if status:
            raise RuntimeError(f"install npm's packages: {output}")
        done.write_text(lock)
    return folder / "node_modules"


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def wait_until(condition, what, seconds=60, process=None):
    """Waits for a condition. Fails when time runs out, or when the process ends."""
    end = time.monotonic() + seconds
    while not condition():
        if process is not None and process.poll() is not None:
            raise RuntimeError(f"{what}: the process ended with {process.returncode}")
        if time.monotonic() > end:
            raise RuntimeError(f"{what}: not within {seconds} s")
        time.sleep(0.1)
