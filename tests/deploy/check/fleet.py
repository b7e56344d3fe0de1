# A real server under a small load, and a real Prometheus that reads its metrics.
import json
import pathlib
import ssl
import urllib.error
import urllib.parse
import urllib.request

from report import free_port, run, wait_until


def make_certificate(folder):
    """Makes a self-signed certificate for 127.0.0.1; returns the paths of certificate and key."""
    certificate, key = folder / "server.pem", folder / "server.key"
    status, output = run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                         "-days", "30", "-subj", "/CN=thalweg", "-addext", "subjectAltName=IP:127.0.0.1",
                         "-keyout", str(key), "-out", str(certificate))
    if status:
        raise RuntimeError(output)
    return certificate, key


def start_memcached(check):
    port_file = check.folder / "memcached.port"
    user = ["-u", "root"] if run("id", "-u")[1].strip() == "0" else []
    memcached = check.start("memcached", "-l", "127.0.0.1", "-p", "-1", "-U", "0", *user,
                            env={"MEMCACHED_PORT_FILENAME": str(port_file), "PATH": "/usr/bin:/bin"})
    wait_until(port_file.exists, "start memcached", process=memcached)
    ports = dict(line.split(": ") for line in port_file.read_text().splitlines() if ": " in line)
    return f"127.0.0.1:{ports['TCP INET'].strip()}"


class Server:
    """A thalwegd with gRPC, HTTP and metrics on free ports, and with further flags."""

    def __init__(self, check, name, *flags, tls=False):
        self.check, self.folder = check, check.folder / name
        self.folder.mkdir()
        self.log = self.folder / "log"
        self.metrics = f"127.0.0.1:{free_port()}"
        files = {flag: self.folder / flag for flag in ("--port-file", "--http-port-file")}
        flags += ("--listen", "127.0.0.1:0", "--http", "127.0.0.1:0", "--metrics-listen", self.metrics,
                  *sum(files.items(), ()))
        self.connection, self.context = (), None
        if tls:
            certificate, private = make_certificate(self.folder)
            flags += ("--tls-cert", certificate, "--tls-key", private)
            self.connection = ("--ca", str(certificate))
            self.context = ssl.create_default_context(cafile=str(certificate))
        self.process = check.start(check.program("thalwegd"), "serve", *map(str, flags), log=self.log)
        try:
            wait_until(lambda: all(file.exists() for file in files.values()), "start thalwegd", process=self.process)
        except RuntimeError as problem:
            raise RuntimeError(f"{problem}: {self.log.read_text()}") from None
        port, http_port = (file.read_text().strip() for file in files.values())
        self.address = f"127.0.0.1:{port}"
        self.url = f"{'https' if tls else 'http'}://127.0.0.1:{http_port}"

    def get(self, path):
        """The status of a request over HTTP. A handshake may time out on a busy machine, so there are three tries."""
        for tries_left in (2, 1, 0):
            try:
                with urllib.request.urlopen(self.url + path, context=self.context, timeout=120) as answer:
                    answer.read()
                    return answer.status
            except urllib.error.HTTPError as error:
                return error.code
            except OSError:
                if tries_left == 0:
                    raise
        return None

    def command(self, *arguments):
        status, output = run(self.check.program("thalweg"), *arguments, "--server", self.address,
                             *self.connection)
        if status:
            raise RuntimeError(output)
        return output

    def load(self, x):
        """Makes calls of every kind. Another x asks for other ground."""
        self.command("fetch", "--world", "alpine", "--level", "3", "--x0", str(x * 256), "--y0", "0", "--size", "200",
                     "--out", str(self.folder / "picture.png"))
        self.command("fly", "--world", "alpine", "--seconds", "1", "--speed", "50", "--height", "1000",
                     "--range", "8000", "--tolerance", "30", "--patience", "5")
        for _ in range(2):
            self.get(f"/v1/worlds/alpine/tiles/2/{x}/1.png")
            self.get(f"/v1/worlds/alpine/tiles/2/{x}/1.tlw")
        self.get("/v1/worlds/nowhere")

    def counted(self):
        """The server's metrics. The keys are names with labels, such as thalweg_cache_healthy{level="disk"}."""
        with urllib.request.urlopen(f"http://{self.metrics}/metrics", timeout=30) as answer:
            lines = answer.read().decode().splitlines()
        return {line.rpartition(" ")[0]: float(line.rpartition(" ")[2]) for line in lines if not line.startswith("#")}


class Prometheus:
    """Reads servers once a second, under the job that alerts and dashboard expect."""

    def __init__(self, check, servers, rules):
        port = free_port()
        config = check.folder / "prometheus.json"
        config.write_text(json.dumps({
            "global": {"scrape_interval": "1s", "evaluation_interval": "1s"},
            "rule_files": [str(rules)],
            "scrape_configs": [{"job_name": "thalweg",
                                "static_configs": [{"targets": [server.metrics for server in servers]}]}]}))
        log = check.folder / "prometheus.log"
        self.url = f"http://127.0.0.1:{port}"
        self.process = check.start("prometheus", f"--config.file={config}", f"--storage.tsdb.path={check.folder}/tsdb",
                                   f"--web.listen-address=127.0.0.1:{port}", "--log.level=warn", log=log)
        try:
            wait_until(self.ready, "start prometheus", process=self.process)
        except RuntimeError as problem:
            raise RuntimeError(f"{problem}: {pathlib.Path(log).read_text()}") from None

    def ready(self):
        try:
            with urllib.request.urlopen(f"{self.url}/-/ready", timeout=30):
                return True
        except OSError:
            return False

    def ask(self, path, **parameters):
        """The answer of Prometheus' API. A refused query raises a ValueError with the reason."""
        query = urllib.parse.urlencode(parameters)
        try:
            with urllib.request.urlopen(f"{self.url}/api/v1/{path}?{query}", timeout=30) as answer:
                return json.load(answer)["data"]
        except urllib.error.HTTPError as error:
            raise ValueError(json.load(error)["error"]) from None
