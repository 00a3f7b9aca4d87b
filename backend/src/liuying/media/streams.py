"""Choosing a file's streams: players choose by order and are often wrong."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from liuying.media.errors import NoVideoStreamError

if TYPE_CHECKING:
    from av.audio.stream import AudioStream
    from av.video.stream import VideoStream

PREFERRED_LANGUAGES = frozenset({"zho", "chi", "zh", "cmn", "yue"})
STILL_CODECS = frozenset({"mjpeg", "png", "bmp", "gif", "webp", "tiff"})


def choose_video(streams: list[VideoStream]) -> VideoStream:
    """The stream with the most pixels that is not a cover picture; the first among equals.

    Raises:
        NoVideoStreamError: There is none.
    """
    from av.stream import Disposition

    moving = [
        one
        for one in streams
        if one.codec_context is not None
        and not one.disposition & (Disposition.attached_pic | Disposition.timed_thumbnails)
    ]
    # A thumbnail that is not marked as one must not win by its size; but a film of JPEG pictures
    # only is a film.
    moving = [one for one in moving if one.codec_context.name not in STILL_CODECS] or moving
    if not moving:
        raise NoVideoStreamError
    return max(moving, key=lambda one: (one.width * one.height, -one.index))


def usable_audio(streams: Sequence[AudioStream]) -> list[AudioStream]:
    """The streams that can be decoded."""
    return [one for one in streams if one.codec_context is not None and one.codec_context.channels]


def choose_audio(streams: list[AudioStream]) -> AudioStream | None:
    """The audio stream that a Chinese-speaking viewer expects: by language, the file's default,
    then fidelity.
    """

    from av.stream import Disposition

    def worth(one: AudioStream) -> tuple[bool, bool, bool, int, int]:
        side_track = (
            Disposition.comment | Disposition.hearing_impaired | Disposition.visual_impaired
        )
        return (
            not one.disposition & side_track,
            one.language in PREFERRED_LANGUAGES,
            bool(one.disposition & Disposition.default),
            one.codec_context.rate or 0,
            -one.index,
        )

    return max(usable_audio(streams), key=worth, default=None)
