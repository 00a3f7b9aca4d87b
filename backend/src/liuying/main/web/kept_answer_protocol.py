"""Kept answers, written by the protocol itself: no task, no scope, no framework for what is ready to send."""

from __future__ import annotations

from liuying.main.web.access import AccessRules
from liuying.main.web.deadline_protocol import DeadlineProtocol
from liuying.main.web.hot_path import HotPath

# What makes a request more than a plain read: it takes the way through the application.
UNUSUAL = frozenset({b"content-length", b"transfer-encoding", b"upgrade", b"expect", b"range"})


class KeptAnswerProtocol(DeadlineProtocol):
    """The protocol with a way past the application for plain reads of kept answers.

    It is taken only where nothing is unusual: GET in HTTP/1.1 on a connection that stays open, no body, no answer
    still under way, and a client that reads what it is sent. Everything else goes on as without it.

    Attributes:
        hot_path: What is kept.
        unusual: Names of the headers that make a request more than a plain read.
        is_aside: Every request goes to the application, because not everybody may read everything.
    """

    hot_path: HotPath
    unusual = UNUSUAL
    is_aside = False
    _is_answered = False

    def on_headers_complete(self) -> None:
        kept = self._kept_bytes()
        if kept is None:
            super().on_headers_complete()
            return
        self._note_head()
        self._is_answered = True
        head, body = kept
        self.hot_path.counts.direct[not body] += 1
        date = b"".join(b"%b: %b\r\n" % header for header in self.server_state.default_headers)
        self.transport.write(b"".join((head, date, b"\r\n", body)))

    def on_message_complete(self) -> None:
        if not self._is_answered:
            super().on_message_complete()
            return
        self._is_answered = False
        self._note_arrival()
        self.on_response_complete()

    def _kept_bytes(self) -> tuple[bytes, bytes] | None:
        """Head and body to send; None where the application must answer."""
        is_busy = self.cycle is not None and not self.cycle.response_complete
        if is_busy or self.flow.write_paused or self.transport.is_closing() or self.parser.get_method() != b"GET":
            return None
        if self.is_aside:
            return None
        kept = self.hot_path.find(self.url)
        if kept is None or self.parser.get_http_version() != "1.1" or not self.parser.should_keep_alive():
            return None
        if any(name in self.unusual for name, _ in self.headers):
            return None
        variant, is_known = kept.representation.negotiate(self.headers)
        return (variant.not_modified_head, b"") if is_known else (variant.head, variant.body)


def protocol_for(hot_path: HotPath, access: AccessRules) -> type[KeptAnswerProtocol]:
    """The protocol of a server whose application keeps its answers in `hot_path`."""
    # Answers to pages of other origins carry headers of their own.
    unusual = UNUSUAL | {b"origin"} if access.origins else UNUSUAL
    members = {"hot_path": hot_path, "unusual": unusual, "is_aside": access.is_auth_required}
    return type("BoundProtocol", (KeptAnswerProtocol,), members)
