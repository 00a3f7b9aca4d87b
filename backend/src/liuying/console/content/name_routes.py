"""Artists and labels, as `liuying artist` and `liuying tag`."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
import sqlalchemy as sa
from litestar import delete, get, post, put
from litestar.params import JSONBody, QueryParameter
from litestar.types import ControllerRouterHandler

from liuying.console.access import needs
from liuying.console.content import queries
from liuying.console.content.changing import (
    PICTURE_BODY_BYTES,
    REFUSED,
    Line,
    Number,
    Picture,
    Revision,
    changing,
    differences,
    require_revision,
    revision_of,
    stored_picture,
)
from liuying.console.content.picture_routes import PictureView, picture_view
from liuying.console.given import GivenActor, GivenServices
from liuying.core.catalogue import editing
from liuying.core.catalogue.queries import names
from liuying.features.audit.service import Entry
from liuying.features.operators.rules import Role
from liuying.installation.services import Services
from liuying.kit.database import AnyRow
from liuying.kit.envelope import Envelope
from liuying.kit.errors import NotFoundError
from liuying.kit.responses import INVALID, PLAIN_PATTERN, UNAUTHORIZED, PathIdentifier
from liuying.workflows.indexing import reindex_videos

PAGE = 100
PORTRAIT_WIDTH = 480
Text = Annotated[
    str, QueryParameter(max_length=64, pattern=PLAIN_PATTERN, description="In the name.")
]


class ArtistItem(msgspec.Struct, frozen=True, kw_only=True):
    """An artist; `videos` are those listed or not, `revision` names this state."""

    id: int
    name: str
    intro: str
    videos: int
    picture: PictureView | None
    revision: str


class LabelItem(msgspec.Struct, frozen=True):
    """A label; `videos` are those listed or not, `revision` names this state."""

    id: int
    name: str
    videos: int
    revision: str


class ArtistList(msgspec.Struct, frozen=True):
    """The first artists of a search by name, and how many there are."""

    data: list[ArtistItem]
    total: int


class LabelList(msgspec.Struct, frozen=True):
    """The first labels of a search by name, and how many there are."""

    data: list[LabelItem]
    total: int


class ArtistBody(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An artist as it is to be; without `image` the portrait stays."""

    name: Line
    intro: Line
    revision: Revision
    image: Picture | None = None


class LabelBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A label as it is to be."""

    name: Line
    revision: Revision


class MergeBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What stays: its number."""

    into: Number


@get(
    "/api/artists",
    sync_to_thread=True,
    summary="Artists",
    opt=needs(Role.VIEWER),
    responses={**UNAUTHORIZED, **INVALID},
)
def list_artists(services: GivenServices, text: Text = "") -> Envelope[ArtistList]:
    """By initial and name; a search narrows them down."""
    with services.database.read() as connection:
        rows, total = queries.artists_named(connection, text.strip(), PAGE)
        return Envelope(ArtistList([_artist(row, row.videos) for row in rows], total))


@put(
    "/api/artists/{artist_id:int}",
    sync_to_thread=True,
    summary="Change an artist",
    opt=needs(Role.EDITOR),
    responses=REFUSED,
    request_max_body_size=PICTURE_BODY_BYTES,
)
def edit_artist(
    artist_id: PathIdentifier,
    data: JSONBody[ArtistBody],
    services: GivenServices,
    actor: GivenActor,
) -> Envelope[ArtistItem]:
    """As `liuying artist edit`."""
    portrait = stored_picture(services, data.image, PORTRAIT_WIDTH)
    known = _known_artist(services, artist_id)
    after: dict[str, Any] = {"name": data.name, "intro": data.intro}
    if data.image:
        after["image"] = "新头像"
    entry = Entry(
        "artist.edit",
        f"艺人 {artist_id} {known.name}",
        *differences({"name": known.name, "intro": known.intro}, after),
    )
    with changing(services, actor, entry) as connection:
        require_revision(_artist(_artist_row(connection, artist_id)).revision, data.revision)
        concerned = editing.edit_artist(connection, artist_id, data.name, data.intro, portrait)
        reindex_videos(connection, concerned)
        return Envelope(_artist(_artist_row(connection, artist_id), len(concerned)))


