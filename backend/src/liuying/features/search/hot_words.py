"""Writing the pinned groups of hot words, and the words that are never offered.

Each function works inside the caller's transaction.
"""

from __future__ import annotations

from collections.abc import Sequence

import sqlalchemy as sa

from liuying.features.search.folding import fold
from liuying.features.search.tables import blocked_word, hot_group, hot_word
from liuying.kit.changes import CacheTopic, record_change
from liuying.kit.errors import InvalidInputError, NotFoundError
from liuying.kit.inserting import insert_if_absent
from liuying.kit.texts import required_text

TITLE_LENGTH, WORD_LENGTH, MAX_WORDS = 40, 64, 20


def set_hot_group(
    connection: sa.Connection, title: str, words: Sequence[str], position: int | None = None
) -> str:
    """Write a group, in place of the one of the same title; returns the title as it is kept.

    Raises:
        InvalidInputError: A text breaks its rule, or there are no words or too many.
    """
    title = required_text("标题", title, TITLE_LENGTH)
    kept = list(dict.fromkeys(required_text("热词", word, WORD_LENGTH) for word in words))
    if not 1 <= len(kept) <= MAX_WORDS:
        raise InvalidInputError(f"一组应有 1 到 {MAX_WORDS} 个热词")
    known = connection.execute(sa.select(hot_group).where(hot_group.c.title == title)).one_or_none()
    if known is None:
        last = connection.execute(sa.select(sa.func.max(hot_group.c.position))).scalar()
        place = position if position is not None else (0 if last is None else last + 1)
        statement = (
            sa.insert(hot_group).values(title=title, position=place).returning(hot_group.c.id)
        )
        group_id = int(connection.execute(statement).scalar_one())
    else:
        group_id = known.id
        if position is not None:
            connection.execute(
                sa.update(hot_group).where(hot_group.c.id == group_id).values(position=position)
            )
        connection.execute(sa.delete(hot_word).where(hot_word.c.group_id == group_id))
    rows = [
        {"group_id": group_id, "word": word, "position": place} for place, word in enumerate(kept)
    ]
    connection.execute(sa.insert(hot_word), rows)
    record_change(connection, CacheTopic.SEARCH)
    return title


def remove_hot_group(connection: sa.Connection, title: str) -> None:
    """Remove a group with its words.

    Raises:
        NotFoundError: There is no such group.
    """
    statement = sa.delete(hot_group).where(hot_group.c.title == title).returning(hot_group.c.id)
    if connection.execute(statement).first() is None:
        raise NotFoundError(f"没有名为「{title}」的热搜组")
    record_change(connection, CacheTopic.SEARCH)


def block_words(connection: sa.Connection, words: Sequence[str]) -> list[str]:
    """Never offer these words, in whatever spelling; searching for them goes on as before. Returns
    them as kept.

    Raises:
        InvalidInputError: A word is empty or too long.
    """
    kept = [required_text("热词", fold(word), WORD_LENGTH) for word in words]
    for word in kept:
        insert_if_absent(connection, blocked_word, {"word": word})
    record_change(connection, CacheTopic.SEARCH)
    return kept


def unblock_word(connection: sa.Connection, word: str) -> str:
    """Let a word be offered again; returns it as it was kept.

    Raises:
        NotFoundError: It is not blocked.
    """
    statement = (
        sa.delete(blocked_word)
        .where(blocked_word.c.word == fold(word))
        .returning(blocked_word.c.word)
    )
    kept: str | None = connection.execute(statement).scalar()
    if kept is None:
        raise NotFoundError(f"「{word}」没有被屏蔽")
    record_change(connection, CacheTopic.SEARCH)
    return kept
