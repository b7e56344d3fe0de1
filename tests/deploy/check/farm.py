# Servers behind nginx, as deploy/nginx sets it up.
import http.client
import os
import re
import shutil
import socket
import subprocess
import urllib.request

from report import TOP, Check, free_port, wait_until

WORLD = "shire"


def answers(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def ask(port, path, caller="127.0.0.1", **headers):
    """The status, headers and body of an answer to a caller with this address."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=90, source_address=(caller, 0))
    try:
        connection.request("GET", path, headers={name.replace("_", "-"): value for name, value in headers.items()})
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()
    finally:
        connection.close()


def get(port, path, headers=None):
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", headers=headers or {})
    with urllib.request.urlopen(request, timeout=90) as answer:
        return answer.read()


def tile_path(level, x, y):
    return f"/v1/worlds/{WORLD}/tiles/{level}/{x}/{y}.tlw"


class Farm(Check):
    """The check, which also runs commands to their end."""

    def run(self, program, *arguments):
        return subprocess.run([self.program(program), *map(str, arguments)], capture_output=True, text=True, timeout=300, check=False)


class Server:
    """A thalwegd whose ports stay the same when it is started again."""

    def __init__(self, farm, name, *flags):
        self.farm, self.name, self.flags = farm, name, flags
        self.headers = {}
        self.grpc, self.http = free_port(), free_port()
        self.start()

    def start(self, program="thalwegd"):
        ready = self.farm.folder / f"{self.name}.port"
        ready.unlink(missing_ok=True)
        self.process = self.farm.start(
            self.farm.program(program), "serve", "--listen", f"127.0.0.1:{self.grpc}", "--http", f"127.0.0.1:{self.http}",
            "--port-file", str(ready), "--worlds", str(TOP / "tests/web/worlds"), "--skip-check", *map(str, self.flags),
            log=self.farm.folder / f"{self.name}.log")
        wait_until(ready.exists, f"start {self.name}")

    def kill(self):
        self.process.kill()
        self.process.wait()

    def count(self, metric, label=""):
        """The sum of a metric over its series whose labels contain `label`."""
        text = get(self.http, "/metrics", self.headers).decode()
        return sum(float(line.rsplit(" ", 1)[1]) for line in text.splitlines()
                   if re.match(rf"{metric}(\{{| )", line) and label in line)

    def log(self):
        return (self.farm.folder / f"{self.name}.log").read_text()


class Proxy:
    """nginx with the configuration of deploy/nginx, on free ports. `changes` are further texts to replace in it."""

    def __init__(self, farm, servers, changes=()):
        self.grpc, self.http = free_port(), free_port()
        folder = farm.folder / f"nginx-{self.grpc}"
        folder.mkdir()
        (folder / "modules").symlink_to("/usr/lib/nginx/modules")
        shutil.copy(TOP / "deploy/nginx/tile.js", folder)
        text = (TOP / "deploy/nginx/nginx.conf").read_text()
        for old, new in [("listen 7070", f"listen 127.0.0.1:{self.grpc}"), ("listen 8080", f"listen 127.0.0.1:{self.http}"),
                         ("/tmp/", f"{folder}/"), ("worker_processes 2", "worker_processes 1"),
                         ("worker_rlimit_nofile 65536;", ""), *changes]:
            assert old in text, f"nginx.conf has no '{old}'"
            text = text.replace(old, new)
        (folder / "nginx.conf").write_text(text)
        rows = []
        for row in (TOP / "deploy/nginx/servers.conf").read_text().splitlines():
            found = re.match(r"  server thalweg-(\d):(7070|8080)(.*)", row)
            if not found:
                rows.append(row)
            elif int(found[1]) <= len(servers):
                server = servers[int(found[1]) - 1]
                port = server.grpc if found[2] == "7070" else server.http
                rows.append(f"  server 127.0.0.1:{port}{found[3]}")
        (folder / "servers.conf").write_text("\n".join(rows) + "\n")
        # Workers of root's nginx would be another user, who may not look into our folder.
        user = "user root;" if os.geteuid() == 0 else ""
        command = ["nginx", "-p", f"{folder}/", "-c", "nginx.conf", "-g", f"daemon off; {user}"]
        checked = subprocess.run([*command, "-t"], capture_output=True, text=True, check=False)
        farm.expect("nginx accepts the configuration", "" if checked.returncode == 0 else checked.stderr.strip())
        self.process = farm.start(*command, log=folder / "log")
        wait_until(lambda: answers(self.grpc) and answers(self.http), "start nginx")
