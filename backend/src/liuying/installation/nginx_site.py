"""The site's servers in nginx's configuration, written from the settings: HTTP, TLS, the console's
name (docs/operating.md).
"""

from __future__ import annotations

import ipaddress
import re
import subprocess
import textwrap
from pathlib import Path
from urllib.parse import urlsplit

import msgspec

from liuying.installation.configuration import DeploymentError, filled, plain_path
from liuying.installation.nginx_files import (
    Site,
    bucket_lines,
    folder_lines,
    patience_lines,
    together_lines,
    upstream_lines,
)
from liuying.installation.settings import Settings

DOMAIN = re.compile(
    r"(?=.{4,253}\Z)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]"
)
# From this version on HTTP/2 has a directive of its own
# (https://nginx.org/en/docs/http/ngx_http_v2_module.html).
HTTP2_DIRECTIVE = (1, 25, 1)
CHALLENGES = "/.well-known/acme-challenge/"


def nginx_site(settings: Settings, site: Site, version: tuple[int, ...] = ()) -> str:
    """The site's part of nginx's configuration, to be included on the level of `http`.

    Args:
        version: nginx's; empty where it is not known.

    Raises:
        DeploymentError: A value cannot stand in it.
    """
    if site.domain and DOMAIN.fullmatch(site.domain) is None:
        raise DeploymentError(f"域名的写法不对：{site.domain}，例如 video.example.com")
    has_tls = site.certificate is not None and site.key is not None
    if has_tls and not site.domain:
        raise DeploymentError("HTTPS 需要域名：--domain")
    hsts = f"max-age={settings.hsts_seconds}" if has_tls and settings.hsts_seconds else ""
    listen = _tls_lines(site, version) if has_tls else _plain_lines(site)
    place = settings.s3_place
    site_part = filled(
        "nginx-site.conf",
        {
            "UPSTREAM": upstream_lines(site, f"{_host(settings.host)}:{settings.port}"),
            "TOGETHER": together_lines(site),
            "PATIENCE": patience_lines(site),
            "REDIRECT": _redirect(site) if has_tls else "",
            "LISTEN": textwrap.indent("\n".join(listen), "    "),
            **(folder_lines(settings) if place is None else bucket_lines(place, site)),
            "HSTS": hsts,
            "LOG": plain_path(site.log),
            "ERRORS": plain_path(site.errors),
            "CONNECTIONS": str(settings.connections_per_network),
        },
    )
    return site_part + _console_server(settings, site, version)


def console_host(settings: Settings) -> str:
    """The name under which nginx serves the console; empty where the settings do not want it: the
    console is off, or is opened over a tunnel.
    """
    address = urlsplit(settings.console_address)
    is_wanted = settings.console_port and address.scheme == "https"
    return (address.hostname or "") if is_wanted else ""


def _console_server(settings: Settings, site: Site, version: tuple[int, ...]) -> str:
    host = console_host(settings)
    if not host:
        return ""
    if DOMAIN.fullmatch(host) is None:
        raise DeploymentError(f"控制台的域名写法不对：{host}")
    if host == site.domain:
        raise DeploymentError("控制台要有自己的域名，不能与网站的相同")
    challenges = _challenges(site, host)
    if site.console_certificate is None:
        return challenges
    own = msgspec.structs.replace(
        site,
        domain=host,
        certificate=site.console_certificate,
        key=site.console_key,
        tls_port=urlsplit(settings.console_address).port or site.tls_port,
    )
    listen = [*_tls_lines(own, version)]
    if settings.hsts_seconds:
        value = f'"max-age={settings.hsts_seconds}"'
        listen.append(f"add_header Strict-Transport-Security {value} always;")
    return challenges + filled(
        "nginx-console.conf",
        {
            "UPSTREAM": f"{_host(settings.console_host)}:{settings.console_port}",
            "LISTEN": textwrap.indent("\n".join(listen), "    "),
            "ALLOWED": textwrap.indent(
                "\n".join(f"allow {_network(one)};" for one in site.console_networks), "    "
            ),
            "LOG": plain_path(site.log),
            "ERRORS": plain_path(site.errors),
            "CONNECTIONS": str(settings.connections_per_network),
        },
    )


