"""Lists of categories put together without the framework, where all of one is in memory.

A million videos have some hundred thousand pages, and most are asked for when nobody has asked for
them lately. What the framework would answer to a plain address is known beforehand; what is said in
any other way is left to it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import cast

import msgspec
from litestar.handlers import HTTPRouteHandler

from liuying.core.catalogue.routes import get_category_videos
from liuying.core.catalogue.rules import SHARE_CATEGORY, SORT_ORDERS, SortOrder
from liuying.core.catalogue.schemas import as_sent
from liuying.core.catalogue.service import list_known_category
from liuying.core.catalogue.sort_index import SortIndex
from liuying.http.representation import Header
from liuying.kit.envelope import Envelope
from liuying.kit.paging import LAST_PAGE, PLACE_PATTERN, PageRequest, read_place
from liuying.kit.responses import CACHE_OPTION, CachePolicy
from liuying.kit.rows import MAX_ID
from liuying.pages.routes import get_share_videos

CATEGORY_PREFIX, SHARE_PATH = "/api/videosort/", "/api/videoshare"
CATEGORY_NAMES = frozenset({"orderby", "page", "after", "uuid"})
PREFIXES = (CATEGORY_PREFIX.encode(), SHARE_PATH.encode())
SHARE_NAMES = CATEGORY_NAMES | {"type"}
JSON_TYPE: Header = (b"content-type", b"application/json")
PLAIN_NUMBER = re.compile("0|[1-9][0-9]{0,9}")
PLACE = re.compile(PLACE_PATTERN)


class ReadyAnswer(msgspec.Struct, frozen=True):
    """An answer as the framework would give it, and how long it may be kept."""

    body: bytes
    headers: list[Header]
    policy: CachePolicy


class ReadyLists:
    """The lists of one process.

    Args:
        orders: What is in memory.
        page_size: Videos a page.
        headers: What every answer carries, as it is now.
    """

    def __init__(
        self, orders: SortIndex, page_size: int, headers: Callable[[], tuple[Header, ...]]
    ) -> None:
        self._orders = orders
        self._page_size = page_size
        self._headers = headers
        self._category_policy = _policy_of(get_category_videos)
        self._share_policy = _policy_of(get_share_videos)

    def find(self, target: bytes) -> ReadyAnswer | None:
        """The answer to a request's target; None where the framework must be asked.

        Args:
            target: Raw path, `?` and query.
        """
        if not target.startswith(PREFIXES):
            return None
        path, _, query = target.decode("latin-1").partition("?")
        if path == SHARE_PATH:
            asked, policy = _read(query, SHARE_NAMES, str(SHARE_CATEGORY)), self._share_policy
        else:
            asked, policy = (
                _read(query, CATEGORY_NAMES, path.removeprefix(CATEGORY_PREFIX)),
                self._category_policy,
            )
        if asked is None:
            return None
        request = PageRequest(asked.page, self._page_size, read_place(asked.after))
        more = {"type": asked.category_id} if path == SHARE_PATH else {}
        page = list_known_category(
            self._orders, asked.category_id, asked.order, request, path, **more
        )
        if page is None:
            return None
        return ReadyAnswer(
            msgspec.json.encode(Envelope(as_sent(page))), [JSON_TYPE, *self._headers()], policy
        )


class _Asked(msgspec.Struct, frozen=True):
    category_id: int
    order: SortOrder
    page: int
    after: str


def _read(query: str, names: frozenset[str], category_id: str) -> _Asked | None:
    """What a query says in the plainest way there is; None for every other way, right or wrong."""
    values: dict[str, str] = {}
    for part in query.split("&") if query else ():
        name, _, value = part.partition("=")
        if name not in names or name in values:
            return None
        values[name] = value
    order, after = values.get("orderby", "new"), values.get("after", "")
    category, page = values.get("type", category_id), values.get("page", "1")
    if order not in SORT_ORDERS or not PLACE.fullmatch(after) or values.get("uuid", "1") != "1":
        return None
    if not PLAIN_NUMBER.fullmatch(category) or not PLAIN_NUMBER.fullmatch(page):
        return None
    category_number, page_number = int(category), int(page)
    if category_number > MAX_ID or not 1 <= page_number <= LAST_PAGE:
        return None
    return _Asked(category_number, order, page_number, after)


def _policy_of(handler: HTTPRouteHandler) -> CachePolicy:
    return cast("CachePolicy", handler.opt[CACHE_OPTION])
