"""Finding videos by words."""

from __future__ import annotations

import sqlalchemy as sa

from liuying.domains.search.folding import fold
from liuying.domains.search.schemas import HotGroupView
from liuying.domains.search.tables import hot_group, hot_word, search_document
from liuying.kit.changes import Topic, record_change

MOST_WORDS = 8


def find(connection: sa.Connection, keyword: str, offset: int, limit: int) -> tuple[list[int], int]:
    """Ids of the videos whose title, labels or artists hold every word, and how many there are.

    Words in the title come first, then what is seen most. Operators have no meaning: the words are plain text
    (threats 12). An empty keyword finds nothing.

    Args:
        keyword: As typed.
        offset: How many to pass over.
        limit: How many to return.
    """
    words = fold(keyword).split()[:MOST_WORDS]
    if not words:
        return [], 0
    table = search_document.c
    matches = sa.and_(*(table.text.contains(word, autoescape=True) for word in words))
    total = connection.execute(sa.select(sa.func.count()).select_from(search_document).where(matches)).scalar_one()
    in_title = sa.and_(*(table.title.contains(word, autoescape=True) for word in words))
    statement = (
        sa.select(table.video_id)
        .where(matches)
        .order_by(sa.case((in_title, 0), else_=1), table.pageviews.desc(), table.video_id.desc())
        .offset(offset)
        .limit(limit)
    )
    return list(connection.execute(statement).scalars()), total


def index_video(connection: sa.Connection, video_id: int, title: str, related: list[str], pageviews: int) -> None:
    """Make a video findable, or renew what is known of it.

    Args:
        related: Names of its labels and artists.
    """
    connection.execute(sa.delete(search_document).where(search_document.c.video_id == video_id))
    connection.execute(
        sa.insert(search_document).values(
            video_id=video_id,
            title=fold(title)[:400],
            text=fold(" ".join([title, *related]))[:2000],
            pageviews=pageviews,
        )
    )
    record_change(connection, Topic.SEARCH)


def forget_video(connection: sa.Connection, video_id: int) -> None:
    """Make a video unfindable."""
    connection.execute(sa.delete(search_document).where(search_document.c.video_id == video_id))
    record_change(connection, Topic.SEARCH)


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
