"""A video's metadata: from the operator, from a side-car file, from the file's name."""

from __future__ import annotations

import re
import unicodedata
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import msgspec

from liuying.kit.clock import Milliseconds
from liuying.kit.errors import InvalidInputError
from liuying.kit.files import read_at_most
from liuying.kit.identifiers import MAX_ID
from liuying.kit.system_errors import reason_of
from liuying.kit.texts import clean_lines, clean_text
from liuying.media.subtitles import GivenTrack

TITLE_LENGTH = 200
NAME_LENGTH = 40
DESCRIPTION_LENGTH = 5000
CHAPTER_LENGTH = 100
# Seconds: of a day.
MAX_CHAPTER_START = 86_400
SIDE_CAR_BYTES = 256 * 1024
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
LAST_MILLISECOND = 253_402_300_799_999  # The end of the year 9999.
# The validator's messages.
UNKNOWN_FIELD = re.compile(r"unknown field `([^`]*)`")
PLACE = re.compile(r"at `\$\.?(\w+)")
TIME_FAULT = "要写成带时区的时间，例如 2026-12-01T08:00:00+08:00"
FAULTS = {
    "of length": "的长度不对",
    ", got `": "的类型不对",
    "RFC3339": TIME_FAULT,
    "timezone": TIME_FAULT,
}

Title = Annotated[str, msgspec.Meta(min_length=1, max_length=TITLE_LENGTH)]
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=NAME_LENGTH)]
ArtistName = Annotated[str, msgspec.Meta(min_length=1, max_length=80)]
# As stored in the database; 0 means "all" in addresses and is not a category.
CategoryNumber = Annotated[int, msgspec.Meta(ge=1, le=MAX_ID)]
Description = Annotated[str, msgspec.Meta(max_length=20_000)]
Count = Annotated[int, msgspec.Meta(ge=0, le=10**12)]
Moment = Annotated[datetime, msgspec.Meta(tz=True)]
# "2026-11-21T08:00:00Z", or milliseconds since 1970.
MomentOrMilliseconds = Moment | Annotated[int, msgspec.Meta(ge=0, le=LAST_MILLISECOND)]


class Published(StrEnum):
    """When an imported video counts as published: now, or when its source says."""

    NOW = "now"
    SOURCE = "source"


