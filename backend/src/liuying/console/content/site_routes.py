"""What the site calls itself, as `liuying site`."""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import Response, get, put
from litestar.params import FromPath, JSONBody
from litestar.types import ControllerRouterHandler

from liuying.console.access import needs
from liuying.console.content.changing import (
    PICTURE_BODY_BYTES,
    REFUSED,
    Line,
    Picture,
    Revision,
    changing,
    differences,
    require_picture_size,
    require_revision,
    revision_of,
)
from liuying.console.given import GivenActor, GivenServices
from liuying.features.audit.service import Entry
from liuying.features.operators.rules import Role
from liuying.features.site import queries
from liuying.features.site import service as sites
from liuying.features.site.rules import CHECKS, LOGO, PICTURES, SMALL_ICON, SiteIdentity
from liuying.installation.services import Services
from liuying.kit.envelope import Envelope
from liuying.kit.errors import NotFoundError
from liuying.kit.responses import INVALID, MISSING, UNAUTHORIZED
from liuying.workflows.site_identity import ICON_FIELD, LOGO_FIELD, change_identity, prepared

# Logo and icon in one form.
BODY_BYTES = 2 * PICTURE_BODY_BYTES


class SiteTexts(msgspec.Struct, frozen=True, kw_only=True):
    """Texts, colours and the address of the site, as `SiteIdentity` describes them."""

    name: Line
    short_name: Line
    slogan: Line
    description: Line
    footer: Line
    contact: Line
    share_text: Line
    theme_dark: Line
    theme_light: Line
    url: Line


class SiteState(msgspec.Struct, frozen=True, kw_only=True):
    """What the site calls itself now.

    Attributes:
        defaults: What stands where nobody set anything.
        logo: Where the console shows the logo; empty without one.
        icon: The same for the icon.
        revision: Names this state of it, for whoever changes it.
    """

    texts: SiteTexts
    defaults: SiteTexts
    logo: str
    icon: str
    revision: str


class SiteBody(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the site is to call itself.

    Attributes:
        logo: JPEG, PNG or WebP; without it the one that there is stays.
        removes_logo: Whether the wordmark of the name takes its place again.
        icon: The same for the icon.
        removes_icon: Whether the drawing that comes with the software takes its place again.
        revision: The state that the operator saw.
    """

    texts: SiteTexts
    logo: Picture | None = None
    removes_logo: bool = False
    icon: Picture | None = None
    removes_icon: bool = False
    revision: Revision


@get(
    "/api/site",
    sync_to_thread=True,
    summary="What the site calls itself",
    opt=needs(Role.OWNER),
    responses=UNAUTHORIZED,
)
def get_site(services: GivenServices) -> Envelope[SiteState]:
    """Texts, colours, address and pictures."""
    with services.database.read() as connection:
        return Envelope(_state(sites.read_identity(connection)))


@put(
    "/api/site",
    sync_to_thread=True,
    summary="Change what the site calls itself",
    opt=needs(Role.OWNER),
    responses=REFUSED,
    request_max_body_size=BODY_BYTES,
)
def edit_site(
    data: JSONBody[SiteBody], services: GivenServices, actor: GivenActor
) -> Envelope[SiteState]:
    """As `liuying site set`; visitors see it with their next page."""
    pictures = {
        field: given
        for field, given, is_removed in (
            (LOGO_FIELD, data.logo, data.removes_logo),
            (ICON_FIELD, data.icon, data.removes_icon),
        )
        if is_removed or given is not None
    }
    for field, given in pictures.items():
        if given is not None:
            require_picture_size(given, field)
    texts: dict[str, str] = msgspec.structs.asdict(data.texts)
    change = prepared(services.database, texts, pictures)
    told = dict(change.texts) | {
        field: "新图片" if given else None for field, given in pictures.items()
    }
    before, after = differences(_known(services), told)
    entry = Entry("site.set", "网站", before, after)
    with changing(services, actor, entry) as connection:
        require_revision(_state(sites.read_identity(connection)).revision, data.revision)
        return Envelope(_state(change_identity(connection, change)))


@get(
    "/api/site/pictures/{name:str}",
    sync_to_thread=True,
    summary="The site's logo or an icon",
    opt=needs(Role.VIEWER),
    responses={**UNAUTHORIZED, **MISSING, **INVALID},
    media_type="image/png",
)
def get_site_picture(name: FromPath[str], services: GivenServices) -> Response[bytes]:
    """As visitors get it below `/site/`."""
    with services.database.read() as connection:
        content = queries.picture_content(connection, name) if name in PICTURES else None
    if content is None:
        raise NotFoundError
    return Response(content, media_type="image/png", headers={"cache-control": "no-store"})


def _known(services: Services) -> dict[str, Any]:
    """What is set now, for the audit log."""
    with services.database.read() as connection:
        state = _state(sites.read_identity(connection))
    texts = msgspec.structs.asdict(state.texts)
    return texts | {LOGO_FIELD: state.logo or None, ICON_FIELD: state.icon or None}


def _texts(site: SiteIdentity) -> SiteTexts:
    return SiteTexts(**{field: getattr(site, field) for field in CHECKS})


def _state(site: SiteIdentity) -> SiteState:
    texts = _texts(site)
    return SiteState(
        texts=texts,
        defaults=_texts(SiteIdentity()),
        logo=_address(site, LOGO),
        icon=_address(site, SMALL_ICON),
        revision=revision_of([msgspec.structs.asdict(texts), dict(site.pictures)]),
    )


def _address(site: SiteIdentity, name: str) -> str:
    digest = site.pictures.get(name)
    return f"/api/site/pictures/{name}?v={digest}" if digest else ""


ROUTES: list[ControllerRouterHandler] = [get_site, edit_site, get_site_picture]
