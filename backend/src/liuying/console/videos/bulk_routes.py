"""Changing many videos at once on the console."""

from __future__ import annotations

import msgspec
from litestar import post
from litestar.params import JSONBody
from litestar.types import ControllerRouterHandler

from liuying.console.access import needs
from liuying.console.given import GivenActor, GivenServices
from liuying.console.videos import queries
from liuying.console.videos.schemas import MOST_AT_ONCE, ManyBody, ManyDone
from liuying.features.audit.service import Entry, noted
from liuying.features.operators.rules import Role
from liuying.installation.services import Services
from liuying.kit.envelope import Envelope
from liuying.kit.errors import InvalidInputError
from liuying.kit.responses import BODY, INVALID, MISSING, UNAUTHORIZED
from liuying.workflows.bulk_editing import BulkChange, changing_videos, edit_many

# How many numbers an entry of the audit log names.
MANY_NAMED = 200


@post(
    "/api/videos/many",
    status_code=200,
    sync_to_thread=True,
    summary="Change many videos",
    opt=needs(Role.EDITOR),
    responses={**UNAUTHORIZED, **INVALID, **MISSING, **BODY},
)
def change_many(
    data: JSONBody[ManyBody], services: GivenServices, actor: GivenActor
) -> Envelope[ManyDone]:
    """Those with some numbers, or all that a filter leaves."""
    ids = _meant(services, data)
    change = BulkChange(
        is_hidden=data.change.is_hidden,
        category=data.change.category,
        add_labels=tuple(data.change.add_labels),
        remove_labels=tuple(data.change.remove_labels),
    )
    stated = msgspec.to_builtins(data.change).items()
    after = {name: value for name, value in stated if value or value is False}
    if not after:
        raise InvalidInputError("没有要修改的内容", "change")
    # What stays as it is needs no entry, and does not count as changed.
    ids = changing_videos(services, ids, change)
    if not ids:
        return Envelope(ManyDone(0))
    told = {"videos": ids[:MANY_NAMED], "filter": data.filter, **after}
    entry = Entry("video.edit-many", f"{len(ids)} 个视频", None, told)
    with noted(services.database, services.clock, actor, entry):
        return Envelope(ManyDone(edit_many(services, ids, change)))


def _meant(services: Services, data: ManyBody) -> list[int]:
    """The numbers of the videos.

    Raises:
        InvalidInputError: Neither or both are given, or the filter leaves other videos than the
            operator saw.
    """
    if (data.ids is None) == (data.filter is None):
        raise InvalidInputError("请选择视频，或按筛选条件修改", "ids")
    if data.filter is None:
        return data.ids or []
    with services.database.read() as connection:
        found = queries.matching_ids(connection, data.filter, MOST_AT_ONCE + 1)
    if len(found) > MOST_AT_ONCE:
        raise InvalidInputError(f"一次最多修改 {MOST_AT_ONCE} 个视频", "filter")
    if data.expected != len(found):
        raise InvalidInputError(f"现在符合条件的有 {len(found)} 个视频，请重新确认", "expected")
    return found


ROUTES: list[ControllerRouterHandler] = [change_many]
