"""Calls of search that need no other feature (specification §7)."""

from __future__ import annotations

from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import JSONBody

from liuying.features.search import rules, terms
from liuying.features.search.result_cache import ResultCache
from liuying.features.search.schemas import HotGroupView, SearchEvent, SearchEventTaken
from liuying.kit.caller import Caller
from liuying.kit.changes import CacheTopic
from liuying.kit.clock import Clock
from liuying.kit.database import Database
from liuying.kit.envelope import Envelope
from liuying.kit.keyed_hashes import KeyedHashes
from liuying.kit.limits import Limits
from liuying.kit.responses import (
    BODY,
    INVALID,
    UNAVAILABLE,
    WRITING,
    cached,
)

# Trending terms change without an entry in the change log.
HOT = cached(CacheTopic.SEARCH, lifetime=120)


@get(
    "/api/videoSearchHot",
    sync_to_thread=True,
    opt=HOT,
    operation_id="listHotWords",
    tags=["search"],
)
def get_hot_words(
    database: NamedDependency[Database],
    clock: NamedDependency[Clock],
    search_orders: NamedDependency[ResultCache],
) -> Envelope[list[HotGroupView]]:
    """Hot words in groups: the operator's, then terms that at least five networks searched in
    the last 24 hours.
    """
    with database.read() as connection:
        return Envelope(terms.visible_hot_groups(connection, search_orders, clock()))


@post(
    "/api/search/event",
    status_code=200,
    sync_to_thread=True,
    opt=WRITING,
    responses=INVALID | BODY | UNAVAILABLE,
    operation_id="reportSearch",
    tags=["search"],
)
def post_search_event(
    database: NamedDependency[Database],
    clock: NamedDependency[Clock],
    hashes: NamedDependency[KeyedHashes],
    limits: NamedDependency[Limits],
    caller: NamedDependency[Caller],
    data: JSONBody[SearchEvent],
) -> Envelope[SearchEventTaken]:
    """Count a search for the hot words: edges cache the answers, so searches themselves are not
    seen.
    """
    if not limits.allows(rules.SEARCHES, caller.network):
        return Envelope(SearchEventTaken(is_counted=False))
    with database.write() as connection:
        return Envelope(
            SearchEventTaken(
                terms.note_search(connection, hashes, data.term, caller.network, clock())
            )
        )


ROUTES = [get_hot_words, post_search_event]
