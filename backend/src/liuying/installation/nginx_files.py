"""How nginx sends media and pictures: from the data folder, or from a cache of a bucket
(docs/decisions/0021-objects-in-a-bucket.md).
"""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

import msgspec

from liuying.core.playback.signed_urls import GRANT_LENGTH
from liuying.installation.configuration import DeploymentError, filled, plain_path
from liuying.installation.settings import Settings
from liuying.kit.s3_place import S3Place

ACCEL_PREFIX = "/protected"
# Sizes as nginx writes them.
CACHE_SIZE = re.compile(r"[1-9][0-9]{0,5}[mg]")
STORE_ORIGIN = re.compile(r"http://(?P<host>[A-Za-z0-9.-]{1,253}:[0-9]{1,5})/?")


class Site(msgspec.Struct, frozen=True, kw_only=True):
    """What nginx is told beside the settings.

    Attributes:
        domain: The site's name; empty for any, without TLS.
        certificate: The certificate with its chain; None for HTTP alone.
        key: Its private key.
        webroot: Where certbot leaves its answers.
        log: The access log.
        errors: The error log.
        port: Where HTTP is listened to.
        tls_port: Where HTTPS is.
        address: Listens on this address alone; empty for all of IPv4 and IPv6.
        applications: The serving processes, `host:port`; empty for the one of the settings.
        cache: Where it keeps what it fetched from a bucket.
        cache_size: How much of that, `50g`.
        store_origin: Where it reads the bucket without signing; empty to have the application fetch
            what it does not have.
        console_certificate: The certificate of the console's name; None for no server of the
            console.
        console_key: Its private key.
        console_networks: Who may open the console, `10.8.0.0/24`.
    """

    domain: str = ""
    certificate: Path | None = None
    key: Path | None = None
    webroot: Path = Path("/var/www/liuying")
    log: Path = Path("/var/log/nginx/liuying.log")
    errors: Path = Path("/var/log/nginx/error.log")
    port: int = 80
    tls_port: int = 443
    address: str = ""
    applications: tuple[str, ...] = ()
    cache: Path = Path("/var/cache/nginx/liuying")
    cache_size: str = "50g"
    store_origin: str = ""
    console_certificate: Path | None = None
    console_key: Path | None = None
    console_networks: tuple[str, ...] = ("127.0.0.1", "::1")


APPLICATION = re.compile(r"(?:[A-Za-z0-9.-]{1,253}|\[[0-9a-fA-F:.]{2,45}\]):[0-9]{1,5}")


def upstream_lines(site: Site, own: str, zone: str = "liuying") -> str:
    """The serving processes that nginx passes requests on to; one that does not answer is left out
    for two seconds, by all workers of nginx, who share what they know.

    Args:
        own: The address of the one of the settings.
        zone: Names what they share.

    Raises:
        DeploymentError: One is no `host:port`.
    """
    for one in site.applications:
        if APPLICATION.fullmatch(one) is None:
            raise DeploymentError(f"网站进程的地址写法不对：{one}，例如 10.0.0.2:8000")
    if not site.applications:
        return f"server {own};"
    servers = [f"server {one} max_fails=1 fail_timeout=2s;" for one in site.applications]
    if zone == "liuying" and len(servers) > 1:
        servers.insert(0, "hash $liuying_asked consistent;")
    return "\n    ".join((f"zone {zone} 64k;", *servers))


def together_lines(site: Site) -> str:
    """Which of several processes an address is asked of (`upstream_lines`); nothing where there is
    but one.
    """
    return filled("nginx-together.conf", {}) if len(site.applications) > 1 else ""


def patience_lines(site: Site) -> str:
    """How long one of several processes is waited for before the next one is asked; nothing where
    there is but one.
    """
    return filled("nginx-patience.conf", {}) if len(site.applications) > 1 else ""


