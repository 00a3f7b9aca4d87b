"""What the wire shows of the tab bar."""

from __future__ import annotations

from typing import Literal

import msgspec


class TabEntry(msgspec.Struct, frozen=True, kw_only=True):
    """An entry of the tab bar (specification §2). `routes[0]` is where a tap leads; any of them
    highlights it.

    `open_type` `route` stays inside; `link` opens `url`. `image` and `image_gray` name an icon of
    the client's set, filled and outline.
    """

    key: str
    name: str
    image: str
    image_gray: str
    open_type: Literal["route", "link"]
    url: str
    routes: list[str]
