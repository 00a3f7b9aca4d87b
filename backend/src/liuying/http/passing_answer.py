"""An answer that is not cached, on its way from the framework to whoever asked."""

from __future__ import annotations

import msgspec
from litestar.types import HTTPResponseStartEvent, HTTPScope, Message, Send


class PassingAnswer(msgspec.Struct):
    """Collected from the framework's messages.

    Attributes:
        start: None until the framework has begun.
        body: What came of it.
    """

    start: HTTPResponseStartEvent | None = None
    body: bytes = b""

    async def collect(self, message: Message) -> None:
        """Take one of the messages; what the framework calls to send."""
        if message["type"] == "http.response.start":
            self.start = message
        elif message["type"] == "http.response.body":
            self.body += message.get("body", b"")

    async def send(self, scope: HTTPScope, send: Send) -> None:
        """Send it; without its body where only the head was asked for.

        Raises:
            RuntimeError: The framework ended without an answer.
        """
        if self.start is None:
            raise RuntimeError("the application ended without an answer")
        await send(self.start)
        body = b"" if scope["method"] == "HEAD" else self.body
        await send({"type": "http.response.body", "body": body, "more_body": False})
