"""Which refusals of the site are security events."""

from __future__ import annotations

from collections.abc import Callable, Collection

from liuying.http.measuring import route_class
from liuying.kit.security_log import SecurityEvent

EXCHANGE_PATH = "/api/vendor/exchange"
EVENTS: dict[int | tuple[int, str], SecurityEvent] = {
    401: SecurityEvent("session-refused", "a session was missing, over or forged: %s"),
    403: SecurityEvent("not-allowed", "something locked or forbidden was asked for: %s"),
    429: SecurityEvent("limit-reached", "a network reached a limit: %s"),
    (401, EXCHANGE_PATH): SecurityEvent("code-refused", "a partner's code was refused: %s"),
}


def names_of_calls(paths: Collection[str]) -> Callable[[str], str]:
    """What a line calls a path.

    Args:
        paths: Calls without anything of the visitor's in their paths.
    """
    named = frozenset(paths)
    return lambda path: path if path in named else route_class(path)
