"""The call that turns a partner's code into a session (docs/product.md#embedding)."""

from __future__ import annotations

from litestar import post
from litestar.di import NamedDependency
from litestar.params import JSONBody

from liuying.features.embedding import rules, service
from liuying.features.embedding.schemas import VendorCode, VendorSession
from liuying.kit.caller import Caller
from liuying.kit.clock import Clock
from liuying.kit.database import Database
from liuying.kit.envelope import Envelope
from liuying.kit.keyed_hashes import KeyedHashes
from liuying.kit.limits import Limits
from liuying.kit.responses import (
    BODY,
    INVALID,
    LIMITED,
    UNAUTHORIZED,
    UNAVAILABLE,
    WRITING,
)


@post(
    "/api/vendor/exchange",
    status_code=200,
    sync_to_thread=True,
    opt=WRITING,
    responses=INVALID | UNAUTHORIZED | LIMITED | BODY | UNAVAILABLE,
    operation_id="exchangeVendorCode",
    tags=["embedding"],
)
def exchange_code(
    database: NamedDependency[Database],
    clock: NamedDependency[Clock],
    hashes: NamedDependency[KeyedHashes],
    login_video_switch: NamedDependency[bool],
    caller: NamedDependency[Caller],
    limits: NamedDependency[Limits],
    data: JSONBody[VendorCode],
) -> Envelope[VendorSession]:
    """A session of two hours for a code that a partner signed. The code is used up."""
    limits.check(rules.EXCHANGES, caller.network)
    now = clock()
    # Checked by reading first: what is not signed by a partner never waits for, or holds, the
    # writer's lock.
    with database.read() as connection:
        partner, claims = service.check_code(connection, hashes, data.code, now)
    with database.write() as connection:
        service.use_code(connection, claims)
    return Envelope(
        service.open_session(hashes, partner, claims, now, login_video_switch=login_video_switch)
    )


ROUTES = [exchange_code]