def _challenges(site: Site, host: str) -> str:
    """Over HTTP the console's name answers certbot alone."""
    listen = "\n".join(f"    listen {one};" for one in _addresses(site, site.port))
    return f"""
server {{
{listen}
    server_name {host};
    server_tokens off;
    access_log off;
    location {CHALLENGES} {{
        root {plain_path(site.webroot)};
    }}
    location / {{
        return 404;
    }}
}}
"""


def _network(text: str) -> str:
    try:
        return str(ipaddress.ip_network(text, strict=False))
    except ValueError:
        raise DeploymentError(f"网段的写法不对：{text}，例如 10.8.0.0/24") from None


def nginx_whole(site: str, pid: Path = Path("/run/nginx.pid")) -> str:
    """A whole configuration around the site's part."""
    inner = textwrap.indent(site.rstrip("\n"), "    ")
    return filled("nginx-main.conf", {"PID": plain_path(pid), "SITE": inner})


def nginx_version() -> tuple[int, ...]:
    """The version of the nginx that is installed here; empty where there is none."""
    try:
        command = ["/usr/bin/env", "PATH=/usr/sbin:/usr/local/sbin:/usr/bin:/bin", "nginx", "-v"]
        said = subprocess.run(command, capture_output=True, text=True, timeout=10, check=False)
    except (OSError, subprocess.SubprocessError):
        return ()
    found = re.search(r"nginx/(\d+)\.(\d+)\.(\d+)", said.stderr)
    return tuple(int(part) for part in found.groups()) if found else ()


def _host(host: str) -> str:
    """Where nginx finds the application: on this machine also where it listens everywhere."""
    if host in {"0.0.0.0", "::", ""}:  # noqa: S104 - never listened on by this
        return "127.0.0.1"
    return f"[{host}]" if ":" in host else host


def _addresses(site: Site, port: int) -> list[str]:
    return [f"{site.address}:{port}"] if site.address else [str(port), f"[::]:{port}"]


def _plain_lines(site: Site) -> list[str]:
    lines = [f"listen {one};" for one in _addresses(site, site.port)]
    lines += [f"server_name {site.domain};"] if site.domain else []
    if site.domain:
        lines += [f"location {CHALLENGES} {{", f"    root {plain_path(site.webroot)};", "}"]
    return lines


def _tls_lines(site: Site, version: tuple[int, ...]) -> list[str]:
    if site.certificate is None or site.key is None:
        return []
    has_directive = version >= HTTP2_DIRECTIVE
    suffix = "" if has_directive else " http2"
    return [
        *(f"listen {one} ssl{suffix};" for one in _addresses(site, site.tls_port)),
        *(["http2 on;"] if has_directive else []),
        f"server_name {site.domain};",
        f"ssl_certificate {plain_path(site.certificate)};",
        f"ssl_certificate_key {plain_path(site.key)};",
        # https://ssl-config.mozilla.org, intermediate.
        "ssl_protocols TLSv1.2 TLSv1.3;",
        "ssl_ciphers ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:"
        "ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-RSA-AES256-GCM-SHA384:"
        "ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305;",
        "ssl_prefer_server_ciphers off;",
        "ssl_session_cache shared:liuying_tls:10m;",
        "ssl_session_timeout 1d;",
        "ssl_session_tickets off;",
    ]


def _redirect(site: Site) -> str:
    """HTTP leads to HTTPS, but for certbot's answers: to the site's own name, whatever is asked."""
    listen = "\n".join(f"    listen {one};" for one in _addresses(site, site.port))
    port = "" if site.tls_port == 443 else f":{site.tls_port}"
    return f"""
server {{
{listen}
    server_name {site.domain};
    server_tokens off;
    access_log off;
    location {CHALLENGES} {{
        root {plain_path(site.webroot)};
    }}
    location / {{
        return 301 https://{site.domain}{port}$request_uri;
    }}
}}
"""
