"""Who a client is for counting and limits: its network, from the socket alone or from a trusted
proxy (docs/product.md#sharing).

IPv4 counts by address, IPv6 by /64 (one household), an IPv4 address in IPv6 form as IPv4. A
forwarding header of a peer that is not a configured proxy changes nothing (CVE-2025-51663 was
exactly that).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import NewType

# Addresses of proxies come with every request and are read once. No visitor's is kept.
KEPT_PROXIES = 64
IPV6_PREFIX = 64
# The smallest block that providers commonly assign to one customer.
SITE_PREFIX = 48
# `203.0.113.7` or `2001:db8:1:2::/64`; `unknown` for a peer without an address (a Unix socket).
ClientNetwork = NewType("ClientNetwork", str)
# ASCII digits only. An address in brackets is IPv6; only an IPv4 address without them can carry a
# port.
PORT = "(:[0-9]{1,5})?"
HOP = re.compile(
    rf"\[(?P<bracketed>[^\[\].]*:[^\[\]]*)\]{PORT}|(?P<version_4>[0-9.]+){PORT}|(?P<plain>[^\[\]]*)"
)
UNKNOWN = ClientNetwork("unknown")

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network


class ProxyTrust:
    """Which peers may state the client's address, and in which header.

    Args:
        proxies: Networks in CIDR form; none trusts nobody.
        header: The one header that is read, lower case, e.g. `x-forwarded-for`.

    Raises:
        ValueError: A network is not in CIDR form.
    """

    def __init__(self, proxies: Iterable[str] = (), header: str = "x-forwarded-for") -> None:
        self._proxies: list[Network] = [ip_network(one, strict=False) for one in proxies]
        self._known: dict[str, Address] = {}
        self._header = header.lower().encode()

    def network_of(self, peer: str | None, headers: Iterable[tuple[bytes, bytes]]) -> ClientNetwork:
        """The client behind a request: the right-most hop that is not a proxy of ours
        (docs/security.md#t4).
        """
        address, is_proxy = self._read(peer or "")
        if address is None:
            return UNKNOWN
        if self._proxies:
            hops = [
                hop
                for name, value in headers
                if name.lower() == self._header
                for hop in value.split(b",")
            ]
            while hops and is_proxy:
                hop, is_proxy = self._read(_address_in(hops.pop().decode("latin-1").strip()))
                if hop is None:
                    # Not an address, so its author is not trusted: the last known hop counts.
                    break
                address = hop
        return _network(address)

    def is_proxy(self, peer: str | None) -> bool:
        """Whether a peer is one of the proxies."""
        return self._read(peer or "")[1]

    def _read(self, text: str) -> tuple[Address | None, bool]:
        """An address, and whether it is a proxy's."""
        if (known := self._known.get(text)) is not None:
            return known, True
        address = _parse(text)
        if address is None or not any(address in network for network in self._proxies):
            return address, False
        if len(self._known) < KEPT_PROXIES:
            self._known[text] = address
        return address, True


def site_of(network: ClientNetwork) -> ClientNetwork | None:
    """The /48 around a network of IPv6, whose 65,536 networks one customer may own; None for any
    other.
    """
    if ":" not in network:
        return None
    return ClientNetwork(str(ip_network(network).supernet(new_prefix=SITE_PREFIX)))


def _address_in(hop: str) -> str:
    """The address in a hop, which some proxies write with its port: `192.0.2.7:5678`,
    `[2001:db8::1]:443`; empty where there is none.
    """
    found = HOP.fullmatch(hop)
    return found["bracketed"] or found["version_4"] or found["plain"] if found else ""


def _parse(text: str) -> Address | None:
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address


def _network(address: Address) -> ClientNetwork:
    if isinstance(address, IPv4Address):
        return ClientNetwork(str(address))
    return ClientNetwork(str(ip_network((address, IPV6_PREFIX), strict=False)))
