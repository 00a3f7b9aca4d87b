"""Only so many requests are worked on at once; what is over is refused, and nobody's place is taken
for nothing.
"""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
import pytest

from liuying.http.load_limit import LoadLimit

MOST = 3


class Client:
    """One request to an application that answers when it is let."""

    def __init__(self, method: str = "GET") -> None:
        self.scope: Any = {"type": "http", "method": method, "path": "/"}
        self.body: asyncio.Queue[Any] = asyncio.Queue()
        self.sent: list[dict[str, Any]] = []

    async def send(self, message: Any) -> None:
        self.sent.append(message)

    @property
    def status(self) -> int | None:
        return self.sent[0]["status"] if self.sent else None


class Slow:
    """Reads the body where there is one, then waits to be let on."""

    def __init__(self) -> None:
        self.may_end = asyncio.Event()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["method"] == "POST":
            while (await receive()).get("more_body"):
                pass
        if scope["path"] == "/broken":
            raise RuntimeError
        await self.may_end.wait()
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})


async def settled() -> None:
    """Every task has gone as far as it can."""
    for _ in range(20):
        await asyncio.sleep(0)


def test_what_is_over_is_refused_until_some_work_is_done() -> None:
    async def scenario() -> None:
        slow = Slow()
        limit = LoadLimit(slow, MOST)
        clients = [Client() for _ in range(MOST + 1)]
        tasks = [asyncio.create_task(limit(one.scope, one.body.get, one.send)) for one in clients]
        await settled()
        assert [one.status for one in clients] == [None] * MOST + [503]
        assert (b"retry-after", b"1") in clients[-1].sent[0]["headers"]
        refusal = msgspec.json.decode(clients[-1].sent[1]["body"])
        assert (refusal["code"], refusal["msg"]) == (503, "网络异常，请稍后重试")
        slow.may_end.set()
        await asyncio.gather(*tasks)
        late = Client()
        await limit(late.scope, late.body.get, late.send)
        assert [one.status for one in [*clients[:MOST], late]] == [200] * (MOST + 1)

    asyncio.run(scenario())


def test_a_body_under_way_takes_nobodys_place() -> None:
    async def scenario() -> None:
        slow = Slow()
        limit = LoadLimit(slow, MOST)
        senders = [Client("POST") for _ in range(10 * MOST)]
        tasks = [asyncio.create_task(limit(one.scope, one.body.get, one.send)) for one in senders]
        await settled()
        readers = [Client() for _ in range(MOST - 1)]
        tasks += [asyncio.create_task(limit(one.scope, one.body.get, one.send)) for one in readers]
        await settled()
        assert all(one.status is None for one in [*senders, *readers])
        # The first body is whole: it is worked on from now on, and the places are taken.
        for is_more in (True, False):
            senders[0].body.put_nowait({"type": "http.request", "body": b"x", "more_body": is_more})
        await settled()
        over = Client()
        await limit(over.scope, over.body.get, over.send)
        assert over.status == 503
        slow.may_end.set()
        for one in senders[1:]:
            one.body.put_nowait({"type": "http.request", "body": b"", "more_body": False})
        await asyncio.gather(*tasks)

    asyncio.run(scenario())


def test_a_failure_gives_its_place_back() -> None:
    async def scenario() -> None:
        slow = Slow()
        slow.may_end.set()
        limit = LoadLimit(slow, 1)
        for _ in range(3):
            broken = Client()
            broken.scope["path"] = "/broken"
            with pytest.raises(RuntimeError):
                await limit(broken.scope, broken.body.get, broken.send)
        fine = Client()
        await limit(fine.scope, fine.body.get, fine.send)
        assert fine.status == 200

    asyncio.run(scenario())
