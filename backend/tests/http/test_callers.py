"""Who a caller is taken for: guessing is limited by network, and no forged header changes the
network.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from liuying.installation.migrating import migrate
from liuying.installation.services import Services, open_services
from liuying.installation.settings import Settings
from tests.catalogue_factory import NOW, fill_catalogue
from tests.conftest import Client
from tests.visitor import Visitor

TOTAL = "/api/favorites/total"
HEADERS = [
    "X-Forwarded-For",
    "X-Real-IP",
    "Forwarded",
    "X-Client-IP",
    "CF-Connecting-IP",
    "True-Client-IP",
    "X-Cluster-Client-IP",
    "X-Forwarded",
    "Forwarded-For",
    "X-Originating-IP",
]
FORGED = [
    "198.51.100.1",
    "198.51.100.2, 203.0.113.9",
    "for=198.51.100.3;proto=https",
    "2001:db8::1",
    "[2001:db8::2]:443",
    "::ffff:198.51.100.4",
    "unknown",
    "127.0.0.1",
]


def ask(client: Client, code: str, headers: dict[str, str] | None = None) -> httpx.Response:
    return client.get(TOTAL, {"x-visitor-code": code, **(headers or {})})


def use_up(client: Client, count: int = 60) -> None:
    """Present so many codes that nobody uses."""
    for number in range(count):
        assert ask(client, f"guess{number:05}").status_code == 200


def test_known_and_unknown_codes_answer_alike(client: Client) -> None:
    anna = Visitor(client, "annaanna0001")
    anna.add(105)
    anna.remove(105)  # known, with nothing in it
    known, unknown = ask(client, "annaanna0001"), ask(client, "nobodynobody")
    assert (known.status_code, known.content, known.headers) == (
        200,
        unknown.content,
        unknown.headers,
    )
    client.address = "203.0.113.50"
    use_up(client)
    known, unknown = ask(client, "annaanna0001"), ask(client, "nobodynobody")
    assert (known.status_code, known.content) == (429, unknown.content)
    assert known.headers == unknown.headers
    assert known.json()["code"] == 429
    assert 1 <= int(known.headers["retry-after"]) <= 60
    assert known.headers["cache-control"] == "no-store"


def test_the_limit_holds_wherever_a_code_is_presented(client: Client) -> None:
    use_up(client)
    new = "unseenunseen"
    assert client.get(f"{TOTAL}?uuid={new}").status_code == 429
    assert client.get(f"/api/favorites/user?uuid={new}").status_code == 429
    for method, path, body in (
        ("POST", "/api/favorites", {"id": 105, "uuid": new}),
        ("DELETE", "/api/favorites", {"id": 105, "uuid": new}),
        ("POST", "/api/favorites/ids", {"id": 105, "uuid": new}),
        ("POST", "/api/syssuggest", {"content": "画面一直停在开头", "uuid": new}),
    ):
        assert client.request(method, path, json=body).status_code == 429, path
    changed = client.request(
        "POST", "/api/visitor/code", {"x-visitor-code": "guess00001"}, json={"code": new}
    )
    assert changed.status_code == 429
    assert client.get("/api/favorites/user").status_code == 200  # without a code nothing is guessed


def test_forged_headers_change_no_limit(client: Client) -> None:
    """10 header names x 8 values: one network all the same; another socket address is another
    network.
    """
    for number, (name, value) in enumerate(itertools.product(HEADERS, FORGED)):
        expected = 200 if number < 60 else 429
        assert ask(client, f"guess{number:05}", {name: value}).status_code == expected, (
            name,
            value,
        )
    client.address = "203.0.113.2"
    assert ask(client, "guess99999").status_code == 200


def test_neighbours_in_one_household_count_once(client: Client) -> None:
    for number in range(60):
        client.address = f"2001:db8:1:2::{number + 1:x}"
        assert ask(client, f"guess{number:05}").status_code == 200
    client.address = "2001:db8:1:2:ffff::1"
    assert ask(client, "guess99999").status_code == 429
    client.address = "2001:db8:1:3::1"
    assert ask(client, "guess99999").status_code == 200


def test_mapped_addresses_are_the_same_network(client: Client) -> None:
    client.address = "203.0.113.5"
    use_up(client)
    client.address = "::ffff:203.0.113.5"
    assert ask(client, "guess99999").status_code == 429


@pytest.fixture
def behind_proxy(tmp_path: Path) -> Iterator[Services]:
    settings = Settings(
        data_dir=tmp_path / "proxied", web_dir=tmp_path / "web", trusted_proxies="10.0.0.0/8"
    )
    opened = open_services(settings, clock=lambda: NOW)
    migrate(opened.database)
    with opened.database.write() as connection:
        fill_catalogue(connection)
    yield opened
    opened.database.close()


def test_a_proxy_of_ours_is_believed(behind_proxy: Services) -> None:
    client = Client(behind_proxy)
    client.address = "10.0.0.2"
    for number in range(60):  # what the client itself wrote stands to the left
        forged = {"x-forwarded-for": f"198.51.100.{number}, 203.0.113.7"}
        assert ask(client, f"guess{number:05}", forged).status_code == 200
    assert ask(client, "guess99999", {"x-forwarded-for": "203.0.113.7"}).status_code == 429
    assert ask(client, "guess99999", {"x-forwarded-for": "203.0.113.8"}).status_code == 200
    client.address = "192.0.2.1"  # not a proxy
    assert ask(client, "guess99998", {"x-forwarded-for": "203.0.113.7"}).status_code == 200
    client.close()
