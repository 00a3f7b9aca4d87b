"""Looking up categories by number or name, including reserved ones that have no row yet."""

from __future__ import annotations

import sqlalchemy as sa

from liuying.core.catalogue.queries import names
from liuying.core.catalogue.rules import ALL_CATEGORIES, RESERVED_CATEGORIES
from liuying.core.catalogue.tables import category
from liuying.kit.changes import draw_in_order
from liuying.kit.errors import InvalidInputError, NotFoundError
from liuying.kit.rows import row_id_of

ALL_NAME = "全部"
DEFAULT_CATEGORY = "未分类"
RESERVED_NUMBERS = {name: number for number, name in RESERVED_CATEGORIES.items()}


def category_name(connection: sa.Connection, number: int) -> str:
    """A category's name; empty if there is none with this number."""
    if number == ALL_CATEGORIES:
        return ALL_NAME
    name = names.category_name(connection, number)
    return RESERVED_CATEGORIES.get(number, "") if name is None else name


def known_category(connection: sa.Connection, wanted: int | str | None) -> int | None:
    """The id of an existing category; None if it would be new.

    Args:
        wanted: Id, name, or None for 未分类.

    Raises:
        InvalidInputError: No category has this number.
    """
    if isinstance(wanted, int):
        if not category_name(connection, wanted) or wanted == ALL_CATEGORIES:
            raise InvalidInputError(f"没有编号为 {wanted} 的分类")
        return wanted
    name = wanted or DEFAULT_CATEGORY
    known = names.id_by_name(connection, category, name)
    return RESERVED_NUMBERS.get(name) if known is None else known


def meant_category(connection: sa.Connection, text: str) -> int:
    """The id of a category given by number or name: an existing or a reserved one.

    Raises:
        NotFoundError: No such category.
    """
    try:
        return row_id_of(connection, category, text, "分类")
    except NotFoundError:
        for number, name in RESERVED_CATEGORIES.items():
            if text.strip() in {str(number), name}:
                return number
        raise


def category_id_of(connection: sa.Connection, wanted: int | str | None) -> int:
    """The id of a category, which is created if it is new.

    Args:
        wanted: As in `known_category`.

    Raises:
        InvalidInputError: No category has this number.
    """
    number = known_category(connection, wanted)
    if number is None or not _is_there(connection, number):
        draw_in_order(connection)  # Somebody may be making the same one (`names.get_or_create`).
        number = known_category(connection, wanted)
    if number is None:
        name = wanted if isinstance(wanted, str) else DEFAULT_CATEGORY
        number = new_number(connection, name)
    elif _is_there(connection, number):
        return number
    else:
        name = RESERVED_CATEGORIES[number]
        if names.id_by_name(connection, category, name) is not None:
            name = f"{name}（{number}）"
    names.insert_category(connection, {"id": number, "name": name, "position": number})
    return number


def new_number(connection: sa.Connection, name: str) -> int:
    """The number for a new category: a reserved one if the name belongs to it and it does not
    exist yet.
    """
    reserved = RESERVED_NUMBERS.get(name)
    if reserved is not None and not _is_there(connection, reserved):
        return reserved
    number = names.highest_category(connection) + 1
    while number in RESERVED_CATEGORIES:
        number += 1
    return number


def _is_there(connection: sa.Connection, number: int) -> bool:
    return names.category_name(connection, number) is not None
