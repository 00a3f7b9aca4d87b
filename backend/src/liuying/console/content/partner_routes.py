"""Partners, as `liuying vendor`. They vouch for visitors, so they are the owner's alone."""

from __future__ import annotations

import base64
from typing import Annotated, Any

import msgspec
import sqlalchemy as sa
from litestar import delete, get, post, put
from litestar.params import JSONBody, PathParameter
from litestar.types import ControllerRouterHandler

from liuying.console.access import needs
from liuying.console.content.changing import (
    REFUSED,
    Line,
    Revision,
    changing,
    differences,
    require_revision,
    revision_of,
)
from liuying.console.given import GivenActor, GivenServices
from liuying.features.audit.service import Entry
from liuying.features.embedding import service
from liuying.features.embedding.rules import MAX_CODE_S
from liuying.features.embedding.schemas import Perks
from liuying.features.embedding.service import Vendor
from liuying.features.operators.rules import Role
from liuying.installation.services import Services
from liuying.installation.site_address import site_address
from liuying.kit.envelope import Envelope
from liuying.kit.responses import UNAUTHORIZED

VendorId = Annotated[str, PathParameter(pattern="^[a-z0-9][a-z0-9-]{1,31}$")]
TEST_USER = "test"


class PartnerBody(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A new partner.

    Attributes:
        id: `iss` and `kid` of its codes.
        name: For operators alone.
        origin: Allowed to frame the site.
        perks: What its visitors get.
    """

    id: Line
    name: Line
    origin: Line
    perks: Perks = Perks()


class PartnerChange(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A partner as it is to be; its id stays.

    Attributes:
        name: For operators alone.
        origin: Allowed to frame the site.
        perks: What its visitors get.
        revision: The state that the operator saw.
    """

    name: Line
    origin: Line
    perks: Perks
    revision: Revision


class PartnerItem(msgspec.Struct, frozen=True, kw_only=True):
    """A partner without its key; `revision` names this state of it, for whoever changes it."""

    id: str
    name: str
    origin: str
    perks: Perks
    is_active: bool
    revision: str


class PartnerKey(msgspec.Struct, frozen=True):
    """A partner's new key (base64, 32 bytes); it is shown this once."""

    partner: PartnerItem
    key: str


class PartnerCode(msgspec.Struct, frozen=True):
    """A code to try with: where it opens the site, and for how many seconds. `url` is a path
    where the site's address is not set.
    """

    code: str
    url: str
    seconds: int


@get(
    "/api/partners",
    sync_to_thread=True,
    summary="Partners",
    opt=needs(Role.OWNER),
    responses=UNAUTHORIZED,
)
def list_partners(services: GivenServices) -> Envelope[list[PartnerItem]]:
    """Without their keys."""
    with services.database.read() as connection:
        return Envelope([_item(one) for one in service.list_vendors(connection)])


@post(
    "/api/partners",
    status_code=200,
    sync_to_thread=True,
    summary="Add a partner",
    opt=needs(Role.OWNER),
    responses=REFUSED,
)
def add_partner(
    data: JSONBody[PartnerBody], services: GivenServices, actor: GivenActor
) -> Envelope[PartnerKey]:
    """As `liuying vendor add` and `show-key`."""
    entry = Entry(
        "vendor.add", f"合作方 {data.id}", None, {"name": data.name, "origin": data.origin}
    )
    with changing(services, actor, entry) as connection:
        now = services.clock()
        added = service.add_vendor(
            connection, services.hashes, data.id, data.name, data.origin, data.perks, now
        )
        return Envelope(PartnerKey(_item(added), _key(services, connection, added.id)))


@put(
    "/api/partners/{vendor_id:str}",
    sync_to_thread=True,
    summary="Change a partner",
    opt=needs(Role.OWNER),
    responses=REFUSED,
)
def edit_partner(
    vendor_id: VendorId,
    data: JSONBody[PartnerChange],
    services: GivenServices,
    actor: GivenActor,
) -> Envelope[PartnerItem]:
    """As `liuying vendor edit`: the key and the visitors that are logged in stay."""
    with services.database.read() as connection:
        known = service.get_vendor(connection, vendor_id)
    before, after = differences(_stated(known), _stated(data))
    entry = Entry("vendor.edit", f"合作方 {vendor_id}", before, after)
    with changing(services, actor, entry) as connection:
        found = service.get_vendor(connection, vendor_id)
        require_revision(_item(found).revision, data.revision)
        changes = service.VendorChanges(name=data.name, origin=data.origin, perks=data.perks)
        return Envelope(_item(service.edit_vendor(connection, vendor_id, changes)))


@post(
    "/api/partners/{vendor_id:str}/key",
    status_code=200,
    sync_to_thread=True,
    summary="Give a partner a new key",
    opt=needs(Role.OWNER),
    responses=REFUSED,
)
def rotate_key(
    vendor_id: VendorId, services: GivenServices, actor: GivenActor
) -> Envelope[PartnerKey]:
    """As `liuying vendor rotate-key`: codes signed with the old one are refused at once."""
    with changing(services, actor, Entry("vendor.rotate-key", f"合作方 {vendor_id}")) as connection:
        service.rotate_key(connection, services.hashes, vendor_id)
        partner = _item(service.get_vendor(connection, vendor_id))
        return Envelope(PartnerKey(partner, _key(services, connection, vendor_id)))


@post(
    "/api/partners/{vendor_id:str}/code",
    status_code=200,
    sync_to_thread=True,
    summary="Sign a code to try with",
    opt=needs(Role.OWNER),
    responses=REFUSED,
)
def sign_code(
    vendor_id: VendorId, services: GivenServices, actor: GivenActor
) -> Envelope[PartnerCode]:
    """As `liuying vendor sign`: it works once."""
    with changing(services, actor, Entry("vendor.sign", f"合作方 {vendor_id}")) as connection:
        partner = service.get_vendor(connection, vendor_id)
        key = service.get_signing_key(connection, services.hashes, vendor_id)
        code = service.sign_test_code(partner, key, TEST_USER, "", services.clock())
        address = f"{site_address(services, connection)}/vendor?code={code}"
    return Envelope(PartnerCode(code, address, MAX_CODE_S))


@delete(
    "/api/partners/{vendor_id:str}",
    status_code=200,
    sync_to_thread=True,
    summary="Remove a partner",
    opt=needs(Role.OWNER),
    responses=REFUSED,
)
def remove_partner(
    vendor_id: VendorId, services: GivenServices, actor: GivenActor
) -> Envelope[None]:
    """As `liuying vendor remove`: its visitors' sessions end within two hours."""
    with services.database.read() as connection:
        known = service.get_vendor(connection, vendor_id)
    before = {"name": known.name, "origin": known.origin}
    with changing(
        services, actor, Entry("vendor.remove", f"合作方 {vendor_id}", before)
    ) as connection:
        service.remove_vendor(connection, vendor_id)
    return Envelope(None)


def _stated(partner: Vendor | PartnerChange) -> dict[str, Any]:
    """What a form shows of a partner, flat, as the audit log tells it."""
    return {
        "name": partner.name,
        "origin": partner.origin,
        **msgspec.to_builtins(partner.perks),
    }


def _item(partner: Vendor) -> PartnerItem:
    return PartnerItem(
        id=partner.id,
        name=partner.name,
        origin=partner.origin,
        perks=partner.perks,
        is_active=partner.is_active,
        revision=revision_of(_stated(partner)),
    )


def _key(services: Services, connection: sa.Connection, vendor_id: str) -> str:
    """In the form that the partner's server is given."""
    key = service.get_signing_key(connection, services.hashes, vendor_id)
    return base64.b64encode(key).decode()


ROUTES: list[ControllerRouterHandler] = [
    list_partners,
    add_partner,
    edit_partner,
    rotate_key,
    sign_code,
    remove_partner,
]
