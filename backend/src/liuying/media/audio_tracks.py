"""The audio tracks of a video: which are published, what they are called, which one plays first.

Pure. A film with one track keeps it in its renditions; one with several has them beside the
pictures (RFC 8216 §4.3.4.1).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from liuying.media.streams import choose_audio, usable_audio
from liuying.media.subtitles import LANGUAGES, NAMED_LANGUAGES, numbered_tag

if TYPE_CHECKING:
    from av.audio.stream import AudioStream

MAX_AUDIO_TRACKS = 8
# Spoken Chinese has other names than written Chinese.
SPOKEN = {**dict.fromkeys(("cmn", "zh", "zho", "chi"), ("zh", "国语")), "nan": ("nan", "闽南语")}
# What titles say: of two languages in one track nothing is known.
DIALECTS = {
    **dict.fromkeys(("国配", "國語", "mandarin"), "zh"),
    **dict.fromkeys(("粤", "粵", "cantonese"), "yue"),
    **dict.fromkeys(("闽南", "閩南", "台语", "台語", "hokkien", "taiwanese"), "nan"),
}
MIXED = frozenset({"中英", "双语", "雙語", "中日", "中韩", "中字", "英字"})
UNKNOWN = ("und", "")
# Kind → what is added to the tag, and to the name. The first two do not replace the film's sound.
KINDS = {"comment": ("c", "评论音轨"), "description": ("d", "口述影像"), "original": ("", "原声")}
SIDE_KINDS = frozenset({"comment", "description"})
COMMENT_WORDS = ("评论", "評論", "导评", "解说", "commentary", "comment")
DESCRIPTION_WORDS = ("口述影像", "audio description", "descriptive", "无障碍")
ORIGINAL_WORDS = ("原声", "原聲", "原音", "原版", "original")


class AudioTrack(msgspec.Struct, frozen=True, kw_only=True):
    """An audio track to publish.

    Attributes:
        number: From 1, in the file's order.
        index: The number of its stream.
        lang: BCP 47 tag of its own among the film's; `und` or `und-x-…` if the language is unknown.
        label: What a viewer chooses by, of its own too.
        is_default: It plays where nobody has chosen.
        is_side: A commentary or a description: it is only played if it is chosen.
    """

    number: int
    index: int
    lang: str
    label: str
    is_default: bool
    is_side: bool = False

    @property
    def name(self) -> str:
        """Its folder's name."""
        return f"sound-{self.number}"


class ChosenAudio(msgspec.Struct, frozen=True):
    """What of a file's sound is published.

    Attributes:
        default: Index of the stream that plays first; None for a silent file.
        tracks: All that are published, if there are several; otherwise empty.
        left_out: How many there are beyond `MAX_AUDIO_TRACKS`.
    """

    default: int | None
    tracks: tuple[AudioTrack, ...]
    left_out: int

    @property
    def indices(self) -> list[int]:
        """Of all streams that are published."""
        if self.tracks:
            return [one.index for one in self.tracks]
        return [] if self.default is None else [self.default]


def choose_tracks(streams: Sequence[AudioStream]) -> ChosenAudio:
    """The audio tracks of a file: all that can be decoded, at most `MAX_AUDIO_TRACKS`."""
    usable = usable_audio(streams)
    if len(usable) < 2:
        return ChosenAudio(usable[0].index if usable else None, (), 0)
    default = _default_of(usable)
    others = [one for one in usable if one is not default][: MAX_AUDIO_TRACKS - 1]
    kept = [one for one in usable if one is default or one in others]
    return ChosenAudio(default.index, _named(kept, default), len(usable) - len(kept))


def _default_of(streams: Sequence[AudioStream]) -> AudioStream:
    """The one that the file calls its default; where it calls several so, or none, the one that a
    Chinese-speaking viewer expects.
    """
    from av.stream import Disposition

    flagged = [
        one
        for one in streams
        if one.disposition & Disposition.default and _kind_of(one) not in SIDE_KINDS
    ]
    if len(flagged) == 1:
        return flagged[0]
    return choose_audio(list(flagged or streams)) or streams[0]


def _named(streams: Sequence[AudioStream], default: AudioStream) -> tuple[AudioTrack, ...]:
    tracks: list[AudioTrack] = []
    tags, labels = Counter[str](), Counter[str]()
    for number, stream in enumerate(streams, 1):
        kind = _kind_of(stream)
        lang, language = _language_of(stream)
        sign, word = KINDS.get(kind, ("", ""))
        tag = f"{lang}-x-{sign}" if sign else lang
        label = language + word or f"音轨 {number}"
        tags[tag] += 1
        labels[label] += 1
        track = AudioTrack(
            number=number,
            index=stream.index,
            lang=numbered_tag(tag, tags[tag]),
            label=label if labels[label] == 1 else f"{label} {labels[label]}",
            is_default=stream is default,
            is_side=kind in SIDE_KINDS and stream is not default,
        )
        tracks.append(track)
    return tuple(tracks)


def _language_of(stream: AudioStream) -> tuple[str, str]:
    """BCP 47 tag and name. A title tells the dialect where the code says only Chinese, or nothing;
    nothing else of a title is used.
    """
    code = (stream.language or "").lower().partition("-")[0]
    known = SPOKEN.get(code) or LANGUAGES.get(code, UNKNOWN)
    if known[0] not in {"zh", "und"}:
        return known
    said = _title_of(stream)
    words = DIALECTS | {word: to for word, to in NAMED_LANGUAGES.items() if word not in MIXED}
    named = next((to for word, to in words.items() if word in said), None)
    if named is None or (known[0] == "zh" and named not in {"zh", "yue", "nan"}):
        return known
    return SPOKEN.get(named) or LANGUAGES.get(named, UNKNOWN)


def _kind_of(stream: AudioStream) -> str:
    """By the flags of a track, or by its title."""
    from av.stream import Disposition

    flags, said = stream.disposition, _title_of(stream)
    if flags & Disposition.comment or any(word in said for word in COMMENT_WORDS):
        return "comment"
    if flags & Disposition.visual_impaired or any(word in said for word in DESCRIPTION_WORDS):
        return "description"
    is_original = flags & Disposition.original or any(word in said for word in ORIGINAL_WORDS)
    return "original" if is_original else ""


def _title_of(stream: AudioStream) -> str:
    """MP4 has no title; what people write there is the handler's name."""
    said = stream.metadata.get("title") or stream.metadata.get("handler_name") or ""
    return str(said).lower()
