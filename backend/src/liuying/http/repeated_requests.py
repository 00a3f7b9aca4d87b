"""Requests that a cached response answered: the same question again needs no parser.

Browsers differ in headers that no cached response depends on, such as their name, where they come
from, and what a proxy in front adds. Without these, the requests of all browsers for one address
are a handful of byte strings.
"""

from __future__ import annotations

import re
from collections import OrderedDict

import msgspec

# What is left of a browser's request is below 512 bytes; longer ones are parsed each time.
MAX_REQUEST_LENGTH = 2048
# Longer requests are not even looked through.
MAX_RAW_LENGTH = 8192
# At most 4 MiB.
MAX_REQUESTS = 2000
HEAD_END = b"\r\n\r\n"
# No cached response depends on these, and none of them says where a request ends: who asks, for
# which kind of file, from where, with which hints, through which proxies. A line that continues on
# the next one, or holds anything but printable signs, is not recognized, so it stays.
_IRRELEVANT = re.compile(
    rb"\r\n(?i:accept|accept-language|cookie|dnt|forwarded|priority|referer|sec-[a-z-]+|user-agent"
    rb"|via|x-forwarded-[a-z]+|x-real-ip):[ -~\t\x80-\xff]*(?=\r\n(?![ \t]))"
)


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
    """Replies by what matters of the request that they answered (`essence_of`); the least recently
    repeated is dropped first.

    The response cache reports when it drops a response: a request is remembered no longer than its
    answer.
    """

    def __init__(self) -> None:
        self._replies: OrderedDict[bytes, Reply] = OrderedDict()
        self._requests: dict[bytes, set[bytes]] = {}

    def __len__(self) -> int:
        return len(self._replies)

    def find(self, request: bytes) -> Reply | None:
        """The reply to a request like one that was remembered."""
        essence = essence_of(request)
        if essence is None or (reply := self._replies.get(essence)) is None:
            return None
        self._replies.move_to_end(essence)
        return reply

    def remember(self, request: bytes, reply: Reply) -> None:
        """Remember what matters of a new request, unless it is long."""
        essence = essence_of(request)
        if essence is None:
            return
        self._replies[essence] = reply
        self._requests.setdefault(reply.target, set()).add(essence)
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


def essence_of(request: bytes) -> bytes | None:
    """A request without the headers that no cached response depends on; None if it is long, or more
    or less than one head.
    """
    if len(request) > MAX_RAW_LENGTH or request.find(HEAD_END) != len(request) - len(HEAD_END):
        return None
    essence = _IRRELEVANT.sub(b"", request)
    return essence if len(essence) <= MAX_REQUEST_LENGTH else None
