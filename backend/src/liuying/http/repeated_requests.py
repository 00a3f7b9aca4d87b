"""Requests that a cached response answered, byte for byte: the same bytes need no parser.

A browser that asks again sends the same bytes, and the answer depends on nothing else.
"""

from __future__ import annotations

from collections import OrderedDict

import msgspec

# A browser's request for a list is below 1 KiB; longer ones are parsed each time.
MAX_REQUEST_LENGTH = 2048
# At most 4 MiB.
MAX_REQUESTS = 2000


class Reply(msgspec.Struct, frozen=True):
    """What is sent to a request.

    Attributes:
        target: The request's target, under which the response is cached.
        head: In wire form, without the server's headers and the empty line.
        body: Empty if the client has it already (304).
    """

    target: bytes
    head: bytes
    body: bytes


class RepeatedRequests:
    """Replies by the complete request that they answered; the least recently repeated is dropped
    first.

    The response cache reports when it drops a response: a request is remembered no longer than its
    answer.
    """

    def __init__(self) -> None:
        self._replies: OrderedDict[bytes, Reply] = OrderedDict()
        self._requests: dict[bytes, set[bytes]] = {}

    def __len__(self) -> int:
        return len(self._replies)

    def find(self, request: bytes) -> Reply | None:
        """The reply to a remembered request."""
        # Longer ones are not even hashed.
        if len(request) > MAX_REQUEST_LENGTH or (reply := self._replies.get(request)) is None:
            return None
        self._replies.move_to_end(request)
        return reply

    def remember(self, request: bytes, reply: Reply) -> None:
        """Remember a new request unless it is long."""
        if len(request) > MAX_REQUEST_LENGTH:
            return
        self._replies[request] = reply
        self._requests.setdefault(reply.target, set()).add(request)
        if len(self._replies) > MAX_REQUESTS:
            self._forget_one(next(iter(self._replies)))

    def forget(self, target: bytes) -> None:
        """Forget the requests with a target."""
        for request in self._requests.pop(target, ()):
            del self._replies[request]

    def _forget_one(self, request: bytes) -> None:
        target = self._replies.pop(request).target
        self._requests[target].remove(request)
        if not self._requests[target]:
            del self._requests[target]
