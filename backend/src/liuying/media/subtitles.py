"""Subtitles of a video, in it or beside it: which tracks, in which language, and their way to
WebVTT.

Pure. Tracks of pictures (DVD, Blu-ray) would have to be read by machine and are left out.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from liuying.media.ffmpeg import input_arguments

if TYPE_CHECKING:
    from av.stream import Stream

TEXT_CODECS = frozenset({"subrip", "srt", "ass", "ssa", "mov_text", "webvtt", "text"})
MAX_TRACKS = 8
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
SIMPLIFIED, TRADITIONAL = (
    ("简", "簡體", "chs", "hans", "simplified"),
    ("繁", "cht", "hant", "traditional"),
)
# Regions and scripts as names of files have them (`clip.zh-TW.srt`, `clip.chs.srt`) → what
# `language_of` knows.
SCRIPTS = {
    **dict.fromkeys(("cn", "sg", "chs", "hans", "sc"), "hans"),
    **dict.fromkeys(("tw", "hk", "mo", "cht", "hant", "tc"), "hant"),
}
# What names say beside the language: nothing, or of which kind a track is.
NAMED_KINDS = {
    "default": "",
    "forced": "forced",
    "foreign": "forced",
    "强制": "forced",
    "特效": "",
    "sdh": "sdh",
    "cc": "sdh",
    "听障": "sdh",
}
# Kind → what is added to the tag, and to what a viewer reads.
KINDS = {"forced": ("f", "强制"), "sdh": ("h", "听障")}
# Languages by their names, as files have them.
NAMED_LANGUAGES = {
    **dict.fromkeys(("中文", "中字", "汉语", "国语", "普通话", "chinese", "mandarin"), "zh"),
    **dict.fromkeys(("粤语", "粵語", "cantonese"), "yue"),
    **dict.fromkeys(("英文", "英语", "英語", "英字", "english"), "en"),
    **dict.fromkeys(("日文", "日语", "日語", "japanese"), "ja"),
    **dict.fromkeys(("韩文", "韩语", "韓文", "韓語", "korean"), "ko"),
    **dict.fromkeys(("法文", "法语", "法語", "french"), "fr"),
    **dict.fromkeys(("德文", "德语", "德語", "german"), "de"),
    **dict.fromkeys(("西班牙文", "西班牙语", "spanish"), "es"),
    **dict.fromkeys(("葡萄牙语", "portuguese"), "pt"),
    **dict.fromkeys(("意大利语", "italian"), "it"),
    **dict.fromkeys(("俄文", "俄语", "russian"), "ru"),
    **dict.fromkeys(("泰文", "泰语", "thai"), "th"),
    **dict.fromkeys(("越南语", "vietnamese"), "vi"),
    # Two languages in one file: the Chinese one counts.
    **dict.fromkeys(("中英", "双语", "雙語", "中日", "中韩"), "zh"),
}
BOTH_LANGUAGES = re.compile("[&+]")
LANGUAGE_CODE = re.compile(r"[a-z]{2,3}(-[a-z0-9]{2,8})*", re.ASCII)


class Track(msgspec.Struct, frozen=True, kw_only=True):
    """A track to publish.

    Attributes:
        lang: BCP 47 tag.
        label: What a viewer chooses by.
    """

    lang: str
    label: str


class SubtitleTrack(Track, frozen=True, kw_only=True):
    """A track in the video's file; `index` is the number of its stream."""

    index: int


class GivenTrack(Track, frozen=True, kw_only=True):
    """A track from a file of its own; `document` is WebVTT as `webvtt_of` writes it."""

    document: str


def named_track(name: str) -> Track | None:
    """A track by what stands between a video's name and the suffix: language, and kind.

    Returns:
        None where it says something else: the file is another video's.
    """
    language = language_of_name(name)
    if language is None:
        return None
    kinds = [NAMED_KINDS.get(part, "") for part in _parts(name)]
    kind = next((one for one in kinds if one), "")
    return _of_kind(*language, kind)


def _of_kind(lang: str, label: str, kind: str) -> Track:
    if kind not in KINDS:
        return Track(lang=lang, label=label)
    sign, word = KINDS[kind]
    return Track(lang=f"{lang}-x-{sign}", label=f"{label}（{word}）")


