"""The calls of reports (docs/product.md#reports)."""

from __future__ import annotations

from litestar import post
from litestar.di import NamedDependency
from litestar.params import JSONBody

from liuying.features.reports import rules, service
from liuying.features.reports.schemas import NewReport, Receipt, ReceiptQuestion, ReportState
from liuying.kit.caller import Caller
from liuying.kit.clock import Clock
from liuying.kit.database import Database
from liuying.kit.envelope import Envelope
from liuying.kit.keyed_hashes import KeyedHashes
from liuying.kit.limits import Limits
from liuying.kit.responses import BODY, INVALID, LIMITED, MISSING, UNAVAILABLE, WRITING

THANKS = "举报已提交，感谢您的监督！"


@post(
    "/api/report",
    status_code=200,
    sync_to_thread=True,
    opt=WRITING,
    responses=INVALID | BODY | LIMITED | MISSING | UNAVAILABLE,
    operation_id="reportVideo",
    tags=["reports"],
)
def post_report(
    database: NamedDependency[Database],
    clock: NamedDependency[Clock],
    hashes: NamedDependency[KeyedHashes],
    limits: NamedDependency[Limits],
    caller: NamedDependency[Caller],
    data: JSONBody[NewReport],
) -> Envelope[Receipt]:
    """Report a video to the operator; at most 5 a minute and 30 a day per network, which
    counts once a day for a video. The receipt tells later what became of it. The same report sent
    again within ten minutes is the same one, and has its receipt.
    """
    rules.checked_text(data.content, data.reason)  # What is refused for its form does not count.
    limits.check(rules.REPORTS, caller.network)
    with database.write() as connection:
        receipt = service.store(connection, hashes, data, caller, clock())
    return Envelope(Receipt(receipt), msg=THANKS)


@post(
    "/api/report/state",
    status_code=200,
    sync_to_thread=True,
    responses=INVALID | BODY | LIMITED | MISSING,
    operation_id="reportState",
    tags=["reports"],
)
def post_report_state(
    database: NamedDependency[Database],
    hashes: NamedDependency[KeyedHashes],
    limits: NamedDependency[Limits],
    caller: NamedDependency[Caller],
    data: JSONBody[ReceiptQuestion],
) -> Envelope[ReportState]:
    """What became of a report; at most 20 a minute per network. A call with a body, so that no
    address contains a receipt.
    """
    limits.check(rules.RECEIPTS, caller.network)
    with database.read() as connection:
        return Envelope(service.state_of(connection, hashes, data.receipt))


ROUTES = [post_report, post_report_state]
