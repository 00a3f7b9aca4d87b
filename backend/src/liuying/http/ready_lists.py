"""Category lists composed without the framework if everything is in memory.

A million videos have hundreds of thousands of pages, and most requests hit one that nobody has
asked for lately. The framework's answer to an address in plain spelling is known beforehand; other
spellings are left to it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

import msgspec
from litestar.handlers import HTTPRouteHandler

from liuying.core.catalogue.list_address import CATEGORY_PREFIX, SHARE_PATH, read_call
from liuying.core.catalogue.routes import get_category_videos
from liuying.core.catalogue.schemas import as_sent
from liuying.core.catalogue.service import list_known_category
from liuying.core.catalogue.sort_index import SortIndex
from liuying.kit.envelope import Envelope
from liuying.kit.representation import Header
from liuying.kit.responses import CACHE_OPTION, CachePolicy
from liuying.pages.routes import get_share_videos

PREFIXES = (CATEGORY_PREFIX.encode(), SHARE_PATH.encode())
JSON_TYPE: Header = (b"content-type", b"application/json")


class ReadyAnswer(msgspec.Struct, frozen=True):
    """An answer as the framework would give it, and its cache policy."""

    body: bytes
    headers: list[Header]
    policy: CachePolicy


class ReadyLists:
    """The lists of one process.

    Args:
        orders: What is in memory.
        page_size: Videos per page.
        headers: The current headers of every answer.
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
        """The answer to a request's target; None if the framework must be asked.

        Args:
            target: Raw path, `?` and query.
        """
        if not target.startswith(PREFIXES):
            return None
        path, _, query = target.decode("latin-1").partition("?")
        asked = read_call(path, query)
        if asked is None:
            return None
        is_share = path == SHARE_PATH
        more = {"type": asked.category_id} if is_share else {}
        request = asked.page_request(self._page_size)
        page = list_known_category(
            self._orders, asked.category_id, asked.order, request, path, **more
        )
        if page is None:
            return None
        policy = self._share_policy if is_share else self._category_policy
        return ReadyAnswer(
            msgspec.json.encode(Envelope(as_sent(page))), [JSON_TYPE, *self._headers()], policy
        )


def _policy_of(handler: HTTPRouteHandler) -> CachePolicy:
    return cast("CachePolicy", handler.opt[CACHE_OPTION])
