"""Kept answers: repeated reads cost no computation, changes are seen at once."""

from __future__ import annotations

import asyncio

import pytest
import sqlalchemy as sa
from litestar.types import HTTPScope, Receive, Send

from liuying.core.catalogue.tables import category
from liuying.http import response_store as module
from liuying.http.framework import uncached_paths
from liuying.http.ready_lists import ReadyAnswer
from liuying.http.response_cache import ResponseCache
from liuying.kit.changes import CacheTopic, change, record_change
from liuying.kit.responses import CachePolicy
from tests.conftest import BASE, Client
from tests.http.asking import SCOPE, ask

PATH = "/api/videosort"


def rename(client: Client, name: str, *topics: CacheTopic) -> None:
    with client.services.database.write() as connection:
        connection.execute(sa.update(category).where(category.c.id == 1).values(name=name))
        record_change(connection, *topics)
    client.application.look_for_changes()


def test_a_repeated_read_is_not_computed_again(client: Client) -> None:
    first = client.get(PATH)
    with client.services.database.write() as connection:  # a change that the log does not mention
        connection.execute(sa.update(category).where(category.c.id == 1).values(name="别处"))
    assert client.get(PATH).content == first.content


def test_a_change_of_its_topic_renews_it(client: Client) -> None:
    before = client.get(PATH)
    rename(client, "远方", CacheTopic.CATALOGUE)
    after = client.get(PATH)
    assert "远方" in after.text
    assert after.headers["etag"] != before.headers["etag"]


def test_a_change_of_another_topic_leaves_it(client: Client) -> None:
    client.application.look_for_changes()  # what was written before the server started
    before = client.get(PATH)
    rename(client, "远方", CacheTopic.NOTICES)
    assert client.get(PATH).content == before.content


