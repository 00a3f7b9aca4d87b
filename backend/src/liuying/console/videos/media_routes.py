"""Films played on the console, hidden, scheduled, locked and removed ones too.

The console reads the store itself, for a session and for nobody else: nothing that visitors cannot
reach becomes reachable on the site. Addresses inside playlists are relative, so a film's files lie
below one address of the console, which names the video instead of its asset.
"""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from litestar import Request, Response, get
from litestar.params import PathParameter
from litestar.types import ControllerRouterHandler

from liuying.console.access import needs
from liuying.console.given import GivenServices
from liuying.console.object_answers import answer_object
from liuying.console.videos import queries, service
from liuying.console.videos.schemas import VideoState
from liuying.core.playback.queries.assets import place_of
from liuying.core.playback.queries.playable import storyboard_of
from liuying.core.playback.service import list_audio_tracks, list_sources, list_subtitles
from liuying.features.operators.rules import Role
from liuying.installation.site_address import site_address
from liuying.kit.envelope import Envelope
from liuying.kit.errors import NotFoundError
from liuying.kit.object_keys import MEDIA_ADDRESS, MEDIA_NAME
from liuying.kit.responses import INVALID, MISSING, UNAUTHORIZED, PathIdentifier

FileName = Annotated[str, PathParameter(pattern=f"^/{MEDIA_NAME}$")]
PLAYER_PATH = "/playVideo"


class PlaybackTrack(msgspec.Struct, frozen=True):
    """A WebVTT track: BCP 47 tag, name, and where the console reads it."""

    lang: str
    label: str
    url: str


class Playback(msgspec.Struct, frozen=True, kw_only=True):
    """How the console plays a video. Addresses are the console's own.

    Attributes:
        playlist: The master playlist; empty while nothing can be played.
        progressive: One MP4, for browsers that cannot play the playlist; empty without one.
        has_audio_tracks: Whether the sound lies beside the pictures.
        subtitles: By language.
        storyboard: A WebVTT of small pictures; empty without one.
        site_url: Where visitors see it; empty where they do not, or the site's address is unknown.
    """

    playlist: str
    progressive: str
    has_audio_tracks: bool
    subtitles: list[PlaybackTrack]
    storyboard: str
    site_url: str


@get(
    "/api/videos/{video_id:int}/playback",
    sync_to_thread=True,
    summary="How a video is played on the console",
    opt=needs(Role.VIEWER),
    responses={**UNAUTHORIZED, **MISSING},
)
def get_playback(video_id: PathIdentifier, services: GivenServices) -> Envelope[Playback]:
    """Whoever may see it on the site."""
    with services.database.read() as connection:
        row = queries.rows_of(connection, [video_id]).get(video_id)
        if row is None:
            raise NotFoundError(f"没有编号为 {video_id} 的视频")
        key = row.asset_key
        sources = list_sources(connection, key, row.playlist) if key else []
        tracks = list_subtitles(connection, key) if key else []
        is_shown = service.row_view(row).state is VideoState.SHOWN
        site = site_address(services, connection) if is_shown else ""
        return Envelope(
            Playback(
                playlist=_address(video_id, row.playlist if sources else ""),
                progressive=_address(
                    video_id, next((one.url for one in sources if one.type == "video/mp4"), "")
                ),
                has_audio_tracks=bool(key and list_audio_tracks(connection, key)),
                subtitles=[
                    PlaybackTrack(one.lang, one.label, _address(video_id, one.url))
                    for one in tracks
                ],
                storyboard=_address(
                    video_id, (storyboard_of(connection, key) or "") if key else ""
                ),
                site_url=f"{site}{PLAYER_PATH}?id={video_id}" if site else "",
            )
        )


@get(
    "/api/videos/{video_id:int}/media/{name:path}",
    sync_to_thread=True,
    summary="A file of a video",
    opt=needs(Role.VIEWER),
    responses={**UNAUTHORIZED, **MISSING, **INVALID},
    media_type="application/octet-stream",
)
def get_media(
    video_id: PathIdentifier,
    name: FileName,
    request: Request[Any, Any, Any],
    services: GivenServices,
) -> Response[Any]:
    """One range of bytes, or the whole file."""
    with services.database.read() as connection:
        row = queries.rows_of(connection, [video_id]).get(video_id)
        if row is None or row.asset_key is None:
            raise NotFoundError(f"没有编号为 {video_id} 的视频，或它没有文件")
        place = place_of(connection, row.asset_key)
    key = services.objects.media.prefix(row.asset_key, place) + name.removeprefix("/")
    return answer_object(services.objects, key, key, request)


def _address(video_id: int, path: str) -> str:
    """Where the console reads a published file, by its path on the site; empty stays empty."""
    if not path:
        return ""
    return f"/api/videos/{video_id}/media/{path.removeprefix(MEDIA_ADDRESS).partition('/')[2]}"


ROUTES: list[ControllerRouterHandler] = [get_playback, get_media]
