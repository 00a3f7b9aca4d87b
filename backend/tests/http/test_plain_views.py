"""Views answered in front of the framework: as the framework itself answers them, to the letter."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextvars import Context
from typing import Any

import httpx
import msgspec
import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from liuying.core.catalogue.sort_index import SortIndex
from liuying.features.search.result_cache import ResultCache
from liuying.features.views.routes import PATH
from liuying.features.views.service import View
from liuying.http.counting import Counting
from liuying.http.framework import dependencies_of
from liuying.http.plain_views import PlainViews
from liuying.http.security_headers import SecurityHeaders
from liuying.http.web_files import WebPages
from liuying.installation.services import Services, limits_of
from liuying.kit.answering import SlowDatabaseError
from liuying.kit.errors import TooManyRequestsError
from liuying.pages.player import PlayInfos
from tests.conftest import BASE
from tests.reused_frameworks import free, take

JSON = {"content-type": "application/json"}
VIEW = b'{"id":101,"event":"view","wait":0}'


class Both:
    """The framework, and what stands in front of it; nothing else of the application."""

    def __init__(self, services: Services) -> None:
        self.counting = Counting(services, limits_of(services))
        headers = SecurityHeaders("", ())
        orders = SortIndex(services.database, services.hashes)
        dependencies = dependencies_of(
            services,
            self.counting,
            orders,
            PlayInfos(orders),
            ResultCache(),
            WebPages(services.settings.web_dir),
        )
        self.framework = take(dependencies, headers)
        self.plain = PlainViews(self._noting, self.counting, lambda: headers.current)
        # Paths that the framework was asked for past what stands in front of it.
        self.passed: list[str] = []
        self._runner = asyncio.Runner()

    async def _noting(self, scope: Any, receive: Any, send: Any) -> None:
        self.passed.append(scope["path"])
        await self.framework(scope, receive, send)

    def ask(
        self,
        app: Any,
        headers: dict[str, str] | list[tuple[str, str]],
        body: bytes,
        path: str = PATH,
        method: str = "POST",
    ) -> httpx.Response:
        async def asked() -> httpx.Response:
            transport = httpx.ASGITransport(app=app)
            async with httpx.AsyncClient(transport=transport, base_url=BASE) as client:
                return await client.request(method, path, headers=headers, content=body)

        return self._runner.run(asked(), context=Context())

    def close(self) -> None:
        self._runner.close()
        free(self.framework)


@pytest.fixture
def both(filled: Services) -> Iterator[Both]:
    opened = Both(filled)
    yield opened
    opened.close()


def told(response: httpx.Response) -> tuple[int, Any, list[tuple[str, str]]]:
    """An answer, in whatever order its headers came; an id of the failure aside."""
    headers = [one for one in response.headers.items() if one[0] != "x-request-id"]
    return response.status_code, msgspec.json.decode(response.content), sorted(headers)


@pytest.mark.parametrize("code", [{}, {"x-visitor-code": ""}, {"x-visitor-code": "visitor0001"}])
def test_a_view_is_answered_as_by_the_framework(both: Both, code: dict[str, str]) -> None:
    first = both.ask(both.plain, JSON | code, VIEW)
    assert both.passed == []
    assert told(first)[:2] == (200, {"code": 200, "msg": "ok", "rescont": {"is_counted": True}})
    again = both.ask(both.plain, JSON | code, VIEW)
    assert told(again) == told(both.ask(both.framework, JSON | code, VIEW))
    assert told(again)[1]["rescont"] == {"is_counted": False}
    assert sorted(first.headers) == sorted(again.headers)


@pytest.mark.parametrize(
    ("headers", "body"),
    [
        pytest.param(JSON, b"", id="no body"),
        pytest.param(JSON, b"{", id="no JSON"),
        pytest.param(JSON, b"[" * 5000, id="deep"),
        pytest.param(JSON, b'{"id":101,"event":"view","x":1}', id="more than a view"),
        pytest.param(JSON, b'{"id":101,"event":"view","uuid":"NO"}', id="invalid code in the body"),
        pytest.param(JSON, b'{"id":101,"event":"view","uuid":"visitor0002"}', id="code in body"),
        pytest.param(JSON, b'{"id":101,"event":"stall"}', id="another event"),
        pytest.param(JSON, b'{"id":"101","event":"view"}', id="no number"),
        pytest.param(JSON, b'{"id":0,"event":"view"}', id="no id"),
        pytest.param(JSON, b'{"id":101,"event":"view","wait":-1}', id="no wait"),
        pytest.param(JSON | {"x-visitor-code": "NO"}, VIEW, id="invalid code"),
        pytest.param(JSON | {"content-encoding": "gzip"}, VIEW, id="compressed"),
        pytest.param({"content-type": "text/plain"}, VIEW, id="another kind"),
        pytest.param({"content-type": "application/json; charset=utf-8"}, VIEW, id="charset"),
        pytest.param({}, VIEW, id="no kind"),
        pytest.param(
            [*JSON.items(), ("x-visitor-code", "visitor0001"), ("x-visitor-code", "NO")],
            VIEW,
            id="two codes",
        ),
    ],
)
def test_everything_else_is_the_framework_s(both: Both, headers: Any, body: bytes) -> None:
    answer = both.ask(both.plain, headers, body)
    assert both.passed == [PATH]
    direct = both.ask(both.framework, headers, body)
    assert answer.status_code == direct.status_code
    if answer.status_code != 200:
        assert told(answer) == told(direct)


@pytest.mark.parametrize(
    ("path", "method"),
    [(f"{PATH}?uuid=NO", "POST"), (f"{PATH}?a=1&a=2", "POST"), (PATH, "GET"), (f"{PATH}/", "POST")],
)
def test_other_addresses_are_the_framework_s(both: Both, path: str, method: str) -> None:
    answer = both.ask(both.plain, JSON, VIEW, path, method)
    assert len(both.passed) == 1
    assert answer.status_code == both.ask(both.framework, JSON, VIEW, path, method).status_code


def test_a_body_that_comes_in_parts_arrives_whole(both: Both) -> None:
    async def parts() -> Any:
        yield VIEW[:10]
        yield VIEW[10:]

    response = both.ask(both.plain, JSON, parts())
    assert response.json()["rescont"] == {"is_counted": True}
    assert both.passed == []


def test_a_view_with_much_around_it_is_the_framework_s(both: Both) -> None:
    response = both.ask(both.plain, JSON, VIEW + b" " * 300)
    assert response.json()["rescont"] == {"is_counted": True}
    assert both.passed == [PATH]


def test_a_long_body_is_handed_on_as_it_comes(both: Both) -> None:
    async def parts() -> Any:
        yield b'{"id":101,"event":"view","more":"'
        for _ in range(10):
            yield b"x" * 100
        yield b'"}'

    response = both.ask(both.plain, JSON, parts())
    assert response.json()["rescont"] == {"is_counted": True}
    assert both.passed == [PATH]


@pytest.mark.parametrize("video", [999_999, 2**53])
def test_a_video_that_is_not_there(both: Both, video: int) -> None:
    body = b'{"id":%d,"event":"view"}' % video
    answer = both.ask(both.plain, JSON, body)
    assert answer.status_code in {404, 422}
    assert told(answer) == told(both.ask(both.framework, JSON, body))


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (TooManyRequestsError(retry_after=7), 429),
        (SlowDatabaseError(), 503),
        (sa.exc.TimeoutError("no connection"), 503),
        (sa.exc.OperationalError("SELECT", None, Exception(), connection_invalidated=True), 503),
        (OSError(28, "full"), 503),
        (RuntimeError("ours"), 500),
    ],
)
def test_an_error_is_answered_as_by_the_framework(
    both: Both, monkeypatch: pytest.MonkeyPatch, error: Exception, status: int
) -> None:
    async def fail(_: View) -> bool:
        raise error

    monkeypatch.setattr(both.counting.views, "count", fail)
    answer = both.ask(both.plain, JSON, VIEW)
    assert both.passed == []
    assert answer.status_code == status
    assert told(answer) == told(both.ask(both.framework, JSON, VIEW))


def test_codes_that_somebody_tries_are_limited(both: Both) -> None:
    statuses = [
        both.ask(both.plain, JSON | {"x-visitor-code": f"visitor{number:04}"}, VIEW).status_code
        for number in range(61)
    ]
    assert statuses == [200] * 60 + [429]
    assert both.passed == []


BODIES = st.fixed_dictionaries(
    {},
    optional={
        "id": st.one_of(st.just(999_999), st.integers(), st.floats(), st.text(max_size=3)),
        "event": st.sampled_from(["view", "start", "VIEW", "", None, 1]),
        "wait": st.one_of(st.integers(-1, 5), st.just(600_001), st.none()),
        "uuid": st.sampled_from(["visitor0001", "NO", "", None, 1]),
        "more": st.recursive(st.none(), lambda inner: st.lists(inner, max_size=2)),
    },
)


@given(st.one_of(BODIES.map(msgspec.json.encode), st.binary(max_size=40)))
@settings(
    deadline=None,
    max_examples=60,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_whatever_the_body_both_say_the_same(both: Both, body: bytes) -> None:
    """Of a video that is not there: the second would not count again."""
    assert told(both.ask(both.plain, JSON, body)) == told(both.ask(both.framework, JSON, body))
