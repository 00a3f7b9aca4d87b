"""Home: a block per category and a pool of recommendations, without a video in both
(docs/product.md#operator).
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np
import sqlalchemy as sa

from liuying.core.catalogue import service
from liuying.core.catalogue.ranking import POOL_SIZE, SEEDS, pool_in_batches
from liuying.core.catalogue.rules import ALL_CATEGORIES
from liuying.core.catalogue.schemas import CategoryView, VideoItem
from liuying.core.catalogue.sort_index import SortIndex
from liuying.core.catalogue.sort_orders import SORT_ORDERS
from liuying.core.catalogue.video_facts import Array
from liuying.features.ads.schemas import AdView
from liuying.features.ads.service import AdPolicy, list_ads
from liuying.kit.clock import Milliseconds
from liuying.pages.schemas import HomeBlock, Recommendation

BLOCK_SIZE = 4
# What a block keeps if its videos are needed to fill the pool.
KEPT_IN_BLOCK = 2
# Every second block begins with an advertisement.
AD_EVERY = 2
# Number of most watched and of newest candidates: bounded work, whatever the catalogue's size.
CANDIDATES = 400


class HomeSplit(msgspec.Struct, frozen=True):
    """Which videos are in the blocks; the others may be recommended."""

    blocks: list[tuple[CategoryView, list[int]]]
    pool: list[int]


def list_blocks(
    connection: sa.Connection, orders: SortIndex, now: Milliseconds, policy: AdPolicy
) -> list[HomeBlock]:
    """The blocks of home: 2 to 4 of the newest videos per category, with an advertisement first
    in every second block.
    """
    ads = list_ads(connection, "LIST", now, policy)
    split = split_home(connection, orders, now, 0)
    shown = [id_ for _, ids in split.blocks for id_ in ids]
    videos = {item.id: item for item in service.items_by_id(connection, orders, shown)}
    blocks: list[HomeBlock] = []
    for category, ids in split.blocks:
        items: list[VideoItem | AdView] = [videos[id_] for id_ in ids if id_ in videos]
        if not items:
            continue
        if ads and len(blocks) % AD_EVERY == 1:
            items.insert(0, ads[len(blocks) // AD_EVERY % len(ads)])
        blocks.append(
            HomeBlock(id=category.id, name=category.name, type_id=category.id, items=items)
        )
    return blocks


def recommend(
    connection: sa.Connection, orders: SortIndex, category_id: int, seed: int, now: Milliseconds
) -> Recommendation:
    """A pool of up to 12 videos for a day and a seed, from all categories (0) or one."""
    if category_id:
        ids = pool_in_batches(*_candidates(connection, orders, category_id), now, seed)
    else:
        ids = split_home(connection, orders, now, seed).pool
    return Recommendation(
        data=service.items_by_id(connection, orders, ids), seed=seed, next_seed=(seed + 1) % SEEDS
    )


def split_home(
    connection: sa.Connection, orders: SortIndex, now: Milliseconds, seed: int
) -> HomeSplit:
    """Distribute the newest videos over blocks and recommendations.

    Videos in the blocks are never recommended. If the others do not fill the pool, the blocks give
    up their last videos and keep 2 each; these are the same for every seed, so that nothing appears
    twice.
    """
    blocks = [
        (category, orders.leading(connection, category.id, "new", BLOCK_SIZE))
        for category in service.list_categories(connection)
    ]
    shown = {id_ for _, ids in blocks for id_ in ids}
    ids, facts = _candidates(connection, orders, ALL_CATEGORIES)
    is_free = ~np.isin(ids, list(shown))
    ids, facts = ids[is_free], facts[is_free]
    if len(ids) < POOL_SIZE:
        given = _tails([ids for _, ids in blocks])[: POOL_SIZE - len(ids)]
        ids, facts = orders.facts_of(connection, [*ids.tolist(), *given])
        blocks = [(category, [one for one in own if one not in given]) for category, own in blocks]
    return HomeSplit(
        blocks=[(category, own) for category, own in blocks if own],
        pool=pool_in_batches(ids, facts, now, seed),
    )


def _tails(blocks: Sequence[Sequence[int]]) -> list[int]:
    """What blocks may give up, starting with the last block. Each gives everything before the
    next one gives: a block of four or two fills its rows on a phone, one of three does not.
    """
    return [id_ for block in reversed(blocks) for id_ in reversed(block[KEPT_IN_BLOCK:])]


def _candidates(
    connection: sa.Connection, orders: SortIndex, category_id: int
) -> tuple[Array, Array]:
    ids = [
        id_
        for order in SORT_ORDERS
        for id_ in orders.leading(connection, category_id, order, CANDIDATES)
    ]
    return orders.facts_of(connection, ids)
