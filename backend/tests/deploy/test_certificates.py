"""certbot through the nginx configuration that `liuying deploy nginx` writes: Debian's certbot asks
Debian's test authority (pebble) for a certificate, by HTTP on this machine alone.
"""

from __future__ import annotations

import json
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from cryptography import x509

from liuying.installation.nginx_site import nginx_site, nginx_version
from liuying.installation.services import Services
from tests.deploy.certificates import certificate_of
from tests.deploy.nginx_process import NEEDS_NGINX, command_of, rendered, site_of
from tests.deploy.served import PATIENCE_S, free_port, running, served

DOMAIN = "video.example.test"
CERTBOT = str(shutil.which("certbot"))
PROGRAMS = ("certbot", "pebble", "pebble-challtestsrv")
MISSING = [name for name in PROGRAMS if shutil.which(name) is None]

pytestmark = [
    NEEDS_NGINX,
    pytest.mark.skipif(
        bool(MISSING), reason="certbot and pebble are not installed: no certificate is obtained"
    ),
]


class Authority(msgspec.Struct, frozen=True):
    """A running test authority.

    Attributes:
        directory: Its address for clients.
        own: What its own address is trusted by.
        root: What its certificates are trusted by.
    """

    directory: str
    own: Path
    root: Path


@contextmanager
def authority(folder: Path, validation_port: int) -> Iterator[Authority]:
    """Run one that looks for every name's answers on a port of this machine."""
    certificate, key = certificate_of(folder, "localhost")
    port, management, names = free_port(), free_port(), free_port()
    config = folder / "pebble.json"
    config.write_text(
        json.dumps(
            {
                "pebble": {
                    "listenAddress": f"127.0.0.1:{port}",
                    "managementListenAddress": f"127.0.0.1:{management}",
                    "certificate": str(certificate),
                    "privateKey": str(key),
                    "httpPort": validation_port,
                    "tlsPort": free_port(),
                }
            }
        )
    )
    # The authority asks it where the name lies. Nothing else of it is listened on.
    resolver = ["pebble-challtestsrv", "-defaultIPv4", "127.0.0.1", "-defaultIPv6", ""]
    resolver += ["-dns01", f"127.0.0.1:{names}", "-management", f"127.0.0.1:{free_port()}"]
    resolver += ["-http01", "", "-https01", "", "-tlsalpn01", ""]
    command = ["pebble", "-config", str(config), "-dnsserver", f"127.0.0.1:{names}"]
    # Without the pauses and refusals by which it tries its clients.
    quick = ["env", "PEBBLE_VA_NOSLEEP=1", "PEBBLE_WFE_NONCEREJECT=0"]
    with ExitStack() as held:
        held.enter_context(running(resolver, lambda: listens(names)))
        held.enter_context(
            running([*quick, *command], lambda: listens(port) and listens(management))
        )
        trusting = ssl.create_default_context(cafile=str(certificate))
        root = folder / "authority.pem"
        with httpx.Client(verify=trusting, timeout=PATIENCE_S) as client:
            root.write_text(client.get(f"https://localhost:{management}/roots/0").text)
        yield Authority(f"https://localhost:{port}/dir", certificate, root)


def listens(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True


def certbot(folder: Path, asked: Authority, *arguments: str) -> None:
    """Run it as it stands in docs/operating.md, with folders of a test's own."""
    places = [
        part for kind in ("config", "work", "logs") for part in (f"--{kind}-dir", folder / kind)
    ]
    done = subprocess.run(
        [CERTBOT, *arguments, *places, "--server", asked.directory, "--non-interactive"],
        capture_output=True,
        text=True,
        check=False,
        env={"PATH": "/usr/bin:/bin", "REQUESTS_CA_BUNDLE": str(asked.own)},
    )
    assert done.returncode == 0, done.stdout + done.stderr


def served_certificate(port: int, root: Path) -> x509.Certificate:
    """What the site shows to whoever trusts the authority."""
    trusting = ssl.create_default_context(cafile=str(root))
    with (
        socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S) as plain,
        trusting.wrap_socket(plain, server_hostname=DOMAIN) as secured,
    ):
        shown = secured.getpeercert(binary_form=True)
    assert shown is not None
    return x509.load_der_x509_certificate(shown)


def until(look: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not look():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_a_certificate_is_obtained_served_and_renewed(filled: Services, tmp_path: Path) -> None:
    port, tls_port, webroot = free_port(), free_port(), tmp_path / "web"
    webroot.mkdir()
    reload = f"kill -HUP $(cat {tmp_path / 'nginx.pid'})"
    live = tmp_path / "config" / "live" / DOMAIN
    plain = site_of(tmp_path, domain=DOMAIN, port=port, tls_port=tls_port, webroot=webroot)
    secured = msgspec.structs.replace(
        plain, certificate=live / "fullchain.pem", key=live / "privkey.pem"
    )
    trusted = tmp_path / "authority"
    trusted.mkdir()
    with ExitStack() as held:
        upstream = held.enter_context(served(filled, accel_prefix="/protected"))
        settings = msgspec.structs.replace(filled.settings, port=upstream)
        # As before there is a certificate: by HTTP alone.
        config = rendered(tmp_path, nginx_site(settings, plain, nginx_version()))
        held.enter_context(running(command_of(tmp_path, config), lambda: listens(port)))
        asked = held.enter_context(authority(trusted, port))
        webroot_of = ["--webroot", "-w", str(webroot), "-d", DOMAIN]
        account = ["--agree-tos", "--register-unsafely-without-email"]
        certbot(tmp_path, asked, "certonly", *webroot_of, *account, "--deploy-hook", reload)
        rendered(tmp_path, nginx_site(settings, secured, nginx_version()))
        subprocess.run(["/bin/sh", "-c", reload], check=True)
        until(lambda: listens(tls_port))
        first = served_certificate(tls_port, asked.root)
        look_at_site(port, tls_port, asked.root)
        # HTTP now leads to HTTPS, but for the answers.
        certbot(tmp_path, asked, "renew", "--force-renewal", "--no-random-sleep-on-renew")
        until(lambda: served_certificate(tls_port, asked.root).serial_number != first.serial_number)
        renewed = x509.load_pem_x509_certificate((live / "cert.pem").read_bytes())
        assert served_certificate(tls_port, asked.root) == renewed
        look_at_site(port, tls_port, asked.root)


def look_at_site(port: int, tls_port: int, root: Path) -> None:
    """The site by HTTPS, and the way to it, once nginx has ended the processes of before."""
    trusting = ssl.create_default_context(cafile=str(root))
    named: dict[str, Any] = {"headers": {"host": DOMAIN}, "extensions": {"sni_hostname": DOMAIN}}
    with httpx.Client(verify=trusting, timeout=PATIENCE_S) as client:
        answer = client.get(f"https://127.0.0.1:{tls_port}/api/config", **named)
        assert answer.status_code == 200

    def leads() -> bool:
        led = httpx.get(f"http://127.0.0.1:{port}/home", headers={"host": DOMAIN})
        return bool(led.headers.get("location") == f"https://{DOMAIN}:{tls_port}/home")

    until(leads)
