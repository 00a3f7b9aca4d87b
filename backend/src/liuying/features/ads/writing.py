"""Writing advertisements and banner tags. Each function runs inside the caller's transaction."""

from __future__ import annotations

from typing import Any, get_args

import msgspec
import sqlalchemy as sa

from liuying.features.ads import queries
from liuying.features.ads.rules import TEXT_LENGTH, TITLE_LENGTH, Slot
from liuying.features.ads.tables import ad, banner_tag
from liuying.kit.changes import CacheTopic, record_change
from liuying.kit.clock import Milliseconds
from liuying.kit.drafts import Checks, checked
from liuying.kit.errors import InvalidInputError
from liuying.kit.images import EncryptedImage
from liuying.kit.links import require_link
from liuying.kit.rows import delete_row, insert_row, require_row, update_row
from liuying.kit.texts import optional_text, required_text

TAG_LENGTH = 40
LARGEST_WEIGHT = 1000
BANNER: Slot = "BANNER"


class AdDraft(msgspec.Struct, frozen=True, kw_only=True):
    """An operator's input for an advertisement. None leaves a value as it is, or at its default.

    Attributes:
        slot: Where it is shown.
        title: Its first line.
        text: Its second line.
        url: Where it leads: http(s).
        image: Its picture.
        banner_tag: Name of its chip; for banners only.
        position: Its position; smaller comes first.
        weight: How often it is chosen where one of several is.
        starts_at: Start of its time window; UNSET leaves it, None removes the limit.
        ends_at: End of its time window, likewise.
    """

    slot: str | None = None
    title: str | None = None
    text: str | None = None
    url: str | None = None
    image: EncryptedImage | None = None
    banner_tag: str | None = None
    position: int | None = None
    weight: int | None = None
    starts_at: Milliseconds | msgspec.UnsetType | None = msgspec.UNSET
    ends_at: Milliseconds | msgspec.UnsetType | None = msgspec.UNSET


def add_ad(connection: sa.Connection, draft: AdDraft) -> int:
    """Add an advertisement and return its id.

    Raises:
        InvalidInputError: A value is invalid or missing.
    """
    for field, name in (("slot", "位置"), ("title", "标题"), ("url", "链接"), ("image", "图片")):
        if getattr(draft, field) is None:
            raise InvalidInputError(f"缺少{name}", field)
    ad_id = insert_row(connection, ad, _values(connection, draft))
    _check_row(connection, ad_id)
    record_change(connection, CacheTopic.ADS)
    return ad_id


def edit_ad(connection: sa.Connection, ad_id: int, draft: AdDraft) -> None:
    """Change the given values of an advertisement.

    Raises:
        InvalidInputError: A value is invalid.
        NotFoundError: No such advertisement.
    """
    require_row(connection, ad, ad_id, "广告")
    update_row(connection, ad, ad_id, _values(connection, draft))
    _check_row(connection, ad_id)
    record_change(connection, CacheTopic.ADS)


def remove_ad(connection: sa.Connection, ad_id: int) -> None:
    """Remove an advertisement.

    Raises:
        NotFoundError: No such advertisement.
    """
    require_row(connection, ad, ad_id, "广告")
    delete_row(connection, ad, ad_id)
    record_change(connection, CacheTopic.ADS)


def add_banner_tag(connection: sa.Connection, name: str, position: int = 0) -> int:
    """Add a chip above the carousel and return its id.

    Raises:
        InvalidInputError: The name is invalid or taken.
    """
    name = required_text("名称", name, TAG_LENGTH, "name")
    if queries.banner_tag_id(connection, name) is not None:
        raise InvalidInputError(f"标签「{name}」已存在", "name")
    tag_id = insert_row(connection, banner_tag, {"name": name, "position": position})
    record_change(connection, CacheTopic.ADS)
    return tag_id


def edit_banner_tag(
    connection: sa.Connection, tag_id: int, name: str | None, position: int | None
) -> None:
    """Change the given values of a chip above the carousel.

    Raises:
        InvalidInputError: The name is invalid or taken.
        NotFoundError: No such chip.
    """
    require_row(connection, banner_tag, tag_id, "标签")
    values: dict[str, Any] = {}
    if name is not None:
        values["name"] = required_text("名称", name, TAG_LENGTH, "name")
        if queries.banner_tag_id(connection, values["name"]) not in {None, tag_id}:
            raise InvalidInputError(f"标签「{values['name']}」已存在", "name")
    if position is not None:
        values["position"] = position
    update_row(connection, banner_tag, tag_id, values)
    record_change(connection, CacheTopic.ADS)


def remove_banner_tag(connection: sa.Connection, tag_id: int) -> None:
    """Remove a chip together with its banners.

    Raises:
        NotFoundError: No such chip.
    """
    require_row(connection, banner_tag, tag_id, "标签")
    delete_row(connection, banner_tag, tag_id)
    record_change(connection, CacheTopic.ADS)


def _values(connection: sa.Connection, draft: AdDraft) -> dict[str, Any]:
    checks: Checks = {
        "slot": known_slot,
        "title": lambda title: required_text("标题", title, TITLE_LENGTH),
        "text": lambda text: optional_text("说明", text, TEXT_LENGTH),
        "url": require_link,
        "image": msgspec.to_builtins,
        "position": lambda position: position,
        "weight": _fair_weight,
    }
    values = checked(draft, checks)
    if draft.banner_tag is not None:
        values["banner_tag_id"] = _banner_tag_id(connection, draft.banner_tag)
    window = {"starts_at": draft.starts_at, "ends_at": draft.ends_at}
    return values | {name: moment for name, moment in window.items() if moment is not msgspec.UNSET}


def known_slot(slot: str) -> str:
    """Validate the name of a slot.

    Raises:
        InvalidInputError: No such slot.
    """
    if slot not in get_args(Slot):
        raise InvalidInputError(f"位置应为 {'、'.join(get_args(Slot))} 之一", "slot")
    return slot


def _fair_weight(weight: int) -> int:
    if not 1 <= weight <= LARGEST_WEIGHT:
        raise InvalidInputError(f"权重应在 1 到 {LARGEST_WEIGHT} 之间")
    return weight


def _check_row(connection: sa.Connection, ad_id: int) -> None:
    """What must hold of an advertisement as a whole, whichever of its values were given."""
    row = queries.ad_row(connection, ad_id)
    if row["slot"] == BANNER and row["banner_tag_id"] is None:
        raise _missing_tag(connection)
    starts_at, ends_at = row["starts_at"], row["ends_at"]
    if starts_at is not None and ends_at is not None and ends_at <= starts_at:
        raise InvalidInputError("结束时间应晚于开始时间", "ends_at")


def _missing_tag(connection: sa.Connection) -> InvalidInputError:
    """A banner without a tag would be shown nowhere: what to do, with the tags there are."""
    names = [f"「{row.name}」" for row in queries.banner_tag_rows(connection)]
    if not names:
        text = "轮播图要属于一个标签，现在还没有：请先新建"
        return InvalidInputError(text, "tag", command="liuying banner add")
    text = f"轮播图要属于一个标签，请指定：{'、'.join(names)}"
    return InvalidInputError(text, "tag", command="--tag")


def _banner_tag_id(connection: sa.Connection, name: str) -> int:
    found = queries.banner_tag_id(connection, name)
    if found is None:
        raise InvalidInputError(f"没有名为「{name}」的标签", "tag")
    return found
