"""Pure rules of the tab bar."""

from __future__ import annotations

import msgspec

from liuying.kit.errors import InvalidInputError


class ScreenTab(msgspec.Struct, frozen=True):
    """A screen's entry in a new installation.

    Attributes:
        name: The text under the icon.
        icon: One of `ICONS`.
        routes: Names of the routes that highlight the tab (specification §2).
    """

    name: str
    icon: str
    routes: tuple[str, ...]


# By key, in their initial order; a tap opens the key's address. The web application shows them
# until it knows the operator's (`tools/web_constants`).
SCREENS = {
    "home": ScreenTab("首页", "home", ("home",)),
    "rank": ScreenTab("排行", "trophy", ("rank-page-view",)),
    "find": ScreenTab("发现", "compass", ("find", "rank", "artist", "tags")),
    "miin": ScreenTab("miin", "carousel", ("miin",)),
    "favorites": ScreenTab("看看", "eye", ("favorites",)),
    "mine": ScreenTab("我的", "user", ("mine",)),
}
# Always present: where every visit begins, and where the data code and the notices are.
LASTING = frozenset({"home", "mine"})
# The icons that the client can draw; the web's drawings are checked against them.
ICONS = ("home", "trophy", "compass", "carousel", "eye", "user")
LINK_ICON = "compass"
MAX_SHOWN = 6
NAME_LENGTH = 8
LARGEST_POSITION = 1000


def require_icon(icon: str) -> str:
    """Validate an icon.

    Raises:
        InvalidInputError: The client cannot draw it.
    """
    if icon not in ICONS:
        raise InvalidInputError(f"图标应为 {'、'.join(ICONS)} 之一")
    return icon


def require_position(position: int) -> int:
    """Validate a position in the bar.

    Raises:
        InvalidInputError: It is not a valid position.
    """
    if not 0 <= position <= LARGEST_POSITION:
        raise InvalidInputError(f"次序应在 0 到 {LARGEST_POSITION} 之间")
    return position
