"""What visitors search for: counted by distinct networks, shown once enough of them agree, then
pruned.

Each function runs inside the caller's transaction. A network is identified by a keyed hash per
term, valid for a day, so that two terms cannot be linked to one visitor (docs/security.md#t25).
"""

from __future__ import annotations

from collections.abc import Sequence

import sqlalchemy as sa

from liuying.features.search.folding import fold
from liuying.features.search.queries import terms as queries
from liuying.features.search.queries.hot_words import blocked_words, list_hot_groups
from liuying.features.search.result_cache import ResultCache
from liuying.features.search.schemas import HotGroupView
from liuying.kit.clock import Milliseconds, day_number, hour_of
from liuying.kit.database import AnyRow
from liuying.kit.keyed_hashes import KeyedHashes

TERM_LENGTH = 64
# Trending means the last 24 hours (docs/product.md#operator).
COUNTED_HOURS = 24
FEWEST_NETWORKS = 5
MAX_TRENDING = 10
# Candidates that are checked for results.
MAX_CANDIDATES = 50
TRENDING_TITLE = "近期热搜"
# The hash's key changes after so many days.
PERIOD_DAYS = 30


def note_search(
    connection: sa.Connection, hashes: KeyedHashes, term: str, network: str, now: Milliseconds
) -> bool:
    """Count a network's search for a term, once in 24 hours.

    Returns:
        Whether the term can count: it is neither empty nor too long.
    """
    folded = fold(term)
    if not 1 <= len(folded) <= TERM_LENGTH:
        return False
    period, hour = day_number(now) // PERIOD_DAYS, hour_of(now)
    current, previous = (
        hashes.network(f"search {folded}", network, period - age) for age in (0, 1)
    )
    queries.mark_search(connection, folded, hour, current, previous)
    return True


def prune_searches(connection: sa.Connection, now: Milliseconds) -> None:
    """Delete what no longer counts."""
    queries.delete_marks(connection, hour_of(now) - COUNTED_HOURS)


def trending_rows(connection: sa.Connection, now: Milliseconds) -> Sequence[AnyRow]:
    """Terms that at least five networks searched in the last 24 hours, with the number, hottest
    first.
    """
    return queries.trending_rows(
        connection,
        after_hour=hour_of(now) - COUNTED_HOURS,
        fewest_networks=FEWEST_NETWORKS,
        limit=MAX_CANDIDATES,
    )


def visible_hot_groups(
    connection: sa.Connection, orders: ResultCache, now: Milliseconds
) -> list[HotGroupView]:
    """The operator's groups, then trending terms with results; blocked words appear in neither."""
    blocked = blocked_words(connection)
    pinned = [
        HotGroupView(
            title=group.title, lists=[word for word in group.lists if fold(word) not in blocked]
        )
        for group in list_hot_groups(connection)
    ]
    known = {fold(word) for group in pinned for word in group.lists}
    trending: list[str] = []
    for row in trending_rows(connection, now):
        if (
            len(trending) < MAX_TRENDING
            and row.term not in known
            and orders.find(connection, row.term, 0, 1)[1]
        ):
            trending.append(row.term)
    groups = [*pinned, HotGroupView(title=TRENDING_TITLE, lists=trending)]
    return [group for group in groups if group.lists]
