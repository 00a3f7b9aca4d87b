"""Pictures of published films, decoded from our own renditions, wherever those are stored."""

from __future__ import annotations

from collections.abc import Sequence
from threading import BoundedSemaphore
from typing import TYPE_CHECKING

import sqlalchemy as sa

from liuying.core.catalogue.queries.videos import asset_key_row
from liuying.core.playback.queries.assets import place_of
from liuying.core.playback.queries.playable import rendition_rows
from liuying.kit.database import AnyRow, Database
from liuying.kit.errors import NotFoundError, TooManyRequestsError
from liuying.kit.object_store import ObjectStore
from liuying.media.frame import NoFrameError, decode_frame, segment_at
from liuying.media.packaged import PlaylistError, stored, stored_playlist

if TYPE_CHECKING:
    from PIL import Image

# Covers are no larger than this rendition's pictures.
SHORT_SIDE = 720
# Decoding keeps a core busy for a moment: one at a time in a process, the others wait so long.
WAIT_S = 20.0
_DECODING = BoundedSemaphore(1)


def frame_of(database: Database, objects: ObjectStore, video_id: int, moment: float) -> Image.Image:
    """What a film shows at a moment. Films that nobody may see have pictures too.

    Args:
        moment: Seconds from its beginning; beyond its end, its last picture.

    Raises:
        NotFoundError: No such video, or nothing of it can be played.
        TooManyRequestsError: Too many ask at the same time.
        MediaError: It cannot be decoded.
        OSError: The store does not answer.
    """
    with database.read() as connection:
        folder = _folder(connection, objects, video_id)
    try:
        read = stored(objects, folder)
        playlist = stored_playlist(read)
        segment, offset = segment_at(playlist, moment)
        piece = b"".join([*read(playlist.init), *read(segment)])
    except FileNotFoundError as error:  # Its files were moved or removed meanwhile.
        raise NotFoundError("视频的文件不在了") from error
    except PlaylistError as error:
        raise NoFrameError from error
    if not _DECODING.acquire(timeout=WAIT_S):
        raise TooManyRequestsError("正在取别的画面，请稍后再试", retry_after=5)
    try:
        return decode_frame(piece, offset)
    finally:
        _DECODING.release()


def _folder(connection: sa.Connection, objects: ObjectStore, video_id: int) -> str:
    """The keys of a film's rendition begin so."""
    found = asset_key_row(connection, video_id)
    if found is None:
        raise NotFoundError(f"没有编号为 {video_id} 的视频")
    rows = rendition_rows(connection, found.asset_key) if found.asset_key else ()
    if not rows:
        raise NotFoundError(f"视频 {video_id} 还不能播放")
    path = objects.media.key(_fitting(rows).path, place_of(connection, found.asset_key))
    return path.rpartition("/")[0] + "/"


def _fitting(rows: Sequence[AnyRow]) -> AnyRow:
    """The largest rendition that is not larger than a cover needs, or the lowest."""
    fitting = [row for row in rows if min(row.width, row.height) <= SHORT_SIDE]
    return max(fitting or rows[:1], key=lambda row: min(row.width, row.height))
