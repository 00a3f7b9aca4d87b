"""What an operator types of a film while it is encoded: its job says so from then on, and whoever
publishes it looks again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from liuying.core.catalogue.queries import videos
from liuying.kit.errors import InvalidInputError
from liuying.workflows import catalogue_rows as rows
from liuying.workflows.editing import edit_video
from liuying.workflows.import_services import ImportServices
from liuying.workflows.video_meta import GivenMeta

FIELDS = ("given", "is_hidden")


def differs(before: Mapping[str, Any], after: Mapping[str, Any]) -> bool:
    """Whether a job says other details of its file than it did."""
    return any(before.get(name) != after.get(name) for name in FIELDS)


def video_of(services: ImportServices, wanted: Mapping[str, Any]) -> int | None:
    """The video that came of a file of the inbox; None until it can be seen."""
    contents = list((wanted.get("inbox") or {}).values())
    if not contents:
        return None
    with services.database.read() as connection:
        asset = rows.find_asset(connection, contents[0])
        if asset is None or not asset.is_visible:
            return None
        return int(videos.video_of_asset(connection, asset.key).id)


def write_details_of(services: ImportServices, wanted: Mapping[str, Any]) -> None:
    """Write what a job says of its file into the video, if there is one yet.

    Raises:
        InvalidInputError: A value is wrong, or the video is in the bin.
        ImportBusyError: Its files would have to be moved, which whoever encodes it forbids.
    """
    video_id = video_of(services, wanted)
    if video_id is None:
        return
    try:
        given = msgspec.convert(wanted.get("given", {}), GivenMeta)
    except msgspec.ValidationError as error:
        raise InvalidInputError("任务的内容无法识别，可能来自更新的版本") from error
    edit_video(services, video_id, given, is_hidden=bool(wanted.get("is_hidden", False)))
