"""Partners, and exchanging their codes for sessions."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Sequence

import msgspec
import sqlalchemy as sa

from liuying.features.embedding import queries
from liuying.features.embedding.rules import (
    VENDOR_ID,
    CodeClaims,
    CodeRefusedError,
    give_token,
    read_code,
    sign_code,
    vendor_of,
)
from liuying.features.embedding.schemas import PartnerBonus, Perks, VendorSession
from liuying.features.embedding.signing_keys import SigningKeys
from liuying.features.embedding.tables import used_code, vendor
from liuying.kit.changes import CacheTopic, record_change
from liuying.kit.clock import Milliseconds, to_iso
from liuying.kit.database import AnyRow
from liuying.kit.encrypted_values import UnreadableValueError
from liuying.kit.errors import InvalidInputError, NotFoundError
from liuying.kit.inserting import insert_if_absent
from liuying.kit.keyed_hashes import KeyedHashes
from liuying.kit.origins import parse_origin

LOG = logging.getLogger("liuying.security")
MAX_NAME_LENGTH = 80


class Vendor(msgspec.Struct, frozen=True, kw_only=True):
    """A partner.

    Attributes:
        id: `iss` and `kid` of its codes.
        name: Shown to the operator.
        origin: Allowed to frame the site.
        perks: What its visitors get.
        is_active: Whether its codes are accepted.
    """

    id: str
    name: str
    origin: str
    perks: Perks
    is_active: bool


class VendorChanges(msgspec.Struct, frozen=True, kw_only=True):
    """What is to change of a partner; None stays as it is."""

    name: str | None = None
    origin: str | None = None
    perks: Perks | None = None


def token_key(hashes: KeyedHashes) -> bytes:
    """The key of session tokens, derived from the installation's pepper: nothing is stored per
    session.
    """
    return hashes.digest("session-token")


def check_code(
    connection: sa.Connection, hashes: KeyedHashes, code: str, now: Milliseconds
) -> tuple[Vendor, CodeClaims]:
    """Verify a code and return its claims. Whether it was used before is not checked.

    Raises:
        CodeRefusedError: The code is invalid or expired, or the partner's key cannot be decrypted.
    """
    row = queries.active_vendor_row(connection, vendor_of(code))
    if row is None:
        raise CodeRefusedError
    try:
        key = SigningKeys(hashes).open(row.id, row.key)
    except UnreadableValueError:
        LOG.error(
            "the signing key of the partner %s does not open", row.id, extra={"event": "tamper"}
        )
        raise CodeRefusedError from None
    return _vendor(row), read_code(code, row.id, key, now)


def use_code(connection: sa.Connection, claims: CodeClaims) -> None:
    """Mark a code as used; of two requests with the same code the second is refused.

    Raises:
        CodeRefusedError: It was used before, or its partner has been removed.
    """
    used = {"vendor_id": claims.vendor_id, "jti": claims.jti, "expires_at": claims.expires * 1000}
    try:
        is_first = insert_if_absent(connection, used_code, used)
    except sa.exc.IntegrityError:  # The partner's row is gone.
        raise CodeRefusedError from None
    if not is_first:
        raise CodeRefusedError


def open_session(
    hashes: KeyedHashes,
    partner: Vendor,
    claims: CodeClaims,
    now: Milliseconds,
    *,
    login_video_switch: bool,
) -> VendorSession:
    """Open a session for a used code."""
    token, expires = give_token(token_key(hashes), claims, now)
    bonus = _bonus(partner, claims, is_on=login_video_switch)
    return VendorSession(token=token, expires_at=to_iso(expires * 1000), bonus=bonus)


def _bonus(partner: Vendor, claims: CodeClaims, *, is_on: bool) -> PartnerBonus:
    return PartnerBonus(
        domain=partner.origin,
        userid=claims.userid,
        cid=claims.cid,
        ws_url=partner.perks.ws_url,
        promo_url=partner.perks.promo_url,
        ad=partner.perks.ad,
        activity=partner.perks.activity,
        login_video_switch=is_on,
    )


def list_vendors(connection: sa.Connection) -> Sequence[Vendor]:
    """All partners by id."""
    return [_vendor(row) for row in queries.vendor_rows(connection)]


def get_vendor(connection: sa.Connection, vendor_id: str) -> Vendor:
    """A partner.

    Raises:
        NotFoundError: No partner has this id.
    """
    row = queries.vendor_row(connection, vendor_id)
    if row is None:
        raise NotFoundError(f"没有编号为 {vendor_id} 的合作方")
    return _vendor(row)


def get_signing_key(connection: sa.Connection, hashes: KeyedHashes, vendor_id: str) -> bytes:
    """The key with which a partner signs its codes.

    Raises:
        NotFoundError: No such partner.
        InvalidInputError: The stored key cannot be decrypted.
    """
    get_vendor(connection, vendor_id)
    try:
        return SigningKeys(hashes).open(vendor_id, queries.stored_key(connection, vendor_id))
    except UnreadableValueError:
        raise InvalidInputError(
            f"合作方 {vendor_id} 的签名密钥无法解密：换一个，或从备份恢复",
            command=f"liuying vendor rotate-key {vendor_id}",
        ) from None


def add_vendor(
    connection: sa.Connection,
    hashes: KeyedHashes,
    vendor_id: str,
    name: str,
    origin: str,
    perks: Perks,
    now: Milliseconds,
) -> Vendor:
    """Add a partner with a new key.

    Raises:
        InvalidInputError: A value is invalid, or the id is taken.
    """
    if VENDOR_ID.fullmatch(vendor_id) is None:
        raise InvalidInputError("编号应为 2 到 32 个小写字母、数字或连字符", "id")
    values = {
        "id": vendor_id,
        "name": _checked_name(name),
        "key": SigningKeys(hashes).new(vendor_id),
        "origin": _checked_origin(origin),
        "perks": msgspec.to_builtins(perks),
        "is_active": True,
        "created_at": now,
    }
    if not insert_if_absent(connection, vendor, values):
        raise InvalidInputError(f"编号 {vendor_id} 已被使用", "id")
    record_change(connection, CacheTopic.CONFIG)
    return get_vendor(connection, vendor_id)


def edit_vendor(connection: sa.Connection, vendor_id: str, changes: VendorChanges) -> Vendor:
    """Change a partner; its id and its key stay. Codes that it signed stay valid, and what may
    frame the site follows within seconds.

    Raises:
        NotFoundError: No such partner.
        InvalidInputError: A value is invalid.
    """
    get_vendor(connection, vendor_id)
    values: dict[str, object] = {}
    if changes.name is not None:
        values["name"] = _checked_name(changes.name)
    if changes.origin is not None:
        values["origin"] = _checked_origin(changes.origin)
    if changes.perks is not None:
        values["perks"] = msgspec.to_builtins(changes.perks)
    if values:
        queries.update_vendor(connection, vendor_id, values)
        record_change(connection, CacheTopic.CONFIG)
    return get_vendor(connection, vendor_id)


def rotate_key(connection: sa.Connection, hashes: KeyedHashes, vendor_id: str) -> None:
    """Give a partner a new key; codes signed with the old one are refused at once.

    Raises:
        NotFoundError: No such partner.
    """
    get_vendor(connection, vendor_id)
    queries.update_vendor(connection, vendor_id, {"key": SigningKeys(hashes).new(vendor_id)})
    record_change(connection, CacheTopic.CONFIG)


def remove_vendor(connection: sa.Connection, vendor_id: str) -> None:
    """Remove a partner: its codes are refused, it may not frame the site, and its sessions end
    within two hours.

    Raises:
        NotFoundError: No such partner.
    """
    get_vendor(connection, vendor_id)
    queries.delete_vendor(connection, vendor_id)
    record_change(connection, CacheTopic.CONFIG)


def sign_test_code(partner: Vendor, key: bytes, userid: str, cid: str, now: Milliseconds) -> str:
    """Sign a code as the partner's server would, with its key."""
    return sign_code(partner.id, key, userid, cid, secrets.token_hex(16), now)


def _checked_name(name: str) -> str:
    if not 1 <= len(name) <= MAX_NAME_LENGTH or not name.isprintable():
        raise InvalidInputError(f"名称应为 1 到 {MAX_NAME_LENGTH} 个可显示的字符", "name")
    return name


def _checked_origin(origin: str) -> str:
    try:
        return parse_origin(origin)
    except ValueError as error:
        raise InvalidInputError(str(error), "origin") from error


def _vendor(row: AnyRow) -> Vendor:
    return Vendor(
        id=row.id,
        name=row.name,
        origin=row.origin,
        perks=msgspec.convert(row.perks, Perks),
        is_active=row.is_active,
    )
