"""What every change of content does: it is noted, it does not overwrite what somebody else wrote,
and its picture is checked and converted as a command's is.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC
from typing import Annotated, Any

import msgspec
import sqlalchemy as sa

from liuying.features.audit.service import Actor, Entry, noted
from liuying.installation.services import Services
from liuying.kit.clock import Milliseconds
from liuying.kit.errors import ConflictError, InvalidInputError
from liuying.kit.identifiers import MAX_ID
from liuying.kit.images import EncryptedImage
from liuying.kit.moments import EXAMPLE, parse_moment
from liuying.kit.responses import BODY, CONFLICT, INVALID, MISSING, UNAUTHORIZED
from liuying.media.animation import store_picture
from liuying.media.errors import PictureError

PICTURE_BYTES = 8 * 1024 * 1024
# Base64 takes four signs for three bytes; the rest of a form is small.
PICTURE_BODY_BYTES = PICTURE_BYTES * 4 // 3 + 64 * 1024
REVISION_LENGTH = 16
REFUSED: Any = {**UNAUTHORIZED, **INVALID, **MISSING, **BODY, **CONFLICT}
CHANGED = "别人刚刚改过这一项。请重新打开，再改一次"
REORDERED = "列表已经变了，请重新排列"

# JPEG, PNG, WebP or GIF, in base64.
Picture = Annotated[
    bytes, msgspec.Meta(description="JPEG, PNG, WebP or GIF; at most 8 MiB, in base64.")
]
Revision = Annotated[str, msgspec.Meta(max_length=REVISION_LENGTH)]
Moment = Annotated[str, msgspec.Meta(max_length=40)]
Line = Annotated[str, msgspec.Meta(max_length=1000)]
Number = Annotated[int, msgspec.Meta(ge=1, le=MAX_ID)]
Order = Annotated[list[Number], msgspec.Meta(max_length=2000)]


class OrderBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All rows of a list by number, in the order that they are to have."""

    ids: Order


@contextmanager
def changing(services: Services, actor: Actor, entry: Entry) -> Iterator[sa.Connection]:
    """A transaction whose change is noted in the audit log."""
    with (
        noted(services.database, services.clock, actor, entry),
        services.database.write() as connection,
    ):
        yield connection


def revision_of(values: object) -> str:
    """Names the state of a row: another one as soon as any of the values changes."""
    text = msgspec.json.encode(values, order="deterministic")
    return hashlib.sha256(text).hexdigest()[:REVISION_LENGTH]


def require_revision(found: str, seen: str) -> None:
    """Make sure that a row is as the operator saw it, inside the transaction that changes it.

    Raises:
        ConflictError: It is not.
    """
    if found != seen:
        raise ConflictError(CHANGED)


def require_same_rows(found: Iterable[object], given: Iterable[object]) -> None:
    """Make sure that an order is that of all rows of a list, each once.

    Raises:
        ConflictError: It is not: rows came or went meanwhile.
    """
    if sorted(map(str, found)) != sorted(map(str, given)):
        raise ConflictError(REORDERED)


def place_behind(places: Iterable[int]) -> int:
    """The place behind all others of a list."""
    return min(max(places, default=-1) + 1, MAX_ID)


def differences(
    before: Mapping[str, Any], after: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The values that change, before and after, for the audit log."""
    changed = [name for name, value in after.items() if before.get(name) != value]
    return {name: before.get(name) for name in changed}, {name: after[name] for name in changed}


def require_picture_size(content: bytes, field: str) -> None:
    """Make sure that a given picture has bytes, and not too many to be decoded.

    Raises:
        InvalidInputError: It has not.
    """
    if not content:
        raise InvalidInputError("图片是空的", field)
    if len(content) > PICTURE_BYTES:
        raise InvalidInputError(f"图片最大 {PICTURE_BYTES // 2**20} MB，请先缩小", field)


def stored_picture(services: Services, content: bytes | None, width: int) -> EncryptedImage | None:
    """Check, convert and keep a picture; None where none is given.

    Args:
        content: JPEG, PNG, WebP or GIF.
        width: Pixels that it has at most.

    Raises:
        InvalidInputError: It cannot be used.
    """
    if content is None:
        return None
    require_picture_size(content, "image")
    try:
        return store_picture(content, services.encryptor, services.objects, width)
    except PictureError as error:
        raise InvalidInputError(error.message, "image") from error


def moment_of(field: str, text: str | None) -> Milliseconds | None:
    """A time as `kit.moments` reads it; None for no limit.

    Raises:
        InvalidInputError: It is none.
    """
    if not text:
        return None
    try:
        return int(parse_moment(text)[0].astimezone(UTC).timestamp() * 1000)
    except (ValueError, OverflowError, OSError) as error:
        raise InvalidInputError(f"时间的写法不对，例如 {EXAMPLE}", field) from error
