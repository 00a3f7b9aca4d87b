"""Made-up videos, a batch at a time. A batch is the same for the same seed, in whatever process it
is made.
"""

from __future__ import annotations

import math
from functools import lru_cache

import msgspec
import numpy as np

from liuying.core.catalogue.rules import WITHHELD_PREFIX
from liuying.features.search.documents import Prepared, VideoTexts, prepare
from liuying.kit.clock import DAY_MS, Milliseconds
from liuying.workflows.pinyin_initials import initial_of
from liuying_seeding.words import load_words, make_names, make_titles, zipf, zipf_shares

CATEGORIES, ARTISTS, LABELS = 40, 20_000, 5_000
BATCH = 2000
YEARS = 3
MAX_VIEWS = 50_000_000
VIEWS_FALL = 0.95
MAX_ARTISTS, MAX_LABELS = 2, 5
MIN_S, MAX_S = 20, 5400
# Coprime to every number of videos that is a power of ten times less than 7919: ranks by views are
# spread over ids.
STRIDE = 7919


class Plan(msgspec.Struct, frozen=True):
    """What is to be made.

    Attributes:
        videos: How many.
        seed: Gives everything that is random.
        now: The newest video's time.
    """

    videos: int
    seed: int
    now: Milliseconds

    @property
    def batches(self) -> int:
        return math.ceil(self.videos / BATCH)


# In the order of their values in a batch.
VIDEO_COLUMNS = (
    "id", "title", "category_id", "is_listed", "created_at", "updated_at", "pageviews", "duration",
    "width", "height",
)  # fmt: skip


class Batch(msgspec.Struct, frozen=True, array_like=True):
    """Rows of some videos, and what search is to know of them. Labels are (video, label, place)."""

    videos: list[tuple[int, str, int, bool, Milliseconds, Milliseconds, int, int, int, int]]
    labels: list[tuple[int, int, int]]
    artists: list[tuple[int, int]]
    prepared: list[Prepared]


class Names(msgspec.Struct, frozen=True):
    """Names by place, and the letters of artists; the number of a row is its place and one."""

    labels: list[str]
    artists: list[str]
    initials: list[str]


@lru_cache(maxsize=2)
def make_all_names(seed: int) -> Names:
    """Labels and artists, the most used first."""
    dice = np.random.default_rng([seed, 1])
    words = [word for word in load_words(seed).words if len(word) <= 3]
    artists = make_names(dice, ARTISTS)
    return Names(words[:LABELS], artists, [initial_of(name) for name in artists])


def make_batch(plan: Plan, number: int) -> Batch:
    """The batch of a number, from 0."""
    first = number * BATCH + 1
    count = min(BATCH, plan.videos - first + 1)
    dice = np.random.default_rng([plan.seed, 2, number])
    titles = make_titles(load_words(plan.seed), dice, count)
    categories = zipf(dice, zipf_shares(CATEGORIES), count)
    seconds = dice.integers(MIN_S, MAX_S, size=count).tolist()
    labels = _some(dice, LABELS, count, MAX_LABELS)
    artists = _some(dice, ARTISTS, count, MAX_ARTISTS)
    batch = Batch([], [], [], [])
    names = make_all_names(plan.seed)
    for place, title in enumerate(titles):
        video_id = first + place
        created_at = plan.now - (plan.videos - video_id) * YEARS * 365 * DAY_MS // plan.videos
        pageviews = int(MAX_VIEWS / (video_id * STRIDE % plan.videos + 1) ** VIEWS_FALL)
        batch.videos.append(
            (
                video_id,
                title,
                categories[place] + 1,
                True,
                created_at,
                created_at,
                pageviews,
                seconds[place] * 1000,
                1280,
                720,
            )
        )
        batch.labels.extend((video_id, one + 1, at) for at, one in enumerate(labels[place]))
        batch.artists.extend((video_id, one + 1) for one in artists[place])
        if not title.startswith(WITHHELD_PREFIX):
            related = [names.labels[one] for one in labels[place]]
            # As the catalogue orders them, so that what search knows is what a later check expects.
            related += [
                name
                for _, name in sorted(
                    (names.initials[one], names.artists[one]) for one in artists[place]
                )
            ]
            batch.prepared.append(
                prepare(VideoTexts(video_id, title, related, pageviews, created_at))
            )
    return batch


def encode_batch(plan: Plan, number: int) -> bytes:
    """What another process has prepared, as bytes."""
    return msgspec.msgpack.encode(make_batch(plan, number))


def _some(dice: np.random.Generator, among: int, count: int, most: int) -> list[list[int]]:
    """For each of `count` videos one to `most` places, none twice."""
    drawn = iter(zipf(dice, zipf_shares(among), count * most))
    sizes = dice.integers(1, most + 1, size=count).tolist()
    return [list(dict.fromkeys(next(drawn) for _ in range(most)))[:size] for size in sizes]
