"""The call that exchanges a partner's code for a session (docs/product.md#embedding)."""

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
    """Open a session of two hours for a code signed by a partner. The code is used up."""
    limits.check(rules.EXCHANGES, caller.network)
    now = clock()
    # Verified by a read first: a code without a partner's signature never waits for the writer's
    # lock.
    with database.read() as connection:
        partner, claims = service.check_code(connection, hashes, data.code, now)
    with database.write() as connection:
        service.use_code(connection, claims)
    return Envelope(
        service.open_session(hashes, partner, claims, now, login_video_switch=login_video_switch)
    )


ROUTES = [exchange_code]
