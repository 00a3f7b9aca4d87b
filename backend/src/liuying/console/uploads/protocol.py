"""The console's connections: a request that brings a film's bytes may take as long as they come."""

from __future__ import annotations

from liuying.kit.deadline_protocol import DeadlineProtocol

PREFIX = "/api/uploads"


class UploadProtocol(DeadlineProtocol):
    """`DeadlineProtocol`, whose deadline counts anew from every piece of an upload that the
    application still wants. It cuts a sender who stops, or who sends to nobody.
    """

    def on_body(self, body: bytes) -> None:
        """A piece of a request's body."""
        super().on_body(body)
        if self._is_wanted_upload():
            self._stop_deadline()
            self._start_deadline()

    def _is_wanted_upload(self) -> bool:
        return (
            self._is_arriving
            and self.cycle is not None
            and not self.cycle.response_complete
            and self.scope["method"] in {"PATCH", "POST"}
            and self.scope["path"].startswith(PREFIX)
        )

    def _cut(self) -> None:
        # The sender waits for us, not we for him: a disk or a store is slow.
        if self._is_wanted_upload() and self.flow.read_paused:
            self._deadline = None
            self._start_deadline()
            return
        super()._cut()
