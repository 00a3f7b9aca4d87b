"""The machines of a database that several servers hold together (docs/operating.md#many): who they
are, and where each of them listens.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Sequence
from pathlib import Path

import msgspec

from liuying.installation.configuration import DeploymentError

# Names stand in certificates, addresses and files of four programs.
NAME = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?")
HIGHEST_PORT = 65535
# Members of etcd, of which one may fail.
LEAST_QUORUM = 3
# What each machine has in its folder of certificates: its authority's, its own, and its own key.
AUTHORITY, CERTIFICATE, KEY = "ca.pem", "cluster.pem", "cluster.key"


class Member(msgspec.Struct, frozen=True):
    """One machine of the database, or one member of etcd.

    Attributes:
        name: Its own name, which its certificate carries too.
        address: Its IP address. A name would let the database wait for DNS when a machine fails.
        port: Where PostgreSQL listens.
        rest_port: Where Patroni listens.
        client_port: Where etcd listens to its clients.
        peer_port: Where etcd listens to the other members.
    """

    name: str
    address: str
    port: int = 5432
    rest_port: int = 8008
    client_port: int = 2379
    peer_port: int = 2380

    def at(self, port: int) -> str:
        """`host:port` of one of its ports."""
        return f"{_host(self.address)}:{port}"


def read_members(
    texts: Sequence[str], option: str = "--member", /, **ports: int
) -> tuple[Member, ...]:
    """The machines as an operator writes them, `pg1=10.0.0.11`.

    Args:
        option: What they were given by; errors name it.
        ports: What their ports are where they are not the usual ones, by `Member`'s names.

    Raises:
        DeploymentError: One is written wrongly, or stands there twice.
    """
    for one in ports.values():
        if not 1 <= one <= HIGHEST_PORT:
            raise DeploymentError(f"端口的写法不对：{one}，应为 1 到 {HIGHEST_PORT}")
    members = tuple(msgspec.structs.replace(Member(*_parts(one, option)), **ports) for one in texts)
    for kind, values in (
        ("名字", [one.name for one in members]),
        ("地址", [one.address for one in members]),
    ):
        twice = next((one for one in values if values.count(one) > 1), None)
        if twice is not None:
            raise DeploymentError(f"{option} 里有两台用同一个{kind}：{twice}")
    return members


def own_member(members: Sequence[Member], name: str) -> Member:
    """The machine that a configuration is for.

    Raises:
        DeploymentError: None has that name, or none is given.
    """
    if not members:
        raise DeploymentError("要写出每一台：--member pg1=10.0.0.11")
    for one in members:
        if one.name == name:
            return one
    names = "、".join(one.name for one in members)
    if not name:
        raise DeploymentError(f"要写出这台的名字，是 {names} 里的一个：--name {members[0].name}")
    raise DeploymentError(f"--member 里没有叫 {name} 的，只有 {names}")


def need_quorum(members: Sequence[Member]) -> None:
    """Members of etcd decide by majority.

    Raises:
        DeploymentError: One of them may not fail, or one more would change nothing.
    """
    if len(members) < LEAST_QUORUM or len(members) % 2 == 0:
        raise DeploymentError(
            f"etcd 要 3 台或 5 台，给了 {len(members)} 台：少于 3 台坏一台就停，双数的那一台没有用"
        )


def read_networks(texts: Sequence[str]) -> tuple[str, ...]:
    """Networks that may use the database, `10.0.0.0/24`.

    Raises:
        DeploymentError: One is written wrongly.
    """
    return tuple(_network(one) for one in texts)


def read_listener(text: str) -> str:
    """An address of this machine with its port, `127.0.0.1:5432`.

    Raises:
        DeploymentError: It is written wrongly.
    """
    host, _, port = text.rpartition(":")
    try:
        address = str(ipaddress.ip_address(_unscoped(host.removeprefix("[").removesuffix("]"))))
        if not port.isascii() or not port.isdigit() or not 1 <= int(port) <= HIGHEST_PORT:
            raise ValueError
    except ValueError:
        raise DeploymentError(f"地址的写法不对：{text}，例如 127.0.0.1:5432") from None
    return f"{_host(address)}:{int(port)}"


def tls_files(folder: Path) -> tuple[Path, Path, Path]:
    """The certificate of the authority, a machine's own certificate, and its key."""
    return folder / AUTHORITY, folder / CERTIFICATE, folder / KEY


def _unscoped(text: str) -> str:
    """An address or a network without a scope (`fe80::1%eth0`): Python takes any text for one, line
    ends and quotes too.

    Raises:
        ValueError: It has one.
    """
    if "%" in text:
        raise ValueError(text)
    return text


def _network(text: str) -> str:
    try:
        return str(ipaddress.ip_network(_unscoped(text), strict=False))
    except ValueError:
        raise DeploymentError(f"网段的写法不对：{text}，例如 10.0.0.0/24") from None


def _parts(text: str, option: str) -> tuple[str, str]:
    name, _, address = text.partition("=")
    if NAME.fullmatch(name) is None:
        raise DeploymentError(
            f"{option} 的写法不对：{text}，例如 pg1=10.0.0.11，名字只能有小写字母、数字和 -"
        )
    try:
        return name, str(ipaddress.ip_address(_unscoped(address)))
    except ValueError:
        raise DeploymentError(f"{option} 的写法不对：{text}，= 后面要写 IP 地址") from None


def _host(address: str) -> str:
    return f"[{address}]" if ":" in address else address
