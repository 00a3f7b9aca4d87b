"""The console's calls about videos."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Annotated, Any

import msgspec
from litestar import Response, delete, get, patch, post
from litestar.background_tasks import BackgroundTask
from litestar.di import NamedDependency, Provide
from litestar.params import JSONBody, QueryParameter
from litestar.types import ControllerRouterHandler

from liuying.console.access import needs
from liuying.console.given import GivenActor, GivenServices
from liuying.console.videos import (
    cover_routes,
    figure_routes,
    media_routes,
    queries,
    service,
    subtitle_routes,
)
from liuying.console.videos.schemas import (
    MOST_AT_ONCE,
    ManyBody,
    ManyDone,
    Sort,
    TakeDownBody,
    VideoChange,
    VideoDetail,
    VideoFilter,
    VideoPage,
    VideoState,
)
from liuying.core.catalogue.named_categories import category_name
from liuying.core.catalogue.queries.names import category_rows
from liuying.core.catalogue.rules import RESERVED_CATEGORIES
from liuying.features.audit.service import Entry, noted
from liuying.features.operators.rules import Role
from liuying.installation.services import Services
from liuying.kit.envelope import Envelope
from liuying.kit.errors import InvalidInputError
from liuying.kit.identifiers import MAX_ID
from liuying.kit.paging import PLACE_PATTERN
from liuying.kit.responses import (
    BODY,
    INVALID,
    MISSING,
    PLAIN_PATTERN,
    UNAUTHORIZED,
    PathIdentifier,
)
from liuying.workflows.bulk_editing import BulkChange, changing_videos, edit_many
from liuying.workflows.editing import edit_video
from liuying.workflows.removal import purge_video, remove_videos, restore_videos
from liuying.workflows.taking_down import begin_take_down, finish_take_down
from liuying.workflows.video_meta import GivenMeta, explain

REFUSED: Any = {**UNAUTHORIZED, **INVALID, **MISSING, **BODY}
Text = Annotated[
    str,
    QueryParameter(
        max_length=64, pattern=PLAIN_PATTERN, description="In the title, or the number."
    ),
]
Name = Annotated[str, QueryParameter(max_length=80, pattern=PLAIN_PATTERN)]
CategoryNumber = Annotated[int | None, QueryParameter(ge=1, le=MAX_ID)]
# The framework gives another meaning to a parameter that is called so.
State = Annotated[VideoState | None, QueryParameter(name="state")]
SortedBy = Annotated[Sort, QueryParameter(description="Descending by itself.")]
Ascending = Annotated[bool, QueryParameter(description="The other way round.")]
After = Annotated[str, QueryParameter(pattern=PLACE_PATTERN, description="`next_after`.")]
# How many numbers an entry of the audit log names.
MANY_NAMED = 200


def wanted_videos(
    text: Text = "",
    category: CategoryNumber = None,
    label: Name = "",
    artist: Name = "",
    shown_as: State = None,
) -> VideoFilter:
    """The dependency `wanted`: which videos an address asks for."""
    return VideoFilter(text=text, category=category, label=label, artist=artist, state=shown_as)


@get(
    "/api/videos",
    sync_to_thread=True,
    summary="Videos, by filter and order",
    opt=needs(Role.VIEWER),
    responses={**UNAUTHORIZED, **INVALID},
    dependencies={"wanted": Provide(wanted_videos, sync_to_thread=False)},
)
def list_videos(
    services: GivenServices,
    wanted: NamedDependency[VideoFilter],
    sort: SortedBy = Sort.CREATED,
    ascending: Ascending = False,  # a parameter of the address
    after: After = "",
) -> Envelope[VideoPage]:
    """Hidden and withheld ones included."""
    with services.database.read() as connection:
        return Envelope(
            service.list_videos(connection, wanted, sort, is_ascending=ascending, after=after)
        )


class CategoryName(msgspec.Struct, frozen=True):
    """A category to choose."""

    id: int
    name: str


@get(
    "/api/videos/categories",
    sync_to_thread=True,
    summary="Categories to choose from",
    opt=needs(Role.VIEWER),
    responses=UNAUTHORIZED,
)
def list_categories(services: GivenServices) -> Envelope[list[CategoryName]]:
    """In the site's order; short videos and those that sharing unlocks last."""
    with services.database.read() as connection:
        rows = category_rows(connection, with_hidden=True)
        own = [CategoryName(row.id, row.name) for row in rows]
        reserved = [
            CategoryName(number, category_name(connection, number))
            for number in RESERVED_CATEGORIES
        ]
        return Envelope([*own, *reserved])


@get(
    "/api/videos/{video_id:int}",
    sync_to_thread=True,
    summary="One video",
    opt=needs(Role.VIEWER),
    responses={**UNAUTHORIZED, **MISSING},
)
def get_video(video_id: PathIdentifier, services: GivenServices) -> Envelope[VideoDetail]:
    """With whatever describes it."""
    with services.database.read() as connection:
        return Envelope(service.video_detail(connection, video_id))


