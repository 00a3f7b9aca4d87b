"""`liuying console serve` as a process of its own, and an operator who speaks to it by sockets."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping
from types import TracebackType
from typing import Any, Self

from liuying.features.operators.rules import Role
from liuying.features.operators.service import create_link
from liuying.installation.services import Services, open_services
from liuying.kit.clock import system_clock
from tests.console.tus import BYTES, PATH, VERSION, metadata

HOST = "127.0.0.1"


def free_port() -> int:
    """A port that nobody listens on now."""
    with socket.create_server((HOST, 0)) as probe:
        return int(probe.getsockname()[1])


class ConsoleServer:
    """The console of an installation; it may be killed, and started again on the same port.

    Args:
        services: The installation; its settings lead the process to it.
    """

    def __init__(self, services: Services) -> None:
        self._services = services
        settings = services.settings
        self.port = free_port()
        self.origin = f"http://localhost:{self.port}"
        names = ("database_url", "store", "s3_endpoint", "s3_access_key", "s3_secret_key")
        self._environment = {
            **os.environ,
            "LIUYING_DATA_DIR": str(settings.data_dir),
            "LIUYING_CONSOLE_PORT": str(self.port),
            **{f"LIUYING_{name.upper()}": str(getattr(settings, name)) for name in names},
        }
        self._process: subprocess.Popen[str] | None = None
        self.cookie = ""

    def start(self) -> None:
        """Start it, and wait until it listens."""
        self._process = subprocess.Popen(
            [sys.executable, "-m", "liuying", "console", "serve"],
            env=self._environment,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout is not None
        assert "流影控制台" in self._process.stdout.readline()

    def kill(self) -> None:
        """As a power cut would."""
        assert self._process is not None
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self.kill()

    def log_in(self) -> None:
        """Open an editor's session, with the clock of the server."""
        own = open_services(self._services.settings, clock=system_clock)
        with own.database.write() as connection:
            token = create_link(connection, own.hashes, "小王", Role.EDITOR, own.clock())
        own.database.close()
        body = json.dumps({"token": token})
        answer = self.ask("POST", "/api/session/link", {"content-type": "application/json"}, body)
        assert answer.status == 200, answer.status
        self.cookie = str(answer.getheader("set-cookie")).partition(";")[0]

    def ask(
        self, method: str, path: str, headers: Mapping[str, str], body: Any = None
    ) -> http.client.HTTPResponse:
        """A request on a connection of its own, and its answer, read."""
        connection = http.client.HTTPConnection("localhost", self.port, timeout=60)
        sent = {"origin": self.origin, "cookie": self.cookie, **headers}
        connection.request(method, path, body, sent)
        answer = connection.getresponse()
        answer.read()
        connection.close()
        return answer

    def begin(self, name: str, size: int) -> str:
        """The address of a new upload."""
        said = {"upload-length": str(size), "upload-metadata": metadata(filename=name)}
        answer = self.ask("POST", PATH, {**VERSION, **said})
        assert answer.status == 201, answer.status
        return str(answer.getheader("location"))

    def offset(self, address: str) -> int:
        """How much is there."""
        return int(str(self.ask("HEAD", address, VERSION).getheader("upload-offset")))

    def sender(self, address: str, start: int, length: int) -> socket.socket:
        """A connection on which a request for so many bytes has begun."""
        headers = {
            **BYTES,
            "host": f"localhost:{self.port}",
            "origin": self.origin,
            "cookie": self.cookie,
            "upload-offset": str(start),
            "content-length": str(length),
        }
        head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        opened = socket.create_connection((HOST, self.port), timeout=60)
        opened.sendall(f"PATCH {address} HTTP/1.1\r\n{head}\r\n".encode())
        return opened
