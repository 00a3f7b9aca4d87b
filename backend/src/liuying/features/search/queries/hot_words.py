"""Statements of pinned groups of hot words and of blocked words. Each runs inside the caller's
transaction.
"""

from __future__ import annotations

from collections.abc import Sequence

import sqlalchemy as sa

from liuying.features.search.schemas import HotGroupView
from liuying.features.search.tables import blocked_word, hot_group, hot_word
from liuying.kit.inserting import insert_if_absent
from liuying.kit.rows import insert_row, update_row


def list_hot_groups(connection: sa.Connection) -> list[HotGroupView]:
    """Hot words in their groups, in the operator's order."""
    rows = connection.execute(
        sa.select(hot_group.c.title, hot_word.c.word)
        .join(hot_word, hot_word.c.group_id == hot_group.c.id)
        .order_by(hot_group.c.position, hot_group.c.id, hot_word.c.position, hot_word.c.word)
    )
    groups: dict[str, list[str]] = {}
    for title, word in rows:
        groups.setdefault(title, []).append(word)
    return [HotGroupView(title=title, lists=words) for title, words in groups.items()]


def get_or_create_group(connection: sa.Connection, title: str, position: int | None) -> int:
    """The id of the group with this title; a new one comes last unless a position is given."""
    statement = sa.select(hot_group.c.id).where(hot_group.c.title == title)
    group_id = connection.execute(statement).scalar()
    if group_id is None:
        last = connection.execute(sa.select(sa.func.max(hot_group.c.position))).scalar()
        place = position if position is not None else (0 if last is None else last + 1)
        return insert_row(connection, hot_group, {"title": title, "position": place})
    if position is not None:
        update_row(connection, hot_group, group_id, {"position": position})
    return int(group_id)


def replace_words(connection: sa.Connection, group_id: int, words: Sequence[str]) -> None:
    """Replace a group's words, in order."""
    connection.execute(sa.delete(hot_word).where(hot_word.c.group_id == group_id))
    rows = [
        {"group_id": group_id, "word": word, "position": place} for place, word in enumerate(words)
    ]
    connection.execute(sa.insert(hot_word), rows)


def delete_group(connection: sa.Connection, title: str) -> bool:
    """Delete a group with its words; returns whether it existed."""
    statement = sa.delete(hot_group).where(hot_group.c.title == title).returning(hot_group.c.id)
    return connection.execute(statement).first() is not None


def blocked_words(connection: sa.Connection) -> list[str]:
    """Folded words that are never offered, in order."""
    statement = sa.select(blocked_word.c.word).order_by(blocked_word.c.word)
    return list(connection.execute(statement).scalars())


def block_word(connection: sa.Connection, word: str) -> None:
    """Never offer a folded word; blocking it again changes nothing."""
    insert_if_absent(connection, blocked_word, {"word": word})


def unblock_word(connection: sa.Connection, word: str) -> bool:
    """Let a folded word be offered again; returns whether it was blocked."""
    statement = sa.delete(blocked_word).where(blocked_word.c.word == word)
    return connection.execute(statement).rowcount == 1
