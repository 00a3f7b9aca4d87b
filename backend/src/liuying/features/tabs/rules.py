"""Pure rules of the tab bar."""

from __future__ import annotations

from liuying.kit.errors import InvalidInputError

# Names of the routes that highlight each screen's tab; a tap leads to the first (specification §2).
SCREENS = {
    "home": ["home"],
    "rank": ["rank-page-view"],
    "find": ["find", "rank", "artist", "tags"],
    "miin": ["miin"],
    "favorites": ["favorites"],
    "mine": ["mine"],
}
# Always there: where every visit begins, and where the data code and the notices are.
LASTING = frozenset({"home", "mine"})
# What the client can draw (`web/src/app/tab-icons.tsx`).
ICONS = ("home", "trophy", "compass", "carousel", "eye", "user")
LINK_ICON = "compass"
MAX_SHOWN = 6
NAME_LENGTH = 8
LARGEST_POSITION = 1000


def require_icon(icon: str) -> str:
    """An icon that the client can draw.

    Raises:
        InvalidInputError: It cannot draw this one.
    """
    if icon not in ICONS:
        raise InvalidInputError(f"图标应为 {'、'.join(ICONS)} 之一")
    return icon


def require_position(position: int) -> int:
    """A place in the bar.

    Raises:
        InvalidInputError: It is no number of a place.
    """
    if not 0 <= position <= LARGEST_POSITION:
        raise InvalidInputError(f"次序应在 0 到 {LARGEST_POSITION} 之间")
    return position
