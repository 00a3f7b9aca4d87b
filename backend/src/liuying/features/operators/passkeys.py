"""Passkeys (WebAuthn): enrolled in an open session, and opening later ones.

The authenticator must verify its user (a finger, a face, a PIN): a passkey stands alone here, with
no password beside it.
"""

from __future__ import annotations

import msgspec
import sqlalchemy as sa
from webauthn import (
    generate_authentication_options,
    generate_registration_options,
    options_to_json,
    verify_authentication_response,
    verify_registration_response,
)
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url, parse_client_data_json
from webauthn.helpers.exceptions import WebAuthnException
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from liuying.features.operators import queries
from liuying.features.operators.rules import CHALLENGE_MS, Role
from liuying.features.operators.service import Operator, open_session, token_hash
from liuying.kit.clock import Milliseconds, to_iso, to_iso_if_known
from liuying.kit.errors import InvalidInputError, NotFoundError, UnauthorizedError
from liuying.kit.keyed_hashes import KeyedHashes
from liuying.kit.texts import required_text

SITE_NAME = "流影控制台"
LABEL_LENGTH = 40
MAX_PASSKEYS = 100
REFUSED = "这个通行密钥不能打开控制台。可以在服务器上执行 liuying console 重新登录"
NOT_ENROLLED = "没有登记成功，请再试一次"


class Place(msgspec.Struct, frozen=True):
    """Where passkeys are valid.

    Attributes:
        origin: The console's own, `https://console.example`.
        host: Its host name, which browsers bind passkeys to.
    """

    origin: str
    host: str


class PasskeyView(msgspec.Struct, frozen=True):
    """A passkey as operators see it. Times use the wire's form."""

    id: int
    label: str
    name: str
    role: Role
    created_at: str
    used_at: str | None


def enrolment_options(
    connection: sa.Connection,
    hashes: KeyedHashes,
    operator: Operator,
    place: Place,
    now: Milliseconds,
) -> bytes:
    """What the browser hands to an authenticator to make a passkey, as JSON.

    Raises:
        InvalidInputError: There are `MAX_PASSKEYS`.
    """
    known = queries.all_passkeys(connection)
    if len(known) >= MAX_PASSKEYS:
        raise InvalidInputError(f"最多 {MAX_PASSKEYS} 个通行密钥，请先移除不用的")
    options = generate_registration_options(
        rp_id=place.host,
        rp_name=SITE_NAME,
        user_name=operator.name,
        # The same for a name and role: a new passkey of an authenticator replaces its old one.
        user_id=hashes.digest("console user", operator.name, operator.role),
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.REQUIRED,
            user_verification=UserVerificationRequirement.REQUIRED,
        ),
        exclude_credentials=[
            PublicKeyCredentialDescriptor(id=base64url_to_bytes(row.credential_id)) for row in known
        ],
    )
    _note_challenge(connection, hashes, options.challenge, operator.session_id, now)
    return options_to_json(options).encode()


def enrol(
    connection: sa.Connection,
    hashes: KeyedHashes,
    operator: Operator,
    place: Place,
    answer: dict[str, object],
    label: str,
    now: Milliseconds,
) -> PasskeyView:
    """Keep the passkey that an authenticator made.

    Args:
        answer: What the browser says of it.
        label: What the operator calls it.

    Raises:
        InvalidInputError: It does not answer a challenge of this session, or the label is blank or
            too long.
    """
    label = required_text("名称", label, LABEL_LENGTH)
    try:
        challenge = _challenge_of(answer)
        row = queries.take_challenge(connection, _challenge_hash(hashes, challenge))
        if row is None or row.expires_at <= now or row.session_id != operator.session_id:
            raise InvalidInputError(NOT_ENROLLED)
        verified = verify_registration_response(
            credential=answer,
            expected_challenge=challenge,
            expected_rp_id=place.host,
            expected_origin=place.origin,
            require_user_verification=True,
        )
    except (WebAuthnException, ValueError, KeyError, TypeError) as error:
        raise InvalidInputError(NOT_ENROLLED) from error
    credential_id = bytes_to_base64url(verified.credential_id)
    if queries.passkey_of(connection, credential_id) is not None:
        raise InvalidInputError("这个通行密钥已经登记过了")
    values = {
        "credential_id": credential_id,
        "public_key": verified.credential_public_key,
        "sign_count": verified.sign_count,
        "label": label,
        "name": operator.name,
        "role": operator.role.value,
        "created_at": now,
    }
    number = queries.insert_passkey(connection, values)
    return PasskeyView(number, label, operator.name, operator.role, to_iso(now), None)


