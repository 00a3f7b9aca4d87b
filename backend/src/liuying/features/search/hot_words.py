"""Writing the pinned groups of hot words, and the words that are never offered.

Each function runs inside the caller's transaction.
"""

from __future__ import annotations

from collections.abc import Sequence

import sqlalchemy as sa

from liuying.features.search.folding import fold
from liuying.features.search.queries import hot_words as queries
from liuying.kit.changes import CacheTopic, record_change
from liuying.kit.errors import InvalidInputError, NotFoundError
from liuying.kit.texts import required_text

TITLE_LENGTH, WORD_LENGTH, MAX_WORDS = 40, 64, 20


def set_hot_group(
    connection: sa.Connection, title: str, words: Sequence[str], position: int | None = None
) -> str:
    """Write a group, replacing the one with the same title; returns the title as stored.

    Raises:
        InvalidInputError: A text is invalid, or there are no words or too many.
    """
    title = required_text("标题", title, TITLE_LENGTH, "title")
    words = list(dict.fromkeys(required_text("热词", word, WORD_LENGTH, "words") for word in words))
    if not 1 <= len(words) <= MAX_WORDS:
        raise InvalidInputError(f"一组应有 1 到 {MAX_WORDS} 个热词", "words")
    group_id = queries.get_or_create_group(connection, title, position)
    queries.replace_words(connection, group_id, words)
    record_change(connection, CacheTopic.SEARCH)
    return title


def remove_hot_group(connection: sa.Connection, title: str) -> None:
    """Remove a group and its words.

    Raises:
        NotFoundError: No such group.
    """
    if not queries.delete_group(connection, title):
        raise NotFoundError(f"没有名为「{title}」的热搜组")
    record_change(connection, CacheTopic.SEARCH)


def block_words(connection: sa.Connection, words: Sequence[str]) -> list[str]:
    """Never offer these words, in any spelling; searching for them still works. Returns them
    folded.

    Raises:
        InvalidInputError: A word is empty or too long.
    """
    folded = [required_text("热词", fold(word), WORD_LENGTH, "words") for word in words]
    for word in folded:
        queries.block_word(connection, word)
    record_change(connection, CacheTopic.SEARCH)
    return folded


def unblock_word(connection: sa.Connection, word: str) -> str:
    """Let a word be offered again; returns it folded.

    Raises:
        NotFoundError: It is not blocked.
    """
    folded = fold(word)
    if not queries.unblock_word(connection, folded):
        raise NotFoundError(f"「{word}」没有被屏蔽")
    record_change(connection, CacheTopic.SEARCH)
    return folded
