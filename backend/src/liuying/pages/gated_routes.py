"""Calls of the age gate: what lists and pages do not say of gated videos
(docs/product.md#age-gate).

Their answers are for those alone who have said their age, and are never cached. They have addresses
of their own, so that no cache can take one of them for the answer that everybody gets.
"""

from __future__ import annotations

import base64
from typing import Annotated

from litestar import get
from litestar.di import NamedDependency
from litestar.params import QueryParameter

from liuying.core.catalogue.age_gate import AgeAnswer, require_age
from liuying.core.catalogue.sort_index import SortIndex
from liuying.kit.clock import Clock
from liuying.kit.database import Database
from liuying.kit.encryption import GATED_KEY, gated_key
from liuying.kit.envelope import Envelope
from liuying.kit.keyed_hashes import KeyedHashes
from liuying.kit.responses import FORBIDDEN, INVALID, MISSING, PathIdentifier
from liuying.pages import player
from liuying.pages.schemas import GatedPlay, GatedVideos

# A page of a list, and home, have fewer.
MOST = 100
VideoIds = Annotated[
    str,
    QueryParameter(
        pattern=rf"^[1-9]\d{{0,8}}(,[1-9]\d{{0,8}}){{0,{MOST - 1}}}$",
        description=f"Numbers of up to {MOST} videos, with commas between them.",
    ),
]


@get(
    "/api/gated/videos",
    sync_to_thread=True,
    responses=INVALID | FORBIDDEN,
    operation_id="listGatedVideos",
    tags=["age gate"],
)
def get_gated_videos(
    database: NamedDependency[Database],
    clock: NamedDependency[Clock],
    hashes: NamedDependency[KeyedHashes],
    ids: VideoIds,
    age_answer: AgeAnswer = "",
) -> Envelope[GatedVideos]:
    """Covers and paths of the gated ones among some listed videos."""
    require_age(age_answer)
    numbers = [int(one) for one in ids.split(",")]
    with database.read() as connection:
        found = player.gated_videos(connection, hashes, numbers, clock())
    return Envelope(GatedVideos(_keys(hashes), found))


@get(
    "/api/gated/videoplay/{video_id:int}",
    sync_to_thread=True,
    responses=INVALID | FORBIDDEN | MISSING,
    operation_id="getGatedPlayInfo",
    tags=["age gate"],
)
def get_gated_play_info(
    database: NamedDependency[Database],
    clock: NamedDependency[Clock],
    hashes: NamedDependency[KeyedHashes],
    sort_index: NamedDependency[SortIndex],
    video_id: PathIdentifier,
    age_answer: AgeAnswer = "",
) -> Envelope[GatedPlay]:
    """Everything on a gated video's page."""
    require_age(age_answer)
    with database.read() as connection:
        play = player.gated_play_info(connection, sort_index, hashes, video_id, clock())
    return Envelope(GatedPlay(_keys(hashes), play))


def _keys(hashes: KeyedHashes) -> dict[str, str]:
    return {str(GATED_KEY): base64.b64encode(gated_key(hashes)).decode()}


ROUTES = [get_gated_videos, get_gated_play_info]
