"""Side-cars of other programs: yt-dlp's `.info.json`, and `.nfo` of Kodi and Jellyfin.

They were not written for this site: texts are cleaned and shortened rather than refused, and what
is not understood is ignored. Only a file that is not JSON or XML, is too large, or uses entities is
refused.

When a source says that it was shown or published elsewhere, that is its own date (`premiered_at`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from xml.parsers import expat

import msgspec

from liuying.kit.errors import InvalidInputError
from liuying.kit.files import read_at_most
from liuying.kit.text_files import BIG5_FORMS, HAN, NAMES, readable
from liuying.kit.texts import clean_lines, clean_text
from liuying.workflows.video_meta import (
    CHAPTER_LENGTH,
    DESCRIPTION_LENGTH,
    EPOCH,
    LAST_MILLISECOND,
    MAX_CHAPTER_START,
    TITLE_LENGTH,
    Chapter,
    GivenMeta,
)

# A long video's `.info.json` lists thousands of formats, captions and comments.
INFO_BYTES, NFO_BYTES = 64 * 1024 * 1024, 1024 * 1024
LABEL_LENGTH, ARTIST_LENGTH, MAX_NAMES = 40, 80, 40
DEEPEST = 12
DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>", re.DOTALL)
YEAR = re.compile(r"19[789][0-9]|20[0-9]{2}", re.ASCII)
NFO_ROOTS = frozenset({"movie", "video", "musicvideo", "episodedetails", "tvshow"})
# `actor/name` before plain names, as media players show them.
NFO_ARTISTS = ("actor/name", "artist", "director")
NFO_LABELS = ("tag", "genre")
NFO_MOMENTS = ("premiered", "aired", "releasedate", "year")
NFO_DESCRIPTIONS = ("plot", "outline")
# A declaration is sought in so many bytes, and never by a pattern that may look at all of a file.
DECLARATION_BYTES = 200
ENCODING = re.compile(rb"""\sencoding\s*=\s*["']([A-Za-z0-9._-]{1,40})["']""")
# What declarations call it → what reads it, and all that is commonly written under that name.
# UTF-8 and UTF-16 are not here: `kit.text_files` recognizes both by their bytes.
CHINESE = {
    "gb2312": ("gb18030",),
    "gbk": ("gb18030",),
    "gb18030": ("gb18030",),
    "big5": BIG5_FORMS,
    "big5-hkscs": BIG5_FORMS,
}
WESTERN = dict.fromkeys(("iso-8859-1", "latin-1", "latin1", "windows-1252"), "cp1252")
# Western words have a letter or two with accents in a row; Chinese text has such runs everywhere.
FOREIGN_RUN = re.compile(rb"[\x80-\xff]{4}")
DESCRIPTION_BYTES = 1024 * 1024
MAX_CHAPTERS = 200


def read_info_json(path: Path) -> GivenMeta:
    """Title, tags, artists, description, chapters and its own date. Views elsewhere are not views
    here.

    Source: https://github.com/yt-dlp/yt-dlp#output-template (the fields' names).

    Raises:
        InvalidInputError: It is too large, or not a JSON object.
    """
    try:
        found = msgspec.json.decode(read_at_most(path, INFO_BYTES, "说明文件"), type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InvalidInputError(f"说明文件 {path.name} 不是有效的 JSON") from error
    artists = next(
        (found[name] for name in ("artists", "creators") if isinstance(found.get(name), list)), None
    )
    if not artists:
        artists = [
            next(
                (
                    found[name]
                    for name in ("artist", "creator", "uploader", "channel")
                    if found.get(name)
                ),
                "",
            )
        ]
    tags = found.get("tags")
    return _given(
        titles=[found.get("title"), found.get("fulltitle")],
        labels=tags if isinstance(tags, list) else [],
        artists=artists,
        moments=[found.get("release_date"), found.get("timestamp"), found.get("upload_date")],
        descriptions=[found.get("description")],
        chapters=found.get("chapters"),
    )


def read_nfo(path: Path) -> GivenMeta:
    """Title, tags and genres, people, the plot, and when it was shown first; in any encoding that
    its declaration names or `kit.text_files` knows.

    A file that is no XML (Kodi allows a bare address) says nothing. Source:
    https://kodi.wiki/view/NFO_files.

    Raises:
        InvalidInputError: It is too large, broken, or declares a document type: entities are never
            expanded.
    """
    content = read_at_most(path, NFO_BYTES, "说明文件")
    text = _nfo_text(content)
    if text is None:
        raise InvalidInputError(f"说明文件 {path.name} 不是有效的 XML：编码无法识别")
    if not text.lstrip().startswith("<"):
        return GivenMeta()
    reader = _NfoReader()
    try:
        reader.parse(text)
    except (expat.ExpatError, LookupError, ValueError) as error:
        # The element may be followed by an address (Kodi's "combination" files).
        if not reader.is_closed:
            raise InvalidInputError(f"说明文件 {path.name} 不是有效的 XML") from error
    texts = reader.texts
    return _given(
        titles=texts.get("title", []),
        labels=[one for name in NFO_LABELS for one in texts.get(name, [])],
        artists=[one for name in NFO_ARTISTS for one in texts.get(name, [])],
        moments=[one for name in NFO_MOMENTS for one in texts.get(name, [])],
        descriptions=[one for name in NFO_DESCRIPTIONS for one in texts.get(name, [])],
    )


def read_description(path: Path) -> str:
    """yt-dlp's `.description`: the text as it is.

    Raises:
        InvalidInputError: It is too large, or in an encoding that is not known.
    """
    text = readable(read_at_most(path, DESCRIPTION_BYTES, "说明文件"))
    if text is None:
        raise InvalidInputError(f"说明文件 {path.name} 的编码无法识别，支持 {NAMES}")
    return text


def _nfo_text(content: bytes) -> str | None:
    """The text without its declaration, which is true of the bytes alone."""
    text = next(_as_declared(content), None)
    text = readable(content) if text is None else text
    return None if text is None else DECLARATION.sub("", text, count=1)


def _as_declared(content: bytes) -> Iterator[str]:
    """The text as its declaration says, where the bytes do not contradict it: scrapers declare one
    encoding and write another.
    """
    name = _declared_encoding(content)
    encodings = CHINESE.get(name, ())
    if name in WESTERN and FOREIGN_RUN.search(content) is None:
        encodings = (WESTERN[name],)
    if not encodings or _is_utf8(content, is_chinese=name in CHINESE):
        return
    for encoding in encodings:
        with suppress(UnicodeDecodeError):
            yield content.decode(encoding)


def _declared_encoding(content: bytes) -> str:
    """The encoding that an XML declaration names, in small letters; empty without one."""
    start = content[:DECLARATION_BYTES].lstrip()
    end = start.find(b"?>")
    if end < 0 or not start.startswith(b"<?xml"):
        return ""
    named = ENCODING.search(start[:end])
    return "" if named is None else named[1].decode("ascii").lower()


def _is_utf8(content: bytes, *, is_chinese: bool) -> bool:
    """Whether it is UTF-8, whatever is declared.

    Args:
        is_chinese: A Chinese encoding is declared. Two or three of its characters can be UTF-8 by
            chance, for letters of Latin, Greek or Cyrillic; hardly ever for Han.
    """
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return False
    return not is_chinese or HAN.search(text) is not None


class _NfoReader:
    """Collects the texts of an XML file by their path below the root."""

    def __init__(self) -> None:
        self.texts: dict[str, list[str]] = {}
        self.is_closed = False
        self._path: list[str] = []
        self._text: list[str] = []
        self._parser = expat.ParserCreate()
        self._parser.StartDoctypeDeclHandler = self._refuse
        self._parser.EntityDeclHandler = self._refuse
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._text.append

    def parse(self, content: str) -> None:
        self._parser.Parse(content, True)  # noqa: FBT003 - the library's: nothing follows

    def _refuse(self, *_: object) -> None:
        raise ValueError("a document type")

    def _start(self, name: str, _attributes: dict[str, str]) -> None:
        if len(self._path) >= DEEPEST or (not self._path and name not in NFO_ROOTS):
            raise ValueError("not a description")
        self._path.append(name)
        self._text.clear()

    def _end(self, _name: str) -> None:
        if len(self._path) > 1:
            self.texts.setdefault("/".join(self._path[1:]), []).append("".join(self._text))
        self._text.clear()
        self._path.pop()
        self.is_closed = not self._path


def _given(
    titles: Iterable[object],
    labels: Iterable[object],
    artists: Iterable[object],
    moments: Iterable[object],
    descriptions: Iterable[object],
    chapters: object = None,
) -> GivenMeta:
    title = next(iter(_names(titles, TITLE_LENGTH)), None)
    moment = next((found for one in moments if (found := _moment(one)) is not None), None)
    return GivenMeta(
        title=title,
        labels=_names(labels, LABEL_LENGTH) or None,
        artists=_names(artists, ARTIST_LENGTH) or None,
        premiered_at=moment,
        description=next(iter(_texts(descriptions)), None),
        chapters=_chapters(chapters) or None,
    )


def _texts(values: Iterable[object]) -> Iterator[str]:
    for one in values:
        if isinstance(one, str) and (text := clean_lines(one, DESCRIPTION_LENGTH)):
            yield text


def _chapters(values: object) -> tuple[Chapter, ...]:
    """yt-dlp's list, without what has no title or no time."""
    found = []
    for one in values if isinstance(values, list) else ():
        start = one.get("start_time") if isinstance(one, dict) else None
        if isinstance(start, bool) or not isinstance(start, int | float):
            continue
        title = one.get("title")
        shown = clean_text(title)[:CHAPTER_LENGTH].strip() if isinstance(title, str) else ""
        if shown and 0 <= start <= MAX_CHAPTER_START:
            found.append(Chapter(start=float(start), title=shown))
    return tuple(sorted(found, key=lambda chapter: chapter.start)[:MAX_CHAPTERS])


def _names(values: Iterable[object], longest: int) -> tuple[str, ...]:
    cleaned = (clean_text(one)[:longest].strip() for one in values if isinstance(one, str))
    return tuple(dict.fromkeys(one for one in cleaned if one))[:MAX_NAMES]


def _moment(value: object) -> datetime | None:
    """A moment in one of the forms that side-cars use; None for anything else, and for one outside
    the years 1970 to 9999 (UTC).
    """
    try:
        match value:
            case bool():
                return None
            case int() | float():
                found = datetime.fromtimestamp(value, UTC)
            case str() if YEAR.fullmatch(value.strip()):
                found = datetime(int(value), 1, 1, tzinfo=UTC)
            case str():
                parsed = datetime.fromisoformat(value.strip())
                found = parsed if parsed.tzinfo is not None else parsed.replace(tzinfo=UTC)
            case _:
                return None
    except (ValueError, OverflowError, OSError):
        return None
    # A difference, because a change of zone overflows at both ends of the calendar.
    milliseconds = (found - EPOCH) // timedelta(milliseconds=1)
    return found if 0 <= milliseconds <= LAST_MILLISECOND else None
