"""Orders that are computed rather than stored: recommendations and similar videos. Pure and
deterministic.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from liuying.core.catalogue.video_facts import Array
from liuying.kit.clock import DAY_MS, Milliseconds, day_number

POOL_SIZE = 12
BATCH_SIZE = 4
# Seeds go round: the last one is followed by the first.
SEEDS = 1_000_000
CATEGORY_CAP = 3
ARTIST_CAP = 3
FRESH_MS = 14 * DAY_MS


def draw_pool(
    ids: Array, facts: Array, now: Milliseconds, seed: int, size: int = POOL_SIZE
) -> list[int]:
    """Draw a pool for a day: popular and fresh videos more often, no category too often.

    The draw is weighted sampling without replacement (Efraimidis and Spirakis 2006): the same
    videos, day and seed always give the same pool.

    Args:
        ids: What may be drawn.
        facts: Of each, `video_facts.FACTS`.
        now: Says the day.
        seed: Which pool of the day, from 0.
        size: How many ids to draw.
    """
    age = np.maximum(0, now - facts["created_at"])
    weight = np.log10(facts["pageviews"] + 10) * (1.0 + np.exp(-age / FRESH_MS))
    keys = np.log(_uniform(ids, day_number(now), seed)) / weight
    drawn: list[int] = []
    spare: list[int] = []
    used: dict[int, int] = {}
    order = np.lexsort((ids, -keys))
    for id_, category_id in zip(
        ids[order].tolist(), facts["category_id"][order].tolist(), strict=True
    ):
        if used.get(category_id, 0) < CATEGORY_CAP:
            used[category_id] = used.get(category_id, 0) + 1
            drawn.append(id_)
            if len(drawn) == size:
                break
        else:
            spare.append(id_)
    return (drawn + spare)[:size]


def pool_in_batches(ids: Array, facts: Array, now: Milliseconds, seed: int) -> list[int]:
    """A day's pool for a seed, in the order in which its batches of 4 are shown.

    No batch shows again what the one before it showed, also where a pool follows the pool of the
    seed before; only under 8 videos leave no choice. Where fewer than a pool's size may be drawn,
    pools go round: every video has its turn.

    Args:
        ids: The videos that may be drawn, each once.
        facts: Of each, `video_facts.FACTS`.
        now: Says the day.
        seed: Which pool of the day, from 0.
    """
    if len(ids) < POOL_SIZE:
        drawn = draw_pool(ids, facts, now, 0)
        shown = max(BATCH_SIZE, len(drawn) // BATCH_SIZE * BATCH_SIZE)
        start = seed * shown % max(1, len(drawn))
        return drawn[start:] + drawn[:start]
    drawn = draw_pool(ids, facts, now, seed)
    shown_last = set(draw_pool(ids, facts, now, (seed - 1) % SEEDS)[-BATCH_SIZE:])
    # The last batch stays as it was drawn, so that the next pool knows it without the ones before.
    front, last = drawn[:-BATCH_SIZE], drawn[-BATCH_SIZE:]
    return sorted(front, key=lambda id_: id_ in shown_last) + last


def _uniform(ids: Array, day: int, seed: int) -> Array:
    """A number between 0 and 1, both excluded, for each video: all three mixed as SplitMix64 does
    (Steele 2014).
    """
    start = (day * 0x9E3779B97F4A7C15 + seed * 0xD1B54A32D192ED03) % 2**64
    mixed = ids.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(start)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
    mixed ^= mixed >> np.uint64(31)
    uniform: Array = ((mixed >> np.uint64(11)).astype(np.float64) + 0.5) / 2**53
    return uniform


def likeness_of(
    facts: Array, category_id: int, labels: Sequence[tuple[Array, int]], has_same_artist: Array
) -> Array:
    """How much each of some videos resembles one: rare shared labels count more, then artist,
    category, popularity.

    Args:
        facts: Of each, `video_facts.FACTS`.
        category_id: Category of the video they are compared with.
        labels: For each of its labels which of the videos have it, too, and how many videos have it
            at all.
        has_same_artist: Which of them have one of its artists.
    """
    likeness: Array = 0.8 * has_same_artist + 0.6 * (facts["category_id"] == category_id)
    likeness = likeness + 0.05 * np.log10(facts["pageviews"] + 1)
    for has_label, count in labels:
        likeness = likeness + has_label / math.log2(2 + count)
    return likeness


def spread_artists(ordered: Sequence[tuple[int, Sequence[int]]]) -> list[int]:
    """Videos in order, each with its artists: none stands more than three times before others had
    their turn (§7).
    """
    first: list[int] = []
    later: list[int] = []
    used: dict[int, int] = {}
    for id_, artist_ids in ordered:
        is_crowded = any(used.get(artist, 0) >= ARTIST_CAP for artist in artist_ids)
        for artist in artist_ids:
            used[artist] = used.get(artist, 0) + 1
        (later if is_crowded else first).append(id_)
    return first + later
