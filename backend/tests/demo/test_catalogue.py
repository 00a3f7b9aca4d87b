"""The demo's data: complete, consistent, and within what the product allows."""

from __future__ import annotations

import re
from collections import Counter
from typing import get_args

import pytest

from liuying.core.catalogue.rules import SHARE_CATEGORY, SHORT_CATEGORY, WITHHELD_PREFIX
from liuying.features.ads.rules import LinkKind, Slot
from liuying.features.notices.service import clean_html
from liuying.features.search.folding import fold
from liuying.installation.settings import REPOSITORY
from liuying.kit.links import is_safe_link
from liuying_demo.catalogue import (
    age_minutes,
    film_of,
    load_catalogue,
    meta_of,
    mood_of,
    source_name,
    views,
)
from liuying_demo.furnish import icon_svg
from liuying_demo.portraits import portrait
from liuying_demo.render import LANDSCAPE, PORTRAIT, SHARP_LANDSCAPE
from liuying_demo.scenes.film import FRAME_RATE
from liuying_demo.scenes.repertoire import SCENES
from liuying_demo.stills import still_size

CATALOGUE = load_catalogue()
NOW = 1_790_000_000_000
FIRST = 8


def test_there_is_enough_of_everything() -> None:
    categories = Counter(entry.category for entry in CATALOGUE.videos)
    assert len(CATALOGUE.videos) >= 60
    assert len(categories) >= 12
    # A block of home shows four videos of a category.
    assert all(count >= 4 for count in categories.values()), categories
    assert categories[SHORT_CATEGORY] >= 8
    assert categories[SHARE_CATEGORY] >= 6
    assert len(CATALOGUE.artists) >= 16
    assert len({label for entry in CATALOGUE.videos for label in entry.labels}) >= 30
    assert sum(entry.title.startswith(WITHHELD_PREFIX) for entry in CATALOGUE.videos) == 3


def test_titles_and_sources_are_unique() -> None:
    titles = [entry.title for entry in CATALOGUE.videos]
    assert len(set(titles)) == len(titles)
    names = [source_name(entry) for entry in CATALOGUE.videos]
    assert len(set(names)) == len(names)
    assert len({entry.url for entry in CATALOGUE.ads}) == len(CATALOGUE.ads)
    assert len({entry.key for entry in CATALOGUE.ads}) == len(CATALOGUE.ads)


def test_everything_named_exists() -> None:
    categories = {entry.id for entry in CATALOGUE.categories}
    artists = {entry.name for entry in CATALOGUE.artists}
    for entry in CATALOGUE.videos:
        assert entry.category in categories
        assert set(entry.artists) <= artists
        assert set(entry.scenes) <= set(SCENES)
    for ad in CATALOGUE.ads:
        assert ad.scene in SCENES
        assert (ad.tag in CATALOGUE.banner_tags) == (ad.slot == "BANNER")
    for icon in [
        *(entry.icon for entry in CATALOGUE.categories),
        *(entry.icon for entry in CATALOGUE.links),
    ]:
        assert icon_svg(icon).startswith(b"<svg ")


def test_every_scene_is_shown_somewhere() -> None:
    shown = {name for entry in CATALOGUE.videos for name in entry.scenes} | {
        entry.scene for entry in CATALOGUE.ads
    }
    assert set(SCENES) == shown


def test_no_two_videos_look_alike() -> None:
    firsts = [(entry.scenes[0], entry.portrait) for entry in CATALOGUE.videos]
    assert len(set(firsts)) == len(firsts)


def test_lengths_and_shapes() -> None:
    lengths = [entry.seconds for entry in CATALOGUE.videos]
    assert min(lengths) == 6
    assert 60 <= max(lengths) <= 90
    assert sum(length >= 30 for length in lengths) >= 3
    # The quality menu has something to offer.
    assert sum(entry.sharp for entry in CATALOGUE.videos) >= 5
    for entry in CATALOGUE.videos:
        film = film_of(entry)
        landscape = SHARP_LANDSCAPE if entry.sharp else LANDSCAPE
        assert film.size == (PORTRAIT if entry.portrait else landscape)
        assert (entry.category == SHORT_CATEGORY) == entry.portrait
        # The shots fill the film without a rest, in whole pictures.
        assert film.seconds * FRAME_RATE == int(film.seconds * FRAME_RATE)
        assert sum(cut.seconds for cut in film.cuts) <= film.seconds


