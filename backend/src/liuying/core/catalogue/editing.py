"""Changing categories, artists and labels. Each function runs inside the caller's transaction.

Each draws its place in the change log before it takes or gives up a name: imports that make names
do so, too (`names.get_or_create`), and neither waits for the other.
"""

from __future__ import annotations

from typing import Any

import msgspec
import sqlalchemy as sa

from liuying.core.catalogue.named_categories import new_number
from liuying.core.catalogue.queries import names
from liuying.core.catalogue.queries.names import BY_ARTIST, BY_LABEL
from liuying.core.catalogue.tables import artist, category, label
from liuying.kit.changes import CacheTopic, draw_in_order, record_change
from liuying.kit.errors import InvalidInputError
from liuying.kit.images import EncryptedImage
from liuying.kit.rows import delete_row, require_row, update_row
from liuying.kit.texts import optional_text, required_text

CATEGORY_LENGTH, ARTIST_LENGTH, LABEL_LENGTH, INTRO_LENGTH = 40, 80, 40, 400


def add_category(
    connection: sa.Connection, name: str, position: int | None, icon: EncryptedImage | None
) -> int:
    """Create a category and return its number. The name of a reserved category that does not exist
    yet creates that one.

    Raises:
        InvalidInputError: The name is invalid or taken.
    """
    draw_in_order(connection)
    name = required_text("名称", name, CATEGORY_LENGTH, "name")
    _require_free(connection, category, name, None)
    number = new_number(connection, name)
    values = {
        "id": number,
        "name": name,
        "position": number if position is None else position,
        "icon": _json(icon),
    }
    names.insert_category(connection, values)
    record_change(connection, CacheTopic.CATALOGUE)
    return number


def edit_category(
    connection: sa.Connection,
    number: int,
    name: str | None,
    position: int | None,
    icon: EncryptedImage | None,
) -> None:
    """Change the given fields of a category.

    Raises:
        InvalidInputError: The name is invalid or taken.
        NotFoundError: No such category.
    """
    draw_in_order(connection)
    require_row(connection, category, number, "分类")
    values: dict[str, Any] = {}
    if name is not None:
        values["name"] = required_text("名称", name, CATEGORY_LENGTH, "name")
        _require_free(connection, category, values["name"], number)
    if position is not None:
        values["position"] = position
    if icon is not None:
        values["icon"] = _json(icon)
    update_row(connection, category, number, values)
    record_change(connection, CacheTopic.CATALOGUE)


def set_category_hidden(connection: sa.Connection, number: int, *, is_hidden: bool) -> None:
    """Leave a category out of home and of the site's categories, or show it again. Its videos stay
    where they are.

    Raises:
        NotFoundError: No such category.
    """
    require_row(connection, category, number, "分类")
    update_row(connection, category, number, {"is_hidden": is_hidden})
    record_change(connection, CacheTopic.CATALOGUE)


def remove_category(connection: sa.Connection, number: int) -> None:
    """Remove an empty category.

    Raises:
        InvalidInputError: It contains videos.
        NotFoundError: No such category.
    """
    draw_in_order(connection)
    require_row(connection, category, number, "分类")
    if (left := names.count_in_category(connection, number)) > 0:
        raise InvalidInputError(f"分类里还有 {left} 个视频，请先移到别的分类")
    delete_row(connection, category, number)
    record_change(connection, CacheTopic.CATALOGUE)


def edit_artist(
    connection: sa.Connection,
    artist_id: int,
    name: str | None,
    intro: str | None,
    image: EncryptedImage | None,
) -> list[int]:
    """Change the given fields of an artist.

    Returns:
        Ids of the artist's videos, which must be indexed again for search.

    Raises:
        InvalidInputError: A text is invalid, or the name is taken (use `merge_artists` then).
        NotFoundError: No such artist.
    """
    draw_in_order(connection)
    require_row(connection, artist, artist_id, "艺人")
    values: dict[str, Any] = {}
    if name is not None:
        values["name"] = required_text("名称", name, ARTIST_LENGTH, "name")
        _require_free(connection, artist, values["name"], artist_id)
    if intro is not None:
        values["intro"] = optional_text("简介", intro, INTRO_LENGTH, "intro")
    if image is not None:
        values["image"] = _json(image)
    update_row(connection, artist, artist_id, values)
    record_change(connection, CacheTopic.CATALOGUE, CacheTopic.ARTISTS, CacheTopic.NAMES)
    return names.videos_with(connection, BY_ARTIST, artist_id)


def merge_artists(connection: sa.Connection, from_id: int, into_id: int) -> list[int]:
    """Move an artist's videos to another one and remove the first.

    Returns:
        Ids of the affected videos.

    Raises:
        InvalidInputError: Both are the same.
        NotFoundError: One of them does not exist.
    """
    record_change(connection, CacheTopic.ARTISTS)
    return _merge(connection, artist, BY_ARTIST, from_id, into_id, "艺人")


def rename_label(connection: sa.Connection, label_id: int, name: str) -> list[int]:
    """Rename a label.

    Returns:
        Ids of the affected videos.

    Raises:
        InvalidInputError: The name is invalid or taken (use `merge_labels` then).
        NotFoundError: No such label.
    """
    draw_in_order(connection)
    require_row(connection, label, label_id, "标签")
    name = required_text("名称", name, LABEL_LENGTH, "name")
    _require_free(connection, label, name, label_id)
    update_row(connection, label, label_id, {"name": name})
    record_change(connection, CacheTopic.CATALOGUE, CacheTopic.NAMES)
    return names.videos_with(connection, BY_LABEL, label_id)


def merge_labels(connection: sa.Connection, from_id: int, into_id: int) -> list[int]:
    """Replace one label by another; like `merge_artists`."""
    return _merge(connection, label, BY_LABEL, from_id, into_id, "标签")


def remove_label(connection: sa.Connection, label_id: int) -> list[int]:
    """Remove a label from every video.

    Returns:
        Ids of the affected videos.

    Raises:
        NotFoundError: No such label.
    """
    draw_in_order(connection)
    require_row(connection, label, label_id, "标签")
    concerned = names.videos_with(connection, BY_LABEL, label_id)
    names.delete_links(connection, BY_LABEL, label_id)
    delete_row(connection, label, label_id)
    record_change(connection, CacheTopic.CATALOGUE, CacheTopic.NAMES)
    return concerned


def _merge(
    connection: sa.Connection,
    table: sa.Table,
    link: sa.Column[int],
    from_id: int,
    into_id: int,
    name: str,
) -> list[int]:
    draw_in_order(connection)
    if from_id == into_id:
        raise InvalidInputError(f"两个{name}是同一个", "into")
    for row_id in (from_id, into_id):
        require_row(connection, table, row_id, name)
    concerned = names.move_links(connection, link, from_id, into_id)
    delete_row(connection, table, from_id)
    record_change(connection, CacheTopic.CATALOGUE, CacheTopic.NAMES)
    return concerned


def _json(image: EncryptedImage | None) -> Any:
    return None if image is None else msgspec.to_builtins(image)


def _require_free(
    connection: sa.Connection, table: sa.Table, name: str, own_id: int | None
) -> None:
    found = names.id_by_name(connection, table, name)
    if found is not None and found != own_id:
        raise InvalidInputError(f"「{name}」已存在（编号 {found}）", "name")
