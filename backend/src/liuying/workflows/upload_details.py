"""What an operator types of an uploaded film, wherever the film is by then."""

from __future__ import annotations

from typing import Any

import msgspec

from liuying.core.catalogue.named_categories import known_category
from liuying.core.jobs.queries.ledger import change_wanted, wanted_of
from liuying.features.uploads import queries
from liuying.kit.database import AnyRow
from liuying.workflows.import_services import ImportServices
from liuying.workflows.late_details import write_details_of
from liuying.workflows.uploading import find_upload
from liuying.workflows.video_meta import GivenMeta


class Details(msgspec.Struct, frozen=True):
    """What the operator typed of a film.

    Attributes:
        given: Overrides what lies beside it.
        is_hidden: Nobody sees it until the operator shows it.
    """

    given: GivenMeta = GivenMeta()
    is_hidden: bool = False


def change_details(services: ImportServices, upload_id: str, details: Details) -> None:
    """Say something else of a film, wherever it is by now: arriving, waiting, being encoded, or
    shown.

    Raises:
        NotFoundError: There is no such upload.
        InvalidInputError: A value is wrong, or the video is in the bin.
        ImportBusyError: A category that is locked cannot be changed while it is encoded.
    """
    find_upload(services, upload_id)
    wanted = None
    with services.database.write() as connection:
        if isinstance(details.given.category, int):
            # Before the film is there: nobody would read why its import failed.
            known_category(connection, details.given.category)
        queries.change(connection, upload_id, {"details": _stored(details), "fault": ""})
        row = queries.row(connection, upload_id)
        if row is not None and row.job_id is not None:
            wanted = with_details(wanted_of(connection, row.job_id), details)
            change_wanted(connection, row.job_id, wanted)
    if wanted:
        # The worker looks at the job after it published: one of the two sees the other.
        write_details_of(services, wanted)


def details_of(row: AnyRow) -> Details:
    """What the operator typed of a film."""
    return msgspec.convert(row.details or {}, Details)


def with_details(wanted: dict[str, Any], details: Details) -> dict[str, Any]:
    """What is said of a job's file, with other details."""
    others = {name: value for name, value in wanted.items() if name not in {"given", "is_hidden"}}
    hidden = {"is_hidden": True} if details.is_hidden else {}
    return {**others, "given": _stored(details)["given"], **hidden}


def _stored(details: Details) -> dict[str, Any]:
    given = msgspec.to_builtins(details.given.stated())
    return {"given": given, "is_hidden": details.is_hidden}
