"""CORS, authentication and framing, on answers that are made and on those that are kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec
import pytest

from liuying.features.embedding import service
from liuying.features.embedding.rules import CodeClaims, give_token
from liuying.features.embedding.schemas import Perks
from liuying.http.server_protocol import protocol_for
from liuying.installation.services import Services
from tests.catalogue_factory import NOW
from tests.conftest import BASE, Client

PARTNER = "https://partner.example"
KEPT = "/api/videosort/0?orderby=hot"
PERSONAL = "/api/share/unlocked"
Opener = Callable[..., Client]


@pytest.fixture
def opened(filled: Services) -> Iterator[Opener]:
    """Makes clients of the same installation under other settings."""
    clients = []

    def open_with(**changed: object) -> Client:
        settings = msgspec.structs.replace(filled.settings, **changed)
        clients.append(Client(msgspec.structs.replace(filled, settings=settings)))
        return clients[-1]

    yield open_with
    for one in clients:
        one.close()


def token_of(services: Services, now: int = NOW) -> str:
    return give_token(
        service.token_key(services.hashes), CodeClaims("acme", "u1", "", "j", 0), now
    )[0]


@pytest.mark.parametrize("path", [KEPT, PERSONAL, "/api/videoplay/999"])
def test_a_listed_origin_may_read(opened: Opener, path: str) -> None:
    client = opened(cors_origins=f"{PARTNER}, http://localhost:5173")
    for _ in range(2):  # made, then kept
        for origin in (PARTNER, "http://localhost:5173"):
            answer = client.get(path, {"origin": origin})
            assert answer.headers["access-control-allow-origin"] == origin
            assert answer.headers["access-control-allow-credentials"] == "true"
            assert "origin" in answer.headers["vary"].split(", ")
    assert "access-control-allow-origin" not in client.get(path).headers
    assert "origin" in client.get(path).headers["vary"].split(", ")


def test_not_modified_answers_have_the_headers_too(opened: Opener) -> None:
    client = opened(cors_origins=PARTNER)
    first = client.get(KEPT, {"origin": PARTNER})
    again = client.get(KEPT, {"origin": PARTNER, "if-none-match": first.headers["etag"]})
    assert again.status_code == 304
    assert again.headers["access-control-allow-origin"] == PARTNER
    assert again.headers["vary"] == first.headers["vary"] == "origin, accept-encoding"


@pytest.mark.parametrize(
    "origin",
    [
        "null",
        "https://partner.example.evil.example",
        "https://evilpartner.example",
        "https://partner.exampl",
        "http://partner.example",
        "https://partner.example:8443",
        "https://partner.example:443",
        "https://partner.example/",
        "https://PARTNER.example",
        "https://sub.partner.example",
        "https://partner.example, https://evil.example",
        "https://partner.example\x00",
        "*",
        "",
    ],
)
def test_other_origins_get_no_header(opened: Opener, origin: str) -> None:
    client = opened(cors_origins=PARTNER)
    for path in (KEPT, PERSONAL):
        answer = client.get(path, {"origin": origin})
        assert not [name for name in answer.headers if name.startswith("access-control-")]
    preflight = client.request(
        "OPTIONS", KEPT, {"origin": origin, "access-control-request-method": "POST"}
    )
    assert "access-control-allow-origin" not in preflight.headers


def test_preflights_are_answered(opened: Opener) -> None:
    client = opened(cors_origins=PARTNER, auth_required=True)
    asked = {"origin": PARTNER, "access-control-request-method": "DELETE"}
    answer = client.request("OPTIONS", "/api/favorites", asked)
    assert (answer.status_code, answer.content) == (204, b"")
    assert answer.headers["access-control-allow-origin"] == PARTNER
    assert "DELETE" in answer.headers["access-control-allow-methods"]
    assert "x-visitor-code" in answer.headers["access-control-allow-headers"]


def test_without_a_list_nothing_is_said(opened: Opener) -> None:
    answer = opened().get(KEPT, {"origin": PARTNER})
    assert not [name for name in answer.headers if name.startswith("access-control-")]
    assert answer.headers["vary"] == "accept-encoding"


VARIANTS = [
    KEPT,
    "/api/videosort",
    "/api/videosort/",
    f"{BASE}//api/videosort",
    "/api//videosort",
    "/%61pi/videosort",
    "/api/./videosort",
    "/api/schema/openapi.json",
    "/api/config/",
    f"{BASE}//api/config",
    "/api/vendor/exchange",
    "/api",
    "/api/",
    "/api/nothing",
    "/api/videoindex",
    PERSONAL,
]


@pytest.mark.parametrize("path", VARIANTS)
def test_nothing_answers_without_a_token(opened: Opener, path: str) -> None:
    client = opened(auth_required=True)
    token = token_of(client.services)
    client.get(path, {"authorization": f"Bearer {token}"})  # kept now, where it is kept at all
    for headers in (
        {},
        {"authorization": "Bearer x.y.z"},
        {"authorization": token},
        {"cookie": f"token={token}"},
    ):
        answer = client.get(path, headers)
        assert (answer.status_code, answer.json()["code"], answer.json()["msg"]) == (
            401,
            401,
            "请先登录",
        ), path
        assert answer.headers["cache-control"] == "private, no-store"
        assert answer.headers["vary"] == "authorization"


def test_a_token_opens_everything_privately(opened: Opener) -> None:
    client = opened(auth_required=True)
    bearer = {"authorization": f"bearer {token_of(client.services)}"}
    for _ in range(2):
        answer = client.get(KEPT, bearer)
        assert answer.status_code == 200
        assert answer.headers["cache-control"] == "private, no-store"
        assert answer.headers["vary"] == "accept-encoding, authorization"
    assert client.get("/api/config").json()["rescont"]["auth_required"] is True
    over = token_of(client.services, NOW - 7_200_000)
    assert client.get(KEPT, {"authorization": f"Bearer {over}"}).status_code == 401
    early = token_of(client.services, NOW + 60_000)
    assert client.get(KEPT, {"authorization": f"Bearer {early}"}).status_code == 401
    assert (
        client.request("POST", "/api/vendor/exchange", None, {"code": "x"})
        .json()["msg"]
        .startswith("登录凭证")
    )


def test_every_altered_sign_of_a_token_is_refused(opened: Opener) -> None:
    client = opened(auth_required=True)
    token = token_of(client.services)
    for place in range(0, len(token) - 1, 5):
        changed = token[:place] + ("A" if token[place] != "A" else "B") + token[place + 1 :]
        assert client.get(KEPT, {"authorization": f"Bearer {changed}"}).status_code == 401


def test_the_protocol_steps_aside(opened: Opener) -> None:
    assert [
        (protocol.is_aside, b"origin" in protocol.unusual)
        for protocol in (
            protocol_for(client.application)
            for client in (opened(), opened(auth_required=True), opened(cors_origins=PARTNER))
        )
    ] == [(False, False), (True, False), (False, True)]


def test_documents_withhold_what_needs_a_token(opened: Opener) -> None:
    assert "视频 129" in opened().get("/").text
    closed = opened(auth_required=True).get("/").text
    assert '"home":null' in closed
    assert "视频" not in closed.replace("流影", "")
    assert "preload" not in closed


def add_partner(services: Services) -> None:
    with services.database.write() as connection:
        service.add_vendor(connection, services.hashes, "acme", "艾克米", PARTNER, Perks(), NOW)


def test_framing_follows_the_partners_at_once(opened: Opener) -> None:
    client = opened(frame_origins="https://static.example")
    client.application.look_for_changes()

    def ancestors(path: str) -> str:
        policy = client.get(path).headers["content-security-policy"]
        return policy.partition("frame-ancestors ")[2]

    paths = ["/", "/playVideo", KEPT, "/nowhere", "/api/videoplay/999"]
    assert {ancestors(path) for path in paths} == {"'self' https://static.example"}
    add_partner(client.services)
    client.application.look_for_changes()
    assert {ancestors(path) for path in paths} == {f"'self' https://static.example {PARTNER}"}
    with client.services.database.write() as connection:
        service.remove_vendor(connection, "acme")
    client.application.look_for_changes()
    assert {ancestors(path) for path in paths} == {"'self' https://static.example"}


def test_a_browser_that_has_the_document_learns_of_a_new_policy(opened: Opener) -> None:
    client = opened()
    first = client.get("/")
    assert client.get("/", {"if-none-match": first.headers["etag"]}).status_code == 304
    add_partner(client.services)
    client.application.look_for_changes()
    again = client.get("/", {"if-none-match": first.headers["etag"]})
    assert again.status_code == 200
    assert PARTNER in again.text
    assert PARTNER in again.headers["content-security-policy"]
    assert "stale" not in again.headers["cache-control"]


def test_the_policy_names_the_analytics_tool_and_the_client_learns_of_it(opened: Opener) -> None:
    plain = opened()
    assert "connect-src 'self';" in plain.get("/").headers["content-security-policy"]
    assert plain.get("/api/config").json()["rescont"]["analytics"] == {
        "kind": "none",
        "url": "",
        "id": "",
    }
    client = opened(analytics="beacon", analytics_url="https://count.example/hit")
    assert (
        "connect-src 'self' https://count.example;"
        in client.get("/").headers["content-security-policy"]
    )
    said = {"kind": "beacon", "url": "https://count.example/hit", "id": ""}
    assert client.get("/api/config").json()["rescont"]["analytics"] == said


def test_a_new_process_knows_the_partners(opened: Opener) -> None:
    add_partner(opened().services)
    client = opened()
    client.application.look_for_changes()
    assert PARTNER in client.get("/").headers["content-security-policy"]


@pytest.mark.parametrize(
    "header", ["x-forwarded-host", "x-host", "forwarded", "x-original-url", "x-rewrite-url"]
)
def test_forwarding_headers_change_nothing(opened: Opener, header: str) -> None:
    client = opened()
    for path in ("/", KEPT, "/api/videoplay/999"):
        usual = opened().get(path)
        tricked = client.get(path, {header: "evil.example"})
        assert (tricked.status_code, tricked.content) == (usual.status_code, usual.content)
        assert "evil" not in str(tricked.headers)


def test_what_is_not_declared_cacheable_is_not_stored(opened: Opener) -> None:
    client = opened()
    for path in (PERSONAL, "/api/videoplay/999", "/api/nothing", "/api/share/check?id=x"):
        assert (
            client.get(path, {"x-visitor-code": "abcdef123456"}).headers["cache-control"]
            == "no-store"
        )


def test_browsers_are_told_to_come_by_https_where_the_operator_says_so(opened: Opener) -> None:
    for seconds, expected in ((0, None), (31_536_000, "max-age=31536000")):
        client = opened(hsts_seconds=seconds)
        for path in ("/home", KEPT, PERSONAL, "/nowhere"):
            headers = client.get(path).headers
            assert headers.get("strict-transport-security") == expected, path
