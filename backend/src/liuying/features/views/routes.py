"""The call of play events (specification §7, docs/product.md#playback). Most views are answered in
front of it (`http/plain_views.py`).
"""

from __future__ import annotations

import sqlalchemy as sa
from litestar import post
from litestar.concurrency import sync_to_thread
from litestar.di import NamedDependency
from litestar.params import JSONBody

from liuying.core.catalogue.service import get_video
from liuying.features.views import rules
from liuying.features.views import service as views
from liuying.features.views.batch import ViewBatch
from liuying.features.views.schemas import PlayEvent, PlayEventTaken
from liuying.features.views.service import View
from liuying.kit.caller import Caller
from liuying.kit.clock import Clock
from liuying.kit.database import Database
from liuying.kit.envelope import Envelope
from liuying.kit.errors import NotFoundError
from liuying.kit.keyed_hashes import KeyedHashes
from liuying.kit.limits import Limits
from liuying.kit.responses import (
    BODY,
    INVALID,
    LIMITED,
    MISSING,
    UNAVAILABLE,
    WRITING,
)

PATH = "/api/play/event"


@post(
    PATH,
    status_code=200,
    opt=WRITING,
    responses=INVALID | MISSING | LIMITED | BODY | UNAVAILABLE,
    operation_id="reportPlayEvent",
    tags=["player"],
)
async def post_play_event(
    database: NamedDependency[Database],
    clock: NamedDependency[Clock],
    hashes: NamedDependency[KeyedHashes],
    limits: NamedDependency[Limits],
    view_batch: NamedDependency[ViewBatch],
    caller: NamedDependency[Caller],
    data: JSONBody[PlayEvent],
) -> Envelope[PlayEventTaken]:
    """Count a view, or record how well a video played. What is acknowledged is on disk; on
    PostgreSQL within a second.
    """
    if data.event == "view":
        return Envelope(PlayEventTaken(await view_batch.count(View.by(caller, data.id))))

    def note_health() -> bool:
        limits.check(rules.PLAY_EVENTS, caller.network)
        try:
            with database.write() as connection:
                get_video(connection, data.id)
                return views.note_health(connection, hashes, caller.network, data, clock())
        except sa.exc.IntegrityError as error:
            raise NotFoundError from error  # Removed for good since it was looked at.

    return Envelope(PlayEventTaken(await sync_to_thread(note_health)))


ROUTES = [post_play_event]
