"""The passkeys that open sessions: seen, enrolled, removed."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from litestar import delete, get, post
from litestar.params import JSONBody
from litestar.types import ControllerRouterHandler

from liuying.console.access import needs
from liuying.console.given import GivenActor, GivenGate, GivenOperator, GivenServices
from liuying.features.audit.service import Entry, noted
from liuying.features.operators import passkeys
from liuying.features.operators.passkeys import PasskeyView
from liuying.features.operators.rules import Role
from liuying.kit.envelope import Envelope
from liuying.kit.responses import BODY, INVALID, LIMITED, MISSING, UNAUTHORIZED, PathIdentifier

# An authenticator's answer with its attestation is about a kilobyte; some send certificates.
AuthenticatorAnswer = dict[str, Any]


class NewPasskeyBody(msgspec.Struct, frozen=True):
    """A new passkey and what the operator calls it."""

    answer: AuthenticatorAnswer
    label: Annotated[str, msgspec.Meta(min_length=1, max_length=40)]


@get(
    "/api/passkeys",
    sync_to_thread=True,
    summary="Passkeys",
    opt=needs(Role.OWNER),
    responses=UNAUTHORIZED,
)
def list_passkeys(services: GivenServices) -> Envelope[list[PasskeyView]]:
    """Oldest first."""
    with services.database.read() as connection:
        return Envelope(passkeys.list_passkeys(connection))


@post(
    "/api/passkeys/options",
    status_code=200,
    sync_to_thread=True,
    summary="What a new passkey is made of",
    opt=needs(Role.VIEWER),
    responses={**INVALID, **LIMITED, **UNAUTHORIZED, **BODY},
)
def enrolment_options(
    services: GivenServices,
    gate: GivenGate,
    operator: GivenOperator,
) -> Envelope[dict[str, Any]]:
    """`PublicKeyCredentialCreationOptions` as JSON."""
    with services.database.write() as connection:
        options = passkeys.enrolment_options(
            connection, services.hashes, operator, gate.passkey_place, services.clock()
        )
    return Envelope(msgspec.json.decode(options))


@post(
    "/api/passkeys",
    status_code=200,
    sync_to_thread=True,
    summary="Enrol a passkey",
    opt=needs(Role.VIEWER),
    responses={**INVALID, **LIMITED, **UNAUTHORIZED, **BODY},
)
def enrol(
    data: JSONBody[NewPasskeyBody],
    services: GivenServices,
    gate: GivenGate,
    operator: GivenOperator,
    actor: GivenActor,
) -> Envelope[PasskeyView]:
    """It opens sessions with this session's name and role."""
    now = services.clock()
    entry = Entry("passkey.add", data.label, after={"role": operator.role.value})
    with (
        noted(services.database, services.clock, actor, entry),
        services.database.write() as connection,
    ):
        return Envelope(
            passkeys.enrol(
                connection,
                services.hashes,
                operator,
                gate.passkey_place,
                data.answer,
                data.label,
                now,
            )
        )


@delete(
    "/api/passkeys/{passkey_id:int}",
    status_code=200,
    sync_to_thread=True,
    summary="Remove a passkey",
    opt=needs(Role.OWNER),
    responses={**UNAUTHORIZED, **MISSING},
)
def remove_passkey(
    passkey_id: PathIdentifier, services: GivenServices, actor: GivenActor
) -> Envelope[None]:
    """The sessions that it opened end."""
    with services.database.read() as connection:
        known = {one.id: one for one in passkeys.list_passkeys(connection)}
    found = known.get(passkey_id)
    was = None if found is None else {"label": found.label, "name": found.name, "role": found.role}
    entry = Entry("passkey.remove", f"通行密钥 {passkey_id}", was)
    with (
        noted(services.database, services.clock, actor, entry),
        services.database.write() as connection,
    ):
        passkeys.remove_passkey(connection, passkey_id)
    return Envelope(None)


ROUTES: list[ControllerRouterHandler] = [list_passkeys, enrolment_options, enrol, remove_passkey]
