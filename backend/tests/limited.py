"""What tests of limits share: two networks, a clock that is moved by hand, and refusals."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from liuying.kit.client_network import ClientNetwork
from liuying.kit.errors import TooManyRequestsError

HOME, OFFICE = ClientNetwork("203.0.113.7"), ClientNetwork("2001:db8:1:2::/64")
START = 1_795_000_000.0
DAY = 86_400


class Time:
    """A clock in seconds, moved by hand."""

    def __init__(self) -> None:
        self.now = START

    def milliseconds(self) -> int:
        """What a `Clock` answers."""
        return round(self.now * 1000)


def refusal(action: Callable[[], None]) -> int:
    """Seconds that a refused caller is told to wait."""
    with pytest.raises(TooManyRequestsError) as caught:
        action()
    return caught.value.retry_after
