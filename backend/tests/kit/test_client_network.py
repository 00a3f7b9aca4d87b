"""Who a client is: the socket, or the right-most hop that is not a proxy of ours
(docs/security.md#t4).
"""

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
def test_a_network_is_an_ipv4_address_or_a_household_of_ipv6(
    peer: str | None, network: str
) -> None:
    assert NOBODY.network_of(peer, []) == network


@given(name=st.binary(max_size=20), value=st.binary(max_size=40))
def test_no_header_of_a_stranger_changes_anything(name: bytes, value: bytes) -> None:
    headers = [
        (name, value),
        (b"x-forwarded-for", value),
        (b"forwarded", value),
        (b"x-real-ip", value),
    ]
    assert NOBODY.network_of("203.0.113.7", headers) == "203.0.113.7"
    assert OURS.network_of("203.0.113.7", headers) == "203.0.113.7"


@pytest.mark.parametrize(
    ("said", "network"),
    [
        (b"198.51.100.9", "198.51.100.9"),
        (
            b"1.1.1.1, 198.51.100.9",
            "198.51.100.9",
        ),  # what the client itself wrote stands to the left
        (b"198.51.100.9, 10.2.2.2", "198.51.100.9"),  # a chain of our proxies
        (b"198.51.100.9, nonsense", "10.1.1.1"),
        (b"10.3.3.3", "10.3.3.3"),
        (b"::ffff:198.51.100.9", "198.51.100.9"),
        (b"", "10.1.1.1"),
        (b"198.51.100.9:5678", "198.51.100.9"),
        (b"1.1.1.1:80, 198.51.100.9:5678 , 10.2.2.2:9", "198.51.100.9"),
        (b"[2001:db8:1:2::1]:443", "2001:db8:1:2::/64"),
        (b"[2001:db8:1:2::1]", "2001:db8:1:2::/64"),
        (b"2001:db8:1:2::1", "2001:db8:1:2::/64"),
        (b"[::ffff:198.51.100.9]:443", "198.51.100.9"),
        (b"198.51.100.9, [::1]:443", "198.51.100.9"),  # a proxy of ours, with its port
        # The end of an address of IPv6 is no port.
        (b"2001:db8:1:2:3:4:5:443", "2001:db8:1:2::/64"),
        (b"[fe80::1%eth0]:443", "fe80::/64"),
    ],
)
def test_a_proxy_of_ours_says_whom_it_speaks_for(said: bytes, network: str) -> None:
    assert OURS.network_of("10.1.1.1", [(b"X-Forwarded-For", said)]) == network


@pytest.mark.parametrize(
    "forged",
    [
        b"203.0.113.9:",
        b"203.0.113.9:x",
        b"203.0.113.9:-1",
        b"203.0.113.9:123456",
        b"203.0.113.9:80:80",
        b"203.0.113.9 :80",
        b"203.0.113.9:\xb2",
        b"203.0.113.9:80%00",
        b"[203.0.113.9]:80",
        b"[203.0.113.9]",
        b"[2001:db8::9",
        b"2001:db8::9]:80",
        b"[2001:db8::9]80",
        b"[2001:db8::9]:",
        b"[[2001:db8::9]]:80",
        b"[2001:db8::9]:80]:90",
        b"[]:80",
        b":80",
        b"203.0.113:80",
        b"0x7f.1:80",
        b"example.org:80",
        b"for=203.0.113.9:80",
        b'"203.0.113.9:80"',
        b"unknown",
    ],
)
def test_what_is_no_address_counts_for_who_wrote_it(forged: bytes) -> None:
    """The client may have written it: neither it nor anything to its left is believed."""
    for said in (forged, b"192.0.2.55, " + forged, b"192.0.2.55:1, " + forged + b", 10.2.2.2:1"):
        expected = "10.2.2.2" if b"10.2.2.2" in said else "10.1.1.1"
        assert OURS.network_of("10.1.1.1", [(b"x-forwarded-for", said)]) == expected, said


@given(left=st.binary(max_size=40), port=st.integers(0, 65_535))
def test_nothing_to_the_left_of_the_client_is_read(left: bytes, port: int) -> None:
    said = left + b", 198.51.100.9:%d" % port
    assert OURS.network_of("10.1.1.1", [(b"x-forwarded-for", said)]) == "198.51.100.9"


def test_several_headers_are_one_list() -> None:
    headers = [(b"x-forwarded-for", b"1.1.1.1"), (b"x-forwarded-for", b"198.51.100.9")]
    assert OURS.network_of("10.1.1.1", headers) == "198.51.100.9"


def test_a_wrong_network_is_refused_at_once() -> None:
    with pytest.raises(ValueError, match="10"):
        ProxyTrust(["10.0.0.0/99"])
