"""Hot words among suggestions: kept for a moment, never beyond a change."""

from __future__ import annotations

import sqlalchemy as sa

from liuying.features.search.hot_words import block_words
from liuying.features.search.offered_hot_words import KEPT_MS, OfferedHotWords
from liuying.features.search.result_cache import ResultCache
from liuying.features.search.terms import note_search
from liuying.installation.services import Services
from tests.catalogue_factory import NOW

NETWORKS = ("192.0.2.0", "198.51.100.0", "203.0.113.0", "10.0.0.0", "10.0.1.0")


def search(services: Services, connection: sa.Connection, term: str) -> None:
    for network in NETWORKS:
        note_search(connection, services.hashes, term, network, NOW)


def test_a_new_hot_word_is_offered_after_a_moment(filled: Services) -> None:
    offered = OfferedHotWords(ResultCache())
    with filled.database.write() as connection:
        search(filled, connection, "标签0")
        before = offered.words(connection, NOW)
        assert "标签0" in before
        search(filled, connection, "标签1")
        assert offered.words(connection, NOW + KEPT_MS - 1) == before
        assert "标签1" in offered.words(connection, NOW + KEPT_MS)
        search(filled, connection, "标签2")
        assert "标签2" in offered.words(connection, NOW), "a clock that was set back keeps nothing"


def test_a_blocked_word_is_gone_at_once(filled: Services) -> None:
    offered = OfferedHotWords(ResultCache())
    with filled.database.write() as connection:
        search(filled, connection, "标签0")
        assert "标签0" in offered.words(connection, NOW)
        block_words(connection, ["标签0"])
        assert "标签0" not in offered.words(connection, NOW)
