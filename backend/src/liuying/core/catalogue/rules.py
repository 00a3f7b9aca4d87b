"""Pure rules of the catalogue."""

from __future__ import annotations

ALL_CATEGORIES = 0
SHORT_CATEGORY = 72
SHARE_CATEGORY = 73
# Default names, until the operator changes them.
RESERVED_CATEGORIES = {SHORT_CATEGORY: "短视频", SHARE_CATEGORY: "分享解锁"}
# Left out of the category list (specification §5); their own lists are still served.
EXCLUDED_CATEGORIES = frozenset(RESERVED_CATEGORIES)
# Titles with this prefix are left out of lists and search (specification §4).
WITHHELD_PREFIX = "★"


def play_time(duration: int) -> str:
    """The running time as text.

    Args:
        duration: Milliseconds.

    Returns:
        `06:31`; from one hour on `1:02:03`.
    """
    seconds = max(0, round(duration / 1000))
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes:02}:{seconds:02}"


def is_locked(category_id: int) -> bool:
    """Whether sharing must unlock a video before it plays (docs/product.md#sharing)."""
    return category_id == SHARE_CATEGORY
