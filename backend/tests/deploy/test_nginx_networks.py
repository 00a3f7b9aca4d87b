"""nginx counts connections by network, as the application does (docs/security.md#t37)."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack
from ipaddress import IPv6Address
from itertools import product
from pathlib import Path

import httpx
import msgspec
import pytest

from liuying.installation.nginx_site import nginx_site
from liuying.installation.services import Services
from liuying.kit.client_network import ProxyTrust
from tests.deploy.nginx_process import NEEDS_NGINX, command_of, rendered, site_of
from tests.deploy.served import PATIENCE_S, free_port, running, served

pytestmark = NEEDS_NGINX

LIMIT = 16
# What a test says is the client's address, in place of as many addresses of this machine: nginx
# writes it out as it writes those of a socket.
CLIENT = "x-test-client"
UNFINISHED = (
    "POST /api/syssuggest HTTP/1.1\r\nhost: x\r\n{client}: {address}\r\ncontent-length: 9\r\n\r\n"
)


@pytest.fixture
def front(filled: Services, tmp_path: Path) -> Iterator[tuple[int, int]]:
    """The port of a site, and that of a server that says a client's network."""
    port, telling = free_port(), free_port()
    extra = f"""
        set_real_ip_from 127.0.0.1;
        real_ip_header {CLIENT};
        server {{
            listen 127.0.0.1:{telling};
            return 200 $liuying_network;
        }}
    """
    with served(filled) as upstream:
        settings = msgspec.structs.replace(
            filled.settings, port=upstream, connections_per_network=LIMIT
        )
        config = rendered(tmp_path, nginx_site(settings, site_of(tmp_path, port=port)), extra)
        with running(command_of(tmp_path, config), lambda: answers(port)):
            yield port, telling


def answers(port: int) -> bool:
    """Whether a server does."""
    try:
        return ask(port, "192.0.2.200") == 200
    except httpx.TransportError:
        return False


def ask(port: int, address: str) -> int:
    """The status of a request from an address."""
    url = f"http://127.0.0.1:{port}/api/config"
    return httpx.get(url, headers={CLIENT: address}, timeout=PATIENCE_S).status_code


def test_a_64_of_ipv6_is_one_network(front: tuple[int, int]) -> None:
    port, _ = front
    until = time.monotonic() + PATIENCE_S
    with ExitStack() as held:
        for number in range(LIMIT):
            one = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S)
            held.enter_context(one)
            address = f"2001:db8:0:7::{number + 1:x}"
            one.sendall(UNFINISHED.format(client=CLIENT, address=address).encode())
        while ask(port, "2001:db8:0:7:1:2:3:4") != 503:
            assert time.monotonic() < until
        assert ask(port, "2001:db8:0:8::1") == 200
        assert ask(port, "192.0.2.1") == 200


def addresses() -> list[str]:
    """All patterns of zero and other groups that begin as a public address, and some of IPv4."""
    groups = [
        IPv6Address(":".join(["2001", *pattern])) for pattern in product(("0", "a1"), repeat=7)
    ]
    others = ["192.0.2.1", "192.0.2.2", "::ffff:192.0.2.2", "2001:a10::1", "2001:0:0:1::"]
    return [*map(str, groups), *others]


def test_networks_are_those_of_the_application(front: tuple[int, int]) -> None:
    _, telling = front
    trust = ProxyTrust()
    names: dict[str, set[str]] = {}
    with httpx.Client(base_url=f"http://127.0.0.1:{telling}", timeout=PATIENCE_S) as client:
        for address in addresses():
            name = client.get("/", headers={CLIENT: address}).text
            names.setdefault(trust.network_of(address, ()), set()).add(name)
    assert {network: len(found) for network, found in names.items()} == dict.fromkeys(names, 1)
    assert len({name for found in names.values() for name in found}) == len(names)
