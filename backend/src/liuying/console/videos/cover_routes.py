"""A video's cover: seen, taken from the film or given, and cut to what is wanted of it."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
import sqlalchemy as sa
from litestar import Response, get, put
from litestar.params import JSONBody, QueryParameter
from litestar.types import ControllerRouterHandler

from liuying.console.access import needs
from liuying.console.content.changing import (
    PICTURE_BODY_BYTES,
    PICTURE_BYTES,
    REFUSED,
)
from liuying.console.given import GivenActor, GivenServices
from liuying.console.videos import queries, service
from liuying.console.videos.schemas import VideoDetail
from liuying.core.catalogue.removed_videos import require_kept
from liuying.features.audit.service import Entry, noted
from liuying.features.operators.rules import Role
from liuying.installation.services import Services
from liuying.kit.encryption import EncryptionError, encrypted_name
from liuying.kit.envelope import Envelope
from liuying.kit.errors import InvalidInputError, NotFoundError
from liuying.kit.responses import INVALID, LIMITED, MISSING, UNAUTHORIZED, PathIdentifier
from liuying.media.chosen_cover import Crop, cover_of, shown_picture
from liuying.media.cover import open_picture
from liuying.media.errors import MediaError
from liuying.workflows.editing import edit_video
from liuying.workflows.frames import frame_of
from liuying.workflows.pictures import read_picture
from liuying.workflows.video_meta import GivenMeta

# A day: longer than any film.
LATEST_MS = 86_400_000
Moment = Annotated[int, msgspec.Meta(ge=0, le=LATEST_MS)]
At = Annotated[
    int, QueryParameter(ge=0, le=LATEST_MS, description="Milliseconds from the beginning.")
]
Given = Annotated[bytes, msgspec.Meta(description="JPEG, PNG or WebP; at most 8 MiB, in base64.")]


class CoverBody(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The cover that a video is to have: either a picture of the film or a given one.

    Attributes:
        at: Of the film, in milliseconds from its beginning.
        image: A given one.
        crop: The part of it that is wanted; None for the whole.
    """

    at: Moment | None = None
    image: Given | None = None
    crop: Crop | None = None


@get(
    "/api/videos/{video_id:int}/cover",
    sync_to_thread=True,
    summary="A video's cover",
    opt=needs(Role.VIEWER),
    responses={**UNAUTHORIZED, **MISSING},
    media_type="image/jpeg",
)
def get_cover(video_id: PathIdentifier, services: GivenServices) -> Response[bytes]:
    """As a picture: the store holds it encrypted."""
    with services.database.read() as connection:
        row = queries.rows_of(connection, [video_id]).get(video_id)
    cover = (row.cover or {}) if row else {}
    address = cover.get("jpeg") or cover.get("url")
    if not address:
        raise NotFoundError
    name = encrypted_name(address)
    try:
        plain = services.encryptor.open(read_picture(services.database, services.objects, name))
    except (EncryptionError, FileNotFoundError) as error:
        raise NotFoundError from error
    kind = "image/jpeg" if cover.get("jpeg") else cover["type"].partition(";")[0]
    # Its address does not change with it; its bytes do.
    headers = {"cache-control": "private, max-age=0, must-revalidate"}
    return Response(plain, media_type=kind, headers=headers)


@get(
    "/api/videos/{video_id:int}/frame",
    sync_to_thread=True,
    summary="What a film shows at a moment",
    opt=needs(Role.EDITOR),
    responses={**UNAUTHORIZED, **MISSING, **INVALID, **LIMITED},
    media_type="image/jpeg",
)
def get_frame(video_id: PathIdentifier, services: GivenServices, at: At) -> Response[bytes]:
    """Decoded at each call; beyond the end, the last picture."""
    try:
        picture = frame_of(services.database, services.objects, video_id, at / 1000)
    except MediaError as error:
        raise InvalidInputError(error.message, "at") from error
    return Response(shown_picture(picture), media_type="image/jpeg")


@put(
    "/api/videos/{video_id:int}/cover",
    sync_to_thread=True,
    summary="Give a video another cover",
    opt=needs(Role.EDITOR),
    responses={**REFUSED, **LIMITED},
    request_max_body_size=PICTURE_BODY_BYTES,
)
def set_cover(
    video_id: PathIdentifier,
    data: JSONBody[CoverBody],
    services: GivenServices,
    actor: GivenActor,
) -> Envelope[VideoDetail]:
    """As `liuying video edit --cover`."""
    with services.database.read() as connection:
        require_kept(connection, video_id)
        _require_moment(connection, video_id, data.at)
    cover = _cover(services, video_id, data)
    told: dict[str, Any] = {"cover": "新图片" if data.at is None else f"{_clock(data.at)} 的画面"}
    entry = Entry("video.edit", f"视频 {video_id}", None, told)
    with noted(services.database, services.clock, actor, entry):
        edit_video(services, video_id, GivenMeta(), cover)
    with services.database.read() as connection:
        return Envelope(service.video_detail(connection, video_id))


def _require_moment(connection: sa.Connection, video_id: int, moment: int | None) -> None:
    """Make sure that a film has a moment.

    Args:
        moment: Milliseconds from its beginning; None where none is asked for.

    Raises:
        InvalidInputError: It ended before.
    """
    row = queries.rows_of(connection, [video_id]).get(video_id)
    if moment is not None and row is not None and moment > row.duration:
        raise InvalidInputError(f"影片只有 {_clock(row.duration)}，没有这一刻的画面", "at")


def _cover(services: Services, video_id: int, data: CoverBody) -> bytes:
    """The new cover's file.

    Raises:
        InvalidInputError: Neither or both pictures are given, or it cannot be used.
    """
    if (data.at is None) == (data.image is None):
        raise InvalidInputError("请选择影片里的画面，或上传一张图片", "image")
    if data.image is not None and len(data.image) > PICTURE_BYTES:
        raise InvalidInputError(f"图片最大 {PICTURE_BYTES // 2**20} MB，请先缩小", "image")
    field = "at" if data.image is None else "image"
    try:
        if data.image is not None:
            picture = open_picture(data.image)
        else:
            picture = frame_of(services.database, services.objects, video_id, (data.at or 0) / 1000)
        field = "crop"
        return cover_of(picture, data.crop)
    except MediaError as error:
        raise InvalidInputError(error.message, field) from error


def _clock(moment: int) -> str:
    minutes, left = divmod(moment, 60_000)
    return f"{minutes}:{left / 1000:04.1f}"


ROUTES: list[ControllerRouterHandler] = [get_cover, get_frame, set_cover]
