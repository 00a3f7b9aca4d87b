"""What no view changes is cached until the catalogue changes."""

from __future__ import annotations

import pytest

from liuying.core.catalogue import catalogue_cache
from liuying.core.catalogue.catalogue_cache import CatalogueCache


def test_a_change_of_the_catalogue_drops_all() -> None:
    cache: CatalogueCache[str] = CatalogueCache(10)
    assert cache.find(1, 7) is None
    cache.keep(1, 7, "一")
    cache.keep(2, 7, "二")
    assert (cache.find(1, 7), cache.find(2, 7)) == ("一", "二")
    assert cache.find(1, 8) is None
    # Numbers that come again after an older database was restored are others.
    assert cache.find(2, 7) is None


def test_what_was_read_before_a_change_is_not_cached() -> None:
    cache: CatalogueCache[str] = CatalogueCache(10)
    assert cache.find(1, 7) is None
    assert cache.find(1, 8) is None
    cache.keep(1, 7, "旧")
    assert cache.find(1, 8) is None
    assert len(cache) == 0


def test_the_least_recently_requested_goes_first() -> None:
    cache: CatalogueCache[int] = CatalogueCache(2)
    for video_id in (1, 2):
        cache.find(video_id, 7)
        cache.keep(video_id, 7, video_id)
    cache.find(1, 7)
    cache.keep(3, 7, 3)
    assert [cache.find(one, 7) for one in (1, 2, 3)] == [1, None, 3]


def test_a_value_is_outdated_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(catalogue_cache, "monotonic", lambda: now)
    cache: CatalogueCache[int] = CatalogueCache(2, lifetime_s=60.0)
    cache.find(1, 7)
    cache.keep(1, 7, 5)
    now = 159.0
    assert cache.find(1, 7) == 5
    now = 160.0
    assert cache.find(1, 7) is None
    cache.keep(1, 7, 6)
    assert cache.find(1, 7) == 6
    cache.forget()
    assert cache.find(1, 7) is None


def test_what_is_being_read_when_all_is_forgotten_is_not_cached() -> None:
    """It may be another database's, whose number is the same."""
    cache: CatalogueCache[str] = CatalogueCache(2)
    cache.find(1, 7)
    cache.forget()
    cache.keep(1, 7, "以前的")
    assert cache.find(1, 7) is None
