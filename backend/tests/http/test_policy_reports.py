"""Reports of scripts that browsers kept from running: what they bring about, and what not."""

from __future__ import annotations

import asyncio
import json
from base64 import b64encode
from collections.abc import Callable, Iterator
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import msgspec
import pytest

from liuying.http.own_document import ForeignScript, foreign_scripts, read_document
from liuying.http.policy_reports import LEAST_NETWORKS, REST_S, PolicyReports
from liuying.http.security_headers import REPORT_PATH
from liuying.http.tamper_watch import TamperWatch
from liuying.installation.doctor import examine
from liuying.installation.services import Services
from liuying.kit.client_network import ProxyTrust
from tests.conftest import Client

REPORT = {"blocked-uri": "https://evil.example/a.js", "effective-directive": "script-src-elem"}
FOREIGN = [ForeignScript("https://evil.example/a.js")]


class Sink:
    """Reports of many networks, and what was read and told because of them."""

    def __init__(self) -> None:
        self.reads = 0
        self.told: list[list[ForeignScript]] = []
        self.reports = PolicyReports(ProxyTrust(), self._read, self.told.append)

    def _read(self) -> list[ForeignScript]:
        self.reads += 1
        return FOREIGN

    async def send(self, network: int, report: object, method: str = "POST") -> int:
        content = report if isinstance(report, bytes) else json.dumps(report).encode()
        parts = [content[:20], content[20:]]
        statuses: list[int] = []

        async def receive() -> Any:
            body = parts.pop(0)
            return {"type": "http.request", "body": body, "more_body": bool(parts)}

        async def send(message: Any) -> None:
            if message["type"] == "http.response.start":
                statuses.append(message["status"])

        scope: Any = {
            "type": "http",
            "method": method,
            "path": REPORT_PATH,
            "headers": [],
            "client": (f"198.51.100.{network}", 1),
        }
        await self.reports(scope, receive, send)
        await self.reports.settled()
        return statuses[0]

    def report(self, count: int, report: object, *, first: int = 1) -> None:
        async def all_of_them() -> None:
            for network in range(first, first + count):
                assert await self.send(network, report) == 204

        asyncio.run(all_of_them())


def test_few_networks_bring_nothing_about_however_often_they_report() -> None:
    sink = Sink()
    for _ in range(20):
        sink.report(LEAST_NETWORKS - 1, {"csp-report": REPORT})
    assert (sink.reads, sink.told) == (0, [])


def test_enough_networks_make_the_site_read_its_own_document_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sink = Sink()
    sink.report(3 * LEAST_NETWORKS, {"csp-report": REPORT})
    assert (sink.reads, sink.told) == (1, [FOREIGN])
    now = sink.reports._read_at + REST_S
    monkeypatch.setattr("liuying.http.policy_reports.monotonic", lambda: now)
    sink.report(1, {"csp-report": REPORT})
    assert sink.reads == 2


@pytest.mark.parametrize(
    "report",
    [
        b"",
        b"\xff\x00",
        b"[1]",
        b"{" * 9000,
        {"csp-report": REPORT | {"effective-directive": "img-src"}},
        {"csp-report": REPORT | {"blocked-uri": "chrome-extension://abc/a.js"}},
        {"csp-report": REPORT | {"blocked-uri": "https://[/"}},
        {"csp-report": REPORT | {"blocked-uri": 7}},
        {"csp-report": REPORT | {"padding": "x" * 9000}},
    ],
)
def test_what_is_no_report_of_a_script_counts_nothing(report: object) -> None:
    sink = Sink()
    sink.report(2 * LEAST_NETWORKS, report)
    assert sink.reads == 0


def test_each_script_is_counted_by_itself_and_not_without_end() -> None:
    sink = Sink()
    for number in range(500):
        address = f"https://{number}.example/a.js"
        sink.report(1, {"csp-report": REPORT | {"blocked-uri": address}}, first=number % 250 + 1)
    assert sink.reads == 0
    assert len(sink.reports._networks) == 200


def test_other_methods_are_refused() -> None:
    assert asyncio.run(Sink().send(1, {}, "GET")) == 405


def test_the_policy_names_the_address_and_the_site_takes_reports(client: Client) -> None:
    policy = client.get("/home").headers["content-security-policy"]
    assert f"report-uri {REPORT_PATH};" in policy
    answer = client.request("POST", REPORT_PATH, json={"csp-report": REPORT})
    assert (answer.status_code, answer.content) == (204, b"")


def test_scripts_that_we_did_not_build_are_found() -> None:
    def find(extra: str) -> list[str]:
        document = (
            "<!doctype html><head><script>begin()</script>"
            '<script type="application/json">{"a":1}</script>'
            f'<script type="module" src="/assets/app-1.js"></script>{extra}</head>'
        )
        digest = b64encode(sha256(b"begin()").digest()).decode()
        found = foreign_scripts(
            document,
            "https://site.example/home",
            (f"'sha256-{digest}'",),
            {"/assets/app-1.js"}.__contains__,
        )
        return [one.what for one in found]

    assert find("") == []
    assert find('<script src="//evil.example/a.js">') == ["//evil.example/a.js"]
    assert find("<script src=/assets/app-2.js></script>") == ["/assets/app-2.js"]
    assert find("<SCRIPT>evil()</SCRIPT><script>begin()</script>") == ["evil()"]


@pytest.fixture
def front() -> Iterator[Callable[[bytes, int], str]]:
    """A server in front of the site, which answers as it likes; returns its origin."""
    servers = []

    def serve(body: bytes, status: int = 200) -> str:
        class Answer(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(status)
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
        servers.append(server)
        Thread(target=server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{server.server_port}"

    yield serve
    for server in servers:
        server.shutdown()
        server.server_close()


def test_the_document_is_read_as_visitors_get_it(client: Client, front: Callable[..., str]) -> None:
    """What the server sends has no foreign script; what stands in front adds one."""
    application = client.application
    page = client.get("/home").content

    def found(body: bytes) -> list[str]:
        origin = front(body)
        scripts = foreign_scripts(
            read_document(origin),
            origin,
            application._inline_scripts,
            application._web_files.__contains__,
        )
        return [one.what for one in scripts]

    assert found(page) == []
    evil = b"<script src='https://evil.example/a.js'></script></head>"
    assert found(page.replace(b"</head>", evil)) == ["https://evil.example/a.js"]


def test_a_document_that_cannot_be_read_is_no_alarm(front: Callable[..., str]) -> None:
    with pytest.raises(OSError, match="answered 502"):
        read_document(front(b"", 502))
    with pytest.raises(OSError, match="refused"):
        read_document("http://127.0.0.1:9")


def test_what_was_found_in_the_document_is_told_until_it_is_gone(services: Services) -> None:
    now = 1_000_000
    services = msgspec.structs.replace(services, clock=lambda: now)
    watch = TamperWatch(services, list, [])

    def told() -> list[str]:
        watch.look()
        findings = examine(services.settings, lambda: now, is_quick=True)
        return [one.sentence for one in findings if one.topic == "touched-noted"]

    assert told() == []
    watch.note_scripts("https://site.example", FOREIGN)
    assert "https://site.example 里有不是我们的脚本：https://evil.example/a.js" in told()[0]
    watch.note_scripts("https://site.example", [])
    assert told() == []
