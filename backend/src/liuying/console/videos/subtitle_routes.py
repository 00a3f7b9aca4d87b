"""A video's subtitles, as `liuying video subtitles`."""

from __future__ import annotations

from typing import Annotated

import msgspec
from litestar import delete, put
from litestar.params import JSONBody, PathParameter
from litestar.types import ControllerRouterHandler

from liuying.console.access import needs
from liuying.console.content.changing import REFUSED
from liuying.console.given import GivenActor, GivenServices
from liuying.console.videos.schemas import SubtitleTrack
from liuying.core.catalogue.queries.videos import asset_key_row
from liuying.core.playback.queries.playable import subtitle_rows
from liuying.features.audit.service import Entry, noted
from liuying.features.operators.rules import Role
from liuying.installation.services import Services
from liuying.kit.envelope import Envelope
from liuying.kit.errors import InvalidInputError
from liuying.kit.responses import PathIdentifier
from liuying.media.subtitles import language_of_name
from liuying.media.webvtt import MAX_BYTES, TOO_LARGE, SubtitleError
from liuying.workflows.subtitle_files import set_subtitle, set_track

# Base64 takes four signs for three bytes.
BODY_BYTES = MAX_BYTES * 4 // 3 + 64 * 1024
Language = Annotated[str, msgspec.Meta(min_length=1, max_length=24)]
Tag = Annotated[str, PathParameter(pattern="^[0-9A-Za-z-]{1,24}$", description="BCP 47.")]
Content = Annotated[
    bytes, msgspec.Meta(description="SubRip, WebVTT, ASS or SSA; at most 4 MiB, in base64.")
]


class SubtitleBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Subtitles in a language: `zh-Hans`, `en`, or as names of files have it."""

    language: Language
    content: Content


@put(
    "/api/videos/{video_id:int}/subtitles",
    sync_to_thread=True,
    summary="Add or replace subtitles in a language",
    opt=needs(Role.EDITOR),
    responses=REFUSED,
    request_max_body_size=BODY_BYTES,
)
def put_subtitle(
    video_id: PathIdentifier,
    data: JSONBody[SubtitleBody],
    services: GivenServices,
    actor: GivenActor,
) -> Envelope[list[SubtitleTrack]]:
    """Answers all tracks of the video."""
    named = language_of_name(data.language)
    if named is None:
        raise InvalidInputError("语言无法识别，例如 zh-Hans、zh-Hant、en", "language")
    if len(data.content) > MAX_BYTES:
        raise InvalidInputError(f"字幕文件{TOO_LARGE}", "content")
    known = {one.lang: one.label for one in _tracks(services, video_id)}
    before = {"subtitle": known[named[0]]} if named[0] in known else None
    entry = Entry("video.subtitles", f"视频 {video_id}", before, {"subtitle": named[1]})
    try:
        with noted(services.database, services.clock, actor, entry):
            set_subtitle(services, video_id, data.language, data.content)
    except SubtitleError as error:
        raise InvalidInputError(f"字幕文件不能用：{error.message}", "content") from error
    return Envelope(_tracks(services, video_id))


@delete(
    "/api/videos/{video_id:int}/subtitles/{lang:str}",
    status_code=200,
    sync_to_thread=True,
    summary="Remove the subtitles of a language",
    opt=needs(Role.EDITOR),
    responses=REFUSED,
)
def delete_subtitle(
    video_id: PathIdentifier, lang: Tag, services: GivenServices, actor: GivenActor
) -> Envelope[list[SubtitleTrack]]:
    """Answers the tracks that are left."""
    known = {one.lang: one.label for one in _tracks(services, video_id)}
    entry = Entry("video.subtitles", f"视频 {video_id}", {"subtitle": known.get(lang, lang)})
    with noted(services.database, services.clock, actor, entry):
        set_track(services, video_id, lang, "", None)
    return Envelope(_tracks(services, video_id))


def _tracks(services: Services, video_id: int) -> list[SubtitleTrack]:
    with services.database.read() as connection:
        found = asset_key_row(connection, video_id)
        key = found.asset_key if found else None
        rows = subtitle_rows(connection, key) if key else ()
        return [SubtitleTrack(row.lang, row.label) for row in rows]


ROUTES: list[ControllerRouterHandler] = [put_subtitle, delete_subtitle]
