"""The console as one ASGI application: its calls, and the files of its pages."""

from __future__ import annotations

from typing import Any, cast

import sqlalchemy as sa
from litestar import Litestar, Request, Router
from litestar.di import Provide
from litestar.exceptions import HTTPException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.types import HTTPScope, LifeSpanScope, Message, Receive, Send

from liuying import __version__
from liuying.console import (
    figures_routes,
    job_routes,
    overview_routes,
    passkey_routes,
    session_routes,
    visitor_routes,
)
from liuying.console.access import Gate, provide_actor, provide_operator
from liuying.console.content import routes as content_routes
from liuying.console.maintenance import backup_routes, doctor_routes, drill_routes
from liuying.console.maintenance.attendant import Attendant
from liuying.console.security_events import API, EVENTS, FOREIGN, PAGE
from liuying.console.uploads import list_routes as upload_list_routes
from liuying.console.uploads import routes as upload_routes
from liuying.console.uploads.handing_over import HandingOver
from liuying.console.videos import routes as video_routes
from liuying.installation.services import Services, limits_of
from liuying.kit import refusals
from liuying.kit.answering import SlowDatabaseError
from liuying.kit.errors import LiuyingError
from liuying.kit.limits import Limits
from liuying.kit.refusals import send_refusal
from liuying.kit.request_id import REQUEST_ID, new_request_id
from liuying.kit.security_log import SecurityLog
from liuying.kit.strict_body import refuse_loose_body
from liuying.kit.strict_query import refuse_loose_query
from liuying.kit.web_files import WebFiles

ROUTES = [
    *session_routes.ROUTES,
    *passkey_routes.ROUTES,
    *job_routes.ROUTES,
    *overview_routes.ROUTES,
    *upload_list_routes.ROUTES,
    *upload_routes.ROUTES,
    *video_routes.ROUTES,
    *visitor_routes.ROUTES,
    *figures_routes.ROUTES,
    *content_routes.ROUTES,
    *backup_routes.ROUTES,
    *drill_routes.ROUTES,
    *doctor_routes.ROUTES,
]
MAX_BODY_BYTES = 256 * 1024
DOCUMENT = "/index.html"
POLICY = {
    "default-src": "'self'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' blob: data:",
    "media-src": "'self' blob:",
    "connect-src": "'self'",
    "object-src": "'none'",
    "base-uri": "'none'",
    "form-action": "'none'",
    "frame-ancestors": "'none'",
}
HEADERS = (
    (
        b"content-security-policy",
        "; ".join(f"{name} {value}" for name, value in POLICY.items()).encode(),
    ),
    (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
)


async def refuse_loose_request(request: Request[Any, Any, Any]) -> None:
    """Checks before the framework reads values from a request."""
    refuse_loose_query(request)
    await refuse_loose_body(request)


def create_framework(services: Services, limits: Limits) -> tuple[Litestar, Gate]:
    """The framework with routes, roles, validation and the OpenAPI document."""
    gate = Gate(services, limits)
    handing_over = HandingOver(services)
    attendant = Attendant(services)

    def constant(value: object) -> Provide:
        return Provide(lambda: value, sync_to_thread=False)

    framework = Litestar(
        # Registered together: registered one by one, Litestar 2.25 would run handlers that share a
        # path in a thread of a thread.
        route_handlers=[Router("/", route_handlers=ROUTES)],
        guards=[gate.check],
        dependencies={
            "services": constant(services),
            "gate": constant(gate),
            "handing_over": constant(handing_over),
            "attendant": constant(attendant),
            "operator": Provide(provide_operator, sync_to_thread=False),
            "actor": Provide(provide_actor, sync_to_thread=False),
        },
        exception_handlers={
            LiuyingError: refusals.answer_domain_error,
            HTTPException: refusals.answer_http_error,
            sa.exc.DBAPIError: refusals.answer_database_error,
            sa.exc.TimeoutError: refusals.answer_no_connection,
            SlowDatabaseError: refusals.answer_slow_database,
            OSError: refusals.answer_system_error,
            Exception: refusals.answer_failure,
        },
        before_request=refuse_loose_request,
        lifespan=[handing_over.running, attendant.running],
        request_max_body_size=MAX_BODY_BYTES,
        openapi_config=OpenAPIConfig(
            title="流影控制台 API",
            version=__version__,
            path="/api/schema",
            render_plugins=[JsonRenderPlugin(path="/openapi.json")],
        ),
        logging_config=None,
    )
    return framework, gate


class ConsoleApplication:
    """The whole console.

    Args:
        services: The open installation.
    """

    def __init__(self, services: Services) -> None:
        self.limits = limits_of(services)
        self.framework, self.gate = create_framework(services, self.limits)
        self._files = WebFiles(services.settings.console_dir, ())
        self._security_log = SecurityLog(
            services.hashes,
            services.clock,
            services.settings.proxy_trust,
            self._name_of,
            EVENTS,
        )
        self._paths = frozenset(
            route.path for route in self.framework.routes if "{" not in route.path
        )

    async def __call__(self, scope: HTTPScope | LifeSpanScope, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            await self.framework(cast("LifeSpanScope", scope), receive, send)
            return
        REQUEST_ID.set(new_request_id())
        await self._answer(scope, receive, _guarded(send))

    async def _answer(self, scope: HTTPScope, receive: Receive, send: Send) -> None:
        path = scope["path"]
        if (reason := self.gate.refusal_of(scope)) is not None:
            self._security_log.note(scope, FOREIGN)
            await send_refusal(send, 403, reason)
        elif scope["method"] == "OPTIONS" and path == upload_routes.PATH:
            await upload_routes.describe_uploads(self.gate.services, send)
        elif path.startswith("/api/"):
            await self.framework(scope, receive, self._security_log.follow(scope, send))
        elif path in self._files:
            await self._files.send(scope, send)
        elif DOCUMENT not in self._files:
            await send_refusal(send, 404, "控制台的页面尚未构建")
        else:
            # Every page is the same document; its router reads the address.
            await self._files.send(cast("HTTPScope", {**scope, "path": DOCUMENT}), send)

    def _name_of(self, path: str) -> str:
        """What a line of the log calls a path: other paths may be anything."""
        return path if path in self._paths else API if path.startswith("/api/") else PAGE


def _guarded(send: Send) -> Send:
    """A `send` that adds the headers of every answer; nothing of the console is kept by a cache,
    but for files whose names change with them.
    """

    async def send_guarded(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = list(message.get("headers", []))
            names = {name.lower() for name, _ in headers}
            headers += [one for one in HEADERS if one[0] not in names]
            if b"cache-control" not in names:
                headers.append((b"cache-control", b"no-store"))
            message["headers"] = headers
        await send(message)

    return send_guarded
