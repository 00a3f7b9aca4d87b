"""Subtitles as texts: SubRip, WebVTT and Advanced SubStation Alpha of any origin, written anew as
plain WebVTT.

Nothing but times, words and `<b>`, `<i>`, `<u>` passes: no styles, regions, places, notes, names of
cues or classes. Source of the forms: https://www.w3.org/TR/webvtt1/; SubRip has the same cues with
a comma in its times.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

import msgspec

from liuying.kit.text_files import NAMES, readable
from liuying.kit.texts import clean_markup
from liuying.media.ass import is_ass, subrip_of
from liuying.media.errors import MediaError

# A day of dense dialogue is smaller.
MAX_BYTES = 4 * 1024 * 1024
MAX_CUES = 50_000
# Characters of a cue: more would cover the picture.
MAX_CUE_LENGTH = 1000
CLOCK = r"(?:(\d{1,3}):)?([0-5]?\d):([0-5]?\d)[.,](\d{1,3})"
TIMES = re.compile(rf"\s*{CLOCK}[ \t]*-->[ \t]*{CLOCK}(?!\d)", re.ASCII)
# Possessive: what looks like a tag and never ends costs one look.
TAG = re.compile(r"<(/?)([A-Za-z0-9]*+)[^<>]*+>")
OVERRIDE = re.compile(r"\{\\[^{}]*\}")
ALLOWED_TAGS = frozenset({"b", "i", "u"})
TOO_LARGE = f"超过 {MAX_BYTES // 1024 // 1024} MB"


class SubtitleError(MediaError):
    """A subtitle file cannot be used."""


class Cue(msgspec.Struct, frozen=True):
    """Words and when they show, in milliseconds. The text is WebVTT's."""

    start: int
    end: int
    text: str


def webvtt_of(content: bytes) -> str:
    """A subtitle file as a WebVTT document.

    Args:
        content: SubRip, WebVTT or (Advanced) SubStation Alpha, in an encoding that `kit.text_files`
            knows.

    Raises:
        SubtitleError: It is too large, in another encoding, or holds no cue that shows anything.
    """
    if len(content) > MAX_BYTES:
        raise SubtitleError(TOO_LARGE)
    cues = sorted(_cues(_text(content)), key=lambda cue: cue.start)
    if not cues:
        raise SubtitleError("没有字幕内容，支持 SRT、WebVTT、ASS、SSA")
    if len(cues) > MAX_CUES:
        raise SubtitleError(f"超过 {MAX_CUES} 条")
    blocks = [f"{_clock(cue.start)} --> {_clock(cue.end)}\n{cue.text}" for cue in cues]
    document = "\n\n".join(["WEBVTT", *blocks]) + "\n"
    if len(document.encode()) > MAX_BYTES:  # escaped signs take more room than they did
        raise SubtitleError(TOO_LARGE)
    return document


def _text(content: bytes) -> str:
    """A file's text in SubRip's form or WebVTT's."""
    text = readable(content)
    if text is None:
        raise SubtitleError(f"编码无法识别，支持 {NAMES}")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return subrip_of(text) if is_ass(text) else text


def _cues(text: str) -> Iterator[Cue]:
    """What stands below a line of times, up to the next blank line; all else is passed over."""
    lines = iter(text.split("\n"))
    for line in lines:
        found = TIMES.match(line)
        if found is None:
            continue
        words = []
        for word in lines:
            if not word.strip():
                break
            words.append(word)
        start, end = _milliseconds(found.groups()[:4]), _milliseconds(found.groups()[4:])
        shown = _worded("\n".join(words)[:MAX_CUE_LENGTH])
        if shown and end > start:
            yield Cue(start, end, shown)


def _milliseconds(parts: tuple[str | None, ...]) -> int:
    hours, minutes, seconds, fraction = (part or "0" for part in parts)
    return ((int(hours) * 60 + int(minutes)) * 60 + int(seconds)) * 1000 + int(
        fraction.ljust(3, "0")
    )


def _worded(text: str) -> str:
    """A cue's words with the markup that is kept, closed in order."""
    pieces, opened, place = [], list[str](), 0
    bare = OVERRIDE.sub("", text)
    for tag in TAG.finditer(bare):
        pieces.append(_escaped(bare[place : tag.start()]))
        place = tag.end()
        name = tag[2].lower()
        if name not in ALLOWED_TAGS:
            continue
        if not tag[1]:
            opened.append(name)
            pieces.append(f"<{name}>")
        elif name in opened:
            while (last := opened.pop()) != name:
                pieces.append(f"</{last}>")
            pieces.append(f"</{name}>")
    pieces.append(_escaped(bare[place:]))
    pieces += [f"</{name}>" for name in reversed(opened)]
    lines = (line.strip() for line in "".join(pieces).split("\n"))
    shown = "\n".join(line for line in lines if line)
    return shown if TAG.sub("", shown).strip() else ""


def _escaped(text: str) -> str:
    return html.escape(clean_markup(html.unescape(text)), quote=False)


def _clock(milliseconds: int) -> str:
    minutes, milliseconds = divmod(milliseconds, 60_000)
    hours, minutes = divmod(minutes, 60)
    return f"{hours:02}:{minutes:02}:{milliseconds // 1000:02}.{milliseconds % 1000:03}"
