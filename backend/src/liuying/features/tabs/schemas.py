"""The tab bar on the wire."""

from __future__ import annotations

from typing import Literal

import msgspec


class TabEntry(msgspec.Struct, frozen=True, kw_only=True):
    """An entry of the tab bar (specification §2). A tap opens `routes[0]`; any of its routes
    highlights it.

    With `open_type` `route` it stays inside the site; `link` opens `url`. `image` and `image_gray`
    name the filled and the outline icon of the client's set.
    """

    key: str
    name: str
    image: str
    image_gray: str
    open_type: Literal["route", "link"]
    url: str
    routes: list[str]
