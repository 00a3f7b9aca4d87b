"""An operator's browser for tests: calls the console without a socket."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable, Mapping
from contextvars import Context
from typing import Any

import httpx
import msgspec

from liuying.console.application import ConsoleApplication
from liuying.features.operators.rules import Role
from liuying.features.operators.service import create_link
from liuying.installation.services import Services
from tests.catalogue_factory import NOW
from tests.reused_frameworks import free_console, reusing

ORIGIN = "http://localhost:9100"


class Time:
    """A clock that tests set."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> int:
        return self.now


class Desk:
    """One browser in front of one console process."""

    def __init__(self, services: Services, origin: str = ORIGIN) -> None:
        self.time = Time()
        settings = msgspec.structs.replace(
            services.settings,
            console_port=9100,
            console_origin=origin,
            console_dir=services.data_dir / "console",
        )
        self.services = msgspec.structs.replace(services, settings=settings, clock=self.time)
        with reusing():
            self.application = ConsoleApplication(self.services)
        self.origin = origin
        self._runner = asyncio.Runner()
        transport = httpx.ASGITransport(app=self._answer)
        self._client = httpx.AsyncClient(transport=transport, base_url=origin)

    async def _answer(self, scope: Any, receive: Any, send: Any) -> None:
        await self.application(scope, receive, send)

    def request(
        self,
        method: str,
        path: str,
        json: object = None,
        headers: Mapping[str, str] | None = None,
        content: bytes | AsyncIterable[bytes] | None = None,
    ) -> httpx.Response:
        """A call of the console's own page; headers of the test come before its own."""
        sent = {"accept-encoding": "identity", **(headers or {})}
        if method not in {"GET", "HEAD"}:
            sent.setdefault("origin", self.origin)
        asked = self._client.request(method, path, json=json, headers=sent, content=content)
        return self._runner.run(asked, context=Context())

    def request_broken(
        self, method: str, path: str, headers: Mapping[str, str], content: bytes
    ) -> None:
        """A request whose connection breaks after some bytes of its body: nobody hears the
        answer.
        """
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        sent = {"host": ORIGIN.removeprefix("http://"), "origin": self.origin, "cookie": cookies}
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "path": path,
            "raw_path": path.encode(),
            "root_path": "",
            "scheme": "http",
            "query_string": b"",
            "headers": [
                (name.encode(), value.encode()) for name, value in (sent | {**headers}).items()
            ],
            "client": ("127.0.0.1", 50_000),
            "server": ("localhost", 9100),
            "extensions": {},
        }
        messages: list[dict[str, object]] = [
            {"type": "http.request", "body": content, "more_body": True},
            {"type": "http.disconnect"},
        ]

        async def receive() -> dict[str, object]:
            return messages.pop(0) if len(messages) > 1 else messages[0]

        async def send(_message: object) -> None:
            return None

        self._runner.run(self._answer(scope, receive, send), context=Context())

    def rescont(self, method: str, path: str, json: object = None) -> Any:
        """The payload of an answer that must be a success."""
        response = self.request(method, path, json)
        assert response.status_code == 200, response.text
        return response.json()["rescont"]

    def link(self, role: Role = Role.OWNER, name: str = "站长") -> str:
        """A one-time address's token."""
        with self.services.database.write() as connection:
            return create_link(connection, self.services.hashes, name, role, self.services.clock())

    def log_in(self, role: Role = Role.OWNER, name: str = "站长") -> None:
        """Open a session."""
        self.forget_cookies()
        self.rescont("POST", "/api/session/link", {"token": self.link(role, name)})

    def forget_cookies(self) -> None:
        """As a new browser has none."""
        self._client.cookies.clear()

    @property
    def cookies(self) -> dict[str, str]:
        """What the browser keeps."""
        return dict(self._client.cookies)

    def close(self) -> None:
        """Close the browser."""
        self._runner.run(self._client.aclose())
        self._runner.close()
        free_console(self.application.framework, self.application.gate)
