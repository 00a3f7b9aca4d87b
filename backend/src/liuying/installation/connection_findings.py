"""What `liuying doctor` finds about connections to other machines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from urllib.parse import urlsplit

import sqlalchemy as sa

from liuying.installation.settings import Settings
from liuying.kit.origins import is_loopback
from liuying.workflows.doctor.findings import Finding, Remedy, warning

# https://www.postgresql.org/docs/current/libpq-ssl.html: the others believe whoever answers.
VERIFIED = frozenset({"verify-ca", "verify-full"})
# SQLAlchemy takes a port behind a host that stands among the parameters.
PORT = re.compile(r":\d*$")


def examine_connections(settings: Settings) -> Iterator[Finding]:
    """Whether the database and the store are who they say, where they are on other machines."""
    url = sa.make_url(settings.database)
    remote = next((one for one in _hosts(url.host, url.query) if not is_loopback(one)), "")
    if remote and url.query.get("sslmode") not in VERIFIED:
        yield warning(
            "database-tls",
            f"连接数据库 {remote} 时不核对对方是谁，也可能不加密",
            Remedy("在 LIUYING_DATABASE_URL 后面加 ?sslmode=verify-full&sslrootcert=CA 证书的文件"),
        )
    store = urlsplit(settings.s3_endpoint)
    if store.scheme == "http" and not is_loopback(store.hostname or ""):
        yield warning(
            "no-tls",
            f"LIUYING_S3_ENDPOINT 是 http 地址：{settings.s3_endpoint}",
            Remedy("改用 https"),
        )


def _hosts(host: str | None, parameters: Mapping[str, str | tuple[str, ...]]) -> Iterator[str]:
    """Where the database is asked for: parameters go before what stands in front of them. Without a
    host, or with a folder as one, it is a socket of this machine.
    """
    found = parameters.get("hostaddr") or parameters.get("host") or host or ""
    for text in [found] if isinstance(found, str) else found:
        for one in text.split(","):
            if one and not one.startswith(("/", "@")):
                yield one if one.count(":") > 1 else PORT.sub("", one)
