"""The console's calls about videos: finding them, seeing one, changing one; the others are
gathered.
"""

from __future__ import annotations

from contextlib import nullcontext
from typing import Annotated, Any

import msgspec
from litestar import get, patch
from litestar.di import NamedDependency, Provide
from litestar.params import JSONBody, QueryParameter
from litestar.types import ControllerRouterHandler

from liuying.console.access import needs
from liuying.console.given import GivenActor, GivenServices
from liuying.console.videos import (
    bulk_routes,
    cover_routes,
    figure_routes,
    media_routes,
    removal_routes,
    service,
    subtitle_routes,
)
from liuying.console.videos.schemas import (
    Sort,
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
from liuying.workflows.editing import edit_video
from liuying.workflows.video_meta import GivenMeta, explain

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
    responses={**UNAUTHORIZED, **INVALID, **MISSING, **BODY},
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
    *removal_routes.ROUTES,
    *bulk_routes.ROUTES,
    *cover_routes.ROUTES,
    *figure_routes.ROUTES,
    *media_routes.ROUTES,
    *subtitle_routes.ROUTES,
]