def test_the_first_videos_are_quick_and_different() -> None:
    first = CATALOGUE.videos[:FIRST]
    assert len({entry.category for entry in first}) == FIRST
    assert all(entry.seconds <= 8 and len(entry.scenes) == 1 for entry in first)
    assert not any(entry.title.startswith(WITHHELD_PREFIX) for entry in first)


@pytest.mark.parametrize("slot", get_args(Slot))
def test_every_slot_has_advertisements(slot: str) -> None:
    entries = [entry for entry in CATALOGUE.ads if entry.slot == slot]
    assert len(entries) >= 2
    for entry in entries:
        assert is_safe_link(entry.url)
        width, height = still_size(entry)
        # What fills the player's box, and the screen, has the shape of these (specification §9).
        if slot not in {"PLAYBEFORE", "SHORT_VIDEO"}:
            assert width / height == pytest.approx(2.3, rel=0.01)


def test_every_banner_tag_has_three_banners() -> None:
    tags = Counter(entry.tag for entry in CATALOGUE.ads if entry.slot == "BANNER")
    assert len(tags) >= 4
    assert all(count >= 3 for count in tags.values())


@pytest.mark.parametrize("kind", get_args(LinkKind))
def test_every_kind_of_link_is_offered(kind: str) -> None:
    entries = [entry for entry in CATALOGUE.links if entry.kind == kind]
    assert len(entries) >= (2 if kind == "exchange" else 1)
    assert all(is_safe_link(entry.url) for entry in entries)


def test_every_hot_word_finds_something() -> None:
    assert len(CATALOGUE.hot_groups) >= 3
    shown = [entry for entry in CATALOGUE.videos if not entry.title.startswith(WITHHELD_PREFIX)]
    texts = [fold(" ".join([entry.title, *entry.labels, *entry.artists])) for entry in shown]
    for group in CATALOGUE.hot_groups:
        assert len(group.words) >= 8
        for word in group.words:
            assert any(fold(word) in text for text in texts), word


def test_notices_survive_cleaning() -> None:
    assert len(CATALOGUE.notices) >= 4
    for entry in CATALOGUE.notices:
        assert clean_html(entry.content) == entry.content


def test_ages_and_views_are_spread() -> None:
    ages = sorted(age_minutes(entry) for entry in CATALOGUE.videos)
    day = 24 * 60
    for low, high in (
        (0, 1),
        (1, 60),
        (60, day),
        (day, 2 * day),
        (2 * day, 30 * day),
        (30 * day, 400 * day),
    ):
        assert any(low <= age < high for age in ages), (low, high)
    counts = sorted((views(entry) for entry in CATALOGUE.videos), reverse=True)
    assert counts[0] > 20 * counts[len(counts) // 2] / 4 > counts[-1] / 4
    assert len(set(counts)) > len(counts) * 0.9


def test_meta_counts_from_now() -> None:
    for entry in CATALOGUE.videos:
        meta = meta_of(entry, NOW, b"jpeg")
        assert meta.created_at is not None
        assert meta.updated_at is not None
        assert meta.created_at <= meta.updated_at <= NOW
        assert meta == meta_of(entry, NOW, b"jpeg")


def test_sounds_differ() -> None:
    moods = {mood_of(entry) for entry in CATALOGUE.videos}
    assert len(moods) > 40


def test_a_portrait_is_the_same_for_the_same_seed() -> None:
    first, again, other = portrait(5), portrait(5), portrait(6)
    assert first.size == (320, 320)
    assert first.tobytes() == again.tobytes()
    assert first.tobytes() != other.tobytes()


def test_notices_name_buttons_as_the_screens_do() -> None:
    screens = "".join(
        file.read_text() for file in sorted((REPOSITORY / "web" / "src").rglob("*.tsx"))
    )
    named = {
        part.strip()
        for entry in CATALOGUE.notices
        for name in re.findall("「([^」]+)」", entry.content)
        for part in name.split("→")
    }
    assert named
    assert {name for name in named if name not in screens} <= {"我的"}  # a tab: of tabs.gen.ts


def test_topics_are_of_open_films_of_the_catalogue() -> None:
    categories = {entry.key: entry.category for entry in CATALOGUE.videos}
    assert len(CATALOGUE.topics) >= 3
    for entry in CATALOGUE.topics:
        assert len(set(entry.videos)) == len(entry.videos) >= 4
        assert {categories[key] for key in entry.videos}.isdisjoint(
            {SHORT_CATEGORY, SHARE_CATEGORY}
        )
