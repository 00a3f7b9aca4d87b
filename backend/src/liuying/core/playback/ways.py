"""How an asset plays for a visitor who has a right to it: its addresses, signed where its files are
protected.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

import msgspec
import sqlalchemy as sa

from liuying.core.playback.queries import playable
from liuying.core.playback.schemas import AudioTrackView, SourceView, SubtitleView
from liuying.core.playback.service import list_audio_tracks, list_sources, list_subtitles
from liuying.core.playback.signed_urls import SignedPrefix, sign_prefix, signed_path
from liuying.kit.clock import Milliseconds
from liuying.kit.keyed_hashes import KeyedHashes


class Ways(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that leads to an asset's files.

    Attributes:
        video_path: Path of the master playlist.
        signed_prefix: What the paths carry, if its files are protected.
    """

    video_path: str
    sources: list[SourceView]
    audio_tracks: list[AudioTrackView]
    subtitles: list[SubtitleView]
    storyboard: str | None
    signed_prefix: SignedPrefix


def ways_of(
    connection: sa.Connection,
    hashes: KeyedHashes,
    asset_key: str,
    playlist: str,
    now: Milliseconds,
) -> Ways:
    """The ways to play an asset. Where its files are not protected yet, they play from the open
    place.
    """
    prefix = sign_prefix(hashes, asset_key, now)
    is_protected = playable.is_protected(connection, asset_key)

    def address(path: str) -> str:
        return signed_path(prefix, path) if is_protected else path

    storyboard = playable.storyboard_of(connection, asset_key)
    return Ways(
        video_path=address(playlist),
        sources=[
            msgspec.structs.replace(one, url=address(one.url))
            for one in list_sources(connection, asset_key, playlist)
        ],
        audio_tracks=[
            msgspec.structs.replace(one, url=address(one.url))
            for one in list_audio_tracks(connection, asset_key)
        ],
        subtitles=[
            msgspec.structs.replace(one, url=address(one.url))
            for one in list_subtitles(connection, asset_key)
        ],
        storyboard=address(storyboard) if storyboard else None,
        signed_prefix=prefix,
    )


def playlist_addresses(
    connection: sa.Connection,
    hashes: KeyedHashes,
    asset_keys: Collection[str],
    now: Milliseconds,
) -> Callable[[str, str], str]:
    """How the master playlists of several assets are reached: (asset, path) → address."""
    protected = playable.protected_among(connection, asset_keys)

    def address(asset_key: str, path: str) -> str:
        if asset_key not in protected:
            return path
        return signed_path(sign_prefix(hashes, asset_key, now), path)

    return address
