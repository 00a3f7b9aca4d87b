"""What happens to a catalogue while it is measured: a process beside it adds, removes and views
videos.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.synchronize import Event
from typing import Any

import sqlalchemy as sa

from liuying.core.catalogue.tables import video
from liuying.features.views.tables import view_pending
from liuying.kit.changes import CacheTopic, record_change
from liuying.kit.clock import system_clock
from liuying.kit.database import Database
from liuying.pages.ranks import aggregate_views
from liuying.workflows.indexing import reindex_videos
from liuying_seeding.videos import CATEGORIES

WRITES_A_SECOND, VIEWED_A_SECOND, TURNS_A_SECOND = 100, 1000, 10


def churn(url: str, videos: int, stop: Event, written: Any) -> None:
    """Write until told to stop, in another process. `written`: videos added, removed, and changes
    of views.
    """
    database, dice = Database(url), random.Random(3)  # noqa: S311  # no secret
    added = videos
    began = time.monotonic()
    for turn in range(10**9):
        if stop.is_set():
            break
        some = WRITES_A_SECOND // TURNS_A_SECOND
        with database.write() as connection:
            now = system_clock()
            ids = [added + number for number in range(1, some + 1)]
            fresh = [
                {
                    "id": video_id,
                    "title": f"新片 {video_id}",
                    "category_id": dice.randrange(CATEGORIES) + 1,
                    "is_listed": True,
                    "created_at": now - dice.randrange(10**10),
                    "updated_at": now,
                    "pageviews": dice.randrange(2000),
                }
                for video_id in ids
            ]
            gone = [dice.randrange(videos) + 1 for _ in range(some)]
            connection.execute(sa.insert(video), fresh)
            connection.execute(sa.delete(video).where(video.c.id.in_(gone)))
            reindex_videos(connection, [*ids, *gone])
            record_change(connection, CacheTopic.CATALOGUE)
        added += some
        if turn % TURNS_A_SECOND == TURNS_A_SECOND - 1:
            seen = dice.sample(range(1, videos + 1), min(VIEWED_A_SECOND, videos))
            with database.write() as connection:
                there = set(
                    connection.execute(sa.select(video.c.id).where(video.c.id.in_(seen))).scalars()
                )
                rows = [{"video_id": one, "views": dice.randrange(1, 50)} for one in there]
                connection.execute(sa.insert(view_pending), rows)
            aggregate_views(database, system_clock())
            written[2] += len(rows)
        written[0] += some
        written[1] += some
        time.sleep(max(0.0, began + (turn + 1) / TURNS_A_SECOND - time.monotonic()))
    database.close()


@contextmanager
def churning(url: str, videos: int) -> Iterator[Any]:
    """The other process, until the block ends."""
    context = get_context("spawn")
    stop, written = context.Event(), context.Array("l", 3)
    process = context.Process(target=churn, args=(url, videos, stop, written))
    process.start()
    try:
        while not written[2]:  # until it writes
            if process.exitcode is not None:
                raise RuntimeError("the writing process ended")
            time.sleep(0.05)
        yield written
    finally:
        stop.set()
        process.join()
