"""Partners, as `liuying vendor`. They vouch for visitors, so they are the owner's alone."""

from __future__ import annotations

import base64
from typing import Annotated

import msgspec
import sqlalchemy as sa
from litestar import delete, get, post
from litestar.params import JSONBody, PathParameter
from litestar.types import ControllerRouterHandler

from liuying.console.access import needs
from liuying.console.content.changing import REFUSED, Line, changing
from liuying.console.content.site_address import site_address
from liuying.console.given import GivenActor, GivenServices
from liuying.features.audit.service import Entry
from liuying.features.embedding import service
from liuying.features.embedding.rules import MAX_CODE_S
from liuying.features.embedding.schemas import Perks
from liuying.features.embedding.service import Vendor
from liuying.features.operators.rules import Role
from liuying.installation.services import Services
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


class PartnerKey(msgspec.Struct, frozen=True):
    """A partner's new key (base64, 32 bytes); it is shown this once."""

    partner: Vendor
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
def list_partners(services: GivenServices) -> Envelope[list[Vendor]]:
    """Without their keys."""
    with services.database.read() as connection:
        return Envelope(list(service.list_vendors(connection)))


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
        return Envelope(PartnerKey(added, _key(services, connection, added.id)))


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
        partner = service.get_vendor(connection, vendor_id)
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


def _key(services: Services, connection: sa.Connection, vendor_id: str) -> str:
    """In the form that the partner's server is given."""
    key = service.get_signing_key(connection, services.hashes, vendor_id)
    return base64.b64encode(key).decode()


ROUTES: list[ControllerRouterHandler] = [
    list_partners,
    add_partner,
    rotate_key,
    sign_code,
    remove_partner,
]
