"""No network holds all connections, and idle ones make room (docs/security.md#t37)."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import msgspec
import pytest
import uvicorn

from liuying.http.application import Application
from liuying.http.server_protocol import protocol_for
from liuying.installation.services import Services
from liuying.kit import connection_limit
from liuying.kit.client_network import ClientNetwork, ProxyTrust
from liuying.kit.connection_limit import PAUSE_S, RESTING_S, ConnectionLimit
from liuying.kit.refusals import FAILURE

PATIENCE_S = 20.0
PER_NETWORK = 4
# All that the server takes; idle ones are closed from 90 % on.
ALL = 20
KEPT = "/api/videosort/0?orderby=hot"


@contextmanager
def serving(services: Services, *proxies: str) -> Iterator[int]:
    """A server with the limits above; gives its port."""
    application = Application(services)
    limit = ConnectionLimit(ProxyTrust(proxies), PER_NETWORK)
    listener = socket.create_server(("127.0.0.1", 0), backlog=200)
    protocol = protocol_for(application, limit)
    config = uvicorn.Config(
        application, http=protocol, log_config=None, limit_concurrency=ALL, timeout_keep_alive=60
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        yield int(listener.getsockname()[1])
    finally:
        server.should_exit = True
        thread.join(PATIENCE_S)
        listener.close()


class Visitor:
    """A connection from an address of this machine that stands for a network."""

    def __init__(self, port: int, address: str) -> None:
        self._socket = socket.create_connection(
            ("127.0.0.1", port), timeout=PATIENCE_S, source_address=(address, 0)
        )

    def ask(self, path: str = KEPT) -> int:
        """A request; its status, or 0 where the connection is closed."""
        try:
            head, _ = self.ask_whole(path)
            return int(head.split(b" ")[1]) if head else 0
        except OSError:
            return 0

    def ask_whole(self, path: str) -> tuple[bytes, bytes]:
        """A request; the answer's head in small letters, and its body."""
        self._socket.sendall(f"GET {path} HTTP/1.1\r\nhost: x\r\n\r\n".encode())
        head, _, body = self._until(b"\r\n\r\n").partition(b"\r\n\r\n")
        if head:
            lines = head.lower().split(b"\r\n")
            length = next(int(one.split(b":")[1]) for one in lines if b"content-length" in one)
            while len(body) < length:
                body += self._socket.recv(65536)
        return head.lower(), body

    def _until(self, end: bytes) -> bytes:
        received = b""
        while end not in received and (data := self._socket.recv(65536)):
            received += data
        return received

    def hold(self) -> None:
        """Begin a request that does not end: the connection is not idle."""
        self._socket.sendall(b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n")

    def close(self) -> None:
        self._socket.close()


@pytest.fixture
def visitors() -> Iterator[ExitStack]:
    with ExitStack() as opened:
        yield opened


def connect(port: int, address: str, opened: ExitStack) -> Visitor:
    visitor = Visitor(port, address)
    opened.callback(visitor.close)
    return visitor


def test_a_network_at_its_limit_takes_from_itself(filled: Services, visitors: ExitStack) -> None:
    with serving(filled) as port, visitors:
        other = connect(port, "127.0.0.9", visitors)
        assert other.ask() == 200
        own = []
        for _ in range(PER_NETWORK + 3):
            own.append(connect(port, "127.0.0.2", visitors))
            assert own[-1].ask() == 200
        # The longest idle were closed for the newest; nobody else's were.
        assert [one.ask() for one in own] == [0] * 3 + [200] * PER_NETWORK
        assert other.ask() == 200


def test_a_network_whose_connections_are_all_busy_gets_no_more(
    filled: Services, visitors: ExitStack
) -> None:
    with serving(filled) as port, visitors:
        for _ in range(PER_NETWORK):
            visitor = connect(port, "127.0.0.2", visitors)
            assert visitor.ask() == 200  # the server has taken it
            visitor.hold()
        connect(port, "127.0.0.9", visitors).ask()  # what was held has arrived
        assert [connect(port, "127.0.0.2", visitors).ask() for _ in range(3)] == [0] * 3
        assert connect(port, "127.0.0.3", visitors).ask() == 200


def test_repeated_requests_keep_nobody_elses_place(filled: Services, visitors: ExitStack) -> None:
    """Keep-alives of one remembered request: the newest request counts, not the parsed one."""
    with serving(filled) as port, visitors:
        own = [connect(port, "127.0.0.2", visitors) for _ in range(PER_NETWORK)]
        assert [one.ask() for one in own] == [200] * PER_NETWORK
        # The event loop counts milliseconds: so many requests take some.
        for _ in range(100):
            assert [own[number].ask() for number in (0, 2, 3)] == [200] * 3
        assert connect(port, "127.0.0.2", visitors).ask() == 200
        assert [one.ask() for one in own] == [200, 0, 200, 200]


def test_idle_connections_make_room_when_all_are_too_many(
    filled: Services, visitors: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection_limit, "RESTING_S", 0.0)
    with serving(filled) as port, visitors:
        crowd = [
            connect(port, f"127.0.1.{network}", visitors)
            for network in range(1, 20)
            for _ in range(PER_NETWORK)
        ]
        for one in crowd:
            one.ask()
        late = connect(port, "127.0.0.9", visitors)
        assert late.ask() == 200
        answers = [one.ask() for one in crowd]
        # As many as the server takes, and not one more.
        assert 0 < answers.count(200) < ALL


def test_one_too_many_is_told_when_to_come_again(filled: Services, visitors: ExitStack) -> None:
    """None of the others is idle for long enough to give way."""
    with serving(filled) as port, visitors:
        for network in range(1, ALL):
            connect(port, f"127.0.1.{network}", visitors).hold()
        late = connect(port, "127.0.0.9", visitors)
        head, body = late.ask_whole("/api/videorecommand?seed=1")
        assert head.startswith(b"http/1.1 503 ")
        assert b"\r\nretry-after: 1\r\n" in head
        assert b"\r\nconnection: close" in head
        assert msgspec.json.decode(body) == {"code": 503, "msg": FAILURE, "rescont": []}
        assert late.ask() == 0


def test_a_trusted_proxy_has_no_limit(filled: Services, visitors: ExitStack) -> None:
    with serving(filled, "127.0.0.2") as port, visitors:
        own = [connect(port, "127.0.0.2", visitors) for _ in range(3 * PER_NETWORK)]
        assert [one.ask() for one in own] == [200] * len(own)
        assert [one.ask() for one in own] == [200] * len(own)


class Still(msgspec.Struct, eq=False):
    """A connection as the limit sees it."""

    since: float | None
    network: ClientNetwork | None = None
    is_closed: bool = False

    @property
    def idle_since(self) -> float | None:
        return None if self.is_closed else self.since

    def close_idle(self) -> None:
        self.is_closed = True


def test_the_networks_with_most_connections_give_way_first() -> None:
    limit = ConnectionLimit(ProxyTrust(), 100)
    few = [Still(float(number)) for number in range(2)]
    many = [Still(100.0 + number) for number in range(20)]
    for one in few:
        assert limit.admit(one, "192.0.2.1", 0)
    for one in many:
        assert limit.admit(one, "2001:db8:0:1::7", 0)
    newcomer = Still(200.0)
    assert limit.admit(newcomer, "2001:db8:0:1::8", 200.0)
    limit.relieve(newcomer, 200.0)
    assert [one.is_closed for one in (*few, *many)] == [False] * 2 + [True] + [False] * 19
    assert not newcomer.is_closed


def test_what_is_lost_is_forgotten() -> None:
    limit = ConnectionLimit(ProxyTrust(), 1)
    for _ in range(3):
        one = Still(None)
        assert limit.admit(one, "::ffff:192.0.2.1", 0)
        other = Still(None)
        assert not limit.admit(other, "192.0.2.1", 0)
        limit.release(other)
        limit.release(one)
        limit.release(one)


@pytest.mark.parametrize("idle", [1, 2])
def test_the_newcomer_has_the_place_that_was_made_for_it(idle: int) -> None:
    """A large limit, of whose connections several are closed at once."""
    limit = ConnectionLimit(ProxyTrust(), 64)
    waiting = [Still(float(number)) for number in range(idle)]
    for one in [*waiting, *(Still(None) for _ in range(64 - idle))]:
        assert limit.admit(one, "192.0.2.1", 50.0)
    newcomer = Still(100.0)
    assert limit.admit(newcomer, "192.0.2.1", 100.0)
    assert not newcomer.is_closed
    assert all(one.is_closed for one in waiting)


def test_a_network_without_idle_connections_is_not_looked_through_for_a_while() -> None:
    limit = ConnectionLimit(ProxyTrust(), 64)
    busy = [Still(None) for _ in range(64)]
    for one in busy:
        assert limit.admit(one, "192.0.2.1", 50.0)

    def is_let_in(now: float) -> bool:
        newcomer = Still(now)
        is_admitted = limit.admit(newcomer, "192.0.2.1", now)
        assert not newcomer.is_closed
        limit.release(newcomer)
        return is_admitted

    assert not is_let_in(100.0)
    busy[0].since = 100.0
    assert not is_let_in(100.0 + PAUSE_S / 2)
    assert not busy[0].is_closed
    assert is_let_in(100.0 + PAUSE_S)
    assert busy[0].is_closed


def test_the_newcomer_does_not_give_way_when_all_are_too_many() -> None:
    limit = ConnectionLimit(ProxyTrust(), 100)
    busy = [Still(None) for _ in range(20)]
    elsewhere, newcomer = Still(1.0), Still(2.0)
    for one in (*busy, newcomer):
        assert limit.admit(one, "192.0.2.1", 0)
    assert limit.admit(elsewhere, "192.0.2.2", 0)
    limit.relieve(newcomer, 200.0)
    assert (elsewhere.is_closed, newcomer.is_closed) == (True, False)


def test_when_all_are_too_many_those_between_two_requests_stay() -> None:
    """Their next request may be on its way, and would be lost."""
    limit = ConnectionLimit(ProxyTrust(), 100)
    just_asked, newcomer = Still(100.0), Still(101.0)
    for one in (just_asked, newcomer):
        assert limit.admit(one, "192.0.2.1", 101.0)
    limit.relieve(newcomer, 101.0)
    assert not just_asked.is_closed
    limit.relieve(newcomer, 101.0 + RESTING_S)
    assert just_asked.is_closed
