"""A real nginx of a test's own."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from liuying.installation.nginx_files import Site
from liuying.installation.nginx_site import nginx_whole

NGINX = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
NEEDS_NGINX = pytest.mark.skipif(
    NGINX is None, reason="nginx is not installed: its configuration is not tried"
)


def rendered(folder: Path, site: str, extra: str = "") -> Path:
    """A whole configuration around a site, for a server of a test's own.

    Args:
        extra: Lines beside the site.
    """
    text = nginx_whole(site, folder / "nginx.pid")
    # The workers of a test run as its user, and keep their temporary files beside it.
    scratch = "".join(
        f"    {kind}_temp_path {folder}/{kind};\n"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    user = "user root;\n" if os.geteuid() == 0 else ""
    target = folder / "nginx.conf"
    target.write_text(user + text.replace("http {\n", "http {\n" + scratch + extra, 1))
    return target


def site_of(folder: Path, **given: Any) -> Site:
    """What nginx is told in a test; only with a bucket does it need a cache."""
    (folder / "cache").mkdir(exist_ok=True)
    own: dict[str, Any] = {
        "log": folder / "access.log",
        "errors": folder / "error.log",
        "cache": folder / "cache",
        "cache_size": "200m",
    }
    return Site(address="127.0.0.1", **own | given)


def command_of(folder: Path, config: Path) -> list[str]:
    """nginx in the foreground."""
    places = ["-p", str(folder), "-c", str(config), "-e", str(folder / "first.log")]
    return [str(NGINX), *places, "-g", "daemon off;"]