def login_options(
    connection: sa.Connection, hashes: KeyedHashes, place: Place, now: Milliseconds
) -> bytes:
    """What the browser hands to an authenticator to open a session, as JSON. It names no passkey:
    nobody learns which there are.
    """
    options = generate_authentication_options(
        rp_id=place.host, user_verification=UserVerificationRequirement.REQUIRED
    )
    _note_challenge(connection, hashes, options.challenge, None, now)
    return options_to_json(options).encode()


def log_in(
    connection: sa.Connection,
    hashes: KeyedHashes,
    place: Place,
    answer: dict[str, object],
    device: str,
    now: Milliseconds,
) -> tuple[Operator, str]:
    """Open a session by a passkey.

    Args:
        answer: What the browser says.
        device: What it calls itself.

    Returns:
        Who it is, and the new session's token.

    Raises:
        UnauthorizedError: It is no passkey of ours, or does not answer an open challenge.
    """
    try:
        challenge = _challenge_of(answer)
        asked = queries.take_challenge(connection, _challenge_hash(hashes, challenge))
        row = queries.passkey_of(connection, str(answer["id"]))
        if asked is None or asked.expires_at <= now or asked.session_id is not None or row is None:
            raise UnauthorizedError(REFUSED)
        verified = verify_authentication_response(
            credential=answer,
            expected_challenge=challenge,
            expected_rp_id=place.host,
            expected_origin=place.origin,
            credential_public_key=row.public_key,
            credential_current_sign_count=row.sign_count,
            require_user_verification=True,
        )
    except (WebAuthnException, ValueError, KeyError, TypeError) as error:
        raise UnauthorizedError(REFUSED) from error
    queries.note_passkey_use(connection, row.id, verified.new_sign_count, now)
    return open_session(connection, hashes, row, device, now, row.id)


def list_passkeys(connection: sa.Connection) -> list[PasskeyView]:
    """All passkeys, oldest first."""
    return [
        PasskeyView(
            id=row.id,
            label=row.label,
            name=row.name,
            role=Role(row.role),
            created_at=to_iso(row.created_at),
            used_at=to_iso_if_known(row.used_at),
        )
        for row in queries.all_passkeys(connection)
    ]


def remove_passkey(connection: sa.Connection, passkey_id: int) -> str:
    """Remove a passkey and end the sessions that it opened; returns what it was called.

    Raises:
        NotFoundError: No passkey has this number.
    """
    row = queries.take_passkey(connection, passkey_id)
    if row is None:
        raise NotFoundError(f"没有编号为 {passkey_id} 的通行密钥")
    queries.end_sessions_of_passkey(connection, passkey_id)
    return str(row.label)


def _note_challenge(
    connection: sa.Connection,
    hashes: KeyedHashes,
    challenge: bytes,
    session_id: int | None,
    now: Milliseconds,
) -> None:
    values = {
        "challenge_hash": _challenge_hash(hashes, challenge),
        "session_id": session_id,
        "expires_at": now + CHALLENGE_MS,
    }
    queries.prune_challenges(connection, now)
    queries.insert_challenge(connection, values)


def _challenge_hash(hashes: KeyedHashes, challenge: bytes) -> str:
    return token_hash(hashes, "console challenge", bytes_to_base64url(challenge))


def _challenge_of(answer: dict[str, object]) -> bytes:
    """The challenge that an answer says it answers; whether it does is verified later.

    Raises:
        ValueError, KeyError, TypeError, WebAuthnException: It is not what browsers send.
    """
    response = answer["response"]
    if not isinstance(response, dict):
        raise TypeError("no response")
    return parse_client_data_json(base64url_to_bytes(response["clientDataJSON"])).challenge
