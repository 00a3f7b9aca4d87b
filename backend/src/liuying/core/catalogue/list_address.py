"""How addresses identify a list: the screen `/list` and the calls behind it (specification §2, §7).

Every reader and writer of such addresses uses this module, so that a document's first answers,
lists built in memory and the framework's routes mean the same list. The web application writes the
same addresses (`web/src/shared/list-address.ts`).
"""

from __future__ import annotations

import re
from typing import cast

import msgspec

from liuying.core.catalogue.rules import SHARE_CATEGORY
from liuying.core.catalogue.sort_orders import DEFAULT_SORT_ORDER, SORT_ORDERS, SortOrder
from liuying.kit.identifiers import MAX_ID
from liuying.kit.paging import LAST_PAGE, PLACE_PATTERN, PageRequest, read_place

CATEGORY_PREFIX, SHARE_PATH = "/api/videosort/", "/api/videoshare"
CATEGORY_NAMES = frozenset({"orderby", "page", "after", "uuid"})
SHARE_NAMES = CATEGORY_NAMES | {"type"}
PLAIN_NUMBER = re.compile("0|[1-9][0-9]{0,9}")
PLACE = re.compile(PLACE_PATTERN)
# The spelling that the application writes; others of the same screen are not recognized here.
SCREEN = re.compile(rf"/list\?typeId=(0|[1-9]\d{{0,8}})&orderby=({'|'.join(SORT_ORDERS)})")


class ListQuery(msgspec.Struct, frozen=True):
    """One page of a category's list; category 0 means all.

    Attributes:
        page: From 1.
        after: Where the previous page ended, as in `next_page_url`; empty for none.
    """

    category_id: int
    order: SortOrder
    page: int = 1
    after: str = ""

    def page_request(self, per_page: int) -> PageRequest:
        """The page request for a given page size."""
        return PageRequest(self.page, per_page, read_place(self.after))


def category_path(category_id: int) -> str:
    """The path of the call for a category's list."""
    return f"{CATEGORY_PREFIX}{category_id}"


def first_page_address(category_id: int, order: SortOrder) -> str:
    """The address of the first page, spelled as the web application requests it."""
    return f"{category_path(category_id)}?orderby={order}&page=1"


def read_screen(target: bytes) -> ListQuery | None:
    """The list shown by the screen `/list` at this address; None for any other address."""
    found = SCREEN.fullmatch(target.decode("latin-1"))
    if found is None or (order := _order_of(found[2])) is None:
        return None
    return ListQuery(int(found[1]), order)


def read_call(path: str, query: str) -> ListQuery | None:
    """The list that a call requests in the plainest spelling.

    Returns:
        None for every other spelling, valid or not: the framework answers those.
    """
    if path == SHARE_PATH:
        names, category = SHARE_NAMES, str(SHARE_CATEGORY)
    else:
        names, category = CATEGORY_NAMES, path.removeprefix(CATEGORY_PREFIX)
    values: dict[str, str] = {}
    for part in query.split("&") if query else ():
        name, _, value = part.partition("=")
        if name not in names or name in values:
            return None
        values[name] = value
    order = _order_of(values.get("orderby", DEFAULT_SORT_ORDER))
    after = values.get("after", "")
    category, page = values.get("type", category), values.get("page", "1")
    if order is None or not PLACE.fullmatch(after) or values.get("uuid", "1") != "1":
        return None
    if not PLAIN_NUMBER.fullmatch(category) or not PLAIN_NUMBER.fullmatch(page):
        return None
    category_number, page_number = int(category), int(page)
    if category_number > MAX_ID or not 1 <= page_number <= LAST_PAGE:
        return None
    return ListQuery(category_number, order, page_number, after)


def _order_of(text: str) -> SortOrder | None:
    return cast("SortOrder", text) if text in SORT_ORDERS else None
