"""Rows that are known by their names: categories, labels, artists. What is new is made by whoever names it first."""

from __future__ import annotations

from collections.abc import Sequence

import sqlalchemy as sa

from liuying.domains.catalogue.rules import RESERVED_CATEGORIES
from liuying.domains.catalogue.tables import artist, category, label, video_artist, video_label
from liuying.kit.errors import InvalidInputError, NotFoundError
from liuying.kit.rows import row_id_of
from liuying.workflows.pinyin_initials import initial_of

DEFAULT_CATEGORY = "未分类"


def set_labels(connection: sa.Connection, video_id: int, names: Sequence[str]) -> None:
    """Give a video these labels, in order, and no others; names that are new become labels."""
    connection.execute(sa.delete(video_label).where(video_label.c.video_id == video_id))
    for position, name in enumerate(dict.fromkeys(names)):
        row = {"video_id": video_id, "label_id": _named(connection, label, name), "position": position}
        connection.execute(sa.insert(video_label).values(row))


def set_artists(connection: sa.Connection, video_id: int, names: Sequence[str]) -> None:
    """Give a video these artists and no others; names that are new become artists."""
    connection.execute(sa.delete(video_artist).where(video_artist.c.video_id == video_id))
    for name in dict.fromkeys(names):
        artist_id = _named(connection, artist, name, initial=initial_of(name))
        connection.execute(sa.insert(video_artist).values(video_id=video_id, artist_id=artist_id))


def known_category(connection: sa.Connection, wanted: int | str | None) -> int | None:
    """The id of a category; None where it will be new.

    Raises:
        InvalidInputError: No category has this number.
    """
    if isinstance(wanted, int):
        is_known = connection.execute(sa.select(category.c.id).where(category.c.id == wanted)).first() is not None
        if not is_known and wanted not in RESERVED_CATEGORIES:
            raise InvalidInputError(f"没有编号为 {wanted} 的分类")
        return wanted
    name = wanted or DEFAULT_CATEGORY
    known = connection.execute(sa.select(category.c.id).where(category.c.name == name)).scalar()
    if known is not None:
        return int(known)
    return next((number for number, reserved in RESERVED_CATEGORIES.items() if reserved == name), None)


def meant_category(connection: sa.Connection, text: str) -> int:
    """The id of the category that an operator calls by number or name: one that exists, or a reserved one.

    Raises:
        NotFoundError: There is none.
    """
    try:
        return row_id_of(connection, category, text, "分类")
    except NotFoundError:
        for number, name in RESERVED_CATEGORIES.items():
            if text.strip() in {str(number), name}:
                return number
        raise


def category_id_of(connection: sa.Connection, wanted: int | str | None) -> int:
    """The id of a category, which is made where it is new.

    Args:
        wanted: Id, name, or None for 未分类.

    Raises:
        InvalidInputError: No category has this number.
    """
    number = known_category(connection, wanted)
    if number is None:
        taken = sa.select(sa.func.max(category.c.id)).where(category.c.id.not_in(RESERVED_CATEGORIES))
        number = (connection.execute(taken).scalar() or 0) + 1
        while number in RESERVED_CATEGORIES:
            number += 1
        name = wanted if isinstance(wanted, str) else DEFAULT_CATEGORY
        connection.execute(sa.insert(category).values(id=number, name=name, position=number))
    elif connection.execute(sa.select(category.c.id).where(category.c.id == number)).first() is None:
        name = RESERVED_CATEGORIES[number]
        if connection.execute(sa.select(category.c.id).where(category.c.name == name)).first() is not None:
            name = f"{name}（{number}）"
        connection.execute(sa.insert(category).values(id=number, name=name, position=number))
    return number


def _named(connection: sa.Connection, table: sa.Table, name: str, **values: object) -> int:
    """Id of a row by its unique name; the row is made where it is missing."""
    known = connection.execute(sa.select(table.c.id).where(table.c.name == name)).scalar()
    if known is not None:
        return int(known)
    try:
        with connection.begin_nested():
            statement = sa.insert(table).values(name=name, **values).returning(table.c.id)
            return int(connection.execute(statement).scalar_one())
    except sa.exc.IntegrityError:  # another writer was faster (PostgreSQL; SQLite has one writer)
        return int(connection.execute(sa.select(table.c.id).where(table.c.name == name)).scalar_one())
