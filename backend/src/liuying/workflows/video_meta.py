"""What is known of a video beside its pictures: from the operator, from a side-car file, from the file's name."""

from __future__ import annotations

import re
import unicodedata
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import msgspec

from liuying.kit.clock import Milliseconds
from liuying.kit.errors import InvalidInputError

TITLE_LENGTH = 200
SIDE_CAR_BYTES = 256 * 1024
# How the validator words its findings.
UNKNOWN_FIELD = re.compile(r"unknown field `([^`]*)`")
PLACE = re.compile(r"at `\$\.?(\w+)")
FAULTS = {
    "of length": "的长度不对",
    ", got `": "的类型不对",
    "RFC3339": "要写成带时区的时间",
    "timezone": "要写成带时区的时间",
}

Title = Annotated[str, msgspec.Meta(min_length=1, max_length=TITLE_LENGTH)]
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
ArtistName = Annotated[str, msgspec.Meta(min_length=1, max_length=80)]
Count = Annotated[int, msgspec.Meta(ge=0, le=10**12)]
Moment = Annotated[datetime, msgspec.Meta(tz=True)]
# "2026-11-21T08:00:00Z", or milliseconds since 1970.
MomentOrMilliseconds = Moment | Annotated[int, msgspec.Meta(ge=0, le=253_402_300_799_999)]


class VideoMeta(msgspec.Struct, frozen=True, kw_only=True):
    """What to write into the catalogue. None leaves the default.

    Attributes:
        title: Default: the file's name, cleaned.
        category: Id or name; a name that is new becomes a category. Default: 未分类.
        labels: Names, in order.
        artists: Names.
        created_at: Default: now.
        updated_at: Default: `created_at`.
        pageviews: Views to begin with.
        protected: Whether it must be unlocked by sharing; default: by its category (decisions §3).
        cover: JPEG, PNG or WebP bytes; default: chosen from the pictures.
    """

    title: Title | None = None
    category: int | Name | None = None
    labels: tuple[Name, ...] = ()
    artists: tuple[ArtistName, ...] = ()
    created_at: Milliseconds | None = None
    updated_at: Milliseconds | None = None
    pageviews: Count = 0
    protected: bool | None = None
    cover: bytes | None = None


class SideCar(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`clip.json` beside `clip.mp4`: what its author knows of it. Unknown names are refused: they are typing errors."""

    title: Title | None = None
    category: int | Name | None = None
    labels: Annotated[tuple[Name, ...], msgspec.Meta(max_length=40)] = ()
    artists: Annotated[tuple[ArtistName, ...], msgspec.Meta(max_length=40)] = ()
    created_at: MomentOrMilliseconds | None = None
    updated_at: MomentOrMilliseconds | None = None
    pageviews: Count = 0
    protected: bool | None = None

    def to_meta(self) -> VideoMeta:
        return VideoMeta(
            title=self.title,
            category=self.category,
            labels=self.labels,
            artists=self.artists,
            created_at=_milliseconds(self.created_at),
            updated_at=_milliseconds(self.updated_at),
            pageviews=self.pageviews,
            protected=self.protected,
        )


def read_side_car(source: Path) -> VideoMeta:
    """The side-car's values; all defaults where there is none.

    Raises:
        InvalidInputError: It is not of the form of `SideCar`.
    """
    path = source.with_suffix(".json")
    try:
        if path.is_symlink() or not path.is_file():
            return VideoMeta()
        if path.stat().st_size > SIDE_CAR_BYTES:
            raise InvalidInputError(f"说明文件 {path.name} 过大")
        return msgspec.json.decode(path.read_bytes(), type=SideCar).to_meta()
    except OSError as error:
        raise InvalidInputError(f"说明文件 {path.name} 无法读取：{error.strerror}") from error
    except msgspec.ValidationError as error:
        raise InvalidInputError(f"说明文件 {path.name} 有误：{explain(error)}") from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise InvalidInputError(f"说明文件 {path.name} 不是有效的 JSON") from error


def explain(error: msgspec.ValidationError) -> str:
    """Which value breaks which rule, in Chinese: `title 的长度不对`."""
    text = str(error)
    if (unknown := UNKNOWN_FIELD.search(text)) is not None:
        return f"不认识的项目 {unknown[1]}"
    place = PLACE.search(text)
    name = "内容" if place is None else place[1]
    fault = next((words for sign, words in FAULTS.items() if sign in text), "的值不对")
    return f"{name} {fault}"


def title_from_name(source: Path) -> str:
    """`海边_的.一天 - final.mp4` → `海边 的 一天 - final`; a name without a letter stays as it is."""
    text = unicodedata.normalize("NFC", source.stem)
    text = text.encode("utf-8", "replace").decode()  # names that are not Unicode cannot be stored
    cleaned = re.sub(r"[\s_.+]+", " ", "".join(sign if sign.isprintable() else " " for sign in text)).strip(" -")
    return (cleaned or "未命名")[:TITLE_LENGTH]


def _milliseconds(moment: datetime | int | None) -> Milliseconds | None:
    if isinstance(moment, datetime):
        return int(moment.astimezone(UTC).timestamp() * 1000)
    return moment
