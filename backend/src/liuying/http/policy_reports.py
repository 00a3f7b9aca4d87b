"""What browsers report of scripts that the content security policy kept from running (CSP level 3,
`report-uri`).

Anybody can send such a report, and visitors' own extensions cause true ones. So a report alone says
nothing: from `LEAST_NETWORKS` networks on that name the same script, the site reads its own
document as visitors get it, and only a script in it that we did not build is told.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from time import monotonic
from urllib.parse import urlsplit

import msgspec
from litestar.types import HTTPScope, Receive, Send

from liuying.http.own_document import ForeignScript
from liuying.kit.client_network import ProxyTrust

LEAST_NETWORKS = 5
MOST_BYTES = 8192
# Different scripts that are counted at a time, and how long.
MOST_SCRIPTS = 200
KEPT_S = 24 * 3600.0
# Between two readings of the document, whatever is reported.
REST_S = 600.0
LOG = logging.getLogger(__name__)


class _Report(msgspec.Struct, rename="kebab"):
    blocked_uri: str = ""
    effective_directive: str = ""
    violated_directive: str = ""


class _Reported(msgspec.Struct, rename={"report": "csp-report"}):
    report: _Report


class PolicyReports:
    """Takes reports and counts them in this process's memory: by script, each network once.

    Args:
        trust: Which peers speak for others.
        read: Reads the site's document and returns the scripts that are not ours.
        tell: Told of what was read: scripts, or none if all are ours.
    """

    def __init__(
        self,
        trust: ProxyTrust,
        read: Callable[[], list[ForeignScript]],
        tell: Callable[[list[ForeignScript]], None],
    ) -> None:
        self._trust = trust
        self._read = read
        self._tell = tell
        self._networks: dict[str, set[str]] = {}
        self._since = monotonic()
        self._read_at = -REST_S
        self._reading: asyncio.Task[None] | None = None

    async def __call__(self, scope: HTTPScope, receive: Receive, send: Send) -> None:
        """Answer a report: 204 whatever it says, and nothing of it is kept but a count."""
        if scope["method"] != "POST":
            status, headers = 405, [(b"allow", b"POST")]
        else:
            status, headers = 204, []
            script = _script_of(await _body(receive))
            if script:
                peer = scope["client"]
                self._count(
                    script, self._trust.network_of(peer[0] if peer else None, scope["headers"])
                )
        headers.append((b"cache-control", b"no-store"))
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    def _count(self, script: str, network: str) -> None:
        now = monotonic()
        if now - self._since > KEPT_S:
            self._networks.clear()
            self._since = now
        if script not in self._networks and len(self._networks) >= MOST_SCRIPTS:
            return
        networks = self._networks.setdefault(script, set())
        if len(networks) < LEAST_NETWORKS:
            networks.add(network)
        is_enough = len(networks) >= LEAST_NETWORKS
        if is_enough and now - self._read_at >= REST_S and self._reading is None:
            self._read_at = now
            self._reading = asyncio.create_task(self._look())

    async def _look(self) -> None:
        try:
            self._tell(await asyncio.to_thread(self._read))
        except OSError as error:
            LOG.warning("the site's own document could not be read: %s", error)
        finally:
            self._reading = None

    async def settled(self) -> None:
        """Wait until the document is read, if it is being read."""
        if self._reading is not None:
            await self._reading


async def _body(receive: Receive) -> bytes:
    """The body, or nothing if it is too long."""
    body, is_short = bytearray(), True
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return b""
        is_short = is_short and len(body) + len(message["body"]) <= MOST_BYTES
        if is_short:
            body += message["body"]
        if not message["more_body"]:
            return bytes(body) if is_short else b""


def _script_of(body: bytes) -> str:
    """What was kept from running: an origin, `inline` or `eval`; empty if it was no script."""
    try:
        report = msgspec.json.decode(body, type=_Reported).report
        directive = report.effective_directive or report.violated_directive
        if not directive.startswith("script-src"):
            return ""
        parts = urlsplit(report.blocked_uri)
    except (ValueError, msgspec.MsgspecError):
        return ""
    if parts.scheme in {"http", "https"}:
        return f"{parts.scheme}://{parts.netloc}"[:120]
    # Extensions name themselves.
    return report.blocked_uri if report.blocked_uri in {"inline", "eval"} else ""
