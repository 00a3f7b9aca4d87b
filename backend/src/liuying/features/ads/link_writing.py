"""Writing the links on /mine. Each function runs inside the caller's transaction."""

from __future__ import annotations

from typing import Any, get_args

import msgspec
import sqlalchemy as sa

from liuying.features.ads.rules import TEXT_LENGTH, TITLE_LENGTH, LinkKind
from liuying.features.ads.tables import app_link
from liuying.kit.changes import CacheTopic, record_change
from liuying.kit.drafts import Checks, checked
from liuying.kit.errors import InvalidInputError
from liuying.kit.images import EncryptedImage
from liuying.kit.links import require_safe_link
from liuying.kit.rows import delete_row, insert_row, require_row, update_row
from liuying.kit.texts import optional_text, required_text


class LinkDraft(msgspec.Struct, frozen=True, kw_only=True):
    """An operator's input for a link on /mine. None leaves a value as it is, or at its default."""

    kind: str | None = None
    title: str | None = None
    url: str | None = None
    text: str | None = None
    image: EncryptedImage | None = None
    position: int | None = None


def add_link(connection: sa.Connection, draft: LinkDraft) -> int:
    """Add a link on /mine and return its id.

    Raises:
        InvalidInputError: A value is invalid or missing.
    """
    for field, name in (("kind", "种类"), ("title", "标题"), ("url", "链接")):
        if getattr(draft, field) is None:
            raise InvalidInputError(f"缺少{name}", field)
    link_id = insert_row(connection, app_link, _link_values(draft))
    record_change(connection, CacheTopic.ADS)
    return link_id


def edit_link(connection: sa.Connection, link_id: int, draft: LinkDraft) -> None:
    """Change the given values of a link.

    Raises:
        InvalidInputError: A value is invalid.
        NotFoundError: No such link.
    """
    require_row(connection, app_link, link_id, "链接")
    update_row(connection, app_link, link_id, _link_values(draft))
    record_change(connection, CacheTopic.ADS)


def remove_link(connection: sa.Connection, link_id: int) -> None:
    """Remove a link.

    Raises:
        NotFoundError: No such link.
    """
    require_row(connection, app_link, link_id, "链接")
    delete_row(connection, app_link, link_id)
    record_change(connection, CacheTopic.ADS)


def _link_values(draft: LinkDraft) -> dict[str, Any]:
    checks: Checks = {
        "kind": _known_kind,
        "title": lambda title: required_text("标题", title, TITLE_LENGTH),
        "text": lambda text: optional_text("说明", text, TEXT_LENGTH),
        "url": require_safe_link,
        "image": msgspec.to_builtins,
        "position": lambda position: position,
    }
    return checked(draft, checks)


def _known_kind(kind: str) -> str:
    if kind not in get_args(LinkKind):
        raise InvalidInputError(f"种类应为 {'、'.join(get_args(LinkKind))} 之一")
    return kind
