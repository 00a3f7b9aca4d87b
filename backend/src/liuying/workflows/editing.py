"""Changing videos. Everything that visitors see of a video changes in the same
transaction.
"""

from __future__ import annotations

from collections.abc import Collection

import msgspec

from liuying.core.catalogue.queries.details import write_details
from liuying.core.catalogue.queries.gating import note_partly_open
from liuying.core.catalogue.removed_videos import require_kept
from liuying.core.catalogue.tables import video
from liuying.kit.changes import CacheTopic, record_change
from liuying.kit.rows import update_row
from liuying.media.cover import encode_picture, open_picture
from liuying.workflows.import_services import ImportServices
from liuying.workflows.indexing import reindex_video
from liuying.workflows.named_rows import set_artists, set_labels
from liuying.workflows.pictures import forget_picture
from liuying.workflows.protection import move_to_category
from liuying.workflows.scheduled_publication import schedule
from liuying.workflows.video_meta import GivenMeta

# Fields of an edit whose names differ from the columns', or that are in other tables.
DETAILS = ("description", "premiered_at", "chapters")
ELSEWHERE = frozenset({"category", "labels", "artists", *DETAILS})


def edit_video(
    services: ImportServices,
    video_id: int,
    given: GivenMeta,
    cover: bytes | None = None,
    *,
    is_hidden: bool | None = None,
) -> None:
    """Change the given fields of a video.

    Args:
        given: Values to set; a new category name creates the category.
        cover: JPEG, PNG or WebP bytes.
        is_hidden: Whether it is hidden from now on; None leaves it as it is.

    Raises:
        NotFoundError: No such video.
        InvalidInputError: No such category, or the video is in the bin.
        ImportBusyError: The video is still being imported and cannot change its category.
        PictureError: The cover cannot be read.
    """
    values = {name: value for name, value in given.stated().items() if name not in ELSEWHERE}
    if is_hidden is not None:
        values["is_hidden"] = is_hidden
    if cover is not None:
        picture = encode_picture(open_picture(cover), services.encryptor, services.objects)
        values["cover"] = msgspec.to_builtins(picture)
    with services.database.read() as connection:
        require_kept(connection, video_id)
    if given.category is not None:
        move_to_category(
            services, video_id, given.category
        )  # Together with its files, if a lock is added or removed.
    with services.database.write() as connection:
        replaced = require_kept(connection, video_id).cover if cover is not None else None
        update_row(connection, video, video_id, values)
        if cover is not None:
            note_partly_open(connection, video_id)
        if given.labels is not None:
            set_labels(connection, video_id, given.labels)
        if given.artists is not None:
            set_artists(connection, video_id, given.artists)
        said = msgspec.to_builtins(given.stated())
        if "created_at" in said:
            schedule(connection, video_id, said["created_at"], services.clock())
        write_details(connection, video_id, {name: said[name] for name in DETAILS if name in said})
        reindex_video(connection, video_id)
        record_change(connection, CacheTopic.CATALOGUE)
    forget_picture(services.database, services.objects, replaced)


def set_hidden(services: ImportServices, video_ids: Collection[int], *, is_hidden: bool) -> None:
    """Hide videos from every list and page, or show them again. All or none.

    Raises:
        NotFoundError: One of them does not exist.
        InvalidInputError: One of them is in the bin.
    """
    with services.database.write() as connection:
        for video_id in video_ids:
            require_kept(connection, video_id)
            update_row(connection, video, video_id, {"is_hidden": is_hidden})
            reindex_video(connection, video_id)
        record_change(connection, CacheTopic.CATALOGUE)
