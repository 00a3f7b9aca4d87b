"""Changing categories, artists and labels. Each function works inside the caller's transaction."""

from __future__ import annotations

from typing import Any

import msgspec
import sqlalchemy as sa

from liuying.core.catalogue.named_categories import new_number
from liuying.core.catalogue.tables import artist, category, label, video, video_artist, video_label
from liuying.kit.changes import CacheTopic, record_change
from liuying.kit.errors import InvalidInputError
from liuying.kit.images import EncryptedImage
from liuying.kit.rows import require_row
from liuying.kit.texts import optional_text, required_text

CATEGORY_LENGTH, ARTIST_LENGTH, LABEL_LENGTH, INTRO_LENGTH = 40, 80, 40, 400


def add_category(
    connection: sa.Connection, name: str, position: int | None, icon: EncryptedImage | None
) -> int:
    """Make a category; returns its number. One that is called as a reserved one that is not there
    yet is that one.

    Raises:
        InvalidInputError: The name breaks its rule or is taken.
    """
    name = required_text("名称", name, CATEGORY_LENGTH)
    _require_free(connection, category, name, None)
    number = new_number(connection, name)
    values = {
        "id": number,
        "name": name,
        "position": number if position is None else position,
        "icon": _json(icon),
    }
    connection.execute(sa.insert(category).values(**values))
    record_change(connection, CacheTopic.CATALOGUE)
    return number


def edit_category(
    connection: sa.Connection,
    number: int,
    name: str | None,
    position: int | None,
    icon: EncryptedImage | None,
) -> None:
    """Change what is given of a category.

    Raises:
        InvalidInputError: The name breaks its rule or is taken.
        NotFoundError: There is no such category.
    """
    require_row(connection, category, number, "分类")
    values: dict[str, Any] = {}
    if name is not None:
        values["name"] = required_text("名称", name, CATEGORY_LENGTH)
        _require_free(connection, category, values["name"], number)
    if position is not None:
        values["position"] = position
    if icon is not None:
        values["icon"] = _json(icon)
    if values:
        connection.execute(sa.update(category).where(category.c.id == number).values(**values))
    record_change(connection, CacheTopic.CATALOGUE)


def remove_category(connection: sa.Connection, number: int) -> None:
    """Remove an empty category.

    Raises:
        InvalidInputError: Videos belong to it.
        NotFoundError: There is no such category.
    """
    require_row(connection, category, number, "分类")
    count = sa.select(sa.func.count()).select_from(video).where(video.c.category_id == number)
    if (left := connection.execute(count).scalar_one()) > 0:
        raise InvalidInputError(f"分类里还有 {left} 个视频，请先移到别的分类")
    connection.execute(sa.delete(category).where(category.c.id == number))
    record_change(connection, CacheTopic.CATALOGUE)


def edit_artist(
    connection: sa.Connection,
    artist_id: int,
    name: str | None,
    intro: str | None,
    image: EncryptedImage | None,
) -> list[int]:
    """Change what is given of an artist.

    Returns:
        Ids of the artist's videos: what search knows of them is to be renewed.

    Raises:
        InvalidInputError: A text breaks its rule, or the name is taken (then `merge_artists` is
            meant).
        NotFoundError: There is no such artist.
    """
    require_row(connection, artist, artist_id, "艺人")
    values: dict[str, Any] = {}
    if name is not None:
        values["name"] = required_text("名称", name, ARTIST_LENGTH)
        _require_free(connection, artist, values["name"], artist_id)
    if intro is not None:
        values["intro"] = optional_text("简介", intro, INTRO_LENGTH)
    if image is not None:
        values["image"] = _json(image)
    if values:
        connection.execute(sa.update(artist).where(artist.c.id == artist_id).values(**values))
    record_change(connection, CacheTopic.CATALOGUE)
    return _videos_with(connection, video_artist.c.artist_id, artist_id)


def merge_artists(connection: sa.Connection, from_id: int, into_id: int) -> list[int]:
    """Give an artist's videos to another and remove the first.

    Returns:
        Ids of the videos concerned.

    Raises:
        InvalidInputError: Both are the same.
        NotFoundError: One of them does not exist.
    """
    return _merge(connection, artist, video_artist.c.artist_id, from_id, into_id, "艺人")


def rename_label(connection: sa.Connection, label_id: int, name: str) -> list[int]:
    """Give a label another name.

    Returns:
        Ids of the videos concerned.

    Raises:
        InvalidInputError: The name breaks its rule or is taken (then `merge_labels` is meant).
        NotFoundError: There is no such label.
    """
    require_row(connection, label, label_id, "标签")
    name = required_text("名称", name, LABEL_LENGTH)
    _require_free(connection, label, name, label_id)
    connection.execute(sa.update(label).where(label.c.id == label_id).values(name=name))
    record_change(connection, CacheTopic.CATALOGUE)
    return _videos_with(connection, video_label.c.label_id, label_id)


def merge_labels(connection: sa.Connection, from_id: int, into_id: int) -> list[int]:
    """Put one label in another's place. As `merge_artists`."""
    return _merge(connection, label, video_label.c.label_id, from_id, into_id, "标签")


def remove_label(connection: sa.Connection, label_id: int) -> list[int]:
    """Take a label off every video.

    Returns:
        Ids of the videos concerned.

    Raises:
        NotFoundError: There is no such label.
    """
    require_row(connection, label, label_id, "标签")
    concerned = _videos_with(connection, video_label.c.label_id, label_id)
    connection.execute(sa.delete(video_label).where(video_label.c.label_id == label_id))
    connection.execute(sa.delete(label).where(label.c.id == label_id))
    record_change(connection, CacheTopic.CATALOGUE)
    return concerned


def _merge(
    connection: sa.Connection,
    table: sa.Table,
    link: sa.Column[int],
    from_id: int,
    into_id: int,
    name: str,
) -> list[int]:
    if from_id == into_id:
        raise InvalidInputError(f"两个{name}是同一个")
    for row_id in (from_id, into_id):
        require_row(connection, table, row_id, name)
    concerned = _videos_with(connection, link, from_id)
    there = set(_videos_with(connection, link, into_id))
    links = link.table
    moving = [video_id for video_id in concerned if video_id not in there]
    connection.execute(
        sa.update(links)
        .where(link == from_id, links.c.video_id.in_(moving))
        .values({link: into_id})
    )
    connection.execute(sa.delete(links).where(link == from_id))
    connection.execute(sa.delete(table).where(table.c.id == from_id))
    record_change(connection, CacheTopic.CATALOGUE)
    return concerned


def _videos_with(connection: sa.Connection, link: sa.Column[int], row_id: int) -> list[int]:
    return list(
        connection.execute(sa.select(link.table.c.video_id).where(link == row_id)).scalars()
    )


def _json(image: EncryptedImage | None) -> Any:
    return None if image is None else msgspec.to_builtins(image)


def _require_free(
    connection: sa.Connection, table: sa.Table, name: str, own_id: int | None
) -> None:
    found = connection.execute(sa.select(table.c.id).where(table.c.name == name)).scalar()
    if found is not None and found != own_id:
        raise InvalidInputError(f"「{name}」已存在（编号 {found}）")
