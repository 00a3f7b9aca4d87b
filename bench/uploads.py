"""A film uploaded to a console whose connections and whose process are killed again and again.

    .venv/bin/python bench/uploads.py [--gigabytes 5] [--kills 20] [--folder /where/there/is/room]

Each round a request is cut off at a moment that chance decides: by its client (the connection, as
when a tab is closed), or by SIGKILL of the console. At the end the object that waits for import
must be the film, byte for byte (SHA-256). It says how long it took, and how many bytes were sent
for each one of the film: those that the system had taken and the console had not yet kept are sent
again.
"""

from __future__ import annotations

import argparse
import hashlib
import http.client
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from base64 import b64encode
from contextlib import suppress
from pathlib import Path

PROGRAM = [sys.executable, "-m", "liuying"]
VERSION = {"tus-resumable": "1.0.0"}
BYTES = {**VERSION, "content-type": "application/offset+octet-stream"}
BLOCK = 1024 * 1024
PATIENCE_S = 600.0


class Console:
    """The console as a process, and an operator in front of it."""

    def __init__(self, folder: Path) -> None:
        with socket.create_server(("127.0.0.1", 0)) as probe:
            self.port = int(probe.getsockname()[1])
        self.environment = {
            **os.environ,
            "LIUYING_DATA_DIR": str(folder),
            "LIUYING_CONSOLE_PORT": str(self.port),
        }
        self.cookie = ""
        self.process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Start it, and wait until it listens."""
        command = [*PROGRAM, "console", "serve"]
        self.process = subprocess.Popen(
            command, env=self.environment, stdout=subprocess.PIPE, text=True
        )
        if self.process.stdout is not None:
            self.process.stdout.readline()

    def kill(self) -> None:
        """As a power cut would."""
        if self.process is not None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()

    def log_in(self) -> None:
        """By a one-time address."""
        said = subprocess.run(
            [*PROGRAM, "console", "--json"],
            env=self.environment,
            capture_output=True,
            text=True,
            check=True,
        )
        token = json.loads(said.stdout)["url"].partition("#")[2]
        body = json.dumps({"token": token})
        answer = self.ask("POST", "/api/session/link", {"content-type": "application/json"}, body)
        self.cookie = str(answer.getheader("set-cookie")).partition(";")[0]

    def headers(self) -> dict[str, str]:
        """What the console's own page sends."""
        return {"origin": f"http://localhost:{self.port}", "cookie": self.cookie}

    def ask(
        self, method: str, path: str, headers: dict[str, str], body: str | None = None
    ) -> http.client.HTTPResponse:
        """A request, and its answer."""
        connection = http.client.HTTPConnection("localhost", self.port, timeout=60)
        connection.request(method, path, body, {**self.headers(), **headers})
        answer = connection.getresponse()
        answer.read()
        connection.close()
        return answer

    def offset(self, address: str) -> int:
        """How much is on disk."""
        return int(str(self.ask("HEAD", address, VERSION).getheader("upload-offset")))

    def send(self, film: Path, address: str, start: int, end: int) -> int:
        """Send bytes, and leave without an answer where the film goes on; returns how many went."""
        size = film.stat().st_size
        sent = {**self.headers(), **BYTES, "host": f"localhost:{self.port}"}
        sent |= {"upload-offset": str(start), "content-length": str(size - start)}
        head = "".join(f"{name}: {value}\r\n" for name, value in sent.items())
        at = start
        with (
            socket.create_connection(("127.0.0.1", self.port), timeout=120) as line,
            film.open("rb") as file,
            suppress(OSError),
        ):
            line.sendall(f"PATCH {address} HTTP/1.1\r\n{head}\r\n".encode())
            file.seek(start)
            while at < end:
                block = file.read(min(BLOCK, end - at))
                line.sendall(block)
                at += len(block)
            if end == size:
                line.recv(4096)
        return at - start


def make_film(target: Path, size: int) -> str:
    """Bytes that repeat nowhere; returns their SHA-256."""
    chance, digest, left = random.Random(5), hashlib.sha256(), size  # noqa: S311  # no secret
    with target.open("wb") as file:
        while left:
            block = chance.randbytes(min(BLOCK, left))
            digest.update(block)
            file.write(block)
            left -= len(block)
    return digest.hexdigest()


def run(folder: Path, size: int, kills: int) -> None:
    """One upload, and what is said of it.

    Raises:
        SystemExit: What arrived is not what was sent, or never arrived.
    """
    film = folder / "film.bin"
    wanted = make_film(film, size)
    data = folder / "data"
    console = Console(data)
    subprocess.run([*PROGRAM, "migrate"], env=console.environment, check=True)
    console.start()
    console.log_in()
    name = b64encode(b"film.mp4").decode()
    said = {"upload-length": str(size), "upload-metadata": f"filename {name}"}
    address = str(console.ask("POST", "/api/uploads", {**VERSION, **said}).getheader("location"))
    chance, began, sent = random.Random(6), time.monotonic(), 0  # noqa: S311  # no secret
    # Of connections and of the process each so many.
    faults = ["connection", "server"] * kills
    step = size // (len(faults) + 1)
    for fault in faults:
        start = console.offset(address)
        end = min(size - 1, start + chance.randrange(step // 2, step + step // 2))
        sent += console.send(film, address, start, end)
        if fault == "server":
            console.kill()
            console.start()
    start = console.offset(address)
    sent += console.send(film, address, start, size)
    uploaded = time.monotonic()
    arrived = data / "inbox" / wanted
    while not arrived.exists():
        if time.monotonic() > uploaded + PATIENCE_S:
            raise SystemExit("it never arrived")
        time.sleep(0.2)
    queued = time.monotonic()
    console.kill()
    with arrived.open("rb") as file:
        if hashlib.file_digest(file, "sha256").hexdigest() != wanted:
            raise SystemExit("what arrived is not what was sent")
    print(
        f"{size / 1e9:.2f} GB, {kills} connections and {kills} servers killed: identical; "
        f"sent {sent / size:.3f} times, {uploaded - began:.1f} s, "
        f"queued {queued - uploaded:.1f} s later"
    )


def main() -> None:
    """Read the arguments, and leave nothing behind."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gigabytes", type=float, default=5.0)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--folder", type=Path, default=None)
    given = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="liuying-uploads-", dir=given.folder))
    try:
        run(folder, int(given.gigabytes * 1e9), given.kills)
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
