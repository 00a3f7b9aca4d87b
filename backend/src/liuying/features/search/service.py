"""Hot words, in the operator's groups."""

from __future__ import annotations

import sqlalchemy as sa

from liuying.features.search.schemas import HotGroupView
from liuying.features.search.tables import hot_group, hot_word


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