def tracks_of(streams: Sequence[Stream]) -> tuple[SubtitleTrack, ...]:
    """The text tracks of a file."""
    found: list[SubtitleTrack] = []
    for stream in streams:
        context = stream.codec_context
        if context is None or context.name not in TEXT_CODECS or len(found) == MAX_TRACKS:
            continue
        title = str(stream.metadata.get("title", ""))
        named = _of_kind(*language_of(stream.language or "", title), _kind_of(stream, title))
        found.append(SubtitleTrack(index=stream.index, lang=named.lang, label=named.label))
    return tuple(found)


def _kind_of(stream: Stream, title: str) -> str:
    """By the flags of a track, or by its title."""
    from av.stream import Disposition

    flags, said = stream.disposition, title.lower()
    if flags & Disposition.forced or "forced" in said or "强制" in said:
        return "forced"
    is_for_all = flags & (Disposition.hearing_impaired | Disposition.captions)
    return "sdh" if is_for_all or "sdh" in said or "听障" in said else ""


def distinct(tracks: Sequence[GivenTrack]) -> list[GivenTrack]:
    """At most `MAX_TRACKS`, each under a tag of its own: the first of a language by its name,
    others with a number.
    """
    seen: dict[str, int] = {}
    found: list[GivenTrack] = []
    for track in tracks[:MAX_TRACKS]:
        seen[track.lang] = number = seen.get(track.lang, 0) + 1
        if number > 1:
            track = msgspec.structs.replace(  # noqa: PLW2901 - the same track under its own name
                track, lang=numbered_tag(track.lang, number), label=f"{track.label} {number}"
            )
        found.append(track)
    return found


def numbered_tag(tag: str, number: int) -> str:
    """The tag of a language's first track, second track, …"""
    if number == 1:
        return tag
    # BCP 47 has one private part, and it comes last.
    return f"{tag}{number}" if "-x-" in tag else f"{tag}-x-{number}"


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


def language_of_name(name: str) -> tuple[str, str] | None:
    """BCP 47 tag and name by what stands between a video's name and the suffix.

    Args:
        name: `zh-TW`, `chs`, `en.forced`, 简体; empty where nothing stands there.

    Returns:
        None where it says something else: the file is another video's.
    """
    found = UNKNOWN
    for part in _parts(name):
        named = _language_of_part(part)
        if named is None and part not in NAMED_KINDS:
            return None
        if named is not None and named != UNKNOWN:
            found = named
    return found


def _parts(name: str) -> list[str]:
    """The words of a name; a kind may also stand in brackets behind the language."""
    plain = re.sub(r"[\s()\[\]（）【】]+", ".", name.lower().replace("_", "-"))
    return [part for part in plain.split(".") if part]


def _language_of_part(part: str) -> tuple[str, str] | None:
    """The language of one part of a name. Of two in one file (`chs&eng`) the Chinese one counts."""
    said = [_language_of_word(word) for word in BOTH_LANGUAGES.split(part)]
    if not all(said):
        return None
    return next((one for one in said if one is not None and one[0].startswith("zh")), said[0])


def _language_of_word(word: str) -> tuple[str, str] | None:
    word = NAMED_LANGUAGES.get(word, word)
    code, _, region = word.partition("-")
    title = (
        SCRIPTS.get(region.partition("-")[0])
        or SCRIPTS.get(code)
        or ("" if word.isascii() else word)
    )
    named = language_of(code, title)
    return named if named != UNKNOWN or LANGUAGE_CODE.fullmatch(word) else None


def track_arguments(source: Path, tracks: Sequence[SubtitleTrack], pattern: str) -> list[str]:
    """The transcoder's command line: all tracks in one pass over the file.

    Args:
        source: The operator's file.
        tracks: Which ones.
        pattern: Names of the files in the job folder, with `%d` for the stream's number.
    """
    arguments = input_arguments(source)
    for track in tracks:
        arguments += [
            "-map",
            f"0:{track.index}",
            "-c:s",
            "webvtt",
            "-map_metadata",
            "-1",
            "-fflags",
            "+bitexact",
        ]
        arguments += ["-f", "webvtt", f"file:{pattern % track.index}"]
    return arguments
