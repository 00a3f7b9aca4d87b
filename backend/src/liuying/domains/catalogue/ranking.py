"""Orders that are computed rather than stored: recommendations and similar videos. Pure and deterministic."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Collection, Mapping, Sequence

import msgspec

from liuying.kit.clock import DAY_MS

POOL_SIZE = 12
CATEGORY_CAP = 3
ARTIST_CAP = 3


class Candidate(msgspec.Struct, frozen=True):
    """A video that may be recommended. `age` is in milliseconds."""

    id: int
    category_id: int
    pageviews: int
    age: int


def draw_pool(candidates: Sequence[Candidate], day: int, seed: int, size: int = POOL_SIZE) -> list[int]:
    """Draw a pool for a day: popular and fresh videos more often, no category too often.

    The draw is weighted sampling without replacement (Efraimidis and Spirakis 2006): the same day and seed
    always give the same pool.

    Args:
        candidates: What may be drawn.
        day: Day number.
        seed: Which pool of the day, from 0.
        size: How many ids to draw.
    """
    ordered = sorted(candidates, key=lambda one: (-_draw_key(one, day, seed), one.id))
    drawn: list[int] = []
    spare: list[int] = []
    used: dict[int, int] = {}
    for one in ordered:
        if used.get(one.category_id, 0) < CATEGORY_CAP:
            used[one.category_id] = used.get(one.category_id, 0) + 1
            drawn.append(one.id)
        else:
            spare.append(one.id)
    return (drawn + spare)[:size]


def _draw_key(one: Candidate, day: int, seed: int) -> float:
    digest = hashlib.blake2b(f"{day}:{seed}:{one.id}".encode(), digest_size=8).digest()
    uniform = (int.from_bytes(digest) + 1) / (2**64 + 1)
    fresh = 1.0 + math.exp(-max(0, one.age) / (14 * DAY_MS))
    weight = math.log10(one.pageviews + 10) * fresh
    return math.log(uniform) / weight


class SimilarCandidate(msgspec.Struct, frozen=True):
    """A video that may be shown beside another one."""

    id: int
    category_id: int
    pageviews: int
    label_ids: Collection[int]
    artist_ids: Sequence[int]


def order_similar(
    candidates: Sequence[SimilarCandidate],
    category_id: int,
    label_ids: Collection[int],
    artist_ids: Collection[int],
    label_counts: Mapping[int, int],
) -> list[int]:
    """Order candidates by likeness: rare shared labels count more, then artist, category and popularity.

    No artist stands more than three times before others have had their turn (decisions §7).

    Args:
        candidates: What may be shown.
        category_id: Category of the video they are compared with; likewise `label_ids` and `artist_ids`.
        label_counts: How many videos carry each label.
    """

    def score(one: SimilarCandidate) -> float:
        shared = sum(1 / math.log2(2 + label_counts.get(label, 1)) for label in one.label_ids if label in label_ids)
        same_artist = 0.8 if any(artist in artist_ids for artist in one.artist_ids) else 0.0
        same_category = 0.6 if one.category_id == category_id else 0.0
        return shared + same_artist + same_category + 0.05 * math.log10(one.pageviews + 1)

    ordered = sorted(candidates, key=lambda one: (-score(one), one.id))
    first: list[int] = []
    later: list[int] = []
    used: dict[int, int] = {}
    for one in ordered:
        crowded = any(used.get(artist, 0) >= ARTIST_CAP for artist in one.artist_ids)
        for artist in one.artist_ids:
            used[artist] = used.get(artist, 0) + 1
        (later if crowded else first).append(one.id)
    return first + later
