"""Beside the server: sealing the covers and files of gated videos, and opening them again."""

from __future__ import annotations

from collections.abc import Callable

from liuying.http.recurring import always, repeat
from liuying.workflows.sealing import Installation, settle_gates

# Where there is no gate, a look at two indexes.
INTERVAL_S = 2.0
SHARE_OF_TIME = 1


class GateSettler:
    """Seals and opens what has to be, again and again until cancelled.

    Args:
        installation: The database and the files.
        is_ours: Whether it is this process's turn (`SingleRunner`).
    """

    def __init__(self, installation: Installation, is_ours: Callable[[], bool] = always) -> None:
        self._installation = installation
        self._is_ours = is_ours

    async def run(self) -> None:
        """Settle, then rest at least as long as it took."""
        complaint = "gated videos could not be sealed or opened"
        await repeat(self.settle, INTERVAL_S, complaint, SHARE_OF_TIME, is_ours=self._is_ours)

    def settle(self) -> None:
        """Settle once."""
        settle_gates(self._installation)
