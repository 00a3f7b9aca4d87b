"""The sort orders of lists as data, read by statements, the sort index, documents, OpenAPI and the
web.

A new order is an entry of `SortOrder` and a row of `SORT_ORDERS`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

SortOrder = Literal["new", "hot"]


class SortedBy(msgspec.Struct, frozen=True):
    """What an order sorts by, descending.

    Attributes:
        column: A column of the table `video` with whole numbers that are never null.
        text: What visitors read.
    """

    column: str
    text: str


SORT_ORDERS: Mapping[SortOrder, SortedBy] = {
    "new": SortedBy("created_at", "最新"),
    "hot": SortedBy("pageviews", "最热"),
}
DEFAULT_SORT_ORDER: SortOrder = "new"

# The columns in the sort index; recommendations need the first two.
SCORE_COLUMNS = tuple(
    dict.fromkeys(("created_at", "pageviews", *(one.column for one in SORT_ORDERS.values())))
)
# The index of an order's score among them.
SCORE_PLACES: Mapping[SortOrder, int] = {
    order: SCORE_COLUMNS.index(one.column) for order, one in SORT_ORDERS.items()
}
