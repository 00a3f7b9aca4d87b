"""Who a client is: the socket, or the right-most hop that is not a proxy of ours (threats 4)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liuying.kit.client_network import UNKNOWN, ProxyTrust

NOBODY = ProxyTrust()
OURS = ProxyTrust(["10.0.0.0/8", "::1/128"])


@pytest.mark.parametrize(
    ("peer", "network"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::1", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        (None, UNKNOWN),
        ("", UNKNOWN),
        ("/run/socket", UNKNOWN),
    ],
)
def test_a_network_is_an_ipv4_address_or_a_household_of_ipv6(peer: str | None, network: str) -> None:
    assert NOBODY.network_of(peer, []) == network


@given(name=st.binary(max_size=20), value=st.binary(max_size=40))
def test_no_header_of_a_stranger_changes_anything(name: bytes, value: bytes) -> None:
    headers = [(name, value), (b"x-forwarded-for", value), (b"forwarded", value), (b"x-real-ip", value)]
    assert NOBODY.network_of("203.0.113.7", headers) == "203.0.113.7"
    assert OURS.network_of("203.0.113.7", headers) == "203.0.113.7"


@pytest.mark.parametrize(
    ("said", "network"),
    [
        (b"198.51.100.9", "198.51.100.9"),
        (b"1.1.1.1, 198.51.100.9", "198.51.100.9"),  # what the client itself wrote stands to the left
        (b"198.51.100.9, 10.2.2.2", "198.51.100.9"),  # a chain of our proxies
        (b"198.51.100.9, nonsense", "10.1.1.1"),
        (b"10.3.3.3", "10.3.3.3"),
        (b"::ffff:198.51.100.9", "198.51.100.9"),
        (b"", "10.1.1.1"),
    ],
)
def test_a_proxy_of_ours_says_whom_it_speaks_for(said: bytes, network: str) -> None:
    assert OURS.network_of("10.1.1.1", [(b"X-Forwarded-For", said)]) == network


def test_several_headers_are_one_list() -> None:
    headers = [(b"x-forwarded-for", b"1.1.1.1"), (b"x-forwarded-for", b"198.51.100.9")]
    assert OURS.network_of("10.1.1.1", headers) == "198.51.100.9"


def test_a_wrong_network_is_refused_at_once() -> None:
    with pytest.raises(ValueError, match="10"):
        ProxyTrust(["10.0.0.0/99"])
