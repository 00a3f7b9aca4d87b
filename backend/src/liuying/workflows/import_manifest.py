"""A list of files to import with their metadata: CSV or JSON Lines."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from liuying.kit.errors import InvalidInputError
from liuying.kit.files import read_at_most
from liuying.kit.moments import parse_moment
from liuying.kit.text_files import text_of
from liuying.workflows.video_meta import GivenMeta, explain

MANIFEST_BYTES = 64 * 1024 * 1024
FILE, COVER = "file", "cover"
LISTS = ("labels", "artists")
LIST_SEPARATOR = "|"
MOMENTS = ("created_at", "updated_at", "premiered_at")
DAY_DIGITS = 6
NUMBERS = ("category", "pageviews")
MAX_NUMBER_LENGTH = 18
# Chapters are lists of pairs, which a cell cannot hold.
COLUMNS = (FILE, COVER, *(one for one in GivenMeta.__struct_fields__ if one != "chapters"))


class ImportChoices(msgspec.Struct, frozen=True, omit_defaults=True):
    """How files are imported, whatever they are.

    Attributes:
        keeps_original: Whether to keep the file; None for the installation's setting.
        accepts_damage: Import it however many of its pictures are damaged.
        accepts_match: Import it even if it looks like a film that was taken down.
        is_source_dated: It counts as published when its source says, if that says anything.
        is_hidden: Nobody sees it until the operator shows it.
    """

    keeps_original: bool | None = None
    accepts_damage: bool = False
    accepts_match: bool = False
    is_source_dated: bool = False
    is_hidden: bool = False


class Item(msgspec.Struct, frozen=True):
    """A file to import.

    Attributes:
        source: The file.
        given: Its metadata, which overrides what is beside the file.
        cover: A picture; None to look beside the file.
        fault: Why it cannot be imported; empty if it can.
        folder_category: The category if nothing else names one; None for the default.
        choices: How it is imported.
        inbox: Of a file that waits in the store: itself and what lies beside it, by their paths
            from its folder, with the SHA-256 of each; empty if it is on this machine.
    """

    source: Path
    given: GivenMeta = GivenMeta()
    cover: Path | None = None
    fault: str = ""
    folder_category: str | None = None
    choices: ImportChoices = ImportChoices()
    inbox: Mapping[str, str] = {}


def read_manifest(path: Path) -> list[Item]:
    """Read a list: `.csv` with a header row; anything else as one JSON object per line.

    Columns or names are `file` (required; relative to the manifest), `cover`, and those of the
    `.json` beside a video. In CSV, `labels` and `artists` are separated by `|`, and empty cells are
    ignored. A faulty row becomes an item with a fault; the others are fine. Any encoding that
    spreadsheets write is accepted.

    Raises:
        InvalidInputError: The file cannot be read, is too large, or is not a manifest.
    """
    text = text_of(read_at_most(path, MANIFEST_BYTES, "清单"), f"清单 {path.name}")
    rows = _csv_rows(path, text) if path.suffix.lower() == ".csv" else _json_rows(text)
    return [_item(path, line, row) for line, row in rows]


def _csv_rows(path: Path, text: str) -> Iterator[tuple[int, dict[str, Any] | str]]:
    reader = csv.DictReader(io.StringIO(text, newline=""), strict=True, restkey="")
    try:
        names = [name.strip() for name in reader.fieldnames or []]
    except csv.Error as error:
        raise InvalidInputError(f"清单 {path.name} 不是有效的 CSV") from error
    if FILE not in names:
        raise InvalidInputError(f"清单 {path.name} 的第一行要有列名，其中要有 {FILE}")
    if unknown := [name for name in names if name not in COLUMNS]:
        raise InvalidInputError(
            f"清单 {path.name} 有不认识的列 {'、'.join(unknown)}；可用的列：{'、'.join(COLUMNS)}"
        )
    reader.fieldnames = names
    last = reader.line_num
    try:
        for row in reader:
            last = reader.line_num
            if "" in row:
                yield reader.line_num, "多出一列"
            else:
                yield (
                    reader.line_num,
                    {name: _cell(name, value) for name, value in row.items() if value},
                )
    except csv.Error as error:
        yield (
            last + 1,
            "一格的文字过长" if "field limit" in str(error) else "不是有效的 CSV，引号没有成对？",
        )


def _cell(name: str, value: str) -> object:
    text = value.strip()
    if name in LISTS:
        return [one for one in text.split(LIST_SEPARATOR) if one.strip()]
    if name in MOMENTS:
        return _moment(text)
    is_number = (
        name in NUMBERS and text.isascii() and text.isdigit() and len(text) <= MAX_NUMBER_LENGTH
    )
    return int(text) if is_number else text


def _moment(text: str) -> object:
    """A cell with a time, as people and spreadsheets write it; milliseconds stay a number. What is
    none stays a text, which is refused with the field's name.
    """
    if text.isascii() and text.isdigit():
        # A spreadsheet's own number of a day (46357) is not so many milliseconds after 1970.
        is_day = len(text) <= DAY_DIGITS
        return text if is_day or len(text) > MAX_NUMBER_LENGTH else int(text)
    try:
        return parse_moment(text)[0]
    except ValueError:
        return text


def _json_rows(text: str) -> Iterator[tuple[int, dict[str, Any] | str]]:
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            yield number, msgspec.json.decode(line, type=dict[str, Any])
        except (msgspec.DecodeError, RecursionError):
            yield number, "不是有效的 JSON 对象"


def _item(path: Path, line: int, row: dict[str, Any] | str) -> Item:
    place = f"清单第 {line} 行"
    if isinstance(row, str):
        return Item(path, fault=f"{place}：{row}")
    name, cover = row.pop(FILE, None), row.pop(COVER, None)
    if not _is_path(name):
        return Item(path, fault=f"{place}：缺少 {FILE}")
    source = path.parent / name
    if cover is not None and not _is_path(cover):
        return Item(source, fault=f"{place}：{COVER} 的值不对")
    try:
        given = msgspec.convert(row, GivenMeta)
    except msgspec.ValidationError as error:
        return Item(source, fault=f"{place}：{explain(error)}")
    return Item(source, given, None if cover is None else path.parent / cover)


def _is_path(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip()) and "\0" not in value
