"""Uses within a sliding window for very many keys; nothing ever iterates over all of them."""

from __future__ import annotations

from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Sequence


class MovingWindows:
    """Times of use by key, forgotten when the window has passed them.

    Not thread-safe: the caller holds a lock.

    Args:
        length: Of the window, in milliseconds.
        most: Maximum number of keys; beyond it the least recently used are dropped.
    """

    def __init__(self, length: int, most: int) -> None:
        self._length = length
        self._most = most
        # By last use, oldest first: what has left the window is always at the front.
        self._moments: OrderedDict[str, list[int]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._moments)

    def uses(self, key: str, now: int) -> Sequence[int]:
        """When a key was used within the window, in milliseconds, oldest first."""
        moments = self._moments.get(key)
        if moments is None:
            return ()
        del moments[: bisect_right(moments, now - self._length)]
        return moments

    def add(self, key: str, now: int) -> None:
        """Record a use."""
        moments = self._moments.setdefault(key, [])
        # A clock that was set back must not disturb the order.
        moments.append(max(now, moments[-1]) if moments else now)
        self._moments.move_to_end(key)
        self._forget(now)

    def _forget(self, now: int) -> None:
        while self._moments:
            oldest = next(iter(self._moments.values()))
            if len(self._moments) <= self._most and oldest and oldest[-1] > now - self._length:
                return
            self._moments.popitem(last=False)