@patch(
    "/api/videos/{video_id:int}",
    status_code=200,
    sync_to_thread=True,
    summary="Change a video",
    opt=needs(Role.EDITOR),
    responses=REFUSED,
)
def change_video(
    video_id: PathIdentifier,
    data: JSONBody[VideoChange],
    services: GivenServices,
    actor: GivenActor,
) -> Envelope[VideoDetail]:
    """As `liuying video edit`, `hide` and `unhide`."""
    given = _given(data)
    before, after = _changes(services, video_id, data)
    entry = Entry("video.edit", f"视频 {video_id}", before, after)
    # What stays as it is leaves no entry.
    noting = noted(services.database, services.clock, actor, entry) if after else nullcontext()
    with noting:
        edit_video(services, video_id, given, is_hidden=data.is_hidden)
    with services.database.read() as connection:
        return Envelope(service.video_detail(connection, video_id))


@delete(
    "/api/videos/{video_id:int}",
    status_code=200,
    sync_to_thread=True,
    summary="Delete a video",
    opt=needs(Role.EDITOR),
    responses={**UNAUTHORIZED, **MISSING},
)
def delete_video(
    video_id: PathIdentifier, services: GivenServices, actor: GivenActor
) -> Envelope[None]:
    """As `liuying video remove`: into the bin."""
    with services.database.read() as connection:
        title = service.video_detail(connection, video_id).video.title
    entry = Entry("video.remove", f"视频 {video_id}", {"title": title})
    with noted(services.database, services.clock, actor, entry):
        remove_videos(services, [video_id])
    return Envelope(None)


@post(
    "/api/videos/{video_id:int}/restore",
    status_code=200,
    sync_to_thread=True,
    summary="Take a video out of the bin",
    opt=needs(Role.EDITOR),
    responses={**UNAUTHORIZED, **MISSING, **INVALID},
)
def restore_video(
    video_id: PathIdentifier, services: GivenServices, actor: GivenActor
) -> Envelope[VideoDetail]:
    """As `liuying video restore`."""
    with noted(
        services.database, services.clock, actor, Entry("video.restore", f"视频 {video_id}")
    ):
        restore_videos(services, [video_id])
    with services.database.read() as connection:
        return Envelope(service.video_detail(connection, video_id))


@post(
    "/api/videos/{video_id:int}/takedown",
    status_code=200,
    sync_to_thread=True,
    summary="Take a video down",
    opt=needs(Role.OWNER),
    responses=REFUSED,
)
def take_down(
    video_id: PathIdentifier,
    data: JSONBody[TakeDownBody],
    services: GivenServices,
    actor: GivenActor,
) -> Response[Envelope[None]]:
    """As `liuying video takedown`: the same content cannot be imported again."""
    with services.database.read() as connection:
        title = service.video_detail(connection, video_id).video.title
    entry = Entry("video.takedown", f"视频 {video_id}", {"title": title}, {"reason": data.reason})
    with noted(services.database, services.clock, actor, entry):
        begin_take_down(services, video_id, data.reason)
    # A film's fingerprint takes longer than a browser waits.
    finish = BackgroundTask(finish_take_down, services, video_id)
    return Response(Envelope(None), background=finish)


@post(
    "/api/videos/{video_id:int}/purge",
    status_code=200,
    sync_to_thread=True,
    summary="Remove a video of the bin for good",
    opt=needs(Role.OWNER),
    responses={**UNAUTHORIZED, **MISSING, **INVALID},
)
def purge(video_id: PathIdentifier, services: GivenServices, actor: GivenActor) -> Envelope[None]:
    """As `liuying video purge`: its files go too. Outside the bin it is refused."""
    with services.database.read() as connection:
        known = service.video_detail(connection, video_id).video
    if known.state is not VideoState.REMOVED:
        raise InvalidInputError(f"视频 {video_id} 不在回收站里")
    entry = Entry("video.purge", f"视频 {video_id}", {"title": known.title})
    with noted(services.database, services.clock, actor, entry):
        purge_video(services, video_id)
    return Envelope(None)


@post(
    "/api/videos/many",
    status_code=200,
    sync_to_thread=True,
    summary="Change many videos",
    opt=needs(Role.EDITOR),
    responses=REFUSED,
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


def _given(data: VideoChange) -> GivenMeta:
    """The values as the workflow takes them.

    Raises:
        InvalidInputError: One of them is invalid.
    """
    values = {
        name: value
        for name, value in msgspec.to_builtins(data).items()
        if value is not None and name != "is_hidden"
    }
    try:
        return msgspec.convert(values, GivenMeta)
    except msgspec.ValidationError as error:
        raise InvalidInputError(explain(error)) from error


def _changes(
    services: Services, video_id: int, data: VideoChange
) -> tuple[dict[str, Any], dict[str, Any]]:
    """What the given values were, and what they become.

    Raises:
        NotFoundError: No such video.
    """
    with services.database.read() as connection:
        known = service.video_detail(connection, video_id)
    was = {
        "title": known.video.title,
        "category": known.video.category,
        "labels": known.labels,
        "artists": known.artists,
        "description": known.description,
        "created_at": known.video.created_at,
        "is_hidden": known.video.state is VideoState.HIDDEN,
    }
    given = {name: value for name, value in msgspec.to_builtins(data).items() if value is not None}
    changed = {name: value for name, value in given.items() if was[name] != value}
    return {name: was[name] for name in changed}, changed


ROUTES: list[ControllerRouterHandler] = [
    list_videos,
    list_categories,
    get_video,
    change_video,
    delete_video,
    restore_video,
    take_down,
    purge,
    change_many,
    *cover_routes.ROUTES,
    *figure_routes.ROUTES,
    *media_routes.ROUTES,
    *subtitle_routes.ROUTES,
]
