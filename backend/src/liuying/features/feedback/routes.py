"""The call of feedback (specification §7)."""

from __future__ import annotations

from litestar import post
from litestar.di import NamedDependency
from litestar.params import JSONBody

from liuying.features.feedback import rules, service
from liuying.features.feedback.schemas import FeedbackNumber, NewFeedback
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
    MISSING_OPTION,
    UNAVAILABLE,
    WRITING,
    WithOptionalCode,
)

THANKS = "提交成功，感谢您的反馈！"


@post(
    "/api/syssuggest",
    status_code=200,
    sync_to_thread=True,
    opt=WRITING | {MISSING_OPTION: {"content": rules.EMPTY_MESSAGE}},
    responses=INVALID | BODY | LIMITED | UNAVAILABLE,
    operation_class=WithOptionalCode,
    operation_id="sendFeedback",
    tags=["feedback"],
)
def post_feedback(
    database: NamedDependency[Database],
    clock: NamedDependency[Clock],
    hashes: NamedDependency[KeyedHashes],
    limits: NamedDependency[Limits],
    caller: NamedDependency[Caller],
    data: JSONBody[NewFeedback],
) -> Envelope[FeedbackNumber]:
    """Send a report to the operator; at most 5 a minute and 30 a day per network. The same text
    sent again within ten minutes is the same report, and has its number.
    """
    report = service.checked(data)
    limits.check(rules.REPORTS, caller.network)  # What was refused for its form does not count.
    with database.write() as connection:
        number = service.store_once(connection, hashes, report, caller, clock())
    return Envelope(FeedbackNumber(number), msg=THANKS)


ROUTES = [post_feedback]