FOLDER_ABOUT = """\
# 流影 behind nginx: open media and encrypted pictures straight from the disk, all else from the
# application. For locked media the application checks the right in the address, and nginx sends the
# file (X-Accel-Redirect). nginx's user may read media/ and enc/; secrets.json and the database stay
# mode 600."""
BUCKET_ABOUT = """\
# 流影 behind nginx: media and encrypted pictures from a cache of the bucket, all else from the
# application, which nginx asks once in ten seconds whether an asset may be read."""


def folder_lines(settings: Settings) -> dict[str, str]:
    """nginx reads the data folder itself."""
    data = {"DATA": plain_path(settings.data_dir)}
    return {
        "ABOUT": FOLDER_ABOUT,
        "ACCEL": f" LIUYING_ACCEL_PREFIX={ACCEL_PREFIX}",
        "CACHES": "",
        "FILES": filled("nginx-folder.conf", data),
    }


def bucket_lines(place: S3Place, site: Site) -> dict[str, str]:
    """nginx keeps what it fetched, from the store itself or through the application."""
    if CACHE_SIZE.fullmatch(site.cache_size) is None:
        raise DeploymentError(f"缓存大小的写法不对：{site.cache_size}，例如 50g 或 800m")
    origin = STORE_ORIGIN.fullmatch(site.store_origin)
    if site.store_origin and origin is None:
        raise DeploymentError(
            f"对象存储地址的写法不对：{site.store_origin}，应为只有 nginx 能访问的 http://主机:端口"
        )
    upstream = ""
    if origin is not None:
        upstream = (
            f"upstream liuying_store {{\n    server {origin['host']};\n    keepalive 64;\n}}\n"
        )
    # The application and the store give a file different ETags, and nginx joins no pieces whose
    # ETags differ: what one of them sent is nothing to whoever asks the other.
    kept = "" if origin is None else "store/"
    # A process that stands still is left for another; one alone is given as long as it takes to say
    # that the database is away.
    has_several = len(site.applications) > 1
    access = {
        "ACCESS": "liuying_permission" if has_several else "liuying",
        "ACCESS_WITHIN": "3s" if has_several else "5s",
    }
    if has_several:
        servers = upstream_lines(site, "", "liuying_permission")
        upstream += filled("nginx-permission.conf", {"UPSTREAM": servers})
    marks = {"RIGHT": str(GRANT_LENGTH), "SOURCE": kept, **access}
    written = filled("nginx-bucket.conf", marks)
    for key in BUCKET_KEYS:
        source = APPLICATION_LINES if origin is None else _store_lines(place, origin["host"], key)
        lines = textwrap.indent("\n".join(source), "        ")
        fetch = filled("nginx-fetch.conf", {"FROM": lines})
        written = written.replace(f"@FETCH:{key}@\n", f"{fetch}\n")
    caches = {"CACHE": plain_path(site.cache), "CACHE_SIZE": site.cache_size, "STORE": upstream}
    return {
        "ABOUT": BUCKET_ABOUT,
        "ACCEL": "",
        "CACHES": filled("nginx-caches.conf", caches),
        "FILES": written,
    }


BUCKET_KEYS = (
    "media/$liuying_asset/$liuying_file",
    "enc/$liuying_shelf/$liuying_shelf$liuying_rest",
)
# As everywhere else: the client is who connects to nginx.
APPLICATION_LINES = (
    "proxy_set_header Host $host;",
    "proxy_set_header X-Forwarded-For $remote_addr;",
    'proxy_set_header X-Forwarded-Host "";',
    'proxy_set_header Forwarded "";',
    "proxy_pass http://liuying;",
)


def _store_lines(place: S3Place, host: str, key: str) -> list[str]:
    """Nothing of the visitor's reaches the store."""
    path = "/".join(part for part in (place.bucket, place.prefix, key) if part)
    hidden = ("x-amz-request-id", "x-amz-id-2", "x-amz-version-id", "Accept-Ranges")
    return [
        f"proxy_set_header Host {host};",
        'proxy_set_header Authorization "";',
        'proxy_set_header Cookie "";',
        'proxy_set_header Referer "";',
        'proxy_set_header User-Agent "";',
        *(f"proxy_hide_header {name};" for name in hidden),
        f"proxy_pass http://liuying_store/{path};",
    ]
