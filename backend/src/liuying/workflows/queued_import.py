"""Adding files to the ledger, and reading these entries in a worker."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import msgspec
import sqlalchemy as sa

from liuying.core.catalogue.named_categories import known_category
from liuying.core.catalogue.rules import SHORT_CATEGORY
from liuying.core.jobs.queries.ledger import NewJob, enqueue
from liuying.core.jobs.rules import first_priority, is_short
from liuying.kit.clock import Milliseconds
from liuying.kit.errors import InvalidInputError
from liuying.kit.object_keys import inbox_key
from liuying.workflows.import_manifest import ImportChoices, Item
from liuying.workflows.preconditions import require_regular_file
from liuying.workflows.video_meta import GivenMeta

# PostgreSQL's indexes hold no longer values.
MAX_PATH_BYTES = 2000
# Beside a fetched file, where nothing looks for companions.
COVER_FOLDER = ".given"


class Wanted(ImportChoices, frozen=True, omit_defaults=True, kw_only=True):
    """The metadata given for a file when it was queued; companions beside it are read when its turn
    comes.

    Attributes:
        given: Overrides what is beside it.
        cover: Absolute path of a picture; None to look beside the file.
        folder_category: The category if nothing else names one; None for the default.
        inbox: As an `Item`'s.
    """

    given: GivenMeta = GivenMeta()
    cover: str | None = None
    folder_category: str | None = None
    inbox: dict[str, str] = msgspec.field(default_factory=dict)


def queue_item(
    connection: sa.Connection,
    item: Item,
    given: GivenMeta,
    now: Milliseconds,
    inbox: Mapping[str, str] | None = None,
) -> tuple[int, bool]:
    """Add a file to the ledger.

    Args:
        item: The file, without a fault.
        given: Metadata from the command line, which takes precedence.
        inbox: What of it is in the store; None if workers read the file where it is.

    Returns:
        The job's id, and whether it is new: a waiting file is not queued again.

    Raises:
        InvalidInputError: No such category, or the path cannot be stored.
        MediaError: It is not a readable file.
    """
    require_regular_file(item.source)
    source = _cached_path(item.source)
    cover = None if item.cover is None else _cached_path(item.cover)
    if inbox:
        # The same content is one job, whichever machine it was queued on.
        source = f"{inbox_key(inbox[item.source.name])}/{item.source.name}"
        cover = None if item.cover is None else f"{COVER_FOLDER}/{item.cover.name}"
    wanted = Wanted(given=item.given.overruled_by(given), cover=cover)
    category_id = known_category(connection, wanted.given.category)
    short = is_short(item.source.stat().st_size, is_short_category=category_id == SHORT_CATEGORY)
    said = {"cover": wanted.cover, "folder_category": item.folder_category}
    order = {"given": wanted.given.stated()} | {
        name: value for name, value in said.items() if value is not None
    }
    order |= msgspec.to_builtins(item.choices)
    order |= {"inbox": dict(inbox)} if inbox else {}
    new = NewJob(
        source=source, wanted=msgspec.to_builtins(order), priority=first_priority(is_short=short)
    )
    return enqueue(connection, new, now)


def item_of(source: str, wanted: dict[str, object]) -> Item:
    """The file of a job.

    Raises:
        InvalidInputError: A newer version wrote something that this one does not know.
    """
    try:
        read = msgspec.convert(wanted, Wanted)
    except msgspec.ValidationError as error:
        raise InvalidInputError("任务的内容无法识别，可能来自更新的版本") from error
    # In the inbox it has a path from the file's folder.
    cover = None if read.cover is None else Path(source).parent / read.cover
    choices = msgspec.convert(msgspec.to_builtins(read), ImportChoices)
    return Item(
        Path(source),
        read.given,
        cover,
        folder_category=read.folder_category,
        choices=choices,
        inbox=read.inbox,
    )


def _cached_path(path: Path) -> str:
    """A path as stored in the database.

    Raises:
        InvalidInputError: It is too long, or not text.
    """
    text = str(path.absolute())
    try:
        length = len(text.encode())
    except UnicodeEncodeError:
        raise InvalidInputError(
            "文件名不是 UTF-8，不能放入队列；可以不用 --queue 直接导入"
        ) from None
    if length > MAX_PATH_BYTES:
        raise InvalidInputError("路径过长，不能放入队列；可以不用 --queue 直接导入")
    return text
