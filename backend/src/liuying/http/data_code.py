"""The call that changes the data code (specification §6)."""

from __future__ import annotations

from litestar import post
from litestar.di import NamedDependency
from litestar.params import JSONBody

from liuying.core.visitors.presented_codes import PresentedCodes
from liuying.core.visitors.schemas import ChangesLeft, CodeChange
from liuying.kit.caller import Caller
from liuying.kit.clock import Clock
from liuying.kit.database import Database
from liuying.kit.envelope import Envelope
from liuying.kit.errors import InvalidInputError
from liuying.kit.keyed_hashes import KeyedHashes
from liuying.kit.responses import (
    BODY,
    INVALID,
    LIMITED,
    MISSING_OPTION,
    UNAVAILABLE,
    WRITING,
    WithCode,
)
from liuying.kit.visitor_code import CODE_MESSAGE, parse_code
from liuying.workflows.code_change import change_code

UNCHANGED_MESSAGE = "资料识别码未变更"
CHANGED_MESSAGE = "资料识别码已变更，请牢记保存！今日剩馀变更次数：{left}"


@post(
    "/api/visitor/code",
    status_code=200,
    sync_to_thread=True,
    opt=WRITING | {MISSING_OPTION: {"code": CODE_MESSAGE}},
    responses=INVALID | BODY | LIMITED | UNAVAILABLE,
    operation_class=WithCode,
    operation_id="changeCode",
    tags=["visitor"],
)
def post_code(
    database: NamedDependency[Database],
    clock: NamedDependency[Clock],
    hashes: NamedDependency[KeyedHashes],
    presented_codes: NamedDependency[PresentedCodes],
    caller: NamedDependency[Caller],
    data: JSONBody[CodeChange],
) -> Envelope[ChangesLeft]:
    """Use another code from now on; at most twice in 24 hours."""
    current, new = caller.required_code, parse_code(data.code, "code")
    if new == current:
        raise InvalidInputError(UNCHANGED_MESSAGE, "code")
    presented_codes.check(new, caller.network)  # Entering a code here must not be a way to guess.
    with database.write() as connection:
        left = change_code(connection, hashes, current, new, clock())
    return Envelope(ChangesLeft(left), msg=CHANGED_MESSAGE.format(left=left))


ROUTES = [post_code]
