"""A request that comes again is answered without the parser, and only where the parser would have
answered the same.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from litestar.types import HTTPScope, Receive, Send

from liuying.http import repeated_requests
from liuying.http.cached_response_protocol import Outbox, WireDate
from liuying.http.ready_lists import ReadyAnswer
from liuying.http.repeated_requests import (
    MAX_RAW_LENGTH,
    MAX_REQUEST_LENGTH,
    KnownHeads,
    RepeatedRequests,
    Reply,
    essence_of,
)
from liuying.http.response_cache import ResponseCache
from liuying.kit.changes import CacheTopic
from liuying.kit.deadline_protocol import REQUEST_DEADLINE_S
from liuying.kit.representation import Header
from liuying.kit.responses import CachePolicy
from tests.http.asking import ask
from tests.http.wire import CountingProtocol, Loop, Wire

KEEP_ALIVE_S = 15
TOPICS = frozenset({CacheTopic.CATALOGUE})


def request(
    target: str = "/api/x", *headers: str, method: str = "GET", version: str = "1.1"
) -> bytes:
    return "\r\n".join([f"{method} {target} HTTP/{version}", "host: a", *headers, "", ""]).encode()


REQUEST = request()


class Application:
    """Says which address it was asked for, and the how manieth time it was asked at all."""

    def __init__(self) -> None:
        self.calls = 0
        self.opt = {"cache_policy": CachePolicy(TOPICS, lifetime=30)}

    async def __call__(self, scope: HTTPScope, _receive: Receive, send: Send) -> None:
        self.calls += 1
        scope["route_handler"] = self  # type: ignore[typeddict-item]  # as the framework notes its route
        await send({"type": "http.response.start", "status": 200, "headers": []})
        body = b"%b, call %d" % (scope["raw_path"], self.calls)
        await send({"type": "http.response.body", "body": body, "more_body": False})


def keep(response_cache: ResponseCache, *targets: bytes) -> None:
    async def ask_all() -> None:
        for target in targets or (b"/api/x",):
            await ask(response_cache, target)

    asyncio.run(ask_all())


@pytest.fixture
def response_cache() -> ResponseCache:
    made = ResponseCache(Application())  # type: ignore[arg-type]  # all of one that is needed
    keep(made)
    return made


@pytest.fixture
def loop() -> Loop:
    return Loop()


@pytest.fixture
def protocol(response_cache: ResponseCache) -> type[CountingProtocol]:
    members = {"response_cache": response_cache, "outbox": Outbox(), "date": WireDate()}
    return type("BoundProtocol", (CountingProtocol,), members)


@pytest.fixture
def wire(protocol: type[CountingProtocol], loop: Loop) -> Wire:
    return Wire(protocol, loop, KEEP_ALIVE_S)


def test_the_parser_meets_a_request_once(wire: Wire, response_cache: ResponseCache) -> None:
    first = wire.ask(REQUEST)
    assert first.startswith(b"HTTP/1.1 200 OK\r\n")
    assert first.endswith(b"\r\n\r\n/api/x, call 1")
    assert [wire.ask(REQUEST) for _ in range(3)] == [first] * 3
    assert (wire.parsed, wire.loop.asked) == (1, 0)
    assert (response_cache.counts.direct, wire.state.total_requests) == ([4, 0], 4)


@pytest.mark.parametrize(
    "header",
    [
        "User-Agent: Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X)",
        "user-agent:",
        "Cookie: a=b; c=\u00fc",
        "Referer: http://a/list?typeId=3",
        "Accept: */*",
        "Accept-Language: zh-CN,zh;q=0.9",
        'sec-ch-ua-platform: "Android"',
        "Sec-Fetch-Mode: cors",
        "DNT: 1",
        "Priority: u=1, i",
        "X-Forwarded-For: 203.0.113.7",
        "X-Real-IP: 203.0.113.7",
        "Via: 1.1 proxy",
    ],
)
def test_headers_that_no_answer_depends_on_need_no_parser(wire: Wire, header: str) -> None:
    first = wire.ask(REQUEST)
    assert wire.ask(request("/api/x", header)) == first
    assert wire.ask(request("/api/x", "Cookie: z", header, "Accept: a")) == first
    assert wire.parsed == 1


@pytest.mark.parametrize(
    "header",
    [
        "accept-encoding: gzip",
        'if-none-match: "x"',
        "cache-control: no-cache",
        "origin: https://a.example",
        "x-visitor-code: abc123def456",
        "authorization: Bearer x",
        "unknown: x",
        "host: b",
        "user-agent : x",
        "user-agent: x\r\n folded: y",
        "user-agent: x\ncontent-length: 3",
        "user-agent: \x00",
        "content-length: 0",
        "transfer-encoding: chunked",
        "expect: 100-continue",
        "range: bytes=0-1",
        "connection: close",
    ],
)
def test_every_other_header_is_parsed(wire: Wire, header: str) -> None:
    wire.ask(REQUEST)
    wire.ask(request("/api/x", header))
    assert wire.parsed == 2


HARMLESS = st.sampled_from(
    [
        b"Accept: */*",
        b"cookie: theme=dark",
        b"User-Agent: Mozilla/5.0",
        b"X-Forwarded-For: 203.0.113.7",
        b"Sec-Fetch-Mode: cors",
        b"x-real-ip:\t203.0.113.7",
    ]
)
ODD = st.sampled_from(
    [
        b"Accept-Encoding: br",
        b"accept-encoding: gzip;q=0",
        b'If-None-Match: "x"',
        b"If-None-Match: *",
        b" folded",
        b"Content-Length: 0",
        b"Host: b",
        b"connection: close",
        b"cookie: a\nhost: b",
        b"user-agent : x",
        b"",
    ]
)


class Forgetful(ResponseCache):
    """Remembers no request."""

    def remember(self, request: bytes, headers: Iterable[Header], reply: Reply) -> None:
        pass


TARGETS = st.sampled_from(
    [
        *(b"/api/x", b"/api/y", b"/api/x?a=%20", b"/screen", b"/api/unknown", b"/api/x y", b""),
        *(
            b"/screen?a#b",
            b"/screen?x y",
            b"/screen?\xff",
            b"/screen?\x01",
            b"*",
            b"http://a/api/x",
        ),
    ]
)
LINES = st.builds(
    bytes.__mod__,
    st.sampled_from([b"GET %b HTTP/1.1"] * 5 + [b"HEAD %b HTTP/1.1", b"GET %b HTTP/1.0"]),
    TARGETS,
)
REQUESTS = st.tuples(LINES, st.lists(st.one_of(HARMLESS, ODD), max_size=5))


@example([(b"GET /api/x HTTP/1.1", [b""]), (b"GET /api/x HTTP/1.1", [b"", b"Accept: */*"])])
@given(st.lists(REQUESTS, min_size=2, max_size=6))
def test_answers_are_those_of_the_parser(requests: list[tuple[bytes, list[bytes]]]) -> None:
    """Whatever was asked before, a request is answered as by a server that remembers nothing."""
    made = ResponseCache(Application())  # type: ignore[arg-type]  # as above
    forgetful = Forgetful(Application())  # type: ignore[arg-type]  # as above
    for cache in (made, forgetful):
        keep(cache, b"/api/x", b"/api/y", b"/api/x?a=%20", b"/screen")
    for line, headers in requests:
        sent = b"\r\n".join([line, b"host: a", *headers, b"", b""])
        answers = []
        for cache in (made, forgetful):
            members = {"response_cache": cache, "outbox": Outbox(), "date": WireDate()}
            tried = Wire(type("BoundProtocol", (CountingProtocol,), members), Loop())
            answers.append((tried.ask(sent), tried.loop.asked, tried.transport.is_open))
        assert answers[0] == answers[1]


def test_another_target_with_the_same_headers_needs_no_parser(
    wire: Wire, response_cache: ResponseCache
) -> None:
    keep(response_cache, b"/api/y")
    wire.ask(request("/api/x", "accept-encoding: gzip", "user-agent: a"))
    other = wire.ask(request("/api/y", "accept-encoding: gzip", "user-agent: b"))
    assert other.endswith(b"\r\n\r\n/api/y, call 2")
    assert (wire.parsed, len(response_cache._heads)) == (1, 1)


@pytest.mark.parametrize(
    "header",
    ['if-none-match: "x"', "x-visitor-code: visitor0001", "authorization: Bearer a", "range: x"],
)
def test_headers_of_one_address_or_one_visitor_are_not_kept(
    wire: Wire, response_cache: ResponseCache, header: str
) -> None:
    wire.ask(request("/api/x", header))
    assert len(response_cache._heads) == 0


def test_kept_headers_are_bounded_and_the_least_used_go_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(repeated_requests, "MAX_HEADS", 2)
    heads = KnownHeads()
    encoding = (b"accept-encoding", b"br")
    for number in range(4):
        heads.remember(b"GET / HTTP/1.1\r\n%d" % number, [encoding, (b"host", b"a")])
        heads.find(b"GET / HTTP/1.1\r\n0")
    found = [heads.find(b"GET /a HTTP/1.1\r\n%d" % number) for number in range(4)]
    assert found == [(b"/a", (encoding,)), None, None, (b"/a", (encoding,))]


def test_of_all_connections_together(
    wire: Wire, protocol: type[CountingProtocol], loop: Loop
) -> None:
    other = Wire(protocol, loop)
    assert other.ask(REQUEST) == wire.ask(REQUEST)
    assert other.parsed + wire.parsed == 1


@pytest.fixture
def site() -> ResponseCache:
    """One that puts together whatever it is asked for."""
    policy = CachePolicy(TOPICS)
    return ResponseCache(
        Application(),  # type: ignore[arg-type]  # as above
        find_ready=lambda target: ReadyAnswer(b"ready " + target, [], policy),
    )


@pytest.fixture
def ready_protocol(site: ResponseCache) -> type[CountingProtocol]:
    return type(
        "BoundProtocol",
        (CountingProtocol,),
        {"response_cache": site, "outbox": Outbox(), "date": WireDate()},
    )


def test_of_what_arrives_at_once_one_is_put_together(
    ready_protocol: type[CountingProtocol], site: ResponseCache, loop: Loop
) -> None:
    """Whoever sends a thousand in one piece must not keep all others waiting
    (docs/security.md#t18).
    """
    wire = Wire(ready_protocol, loop)
    answers = wire.ask(b"".join(request(f"/api/{number}") for number in range(20)))
    assert answers.count(b"HTTP/1.1 200") == 1
    # The next one has its turn as the application's, and the others stand behind it.
    assert (site.counts.composed, loop.asked) == (1, 1)


def test_nothing_is_put_together_for_too_many(
    ready_protocol: type[CountingProtocol], site: ResponseCache, loop: Loop
) -> None:
    wires = [Wire(ready_protocol, loop) for _ in range(3)]
    for wire in wires:
        wire.protocol.connections = {one.protocol for one in wires}
        wire.protocol.limit_concurrency = 3
    assert wires[0].ask(REQUEST) == b""
    assert (site.counts.composed, loop.asked) == (0, 1)
    wires[1].protocol.limit_concurrency = 4
    assert wires[1].ask(REQUEST).startswith(b"HTTP/1.1 200")


def test_what_is_put_together_at_once_is_remembered_when_it_is_asked_again(
    ready_protocol: type[CountingProtocol], site: ResponseCache, loop: Loop
) -> None:
    wire = Wire(ready_protocol, loop, KEEP_ALIVE_S)
    first = wire.ask(REQUEST)
    assert first.endswith(b"\r\n\r\nready /api/x")
    assert [wire.ask(REQUEST) for _ in range(3)] == [first] * 3
    assert len(site._repeated) == 1
    assert (wire.parsed, loop.asked) == (1, 0)
    assert (site.counts.direct, site.counts.composed) == ([4, 0], 1)
    site.drop(TOPICS)
    assert wire.ask(REQUEST) == first
    assert (wire.parsed, site.counts.composed) == (1, 2)


def test_not_modified(wire: Wire, response_cache: ResponseCache) -> None:
    etag = wire.ask(REQUEST).partition(b"etag: ")[2].partition(b"\r\n")[0].decode()
    conditional = request("/api/x", f"if-none-match: {etag}")
    first = wire.ask(conditional)
    assert first.startswith(b"HTTP/1.1 304 ")
    assert first.endswith(b"GMT\r\n\r\n")
    assert (wire.ask(conditional), wire.parsed) == (first, 2)
    assert response_cache.counts.direct == [1, 2]


def test_another_byte_is_another_request(wire: Wire) -> None:
    wire.ask(REQUEST)
    assert wire.ask(request("/api/x", "unknown: x")).endswith(b"call 1")
    assert wire.parsed == 2


@pytest.mark.parametrize(
    "sent",
    [
        request(method="HEAD"),
        request(version="1.0"),
        request("/api/x", "connection: keep-alive", version="1.0"),
        request("/api/x", "connection: close"),
        request("/api/x", "range: bytes=0-1"),
        request("/api/x", "content-length: 0"),
        request("/api/unknown"),
    ],
)
def test_what_the_application_answers_is_not_remembered(
    protocol: type[CountingProtocol], loop: Loop, sent: bytes
) -> None:
    wires = [Wire(protocol, loop) for _ in range(2)]
    for wire in wires:
        wire.ask(REQUEST)
        assert wire.ask(sent) == b""
    assert loop.asked == 2


def test_where_not_everybody_may_read_nothing_is_remembered(
    wire: Wire, protocol: type[CountingProtocol]
) -> None:
    protocol.is_aside = True
    assert (wire.ask(REQUEST), wire.loop.asked) == (b"", 1)
    protocol.is_aside = False
    Wire(protocol, wire.loop).ask(REQUEST)
    assert wire.loop.asked == 1


@pytest.mark.parametrize("header", ["X-Visitor-Code: visitor0001", "authorization: Bearer a.b.c"])
def test_a_request_that_says_who_asks_is_not_remembered(
    wire: Wire, response_cache: ResponseCache, header: str
) -> None:
    """Its bytes would hold the code in clear for as long as they are remembered."""
    keep(response_cache, b"/api/x")
    named = request("/api/x", header)
    answers = [wire.ask(named) for _ in range(4)]
    assert answers == answers[:1] * 4
    assert answers[0].startswith(b"HTTP/1.1 200")
    assert wire.parsed == 4
    assert len(response_cache._repeated) == 0
    for _ in range(4):
        wire.ask(REQUEST)
    assert wire.parsed < 8


def test_pieces_of_requests_are_not_requests(wire: Wire) -> None:
    for pieces in ([REQUEST[:1], REQUEST[1:]], [REQUEST[:-2], REQUEST[-2:]]):
        before = wire.parsed
        answers = [wire.ask(*pieces) for _ in range(2)]
        assert answers[0] == answers[1] != b""
        assert wire.parsed == before + 2


def test_two_requests_in_one_piece_are_answered_twice(
    wire: Wire, response_cache: ResponseCache
) -> None:
    keep(response_cache, b"/api/y")
    pair = REQUEST + request("/api/y")
    for parsed in (2, 4):
        answer = wire.ask(pair)
        assert answer.index(b"/api/x, call 1") < answer.index(b"/api/y, call 2")
        assert wire.parsed == parsed


@pytest.mark.parametrize("rest", [b"G", REQUEST[:-1]])
def test_a_request_and_the_beginning_of_another(wire: Wire, rest: bytes) -> None:
    for _ in range(2):
        assert wire.ask(REQUEST + rest).count(b"HTTP/1.1 200") == 1
        assert (
            wire.ask(REQUEST.removeprefix(rest) if len(rest) == 1 else b"\n").count(b"HTTP/1.1 200")
            == 1
        )
    assert wire.parsed == 4


def test_the_end_of_a_request_and_another(wire: Wire, protocol: type[CountingProtocol]) -> None:
    """The second piece of it alone is no request, though one stands at its end."""
    end = b"\r\n\r\n" + REQUEST
    assert wire.ask(REQUEST[:-4], end).count(b"HTTP/1.1 200") == 2
    other = Wire(protocol, wire.loop)
    assert other.ask(end).count(b"HTTP/1.1 200") == 1
    assert other.parsed == 1


def test_a_request_within_a_request_is_a_part_of_it(
    wire: Wire, response_cache: ResponseCache
) -> None:
    keep(response_cache, b"/api/y")
    wire.ask(REQUEST)
    assert wire.ask(b"GET /api/y HTTP/1.1\r\nx: ", REQUEST).endswith(b"/api/y, call 2")


def test_an_answer_that_is_under_way_comes_first(wire: Wire) -> None:
    wire.ask(REQUEST)
    assert wire.ask(request("/api/unknown"), REQUEST) == b""
    assert wire.loop.asked == 1


def test_a_client_that_does_not_read_is_sent_no_more(
    wire: Wire, response_cache: ResponseCache
) -> None:
    wire.ask(REQUEST)
    wire.protocol.pause_writing()
    assert wire.ask(REQUEST) == b""
    assert (response_cache.counts.direct, wire.loop.asked) == ([1, 0], 1)


def test_a_connection_that_ends_is_sent_no_more(wire: Wire, response_cache: ResponseCache) -> None:
    wire.ask(REQUEST)
    wire.transport.close()
    assert wire.ask(REQUEST) == b""
    assert response_cache.counts.direct == [1, 0]


def test_what_changed_is_asked_for(
    wire: Wire, response_cache: ResponseCache, protocol: type[CountingProtocol]
) -> None:
    wire.ask(REQUEST)
    response_cache.drop(TOPICS)
    assert (wire.ask(REQUEST), wire.loop.asked) == (b"", 1)
    keep(response_cache)
    assert Wire(protocol, wire.loop).ask(REQUEST).endswith(b"call 2")


def test_what_changed_while_it_was_asked_for_is_not_remembered(
    response_cache: ResponseCache,
) -> None:
    response_cache.drop(TOPICS)
    response_cache.remember(REQUEST, (), Reply(b"/api/x", b"old", b""))
    keep(response_cache)
    found = response_cache.find_repeated(REQUEST, lambda: True)
    assert found is not None
    assert found.head != b"old"


def test_what_is_too_old_is_asked_for(wire: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    wire.ask(REQUEST)
    monkeypatch.setattr("liuying.http.response_store.monotonic", lambda: float("inf"))
    assert (wire.ask(REQUEST), wire.loop.asked) == (b"", 1)


def test_what_is_repeated_is_used(
    wire: Wire, response_cache: ResponseCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("liuying.http.response_store.MAX_RESPONSES", 2)
    wire.ask(REQUEST)
    for number in range(5):
        keep(response_cache, b"/api/%d" % number)
        assert wire.ask(REQUEST).endswith(b"/api/x, call 1")
    assert wire.parsed == 1


def test_screens_are_remembered_by_their_path(wire: Wire, response_cache: ResponseCache) -> None:
    sent = request("/list?utm=1")
    for call in (b"call 2", b"call 3"):
        keep(response_cache, b"/list")
        assert [wire.ask(sent).endswith(call) for _ in range(2)] == [True, True]
        assert len(response_cache._repeated) == 1
        response_cache.drop(TOPICS)
    assert wire.parsed == 1


def test_a_data_code_in_the_address_is_not_kept(wire: Wire, response_cache: ResponseCache) -> None:
    sent = request("/list?uuid=visitor00001")
    keep(response_cache, b"/list")
    for _ in range(3):
        assert wire.ask(sent).endswith(b"call 2")
    assert len(response_cache._repeated) == 0


def test_the_date_is_that_of_the_answer(wire: Wire) -> None:
    first = wire.ask(REQUEST)
    wire.state.default_headers = [(b"date", b"Sun, 22 Nov 2026 05:00:01 GMT")]
    assert wire.ask(REQUEST) == first.replace(b"05:00:00", b"05:00:01") != first


def test_answers_of_one_turn_keep_their_order(wire: Wire) -> None:
    one = wire.ask(REQUEST)
    received = wire.ask(REQUEST, REQUEST, b"\x00 no HTTP\r\n\r\n")
    assert received.startswith(one * 2 + b"HTTP/1.1 400 ")
    assert received.count(b"HTTP/1.1") == 3


def test_an_idle_connection_ends_when_the_last_answer_is_old(wire: Wire) -> None:
    wire.ask(REQUEST)
    for _ in range(5):
        wire.loop.pass_time(KEEP_ALIVE_S - 1)
        assert wire.ask(REQUEST) != b""
    assert wire.parsed == 1
    wire.loop.pass_time(KEEP_ALIVE_S - 1)
    assert wire.transport.is_open
    wire.loop.pass_time(1)
    assert not wire.transport.is_open


def test_a_connection_whose_first_request_is_known(
    wire: Wire, protocol: type[CountingProtocol]
) -> None:
    """It is neither cut as one whose request never comes, nor kept for ever."""
    wire.ask(REQUEST)
    other = Wire(protocol, wire.loop, 2 * int(REQUEST_DEADLINE_S))
    other.ask(REQUEST)
    assert other.parsed == 0
    wire.loop.pass_time(2 * REQUEST_DEADLINE_S - 1)
    assert other.transport.is_open
    wire.loop.pass_time(1)
    assert not other.transport.is_open


def test_line_ends_do_not_keep_a_connection_open(wire: Wire) -> None:
    wire.ask(REQUEST)
    wire.ask(b"\r\n")
    assert wire.ask(REQUEST) != b""
    wire.loop.pass_time(KEEP_ALIVE_S)
    assert not wire.transport.is_open


def test_a_slow_request_after_it_is_cut(wire: Wire) -> None:
    wire.ask(REQUEST)
    wire.ask(REQUEST)
    wire.receive(REQUEST[:-1])
    wire.loop.pass_time(REQUEST_DEADLINE_S - 1)
    assert wire.transport.is_open
    wire.loop.pass_time(1)
    assert not wire.transport.is_open


def test_a_lost_connection_waits_for_nothing(wire: Wire) -> None:
    wire.ask(REQUEST)
    wire.loop.pass_time(1)
    wire.ask(REQUEST)
    wire.transport.close()
    wire.protocol.connection_lost(ConnectionResetError())
    wire.loop.pass_time(KEEP_ALIVE_S - 1)
    assert wire.loop.waiting == 0


def reply(target: bytes) -> Reply:
    return Reply(target, b"head", b"body")


def test_requests_are_bounded_and_the_least_repeated_go_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(repeated_requests, "MAX_REQUESTS", 3)
    remembered = RepeatedRequests()
    for number in range(6):
        remembered.remember(b"%d\r\n\r\n" % number, reply(b"/"))
        remembered.find(b"0\r\n\r\n")
    kept = [number for number in range(6) if remembered.find(b"%d\r\n\r\n" % number)]
    assert kept == [0, 4, 5]


def test_long_requests_are_parsed_each_time() -> None:
    assert essence_of(b"x" * (MAX_REQUEST_LENGTH - 4) + b"\r\n\r\n") is not None
    assert essence_of(b"x" * (MAX_REQUEST_LENGTH - 3) + b"\r\n\r\n") is None


def test_very_long_requests_are_not_even_looked_through() -> None:
    cookie = b"\r\ncookie: " + b"x" * MAX_RAW_LENGTH
    assert essence_of(b"GET / HTTP/1.1" + cookie + b"\r\n\r\n") is None


def test_nothing_of_a_forgotten_answer_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(repeated_requests, "MAX_REQUESTS", 2)
    remembered = RepeatedRequests()
    for number in range(4):
        remembered.remember(b"%d\r\n\r\n" % number, reply(b"/%d" % (number % 3)))
    remembered.forget(b"/2")
    remembered.forget(b"/unknown")
    found = (remembered.find(b"2\r\n\r\n"), remembered.find(b"3\r\n\r\n"))
    assert (len(remembered), *found) == (
        1,
        None,
        reply(b"/0"),
    )
    remembered.forget(b"/0")
    assert vars(remembered) == vars(RepeatedRequests())
