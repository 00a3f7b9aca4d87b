"""Computed orders: recommendations and similar videos. Pure and deterministic."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from liuying.core.catalogue.video_facts import Array
from liuying.kit.clock import DAY_MS, Milliseconds, day_number

POOL_SIZE = 12
BATCH_SIZE = 4
# Seeds are cyclic: the first one follows the last.
SEEDS = 1_000_000
CATEGORY_CAP = 3
ARTIST_CAP = 3
FRESH_MS = 14 * DAY_MS


def draw_pool(
    ids: Array, facts: Array, now: Milliseconds, seed: int, size: int = POOL_SIZE
) -> list[int]:
    """Draw a day's pool: popular and fresh videos are more likely, and no category dominates.

    Weighted sampling without replacement (Efraimidis and Spirakis 2006): the same videos, day and
    seed always give the same pool.

    Args:
        ids: Videos that may be drawn.
        facts: `video_facts.FACTS` of each.
        now: Determines the day.
        seed: Which pool of the day, from 0.
        size: Number of ids to draw.
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

    No batch repeats a video of the one before it, even across the pools of consecutive seeds; only
    with fewer than 8 videos this is impossible. If fewer videos than a pool's size are available,
    pools rotate so that every video has its turn.

    Args:
        ids: Videos that may be drawn, each once.
        facts: `video_facts.FACTS` of each.
        now: Determines the day.
        seed: Which pool of the day, from 0.
    """
    if len(ids) < POOL_SIZE:
        drawn = draw_pool(ids, facts, now, 0)
        shown = max(BATCH_SIZE, len(drawn) // BATCH_SIZE * BATCH_SIZE)
        start = seed * shown % max(1, len(drawn))
        return drawn[start:] + drawn[:start]
    drawn = draw_pool(ids, facts, now, seed)
    shown_last = set(draw_pool(ids, facts, now, (seed - 1) % SEEDS)[-BATCH_SIZE:])
    # The last batch stays as drawn, so that the next pool knows it without computing the earlier
    # ones.
    front, last = drawn[:-BATCH_SIZE], drawn[-BATCH_SIZE:]
    return sorted(front, key=lambda id_: id_ in shown_last) + last


def _uniform(ids: Array, day: int, seed: int) -> Array:
    """A number strictly between 0 and 1 for each video, mixed from all three as SplitMix64 does
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
    """How similar videos are to a given one: rare shared labels count most, then artist, category
    and popularity.

    Args:
        facts: `video_facts.FACTS` of each.
        category_id: Category of the given video.
        labels: For each of its labels, which of the videos share it and how many videos have it
            overall.
        has_same_artist: Which videos share one of its artists.
    """
    likeness: Array = 0.8 * has_same_artist + 0.6 * (facts["category_id"] == category_id)
    likeness = likeness + 0.05 * np.log10(facts["pageviews"] + 1)
    for has_label, count in labels:
        likeness = likeness + has_label / math.log2(2 + count)
    return likeness


def spread_artists(ordered: Sequence[tuple[int, Sequence[int]]]) -> list[int]:
    """Reorder videos so that no artist appears more than three times before others had their
    turn (§7).
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
