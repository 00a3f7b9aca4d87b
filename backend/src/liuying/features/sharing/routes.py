"""Share-to-unlock: links of locked videos, their visits, and playing what is unlocked
(docs/product.md#sharing).
"""

from __future__ import annotations

from typing import Annotated

import sqlalchemy as sa
from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import JSONBody, QueryParameter

from liuying.core.catalogue import service as catalogue
from liuying.core.catalogue.age_gate import AgeAnswer, require_age
from liuying.core.catalogue.schemas import VideoItem
from liuying.core.catalogue.share_ids import ENCODED_LENGTH, decode_share_id, encode_share_id
from liuying.core.playback.signed_urls import LOCKED_MESSAGE
from liuying.core.playback.ways import ways_of
from liuying.core.visitors.service import ensure_visitor, find_visitor
from liuying.features.sharing import rules, service
from liuying.features.sharing.schemas import (
    SharedVideo,
    ShareLink,
    ShareState,
    ShareVisit,
    UnlockedPlay,
    UnlockedVideos,
    VisitCount,
)
from liuying.kit.caller import Caller
from liuying.kit.clock import Clock, Milliseconds, to_iso
from liuying.kit.database import AnyRow, Database
from liuying.kit.envelope import Envelope
from liuying.kit.errors import ForbiddenError, NotFoundError
from liuying.kit.identifiers import MAX_ID
from liuying.kit.keyed_hashes import KeyedHashes
from liuying.kit.limits import Limits
from liuying.kit.responses import (
    BODY,
    FORBIDDEN,
    INVALID,
    LIMITED,
    MISSING,
    UNAVAILABLE,
    WRITING,
    WithCode,
)

VideoId = Annotated[int, QueryParameter(name="id", ge=0, le=MAX_ID, description="A locked video.")]
EncodedId = Annotated[
    str,
    QueryParameter(
        name="id", max_length=64, description=f"The id of a share link, {ENCODED_LENGTH} signs."
    ),
]


@post(
    "/api/share/link",
    status_code=200,
    sync_to_thread=True,
    opt=WRITING,
    responses=INVALID | MISSING | LIMITED | BODY | UNAVAILABLE,
    operation_class=WithCode,
    operation_id="makeShareLink",
    tags=["sharing"],
)
def post_share_link(
    database: NamedDependency[Database],
    clock: NamedDependency[Clock],
    hashes: NamedDependency[KeyedHashes],
    caller: NamedDependency[Caller],
    limits: NamedDependency[Limits],
    data: JSONBody[SharedVideo],
) -> Envelope[ShareLink]:
    """The caller's own link of a locked video, made at the first call."""
    code, now = caller.required_code, clock()
    limits.check(rules.LINKS, caller.network)
    with database.write() as connection:
        _locked_video(connection, data.id)
        visitor_id = ensure_visitor(connection, hashes, code, now)
        share = service.make_share(connection, hashes, visitor_id, data.id, caller.network, now)
    encoded = encode_share_id(hashes, share.share_id)
    link = ShareLink(
        id=encoded,
        url=f"/playVideoShare?id={encoded}",
        ip_count=share.count,
        is_unlocked=share.is_unlocked,
    )
    return Envelope(link)


@get(
    "/api/share/check",
    sync_to_thread=True,
    responses=INVALID | MISSING,
    operation_id="checkShare",
    tags=["sharing"],
)
def check_share(
    database: NamedDependency[Database], hashes: NamedDependency[KeyedHashes], encoded: EncodedId
) -> Envelope[ShareState]:
    """Number of networks that visited a link. Read-only; the link of a list's tile has no
    visits.
    """
    share_id = decode_share_id(hashes, encoded)
    with database.read() as connection:
        catalogue.get_video(connection, share_id.video_id)
        count = service.find_share(connection, share_id).count if share_id.has_sharer else 0
    return Envelope(ShareState(ip_count=count, video_id=share_id.video_id))


