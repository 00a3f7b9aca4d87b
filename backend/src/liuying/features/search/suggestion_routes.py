"""Calls of search suggestions (docs/product.md#wire)."""

from __future__ import annotations

from typing import Annotated

from litestar import get
from litestar.di import NamedDependency
from litestar.params import QueryParameter

from liuying.features.search import rules
from liuying.features.search.offered_hot_words import OfferedHotWords
from liuying.features.search.result_cache import ResultCache
from liuying.features.search.schemas import SuggestionView
from liuying.features.search.suggestions import related, suggest
from liuying.kit.changes import CacheTopic
from liuying.kit.client_network import ClientNetwork
from liuying.kit.clock import Clock
from liuying.kit.database import Database
from liuying.kit.envelope import Envelope
from liuying.kit.limits import Limits
from liuying.kit.responses import INVALID, LIMITED, cached

# Hot words among them change without an entry in the change log.
KEPT = cached(CacheTopic.SEARCH, CacheTopic.CATALOGUE, lifetime=120)
Typed = Annotated[
    str, QueryParameter(name="q", max_length=64, description="What was typed so far.")
]
Searched = Annotated[
    str, QueryParameter(name="q", max_length=64, description="What was searched in vain.")
]


@get(
    "/api/videosuggest",
    sync_to_thread=True,
    opt=KEPT,
    responses=INVALID | LIMITED,
    operation_id="suggestSearches",
    tags=["search"],
)
def get_suggestions(
    database: NamedDependency[Database],
    clock: NamedDependency[Clock],
    search_orders: NamedDependency[ResultCache],
    hot_words: NamedDependency[OfferedHotWords],
    limits: NamedDependency[Limits],
    network: NamedDependency[ClientNetwork],
    typed: Typed = "",
) -> Envelope[list[SuggestionView]]:
    """At most ten hot words, artists, labels and titles that begin as typed, also in pinyin or
    initials.
    """
    limits.check(rules.SUGGESTIONS, network)
    with database.read() as connection:
        return Envelope(suggest(connection, search_orders, hot_words, typed, clock()))


@get(
    "/api/videosuggest/related",
    sync_to_thread=True,
    opt=KEPT,
    responses=INVALID | LIMITED,
    operation_id="listRelatedSearches",
    tags=["search"],
)
def get_related(
    database: NamedDependency[Database],
    clock: NamedDependency[Clock],
    search_orders: NamedDependency[ResultCache],
    hot_words: NamedDependency[OfferedHotWords],
    limits: NamedDependency[Limits],
    network: NamedDependency[ClientNetwork],
    searched: Searched = "",
) -> Envelope[list[SuggestionView]]:
    """What to search for when nothing was found: names that share a character or a syllable,
    then hot words.
    """
    limits.check(rules.SUGGESTIONS, network)
    with database.read() as connection:
        return Envelope(related(connection, search_orders, hot_words, searched, clock()))


ROUTES = [get_suggestions, get_related]
