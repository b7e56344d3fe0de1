"""thalwegd as a child process of a test, on a free port."""

import os
import queue
import re
import subprocess
import tempfile
import threading
import time

WORLD = """name: "dales" levels: 4
base { fbm { wavelength_m: 20000 amplitude: 300 } }
rules { detail {} stages { thermal { iterations: 1 } } }
"""


class Server:
    """A context manager: serves the presets and a small world, computed by the reference."""

    PATIENCE_S = 120

    def __enter__(self):
        self._folder = tempfile.TemporaryDirectory()
        with open(os.path.join(self._folder.name, "dales.textproto"), "w", encoding="ascii") as file:
            file.write(WORLD)
        self._child = subprocess.Popen(
            [os.environ["THALWEGD"], "serve", "--listen", "127.0.0.1:0", "--device", "reference",
             "--worlds", self._folder.name],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self._lines = queue.Queue()
        self._reader = threading.Thread(target=self._read)
        self._reader.start()
        try:
            self.address = self._await_address()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        self._child.terminate()
        try:
            self._child.wait(self.PATIENCE_S)
        except subprocess.TimeoutExpired:
            self._child.kill()
            self._child.wait()
        self._reader.join()
        self._child.stderr.close()
        self._folder.cleanup()

    def _read(self):
        for line in self._child.stderr:
            self._lines.put(line)
        self._lines.put(None)

    def _await_address(self):
        until = time.monotonic() + self.PATIENCE_S
        log = []
        while True:
            line = self._lines.get(timeout=max(0, until - time.monotonic()))
            if line is None:
                raise RuntimeError("thalwegd ended: " + "".join(log))
            log.append(line)
            found = re.search(r"listening on (\S+)", line)
            if found:
                return found.group(1)
