"""Requests that a cached response was sent to, as they came: the same bytes again need no parser.

A browser that asks again sends what it sent before, byte for byte, and the answer depends on
nothing else.
"""

from __future__ import annotations

from collections import OrderedDict

import msgspec

# A browser's request for a list is below 1 KiB; longer ones are parsed each time.
MAX_REQUEST_LENGTH = 2048
# 4 MiB at most.
MAX_REQUESTS = 2000


class Reply(msgspec.Struct, frozen=True):
    """What is sent to a request.

    Attributes:
        target: The request's, by which the cached response is found.
        head: As it stands on the wire, without the server's headers and the empty line.
        body: Empty where the client has it already (304).
    """

    target: bytes
    head: bytes
    body: bytes


class RepeatedRequests:
    """Replies by the whole request that they were sent to; the least recently repeated is forgotten
    first.

    Whoever keeps the answers says when one of them is forgotten: a request is remembered no longer
    than its answer.
    """

    def __init__(self) -> None:
        self._replies: OrderedDict[bytes, Reply] = OrderedDict()
        self._requests: dict[bytes, set[bytes]] = {}

    def __len__(self) -> int:
        return len(self._replies)

    def find(self, request: bytes) -> Reply | None:
        """The reply to a request that was remembered."""
        # What is longer is not even hashed.
        if len(request) > MAX_REQUEST_LENGTH or (reply := self._replies.get(request)) is None:
            return None
        self._replies.move_to_end(request)
        return reply

    def remember(self, request: bytes, reply: Reply) -> None:
        """Remember a request that is not, unless it is long."""
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
