"""The service of advertisements and links for other modules."""

from __future__ import annotations

from typing import Any

import msgspec
import sqlalchemy as sa

from liuying.features.ads import queries
from liuying.features.ads.rules import LinkKind, Slot, in_turn
from liuying.features.ads.schemas import AdView, AppLinkView, BannerTagView
from liuying.kit.clock import Milliseconds
from liuying.kit.database import AnyRow
from liuying.kit.images import EncryptedImage

ALL_BANNERS = 0


class AdPolicy(msgspec.Struct, frozen=True):
    """The operator's settings for advertisements. `preroll_seconds` is the countdown before a
    video.
    """

    is_shown: bool
    preroll_seconds: int


def list_ads(
    connection: sa.Connection,
    slot: Slot,
    now: Milliseconds,
    policy: AdPolicy,
    banner_tag_id: int | None = None,
) -> list[AdView]:
    """The advertisements that a slot shows now; none while advertisements are off."""
    if not policy.is_shown:
        return []
    seconds = policy.preroll_seconds if slot == "PLAYBEFORE" else 0
    rows = in_turn(queries.ad_rows(connection, slot, now, banner_tag_id), now)
    return [_ad(row, seconds) for row in rows]


def list_banners(
    connection: sa.Connection, banner_tag_id: int, now: Milliseconds, policy: AdPolicy
) -> list[AdView]:
    """The banners of a tag; 0 means all tags."""
    return list_ads(
        connection, "BANNER", now, policy, None if banner_tag_id == ALL_BANNERS else banner_tag_id
    )


def list_banner_tags(connection: sa.Connection, policy: AdPolicy) -> list[BannerTagView]:
    """The chips above the carousel; none while advertisements are off (specification §6)."""
    if not policy.is_shown:
        return []
    return [BannerTagView(id=row.id, name=row.name) for row in queries.banner_tag_rows(connection)]


def list_links(connection: sa.Connection, kind: LinkKind) -> list[AppLinkView]:
    """The operator's links of a kind."""
    return [
        AppLinkView(id=row.id, title=row.title, text=row.text, url=row.url, image=_image(row.image))
        for row in queries.link_rows(connection, kind)
    ]


def _ad(row: AnyRow, seconds: int) -> AdView:
    image = _image(row.image) or EncryptedImage()
    return AdView(
        id=row.id,
        title=row.title,
        text=row.text,
        url=row.url,
        image=image,
        image_path=image.url,
        seconds=seconds,
    )


def _image(value: dict[str, Any] | None) -> EncryptedImage | None:
    return msgspec.convert(value, EncryptedImage) if value else None
