"""Who may call the console: by host, origin, session and role.

A page of another origin can neither read an answer nor cause a write: the host must be the
console's own (which stops names that others point at this machine), every write must name its
origin, and the cookie is sent with requests of the console's own pages alone.
"""

from __future__ import annotations

import asyncio
from typing import Any
from urllib.parse import urlsplit

from litestar.concurrency import sync_to_thread
from litestar.connection import ASGIConnection, Request
from litestar.datastructures import Cookie
from litestar.di import NamedDependency
from litestar.exceptions import NotAuthorizedException, PermissionDeniedException
from litestar.handlers import BaseRouteHandler
from litestar.types import HTTPScope

from liuying.features.audit.service import Actor
from liuying.features.operators.passkeys import Place
from liuying.features.operators.rules import LONGEST_MS, Role
from liuying.features.operators.service import Operator, find_operator
from liuying.installation.services import Services
from liuying.kit.answering import ANSWER_WITHIN_S, SlowDatabaseError
from liuying.kit.client_network import ClientNetwork
from liuying.kit.limits import HOUR, MINUTE, Limit, Limits, Rule

# Without a session: opening one.
OPENING = Limit("console opening", (Rule(10, MINUTE), Rule(60, HOUR)))
# With one. A page that refreshes itself makes some twenty a minute.
CALLING = Limit("console calls", (Rule(1200, MINUTE),))
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
ROLE_OPTION = "role"
# What a page asks by itself: it keeps no session alive.
BACKGROUND_HEADER = "x-background"
WRONG_HOST = "这个地址不是控制台的地址"
WRONG_ORIGIN = "请求不是来自控制台自己的页面"


def needs(role: Role) -> dict[str, Any]:
    """The `opt` of a route that this role and those above it may call."""
    return {ROLE_OPTION: role}


# The `opt` of a route that opens a session.
OPEN_TO_ALL: dict[str, Any] = {ROLE_OPTION: None}


class Gate:
    """Checks requests before anything is answered.

    Args:
        services: The open installation.
        limits: Rate limits by network.
    """

    def __init__(self, services: Services, limits: Limits) -> None:
        self.services = services
        self._limits = limits
        self.origin = services.settings.console_address
        self._host = urlsplit(self.origin).netloc.encode()
        self.is_secure = self.origin.startswith("https:")
        # Browsers take this prefix over TLS only; there no other host can set the cookie.
        self.cookie_name = "__Host-liuying_console" if self.is_secure else "liuying_console"

    @property
    def passkey_place(self) -> Place:
        """Where the console's passkeys are valid."""
        return Place(self.origin, urlsplit(self.origin).netloc.partition(":")[0])

    def refusal_of(self, scope: HTTPScope) -> str | None:
        """Why a request is refused whatever it asks, in Chinese; None if it is not."""
        headers = [(name.lower(), value) for name, value in scope["headers"]]
        hosts = [value for name, value in headers if name == b"host"]
        if hosts != [self._host]:
            return WRONG_HOST
        if scope["method"] in SAFE_METHODS:
            return None
        origins = [value for name, value in headers if name == b"origin"]
        return None if origins == [self.origin.encode()] else WRONG_ORIGIN

    def network(self, connection: ASGIConnection[Any, Any, Any, Any]) -> ClientNetwork:
        """Where a request comes from."""
        peer = connection.scope["client"]
        trust = self.services.settings.proxy_trust
        return trust.network_of(peer[0] if peer else None, connection.scope["headers"])

    async def check(
        self, connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler
    ) -> None:
        """The guard of every route. A database that does not answer is told here, where nothing
        has begun: what passes may take as long as it must, and its outcome is told
        (docs/decisions/0023-the-operators-console.md).

        Raises:
            SlowDatabaseError: Nobody knows within `ANSWER_WITHIN_S` who calls.
            TooManyRequestsError: The network made too many calls.
            NotAuthorizedException: 401: the route needs a session, and there is none.
            PermissionDeniedException: 403: the session's role is not enough.
        """
        role = handler.opt.get(ROLE_OPTION, Role.OWNER)
        try:
            async with asyncio.timeout(ANSWER_WITHIN_S):
                await sync_to_thread(self._check, connection, role)
        except TimeoutError as error:
            raise SlowDatabaseError from error

    def _check(self, connection: ASGIConnection[Any, Any, Any, Any], role: Role | None) -> None:
        network = self.network(connection)
        if role is None:
            self._limits.check(OPENING, network)
            return
        operator = self.operator_of(connection)
        if operator is None:
            raise NotAuthorizedException
        self._limits.check(CALLING, network)
        if not operator.role.includes(role):
            raise PermissionDeniedException
        connection.state.operator = operator

    def operator_of(self, connection: ASGIConnection[Any, Any, Any, Any]) -> Operator | None:
        """Whose session a request's cookie opens."""
        token = connection.cookies.get(self.cookie_name, "")
        if not token:
            return None
        return find_operator(
            self.services.database,
            self.services.hashes,
            token,
            self.services.clock(),
            is_use=BACKGROUND_HEADER not in connection.headers,
        )

    def cookie(self, token: str) -> Cookie:
        """The cookie of a session; an empty token takes it away."""
        return Cookie(
            key=self.cookie_name,
            value=token,
            path="/",
            httponly=True,
            secure=self.is_secure,
            samesite="strict",
            # The server ends sessions; this only spares a request with an old one.
            max_age=LONGEST_MS // 1000 if token else 0,
        )


def provide_operator(request: Request[Any, Any, Any]) -> Operator:
    """The dependency `operator`: who makes the call, as `Gate.check` found."""
    operator: Operator = request.state.operator
    return operator


def provide_actor(operator: NamedDependency[Operator]) -> Actor:
    """The dependency `actor`: the same for the audit log."""
    return Actor(operator.name, operator.role.value, operator.session_id)
