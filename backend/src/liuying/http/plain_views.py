"""Views answered in front of the framework, which would take longer to read one than the database
to count it. They are most of what visitors write.

Only what a player sends is taken here. Everything else, invalid codes and bodies included, goes to
the framework, whose route (`features/views/routes.py`) answers views alike.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

import msgspec
from litestar.types import ASGIApp, HTTPScope, Receive, Scope, Send

from liuying.features.views.routes import PATH
from liuying.features.views.schemas import PlayEvent, PlayEventTaken
from liuying.features.views.service import View
from liuying.http.counting import Counting
from liuying.kit.answering import begin_writing
from liuying.kit.envelope import Envelope
from liuying.kit.errors import InvalidInputError
from liuying.kit.refusals import send_error, send_json
from liuying.kit.representation import Header
from liuying.kit.responses import CODE_PARAMETER
from liuying.kit.visitor_code import VisitorCode, parse_code

MOST_BYTES = 256
CODE_HEADER = CODE_PARAMETER.lower().encode()
LOOKED_AT = frozenset({CODE_HEADER, b"content-type", b"content-encoding"})
PLAIN_BODY = (b"content-type", b"application/json")
ANSWERS = {
    is_counted: msgspec.json.encode(Envelope(PlayEventTaken(is_counted)))
    for is_counted in (False, True)
}
Message = dict[str, Any]


class _PlainEvent(PlayEvent, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A report with nothing beside it: a data code may stand in a body, too."""


class PlainViews:
    """An ASGI application that answers views.

    Args:
        framework: Answers everything else.
        counting: Counts them.
        headers: Those of every answer, as of now.
    """

    def __init__(
        self, framework: ASGIApp, counting: Counting, headers: Callable[[], Sequence[Header]]
    ) -> None:
        self._framework = framework
        self._callers = counting.callers
        self._views = counting.views
        self._headers = headers
        self._decode = msgspec.json.Decoder(_PlainEvent).decode

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        asked = cast("HTTPScope", scope)
        if scope["path"] != PATH or (codes := _codes_of_plain(asked)) is None:
            await self._framework(scope, receive, send)
            return
        begin_writing()
        messages = await _messages_of(receive)
        read = self._read(codes, messages)
        if read is None:
            await self._framework(scope, _again(messages, receive), send)
            return
        video_id, code = read
        try:
            caller, is_new = self._callers.read(asked, code)
            view = View.by(caller, video_id, is_new=is_new)
            body = ANSWERS[await self._views.count(view)]
        except Exception as error:  # noqa: BLE001  # the framework answers each kind, too
            await send_error(asked, send, error, self._headers())
            return
        await send_json(send, 200, body, [*self._headers(), (b"cache-control", b"no-store")])

    def _read(
        self, codes: Sequence[bytes], messages: Sequence[Message]
    ) -> tuple[int, VisitorCode | None] | None:
        """The video whose view a body reports, and who watched; None for anything else."""
        if not _is_last(messages[-1]) or len(codes) > 1:
            return None
        body = b"".join(one["body"] for one in messages)
        if len(body) > MOST_BYTES:
            return None
        try:
            event = self._decode(body)
            # An empty one is none.
            code = parse_code(codes[0].decode("latin-1")) if any(codes) else None
        except (ValueError, RecursionError, InvalidInputError):
            return None
        return (event.id, code) if event.event == "view" else None


def _codes_of_plain(scope: HTTPScope) -> list[bytes] | None:
    """The codes in the headers of a call with a body of plain JSON and no parameters; None for any
    other.
    """
    if scope["method"] != "POST" or scope["query_string"]:
        return None
    said = [one for one in scope["headers"] if one[0] in LOOKED_AT]
    codes = [value for name, value in said if name == CODE_HEADER]
    return codes if PLAIN_BODY in said and len(said) == len(codes) + 1 else None


async def _messages_of(receive: Receive) -> list[Message]:
    """The messages of a request until its body is whole, or longer than a view."""
    messages: list[Message] = []
    size = 0
    while size <= MOST_BYTES:
        message = cast("Message", await receive())
        messages.append(message)
        if message["type"] != "http.request" or _is_last(message):
            break
        size += len(message["body"])
    return messages


def _is_last(message: Message) -> bool:
    """Whether a body is whole with it."""
    return message["type"] == "http.request" and not message.get("more_body", False)


def _again(messages: list[Message], receive: Receive) -> Receive:
    """A `receive` that begins with the messages that were received already."""
    left = messages[::-1]

    async def receive_again() -> Any:
        return left.pop() if left else await receive()

    return receive_again
