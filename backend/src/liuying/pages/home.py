"""Home: a block for each category and a pool of recommendations, no video in both (decisions §7)."""

from __future__ import annotations

import msgspec
import sqlalchemy as sa

from liuying.domains.ads.schemas import AdView
from liuying.domains.ads.service import AdPolicy, list_ads
from liuying.domains.catalogue import queries, service
from liuying.domains.catalogue.ranking import POOL_SIZE, Candidate, draw_pool
from liuying.domains.catalogue.schemas import CategoryView, VideoItem
from liuying.domains.catalogue.tables import video
from liuying.kit.clock import Milliseconds, day_number
from liuying.pages.schemas import HomeBlock, Recommendation

BLOCK_SIZE = 4
BATCH_SIZE = 4
# An advertisement opens every second block.
AD_EVERY = 2
# How many of the most seen and of the newest may be drawn: bounded work, whatever the size of the catalogue.
CANDIDATES = 400
# Seeds go round: the last one is followed by the first.
SEEDS = 1_000_000


class HomeSplit(msgspec.Struct, frozen=True):
    """Which videos stand in the blocks; the rest may be recommended."""

    blocks: list[tuple[CategoryView, list[VideoItem]]]
    pool: list[int]


def list_blocks(connection: sa.Connection, now: Milliseconds, policy: AdPolicy) -> list[HomeBlock]:
    """The blocks of home: up to 4 of the newest videos a category, an advertisement first in every second block."""
    ads = list_ads(connection, "LIST", now, policy)
    blocks: list[HomeBlock] = []
    for index, (category, videos) in enumerate(split_home(connection, now, 0).blocks):
        items: list[VideoItem | AdView] = list(videos)
        if ads and index % AD_EVERY == 1:
            items.insert(0, ads[index // AD_EVERY % len(ads)])
        blocks.append(HomeBlock(id=category.id, name=category.name, type_id=category.id, items=items))
    return blocks


def recommend(connection: sa.Connection, category_id: int, seed: int, now: Milliseconds) -> Recommendation:
    """A pool of up to 12 videos for a day and a seed, of all categories (0) or of one."""
    if category_id:
        candidates = _candidates(connection, queries.in_category(category_id), now)
        ids = draw_pool(candidates, day_number(now), seed)
    else:
        ids = split_home(connection, now, seed).pool
    return Recommendation(data=service.items_by_id(connection, ids), seed=seed, next_seed=(seed + 1) % SEEDS)


def split_home(connection: sa.Connection, now: Milliseconds, seed: int) -> HomeSplit:
    """Share the newest videos out between blocks and recommendations.

    What the blocks show is never recommended. Where so little is left that one batch stays short, the batch is
    filled from the blocks' videos, which then leave their block: still nothing stands twice.
    """
    blocks: list[tuple[CategoryView, list[VideoItem]]] = []
    for category in service.list_categories(connection):
        rows = queries.video_rows(connection, queries.in_category(category.id), "new", 0, BLOCK_SIZE)
        blocks.append((category, service.items_from_rows(connection, rows)))
    shown = {item.id for _, items in blocks for item in items}
    where = queries.in_category(None)
    free = [one for one in _candidates(connection, where, now) if one.id not in shown]
    pool = draw_pool(free, day_number(now), seed, POOL_SIZE)
    if len(pool) < BATCH_SIZE:
        # The last of each block first, so that no block is emptied before the others.
        by_place = sorted(
            ((place, -index, item.id) for index, (_, items) in enumerate(blocks) for place, item in enumerate(items)),
            reverse=True,
        )
        pool += [id_ for _, _, id_ in by_place[: BATCH_SIZE - len(pool)]]
        blocks = [(category, [item for item in items if item.id not in pool]) for category, items in blocks]
    return HomeSplit(blocks=[(category, items) for category, items in blocks if items], pool=pool)


def _candidates(connection: sa.Connection, where: sa.ColumnElement[bool], now: Milliseconds) -> list[Candidate]:
    found: dict[int, Candidate] = {}
    for order in ("hot", "new"):
        statement = (
            sa.select(video.c.id, video.c.category_id, video.c.pageviews, video.c.created_at)
            .where(where)
            .order_by(*queries.ordering(order))
            .limit(CANDIDATES)
        )
        for row in connection.execute(statement):
            found[row.id] = Candidate(row.id, row.category_id, row.pageviews, now - row.created_at)
    return list(found.values())
