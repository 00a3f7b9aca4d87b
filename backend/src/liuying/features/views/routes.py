"""The call of play events (specification §7, docs/product.md#playback)."""

from __future__ import annotations

from litestar import post
from litestar.di import NamedDependency
from litestar.params import JSONBody

from liuying.core.catalogue.service import get_video
from liuying.features.views import rules
from liuying.features.views import service as views
from liuying.features.views.schemas import PlayEvent, PlayEventTaken
from liuying.kit.caller import Caller
from liuying.kit.clock import Clock
from liuying.kit.database import Database
from liuying.kit.envelope import Envelope
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


@post(
    "/api/play/event",
    status_code=200,
    sync_to_thread=True,
    opt=WRITING,
    responses=INVALID | MISSING | LIMITED | BODY | UNAVAILABLE,
    operation_id="reportPlayEvent",
    tags=["player"],
)
def post_play_event(
    database: NamedDependency[Database],
    clock: NamedDependency[Clock],
    hashes: NamedDependency[KeyedHashes],
    limits: NamedDependency[Limits],
    caller: NamedDependency[Caller],
    data: JSONBody[PlayEvent],
) -> Envelope[PlayEventTaken]:
    """Count a view, or record how well a video played. What is acknowledged is on disk."""
    limits.check(rules.PLAY_EVENTS, caller.network)
    now = clock()

    def is_allowed() -> bool:
        return limits.allows(rules.VIEWS, caller.network, data.id)

    with database.write() as connection:
        get_video(connection, data.id)
        if data.event == "view":
            viewer = caller.code or caller.network
            is_counted = views.count_view(connection, hashes, viewer, data.id, now, is_allowed)
        else:
            is_counted = views.note_health(connection, hashes, caller.network, data, now)
    return Envelope(PlayEventTaken(is_counted))


ROUTES = [post_play_event]