@post(
    "/api/artists/{artist_id:int}/merge",
    status_code=200,
    sync_to_thread=True,
    summary="Move an artist's videos to another one",
    opt=needs(Role.EDITOR),
    responses=REFUSED,
)
def merge_artist(
    artist_id: PathIdentifier,
    data: JSONBody[MergeBody],
    services: GivenServices,
    actor: GivenActor,
) -> Envelope[None]:
    """As `liuying artist merge`: the first one is gone."""
    known, kept = (_known_artist(services, one) for one in (artist_id, data.into))
    entry = Entry(
        "artist.merge", f"艺人 {artist_id} {known.name}", {"name": known.name}, {"into": kept.name}
    )
    with changing(services, actor, entry) as connection:
        reindex_videos(connection, editing.merge_artists(connection, artist_id, data.into))
    return Envelope(None)


@get(
    "/api/labels",
    sync_to_thread=True,
    summary="Labels",
    opt=needs(Role.VIEWER),
    responses={**UNAUTHORIZED, **INVALID},
)
def list_labels(services: GivenServices, text: Text = "") -> Envelope[LabelList]:
    """The most used first; a search narrows them down."""
    with services.database.read() as connection:
        rows, total = queries.labels_named(connection, text.strip(), PAGE)
        return Envelope(LabelList([_label(row, row.videos) for row in rows], total))


@put(
    "/api/labels/{label_id:int}",
    sync_to_thread=True,
    summary="Rename a label",
    opt=needs(Role.EDITOR),
    responses=REFUSED,
)
def edit_label(
    label_id: PathIdentifier,
    data: JSONBody[LabelBody],
    services: GivenServices,
    actor: GivenActor,
) -> Envelope[LabelItem]:
    """As `liuying tag rename`."""
    known = _known_label(services, label_id)
    entry = Entry("tag.rename", f"标签 {label_id}", {"name": known.name}, {"name": data.name})
    with changing(services, actor, entry) as connection:
        require_revision(_label(_label_row(connection, label_id)).revision, data.revision)
        concerned = editing.rename_label(connection, label_id, data.name)
        reindex_videos(connection, concerned)
        return Envelope(_label(_label_row(connection, label_id), len(concerned)))


@post(
    "/api/labels/{label_id:int}/merge",
    status_code=200,
    sync_to_thread=True,
    summary="Replace a label by another one",
    opt=needs(Role.EDITOR),
    responses=REFUSED,
)
def merge_label(
    label_id: PathIdentifier,
    data: JSONBody[MergeBody],
    services: GivenServices,
    actor: GivenActor,
) -> Envelope[None]:
    """As `liuying tag merge`: the first one is gone."""
    known, kept = (_known_label(services, one) for one in (label_id, data.into))
    entry = Entry("tag.merge", f"标签 {label_id}", {"name": known.name}, {"into": kept.name})
    with changing(services, actor, entry) as connection:
        reindex_videos(connection, editing.merge_labels(connection, label_id, data.into))
    return Envelope(None)


@delete(
    "/api/labels/{label_id:int}",
    status_code=200,
    sync_to_thread=True,
    summary="Remove a label from all videos",
    opt=needs(Role.EDITOR),
    responses=REFUSED,
)
def remove_label(
    label_id: PathIdentifier, services: GivenServices, actor: GivenActor
) -> Envelope[None]:
    """As `liuying tag remove`."""
    known = _known_label(services, label_id)
    entry = Entry("tag.remove", f"标签 {label_id}", {"name": known.name})
    with changing(services, actor, entry) as connection:
        reindex_videos(connection, editing.remove_label(connection, label_id))
    return Envelope(None)


def _known_artist(services: Services, number: int) -> ArtistItem:
    with services.database.read() as connection:
        return _artist(_artist_row(connection, number))


def _known_label(services: Services, number: int) -> LabelItem:
    with services.database.read() as connection:
        return _label(_label_row(connection, number))


def _artist_row(connection: sa.Connection, number: int) -> AnyRow:
    row = names.artist_by_id(connection, number)
    if row is None:
        raise NotFoundError(f"没有编号为 {number} 的艺人")
    return row


def _label_row(connection: sa.Connection, number: int) -> AnyRow:
    row = queries.label_by_id(connection, number)
    if row is None:
        raise NotFoundError(f"没有编号为 {number} 的标签")
    return row


def _artist(row: AnyRow, videos: int = 0) -> ArtistItem:
    return ArtistItem(
        id=row.id,
        name=row.name,
        intro=row.intro,
        videos=videos,
        picture=picture_view(row.image),
        revision=revision_of([row.name, row.intro, row.image]),
    )


def _label(row: AnyRow, videos: int = 0) -> LabelItem:
    return LabelItem(row.id, row.name, videos, revision_of([row.name]))


ROUTES: list[ControllerRouterHandler] = [
    list_artists,
    edit_artist,
    merge_artist,
    list_labels,
    edit_label,
    merge_label,
    remove_label,
]
