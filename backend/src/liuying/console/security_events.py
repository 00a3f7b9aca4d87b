"""Which refusals of the console are security events."""

from __future__ import annotations

from liuying.kit.security_log import SecurityEvent

OPENING_PATHS = ("/api/session/link", "/api/session/passkey")
LOGIN_REFUSED = SecurityEvent(
    "console-login-refused", "a one-time address or a passkey of the console was refused: %s"
)
FOREIGN = SecurityEvent(
    "console-foreign", "the console was called by another name or by another page: %s"
)
EVENTS: dict[int | tuple[int, str], SecurityEvent] = {
    401: SecurityEvent(
        "console-session-refused", "a session of the console was missing, over or forged: %s"
    ),
    403: SecurityEvent("console-not-allowed", "a role of the console was not enough: %s"),
    429: SecurityEvent("console-limit-reached", "a network reached a limit of the console: %s"),
    **{(401, path): LOGIN_REFUSED for path in OPENING_PATHS},
}
# What lines call paths that are not a call's own.
API, PAGE = "api", "page"