class Chapter(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part of a video: when it begins, in seconds, and what it is called."""

    start: Annotated[float, msgspec.Meta(ge=0, le=MAX_CHAPTER_START)]
    title: Annotated[str, msgspec.Meta(min_length=1, max_length=CHAPTER_LENGTH)]


class VideoMeta(msgspec.Struct, frozen=True, kw_only=True):
    """What to write into the catalogue. None means the default.

    Attributes:
        title: Default: the cleaned file name.
        category: Id or name; a new name creates a category. Default: 未分类.
        labels: Names, in order.
        artists: Names.
        created_at: Default: now.
        updated_at: Default: `created_at`.
        pageviews: Initial number of views.
        cover: JPEG, PNG or WebP bytes; by default a picture of the video.
        description: What the video is about; lines.
        premiered_at: When it was shown or published first, wherever that was.
        chapters: In order; the file's own where none are given.
        subtitles: Tracks from separate files; the video's own come after them.
        keeps_original: Whether to keep the operator's file; None for the installation's setting.
        accepts_damage: It is imported however many of its pictures are damaged.
        is_hidden: Nobody sees it until the operator shows it.
        accepts_match: It is imported even if it looks like a film that was taken down.
        beside: What its side-cars alone say; None if nobody looked.
        said: Names of the fields that the command line or a manifest gave.
    """

    title: str | None = None
    category: int | str | None = None
    labels: tuple[str, ...] = ()
    artists: tuple[str, ...] = ()
    created_at: Milliseconds | None = None
    updated_at: Milliseconds | None = None
    pageviews: int = 0
    cover: bytes | None = None
    description: str = ""
    premiered_at: Milliseconds | None = None
    chapters: tuple[Chapter, ...] = ()
    subtitles: tuple[GivenTrack, ...] = ()
    keeps_original: bool | None = None
    accepts_damage: bool = False
    is_hidden: bool = False
    accepts_match: bool = False
    beside: GivenMeta | None = None
    said: frozenset[str] = frozenset()


class GivenMeta(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Metadata given on the command line or in `clip.json` beside `clip.mp4`. None means not given.

    Unknown names are refused as typing errors. Texts are cleaned (`clean_text`), times become
    milliseconds.

    Raises:
        ValueError: A text is blank, or a time is outside 1970 to 9999.
    """

    title: Title | None = None
    category: CategoryNumber | Name | None = None
    labels: Annotated[tuple[Name, ...], msgspec.Meta(max_length=40)] | None = None
    artists: Annotated[tuple[ArtistName, ...], msgspec.Meta(max_length=40)] | None = None
    created_at: MomentOrMilliseconds | None = None
    updated_at: MomentOrMilliseconds | None = None
    pageviews: Count | None = None
    description: Description | None = None
    premiered_at: MomentOrMilliseconds | None = None
    chapters: Annotated[tuple[Chapter, ...], msgspec.Meta(max_length=200)] | None = None

    def __post_init__(self) -> None:
        for name, value in self.stated().items():
            match value:
                case str() if name == "description":
                    value_given: object = clean_lines(value, DESCRIPTION_LENGTH)
                case str():
                    value_given = _worded(name, value)
                case tuple() if name == "chapters":
                    value_given = tuple(sorted(value, key=lambda chapter: chapter.start))
                case tuple():
                    value_given = tuple(_worded(name, one) for one in value)
                case datetime():
                    value_given = _milliseconds(name, value)
                case _:
                    continue
            msgspec.structs.force_setattr(self, name, value_given)

    def stated(self) -> dict[str, Any]:
        """The given values by name."""
        values = {name: getattr(self, name) for name in self.__struct_fields__}
        return {name: value for name, value in values.items() if value is not None}

    def overruled_by(self, other: GivenMeta) -> GivenMeta:
        """These values, overridden by those that `other` gives."""
        return msgspec.structs.replace(self, **other.stated())

    def to_meta(self) -> VideoMeta:
        """The same with defaults for what was not given."""
        return VideoMeta(**self.stated())


def read_side_car(source: Path) -> GivenMeta:
    """The side-car's values; none without a side-car.

    Raises:
        InvalidInputError: It is not of the form of `GivenMeta`.
    """
    path = source.with_suffix(".json")
    try:
        if path.is_symlink() or not path.is_file():
            return GivenMeta()
        return msgspec.json.decode(read_at_most(path, SIDE_CAR_BYTES, "说明文件"), type=GivenMeta)
    except OSError as error:
        raise InvalidInputError(f"说明文件 {path.name} 无法读取：{reason_of(error)}") from error
    except msgspec.ValidationError as error:
        raise InvalidInputError(f"说明文件 {path.name} 有误：{explain(error)}") from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise InvalidInputError(f"说明文件 {path.name} 不是有效的 JSON") from error


def explain(error: msgspec.ValidationError) -> str:
    """Which value is invalid and why, in Chinese: `title 的长度不对`."""
    if isinstance(error.__cause__, _FaultError):
        return str(error.__cause__)
    text = str(error)
    if (unknown := UNKNOWN_FIELD.search(text)) is not None:
        return f"不认识的项目 {unknown[1]}"
    place = PLACE.search(text)
    name = "内容" if place is None else place[1]
    fault = next((words for sign, words in FAULTS.items() if sign in text), "的值不对")
    return f"{name} {fault}"


def title_from_name(source: Path) -> str:
    """`海边_的.一天 - final.mp4` → `海边 的 一天 - final`; a name without letters stays."""
    text = unicodedata.normalize("NFC", source.stem)
    text = text.encode("utf-8", "replace").decode()  # Names that are not Unicode cannot be stored.
    cleaned = clean_text(re.sub(r"[_.+]+", " ", text)).strip(" -")
    return (cleaned or "未命名")[:TITLE_LENGTH]


class _FaultError(ValueError):
    """A value whose type is right and whose meaning is not. The text is for the operator."""


def _worded(name: str, text: str) -> str:
    cleaned = clean_text(text)
    if not cleaned:
        raise _FaultError(f"{name} 不能是空白")
    return cleaned


def _milliseconds(name: str, moment: datetime) -> Milliseconds:
    # A difference, because a change of zone overflows at both ends of the calendar.
    milliseconds = (moment - EPOCH) // timedelta(milliseconds=1)
    if not 0 <= milliseconds <= LAST_MILLISECOND:
        raise _FaultError(f"{name} 超出 1970 年到 9999 年的范围")
    return milliseconds
