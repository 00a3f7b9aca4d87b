"""Requests that a cached response answered: the same question again needs no parser, nor does
another question with the same headers.

Browsers differ in headers that no cached response depends on, such as their name, where they come
from, and what a proxy in front adds. Without these, the requests of all browsers for one address
are a handful of byte strings.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterable

import msgspec

from liuying.kit.representation import Header

# What is left of a browser's request is below 512 bytes; longer ones are parsed each time.
MAX_REQUEST_LENGTH = 2048
# Longer requests are not even looked through.
MAX_RAW_LENGTH = 8192
# At most 4 MiB.
MAX_REQUESTS = 2000
# At most 1 MiB.
MAX_HEADS = 500
HEAD_END = b"\r\n\r\n"
LINE_END = b"\r\n"
# No cached response depends on these, and none of them says where a request ends: who asks, for
# which kind of file, from where, with which hints, through which proxies. A line that continues on
# the next one, or holds anything but printable signs, is not recognized, so it stays.
_IRRELEVANT = re.compile(
    rb"\r\n(?i:accept|accept-language|cookie|dnt|forwarded|priority|referer|sec-[a-z-]+|user-agent"
    rb"|via|x-forwarded-[a-z]+|x-real-ip):[ -~\t\x80-\xff]*(?=\r\n(?![ \t]))"
)
# Targets in the usual spelling. Whatever else may stand in one is left to the parser.
_PLAIN_LINE = re.compile(rb"GET (/[\w.~!$&'()*+,;=:@%/?-]*) HTTP/1\.1", re.ASCII)


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

    def find(self, essence: bytes) -> Reply | None:
        """The reply to a request like one that was remembered."""
        reply = self._replies.get(essence)
        if reply is not None:
            self._replies.move_to_end(essence)
        return reply

    def remember(self, essence: bytes, reply: Reply) -> None:
        """Remember what matters of a new request."""
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


class KnownHeads:
    """What follows the request line in requests that were plain reads, each with the headers that
    choose the encoding of its answer.

    A head that holds `If-None-Match` belongs to one address, and is left out.
    """

    def __init__(self) -> None:
        self._heads: OrderedDict[bytes, tuple[Header, ...]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._heads)

    def find(self, essence: bytes) -> tuple[bytes, tuple[Header, ...]] | None:
        """Target and headers of a request; None if the parser must read it."""
        line, _, rest = essence.partition(LINE_END)
        headers = self._heads.get(rest)
        if headers is None or (found := _PLAIN_LINE.fullmatch(line)) is None:
            return None
        self._heads.move_to_end(rest)
        return found[1], headers

    def remember(self, essence: bytes, headers: Iterable[Header]) -> None:
        """Remember the head of a request that was answered as a plain read."""
        rest = essence.partition(LINE_END)[2]
        if rest in self._heads or any(name == b"if-none-match" for name, _ in headers):
            return
        self._heads[rest] = tuple(one for one in headers if one[0] == b"accept-encoding")
        if len(self._heads) > MAX_HEADS:
            self._heads.popitem(last=False)


def essence_of(request: bytes) -> bytes | None:
    """A request without the headers that no cached response depends on; None if it is long, or more
    or less than one head.
    """
    if len(request) > MAX_RAW_LENGTH or request.find(HEAD_END) != len(request) - len(HEAD_END):
        return None
    essence = _IRRELEVANT.sub(b"", request)
    return essence if len(essence) <= MAX_REQUEST_LENGTH else None
