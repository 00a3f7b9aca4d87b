"""Subtitles that a file carries as text: which tracks, in which language, and their way to WebVTT.

Pure. Tracks of pictures (DVD, Blu-ray) would have to be read by machine and are left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec
from av.stream import Stream

from liuying.media.ffmpeg import input_arguments

TEXT_CODECS = frozenset({"subrip", "srt", "ass", "ssa", "mov_text", "webvtt", "text"})
MOST_TRACKS = 8
# A day of dense dialogue is smaller.
MOST_BYTES = 4 * 1024 * 1024
UNKNOWN = ("und", "字幕")
# ISO 639 codes as files have them → BCP 47 tag and the name that a viewer reads.
LANGUAGES = {
    **dict.fromkeys(("zh", "chi", "zho", "cmn"), ("zh", "中文")),
    "yue": ("yue", "粤语"),
    **dict.fromkeys(("en", "eng"), ("en", "英语")),
    **dict.fromkeys(("ja", "jpn"), ("ja", "日语")),
    **dict.fromkeys(("ko", "kor"), ("ko", "韩语")),
    **dict.fromkeys(("fr", "fra", "fre"), ("fr", "法语")),
    **dict.fromkeys(("de", "deu", "ger"), ("de", "德语")),
    **dict.fromkeys(("es", "spa"), ("es", "西班牙语")),
    **dict.fromkeys(("pt", "por"), ("pt", "葡萄牙语")),
    **dict.fromkeys(("it", "ita"), ("it", "意大利语")),
    **dict.fromkeys(("ru", "rus"), ("ru", "俄语")),
    **dict.fromkeys(("ar", "ara"), ("ar", "阿拉伯语")),
    **dict.fromkeys(("th", "tha"), ("th", "泰语")),
    **dict.fromkeys(("vi", "vie"), ("vi", "越南语")),
    **dict.fromkeys(("id", "ind"), ("id", "印尼语")),
    **dict.fromkeys(("ms", "msa", "may"), ("ms", "马来语")),
}
# How titles of Chinese tracks tell the script; nothing else of a title is used.
SIMPLIFIED, TRADITIONAL = ("简", "簡體", "chs", "hans", "simplified"), ("繁", "cht", "hant", "traditional")


class SubtitleTrack(msgspec.Struct, frozen=True, kw_only=True):
    """A track to publish.

    Attributes:
        index: Number of the stream in the file.
        lang: BCP 47 tag, different for each track of a file.
        label: What a viewer chooses by.
    """

    index: int
    lang: str
    label: str


def tracks_of(streams: Sequence[Stream]) -> tuple[SubtitleTrack, ...]:
    """The text tracks of a file, the first of each language by its name, others with a number."""
    found: list[SubtitleTrack] = []
    seen: dict[str, int] = {}
    for stream in streams:
        context = stream.codec_context
        if context is None or context.name not in TEXT_CODECS or len(found) == MOST_TRACKS:
            continue
        lang, label = language_of(stream.language or "", str(stream.metadata.get("title", "")))
        seen[lang] = number = seen.get(lang, 0) + 1
        if number > 1:
            lang, label = f"{lang}-x-{number}", f"{label} {number}"
        found.append(SubtitleTrack(index=stream.index, lang=lang, label=label))
    return tuple(found)


def language_of(code: str, title: str) -> tuple[str, str]:
    """BCP 47 tag and name of a track.

    Args:
        code: The file's language code, ISO 639; empty where there is none.
        title: The track's title.
    """
    lang, label = LANGUAGES.get(code.lower(), UNKNOWN)
    said = title.lower()
    if lang in {"zh", "und"}:
        if any(sign in said for sign in TRADITIONAL):
            return "zh-Hant", "繁体中文"
        if any(sign in said for sign in SIMPLIFIED):
            return "zh-Hans", "简体中文"
    return lang, label


def track_arguments(source: Path, tracks: Sequence[SubtitleTrack], pattern: str) -> list[str]:
    """The transcoder's command line: all tracks in one pass over the file.

    Args:
        source: The operator's file.
        tracks: Which ones.
        pattern: Names of the files in the job folder, with `%s` for the language.
    """
    arguments = input_arguments(source)
    for track in tracks:
        arguments += ["-map", f"0:{track.index}", "-c:s", "webvtt", "-map_metadata", "-1", "-fflags", "+bitexact"]
        arguments += ["-f", "webvtt", f"file:{pattern % track.lang}"]
    return arguments


def is_worth_publishing(document: Path) -> bool:
    """Whether a converted track holds anything, and not absurdly much."""
    return document.is_file() and document.stat().st_size <= MOST_BYTES and b"-->" in document.read_bytes()
