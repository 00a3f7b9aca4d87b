"""However many connections wait, they are taken within a few turns of the event loop."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from typing import cast

import pytest
import uvloop

from liuying.kit import waiting_connections
from liuying.kit.waiting_connections import WaitingConnections

CROWD = 60
# Of the event loop: to notice a connection, to take those behind it, to make them.
TURNS = 6


class Greeter(asyncio.Protocol):
    """Answers whatever it is sent, as the server's protocol takes what waits."""

    def __init__(self, site: Site) -> None:
        self._site = site

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self._site.made += 1
        self._site.waiting.take(asyncio.get_running_loop(), self._site.make_protocol)

    def data_received(self, data: bytes) -> None:
        self._transport.write(data)
        self._transport.close()


class Site:
    """A listener whose event loop does something else while a crowd arrives."""

    def __init__(self) -> None:
        self.made = 0
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=2 * CROWD)
        self.waiting = WaitingConnections(self.listener)

    def make_protocol(self) -> Greeter:
        return Greeter(self)

    async def serve(self, crowd: list[socket.socket], turns: int) -> list[bytes]:
        loop = asyncio.get_running_loop()
        server = await loop.create_server(self.make_protocol, sock=self.listener)
        for _ in range(CROWD):
            crowd.append(socket.create_connection(self.listener.getsockname(), timeout=20))
            crowd[-1].sendall(b"%d" % len(crowd))
        for _ in range(turns):
            await asyncio.sleep(0)
        made = self.made
        answers = [await asyncio.to_thread(one.recv, 9) for one in crowd]
        server.close()
        self.waiting.take_last(loop, self.make_protocol)
        assert self.made == CROWD
        return [b"made %d" % made, *answers]


@pytest.mark.parametrize("make_loop", [uvloop.new_event_loop, asyncio.new_event_loop])
def test_a_crowd_is_taken_at_once(make_loop: Callable[[], asyncio.AbstractEventLoop]) -> None:
    site, crowd = Site(), list[socket.socket]()
    with asyncio.Runner(loop_factory=make_loop) as runner:
        made, *answers = runner.run(site.serve(crowd, TURNS))
    assert made == b"made %d" % CROWD
    assert answers == [b"%d" % number for number in range(1, CROWD + 1)]
    for one in crowd:
        one.close()


def test_in_one_turn_only_so_many_are_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting_connections, "TAKEN_A_TURN", 2)
    site, crowd = Site(), list[socket.socket]()
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        made, *_ = runner.run(site.serve(crowd, TURNS))
    assert made != b"made %d" % CROWD
    for one in crowd:
        one.close()


@pytest.mark.parametrize("make_loop", [uvloop.new_event_loop, asyncio.new_event_loop])
def test_who_waits_when_the_listener_closes_is_answered(
    make_loop: Callable[[], asyncio.AbstractEventLoop],
) -> None:
    site = Site()
    address = site.listener.getsockname()
    crowd = [socket.create_connection(address, timeout=20) for _ in range(3)]
    for one in crowd:
        one.sendall(b"%d" % one.getsockname()[1])

    async def end() -> list[bytes]:
        site.listener.close()
        site.waiting.take_last(asyncio.get_running_loop(), site.make_protocol)
        return [await asyncio.to_thread(one.recv, 9) for one in crowd]

    with asyncio.Runner(loop_factory=make_loop) as runner:
        answers = runner.run(end())
    assert answers == [b"%d" % one.getsockname()[1] for one in crowd]
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(address, timeout=20)
    for one in crowd:
        one.close()