@pytest.mark.parametrize("encoding", ["identity", "gzip", "br", "zstd"])
def test_not_modified_by_encoding(client: Client, encoding: str) -> None:
    path = "/api/videosort/0"
    full = client.get(path, {"accept-encoding": encoding})
    assert full.status_code == 200
    assert full.headers.get("content-encoding", "identity") == encoding
    assert full.headers["vary"] == "accept-encoding"
    assert full.headers["cache-control"].startswith("public, max-age=")
    assert "set-cookie" not in full.headers
    again = client.get(path, {"accept-encoding": encoding, "if-none-match": full.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["etag"] == full.headers["etag"]


def test_an_etag_of_one_encoding_does_not_match_another(client: Client) -> None:
    path = "/api/videosort/0"
    etag = client.get(path, {"accept-encoding": "gzip"}).headers["etag"]
    assert client.get(path, {"accept-encoding": "br", "if-none-match": etag}).status_code == 200


def test_head_has_the_headers_of_get(client: Client) -> None:
    head = client.request("HEAD", PATH)
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["content-length"] == client.get(PATH).headers["content-length"]


def test_refusals_are_not_kept(client: Client) -> None:
    refused = client.get("/api/videoplay/999")
    assert refused.headers["cache-control"] == "no-store"


class CountingApplication:
    """Answers when it may, and counts how often it was asked."""

    def __init__(self, *, is_quick: bool = False) -> None:
        self.calls = 0
        self.may_answer = asyncio.Event()
        if is_quick:
            self.may_answer.set()
        self.opt: dict[str, CachePolicy] = {
            "cache_policy": CachePolicy(frozenset({CacheTopic.CATALOGUE}))
        }

    async def __call__(self, scope: HTTPScope, _receive: Receive, send: Send) -> None:
        self.calls += 1
        scope["route_handler"] = self  # type: ignore[typeddict-item]  # as the framework notes its route
        await self.may_answer.wait()
        await send(
            {
                "type": "http.response.start",
                "status": 200,
                "headers": [(b"content-type", b"text/plain")],
            }
        )
        await send({"type": "http.response.body", "body": b"answer", "more_body": False})


def test_a_client_that_does_not_read_keeps_nobody_waiting() -> None:
    async def scenario() -> bytes:
        application = CountingApplication()
        application.opt = {}  # an answer that is not kept
        application.may_answer.set()
        response_cache = ResponseCache(application)  # type: ignore[arg-type]  # as above

        async def send_nothing(_: object) -> None:
            await asyncio.Event().wait()

        async def receive() -> dict[str, object]:
            return {"type": "http.disconnect"}

        stuck = asyncio.create_task(response_cache(dict(SCOPE), receive, send_nothing))  # type: ignore[arg-type]  # as above
        answer = await asyncio.wait_for(ask(response_cache), 5)
        stuck.cancel()
        return answer

    assert asyncio.run(scenario()) == b"answer"


def test_answers_are_bounded_and_the_least_used_go_first(monkeypatch: pytest.MonkeyPatch) -> None:
    async def fill() -> tuple[bool, bool, int]:
        application = CountingApplication()
        application.may_answer.set()
        response_cache = ResponseCache(application)  # type: ignore[arg-type]  # as above
        await ask(response_cache, b"/api/first")
        for index in range(30):
            await ask(response_cache, b"/api/%d" % index)
            response_cache.find(b"/api/first")
        held = sum(response_cache.find(b"/api/%d" % index) is not None for index in range(30))
        return (
            response_cache.find(b"/api/first") is not None,
            response_cache.find(b"/api/0") is None,
            held,
        )

    monkeypatch.setattr("liuying.http.response_store.MAX_RESPONSES", 10)
    assert asyncio.run(fill()) == (True, True, 9)


def test_what_is_put_together_at_once_pushes_nothing_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else half a second of made-up addresses would empty all that took long."""
    monkeypatch.setattr(module, "MAX_RESPONSES", 10)
    policy = CachePolicy(frozenset({CacheTopic.CATALOGUE}))

    def find_ready(target: bytes) -> ReadyAnswer | None:
        return ReadyAnswer(b"ready", [], policy) if b"ready" in target else None

    response_cache = ResponseCache(CountingApplication(is_quick=True), find_ready=find_ready)  # type: ignore[arg-type]  # all of one that is needed
    computed = [b"/api/%d" % number for number in range(9)]
    for target in computed:
        asyncio.run(ask(response_cache, target))
    for number in range(50):
        assert asyncio.run(ask(response_cache, b"/api/ready/%d" % number)) == b"ready"
    assert all(response_cache.find(target) for target in computed)
    # The last one may be asked for again, and then counts like any other.
    assert response_cache.find(b"/api/ready/49")
    asyncio.run(ask(response_cache, b"/api/ready/50"))
    assert response_cache.find(b"/api/ready/49")


def test_a_fault_while_putting_together_is_left_to_the_framework(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def find_ready(_target: bytes) -> None:
        raise RuntimeError

    response_cache = ResponseCache(CountingApplication(is_quick=True), find_ready=find_ready)  # type: ignore[arg-type]  # as above
    assert response_cache.find_reply(b"/api/x", [], may_compose=True) is None
    assert asyncio.run(ask(response_cache)) == b"answer"
    assert [record.exc_info is not None for record in caplog.records] == [True, True]


@pytest.mark.parametrize("path", ["//api/videosort/1", "/%61pi/videosort/1", "/api//videosort/1"])
def test_a_call_that_is_spelled_otherwise_answers_its_own_query(client: Client, path: str) -> None:
    path = BASE + path
    plain = client.get("/api/videosort/1?page=2")
    # Whichever was asked for first.
    assert client.get(f"{path}?page=1").status_code == 200
    assert client.get(path).status_code == 200
    assert client.get(f"{path}?page=2").json()["rescont"]["data"] == plain.json()["rescont"]["data"]
    assert [client.get(f"{path}?{query}").status_code for query in ("page=0", "page=1&page=2")] == [
        422,
        422,
    ]
    assert "public" not in client.get(f"{path}?uuid=k3v9qmpa").headers["cache-control"]


def test_screens_are_kept_by_path_alone(client: Client) -> None:
    first = client.get("/mine?panel=notice")
    assert client.application.response_cache.find(b"/mine?utm=x") is not None
    assert client.get("/mine").headers["etag"] == first.headers["etag"]


@pytest.mark.parametrize(
    "query",
    [
        "x=1",
        "page=1&x",
        "page=1&",
        "&page=1",
        "p%61ge=1",
        "uuid=abcdef123456",
        "page=1&uuid=1&uuid2=1",
    ],
)
def test_what_an_address_adds_in_vain_is_not_kept(client: Client, query: str) -> None:
    """Copies would push out what is asked for, and a data code does not belong into anybody's
    cache.
    """
    plain, target = client.get("/api/rank?page=1"), f"/api/rank?{query}"
    answer = client.get(target)
    assert (answer.status_code, answer.content) == (200, plain.content)
    assert answer.headers["cache-control"] == "no-store"
    assert client.application.response_cache.find(target.encode()) is None


@pytest.mark.parametrize(
    "path",
    [
        "/api/rank?page=1&type=new&period=week",
        "/api/videoplay/105?uuid=1",
        "/api/videoSearch?serach=a%26b",
    ],
)
def test_what_a_route_reads_is_kept(client: Client, path: str) -> None:
    assert client.get(path).headers["cache-control"].startswith("public")
    assert client.application.response_cache.find(path.encode()) is not None


def test_a_data_code_in_a_cacheable_address_is_nowhere(client: Client) -> None:
    path = "/api/videoplay/105?uuid=abcdef123456"
    assert client.get(path).headers["cache-control"] == "no-store"
    assert client.application.response_cache.find(path.encode()) is None


def test_long_searches_have_an_etag_and_head(client: Client) -> None:
    path = f"/api/videoSearch?serach={'%E5%AD%97' * 64}"
    assert client.get(path).headers["etag"]
    assert client.request("HEAD", path).status_code == 200
    assert client.request("HEAD", f"/list?x={'a' * 2000}").status_code == 200


def test_a_topic_of_a_newer_version_makes_everything_stale(client: Client) -> None:
    client.application.look_for_changes()
    client.get(PATH)
    with client.services.database.write() as connection:
        connection.execute(sa.update(category).where(category.c.id == 1).values(name="远方"))
        connection.execute(sa.insert(change).values(topic="tomorrow"))
    client.application.look_for_changes()
    assert "远方" in client.get(PATH).text


def test_a_stampede_meets_one_computation() -> None:
    async def stampede() -> tuple[list[bytes], int]:
        application = CountingApplication()
        response_cache = ResponseCache(application)  # type: ignore[arg-type]  # as above
        asked = [asyncio.create_task(ask(response_cache)) for _ in range(50)]
        await asyncio.sleep(0)
        application.may_answer.set()
        return await asyncio.gather(*asked), application.calls

    answers, calls = asyncio.run(stampede())
    assert answers == [b"answer"] * 50
    assert calls == 1


def test_what_changed_during_the_computation_is_not_kept() -> None:
    async def race() -> int:
        application = CountingApplication()
        response_cache = ResponseCache(application)  # type: ignore[arg-type]  # as above
        first = asyncio.create_task(ask(response_cache))
        await asyncio.sleep(0)
        response_cache.drop(frozenset({CacheTopic.CATALOGUE}))
        application.may_answer.set()
        await first
        await ask(response_cache)
        return application.calls

    assert asyncio.run(race()) == 2


class PersonalApplication:
    """Answers each caller with the caller's own code, and not before all have asked."""

    def __init__(self, callers: int) -> None:
        self._barrier = asyncio.Barrier(callers)

    async def __call__(self, scope: HTTPScope, _receive: Receive, send: Send) -> None:
        await asyncio.wait_for(self._barrier.wait(), 5)
        code = dict(scope["headers"])[b"x-visitor-code"]
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": code, "more_body": False})


@pytest.mark.parametrize("unshared", [frozenset({"/api/x"}), frozenset()])
def test_what_is_not_kept_is_nobody_elses(unshared: frozenset[str]) -> None:
    """Two visitors who ask for one personal address at once get an answer each."""

    async def ask_as(response_cache: ResponseCache, code: bytes) -> bytes:
        sent: list[bytes] = []

        async def send(message: dict[str, object]) -> None:
            body = message.get("body", b"")
            assert isinstance(body, bytes)
            sent.append(body)

        async def receive() -> dict[str, object]:
            return {"type": "http.disconnect"}

        scope = {**SCOPE, "path": "/api/x", "headers": [(b"x-visitor-code", code)]}
        await response_cache(scope, receive, send)  # type: ignore[arg-type]  # the smallest scope that the class reads
        return b"".join(sent)

    async def scenario() -> list[bytes]:
        # Where the address is not known to be personal, the first one is waited for.
        callers = 3 if unshared else 1
        response_cache = ResponseCache(PersonalApplication(callers), unshared=unshared)  # type: ignore[arg-type]  # as above
        return await asyncio.gather(
            *(ask_as(response_cache, b"code%d" % number) for number in range(3))
        )

    assert asyncio.run(scenario()) == [b"code0", b"code1", b"code2"]


def test_personal_addresses_are_known(client: Client) -> None:
    found = uncached_paths(client.application.framework)
    assert {"/api/share/unlocked", "/api/share/play", "/api/favorites"} <= found
    assert not found & {"/api/config", "/api/videosort", "/api/videoindex", "/", "/home"}


def test_memory_is_counted_with_every_encoding(client: Client) -> None:
    response_cache, path = client.application.response_cache, "/api/videosort/0"
    sizes = [response_cache.held_bytes]
    for encoding in ("identity", "gzip", "gzip", "br"):
        client.get(path, {"accept-encoding": encoding})
        sizes.append(response_cache.held_bytes)
    assert sizes[0] < sizes[1] < sizes[2] == sizes[3] < sizes[4]
    response_cache.drop(frozenset({CacheTopic.CATALOGUE}))
    assert response_cache.held_bytes == 0
