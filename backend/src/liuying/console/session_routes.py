"""Opening, seeing and ending sessions."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from litestar import Request, Response, delete, get, post
from litestar.params import JSONBody
from litestar.types import ControllerRouterHandler

from liuying.console.access import OPEN_TO_ALL, Gate, needs
from liuying.console.given import GivenActor, GivenGate, GivenOperator, GivenServices
from liuying.console.passkey_routes import AuthenticatorAnswer
from liuying.features.audit.service import Actor, Entry, append, noted
from liuying.features.operators import passkeys, service
from liuying.features.operators.rules import IDLE_MS, Role
from liuying.features.operators.service import Operator, SessionView
from liuying.kit.envelope import Envelope
from liuying.kit.responses import BODY, INVALID, LIMITED, MISSING, UNAUTHORIZED, PathIdentifier

REFUSED: Any = {**INVALID, **LIMITED, **UNAUTHORIZED, **BODY}
Token = Annotated[str, msgspec.Meta(min_length=1, max_length=100)]


class LinkBody(msgspec.Struct, frozen=True):
    """A one-time address's token."""

    token: Token


class PasskeyBody(msgspec.Struct, frozen=True):
    """What the browser says of a passkey."""

    answer: AuthenticatorAnswer


class MeView(msgspec.Struct, frozen=True):
    """Who is logged in.

    Attributes:
        idle_seconds: After so long without use the session ends.
        has_passkeys: Whether anybody has enrolled one.
    """

    name: str
    role: Role
    session_id: int
    idle_seconds: int
    has_passkeys: bool


def _device(request: Request[Any, Any, Any]) -> str:
    return request.headers.get("user-agent", "")


def _opened(
    gate: Gate, operator: Operator, token: str, has_passkeys: bool
) -> Response[Envelope[MeView]]:
    return Response(
        Envelope(_me(operator, has_passkeys=has_passkeys)), cookies=[gate.cookie(token)]
    )


def _me(operator: Operator, *, has_passkeys: bool) -> MeView:
    return MeView(operator.name, operator.role, operator.session_id, IDLE_MS // 1000, has_passkeys)


def _actor(operator: Operator) -> Actor:
    return Actor(operator.name, operator.role.value, operator.session_id)


@post(
    "/api/session/link",
    status_code=200,
    sync_to_thread=True,
    summary="Open a session by a one-time address",
    opt=OPEN_TO_ALL,
    responses=REFUSED,
)
def open_by_link(
    data: JSONBody[LinkBody],
    request: Request[Any, Any, Any],
    services: GivenServices,
    gate: GivenGate,
) -> Response[Envelope[MeView]]:
    """The token is used up."""
    now = services.clock()
    with services.database.write() as connection:
        operator, token = service.use_link(
            connection, services.hashes, data.token, _device(request), now
        )
        append(connection, _actor(operator), Entry("session.open", "一次性地址"), now)
        has_passkeys = bool(passkeys.list_passkeys(connection))
    return _opened(gate, operator, token, has_passkeys)


@post(
    "/api/session/passkey/options",
    status_code=200,
    sync_to_thread=True,
    summary="What a passkey is asked",
    opt=OPEN_TO_ALL,
    responses=REFUSED,
)
def passkey_login_options(services: GivenServices, gate: GivenGate) -> Envelope[dict[str, Any]]:
    """`PublicKeyCredentialRequestOptions` as JSON."""
    with services.database.write() as connection:
        options = passkeys.login_options(
            connection, services.hashes, gate.passkey_place, services.clock()
        )
    return Envelope(msgspec.json.decode(options))


@post(
    "/api/session/passkey",
    status_code=200,
    sync_to_thread=True,
    summary="Open a session by a passkey",
    opt=OPEN_TO_ALL,
    responses=REFUSED,
)
def open_by_passkey(
    data: JSONBody[PasskeyBody],
    request: Request[Any, Any, Any],
    services: GivenServices,
    gate: GivenGate,
) -> Response[Envelope[MeView]]:
    """The challenge is used up."""
    now = services.clock()
    with services.database.write() as connection:
        operator, token = passkeys.log_in(
            connection, services.hashes, gate.passkey_place, data.answer, _device(request), now
        )
        append(connection, _actor(operator), Entry("session.open", "通行密钥"), now)
    return _opened(gate, operator, token, has_passkeys=True)


@get(
    "/api/session",
    sync_to_thread=True,
    summary="Who is logged in",
    opt=needs(Role.VIEWER),
    responses=UNAUTHORIZED,
)
def who_is_logged_in(services: GivenServices, operator: GivenOperator) -> Envelope[MeView]:
    """The session's name and role."""
    with services.database.read() as connection:
        has_passkeys = bool(passkeys.list_passkeys(connection))
    return Envelope(_me(operator, has_passkeys=has_passkeys))


@delete(
    "/api/session",
    status_code=200,
    sync_to_thread=True,
    summary="Log out",
    opt=needs(Role.VIEWER),
    responses=UNAUTHORIZED,
)
def log_out(
    services: GivenServices,
    gate: GivenGate,
    operator: GivenOperator,
    actor: GivenActor,
) -> Response[Envelope[None]]:
    """End this session."""
    with (
        noted(services.database, services.clock, actor, Entry("session.end", "自己退出")),
        services.database.write() as connection,
    ):
        service.end_session(connection, operator.session_id)
    return Response(Envelope(None), cookies=[gate.cookie("")])


@get(
    "/api/sessions",
    sync_to_thread=True,
    summary="Open sessions",
    opt=needs(Role.OWNER),
    responses=UNAUTHORIZED,
)
def list_sessions(services: GivenServices, operator: GivenOperator) -> Envelope[list[SessionView]]:
    """Last used first."""
    with services.database.read() as connection:
        return Envelope(service.list_sessions(connection, services.clock(), operator.session_id))


@delete(
    "/api/sessions/{session_id:int}",
    status_code=200,
    sync_to_thread=True,
    summary="End a session",
    opt=needs(Role.OWNER),
    responses={**UNAUTHORIZED, **MISSING},
)
def end_session(
    session_id: PathIdentifier, services: GivenServices, actor: GivenActor
) -> Envelope[None]:
    """At once, on every console process."""
    now = services.clock()
    with services.database.read() as connection:
        known = {one.id: one for one in service.list_sessions(connection, now)}
    found = known.get(session_id)
    was = (
        None if found is None else {"name": found.name, "role": found.role, "device": found.device}
    )
    entry = Entry("session.revoke", f"登录 {session_id}", was)
    with (
        noted(services.database, services.clock, actor, entry),
        services.database.write() as connection,
    ):
        service.end_session(connection, session_id)
    return Envelope(None)


ROUTES: list[ControllerRouterHandler] = [
    open_by_link,
    passkey_login_options,
    open_by_passkey,
    who_is_logged_in,
    log_out,
    list_sessions,
    end_session,
]