@post(
    "/api/share/visit",
    status_code=200,
    sync_to_thread=True,
    opt=WRITING,
    responses=INVALID | MISSING | LIMITED | BODY | UNAVAILABLE,
    operation_id="visitShare",
    tags=["sharing"],
)
def visit_share(
    database: NamedDependency[Database],
    clock: NamedDependency[Clock],
    hashes: NamedDependency[KeyedHashes],
    caller: NamedDependency[Caller],
    limits: NamedDependency[Limits],
    data: JSONBody[ShareVisit],
) -> Envelope[VisitCount]:
    """Record a visit: counted once per network, never for the sharer, and never for a link
    without a sharer.
    """
    share_id = decode_share_id(hashes, data.id)
    if not share_id.has_sharer:
        return Envelope(VisitCount(0))
    limits.check(rules.VISITS, caller.network)
    with database.write() as connection:
        catalogue.get_video(connection, share_id.video_id)
        visitor_id = find_visitor(connection, hashes, caller.code) if caller.code else None
        count = service.count_visit(
            connection, hashes, share_id, caller.network, clock(), visitor_id
        )
    return Envelope(VisitCount(count))


@get(
    "/api/share/play",
    sync_to_thread=True,
    responses=INVALID | MISSING | FORBIDDEN | LIMITED,
    operation_class=WithCode,
    operation_id="playShared",
    tags=["sharing"],
)
def play_shared(
    database: NamedDependency[Database],
    clock: NamedDependency[Clock],
    hashes: NamedDependency[KeyedHashes],
    caller: NamedDependency[Caller],
    video_id: VideoId,
    age_answer: AgeAnswer = "",
) -> Envelope[UnlockedPlay]:
    """How a video plays that the caller has unlocked; of a gated one he has said his age, too."""
    code = caller.required_code
    with database.read() as connection:
        item, row = _locked_video(connection, video_id)
        if item.is_gated:
            require_age(age_answer)
        visitor_id = find_visitor(connection, hashes, code)
        share = (
            None if visitor_id is None else service.find_share_of(connection, visitor_id, video_id)
        )
        if share is None or not share.is_unlocked:
            raise ForbiddenError(LOCKED_MESSAGE)
        return Envelope(_unlocked_play(connection, hashes, row, clock()))


@get(
    "/api/share/unlocked",
    sync_to_thread=True,
    responses=INVALID | LIMITED,
    operation_class=WithCode,
    operation_id="listUnlocked",
    tags=["sharing"],
)
def list_unlocked(
    database: NamedDependency[Database],
    hashes: NamedDependency[KeyedHashes],
    caller: NamedDependency[Caller],
) -> Envelope[UnlockedVideos]:
    """The caller's shared and unlocked videos, for drawing locks."""
    with database.read() as connection:
        visitor_id = find_visitor(connection, hashes, caller.required_code)
        shares = [] if visitor_id is None else service.list_shares(connection, visitor_id)
    return Envelope(
        UnlockedVideos(
            ids=[one.share_id.video_id for one in shares if one.is_unlocked],
            counts={str(one.share_id.video_id): one.count for one in shares},
        )
    )


def _locked_video(connection: sa.Connection, video_id: int) -> tuple[VideoItem, AnyRow]:
    """A video that sharing unlocks.

    Raises:
        NotFoundError: It does not exist, is hidden, or is open to everybody.
    """
    item, row = catalogue.get_video(connection, video_id)
    if not item.is_locked:
        raise NotFoundError
    return item, row


def _unlocked_play(
    connection: sa.Connection, hashes: KeyedHashes, row: AnyRow, now: Milliseconds
) -> UnlockedPlay:
    ways = ways_of(connection, hashes, row.asset_key or "", row.playlist, now)
    return UnlockedPlay(
        video_path=ways.video_path,
        sources=ways.sources,
        audio_tracks=ways.audio_tracks,
        subtitles=ways.subtitles,
        storyboard=ways.storyboard,
        expires_at=to_iso(ways.signed_prefix.expires * 1000),
    )


ROUTES = [post_share_link, check_share, visit_share, play_shared, list_unlocked]
